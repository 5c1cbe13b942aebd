"""Read lists of numbers, as programs print byte arrays and as source code writes them.

`[0, 3, -1]` (Java's Arrays.toString), `[0 3 255]` (Go's %v), `{0x00, 0x03}` (C),
`new byte[] {0, (byte) 0xff}`, `Uint8Array(4) [ 0, 3, 255, 1 ]`, `byteArrayOf(0, -1)`: numbers from
-128 to 255 in brackets, or in parentheses behind a name. A list with negative numbers and numbers
above 127 is no list of bytes in any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ..errors import CaptureError
from .blocks import PerLine, blocks
from .reading import Chunk, Found, Places, Reader, check_size

__all__ = ["READERS", "Listing", "find", "numbers", "read_listings"]

# A bracket with no other bracket or quote inside: found in one pass, judged afterwards.
_BRACKETED = re.compile(r"[\[{](?=\s*+[-+(.\]}0-9])(?P<body>[^\[\]{}\"'`<>]*+)[\]}]")

_CALLED = re.compile(
    r"(?<!\w)(?:byteArrayOf|Array(?:\[Byte\])?|ByteString|(?:ArraySeq|WrappedArray|Vector|List)(?:\[Byte\])?)"
    r"\((?P<body>[-+0-9a-fA-FxX,\s]++)\)"
)

_DIGITS = r"(?:0[xX][0-9a-fA-F]{1,2}|0[oO][0-7]{1,3}|[0-9]{1,3})(?:u8|i8)?(?![\w.])"
_NUMBER = rf"(?:\(\s*byte\s*\)\s*)?[-+]?{_DIGITS}"
_BODY = re.compile(
    rf"\s*+(?:{_NUMBER}(?>(?:\s*+,\s*+{_NUMBER})+|(?:\s++{_NUMBER})*))?\s*+,?\s*+"
    r"(?:\.\.\.(?:\s*(?P<cut>[0-9]{1,12}) more items?)?\s*)?"
)
_CAST = re.compile(r"\(\s*byte\s*\)\s*")
_WORD = re.compile(r"[-+]?\w++")
_HEX_PAIR = re.compile(r"(?<![\w.])0[0-9](?![\w.])")

# What may come before the bracket and belongs to the list, by the language that it tells.
_FRONT = re.compile(
    r"(?:(?P<java>new\s+byte\s*\[\s*\]\s*)"
    r"|(?P<go>\[\s*[0-9]{0,9}\s*\](?:byte|uint8|int8)\s*)"
    r"|(?P<javascript>(?:(?:Uint8|Int8|Uint8Clamped)Array|Buffer)(?:\.from)?"
    r"\s*(?:\((?P<count>[0-9]{1,9})\))?\s*(?:\[Uint8Array\])?\s*\(?"
    r"|\{\s*\"type\"\s*:\s*\"Buffer\"\s*,\s*\"data\"\s*:\s*)"
    r"|(?P<python>(?:bytes|bytearray)\s*\(\s*)"
    r"|(?P<c>(?:unsigned\s+char|uint8_t|char|u_char)\s+\w{1,80}\s*\[\s*\w{0,80}\s*\]\s*=\s*))$"
)
_FRONT_LENGTH = 200
_FRONT_WORDS = ("byte", "int8", "Array", "Buffer", "char")
_OCTAL = {"java", "go", "javascript", "c"}


_NAMES = ("byteArrayOf(", "Array(", "Array[Byte](", "ByteString(", "Seq(", "Vector(", "List(")


class Listing(NamedTuple):
    """A list of bytes in a text: its span, its bytes, and the number of items that were left out.

    `marked`: the text around it says that its numbers are bytes.
    """

    start: int
    end: int
    data: bytes
    cut: int | None
    language: str
    marked: bool = False


def numbers(body: str, *, octal: bool) -> tuple[bytes, int | None] | None:
    """Return the bytes of a list's content and the number of items that were left out; None if it
    is no list of bytes.
    """
    match = _BODY.fullmatch(body)
    if match is None or (not octal and _HEX_PAIR.search(body)):  # `[00 04 74]` is hex
        return None
    cut: int | None = 0
    if "..." in body:
        cut = int(match["cut"]) if match["cut"] else None
        body = body[: body.index("...")]
    cast = "(" in body
    values = bytearray()
    low = high = 0
    for word in _WORD.finditer(_CAST.sub("", body) if cast else body):
        value = _value(word[0], octal=octal)
        low, high = min(low, value), max(high, value)
        values.append(value & 0xFF)
    if low < -128 or high > 255 or (low < 0 and high > 127 and not cast):
        return None
    return bytes(values), cut


def _value(word: str, *, octal: bool) -> int:
    digits = word.lstrip("+-").removesuffix("u8").removesuffix("i8")
    if digits[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif digits[1:2] in ("o", "O") or (
        octal and digits[0] == "0" and digits.strip("01234567") == ""
    ):
        value = int(digits, 8)
    else:
        value = int(digits)
    return -value if word[0] == "-" else value


def _listing(text: str, match: re.Match[str], after: int = 0) -> Listing | None:
    """The list of bytes at a match of `_BRACKETED`, with the words before it that belong to it."""
    start = match.start()
    front = _front(text[max(after, start - _FRONT_LENGTH) : start])
    if front is None and _is_index(text, match):
        return None
    language = _language(front)
    body = match["body"]
    read = numbers(body, octal=language in _OCTAL)
    if read is None:
        return None
    data, cut = read
    if front:
        start -= len(front[0])
        if front["count"] and cut == 0:
            cut = max(0, int(front["count"]) - len(data))
    end = match.end()
    if front:
        closing = re.compile(r"\s*[})]").match(text, end)
        if front[0].rstrip().endswith(("(", ":")) and closing:
            end = closing.end()
    marked = bool(language) or "byte" in body
    return Listing(start, end, data, cut, language or _guess(match[0]), marked)


def _front(text: str) -> re.Match[str] | None:
    return _FRONT.search(text) if any(word in text for word in _FRONT_WORDS) else None


def _language(front: re.Match[str] | None) -> str:
    named = front.groupdict() if front else {}
    return next((name for name, found in named.items() if found and name != "count"), "")


def _is_index(text: str, match: re.Match[str]) -> bool:
    """Whether the brackets hold a size or an index and no list: `x[37]`, `[37]byte`."""
    before = text[match.start() - 1 : match.start()] if match.start() else ""
    beyond = text[match.end() : match.end() + 1]
    return match[0][0] == "[" and (
        before.isalnum() or before in ("_", "]") or beyond.isalnum() or beyond == "_"
    )


def _guess(text: str) -> str:
    """The likeliest language of a list without marks; the bytes do not depend on it."""
    if "byte" in text:
        return "java"
    if "0x" in text and text[0] == "{":
        return "c"
    if "," not in text and " " in text.strip("[] "):
        return "go"
    return "java" if "-" in text else "ints"


def find(text: str) -> Iterator[Listing]:
    """Yield all lists of bytes in a text."""
    if "(" in text and any(name in text for name in _NAMES):
        called = list(_called(text))
        yield from called
        if called:
            return
    after = 0
    for match in _BRACKETED.finditer(text):
        found = _listing(text, match, after)
        if found and (found.data or found.cut != 0):
            yield found
            after = found.end


def _called(text: str) -> Iterator[Listing]:
    """The lists in parentheses, as Kotlin and Scala write and print them."""
    for match in _CALLED.finditer(text):
        if (read := numbers(match["body"], octal=False)) is not None and read[0]:
            yield Listing(match.start(), match.end(), *read, "java", True)


def read_listings(
    text: str, listings: Iterable[Listing], form: str, between: str, max_bytes: int, *, whole: bool
) -> Found:
    """Return the chunks of `listings`, with the place of the first text around them that has other
    characters than `between`; with `whole` reading stops there.
    """
    chunks: list[Chunk] = []
    places = Places(text)
    rest: tuple[int, int] | None = None
    end = 0
    for listing in listings:
        if rest is None and text[end : listing.start].strip(between):
            rest = places.at(end)
            if whole:
                return Found(chunks, rest)
        line, column = places.at(listing.start)
        check_size(len(listing.data), max_bytes, line)
        label = places.label(listing.start, end)
        chunks.append(Chunk(listing.data, form, line, column, label, listing.cut))
        end = listing.end
    if rest is None and text[end:].strip(between):
        rest = places.at(end)
    return Found(chunks, rest)


class _Ints:
    """The reader of `ints`: each list in brackets is a message; without brackets, each block."""

    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        listings = find(text)
        first = next(listings, None)
        if first is None:
            return Found([self._bare(*block, max_bytes) for block in blocks(text)])
        listings = chain((first,), listings)
        return read_listings(text, listings, "ints", " \t\r\n,;", max_bytes, whole=whole)

    def _bare(self, line: int, column: int, text: str, max_bytes: int) -> Chunk:
        read = numbers(text, octal=False)
        if read is None:
            raise CaptureError(
                "this is no list of numbers from -128 to 127 or from 0 to 255",
                line=line,
                column=column,
            )
        data, cut = read
        check_size(len(data), max_bytes, line)
        return Chunk(data, "ints", line, column, cut=cut)

    def write(self, data: bytes) -> str:
        return str(list(data))


READERS: dict[str, Reader] = {"ints": _Ints(), "ints-lines": PerLine(_Ints(), "ints-lines")}
