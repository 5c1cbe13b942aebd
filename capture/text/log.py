r"""Find bytes in the middle of a log, line by line, with bounded memory.

A log is full of hex, words and numbers that are no message. So bytes among other text
count only if their notation says that they are bytes (`b'\x00'`, `<Buffer 00>`,
`new byte[] {0}`, a dump that begins at offset 0), or if it could be a group's message:

- bare hex has 12 bytes or more, and not the length of a UUID or a digest, unless it begins
  with twelve zero bits, as versions, record types and frame sizes do;
- bare base64 has 12 bytes or more and begins with twelve zero bits (`AA`);
- a bare list has 12 numbers or more, is not sorted, and has two zeros: lists of partitions
  and of brokers do not;
- a string without a mark has a zero byte in it, and so has percent-encoding.

With a judge, hex of an id's length has to decode as well; hex, base64 and lists of 6 bytes or more
count, too, where they begin and decode as messages do; and decoding decides whether lines of
nothing but hex or base64 are one message or several.

Text that is similar to bytes and was skipped is counted with the reason.
"""

from __future__ import annotations

import contextlib
import io
import re
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from ..errors import CaptureError
from . import arrays, buffers, dump_log, erlang, literals, percent
from .base64_text import decode
from .dumps import LAYOUTS, Rows
from .line_filter import ID_LENGTHS, interesting_lines
from .literals import DIALECTS
from .plain_hex import HALF
from .quoted_values import character_places, string_content
from .reading import (
    CLEAN,
    MAX_BYTES,
    Chunk,
    DumpedRecord,
    Found,
    Judge,
    Reader,
    Skipped,
    Tally,
    check_size,
    label,
)

__all__ = ["READERS", "SHORT", "Readable", "Scan", "scanned"]

SHORT = 1 << 16
"""Characters of a text of which every line is looked into."""

_LEAST = 12
_FEWEST = 6  # that are considered at all, if they decode
_LEAST_MARKED = 4
_LEAST_QUOTED = 8

_LIKE_AN_ID = "hex of the length of an id or a digest"
_COLUMNS = bytes(range(16))
_LEAST_BASE64 = 16  # characters
_SORTED = "a list of numbers that is sorted or has no two zeros, such as partitions"


class _Hit(NamedTuple):
    """A span of a line: bytes, or the reason why it is skipped. `short`: so few bytes count only if
    they decode."""

    start: int
    end: int
    data: bytes = b""
    format: str = ""
    cut: int | None = 0
    reason: str = ""
    remark: str = ""
    short: bool = False


def _begins_like_a_message(data: bytes) -> bool:
    return data[0] == 0 and data[1] < 16


def _is_printable(data: bytes) -> bool:
    return data.isascii() and data.decode().isprintable()


# --- hex ---------------------------------------------------------------------------

_PACKED = re.compile(
    r"(?<![0-9A-Za-z_+/-])(?:0[xX]|\\{1,2}x)?([0-9a-fA-F]{12,}+)(\.\.\.|\u2026)?(?![0-9A-Za-z_+/-])"
)
# Calls that decode hex, in Python, JavaScript and Go: ids are not decoded.
_FROM_HEX = re.compile(r"(?:fromhex|unhexlify|Buffer\.from|DecodeString)\(\s*b?[\"'`]$")
_CALL = 32
_SPACED = re.compile(
    r"(?<![0-9A-Za-z_:.-])(?:0[xX])?[0-9a-fA-F]{2}(, ?|[ :_-])(?:0[xX])?[0-9a-fA-F]{2}"
    r"(?>(?:\1(?:0[xX])?[0-9a-fA-F]{2}){4,})"
)


def _packed_hex(line: str) -> Iterator[_Hit]:
    for match in _PACKED.finditer(line):
        digits = match[1]
        if len(digits) % 2:
            yield from _half_a_byte(match)
        else:
            yield _judge_hex(match, bytes.fromhex(digits), None if match[2] else 0)


