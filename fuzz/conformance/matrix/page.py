"""Several clients side by side as one HTML page: guarantees down, clients across, and for every
cell its evidence: the bytes, as the inspector shows them, and the answer. Then the pairs: which
clients understand each other.

The page has no script and fetches nothing; the filters are check boxes with a CSS rule each. All
text from clients is escaped. A last part compares what others have reported with what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from ....inspector.identification.identify import examine
from ....inspector.views.escaping import cut, escaped
from ....inspector.views.export import Recorder
from ....inspector.views.inspection import Inspection
from ...guarantees.cases import Case
from ...guarantees.table import GUARANTEES, Guarantee, Scope
from ..expected_failures import Expected, Status, status_of_all
from ..report import MARKS
from ..results import Example, Result, Run
from .matrix import Matrix
from .pairs import SUBSCRIPTION, VERDICTS, WORKS, Pair
from .reported import NOT_ASKED, REPORTS, Answer, Report
from .table import between, sign

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: light-dark(#c02020, #ff7b72);
  --good: light-dark(#1f7a3d, #57c07a); --odd: light-dark(#8a6100, #e0b040);
  --link: light-dark(#0b57d0, #8ab4f8); }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 110rem;
  padding: 1rem; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
.scroll { overflow: auto; max-height: 92vh; border: 1px solid var(--line); }
table { border-collapse: separate; border-spacing: 0; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .55rem; text-align: left;
  vertical-align: top; overflow-wrap: normal; }
thead th { position: sticky; top: 0; background: Canvas; z-index: 1; }
tbody th { position: sticky; left: 0; background: Canvas; font-weight: 400; min-width: 16rem;
  max-width: 22rem; }
thead th:first-child { left: 0; z-index: 2; }
#groups th { min-width: 0; }
td.mark { text-align: center; white-space: nowrap; }
td.mark a { color: inherit; text-decoration: none; display: block; }
.held { color: var(--good); } .broken { color: var(--bad); font-weight: 700; }
.expected, .unexpected, .incomplete { color: var(--odd); } .none, small { opacity: .7; }
.broken small, .held small { font-weight: 400; }
tr.scope th { font-weight: 700; padding-top: 1.2rem; }
.evidence { border-left: 3px solid var(--line); margin: .5rem 0; padding: .1rem .8rem; }
.evidence:target { border-color: var(--link); background: #8882; }
.evidence p { margin: .2rem 0; }
.filters { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: .8rem 0; }
summary { cursor: pointer; } pre { font-size: 12.5px; overflow-x: auto; }
code { font-family: Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 13px; }
@media (max-width: 50rem) { tbody th small { display: none; } tbody th { min-width: 8rem; } }
"""
_CLASSES = {
    Status.HELD: "held",
    Status.BROKEN: "broken",
    Status.EXPECTED: "expected",
    Status.UNEXPECTED_PASS: "unexpected",
    Status.INCOMPLETE: "incomplete",
    Status.NOT_JUDGED: "none",
}
_MAX_PICTURE = 512
"""Bytes of the longest input that is shown field by field."""
_MAX_SHOWN = 200
"""Bytes of an input that are shown in hex."""
_LONGEST = 2 * _MAX_SHOWN
"""Characters of an answer or a value that are shown."""


class Side(NamedTuple):
    """A column: `name` is the testee's, "" if the command is not one of the package's."""

    name: str
    language: str
    run: Run

    @property
    def key(self) -> str:
        """The key of the column, its filter and its evidence."""
        return f"c-{_key(self.name or self.run.client)}"

    @property
    def label(self) -> str:
        return f"{self.name or self.run.client} {self.run.release}"


def page(runs: Sequence[Run], expected: Sequence[Expected] = ()) -> str:
    """Return the page of these runs, in their order."""
    sides = [Side(f"{number} {run.client}", "", run) for number, run in enumerate(runs)]
    return _page(sides, expected, (), [], [])


def matrix_page(matrix: Matrix) -> str:
    """Return the page of a matrix."""
    sides = [Side(column.name, column.language, column.run) for column in matrix.columns]
    left_out = [_left_out(matrix, name, why) for name, why in matrix.left_out.items()]
    said = _ABOUT.format(date=_text(matrix.date), kproto=_text(matrix.release), seed=matrix.seed)
    below = [_PAIRS_BELOW if matrix.pairs else "", _REPORTED_BELOW if matrix.answers else ""]
    reported = list(section(matrix.answers)) if matrix.answers else []
    return _page(sides, (), matrix.pairs, [said, *left_out, " ".join(below).strip()], reported)


def _left_out(matrix: Matrix, name: str, why: str) -> str:
    if name in matrix.older:
        return f"As measured on {_text(matrix.older[name])}: {_text(name)}, since {_text(why)}."
    return f"Left out: {_text(name)}: {_text(why)}."


