"""A commit of offsets, as far as the group coordinator judges it: the member and its generation.

OffsetCommit itself is not modelled; what counts is that a coordinator refuses the commit of a
member that it has dropped.
"""

from __future__ import annotations

from typing import NamedTuple

from ...assignments import Partition


class Commit(NamedTuple):
    """The member and generation of an OffsetCommit request."""

    member_id: str
    generation: int
    partitions: frozenset[Partition] = frozenset()
    """The partitions of a member of the consumer protocol: the coordinator judges each of them."""


class CommitAnswer(NamedTuple):
    """The error code of an OffsetCommit response."""

    error_code: int
