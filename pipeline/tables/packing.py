"""Tables as bytes, for rows of Spark that hold tables of any schema."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["packed", "unpacked"]


def packed(table: pa.Table) -> bytes:
    """Return a table as bytes of Arrow's stream format."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.unify_dictionaries())
    content: bytes = sink.getvalue().to_pybytes()
    return content


def unpacked(data: bytes) -> pa.Table:
    """Return the table that `packed` made these bytes of."""
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()
