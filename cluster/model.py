"""A group as kproto shows it: what the broker told, and what was found in its members' bytes.

The objects are those that are printed: `inspector.shapes.group_shapes`.
"""

from __future__ import annotations

import msgspec

from ..inspector.shapes.group_shapes import (
    KINDS,
    LEVELS,
    Committed,
    Group,
    Kind,
    Listed,
    Member,
    Remark,
    total_lag,
    worst,
)
from ..inspector.shapes.shape import Shares

__all__ = [
    "KINDS",
    "LEVELS",
    "Committed",
    "Group",
    "Kind",
    "Listed",
    "Listing",
    "Member",
    "Remark",
    "Shares",
    "total_lag",
    "worst",
]


class Listing(msgspec.Struct, frozen=True):
    """The groups of a cluster, and what could not be asked."""

    groups: tuple[Listed, ...]
    problems: tuple[str, ...] = ()
    complete: bool = True
    """Whether every broker answered."""
