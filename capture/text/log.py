"""Read a log line by line, with bounded memory: the bytes in the middle of its lines.

A line is searched by the `find` of every form. Of a large log, only lines that `prefilter` picks
out are searched. Dumps, lists, and messages in hex or base64 may go over several lines.

With a judge, which knows messages, hex of an id's length has to decode; hex, base64 and lists of 6
bytes or more count, too, where they begin and decode as messages do; and decoding decides whether
lines of nothing but hex or base64 are one message or several.

Text that is similar to bytes and was skipped is counted with the reason.
"""

from __future__ import annotations

import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol, runtime_checkable

from ..chunks import (
    CLEAN,
    MAX_BYTES,
    Chunk,
    Content,
    DumpedRecord,
    Judge,
    Skipped,
    Tally,
    check_size,
    label,
)
from ..cuts import DOTS, advice, doubtful_end, doubtful_middle, hidden
from ..errors import CaptureError
from ..form import LEAST, LEAST_QUOTED, Form, Hit, is_message_start
from ..forms import FORMS, dump_log
from ..forms.dumps import LAYOUTS, Rows, without_spare
from ..forms.hex import ID_LENGTHS, LIKE_AN_ID, names_field
from ..forms.literals import DIALECTS, STRING, character_places, string_content
from ..forms.numbers import list_hits, numbers, open_list
from ..forms.quoted_printable import MARK, SOFT_BREAK
from ..forms.quoted_printable import NAME as QUOTED_PRINTABLE
from ..forms.raw import plain_marks
from ..lines import COLOUR
from .characters import unescaped
from .prefilter import interesting_lines, line_ends
from .surroundings import without_fronts, without_marks
from .unfinished import unfinished_values
from .wrapped import unwrapped

__all__ = ["LOG", "Divide", "Readable", "Scan", "content_of"]

Item = Chunk | DumpedRecord
Divide = Callable[[str, int, Judge | None], Content | None]
"""Returns the messages in lines of nothing but hex or base64; None where decoding does not tell."""

_SHORT = 1 << 16  # characters of a text of which every line is looked into
_BLOCK = 1 << 20
"""Bytes that are searched at once. Smaller blocks take longer: between them, what reads messages
drops out of the processor's caches."""
_LONGEST_LINE = 16 << 20
_LABEL = 80
_CHARACTERS = 8  # of a list, for a byte
_MISLABELLED = 2  # the weight of each byte of a message whose label alone is wrong
_NAME = 32  # characters of the name of a field
_LONGEST_RUN = 1 << 16  # characters
_UP_TO_BRACKET = re.compile(r"[^\[\]{}\"'`<>]*+")

# What is like bytes and was in no hit: a list, hex, base64, escapes.
_LIKE_BYTES = re.compile(
    r"[\[{(]\s*+-?[0-9]{1,3}(?:[,\s]++-?[0-9]{1,3}){3}"
    r"|(?<![\w.-])(?=[0-9]*+[a-fA-F])[0-9a-fA-F]{13,}+(?![\w.-])"  # Docker's ids have 12
    r"|(?<![\w.:-])(?:[0-9a-fA-F]{2}[ :_]){5}|(?<![\w.:-])(?:[0-9a-fA-F]{4} ){3}"
    r"|(?<![\w+/.-])(?=[a-z0-9+/]*+[A-Z])(?=[A-Z0-9+/]*+[a-z])(?=[A-Za-z+/]*+[0-9])"
    r"[A-Za-z0-9+/]{24,}+={0,2}(?![\w.-])"
    r"|\\x[0-9a-fA-F]{2}|\\[0-3][0-7]{2}|(?:%[0-9a-fA-F]{2}){2}"
)
_LEFT_OUT = "text that is like bytes, in no form that was recognised"
_OF_GDB = re.compile(r"\$[0-9]{1,9} = \Z")
_LAST_BYTE = "gdb leaves out the last byte of an array where it is zero; it is put back here"
_OTHER_LANGUAGE = (
    "its escapes are read as C, Java and Python print them; as Lua and OCaml do (decimal), or "
    "Rust, they are other bytes, which decode as well: print it as hex"
)
_OTHER_BASE = (
    "its numbers are read as decimal; in hex or octal they are other bytes, which decode as well: "
    "print them with 0x in front"
)
_WITH_ENDS = frozenset((*DIALECTS, "ints", "erlang")) - {"escaped"}  # quotes and brackets
_MAY_END_ELSEWHERE = "not all of it decodes, so it may be a part of a message or several"


