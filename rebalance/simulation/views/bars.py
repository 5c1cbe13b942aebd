"""Who owned each partition at what time, as bars of HTML that are readable at any width.

Below the bars stand what was done to the group and its generations, at their times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ..measures import Stretch, stretches
from ..run_log import Record
from ..scenarios.runs import Run
from .timeline import MARKS

COLOURS = ("#2f6fb0", "#b35c00", "#398248", "#9f58aa", "#23797f", "#8a6d3b", "#5f65c4", "#b04a5a")
"""The colours of members, in the order in which they start; white text has a contrast of at least
4.5 on each.
"""
FAINT = 45
"""Percent of a member's colour in the bar of a member that is blocked; the rest is the page's."""
MOST_ROWS = 200

STYLE = """
.bars { display: grid; grid-template-columns: minmax(3.5rem, max-content) 1fr; gap: 2px .5rem;
  font: 11px/17px ui-monospace, monospace; }
.bars b { font-weight: normal; text-align: right; max-width: 9rem; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; }
.bars div { position: relative; height: 17px; overflow: hidden; }
.bars div.marks { overflow: visible; }
.bars i { position: absolute; top: 0; height: 100%; overflow: hidden; font-style: normal;
  color: #fff; padding-left: 2px; box-sizing: border-box; border-left: 1px solid var(--back); }
.bars i.nobody { background: var(--nobody); } .bars i.two { background: var(--two);
  color: var(--back); font-weight: bold; } .bars i.nobody, .bars i.blocked { color: var(--text); }
.bars .marks i { color: var(--quiet); border-left: 1px solid var(--quiet); overflow: visible;
  white-space: nowrap; }
"""


def names_of(record: Record) -> list[str]:
    """Return the names of a run's members, in the order in which they were started."""
    return list(dict.fromkeys(event.who for event in record.events if event.what == "started"))


def bars(run: Run) -> Iterator[str]:
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


def _marks(record: Record) -> Iterator[str]:
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
