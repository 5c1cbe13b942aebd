"""What deviates, a paragraph each: code, class, what it says, where, how often; and, once a code,
what it means for a running group."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...codec.read.deviations import Deviation
from ..diagnose.explanations import for_the_group
from . import style as palette
from .escaping import shown
from .style import Glyphs, Hanging

_LISTED = 5  # of one code
_TEXT = 240  # characters of an explanation, which can quote a captured name


class DeviationList:
    """All of them if `full`, else the first few of each code."""

    def __init__(self, deviations: tuple[Deviation, ...], signs: Glyphs, *, full: bool) -> None:
        self._deviations = deviations
        self._signs = signs
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
                yield Hanging(Text(f"{code}  ", palette.WARN), Text(more, palette.QUIET))

    def _entry(self, deviation: Deviation, *, first: bool) -> Hanging:
        head = Text.assemble((deviation.code, palette.WARN), f"  {deviation.class_:9}  ")
        explanation = deviation.explanation
        if len(explanation) > _TEXT:
            explanation = explanation[:_TEXT] + self._signs.ellipsis
        body = Text(shown(explanation, ascii_only=self._signs.ascii_only))
        place = f"{deviation.path} at byte" if deviation.path else "at byte"
        often = f", {deviation.count:,} times" if deviation.count > 1 else ""
        place = f" {self._signs.dot} {place} {deviation.offset}{often}"
        body.append(place, palette.QUIET)
        if first:
            body.append(f"\n{for_the_group(deviation.code)}", palette.QUIET)
        return Hanging(head, body)
