r"""Read bytes from a text, in whatever form a tool printed them.

    reading = read(data)                    # the form is found out
    reading = read(data, format="xxd")      # the form is named
    reading = read(data, judge=judge)       # the form in which messages decode is found out
    for chunk in scan(open("app.log", "rb")):   # a log, line by line

`FORMS` in `catalogue` has all forms; `capture.form` says what a form is, and each module of
`capture.forms` has one, or a family of them.

Where a text has several messages, blank lines or the tool's own marks separate them; hex and
base64 with one message a line have forms of their own (`hex-lines`, `base64-lines`).

The text alone does not decide the cases below. A judge, which knows messages, chooses the reading
in which most bytes decode cleanly. Without a judge, or where the evidence is equal, the reading
whose messages begin with eleven zero bits is preferred, as Kafka's do, and the others are named
in `Reading.candidates`:

- hex or base64: a text of hex digits alone is hex, unless it begins with `AA`;
- lines of equal length: one wrapped message, or several of one length;
- `od -x` or `od -tx2 --endian=big`: nothing says the order of the bytes in a word;
- `hexdump`, `od -x` and the like with a single row, whose offset may be hex or octal;
- `xxd -b` with a single row, which is also `xxd -g4`;
- `xxd -e` looks like `xxd -g4`: it is refused where the characters next to the hex show it;
- numbers of two digits without brackets (`10 20 30`) are hex; where some have one digit and some
  three, they are decimal;
- 16 hex or base64 digits or more in quotes without a `b` are hex or base64, not those characters;
- a string in quotes with characters beyond ASCII: UTF-8 in Go and C, one byte each in
  Java, JavaScript and Python;
- raw bytes that are nothing but printable text: the text is read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..chunks import CLEAN, MAX_BYTES, Chunk, DumpedRecord, Judge, Reading, Skipped, check_size
from ..errors import CaptureError

if TYPE_CHECKING:
    from ..form import Form as Form
    from .catalogue import FORMS as FORMS
    from .catalogue import form_named as form_named
    from .reading import scan as scan

__all__ = [
    "CLEAN",
    "FORMS",
    "MAX_BYTES",
    "CaptureError",
    "Chunk",
    "DumpedRecord",
    "Form",
    "Judge",
    "Reading",
    "Skipped",
    "form_named",
    "read",
    "recognise",
    "scan",
]

_SHORT = 1 << 20  # bytes of pairs with blanks between them


_HOME = {
    "FORMS": "catalogue",
    "Form": "catalogue",
    "form_named": "catalogue",
    "scan": "reading",
}
"""The modules of names that plain hex, the commonest input, has no need of."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def read(
    data: bytes,
    *,
    format: str | None = None,  # noqa: A002 - the name of the command's option
    max_bytes: int = MAX_BYTES,
    judge: Judge | None = None,
) -> Reading:
    """Return all messages in `data`, the content of a file or pasted text.

    `format` is a name or alias in `FORMS`; by default the form is found out: of the forms that
    fit, the one in which `judge` finds that most bytes decode cleanly. `max_bytes` is the
    most bytes that one message may have. Raises `CaptureError` where the input is empty, is not in
    the form asked for, or holds no bytes in any form.
    """
    if not data:
        raise CaptureError("the input is empty")
    if format is None and (reading := _plain_hex(data, max_bytes, judge)) is not None:
        return reading

    from . import reading as forms  # late: plain hex needs no form

    if format is not None:
        return forms.read_as(format, data, max_bytes)
    return forms.read_any(data, max_bytes, judge)


def recognise(
    data: bytes, *, max_bytes: int = MAX_BYTES, judge: Judge | None = None
) -> Reading | None:
    """Return all messages in `data` where all of it is in one form, and else None.

    None means that it is a log, which `scan` reads, or holds no bytes.
    """
    if (reading := _plain_hex(data, max_bytes, judge)) is not None:
        return reading

    from .reading import recognise_form  # late: as above

    return recognise_form(data, max_bytes, judge)


def _plain_hex(data: bytes, max_bytes: int, judge: Judge | None) -> Reading | None:
    """Return the reading of plain digits, packed or in pairs, that are one message; None for
    others.
    """
    digits = data.strip()
    if b"\n" in digits or digits[:2] == b"AA":
        return None
    if len(digits.split(None, 1)) > 1:
        is_long = len(data) > _SHORT
        if is_long or any(len(word) != 2 for word in digits.split()):
            return None
    try:
        message = bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        return None
    check_size(len(message), max_bytes)
    if not message or not _is_one(message, data, judge):
        return None
    return Reading((Chunk(message, "hex"),), "hex")


def _is_one(message: bytes, text: bytes, judge: Judge | None) -> bool:
    """Whether plain hex is one message: pairs of digits may be several, which do not decode."""
    if judge is None or len(text.split(None, 2)) < 2:
        return True
    return 4 * judge.weigh(message) >= 3 * CLEAN * len(message)
