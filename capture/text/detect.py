"""Find out which form a text is in, by evidence.

Every form that could be meant is tried on the whole text, and must use all of it. A judge, which
knows messages, weighs the bytes that each form gives, and the form in which most bytes decode
cleanly wins. Where no form does, the pieces of the text are put together so that each message
decodes (`regroup`).

Of the forms in which all of the text decodes, the one with most messages is taken. Without a judge,
and where the evidence is equal, the form whose messages begin as Kafka's do is preferred (eleven
zero bits: a version, a record type, a count or a frame's size), then the order of the table. Forms
that do equally well and give other bytes are the candidates. Where a message does not decode, all
forms that fit are candidates, and so is the form itself: its messages may end elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, product
from typing import TYPE_CHECKING, NamedTuple

from ..chunks import CLEAN, Chunk, Content, Judge, label
from ..errors import CaptureError
from ..form import LEAST, Form, begins_like_messages
from ..forms.dumps import Dump, without_spare
from . import regroup
from .arrangements import arrangements, is_like_bytes, values
from .catalogue import FORMS, form_named

if TYPE_CHECKING:
    from .arrangements import Arrangement, Value

__all__ = ["Fit", "detect", "divided"]

_IN_QUOTES = re.compile(
    r"\s*+(?:(?:[xXhH](?=')|[bB](?=[\"']))?([\"'`])(?:\\{1,2}x)?|\\{1,2}x)"
    r"(?P<digits>[0-9A-Za-z+/_=-]{16,}+)(?(1)\1)[,;]?\s*+"
)
_LINE = 512  # characters of the first line
_ONLY_BASE64 = re.compile(r"[\w+/=\s-]++", re.ASCII)
_CONVINCING = 0.5  # of a text's bytes that decode cleanly: forms that do worse are not named
_CLEAN_ENOUGH = 0.75  # of all that decoding explains: every message is complete
_JUDGED, _MOST_JUDGED = 4 << 20, 200  # bytes and messages: the judge sees no more of a text
_FIRST, _LONG = 8 << 10, 24 << 10  # characters of the first lines, and of a text that is read later
_LARGE, _MANY_LINES = 1 << 20, 4_000  # characters or lines of a text that is long
_HEAD = 1 << 16  # characters of its first lines, at most
# Characters of a text whose pieces are put together. The values of JSON and of Python are read in a
# text of any length: pprint writes five characters for each byte.
_LONGEST_REGROUPED = 256 << 10
_REPEATED = 256  # numbers of rows that are tried for `*` without offsets, of all of them together
_MOST_STARS = 4
_DEEPEST = 3  # levels of JSON in strings of JSON
_MUCH = 200  # characters around bytes
_STAR = re.compile(r"^[ \t]*\*[ \t]*\r?$", re.MULTILINE)


class Fit(NamedTuple):
    """The form that a text is in, what was read, and the names of the other forms that it may be
    in."""

    form: Form
    content: Content
    candidates: tuple[str, ...] = ()
    share: float = 0
    """The fraction of the bytes that decoding explains."""
    proven: bool = False
    """Whether the offsets of a dump prove the form."""


class _UnknownLength(CaptureError):
    """A dump without offsets has a `*`, and so no length."""


class _Option(NamedTuple):
    """A form that fits. `share` is the fraction of the bytes that decoding explains.

    `likely`: the form is considered even if that is little. `regrouped`: its messages end where
    they decode, and not where a separator is.
    """

    form: Form
    content: Content
    share: float
    likely: bool
    regrouped: bool = False

    @property
    def is_proven(self) -> bool:
        """Whether offsets prove that the text is a dump."""
        return isinstance(self.form, Dump) and not self.content.rows


def divided(text: str, max_bytes: int, judge: Judge | None) -> Content | None:
    """Return the messages of a few lines of hex or base64; None if too little of it decodes."""
    fit = detect(text, max_bytes, judge)
    return fit.content if fit is not None and fit.share >= _CONVINCING else None


def detect(text: str, max_bytes: int, judge: Judge | None = None) -> Fit | None:
    """Return the form that uses all of a text; None if there is none."""
    if large := _large(text, max_bytes, judge):
        return large
    fit = _in_quotes(text, max_bytes, judge) or _detect(text, max_bytes, judge)
    certain = fit is not None and (fit.share == 1 or fit.proven or _counts_what_is_cut(fit))
    if judge is not None and not certain:
        fit = _rearranged(text, fit, max_bytes, judge)
    fit = fit or _repeated(text, max_bytes, judge)
    return fit if fit is None or judge is None else _never_silent(text, fit, judge)


def _counts_what_is_cut(fit: Fit) -> bool:
    """Whether the text says how many of its bytes a program has left out: then it is one array."""
    return any(chunk.cut for chunk in fit.content.chunks)


def _never_silent(text: str, fit: Fit, judge: Judge) -> Fit:
    """The fit; the form itself is a candidate where messages that do not decode may end
    elsewhere."""
    is_one_word = len(fit.content.chunks) == 1 and len(text.split()) == 1
    is_cut = any(chunk.cut != 0 for chunk in fit.content.chunks)
    if (
        is_cut
        or fit.candidates
        or fit.proven
        or is_one_word
        or _is_clean(fit.content.chunks, judge)
    ):
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
    best = fit
    divisions = arrangements(text) if len(text) <= _LONGEST_REGROUPED else ()
    proposals = (
        _of_parts(arrangement, len(text), max_bytes, judge)
        for arrangement in divisions
        if not _is_same_line(arrangement, text)
    )
    for proposal in chain((_of_values(text, max_bytes, judge),), proposals):
        if proposal is None:
            continue
        if proposal.proven:
            return proposal
        if best is None or proposal.share > best.share:
            best = proposal
        elif proposal.share == best.share and proposal.content.data != best.content.data:
            names = (*best.candidates, proposal.form.name)
            best = best._replace(candidates=tuple(dict.fromkeys(names)))
        if proposal.share == 1 and len(proposal.content.chunks) > _MOST_JUDGED:
            break  # no other way explains more of so many
    return best


def _is_same_line(arrangement: Arrangement, text: str) -> bool:
    """Whether an arrangement of a long line leaves out nothing but the blanks around it."""
    line = text.strip() if len(text) >= _LONG else ""
    parts = arrangement.parts
    return len(parts) == 1 and parts[0].text.strip() == line and "\n" not in line


def _of_parts(
    arrangement: Arrangement, characters: int, max_bytes: int, judge: Judge
) -> Fit | None:
    """The fit of a text of so many characters in parts; None unless each of them decodes, or
    nothing but the marks of a quote was left out."""
    chunks: list[Chunk] = []
    names = set()
    rivals: dict[str, None] = {}
    is_proven = False
    for part in arrangement.parts:
        try:
            fit = (
                _in_quotes(part.text, max_bytes, judge)
                or _detect(part.text, max_bytes, judge, is_whole=arrangement.are_whole)
                or _repeated(part.text, max_bytes, judge)
            )
        except CaptureError as refusal:
            if refusal.too_large or isinstance(refusal, _UnknownLength):
                raise
            return None
        if fit is None or (fit.share < _CLEAN_ENOUGH and not arrangement.is_sure):
            return None
        names.add(fit.form.name)
        is_proven = fit.proven and len(arrangement.parts) == 1
        rivals.update(dict.fromkeys(fit.candidates))
        for chunk in fit.content.chunks:
            line, column = part.place(chunk.line, chunk.column)
            name = chunk.label or part.label or label(arrangement.headings.get(line - 1, ""))
            column += arrangement.inset
            chunks.append(chunk._replace(line=line, column=column, label=name))
    if not chunks or _is_among_words(arrangement, chunks, characters):
        return None
    name = arrangement.form or (names.pop() if len(names) == 1 else "log")
    return Fit(form_named(name), Content(chunks), tuple(rivals), _share(chunks, judge), is_proven)


def _is_among_words(arrangement: Arrangement, chunks: Sequence[Chunk], characters: int) -> bool:
    """Whether a few bytes, or zeros alone, are found in a long text, as in a log or in a source."""
    around = characters - sum(len(part.text) for part in arrangement.parts)
    return around > _MUCH and all(
        len(chunk.data) < LEAST or not chunk.data.strip(b"\0") for chunk in chunks
    )


def _of_values(text: str, max_bytes: int, judge: Judge, depth: int = 0) -> Fit | None:
    """The fit of the values of JSON or of a Python list; None where one that is like bytes does not
    decode. It is a log: keys and other values are around the messages."""
    if depth == _DEEPEST or text.lstrip()[:1] not in tuple("[{(\"'"):
        return None
    chunks: list[Chunk] = []
    rivals: dict[str, None] = {}
    for value in values(text):
        if not is_like_bytes(value.content) and not is_like_bytes(value.text[1:-1]):
            continue
        fit = _of_value(value, max_bytes, judge, depth)
        if fit is None or (fit.share < _CLEAN_ENOUGH and not _is_marker(value, fit)):
            return None
        rivals.update(dict.fromkeys(fit.candidates))
        chunks += (
            chunk._replace(
                line=value.line,
                column=value.column,
                label=chunk.label or value.keys.rpartition(" ")[2],
                context=f"{value.keys} {chunk.label}",
            )
            for chunk in fit.content.chunks
        )
    if not chunks:
        return None
    return Fit(form_named("log"), Content(chunks), tuple(rivals), _share(chunks, judge))


_MARKER_SIZES = {"key": 4, "value": 6}


def _is_marker(value: Value, fit: Fit) -> bool:
    """Whether a value has the size of a control record's key or value, which is no message."""
    size = _MARKER_SIZES.get(value.keys.rpartition(" ")[2].lower())
    return size is not None and [len(data) for data in fit.content.data] == [size]


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
        elif fit.share == best.share and fit.content.data != best.content.data:
            best = best._replace(candidates=(*best.candidates, fit.form.name))
    return best


