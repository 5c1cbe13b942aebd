"""`simple` of share groups (KIP-932): a partition may have several members.

Members with one subscription share all topics; others share each topic among its subscribers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil
from operator import sub
from uuid import UUID

from ...garbage import seldom_collected
from ..java_order import (
    bucket,
    int_hash,
    presized_int_order,
    presized_order,
    sized_for,
    sized_int_order,
    sized_order,
    table_size,
    uuid_hash,
)
from .group_spec import SELDOM, BrokerGroup, BrokerMember, Targets, hold, subscribers, unowned

_Target = dict[UUID, AbstractSet[int]]


@seldom_collected(SELDOM)
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

    targets = [_subscribed(member) for member in members]

    def keys_of(index: int) -> list[int]:
        return [
            starts[topic.int] + number
            for topic, numbers in targets[index].items()
            for number in numbers
        ]

    def keys_in_order(index: int) -> list[int]:
        return [
            starts[topic.int] + number
            for topic, numbers in members[index].target_in_order()
            if topic in targets[index]
            for number in numbers
        ]

    had: dict[int, dict[int, AbstractSet[int]]] = {number: {} for number in starts}
    for index, target in enumerate(targets):
        hold(had, index, target)
    size = sum(map(group.count, topics))
    members_each = _members_each(size, len(members))
    ownership = _Ownership(0, [], {})
    for topic, start in zip(topics, starts.values(), strict=True):
        ownership.add(_ownership(group.count(topic), had[topic.int], members_each), start)
    counts = {index: sum(map(len, target.values())) for index, target in enumerate(targets)}
    sharing = _Sharing(
        size,
        range(len(members)),
        ownership,
        counts,
        _Keys(
            key_hash, lambda keys, size: sized_order(keys, key_hash, size), keys_of, keys_in_order
        ),
    )
    sharing.divide(refill=True)
    alone = cache(lambda number: frozenset((number,)))  # many members have one of a topic
    for index in sharing.taken.keys() | sharing.given.keys():
        target = targets[index]
        for place, losses in _by_topic(sharing.taken[index]).items():
            target[topics[place]] -= frozenset(losses)
        for place, gains in _by_topic(sharing.given[index]).items():
            new = alone(*gains) if len(gains) == 1 else frozenset(gains)
            target[topics[place]] = (
                new.union(partitions) if (partitions := target.get(topics[place])) else new
            )
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
    """Share each topic among its subscribers. As in Java, a member keeps its partitions
    of topics that no member subscribes to any more."""
    targets = [member.frozen_target() for member in members]
    subscribed = subscribers(members)
    had: dict[int, dict[int, AbstractSet[int]]] = defaultdict(dict)
    for index, target in enumerate(targets):
        hold(had, index, target)
    for topic in frozenset().union(*(member.topics for member in members)):
        had_of_it, takers = had[topic.int], subscribed[topic.int]
        size = group.count(topic)
        sharing = _Sharing(
            size,
            takers,
            _ownership(size, had_of_it, _members_each(size, len(takers))),
            {index: len(numbers) for index, numbers in had_of_it.items()},
            _Keys(
                int_hash,
                sized_int_order,
                lambda index, had=had_of_it: [*had[index]],  # type: ignore[misc]
                lambda index, topic=topic: presized_int_order(members[index].target[topic]),  # type: ignore[misc]
            ),
        )
        sharing.divide(refill=False)
        for index, losses in sharing.taken.items():
            targets[index][topic] = had_of_it[index] - frozenset(losses)
        new = dict(zip(sharing.given, map(frozenset, sharing.given.values()), strict=True))
        for index in new.keys() & had_of_it.keys():
            new[index] |= targets[index][topic]
        for index, numbers in new.items():
            targets[index][topic] = numbers
    return targets


def _members_each(size: int, members: int) -> int:
    """Return how many members a partition is to have."""
    return -(-members // size) if size else 0


@lru_cache(64)
def _desired(keys: int, members: int) -> list[int]:
    """Return how many keys each member is to have; topics with as many of both are frequent."""
    precise = keys / members
    ends = [*map(ceil, map(precise.__mul__, range(members + 1)))]
    return [*map(sub, ends[1:], ends)]


@dataclass
class _Ownership:
    """The number of keys with a holder, the keys without one, and the holders: of each key that has
    several, or of every key where a key is to have another number of members than one."""

    owned: int
    missing: list[int]
    holders: dict[int, dict[int, None]]

    def add(self, topic_ownership: _Ownership, start: int) -> None:
        """Add those of another topic, whose keys begin at `start`."""
        self.owned += topic_ownership.owned
        self.missing.extend(map(start.__add__, topic_ownership.missing))
        self.holders.update(
            (start + key, holders) for key, holders in topic_ownership.holders.items()
        )


def _ownership(size: int, had: Mapping[int, AbstractSet[int]], members_each: int) -> _Ownership:
    """Return who has which of a topic's partitions, each of which is to have `members_each`."""
    if not had:
        return _Ownership(0, [*range(size)], {})
    owned = set().union(*had.values())
    free = unowned(size, owned)
    holders: dict[int, dict[int, None]] = {}
    if members_each != 1 or len(owned) < sum(map(len, had.values())):
        for index, numbers in had.items():
            for number in numbers:
                holders.setdefault(number, {})[index] = None
    if members_each == 1:
        holders = {number: members for number, members in holders.items() if len(members) > 1}
    return _Ownership(len(owned), sorted(free), holders)


