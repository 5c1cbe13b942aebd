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
whose messages begin with twelve zero bits is preferred, as Kafka's do, and the others are named
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

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..chunks import CLEAN, MAX_BYTES, Chunk, DumpedRecord, Judge, Reading, Skipped, check_size
from ..errors import CaptureError

if TYPE_CHECKING:
    from ..form import Form as Form
    from .catalogue import FORMS as FORMS
    from .catalogue import form_named as form_named
    from .log import Readable, Scan

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

_SHORT = 1 << 20


def __getattr__(name: str) -> Any:
    """Return what is seldom asked for: plain hex, the commonest input, needs no form."""
    if name not in ("FORMS", "Form", "form_named"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(".catalogue", __name__), name)


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
    if format is not None:
        return _read_as(format, data, max_bytes)
    return _read_any(data, max_bytes, judge)


def recognise(
    data: bytes, *, max_bytes: int = MAX_BYTES, judge: Judge | None = None
) -> Reading | None:
    """Return all messages in `data` where all of it is in one form, and else None.

    None means that it is a log, which `scan` reads, or holds no bytes.
    """
    if (plain := _plain_hex(data, max_bytes)) and _is_one(plain.chunks[0].data, data, judge):
        return plain
    from ..forms.raw import is_binary, to_text  # late: plain hex needs none of it
    from .detect import detect

    if is_binary(data):
        return _read_as("raw", data, max_bytes)
    if fit := detect(to_text(data), max_bytes, judge):
        return Reading(tuple(fit.content.chunks), fit.form.name, fit.candidates)
    return None


def scan(
    lines: Iterable[bytes] | Readable,
    *,
    max_bytes: int = MAX_BYTES,
    judge: Judge | None = None,
    line_form: str | None = None,
    thorough: bool = False,
) -> Scan:
    """Return an iterator of the bytes in a log's lines: `Chunk` and `DumpedRecord` objects.

    It reads no further than it must, so that an open file may have any size; a file is read in
    blocks, which is much faster than line by line. Its `lines`, `size` and `skipped` say how far it
    has read and what it skipped, by reason. `line_form` names the form of most lines, where each of
    them is a message. `thorough` looks into every line, for a short text.
    """
    from .catalogue import form_named  # late: as above
    from .detect import divided
    from .log import Scan

    return Scan(
        lines,
        max_bytes=max_bytes,
        judge=judge,
        divide=divided,
        line_form=None if line_form is None else form_named(line_form),
        thorough=thorough,
    )


def _plain_hex(data: bytes, max_bytes: int) -> Reading | None:
    """The reading of plain digits, packed or in pairs: the commonest case, without an import."""
    digits = data.strip()
    if len(data) > _SHORT or b"\n" in digits or digits[:2] == b"AA":
        return None
    words = digits.split()
    if len(words) > 1 and any(len(word) != 2 for word in words):
        return None
    try:
        message = bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        return None
    check_size(len(message), max_bytes)
    return Reading((Chunk(message, "hex"),), "hex") if message else None


def _is_one(message: bytes, text: bytes, judge: Judge | None) -> bool:
    """Whether plain hex is one message: pairs of digits may be several, which do not decode."""
    if judge is None or len(text.split(None, 2)) < 2:
        return True
    return 4 * judge.weigh(message) >= 3 * CLEAN * len(message)


def _read_as(name: str, data: bytes, max_bytes: int) -> Reading:
    from ..forms.raw import to_text  # late: as above
    from .catalogue import form_named

    form = form_named(name)
    if form.name == "raw":
        check_size(len(data), max_bytes)
        return Reading((Chunk(data, "raw"),), "raw")
    content = form.read(to_text(data), max_bytes)
    if not content.chunks and not content.records:
        raise CaptureError(
            f"nothing here is in the form {form.name}, which looks like this:\n{form.example}"
        )
    skipped = content.skipped
    if content.rest:
        skipped += (Skipped("text around the messages", 1, content.rest[0]),)
    chunks = content.chunks
    if form.name != "log":
        chunks = [chunk._replace(format=form.name) for chunk in chunks]
    return Reading(tuple(chunks), form.name, (), skipped, tuple(content.records))


def _read_any(data: bytes, max_bytes: int, judge: Judge | None) -> Reading:
    if (reading := recognise(data, max_bytes=max_bytes, judge=judge)) is not None:
        return reading
    from ..forms.raw import is_text, to_text  # late: as above
    from .detect import divided
    from .log import content_of

    content = content_of(to_text(data), max_bytes, judge, divided)
    if content.chunks or content.records:
        name = "kafka-dump-log" if content.records else "log"
        return Reading(tuple(content.chunks), name, (), content.skipped, tuple(content.records))
    if not is_text(data):
        return _read_as("raw", data, max_bytes)
    raise CaptureError(
        "no bytes were found in this text"
        + "".join(f"; {skip.reason} (line {skip.line})" for skip in content.skipped[:3])
        + ": name the form with --format, or take the text itself with --format raw"
    )
