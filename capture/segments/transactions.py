"""Find the outcome of the transactions in a partition's log.

A control record behind the records of a transaction ends it: its key is an int16 version and an
int16 that is 0 for abort, 1 for commit. Kafka's log cleaner removes control records in time, so the
outcome of a transaction without one is undecided, as far as the files tell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from ..summary import Summary
from .batches import Batch
from .records import BatchInfo, Outcome, read_records

__all__ = ["MAX_TRANSACTIONS", "Transactions", "control_type"]

MAX_TRANSACTIONS = 100_000
"""The number of aborted and undecided transactions of a partition that are remembered."""

_NOWHERE = BatchInfo("", None, 0, 0, transactional=True, control=True, producer_id=-1, outcome=None)
_CONTROL_TYPES = {
    0: "abort",
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
    number = int.from_bytes(key[2:4], "big", signed=True)
    return _CONTROL_TYPES.get(number, f"of type {number}")


class _Aborted(NamedTuple):
    """The first and last offset of an aborted transaction, with its control record."""

    first: int
    last: int


class Transactions:
    """The outcomes of a partition's transactions, from all of its batches in order."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._aborted: dict[int, list[_Aborted]] = {}
        self._open: dict[int, int] = {}  # producer id to its first offset
        self._complete = True
        number = 0
        for batch in batches:
            if batch.transactional:
                number += self._read(batch)
            if number + len(self._open) > MAX_TRANSACTIONS:
                self._complete = False
                break

    def _read(self, batch: Batch) -> bool:
        """Whether the batch aborts a transaction, which is then remembered."""
        producer = int.from_bytes(batch.data[43:51], "big", signed=True)
        if not batch.control:
            self._open.setdefault(producer, batch.base_offset)
            return False
        first = self._open.pop(producer, None)
        if first is None or _mark(batch) != "abort":
            return False
        self._aborted.setdefault(producer, []).append(_Aborted(first, batch.base_offset))
        return True

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


def _mark(batch: Batch) -> str:
    """The type of the record in a control batch. As brokers write it, numbers of one byte stand in
    front of its key: the size, no attributes, no distance in time and offset, and the key's size.
    """
    if batch.data[62:66] == b"\0\0\0\x08" and not batch.codec:
        return control_type(batch.data[66:70])
    for record in read_records(batch, _NOWHERE, Summary()):
        return control_type(record.key)
    return ""
