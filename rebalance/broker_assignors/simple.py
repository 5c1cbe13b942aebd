"""`simple` of share groups (KIP-932): a partition may have several members.

Members with one subscription share all topics; others share each topic among its subscribers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import filterfalse, pairwise
from math import ceil
from uuid import UUID

from ...garbage import seldom_collected
from ..java_order import (
    presized_int_order,
    presized_order,
    sized_for,
    sized_int_order,
    sized_order,
    table_size,
    uuid_hash,
)
from .group_spec import BrokerGroup, BrokerMember, Targets, numbers_of

_Target = dict[UUID, AbstractSet[int]]
_Holders = tuple[int, ...] | dict[int, None]
"""Whoever has a partition; of most partitions there is one, and one tuple for all that it has."""


@seldom_collected()
def assign_simple(group: BrokerGroup) -> Targets:
    """Return the target assignment of a share group. Raises UnassignableError."""
    if not any(member.topics for member in group.members.values()):
        return {}
    members = [group.members[member_id] for member_id in group.member_ids]
    share = _share_all if group.is_homogeneous else _share_each
    return dict(zip(group.member_ids, share(group, members), strict=True))


def _share_all(group: BrokerGroup, members: list[BrokerMember]) -> list[_Target]:
    """Share all topics among all. Java's maps are keyed by topic and partition: by one number here,
    which is the topic's place before the 32 bits of the partition's number, from the smallest."""
    topics = presized_order(members[0].topics, uuid_hash)
    starts = {topic.int: (place << 32) + _ZERO for place, topic in enumerate(topics)}
    hashes = [31 * uuid_hash(topic) - _ZERO for topic in topics]

    def key_hash(key: int) -> int:
        return (hashes[key >> 32] + key) & 0xFFFFFFFF

    def keys_of(target: Iterable[tuple[UUID, Collection[int]]]) -> list[int]:
        return [starts[topic.int] + number for topic, numbers in target for number in numbers]

    targets = [_subscribed(member) for member in members]
    sharing = _Sharing(
        [start + n for topic, start in zip(topics, starts.values(), strict=True)
         for n in range(group.count(topic))],
        range(len(members)),
        lambda keys, size: sized_order(keys, key_hash, size),
        lambda index: keys_of(
            each for each in members[index].target_in_order() if each[0] in targets[index]
        ),
    )  # fmt: skip
    for index, target in enumerate(targets):
        sharing.had(index, keys_of(target.items()))
    sharing.divide(refill=True)
    alone = cache(lambda number: frozenset((number,)))  # many members have one of a topic
    for index in sharing.taken.keys() | sharing.given.keys():
        target = targets[index]
        for place, numbers in _by_topic(sharing.taken[index]).items():
            target[topics[place]] -= frozenset(numbers)
        for place, numbers in _by_topic(sharing.given[index]).items():
            new = alone(*numbers) if len(numbers) == 1 else frozenset(numbers)
            target[topics[place]] = new.union(had) if (had := target.get(topics[place])) else new
    return targets


_ZERO = 1 << 31


def _by_topic(keys: Iterable[int]) -> dict[int, list[int]]:
    numbers: dict[int, list[int]] = {}
    for key in keys:
        numbers.setdefault(key >> 32, []).append((key & 0xFFFFFFFF) - _ZERO)
    return numbers


def _subscribed(member: BrokerMember) -> _Target:
    target = member.frozen_target()
    if member.subscribes_to(target):
        return target
    return {topic: numbers for topic, numbers in target.items() if topic in member.topics}


def _share_each(group: BrokerGroup, members: list[BrokerMember]) -> list[_Target]:
    """Share each topic among its subscribers. What a member has of a topic to which nobody
    subscribes any more, it keeps, as in Java."""
    targets = [member.frozen_target() for member in members]
    subscribers: dict[int, list[int]] = defaultdict(list)
    had: dict[int, dict[int, AbstractSet[int]]] = defaultdict(dict)
    for index, (member, target) in enumerate(zip(members, targets, strict=True)):
        for topic_number in numbers_of(member.topics):
            subscribers[topic_number].append(index)
        for topic_number, numbers in zip(numbers_of(target), target.values(), strict=True):
            had[topic_number][index] = numbers
    for topic in frozenset().union(*(member.topics for member in members)):
        had_of_it = had[topic.int]
        sharing = _Sharing(
            range(group.count(topic)),
            subscribers[topic.int],
            sized_int_order,
            lambda index, topic=topic: presized_int_order(members[index].target[topic]),  # type: ignore[misc]
        )
        for index, numbers in had_of_it.items():
            sharing.had(index, numbers)
        sharing.divide(refill=False)
        for index in sharing.taken.keys() | sharing.given.keys():
            new: AbstractSet[int] = frozenset(sharing.given.get(index, ()))
            if before := had_of_it.get(index):
                new = before - frozenset(sharing.taken.get(index, ())) | new
            targets[index][topic] = new
    return targets


class _Sharing:
    """Partitions that members share, by the keys of Java's maps. Members are indexes.

    `in_order` puts keys in the order of a map of so many buckets; `had_in_order` returns what a
    member had as Java goes through it, which is slow and seldom needed.
    """

    def __init__(
        self,
        keys: Sequence[int],
        members: Sequence[int],
        in_order: Callable[[list[int], int], list[int]],
        had_in_order: Callable[[int], list[int]],
    ) -> None:
        self._keys = keys
        self._members = members
        self._in_order = in_order
        self._had_in_order = had_in_order
        self._each = -(-len(members) // len(keys)) if keys else 0
        precise = self._each * len(keys) / len(members)
        ends = [ceil(precise * number) for number in range(len(members) + 1)]
        self._desired = dict(
            zip(members, (end - start for start, end in pairwise(ends)), strict=True)
        )
        self._counts: dict[int, int] = dict.fromkeys(members, 0)
        self._holders: dict[int, _Holders] = {}
        self._before: dict[int, tuple[int, ...]] = {}
        self.taken: dict[int, list[int]] = defaultdict(list)
        self.given: dict[int, list[int]] = defaultdict(list)

    def had(self, index: int, keys: Collection[int]) -> None:
        """Count what a member had; of the members in their order."""
        self._counts[index] = len(keys)
        new: dict[int, _Holders] = dict.fromkeys(keys, (index,))
        for key in self._holders.keys() & new.keys():
            new[key] = dict.fromkeys((*self._holders[key], index))
        self._holders.update(new)

    def divide(self, *, refill: bool) -> None:
        """Take away what is too much, and give what is missing. With `refill` members that lost a
        partition that too many shared count as wanting more, in any case."""
        short = self._short()
        for index, count in [*self._counts.items()]:
            excess = count - self._desired.get(index, 0)
            if excess > 0:
                keys = self._in_order(self._had_in_order(index), table_size(count))
                for key in keys[:excess]:
                    self._take(index, key)
        for key, holders in self._holders.items():
            if len(holders) > self._each:
                most = len(self._before.get(key, holders))
                order = sized_int_order([*holders], table_size(most))
                for index in order[: len(holders) - self._each]:
                    self._take(index, key)
                    short.add(index)
        if wanting := sorted(short if refill else self._short()):
            give = self._give_alone if self._each == 1 else self._give
            give(wanting)

    def _short(self) -> set[int]:
        return {index for index in self._members if self._counts[index] < self._desired[index]}

    def _take(self, index: int, key: int) -> None:
        holders = self._holders[key]
        self._before.setdefault(key, tuple(holders))
        if isinstance(holders, dict):
            del holders[index]
        else:
            self._holders[key] = ()
        self._counts[index] -= 1
        self.taken[index].append(key)

    def _give(self, short: list[int]) -> None:
        """Go round the members that want more, once through the partitions."""
        at, given = 0, False
        for key in self._open():
            if not short:
                break
            holders = {*self._holders.get(key, ())}
            while len(holders) < self._each:
                if at >= len(short):
                    if not given or not short:
                        break
                    at, given = 0, False
                index = short[at]
                at += 1
                if index in holders:
                    continue
                holders.add(index)
                self.given[index].append(key)
                self._counts[index] += 1
                given = True
                if self._counts[index] >= self._desired[index]:
                    at -= 1
                    del short[at]

    def _give_alone(self, short: list[int]) -> None:
        """Do the same where a partition has one member: what is open is nobody's."""
        for key, index in zip(self._open(), self._rounds(short), strict=False):
            self.given[index].append(key)

    def _rounds(self, short: list[int]) -> Iterator[int]:
        """Yield the members again and again, each until it has what it wants: one at least."""
        wants = {index: self._desired[index] - self._counts[index] for index in short}
        while wants:
            yield from wants
            wants = {index: count - 1 for index, count in wants.items() if count > 1}

    def _open(self) -> list[int]:
        """Return the keys that have too few members, in the order of a `HashMap` that was filled by
        `computeIfAbsent`, which puts a new key in front of the others of its bucket."""
        missing = [*filterfalse(self._holders.__contains__, self._keys)]
        size = sized_for((len(self._keys) + 1) * 4 // 3 + 1, len(self._holders) + len(missing))
        by_first: dict[int, set[int]] = defaultdict(set)
        for key, holders in self._holders.items():
            if len(holders) < self._each:
                by_first[next(iter(self._before.get(key, holders)))].add(key)
        had = [
            key
            for index in sorted(by_first)
            for key in self._had_in_order(index)
            if key in by_first[index]
        ]
        return self._in_order([*reversed(missing), *reversed(had)], size)
