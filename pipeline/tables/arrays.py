"""Small things that Arrow lacks, for making tables of columns."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .schemas import TABLES

__all__ = ["column", "exploded", "instants", "made", "topic_ids"]

_TIME = pa.timestamp("us", tz="UTC")
_NO_ID = bytes(16)


def column(table: pa.Table, name: str) -> pa.Array:
    """A column in one piece."""
    return table.column(name).combine_chunks()


def instants(milliseconds: pa.Array) -> pa.Array:
    """Times of milliseconds since 1970; a negative one is none, and so is one beyond Arrow's."""
    known = pc.and_(pc.greater_equal(milliseconds, 0), pc.less(milliseconds, (1 << 63) // 1000))
    kept = pc.if_else(known, milliseconds, pa.scalar(None, pa.int64()))
    return pc.multiply(kept, 1000).cast(_TIME)


def exploded(lists: pa.Array) -> tuple[pa.Array, pa.Array]:
    """The elements of all lists, and for each the row that it is of."""
    return pc.list_parent_indices(lists), pc.list_flatten(lists)


def topic_ids(ids: pa.Array) -> pa.Array:
    """Topic ids as Kafka prints them; the id of zeros is none."""
    coded = ids.dictionary_encode()
    printed = [
        None if one is None or one == _NO_ID else urlsafe_b64encode(one).decode().rstrip("=")
        for one in coded.dictionary.to_pylist()
    ]
    return pa.array(printed, pa.string()).take(coded.indices)


def made(name: str, rows: int, columns: Mapping[str, Any]) -> pa.Table:
    """A table of that name; columns that are not given are null."""
    schema = TABLES[name]
    arrays = [
        columns[field.name].cast(field.type)
        if field.name in columns
        else pa.nulls(rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)
