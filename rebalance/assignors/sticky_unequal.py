"""Sticky assignment where members subscribe to different topics.

Members keep what they own, each partition that is left goes to the subscriber with the least, and
then partitions move, one by one, from a member to a subscriber that has at least two fewer, until
no such pair is left. If another partition of the topic moved the other way before, that one moves
back instead, so that two members do not swap (KIP-54).

Kafka checks before each step whether the whole group is balanced, which is where its time goes. No
step is possible in a balanced group, so the check changes nothing and is left out here.

Moving another one back can be a detour: if the partition itself has moved before, it is its first
owner who loses one, and the gap that caused the step stays. Kafka takes that step, and so does this
code to be equal; but only a bounded number of times.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..claims import CodedClaim, Ruling
from ..java_order import bucket, string_hash, table_size
from ..user_data import NO_GENERATION
from .numbering import Numbering
from .racks import StickyRacks


class UnequalDivision:
    """The state of one division; `run` returns the result.

    `topics` has each member's topics as ranks, one per mention; `names` each member's place among
    the sorted ids, which orders members with equal sizes.
    """

    def __init__(
        self,
        numbering: Numbering,
        racks: StickyRacks,
        topics: Sequence[Sequence[int]],
        names: Sequence[int],
    ) -> None:
        self._numbering = numbering
        self._racks = racks
        self._wants = [frozenset(ranks) for ranks in topics]
        self._subscribers: list[set[int]] = [set() for _ in numbering.names]
        mentions = [0] * numbering.stride
        for member, ranks in enumerate(topics):
            for rank in ranks:
                self._subscribers[rank].add(member)
                mentions[rank] += 1
        self._topics = sorted(range(numbering.stride), key=lambda rank: (mentions[rank], rank))
        self._hands: list[dict[int, None]] = [{} for _ in topics]
        self._owner: dict[int, int] = {}
        self._standing = _Standing(names)
        self._moves = _Moves(numbering)
        self._mentions = mentions
        self._near: dict[tuple[int, frozenset[str]], set[int]] = {}
        self._detours = numbering.total  # that may still be taken

    def run(self, claims: Sequence[CodedClaim], ruling: Ruling) -> list[list[int]]:
        """Return the division. `claims` are those that the ruling is about: a stale claim is still
        a wish.
        """
        kept_all = self._keep(ruling.owned)
        first_time = not self._owner
        left = self._numbering.free_codes(self._owner, self._topics)
        self._standing.begin(self._hands)
        unplaced = self._place(left, near=True) if self._racks else left
        self._place(unplaced, near=False)
        old_hands = [list(hand) for hand in self._hands]
        wishes = self._wishes(claims)
        if kept_all:
            self._balance(left, wishes)
        moved = self._balance(self._numbering.free_codes((), self._topics), wishes)
        new_hands = [list(hand) for hand in self._hands]
        # Kafka's safeguard against moves for nothing, which only detours can be.
        detoured = self._detours < self._numbering.total
        if moved and detoured and not first_time and self._gaps(new_hands) >= self._gaps(old_hands):
            return old_hands
        return new_hands

    def _keep(self, owned: Sequence[Sequence[int]]) -> bool:
        kept_all = True
        stride = self._numbering.stride
        for member, codes in enumerate(owned):
            for code in codes:
                if code % stride in self._wants[member] and not self._racks.mismatch(member, code):
                    self._hands[member][code] = None
                    self._owner[code] = member
                else:
                    kept_all = False
        return kept_all

    def _place(self, codes: Iterable[int], *, near: bool) -> list[int]:
        """Give each partition to the subscriber with the least, if `near` to one that can read it
        in its own rack or has none; return those that no member may have.
        """
        rest = []
        for code in codes:
            takers = (
                self._nearby(code) if near else self._subscribers[code % self._numbering.stride]
            )
            member = next(self._standing.line(takers), None)
            if member is None:
                rest.append(code)
            else:
                self._hands[member][code] = None
                self._owner[code] = member
                self._standing.change(member, 1)
        return rest

    def _nearby(self, code: int) -> set[int]:
        """Return the subscribers whose rack does not keep them from a partition: found once for all
        partitions of the topic in the same racks.
        """
        topic = code % self._numbering.stride
        racks = self._racks.of(code)
        if (topic, racks) not in self._near:
            self._near[topic, racks] = {
                member
                for member in self._subscribers[topic]
                if not self._racks.mismatch(member, code)
            }
        return self._near[topic, racks]

    def _wishes(self, claims: Sequence[CodedClaim]) -> dict[int, int]:
        """Return who owned a partition in an older generation and could have it again: the newest
        claim, or the first of equals. If the partition has to move, it may as well move there.
        """
        highest = max((claim.generation for claim in claims), default=NO_GENERATION)
        older = [
            (claim.generation, member, claim.codes)
            for member, claim in enumerate(claims)
            if claim.generation < max(highest, NO_GENERATION)
        ]
        wishes: dict[int, int] = {}
        stride = self._numbering.stride
        for _, member, codes in sorted(older, key=lambda entry: -entry[0]):
            for code in codes:
                if code % stride in self._wants[member]:
                    wishes.setdefault(code, member)
        return wishes

    def _gaps(self, hands: Sequence[Sequence[int]]) -> int:
        """Return the sum of the differences between any two members that share a topic."""
        sizes = sorted(
            len(hand)
            for hand, ranks in zip(hands, self._wants, strict=True)
            if any(self._mentions[rank] > 1 for rank in ranks)
        )
        return sum((2 * place + 1 - len(sizes)) * size for place, size in enumerate(sizes))

    def _balance(self, codes: Sequence[int], wishes: dict[int, int]) -> bool:
        """Walk over the partitions again and again, until none has a better place.

        Every step but a detour narrows the gap between two members, so there is a last one.
        """
        moved = False
        while self._standing.uneven() and self._improve(codes, wishes):
            moved = True
        return moved

    def _improve(self, codes: Sequence[int], wishes: dict[int, int]) -> bool:
        sizes, stride = self._standing.sizes, self._numbering.stride
        moved = False
        topic = least = -1
        for code in codes:
            if code % stride != topic:
                topic = code % stride
                least = next(self._standing.line(self._subscribers[topic]))
            size = sizes[self._owner[code]]
            wish = wishes.get(code)
            if wish is not None and size > sizes[wish] + 1:
                self._move(code, wish)
            elif size > sizes[least] + 1:
                self._move(code, least)
            else:
                continue
            moved = True
            topic = -1  # who has least may be another one now
        return moved

    def _move(self, code: int, new: int) -> None:
        sizes = self._standing.sizes
        instead = self._moves.instead_of(code, self._owner[code], new)
        if sizes[self._owner[instead]] > sizes[new] + 1:
            code = instead
        elif self._detours:
            code = instead
            self._detours -= 1
        old = self._owner[code]
        self._moves.record(code, old, new)
        del self._hands[old][code]
        self._hands[new][code] = None
        self._owner[code] = new
        self._standing.change(old, -1)
        self._standing.change(new, 1)


class _Standing:
    """The members sorted by how many partitions they have, then by name."""

    def __init__(self, names: Sequence[int]) -> None:
        self._names = names
        self._members = [0] * len(names)
        for member, name in enumerate(names):
            self._members[name] = member
        self.sizes = [0] * len(names)
        self._line: list[int] = []  # size * members + name

    def begin(self, hands: Iterable[Iterable[int]]) -> None:
        self.sizes[:] = [len(list(hand)) for hand in hands]
        self._line = sorted(map(self._key, range(len(self.sizes))))

    def change(self, member: int, by: int) -> None:
        del self._line[bisect_left(self._line, self._key(member))]
        self.sizes[member] += by
        insort(self._line, self._key(member))

    def line(self, members: Collection[int]) -> Iterator[int]:
        """Return these members, those with least first: by walking along the line, or sorting them
        if few.
        """
        if len(members) ** 2 < len(self._line):
            yield from sorted(members, key=self._key)
        else:
            count = len(self._members)
            for key in self._line:
                if (member := self._members[key % count]) in members:
                    yield member

    def uneven(self) -> bool:
        """Return whether a member has at least two more than another."""
        return max(self.sizes) - min(self.sizes) > 1

    def _key(self, member: int) -> int:
        return self.sizes[member] * len(self._names) + self._names[member]


class _Way(NamedTuple):
    """A direction of moves: from one member to another, of one topic's partitions."""

    topic: int
    source: int
    target: int


