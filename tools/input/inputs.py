"""Read the messages in INPUT: a text on the command line, a file or a pipe.

A text is in one form, or is a log of any length; the beginning of a stream tells which of the two
it is. Logs are read as they come. Modules of `capture` are imported late: hex needs none.

INPUT may be anything: a device that never ends, a folder, text, a message. No message longer than
`max_bytes` is read. A text that is all in one form is read at once, up to the length that the
wordiest form of one message takes; a log of any length is read as it comes.
"""

from __future__ import annotations

import os
import stat
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from select import select
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec.structs import replace

from ... import capture
from .. import output
from ..output.failures import NOT_DONE, WRONG_USE, Failure, say, unreadable

if TYPE_CHECKING:
    from ...capture.chunks import Chunk, Judge
    from ...capture.compression import Unpacker
    from ...inspector.recognition import Recogniser
    from ..options.moments import Moment
    from ..output.progress import Stream

STANDARD_INPUT = "standard input"
RECENT_HOURS = 6
"""How far back a group's own records are read where no --since says it."""
WORDIEST = 6  # characters a byte: "0x00, "

_PART = 1 << 18
_HEAD = 1 << 16  # bytes of a stream that tell whether it is a log
_SHORT = 1 << 18  # bytes of a text that is read at once
_PATIENCE = 0.1  # seconds without data after which a pipe is taken for one that stays open
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

Judging = Callable[[], "Judge"]
"""Returns a judge between forms, when one is needed."""

MAX_BYTES = 100 << 20
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_LEAST_BASE64 = 16  # characters of a record type from 16 on, since names of files begin so, too
_HEX = frozenset("0123456789abcdefABCDEF")
_BETWEEN_DIGITS = dict.fromkeys(map(ord, " \t\r\n:,;-"))
_BETWEEN_WORDS = dict.fromkeys(map(ord, "\t\r\n,;"), " ")


class InputMessage(msgspec.Struct, frozen=True):
    """The bytes of a message in INPUT, and their place.

    `source` is a file's name, "standard input" or "INPUT" (the command line). `line` and `column`
    are None for bytes that were not in a text. `number` counts from 1 where the source may have
    several messages; `total` is their number, where that is known. `forms` are other forms of text
    that do as well as the one that was chosen; `compression` is "gzip" or "zstd" for bytes
    that were compressed. `alone` is False where other sources are read in the same call. `label` is
    the text in front of the bytes, as it is shown, and `context` the same text, which decides what
    they may be. `is_cut`: a tool has left out some of them. `is_inside`: they were found in the
    middle of a text, of which the rest is no bytes.
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
    context: str = ""
    is_cut: bool = False
    is_inside: bool = False

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

    def about(self) -> dict[str, Any]:
        """Return the place as arguments of `inspector.shapes.decoded.Input`."""
        return {
            "source": self.source,
            "line": self.line,
            "column": self.column,
            "other_forms": list(self.forms),
            "compression": self.compression,
        }


# -- the command line


def add_input(parser: ArgumentParser) -> None:
    """Add INPUT… and the options of `add_form`."""
    parser.add_argument(
        "input",
        metavar="INPUT",
        nargs="*",
        help="hex, a file, or - for standard input (the default where something is piped in); "
        "anything with a / or non-hex characters is a file name; if there is no such file, base64, "
        "literals and dumps are tried",
    )
    add_form(parser)


def add_selection(
    parser: ArgumentParser, names: Callable[[str], tuple[str, ...]], example: str
) -> None:
    """Add the options --select and --ignore, whose names `names` takes apart, to the parser."""
    for option, effect in (("--select", "only these"), ("--ignore", "all but these")):
        parser.add_argument(
            option, metavar="NAMES", type=names, default=(), help=f"{effect}: {example}"
        )


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas between them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def add_since(
    parser: ArgumentParser | _ArgumentGroup, *, text: str, default: str | None = None
) -> None:
    """Add `--since` to a parser."""
    parser.add_argument("--since", metavar="TIME", type=moment, default=default, help=text)


def moment(text: str) -> Moment:
    """Return the moment of a text: see `tools.options.moments`."""
    from ..options.moments import moment  # late: few inputs are chosen by time

    return moment(text)


def add_form(parser: ArgumentParser) -> None:
    """Add the options that say how to read INPUT."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--hex", dest="how", action="store_const", const="hex", help="INPUT is hex, no file"
    )
    how.add_argument(
        "--file", dest="how", action="store_const", const="file", help="INPUT is a file, no hex"
    )
    parser.add_argument("--format", metavar="NAME", help="input format (default: auto-detect)")
    parser.add_argument(
        "--max-bytes",
        metavar="N",
        type=_size,
        default=MAX_BYTES,
        help="the longest message that is read: 1000, 64K, 100M (the default)",
    )


