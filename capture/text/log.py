r"""Bytes in the middle of a log: found line by line, with bounded memory.

A log is full of hex, words and numbers that are no message. So what stands among other
text counts only if its writing says that it is bytes (`b'\x00'`, `<Buffer 00>`,
`new byte[] {0}`, a dump that begins at offset 0), or if it could be a group's message:

- bare hex has 12 bytes or more, and not the length of a UUID or a digest, unless it begins
  with twelve zero bits, as versions, record types and frame sizes do;
- bare base64 has 12 bytes or more and begins with twelve zero bits (`AA`);
- a bare list has 12 numbers or more, is not sorted, and has two zeros: lists of partitions
  and of brokers do not;
- a string without a mark has a zero byte in it.

What came near and was passed over is counted with its reason.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import NamedTuple

from . import arrays, buffers, dump_log, literals
from .base64_text import decode
from .dumps import LAYOUTS, Rows
from .errors import CaptureError
from .literals import DIALECTS
from .reading import (
    MAX_BYTES,
    Chunk,
    DumpedRecord,
    Found,
    Reader,
    Skipped,
    Tally,
    check_size,
    label,
)

__all__ = ["READERS", "Scan"]

_LEAST = 12
_LEAST_MARKED = 4
_LEAST_QUOTED = 8
_SHORT = 4

# Lengths of UUIDs, object ids and digests from MD5 to SHA-512.
_ID_LENGTHS = frozenset({12, 16, 20, 24, 28, 32, 48, 64})
_LIKE_AN_ID = "hex of the length of an id or a digest"
_SORTED = "a list of numbers that is sorted or has no two zeros, such as partitions"


class _Hit(NamedTuple):
    """Something in a line: bytes, or the reason why it is none."""

    start: int
    end: int
    data: bytes = b""
    format: str = ""
    cut: int | None = 0
    reason: str = ""


def _begins_like_a_message(data: bytes) -> bool:
    return data[0] == 0 and data[1] < 16


# --- hex ---------------------------------------------------------------------------

_PACKED = re.compile(
    r"(?<![0-9A-Za-z_+/-])(?:0[xX]|\\{1,2}x)?([0-9a-fA-F]{20,}+)(\.\.\.|\u2026)?(?![0-9A-Za-z_+/-])"
)
# What reads hex, in Python, JavaScript and Go: an id is not read.
_FROM_HEX = re.compile(r"(?:fromhex|unhexlify|Buffer\.from|DecodeString)\(\s*b?[\"'`]$")
_CALL = 32
_SPACED = re.compile(
    r"(?<![0-9A-Za-z_:.-])(?:0[xX])?[0-9a-fA-F]{2}(, ?|[ :-])(?:0[xX])?[0-9a-fA-F]{2}"
    r"(?:\1(?:0[xX])?[0-9a-fA-F]{2}){10,}+"
)


def _packed_hex(line: str) -> Iterator[_Hit]:
    for match in _PACKED.finditer(line):
        digits = match[1]
        if len(digits) % 2:
            if not digits.isdecimal():
                yield _Hit(*match.span(), reason="an odd number of hex digits")
            continue
        if len(digits) < 2 * _LEAST:
            continue
        yield _judge_hex(match, bytes.fromhex(digits), None if match[2] else 0)


def _judge_hex(match: re.Match[str], data: bytes, cut: int | None = 0) -> _Hit:
    before = match.string[max(0, match.start() - _CALL) : match.start()]
    if not _begins_like_a_message(data) and not _FROM_HEX.search(before):
        if len(data) in _ID_LENGTHS:
            return _Hit(*match.span(), reason=_LIKE_AN_ID)
        if data.hex().isdecimal():
            return _Hit(*match.span(), reason="a long row of decimal digits")
    return _Hit(*match.span(), data, "hex", cut)


def _spaced_hex(line: str) -> Iterator[_Hit]:
    for match in _SPACED.finditer(line):
        digits = match[0].replace("0x", "").replace("0X", "").replace(match[1], "")
        end = match.end()
        if line[end : end + 1].isalnum():
            # The last pair is the beginning of a longer word.
            digits = digits[:-2]
        if len(digits) >= 2 * _LEAST:
            yield _judge_hex(match, bytes.fromhex(digits))


# --- base64 ------------------------------------------------------------------------

_BASE64 = re.compile(r"(?<![\w+/-])AA[A-Za-z0-9+/_-]{14,}+={0,2}(?![\w+/=-])")


def _base64(line: str) -> Iterator[_Hit]:
    for match in _BASE64.finditer(line):
        url = "-" in match[0] or "_" in match[0]
        try:
            data = decode(match[0], url=url)
        except ValueError as error:
            yield _Hit(*match.span(), reason=f"what looks like base64: {error}")
            continue
        yield _Hit(*match.span(), data, "base64url" if url else "base64")


# --- literals ----------------------------------------------------------------------

_LITERAL = re.compile(
    r"(?<![\w\\])(?:(?P<marked>[bB])(?=['\"]))?(?:"
    + "|".join(literals.quoted(quote) for quote in "'\"`")
    + ")"
)
_BYTE_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|[0-3]?[0-7]{1,2}|u00[0-9a-fA-F]{2})")
_DOUBLE = re.compile(rb"\\x[0-9a-fA-F]{2}")
_BY_QUOTE = {
    "'": ("python", "javascript"),
    '"': ("go", "c", "java", "javascript", "python"),
    "`": ("javascript",),
}


def _literals(line: str) -> Iterator[_Hit]:
    at = 0
    while match := _LITERAL.search(line, at):
        hit = _judge_literal(match)
        # A string that is none may hold one that is: go on behind its opening quote.
        at = match.end() if hit else match.start() + (2 if match["marked"] else 1)
        if hit:
            yield hit


def _judge_literal(match: re.Match[str]) -> _Hit | None:
    text = match[0]
    marked = bool(match["marked"])
    if not marked and not _BYTE_ESCAPE.search(text):
        return None
    body = text[2:-1] if marked else text[1:-1]
    for name in ("python",) if marked else _BY_QUOTE[text[0]]:
        if name == "go" and "\\u00" in body:
            continue
        try:
            data = literals.unescape(body, DIALECTS[name])
        except ValueError:
            continue
        if marked and _DOUBLE.search(data) and data.isascii() and data.decode().isprintable():
            # A log of JSON lines has escaped the backslashes once more.
            data = literals.unescape(data.decode(), DIALECTS["python"])
        if len(data) >= (_LEAST_MARKED if marked else _LEAST_QUOTED) and (marked or b"\0" in data):
            return _Hit(*match.span(), data, name)
    if marked:
        return _Hit(*match.span(), reason=f"a literal of less than {_LEAST_MARKED} bytes")
    if "\ufffd" in body and "\\" in body:
        return _Hit(*match.span(), reason="a string in which U+FFFD stands for lost bytes")
    return None


_ESCAPED = re.compile(r"\\x[0-9a-fA-F]{2}")
_TAIL = re.compile(r"\\x[0-9a-fA-F]{2}[^\s\"'`\\]*+")


def _escaped(line: str) -> Iterator[_Hit]:
    """Escapes without quotes: from the first to the last, with what stands between."""
    first = _ESCAPED.search(line)
    if first is None:
        return
    last = _TAIL.match(line, line.rfind("\\x"))
    end = last.end() if last else first.end()
    body = line[first.start() : end]
    if '"' in body or "'" in body:
        return
    try:
        data = literals.unescape(body, DIALECTS["escaped"])
    except ValueError:
        return
    if len(data) >= _LEAST_QUOTED and b"\0" in data:
        yield _Hit(first.start(), end, data, "escaped")


# --- lists -------------------------------------------------------------------------


def _lists(line: str) -> Iterator[_Hit]:
    for found in arrays.find(line):
        yield from _judge_list(found, marked=found.marked)


def _buffers(line: str) -> Iterator[_Hit]:
    for found in buffers.find(line):
        yield from _judge_list(found, marked=True)


def _judge_list(found: arrays.Listing, *, marked: bool) -> Iterator[_Hit]:
    span = (found.start, found.end)
    if marked:
        if len(found.data) >= _LEAST_MARKED or found.cut != 0:
            yield _Hit(*span, found.data, found.language, found.cut)
        else:
            yield _Hit(*span, reason=f"a list of less than {_LEAST_MARKED} bytes")
    elif len(found.data) >= _LEAST:
        steps = set(map(_sign, found.data, found.data[1:]))
        if {-1, 1} <= steps and found.data.count(0) > 1:
            yield _Hit(*span, found.data, found.language, found.cut)
        else:
            yield _Hit(*span, reason=_SORTED)


def _sign(one: int, other: int) -> int:
    return (one > other) - (one < other)


# --- the scan ----------------------------------------------------------------------

# What a line must hold for a finder to be asked, and the finder.
_FINDERS: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[_Hit]]], ...] = (
    (("\\", "b'", 'b"', "B'", 'B"'), _literals),
    (("\\x",), _escaped),
    (("<", '"0"'), _buffers),
    (("[", "{"), _lists),
    (("AA",), _base64),
    (("",), _packed_hex),
    (("",), _spaced_hex),
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*+[A-Za-z]")
_OPEN = re.compile(r"[\[{]([^\[\]{}\"'`<>]*+)\Z")
_UP_TO_BRACKET = re.compile(r"[^\[\]{}\"'`<>]*+")
_PER_BYTE = 8


class Scan(Iterator[Chunk | DumpedRecord]):
    """The bytes and the decoded records in the lines of a log, as they come.

    `lines` and `skipped` tell, at any time, how many lines were read and what was
    passed over so far. No line is held longer than it takes, but for a list or a dump
    that goes on on the next; these have `max_bytes` at most.
    """

    def __init__(self, lines: Iterable[bytes], *, max_bytes: int = MAX_BYTES) -> None:
        self.lines = 0
        self._tally = Tally()
        self._max_bytes = max_bytes
        self._rows = Rows(LAYOUTS, max_bytes, fresh=True)
        self._open: list[str] = []
        self._open_size = 0
        self._open_line = 0
        self._items = self._scan(lines)

    def __iter__(self) -> Scan:
        return self

    def __next__(self) -> Chunk | DumpedRecord:
        return next(self._items)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        return tuple(self._tally)

    def _scan(self, lines: Iterable[bytes]) -> Iterator[Chunk | DumpedRecord]:
        for data in lines:
            self.lines += 1
            if len(data) < _SHORT and not self._open and not self._rows.inside:
                continue
            line = data.decode("utf-8", "surrogateescape").rstrip("\r\n")
            if "\x1b" in line:
                line = _COLOUR.sub(lambda colour: " " * len(colour[0]), line)
            yield from self._sized(self._line(line))
        if done := self._rows.flush():
            yield from self._sized(self._dump(done))

    def _sized(self, items: Iterator[Chunk | DumpedRecord]) -> Iterator[Chunk | DumpedRecord]:
        try:
            for item in items:
                if isinstance(item, Chunk):
                    check_size(len(item.data), self._max_bytes)
                yield item
        except CaptureError as refusal:
            self._tally.add(refusal.problem, self.lines)

    def _line(self, line: str) -> Iterator[Chunk | DumpedRecord]:
        if self._open:
            line = yield from self._go_on(line)
        taken, done = self._rows.feed(self.lines, line)
        if done:
            yield from self._dump(done)
        if taken:
            return
        if dump_log.is_record(line):
            record = dump_log.record(line, self.lines)
            yield record
            yield from dump_log.chunks(record, self._max_bytes)
            return
        yield from self._inline(line)
        if not self._open:
            self._begin(line)

    def _dump(self, chunk: Chunk) -> Iterator[Chunk]:
        if len(chunk.data) >= _LEAST_QUOTED:
            yield chunk
        else:
            self._tally.add(f"a dump of less than {_LEAST_QUOTED} bytes", chunk.line)

    def _inline(self, line: str) -> Iterator[Chunk]:
        hits: list[_Hit] = []
        for words, finder in _FINDERS:
            if any(word in line for word in words):
                hits.extend(finder(line))
        hits.sort(key=lambda hit: (hit.start, -hit.end))
        end = 0
        for hit in hits:
            if hit.start < end:
                continue
            if hit.reason:
                self._tally.add(hit.reason, self.lines)
            else:
                yield Chunk(
                    hit.data, hit.format, self.lines, hit.start + 1,
                    label(line[end : hit.start]), hit.cut,
                )  # fmt: skip
            end = hit.end

    # A list that goes on on the next lines, as Node and JSON print them.

    def _begin(self, line: str) -> None:
        match = _OPEN.search(line, line.rfind("[") if "[" in line else line.rfind("{"))
        if match and arrays.numbers(match[1], octal=False) is not None:
            self._open = [line]
            self._open_size = len(line)
            self._open_line = self.lines

    def _go_on(self, line: str) -> Generator[Chunk, None, str]:
        """Take a line into the open list; what is left of the line when it has ended."""
        inside = _UP_TO_BRACKET.match(line)
        end = inside.end() if inside else 0
        self._open_size += end + 1
        if self._open_size > _PER_BYTE * self._max_bytes:
            self._tally.add("a list that is too long", self._open_line)
        elif line[end : end + 1] in ("]", "}"):
            yield from self._close(line[: end + 2])
            self._open = []
            return " " * (end + 1) + line[end + 1 :]
        elif end == len(line) and arrays.numbers(line, octal=False) is not None:
            self._open.append(line)
            return ""
        self._open = []
        return line

    def _close(self, tail: str) -> Iterator[Chunk]:
        text = "\n".join([*self._open, tail])
        for hit in _lists(text):
            if hit.end <= len(self._open[0]):
                continue  # it stands on the first line alone, and was found there
            if hit.reason:
                self._tally.add(hit.reason, self._open_line)
            else:
                front = label(text[: hit.start])
                yield Chunk(hit.data, hit.format, self._open_line, hit.start + 1, front, hit.cut)


class _Log:
    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        found = Scan(io.BytesIO(text.encode("utf-8", "surrogateescape")), max_bytes=max_bytes)
        items = list(found)
        return Found(
            [item for item in items if isinstance(item, Chunk)],
            records=[item for item in items if isinstance(item, DumpedRecord)],
            skipped=found.skipped,
        )

    def write(self, data: bytes) -> str:
        return f"12:00:00 DEBUG metadata={data!r}"


READERS: dict[str, Reader] = {"log": _Log()}
