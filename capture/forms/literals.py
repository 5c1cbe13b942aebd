r"""Strings and lists as the source code and the logs of six languages write bytes.

The languages agree on `\x41` and `\n` and differ in the rest: C reads every hex digit that follows
`\x`; Go's `\u00ff` and its characters beyond ASCII are UTF-8, while in Java, JavaScript and Python
such a character is the byte of its number. Node prints the first 50 bytes of a Buffer and the first
100 items of an array, and the number of those that it left out, which are lost.

A string without an escape and without a mark such as Python's `b` is read as bytes only where the
text has nothing more certain, since bytes are printed among names in quotes; in a log, it needs a
zero byte.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from ..chunks import Chunk, Content, Places, check_size
from ..cuts import DOTS, advice
from ..errors import CaptureError
from ..form import LEAST, LEAST_MARKED, LEAST_QUOTED, Form, Hit, Signs, Units
from ..lines import lines
from .numbers import Listing, has_listing, judged_list, listings_in

__all__ = [
    "DIALECTS",
    "ESCAPED",
    "FORMS",
    "STRING",
    "Dialect",
    "character_places",
    "quoted",
    "string_content",
    "unescape",
]


class Dialect(NamedTuple):
    """How a language writes bytes in quotes.

    `hex` matches its hexadecimal escape and `others` the other escapes, both without the
    backslash. `lenient`: a backslash before any other character means that character.
    `charset` is the encoding of unescaped characters and of `\\u` escapes.
    `joins`: literals that follow each other are one. `decimal`: the numbers of bytes are decimal.
    """

    name: str
    quotes: str
    prefix: str
    hex: str
    others: str
    charset: str
    lenient: bool = False
    joins: bool = False
    decimal: bool = False

    @property
    def escapes(self) -> str:
        return f"{self.hex}|{self.others}"


_HEX = "x[0-9a-fA-F]{2}"
_OCTAL = "[0-3][0-7]{2}|[0-7]{1,2}"
_WIDE = "u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}"
_CONTROLS = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN "
    "EM SUB ESC FS GS RS US SP"
).split()
_SCRIPTS = "[eE#$@]"  # what Ruby, Perl and bash escape, and no other language

DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("python", "'\"", "[bB]?", _HEX,
                rf"{_OCTAL}|[abfnrtv\\'\"\n]|{_SCRIPTS}|{_WIDE}", "latin-1", joins=True),
        Dialect("java", '"', "", "u+[0-9a-fA-F]{4}", rf"{_OCTAL}|[bfnrts\\'\"]", "latin-1"),
        Dialect("go", '"', "", _HEX, rf"[0-3][0-7]{{2}}|[abfnrtv\\\"']|{_SCRIPTS}|{_WIDE}",
                "utf-8"),
        Dialect("c", '"', "(?:u8)?", "x[0-9a-fA-F]{1,2}(?![0-9a-fA-F])",
                rf"{_OCTAL}|[abfnrtve?\\'\"\n]", "utf-8", joins=True),
        Dialect("javascript", "'\"`", "", rf"{_HEX}|u[0-9a-fA-F]{{4}}|u\{{[0-9a-fA-F]{{1,6}}\}}",
                r"0(?![0-9])|[bfnrtv\n]", "latin-1", lenient=True),
        Dialect("rust", '"', "b?", _HEX, r"[0nrt\\'\"\n]|u\{[0-9a-fA-F]{1,6}\}", "utf-8"),
        # lldb writes \0 for a zero byte, also before a digit.
        Dialect("lldb", '"', "", _HEX, r"0|[abefnrtv\\'\"]|U0{6}[0-9a-fA-F]{2}", "utf-8"),
        Dialect("lua", "'\"", "", _HEX, r"[0-9]{1,3}|[abfnrtv\\'\"\n]|u\{[0-9a-fA-F]{1,6}\}",
                "utf-8", decimal=True),
        Dialect("haskell", '"', "", r"x[0-9a-fA-F]{1,2}(?![0-9a-fA-F])",
                rf"[0-9]{{1,3}}|{'|'.join(_CONTROLS)}|DEL|[abfnrtv\\'\"&]", "latin-1",
                decimal=True),
        Dialect("escaped", "", "", rf"{_HEX}|x\{{[0-9a-fA-F]{{1,2}}\}}",
                rf"{_OCTAL}|[abfnrtve\\'\"]", "utf-8"),
    )
}  # fmt: skip

_NAMED = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "e": "\x1b", "E": "\x1b", "s": " ",
    "&": "", "DEL": "\x7f", **{name: chr(number) for number, name in enumerate(_CONTROLS)},
}  # fmt: skip


_DECIMAL = re.compile(r"\\(?=[0-9]{3})[0-9]{0,2}[89]")
_SHORT = re.compile(r"\\[0-9]{1,2}(?![0-9])")
_OF_SURROGATE = "\\udc"  # which Python has for a byte that is no UTF-8, among characters that are


def unescape(body: str, dialect: Dialect) -> bytes:
    """Return the bytes of a literal's content. Raises ValueError for content that has none."""
    if "\ufffd" in body:
        raise ValueError("U+FFFD stands where a program lost bytes")
    if not dialect.decimal and _DECIMAL.search(body) and not _SHORT.search(body):
        raise ValueError("its escapes are decimal numbers of three digits")
    if _OF_SURROGATE in body:
        dialect = dialect._replace(charset="utf-8")
    try:
        return _unescape(body, dialect)
    except UnicodeEncodeError as error:
        character = ord(error.object[error.start])
        raise ValueError(f"the character U+{character:04X} is no byte") from None


