"""Whether a reading of bytes as a message is credible at all, and what other files begin like.

Identification ranks readings; this module drops those that any bytes would give. A picture or a
program has a version label, too, if its first two bytes are taken for one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...codec.errors import DecodeError, ErrorKind
from ...codec.read.decoded import read_fields
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.read.diagnostic_reader import FieldNode
from ...codec.read.version_label import VersionLabel

SHORT = 64
"""Bytes up to which a known label is enough: people write such bytes by hand, and cut them."""
LOOKED_INTO = 64 << 10
"""Bytes of the beginning that are looked into for text: more than one string can have."""
NEWER = 256
"""Labels from here on are hardly versions of a client to come: the fields have to show it."""
HIGHEST = 0x7FFF
"""The highest label of all, which tests of clients use for "newer than any"."""
_READABLE = 0.8  # of the characters of a message's text, at least
_UNREAD = 4  # a cut field of bytes is at most so many times as long as what is there

_BEGINNINGS = (
    (b"\x7fELF", "an ELF program or library"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\xca\xfe\xba\xbe", "a Java class"),
    (b"\xac\xed\x00\x05", "a serialized Java object"),
    (b"PAR1", "a parquet file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x00asm", "a WebAssembly module"),
    (b"Obj\x01", "an Avro file"),
    (b"\x1f\x8b\x08", "a gzip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"!<arch>\n", "an ar archive"),
)


def begins_like(data: bytes) -> str | None:
    """Return what kind of file begins with these bytes, with its article; None if not known."""
    return next((kind for magic, kind in _BEGINNINGS if data.startswith(magic)), None)


def resembles_nothing(data: bytes) -> str:
    """Return the sentence about bytes that were not identified."""
    kind = begins_like(data)
    beginning = "" if kind is None else f"; they begin like {kind}"
    return f"the bytes resemble no built-in message{beginning}"


def is_credible(seen: Decoded[Any]) -> bool:  # noqa: PLR0911  # a rule each
    """Return whether `seen`, decoded under LENIENT, is more than any bytes would give."""
    version, cls = seen.version, seen.message_class
    if version is None:
        return bool(len(seen.data) < cls.FRAMING.header_bytes)
    if begins_like(seen.data) is not None and (cls.FRAMING.kind == "none" or not _whole(seen)):
        return False
    if version < 0:
        return _negative_label(seen, version)
    if NEWER <= version < HIGHEST:
        return seen.complete and _has_text(seen)
    if _whole(seen) or (version in cls.VERSIONS and len(seen.data) <= SHORT):
        return True
    if seen.complete and seen.version != seen.schema_version:
        return 2 * len(seen.remainder) <= len(seen.data) or _has_text(seen)
    return _has_text(seen) or (seen.error is not None and _cut_in_bytes(seen.error, seen))


def _whole(seen: Decoded[Any]) -> bool:
    """Return whether the fields of the label's own version take every byte."""
    if seen.complete:
        return not seen.remainder and seen.version == seen.schema_version
    return seen.as_older_body is not None


def _negative_label(seen: Decoded[Any], version: int) -> bool:
    """Return whether the bytes are a message but for a label below 0."""
    if version >= -2 and len(seen.data) <= SHORT:
        return True
    cls = seen.message_class
    return any(_fits(seen, VersionLabel(number, number, 2, newer=False)) for number in cls.VERSIONS)


def _fits(seen: Decoded[Any], label: VersionLabel) -> bool:
    try:
        return read_fields(seen.message_class, seen.data, label)[1] == len(seen.data)
    except DecodeError:
        return False


def _has_text(seen: Decoded[Any]) -> bool:
    """Return whether text was read, nearly all of it readable."""
    head = seen
    if len(seen.data) > LOOKED_INTO:
        body = seen.version if seen.message_class.FRAMING.kind == "none" else None
        beginning = seen.data[:LOOKED_INTO]
        head = decode(beginning, seen.message_class, policy=Policy.LENIENT, body_version=body)
    text = "".join(_texts(head.fields))
    readable = sum(character.isprintable() and character != "\ufffd" for character in text)
    return bool(text) and readable >= _READABLE * len(text)


def _texts(nodes: Iterable[FieldNode]) -> Iterable[str]:
    for node in nodes:
        if isinstance(node.value, str):
            yield node.value
        yield from _texts(node.children)


def _cut_in_bytes(error: DecodeError, seen: Decoded[Any]) -> bool:
    """Return whether the input ends inside a field of bytes that need not be much longer."""
    if error.kind is not ErrorKind.TRUNCATED or seen.version not in seen.message_class.VERSIONS:
        return False
    at = error.offset
    size = int.from_bytes(seen.data[at : at + 4], "big", signed=True)
    return error.reason.startswith("bytes of") and size <= _UNREAD * len(seen.data)