_ABOUT = (
    "Measured on {date} with kproto {kproto}, seed {seed}: each client's own code, behind a line "
    "protocol, through the same inputs. All of it again: <code>kproto conform --matrix</code>; one "
    "client: <code>kproto conform --testee NAME</code>; one input: <code>kproto conform --testee "
    "NAME --ask HEX</code>. A sign leads to its evidence. What is recommended is what Apache Kafka "
    "does where the protocol leaves room: to differ there is no defect by itself."
)
_PAIRS_BELOW = 'Below: <a href="#pairs">who understands whom in one group</a>.'
_REPORTED_BELOW = 'Then: <a href="#reported">what others had reported</a>.'


def _page(
    sides: Sequence[Side],
    expected: Sequence[Expected],
    pairs: Sequence[Pair],
    about: Sequence[str],
    reported: Sequence[str],
) -> str:
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="UTF-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>What clients make of the bytes of consumer groups</title><style>{_STYLE}",
        *_rules(sides),
        "</style></head><body>",
        "<h1>What clients make of the bytes of consumer groups</h1>",
        *(f"<p>{line}</p>" for line in about if line),
        f"<p>{_legend()}</p>",
        *_filters(sides),
        '<div class="scroll"><table id="guarantees">',
        *_head(sides),
        *_rows(sides, expected),
        "</table></div>",
        *(_pairs(pairs) if pairs else ()),
        *reported,
        *_details(sides, expected),
        *(_pair_details(pairs) if pairs else ()),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _legend() -> str:
    marks = [
        f'<span class="{_CLASSES[state]}">{MARKS[state][0]}</span> {state.value}'
        for state in Status
    ]
    return f"{' &nbsp; '.join(marks)}; below: of how many inputs, or in how many of them it broke"


def _text(text: str) -> str:
    return escape(escaped(text))


def _key(text: str) -> str:
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in text)


# -- filters


def _filters(sides: Sequence[Side]) -> Iterator[str]:
    boxes = [("broken", "only what somebody breaks"), ("required", "only what is required")]
    yield '<div class="filters">'
    for key, words in boxes:
        yield f'<label><input type="checkbox" id="only-{key}"> {words}</label>'
    for language, key in _languages(sides).items():
        yield f'<label><input type="checkbox" id="{key}" checked> {_text(language)}</label>'
    yield "</div>"


def _rules(sides: Sequence[Side]) -> Iterator[str]:
    """Return a CSS rule for each check box; a browser that does not know :has() shows all."""
    yield "body:has(#only-broken:checked) #guarantees tr.fine { display: none; }"
    yield "body:has(#only-required:checked) #guarantees tr.lesser { display: none; }"
    for key in _languages(sides).values():
        yield f"body:has(#{key}:not(:checked)) .{key} {{ display: none; }}"


def _languages(sides: Sequence[Side]) -> dict[str, str]:
    """Return the languages, in order, each with the class of its columns."""
    found = {side.language: _language(side) for side in sides if side.language}
    return dict(sorted(found.items()))


def _language(side: Side) -> str:
    return f"l-{_key(side.language)}" if side.language else ""


# -- the table


def _head(sides: Sequence[Side]) -> Iterator[str]:
    yield "<thead><tr><th>guarantee</th>"
    for side in sides:
        name, release = _text(side.name or side.run.client), _text(side.run.release)
        yield f'<th class="{_language(side)}"><a href="#{side.key}">{name}</a>'
        yield f"<br><small>{release}</small></th>"
    yield "</tr></thead>"


def _rows(sides: Sequence[Side], expected: Sequence[Expected]) -> Iterator[str]:
    runs = [side.run for side in sides]
    for scope in Scope:
        rows = [
            guarantee
            for guarantee in GUARANTEES
            if guarantee.scope is scope and _judged(runs, guarantee)
        ]
        lesser = "" if scope is Scope.REQUIRED else " lesser"
        if rows:
            yield f'<tr class="scope{lesser}"><th>{scope.value}</th>'
            yield f'<td colspan="{len(sides)}"></td></tr>'
        for guarantee in rows:
            broken = any(result.broken for run in runs for result in _results(run, guarantee))
            yield f'<tr class="{"" if broken else "fine"}{lesser}">'
            yield f"<th><b>{guarantee.title}</b><br><small>{escape(guarantee.statement)}</small>"
            yield "</th>"
            for side in sides:
                yield _cell(side, guarantee, expected)
            yield "</tr>"


def _judged(runs: Sequence[Run], guarantee: Guarantee) -> bool:
    return any(result.judged for run in runs for result in _results(run, guarantee))


