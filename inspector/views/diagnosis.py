"""What is wrong with a message: the list of its deviations, and why it was refused.

A deviation is a paragraph: code, class, explanation, place, how often; with the first of a code,
what it means for a running group. A refusal is four lines: what, where, why, and what to do next.
"""

from __future__ import annotations

from typing import assert_never

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...codec.errors import DecodeError, ErrorKind
from ...codec.read.decoded import older_body
from ...codec.read.deviations import Deviation
from ...escaping import escaped
from ..diagnose.explanations import for_the_group
from ..identification.identify import Examined
from . import theme
from .theme import Glyphs, HangingIndent

_LISTED = 5  # of one code
_TEXT = 240  # characters of an explanation, which can quote a captured name


class DeviationList:
    """The list of deviations: all of them if `full`, else the first few of each code."""

    def __init__(self, deviations: tuple[Deviation, ...], glyphs: Glyphs, *, full: bool) -> None:
        self._deviations = deviations
        self._glyphs = glyphs
        self._full = full

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        listed: dict[str, int] = {}
        for deviation in self._deviations:
            listed[deviation.code] = listed.get(deviation.code, 0) + 1
            if self._full or listed[deviation.code] <= _LISTED:
                yield self._entry(deviation, first=listed[deviation.code] == 1)
        for code, number in listed.items():
            if number > _LISTED and not self._full:
                more = f"{number - _LISTED:,} more in other arrays (--full)"
                yield HangingIndent(Text(f"{code}  ", theme.WARN), Text(more, theme.QUIET))

    def _entry(self, deviation: Deviation, *, first: bool) -> HangingIndent:
        head = Text.assemble((deviation.code, theme.WARN), f"  {deviation.class_:9}  ")
        explanation = deviation.explanation
        if len(explanation) > _TEXT:
            explanation = explanation[:_TEXT] + self._glyphs.ellipsis
        body = Text(escaped(explanation, ascii_only=self._glyphs.ascii_only))
        place = f"{deviation.path} at byte" if deviation.path else "at byte"
        often = f", {deviation.count:,} times" if deviation.count > 1 else ""
        place = f" {self._glyphs.dot} {place} {deviation.offset}{often}"
        body.append(place, theme.QUIET)
        if first:
            body.append(f"\n{for_the_group(deviation.code)}", theme.QUIET)
        return HangingIndent(head, body)


# -- why bytes were refused

_ANOTHER_TYPE = "These bytes may be something else: `kproto schemas` lists what --as takes"
_WHOLE = "compare with the whole bytes as they were sent; tools cut long values"


class ErrorReport:
    """The report on `examined.error`: what and where, why, and what to do next."""

    def __init__(self, examined: Examined, glyphs: Glyphs) -> None:
        self._examined = examined
        self._glyphs = glyphs

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        error = self._examined.error
        assert error is not None
        at = f" in {error.path}" if error.path else ""
        verdict = "Refused" if self._examined.refused else "Not complete"
        head = f"{self._glyphs.failed} {verdict}: {error.kind.value} at byte {error.offset}{at}"
        yield Text(head, theme.FAILED)
        yield HangingIndent(Text("  why   ", theme.QUIET), Text(error.reason))
        yield HangingIndent(Text("  next  ", theme.QUIET), Text(advice(self._examined)))


def advice(examined: Examined) -> str:
    """Return one or two sentences on what a person can do about the error."""
    error = examined.error
    assert error is not None
    older = older_body(examined.decoded)
    if older is not None:
        return _relabelled(examined, older)
    if examined.rivals and not examined.decoded.complete:
        return f"Try another reading: --as {examined.rivals[0]}."
    return f"{_of_kind(error)}."


def _relabelled(examined: Examined, older: int) -> str:
    """How to read a body whose label is wrong."""
    seen = examined.decoded
    header = seen.reading.start if seen.reading is not None else 0
    drop = f" without the first {header} bytes" if header else ""
    return (
        f"The label is wrong, the body is whole: read it{drop} with "
        f"--as {seen.message_class.NAME} --body {older}."
    )


def _of_kind(error: DecodeError) -> str:  # noqa: PLR0911  # a closed set, one line each
    kind = error.kind
    match kind:
        case ErrorKind.TRUNCATED:
            return f"The input ends too early: {_WHOLE}. {_ANOTHER_TYPE}"
        case ErrorKind.COUNT_EXCEEDS_INPUT | ErrorKind.STRING_TOO_LONG:
            return f"A length that cannot be: bytes are missing before it or {_ANOTHER_TYPE[6:]}"
        case ErrorKind.NEGATIVE_LENGTH | ErrorKind.NULL_NOT_ALLOWED:
            return "Readers differ here: some take it as empty, Apache Kafka refuses it"
        case ErrorKind.VARINT_TOO_LONG | ErrorKind.BAD_TAGGED_FIELD:
            return f"The bytes are damaged, or of a version without tagged fields. {_ANOTHER_TYPE}"
        case ErrorKind.UNSUPPORTED_VERSION:
            return f"If there is no version label, name the version: --body N. {_ANOTHER_TYPE}"
        case ErrorKind.UNKNOWN_RECORD_TYPE:
            return _ANOTHER_TYPE
        case ErrorKind.REMAINDER | ErrorKind.DEVIATION:
            return "Apache Kafka accepts these bytes: --policy kafka does too"
        case _:
            assert_never(kind)