_SHORT_HEX = re.compile(r"(\\\\)|\\x([0-9a-fA-F])(?![0-9a-fA-F])")


@cache
def _escapes_of(dialect: Dialect) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """The patterns of the escapes that are Python's as well, of those that the dialect knows, and
    of all, known or not, with their backslash."""
    return (
        re.compile(rf"\\(?:{dialect.hex}|[0-3][0-7]{{2}}|[bfnrt\\'\"])"),
        re.compile(dialect.escapes),
        re.compile(rf"\\({dialect.escapes}|(?s:.)|\Z)"),
    )


def _unescape(body: str, dialect: Dialect) -> bytes:
    if "\\" not in body:
        return _encode(body, dialect)
    common, known_escape, escape = _escapes_of(dialect)
    is_common = dialect.hex.startswith("x") and dialect.name != "rust" and not dialect.decimal
    is_common = is_common and "\\x{" not in body
    if is_common and "\\u" not in body and "\\" not in common.sub("", body):
        # Python reads all these escapes in the same way, and its own code is fast.
        # C's short escapes are made long; the `x` behind an escaped backslash is a letter.
        short = _SHORT_HEX.sub(lambda match: match[1] or rf"\x0{match[2]}", body)
        return _encode(short, dialect).decode("unicode_escape").encode("latin-1")
    out = bytearray()
    end = 0
    for match in escape.finditer(body):
        out += _encode(body[end : match.start()], dialect)
        out += _unescaped(match[1], dialect, is_escape=known_escape.fullmatch(match[1]) is not None)
        end = match.end()
    return bytes(out + _encode(body[end:], dialect))


def _encode(text: str, dialect: Dialect) -> bytes:
    return text.encode(dialect.charset, "surrogateescape")


def _unescaped(escape: str, dialect: Dialect, *, is_escape: bool) -> bytes:
    """The bytes of one escape, without its backslash."""
    if not is_escape:
        if not dialect.lenient or escape in ("x", "u", "") or escape.isdigit():
            raise ValueError(f"\\{escape} is no escape of {dialect.name}" + _hint(escape, dialect))
        return _encode(escape, dialect)
    if escape == "\n":
        return b"\n" if dialect.name == "lua" else b""
    if escape[0].isdecimal():
        return bytes((int(escape, 10 if dialect.decimal else 8),))
    if escape[0] == "x":
        return bytes((int(escape[1:].strip("{}"), 16),))
    if escape[0] in "uU" and escape not in _NAMED:
        number = int(escape.lstrip("uU").strip("{}"), 16)
        if number > 0x10FFFF:
            raise ValueError(f"\\{escape} is no character")
        return _encode(chr(number), dialect)
    return _NAMED.get(escape, escape).encode()


