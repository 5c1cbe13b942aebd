"""Functions of Arrow columns and tables that pyarrow does not have."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pyarrow as pa
import pyarrow.compute as pc

__all__ = [
    "CODED_TEXT",
    "coded",
    "coded_schema",
    "column",
    "exploded",
    "instants",
    "topic_ids",
]

CODED_TEXT = pa.dictionary(pa.int32(), pa.string())
"""Text, each value once."""

_TIME = pa.timestamp("us", tz="UTC")
_NO_ID = bytes(16)


def column(table: pa.Table, name: str) -> pa.Array:
    """Return a column in one piece; one that is in one piece is not copied."""
    chunks = table.column(name)
    return chunks.chunk(0) if chunks.num_chunks == 1 else chunks.combine_chunks()


def instants(milliseconds: pa.Array) -> pa.Array:
    """Times of milliseconds since 1970; a negative one is none, and so is one beyond Arrow's."""
    known = pc.and_(pc.greater_equal(milliseconds, 0), pc.less(milliseconds, (1 << 63) // 1000))
    kept = pc.if_else(known, milliseconds, pa.scalar(None, pa.int64()))
    return pc.multiply(kept, 1000).cast(_TIME)


def exploded(lists: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return the elements of all lists, and for each the row that it is of."""
    return pc.list_parent_indices(lists), pc.list_flatten(lists)


def topic_ids(ids: pa.Array) -> pa.Array:
    """Topic ids as Kafka prints them; the id of zeros is none."""
    coded = ids.dictionary_encode()
    printed = [
        None if one is None or one == _NO_ID else urlsafe_b64encode(one).decode().rstrip("=")
        for one in coded.dictionary.to_pylist()
    ]
    return pa.array(printed, pa.string()).take(coded.indices)


def coded_schema(schema: pa.Schema) -> pa.Schema:
    """Return the same columns, text with each value once."""
    return pa.schema(
        [
            field.with_type(CODED_TEXT) if pa.types.is_string(field.type) else field
            for field in schema
        ]
    )


def coded(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return a table by a coded schema. Text that is coded already is not looked at."""
    columns = [_by_type(rows.column(field.name), field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def _by_type(values: pa.ChunkedArray, type_: pa.DataType) -> pa.ChunkedArray:
    if type_ != CODED_TEXT:
        return values.cast(type_)
    return values if values.type == CODED_TEXT else values.cast(pa.string()).dictionary_encode()