def join_hex(words: list[str], how: str | None, form: str | None) -> list[str | None]:
    """Return the inputs of a command line; hex that the shell split at its blanks is joined."""
    if not words:
        return [None]
    if words.count("-") > 1 and how != "file":
        raise Failure("standard input can be one INPUT, not two", WRONG_USE)
    split = len(words) > 1 and form is None and how != "file"
    if split and all(is_text(word, how, form) and _is_hex(word) for word in words):
        return [" ".join(words)]
    return list(words)


def messages(
    input_: str | None,
    how: str | None,
    form: str | None,
    max_bytes: int,
    judging: Judging | None = None,
    recogniser: Recogniser | None = None,
) -> Iterator[InputMessage]:
    """Yield every message in INPUT, as it is read.

    Raises Failure where there is none, where a message is too long, and where the recogniser, which
    is asked for each, is at a loss.
    """
    read = _messages(input_, how, form, max_bytes, judging)
    for message in _beside_keys(_unpacked(read, max_bytes)):
        yield message
        if recogniser is not None and recogniser.is_at_a_loss:
            raise Failure(_AT_A_LOSS.format(message.source, recogniser), NOT_DONE)


_AT_A_LOSS = (
    "{0}: the rest was not read, since {1.strange:,} of {1.messages:,} different messages are "
    "in doubt, or have no text; --as says what they are, and all are read"
)


def _beside_keys(messages_of_input: Iterable[InputMessage]) -> Iterator[InputMessage]:
    """Yield the messages; what a value is, the key on the same line tells."""
    key: InputMessage | None = None
    for message in messages_of_input:
        name = ""
        if key is not None and message.line == key.line:
            name = capture.value_name(key.data, message.data)
        yield replace(message, context=name) if name else message
        is_key = message.line is not None and not message.is_cut and not name
        key = message if is_key else None


def _messages(
    input_: str | None, how: str | None, form: str | None, max_bytes: int, judging: Judging | None
) -> Iterator[InputMessage]:
    _check_form(form)
    text = input_ if input_ is not None and _is_written(input_, how, form) else None
    if text is not None:
        if not text.strip():
            if how != "hex":
                raise empty("INPUT")
            yield InputMessage(b"", "INPUT", 1, 1)
            return
        if form is None and (plain := _plain_hex(text)) is not None:
            yield InputMessage(within(plain, max_bytes), "INPUT", 1, 1)
            return
        if form is None and (how == "hex" or _is_hex(text)) and not _may_be_several(text):
            form = "hex"
        data = text.encode(errors="surrogateescape")
        yield from of_text("INPUT", data, form, max_bytes, judging and judging())
    else:
        yield from _of_file(input_, how, form, max_bytes, judging)


class AllMessages:
    """The messages of all INPUTs of a call. `status` is the exit status that INPUTs which could not
    be read ask for; where there are `several`, the others are read all the same."""

    def __init__(
        self,
        inputs: list[str | None],
        arguments: Namespace,
        judging: Judging,
        several: bool,
        recogniser: Recogniser | None = None,
    ) -> None:
        self._given = inputs
        self._how = (arguments.how, arguments.format, arguments.max_bytes, judging, recogniser)
        self._several = several
        self._redact: bool = arguments.redact
        self._sources: dict[str, int] = {}
        self.status = 0

    def __iter__(self) -> Iterator[InputMessage]:
        for input_ in self._given:
            try:
                for message in messages(input_, *self._how):
                    yield self._placed(message)
            except Failure as failure:
                if not self._several:
                    raise
                say(str(failure))
                self.status = max(self.status, failure.status)

    def _placed(self, message: InputMessage) -> InputMessage:
        """The message; with --redact without the name of its source and the text around it."""
        if self._redact:
            number = self._sources.setdefault(message.source, len(self._sources) + 1)
            message = replace(message, source=f"<source-{number}>", label="")
        return replace(message, alone=not self._several)