def _half_a_byte(match: re.Match[str]) -> Iterator[_Hit]:
    """A message that was cut in the middle of a byte, or other digits."""
    digits = match[1]
    data = bytes.fromhex(digits[:-1])
    if len(data) >= _LEAST and _begins_like_a_message(data):
        yield _Hit(*match.span(), data, "hex", None, remark=HALF.format(digits[-1]))
    elif len(data) >= _LEAST and not digits.isdecimal():
        yield _Hit(*match.span(), reason="an odd number of hex digits")


def _judge_hex(match: re.Match[str], data: bytes, cut: int | None = 0) -> _Hit:
    before = match.string[max(0, match.start() - _CALL) : match.start()]
    reason = "the numbers of a dump's columns" if data == _COLUMNS else ""
    decoded = _FROM_HEX.search(before) is not None
    if not reason and not _begins_like_a_message(data) and not decoded and len(data) >= _LEAST:
        if len(data) in ID_LENGTHS:
            reason = _LIKE_AN_ID
        elif data.hex().isdecimal():
            reason = "a long row of decimal digits"
    short = len(data) < _LEAST and not decoded
    return _Hit(*match.span(), data, "hex", cut, reason, short=short)


def _spaced_hex(line: str) -> Iterator[_Hit]:
    for match in _SPACED.finditer(line):
        digits = match[0].replace("0x", "").replace("0X", "").replace(match[1], "")
        end = match.end()
        if line[end : end + 1].isalnum():
            # The last pair is the beginning of a longer word.
            digits = digits[:-2]
        yield _judge_hex(match, bytes.fromhex(digits))


# --- base64 ------------------------------------------------------------------------

_BASE64 = re.compile(r"(?<![\w+/-])AA[A-Za-z0-9+/_-]{6,}+={0,2}(?![\w+/=-])")


def _base64(line: str) -> Iterator[_Hit]:
    for match in _BASE64.finditer(line):
        url = "-" in match[0] or "_" in match[0]
        try:
            data = decode(match[0], url=url)
        except ValueError as error:
            if len(match[0]) >= _LEAST_BASE64:
                yield _Hit(*match.span(), reason=f"what looks like base64: {error}")
            continue
        form = "base64url" if url else "base64"
        yield _Hit(*match.span(), data, form, short=len(data) < _LEAST)


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
        # A string that is no literal may hold one: go on after its opening quote.
        at = match.end() if hit else match.start() + (2 if match["marked"] else 1)
        if hit:
            yield hit


def _judge_literal(match: re.Match[str]) -> _Hit | None:
    text = match[0]
    marked = bool(match["marked"])
    if not marked and not _BYTE_ESCAPE.search(text):
        return None
    body = text[2:-1] if marked else text[1:-1]
    if not marked and body[:2] in ("b'", 'b"'):
        return None  # a marked literal in quotes
    for name in ("python",) if marked else _BY_QUOTE[text[0]]:
        if name == "go" and "\\u00" in body:
            continue
        try:
            data = literals.unescape(body, DIALECTS[name])
        except ValueError:
            continue
        if marked:
            data = _twice_escaped(data) or data
        if len(data) >= (_LEAST_MARKED if marked else _LEAST_QUOTED) and (marked or b"\0" in data):
            return _Hit(*match.span(), data, name)
    if marked:
        return _Hit(*match.span(), reason=f"a literal of less than {_LEAST_MARKED} bytes")
    if "\ufffd" in body and "\\" in body:
        return _Hit(*match.span(), reason="a string with U+FFFD in the place of lost bytes")
    return None


def _twice_escaped(data: bytes) -> bytes:
    """The bytes of a literal whose backslashes a log of JSON lines has escaped once more; none for
    any other content."""
    if _DOUBLE.search(data) and data.isascii() and data.decode().isprintable():
        with contextlib.suppress(ValueError):
            return literals.unescape(data.decode(), DIALECTS["python"])
    return b""


