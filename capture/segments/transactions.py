"""Find the outcome of the transactions in a partition's log.

A control record behind the records of a transaction ends it: its key is an int16 version and an
int16 that is 0 for abort, 1 for commit. Kafka's log cleaner removes control records in time, so the
outcome of a transaction without one is undecided, as far as the files tell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from math import inf
from typing import BinaryIO, NamedTuple

from ...codec.runtime import engine
from ..summary import Summary
from .batches import MAX_BATCH, MAX_SEARCHED, Batch, Taken, read_stretches
from .records import BatchInfo, Outcome, read_records

__all__ = ["MAX_TRANSACTIONS", "Transactions", "control_type", "read_transactions"]

MAX_TRANSACTIONS = 100_000
"""The number of aborted and undecided transactions of a partition that are remembered."""

_NOWHERE = BatchInfo("", None, 0, 0, transactional=True, control=True, producer_id=-1, outcome=None)
_NO_MARK = -1
_LARGEST_MARK = 64 * 1024  # of a control batch, decompressed
_ABORT = 0
_CONTROL_TYPES = {
    _ABORT: "abort",
    1: "commit",
    2: "leader change",
    3: "snapshot header",
    4: "snapshot footer",
    5: "KRaft version",
    6: "KRaft voters",
}


def control_type(key: bytes | None) -> str:
    """Return the type of a control record with that key: "commit", "abort", "of type 7"."""
    if key is None or len(key) < 4:
        return "of no type"
    number = _mark_of(key)
    return _CONTROL_TYPES.get(number, f"of type {number}")


class _Aborted(NamedTuple):
    """The first and last offset of an aborted transaction, with its control record."""

    first: int
    last: int


def read_transactions(
    file: BinaryIO,
    source: str,
    *,
    max_batch: int = MAX_BATCH,
    max_searched: int = MAX_SEARCHED,
) -> Iterator[Batch | Taken]:
    """Yield the batches of a log for `Transactions`. The compiled core, where it is installed,
    takes many at a time: a part is a producer, an offset, and the type of a mark or None."""
    take = None if engine.CORE is None else engine.CORE.read_transactions
    return read_stretches(
        file, source, Summary(), take, max_batch=max_batch, max_searched=max_searched
    )


class Transactions:
    """The outcomes of a partition's transactions, from all of its batches in order."""

    def __init__(self, batches: Iterable[Batch | Taken]) -> None:
        self._aborted: dict[int, list[_Aborted]] = {}
        self._open: dict[int, int] = {}  # producer id to its first offset
        self._complete = True
        count = 0  # of aborted ones
        for producer, offset, mark in _parts(batches):
            if mark is None:
                self._open.setdefault(producer, offset)
            else:
                first = self._open.pop(producer, None)
                if first is not None and mark == _ABORT:
                    aborted = self._aborted.setdefault(producer, [])
                    aborted.append(_Aborted(first, offset))
                    count += 1
            if count + len(self._open) > MAX_TRANSACTIONS:
                self._complete = False
                break

    def outcome(self, producer: int, offset: int) -> Outcome | None:
        """Return the outcome of the transaction of `producer` at `offset`; None where there were
        more transactions than are remembered.
        """
        aborted = self._aborted.get(producer, [])
        index = bisect_right(aborted, (offset, inf))
        if index and offset <= aborted[index - 1].last:
            return "aborted"
        if not self._complete:
            return None
        if offset >= self._open.get(producer, offset + 1):
            return "undecided"
        return "committed"


def _parts(batches: Iterable[Batch | Taken]) -> Iterator[tuple[int, int, int | None]]:
    """Yield producer and offset of each batch of a transaction, and the type of its mark."""
    for batch in batches:
        if isinstance(batch, Taken):
            yield from batch.parts
        elif batch.transactional:
            producer = int.from_bytes(batch.data[43:51], "big", signed=True)
            yield producer, batch.base_offset, _mark(batch) if batch.control else None


def _mark(batch: Batch) -> int:
    """Return the type of the record in a control batch, -1 for none. As brokers write it, numbers
    of one byte come before its key: the size, no attributes, no distance in time and offset,
    and the key's size.
    """
    if batch.data[62:66] == b"\0\0\0\x08" and not batch.codec:
        return _mark_of(batch.data[66:70])
    records = read_records(batch, _NOWHERE, Summary(), limit=_LARGEST_MARK)
    return next((_mark_of(record.key) for record in records), _NO_MARK)


def _mark_of(key: bytes | None) -> int:
    if key is None or len(key) < 4:
        return _NO_MARK
    return int.from_bytes(key[2:4], "big", signed=True)