def _hint(escape: str, dialect: Dialect) -> str:
    if escape == "x" and dialect.name == "c":
        return r": C reads all hex digits behind \x as one number, so split the literal there"
    return ""


def quoted(quote: str, group: str = "?:") -> str:
    """Return a pattern of a string in these quotes, on one line, which never backtracks."""
    return rf"{quote}({group}[^{quote}\\\n]*+(?>(?:\\(?s:.)[^{quote}\\\n]*+)*)){quote}"


def pattern(dialect: Dialect) -> re.Pattern[str]:
    """Return a pattern of a dialect's literals; those that the language joins are one match."""
    single = "|".join(quoted(quote) for quote in dialect.quotes)
    join = r"(?>(?:[ \t]*+(?>(?:\\?\r?\n[ \t]+|\\\r?\n)?)"
    more = rf"{join}{dialect.prefix}(?:{single}))*)" if dialect.joins else ""
    return re.compile(rf"(?<![\w\\]){dialect.prefix}(?:{single}){more}")


class _Literal(NamedTuple):
    """A literal in a text: its span, its bytes, and whether it is marked as bytes."""

    start: int
    end: int
    data: bytes
    marked: bool


def _literals(text: str, dialect: Dialect) -> Iterator[_Literal]:
    """Yield all literals of a dialect in a text. Raises CaptureError for one that cannot be
    read."""
    inner = re.compile("|".join(quoted(quote, "") for quote in dialect.quotes))
    literal = pattern(dialect)
    position = 0
    while match := literal.search(text, position):
        marked = match[0][0] in "bB"
        try:
            data = b""
            if match.end() - match.start() > 2:  # more than quotes
                data = data.join(
                    unescape(string[string.lastindex or 0], dialect)
                    for string in inner.finditer(match[0])
                )
        except ValueError as error:
            raise CaptureError(f"{error}", line=text.count("\n", 0, match.start()) + 1) from None
        yield _Literal(match.start(), match.end(), data, marked)
        position = match.end()


# -- strings of JSON, in which bytes may be written in any form

_CHARACTER = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-3][0-7]{2}|(?s:.))|[^\\]")


def string_content(string: str) -> str:
    """Return the characters of a string as JSON writes it, or else as Python does; none of one
    that cannot be read."""
    try:
        content = json.loads(string, strict=False)
    except ValueError:
        try:
            content = unescape(string[1:-1], DIALECTS["python"]).decode("latin-1")
        except ValueError:
            return ""
    return content if _is_text(content) else ""


def character_places(string: str) -> list[int]:
    """Return the places, in a string with its quotes, of the characters that it contains, and of
    the closing quote."""
    return [character.start() for character in _CHARACTER.finditer(string, 1)]


def _is_text(content: str) -> bool:
    """Whether a text has no half of a surrogate pair, which no reader expects."""
    return not re.search("[\ud800-\udfff]", content)


# -- what Node prints

# <Buffer 00 03>, <Buffer 00 03, name: 1>, ArrayBuffer { [Uint8Contents]: <00 03> }
_BUFFER = re.compile(
    r"<(?:Buffer|SlowBuffer)(?P<bytes>(?>(?: [0-9a-fA-F]{2})*))\s*+"
    r"(?P<more>\.\.\.(?: (?P<cut>[0-9]{1,12}) more bytes?)?)?[^<>\n]{0,1000}>"
    r"|\[Uint8Contents\]: <(?P<inner>(?:[0-9a-fA-F]{2}(?>(?: [0-9a-fA-F]{2})*))?)\s*+"
    r"(?P<inner_more>\.\.\.(?: (?P<inner_cut>[0-9]{1,12}) more bytes?)?)?>"
)
# {"0":0,"1":3}: a Uint8Array in JSON.
_INDEXED = re.compile(
    r'\{\s*"0"\s*:\s*[0-9]{1,3}(?>(?:\s*,\s*"[0-9]{1,9}"\s*:\s*[0-9]{1,3})*)\s*\}'
)
_ENTRY = re.compile(r'"([0-9]+)"\s*:\s*([0-9]+)')


def _buffers_in(text: str) -> Iterator[Listing]:
    """Yield all Buffers in a text, and typed arrays in JSON."""
    if "<" in text:
        yield from map(_buffer, _BUFFER.finditer(text))
    if '"0"' in text:
        yield from _indexed_arrays(text)


