"""User data that is no message: text, JSON, either of them compressed.

User data may be anything. Faust writes JSON, and compresses it in assignments; Sarama passes on
what its user configured; the schema registry writes JSON in a group of its own protocol type.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

import msgspec

MAX_INFLATED = 1 << 20
"""The most bytes that compressed user data may have once inflated; larger data is not read."""
MAX_DEPTH = 64
"""Levels of nesting in a JSON value; JSON that is nested deeper is taken for text."""

_ZLIB_DEFLATE = 0x78  # deflate, with the window that everybody uses
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_NEITHER = object()


class UserText(NamedTuple):
    """Bytes that are no message: `name` says what they are ("text", "JSON", "zlib-compressed
    JSON", …), `value` is the text or JSON value, None where it is not known or too large."""

    name: str
    value: Any


def user_text(data: bytes) -> UserText | None:
    """Return what `data` is, if it is not so by accident; None for bytes that are neither text
    nor compressed."""
    if data.startswith(_GZIP):
        return _inflated(data, "gzip", wbits=31)
    if data.startswith(_ZSTD):
        return _of_zstd(data)
    if data[:1] and data[0] == _ZLIB_DEFLATE and int.from_bytes(data[:2], "big") % 31 == 0:
        return _inflated(data)
    return _written(data)


def _of_zstd(data: bytes) -> UserText | None:
    import cramjam  # late: few inputs are compressed with zstd

    room = bytearray(MAX_INFLATED)
    try:
        size = cramjam.zstd.decompress_into(data, room)
    except cramjam.DecompressionError:
        name = f"zstd-compressed data of more than {MAX_INFLATED:,} bytes, or damaged"
        return UserText(name, None)
    return _compressed("zstd", bytes(room[:size]))


def _inflated(data: bytes, name: str = "zlib", wbits: int = zlib.MAX_WBITS) -> UserText | None:
    reader = zlib.decompressobj(wbits)
    try:
        content = reader.decompress(data, MAX_INFLATED)
        if not reader.eof and reader.decompress(reader.unconsumed_tail, 1):
            return UserText(f"{name}-compressed data of more than {MAX_INFLATED:,} bytes", None)
    except zlib.error:
        return _written(data)
    if not reader.eof or reader.unused_data:
        return _written(data)
    return _compressed(name, content)


def _compressed(name: str, content: bytes) -> UserText:
    inside = _written(content)
    name = f"{name}-compressed {inside.name if inside else 'data'}"
    return UserText(name, inside and inside.value)


def _written(data: bytes) -> UserText | None:
    if data[:1] in (b"{", b"["):
        value = _json(data)
        if value is not _NEITHER:
            return UserText("JSON", value)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    plain = all(char.isprintable() or char in "\t\r\n" for char in text)
    return UserText("text", text) if text and plain else None


def _json(data: bytes) -> Any:
    try:
        value = msgspec.json.decode(data)
        msgspec.json.encode(value)  # a number may be too large for it
    except (ValueError, OverflowError, RecursionError):
        return _NEITHER
    return value if _shallow(value, MAX_DEPTH) else _NEITHER


def _shallow(value: Any, levels: int) -> bool:
    """Whether a value has at most so many levels, so that it can be put inside others."""
    if not isinstance(value, dict | list):
        return True
    items = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_shallow(item, levels - 1) for item in items)