@dataclass
class _Keys:
    """The keys of Java's maps: `in_order` puts some in the order of a map with that many buckets,
    where those of one bucket stay as they came.

    `had` returns what a member had, `had_in_order` as Java goes through it, which is slow.
    """

    hash_code: Callable[[int], int]
    in_order: Callable[[list[int], int], list[int]]
    had: Callable[[int], list[int]]
    had_in_order: Callable[[int], list[int]]

    def first(self, index: int, count: int, size: int) -> list[int]:
        """Return the first keys of a map with `size` buckets that has a member's old keys."""
        if count <= _FEW:
            keys = self.in_order(self.had(index), size)[: count + 1]
            if len({bucket(self.hash_code(key), size) for key in keys}) == len(keys):
                return keys[:count]  # in whichever order they came
        return self.in_order(self.had_in_order(index), size)[:count]


_FEW = 4


class _Sharing:
    """Partitions that members share, by the keys of Java's maps. Members are indexes, in ascending
    order, and `counts` says how many partitions each of them had, and others.
    """

    def __init__(
        self,
        size: int,
        members: Sequence[int],
        ownership: _Ownership,
        counts: dict[int, int],
        keys: _Keys,
    ) -> None:
        self._size = size
        self._ownership = ownership
        self._counts = counts
        self._keys = keys
        self._each = _members_each(size, len(members))
        self._desired = dict(zip(members, _desired(self._each * size, len(members)), strict=True))
        self._before: dict[int, tuple[int, ...]] = {}
        self.taken: dict[int, list[int]] = defaultdict(list)
        self.given: dict[int, list[int]] = defaultdict(list)

    def divide(self, *, refill: bool) -> None:
        """Take away what is too much, and give what is missing. With `refill` members that lost a
        partition that too many shared count as wanting more, in any case."""
        short = {*self._wants()} if refill else set()
        for index, count in [*self._counts.items()]:
            excess = count - self._desired.get(index, 0)
            if excess > 0:
                for key in self._keys.first(index, excess, table_size(count)):
                    self._take(index, key)
        for key, holders in self._ownership.holders.items():
            if len(holders) > self._each:
                most = len(self._before.get(key, holders))
                order = sized_int_order([*holders], table_size(most))
                for index in order[: len(holders) - self._each]:
                    self._take(index, key)
                    short.add(index)
        wants = self._wants()
        if refill:
            wants = {index: wants.get(index, 1) for index in sorted(short)}
        if wants and self._each == 1:
            self._give_alone(wants)
        elif wants:
            self._give([*wants])

    def _wants(self) -> dict[int, int]:
        """Return how many keys each member is short of, without those that have enough."""
        if not self._counts:
            return {index: most for index, most in self._desired.items() if most}
        had = self._counts.get
        return {
            index: most - count
            for index, most in self._desired.items()
            if (count := had(index, 0)) < most
        }

    def _take(self, index: int, key: int) -> None:
        holders = self._ownership.holders.setdefault(key, {index: None})
        self._before.setdefault(key, tuple(holders))
        del holders[index]
        self._counts[index] -= 1
        self.taken[index].append(key)

    def _give(self, short: list[int]) -> None:
        """Go round the members that want more, once through the partitions. As in Java, a member
        that comes round again while a partition still has too few counts once more for it."""
        at, gave = 0, False
        for key in self._open():
            if not short:
                break
            holders = self._ownership.holders.get(key, {})
            missing = self._each - len(holders)
            while missing:
                if at >= len(short):
                    if not gave or not short:
                        break
                    at, gave = 0, False
                index = short[at]
                at += 1
                if index in holders:
                    continue
                missing -= 1
                gave = True
                if self.given[index][-1:] != [key]:
                    self.given[index].append(key)
                    self._counts[index] = self._counts.get(index, 0) + 1
                if self._counts[index] >= self._desired[index]:
                    at -= 1
                    del short[at]

    def _give_alone(self, wants: dict[int, int]) -> None:
        """Do the same where a partition has one member: an open one has none. In the first
        rounds nobody has enough, so that each of them gives everybody one."""
        keys, members = self._open(), len(wants)
        rounds = min(*wants.values(), len(keys) // members)
        equal = (keys[start : start + members] for start in range(0, rounds * members, members))
        self.given.update(zip(wants, map(list, zip(*equal, strict=True)), strict=False))
        wants = {index: count - rounds for index, count in wants.items() if count > rounds}
        for key, index in zip(keys[rounds * members :], self._rounds(wants), strict=False):
            self.given[index].append(key)

    @staticmethod
    def _rounds(wants: dict[int, int]) -> Iterator[int]:
        """Yield the members again and again, each until it has what it wants."""
        while wants:
            yield from wants
            wants = {index: count - 1 for index, count in wants.items() if count > 1}

    def _open(self) -> list[int]:
        """Return the keys that have too few members, in the order of a `HashMap` that was filled by
        `computeIfAbsent`, which puts a new key in front of the others of its bucket."""
        missing = self._ownership.missing
        size = sized_for((self._size + 1) * 4 // 3 + 1, self._ownership.owned + len(missing))
        by_first: dict[int, list[int]] = defaultdict(list)
        for key, holders in self._ownership.holders.items():
            if len(holders) < self._each:
                by_first[next(iter(self._before.get(key, holders)))].append(key)
        had: list[int] = []
        for index in sorted(by_first):
            keys = by_first[index]
            if len(keys) > 1:
                key_set = {*keys}
                keys = [key for key in self._keys.had_in_order(index) if key in key_set]
            had += keys
        return self._keys.in_order([*reversed(missing), *reversed(had)], size)