# -- a line

# Those that say least about themselves come last: base64 of hex digits alone is no hex.
_FINDERS = tuple(form for form in reversed(FORMS) if form.marks)
# In strings of JSON, the quotes and the backslashes of a text are escaped.
_ESCAPES_OF_JSON = ('\\"', "\\\\")
_DEEPEST = 3  # levels of JSON in strings of JSON
_LINE_ENDS = str.maketrans("\r\n\t", "   ")  # in the text of a string


def _hits_in(line: str, depth: int = 0) -> list[Hit]:
    """The hits in a line, in its order; in the text that a string contains, too."""
    hits: list[Hit] = []
    if depth < _DEEPEST and any(mark in line for mark in _ESCAPES_OF_JSON):
        for string in STRING.finditer(line):
            if string[0][0] == '"' and "\\" in string[0] and (inner := _inside(string, depth)):
                hits += inner
                start, end = string.span()
                line = f"{line[:start]}{' ' * (end - start)}{line[end:]}"
    for form in _FINDERS:
        if any(mark in line for mark in form.marks):
            hits.extend(form.find(line))
    return sorted(hits, key=lambda hit: (hit.start, -hit.end))


_REPEATED = 4096
"""Characters of a line up to which it is remembered: logs repeat themselves."""
_hits_in_short = lru_cache(maxsize=16)(_hits_in)


def _inside(string: re.Match[str], depth: int) -> list[Hit]:
    """The bytes in the text that a string contains; none where the string itself may be bytes."""
    text = string_content(string[0])
    if MARK in text:
        text = SOFT_BREAK.sub("", text)
    content = text.translate(_LINE_ENDS)
    if not content.isprintable():
        return []
    hits = _apart(_hits_in(content, depth + 1))
    if "\n" in text.strip():  # a program may have broken the text at a width
        unbroken = text.replace("\n", "").translate(_LINE_ENDS)
        hits = _with_rivals(hits, _hits_in(unbroken, depth + 1))
    if content[:1] == "\\":  # a literal without its quotes
        literals = _apart(_hits_in(f'"{content}"', depth + 1))
        if not hits:
            return [hit._replace(start=string.start(), end=string.end()) for hit in literals]
        hits = _with_rivals(hits, literals)
    places = [string.start() + at for at in character_places(string[0])]
    return [hit._replace(start=places[hit.start], end=places[hit.end]) for hit in hits]


def _with_rivals(hits: list[Hit], others: list[Hit]) -> list[Hit]:
    """The hit in a text, with the bytes that are found in it where it is read otherwise."""
    others = _apart(others)
    if len(hits) != 1 or len(others) != 1 or hits[0].data == others[0].data:
        return hits
    return [hits[0]._replace(rivals=(*hits[0].rivals, others[0].data, *others[0].rivals))]


def _apart(hits: list[Hit]) -> list[Hit]:
    """The hits with bytes that do not overlap an earlier one."""
    apart: list[Hit] = []
    end = 0
    for hit in hits:
        if hit.data and hit.start >= end:
            apart.append(hit)
            end = hit.end
    return apart


# -- the log


@runtime_checkable
class Readable(Protocol):
    """A file that can be read as far as bytes are available."""

    def read1(self, size: int, /) -> bytes: ...