def _large(text: str, max_bytes: int, judge: Judge | None) -> Fit | None:
    """The fit of a long text in the form that its first lines are in, which is all that is
    tried."""
    if len(text) < _LARGE and text.count("\n") < _MANY_LINES:
        return None
    end = text.rfind("\n", 0, min(_HEAD, len(text) // 2))
    if end < 0:
        return None
    fit = _detect(text[:end], max_bytes, judge)
    if fit is None:
        return None
    try:
        content = fit.form.read(text, max_bytes, may_stop=True)
    except CaptureError as refusal:
        if refusal.too_large:
            raise
        return None
    return None if content.rest or not content.chunks else fit._replace(content=content)


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
    rows_above = [text[: star.start()].rstrip("\r\n").rpartition("\n")[2] for star in stars]
    if not all(row.strip(" \t*") for row in rows_above):
        return None
    most = int(_REPEATED ** (1 / len(stars))) if judge else 1
    for times in sorted(product(range(1, most + 1), repeat=len(stars)), key=sum):
        filled = _filled(text, stars, rows_above, times)
        if sum(times) == len(stars) and not _has_bare_rows(filled, max_bytes):
            return None
        fit = _detect(filled, max_bytes, judge)
        if judge and fit is not None and fit.share >= _CLEAN_ENOUGH:
            rows = " and ".join(map(str, times))
            remark = f"the * was read as {rows} rows, with which the message decodes"
            chunks = [chunk._replace(remark=remark) for chunk in fit.content.chunks]
            return fit._replace(content=fit.content._replace(chunks=chunks))
    raise _UnknownLength(
        "* means rows like the one above, and without offsets their number is not known: "
        "print it with od -v, or with offsets",
        line=text.count("\n", 0, stars[0].start()) + 1,
    )


def _has_bare_rows(text: str, max_bytes: int) -> bool:
    """Whether a text is nothing but rows of a dump without offsets."""
    for form in FORMS:
        if isinstance(form, Dump):
            with suppress(CaptureError):
                content = form.read(text, max_bytes, may_stop=True)
                if content.rows and content.rest is None:
                    return True
    return False


def _filled(
    text: str, stars: Sequence[re.Match[str]], rows: Sequence[str], times: Sequence[int]
) -> str:
    """The text with so many rows in the place of each `*`."""
    parts: list[str] = []
    end = 0
    for star, row, count in zip(stars, rows, times, strict=True):
        parts += (text[end : star.start()], "\n".join([row] * count))
        end = star.end()
    return "".join((*parts, text[end:]))


def _detect(
    text: str, max_bytes: int, judge: Judge | None, *, is_whole: bool = False
) -> Fit | None:
    """The fit of a text in the likeliest of the forms; `is_whole`: it has one message."""
    line = text.lstrip()[:_LINE].split("\n", 1)[0].rstrip()
    if not line:
        return None
    options = _options(line, text, max_bytes, judge)
    sure = any(option.share == 1 and not option.content.padding for option in options)
    if judge and not sure and not is_whole and len(text) <= _LONGEST_REGROUPED:
        options += _regrouped(text, options, judge)
    options = [option for option in options if option.likely or option.share >= _CONVINCING]
    if not options:
        return None
    options.sort(key=lambda option: _rank(option, text))
    best = options[0]
    return Fit(
        best.form, best.content, tuple(_rivals(best, options[1:], judge)), best.share,
        best.is_proven and not best.regrouped,
    )  # fmt: skip


def _rank(option: _Option, text: str) -> tuple[float, ...]:
    """The key that sorts the options of a text, the best one first. Of options that do not decode,
    the shares differ by their lengths alone: the beginnings of messages tell more, and so does what
    programs print."""
    is_clean = option.share >= _CLEAN_ENOUGH
    is_strange = not begins_like_messages(option.content.chunks)
    return (
        not is_clean,
        is_strange and not is_clean,
        -option.share if is_clean else -round(option.share, 2),
        any(chunk.remark for chunk in option.content.chunks),
        option.regrouped,
        -len(option.content.chunks) if is_clean else 0,
        is_strange,
        option.form.doubt(text),
    )


def _rivals(best: _Option, rivals: Sequence[_Option], judge: Judge | None) -> list[str]:
    """The names of the forms that do equally well, one for each distinct reading; of all that fit
    where the best one does not decode."""
    names = []
    readings = [best.content.data]
    clean = judge is not None and _is_clean(best.content.chunks, judge)
    for option in rivals:
        equal = option.share == best.share or not clean
        worse = any(chunk.remark for chunk in option.content.chunks)
        if equal and not worse and option.content.data not in readings:
            names.append(option.form.name)
            readings.append(option.content.data)
    return names


def _options(line: str, text: str, max_bytes: int, judge: Judge | None) -> list[_Option]:
    """The forms that use all of the text, in the order of the table."""
    options: list[_Option] = []
    too_large: CaptureError | None = None
    may_be_bare = judge is not None and text.lstrip("\r\n")[:1] == " "  # as od -An begins its rows
    for form in FORMS:
        is_dump = isinstance(form, Dump)
        if not is_dump and any(option.likely and option.is_proven for option in options):
            break  # offsets that follow each other prove that it is a dump
        if not form.may_begin(line) and not (may_be_bare and is_dump):
            continue
        try:
            if judge is not None and _is_hopeless(form, text, max_bytes, judge):
                continue
            content = form.read(text, max_bytes, may_stop=True)
        except CaptureError as refusal:
            too_large = refusal if refusal.too_large else too_large
            continue
        if content.rest is None and content.chunks:
            if judge is not None and any(chunk.spare for chunk in content.chunks):
                chunks = [without_spare(chunk, judge) for chunk in content.chunks]
                content = content._replace(chunks=chunks)
            share = _share(content.chunks, judge) if judge else 0
            likely = not content.rows and form.is_credible(text, content.chunks)
            if likely or judge:
                options.append(_Option(form, content, share, likely))
    if too_large and not options:
        raise too_large
    return options


def _is_hopeless(form: Form, text: str, max_bytes: int, judge: Judge) -> bool:
    """Whether the first messages tell that a form is no option for a long text of many: they are
    all that is judged."""
    if len(text) < _LONG:
        return False
    end = text.find("\n", _FIRST, 2 * _FIRST)
    try:
        content = form.read(text[: _FIRST if end < 0 else end], max_bytes, may_stop=True)
    except CaptureError:
        if form.parting in ("lines", "words"):
            raise
        return False  # a message may have been cut
    chunks = content.chunks
    if len(chunks) < _MOST_JUDGED or content.rows or any(chunk.spare for chunk in chunks):
        return False
    return _share(chunks, judge) < _CONVINCING and not form.is_credible(text, chunks)


def _regrouped(text: str, options: Sequence[_Option], judge: Judge) -> list[_Option]:
    """The options in which the pieces of a text are put together so that messages decode."""
    if any(option.is_proven for option in options):
        return []
    ways = regroup.of_units(text, judge)
    for option in options:
        if option.content.rows:
            ways += regroup.of_rows(option.content, judge)
    if _ONLY_BASE64.fullmatch(text):
        ways += regroup.of_base64(text, judge, url="-" in text or "_" in text)
    return [
        _Option(
            form_named(chunks[0].format),
            Content(chunks),
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