def _buffer(match: re.Match[str]) -> Listing:
    cut: int | None = 0
    if match["more"] or match["inner_more"]:
        number = match["cut"] or match["inner_cut"]
        cut = int(number) if number else None
    data = bytes.fromhex(match["bytes"] or match["inner"] or "")
    return Listing(match.start(), match.end(), data, cut, "javascript")


def _indexed_arrays(text: str) -> Iterator[Listing]:
    for match in _INDEXED.finditer(text):
        data = bytearray()
        for at, entry in enumerate(_ENTRY.finditer(match[0])):
            if int(entry[1]) != at or int(entry[2]) > 255:
                break
            data.append(int(entry[2]))
        else:
            yield Listing(match.start(), match.end(), bytes(data), 0, "javascript")


# -- in a log

STRING = re.compile(
    r"(?<![\w\\])(?:(?P<marked>[bB])(?=['\"]))?(?:"
    + "|".join(quoted(quote) for quote in "'\"`")
    + ")"
)
"""A string in any quotes, and Python's mark in front of it."""
_BYTE_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|[0-9]{1,3}|NUL|u00[0-9a-fA-F]{2})")
_OF_LLDB = "\\U000000"  # a control character
_DIGITS = re.compile(r"00[0-9a-fA-F]{10,}+|AA[A-P][A-Za-z0-9+/_-]{9,}+={0,2}")
_OF_POSTGRESQL = re.compile(r"\\{1,2}x((?>(?:[0-9a-fA-F]{2}){4,}))")
_DOUBLE = re.compile(rb"\\x[0-9a-fA-F]{2}")
_BY_QUOTE = {
    "'": ("python", "javascript", "lua"),
    '"': ("go", "c", "java", "python", "javascript", "lua", "haskell"),
    "`": ("javascript",),
}


# A value that is certainly no literal: a name, between what is in front of values and behind them.
_NAME_IN_QUOTES = re.compile(r"[=(\[{,: ](['\"])[\w.:/-]*+\1(?=[,)\]}: ])")


def _string_hits(line: str) -> Iterator[Hit]:
    at = 0
    while match := STRING.search(line, at):
        hit = _judged_string(match)
        # A string that is no literal may hold one: go on after its opening quote.
        is_passed = hit or _NAME_IN_QUOTES.match(line, match.start() - 1)
        at = match.end() if is_passed else match.start() + (2 if match["marked"] else 1)
        if hit:
            yield hit


def _judged_string(match: re.Match[str]) -> Hit | None:  # noqa: C901, PLR0911, PLR0912  # a rule each
    text = match[0]
    marked = bool(match["marked"])
    if not marked and not _BYTE_ESCAPE.search(text):
        return None
    body = text[2:-1] if marked else text[1:-1]
    if not marked and (body[:2] in ("b'", 'b"') or _holds_string(body)):
        return None
    if marked and _DIGITS.fullmatch(body):
        return None  # of hexlify or b64encode
    if not marked and (digits := _OF_POSTGRESQL.fullmatch(body)):
        data = bytes.fromhex(digits[1])
        return Hit(*match.span(), data, "hex", short=len(data) < LEAST)
    if _OF_LLDB in body:
        with contextlib.suppress(ValueError):
            return Hit(*match.span(), unescape(body, DIALECTS["lldb"]), "c")
    for name in _marked_as(text) if marked else _BY_QUOTE[text[0]]:
        if name == "go" and "\\u00" in body and "\\x" not in body:
            continue
        try:
            data = unescape(body, DIALECTS[name])
        except ValueError:
            continue
        if marked:
            data = _twice_escaped(data) or data
        if hit := _cut_by_printer(match, data, name):
            return hit
        if len(data) >= (LEAST_MARKED if marked else LEAST_QUOTED) and (marked or b"\0" in data):
            return Hit(*match.span(), data, name, rivals=_other_readings(body, data))
    if marked:
        return Hit(*match.span(), reason=f"a literal of less than {LEAST_MARKED} bytes")
    if "\ufffd" in body and "\\" in body:
        return Hit(*match.span(), reason="a string with U+FFFD in the place of lost bytes")
    return None