def read_file(path: str | None, max_bytes: int, *, literally: bool = False) -> tuple[str, bytes]:
    """Return the name and the content of a file. None and, unless `literally`, "-" are stdin."""
    with open_input(path, literally=literally) as (name, file, size):
        if size > max_bytes * WORDIEST:
            raise too_large(size, max_bytes)
        return name, _all(name, file, max_bytes)


@contextmanager
def open_input(path: str | None, *, literally: bool = False) -> Iterator[tuple[str, Stream, int]]:
    """Yield the name of a file, the open file, and its size (0 where that is not known)."""
    if path is None or (path == "-" and not literally):
        if sys.stdin is None or (path is None and sys.stdin.isatty()):
            raise Failure("nothing to read: give hex, a file, or pipe something in", WRONG_USE)
        yield STANDARD_INPUT, cast("Stream", sys.stdin.buffer), 0
        return
    try:
        file = open(path, "rb")  # noqa: PTH123, SIM115  # importing pathlib costs more
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        raise _unreadable(path, error) from None
    with file:
        about = os.fstat(file.fileno())
        yield path, file, about.st_size if stat.S_ISREG(about.st_mode) else 0


def is_text(input_: str, how: str | None, form: str | None) -> bool:
    """Return whether INPUT is a text with bytes and no file: hex, or in the form of --format."""
    if how is not None or input_ == "-":
        return how == "hex"
    if form is not None:
        return not os.path.exists(input_)  # noqa: PTH110
    return not input_.strip() or _is_hex(input_)


def _is_hex(text: str) -> bool:
    return "/" not in text and _plain_digits(text) is not None


def _may_be_several(text: str) -> bool:
    """Whether each word of hex may be a message, and not a part of one."""
    return _is_hex(text) and all(len(word) > 1 for word in text.translate(_BETWEEN_WORDS).split())


def _is_written(input_: str, how: str | None, form: str | None) -> bool:
    """Whether INPUT is a text with bytes, in any form. Raises Failure where it is no file
    either."""
    if is_text(input_, how, form):
        return True
    if how is not None or input_ == "-" or os.path.lexists(input_):
        return False
    if not _is_pasted(input_.encode(errors="surrogateescape")):
        raise Failure(f"{input_!r} is neither hex nor a file that exists", WRONG_USE)
    return True


def _is_pasted(data: bytes) -> bool:
    """Whether a text is certainly bytes; a mistyped name may be base64 by accident."""
    try:
        reading = capture.read(data)
    except capture.CaptureError:
        return False
    if reading.format == "raw":
        return False
    text = data.lstrip()
    is_likely = text.startswith(b"AA") or (text.startswith(b"AB") and len(text) >= _LEAST_BASE64)
    return not reading.format.startswith("base64") or is_likely


def _plain_digits(text: str) -> str | None:
    digits = text.translate(_BETWEEN_DIGITS).replace("0x", "").replace("0X", "")
    return digits if digits and _HEX.issuperset(digits) else None


def _plain_hex(text: str) -> bytes | None:
    """The bytes of the commonest input, read without an import; None leaves it to `capture`.

    It is one word, or pairs of digits: longer words may be messages.
    """
    words = text.translate(_BETWEEN_WORDS).split()
    if len(words) > 1 and any(len(word) not in (2, 4) for word in words):
        return None
    if len(words) > 1 and any(len(word) == 4 and word[:2] not in ("0x", "0X") for word in words):
        return None
    digits = _plain_digits(text)
    return bytes.fromhex(digits) if digits and len(digits) % 2 == 0 else None


