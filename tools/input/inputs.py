"""Read the messages in INPUT: a text on the command line, a file or a pipe.

INPUT may be anything: a device that never ends, a folder, text, a message. No message longer than
`max_bytes` is read. A text that is all in one form is read at once, up to the length that the
wordiest form of one message takes; a log of any length is read as it comes.
"""

from __future__ import annotations

import os
import stat
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from ..output.failures import WRONG_USE, Failure, say
from .texts import (
    STANDARD_INPUT,
    WORDIEST,
    InputMessage,
    Judging,
    empty,
    of_stream,
    read_all,
    too_large,
    unpacked,
    whole,
    within,
)

if TYPE_CHECKING:
    from ..output.progress import Stream

MAX_BYTES = 100 << 20
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_HEX = frozenset("0123456789abcdefABCDEF")
_BETWEEN_DIGITS = dict.fromkeys(map(ord, " \t\r\n:,;-"))
_BETWEEN_WORDS = dict.fromkeys(map(ord, "\t\r\n,;"), " ")


def add_input(parser: ArgumentParser) -> None:
    """Add INPUT… and the options of `add_form`."""
    parser.add_argument(
        "input",
        metavar="INPUT",
        nargs="*",
        help="hex, a file, or - for standard input (the default where something is piped in); "
        "what has a / in it or is no hex is a file; where there is none, any written form",
    )
    add_form(parser)


def add_form(parser: ArgumentParser) -> None:
    """Add the options that say how to read INPUT."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--hex", dest="how", action="store_const", const="hex", help="INPUT is hex, no file"
    )
    how.add_argument(
        "--file", dest="how", action="store_const", const="file", help="INPUT is a file, no hex"
    )
    parser.add_argument(
        "--format", metavar="NAME", help="the written form of the bytes; default: found out"
    )
    parser.add_argument(
        "--max-bytes",
        metavar="N",
        type=_size,
        default=MAX_BYTES,
        help="the longest message that is read: 1000, 64K, 100M (the default)",
    )


def joined(given: list[str], how: str | None, form: str | None) -> list[str | None]:
    """Return the inputs of a command line; hex that the shell split at its blanks is joined."""
    if not given:
        return [None]
    if given.count("-") > 1 and how != "file":
        raise Failure("standard input can be one INPUT, not two", WRONG_USE)
    split = len(given) > 1 and form is None and how != "file"
    if split and all(is_text(each, how, form) and _is_hex(each) for each in given):
        return [" ".join(given)]
    return list(given)


def messages(
    given: str | None,
    how: str | None,
    form: str | None,
    max_bytes: int,
    judging: Judging | None = None,
) -> Iterator[InputMessage]:
    """Yield every message in INPUT, as it is read.

    Raises Failure where there is none, or a message is too long.
    """
    _check_form(form)
    text = given if given is not None and _is_written(given, how, form) else None
    if text is not None:
        if not text.strip():
            raise empty("INPUT")
        if form is None and (plain := _plain_hex(text)) is not None:
            yield unpacked(InputMessage(within(plain, max_bytes), "INPUT", 1, 1), max_bytes)
            return
        if form is None and (how == "hex" or _is_hex(text)) and not _may_be_several(text):
            form = "hex"
        data = text.encode(errors="surrogateescape")
        yield from whole("INPUT", data, form, max_bytes, judging and judging())
    else:
        yield from _of_file(given, how, form, max_bytes, judging)


class AllMessages:
    """The messages of all INPUTs of a call. `status` is the exit status that INPUTs which could not
    be read ask for; where there are `several`, the others are read all the same."""

    def __init__(
        self, given: list[str | None], arguments: Namespace, judging: Judging, several: bool
    ) -> None:
        self._given = given
        self._how = (arguments.how, arguments.format, arguments.max_bytes, judging)
        self._several = several
        self._redact: bool = arguments.redact
        self._sources: dict[str, int] = {}
        self.status = 0

    def __iter__(self) -> Iterator[InputMessage]:
        for each in self._given:
            try:
                for message in messages(each, *self._how):
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
            message = message._replace(source=f"<source-{number}>", label="")
        return message._replace(alone=not self._several)


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
        raise Failure(_unreadable(path, error), WRONG_USE) from None
    with file:
        about = os.fstat(file.fileno())
        yield path, file, about.st_size if stat.S_ISREG(about.st_mode) else 0


def is_text(given: str, how: str | None, form: str | None) -> bool:
    """Return whether INPUT is a text with bytes and no file: hex, or in the form of --format."""
    if how is not None or given == "-":
        return how == "hex"
    if form is not None:
        return not os.path.exists(given)  # noqa: PTH110
    return not given.strip() or _is_hex(given)


def _is_hex(given: str) -> bool:
    return "/" not in given and _plain_digits(given) is not None


def _may_be_several(text: str) -> bool:
    """Whether each word of hex may be a message, and not a part of one."""
    return _is_hex(text) and all(len(word) > 1 for word in text.translate(_BETWEEN_WORDS).split())


def _is_written(given: str, how: str | None, form: str | None) -> bool:
    """Whether INPUT is a text with bytes, in any form. Raises Failure where it is no file
    either."""
    if is_text(given, how, form):
        return True
    if how is not None or given == "-" or os.path.lexists(given):
        return False
    if not _is_pasted(given.encode(errors="surrogateescape")):
        raise Failure(f"{given!r} is neither hex nor a file that exists", WRONG_USE)
    return True


def _is_pasted(data: bytes) -> bool:
    """Whether a text is certainly bytes; a mistyped name may be base64 by accident."""
    from ...capture.text import CaptureError, read  # late: hex needs none of it

    try:
        reading = read(data)
    except CaptureError:
        return False
    if reading.format == "raw":
        return False
    return not reading.format.startswith("base64") or data.lstrip().startswith(b"AA")


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
    given: str | None, how: str | None, form: str | None, max_bytes: int, judging: Judging | None
) -> Iterator[InputMessage]:
    from ..output.progress import progress  # late: hex is no file

    with (
        open_input(given, literally=how == "file") as (name, file, size),
        progress(size) as bar,
    ):
        try:
            yield from of_stream(name, bar.file(file), form, max_bytes, judging)
        except OSError as error:
            raise Failure(_unreadable(name, error), WRONG_USE) from None


def _check_form(form: str | None) -> None:
    """Raise Failure for a form that does not exist."""
    if form is None:
        return
    from ...capture.text import CaptureError, form_named  # late: few calls name a form

    try:
        form_named(form)
    except CaptureError as error:
        raise Failure(f"--format: {error}", WRONG_USE) from None


def _all(name: str, file: Stream, max_bytes: int) -> bytes:
    try:
        return read_all(file, max_bytes)
    except OSError as error:
        raise Failure(_unreadable(name, error), WRONG_USE) from None


def _unreadable(path: str, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or error
    quoted = path if path == STANDARD_INPUT else repr(path)
    return f"{quoted} cannot be read: {reason}"


def _size(text: str) -> int:
    number, unit = text.upper().removesuffix("IB").removesuffix("B"), ""
    if number[-1:] in _UNITS and number[-1:]:
        number, unit = number[:-1], number[-1]
    if not number.isdecimal() or int(number) == 0:
        raise ArgumentTypeError(f"{text!r} is no size: 1000, 64K, 100M")
    return int(number) * _UNITS[unit]