_ESCAPED = re.compile(r"\\x[0-9a-fA-F]{2}")
_TAIL = re.compile(r"\\x[0-9a-fA-F]{2}[^\s\"'`\\]*+")


def _escaped(line: str) -> Iterator[_Hit]:
    """Escapes without quotes: from the first to the last, with the text between them."""
    first = _ESCAPED.search(line)
    if first is None or first.start() == line.rfind("\\x"):  # one escape: hex behind `\x`
        return
    last = _TAIL.match(line, line.rfind("\\x"))
    end = last.end() if last else first.end()
    start = first.start()
    body = line[start:end]
    if line[start - 1 : start] == "\\":  # a string of JSON that was cut
        body = body.replace("\\\\", "\\")
    if '"' in body or "'" in body:
        return
    try:
        data = literals.unescape(body, DIALECTS["escaped"])
    except ValueError:
        return
    if len(data) >= _LEAST_QUOTED and b"\0" in data:
        yield _Hit(start, end, data, "escaped")


# --- lists -------------------------------------------------------------------------


def _lists(line: str) -> Iterator[_Hit]:
    for found in arrays.find(line):
        yield from _judge_list(found, marked=found.marked)


def _buffers(line: str) -> Iterator[_Hit]:
    for found in buffers.find(line):
        yield from _judge_list(found, marked=True)


def _binaries(line: str) -> Iterator[_Hit]:
    for found in erlang.find(line):
        yield from _judge_list(found, marked=True)


def _percents(line: str) -> Iterator[_Hit]:
    for match in percent.ENCODED.finditer(line):
        data = percent.decode(match[0])
        if len(data) >= _LEAST_QUOTED and b"\0" in data:
            yield _Hit(*match.span(), data, "percent")


def _judge_list(found: arrays.Listing, *, marked: bool) -> Iterator[_Hit]:
    span = (found.start, found.end)
    if marked:
        if len(found.data) >= _LEAST_MARKED or found.cut != 0:
            yield _Hit(*span, found.data, found.language, found.cut)
        else:
            yield _Hit(*span, reason=f"a list of less than {_LEAST_MARKED} bytes")
    elif len(found.data) >= _FEWEST:
        steps = set(map(_sign, found.data, found.data[1:]))
        if {-1, 1} <= steps and found.data.count(0) > 1:
            short = len(found.data) < _LEAST
            yield _Hit(*span, found.data, found.language, found.cut, short=short)
        elif len(found.data) >= _LEAST:
            yield _Hit(*span, reason=_SORTED)


def _sign(left: int, right: int) -> int:
    return (left > right) - (left < right)


# --- what was left out ---------------------------------------------------------------

# What is like bytes and was in no hit: a list, hex, base64, escapes.
_LIKE_BYTES = re.compile(
    r"[\[{(]\s*+-?[0-9]{1,3}(?:[,\s]++-?[0-9]{1,3}){3}"
    r"|(?<![\w.-])(?=[0-9]*+[a-fA-F])[0-9a-fA-F]{12,}+(?![\w.-])"
    r"|(?<![\w.:-])(?:[0-9a-fA-F]{2}[ :_]){5}|(?<![\w.:-])(?:[0-9a-fA-F]{4} ){3}"
    r"|(?<![\w+/.-])(?=[a-z0-9+/]*+[A-Z])(?=[A-Z0-9+/]*+[a-z])(?=[A-Za-z+/]*+[0-9])"
    r"[A-Za-z0-9+/]{24,}+={0,2}(?![\w.-])"
    r"|\\x[0-9a-fA-F]{2}|\\[0-3][0-7]{2}|(?:%[0-9a-fA-F]{2}){2}"
)
_LEFT_OUT = "text that is like bytes, in no form that was recognised"
_MAY_END_ELSEWHERE = "not all of it decodes, so it may be a part of a message or several"


# --- the scan ----------------------------------------------------------------------