# -- files


def _of_file(
    path: str | None, how: str | None, form: str | None, max_bytes: int, judging: Judging | None
) -> Iterator[InputMessage]:
    with (
        open_input(path, literally=how == "file") as (name, file, size),
        output.progress_of(size) as bar,
    ):
        try:
            yield from of_stream(name, bar.file(file), form, max_bytes, judging)
        except OSError as error:
            raise _unreadable(name, error) from None


def _check_form(form: str | None) -> None:
    """Raise Failure for a form that does not exist."""
    if form is None:
        return
    try:
        capture.form_named(form)
    except capture.CaptureError as error:
        raise Failure(f"--format: {error}", WRONG_USE) from None


def _all(name: str, file: Stream, max_bytes: int) -> bytes:
    try:
        return read_all(file, max_bytes)
    except OSError as error:
        raise _unreadable(name, error) from None


def _unreadable(path: str, error: Exception) -> Failure:
    return unreadable(path if path == STANDARD_INPUT else repr(path), error)


def _size(text: str) -> int:
    number, unit = text.upper().removesuffix("IB").removesuffix("B"), ""
    if number[-1:] in _UNITS and number[-1:]:
        number, unit = number[:-1], number[-1]
    if not number.isdecimal() or int(number) == 0:
        raise ArgumentTypeError(f"{text!r} is no size: 1000, 64K, 100M")
    return int(number) * _UNITS[unit]


# -- one text


def of_text(
    source: str, data: bytes, form: str | None, max_bytes: int, judge: Judge | None
) -> Iterator[InputMessage]:
    """Yield the messages of a text, or of bytes, that are in memory."""
    try:
        if form is not None:
            reading = capture.read(data, format=form, max_bytes=max_bytes)
        else:
            recognised = capture.recognise(data, max_bytes=max_bytes, judge=judge)
            if recognised is None:
                short = len(data) <= _HEAD
                yield from _log(source, _Rejoined(data), max_bytes, judge, thorough=short)
                return
            reading = recognised
    except capture.CaptureError as error:
        raise Failure(f"{source}: {error}") from None
    if reading.candidates:
        names = [f"--format {name}" for name in reading.candidates if name != reading.format]
        also = f"; it could also be: {', '.join(names)}" if names else ""
        if reading.format in reading.candidates:
            also += "; its messages could also end elsewhere"
        say(f"{source} was read as {reading.format}{also}")
    for skip in reading.skipped:
        say(f"{source}, line {skip.line}: skipped, {skip.reason} ({skip.times:,} in all)")
    chunks = [
        item for item in capture.written_items(reading.items) if isinstance(item, capture.Chunk)
    ]
    total = len(chunks)
    for number, chunk in enumerate(chunks, 1):
        place = (number, total) if total > 1 else (0, 0)
        yield _message(source, chunk, *place, reading.candidates)


def _message(
    source: str,
    chunk: Chunk,
    number: int,
    total: int,
    forms: tuple[str, ...],
) -> InputMessage:
    """The message of a chunk; what a person should know about it goes to standard error."""
    is_all = chunk.format == "raw" and not total and chunk.column == 1
    line, column = (None, None) if is_all else (chunk.line, chunk.column)
    message = InputMessage(
        chunk.data, source, line, column, chunk.label, number, total, forms,
        context=chunk.context or chunk.label, is_cut=chunk.cut != 0,
    )  # fmt: skip
    if chunk.remark:
        place = replace(message, label="").heading  # the label is text that --redact has to hide
        say(f"{place or f'{source}, line {chunk.line}'}: {chunk.remark}")
    return message


def _unpacked(messages: Iterable[InputMessage], max_bytes: int) -> Iterator[InputMessage]:
    """Yield the messages of an input, those decompressed whose bytes are compressed."""
    unpacker: Unpacker | None = None
    for message in messages:
        if message.data[:2] in (b"\x1f\x8b", b"\x28\xb5"):
            is_twice = bool(message.compression)
            unpacker = unpacker or capture.compression.unpacker_inside(twice=is_twice)
            yield _opened(message, max_bytes, unpacker)
        else:
            yield message