class _Moves:
    """The partitions that have moved so far, by the direction in which they went."""

    def __init__(self, numbering: Numbering) -> None:
        self._stride = numbering.stride
        self._hashes = [string_hash(name) for name in numbering.names]
        self._ways: dict[int, _Way] = {}
        self._moved: dict[_Way, dict[int, None]] = {}
        self._tables: dict[_Way, int] = {}

    def record(self, code: int, old: int, new: int) -> None:
        way = self._ways.pop(code, None)
        if way is None:
            way = _Way(code % self._stride, old, new)
        else:
            del self._moved[way][code]
            if not self._moved[way]:
                del self._moved[way], self._tables[way]
            if way.source == new:
                return  # back where it came from
            way = way._replace(target=new)
        self._ways[code] = way
        together = self._moved.setdefault(way, {})
        together[code] = None
        self._tables[way] = max(self._tables.get(way, 0), table_size(len(together)))

    def instead_of(self, code: int, old: int, new: int) -> int:
        """Return the partition to move from `old` to `new`: one that came the other way, or this
        one.

        Of several the first one of Java's hash set.
        """
        way = self._ways.get(code)
        back = _Way(code % self._stride, new, way.source if way else old)
        candidates = self._moved.get(back)
        if not candidates:
            return code
        size = self._tables[back]
        return min(candidates, key=lambda candidate: bucket(self._hash(candidate), size))

    def _hash(self, code: int) -> int:
        """Return `TopicPartition.hashCode`."""
        number, rank = divmod(code, self._stride)
        return (31 * (31 + number) + self._hashes[rank]) & 0xFFFFFFFF
