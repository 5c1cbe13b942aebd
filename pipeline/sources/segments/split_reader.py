"""Reading record batches as tables of `CODED`: those of log segments, and what a broker sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

import pyarrow as pa
from pyarrow import fs

from ....capture.segments.batches import Batch, Taken, read_batches
from ....capture.segments.records import Outcome
from ....capture.segments.transactions import Transactions, read_transactions
from ....capture.summary import Summary
from ..record_batches import SMALLEST_BATCH
from ..record_table import MAX_SHOWN, RecordTables, Scratch, SourceColumns
from .files import FileRange, Split, open_range
from .replica_dedup import Copies, chosen

__all__ = ["Open", "Outcomes", "read_range", "read_split"]

_WINDOW = 8 << 20  # bytes that are searched for plain batches at once
_WORTH_IT = 1 << 20  # bytes of plain batches; where there are fewer, the window was read in vain
_PATIENCE = 4096  # batches that are read one by one before a plain one is hoped for again
_POSITION = re.compile(r"byte ([\d,]+)$")

Open: TypeAlias = Callable[[FileRange], Any]
"""Opens a range as a file that begins at 0 and can be read into memory that is there already."""


class Outcomes:
    """The outcomes of a partition's transactions. `ahead` returns all batches from a position and
    its base offset on: the mark that decides on a transaction is behind all of it. It is called
    once, where there are any.
    """

    def __init__(self, ahead: Callable[[int, int], Iterable[Batch | Taken]]) -> None:
        self._ahead = ahead
        self._transactions: Transactions | None = None

    def of(self, batch: Batch) -> Outcome | None:
        """Return the outcome of a batch; of one that is of no transaction None."""
        if not batch.transactional or batch.control:
            return None
        return self.at(batch.reader.producer_id, batch.base_offset, batch.position)

    def at(self, producer: int, base_offset: int, position: int) -> Outcome | None:
        """Return the outcome of the transaction of a producer's batch."""
        if self._transactions is None:
            self._transactions = Transactions(self._ahead(position, base_offset))
        return self._transactions.outcome(producer, base_offset)


def read_split(store: fs.FileSystem, split: Split, cluster_id: str | None) -> Iterator[pa.Table]:
    """Yield the records of a split, each once, and a row for each stretch that could not be read,
    or where copies of the partition have different records.
    """
    copies = Copies(split.partition)
    shared = len(split.ranges) > 1
    for part, later, reports in zip(split.ranges, split.behind, split.reports, strict=True):
        place = SourceColumns(cluster_id, part.path, split.partition)
        outcomes = Outcomes(partial(_ahead, store, part, later))
        for table in read_range(partial(open_range, store), part, place, outcomes):
            yield copies.first(_of_split(table, split, reports), part.path) if shared else table


def _of_split(table: pa.Table, split: Split, reports: bool) -> pa.Table:
    """Return the records of this split, and the problems, where this split reports them: each copy
    has its own damages.
    """
    problems = table.column("problem").is_valid().to_numpy()
    offsets = table.column("source_offset").fill_null(-1).to_numpy()
    is_of_split = ~problems & (offsets >= split.low) & (offsets < split.high)
    return chosen(table, is_of_split | problems if reports else is_of_split)


class _Damages(Summary):
    """Keeps every thing that was passed over, not the first of a kind."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, int | None, int]] = []

    def skip(self, reason: str, where: str, size: int = 0, **_: bool) -> None:
        place = _POSITION.search(where)
        self.found.append((reason, int(place[1].replace(",", "")) if place else None, size))

    def taken(self) -> list[tuple[str, int | None, int]]:
        """Return the damages found since the last call."""
        damages, self.found = self.found, []
        return damages


class _Memory:
    """The memory of one reader: a window of a file, and the arrays of its records."""

    def __init__(self) -> None:
        self.window = memoryview(bytearray(_WINDOW))
        self.scratch = Scratch()


_spare: list[_Memory] = []
"""What readers before have used, for the next: new memory takes long to fill."""


@contextmanager
def _memory() -> Iterator[_Memory]:
    memory = _spare.pop() if _spare else _Memory()
    try:
        yield memory
    finally:
        _spare.append(memory)


def read_range(
    opener: Open, part: FileRange, place: SourceColumns, outcomes: Outcomes
) -> Iterator[pa.Table]:
    """Yield tables of a range: plain batches many at once, others one by one, by the reader of
    `capture`, which handles damage.
    """
    at, patience = part.start, 1
    with _memory() as memory, closing(opener(part)) as file:
        reader = _Reader(opener, part, outcomes, RecordTables(place, memory.scratch))
        while at < part.end:
            file.seek(at - part.start)
            window = memory.window[: file.readinto(memory.window)]
            table, size = reader.tables.plain(window, at, outcomes.at)
            if table is not None:
                yield table
            at += size
            if at == part.end or (size and _cut_off(window[size:], part.end - at)):
                continue
            patience = 1 if size >= _WORTH_IT else min(2 * patience, _PATIENCE)
            reader.at = at
            yield from reader.one_by_one(patience)
            at = reader.at


def _cut_off(rest: memoryview, left: int) -> bool:
    """Return whether a batch that begins here ends behind the window, but not behind the
    range."""
    size = 12 + int.from_bytes(rest[8:12], "big", signed=True)
    return len(rest) < min(left, SMALLEST_BATCH) or len(rest) < size <= left


class _Reader:
    """Reads batches one by one from `at` on."""

    def __init__(
        self, opener: Open, part: FileRange, outcomes: Outcomes, tables: RecordTables
    ) -> None:
        self.tables = tables
        self.at = part.start
        self._open = opener
        self._part = part
        self._outcomes = outcomes

    def one_by_one(self, count: int) -> Iterator[pa.Table]:
        """Yield tables of the next `count` batches, or of those up to the end, and move `at` behind
        them.
        """
        start, end = self.at, self._part.end
        damages = _Damages()
        with closing(self._open(self._part._replace(start=start))) as file:
            for batch in islice(read_batches(file, self._part.path, damages), count):
                yield from _problems(self.tables, damages, file, start)
                moved = batch._replace(position=batch.position + start)
                yield from self.tables.add(moved, self._outcomes.of(moved))
                self.at = moved.position + len(batch.data)
                count -= 1
            yield from _problems(self.tables, damages, file, start)
        if count:
            self.at = end
        yield from self.tables.rest()


def _problems(tables: RecordTables, damages: _Damages, file: Any, start: int) -> Iterator[pa.Table]:
    for reason, position, size in damages.taken():
        yield from tables.rest()  # the order of the log
        if position is None:
            yield tables.problem(reason, None, b"")
        else:
            file.seek(position)
            data = file.read(min(size, MAX_SHOWN))
            yield tables.problem(reason, start + position, data)


def _ahead(
    store: fs.FileSystem,
    rest: FileRange,
    behind: Sequence[FileRange],
    position: int,
    base_offset: int,
) -> Iterator[Batch | Taken]:
    for part in (rest._replace(start=position), *behind):
        with closing(open_range(store, part)) as file:
            yield from read_transactions(file, part.path)