def _holds_string(body: str) -> bool:
    """Whether what is in quotes, such as Markdown's, is a string with words around it."""
    start = body.find("\\")
    quote = body[max(0, start - 1) : start]
    return quote in ("'", '"') and body.rfind(quote) > body.rfind("\\") + 1


_CUT_AT = 100
_OF_NODE = re.compile(r"\.\.\. [0-9]{1,9} more characters?")
_OF_PROTOBUF = re.compile(r"size=([0-9]{1,9}) contents=\Z")
_FRONT = 40  # characters


def _cut_by_printer(match: re.Match[str], data: bytes, language: str) -> Hit | None:
    """The bytes of a string whose end says that they are not all: of kafka-python 2 and aiokafka,
    of Node, and of protobuf's ByteString."""
    if more := _OF_NODE.match(match.string, match.end()):
        return Hit(match.start(), more.end(), data, language, None)
    bare = data.removesuffix(DOTS)
    if bare == data:
        return None
    if match["marked"] and _is_cut_by_client(data):
        return Hit(*match.span(), bare, language, None)
    front = _OF_PROTOBUF.search(match.string, max(0, match.start() - _FRONT), match.start())
    missing = int(front[1]) - len(bare) if front else 0
    return Hit(*match.span(), bare, language, missing) if missing > 0 else None


def _is_cut_by_client(data: bytes) -> bool:
    """Whether the bytes of a literal with a mark are those that kafka-python 2 and aiokafka log of
    a longer value."""
    return len(data) == _CUT_AT + len(DOTS) and data.endswith(DOTS)


def _marked_as(text: str) -> Sequence[str]:
    """The languages of a string with a mark."""
    return ("rust", "python") if _is_of_rust(text) else ("python",)


def _is_of_rust(text: str) -> bool:
    """Whether a string with a mark is like one of Rust, which prints a zero byte as `\\0` and takes
    double quotes: Python does neither."""
    return text[:2] == 'b"' and "\\0" in text and not re.search(r"(?<!\\)(?:\\\\)*\\[1-7]", text)


_ALIKE = re.compile(r"(?>(?:[^\\]++|\\(?:x[0-9a-fA-F]{2}|[nrt\\'\"]))*)")
"""A text with no other escapes: every language with such escapes reads the same bytes."""


def _other_readings(body: str, data: bytes) -> tuple[bytes, ...]:
    """What a string is besides `data`: in Rust no digit belongs to a zero, in Lua, OCaml and
    Haskell the numbers are decimal, and a character beyond ASCII is one byte or UTF-8."""
    is_alike = body.isascii() and _ALIKE.fullmatch(body)
    rivals = []
    for name in ("python",) if is_alike else ("rust", "lua", "haskell", "javascript", "go"):
        with contextlib.suppress(ValueError):
            rivals.append(unescape(body, DIALECTS[name]))
    return tuple(dict.fromkeys(rival for rival in rivals if rival != data))


def _twice_escaped(data: bytes) -> bytes:
    """The bytes of a literal whose backslashes a log of JSON lines has escaped once more; none for
    any other content."""
    if _DOUBLE.search(data) and data.isascii() and data.decode().isprintable():
        with contextlib.suppress(ValueError):
            return unescape(data.decode(), DIALECTS["python"])
    return b""


# -- the forms

# The beginning of a text that has nothing but literals and lists.
_BEGINNING = re.compile(
    r"(?>(?:\w++ ?:?= ?(?=\(|\[\]byte\())?)[\s(]*+(?:(?:[bB]|u8)?[\"'`]|\Z"
    r"|[\[{]\s*+(?:[-+(]|[0-9]++[,\s]|0x|\"type\"|\"0\"|[\]}]|\Z)|<Buffer"
    r"|\[[0-9]{0,9}\](?:byte|u?int8)|new\s|byteArrayOf|ByteString|Array|ArraySeq|WrappedArray|Vector|List|U?[iI]nt8|Buffer|bytes|bytearray|unsigned|u?char|uint8_t)"
)
_BETWEEN = re.compile(
    r"(?>(?:[\s,;()]|\w++ ?:?= ?\(|(?>(?:\w++ ?:?= ?)?)\[\]byte"
    r"|unsigned int \w++ = [0-9]++|bytearray|bytes)*)"
)
_MARKED = re.compile(r"(?<![\w\\])[bB]['\"]|<Buffer")
# Strings of digits alone: hex or base64 in quotes.
_DIGITS_IN_QUOTES = re.compile(
    r"[\s\[({]*+(?>(?:([\"'])(?:[0-9a-fA-F]{16,}+|AA[\w+/=-]{14,}+)\1[\s,;]*+)+)[\s\])}]*+"
)
_Span = tuple[int, int, bytes, int | None, str]


