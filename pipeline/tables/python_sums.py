"""The sums of the commits of all partitions, as the compiled core adds them up
(`codec/native/src/ledger.rs`), for where there is no core."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from ..audit.commit_sum import CommitSum, Limits

__all__ = ["DELETED", "PythonSums"]

DELETED = -(1 << 63)
"""The offset of a commit that deletes one; every other one is of a commit, negative ones too."""


class _BatchSteps:
    """The rebalances of a batch, and how many of them each partition has passed."""

    def __init__(self, steps: Sequence[Any]) -> None:
        groups, self._positions, self._keeps, *moved = (values.tolist() for values in steps)
        self._moves = set(zip(*moved, strict=True))
        self._passed: dict[int, int] = {}
        self._spans: dict[int, range] = {}
        self._following: dict[int, int] = {}
        start = 0
        for group, of_group in groupby(groups):
            end = start + len(list(of_group))
            self._spans[group], self._following[group] = range(start, end), start
            start = end

    def before(self, number: int, group: int, position: int) -> list[int]:
        """Return the steps that interrupted a partition before its commit at that place."""
        span = self._spans.get(group)
        if span is None:
            return []
        following = self._following[group]
        while following < span.stop and self._positions[following] < position:
            following += 1
        self._following[group] = following
        steps = self._interrupting(number, self._passed.get(number, span.start), following)
        self._passed[number] = following
        return steps

    def open_ends(self, of_groups: Sequence[list[int]]) -> Iterator[tuple[int, list[int]]]:
        """Yield the partitions of groups with steps, and the steps after their last commits."""
        for group, span in self._spans.items():
            for number in of_groups[group]:
                begin = self._passed.get(number, span.start)
                yield number, self._interrupting(number, begin, span.stop)

    def _interrupting(self, number: int, begin: int, end: int) -> list[int]:
        steps = range(begin, end)
        return [step for step in steps if not self._keeps[step] or (step, number) in self._moves]


class PythonSums:
    """The sums of all partitions; see `CommitSums` of the core."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._keys: dict[tuple[bytes, bytes, int], int] = {}
        self._groups: dict[bytes, int] = {}
        self._of_groups: list[list[int]] = []
        self._group_of: list[int] = []
        self._sums: list[CommitSum | None] = []
        self._last: dict[int, tuple[int, int]] = {}
        """Offset and time of the last commit of each partition that deleted nothing."""

    def __len__(self) -> int:
        return len(self._keys)

    def numbers(self, names: Sequence[Any]) -> bytes:
        """Return the numbers of partitions; new ones are added."""
        return array("i", [self._number(key) for key in _keys(names)]).tobytes()

    def _number(self, key: tuple[bytes, bytes, int]) -> int:
        number = self._keys.setdefault(key, len(self._keys))
        if number == len(self._sums):
            group = self._groups.setdefault(key[0], len(self._groups))
            if group == len(self._of_groups):
                self._of_groups.append([])
            self._of_groups[group].append(number)
            self._group_of.append(group)
            self._sums.append(None)
        return number

    def find(self, names: Sequence[Any]) -> bytes:
        """Return the numbers of partitions; -1 for one that is not known."""
        return array("i", [self._keys.get(key, -1) for key in _keys(names)]).tobytes()

    def groups(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of groups; -1 for one that is not known."""
        return [self._groups.get(name.encode(), -1) for name in names]

    def add(self, rows: Sequence[Any], steps: Sequence[Any], waiting: Any) -> bytes:
        """Add commits, and return the interruptions."""
        numbers, codes, *columns = (values.tolist() for values in rows)
        batch, waits, events = _BatchSteps(steps), set(waiting.tolist()), array("q")
        for row, (code, offset, time, position) in enumerate(zip(codes, *columns, strict=True)):
            number = numbers[code]
            if offset != DELETED:
                between = batch.before(number, self._group_of[number], position)
                if number in self._last:
                    if between or number in waits:
                        events.extend(self._interruption(number, row, between))
                    waits.discard(number)
                self._last[number] = offset, time
            self._take(number, CommitSum.of_commit(max(offset, -1), time))
        for number, after in batch.open_ends(self._of_groups):
            if after and number in self._last:
                events.extend(self._interruption(number, -1, after))
        return events.tobytes()

    def add_sums(self, numbers: Any, sums: Any) -> None:
        """Add sums that others have made."""
        for number, of_number in zip(numbers.tolist(), sums.tolist(), strict=True):
            part = CommitSum.of_numbers(*of_number)
            if part.known_offset >= 0:
                self._last[number] = part.known_offset, part.known_at
            self._take(number, part)

    def _take(self, number: int, part: CommitSum) -> None:
        total = self._sums[number]
        if total is None:
            self._sums[number] = part
        else:
            total.add(part, self._limits)

    def _interruption(self, number: int, row: int, steps: Sequence[int]) -> list[int]:
        (offset, at), total = self._last[number], self._sums[number]
        assert total is not None
        base_at, base = total.before_at, total.before_offset
        if 0 <= total.recent_at < at:
            base_at, base = total.recent_at, total.recent_offset
        if at <= base_at:
            base_at = -1
        first, last = (steps[0], steps[-1]) if steps else (-1, -1)
        return [number, offset, at, base, base_at, row, len(steps), first, last]

    def sums(self) -> tuple[bytes, bytes]:
        """Return the numbers of the partitions that have commits, and their sums."""
        totals = [(number, total) for number, total in enumerate(self._sums) if total is not None]
        sums = array("q", [value for _, total in totals for value in total.numbers()])
        return array("q", [number for number, _ in totals]).tobytes(), sums.tobytes()


def _keys(names: Sequence[Any]) -> list[tuple[bytes, bytes, int]]:
    """Return groups, topics and partitions of Arrow's columns."""
    *buffers, partitions = names
    count = len(partitions)
    texts = []
    for offsets, data in (buffers[:2], buffers[2:]):
        ends = np.frombuffer(offsets, np.int32, count + 1).tolist() if count else [0]
        content = bytes(data or b"")
        texts.append([content[start:end] for start, end in pairwise(ends)])
    return list(zip(*texts, partitions.tolist(), strict=True))