def _results(run: Run, guarantee: Guarantee) -> list[Result]:
    return [result for result in run.results if result.guarantee is guarantee]


def _cell(side: Side, guarantee: Guarantee, expected: Sequence[Expected]) -> str:
    results = _results(side.run, guarantee)
    status = status_of_all(results, expected)
    held, judged = sum(result.held for result in results), sum(result.judged for result in results)
    mark = MARKS[status][0]
    shown = f"{held:,}" if held == judged else f"{judged - held:,} of {judged:,}"
    counts = f"<br><small>{shown}</small>" if judged else ""
    if any(result.evidence for result in results):
        mark = f'<a href="#{side.key}-{guarantee.id}">{mark}{counts}</a>'
    return f'<td class="mark {_CLASSES[status]} {_language(side)}">{mark}</td>'


# -- the evidence


def _details(sides: Sequence[Side], expected: Sequence[Expected]) -> Iterator[str]:
    pictures = _Pictures()
    for side in sides:
        yield f'<section class="{_language(side)}"><h2 id="{side.key}">{_text(side.label)}</h2>'
        if side.language:
            command = f"kproto conform --testee {side.name}"
            yield f"<p>{_text(side.run.client)} {_text(side.run.release)}, {_text(side.language)}: "
            yield f"<code>{_text(command)}</code></p>"
        about = f"{side.run.inputs:,} inputs, seed {side.run.seed}, {side.run.seconds:.0f} s"
        yield f"<p>{about}</p>"
        yield from (f"<p>{_text(line)}</p>" for line in _remarks(side.run))
        for guarantee in GUARANTEES:
            results = _results(side.run, guarantee)
            example = side.run.worst(guarantee.id) or _sample(results)
            if example is not None:
                status = status_of_all(results, expected)
                yield from _evidence(side, guarantee, example, status, pictures)
        yield "</section>"


def _sample(results: Sequence[Result]) -> Example | None:
    return next((result.sample for result in results if result.sample is not None), None)


def _remarks(run: Run) -> Iterator[str]:
    yield from run.remarks
    for how, count in sorted(run.failures.items()):
        yield f"no answer, {count} times: {how}"
    if run.skipped:
        yield f"{sum(run.skipped.values()):,} inputs were not asked, or not to the end"


def _evidence(
    side: Side, guarantee: Guarantee, example: Example, status: Status, pictures: _Pictures
) -> Iterator[str]:
    mark = f'<span class="{_CLASSES[status]}">{MARKS[status][0]}</span>'
    yield f'<div class="evidence" id="{side.key}-{guarantee.id}">'
    yield f"<p>{mark} <b>{guarantee.title}</b>: {_text(example.complaint or 'holds, as here')}</p>"
    if example.complaint:
        yield f"<p><small>{escape(guarantee.statement)} {escape(guarantee.source)}</small></p>"
    case = example.case
    where = ", ".join(filter(None, [case.kind, case.origin]))
    yield f"<p><code>{_text(_brief(case))}</code> <small>{_text(where)}</small></p>"
    if example.answer:
        yield f"<p>answer: <code>{_text(cut(example.answer, _LONGEST))}</code></p>"
    yield from pictures.of(case)
    yield "</div>"


def _brief(case: Case) -> str:
    if case.value is not None:
        shown_value = cut(repr(case.value), _LONGEST)
        return f"{case.name} version {case.version}, to be written: {shown_value}"
    data = case.data.hex() or "no bytes"
    if len(case.data) > _MAX_SHOWN:
        data = f"{data[: 2 * _MAX_SHOWN]}... ({len(case.data):,} bytes)"
    return f"{case.name} {data}"


