"""Text as Java reads and writes it: UTF-8, and the two older forms that Kafka Streams uses.

Bytes that are not UTF-8 become U+FFFD. Python's errors="replace" differs from Java's
`new String(bytes, UTF_8)` in one point: a surrogate code point in three bytes (`ed a0..bf xx`) is
one U+FFFD in Java, with or without its continuation byte, where Python gives two or three.
Source: java.lang.StringCoding, sun.nio.cs.UTF_8.
"""

from __future__ import annotations

import re

# Patterns are compiled when they are first used: few texts need them.
_SURROGATE = rb"\xed[\xa0-\xbf][\x80-\xbf]?"


def decode(raw: bytes) -> str:
    """Return the text of `raw` as Java decodes it; never fails.

    >>> decode(b"a\\xed\\xa0\\x80b\\xffc")
    'a\\ufffdb\\ufffdc'
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return re.sub(_SURROGATE, b"\xff", raw).decode(errors="replace")


# -- Kafka Streams: java.io.DataOutput

_MODIFIED = rb"(?:[\x00-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2})*"


def decode_modified(raw: bytes) -> str:
    r"""Return the text of Java's modified UTF-8 (DataInput.readUTF).

    Each UTF-16 unit takes one to three bytes. Overlong forms are read, as Java does. Raises
    ValueError for anything else.

    >>> decode_modified(b"a\xc0\x80")
    'a\x00'
    """
    if raw.isascii():
        return raw.decode("ascii")
    if not re.fullmatch(_MODIFIED, raw):
        raise ValueError("not modified UTF-8")
    units = bytearray()
    pos = 0
    while pos < len(raw):
        lead = raw[pos]
        size = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3
        unit = lead & (0x7F, 0x1F, 0x0F)[size - 1]
        for byte in raw[pos + 1 : pos + size]:
            unit = unit << 6 | byte & 0x3F
        units += unit.to_bytes(2, "big")
        pos += size
    return decode_utf16(bytes(units))


def encode_modified(text: str) -> bytes:
    r"""Return text in Java's modified UTF-8 (DataOutput.writeUTF), where U+0000 takes two bytes.

    Raises ValueError over 65,535 bytes.

    >>> encode_modified("a\x00")
    b'a\xc0\x80'
    """
    units = encode_utf16(text)
    raw = b"".join(
        _modified_unit(int.from_bytes(units[i : i + 2], "big")) for i in range(0, len(units), 2)
    )
    if len(raw) > 0xFFFF:
        raise ValueError(f"{len(raw)} bytes of modified UTF-8, at most 65535")
    return raw


def _modified_unit(unit: int) -> bytes:
    if 0 < unit < 0x80:
        return bytes((unit,))
    if unit < 0x800:
        return bytes((0xC0 | unit >> 6, 0x80 | unit & 0x3F))
    return bytes((0xE0 | unit >> 12, 0x80 | unit >> 6 & 0x3F, 0x80 | unit & 0x3F))


def decode_utf16(raw: bytes) -> str:
    """Return the text of UTF-16 units, high byte first; a lone surrogate stays, as in Java."""
    return raw.decode("utf-16-be", "surrogatepass")


def encode_utf16(text: str) -> bytes:
    """Return the UTF-16 units of a text, high byte first."""
    return text.encode("utf-16-be", "surrogatepass")
