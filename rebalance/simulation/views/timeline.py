"""A run over time: a line per partition that shows who owned it when. A `rich` renderable.

A letter is the member that reads; a shade one that owns but cannot read; a dot no owner; an
exclamation mark two that believe to own it; an ampersand several that share it. Operations on the
group are below, at their times. Colours only repeat what the letters say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from string import ascii_letters

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text

from ..measures import Stretch, stretches
from ..run_log import LoggedEvent
from ..scenarios.runs import Run

_COLOURS = (63, 29, 163, 98)
"""Numbers of xterm's 256 colours that have a contrast of 4.5 to black and to white."""
_MEMBERS = tuple(
    Style(color=f"color({number})", bold=bold) for bold in (False, True) for number in _COLOURS
)
_WRONG, _QUIET = Style(color="color(131)", bold=True, reverse=True), Style(color="color(243)")
# None of 16 colours can be read on every background, except those of the text itself.
_MEMBERS_ON_16 = tuple(
    Style(bold=bold, underline=underline) for underline in (False, True) for bold in (False, True)
)
_WRONG_ON_16, _QUIET_ON_16 = Style(bold=True, reverse=True), Style()
_MOST_LINES = 40
_NARROWEST = 20

MARKS = {
    "started": ("+", "started"),
    "closing": ("-", "leaves"),
    "crashed": ("x", "crashed"),
    "frozen": ("z", "stands still"),
    "session expired": ("t", "session expired"),
    "fell out of the group": ("f", "fell out of the group"),
    "failed": ("F", "refused for good"),
    "topics changed": ("p", "topics changed"),
    "took over": ("c", "another coordinator"),
    "connection lost": ("d", "connection lost"),
    "subscribed": ("s", "subscribed anew"),
}
"""The signs in the line of operations, and what each means."""


class Timeline:
    """The timeline of `run`, as wide as the console."""

    def __init__(self, run: Run) -> None:
        self._run = run
        names = [event.who for event in run.record.events if event.what == "started"]
        self._names = list(dict.fromkeys(names))
        self._signs = _signs(self._names)
        self._members, self._wrong, self._quiet = _MEMBERS, _WRONG, _QUIET

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        plain = options.encoding != "utf-8"
        if console.color_system == "standard":
            self._members, self._wrong, self._quiet = _MEMBERS_ON_16, _WRONG_ON_16, _QUIET_ON_16
        rows = defaultdict(list)
        for stretch in stretches(self._run.record):
            rows[stretch.partition].append(stretch)
        labels = {row: f"{row[0]}-{row[1]}" for row in sorted(rows)}
        gutter = max([len("generation"), *(min(len(label), 30) for label in labels.values())])
        columns = max(_NARROWEST, min(options.max_width, 160) - gutter - 2)
        for number, (partition, label) in enumerate(labels.items()):
            if number == _MOST_LINES:
                yield Text(f"… and {len(labels) - number} partitions more", self._quiet)
                break
            line = Text(f"{label[-30:]:>{gutter}}  ", no_wrap=True)
            line.append_text(self._bar(rows[partition], columns, plain=plain))
            yield line
        yield from self._below(gutter, columns)
        yield self._legend(plain=plain)

    def _style(self, name: str) -> Style:
        return self._members[self._names.index(name) % len(self._members)]

    def _bar(self, row: Sequence[Stretch], columns: int, *, plain: bool) -> Text:
        bar, width = Text(), self._run.record.end_ms / columns
        cells = (
            self._cell(row, column * width, (column + 1) * width, plain=plain)
            for column in range(columns)
        )
        for (sign, style), run_of_cells in groupby(cells):
            bar.append(sign * len(list(run_of_cells)), style)
        return bar

    def _cell(
        self, row: Sequence[Stretch], since: float, until: float, *, plain: bool
    ) -> tuple[str, Style]:
        """Return the worst that is true for a quarter of the cell; else the owner for most of
        it.
        """
        inside = [
            (min(stretch.until_ms, until) - max(stretch.since_ms, since), stretch)
            for stretch in row
            if stretch.since_ms < until and stretch.until_ms > since
        ]
        if not inside:
            return " ", Style()
        width = until - since
        if any(stretch.is_contested for _, stretch in inside):
            return "!", self._wrong
        nobody = sum(length for length, stretch in inside if not stretch.owners)
        if nobody >= width / 4:
            return "." if plain else "·", self._quiet
        blocked = sum(
            length for length, stretch in inside if stretch.owners and not stretch.readers
        )
        _, most = max(inside, key=lambda pair: pair[0] * bool(pair[1].owners))
        if not most.owners:
            return ("." if plain else "·"), self._quiet
        if len(most.owners) > 1:
            return "&", self._quiet
        owner = most.owners[0]
        sign = ("%" if plain else "▒") if blocked >= width / 4 else self._signs[owner]
        return sign, self._style(owner)

    def _below(self, gutter: int, columns: int) -> Iterator[Text]:
        record = self._run.record
        signs, generations = [" "] * columns, [" "] * columns
        for event in record.events:
            column = min(columns - 1, int(event.at_ms / record.end_ms * columns))
            if event.what in MARKS and (event.at_ms > 0 or event.what != "started"):
                signs[column] = MARKS[event.what][0] if signs[column] == " " else "*"
            elif event.what == "generation":
                _write(generations, column, str(event.detail["generation"]))
        yield Text(f"{'generation':>{gutter}}  " + "".join(generations), self._quiet, no_wrap=True)
        yield Text(f"{'':>{gutter}}  " + "".join(signs), no_wrap=True)
        yield Text(
            f"{'seconds':>{gutter}}  " + _ruler(columns, record.end_ms), self._quiet, no_wrap=True
        )

    def _legend(self, *, plain: bool) -> Text:
        legend = Text("\n")
        for name in self._names[:12]:
            sign = self._signs[name]
            legend.append(sign, self._style(name))
            legend.append(" reads  " if sign == name else f" {name} reads  ")
        legend.append(f"{'%' if plain else '▒'} owned, but blocked  {'.' if plain else '·'} nobody")
        if self._run.record.shared:
            legend.append("  & several share it", self._quiet)
        else:
            legend.append("  ! two believe to own", self._wrong)
        used = {event.what for event in self._run.record.events if event.at_ms > 0}
        for kind, (sign, meaning) in MARKS.items():
            if kind in used:
                legend.append(f"  {sign} {meaning}")
        return legend