_OF_STRINGS = ("'", '"', "`", "\\")
_REMEMBERED = 1 << 18  # characters


def _lists(text: str) -> Iterator[_Span]:
    """The lists in a text."""
    lists = (listing[:5] for listing in listings_in(text))
    return _apart(lists, (listing[:5] for listing in _buffers_in(text)))


def _apart(*spans: Iterator[_Span]) -> Iterator[_Span]:
    """The spans in the order of the text, without those that overlap an earlier one."""
    end = 0
    for span in heapq.merge(*spans, key=lambda span: (span[0], -span[1])):
        if span[0] >= end:
            yield span
            end = span[1]


@lru_cache(maxsize=2)
def _of_lists(text: str, max_bytes: int, may_stop: bool) -> Content:
    """What a text without strings holds, which is the same in every language."""
    return _content(text, _lists(text), max_bytes, may_stop=may_stop)


def _content(text: str, spans: Iterator[_Span], max_bytes: int, *, may_stop: bool) -> Content:
    """The messages at some places of a text, with the place of the first text around them that is
    none of the code around literals."""
    chunks: list[Chunk] = []
    places = Places(text)
    rest: tuple[int, int] | None = None
    end = 0
    for start, stop, data, cut, language in spans:
        if rest is None and not _BETWEEN.fullmatch(text, end, start):
            rest = places.at(end)
            if may_stop:
                break
        line, column = places.at(start)
        check_size(len(data), max_bytes, line)
        remark = advice(text[start:stop], text[end:start], cut)
        label = places.label(start, end)
        chunks.append(Chunk(data, language, line, column, label, cut, remark))
        end = stop
    if rest is None and not _BETWEEN.fullmatch(text, end):
        rest = places.at(end)
    return Content(chunks, rest)


class _Language(Form):
    """The literals and lists of a language."""

    preference = 400

    def __init__(
        self, name: str, about: str, write: Callable[[bytes], str], aliases: tuple[str, ...] = ()
    ) -> None:
        super().__init__(name, about, aliases)
        self._dialect = DIALECTS[name]
        self._write = write

    def may_begin(self, line: str) -> bool:
        return _BEGINNING.match(line) is not None

    def doubt(self, text: str) -> int:
        """Return how unlikely Python is where the text is like what Rust prints."""
        return super().doubt(text) + (self.name == "python" and _is_of_rust(text.lstrip()))

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        own = all(chunk.format == self.name for chunk in chunks)
        return own and not _DIGITS_IN_QUOTES.fullmatch(text)

    def write(self, data: bytes) -> str:
        return self._write(data)

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        if len(text) <= _REMEMBERED and not any(sign in text for sign in _OF_STRINGS):
            return _of_lists(text, max_bytes, may_stop)
        return _content(text, self._spans(text), max_bytes, may_stop=may_stop)

    def _spans(self, text: str) -> Iterator[_Span]:
        return _apart(_lists(text), self._strings(text))

    def _strings(self, text: str) -> Iterator[_Span]:
        has_marks: bool | None = None
        for literal in _literals(text, self._dialect):
            if has_marks is None:
                has_marks = self._has_marks(text)
            if literal.marked and _is_cut_by_client(literal.data):
                bare = literal.data.removesuffix(DOTS)
                yield literal.start, literal.end, bare, None, self._dialect.name
            elif literal.marked or (literal.data and not has_marks):
                yield literal.start, literal.end, literal.data, 0, self._dialect.name

    def _has_marks(self, text: str) -> bool:
        """Whether a mark, or the text around the strings, says that it holds bytes; what the
        strings contain does not count."""
        literal = pattern(self._dialect)
        if any(match[0][0] in "bB" for match in literal.finditer(text)):
            return True
        around = literal.sub(" ", text)
        return bool(_MARKED.search(around)) or has_listing(around)


