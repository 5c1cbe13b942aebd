"""Find out which form a text is in, by evidence.

Every form that could be meant is tried on the whole text, and must use all of it. A judge, which
knows messages, weighs the bytes that each form gives, and the form in which most bytes decode
cleanly wins. Where no form does, the pieces of the text are put together so that each message
decodes (`regroup`).

Of the forms in which all of the text decodes, the one with most messages is taken. Without a judge,
and where the evidence is equal, the form whose messages begin as Kafka's do is preferred (twelve
zero bits: a version, a record type, a count or a frame's size), then the order of the table. Forms
that do equally well and give other bytes are the candidates. Where a message does not decode, all
forms that fit are candidates, and so is the form itself: its messages may end elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain, product
from typing import TYPE_CHECKING, NamedTuple

from ..errors import CaptureError
from .blocks import blocks, lines
from .forms import FORMS, Form, form_named
from .reading import CLEAN, Chunk, Found, Judge

if TYPE_CHECKING:
    from .quoted_values import Value
    from .rearrange import Arrangement

__all__ = ["Fit", "detect"]

_HEX = "0123456789abcdefABCDEF"
_IN_QUOTES = re.compile(
    r"\s*+(?:(?:[xX](?=')|[hH](?='))?([\"'`])(?:\\{1,2}x)?|\\{1,2}x)"
    r"(?P<digits>[0-9A-Za-z+/_=-]{16,}+)(?(1)\1)[,;]?\s*+"
)
_QUOTED = re.compile(
    r"[\s\[({]*+(?>(?:([\"'])(?:[0-9a-fA-F]{16,}+|AA[\w+/=-]{14,}+)\1[\s,;]*+)+)[\s\])}]*+"
)
# Numbers up to 255 as they are printed, of one to three digits: nobody spaces hex like this.
_DECIMAL = re.compile(
    r"(?=.*\b\d\b)(?=.*\b\d{3}\b)\s*+(?>(?:(?:[0-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:,?\s++|\Z)){12,})",
    re.DOTALL,
)
_LINE = 512
_LEAST_BASE64 = 10
_LEAST_WORD = 10
_RAGGED, _EQUAL, _WRAPPED = "ragged", "equal", "wrapped"
_ONLY_BASE64 = re.compile(r"[\w+/=\s-]++", re.ASCII)
_TOOLS_WRAP_AT = (60, 64, 76)  # xxd -p, PEM, MIME
_NO_SIGNS = dict.fromkeys(map(ord, "+/-_="))
_BASE64_WORDS = _NO_SIGNS | dict.fromkeys(map(ord, " \t,;|"))
_PARTING = ("-lines", "-words")
_CONVINCING = 0.5  # of a text's bytes that decode cleanly: forms that do worse are not named
_CLEAN_ENOUGH = 0.75  # of all that decoding explains: every message is whole
_JUDGED, _MOST_JUDGED = 4 << 20, 400  # bytes and messages: the judge sees no more of a text
_LARGE, _HEAD = 1 << 20, 1 << 16  # characters of a text that is long, and of its first lines
MAX_REGROUPED = 256 << 10
"""Characters of the longest text whose pieces are put together."""
_REPEATED = 256  # numbers of rows that are tried for `*` without offsets, of all of them together
_MOST_STARS = 4
_DEEPEST = 3  # levels of JSON in strings of JSON
_STAR = re.compile(r"^[ \t]*\*[ \t]*\r?$", re.MULTILINE)


class Fit(NamedTuple):
    """The form that a text is in, what was read, and the names of the other forms that it may be
    in."""

    form: Form
    found: Found
    candidates: tuple[str, ...] = ()
    share: float = 0
    """The fraction of the bytes that decoding explains."""
    proven: bool = False
    """Whether the offsets of a dump prove the form."""

    @property
    def is_convincing(self) -> bool:
        """Whether so many bytes decode that the form is no accident."""
        return self.share >= _CONVINCING


class _Option(NamedTuple):
    """A form that fits. `share` is the fraction of the bytes that decoding explains.

    `likely`: the form is considered even if that is little. `regrouped`: its messages end where
    they decode, and not where a separator is.
    """

    form: Form
    found: Found
    share: float
    likely: bool
    regrouped: bool = False


def detect(text: str, max_bytes: int, judge: Judge | None = None) -> Fit | None:
    """Return the form that uses all of a text; None if there is none."""
    if large := _large(text, max_bytes, judge):
        return large
    fit = _in_quotes(text, max_bytes, judge) or _detect(text, max_bytes, judge)
    certain = fit is not None and (fit.share == 1 or fit.proven)
    if judge is not None and not certain and len(text) <= MAX_REGROUPED:
        fit = _rearranged(text, fit, max_bytes, judge)
    fit = fit or _repeated(text, max_bytes, judge)
    return fit if fit is None or judge is None else _never_silent(text, fit, judge)


def _never_silent(text: str, fit: Fit, judge: Judge) -> Fit:
    """The fit; the form itself is a candidate where messages that do not decode may end
    elsewhere."""
    whole = len(fit.found.chunks) == 1 and len(text.split()) == 1
    if fit.candidates or fit.proven or whole or _is_clean(fit.found.chunks, judge):
        return fit
    return fit._replace(candidates=(fit.form.name,))


def _is_clean(chunks: Sequence[Chunk], judge: Judge) -> bool:
    """Whether every message decodes, all of it and with no deviation that matters."""
    return all(
        judge.weigh(chunk.data) >= _CLEAN_ENOUGH * CLEAN * len(chunk.data)
        for chunk in chunks[:_MOST_JUDGED]
    )


def _rearranged(text: str, fit: Fit | None, max_bytes: int, judge: Judge) -> Fit | None:
    """The fit of the text divided otherwise, where that explains more of it."""
    from .rearrange import arrangements  # late: few texts need it

    best = fit
    proposals = (_of_parts(arrangement, max_bytes, judge) for arrangement in arrangements(text))
    for made in chain((_of_values(text, max_bytes, judge),), proposals):
        if made is None:
            continue
        if best is None or made.share > best.share:
            best = made
        elif made.share == best.share and _bytes(made.found) != _bytes(best.found):
            names = (*best.candidates, made.form.name)
            best = best._replace(candidates=tuple(dict.fromkeys(names)))
    return best


def _of_parts(arrangement: Arrangement, max_bytes: int, judge: Judge) -> Fit | None:
    """The fit of a text in parts; None unless each of them decodes."""
    chunks: list[Chunk] = []
    names = set()
    rivals: dict[str, None] = {}
    for part in arrangement.parts:
        try:
            fit = (
                _in_quotes(part.text, max_bytes, judge)
                or _detect(part.text, max_bytes, judge)
                or _repeated(part.text, max_bytes, judge)
            )
        except CaptureError as refusal:
            if refusal.too_large or isinstance(refusal, _UnknownLength):
                raise
            return None
        if fit is None or fit.share < _CLEAN_ENOUGH:
            return None
        names.add(fit.form.name)
        rivals.update(dict.fromkeys(fit.candidates))
        for chunk in fit.found.chunks:
            line, column = part.place(chunk.line, chunk.column)
            chunks.append(chunk._replace(line=line, column=column + arrangement.inset))
    if not chunks:
        return None
    name = arrangement.form or (names.pop() if len(names) == 1 else "log")
    return Fit(form_named(name), Found(chunks), tuple(rivals), _share(chunks, judge))


def _of_values(text: str, max_bytes: int, judge: Judge, depth: int = 0) -> Fit | None:
    """The fit of the values of JSON or of a Python list; None where one that is like bytes does not
    decode. It is a log: keys and other values are around the messages."""
    from .quoted_values import values  # late: as above
    from .rearrange import is_like_bytes

    if depth == _DEEPEST or text.lstrip()[:1] not in tuple("[{(\"'"):
        return None
    chunks: list[Chunk] = []
    rivals: dict[str, None] = {}
    for value in values(text):
        if not is_like_bytes(value.content) and not is_like_bytes(value.text[1:-1]):
            continue
        fit = _of_value(value, max_bytes, judge, depth)
        if fit is None or fit.share < _CLEAN_ENOUGH:
            return None
        rivals.update(dict.fromkeys(fit.candidates))
        chunks += (
            chunk._replace(line=value.line, column=value.column) for chunk in fit.found.chunks
        )
    if not chunks:
        return None
    return Fit(form_named("log"), Found(chunks), tuple(rivals), _share(chunks, judge))


def _of_value(value: Value, max_bytes: int, judge: Judge, depth: int) -> Fit | None:
    """The fit of a value as it is written, or of what the string contains: the one that explains
    more."""
    best: Fit | None = None
    content = value.content
    bare = content.startswith("\\") and '"' not in content
    texts = (value.text, content, f'"{content}"' if bare else content)  # escapes as a literal
    fits = [
        _in_quotes(text, max_bytes, judge) or _detect(text, max_bytes, judge)
        for text in dict.fromkeys(texts)
    ]
    for fit in (*fits, _of_values(content, max_bytes, judge, depth + 1)):
        if fit is None:
            continue
        if best is None or fit.share > best.share:
            best = fit
        elif fit.share == best.share and _bytes(fit.found) != _bytes(best.found):
            best = best._replace(candidates=(*best.candidates, fit.form.name))
    return best


def _large(text: str, max_bytes: int, judge: Judge | None) -> Fit | None:
    """The fit of a long text in the form that its first lines are in, which is all that is
    tried."""
    end = text.rfind("\n", 0, _HEAD)
    if len(text) < _LARGE or end < 0:
        return None
    fit = _detect(text[:end], max_bytes, judge)
    if fit is None:
        return None
    try:
        found = fit.form.reader.read(text, max_bytes, whole=True)
    except CaptureError as refusal:
        if refusal.too_large:
            raise
        return None
    return None if found.rest or not found.chunks else fit._replace(found=found)


def _in_quotes(text: str, max_bytes: int, judge: Judge | None) -> Fit | None:
    """The fit of digits in the quotes of a JSON or SQL value, or behind the `\\x` of PostgreSQL."""
    quoted = _IN_QUOTES.fullmatch(text)
    if quoted is None:
        return None
    start, end = quoted.span("digits")
    # Blanks, so that the columns stay.
    return _detect(" " * start + text[start:end], max_bytes, judge)


def _repeated(text: str, max_bytes: int, judge: Judge | None) -> Fit | None:
    """The fit of a dump from `od -An`, in which `*` means rows like the one above, and no offset
    says how many. Raises `_UnknownLength` where decoding does not tell."""
    stars = list(_STAR.finditer(text))
    if not stars or len(stars) > _MOST_STARS:
        return None
    above = [text[: star.start()].rstrip("\r\n").rpartition("\n")[2] for star in stars]
    if not all(row.strip(" \t*") for row in above):
        return None
    most = int(_REPEATED ** (1 / len(stars))) if judge else 1
    for times in sorted(product(range(1, most + 1), repeat=len(stars)), key=sum):
        filled = _filled(text, stars, above, times)
        if sum(times) == len(stars) and not _has_bare_rows(filled, max_bytes):
            return None
        fit = _detect(filled, max_bytes, judge)
        if judge and fit is not None and fit.share >= _CLEAN_ENOUGH:
            rows = " and ".join(map(str, times))
            remark = f"the * was read as {rows} rows, with which the message decodes"
            chunks = [chunk._replace(remark=remark) for chunk in fit.found.chunks]
            return fit._replace(found=fit.found._replace(chunks=chunks))
    raise _UnknownLength(
        "* means rows like the one above, and without offsets their number is not known: "
        "print it with od -v, or with offsets",
        line=text.count("\n", 0, stars[0].start()) + 1,
    )


class _UnknownLength(CaptureError):
    """A dump without offsets has a `*`, and so no length."""


def _has_bare_rows(text: str, max_bytes: int) -> bool:
    """Whether a text is nothing but rows of a dump without offsets."""
    for form in FORMS:
        if form.module == "dumps":
            with suppress(CaptureError):
                found = form.reader.read(text, max_bytes, whole=True)
                if found.rows and found.rest is None:
                    return True
    return False


def _filled(
    text: str, stars: Sequence[re.Match[str]], above: Sequence[str], times: Sequence[int]
) -> str:
    """The text with so many rows in the place of each `*`."""
    parts: list[str] = []
    after = 0
    for star, row, count in zip(stars, above, times, strict=True):
        parts += (text[after : star.start()], "\n".join([row] * count))
        after = star.end()
    return "".join((*parts, text[after:]))


def _detect(text: str, max_bytes: int, judge: Judge | None) -> Fit | None:
    first = text.lstrip()[:_LINE].split("\n", 1)[0].rstrip()
    if not first:
        return None
    options = _options(first, text, max_bytes, judge)
    sure = any(option.share == 1 and not option.found.padding for option in options)
    if judge and not sure and len(text) <= MAX_REGROUPED:
        options += _regrouped(text, options, judge)
    options = [option for option in options if option.likely or option.share >= _CONVINCING]
    if not options:
        return None
    options.sort(
        key=lambda option: (
            -option.share,
            any(chunk.remark for chunk in option.found.chunks),
            option.regrouped,
            -len(option.found.chunks) if option.share >= _CLEAN_ENOUGH else 0,
            not _begins_like_messages(option.found.chunks),
            option.form.name.endswith(_PARTING) and _shape(text) == _WRAPPED,
            option.form.module == "plain_hex" and _DECIMAL.fullmatch(text) is not None,
        )
    )
    best = options[0]
    return Fit(
        best.form, best.found, tuple(_rivals(best, options[1:], judge)), best.share,
        _is_dump(best) and not best.regrouped,
    )  # fmt: skip


def _rivals(best: _Option, others: Sequence[_Option], judge: Judge | None) -> list[str]:
    """The names of the forms that do equally well, one for each distinct reading; of all that fit
    where the best one does not decode."""
    names = []
    seen = [_bytes(best.found)]
    clean = judge is not None and _is_clean(best.found.chunks, judge)
    for option in others:
        equal = option.share == best.share or not clean
        worse = any(chunk.remark for chunk in option.found.chunks)
        if equal and not worse and _bytes(option.found) not in seen:
            names.append(option.form.name)
            seen.append(_bytes(option.found))
    return names


def _options(first: str, text: str, max_bytes: int, judge: Judge | None) -> list[_Option]:
    """The forms that use all of the text, in the order of the table."""
    options: list[_Option] = []
    refused: CaptureError | None = None
    bare = judge is not None and text.lstrip("\r\n")[:1] == " "  # as od -An begins its rows
    for form in FORMS:
        if form.module != "dumps" and any(each.likely and _is_dump(each) for each in options):
            break  # offsets that follow each other prove that it is a dump
        could, credible = _TESTS.get(form.module, _NEVER)
        if not could(form, first) and not (bare and form.module == "dumps"):
            continue
        try:
            found = form.reader.read(text, max_bytes, whole=True)
        except CaptureError as refusal:
            refused = refusal if refusal.too_large else refused
            continue
        if found.rest is None and found.chunks:
            share = _share(found.chunks, judge) if judge else 0
            likely = not found.rows and credible(form, text, found.chunks)
            if likely or judge:
                options.append(_Option(form, found, share, likely))
    if refused and not options:
        raise refused
    return options


def _is_dump(option: _Option) -> bool:
    """Whether offsets prove that the text is a dump."""
    return option.form.module == "dumps" and not option.found.rows


def _regrouped(text: str, options: Sequence[_Option], judge: Judge) -> list[_Option]:
    """The options in which the pieces of a text are put together so that messages decode."""
    from .regroup import regrouped, retokenised, rewrapped  # late: few texts need them

    if any(map(_is_dump, options)):
        return []
    ways = retokenised(text, judge)
    for option in options:
        if option.found.rows:
            ways += regrouped(option.found, judge)
    if _ONLY_BASE64.fullmatch(text):
        ways += rewrapped(text, judge, url="-" in text or "_" in text)
    return [
        _Option(
            form_named(chunks[0].format),
            Found(chunks),
            _share(chunks, judge),
            False,
            regrouped=True,
        )
        for chunks in ways
    ]


def _share(chunks: Sequence[Chunk], judge: Judge) -> float:
    """The fraction of the bytes that decoding explains."""
    weight = size = 0
    for chunk in chunks[:_MOST_JUDGED]:
        weight += judge.weigh(chunk.data)
        size += len(chunk.data)
        if size > _JUDGED:
            break
    return weight / (CLEAN * size) if size else 0


def _bytes(found: Found) -> list[bytes]:
    return [chunk.data for chunk in found.chunks]


def _begins_like_messages(chunks: Sequence[Chunk]) -> bool:
    return all(chunk.data[:1] == b"\0" and chunk.data[1:2] < b"\x10" for chunk in chunks)


# Whether a text could be in a form, by its first line: a cheap test, done for every form.


def _hex(form: Form, first: str) -> bool:
    return first[:1] in _HEX


def _dump(form: Form, first: str) -> bool:
    return first[:1] in _HEX and len(first.split(maxsplit=1)[0]) >= len("0000")


def _code(form: Form, first: str) -> bool:
    if form.name == "escaped":
        return first.startswith("\\")
    from .languages import BEGINNING  # late: most texts are hex

    return BEGINNING.match(first) is not None


def _ints(form: Form, first: str) -> bool:
    """Whether the line begins a list, or has bare numbers that are not all of two digits, as in
    hex."""
    words = first.replace(",", " ").split()
    return first[0] in "[{" or (
        first[0] in "-+0123456789" and any(len(word.lstrip("+-")) != 2 for word in words)
    )


def _numbered(form: Form, first: str) -> bool:
    return first[0] in "0123456789[(#-*+\u2022"


def _erlang(form: Form, first: str) -> bool:
    return first.lstrip("[ ").startswith("<<")


def _percent(form: Form, first: str) -> bool:
    return "%" in first


def _base64(form: Form, first: str) -> bool:
    bare = first.translate(_BASE64_WORDS if form.name.endswith("-words") else _NO_SIGNS)
    return not bare or (bare.isascii() and bare.isalnum())


# Whether a form that fits is considered as well as others.


def _credible_lines(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    """Whether lines are messages: a tool wraps lines at one length, and messages begin with
    zeros."""
    if form.name.endswith(("-words", "-wrapped")):
        words = all(len(chunk.data) >= _LEAST_WORD for chunk in chunks)
        return len(chunks) > 1 and words and _begins_like_messages(chunks)
    return not _is_per_line(form) or (
        len(chunks) > 1 and (_shape(text) == _RAGGED or _begins_like_messages(chunks))
    )


def _credible_dump(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    """Whether rows are a dump: a single row without a tool's marks may as well be hex in groups."""
    rows = [row for line in lines(text) if (row := line.strip())]
    return len(rows) >= 2 * len(chunks) or ":" in text or any("  " in row for row in rows)


def _credible_code(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    """Whether strings are literals: those of digits alone are hex or base64 in quotes."""
    return all(chunk.format == form.name for chunk in chunks) and not _QUOTED.fullmatch(text)


def _credible_base64(form: Form, text: str, chunks: Sequence[Chunk]) -> bool:
    """Whether a text is base64: hex digits alone are hex, unless they begin with zeros in
    base64."""
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
    """The shape of the lines by their lengths: of one message that a tool wrapped, or of
    several."""
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
    "arrays": (_ints, _credible_lines),
    "numbered": (_numbered, _credible_list),
    "erlang": (_erlang, _credible_list),
    "percent": (_percent, _credible_list),
    "base64_text": (_base64, _credible_base64),
}
_NEVER: tuple[_Could, _Credible] = (lambda form, first: False, _credible_list)