def _signs(names: Sequence[str]) -> dict[str, str]:
    """Return a letter for each member, its own first letter if that is free; "?" when all are
    used.
    """
    signs: dict[str, str] = {}
    for name in names:
        candidates = (name[0], *ascii_letters)
        used = set(signs.values())
        signs[name] = next((letter for letter in candidates if letter not in used), "?")
    return signs


def _write(line: list[str], column: int, text: str) -> None:
    """Write a text into the line, as far as it fits and nothing stands there."""
    place = range(column, min(len(line), column + len(text)))
    if len(place) == len(text) and all(line[at] == " " for at in place):
        for at, char in zip(place, text, strict=True):
            line[at] = char


def _ruler(columns: int, end_ms: float) -> str:
    line = [" "] * (columns + 8)
    step = _round_step(end_ms / 1000 / max(1, columns // 12))
    second = 0.0
    while second * 1000 <= end_ms:
        _write(line, int(second * 1000 / end_ms * columns), f"{second:g}")
        second += step
    return "".join(line).rstrip()


def _round_step(least: float) -> float:
    """Return the next of 1, 2, 5, 10, 20 and so on."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            if step * factor >= least:
                return step * factor
        step *= 10


def described(event: LoggedEvent) -> str:
    """Return a logged event in words, without its time."""
    parts = [event.what]
    if event.partitions:
        parts.append(listed(event.partitions))
    for key, value in event.detail.items():
        if key == "ms":
            parts.append(f"({value:g} ms)")
        elif isinstance(value, dict):
            parts.append(f"{key}: " + ", ".join(f"{name} {size}" for name, size in value.items()))
        else:
            text = ", ".join(map(str, value)) if isinstance(value, list) else value
            parts.append(f"{key}: {text}")
    return "  ".join(parts)


def listed(partitions: Sequence[tuple[str, int]]) -> str:
    """Return partitions by topic: "orders 0 2 4, clicks 1"."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for topic, number in partitions:
        numbers[topic].append(number)
    return ", ".join(
        f"{topic} {' '.join(map(str, numbers_of_topic))}"
        for topic, numbers_of_topic in numbers.items()
    )