# The texts of which a line must hold one for a finder to be called, and the finder.
_FINDERS: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[_Hit]]], ...] = (
    (("\\", "b'", 'b"', "B'", 'B"'), _literals),
    (("\\x",), _escaped),
    (("<", '"0"'), _buffers),
    (("<<",), _binaries),
    (("%",), _percents),
    (("[", "{", "("), _lists),
    (("AA",), _base64),
    (("",), _packed_hex),
    (("",), _spaced_hex),
)
# In strings of JSON, the quotes and the backslashes of a text are escaped.
_ESCAPED_TEXT = ('\\"', "\\\\")
_DEEPEST = 3  # levels of JSON in strings of JSON


def _hits(line: str, depth: int = 0) -> list[_Hit]:
    """The hits in a line, in its order; in the text that a string contains, too."""
    hits: list[_Hit] = []
    if depth < _DEEPEST and any(mark in line for mark in _ESCAPED_TEXT):
        for string in _LITERAL.finditer(line):
            if string[0][0] == '"' and "\\" in string[0] and (inside := _inside(string, depth)):
                hits += inside
                start, end = string.span()
                line = f"{line[:start]}{' ' * (end - start)}{line[end:]}"
    for words, finder in _FINDERS:
        if any(word in line for word in words):
            hits.extend(finder(line))
    return sorted(hits, key=lambda hit: (hit.start, -hit.end))


def _inside(string: re.Match[str], depth: int) -> list[_Hit]:
    """The bytes in the text that a string contains; none where the string itself may be bytes."""
    content = string_content(string[0])
    if not content.isprintable():
        return []
    found = _apart(_hits(content, depth + 1))
    if not found and content[:1] == "\\":
        found = _apart(_hits(f'"{content}"', depth + 1))
        return [hit._replace(start=string.start(), end=string.end()) for hit in found]
    places = [string.start() + at for at in character_places(string[0])]
    return [hit._replace(start=places[hit.start], end=places[hit.end]) for hit in found]


def _apart(hits: list[_Hit]) -> list[_Hit]:
    """The hits with bytes that do not overlap one before them."""
    found: list[_Hit] = []
    end = 0
    for hit in hits:
        if hit.data and hit.start >= end:
            found.append(hit)
            end = hit.end
    return found


_COLOUR = re.compile(rb"\x1b\[[0-9;]*+[A-Za-z]")
_OPEN = re.compile(r"[\[{]([^\[\]{}\"'`<>]*+)\Z")
_UP_TO_BRACKET = re.compile(r"[^\[\]{}\"'`<>]*+")
_PER_BYTE = 8
_BLOCK = 1 << 18
_LONGEST_LINE = 16 << 20
_LABEL = 80

# Lines of nothing but hex or base64: a message may go over several of them.
_ALL_HEX = re.compile(
    r"\s*+(?:(?:0[xX])?[0-9a-fA-F]{20,}+|(?>(?:[0-9a-fA-F]{2}[ :]){9,})(?:[0-9a-fA-F]{2})?)\s*+"
)
_MORE_HEX = re.compile(
    r"\s*+(?:[0-9a-fA-F]++|[0-9a-fA-F]{2}(?>(?:[ :][0-9a-fA-F]{2})*)[ :]?|\*)\s*+"
)
_ALL_BASE64 = re.compile(r"\s*+AA[A-Za-z0-9+/]{38,}+\s*+")
_MORE_BASE64 = re.compile(r"\s*+[A-Za-z0-9+/]++={0,2}\s*+")
_MOST_GATHERED = 1 << 16  # characters


@runtime_checkable
class Readable(Protocol):
    """A file that can be read as far as bytes are available."""

    def read1(self, size: int, /) -> bytes: ...


