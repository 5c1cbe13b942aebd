"""Records of classic groups, and those of them that repeat the one before: these are found in
columns, and only the last of them is read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from ...codec import GroupMetadataValue
from ..audit import GroupFold, Place, read_step
from ..audit.classic_record import SAID_AGAIN
from ..audit.fold import Pace
from ..audit.members import take_over
from ..audit.rebalances import RebalanceHistory
from ..columnar.arrays import column
from ..tables.fingerprints import Fingerprint, Fingerprints
from ..tables.reading import Kind

__all__ = ["ClassicRecords", "Repetitions"]


class ClassicRecords:
    """The records of a table, group by group, the records of each in their order."""

    def __init__(
        self, kind: Kind, fingerprints: Fingerprints | tuple[()], paces: Sequence[Pace]
    ) -> None:
        """Without `fingerprints`, no repetitions are found."""
        rows = kind.rows
        groups = column(rows, "group_id").dictionary_encode()
        codes = groups.indices.to_numpy()
        order = np.argsort(codes, kind="stable")
        self.group_ids: list[str] = groups.dictionary.to_pylist()
        self._bounds = np.searchsorted(codes[order], np.arange(len(self.group_ids) + 1)).tolist()
        # A list is made of coded text forty times as fast where it is not coded.
        sources = column(rows, "source").cast(pa.string()).to_pylist()
        times = (
            column(rows, "record_timestamp").cast(pa.int64()).fill_null(-1000).to_numpy() // 1000
        )
        partitions = column(rows, "source_partition").fill_null(-1).to_numpy()
        offsets = column(rows, "source_offset").to_numpy()
        self._values = column(rows, "value")
        self._fingerprints = fingerprints
        self.numbers: list[int] = order.tolist()
        """The place of each record in the table."""
        self.times: list[int] = times[order].tolist()
        """In milliseconds since 1970, -1 for none."""
        self.offsets: list[int] = offsets[order].tolist()
        self._partitions: list[int] = partitions[order].tolist()
        self._sources: list[str] = sources
        self.generations: list[int] = []
        self._calm_until: Sequence[int] = range(len(order))
        if isinstance(fingerprints, Fingerprints):
            generations = kind.value("generation").fill_null(0).to_numpy()[order].astype(np.int64)
            self.generations = generations.tolist()
            said = (codes[order], fingerprints.codes[order])
            self._calm_until = _calm_until(*said, generations, times[order], paces)

    def by_group(self) -> Iterator[tuple[str, range]]:
        """Yield each group, in the order in which they come first, with where its records are."""
        for group_id, bounds in zip(self.group_ids, pairwise(self._bounds), strict=True):
            yield group_id, range(*bounds)

    def place(self, at: int) -> Place:
        """Return where a record is from."""
        source = self._sources[self.numbers[at]]
        return Place(source, self._partitions[at], self.offsets[at], self.times[at])

    def value(self, at: int) -> bytes | None:
        """Return the bytes of a record's value; None for a tombstone."""
        value: bytes | None = self._values[self.numbers[at]].as_py()
        return value

    def fingerprint(self, at: int) -> Fingerprint | None:
        """Return the fingerprint of a record."""
        return self._fingerprints[self.numbers[at]] if self._fingerprints else None

    def moments(self, there: range) -> Sequence[tuple[int, int]]:
        """Return generation and time of some records."""
        chosen = slice(there.start, there.stop)
        return list(zip(self.generations[chosen], self.times[chosen], strict=True))

    def repeated_from(self, at: int) -> range:
        """Return the records from this one on that repeat the one before, each more slowly than
        all paces; an empty range where this one does not.
        """
        return range(at, self._calm_until[at])


def _calm_until(
    groups: Any, fingerprints: Any, generations: Any, times: Any, paces: Sequence[Pace]
) -> list[int]:
    """Return for each record the first one from there on that is no repetition."""
    count = len(groups)
    rises, passed = np.diff(generations), np.diff(times)
    same = (groups[1:] == groups[:-1]) & (fingerprints[1:] == fingerprints[:-1])
    slow = [pace.are_slow(rises, passed) for pace in paces]
    calm = reduce(np.logical_and, slow, same & (fingerprints[1:] >= 0) & (rises > 0))
    ends = np.where(np.concatenate([[False], calm]), count, np.arange(count))
    found: list[int] = np.minimum.accumulate(ends[::-1])[::-1].tolist()
    return found


class Repetitions:
    """The records that repeat the one that a group's fold has read last; only the last is read.

    The group rests (`GroupFold.rests`): no rule has anything to say of a repetition.
    """

    def __init__(
        self, fold: GroupFold, history: RebalanceHistory, fingerprint: Fingerprint
    ) -> None:
        first = fold.last
        assert first is not None
        self.place = first.place
        self.generation = first.generation
        self.topics = history.topics
        self._fold = fold
        self._history = history
        self._fingerprint = fingerprint
        self._first = first
        self._count = 0
        self._latest = deque[tuple[int, int]](maxlen=fold.looks_back)
        self._value: bytes | None = None

    def goes_on(self, fingerprint: Fingerprint | None, generation: int, timestamp: int) -> bool:
        """Return whether the next record is one more repetition, at rest."""
        return (
            fingerprint == self._fingerprint
            and generation > self.generation
            and not self._fold.is_fast(generation, timestamp)
        )

    def go_on(self, records: Sequence[tuple[int, int]]) -> bool:
        """Return whether all of the next records are more repetitions, at rest. `records` has
        generation and time of each, which repeats the one before more slowly than all paces.
        """
        return self._fold.pass_slowly(records)

    def take(self, records: Sequence[tuple[int, int]], place: Place) -> None:
        """Take the next records, which are repetitions: generation and time of each, and the place
        of the last.
        """
        self._count += len(records)
        self._latest.extend(records)
        self.place, self.generation = place, records[-1][0]

    def hold(self, value: bytes | None) -> None:
        """Keep the value of the last record, which may have to be read."""
        self._value = value

    def read(self, value: bytes | None = None) -> None:
        """Read the last record, because the repetitions end or somebody asks about the group. Its
        value is the one that is held, or the given one.
        """
        value = self._value if value is None else value
        if not self._count or value is None:
            return
        self._fold.repeat(self._count, self._latest)
        step = read_step(self.place, GroupMetadataValue.from_bytes(value))
        step = msgspec.structs.replace(step, repeats=self._first.repeats + self._count)
        take_over(step, self._first, *SAID_AGAIN)  # rules at the end of a group ask for it again
        self._fold.catch_up(step)
        self._history.catch_up(step)
