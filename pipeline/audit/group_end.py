"""A group at one moment, for the rules about what has stopped: its state, its commits, its broker's
word.

Absence is a sign: a partition that is committed no more, a group that writes nothing because it
never finishes a rebalance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .classic_record import Step

if TYPE_CHECKING:
    from .modern import ModernState
    from .rebalances import Takeover

__all__ = ["BrokerState", "CommitSeen", "GroupEnd", "Refused"]


class CommitSeen(NamedTuple):
    """The commits of a partition: the last offset (None: deleted), when the first and the last were
    made (milliseconds since 1970), how many there are, and where the partition ends, if known.

    Since `same_since` the last offset was committed `same_commits` times; `longest_gap_ms` is the
    longest time between two commits, and `pauses` how many of them were ten minutes or longer. Of
    the last commit that went back, `rewound` has the time and both offsets. `end_before` is where
    the partition ended some minutes before `end` was asked, if known.
    """

    topic: str
    partition: int
    committed_offset: int | None
    first: int
    last: int
    commits: int
    end: int | None = None
    first_offset: int | None = None
    highest_offset: int | None = None
    same_since: int | None = None
    same_commits: int = 0
    longest_gap_ms: int = 0
    pauses: int = 0
    rewinds: int = 0
    rewound: tuple[int, int, int] | None = None
    end_before: int | None = None

    @property
    def waits(self) -> bool:
        """Whether records wait, and have done so for minutes, if that is known: who has read all is
        behind for a moment after every new record.
        """
        if not self.lag:
            return False
        return self.end_before is None or (self.committed_offset or 0) < self.end_before

    @property
    def lag(self) -> int | None:
        """How many records it is behind; None where that is not known."""
        if self.end is None or self.committed_offset is None:
            return None
        return max(self.end - self.committed_offset, 0)

    @property
    def pace(self) -> float:
        """Records that were read a second, from the first commit to the last; 0 where there is no
        telling.
        """
        if self.highest_offset is None or self.first_offset is None or self.last <= self.first:
            return 0.0
        return (self.highest_offset - self.first_offset) * 1000 / (self.last - self.first)

    @property
    def interval_ms(self) -> float:
        """The time between two commits, on average."""
        return (self.last - self.first) / max(self.commits - 1, 1)


class Refused(NamedTuple):
    """The last record of a group that cannot be read: its type, why, its place, and how many there
    are. `replaced` is whether a record that can be read came after it.
    """

    kind: str
    reason: str
    source: str
    partition: int | None
    offset: int
    timestamp: int
    times: int
    data: bytes
    replaced: bool = False


class BrokerState(NamedTuple):
    """The state of a group by the broker.

    `unstable_ms` is for how long it was seen rebalancing by who asked more than once, 0 for a
    single answer. What was not asked, or not answered, is None; members, protocol and coordinator
    are asked of groups that are rebalancing.
    """

    state: str
    unstable_ms: int = 0
    group_type: str | None = None
    protocol: str | None = None
    coordinator: int | None = None
    members: int | None = None
    source: str | None = None
    observed_ms: int | None = None


@dataclass(frozen=True, slots=True)
class GroupEnd:
    """A group at the moment `now` (milliseconds since 1970): the last record of a classic group,
    or the state that the records of another one leave, and what is known besides."""

    group_id: str
    now: int
    step: Step | None = None
    modern: ModernState | None = None
    commits: Sequence[CommitSeen] = ()
    state: BrokerState | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many partitions topics have; `least` is how many they have at least, by assignments."""
    least: Mapping[str, int] = field(default_factory=dict)
    told: frozenset[tuple[str, str]] = frozenset()
    """The rules and the keys of the findings that the group's last record left open."""
    inputs: frozenset[str] = frozenset({"history", "commits", "targets"})
    members: int | None = None
    """How many members there are; None where that is not known."""
    refused: Refused | None = None
    differ_since: int | None = None
    """Since when members subscribe to different topics; None where they do not."""
    takeovers: Mapping[tuple[str, int], Takeover] = field(default_factory=dict)
    """When partitions came to their owners, and from whom, of those that changed them."""
