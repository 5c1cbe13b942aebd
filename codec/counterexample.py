"""Counterexamples: bytes that the definition on one side writes and the other misreads.

A rule of `dialect.evolution` says that a change breaks readers or writers; a counterexample proves
it, and can be tried on any other implementation. The message that is written has a distinctive
value in every field of its version.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

from ..wording import counted
from .dialect.evolution import Change
from .dialect.layout import LATEST_FIELD, Layout, Slot, has_latest
from .errors import DecodeError, EncodeError
from .read.decoding import decode
from .runtime.message import Message, MessagePart
from .runtime.registry import layout_of


class Counterexample(NamedTuple):
    """Bytes that one side writes and the other does not read as they are meant.

    `writer` ("old" or "new") is the side that writes `data` as `version`. `outcome` is what happens
    on the other side: its error, or the first field with another value. `counterpart` is what the
    other side writes instead, and so what it expects; None where it writes no such version.
    The bytes are the fields alone; where `framed`, with the label in front.
    """

    writer: str
    version: int
    data: bytes
    outcome: str
    counterpart: bytes | None
    framed: bool = False


def find_counterexample(
    change: Change, old: type[Message], new: type[Message]
) -> Counterexample | None:
    """Return bytes that prove that `change` breaks a reader; None where none were found."""
    if change.rule in ("framing", "api-key"):
        return _framed(old, new)
    version = change.version
    if version is None:
        return None
    null = change.path if change.rule in ("nullability", "null-for-old-readers") else ""
    for side, writer, reader in _sides(change, old, new):
        data = _message_bytes(writer, version, null)
        if data is not None:
            outcome = _outcome(writer, reader, version, data, change.reader)
            if outcome:
                reader_version = version if change.reader is None else change.reader
                return Counterexample(
                    side, version, data, outcome, _message_bytes(reader, reader_version, "")
                )
    return None


def _framed(old: type[Message], new: type[Message]) -> Counterexample | None:
    """Try messages with their label: of the newest common version, and of one beyond all."""
    common = old.VERSIONS & new.VERSIONS
    beyond = max(old.LATEST, new.LATEST) + 1
    for version in (common.highest, beyond) if common else ():
        for side, writer, reader in (("old", old, new), ("new", new, old)):
            data, reader_data = _full_message(writer, version), _full_message(reader, version)
            if not _refusal(writer, data, version):
                outcome = _refusal(reader, data, version)
                if outcome:
                    return Counterexample(side, version, data, outcome, reader_data, framed=True)
    return None


def _full_message(cls: type[Message], version: int) -> bytes:
    """Return an empty message labelled `version`, which need not be one of the class's."""
    number = min(version, cls.LATEST)
    body = sample(cls, number, empty=True).to_body(number)
    match cls.FRAMING.kind:
        case "version":
            return version.to_bytes(2) + body
        case "record-type":
            return (cls.API_KEY or 0).to_bytes(2) + body
        case "version32":
            labels = 1 + has_latest(layout_of(cls, number))
            return version.to_bytes(4) * labels + body[4 * labels :]
        case _:
            return body


def _refusal(cls: type[Message], data: bytes, version: int) -> str:
    """Return why a message is refused, or how much is left over; "" if it is read to its end."""
    body_version = min(version, cls.LATEST) if cls.FRAMING.kind == "none" else None
    try:
        reading = decode(data, cls, body_version=body_version)
    except DecodeError as error:
        return str(error)
    left = 0 if reading.version != reading.schema_version else len(reading.remainder)
    return f"{counted(left, 'byte')} left over" if left else ""


def _sides(
    change: Change, old: type[Message], new: type[Message]
) -> Iterator[tuple[str, type[Message], type[Message]]]:
    if change.reader is None:
        yield "old", old, new
        yield "new", new, old
    else:  # within the new definition, an older reader of it
        yield "new", new, new


def _message_bytes(cls: type[Message], version: int, null: str) -> bytes | None:
    if version not in cls.VERSIONS:
        return None
    for empty in (False, True):  # full first; a tagged field or a struct may prevent that
        try:
            return sample(cls, version, null=null, empty=empty).to_body(version)
        except EncodeError:
            continue
    return None


def _outcome(
    writer: type[Message], reader: type[Message], version: int, body: bytes, as_version: int | None
) -> str:
    """Return why the reader refuses the body, or what it reads differently; "" if neither."""
    label = version if as_version is None else as_version
    if label not in reader.VERSIONS:
        return f"the reader has no version {label}"
    try:
        reading = decode(body, reader, body_version=label)
    except DecodeError as error:
        return str(error)
    assert reading.message is not None
    writer_value = writer.from_body(body, version).to_json(version)
    return _difference(writer_value, reading.message.to_json(label), "")


def _difference(writer_value: Any, read: Any, path: str) -> str:
    if isinstance(writer_value, dict) and isinstance(read, dict):
        for key in writer_value.keys() & read.keys():
            difference = _difference(writer_value[key], read[key], f"{path}.{key}".lstrip("."))
            if difference:
                return difference
        return ""
    if isinstance(writer_value, list) and isinstance(read, list) and len(writer_value) == len(read):
        pairs = zip(writer_value, read, strict=True)
        differences = (_difference(w, r, f"{path}[{i}]") for i, (w, r) in enumerate(pairs))
        return next(filter(None, differences), "")
    is_same = writer_value == read and isinstance(writer_value, bool) == isinstance(read, bool)
    return "" if is_same else f"{path}: written {writer_value!r:.60}, read {read!r:.60}"


# -- messages with a distinctive value in every field

_VALUES: dict[str, Any] = {
    "bool": True,
    "uint16": 0xFFFF,  # the same bytes are another number with a sign
    "uint32": 0xFFFFFFFF,
    "float64": 1.5,
    "uuid": UUID(int=1),
    "string": "text",
    "modified-utf-8": "text",
    "utf-16": "text",
    "bytes": b"bytes",
    "records": b"records",
}


def sample(cls: type[Message], version: int, *, null: str = "", empty: bool = False) -> Message:
    """Return a message of `version` with a distinctive value in every field.

    The field at `null` (in the definition's spelling, "OwnedPartitions.Topic") is null. `empty`
    leaves array elements and tagged fields out.
    """
    fields = _fields(layout_of(cls, version), cls, null, empty)
    if cls.FRAMING.kind == "version32":
        fields["version"] = version
        if LATEST_FIELD in fields:
            fields[LATEST_FIELD] = version
    return cls(**fields)


def _fields(layout: Layout, cls: type[Message], null: str, empty: bool) -> dict[str, Any]:
    slots = layout.slots if empty else (*layout.slots, *layout.tagged)
    return {
        slot.field.snake: _value(slot, number, cls, null, empty)
        for number, slot in enumerate(slots, start=1)
    }


def _value(slot: Slot, number: int, cls: type[Message], null: str, empty: bool) -> Any:
    name, _, rest = null.partition(".")
    if name == slot.field.name and not rest:
        return None
    below = rest if name == slot.field.name else ""
    value = _element(slot, number, cls, below, empty)
    if slot.field.type.array:
        return () if empty else (value,)
    return value


def _element(slot: Slot, number: int, cls: type[Message], null: str, empty: bool) -> Any:
    if slot.element is None:
        return _VALUES.get(slot.base, number)
    assert slot.element.struct is not None
    part: type[MessagePart] = getattr(cls, slot.element.struct.class_name)
    return part(**_fields(slot.element, cls, null, empty))
