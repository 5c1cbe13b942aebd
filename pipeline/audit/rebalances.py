"""What a rebalance moved, how partitions were handed over, and what caused it.

Known from two records alone: one before and one after. Frames would tell more: the reason of a
JoinGroup or LeaveGroup, and how long it all took. A crash, a leave and a poll limit look alike
here. Causes are those of `history.causes`: what records make likely at best is `inferred`, and so
is whatever lies behind a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...history.causes import certainty_in_records
from ...rebalance.frameworks import CONNECT, STREAMS_PROTOCOL
from .classic_record import Step
from .findings import Basis
from .members import by_topic, who
from .round_facts import connect_of, streams_of

__all__ = [
    "MOST", "REPETITION", "Move", "Rebalance", "RebalanceHistory", "RecordTime", "Takeover",
]  # fmt: skip

MAX_MOVES = 1000
MAX_NAMED = 100
MAX_AWAY = 1000
MAX_TAKEOVERS = 10_000
"""Static members that went away and are remembered."""
_NO_SIZE = (0, -1)
_SLACK_MS = 5_000  # a planned rebalance may come so much earlier by the clock of the broker
MOST = (1 << 31) - 1
"""Generations that can be missing."""

Partition = tuple[str, int]


class RecordTime(NamedTuple):
    """The generation of a record, and its time in milliseconds since 1970."""

    generation: int
    timestamp: int


class Move(NamedTuple):
    """A partition that changed its owner; None is nobody. `handover` is "revoked" (the owner gave
    it back and stayed), "owner_left", "eager" (all gave back everything) or "unknown"; None where
    nobody had it."""

    topic: str
    partition: int
    from_member: str | None
    to_member: str | None
    handover: str | None


class Rebalance(NamedTuple):
    """A step, compared with the one before; times in milliseconds, None where they are not known.

    `unrecorded` is the number of generations in between, `sync_ms` the leader's sync phase alone.
    `moves`, `joined`, `left` and `topics` have the first of many; `moved` counts all.
    """

    previous_generation: int | None
    unrecorded: int
    joined: tuple[str, ...]
    left: tuple[str, ...]
    moved: int
    moves: tuple[Move, ...]
    cause: str
    basis: Basis
    topics: tuple[str, ...]
    sync_ms: int | None
    since_previous_ms: int | None


class Takeover(NamedTuple):
    """When a partition came to its owner, in milliseconds since 1970, and who had it before;
    `session_ms` is that one's session timeout, -1 where it is not known; `has_left`: it was gone
    then."""

    at: int
    member_id: str
    name: str
    session_ms: int
    has_left: bool


class RebalanceHistory:
    """The rebalances of one group, step by step. It keeps the last step, and the partitions that
    were withheld in it.
    """

    def __init__(self) -> None:
        self._previous: Step | None = None
        self._withheld: dict[Partition, str] = {}
        self._sizes_when_complete: dict[str, int] = {}
        self._topics: tuple[str, ...] = ()
        self.takeovers: dict[Partition, Takeover] = {}
        """The last takeover of partitions, of those that changed their owners."""
        self._away: set[str] = set()
        """The instance ids of static members that went away."""

    def observe(self, step: Step) -> Rebalance:
        """Compare the next step with the one before, and return what changed."""
        previous = self._previous
        arrivals, departures = _came_and_went(step, previous)
        gap = _unrecorded(previous, step) if previous is not None else 0
        cause = self._cause(step, bool(arrivals), bool(departures))
        stays = previous is not None and step.has_the_owners_of(previous)
        moves = [] if stays and not self._withheld else list(self._moves(step, gap))
        if previous is not None and previous.generation != step.generation:
            self._note_takeovers(step, previous, moves)
        self._topics = step.topics[:MAX_NAMED]
        self._remember(step, stays=stays)
        return Rebalance(
            previous_generation=None if previous is None else previous.generation,
            unrecorded=gap,
            joined=tuple(arrivals[:MAX_NAMED]),
            left=tuple(departures[:MAX_NAMED]),
            moved=len(moves),
            moves=tuple(moves[:MAX_MOVES]),
            cause=cause,
            basis=_basis(cause, gap),
            topics=self._topics,
            sync_ms=_sync_ms(step),
            since_previous_ms=None if previous is None else _between(previous, step),
        )

    def repeat(self, last: Step) -> None:
        """Take the last of several repetitions."""
        self._remember(last, stays=True)

    @property
    def is_at_rest(self) -> bool:
        """Whether a record that repeats the last one changes nothing: no partition is withheld for
        it.
        """
        return not self._withheld

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that members subscribe to, in order, at most `MAX_NAMED`."""
        return self._topics

    # -- why

    def _cause(self, step: Step, has_joiners: bool, left: bool) -> str:
        """Return the trigger of the rebalance that led to a record."""
        previous = self._previous
        if previous is None:
            return "member-joined" if step.generation <= 1 and step.members else "unknown"
        if step.generation == previous.generation:
            is_replaced = (
                has_joiners and left and not self._instances(step) - self._instances(previous)
            )
            return "static-member-came-back" if is_replaced else "unknown"
        if has_joiners or left:
            return self._with_other_members(step, previous, has_joiners=has_joiners)
        return self._with_the_same_members(step, previous)

    def _with_other_members(self, step: Step, previous: Step, *, has_joiners: bool) -> str:
        if has_joiners and any(member.has_no_rebalance_timeout for member in step.members):
            return "rebalance-timeout-unset"
        new = [member for member in step.members if member.member_id not in previous.by_id]
        instances = {member.instance_id for member in new}
        if not new or None in instances:
            return "member-joined" if has_joiners else "member-left"
        if instances & self._instances(previous):
            return "static-member-came-back"
        return "static-member-came-back-too-late" if instances & self._away else "member-joined"

    def _with_the_same_members(self, step: Step, previous: Step) -> str:
        """Return the first cause that fits, in the order in which one cause leads to the
        next."""
        plan = self._plan(step, previous)
        if plan or not step.has_the_topics_of(previous):
            return plan or "subscription-changed"
        if self._grown(step):
            return "metadata-changed"
        if any(partition in step.owner for partition in self._withheld):
            return "cooperative-second-round"
        if step.protocol != previous.protocol:
            return "protocol-changed"
        if step.is_consumer and not self._withheld and self._resized(step, previous):
            return "metadata-changed"
        return "leader-rejoined" if step.members else "unknown"

    def _plan(self, step: Step, previous: Step) -> str:
        """Return the cause of a rebalance that the previous assignment planned, else ""."""
        current_time = step.place.timestamp
        if previous.protocol == STREAMS_PROTOCOL:
            moment = streams_of(previous).next_rebalance_ms
            return (
                "probing-rebalance"
                if moment is not None and moment <= current_time + _SLACK_MS
                else ""
            )
        if previous.protocol_type == CONNECT:
            delay = connect_of(previous).delay_ms
            waited = current_time - previous.place.timestamp
            return "connect-delayed-rebalance" if 0 < delay <= waited + _SLACK_MS else ""
        return ""

    def _grown(self, step: Step) -> bool:
        """Return whether a topic of which all partitions were assigned has more of them now."""
        return any(
            topic in self._sizes_when_complete
            and self._sizes_when_complete[topic] < count == highest + 1
            for topic, (count, highest) in step.sizes.items()
        )

    def _resized(self, step: Step, previous: Step) -> bool:
        """Return whether a topic of which all partitions were assigned has more or fewer now, all
        of which are assigned: partitions come and go. What cooperative members withhold looks like
        that, too."""
        if _is_cooperative(step):
            return False
        sizes = [(step.sizes.get(topic, _NO_SIZE), previous.sizes.get(topic, _NO_SIZE))
                 for topic in self._sizes_when_complete]  # fmt: skip
        return any(
            new != old and all(count == highest + 1 for count, highest in (new, old))
            for new, old in sizes
        )

    @staticmethod
    def _instances(step: Step) -> set[str]:
        return {member.instance_id for member in step.members if member.instance_id is not None}

    # -- what

    def _note_takeovers(self, step: Step, previous: Step, moves: Iterable[Move]) -> None:
        for move in moves:
            if move.from_member is None or move.to_member is None:
                continue
            owner = previous.by_id.get(move.from_member)
            partition = (move.topic, move.partition)
            has_room = partition in self.takeovers or len(self.takeovers) < MAX_TAKEOVERS
            if owner is not None and has_room:
                self.takeovers[partition] = Takeover(
                    step.place.timestamp,
                    owner.member_id,
                    who(owner.identity),
                    owner.session_timeout,
                    owner.member_id not in step.by_id,
                )

    def _moves(self, step: Step, gap: int) -> Iterator[Move]:
        previous = self._previous
        if previous is None:
            return
        eager = not _is_cooperative(step)
        was = {**self._withheld, **previous.owner}
        for partition in sorted(was.keys() | step.owner.keys()):
            old, new = was.get(partition), step.owner.get(partition)
            withheld = partition in self._withheld
            if old == new or (withheld and new is None and partition not in previous.owner):
                continue
            handover = "revoked" if withheld else _handover(step, partition, old, gap, eager)
            yield Move(*partition, old, new, handover)

    def _remember(self, step: Step, *, stays: bool) -> None:
        previous = self._previous
        self._withheld = {}
        rises = previous is not None and step.generation > previous.generation
        if previous is not None and rises and step.members and not stays:
            self._withheld = {
                partition: member
                for partition, member in previous.owner.items()
                if partition not in step.owner and member in step.by_id
            }
        self._previous = step
        if previous is None:
            return  # it may be a record of a migration, where others have the rest
        if step.ids != previous.ids and len(self._away) < MAX_AWAY:
            self._away |= self._instances(previous)
            self._away -= self._instances(step)
        for topic, (count, highest) in self._sizes(step):
            if count == highest + 1 > self._sizes_when_complete.get(topic, 0):
                self._sizes_when_complete[topic] = count

    def _sizes(self, step: Step) -> Iterable[tuple[str, tuple[int, int]]]:
        """Return how many partitions of each topic are assigned or withheld, and the highest."""
        if not self._withheld:
            return step.sizes.items()
        numbers_by_topic = by_topic([*step.owner, *self._withheld])
        return [
            (topic, (len(numbers), max(numbers))) for topic, numbers in numbers_by_topic.items()
        ]


