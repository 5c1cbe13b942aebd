"""A run over time: a line per partition that shows who owned it when. A `rich` renderable.

A letter is the member that reads; a shade one that owns but cannot read; a dot no owner; an
exclamation mark two that believe to own it; an ampersand several that share it. Operations on the
group are below, at their times. Colours only repeat what the letters say.

`ownership_bars` are the same as bars of HTML that are readable at any width, with the operations on
the group and its generations below, at their times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from string import ascii_letters

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text

from ..measures import Stretch, stretches
from ..run_log import LoggedEvent, RunRecord
from ..scenarios.scenario import Run

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
    """Write a text into the line, as far as it fits and nothing is there."""
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
            texts = (f"{name} {_text(item, ' ')}" for name, item in value.items())
            parts.append(f"{key}: {', '.join(texts)}")
        else:
            parts.append(f"{key}: {_text(value, ', ')}")
    return "  ".join(parts)


def _text(value: object, separator: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == []:
        return "none"
    return separator.join(map(str, value)) if isinstance(value, list) else str(value)


def listed(partitions: Sequence[tuple[str, int]]) -> str:
    """Return partitions by topic: "orders 0 2 4, clicks 1"."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for topic, number in partitions:
        numbers[topic].append(number)
    return ", ".join(
        f"{topic} {' '.join(map(str, numbers_of_topic))}"
        for topic, numbers_of_topic in numbers.items()
    )


COLOURS = ("#2f6fb0", "#b35c00", "#398248", "#9f58aa", "#23797f", "#8a6d3b", "#5f65c4", "#b04a5a")
"""The colours of members, in the order in which they start; white text has a contrast of at least
4.5 on each.
"""
FAINT = 45
"""Percent of a member's colour in the bar of a member that is blocked; the rest is the page's."""
MOST_ROWS = 200

BARS_STYLE = """
.bars { display: grid; grid-template-columns: minmax(3.5rem, max-content) 1fr; gap: 2px .5rem;
  font: 11px/17px ui-monospace, monospace; }
.bars b { font-weight: normal; text-align: right; max-width: 9rem; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; }
.bars div { position: relative; height: 17px; overflow: hidden; }
.bars div.marks { overflow: visible; }
.bars div.key { height: auto; }
.bars i { position: absolute; top: 0; height: 100%; overflow: hidden; font-style: normal;
  color: #fff; padding-left: 2px; box-sizing: border-box; border-left: 1px solid var(--back); }
.bars i.nobody { background: var(--nobody); } .bars i.two { background: var(--two);
  color: var(--back); font-weight: bold; } .bars i.nobody, .bars i.blocked { color: var(--text); }
.bars .marks i { color: var(--quiet); border-left: 1px solid var(--quiet); overflow: visible;
  white-space: nowrap; }
"""


def names_of(record: RunRecord) -> list[str]:
    """Return the names of a run's members, in the order in which they were started."""
    return list(dict.fromkeys(event.who for event in record.events if event.what == "started"))


def ownership_bars(run: Run) -> Iterator[str]:
    """Yield the bars as HTML."""
    record = run.record
    order = sorted(partition for partition, _ in record.partitions)
    rows: dict[tuple[str, int], list[Stretch]] = {partition: [] for partition in order[:MOST_ROWS]}
    for stretch in stretches(record):
        if stretch.partition in rows:
            rows[stretch.partition].append(stretch)
    names = names_of(record)
    yield '<div class="bars">'
    for (topic, number), row in rows.items():
        label = escape(f"{topic}-{number}")
        yield f'<b title="{label}">{label}</b><div>'
        yield from (_bar(stretch, record.end_ms, names) for stretch in row)
        yield "</div>"
    yield from _marks(record)
    yield "</div>"
    hidden = len(order) - len(rows)
    more = f" {hidden} partitions more are not shown." if hidden else ""
    two = "Several names: they share it." if record.shared else "Red: two believe to own it."
    yield f"<p>Grey: nobody. Faint: its owner is blocked. {two}{more}</p>"


def colour_of(name: str, names: Sequence[str]) -> str:
    """Return the colour of a member."""
    return COLOURS[names.index(name) % len(COLOURS)]


def background_of(stretch: Stretch, names: Sequence[str]) -> str:
    """Return the colour of a stretch's owner, faint where it is blocked, as CSS."""
    colour = colour_of(stretch.owners[0], names)
    return colour if stretch.readers else f"color-mix(in srgb, {colour} {FAINT}%, var(--back))"


def _bar(stretch: Stretch, end_ms: float, names: Sequence[str]) -> str:
    left = stretch.since_ms / end_ms * 100
    width = (stretch.until_ms - stretch.since_ms) / end_ms * 100
    kind, style = "nobody", ""
    if stretch.is_contested:
        kind = "two"
    elif stretch.owners:
        kind = "" if stretch.readers else "blocked"
        style = f";background:{background_of(stretch, names)}"
    title = f"{', '.join(stretch.owners) or 'nobody'}, {stretch.since_ms / 1000:.3f} to "
    title += f"{stretch.until_ms / 1000:.3f} s"
    return (
        f'<i class="{kind}" style="left:{left:.3f}%;width:{width:.3f}%{style}" '
        f'title="{escape(title)}">{escape("+".join(stretch.owners))}</i>'
    )


def _marks(record: RunRecord) -> Iterator[str]:
    """Yield a line of generations, one of what was done to the group, and one of seconds."""
    deeds = [
        (event.at_ms, MARKS[event.what][0], f"{event.who}: {MARKS[event.what][1]}")
        for event in record.events
        if event.what in MARKS and (event.at_ms > 0 or event.what != "started")
    ]
    generations = [
        (event.at_ms, str(event.detail["generation"]), f"generation {event.detail['generation']}")
        for event in record.events
        if event.what == "generation"
    ]
    seconds = [(record.end_ms * n / 5, f"{record.end_ms * n / 5000:g} s", "") for n in range(5)]
    for title, marks in (("generation", generations), ("events", deeds), ("", seconds)):
        yield f'<b>{title}</b><div class="marks">'
        last = -100.0
        for at_ms, sign, meaning in marks:
            left = at_ms / record.end_ms * 100
            label = sign if left - last > 2.4 else ""
            last = left if label else last
            hint = escape(f"{at_ms / 1000:.3f} s  {meaning}".rstrip())
            yield f'<i style="left:{left:.3f}%" title="{hint}">{escape(label)}</i>'
        yield "</div>"
    meanings = {MARKS[event.what] for event in record.events if event.what in MARKS}
    yield '<b></b><div class="marks key">'
    yield escape(" · ".join(f"{sign} {meaning}" for sign, meaning in sorted(meanings)))
    yield "</div>"
