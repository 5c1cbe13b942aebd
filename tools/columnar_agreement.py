"""The columnar decoder says the same as the careful reader: value, version, where reading ended,
and why.

A target of `kproto fuzz`. It is here because `fuzz` and `pipeline` do not import each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from .. import pipeline
from ..codec import Message, MessagePart, Policy, decode
from ..extras import missing
from ..fuzz.mutators.messages import MESSAGES, split
from ..fuzz.targets import Broken, Missing

if TYPE_CHECKING:
    import pyarrow as pa

FORMS = {"": MESSAGES}

Row = dict[str, Any] | None


def require() -> None:
    """Raises `Missing` without the libraries of the columnar decoder."""
    try:
        getattr(pipeline, "columnar")  # noqa: B009  # only whether it can be imported
    except ImportError as error:
        raise Missing(missing("columnar-agreement", error.name, "audit")) from None


def check(data: bytes) -> None:
    """Put an input with a head through both."""
    import pyarrow as pa  # late: an extra

    route, payload = split(data)
    if route is None:
        return
    versions = () if route.body_version is None else (route.body_version,)
    try:
        pipeline.columnar.decoded_type(route.cls, versions)
    except ValueError:
        return  # a message that has no column form
    differing(pa.array([payload], pa.binary()), route.cls, versions)


def differing(
    column: pa.Array, message_class: type[Message], body_versions: tuple[int, ...] = ()
) -> pa.StructArray:
    """Return what the columnar decoder says of a column. Raises `Broken` where the codec says
    otherwise of a row, or what was made is no valid Arrow.
    """
    column_values = pipeline.columnar.decode_column(column, message_class, body_versions)
    column_values.validate(full=True)
    for data, row in zip(column.to_pylist(), column_values.to_pylist(), strict=True):
        codec_values = by_codec(data, message_class, body_versions)
        if repr(row) != repr(codec_values):  # by their texts: NaN is NaN
            raise Broken(f"columnar: {row}; codec: {codec_values}", data=None)
    return column_values


def by_codec(
    data: bytes | None, message_class: type[Message], body_versions: tuple[int, ...] = ()
) -> Row:
    """Return the row for these bytes, by the codec."""
    if data is None:
        return None
    result = decode(
        data,
        message_class,
        policy=Policy.LENIENT,
        body_version=body_versions[0] if body_versions else None,
    )
    if result.error is not None and body_versions[1:]:
        return by_codec(data, message_class, body_versions[1:])
    return {
        "message": _plain(result.message),
        "version": result.version,
        "schema_version": result.schema_version,
        "bytes_left": len(result.remainder),
        "error_kind": result.error and result.error.kind.value,
        "error_offset": None if result.error is None else result.error.offset,
    }


def _plain(value: Any) -> Any:
    """A value of a message as pyarrow shows it."""
    match value:
        case MessagePart():
            return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        case tuple():
            return [_plain(item) for item in value]
        case UUID():
            return value.bytes
        case str():  # Arrow's text has no lone surrogates
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case _:
            return value
