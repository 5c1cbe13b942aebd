"""Lists of numbers, as programs print byte arrays and as source code writes them.

`[0, 3, -1]` (Java's Arrays.toString), `[0 3 255]` (Go's %v), `{0x00, 0x03}` (C),
`new byte[] {0, (byte) 0xff}`, `Uint8Array(4) [ 0, 3, 255, 1 ]`, `byteArrayOf(0, -1)`: numbers from
-128 to 255 in brackets, or in parentheses behind a name. A list with negative numbers and numbers
above 127 is no list of bytes in any language.

In a log, a list without a word that makes it one of bytes has 12 numbers or more, is not sorted,
and has two zeros: lists of partitions and of brokers do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ..chunks import MOST_LEFT_OUT, Chunk, Content, Places, check_size
from ..cuts import advice
from ..errors import CaptureError
from ..form import FEWEST, LEAST, LEAST_MARKED, Form, Hit, Signs, Units
from ..lines import blocks, lines

__all__ = [
    "FORMS",
    "Listing",
    "has_listing",
    "integer",
    "judged_list",
    "list_hits",
    "listings_in",
    "numbers",
    "open_list",
    "read_listings",
]

# A bracket with no other bracket or quote inside: found in one pass, judged afterwards.
_BRACKETED = re.compile(
    r"[\[{](?=\s*+[-+(.\]}0-9])"
    r"(?P<body>[^\[\]{}\"'`<>]*+(?>(?:<repeats [0-9]{1,6} times>[^\[\]{}\"'`<>]*+)*))[\]}]"
)
_OPEN = re.compile(r"[\[{]([^\[\]{}\"'`<>]*+)\Z")

_CALLED = re.compile(
    r"(?<!\w)(?:u?byteArrayOf|Array(?:\[Byte\])?|ByteString|(?:ArraySeq|WrappedArray|Vector|List|Chunk)"
    r"(?:\[Byte\])?)"
    r"\((?P<body>(?>(?:[-+0-9a-fA-FxXuU,\s]|\(-[0-9]{1,3}\)|\.toU?Byte(?:\(\))?)+))\)"
)
_TO_BYTE = re.compile(r"\.toU?Byte(?:\(\))?|(?<=[0-9a-fA-F])[uU](?=[,\s]|$)|[()]")
_NAMES = (
    "byteArrayOf(",
    "Array(",
    "Array[Byte](",
    "ByteString(",
    "Seq(",
    "Vector(",
    "List(",
    "Chunk(",
)

_DIGITS = r"(?:0[xX][0-9a-fA-F]{1,2}|0[oO][0-7]{1,3}|[0-9]{1,3})(?:u8|i8)?(?!\w|\.(?!\.\.))"
_NUMBER = rf"(?:\(\s*+byte\s*+\)\s*+)?(?:[-+](?!\s?[0-9]{{1,12}} more\b))?{_DIGITS}"
_BODY = re.compile(
    rf"\s*+(?:{_NUMBER}(?>(?:\s*+,\s*+{_NUMBER})+|(?:\s++{_NUMBER})*))?\s*+,?\s*+"
    r"(?P<end>(?:(?:\.\.\.|\u2026)\s*+,?\s*+)?"
    r"(?:(?P<cut>[0-9]{1,12}) more items?|\+\s?(?P<more>[0-9]{1,12}) more)?\s*+)"
)
_HEX_BODY = re.compile(r"\s*+[0-9a-f]{1,2}(?>(?:,\s[0-9a-f]{1,2})+)\s*+")  # Rust's {:x?}
_REPEATED = re.compile(rf"(?P<number>{_NUMBER}) <repeats (?P<times>[0-9]{{1,6}}) times>")
_CAST = re.compile(r"\(\s*byte\s*\)\s*")
_WORD = re.compile(r"[-+]?\w++")
_HEX_PAIR = re.compile(r"(?<![\w.])0[0-9](?![\w.])")
_CLOSING = re.compile(r"\s*[})]")

# What may come before the bracket and belongs to the list, by the language that it tells.
_FRONT = re.compile(
    r"(?:(?P<java>new\s+byte\s*\[\s*\]\s*)"
    r"|(?P<go>\[\s*[0-9]{0,9}\s*\](?:byte|uint8|int8)\s*"
    r"(?:len: (?P<length>[0-9]{1,9}), cap: [0-9]{1,9}, )?)"
    r"|(?P<debugger>\{?byte\[(?P<size>[0-9]{1,9})\](?:@[0-9]{1,9})?\}?\s*(?:=\s*)?)"
    r"|(?P<javascript>(?:(?:Uint8|Int8|Uint8Clamped)Array|Buffer)(?:\.from)?"
    r"\s*(?:\((?P<count>[0-9]{1,9})\))?\s*(?:\[Uint8Array\])?\s*\(?"
    r"|\{\s*\"type\"\s*:\s*\"Buffer\"\s*,\s*\"data\"\s*:\s*)"
    r"|(?P<python>(?:bytes|bytearray)\s*\(\s*)"
    r"|(?P<c>(?:unsigned\s+char|uint8_t|char|u_char)\s+\w{1,80}\s*\[\s*\w{0,80}\s*\]\s*=\s*))$"
)
_LENGTHS = ("count", "length", "size")
_FRONT_LENGTH = 200
_FRONT_WORDS = ("byte", "int8", "Array", "Buffer", "char")
_OCTAL = {"java", "go", "javascript", "c"}
_SORTED = "a list of numbers that is sorted or has no two zeros, such as partitions"


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


def integer(digits: str) -> int:
    """Return a number in hex behind 0x, else in decimal: with zeros in front, too, which
    `int(digits, 0)` refuses."""
    return int(digits, 16 if "x" in digits else 10)


def numbers(body: str, *, octal: bool) -> tuple[bytes, int | None] | None:
    """Return the bytes of a list's content and the number of items that were left out; None if it
    is no list of bytes.
    """
    if "<" in body:  # as gdb writes equal numbers
        if sum(int(times) for _, times in _REPEATED.findall(body)) > MOST_LEFT_OUT:
            return None
        body = _REPEATED.sub(_repeated, body)
    match = _BODY.fullmatch(body)
    if match is None and _HEX_BODY.fullmatch(body):
        return bytes(int(word, 16) for word in body.replace(",", " ").split()), 0
    if match is None or (not octal and _HEX_PAIR.search(body)):  # `[00 04 74]` is hex
        return None
    cut: int | None = 0
    if match["end"].strip():
        number = match["cut"] or match["more"]
        cut = int(number) if number else None
        body = body[: match.start("end")]
    has_cast = "(" in body
    words = _WORD.findall(_CAST.sub("", body) if has_cast else body)
    values = list(map(_octal_value if octal else _value, words))
    low, high = min(values, default=0), max(values, default=0)
    if low < -128 or high > 255 or (low < 0 and high > 127 and not has_cast):
        return None
    return bytes([value & 0xFF for value in values]), cut


def _repeated(match: re.Match[str]) -> str:
    return ", ".join([match["number"]] * int(match["times"]))


_MOST_WORDS = 4096


@lru_cache(maxsize=_MOST_WORDS)
def _octal_value(word: str) -> int:
    """The value of a number in a language in which a 0 in front makes it octal."""
    digits = _digits(word)
    is_octal = digits[0] == "0" and digits.strip("01234567") == ""
    if not is_octal:
        return _value(word)
    return -int(digits, 8) if word[0] == "-" else int(digits, 8)


def _digits(word: str) -> str:
    return word.lstrip("+-").removesuffix("u8").removesuffix("i8")


@lru_cache(maxsize=_MOST_WORDS)
def _value(word: str) -> int:
    digits = _digits(word)
    if digits[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif digits[1:2] in ("o", "O"):
        value = int(digits, 8)
    else:
        value = int(digits)
    return -value if word[0] == "-" else value


_REMEMBERED = 1 << 18  # characters of a text, in which several forms look for lists


def listings_in(text: str) -> Iterable[Listing]:
    """Return all lists of bytes in a text."""
    return _of_short(text) if len(text) <= _REMEMBERED else _listings(text)


def has_listing(text: str) -> bool:
    """Return whether there is a list of bytes in a text."""
    return next(_listings(text), None) is not None


@lru_cache(maxsize=4)
def _of_short(text: str) -> tuple[Listing, ...]:
    return tuple(_listings(text))


def _listings(text: str) -> Iterator[Listing]:
    if "(" in text and any(name in text for name in _NAMES):
        calls = list(_calls(text))
        yield from calls
        if calls:
            return
    end = 0
    has_words = any(word in text for word in _FRONT_WORDS)
    for match in _BRACKETED.finditer(text):
        start = match.start()
        front = _front(text[max(end, start - _FRONT_LENGTH) : start]) if has_words else None
        listing = _listing(text, match, front)
        if listing and (listing.data or listing.cut != 0):
            yield listing
            end = listing.end


def _calls(text: str) -> Iterator[Listing]:
    """The lists in parentheses, as Kotlin and Scala write and print them."""
    for match in _CALLED.finditer(text):
        body = _TO_BYTE.sub("", match["body"])
        if len(body) < len(match["body"]):  # Kotlin has no other way to write 0xff
            body = f"(byte) {body}"
        content = numbers(body, octal=False)
        if content is not None and content[0]:
            yield Listing(match.start(), match.end(), *content, "java", True)


def _listing(text: str, match: re.Match[str], front: re.Match[str] | None) -> Listing | None:
    """The list of bytes at a match of `_BRACKETED`, with the words in front that belong to it."""
    start, end = match.span()
    if front is None and (not match["body"].strip() or _is_index(text, match)):
        return None
    language = _language(front)
    content = numbers(match["body"], octal=language in _OCTAL)
    if content is None:
        return None
    data, cut = content
    if front:
        start -= len(front[0])
        length = front["count"] or front["length"] or front["size"]
        if length and not cut:
            cut = max(0, int(length) - len(data))
        closing = _CLOSING.match(text, end)
        if front[0].rstrip().endswith(("(", ":")) and closing:
            end = closing.end()
    marked = bool(language) or "byte" in match["body"]
    return Listing(start, end, data, cut, language or _likeliest_language(match[0]), marked)


def _front(text: str) -> re.Match[str] | None:
    return _FRONT.search(text) if any(word in text for word in _FRONT_WORDS) else None


def _language(front: re.Match[str] | None) -> str:
    groups = front.groupdict() if front else {}
    language = next((name for name, text in groups.items() if text and name not in _LENGTHS), "")
    return "java" if language == "debugger" else language


def _is_index(text: str, match: re.Match[str]) -> bool:
    """Whether the brackets hold a size or an index and no list: `x[37]`, `[37]byte`."""
    left = text[match.start() - 1 : match.start()] if match.start() else ""
    right = text[match.end() : match.end() + 1]
    return match[0][0] == "[" and (
        left.isalnum() or left in ("_", "]") or right.isalnum() or right == "_"
    )


def _likeliest_language(text: str) -> str:
    """The likeliest language of a list without marks; the bytes do not depend on it."""
    if "byte" in text:
        return "java"
    if "0x" in text and text[0] == "{":
        return "c"
    if "," not in text and " " in text.strip("[] "):
        return "go"
    return "java" if "-" in text else "ints"


def read_listings(
    text: str,
    listings: Iterable[Listing],
    form: str,
    between: str,
    max_bytes: int,
    *,
    may_stop: bool,
) -> Content:
    """Return the chunks of `listings`, with the place of the first text around them that has other
    characters than `between`; with `may_stop` reading stops there.
    """
    chunks: list[Chunk] = []
    places = Places(text)
    rest: tuple[int, int] | None = None
    end = 0
    for listing in listings:
        if rest is None and text[end : listing.start].strip(between):
            rest = places.at(end)
            if may_stop:
                return Content(chunks, rest)
        line, column = places.at(listing.start)
        check_size(len(listing.data), max_bytes, line)
        label = places.label(listing.start, end)
        remark = advice(text[listing.start : listing.end], text[end : listing.start], listing.cut)
        chunks.append(Chunk(listing.data, form, line, column, label, listing.cut, remark))
        end = listing.end
    if rest is None and text[end:].strip(between):
        rest = places.at(end)
    return Content(chunks, rest)


# -- in a log


def list_hits(line: str) -> Iterator[Hit]:
    """Yield the lists in a line, or in a list that goes over several lines, as Node and JSON print
    them."""
    for listing in listings_in(line):
        yield from judged_list(listing, marked=listing.marked)


def open_list(line: str) -> bool:
    """Return whether a line ends in a list that goes on on the next line."""
    match = _OPEN.search(line, line.rfind("[") if "[" in line else line.rfind("{"))
    return match is not None and numbers(match[1], octal=False) is not None


def judged_list(listing: Listing, *, marked: bool) -> Iterator[Hit]:
    """Yield a list as a hit, or why it is skipped; nothing for a few numbers that are no bytes."""
    span = (listing.start, listing.end)
    size = len(listing.data)
    if marked:
        if size >= LEAST_MARKED or listing.cut != 0:
            yield Hit(*span, listing.data, listing.language, listing.cut)
        else:
            yield Hit(*span, reason=f"a list of less than {LEAST_MARKED} bytes")
    elif size >= FEWEST:
        steps = set(map(_sign, listing.data, listing.data[1:]))
        zeros = listing.data.count(0)
        if {-1, 1} <= steps and zeros > 1:
            yield Hit(*span, listing.data, listing.language, listing.cut, short=size < LEAST)
        elif zeros >= FEWEST:  # an empty message
            yield Hit(*span, listing.data, listing.language, listing.cut, short=True)
        elif size >= LEAST:
            yield Hit(*span, reason=_SORTED)


def _sign(left: int, right: int) -> int:
    return (left > right) - (left < right)


# -- the forms

_LIST_FOLLOWS = re.compile(rb"[^\n]{0,200}?[\[{]").match  # where a word makes bytes of a list
_LEAST_LIST = 22  # characters of twelve numbers


class _Ints(Form):
    """Each list in brackets is a message; without brackets, each block."""

    preference = 800
    marks: tuple[str, ...] = ("[", "{", "(")
    signs = Signs(
        {
            **dict.fromkeys((b"(byte", b"( byte")),
            **dict.fromkeys((word.encode() for word in _FRONT_WORDS), _LIST_FOLLOWS),
        },
        least_list=_LEAST_LIST,
    )
    units: tuple[Units, ...] = (
        Units(re.compile(r"([\s,;|]*+)(-?(?:0|[1-9][0-9]{0,2})(?![0-9]))"), int, (" ", "")),
    )

    def may_begin(self, line: str) -> bool:
        """Return whether a list begins, or bare numbers that are not all of two digits, as in
        hex."""
        words = line.replace(",", " ").split()
        return line[0] in "[{" or (
            line[0] in "-+0123456789" and any(len(word.lstrip("+-")) != 2 for word in words)
        )

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        listings = iter(listings_in(text))
        first = next(listings, None)
        if first is None:
            return Content([_bare(*block, max_bytes) for block in blocks(text)])
        listings = chain((first,), listings)
        return read_listings(text, listings, "ints", " \t\r\n,;", max_bytes, may_stop=may_stop)

    def write(self, data: bytes) -> str:
        return str(list(data))

    def find(self, line: str) -> Iterator[Hit]:
        yield from list_hits(line)

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        return self._parts_are_messages(text, chunks)


def _bare(line: int, column: int, text: str, max_bytes: int) -> Chunk:
    content = numbers(text, octal=False)
    if content is None:
        raise CaptureError(
            "this is no list of numbers from -128 to 127 or from 0 to 255",
            line=line,
            column=column,
        )
    data, cut = content
    check_size(len(data), max_bytes, line)
    return Chunk(data, "ints", line, column, cut=cut, remark=advice(text, "", cut))


class _IntLines(_Ints):
    parting = "lines"
    per_line = True
    marks = ()
    signs = Signs()
    units = ()

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks: list[Chunk] = []
        for number, line in enumerate(lines(text), start=1):
            if not line.strip():
                continue
            column = len(line) - len(line.lstrip()) + 1
            try:
                content = super().read(line, max_bytes)
            except CaptureError as refusal:
                raise refusal.on_line(number) from None
            if content.rest is not None:
                return Content(chunks, (number, content.rest[1]))
            chunks += [
                chunk._replace(format=self.name, line=number, column=column)
                for chunk in content.chunks
            ]
        return Content(chunks)

    def write(self, data: bytes) -> str:
        return "".join(super().write(data).split())


FORMS: tuple[Form, ...] = (
    _IntLines("ints-lines", "numbers from -128 to 255, one message a line"),
    _Ints("ints", "whole numbers from -128 to 255, in brackets or without"),
)
