"""Read the messages in a text or a stream: one text in one form, or a log of any length.

The beginning of a stream tells which of the two it is. Logs are read as they come. Modules of
`capture` are imported late, in the functions that need them: hex needs none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..output.failures import Failure, say

if TYPE_CHECKING:
    from ...capture.text import Chunk, Judge
    from ..output.progress import Stream

STANDARD_INPUT = "standard input"
WORDIEST = 6  # characters a byte: "0x00, "

_PART = 1 << 18
_HEAD = 1 << 16  # bytes of a stream that tell whether it is a log
_PATIENCE = 0.1  # seconds without data after which a pipe is taken for one that stays open
_PER_LINE = ("-lines", "numbered", "escaped")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

Judging = Callable[[], "Judge"]
"""Returns a judge between forms, when one is needed."""


class InputMessage(NamedTuple):
    """The bytes of a message in INPUT, and their place.

    `source` is a file's name, "standard input" or "INPUT" (the command line). `line` and `column`
    are None for bytes that were not in a text. `number` counts from 1 where the source may have
    several messages; `total` is their number, where that is known. `forms` are other forms of text
    that do as well as the one that was chosen; `compression` is "gzip" or "zstd" for bytes
    that were compressed. `alone` is False where other sources are read in the same call.
    """

    data: bytes
    source: str
    line: int | None = None
    column: int | None = None
    label: str = ""
    number: int = 0
    total: int = 0
    forms: tuple[str, ...] = ()
    compression: str = ""
    alone: bool = True

    @property
    def place(self) -> str:
        """The place in its source, for a person; "" where the source is nothing but the message."""
        if not self.number:
            return ""
        of = f" of {self.total:,}" if self.total else ""
        label = f" ({self.label})" if self.label else ""
        return f"message {self.number:,}{of}, line {self.line}, column {self.column}{label}"

    @property
    def heading(self) -> str:
        """Source and place; "" where this message is the only one."""
        if self.place:
            return f"{self.source}, {self.place}"
        return "" if self.alone else self.source

    def about(self, *, body: int | None = None) -> dict[str, Any]:
        """Return the place as JSON; `body` is the version of a message that was read without a
        label."""
        made: dict[str, Any] = {"source": self.source, "line": self.line, "column": self.column}
        if body is not None:
            made["body"] = body
        if self.forms:
            made["otherForms"] = list(self.forms)
        if self.compression:
            made["compression"] = self.compression
        return made


# -- one text


def whole(
    source: str, data: bytes, form: str | None, max_bytes: int, judge: Judge | None
) -> Iterator[InputMessage]:
    """Yield the messages of a text, or of bytes, that are in memory."""
    from ...capture.text import CaptureError, read, recognise

    try:
        if form is not None:
            reading = read(data, format=form, max_bytes=max_bytes)
        else:
            recognised = recognise(data, max_bytes=max_bytes, judge=judge)
            if recognised is None:
                short = len(data) <= _HEAD
                yield from _log(source, _Rejoined(data), max_bytes, judge, thorough=short)
                return
            reading = recognised
    except CaptureError as error:
        raise Failure(f"{source}: {error}") from None
    if reading.candidates:
        others = [f"--format {name}" for name in reading.candidates if name != reading.format]
        also = f"; it could also be: {', '.join(others)}" if others else ""
        if reading.format in reading.candidates:
            also += "; its messages could also end elsewhere"
        say(f"{source} was read as {reading.format}{also}")
    for skip in reading.skipped:
        say(f"{source}, line {skip.line}: skipped, {skip.reason} ({skip.times:,} in all)")
    if reading.records:
        number = len(reading.records)
        say(f"{source}: {number:,} records that were decoded already, not bytes")
    total = len(reading.chunks)
    for number, chunk in enumerate(reading.chunks, 1):
        counted = (number, total) if total > 1 else (0, 0)
        yield _message(source, chunk, *counted, reading.candidates, max_bytes)


def _message(
    source: str,
    chunk: Chunk,
    number: int,
    total: int,
    forms: tuple[str, ...],
    max_bytes: int,
) -> InputMessage:
    """The message of a chunk; what a person should know about it goes to standard error."""
    line, column = (None, None) if chunk.format == "raw" else (chunk.line, chunk.column)
    made = InputMessage(chunk.data, source, line, column, chunk.label, number, total, forms)
    remark = chunk.remark or (_cut(chunk.cut) if chunk.cut != 0 else "")
    if remark:
        place = made._replace(label="").heading  # the label is text that --redact has to hide
        say(f"{place or f'{source}, line {chunk.line}'}: {remark}")
    return unpacked(made, max_bytes)


def unpacked(message: InputMessage, max_bytes: int) -> InputMessage:
    """Return the message decompressed, where its bytes are compressed."""
    if message.data[:2] not in (b"\x1f\x8b", b"\x28\xb5"):
        return message
    from ...capture.compression import unpacked as opened

    name, data = opened(message.data, max_bytes)
    if name:
        say(f"{message._replace(label='').heading or message.source}: {name}, opened")
        message = message._replace(data=data, compression=name)
    return message


def _cut(left_out: int | None) -> str:
    number = "bytes" if left_out is None else f"{left_out:,} bytes"
    return f"cut short by the tool that printed it, {number} are missing"


# -- streams


def of_stream(
    source: str, file: Stream, form: str | None, max_bytes: int, judging: Judging | None
) -> Iterator[InputMessage]:
    """Yield the messages of a file or pipe, compressed or not."""
    from ...capture.compression import HEAD, CannotDecompress, Gunzip, compression, content_of

    first = file.read1(_HEAD)
    while first and len(first) < HEAD and (more := file.read1(_HEAD)):
        first += more
    plain = _Rejoined(first, file)
    packed = "" if form == "raw" else compression(first[:HEAD])
    if not packed:
        yield from _of_plain(source, plain, form, max_bytes, judging)
        return
    say(f"{source}: {packed}, opened")
    try:
        inside = content_of(plain, packed, max_bytes * WORDIEST)
    except CannotDecompress as error:
        raise Failure(f"{source}: {error}") from None
    for message in _of_plain(source, inside, form, max_bytes, judging):
        yield message._replace(compression=message.compression or packed)
    raw = getattr(inside, "raw", None)
    if isinstance(raw, Gunzip) and raw.damage:
        raise Failure(f"{source}: {raw.damage}")


def _of_plain(
    source: str, file: Stream, form: str | None, max_bytes: int, judging: Judging | None
) -> Iterator[InputMessage]:
    if form == "log":
        yield from _log(source, file, max_bytes, None if judging is None else judging())
        return
    if form is not None:
        yield from whole(
            source, _not_empty(source, read_all(file, max_bytes), form), form, max_bytes, None
        )
        return
    judge = None if judging is None else judging()
    head, ended, each = _head(file, max_bytes, judge)
    if not ended and each is None:
        head += read_all(file, max_bytes, len(head))
        ended = True
    if ended:
        yield from whole(source, _not_empty(source, head, form), None, max_bytes, judge)
    else:
        yield from _log(source, _Rejoined(head, file), max_bytes, judge, each)


def _head(file: Stream, max_bytes: int, judge: Judge | None) -> tuple[bytes, bool, str | None]:
    """The first bytes; whether they are all; and for a log the form of its lines, "" if they have
    none.

    The form is None for a text that has to be read to its end.
    """
    head = b""
    while True:
        more = file.read1(_PART)
        head += more
        if not more:
            return head, True, None
        if len(head) >= _HEAD:
            return head, False, _each(head, max_bytes, judge)
        if b"\n" in head and _is_idle(file):
            each = _each(head, max_bytes, judge)
            if each is not None and _has_message(head, each, max_bytes, judge):
                return head, False, each


def _each(head: bytes, max_bytes: int, judge: Judge | None) -> str | None:
    """The form in which each line is a message; "" for another log, None for any other text."""
    from ...capture.text import CaptureError, recognise

    lines = head[: head.rfind(b"\n") + 1][:_HEAD]
    if not lines or head[:2] in _UTF16:
        return None
    try:
        reading = recognise(lines[: lines.rfind(b"\n") + 1], max_bytes=max_bytes, judge=judge)
    except CaptureError:
        return None
    if reading is None or reading.format == "log":
        return ""
    return reading.format if reading.format.endswith(_PER_LINE) else None


def _has_message(head: bytes, each: str, max_bytes: int, judge: Judge | None) -> bool:
    """Whether the first lines have a message, which is then shown without waiting for more."""
    from ...capture.text import scan

    lines = _Rejoined(head[: head.rfind(b"\n") + 1])
    return any(True for _ in scan(lines, max_bytes=max_bytes, judge=judge, line_form=each or None))


def _is_idle(file: Stream) -> bool:
    """Whether a pipe has no more data for now. A terminal is never idle: a person types there."""
    from select import select  # late: few inputs are slow pipes

    try:
        number = file.fileno()  # type: ignore[attr-defined]
        return not sys.stdin.isatty() and not select([number], [], [], _PATIENCE)[0]
    except (AttributeError, OSError, ValueError):  # no pipe, or a system that cannot tell
        return False


def _log(
    source: str,
    file: Stream,
    max_bytes: int,
    judge: Judge | None,
    each: str | None = None,
    *,
    thorough: bool = False,
) -> Iterator[InputMessage]:
    from ...capture.summary import Skip, Summary
    from ...capture.text import Chunk, scan

    how: dict[str, Any] = {"line_form": each or None, "thorough": thorough}
    found = scan(file, max_bytes=max_bytes, judge=judge, **how)
    number = records = 0
    for item in found:
        if isinstance(item, Chunk):
            number += 1
            yield _message(source, item, number, 0, (), max_bytes)
        else:
            records += 1
    if not number and not records:
        reasons = [f"{skip.reason} (line {skip.line})" for skip in found.skipped[:3]]
        what = "; ".join(["no bytes were found in this text", *reasons])
        advice = "name the form with --format, or take the text itself with --format raw"
        raise Failure(f"{source}: {what}: {advice}")
    read = Summary()
    read.count("lines", found.lines)
    read.count("bytes", found.size)
    read.count("messages", number)
    if records:
        read.count("records decoded already, which are no bytes", records)
    said = str(read)
    if found.skipped:
        skips = [Skip(skip.reason, skip.times, 0, f"line {skip.line}") for skip in found.skipped]
        said = f"{said.removesuffix(_NOTHING)}; skipped: {'; '.join(map(str, skips))}"
    say(f"{source}: {said}")


_NOTHING = ", nothing skipped"


class _Rejoined:
    """A stream of bytes that were read already, and of the rest that follows them."""

    def __init__(self, head: bytes, rest: Stream | None = None) -> None:
        self._head = head
        self._rest = rest

    def read1(self, size: int, /) -> bytes:
        """Return at most `size` bytes, as many as are available."""
        if self._head:
            part, self._head = self._head[:size], self._head[size:]
            return part
        return self._rest.read1(size) if self._rest is not None else b""

    def read(self, size: int, /) -> bytes:
        """Return `size` bytes, fewer only at the end."""
        parts = []
        while size > 0 and (part := self.read1(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def fileno(self) -> int:
        """Return the descriptor of the file that the rest is read from."""
        return self._rest.fileno()  # type: ignore[no-any-return, union-attr]


def read_all(file: Stream, max_bytes: int, before: int = 0) -> bytes:
    """Return the rest of a stream, of which `before` bytes were read already.

    Raises Failure where it is too large to be a message of `max_bytes` in any form.
    """
    parts: list[bytes] = []
    size, limit = before, max_bytes * WORDIEST
    while part := file.read(_PART):
        parts.append(part)
        size += len(part)
        if size > limit or (size > max_bytes and b"\0" in part):
            raise too_large(size, max_bytes)
    return b"".join(parts)


def _not_empty(source: str, data: bytes, form: str | None) -> bytes:
    if not data.strip() and form != "raw":
        raise empty(source)
    return data


def within(data: bytes, max_bytes: int) -> bytes:
    """Return `data`. Raises Failure where it is longer than `max_bytes`."""
    if len(data) > max_bytes:
        raise too_large(len(data), max_bytes)
    return data


def empty(source: str) -> Failure:
    """Return the failure of a source without bytes."""
    return Failure(f"{source} is empty: there are no bytes to decode")


def too_large(size: int, max_bytes: int) -> Failure:
    """Return the failure of an input that is too large."""
    return Failure(f"too large: {size:,} bytes or more, the limit is {max_bytes:,} (--max-bytes)")
