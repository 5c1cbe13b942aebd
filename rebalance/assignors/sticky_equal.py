"""Sticky assignment where all members subscribe to the same topics.

The sizes are known beforehand: every member gets `low` partitions, and the first few that qualify
one more. Members keep what they own up to that, what is left is dealt in a circle, and nothing else
moves. If racks are known, a member does not keep what it cannot read in its own rack, and a first
round deals within racks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from ..claims import Ruling
from .numbering import Numbering
from .racks import StickyRacks


class EqualDivision:
    """The state of one division; `run` returns the result.

    `walk` has the members' indexes in the order in which they may keep, `names` each one's place
    among the sorted ids.
    """

    def __init__(
        self, numbering: Numbering, racks: StickyRacks, walk: Sequence[int], names: Sequence[int]
    ) -> None:
        self._numbering = numbering
        self._racks = racks
        self._walk = walk
        self._names = names
        self.low, self.larger = divmod(numbering.total, len(walk))
        self.high = self.low + (self.larger > 0)
        self._at_high = 0
        self.shares: list[list[int]] = [[] for _ in walk]
        self._revoked: dict[int, int] = {}  # and from whom
        self._below: list[int] = []  # members with less than `low`
        self._exact: dict[int, None] = {}  # members with `low` who may get one more, in line

    def run(self, ruling: Ruling) -> set[int]:
        """Divide, and return the codes that go to another member than their owner."""
        for member in self._walk:
            self._keep(member, ruling.owned[member])
        old_sizes = [len(share) for share in self.shares]
        owned = set[int]().union(*self.shares)
        left = self._numbering.free_codes(owned, range(self._numbering.stride))
        self._below.sort(key=self._names.__getitem__)
        self._exact = dict.fromkeys(sorted(self._exact, key=self._names.__getitem__))
        if self._racks:
            left = _RackRound(self, self._racks, self._below, self._exact).deal(left)
        self._deal(left)
        return self._moving(old_sizes, ruling.void)

    def _keep(self, member: int, owned: Sequence[int]) -> None:
        mine = sorted(owned)
        if self._racks:
            for code in mine:
                if self._racks.mismatch(member, code):
                    self._revoked[code] = member
            mine = [code for code in mine if code not in self._revoked]
        if len(mine) < self.low:
            size = len(mine)
            self._below.append(member)
        elif len(mine) >= self.high and self._at_high < self.larger:
            size = self.high
            self.count_high()
        else:
            size = self.low
            if self._at_high < self.larger:
                self._exact[member] = None
        self.shares[member] = mine[:size]
        self._revoked.update(dict.fromkeys(mine[size:], member))

    def count_high(self) -> None:
        """Note that one more member has reached `high`. After the last one, none waits for more."""
        self._at_high += 1
        if self._at_high == self.larger:
            self._exact.clear()

    def may_queue(self) -> bool:
        """Return whether members with `low` may still get one more."""
        return self._at_high < self.larger

    def _deal(self, left: Sequence[int]) -> None:
        """Deal in a circle to members below `low`, who drop out when they reach it; then one each
        to those in line.
        """
        shares, start, circle = self.shares, 0, self._below
        while circle:
            rounds = min(self.low - len(shares[member]) for member in circle)
            width = len(circle)
            end = start + rounds * width
            for place, member in enumerate(circle, start):
                shares[member] += left[place:end:width]
            start = end
            self._exact.update(
                dict.fromkeys(member for member in circle if len(shares[member]) == self.low)
            )
            circle = [member for member in circle if len(shares[member]) < self.low]
        for code, member in zip(left[start:], self._exact, strict=False):
            shares[member].append(code)

    def _moving(self, old_sizes: Sequence[int], void: frozenset[int]) -> set[int]:
        if not self._revoked and not void:
            return set()
        return {
            code
            for member, share in enumerate(self.shares)
            for code in share[old_sizes[member] :]
            if code in void or self._revoked.get(code, member) != member
        }


class _RackRound:
    """The round within racks: each partition goes to the next member that is in one of its
    racks.
    """

    def __init__(
        self,
        division: EqualDivision,
        racks: StickyRacks,
        below: list[int],
        exact: dict[int, None],
    ) -> None:
        self._division = division
        self._racks = racks
        self._below = below
        self._exact = exact
        # Places in the circle by rack, so that nobody is asked who is elsewhere.
        self._places: dict[str | None, list[int]] = defaultdict(list)
        for place, member in enumerate(below):
            self._places[racks.home[member]].append(place)
        self._line: dict[str | None, deque[tuple[int, int]]] = defaultdict(deque)
        self._tickets = 0
        for member in exact:
            self._stand_in_line(member)

    def deal(self, left: list[int]) -> list[int]:
        """Deal the partitions that fit a rack, and return the others."""
        rest = []
        turn = 0
        for code in self._racks.rarest_first(left):
            racks = self._racks.of(code)
            place = self._next_place(racks, turn)
            if place is not None:
                self._give(self._below[place], code, place)
                turn = place + 1
            elif not self._give_in_line(racks, code):
                rest.append(code)
        self._below[:] = [
            member
            for member in self._below
            if len(self._division.shares[member]) < self._division.low
        ]
        return rest

    def _next_place(self, racks: Iterable[str], turn: int) -> int | None:
        """Return the first place from `turn` on, around the circle, in one of the racks."""
        candidates = []
        for rack in racks:
            places = self._places.get(rack)
            if places:
                at = bisect_left(places, turn)
                candidates.append((at == len(places), places[at % len(places)]))
        return min(candidates)[1] if candidates else None

    def _give(self, member: int, code: int, place: int) -> None:
        division = self._division
        share = division.shares[member]
        share.append(code)
        if len(share) >= division.low:
            places = self._places[self._racks.home[member]]
            del places[bisect_left(places, place)]
            if len(share) < division.high and division.may_queue():
                self._exact[member] = None
                self._stand_in_line(member)

    def _stand_in_line(self, member: int) -> None:
        self._line[self._racks.home[member]].append((self._tickets, member))
        self._tickets += 1

    def _give_in_line(self, racks: Iterable[str], code: int) -> bool:
        first = min((head for rack in racks if (head := self._head(rack))), default=None)
        if first is None:
            return False
        member = first[1]
        self._division.shares[member].append(code)
        del self._exact[member]
        self._division.count_high()
        return True

    def _head(self, rack: str) -> tuple[int, int] | None:
        line = self._line.get(rack)
        while line and line[0][1] not in self._exact:
            line.popleft()
        return line[0] if line else None
