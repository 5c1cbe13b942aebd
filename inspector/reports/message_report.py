"""What `kproto decode --json` prints of one decoded message: `inspector.shapes.decoded.Decoded`.

`message` has the bytes that members exchange in base64, as Kafka prints them; `opened` has what is
inside of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict

from ... import capture
from ...codec.dialect.layout import HEAD
from ...codec.errors import DecodeError
from ...codec.json_form import to_json, unknown_tags_to_json
from ...codec.read.decoding import Decoded
from ...codec.read.deviations import Deviation
from ...codec.read.diagnostic_reader import FieldNode
from ...codec.runtime.message import Message
from ...codec.runtime.registry import layout_of
from ..identification import Examined, resembles_nothing
from ..opening import (
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
from .json_value import FIXED, json_value


def report(examined: Examined, around: Around = NOTHING) -> shapes.Decoded:
    """Return the report on one message and its verdict; see `decoded_report`, and for bytes that
    resemble no message `unread_report`."""
    if not examined.identified:
        data = examined.decoded.data
        return unread_report(data, None, resembles_nothing(data))
    made = decoded_report(examined.decoded, examined.error, around)
    made.opened += map(opened_report, open_committed(examined.decoded))
    made.fields = fields_read(examined.decoded)
    return made


def message_line(
    about: dict[str, Any], examined: Examined, hide: Callable[[Any], Any] | None
) -> Any:
    """Return the line of `kproto decode --json` for a message. `about` is its place, by the fields
    of `Input`; `hide` is for --redact."""
    line = report(examined)
    if hide is None:
        return shapes.Message(**about, **asdict(line))
    line.fields = []  # their values would have to be hidden one by one
    return to_builtins(shapes.Input(**about)) | hide(to_builtins(line))


def fields_read(decoded: Decoded[Any]) -> list[shapes.FieldRead]:
    """Return the fields that were read, of refused bytes too; none of a message that is too large
    to be taken apart."""
    if is_large(decoded):
        return []
    codes: dict[str, list[str]] = {}
    for deviation in decoded.deviations:
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
        for node in _leaves(decoded.fields)
    ]


def _leaves(nodes: Iterable[FieldNode]) -> Iterator[FieldNode]:
    """The fields without fields of their own; arrays of numbers as a whole."""
    for node in nodes:
        if node.children and node.type.removeprefix("[]") not in FIXED:
            yield from _leaves(node.children)
        else:
            yield node


def decoded_report(
    decoded: Decoded[Any], error: DecodeError | None, around: Around = NOTHING
) -> shapes.Decoded:
    """Return the report on one message; `error` is why it was refused.

    `message` is Kafka's JSON form at `schema_version`, None if the message was not read completely.
    `note` says so where a message is too large to be searched for deviations.
    """
    opened = open_inside(decoded, around)
    message, tags = _message(decoded)
    return shapes.Decoded(
        name=decoded.message_class.NAME,
        version=decoded.version,
        schema_version=decoded.schema_version,
        message=message,
        remainder=decoded.remainder.hex(),
        deviations=list(map(deviation_shape, all_deviations(decoded, opened, around))),
        error=None if error is None else error_shape(error),
        unknown_tagged_fields=tags,
        opened=list(map(opened_report, opened)),
        note=NOT_JUDGED if is_large(decoded) else remark_on_version(decoded),
        error_names={} if is_large(decoded) else dict(_error_names(decoded)),
    )


def _error_names(decoded: Decoded[Any]) -> Iterator[tuple[str, str]]:
    """Path and name of the error codes of a response that are not 0."""
    if decoded.message_class.NAME.endswith("Response"):
        waiting = list(reversed(decoded.fields))
        while waiting:
            node = waiting.pop()
            waiting += reversed(node.children)
            if node.name == "error_code" and node.value:
                yield node.path, capture.error_name(node.value)


def opened_report(opened: Opened) -> shapes.Inside:
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
        opened=list(map(opened_report, opened.opened)),
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
        error=shapes.Error(kind=kind, offset=0, path="", explanation=explanation),
    )


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