class _Pictures:
    """The bytes as `kproto decode` shows them: each once, and from then on a link to it."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, bytes, int | None], int] = {}

    def of(self, case: Case) -> Iterator[str]:
        """Return the lines of one input."""
        key = (case.name, case.data, case.version)
        if case.value is not None or len(case.data) > _MAX_PICTURE:
            return
        if key in self._numbers:
            yield f'<p><a href="#i-{self._numbers[key]}">the bytes, field by field</a></p>'
            return
        number = self._numbers[key] = len(self._numbers)
        recorder = Recorder(100)
        recorder.print(Inspection(examine(case.data, case.message, body_version=case.version)))
        yield f'<details id="i-{number}"><summary>the bytes, field by field</summary>'
        yield f"{recorder.html_block()}</details>"


# -- pairs


def _pairs(pairs: Sequence[Pair]) -> Iterator[str]:
    names = list(dict.fromkeys(pair.member for pair in pairs))
    assignors = ", ".join(dict.fromkeys(pair.assignor for pair in pairs))
    yield '<h2 id="pairs">Who understands whom in one group</h2>'
    yield f"<p>{_PAIRS_ABOUT.format(assignors=_text(assignors))}</p>"
    yield '<div class="scroll"><table id="groups"><thead><tr><th>member \\ leader</th>'
    yield "".join(f"<th>{_text(name)}</th>" for name in names)
    yield "</tr></thead>"
    for member in names:
        yield f"<tr><th>{_text(member)}</th>"
        for leader in names:
            found = between(pairs, member, leader)
            signs = "".join(_sign(pair) for pair in found)
            link = f'<a href="#{_pair_key(found[0])}">{signs}</a>' if found else ""
            yield f'<td class="mark">{link}</td>'
        yield "</tr>"
    yield "</table></div>"


_PAIRS_ABOUT = (
    "What the member on the left writes, read by the leader above; what that leader writes, read "
    "by the member. One sign for each assignor that both come with ({assignors}): "
    '<span class="held">✓</span> they understand each other, <span class="broken">✗</span> they do '
    'not, <span class="expected">~</span> they do but for the user data, · not measured. The '
    "leader's assignor does not run; what a client does not show is not looked at."
)
_SIGN_CLASSES = {"✓": "held", "✗": "broken", "~": "expected", "·": "none"}


def _sign(pair: Pair) -> str:
    mark, _ = sign(pair)
    about = _text(f"{pair.assignor}: {pair.verdict}")
    return f'<span class="{_SIGN_CLASSES[mark]}" title="{about}">{mark}</span>'


def _pair_key(pair: Pair) -> str:
    return f"p-{_key(pair.member)}--{_key(pair.leader)}"


def _pair_details(pairs: Sequence[Pair]) -> Iterator[str]:
    yield "<h2>The pairs, one by one</h2>"
    for verdict in VERDICTS:
        count = sum(pair.verdict == verdict for pair in pairs)
        yield f"<p>{count:,}: {verdict}</p>" if count else ""
    for member in dict.fromkeys(pair.member for pair in pairs):
        yield f"<h3>{_text(member)} as a member</h3>"
        for leader in dict.fromkeys(pair.leader for pair in pairs):
            found = between(pairs, member, leader)
            if found:
                yield f'<div class="evidence" id="{_pair_key(found[0])}">'
                yield f"<p>led by <b>{_text(leader)}</b></p>"
                yield from map(_pair_line, found)
                yield "</div>"


def _pair_line(pair: Pair) -> str:
    verdict = "" if pair.verdict == WORKS else f" {pair.verdict}: {_text(cut(pair.why, _LONGEST))}"
    hexes = f"{pair.subscription} → {pair.assignment}" if pair.subscription else ""
    return f"<p>{_sign(pair)} {_text(pair.assignor)}{verdict} <code>{hexes}</code></p>"


_LONGEST_ANSWER = 200
"""Characters of a question and of an answer that are shown."""


def section(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the lines of the last part: reports that were not confirmed, and why; then all of
    them.
    """
    reports = len({answer.about for answer in answers})
    differing = [answer for answer in answers if not answer.borne_out]
    but = "All are as they say but for these:" if differing else "All are as they say."
    yield '<h2 id="reported">What others had reported</h2>'
    yield f"<p>{_REPORTS_ABOUT.format(reports=reports, answers=len(answers))} {but}</p>"
    yield from _reports(differing)
    for what, why in NOT_ASKED.items():
        yield f"<p>Not asked: {escape(what)}: {escape(why)}</p>"
    yield "<details><summary>all reports, with the answers</summary>"
    yield from _reports(answers)
    yield "</details>"


_REPORTS_ABOUT = (
    "Others have read these clients in their source, or run them. {reports} of their reports were "
    "put to the clients again, and there are {answers} answers."
)


def _reports(answers: Sequence[Answer]) -> Iterator[str]:
    for report in REPORTS:
        found = [answer for answer in answers if answer.about == report.about]
        if found:
            yield '<div class="evidence">'
            yield f"<p><b>{escape(report.about)}</b> <code>{escape(_command(report))}</code></p>"
            yield from map(_line, found)
            yield f"<p>{escape(report.differs)}</p></div>" if report.differs else "</div>"


def _line(answer: Answer) -> str:
    kind, mark = ("held", "✓") if answer.borne_out else ("expected", "≠")
    client, said = (
        escape(escaped(text)) for text in (answer.client, cut(answer.said, _LONGEST_ANSWER))
    )
    return f'<p><span class="{kind}">{mark}</span> {client} <code>{said}</code></p>'


def _command(report: Report) -> str:
    name = "" if report.message == SUBSCRIPTION else f" --as {report.message}"
    body = "" if report.version is None else f" --body {report.version}"
    return (
        f"kproto conform --testee NAME{name}{body} --ask '{cut(report.question, _LONGEST_ANSWER)}'"
    )
