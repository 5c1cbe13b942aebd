"""Functions of Arrow columns and tables that pyarrow does not have."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = [
    "CODED_TEXT",
    "coded",
    "coded_schema",
    "column",
    "dictionary",
    "exploded",
    "instants",
    "same",
    "topic_ids",
]

CODED_TEXT = pa.dictionary(pa.int32(), pa.string())
"""Text, each value once."""

_TIME = pa.timestamp("us", tz="UTC")
_NO_ID = bytes(16)


def column(table: pa.Table, name: str) -> pa.Array:
    """Return a column of a table as one array. It is copied only where it has several chunks."""
    chunks = table.column(name)
    return chunks.chunk(0) if chunks.num_chunks == 1 else chunks.combine_chunks()


def same(text: str | None, rows: int) -> pa.Array:
    """Return a dictionary-encoded column with this text in all rows."""
    if text is None:
        return pa.nulls(rows, CODED_TEXT)
    return dictionary(pa.array(np.zeros(rows, np.int32)), pa.array([text]))


def dictionary(codes: pa.Array, values: pa.Array) -> pa.DictionaryArray:
    """Return a dictionary-encoded column. All codes have a value, which Arrow need not check."""
    return pa.DictionaryArray.from_arrays(codes, values, safe=False)


def instants(milliseconds: pa.Array) -> pa.Array:
    """Return timestamps for milliseconds since 1970. Negative ones, and those beyond Arrow's range,
    become null.
    """
    is_in_range = pc.and_(
        pc.greater_equal(milliseconds, 0), pc.less(milliseconds, (1 << 63) // 1000)
    )
    times = pc.if_else(is_in_range, milliseconds, pa.scalar(None, pa.int64()))
    return pc.multiply(times, 1000).cast(_TIME)


def exploded(lists: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return for each element of the lists the number of its row, and the elements."""
    return pc.list_parent_indices(lists), pc.list_flatten(lists)


def topic_ids(ids: pa.Array) -> pa.Array:
    """Return topic ids in the form that Kafka prints them in, as `CODED_TEXT`; null for the id of
    zeros.
    """
    if not pc.any(pc.not_equal(ids, _NO_ID)).as_py():
        return pa.nulls(len(ids), CODED_TEXT)
    coded = ids.dictionary_encode()
    texts = [
        None
        if topic_id is None or topic_id == _NO_ID
        else urlsafe_b64encode(topic_id).decode().rstrip("=")
        for topic_id in coded.dictionary.to_pylist()
    ]
    return pa.array(texts, pa.string()).take(coded.indices).dictionary_encode()


def coded_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema with its text columns dictionary-encoded."""
    return pa.schema(
        [
            field.with_type(CODED_TEXT) if pa.types.is_string(field.type) else field
            for field in schema
        ]
    )


def coded(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the table in a coded schema. Text that is already dictionary-encoded is not
    touched.
    """
    columns = [_by_type(rows.column(field.name), field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def _by_type(values: pa.ChunkedArray, type_: pa.DataType) -> pa.ChunkedArray:
    if values.type == type_:
        return values
    if type_ != CODED_TEXT:
        return values.cast(type_)
    return pa.chunked_array([_coded_text(chunk) for chunk in values.chunks], CODED_TEXT)


def _coded_text(values: pa.Array) -> pa.Array:
    """Return text dictionary-encoded. Where all of it is null, or empty, as the metadata of most
    commits are, nothing is looked up.
    """
    if values.null_count == len(values):
        return same(None, len(values))
    text = values.cast(pa.string())
    if not text.null_count and not pc.max(pc.binary_length(text)).as_py():
        return same("", len(text))
    return text.dictionary_encode()
