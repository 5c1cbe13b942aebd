"""`range`: each topic's partitions are cut into one stretch for each of its subscribers."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from collections.abc import Set as AbstractSet
from functools import cache, partial
from itertools import accumulate, pairwise, starmap
from uuid import UUID

from ...garbage import seldom_collected
from ..java_order import string_order
from .group_spec import SELDOM, BrokerGroup, Targets, subscribers

_Target = dict[UUID, AbstractSet[int]]


@seldom_collected(SELDOM)
def assign_range(group: BrokerGroup) -> Targets:
    """Return the target assignment, which computes a member's target when it is first read. Raises
    UnassignableError."""
    order = _in_order(group)
    share = _share_alike(group, order) if group.is_homogeneous else _share_mixed(group, order)
    return {member_id: RangeTarget(partial(share, place)) for place, member_id in enumerate(order)}


class RangeTarget(Mapping[UUID, AbstractSet[int]]):
    """A member's target, computed when it is first read: the member's place among the subscribers
    decides it, so a group of a million partitions takes no more memory than its subscriptions until
    then."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], _Target]) -> None:
        self._make = make
        self._made: _Target | None = None

    def _target(self) -> _Target:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, topic: UUID) -> AbstractSet[int]:
        return self._target()[topic]

    def __iter__(self) -> Iterator[UUID]:
        return iter(self._target())

    def __len__(self) -> int:
        return len(self._target())

    def items(self) -> ItemsView[UUID, AbstractSet[int]]:
        return self._target().items()

    def values(self) -> ValuesView[AbstractSet[int]]:
        return self._target().values()

    def __repr__(self) -> str:
        return repr(self._target())

    def __reduce__(self) -> tuple[type[_Target], tuple[_Target]]:
        """Return it as a dictionary for `pickle` and `copy`."""
        return dict, (self._target(),)


def _share_alike(group: BrokerGroup, order: list[str]) -> Callable[[int], _Target]:
    """Topics with equal numbers of partitions are cut once. They are keys of a dictionary, which
    keeps their hashes."""
    counts: dict[int, dict[UUID, None]] = {}
    for topic in next((member.topics for member in group.members.values()), ()):
        counts.setdefault(group.count(topic), {})[topic] = None
    stretches = _Stretches()

    def share(place: int) -> _Target:
        target: _Target = {}
        for count, topics in counts.items():
            for stretch in stretches.of(count, len(order))[place : place + 1]:
                target |= dict.fromkeys(topics, stretch)
        return target

    return share


def _share_mixed(group: BrokerGroup, order: list[str]) -> Callable[[int], _Target]:
    """Each topic is cut among its subscribers. Topics are found by their numbers: Python hashes
    these five times as fast."""
    members = [group.members[member_id] for member_id in order]
    topics = frozenset().union(*(member.topics for member in members))
    counts = {topic.int: group.count(topic) for topic in topics}

    @cache
    def cut() -> Mapping[int, Mapping[int, frozenset[int]]]:
        stretches = _Stretches()
        return {
            number: dict(zip(places, stretches.of(counts[number], len(places)), strict=False))
            for number, places in subscribers(members).items()
        }

    def share(place: int) -> _Target:
        stretches = cut()
        return {
            topic: stretch
            for topic in members[place].topics
            if (stretch := stretches[topic.int].get(place))
        }

    return share


class _Stretches:
    """Topics cut into stretches; many topics have the same ones."""

    def __init__(self) -> None:
        self.of = cache(self._cut)
        self._stretch = cache(lambda start, end: frozenset(range(start, end)))

    def _cut(self, count: int, subscribers: int) -> list[frozenset[int]]:
        """Return what each subscriber gets of a topic, as far as there is something."""
        smallest, extra = divmod(count, subscribers)
        sizes = [smallest + 1] * extra + [smallest] * (subscribers - extra if smallest else 0)
        return list(starmap(self._stretch, pairwise(accumulate(sizes, initial=0))))


def _in_order(group: BrokerGroup) -> list[str]:
    """Static members come first, by instance id, so that they keep their stretch."""

    def place(member_id: str) -> tuple[bool, bytes]:
        instance_id = group.members[member_id].instance_id
        return instance_id is None, string_order(member_id if instance_id is None else instance_id)

    return sorted(group.member_ids, key=place)
