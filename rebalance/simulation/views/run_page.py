"""A run as a self-contained HTML page: it loads nothing, and without scripts it shows all but the
slider.

It is light or dark as its reader's system is, can be read without colours, and prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from ....pages import render
from ..measures import TITLES, measure, metrics
from ..run_log import SentFrame
from ..scenarios.scenario import Run
from . import sequence
from .tables import COMPARED, shown_fields
from .timeline import BARS_STYLE, ownership_bars


def page(run: Run, opened: sequence.Opener | None = None) -> str:
    """Return the page of a run as HTML. `opened` opens a message as HTML; without it the page has
    the bytes in hex.
    """
    return _page(
        run.scenario.name,
        run.scenario.summary,
        [
            *_verdict(run),
            "<h2>Who owns what</h2>",
            *ownership_bars(run),
            "<h2>Message by message</h2>",
            *sequence.sequence(run, opened or _hex),
            "<h2>What it costs</h2>",
            *_measures({"": run}),
            "<h2>Metrics of KIP-429</h2>",
            *_metrics(run),
        ],
        sequence.SCRIPT,
    )


def comparison_page(runs: Mapping[str, Run]) -> str:
    """Return a page that puts runs side by side, as HTML."""
    summaries = {run.scenario.summary: None for run in runs.values()}
    parts = ["<h2>What it costs</h2>", *_measures(runs), "<h2>Who owns what</h2>"]
    for title, run in runs.items():
        parts += [f"<h3>{escape(title)}</h3>", *_verdict(run), *ownership_bars(run)]
    return _page(" / ".join(runs), " ".join(summaries), parts, "")


_SPAN = re.compile(r'<span style="([^"]*)">')


def _with_classes(body: str) -> tuple[str, str]:
    """Return HTML with a class for each style of a span, and the rules of these classes: what the
    inspector shows repeats a few styles thousands of times.
    """
    classes: dict[str, str] = {}
    body = _SPAN.sub(
        lambda span: f'<span class="{classes.setdefault(span[1], f"i{len(classes)}")}">', body
    )
    return body, "".join(f".{name}{{{style}}}\n" for style, name in classes.items())


def protocols_page(runs: Mapping[str, Mapping[str, Run]]) -> str:
    """Return a page that puts protocols side by side, for each scenario, as HTML."""
    parts = []
    for scenario, row in runs.items():
        summary = next(iter(row.values())).scenario.summary
        parts += [f"<h2>{escape(scenario)}</h2><p>{escape(summary)}</p>"]
        parts += _measures(row, COMPARED)
        for title, run in row.items():
            parts += [f"<details open><summary>{escape(title)}</summary>", *_verdict(run)]
            parts += [*ownership_bars(run), "</details>"]
    intro = (
        "The same groups under the eager and the cooperative classic protocol, with every second "
    )
    intro += "member of the consumer protocol (KIP-848), and with all of them."
    return _page("Rebalance protocols side by side", intro, parts, "")


def _page(title: str, summary: str, parts: Iterable[str], script: str) -> str:
    body, rules = _with_classes("\n".join(parts))
    return render(
        "simulation.html.jinja",
        title=title,
        summary=summary,
        style=f"{BARS_STYLE}{sequence.STYLE}{rules}",
        body=body,
        script=script,
    )


def _verdict(run: Run) -> Iterator[str]:
    for name, sentence in run.findings:
        yield f'<p class="wrong">✗ {escape(name)}: {escape(sentence)}</p>'
    for member, error in run.refusals.items():
        reason = f" ({escape(error)})" if error else ""
        yield f'<p class="wrong">✗ {escape(member)} was refused for good{reason}</p>'


def _hex(frame: SentFrame) -> str:
    return f"<code>{frame.message.to_body(frame.api_version).hex(' ')}</code>"


def _measures(runs: Mapping[str, Run], fields: Sequence[str] | None = None) -> Iterator[str]:
    columns = {title: measure(run) for title, run in runs.items()}
    rows = (
        [TITLES[name], *(getattr(column, name) for column in columns.values())]
        for name in fields or shown_fields(columns)
    )
    yield from _table(["measure", *columns] if len(columns) > 1 else [], rows)


def _metrics(run: Run) -> Iterator[str]:
    by_member = metrics(run.record)
    names = next(iter(by_member.values()), {})
    rows = ([name, *(values[name] for values in by_member.values())] for name in names)
    yield from _table(["metric", *by_member], rows)


def _table(head: list[str], rows: Iterable[list[object]]) -> Iterator[str]:
    yield '<div class="scroll" tabindex="0"><table>'
    if head:
        yield "<tr>" + "".join(f"<th>{escape(title)}</th>" for title in head) + "</tr>"
    for name, *values in rows:
        cells = "".join(
            f'<td class="number">{"-" if value is None else f"{value:,}"}</td>' for value in values
        )
        yield f"<tr><td>{escape(str(name))}</td>{cells}</tr>"
    yield "</table></div>"
