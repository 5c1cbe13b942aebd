"""Which form a text is in.

Every form that could be meant is tried on the whole text, and must use all of it. Of
those that fit, the one whose messages begin as Kafka's do is preferred (twelve zero bits:
a version, a record type, a count or a frame's size), then the order of the table. Forms
that fit too and give other bytes are the candidates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .blocks import blocks, lines
from .errors import CaptureError
from .forms import FORMS, Form
from .reading import Chunk, Found

__all__ = ["detect"]

_HEX = "0123456789abcdefABCDEF"
_DRESSED = re.compile(
    r"\s*+(?:(?:[xX](?=')|[hH](?='))?([\"'`])(?:\\{1,2}x)?|\\{1,2}x)"
    r"(?P<digits>[0-9A-Za-z+/_=-]{16,}+)(?(1)\1)[,;]?\s*+"
)
_QUOTED = re.compile(
    r"[\s\[({]*+(?:([\"'])(?:[0-9a-fA-F]{16,}+|AA[\w+/=-]{14,}+)\1[\s,;]*+)++[\s\])}]*+"
)
# Numbers up to 255 as they are printed, of one to three digits: nobody spaces hex like this.
_DECIMAL = re.compile(
    r"(?=.*\b\d\b)(?=.*\b\d{3}\b)\s*+(?:(?:[0-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:,?\s++|\Z)){12,}+",
    re.DOTALL,
)
_LINE = 512
_LEAST_BASE64 = 10
_RAGGED, _EQUAL, _WRAPPED = "ragged", "equal", "wrapped"
_TOOLS_WRAP_AT = (60, 64, 76)  # xxd -p, PEM, MIME
_NO_SIGNS = dict.fromkeys(map(ord, "+/-_="))


Fit = tuple[Form, Found, tuple[str, ...]]


def detect(text: str, max_bytes: int) -> Fit | None:
    """The form, what it reads, and the names of its rivals; None if no form fits it all."""
    return _dressed(text, max_bytes) or _detect(text, max_bytes)


def _dressed(text: str, max_bytes: int) -> Fit | None:
    """Digits in the quotes of a JSON or SQL value, or behind the `\\x` of PostgreSQL."""
    dressed = _DRESSED.fullmatch(text)
    if dressed is None:
        return None
    start, end = dressed.span("digits")
    return _detect(" " * start + text[start:end], max_bytes)  # blanks, so that the columns stay


def _detect(text: str, max_bytes: int) -> Fit | None:
    first = text.lstrip()[:_LINE].split("\n", 1)[0].rstrip()
    if not first:
        return None
    fits = _fits(first, text, max_bytes)
    if not fits:
        return None
    fits.sort(
        key=lambda fit: (
            not _begins_like_messages(fit[1].chunks),
            _is_per_line(fit[0]) and _shape(text) == _WRAPPED,
            fit[0].module == "plain_hex" and _DECIMAL.fullmatch(text) is not None,
        )
    )
    (form, found), *rivals = fits
    mine = _bytes(found)
    return form, found, tuple(rival.name for rival, other in rivals if _bytes(other) != mine)


def _fits(first: str, text: str, max_bytes: int) -> list[tuple[Form, Found]]:
    """The forms that use all of the text, and what they read, in the order of the table."""
    fits: list[tuple[Form, Found]] = []
    refused: CaptureError | None = None
    for form in FORMS:
        if fits and fits[0][0].module == "dumps" != form.module:
            break  # offsets that follow each other are no accident
        could, credible = _TESTS.get(form.module, _NEVER)
        if not could(form, first):
            continue
        try:
            found = form.reader.read(text, max_bytes, whole=True)
        except CaptureError as refusal:
            refused = refusal if refusal.too_large else refused
            continue
        if found.rest is None and found.chunks and credible(form, text, found.chunks):
            fits.append((form, found))
    if refused and not fits:
        raise refused
    return fits


def _bytes(found: Found) -> list[bytes]:
    return [chunk.data for chunk in found.chunks]


def _begins_like_messages(chunks: Sequence[Chunk]) -> bool:
    return all(chunk.data[:1] == b"\0" and chunk.data[1:2] < b"\x10" for chunk in chunks)


# Whether a text could be in a form, by its first line: cheap, for every form is asked.


def _hex(form: Form, first: str) -> bool:
    return first[:1] in _HEX


def _dump(form: Form, first: str) -> bool:
    return first[:1] in _HEX and len(first.split(maxsplit=1)[0]) >= len("0000")


def _code(form: Form, first: str) -> bool:
    if form.name == "escaped":
        return first.startswith("\\")
    from .languages import BEGINNING

    return BEGINNING.match(first) is not None


def _ints(form: Form, first: str) -> bool:
    """A list, or bare numbers: not all of two digits, for these are hex."""
    words = first.replace(",", " ").split()
    return first[0] in "[{" or (
        first[0] in "-+0123456789" and any(len(word.lstrip("+-")) != 2 for word in words)
    )


def _base64(form: Form, first: str) -> bool:
    bare = first.translate(_NO_SIGNS)
    return not bare or (bare.isascii() and bare.isalnum())


# Whether a form that fits is worth a mention beside the others.


def _credible_lines(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    """Lines that a tool wraps are of one length; messages begin as messages do."""
    return not _is_per_line(form) or (
        len(chunks) > 1 and (_shape(text) == _RAGGED or _begins_like_messages(chunks))
    )


def _credible_dump(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    """One row without a tool's marks may just as well be hex in groups."""
    rows = sum(1 for line in lines(text) if line.strip())
    return rows >= 2 * len(chunks) or ":" in text or "  " in text.strip()


def _credible_code(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    """Strings of nothing but digits are hex or base64 that somebody put in quotes."""
    return all(chunk.format == form.name for chunk in chunks) and not _QUOTED.fullmatch(text)


def _credible_base64(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    """What is made of hex digits alone is hex, unless it would begin with zeros in base64."""
    if not text.strip(_HEX + "\r\n") and not text.lstrip().startswith("AA"):
        return False
    if form.name.startswith("base64url") and "-" not in text and "_" not in text:
        return False
    return _credible_lines(form, text, chunks) and all(
        len(chunk.data) >= _LEAST_BASE64 for chunk in chunks
    )


def _credible_list(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    return True


def _is_per_line(form: Form) -> bool:
    return form.name.endswith("-lines")


def _shape(text: str) -> str:
    """What the lengths of the lines say: one message that a tool wrapped, or several."""
    shape = _EQUAL
    for _, _, block in blocks(text):
        widths = [len(line.strip()) for line in block.split("\n")]
        if len(widths) > 1 and (len(set(widths[:-1])) > 1 or widths[-1] > widths[0]):
            return _RAGGED
        if widths[-1] < widths[0] or widths[0] in _TOOLS_WRAP_AT:
            shape = _WRAPPED
    return shape


_Could = Callable[[Form, str], bool]
_Credible = Callable[[Form, str, Sequence[Chunk]], bool]
_TESTS: dict[str, tuple[_Could, _Credible]] = {
    "plain_hex": (_hex, _credible_lines),
    "dumps": (_dump, _credible_dump),
    "languages": (_code, _credible_code),
    "arrays": (_ints, _credible_list),
    "base64_text": (_base64, _credible_base64),
}
_NEVER: tuple[_Could, _Credible] = (lambda form, first: False, _credible_list)
