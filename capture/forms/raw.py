"""The bytes themselves, and what tells them from text."""

from __future__ import annotations

import re

from ..chunks import Chunk, Content, check_size
from ..form import Form

__all__ = [
    "FORMS",
    "is_binary",
    "is_text",
    "of_its_size",
    "plain_marks",
    "size_in_front",
    "to_text",
]

_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\b\x1b")) + b"\x7f"
_NO_CONTROLS = bytes(set(range(256)) - set(_CONTROLS))
_HEAD = 1 << 16
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ESCAPED_ZERO = re.compile(rb"\\(?:u0000|u\{0+\}|x00|0)")


def to_text(data: bytes) -> str:
    """Return the text of a file; bytes that are no UTF-8 become surrogates."""
    if data[:2] in _UTF16 and is_utf16(data):
        return plain_marks(data.decode("utf-16", "replace"))
    return plain_marks(data.decode("utf-8-sig", "surrogateescape"))


_QUOTES = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033"), '"'),
}
# What a browser's console shows of a typed array behind its items.
_PROPERTIES = re.compile(
    r", buffer: ArrayBuffer\([0-9]+\), byteLength: [0-9]+, byteOffset: [0-9]+, length: [0-9]+"
    r"(?:, Symbol\(Symbol\.toStringTag\): ['\"]\w+['\"])?(?=\])"
)
_PHP_ZERO = "' . \"\\0\" . '"  # var_export has each zero in a literal of its own
# NSData's description, and an array of F#.
_NSDATA = re.compile(r"<(?>(?:[0-9a-f]{8} )+)[0-9a-f]{2,8}>")
_FSHARP = re.compile(r"\[\|(?:[0-9]{1,3}uy(?:; ?|(?=\|\])))+(?:\.\.\.)?\|\]")
_OF_FSHARP = str.maketrans({"|": " ", ";": ",", "u": " ", "y": " "})
_COMMENT = re.compile(r"/\*[^*\n]{0,200}\*/")


def plain_marks(text: str) -> str:
    """Return a text with plain quotes in the place of curly ones, where escapes show that bytes are
    in them; with blanks in the place of comments between numbers, as Wireshark writes them, and of
    what a browser's console shows of an array besides its items."""
    if "\\" in text and not text.isascii():
        text = text.translate(_QUOTES)
    if "/*" in text and "0x" in text:
        text = _COMMENT.sub(_blanks, text)
    if "ArrayBuffer(" in text:
        text = _PROPERTIES.sub(_blanks, text)
    if _PHP_ZERO in text:
        text = _one_literal(text)
    if "[|" in text:
        text = _FSHARP.sub(lambda array: array[0].translate(_OF_FSHARP), text)
    if "<" in text:
        text = _NSDATA.sub(_joined, text)
    return text


def _one_literal(text: str) -> str:
    """A text with the literals of PHP's var_export as one, in which line ends are escapes."""
    text = text.replace(_PHP_ZERO, r"\x00")
    bare = text.strip()
    is_alone = bare[:1] == bare[-1:] == "'" and "'" not in bare[1:-1].replace(r"\'", "")
    return bare.replace("\n", r"\n") if is_alone else text


def _joined(match: re.Match[str]) -> str:
    digits = match[0][1:-1].replace(" ", "")
    return f" {digits} ".ljust(len(match[0]))


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


# PHP's var_dump and serialize(), Redis' protocol: the number of bytes, and the bytes.
_SIZED = re.compile(rb"(?:string\(([0-9]{1,9})\) \"|s:([0-9]{1,9}):\"|\$([0-9]{1,9})\r\n)")
_BEHIND_SIZED = (b"", b'"', b'";')
_SIZE_IN_FRONT = re.compile(rb"(?:string\(|s:)([0-9]{1,9})(?:\) |:)\"\Z")


def of_its_size(data: bytes) -> bytes:
    """Return the bytes that a program has printed behind their number; all of any other bytes."""
    front = _SIZED.match(data.lstrip())
    if front is None:
        return data
    start = len(data) - len(data.lstrip()) + front.end()
    end = start + int(next(filter(None, front.groups())))
    return data[start:end] if data[end:].strip() in _BEHIND_SIZED and end <= len(data) else data


def size_in_front(words: bytes, data: bytes) -> int:
    """Return the number of bytes that PHP has printed behind words and in front of a string, where
    the string's quote is behind so many bytes of the data; 0 for none."""
    number = _SIZE_IN_FRONT.search(words)
    size = int(number[1]) if number else 0
    return size if data[size : size + 1] == b'"' else 0


def is_utf16(data: bytes) -> bool:
    """Return whether bytes are UTF-16, as Windows PowerShell writes it: a byte order mark, then
    every other byte 0."""
    head = data[2:_HEAD]
    zeros = head[1::2] if data[:1] == b"\xff" else head[::2]
    return len(head) >= 2 and not any(zeros)


def is_binary(data: bytes) -> bool:
    """Return whether more than one byte in a hundred is a control character that no text has.

    Of a text in which zeros are escaped, other control characters say nothing: JSON leaves DEL as
    it is, and Lua's `%q` most of them.
    """
    if data[:2] in _UTF16 and is_utf16(data):
        return False
    head = data[:_HEAD]
    if b"\0" not in head and _ESCAPED_ZERO.search(head):
        return False
    return len(head.translate(None, _NO_CONTROLS)) * 100 > len(head)


def is_text(data: bytes) -> bool:
    """Return whether bytes are surely text: valid UTF-8 without a control character."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return not data.translate(None, _NO_CONTROLS)


class _Raw(Form):
    preference = 1200

    def may_begin(self, line: str) -> bool:
        """Return False: any text would be in this form."""
        return False

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        data = text.encode("utf-8", "surrogateescape")
        check_size(len(data), max_bytes)
        return Content([Chunk(data, "raw")])

    def write(self, data: bytes) -> str:
        return data.decode("utf-8", "surrogateescape")


FORMS: tuple[Form, ...] = (_Raw("raw", "the bytes themselves"),)
