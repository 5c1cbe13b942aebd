"""What a rebalance moved, how partitions were handed over, and what caused it.

Known from two records alone: one before and one after. Frames would tell more: the reason of a
JoinGroup or LeaveGroup, and how long it all took. A crash, a leave and a poll limit look alike
here. What several things may have caused is `inferred`, and so is whatever lies behind a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .classic_record import Step
from .findings import Basis
from .members import by_topic

__all__ = ["MOST", "Moment", "Move", "Rebalance", "RebalanceHistory"]

MAX_MOVES = 1000
MAX_NAMED = 100
MOST = (1 << 31) - 1
"""Generations that can be missing."""

Partition = tuple[str, int]


class Moment(NamedTuple):
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


class RebalanceHistory:
    """The rebalances of one group, step by step. It keeps the last step, and the partitions that
    were withheld in it.
    """

    def __init__(self) -> None:
        self._previous: Step | None = None
        self._withheld: dict[Partition, str] = {}
        self._sizes_when_complete: dict[str, int] = {}
        self._topics: tuple[str, ...] = ()

    def forget(self) -> None:
        """Forget all steps, because the group was deleted."""
        self.__init__()  # type: ignore[misc]  # it begins anew

    def observe(self, step: Step) -> Rebalance:
        """Compare the next step with the one before, and return what changed."""
        previous = self._previous
        arrivals, departures = _came_and_went(step, previous)
        gap = _unrecorded(previous, step) if previous is not None else 0
        cause, basis = self._cause(step, bool(arrivals), bool(departures))
        stays = previous is not None and step.has_the_owners_of(previous)
        moves = [] if stays and not self._withheld else list(self._moves(step, gap))
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
            basis=Basis.INFERRED if gap else basis,
            topics=self._topics,
            sync_ms=_sync_ms(step),
            since_previous_ms=None if previous is None else _between(previous, step),
        )

    def repetition(self, previous: Moment, moment: Moment, since: int) -> Rebalance:
        """Return what changed in a record that repeats the previous one, of a group at rest;
        `since` is when the group came into its state.
        """
        return Rebalance(
            previous_generation=previous.generation,
            unrecorded=min(moment.generation - previous.generation - 1, MOST),
            joined=(),
            left=(),
            moved=0,
            moves=(),
            cause="leader rejoin",
            basis=Basis.INFERRED,
            topics=self._topics,
            sync_ms=_positive(moment.timestamp - since) if since >= 0 else None,
            since_previous_ms=_positive(moment.timestamp - previous.timestamp),
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

    def _cause(self, step: Step, joined: bool, left: bool) -> tuple[str, Basis]:
        previous = self._previous
        if previous is None:
            first = step.generation <= 1 and bool(step.members)
            return ("joined", Basis.OBSERVED) if first else ("unknown", Basis.INFERRED)
        if step.generation == previous.generation:
            return ("static replacement" if joined and left else "unknown"), Basis.OBSERVED
        if joined or left:
            basis = Basis.INFERRED if joined and left else Basis.OBSERVED
            return ("joined" if joined else "left"), basis
        return self._with_the_same_members(step, previous)

    def _with_the_same_members(self, step: Step, previous: Step) -> tuple[str, Basis]:
        """Return the first cause that fits, in the order in which one cause leads to the
        next."""
        if not step.has_the_topics_of(previous):
            return "subscription changed", Basis.OBSERVED
        if self._grown(step):
            return "partitions added", Basis.INFERRED
        if any(partition in step.owner for partition in self._withheld):
            return "follow-up", Basis.INFERRED
        if step.protocol != previous.protocol:
            return "protocol changed", Basis.OBSERVED
        return ("leader rejoin" if step.members else "unknown"), Basis.INFERRED

    def _grown(self, step: Step) -> bool:
        """Return whether a topic of which all partitions were assigned has more of them now."""
        return any(
            topic in self._sizes_when_complete
            and self._sizes_when_complete[topic] < count == highest + 1
            for topic, (count, highest) in step.sizes.items()
        )

    # -- what

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
