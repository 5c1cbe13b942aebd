"""Several clients side by side as one HTML page: a summary, guarantees down and clients across, the
pairs and the captured messages; then a section a client, with the evidence of each cell: the bytes,
as the inspector shows them, and the answer. A last part compares what others have reported with
what was measured.

The page has no script and fetches nothing; the filters are check boxes with a CSS rule each, and a
client's section is shown when an anchor in it is opened. All text from clients is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ....escaping import cut
from ....inspector.identification.identify import examine
from ....inspector.views.export import Recorder
from ....inspector.views.inspection import Inspection
from ...guarantees.cases import Case
from ...guarantees.table import GUARANTEES, Guarantee, Scope
from ..expected_failures import Expected, Status
from ..report import MARKS
from ..results import Example, Run
from .findings import FindingPage
from .matrix import Matrix
from .page_groups import captured_of, captured_table, pairs_of, pairs_table
from .page_parts import CLASSES, Side, judged, key, marked, results_of, text
from .page_reported import section
from .page_style import STYLE
from .page_summary import about_client, choose, maintainers, summary

_MAX_PICTURE = 512
"""Bytes of the longest input that is shown field by field."""
_MAX_SHOWN = 200
"""Bytes of an input that are shown in hex."""
_LONGEST = 2 * _MAX_SHOWN
"""Characters of an answer or a value that are shown."""


def page(runs: Sequence[Run], expected: Sequence[Expected] = ()) -> str:
    """Return the page of these runs, in their order."""
    sides = [Side(f"{number} {run.client}", "", run) for number, run in enumerate(runs)]
    details = (
        line
        for side in sides
        for line in _section(side, _evidence_of(side, expected))
    )  # fmt: skip
    return _page(sides, [*_guarantees(sides, expected), *choose(sides), *details])


def matrix_page(matrix: Matrix, findings: Sequence[FindingPage] = ()) -> str:
    """Return the page of a matrix, with the findings that have a page of their own."""
    sides = [Side(column.name, column.language, column.run) for column in matrix.columns]
    parts = [
        f"<p>{_contents(matrix, findings)}</p>",
        *summary(sides, findings),
        *maintainers(sides),
        '<h2 id="all">All guarantees, all clients</h2>',
        *_about(matrix),
        '<p class="narrow">On a narrow screen: choose a client below.</p>',
        '<div class="wide">',
        *_guarantees(sides, ()),
        "</div>",
        *(pairs_table(matrix.pairs) if matrix.pairs else ()),
        *(captured_table(matrix.captured) if matrix.captured else ()),
        *choose(sides),
    ]
    for side in sides:
        parts += _section(
            side,
            [
                *about_client(side, findings),
                *_evidence_of(side, ()),
                *pairs_of(side, matrix.pairs),
                *captured_of(side, matrix.captured),
            ],
        )
    parts += section(matrix.answers) if matrix.answers else []
    return _page(sides, parts)


def _page(sides: Sequence[Side], parts: Sequence[str]) -> str:
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="UTF-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>What clients make of the bytes of consumer groups</title><style>{STYLE}",
        *_rules(sides),
        "</style></head><body>",
        "<h1>What clients make of the bytes of consumer groups</h1>",
        *parts,
        "</body></html>",
    ]
    return "\n".join(lines) + "\n"


def _contents(matrix: Matrix, findings: Sequence[FindingPage]) -> str:
    """Return links to the parts that there are."""
    parts = (
        ("broken", "what is broken", findings),
        ("by-client", "client by client", matrix.columns),
        ("add", "add your client", matrix.columns),
        ("all", "all guarantees", matrix.columns),
        ("pairs", "who understands whom in one group", matrix.pairs),
        ("captured", "who reads what real consumers sent", matrix.captured),
        ("choose", "one client at a time", matrix.columns),
        ("reported", "what others had reported", matrix.answers),
    )
    return " · ".join(f'<a href="#{part}">{words}</a>' for part, words, there in parts if there)


def _about(matrix: Matrix) -> Iterator[str]:
    said = _ABOUT.format(date=text(matrix.date), kproto=text(matrix.release), seed=matrix.seed)
    for line in (said, *(_left_out(matrix, name, why) for name, why in matrix.left_out.items())):
        yield f"<p>{line}</p>"


def _left_out(matrix: Matrix, name: str, why: str) -> str:
    if name in matrix.older:
        return f"As measured on {text(matrix.older[name])}: {text(name)}, since {text(why)}."
    return f"Left out: {text(name)}: {text(why)}."


_ABOUT = (
    "Measured on {date} with kproto {kproto}, seed {seed}: each client's own code, behind a line "
    "protocol, through the same inputs. All of it again: <code>kproto conform --matrix</code>; one "
    "client: <code>kproto conform --testee NAME</code>; one input: <code>kproto conform --testee "
    "NAME --ask HEX</code>. A sign leads to its evidence. What is recommended is what Apache Kafka "
    "does where the protocol leaves room: to differ there is no defect by itself."
)


def _legend() -> str:
    marks = [f"{marked(state)} {state.value}" for state in Status]
    return f"{' &nbsp; '.join(marks)}; below: of how many inputs, or in how many of them it broke"


# -- filters


def _filters(sides: Sequence[Side]) -> Iterator[str]:
    boxes = [("broken", "only what somebody breaks"), ("required", "only what is required")]
    yield '<div class="filters">'
    for box, words in boxes:
        yield f'<label><input type="checkbox" id="only-{box}"> {words}</label>'
    for language, box in _languages(sides).items():
        yield f'<label><input type="checkbox" id="{box}" checked> {text(language)}</label>'
    yield "</div>"


def _rules(sides: Sequence[Side]) -> Iterator[str]:
    """Return a CSS rule for each check box; a browser that does not know :has() shows all."""
    yield "body:has(#only-broken:checked) #guarantees tr.fine { display: none; }"
    yield "body:has(#only-required:checked) #guarantees tr.lesser { display: none; }"
    for box in _languages(sides).values():
        yield f"body:has(#{box}:not(:checked)) #guarantees .{box} {{ display: none; }}"


def _languages(sides: Sequence[Side]) -> dict[str, str]:
    """Return the languages, in order, each with the class of its columns."""
    found = {side.language: _language(side) for side in sides if side.language}
    return dict(sorted(found.items()))


def _language(side: Side) -> str:
    return f"l-{key(side.language)}" if side.language else ""


# -- the table


def _guarantees(sides: Sequence[Side], expected: Sequence[Expected]) -> Iterator[str]:
    yield f"<p>{_legend()}</p>"
    yield from _filters(sides)
    yield '<div class="scroll"><table id="guarantees">'
    yield from _head(sides)
    yield from _rows(sides, expected)
    yield "</table></div>"


def _head(sides: Sequence[Side]) -> Iterator[str]:
    yield "<thead><tr><th>guarantee</th>"
    for side in sides:
        name, release = text(side.name or side.run.client), text(side.run.release)
        yield f'<th class="{_language(side)}"><a href="#{side.key}">{name}</a>'
        yield f"<br><small>{release}</small></th>"
    yield "</tr></thead>"


def _rows(sides: Sequence[Side], expected: Sequence[Expected]) -> Iterator[str]:
    runs = [side.run for side in sides]
    for scope in Scope:
        rows = [
            guarantee
            for guarantee in GUARANTEES
            if guarantee.scope is scope and judged(runs, guarantee)
        ]
        lesser = "" if scope is Scope.REQUIRED else " lesser"
        if rows:
            yield f'<tr class="scope{lesser}"><th>{scope.value}</th>'
            yield f'<td colspan="{len(sides)}"></td></tr>'
        for guarantee in rows:
            broken = any(result.broken for run in runs for result in results_of(run, guarantee))
            yield f'<tr class="{"" if broken else "fine"}{lesser}">'
            yield f"<th><b>{guarantee.title}</b><br><small>{escape(guarantee.statement)}</small>"
            yield "</th>"
            for side in sides:
                yield _cell(side, guarantee, expected)
            yield "</tr>"


def _cell(side: Side, guarantee: Guarantee, expected: Sequence[Expected]) -> str:
    results = results_of(side.run, guarantee)
    status = side.status(guarantee, expected)
    held, count = sum(result.held for result in results), sum(result.judged for result in results)
    mark = MARKS[status][0]
    shown = f"{held:,}" if held == count else f"{count - held:,} of {count:,}"
    counts = f"<br><small>{shown}</small>" if count else ""
    if results:
        mark = f'<a href="#{side.key}-{guarantee.id}">{mark}{counts}</a>'
    return f'<td class="mark {CLASSES[status]} {_language(side)}">{mark}</td>'


# -- the evidence


def _section(side: Side, parts: Sequence[str] | Iterator[str]) -> Iterator[str]:
    """Yield the section of a client."""
    yield f'<section class="client"><h2 id="{side.key}">{text(side.label)}</h2>'
    if side.language:
        command = f"kproto conform --testee {side.name}"
        yield f"<p>{text(side.run.client)} {text(side.run.release)}, {text(side.language)}: "
        yield f"<code>{text(command)}</code></p>"
    yield f"<p>{side.run.inputs:,} inputs, seed {side.run.seed}, {side.run.seconds:.0f} s</p>"
    yield from (f"<p>{text(line)}</p>" for line in _remarks(side.run))
    yield from parts
    yield "</section>"


def _remarks(run: Run) -> Iterator[str]:
    yield from run.remarks
    for how, count in sorted(run.failures.items()):
        yield f"no answer, {count} times: {how}"
    if run.skipped:
        yield f"{sum(run.skipped.values()):,} inputs were not asked, or not to the end"


def _evidence_of(side: Side, expected: Sequence[Expected]) -> Iterator[str]:
    """Yield what every cell of a client leads to."""
    pictures = _Pictures(side)
    for scope in Scope:
        rows = [
            guarantee
            for guarantee in GUARANTEES
            if guarantee.scope is scope and results_of(side.run, guarantee)
        ]
        if rows:
            yield f"<h3>What is {scope.value}</h3>"
        for guarantee in rows:
            yield from _evidence(side, guarantee, side.status(guarantee, expected), pictures)


def _evidence(
    side: Side, guarantee: Guarantee, status: Status, pictures: _Pictures
) -> Iterator[str]:
    results = results_of(side.run, guarantee)
    samples = [result.sample for result in results if result.sample is not None]
    example = side.run.worst(guarantee.id) or next(iter(samples), None)
    yield f'<div class="evidence" id="{side.key}-{guarantee.id}">'
    if example is None:
        why = next((result.why for result in results if result.why), "")
        said = ": ".join(filter(None, [status.value, text(why)]))
        yield f"<p>{marked(status)} <b>{guarantee.title}</b>: {said}</p></div>"
        return
    yield f"<p>{marked(status)} <b>{guarantee.title}</b>: "
    yield f"{text(example.complaint or 'holds, as here')}</p>"
    if example.complaint:
        yield f"<p><small>{escape(guarantee.statement)} {escape(guarantee.source)}</small></p>"
    yield from _question(example)
    if example.complaint:
        yield from pictures.of(example.case)
    yield "</div>"


def _question(example: Example) -> Iterator[str]:
    case = example.case
    where = ", ".join(filter(None, [case.kind, case.origin]))
    yield f"<p><code>{text(_brief(case))}</code> <small>{text(where)}</small></p>"
    if example.answer:
        yield f"<p>answer: <code>{text(cut(example.answer, _LONGEST))}</code></p>"


def _brief(case: Case) -> str:
    if case.value is not None:
        shown_value = cut(repr(case.value), _LONGEST)
        return f"{case.name} version {case.version}, to be written: {shown_value}"
    data = case.data.hex() or "no bytes"
    if len(case.data) > _MAX_SHOWN:
        data = f"{data[: 2 * _MAX_SHOWN]}... ({len(case.data):,} bytes)"
    return f"{case.name} {data}"


class _Pictures:
    """The bytes as `kproto decode` shows them: each once in a client's section, and from then on a
    link to it.
    """

    def __init__(self, side: Side) -> None:
        self._key = side.key
        self._numbers: dict[tuple[str, bytes, int | None], int] = {}

    def of(self, case: Case) -> Iterator[str]:
        """Return the lines of one input."""
        shown = (case.name, case.data, case.version)
        if case.value is not None or len(case.data) > _MAX_PICTURE:
            return
        if shown in self._numbers:
            anchor = f"{self._key}-i{self._numbers[shown]}"
            yield f'<p><a href="#{anchor}">the bytes, field by field</a></p>'
            return
        number = self._numbers[shown] = len(self._numbers)
        recorder = Recorder(100)
        recorder.print(Inspection(examine(case.data, case.message, body_version=case.version)))
        yield f'<details id="{self._key}-i{number}"><summary>the bytes, field by field</summary>'
        yield f"{recorder.html_block()}</details>"
