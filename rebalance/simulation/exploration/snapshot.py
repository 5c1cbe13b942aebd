"""A whole group as one value, and the moves that change it."""

from __future__ import annotations

from typing import NamedTuple

from ..host import AnyMember, Link
from ..modern.broker import AnyGroup

NAMES = "abcdefghij"
"""The names of the places."""


class ExploredMember(NamedTuple):
    """A running member and its connection."""

    state: AnyMember
    link: Link = Link()


class Snapshot(NamedTuple):
    """The state of a whole group: its processes, coordinator and topics, and how much may still
    happen.
    """

    processes: tuple[ExploredMember | None, ...]
    coordinator: AnyGroup
    topics: tuple[tuple[str, int], ...]
    starts: tuple[int, ...]
    """How many processes each place has had."""
    faults: int
    """How many faults may still happen."""
    stops: int
    growths: int = 0


class Move(NamedTuple):
    """Something that happens; `fault` if it need not."""

    kind: str
    place: int = -1
    member_id: str = ""
    fault: bool = False
    rank: int | None = None
    """How many ids sort before the one that the request is given; None if ids sort by place."""

    def __str__(self) -> str:
        where = f" {NAMES[self.place]}" if self.place >= 0 else ""
        rank = "" if self.rank is None else f" to be {self.rank}"
        return f"{self.kind}{where}{' ' + self.member_id if self.member_id else ''}{rank}"
