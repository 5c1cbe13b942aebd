"""Bytes that show a break: one side writes them, the other reads them, and it goes wrong.

A rule says that a change breaks somebody; a witness is the proof that a person can hold against
any other reader. The writer's message has a telling value in every field of its version.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

from .built_in import layout_of
from .decoding import decode
from .errors import DecodeError, EncodeError
from .evolution import Change
from .layout import LATEST_FIELD, Layout, Slot
from .message import Message, MessagePart


class Witness(NamedTuple):
    """`writer` ("old" or "new") writes `data` as `version`; `outcome` is what the other side makes
    of it: its error, or the first field that it reads as something else."""

    writer: str
    version: int
    data: bytes
    outcome: str


def witness(change: Change, old: type[Message], new: type[Message]) -> Witness | None:
    """Bytes that show `change`; None where there are none, or it is about no single version."""
    version = change.version
    if version is None:
        return None
    null = change.path if change.rule in ("nullability", "null-for-old-readers") else ""
    for writer, one, other in _sides(change, old, new):
        data = _written(one, version, null)
        if data is not None:
            outcome = _outcome(one, other, version, data, change.reader)
            if outcome:
                return Witness(writer, version, data, outcome)
    return None


def _sides(
    change: Change, old: type[Message], new: type[Message]
) -> Iterator[tuple[str, type[Message], type[Message]]]:
    if change.reader is None:
        yield "old", old, new
        yield "new", new, old
    else:  # within the new definition, an older reader of it
        yield "new", new, new


def _written(cls: type[Message], version: int, null: str) -> bytes | None:
    if version not in cls.VERSIONS:
        return None
    for empty in (False, True):  # full first; a tag or a struct may stand in the way
        try:
            return sample(cls, version, null=null, empty=empty).to_body(version)
        except EncodeError:
            continue
    return None


def _outcome(
    writer: type[Message], reader: type[Message], version: int, body: bytes, as_version: int | None
) -> str:
    """Why the reader cannot read it, or what it reads differently; "" if all is well."""
    label = version if as_version is None else as_version
    if label not in reader.VERSIONS:
        return f"the reader has no version {label}"
    try:
        seen = decode(body, reader, body_version=label)
    except DecodeError as error:
        return str(error)
    assert seen.message is not None
    written = writer.from_body(body, version).to_json(version)
    return _difference(written, seen.message.to_json(label), "")


def _difference(written: Any, read: Any, path: str) -> str:
    if isinstance(written, dict) and isinstance(read, dict):
        for key in written.keys() & read.keys():
            found = _difference(written[key], read[key], f"{path}.{key}".lstrip("."))
            if found:
                return found
        return ""
    if isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        pairs = zip(written, read, strict=True)
        each = (_difference(w, r, f"{path}[{i}]") for i, (w, r) in enumerate(pairs))
        return next(filter(None, each), "")
    return "" if written == read else f"{path}: written {written!r:.60}, read {read!r:.60}"


# -- messages with a telling value in every field

_VALUES: dict[str, Any] = {
    "bool": True,
    "float64": 1.5,
    "uuid": UUID(int=1),
    "string": "text",
    "modified-utf-8": "text",
    "utf-16": "text",
    "bytes": b"bytes",
    "records": b"records",
}


def sample(cls: type[Message], version: int, *, null: str = "", empty: bool = False) -> Message:
    """A message of `version` with every field set; the one at `null` (in the definition's
    spelling, "OwnedPartitions.Topic") is null. `empty` leaves arrays and tagged fields out."""
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
    one = _one(slot, number, cls, below, empty)
    if slot.field.type.array:
        return () if empty else (one,)
    return one


def _one(slot: Slot, number: int, cls: type[Message], null: str, empty: bool) -> Any:
    if slot.element is None:
        return _VALUES.get(slot.base, number)
    assert slot.element.struct is not None
    part: type[MessagePart] = getattr(cls, slot.element.struct.class_name)
    return part(**_fields(slot.element, cls, null, empty))
