"""INPUT, from the command line, a file or a pipe, to the bytes of messages.

What is read may be anything: a device that never ends, a folder, text, a message. No message
longer than `max_bytes` is taken up, and text no further than the wordiest way of writing one.
"""

from __future__ import annotations

import os
import stat
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from typing import BinaryIO

from .failures import WRONG_USE, Failure, say

MAX_BYTES = 100 << 20
_WORDIEST = 6  # characters a byte: "0x00, "
_PART = 1 << 20
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_BETWEEN_DIGITS = dict.fromkeys(map(ord, " \t\r\n:,;-"))
_HEX = frozenset("0123456789abcdefABCDEF")

Message = tuple[str, bytes]  # where it stood ("" where there is only one), and its bytes


def add_input(parser: ArgumentParser) -> None:
    """INPUT, and `add_form`."""
    parser.add_argument(
        "input",
        metavar="INPUT",
        nargs="?",
        help="hex, a file, or - for standard input (the default where something is piped in); "
        "what has a / in it or is no hex is a file; where there is none, any written form",
    )
    add_form(parser)


def add_form(parser: ArgumentParser) -> None:
    """The options that say how to read INPUT."""
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


def messages(given: str | None, how: str | None, form: str | None, max_bytes: int) -> list[Message]:
    """Every message that INPUT holds. Raises Failure where there is none, or one is too long."""
    text = given if given is not None and _in_writing(given, how, form) else None
    if text is not None:
        where, data = "INPUT", text.encode(errors="surrogateescape")
    else:
        where, data = read_file(given, max_bytes, literally=how == "file")
    if not data.strip() and form != "raw":
        raise Failure(f"{where} is empty: there are no bytes to decode")
    if form is None and text is not None and (plain := _plain_hex(text)) is not None:
        return [("", _within(plain, max_bytes))]
    if form is None and text is not None and (how == "hex" or _is_hex(text)):
        form = "hex"
    return list(_written(where, data, form, max_bytes))


def read_file(path: str | None, max_bytes: int, *, literally: bool = False) -> tuple[str, bytes]:
    """What a file holds, with a name for it. None and, unless `literally`, "-" are stdin."""
    if path is None or (path == "-" and not literally):
        return "standard input", _standard_input(path, max_bytes)
    try:
        with open(path, "rb") as file:  # noqa: PTH123  # importing pathlib costs more
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode) and about.st_size > max_bytes * _WORDIEST:
                raise _too_large(about.st_size, max_bytes)
            return path, _read(file, max_bytes)
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        raise Failure(_unreadable(path, error), WRONG_USE) from None


def is_text(given: str, how: str | None, form: str | None) -> bool:
    """Whether INPUT is the bytes themselves in writing: hex, or what --format says."""
    if how is not None or given == "-":
        return how == "hex"
    if form is not None:
        return not os.path.exists(given)  # noqa: PTH110
    return not given.strip() or _is_hex(given)


def _is_hex(given: str) -> bool:
    return "/" not in given and _plain_digits(given) is not None


def _in_writing(given: str, how: str | None, form: str | None) -> bool:
    """The same, and bytes in any other form that is no file. Raises Failure where it is neither."""
    if is_text(given, how, form):
        return True
    if how is not None or given == "-" or os.path.lexists(given):
        return False
    if not _is_pasted(given.encode(errors="surrogateescape")):
        raise Failure(f"{given!r} is neither hex nor a file that exists", WRONG_USE)
    return True


def _is_pasted(data: bytes) -> bool:
    """Whether a text says that it is bytes; what is base64 by accident is a name mistyped."""
    from ..capture.text import CaptureError, read

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
    """The commonest input, read without importing anything; None leaves it to `capture`."""
    digits = None if "\n" in text.strip() else _plain_digits(text)
    return bytes.fromhex(digits) if digits and len(digits) % 2 == 0 else None


def _written(where: str, data: bytes, form: str | None, max_bytes: int) -> Iterator[Message]:
    """The messages of a text in any form that people paste, or the bytes of a binary file."""
    from ..capture.text import CaptureError, read

    if form is not None:
        _check_form(form)
    try:
        reading = read(data, format=form, max_bytes=max_bytes)
    except CaptureError as error:
        raise Failure(f"{where}: {error}") from None
    if reading.candidates:
        others = ", ".join(f"--format {name}" for name in reading.candidates)
        say(f"{where} was read as {reading.format}; it could also be: {others}")
    for skip in reading.skipped:
        say(f"{where}, line {skip.line}: skipped, {skip.reason} ({skip.times:,} in all)")
    for record in reading.records:
        say(f"{where}, line {record.line}: a record that was decoded already, not bytes")
    total = len(reading.chunks)
    for number, chunk in enumerate(reading.chunks, 1):
        place = f"line {chunk.line}" + (f" ({chunk.label})" if chunk.label else "")
        if total > 1:  # a blank line in the middle of hex parts it in two: that is not to be missed
            place = f"message {number:,} of {total:,}, {place}"
        if chunk.cut != 0:
            say(f"{where}, {place}: {_cut(chunk.cut)}")
        yield (place if total > 1 else ""), chunk.data


def _check_form(form: str) -> None:
    """Raises Failure for a form that there is not."""
    from ..capture.text import CaptureError
    from ..capture.text.forms import form_named

    try:
        form_named(form)
    except CaptureError as error:
        raise Failure(f"--format: {error}", WRONG_USE) from None


def _cut(left_out: int | None) -> str:
    number = "bytes" if left_out is None else f"{left_out:,} bytes"
    return f"cut short by the tool that printed it, {number} are missing"


def _within(data: bytes, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise _too_large(len(data), max_bytes)
    return data


def _standard_input(path: str | None, max_bytes: int) -> bytes:
    if sys.stdin is None or (path is None and sys.stdin.isatty()):
        raise Failure("nothing to read: give hex, a file, or pipe something in", WRONG_USE)
    try:
        return _read(sys.stdin.buffer, max_bytes)
    except OSError as error:
        raise Failure(_unreadable("standard input", error), WRONG_USE) from None


def _read(file: BinaryIO, max_bytes: int) -> bytes:
    """All of it, as long as it can still be a message of `max_bytes`."""
    parts: list[bytes] = []
    size, limit = 0, max_bytes * _WORDIEST
    while part := file.read(_PART):
        parts.append(part)
        size += len(part)
        if size > limit or (size > max_bytes and b"\0" in part):
            raise _too_large(size, max_bytes)
    return b"".join(parts)


def _too_large(size: int, max_bytes: int) -> Failure:
    return Failure(f"too large: {size:,} bytes or more, the limit is {max_bytes:,} (--max-bytes)")


def _unreadable(path: str, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or error
    return f"{path!r} cannot be read: {reason}"


def _size(text: str) -> int:
    number, unit = text.upper().removesuffix("IB").removesuffix("B"), ""
    if number[-1:] in _UNITS and number[-1:]:
        number, unit = number[:-1], number[-1]
    if not number.isdecimal() or int(number) == 0:
        raise ArgumentTypeError(f"{text!r} is no size: 1000, 64K, 100M")
    return int(number) * _UNITS[unit]
