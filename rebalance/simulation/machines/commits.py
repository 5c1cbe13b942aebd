"""A commit of offsets, as far as a group is concerned: who commits, and as of when.

The requests themselves are not defined here; what counts is that a coordinator refuses the commit
of a member that it has dropped.
"""

from __future__ import annotations

from typing import NamedTuple


class Commit(NamedTuple):
    """OffsetCommit's member and generation."""

    member_id: str
    generation: int


class CommitAnswer(NamedTuple):
    """OffsetCommit's error."""

    error_code: int
