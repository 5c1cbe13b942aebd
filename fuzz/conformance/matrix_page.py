"""Several runs side by side as one HTML page: guarantees down, clients across, and for every cell
that broke the shortest bytes, as the inspector shows them.

Nothing in it acts or is fetched: no script, no address. All that clients said is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ...inspector.examined import examine
from ...inspector.export import Recorder
from ...inspector.inspection import Inspection
from ...inspector.shown import shown
from ..guarantees import GUARANTEES, Guarantee, Scope
from .expected import Expected, Status, status_of_all
from .judging import Example, Result, Run
from .report import MARKS

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #d33; --good: #2a8a4a; --odd: #b8860b; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem;
  padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left;
  vertical-align: top; }
thead th { position: sticky; top: 0; background: Canvas; }
td.mark { text-align: center; white-space: nowrap; }
td.mark a { color: inherit; }
.held { color: var(--good); } .broken { color: var(--bad); font-weight: 700; }
.expected, .unexpected { color: var(--odd); } .none, small { opacity: .6; }
.scope td { font-weight: 700; padding-top: 1.4rem; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0;
  padding: .5rem .8rem; }
summary { cursor: pointer; } pre { font-size: 12.5px; }
code { font-family: Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
"""
_CLASSES = {
    Status.HELD: "held",
    Status.BROKEN: "broken",
    Status.EXPECTED: "expected",
    Status.UNEXPECTED_PASS: "unexpected",
    Status.NOT_JUDGED: "none",
}
_MAX_PICTURE = 2048
"""Bytes of the longest input that is taken apart on the page."""


def page(runs: Sequence[Run], expected: Sequence[Expected] = ()) -> str:
    """The page of these runs, in their order."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="UTF-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>kproto conform</title><style>{_STYLE}</style></head><body>",
        "<h1>What clients make of the bytes of consumer groups</h1>",
        f"<p>{_legend()}</p>",
        '<div class="scroll"><table>',
        *_head(runs),
        *_rows(runs, expected),
        "</table></div>",
        *_details(runs, expected),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _legend() -> str:
    marks = [f'<span class="{_CLASSES[one]}">{MARKS[one][0]}</span> {one.value}' for one in Status]
    return " &nbsp; ".join(marks)


def _text(text: str) -> str:
    return escape(shown(text))


def _head(runs: Sequence[Run]) -> Iterator[str]:
    yield "<thead><tr><th>guarantee</th>"
    for run in runs:
        about = f"{run.inputs:,} inputs, {run.seconds:.1f} s, seed {run.seed}"
        yield f"<th>{_text(run.client)} {_text(run.release)}<br><small>{about}</small></th>"
    yield "</tr></thead>"


def _rows(runs: Sequence[Run], expected: Sequence[Expected]) -> Iterator[str]:
    for scope in Scope:
        rows = [one for one in GUARANTEES if one.scope is scope and _judged(runs, one)]
        if rows:
            yield f'<tr class="scope"><td colspan="{len(runs) + 1}">{scope.value}</td></tr>'
        for guarantee in rows:
            yield f"<tr><td><b>{guarantee.title}</b><br><small>{escape(guarantee.statement)}"
            yield "</small></td>"
            for number, run in enumerate(runs):
                yield _cell(number, _results(run, guarantee), guarantee, expected)
            yield "</tr>"


def _judged(runs: Sequence[Run], guarantee: Guarantee) -> bool:
    return any(one.judged for run in runs for one in _results(run, guarantee))


def _results(run: Run, guarantee: Guarantee) -> list[Result]:
    return [one for one in run.results if one.guarantee is guarantee]


def _cell(
    number: int, results: list[Result], guarantee: Guarantee, expected: Sequence[Expected]
) -> str:
    status = status_of_all(results, expected)
    held, judged = sum(one.held for one in results), sum(one.judged for one in results)
    mark = MARKS[status][0]
    if any(one.examples for one in results):
        mark = f'<a href="#{number}-{guarantee.id}">{mark}</a>'
    counts = f"<br><small>{held:,} of {judged:,}</small>" if judged else ""
    return f'<td class="mark {_CLASSES[status]}">{mark}{counts}</td>'


def _details(runs: Sequence[Run], expected: Sequence[Expected]) -> Iterator[str]:
    for number, run in enumerate(runs):
        yield f"<h2>{_text(run.client)} {_text(run.release)}</h2>"
        yield from (f"<p>{_text(line)}</p>" for line in _remarks(run))
        for guarantee in GUARANTEES:
            example = run.worst(guarantee.id)
            if example is not None:
                yield from _detail(number, guarantee, example)


def _remarks(run: Run) -> Iterator[str]:
    yield from run.remarks
    for how, count in sorted(run.failures.items()):
        yield f"no answer, {count} times: {how}"
    if run.skipped:
        yield f"{sum(run.skipped.values()):,} inputs were skipped after that"


def _detail(number: int, guarantee: Guarantee, example: Example) -> Iterator[str]:
    yield f'<details id="{number}-{guarantee.id}" open><summary><b>{guarantee.title}</b>: '
    yield f"{_text(example.complaint)}</summary>"
    yield f"<p>{escape(guarantee.statement)} <small>{escape(guarantee.source)}</small></p>"
    case = example.case
    where = ", ".join(filter(None, [case.kind, case.origin]))
    yield f"<p><code>{_text(str(case))}</code> <small>{_text(where)}</small></p>"
    if case.value is None and len(case.data) <= _MAX_PICTURE:
        yield _picture(example)
    yield "</details>"


def _picture(example: Example) -> str:
    """The bytes as `kproto decode` shows them."""
    case = example.case
    recorder = Recorder()
    recorder.print(Inspection(examine(case.data, case.message, body_version=case.version)))
    return recorder.html_block()
