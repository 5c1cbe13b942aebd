"""Records of several copies of one partition: each offset once, and nobody else's record lost.

Copies that brokers keep of a partition differ in where their files begin, in how far they are and
in what compaction has taken out of them; a batch that was cleaned has another length and checksum,
and still the same records. So records are compared, not batches: those at one offset have the same
key and value, or they are of two clusters, or of a partition that was made anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ....codec.runtime import engine
from ...columnar.arrays import column

__all__ = ["Copies", "chosen"]

_NULL = 1 << 31  # beside a checksum of 32 bits: as good as any other number


class _Given(NamedTuple):
    """Records of `source` that were given: their offsets, which rise, and a digest of each."""

    source: str
    offsets: Any
    digests: Any


class Copies:
    """The records of a partition that have been given so far, at sixteen bytes a record."""

    def __init__(self, partition: int | None) -> None:
        self._partition = partition
        self._given: list[_Given] = []

    def first(self, rows: pa.Table, source: str) -> pa.Table:
        """Return the rows without the records that were given already. A different record at an
        offset that was given becomes a problem; rows that have a problem already stay.
        """
        stays = column(rows, "problem").is_valid().to_numpy(zero_copy_only=False)
        offsets = column(rows, "source_offset").fill_null(-1).to_numpy()
        digests = _digests(rows)
        new, where = ~stays, np.full(len(offsets), -1, np.int32)
        for number, copy in enumerate(self._given):
            is_known, is_same = _copies_of(copy, offsets, digests)
            where[is_known & ~is_same & ~stays] = number
            new &= ~is_known
        self._keep(source, offsets[new], digests[new])
        differs = where >= 0
        marked = self._with_problems(rows, where) if differs.any() else rows
        return chosen(marked, stays | new | differs)

    def _keep(self, source: str, offsets: Any, digests: Any) -> None:
        if len(offsets):
            order = np.argsort(offsets, kind="stable")
            self._given.append(_Given(source, offsets[order], digests[order]))

    def _with_problems(self, rows: pa.Table, where: Any) -> pa.Table:
        """Return the rows, those with a different record as a problem that names the other
        source.
        """
        reasons = [
            f"another record is at this offset of partition {self._partition} in {copy.source};"
            " folders of two clusters are named apart, as in a=FOLDER b=FOLDER"
            for copy in self._given
        ]
        reason = pa.array(reasons, pa.string()).take(pa.array(where, mask=where < 0))
        place = rows.schema.get_field_index("problem")
        problems = pc.coalesce(column(rows, "problem"), reason)
        return rows.set_column(place, rows.schema.field(place), problems)


def chosen(rows: pa.Table, mask: Any) -> pa.Table:
    """Return the rows that the mask selects, without a copy where it selects all."""
    return rows if mask.all() else rows.filter(pa.array(mask))


def _copies_of(copy: _Given, offsets: Any, digests: Any) -> tuple[Any, Any]:
    """Return which offsets were given, and which of these with the same record."""
    if not len(offsets) or offsets.min() > copy.offsets[-1] or offsets.max() < copy.offsets[0]:
        nowhere = np.zeros(len(offsets), np.bool_)
        return nowhere, nowhere
    at = np.minimum(np.searchsorted(copy.offsets, offsets), len(copy.offsets) - 1)
    is_known = copy.offsets[at] == offsets
    return is_known, is_known & (copy.digests[at] == digests)


def _digests(rows: pa.Table) -> Any:
    return _checksums(column(rows, "key")) << 32 ^ _checksums(column(rows, "value"))


def _checksums(values: pa.Array) -> Any:
    """Return a checksum of each value; a null has a checksum that no value has."""
    if pa.types.is_dictionary(values.type):
        once = np.append(_checksums(values.dictionary), _NULL)
        return once[values.indices.fill_null(len(values.dictionary)).to_numpy()]
    checksums = np.zeros(len(values), np.int64)
    _, offsets, data = values.buffers()
    if data is not None and engine.CORE is not None:
        engine.CORE.checksums(offsets, data, values.offset, checksums)
    elif data is not None:
        checksums[:] = [crc32(value or b"") for value in values.to_pylist()]
    checksums[values.is_null().to_numpy(zero_copy_only=False)] = _NULL
    return checksums