class Scan(Iterator[Chunk | DumpedRecord]):
    """An iterator of the bytes and the decoded records in the lines of a log.

    `lines`, `size` and `skipped` say, at any time, how many lines and bytes were read and what was
    skipped so far. No line is held after it was read, except for a list, a dump or hex that goes on
    on the next line, of at most `max_bytes`. A line of more than 16 MiB is skipped.

    `each` is the reader of lines that are a message each, as most lines of this text are.
    `thorough` looks into every line, those too that a fast search passes over; it finds shorter
    messages.
    """

    def __init__(
        self,
        lines: Iterable[bytes] | Readable,
        *,
        max_bytes: int = MAX_BYTES,
        judge: Judge | None = None,
        each: Reader | None = None,
        thorough: bool = False,
    ) -> None:
        self.lines = 0
        self.size = 0
        self._tally = Tally()
        self._max_bytes = max_bytes
        self._judge = judge
        self._each = each
        self._thorough = thorough
        self._rows = Rows(LAYOUTS, max_bytes, fresh=True)
        self._open: list[str] = []
        self._open_size = 0
        self._open_line = 0
        self._gathered: list[str] = []
        self._gathered_size = 0
        self._more = _MORE_HEX
        self._items = self._scan(lines)

    def __iter__(self) -> Scan:
        return self

    def __next__(self) -> Chunk | DumpedRecord:
        return next(self._items)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        return tuple(self._tally)

    def _scan(self, source: Iterable[bytes] | Readable) -> Iterator[Chunk | DumpedRecord]:
        above = b""
        blocks = self._blocks(source) if isinstance(source, Readable) else map(_one_line, source)
        for block in blocks:
            self.size += len(block)
            plain = _COLOUR.sub(_blanks, block) if b"\x1b" in block else block
            yield from self._block(plain, above)
            above = plain[plain.rfind(b"\n", 0, -1) + 1 :][-_LABEL:]
        yield from self._sized(self._end_of_gathered())
        if done := self._rows.flush():
            yield from self._sized(self._dump(done))

    def _blocks(self, file: Readable) -> Iterator[bytes]:
        """Blocks of whole lines, as they come; lines that are too long are skipped."""
        waiting: list[bytes] = []
        size = 0
        passing = False
        while data := file.read1(_BLOCK):
            if passing:
                self.size += data.find(b"\n") + 1 or len(data)
                _, passed, data = data.partition(b"\n")
                self.lines += len(passed)
                passing = not passed
            end = data.rfind(b"\n") + 1
            if end:
                yield b"".join((*waiting, data[:end]))
                waiting, size = [], 0
            if end < len(data):
                waiting.append(data[end:])
                size += len(data) - end
            if size > _LONGEST_LINE:
                self._tally.add("a line of more than 16 MiB", self.lines + 1)
                self.size += size
                waiting, size, passing = [], 0, True
        self.lines += passing
        if waiting:
            yield b"".join(waiting)

    @property
    def _goes_on(self) -> bool:
        """Whether the next line may continue something that an earlier line began."""
        begun = self._open or self._gathered or self._rows.inside
        return bool(begun or self._each or self._thorough)

    def _block(self, block: bytes, above: bytes) -> Iterator[Chunk | DumpedRecord]:
        interesting, ids = interesting_lines(block)
        starts = iter(interesting)
        start = at = 0
        while at < len(block):
            start = at
            if not self._goes_on:
                start = next((each for each in starts if each >= at), len(block))
                self._pass_ids(block, ids, at, start)
                self.lines += block.count(b"\n", at, start)
                if start == len(block):
                    self.lines += not block.endswith(b"\n")
                    return
            at = block.find(b"\n", start) + 1 or len(block)
            self.lines += 1
            if not self._rows.inside:
                before = block[block.rfind(b"\n", 0, start - 1) + 1 : start] if start else above
                self._rows.above = before[-_LABEL:].decode("utf-8", "replace")
            line = block[start:at].decode("utf-8", "surrogateescape").rstrip("\r\n")
            yield from self._sized(self._line(line))

    def _pass_ids(self, block: bytes, ids: list[int], start: int, end: int) -> None:
        """Count the ids on lines that are passed over."""
        first = bisect_left(ids, start)
        if times := bisect_left(ids, end) - first:
            line = self.lines + block.count(b"\n", start, ids[first]) + 1
            self._tally.add(_LIKE_AN_ID, line, times)

    def _sized(self, items: Iterator[Chunk | DumpedRecord]) -> Iterator[Chunk | DumpedRecord]:
        try:
            for item in items:
                if isinstance(item, Chunk):
                    check_size(len(item.data), self._max_bytes)
                    yield self._remarked(item)
                else:
                    yield item
        except CaptureError as refusal:
            self._tally.add(refusal.problem, self.lines)

    def _line(self, line: str) -> Iterator[Chunk | DumpedRecord]:
        if self._each is not None and (chunks := self._read_each(line)) is not None:
            yield from chunks
            return
        if self._open:
            line = yield from self._go_on(line)
        if self._judge is not None and (yield from self._gather(line)):
            return
        yield from self._plain_line(line)

    def _plain_line(self, line: str) -> Iterator[Chunk | DumpedRecord]:
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
        yield from self._inline(line, self.lines)
        if not self._open:
            self._begin(line)

    def _read_each(self, line: str) -> list[Chunk] | None:
        """The messages of a line that is in the form of most lines; None for any other line."""
        assert self._each is not None
        try:
            found = self._each.read(line, self._max_bytes, whole=True)
        except CaptureError as refusal:
            if refusal.too_large:
                raise
            return None
        if found.rest is not None:
            return None
        return [chunk._replace(line=self.lines) for chunk in found.chunks]

    def _dump(self, chunk: Chunk) -> Iterator[Chunk]:
        if len(chunk.data) >= _LEAST_QUOTED:
            yield chunk
        else:
            self._tally.add(f"a dump of less than {_LEAST_QUOTED} bytes", chunk.line)

    def _inline(self, line: str, number: int) -> Iterator[Chunk]:
        hits = _hits(line)
        end = 0
        for hit in hits:
            if hit.start < end:
                continue
            if hit.short and not self._decodes(hit.data):
                continue
            reason = hit.reason or self._doubt(hit)
            if reason:
                self._tally.add(reason, number)
            else:
                yield Chunk(
                    self._without_words(hit.data), hit.format, number, hit.start + 1,
                    label(line[end : hit.start]), hit.cut, hit.remark,
                )  # fmt: skip
            end = hit.end
        if self._looks_twice:
            self._look_for_more(line, hits, number)

    def _remarked(self, chunk: Chunk) -> Chunk:
        if not self._looks_twice or chunk.remark or self._is_clean(chunk.data):
            return chunk
        return chunk._replace(remark=_MAY_END_ELSEWHERE)

    @property
    def _looks_twice(self) -> bool:
        """Whether what is left out, and what does not decode, is reported."""
        return self._thorough and self._judge is not None

    def _look_for_more(self, line: str, hits: list[_Hit], number: int) -> None:
        rest = list(line)
        for hit in hits:
            if not hit.short or self._decodes(hit.data):
                rest[hit.start : hit.end] = " " * (hit.end - hit.start)
        if _LIKE_BYTES.search("".join(rest)):
            self._tally.add(_LEFT_OUT, number)

    def _without_words(self, data: bytes) -> bytes:
        """The message in a string that has words around it; the data where none decodes."""
        start = data.find(0)
        words, rest = data[:start], data[start:]
        if self._judge is None or start < 1 or not _is_printable(words) or self._is_clean(data):
            return data
        ends = sorted(self._judge.ends(rest), reverse=True)
        whole = (end for end in ends if _is_printable(rest[end:]) and self._is_clean(rest[:end]))
        return rest[: next(whole, 0)] or data

    def _is_clean(self, data: bytes) -> bool:
        return self._judge is None or 4 * self._judge.weigh(data) >= 3 * CLEAN * len(data)

    def _decodes(self, data: bytes) -> bool:
        """Whether a few bytes are a message without a deviation."""
        return self._judge is not None and _begins_like_a_message(data) and self._is_clean(data)

    def _doubt(self, hit: _Hit) -> str:
        """Why a hit is skipped: one id in 4,096 begins as messages do, and then does not decode."""
        if self._judge is None or hit.format != "hex" or len(hit.data) not in ID_LENGTHS:
            return ""
        convincing = 2 * self._judge.weigh(hit.data) >= CLEAN * len(hit.data)
        return "" if convincing else _LIKE_AN_ID

    # Lines of nothing but hex or base64.

    def _gather(self, line: str) -> Generator[Chunk | DumpedRecord, None, bool]:
        """Take a line that may be a part of a message; False for any other line."""
        if self._gathered:
            if self._more.fullmatch(line) and self._gathered_size < _MOST_GATHERED:
                self._gathered.append(line)
                self._gathered_size += len(line)
                return True
            yield from self._end_of_gathered(self.lines - 1)
        for first, more in ((_ALL_HEX, _MORE_HEX), (_ALL_BASE64, _MORE_BASE64)):
            if first.fullmatch(line):
                self._more = more
                self._gathered, self._gathered_size = [line], len(line)
                return True
        return False

    def _end_of_gathered(self, last: int | None = None) -> Iterator[Chunk]:
        from .detect import detect  # late: only gathered lines need it

        gathered, self._gathered = self._gathered, []
        if not gathered:
            return
        first = (self.lines if last is None else last) - len(gathered) + 1
        if len(gathered) > 1:
            try:
                fit = detect("\n".join(gathered), self._max_bytes, self._judge)
            except CaptureError:
                fit = None
            if fit is not None and fit.is_convincing:
                for chunk in fit.found.chunks:
                    yield chunk._replace(line=first + chunk.line - 1)
                return
        for number, line in enumerate(gathered, start=first):
            yield from self._inline(line, number)

    # A list that goes on on the next lines, as Node and JSON print them.

    def _begin(self, line: str) -> None:
        match = _OPEN.search(line, line.rfind("[") if "[" in line else line.rfind("{"))
        if match and arrays.numbers(match[1], octal=False) is not None:
            self._open = [line]
            self._open_size = len(line)
            self._open_line = self.lines

    def _go_on(self, line: str) -> Generator[Chunk, None, str]:
        """Add a line to the open list; return the rest of the line behind the end of the list."""
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
        if len(self._open) > 1 and self._looks_twice:
            self._tally.add(_LEFT_OUT, self._open_line)
        self._open = []
        return line

    def _close(self, tail: str) -> Iterator[Chunk]:
        text = "\n".join([*self._open, tail])
        for hit in _lists(text):
            if hit.end <= len(self._open[0]):
                continue  # it is all on the first line, and was found there
            if hit.reason:
                self._tally.add(hit.reason, self._open_line)
            else:
                front = label(text[: hit.start])
                yield Chunk(hit.data, hit.format, self._open_line, hit.start + 1, front, hit.cut)


def _one_line(line: bytes) -> bytes:
    return line.rstrip(b"\r\n").replace(b"\n", b" ") + b"\n"


def _blanks(colour: re.Match[bytes]) -> bytes:
    return b" " * len(colour[0])


class _Log:
    def read(self, text: str, max_bytes: int, *, whole: bool = False) -> Found:
        return scanned(text, max_bytes, None)

    def write(self, data: bytes) -> str:
        return f"12:00:00 DEBUG metadata={data!r}"


def scanned(text: str, max_bytes: int, judge: Judge | None) -> Found:
    """Return everything that is found in a log."""
    lines = io.BytesIO(text.encode("utf-8", "surrogateescape"))
    found = Scan(
        lines, max_bytes=max_bytes, judge=judge, thorough=len(text) <= SHORT and judge is not None
    )
    items = list(found)
    return Found(
        [item for item in items if isinstance(item, Chunk)],
        records=[item for item in items if isinstance(item, DumpedRecord)],
        skipped=found.skipped,
    )


READERS: dict[str, Reader] = {"log": _Log()}
