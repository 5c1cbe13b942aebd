"""What the codec says about bytes, in the form of a row of `decode_column`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pyarrow as pa

from kproto.codec import Message, MessagePart, Policy, decode
from kproto.pipeline.columnar import decode_column

Row = dict[str, Any] | None


def expected(
    data: bytes | None, message_class: type[Message], body_versions: tuple[int, ...] = ()
) -> Row:
    """The row for these bytes, by the codec."""
    if data is None:
        return None
    seen = decode(
        data,
        message_class,
        policy=Policy.LENIENT,
        body_version=body_versions[0] if body_versions else None,
    )
    if seen.error is not None and body_versions[1:]:
        return expected(data, message_class, body_versions[1:])
    return {
        "message": plain(seen.message),
        "version": seen.version,
        "schema_version": seen.schema_version,
        "bytes_left": len(seen.remainder),
        "error_kind": seen.error and seen.error.kind.value,
        "error_offset": None if seen.error is None else seen.error.offset,
    }


def plain(value: Any) -> Any:
    """A value of a message as pyarrow shows it."""
    match value:
        case MessagePart():
            return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
        case tuple():
            return [plain(item) for item in value]
        case UUID():
            return value.bytes
        case str():  # an Arrow string is UTF-8
            return value
        case _:
            return value


def check(
    rows: Sequence[bytes | None],
    message_class: type[Message],
    body_versions: tuple[int, ...] = (),
    *,
    type_: pa.DataType = pa.binary(),  # noqa: B008  # a value, as an int is
) -> pa.StructArray:
    """Assert that both decoders say the same of each row; gives what the columnar one says."""
    column = pa.array(rows, type_)
    decoded = decode_column(column, message_class, body_versions)
    decoded.validate(full=True)
    for data, row in zip(rows, decoded.to_pylist(), strict=True):
        assert repr(row) == repr(expected(data, message_class, body_versions)), data and data.hex()
    return decoded
