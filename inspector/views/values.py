"""Values as one line of text, in which null, empty and quoted text cannot be mixed up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from ...codec.runtime.message import MessagePart, RawTaggedField
from ...codec.wire.uuids import format_uuid
from ...escaping import escaped
from .theme import Glyphs

if TYPE_CHECKING:
    from ..open.opening import Opened

TEXT_SHOWN = 120  # characters of a string, where it is folded
BYTES_SHOWN = 16  # bytes of a bytes field
NUMBERS_SHOWN = 24  # elements of an array of numbers


def value_text(value: Any, glyphs: Glyphs, *, full: bool) -> str:
    """Return the text of a value that is neither a struct nor an array of structs or strings."""
    match value:
        case None | True | False:
            text = {None: "null", True: "true", False: "false"}[value]
        case str():
            text = _string(value, glyphs, full)
        case bytes():
            text = bytes_text(value, glyphs, full=full)
        case tuple():
            text = _numbers(value, glyphs, full)
        case UUID():
            text = format_uuid(value)
        case dict() | MessagePart() if not isinstance(value, RawTaggedField):
            text = "none"  # a tag section without tags, a struct without fields
        case RawTaggedField():
            text = f"tag {value.tag}: {bytes_text(value.data, glyphs, full=full)}"
        case _:
            text = str(value)
    return text


def bytes_text(value: bytes, glyphs: Glyphs, *, full: bool) -> str:
    """Return bytes as text, cut short unless `full`: `3 bytes: 00 01 02`."""
    if not value:
        return "0 bytes"
    part = value if full else value[:BYTES_SHOWN]
    cut = "" if len(part) == len(value) else f" {glyphs.ellipsis}"
    return f"{count(len(value), 'byte')}: {part.hex(' ')}{cut}"


def opened_text(inner: Opened, glyphs: Glyphs) -> str:
    """Return what a payload was opened as: `StickyAssignorUserData v1 (or …)`, `text "lab-1"`."""
    others = f" (or {', '.join(inner.rivals)})" if inner.rivals else ""
    if inner.decoded is None:
        return f"{inner.name}{others}{_user_text(inner.value, glyphs)}"
    version = "" if inner.version is None else f" v{inner.version}"
    note = f"; {inner.note}" if inner.note else ""
    error = inner.decoded.error
    failed = "" if error is None else f", not complete: {error}"
    return f"{inner.name}{version}{failed}{others}{note}"


def _user_text(value: Any, glyphs: Glyphs) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f" {_string(text, glyphs, full=False)}"


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 byte`, `2 bytes`, `1,000 bytes`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _string(value: str, glyphs: Glyphs, full: bool) -> str:
    part = value if full else value[:TEXT_SHOWN]
    text = f'"{escaped(part, ascii_only=glyphs.ascii_only)}"'
    if len(part) == len(value):
        return text
    return f"{text}{glyphs.ellipsis} {len(value):,} characters"


def _numbers(values: tuple[Any, ...], glyphs: Glyphs, full: bool) -> str:
    part = values if full else values[:NUMBERS_SHOWN]
    items = [value_text(value, glyphs, full=full) for value in part]
    if len(part) < len(values):
        items.append(f"{glyphs.ellipsis} {len(values) - len(part):,} more")
    return f"[{', '.join(items)}]"