def _opened(message: InputMessage, max_bytes: int, unpacker: Unpacker) -> InputMessage:
    name, data = capture.compression.unpacked(message.data, max_bytes, unpacker)
    if not name:
        return message
    say(f"{replace(message, label='').heading or message.source}: {name}, opened")
    return replace(message, data=data, compression=name)


# -- streams


def of_stream(
    source: str, file: Stream, form: str | None, max_bytes: int, judging: Judging | None
) -> Iterator[InputMessage]:
    """Yield the messages of a file or pipe, compressed or not."""
    compression = capture.compression
    first = file.read1(_HEAD)
    while first and len(first) < compression.HEAD and (more := file.read1(_HEAD)):
        first += more
    plain = _Rejoined(first, file)
    packed = "" if form == "raw" else compression.compression(first[: compression.HEAD])
    if not packed:
        yield from _of_plain(source, plain, form, max_bytes, judging)
        return
    say(f"{source}: {packed}, opened")
    try:
        inside = compression.content_of(plain, packed, max_bytes * WORDIEST)
    except compression.CannotDecompress as error:
        raise Failure(f"{source}: {error}", NOT_DONE) from None
    for number, message in enumerate(_of_plain(source, inside, form, max_bytes, judging), 1):
        yield replace(message, compression=message.compression or packed)
        if number >= _MESSAGES_INSIDE + plain.size // _BYTES_OF_MESSAGE:
            raise Failure(_MORE_INSIDE.format(source, packed, number), NOT_DONE)
    raw = getattr(inside, "raw", None)
    if isinstance(raw, compression.UnpackedFile) and raw.damage:
        raise Failure(f"{source}: {raw.damage}", NOT_DONE)


_MESSAGES_INSIDE, _BYTES_OF_MESSAGE = 2_000, 16
"""Messages of a compressed text, and compressed bytes of each that is read beyond them."""
_MORE_INSIDE = (
    "{0}: {2:,} messages were read and the rest was not: {1} of this size should not have so many; "
    "unpack it, and all are read"
)


def _of_plain(
    source: str, file: Stream, form: str | None, max_bytes: int, judging: Judging | None
) -> Iterator[InputMessage]:
    if form == "log":
        yield from _log(source, file, max_bytes, None if judging is None else judging())
        return
    if form is not None:
        yield from of_text(
            source, _not_empty(source, read_all(file, max_bytes), form), form, max_bytes, None
        )
        return
    judge = None if judging is None else judging()
    head, ended, line_form = _head(file, max_bytes, judge)
    if not ended and line_form is None:
        head += read_all(file, max_bytes, len(head))
        ended = True
    if ended:
        yield from of_text(source, _not_empty(source, head, form), None, max_bytes, judge)
    else:
        yield from _log(source, _Rejoined(head, file), max_bytes, judge, line_form)


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
        if len(head) >= _SHORT:
            return head, False, _each(head, max_bytes, judge)
        if b"\n" in head and _is_idle(file):
            line_form = _each(head, max_bytes, judge)
            if line_form is not None and _has_message(head, line_form, max_bytes, judge):
                return head, False, line_form


def _each(head: bytes, max_bytes: int, judge: Judge | None) -> str | None:
    """The form in which each line is a message; "" for another log, None for any other text."""
    end = head.rfind(b"\n", 0, _HEAD) + 1 or head.find(b"\n") + 1
    if not end or head[:2] in _UTF16:
        return None
    try:
        reading = capture.recognise(head[:end], max_bytes=max_bytes, judge=judge)
    except capture.CaptureError:
        return None
    if reading is None or reading.format == "log":
        return ""
    return reading.format if capture.form_named(reading.format).per_line else None


def _has_message(head: bytes, line_form: str, max_bytes: int, judge: Judge | None) -> bool:
    """Whether the first lines have a message, which is then shown without waiting for more."""
    lines = _Rejoined(head[: head.rfind(b"\n") + 1])
    return any(
        True
        for _ in capture.scan(lines, max_bytes=max_bytes, judge=judge, line_form=line_form or None)
    )