class _Python(_Language):
    marks = ("\\", "b'", 'b"', "B'", 'B"')
    signs = Signs(dict.fromkeys((b"b'", b'b"', b"B'", b'B"', b"\\")))

    def find(self, line: str) -> Iterator[Hit]:
        """Yield the strings of all languages: those with a mark are Python's, the others are told
        by their escapes."""
        yield from _string_hits(line)


class _JavaScript(_Language):
    marks = ("<", '"0"')
    signs = Signs(dict.fromkeys((b'"0"', b"<Buffer", b"<SlowBuffer", b"[Uint8Contents]")))

    def find(self, line: str) -> Iterator[Hit]:
        for listing in _buffers_in(line):
            yield from judged_list(listing, marked=True)


_ESCAPE = re.compile(r"\\x(?:[0-9a-fA-F]{2}|\{[0-9a-fA-F]{1,2}\})")
_TAIL = re.compile(rf"{_ESCAPE.pattern}[^\s\"'`\\]*+")
_OPEN_BRACE = re.compile(r"\\x\{[0-9a-fA-F]{1,2}\Z")
_ALL_ESCAPED = re.compile(r"(?>(?:\\x[0-9a-fA-F]{2})+)")
# Letters and digits: a program that escapes one of them escapes all characters.
_NEEDLESS = re.compile(r"\\x(?:3[0-9]|[46][1-9a-fA-F]|[57][0-9aA])")
_PUNCTUATION = ",;)]}>\u2026"


_COLUMNS = ["key", "value"]
"""What console-consumer prints of a record with `Bytes.toString`, a tab between: a tab in the bytes
is an escape."""
_NO_VALUES = ("null", "NULL")
# What console-consumer prints in front of them: print.timestamp, print.partition and so on.
_PROPERTY = re.compile(
    r"(?:CreateTime|LogAppendTime|NoTimestampType|Partition|Offset|Epoch):-?[0-9]*(?:\t|\Z)"
    r"|NO_HEADERS(?:\t|\Z)"
)
_TOMBSTONE = "its value is null: a tombstone"


