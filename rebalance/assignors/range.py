"""`range`: each topic by itself, in equal runs of partitions, a member after the other.

Topics of one size and with the same subscribers are divided alike, so that equal numbers meet at
one member; topics are not balanced against each other, so the first members may get an extra
partition of every one. Where racks are known and differ, partitions first go to members in the
rack of a replica (KIP-881), as far as that keeps each topic's balance and the joins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ..assignments import Entry, handed_out
from ..assignor import Assignments, RebalanceProtocol, WithoutUserData
from ..group import Member, Racks, Topics, checked, in_order, mentioned, subscribers
from ..java_order import hash_order, string_order
from .racks import RackSets, replica_racks, worth_a_look


class RangeAssignor(WithoutUserData):
    """The `range` assignor, Kafka's default: runs of partitions, topic by topic."""

    name = "range"
    protocols = (RebalanceProtocol.EAGER,)

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return each topic divided among its subscribers, whatever members own."""
        group = checked(members)
        lined_up = in_order(group)
        subscribed = subscribers(lined_up, topics)
        shares = _rack_aware(lined_up, subscribed, topics, racks)
        if shares is None:
            # Java sorts an assignment only where racks had a say.
            existing = (topic for topic in hash_order(mentioned(group)) if topic in subscribed)
            shares = _plain(lined_up, subscribed, topics, hash_order(existing))
        return handed_out(group, lined_up, shares)


def _plain(
    members: Sequence[Member],
    subscribed: dict[str, list[int]],
    topics: Topics,
    order: Iterable[str],
) -> list[list[Entry]]:
    shares: list[list[Entry]] = [[] for _ in members]
    runs: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for topic in order:
        indexes, count = subscribed[topic], topics[topic]
        kind = (count, len(indexes))
        if kind not in runs:
            runs[kind] = _runs(*kind)
        for index, run in zip(indexes, runs[kind], strict=False):
            shares[index].append(Entry(topic=topic, partitions=run))
    return shares


def _runs(count: int, members: int) -> list[tuple[int, ...]]:
    """Yield the runs that are not empty; the first ones are longer by one if the count does not
    divide.
    """
    numbers = tuple(range(count))
    size, extra = divmod(count, members)
    ends = [size * n + min(n, extra) for n in range(min(members, count) + 1)]
    return [numbers[start:end] for start, end in pairwise(ends)]


@dataclass(slots=True)
class _Topic:
    """A topic that is being divided: the partitions left, and how many each subscriber may still
    take.
    """

    count: int
    subscribers: list[int]
    racks: RackSets
    needs_racks: bool
    numbers: dict[int, list[int]] = field(init=False)
    free: list[bool] = field(init=False)
    larger: int = field(init=False)
    """How many members may still reach one more than the equal share."""

    def __post_init__(self) -> None:
        self.numbers = {index: [] for index in self.subscribers}
        self.free = [True] * self.count
        self.larger = self.count % len(self.subscribers)

    def room(self, index: int) -> int:
        share = self.count // len(self.subscribers) + (self.larger > 0)
        return max(0, share - len(self.numbers[index]))

    def give(self, index: int, numbers: Sequence[int]) -> None:
        self.numbers[index] += numbers
        for number in numbers:
            self.free[number] = False
        if len(self.numbers[index]) > self.count // len(self.subscribers):
            self.larger -= 1

    def add_to(self, shares: Sequence[list[Entry]], topic: str) -> None:
        for index, numbers in self.numbers.items():
            if numbers:
                shares[index].append(Entry(topic=topic, partitions=sorted(numbers)))


def _rack_aware(
    members: Sequence[Member], subscribed: dict[str, list[int]], topics: Topics, racks: Racks | None
) -> list[list[Entry]] | None:
    """Return the shares, sorted by topic; None if racks have no effect."""
    home = [member.rack for member in members]
    if not racks or not any(home):
        return None
    states: dict[str, _Topic] = {}
    for topic, indexes in subscribed.items():
        sets = replica_racks(racks, topic, topics[topic])
        homes = filter(None, (home[index] for index in indexes))
        states[topic] = _Topic(topics[topic], indexes, sets, worth_a_look(homes, sets))
    if not any(state.needs_racks for state in states.values()):
        return None
    topics_by_members: dict[tuple[tuple[int, ...], int], list[_Topic]] = defaultdict(list)
    for state in states.values():
        topics_by_members[tuple(state.subscribers), state.count].append(state)
    for together in topics_by_members.values():
        if len(together) > 1:
            _match_together(together, home)
        elif together[0].needs_racks:
            _match(together[0], home)
    shares: list[list[Entry]] = [[] for _ in members]
    for topic in sorted(states, key=string_order):
        _fill(states[topic])
        states[topic].add_to(shares, topic)
    return shares


def _match(state: _Topic, home: Sequence[str | None]) -> None:
    """Let each member in turn take the first partitions that its rack holds, as many as it may."""
    by_rack: dict[str | None, list[int]] = {home[index]: [] for index in state.subscribers}
    by_rack[None] = list(range(state.count))  # who says no rack is near to all
    for number, racks in enumerate(state.racks):
        for rack in by_rack.keys() & racks:
            by_rack[rack].append(number)
    ahead = {rack: iter(numbers) for rack, numbers in by_rack.items()}
    for index in state.subscribers:
        _take(state, index, ahead[home[index]])


def _fill(state: _Topic) -> None:
    """Give what is left to the members in turn, whatever their racks."""
    ahead = iter(range(state.count))
    for index in state.subscribers:
        _take(state, index, ahead)


def _take(state: _Topic, index: int, ahead: Iterable[int]) -> None:
    room = state.room(index)
    if not room:
        return
    numbers: list[int] = []
    for number in ahead:
        if state.free[number]:
            numbers.append(number)
            if len(numbers) == room:
                break
    if numbers:
        state.give(index, numbers)


def _match_together(together: Sequence[_Topic], home: Sequence[str | None]) -> None:
    """Match number by number for all the topics at once, so that joins stay local.

    Each number goes to the first member with room whose rack holds it in every topic; a member
    without a rack matches everything. A member without room never gets any again, so each rack's
    members are walked once.
    """
    first = together[0]
    waiting: dict[str | None, list[int]] = defaultdict(list)  # places in line, last one first
    for place, index in reversed(list(enumerate(first.subscribers))):
        waiting[home[index]].append(place)
    for number in range(first.count):
        suitable: set[str | None] = {None}
        suitable |= frozenset.intersection(*(state.racks[number] for state in together))
        heads = [_head(first, waiting[rack]) for rack in suitable if rack in waiting]
        nearest = min((head for head in heads if head is not None), default=None)
        if nearest is not None:
            for state in together:
                state.give(state.subscribers[nearest], [number])


def _head(state: _Topic, places: list[int]) -> int | None:
    while places:
        if state.room(state.subscribers[places[-1]]):
            return places[-1]
        places.pop()
    return None