def _basis(cause: str, gap: int) -> Basis:
    is_certain = not gap and certainty_in_records(cause) == "certain"
    return Basis.OBSERVED if is_certain else Basis.INFERRED


REPETITION = Rebalance(
    previous_generation=None,
    unrecorded=0,
    joined=(),
    left=(),
    moved=0,
    moves=(),
    cause="leader-rejoined",
    basis=_basis("leader-rejoined", 0),
    topics=(),
    sync_ms=None,
    since_previous_ms=None,
)
"""What changes in each record that repeats the previous one, of a group at rest; the numbers and
the topics are the record's own."""


def _came_and_went(step: Step, previous: Step | None) -> tuple[list[str], list[str]]:
    """Return the member ids that are new, and those that are gone."""
    if previous is None:
        return [*step.ids], []
    if step.ids == previous.ids:
        return [], []
    arrivals = [member_id for member_id in step.ids if member_id not in previous.by_id]
    return arrivals, [member_id for member_id in previous.by_id if member_id not in step.by_id]


def _handover(
    step: Step, partition: Partition, old: str | None, gap: int, eager: bool
) -> str | None:
    if old is None:
        return None
    if eager:
        return "eager"
    if gap:
        return "unknown"
    owner = step.by_id.get(old)
    if owner is None:
        return "owner_left"
    claim = owner.subscription
    if claim is None or partition in {
        (entry.topic, number) for entry in claim.owned_partitions for number in entry.partitions
    }:
        return "unknown"
    return "revoked"


def _is_cooperative(step: Step) -> bool:
    """Return whether members keep partitions while they join; some of them claim what they own
    then.
    """
    return step.protocol == "cooperative-sticky" or any(
        member.subscription is not None and member.subscription.owned_partitions
        for member in step.members
    )


def _sync_ms(step: Step) -> int | None:
    return _positive(step.place.timestamp - step.since) if step.since >= 0 else None


def _unrecorded(previous: Step, step: Step) -> int:
    """Return how many generations are between two steps, at most `MOST`."""
    return min(max(step.generation - previous.generation - 1, 0), MOST)


def _between(previous: Step, step: Step) -> int | None:
    return _positive(step.place.timestamp - previous.place.timestamp)


def _positive(milliseconds: int) -> int | None:
    return milliseconds if milliseconds >= 0 else None
