"""A group at one moment, for the rules about what has stopped: its state, its commits, its broker's
word.

Absence is a sign: a partition that is committed no more, a group that writes nothing because it
never finishes a rebalance.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ...rebalance.judgements import EARLIER_MS
from .classic_record import Step

if TYPE_CHECKING:
    from ...clients.settings import ClientSettings
    from ...history.restarts import Restart
    from ...inspector.shapes.story_shapes import RootCause
    from .findings import Finding
    from .loading import Obstacle
    from .modern import ModernState
    from .rebalances import Takeover
    from .window import Arrival

__all__ = ["BrokerState", "CommitSeen", "GroupEnd", "Refused"]


class CommitSeen(NamedTuple):
    """The commits of a partition: the last offset (None: deleted), when the first and the last were
    made (milliseconds since 1970), how many there are, and where the partition ends, if known.

    Since `same_since` the last offset was committed `same_commits` times; `longest_gap_ms` is the
    longest time between two commits, `usual_gap_ms` the longest that is usual, and `pauses` how
    many of them were ten minutes or longer. `end_before` is where the partition ended five minutes
    before `end` was asked, `start` where it begins, if known.

    Of the last commit that went back, `rewound` has the time and both offsets, and `rewound_how`
    why, if that is known: "expired", "deleted" or "reset". `skipped` has the same of the longest
    step forward, `skipped_how` whether it was made while nobody was in the group ("reset"), or
    after the offset had been deleted meanwhile ("deleted"). `lately_commits` and `lately_rewinds`
    are counted over the last day or two; by `records_again` offsets went back in all.
    `records_a_second` is the pace of now, None where it is not known; `is_subscribed` is whether a
    member subscribes to the topic, None where that is not known.
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
    usual_gap_ms: int = 0
    records_a_second: float | None = None
    lately_commits: int = 0
    lately_rewinds: int = 0
    records_again: int = 0
    start: int | None = None
    end_before: int | None = None
    is_subscribed: bool | None = None
    rewound: tuple[int, int, int] | None = None
    rewound_how: str | None = None
    skipped: tuple[int, int, int] | None = None
    skipped_how: str | None = None

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
        """How many records it is behind; None where that is not known. What was deleted before
        anybody read it does not wait any more.
        """
        if self.end is None or self.committed_offset is None:
            return None
        return max(self.end - max(self.committed_offset, self.start or 0), 0)

    @property
    def arrivals_a_second(self) -> float | None:
        """How many records arrive in a second; None where that is not known."""
        if self.end is None or self.end_before is None:
            return None
        return max(self.end - self.end_before, 0) * 1000 / EARLIER_MS

    @property
    def interval_ms(self) -> float:
        """The time between two commits, on average."""
        return (self.last - self.first) / max(self.commits - 1, 1)


class DeletedCommit(NamedTuple):
    """The commit of a partition that was deleted, and that none has followed: its offset and its
    time (milliseconds since 1970; None: no record has them), and when it was deleted. For
    `vacant_ms` before that nobody had been in the group."""

    topic: str
    partition: int
    offset: int | None
    last: int | None
    deleted_at: int
    vacant_ms: int = 0


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
    committed: Collection[tuple[str, int]] = ()
    """The partitions of `commits`."""
    deleted: Sequence[DeletedCommit] = ()
    """Commits that were deleted, and that none has followed."""
    state: BrokerState | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many partitions topics have; `least` is how many they have at least, by assignments."""
    least: Mapping[str, int] = field(default_factory=dict)
    given_since: Mapping[str, int] = field(default_factory=dict)
    """Since when partitions of each topic are assigned, record after record."""
    lacking_since: Mapping[str, int] = field(default_factory=dict)
    """Since when some partition of each subscribed topic has no owner."""
    arrivals: Mapping[str, Arrival] = field(default_factory=dict)
    """When each member of `step` came."""
    topics: Mapping[str, Any] = field(default_factory=dict)
    """What is known of topics: a `TopicFacts` of each, with the ends and starts of partitions."""
    told: frozenset[tuple[str, str]] = frozenset()
    """The rules and the keys of the findings that the group's last record left open."""
    inputs: frozenset[str] = frozenset({"history", "commits", "targets"})
    members: int | None = None
    """How many members there are; None where that is not known."""
    refused: Refused | None = None
    differ_since: int | None = None
    """Since when members subscribe to different topics; None where they do not."""
    obstacle: Obstacle | None = None
    """The record that a coordinator cannot replay."""
    findings: Sequence[Finding] = ()
    """What is found in its records so far."""
    restarts: Sequence[Restart] = ()
    """The members that ended and came back, in the order of their returns."""
    client_settings: Sequence[ClientSettings] = ()
    """The settings of its clients."""
    causes: Sequence[RootCause] = ()
    """What logs tell is wrong with it."""
    takeovers: Mapping[tuple[str, int], Takeover] = field(default_factory=dict)
    """When partitions came to their owners, and from whom, of those that changed them."""
    assigned: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """The member id that has each partition, where the broker assigns."""

    @property
    def owner(self) -> Mapping[tuple[str, int], str]:
        """The member id that has each partition, whoever assigned it."""
        if self.step is None:
            return self.assigned
        return self.step.owner if self.step.is_consumer else {}
