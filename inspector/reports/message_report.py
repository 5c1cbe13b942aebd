"""What `kproto decode --json` prints of one decoded message: `inspector.shapes.decoded.Decoded`.

`message` has the bytes that members exchange in base64, as Kafka prints them; `opened` has what is
inside of them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from msgspec import to_builtins

from ...codec.dialect.layout import HEAD
from ...codec.errors import DecodeError
from ...codec.json_form import to_json, unknown_tags_to_json
from ...codec.read.decoding import Decoded
from ...codec.read.deviations import Deviation
from ...codec.read.diagnostic_reader import FieldNode
from ...codec.runtime.message import Message
from ...codec.runtime.registry import layout_of
from ..identification import Examined, resembles_nothing
from ..nested_bytes import (
    NOT_JUDGED,
    NOTHING,
    Around,
    Opened,
    all_deviations,
    is_large,
    open_committed,
    open_inside,
    remark_on_version,
)
from ..shapes import decoded as shapes
from ..shapes.shape import json_line
from .json_value import FIXED, error_name_of, json_value


def report(examined: Examined, around: Around = NOTHING) -> shapes.Decoded:
    """Return the report on one message and its verdict; see `decoded_report`, and for bytes that
    resemble no message `unread_report`."""
    if not examined.identified:
        data = examined.decoded.data
        return unread_report(data, None, resembles_nothing(data))
    line = decoded_report(examined.decoded, examined.error, around, with_fields=True)
    line.opened += map(opened_report, open_committed(examined.decoded))
    line.rivals = list(examined.rivals)
    line.note = examined.repair or examined.doubt or examined.remark or line.note
    return line


def message_line(
    examined: Examined, hide: Callable[[Any], Any] | None, *, with_bytes: bool = False
) -> bytes:
    """Return the line of `kproto decode --json` for a message, without its place
    (`placed_line`). `hide` is for --redact, `with_bytes` for --bytes."""
    line = report(examined)
    if hide is not None:
        line.fields = []  # their values would have to be hidden one by one
        return json_line(hide(to_builtins(line)))
    line.hex = examined.decoded.data.hex() if with_bytes else ""
    return json_line(line)


def placed_line(about: dict[str, Any], line: bytes) -> bytes:
    """Return the line of a message with its place, by the fields of `Input`: a `shapes.Message`."""
    return json_line(shapes.Input(**about))[:-1] + b"," + line[1:]


def fields_read(decoded: Decoded[Any], deviations: Iterable[Deviation]) -> list[shapes.FieldRead]:
    """Return the fields that were read, of refused bytes too; none of a message that is too large
    to be taken apart."""
    if is_large(decoded):
        return []
    codes: dict[str, list[str]] = {}
    for deviation in deviations:
        codes.setdefault(deviation.path, []).append(deviation.code)
    return [
        shapes.FieldRead(
            path=node.path,
            type=node.type,
            start=node.start,
            end=node.end,
            value=json_value(node) if node.complete or node.children else None,
            complete=node.complete,
            codes=codes.get(node.path, []),
        )
        for node in _leaves(decoded.fields, codes)
    ]


def _leaves(nodes: Iterable[FieldNode], paths: Container[str]) -> Iterator[FieldNode]:
    """The fields without fields of their own, and those with one of the paths; arrays of numbers as
    a whole."""
    for node in nodes:
        is_leaf = not node.children or node.type.removeprefix("[]") in FIXED
        if is_leaf or node.path in paths:
            yield node
        if not is_leaf:
            yield from _leaves(node.children, paths)


def decoded_report(
    decoded: Decoded[Any],
    error: DecodeError | None,
    around: Around = NOTHING,
    *,
    with_fields: bool = False,
    with_bytes: bool = False,
) -> shapes.Decoded:
    """Return the report on one message; `error` is why it was refused. `with_fields`: with the
    fields of the message, and of those inside of it; else with its own alone, and only where it was
    refused or deviates, but in style: of a message that is whole, `message` has them all.
    `with_bytes`: with the bytes in hex.

    `message` is Kafka's JSON form at `schema_version`, None if the message was not read completely.
    `note` says so where a message is too large to be searched for deviations.
    """
    parts = open_inside(decoded, around)
    message, tags = _message(decoded)
    deviations = all_deviations(decoded, parts, around)
    is_odd = error is not None or any(deviation.class_ != "style" for deviation in deviations)
    return shapes.Decoded(
        name=decoded.message_class.NAME,
        version=decoded.version,
        schema_version=decoded.schema_version,
        message=message,
        remainder=decoded.remainder.hex(),
        deviations=list(map(deviation_shape, deviations)),
        error=None if error is None else error_shape(error),
        unknown_tagged_fields=tags,
        opened=[opened_report(inside, with_fields=with_fields) for inside in parts],
        note=NOT_JUDGED if is_large(decoded) else remark_on_version(decoded),
        error_names=error_names(decoded),
        fields=fields_read(decoded, deviations) if with_fields or is_odd else [],
        hex=decoded.data.hex() if with_bytes else "",
    )


def error_names(decoded: Decoded[Any]) -> dict[str, str]:
    """Return the names of the error codes that are not 0, by path; none of a message that is too
    large to be taken apart."""
    names: dict[str, str] = {}
    waiting = [] if is_large(decoded) else list(reversed(decoded.fields))
    while waiting:
        node = waiting.pop()
        waiting += reversed(node.children)
        if name := error_name_of(node):
            names[node.path] = name
    return names


def opened_report(opened: Opened, *, with_fields: bool = False) -> shapes.Inside:
    """Return the report on what is inside a field, and inside of that; offsets count from its own
    first byte.

    For bytes that are no message, `name` says what they are ("JSON", "text"), `version` is None and
    `message` is the text or the JSON value. `rivals` are the readings that fit as well, `note` says
    what is odd about the chosen one.
    """
    inside = shapes.Inside(
        path=opened.path,
        name=opened.name,
        version=opened.version,
        message=opened.value,
        deviations=[],
        error=None,
        opened=[opened_report(inside, with_fields=with_fields) for inside in opened.opened],
        rivals=list(opened.rivals),
        note=opened.note,
    )
    decoded = opened.decoded
    if decoded is not None:
        deviations = all_deviations(decoded, opened.opened, opened.around)
        inside.deviations = list(map(deviation_shape, deviations))
        inside.error = None if decoded.error is None else error_shape(decoded.error)
        inside.message, inside.unknown_tagged_fields = _message(decoded)
        if not inside.note and is_large(decoded):
            inside.note = NOT_JUDGED
        if with_fields:
            inside.fields = fields_read(decoded, deviations)
            inside.error_names = error_names(decoded)
    return inside


def unread_report(data: bytes, kind: str | None, explanation: str) -> shapes.Decoded:
    """Return the report on bytes without a known definition; all of them are `remainder`."""
    return shapes.Decoded(
        name=None,
        version=None,
        schema_version=None,
        message=None,
        remainder=data.hex(),
        deviations=[],
        error=unread_error(kind, explanation),
    )


def unread_error(kind: str | None, explanation: str) -> shapes.Error:
    """Return the error of bytes without a known definition."""
    return shapes.Error(kind=kind, offset=0, path="", explanation=explanation)


def _message(decoded: Decoded[Any]) -> tuple[dict[str, Any] | None, list[shapes.TaggedField]]:
    message: Message | None = decoded.message
    if message is None:
        return None, []
    version = HEAD if decoded.schema_version is None else decoded.schema_version
    flexible = layout_of(type(message), version).flexible
    tags = unknown_tags_to_json(message, version) if flexible else []
    return to_json(message, version), [shapes.TaggedField(**tag) for tag in tags]


def deviation_shape(deviation: Deviation) -> shapes.Deviation:
    """Return a deviation as it is printed."""
    return shapes.Deviation(
        code=deviation.code,
        class_=deviation.class_,
        offset=deviation.offset,
        path=deviation.path,
        count=deviation.count,
        explanation=deviation.explanation,
    )


def error_shape(error: DecodeError) -> shapes.Error:
    """Return an error as it is printed."""
    return shapes.Error(
        kind=error.kind.value, offset=error.offset, path=error.path, explanation=error.reason
    )
