"""A run as a self-contained HTML page: no script, no font, no picture from elsewhere.

It is light or dark as its reader's system is, can be read without colours, and prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from ..measures.intervals import Stretch, stretches
from ..measures.measures import TITLES, measure
from ..measures.metrics import metrics
from ..scenarios.runs import Run
from .plots import COLOURS, names_of
from .timeline import described

_ROW, _LEFT, _WIDTH, _FOOT = 20, 120, 1000, 26
_MOST_ROWS = 200
_MOST_STEPS = 2_000

_STYLE = """
:root { color-scheme: light dark; --text: #1d2329; --back: #fdfdfc; --line: #c9ced3;
  --nobody: #e3e6e9; --two: #c0392b; --quiet: #5d666e; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7ea; --back: #15181b; --line: #3a4147;
  --nobody: #2a3036; --two: #ff6b5a; --quiet: #98a2ab; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
  max-width: 1040px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
svg { width: 100%; height: auto; } svg text { font: 11px ui-monospace, monospace;
  fill: var(--text); } svg .in { fill: #fff; } svg .quiet { fill: var(--quiet); }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem .15rem 0; text-align: left;
  border-bottom: 1px solid var(--line); } td.number { text-align: right;
  font-variant-numeric: tabular-nums; } .scroll { overflow-x: auto; }
.steps { font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; }
.wrong { color: var(--two); font-weight: bold; }
"""


def page(run: Run) -> str:
    """Return the page as HTML."""
    title = escape(run.scenario.name)
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1><p>{escape(run.scenario.summary)}</p>",
        *(f'<p class="wrong">✗ {escape(name)}: {escape(what)}</p>' for name, what in run.findings),
        *(f'<p class="wrong">✗ {escape(one)} was refused for good</p>' for one in run.failed),
        "<h2>Who owns what</h2>",
        *_ownership(run),
        "<h2>What it costs</h2>",
        *_measures(run),
        "<h2>Metrics of KIP-429</h2>",
        *_metrics(run),
        "<h2>Step by step</h2>",
        *_steps(run),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _ownership(run: Run) -> Iterator[str]:
    order = sorted(partition for partition, _ in run.record.partitions)[:_MOST_ROWS]
    row = {partition: number for number, partition in enumerate(order)}
    names = names_of(run.record)
    height = len(order) * _ROW + _FOOT
    yield (
        f'<svg viewBox="0 0 {_LEFT + _WIDTH} {height}" role="img" '
        'aria-label="Who owned each partition at what time">'
    )
    for (topic, number), at in row.items():
        label = escape(f"{topic}-{number}"[-17:])
        yield f'<text x="{_LEFT - 8}" y="{at * _ROW + 14}" text-anchor="end">{label}</text>'
    for stretch in stretches(run.record):
        if stretch.partition in row:
            yield from _bar(stretch, row[stretch.partition], run.record.end_ms, names)
    yield from _axis(run.record.end_ms, len(order) * _ROW)
    yield "</svg>"
    hidden = len(run.record.partitions) - len(order)
    more = f" {hidden} partitions more are not shown." if hidden else ""
    yield f"<p>Grey: nobody. Faint: its owner is blocked. Red: two believe to own it.{more}</p>"


def _bar(stretch: Stretch, at: int, end_ms: float, names: list[str]) -> Iterator[str]:
    left = _LEFT + stretch.since_ms / end_ms * _WIDTH
    width = (stretch.until_ms - stretch.since_ms) / end_ms * _WIDTH
    colour = (
        COLOURS[names.index(stretch.owners[0]) % len(COLOURS)]
        if stretch.owners
        else "var(--nobody)"
    )
    if len(stretch.owners) > 1:
        colour = "var(--two)"
    faint = ' opacity="0.4"' if stretch.owners and not stretch.readers else ""
    said = f"{', '.join(stretch.owners) or 'nobody'}, {stretch.since_ms / 1000:.3f} to "
    said += f"{stretch.until_ms / 1000:.3f} s"
    yield (
        f'<rect x="{left:.2f}" y="{at * _ROW + 2}" width="{width:.2f}" height="{_ROW - 4}" '
        f'fill="{colour}"{faint}><title>{escape(said)}</title></rect>'
    )
    name = "+".join(stretch.owners)
    if width > 9 * len(name) and name and stretch.readers:
        yield f'<text class="in" x="{left + 4:.2f}" y="{at * _ROW + 14}">{escape(name)}</text>'


def _axis(end_ms: float, top: int) -> Iterator[str]:
    for tenth in range(11):
        left = _LEFT + tenth * _WIDTH / 10
        anchor = "end" if tenth == 10 else "middle"
        yield (
            f'<text class="quiet" x="{left:.1f}" y="{top + 16}" text-anchor="{anchor}">'
            f"{end_ms * tenth / 10_000:g} s</text>"
        )


def _measures(run: Run) -> Iterator[str]:
    values = measure(run).to_json()
    yield from _table(
        [], ([title, values[name]] for name, title in TITLES.items() if values[name] is not None)
    )


def _metrics(run: Run) -> Iterator[str]:
    by_member = metrics(run.record)
    names = next(iter(by_member.values()), {})
    rows = ([name, *(values[name] for values in by_member.values())] for name in names)
    yield from _table(["", *by_member], rows)


def _table(head: list[str], rows: Iterable[list[object]]) -> Iterator[str]:
    yield '<div class="scroll"><table>'
    if head:
        yield "<tr>" + "".join(f"<th>{escape(title)}</th>" for title in head) + "</tr>"
    for name, *values in rows:
        cells = "".join(f'<td class="number">{value:,}</td>' for value in values)
        yield f"<tr><td>{escape(str(name))}</td>{cells}</tr>"
    yield "</table></div>"


def _steps(run: Run) -> Iterator[str]:
    told = [event for event in run.record.events if event.what != "Heartbeat"]
    yield '<div class="steps">'
    for one in told[:_MOST_STEPS]:
        yield escape(f"{one.at_ms / 1000:9.3f}  {one.who:<11}  {described(one)}")
    if len(told) > _MOST_STEPS:
        yield f"and {len(told) - _MOST_STEPS} steps more"
    yield "</div>"