class _Escaped(Form):
    """Escapes without quotes: a line is a message, or the key and the value of a record, and blanks
    in it are bytes."""

    preference = 600
    per_line = True
    marks = ("\\x",)
    units = (
        Units(
            re.compile(r"([\s,;|]*+)(\\x[0-9a-fA-F]{2}|\\[0-3][0-7]{2})"),
            lambda text: int("0" + text[1:], 16) if text[1] == "x" else int(text[1:], 8),
            mark="\\",
        ),
    )

    def may_begin(self, line: str) -> bool:
        return line.startswith("\\") or (_PROPERTY.match(line) is not None and "\\x" in line)

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        chunks: list[Chunk] = []
        for number, line in enumerate(lines(text), start=1):
            columns = line.strip("\r\n").lstrip().split("\t")
            column = len(line) - len(line.lstrip()) + 1
            while len(columns) > len(_COLUMNS) and _PROPERTY.match(columns[0]):
                column += len(columns.pop(0)) + 1
            is_record = len(columns) == len(_COLUMNS)
            for body, name in zip(columns, _COLUMNS if is_record else columns, strict=True):
                if is_record and body in _NO_VALUES and name == _COLUMNS[-1] and chunks:
                    chunks[-1] = chunks[-1]._replace(remark=_TOMBSTONE)
                elif body.strip():
                    chunk = self._of_body(body, number, column, max_bytes)
                    # Blanks at the end are bytes, or come from where the text was copied.
                    blanks = len(body) - len(body.rstrip(" "))
                    chunk = chunk._replace(spare=blanks)
                    chunks.append(chunk._replace(label=name) if is_record else chunk)
                column += len(body) + 1
        return Content(chunks)

    def _of_body(self, body: str, number: int, column: int, max_bytes: int) -> Chunk:
        if "\\" not in body:
            raise CaptureError(r"no \x escape on this line", line=number, column=column)
        try:
            data = unescape(body, DIALECTS["escaped"])
        except ValueError as error:
            raise CaptureError(str(error), line=number, column=column) from None
        check_size(len(data), max_bytes, number)
        return Chunk(data, "escaped", number, column)

    def write(self, data: bytes) -> str:
        return "".join(f"\\x{byte:02x}" for byte in data)

    def find(self, line: str) -> Iterator[Hit]:
        """Yield the text from the first escape of a line to the last, with the text between them;
        or each run of escapes, where characters are escaped that need not be."""
        first = _ESCAPE.search(line)
        if first is None or first.start() == line.rfind("\\x"):  # one escape: hex behind `\x`
            return
        if _NEEDLESS.search(line) and "'" not in line and '"' not in line:
            for run in _ALL_ESCAPED.finditer(line):
                yield from self._hit(*run.span(), run[0])
            return
        last = _TAIL.match(line, line.rfind("\\x"))
        start, end = first.start(), last.end() if last else first.end()
        body = line[start:end]
        if line[start - 1 : start] == "\\":  # a string of JSON that was cut
            body = body.replace("\\\\", "\\")
        has_quotes = '"' in body or "'" in body  # which may be bytes, or around a literal
        *keys, value = body.split("\t")  # of a record
        ends = [*accumulate((len(part) + 1 for part in keys), initial=start), end + 1]
        for part, (first_of_part, next_part) in zip((*keys, value), pairwise(ends), strict=True):
            for hit in self._hit(first_of_part, next_part - 1, part):
                yield hit._replace(short=has_quotes)

    def _hit(self, start: int, end: int, part: str) -> Iterator[Hit]:
        """The bytes of a part of a line; a comma or a bracket behind it belongs to the line, unless
        the message is whole with it."""
        bare = part.rstrip(_PUNCTUATION)
        bare += "}" * (_OPEN_BRACE.search(bare) is not None)
        try:
            data, other = (unescape(body, DIALECTS["escaped"]) for body in (bare, part))
        except ValueError:
            return
        if len(data) >= LEAST_QUOTED and b"\0" in data:
            rivals = () if bare == part else (other,)
            yield Hit(start, end - len(part) + len(bare), data, "escaped", rivals=rivals)

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        return not _DIGITS_IN_QUOTES.fullmatch(text)


def _java(data: bytes) -> str:
    return f"[{', '.join(str(byte - 256 if byte > 127 else byte) for byte in data)}]"


def _go(data: bytes) -> str:
    return f"[]byte{{{', '.join(hex(byte) for byte in data)}}}"


def _c(data: bytes) -> str:
    return f"{{{', '.join(f'0x{byte:02x}' for byte in data)}}}"


def _javascript(data: bytes) -> str:
    return f"<Buffer {data.hex(' ')}>"


def _rust(data: bytes) -> str:
    escapes = "".join(f"\\x{byte:02x}" for byte in data)
    return f'b"{escapes}"'


def _lua(data: bytes) -> str:
    escapes = "".join(f"\\{byte:03}" for byte in data)
    return f'"{escapes}"'


def _haskell(data: bytes) -> str:
    escapes = "".join(f"\\{_CONTROLS[byte] if byte < 32 else byte}" for byte in data)
    return f'"{escapes}"'


ESCAPED = _Escaped("escaped", r"\x00\x41 without quotes, one message a line")
FORMS: tuple[Form, ...] = (
    _Python("python", r"b'\x00A', '\x00A', bytes([0, 65])", repr),
    _Language("java", r'new byte[] {0, (byte) 0xff}, [0, -1], "\u0000A"', _java),
    _Language("go", r'[]byte{0x0, 0x41}, [0 65], "\x00A"', _go),
    _Language("c", r'{0x00, 0x41}, "\000A"', _c),
    _JavaScript(
        "javascript",
        r'<Buffer 00 41>, Uint8Array(2) [ 0, 65 ], {"type":"Buffer","data":[0,65]}',
        _javascript,
        ("js", "node"),
    ),
    _Language("rust", r'b"\0\x01A"', _rust),
    _Language("lua", r'"\0\1A\255", of OCaml, too', _lua),
    _Language("haskell", r'"\NUL\SOHA\255"', _haskell),
    ESCAPED,
)