class Scan(Iterator[Item]):
    """An iterator of the bytes and the decoded records in the lines of a log.

    `lines`, `size` and `skipped` say, at any time, how many lines and bytes were read and what was
    skipped so far. No line is held after it was read, except for a list, a dump or hex that goes on
    on the next line, of at most `max_bytes`. A line of more than 16 MiB is skipped.

    `line_form` is the form of most lines, where each of them is a message. `thorough` looks into
    every line, those too that a fast search passes over; it finds shorter messages. `divide` is
    asked only where there is a judge.
    """

    def __init__(
        self,
        lines: Iterable[bytes] | Readable,
        *,
        max_bytes: int = MAX_BYTES,
        judge: Judge | None = None,
        divide: Divide | None = None,
        line_form: Form | None = None,
        thorough: bool = False,
    ) -> None:
        self.lines = 0
        self.size = 0
        self._tally = Tally()
        self._max_bytes = max_bytes
        self._judge = judge
        self._divide = divide
        self._line_form = line_form
        self._thorough = thorough
        self._rows = Rows(LAYOUTS, max_bytes, fresh=True)
        self._list = _OpenList()
        self._run = _Run()
        self._items = self._scan(lines)

    def __iter__(self) -> Scan:
        return self

    def __next__(self) -> Item:
        return next(self._items)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        return tuple(self._tally)

    def _scan(self, source: Iterable[bytes] | Readable) -> Iterator[Item]:
        above = b""
        blocks = self._blocks(source) if isinstance(source, Readable) else map(_one_line, source)
        for block in blocks:
            self.size += len(block)
            plain = COLOUR.sub(_blanks, block) if b"\x1b" in block else block
            plain = self._unwrapped(plain) if self._looks_twice else plain
            yield from self._block(plain, above)
            above = plain[plain.rfind(b"\n", 0, -1) + 1 :][-_LABEL:]
        yield from self._sized(self._end_of_run(self.lines))
        yield from self._sized(self._leave_list(""))
        if dump := self._rows.flush():
            yield from self._sized(self._long_enough(dump))

    def _unwrapped(self, block: bytes) -> bytes:
        """A block whose values stand on one line each, with nothing around them but words."""
        text = unwrapped(without_marks(block.decode("utf-8", "surrogateescape")), self._weight_in)
        if not any(map(self._weight_in, text.split("\n"))):
            text = unwrapped(without_fronts(text), self._weight_in)
        return text.encode("utf-8", "surrogateescape")

    def _weight_in(self, line: str) -> int:
        """The weight of a byte of the record, or of the message without a deviation that matters,
        in a line; 0 where there is none."""
        if dump_log.is_record(line):
            return CLEAN
        assert self._judge is not None
        messages = [hit.data for hit in _hits_in(line) if len(hit.data) >= LEAST]
        messages = [data for data in messages if self._decodes(data)]
        return max((self._judge.weigh(data) // len(data) for data in messages), default=0)

    def _blocks(self, file: Readable) -> Iterator[bytes]:
        """Blocks of complete lines, as they come; lines that are too long are skipped."""
        waiting: list[bytes] = []
        size = 0
        is_too_long = False
        while data := file.read1(_BLOCK):
            if is_too_long:
                self.size += data.find(b"\n") + 1 or len(data)
                _, line_end, data = data.partition(b"\n")
                self.lines += len(line_end)
                is_too_long = not line_end
            # A short text is searched as a whole: values go on on its last line.
            end = 0 if self._thorough else data.rfind(b"\n") + 1
            if end:
                yield b"".join((*waiting, memoryview(data)[:end]))
                waiting, size = [], 0
            if end < len(data):
                waiting.append(data[end:])
                size += len(data) - end
            if size > _LONGEST_LINE:
                self._tally.add("a line of more than 16 MiB", self.lines + 1)
                self.size += size
                waiting, size, is_too_long = [], 0, True
        self.lines += is_too_long
        if waiting:
            yield b"".join(waiting)

    @property
    def _goes_on(self) -> bool:
        """Whether the next line has to be read, whatever is in it."""
        is_inside = self._list.rows or self._run.rows or self._rows.inside
        return bool(is_inside or self._line_form or self._thorough)

    def _block(self, block: bytes, above: bytes) -> Iterator[Item]:
        interesting, ids = interesting_lines(block)
        starts = iter(interesting)
        at = 0
        while at < len(block):
            start = at
            if not self._goes_on:
                start = next((start for start in starts if start >= at), len(block))
                self._pass_ids(block, ids, at, start)
                self.lines += line_ends(block, at, start)
                if start == len(block):
                    self.lines += not block.endswith(b"\n")
                    return
            at = block.find(b"\n", start) + 1 or len(block)
            self.lines += 1
            if not self._rows.inside:
                label_line = block[block.rfind(b"\n", 0, start - 1) + 1 : start] if start else above
                self._rows.above = label_line[-_LABEL:].decode("utf-8", "replace")
            line = block[start:at].decode("utf-8", "surrogateescape").rstrip("\r\n")
            line = plain_marks(line)
            yield from self._sized(self._line(line))

    def _pass_ids(self, block: bytes, ids: list[int], start: int, end: int) -> None:
        """Count the ids on lines that are passed over."""
        first = bisect_left(ids, start)
        if times := bisect_left(ids, end) - first:
            line = self.lines + block.count(b"\n", start, ids[first]) + 1
            self._tally.add(LIKE_AN_ID, line, times)

    def _sized(self, items: Iterator[Item]) -> Iterator[Item]:
        try:
            for item in items:
                if isinstance(item, Chunk):
                    check_size(len(item.data), self._max_bytes)
                    yield self._remarked(item)
                else:
                    yield item
        except CaptureError as refusal:
            self._tally.add(refusal.problem, self.lines)

    def _line(self, line: str) -> Iterator[Item]:
        if self._line_form is not None and (chunks := self._read_message(line)) is not None:
            yield from chunks
            return
        if self._list.rows:
            line = yield from self._continue_list(line)
        if self._judge is not None and (yield from self._takes_into_run(line)):
            return
        yield from self._plain_line(line)

    def _plain_line(self, line: str) -> Iterator[Item]:
        belongs, dump = self._rows.feed(self.lines, line)
        if dump:
            yield from self._long_enough(dump)
        if belongs:
            return
        if dump_log.is_record(line):
            for part in dump_log.apart(line):
                record = dump_log.record(part, self.lines)
                yield record
                yield from dump_log.chunks(record, self._max_bytes)
            return
        yield from self._in_line(line, self.lines)
        if not self._list.rows and open_list(line):
            self._list = _OpenList([line], len(line), self.lines)

    def _read_message(self, line: str) -> list[Chunk] | None:
        """The messages of a line that is in the form of most lines; None for any other line."""
        assert self._line_form is not None
        try:
            content = self._line_form.read(line, self._max_bytes, may_stop=True)
        except CaptureError as refusal:
            if refusal.too_large:
                raise
            return None
        if content.rest is not None:
            return None
        return [chunk._replace(line=self.lines) for chunk in content.chunks]

    def _long_enough(self, dump: Chunk) -> Iterator[Chunk]:
        if len(dump.data) >= LEAST_QUOTED:
            yield dump if self._judge is None else without_spare(dump, self._judge)
        else:
            self._tally.add(f"a dump of less than {LEAST_QUOTED} bytes", dump.line)

    def _in_line(self, line: str, number: int) -> Iterator[Chunk]:
        hits = self._hits(line)
        end = 0
        for hit in hits:
            if hit.start < end:
                continue
            if reason := hit.reason or _text_in(hit.data) or self._doubt(hit, line):
                self._tally.add(reason, number)
            else:
                yield self._chunk(line, end, hit, number)
            end = hit.end
        for reason in hidden(line):
            self._tally.add(reason, number)
        if self._looks_twice and _LIKE_BYTES.search(_without(line, (h for h in hits if h.data))):
            self._tally.add(_LEFT_OUT, number)

    def _hits(self, line: str) -> list[Hit]:
        """The hits in a line: of few bytes those that decode; in a short text, the beginnings of
        values, too, whose end is not on the line."""
        hits = _hits_in_short(line) if len(line) <= _REPEATED else _hits_in(line)
        hits = [self._whole(hit) if hit.format == QUOTED_PRINTABLE else hit for hit in hits]
        hits = self._likely(hits)
        if not self._looks_twice:
            return hits
        rest = _without(line, (hit for hit in hits if hit.data and not hit.reason))
        hits += [self._whole(hit) for hit in unfinished_values(rest) if self._begins(hit.data)]
        return sorted(hits, key=lambda hit: (hit.start, -hit.end))

    def _likely(self, hits: list[Hit]) -> list[Hit]:
        """The hits without those of few bytes that do not decode, and without those that do not
        where another hit does."""
        hits = [
            hit for hit in hits
            if not hit.short or any(map(self._decodes, (hit.data, *hit.rivals)))
        ]  # fmt: skip
        proven = [hit for hit in hits if hit.short]
        if not proven:
            return hits
        taken = bytearray(max(hit.end for hit in hits))  # characters of a line, by proven hits
        for hit in proven:
            taken[hit.start : hit.end] = b"\1" * (hit.end - hit.start)
        return [
            hit for hit in hits
            if hit.short or not any(taken[hit.start : hit.end]) or self._decodes(hit.data)
        ]  # fmt: skip

    def _remarked(self, chunk: Chunk) -> Chunk:
        is_told = chunk.cut != 0 or chunk.remark or chunk.format in _WITH_ENDS
        if not self._looks_twice or is_told or self._is_whole(chunk.data):
            return chunk
        return chunk._replace(remark=_MAY_END_ELSEWHERE)

    @property
    def _looks_twice(self) -> bool:
        """Whether what is left out, and what does not decode, is reported."""
        return self._thorough and self._judge is not None

    def _whole(self, hit: Hit) -> Hit:
        """The hit without what is behind the message, where that ends before the line; the hit
        itself where no message ends in it."""
        if self._judge is None:
            return hit
        for data in hit.rivals:
            if self._is_clean(data):
                return hit._replace(data=data, cut=0, rivals=())
        has_no_end = hit.format in ("escaped", QUOTED_PRINTABLE)
        ends = sorted(self._judge.ends(hit.data), reverse=True) if has_no_end else ()
        for end in (len(hit.data), *ends):
            is_whole = self._judge.weigh(hit.data[:end]) == CLEAN * end
            if is_whole and _is_printable(hit.data[end:]):
                return hit._replace(data=hit.data[:end], cut=0, rivals=())
        return hit._replace(rivals=())

    def _begins(self, data: bytes) -> bool:
        """Whether bytes are like the beginning of some message."""
        return self._judge is not None and bool(self._judge.describe(data)[0])

    # -- what decoding says

    def _without_words(self, data: bytes) -> bytes:
        """The message in a string that has words around it; the data where none decodes."""
        bare = data.removesuffix(DOTS)
        if self._judge is not None and bare != data and self._is_clean(bare):
            return bare
        data = unescaped(data) if b"\\x" in data and not self._is_clean(data) else data
        start = data.find(0)
        words, rest = data[:start], data[start:]
        if self._judge is None or start < 1 or not _is_printable(words) or self._is_clean(data):
            return data
        ends = sorted(self._judge.ends(rest), reverse=True)
        clean = (
            end
            for end in ends
            if _is_printable(rest[end:].rstrip()) and not rest[end : end + 1].isalnum()
            if self._is_clean(rest[:end])
        )
        return rest[: next(clean, 0)] or data

    def _chunk(self, line: str, start: int, hit: Hit, number: int) -> Chunk:
        """The bytes of a hit; the text that belongs to it begins at `start`."""
        front = line[start : hit.start]
        data = self._without_words(hit.data)
        remark = hit.remark or advice(line[hit.start : hit.end], front, hit.cut)
        if hit.rivals and self._judge is not None:
            tie = _OTHER_BASE if hit.format == "separate" else _OTHER_LANGUAGE
            data, remark = self._best(data, hit.rivals, remark, tie)
        lacks_zero = hit.cut == 0 and _OF_GDB.search(line, 0, hit.start) is not None
        if lacks_zero and not self._is_clean(data) and self._is_clean(data + b"\0"):
            data, remark = data + b"\0", _LAST_BYTE
        name = label(front)
        api = _last_api(line, hit.start)
        remark = remark or doubtful_end(data)
        if not remark and not self._is_clean(data):
            remark = doubtful_middle(data)
        context = f"{api} {name}" if api and api not in name else ""
        return Chunk(data, hit.format, number, hit.start + 1, name, hit.cut, remark, context)

    def _best(
        self, data: bytes, rivals: Sequence[bytes], remark: str, tie: str
    ) -> tuple[bytes, str]:
        """The bytes by the rules by which most of them decode, and what to say of them: `tie` where
        others decode as well."""
        judge = self._judge
        assert judge is not None
        shares = {  # which differ by the lengths alone, where nothing decodes
            bytes_: round(judge.weigh(bytes_) / max(len(bytes_), 1), 1)
            for reading in (data, *rivals)
            for bytes_ in (reading, unescaped(reading))
        }
        best = max(shares, key=lambda bytes_: shares[bytes_])
        if shares[best] < _MISLABELLED:
            best = data
        is_tie = shares[best] >= CLEAN - 1 and list(shares.values()).count(shares[best]) > 1
        return best, remark or (tie if is_tie else "")

    def _is_clean(self, data: bytes) -> bool:
        return self._judge is None or 4 * self._judge.weigh(data) >= 3 * CLEAN * len(data)

    def _is_whole(self, data: bytes) -> bool:
        """Whether bytes are a message to the last one, in spite of any deviations."""
        return self._judge is None or 2 * self._judge.weigh(data) >= CLEAN * len(data)

    def _decodes(self, data: bytes) -> bool:
        """Whether a few bytes are a message without a deviation."""
        return self._judge is not None and is_message_start(data) and self._is_clean(data)

    def _doubt(self, hit: Hit, line: str) -> str:
        """Why a hit is skipped: one id in 2,700 begins as messages do, and then does not decode."""
        is_long = hit.cut != 0 or len(hit.data) not in ID_LENGTHS
        is_in_pairs = " " in line[hit.start : hit.end]  # as no id is printed
        if self._judge is None or hit.format != "hex" or is_long or is_in_pairs:
            return ""
        if is_message_start(hit.data) and names_field(line[max(0, hit.start - _NAME) : hit.start]):
            return ""
        return "" if self._is_whole(hit.data) else LIKE_AN_ID

    # -- lines of nothing but hex or base64

    def _takes_into_run(self, line: str) -> Generator[Item, None, bool]:
        """Take a line that may be a part of a message; False for any other line."""
        if self._run.rows:
            if self._run.takes(line):
                return True
            yield from self._end_of_run(self.lines - 1)
        for form in FORMS:
            if form.run is not None and form.run[0].fullmatch(line):
                self._run = _Run(form.run[1], line)
                return True
        return False

    def _end_of_run(self, last_line: int) -> Iterator[Chunk]:
        rows, self._run = self._run.rows, _Run()
        first_line = last_line - len(rows) + 1
        if len(rows) > 1 and self._divide is not None:
            try:
                content = self._divide("\n".join(rows), self._max_bytes, self._judge)
            except CaptureError:
                content = None
            if content is not None:
                for chunk in content.chunks:
                    yield chunk._replace(line=first_line + chunk.line - 1)
                return
        for number, row in enumerate(rows, start=first_line):
            yield from self._in_line(row, number)

    # -- a list that goes on on the next lines, as Node and JSON print them

    def _continue_list(self, line: str) -> Generator[Chunk, None, str]:
        """Add a line to the open list; return the rest of the line behind the end of the list."""
        inner = _UP_TO_BRACKET.match(line)
        end = inner.end() if inner else 0
        self._list.size += end + 1
        if self._list.size > _CHARACTERS * self._max_bytes:
            self._tally.add("a list that is too long", self._list.line)
        elif line[end : end + 1] in ("]", "}"):
            yield from self._close_list(line[: end + 2])
            self._list = _OpenList()
            return " " * (end + 1) + line[end + 1 :]
        elif end == len(line) and numbers(line, octal=False) is not None:
            self._list.rows.append(line)
            return ""
        yield from self._leave_list(line)
        return line

    def _leave_list(self, line: str) -> Iterator[Chunk]:
        """Yield the numbers of a list that goes on in no known way, if they begin a message."""
        rows, number = self._list.rows, self._list.line
        self._list = _OpenList()
        if len(rows) < 2 or not self._looks_twice:
            return
        text = "\n".join([*rows, line])
        hits = [hit for hit in unfinished_values(text) if self._begins(hit.data)]
        for hit in hits:
            front = label(text[: hit.start])
            remark = advice(text[hit.start : hit.end], text[: hit.start], None)
            yield Chunk(hit.data, hit.format, number, hit.start + 1, front, None, remark)
        if not hits:
            self._tally.add(_LEFT_OUT, number)

    def _close_list(self, tail: str) -> Iterator[Chunk]:
        rows, number = self._list.rows, self._list.line
        text = "\n".join([*rows, tail])
        for hit in list_hits(text):
            if hit.end <= len(rows[0]):
                continue  # it is all on the first line, where `_in_line` has read it
            if hit.reason:
                self._tally.add(hit.reason, number)
            else:
                front = label(text[: hit.start])
                remark = advice(text[hit.start : hit.end], text[: hit.start], hit.cut)
                yield Chunk(hit.data, hit.format, number, hit.start + 1, front, hit.cut, remark)


class _OpenList:
    """The lines of a list that has not ended, their size, and the number of the first."""

    def __init__(self, rows: list[str] | None = None, size: int = 0, line: int = 0) -> None:
        self.rows = rows or []
        self.size = size
        self.line = line


class _Run:
    """Lines of nothing but digits, and the pattern of those that may follow."""

    def __init__(self, pattern: re.Pattern[str] | None = None, line: str = "") -> None:
        self.rows = [line] if line else []
        self._pattern = pattern
        self._size = len(line)

    def takes(self, line: str) -> bool:
        """Take a line, if it may follow those so far."""
        assert self._pattern is not None
        if not self._pattern.fullmatch(line) or self._size >= _LONGEST_RUN:
            return False
        self.rows.append(line)
        self._size += len(line)
        return True


_APIS = re.compile(r"(?:Join|Sync)Group(?:Request|Response)|\bgroup_assignment\b")


def _last_api(line: str, end: int) -> str:
    """The last name of an API before a position, which says what is in the fields behind it."""
    ends, names = _apis_of(line)
    number = bisect_right(ends, end)
    return names[number - 1] if number else ""


@lru_cache(maxsize=1)  # all that is found in a line asks for the same
def _apis_of(line: str) -> tuple[list[int], list[str]]:
    """Return where the names of APIs in a line end, and the names."""
    if "Group" not in line and "group_assignment" not in line:
        return [], []
    matches = [*_APIS.finditer(line)]
    return [match.end() for match in matches], [match[0] for match in matches]


def _one_line(line: bytes) -> bytes:
    return line.rstrip(b"\r\n").replace(b"\n", b" ") + b"\n"


_TAKEN = "\ufffc"


def _without(line: str, hits: Iterable[Hit]) -> str:
    """The line with other characters in the place of hits, so that nothing goes on across them."""
    characters = list(line)
    for hit in hits:
        characters[hit.start : hit.end] = _TAKEN * (hit.end - hit.start)
    return "".join(characters)


def _blanks(colour: re.Match[bytes]) -> bytes:
    return b" " * len(colour[0])


_TEXT_IN_BYTES = "a text, written as bytes"
_NO_TEXT = bytes(set(range(256)) - set(range(0x20, 0x7F)) - set(b"\t\r\n"))


def _text_in(data: bytes) -> str:
    """Why bytes are skipped that are nothing but text; "" for others."""
    return "" if data.translate(None, _NO_TEXT) != data or not data else _TEXT_IN_BYTES


def _is_printable(data: bytes) -> bool:
    return data.isascii() and data.decode().isprintable()


# -- the form


def content_of(
    text: str, max_bytes: int, judge: Judge | None = None, divide: Divide | None = None
) -> Content:
    """Return everything that is found in a log."""
    scan = Scan(
        io.BytesIO(text.encode("utf-8", "surrogateescape")),
        max_bytes=max_bytes,
        judge=judge,
        divide=divide,
        thorough=len(text) <= _SHORT and judge is not None,
    )
    items = list(scan)
    return Content(
        [item for item in items if isinstance(item, Chunk)],
        records=[item for item in items if isinstance(item, DumpedRecord)],
        skipped=scan.skipped,
    )


class _Log(Form):
    preference = 1100

    def may_begin(self, line: str) -> bool:
        """Return False: any text would be in this form."""
        return False

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        return content_of(text, max_bytes)

    def write(self, data: bytes) -> str:
        return f"12:00:00 DEBUG metadata={data!r}"


LOG = _Log("log", "a log file with any of these in the middle of lines")