def _is_idle(file: Stream) -> bool:
    """Whether a pipe has no more data for now. A terminal is never idle: a person types there."""
    try:
        number = file.fileno()  # type: ignore[attr-defined]
        return not sys.stdin.isatty() and not select([number], [], [], _PATIENCE)[0]
    except (AttributeError, OSError, ValueError):  # no pipe, or a system that cannot tell
        return False


_MOST_OF_LOG = 8 << 20  # bytes


def begins_as_log(source: str) -> bool:
    """Return whether the beginning of a file has a line of a broker or client that is known: what
    an error may advise. `log_sources.is_log` reads on, and refuses captures."""
    from ...capture.compression import CannotDecompress, open_log  # late: only for an error
    from ...capture.logs.reader import LogReader

    try:
        with open(source, "rb") as file, open_log(file) as log:  # noqa: PTH123
            beginning = BytesIO(log.read(_MOST_OF_LOG))
            return next(LogReader().read(beginning, in_order=False), None) is not None
    except (OSError, ValueError, CannotDecompress):
        return False


def _log(
    source: str,
    file: Stream,
    max_bytes: int,
    judge: Judge | None,
    line_form: str | None = None,
    *,
    thorough: bool = False,
) -> Iterator[InputMessage]:
    how: dict[str, Any] = {"line_form": line_form or None, "thorough": thorough}
    log = capture.scan(file, max_bytes=max_bytes, judge=judge, **how)
    number = records = 0
    for item in capture.written_items(log):
        if isinstance(item, capture.Chunk):
            number += 1
            message = _message(source, item, number, 0, ())
            yield replace(message, is_inside=item.format != capture.DUMPED)
        else:
            records += 1
    if not number and not records:
        reasons = [f"{skip.reason} (line {skip.line})" for skip in log.skipped[:3]]
        problem = "; ".join(["no bytes were found in this text", *reasons])
        advice = "name the form with --format, or take the text itself with --format raw"
        if begins_as_log(source):
            advice = f"kproto story {source} tells what happened in the group"
        raise Failure(f"{source}: {problem}: {advice}")
    read = capture.Summary()
    read.count("lines", log.lines)
    read.count("bytes", log.size)
    read.count("messages", number)
    if records:
        read.count("records decoded already, which are no bytes", records)
    text = str(read)
    if log.skipped:
        skips = [
            capture.Skip(skip.reason, skip.times, 0, f"line {skip.line}") for skip in log.skipped
        ]
        text = f"{text.removesuffix(_NOTHING)}; skipped: {'; '.join(map(str, skips))}"
    say(f"{source}: {text}")


_NOTHING = ", nothing skipped"


class _Rejoined:
    """A stream of bytes that were read already, and of the rest that follows them."""

    def __init__(self, head: bytes, rest: Stream | None = None) -> None:
        self._head = head
        self._rest = rest
        self.size = len(head)
        """The number of bytes that were read, the first ones included."""

    def read1(self, size: int, /) -> bytes:
        """Return at most `size` bytes, as many as are available."""
        if self._head:
            part, self._head = self._head[:size], self._head[size:]
            return part
        part = self._rest.read1(size) if self._rest is not None else b""
        self.size += len(part)
        return part

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


def read_all(file: Stream, max_bytes: int, size_before: int = 0) -> bytes:
    """Return the rest of a stream, of which `size_before` bytes were read already.

    Raises Failure where it is too large to be a message of `max_bytes` in any form.
    """
    parts: list[bytes] = []
    size, limit = size_before, max_bytes * WORDIEST
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
    advice = "; --hex '' is the empty message" if source != "INPUT" else ""
    return Failure(f"{source} is empty: there are no bytes to decode{advice}", WRONG_USE)


def too_large(size: int, max_bytes: int) -> Failure:
    """Return the failure of an input that is too large."""
    return Failure(f"too large: {size:,} bytes or more, the limit is {max_bytes:,} (--max-bytes)")
