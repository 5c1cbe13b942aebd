"""Several clients side by side as one page of HTML (`pages/templates/matrix.html.jinja`): the runs,
pairs and captured messages, as rows and cells for the template; and the badge of a client.

The evidence of a cell has the bytes as `kproto decode` shows them, each input once in a client's
section.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ....clients.reports import NOT_ASKED, Report, reports
from ....escaping import cut
from ....inspector.identification import examine
from ....inspector.views.export import Recorder
from ....inspector.views.inspection import Inspection
from ....pages import anchor, render
from ...guarantees.cases import Case
from ...guarantees.comparison import as_json
from ...guarantees.table import GUARANTEES, Guarantee, Scope
from ..report import MARKS
from ..results import (
    ConformanceRun,
    Example,
    Expected,
    Result,
    Status,
    judged_guarantees,
    status_of_all,
)
from .matrix import Answer, Matrix
from .pairs import (
    NOT_MEASURED,
    SUBSCRIPTION,
    USER_DATA,
    VERDICTS,
    WORKS,
    Captured,
    CapturedReadings,
    Pair,
    Verdict,
)
from .table import between

TITLE = "What clients make of the bytes of consumer groups"

_MAX_PICTURE = 512
"""Bytes of the longest input that is shown field by field."""
_MAX_SHOWN = 200
"""Bytes of an input that are shown in hex."""
_LONGEST = 2 * _MAX_SHOWN
"""Characters of an answer or a value that are shown."""
_LONGEST_QUESTION = 200
"""Characters of a report's question that are shown."""
_SHORT = {"cooperative-sticky": "coop", "roundrobin": "robin"}
"""Assignors whose name is too long for a cell."""

Shape = dict[str, Any]


class Sign(NamedTuple):
    """A mark and its CSS class."""

    mark: str
    style: str


_STYLES = {
    Status.HELD: "held",
    Status.BROKEN: "broken",
    Status.EXPECTED: "expected",
    Status.UNEXPECTED_PASS: "unexpected",
    Status.INCOMPLETE: "incomplete",
    Status.NOT_JUDGED: "none",
}
_SIGNS = {status: Sign(MARKS[status][0], style) for status, style in _STYLES.items()}
_PAIR_SIGNS = {
    WORKS: Sign("✓", "held"),
    USER_DATA: Sign("~", "expected"),
    NOT_MEASURED: Sign("·", "none"),
}


def _pair_sign(verdict: str) -> Sign:
    return _PAIR_SIGNS.get(verdict, Sign("✗", "broken"))


class Kept(NamedTuple):
    """How many of the guarantees that were judged a client keeps."""

    passes: int
    total: int

    def __str__(self) -> str:
        return f"{self.passes} of {self.total}"


def kept_of(run: ConformanceRun, *scopes: Scope) -> Kept:
    """Return how many of the guarantees of these scopes a run shows to be kept."""
    guarantees = [
        guarantee
        for guarantee in GUARANTEES
        if guarantee.scope in scopes and any(result.checks for result in run.results_of(guarantee))
    ]
    return Kept(sum(not run.breaks(guarantee) for guarantee in guarantees), len(guarantees))


def badge_words(run: ConformanceRun) -> str:
    """Return the words of a badge: "31 of 33 guarantees"."""
    return f"{kept_of(run, Scope.REQUIRED, Scope.RECOMMENDED)} guarantees"


class Side(NamedTuple):
    """A column: `name` is the adapter's, "" if the command is not one of the package's."""

    name: str
    language: str
    run: ConformanceRun

    @property
    def key(self) -> str:
        """The anchor of the client's section."""
        return f"c-{anchor(self.name or self.run.client)}"

    @property
    def label(self) -> str:
        """The name and the release."""
        return f"{self.name or self.run.client} {self.run.release}"

    @property
    def language_class(self) -> str:
        """The CSS class of the column, which the filter of its language hides."""
        return f"l-{anchor(self.language)}" if self.language else ""

    @property
    def required(self) -> Kept:
        """How many of the required guarantees the client keeps."""
        return kept_of(self.run, Scope.REQUIRED)

    @property
    def recommended(self) -> Kept:
        """How many of the recommended guarantees the client keeps."""
        return kept_of(self.run, Scope.RECOMMENDED)

    @property
    def broken(self) -> list[Guarantee]:
        """The required guarantees that the client breaks."""
        return [
            guarantee
            for guarantee in GUARANTEES
            if guarantee.scope is Scope.REQUIRED and self.run.breaks(guarantee)
        ]

    def results(self, guarantee: Guarantee) -> list[Result]:
        """Return the results of a guarantee, one a message."""
        return self.run.results_of(guarantee)

    def status(self, guarantee: Guarantee, expectations: Sequence[Expected]) -> Status:
        """Return the status of a guarantee."""
        return status_of_all(self.results(guarantee), expectations)


def page(runs: Sequence[ConformanceRun], expectations: Sequence[Expected] = ()) -> str:
    """Return the page of these runs, in their order."""
    sides = [Side(f"{number} {run.client}", "", run) for number, run in enumerate(runs)]
    sections = [_section(side, None, (), expectations) for side in sides]
    return render(
        "matrix.html.jinja",
        **_table_of(sides, expectations),
        matrix=None,
        sections=sections,
    )


def matrix_page(matrix: Matrix, findings: Sequence[FindingPage] = ()) -> str:
    """Return the page of a matrix, with the findings that have a page of their own."""
    sides = [Side(column.name, column.language, column.run) for column in matrix.columns]
    shapes = [*map(_report(matrix.answers), reports().values())]
    answered_reports = [report for report in shapes if report["answers"]]
    return render(
        "matrix.html.jinja",
        **_table_of(sides, ()),
        matrix=matrix,
        contents=_contents(matrix, findings),
        findings=[
            (finding, [side for side in sides if side.name in finding.clients])
            for finding in findings
        ],
        worst_first=sorted(sides, key=_badness),
        judged=len(judged_guarantees([side.run for side in sides])),
        pair_counts=_pair_counts(matrix.pairs),
        pair_table=_pair_table(matrix.pairs),
        captured_table=_captured_table(matrix.captured),
        sections=[_section(side, matrix, findings, ()) for side in sides],
        reports=answered_reports,
        differing=list(_differing(answered_reports)),
        not_asked=NOT_ASKED,
    )


def badge_file(name: str) -> str:
    """Return where the badge of an adapter is, beside the page."""
    return f"badges/{anchor(name)}.svg"


def _contents(matrix: Matrix, findings: Sequence[FindingPage]) -> list[tuple[str, str]]:
    """Return the anchors of the parts that there are, with their words."""
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
    return [(part, words) for part, words, content in parts if content]


def _badness(side: Side) -> tuple[int, int, str]:
    required, recommended = side.required, side.recommended
    return (
        required.passes - required.total,
        recommended.passes - recommended.total,
        side.label.casefold(),
    )


# -- the table of guarantees


def _table_of(sides: Sequence[Side], expectations: Sequence[Expected]) -> Shape:
    runs = [side.run for side in sides]
    rows = [_row(sides, guarantee, expectations) for guarantee in judged_guarantees(runs)]
    return {
        "title": TITLE,
        "sides": sides,
        "languages": sorted({side.language for side in sides if side.language}),
        "legend": [(sign, status.value) for status, sign in _SIGNS.items()],
        "table": list(_by_scope(rows)),
    }


def _by_scope(rows: Sequence[Shape]) -> Iterator[tuple[str, list[Shape]]]:
    for scope in Scope:
        if of_scope := [row for row in rows if row["guarantee"].scope is scope]:
            yield scope.value, of_scope


def _row(sides: Sequence[Side], guarantee: Guarantee, expectations: Sequence[Expected]) -> Shape:
    return {
        "guarantee": guarantee,
        "broken": any(side.run.breaks(guarantee) for side in sides),
        "cells": [_cell(side, guarantee, expectations) for side in sides],
    }


def _cell(side: Side, guarantee: Guarantee, expectations: Sequence[Expected]) -> Shape:
    results = side.results(guarantee)
    passes = sum(result.passes for result in results)
    count = sum(result.checks for result in results)
    counts = f"{passes:,}" if passes == count else f"{count - passes:,} of {count:,}"
    return {
        "sign": _SIGNS[side.status(guarantee, expectations)],
        "language_class": side.language_class,
        "anchor": f"{side.key}-{guarantee.id}" if results else "",
        "counts": counts if count else "",
    }


# -- a client's section


def _section(
    side: Side,
    matrix: Matrix | None,
    findings: Sequence[FindingPage],
    expectations: Sequence[Expected],
) -> Shape:
    pictures = _Pictures(side)
    rows = [
        _evidence(side, guarantee, side.status(guarantee, expectations), pictures)
        for guarantee in GUARANTEES
        if side.results(guarantee)
    ]
    has_badge = matrix is not None and side.language
    return {
        "side": side,
        "remarks": list(_remarks(side.run)),
        "findings": [finding for finding in findings if side.name in finding.clients],
        "badge": badge_file(side.name) if has_badge else "",
        "badge_words": badge_words(side.run),
        "evidence": list(_by_scope(rows)),
        "pairs": _led(side, matrix.pairs) if matrix else [],
        "captured": _readings_of(side, matrix.captured) if matrix else [],
    }


def _remarks(run: ConformanceRun) -> Iterator[str]:
    yield from run.remarks
    for how, count in sorted(run.failures.items()):
        yield f"no answer, {count} times: {how}"
    if run.skipped:
        yield f"{sum(run.skipped.values()):,} inputs were not asked, or not to the end"


def _evidence(side: Side, guarantee: Guarantee, status: Status, pictures: _Pictures) -> Shape:
    results = side.results(guarantee)
    samples = [result.sample for result in results if result.sample is not None]
    example = side.run.worst(guarantee.id) or next(iter(samples), None)
    row: Shape = {
        "key": f"{side.key}-{guarantee.id}",
        "guarantee": guarantee,
        "sign": _SIGNS[status],
        "status": status.value,
        "why": next((result.why for result in results if result.why), ""),
    }
    return row | (_question(example, pictures) if example else {"question": None})


def _question(example: Example, pictures: _Pictures) -> Shape:
    case = example.case
    picture_key, picture = pictures.of(case) if example.complaint else ("", "")
    return {
        "complaint": example.complaint,
        "question": _brief(case),
        "origin": ", ".join(filter(None, [case.kind, case.origin])),
        "answer": cut(example.answer, _LONGEST),
        "picture_key": picture_key,
        "picture": picture,
    }


def _brief(case: Case) -> str:
    if case.value is not None:
        shown_value = cut(as_json(case.value), _LONGEST)
        return f"{case.name} version {case.version}, to be written: {shown_value}"
    data = case.data.hex() or "no bytes"
    if len(case.data) > _MAX_SHOWN:
        data = f"{data[: 2 * _MAX_SHOWN]}... ({len(case.data):,} bytes)"
    return f"{case.name} {data}"


class _Pictures:
    """The bytes as `kproto decode` shows them: each input once in a client's section, and from then
    on a link to it."""

    def __init__(self, side: Side) -> None:
        self._key = side.key
        self._numbers: dict[tuple[str, bytes, int | None], int] = {}

    def of(self, case: Case) -> tuple[str, str]:
        """Return the anchor of an input's picture, and the picture where it is new; "" for both
        where there is none."""
        identity = (case.name, case.data, case.version)
        if case.value is not None or len(case.data) > _MAX_PICTURE:
            return "", ""
        is_new = identity not in self._numbers
        number = self._numbers.setdefault(identity, len(self._numbers))
        if not is_new:
            return f"{self._key}-i{number}", ""
        recorder = Recorder(100)
        recorder.print(Inspection(examine(case.data, case.message, body_version=case.version)))
        return f"{self._key}-i{number}", recorder.html_block()


# -- pairs


def _pair_counts(pairs: Sequence[Pair]) -> str:
    counts = Counter(pair.verdict for pair in pairs)
    return "; ".join(f"{verdict}: {counts[verdict]:,}" for verdict in VERDICTS if counts[verdict])


def _pair_table(pairs: Sequence[Pair]) -> Shape:
    names = list(dict.fromkeys(pair.member for pair in pairs))
    rows = [
        (member, [[_pair(pair) for pair in between(pairs, member, leader)] for leader in names])
        for member in names
    ]
    return {"names": names, "rows": rows}


def _pair(pair: Pair) -> Shape:
    return {
        "key": f"p-{anchor(pair.member)}--{anchor(pair.leader)}",
        "sign": _pair_sign(pair.verdict),
        "assignor": pair.assignor,
        "short": _SHORT.get(pair.assignor, pair.assignor),
        "verdict": pair.verdict,
        "why": None if pair.verdict == WORKS else pair.why,
        "hexes": f"{pair.subscription} → {pair.assignment}" if pair.subscription else "",
    }


def _led(side: Side, pairs: Sequence[Pair]) -> list[tuple[str, list[Shape]]]:
    """Return the pairs in which a client is the member, by leader."""
    own = [pair for pair in pairs if pair.member == side.name]
    return [
        (leader, [_pair(pair) for pair in own if pair.leader == leader])
        for leader in dict.fromkeys(pair.leader for pair in own)
    ]


# -- captured messages


def _captured_table(readings: Sequence[CapturedReadings]) -> Shape:
    names = sorted({name for reading in readings for name in reading.readers})
    rows = [
        {
            "sender": _sender(reading.captured),
            "kind": _kind(reading.captured),
            "readings": [_reading(reading, number, name) for name in names],
        }
        for number, reading in enumerate(readings)
    ]
    return {"names": names, "rows": rows}


def _readings_of(side: Side, readings: Sequence[CapturedReadings]) -> list[Shape]:
    rows = (_reading(reading, number, side.name) for number, reading in enumerate(readings))
    return [row for row in rows if row is not None]


def _reading(reading: CapturedReadings, number: int, name: str) -> Shape | None:
    verdict: Verdict | None = reading.readers.get(name)
    if verdict is None:
        return None
    works = verdict.verdict == WORKS
    return {
        "key": f"m-{anchor(name)}" if works else f"m-{anchor(name)}-{number}",
        "works": works,
        "sign": _pair_sign(verdict.verdict),
        "sender": _sender(reading.captured),
        "kind": _kind(reading.captured),
        "verdict": verdict.verdict,
        "why": verdict.why,
        "hex": reading.captured.hex,
    }


def _sender(captured: Captured) -> str:
    return f"{captured.client} {captured.release}"


def _kind(captured: Captured) -> str:
    kind = "subscription" if captured.message == SUBSCRIPTION else "assignment"
    return f"{captured.assignor}, {kind}"


# -- what others have reported


def _report(answers: Sequence[Answer]) -> Any:
    def shape(report: Report) -> Shape:
        return {
            "about": report.about,
            "command": _command(report),
            "differs": report.differs,
            "answers": [answer for answer in answers if answer.about == report.about],
        }

    return shape


def _differing(reports: Sequence[Shape]) -> Iterator[Shape]:
    """Yield the reports that were not confirmed, each with the answers that differ."""
    for report in reports:
        if answers := [answer for answer in report["answers"] if not answer.borne_out]:
            yield {**report, "answers": answers}


def _command(report: Report) -> str:
    name = "" if report.message == SUBSCRIPTION else f" --as {report.message}"
    body = "" if report.version is None else f" --body {report.version}"
    question = cut(report.question, _LONGEST_QUESTION)
    return f"kproto conform --adapter NAME{name}{body} --ask '{question}'"


_LEFT = "kproto"
_PAD, _WIDTH_OF_CHARACTER = 6, 6.6
_GOOD, _BAD = "#1f7a3d", "#a13a00"


def badge(run: ConformanceRun) -> str:
    """Return the badge: green if everything that is required is kept."""
    required = kept_of(run, Scope.REQUIRED)
    return render(
        "badge.svg.jinja",
        name=_LEFT,
        words=badge_words(run),
        left=_width(_LEFT),
        right=_width(badge_words(run)),
        colour=_GOOD if required.passes == required.total else _BAD,
    )


def _width(text: str) -> int:
    return round(len(text) * _WIDTH_OF_CHARACTER) + 2 * _PAD


SEVERITIES = ("high", "medium", "low")
"""The severities of findings, the worst first."""


class FindingPage(NamedTuple):
    """A page about a defect of clients."""

    file: str
    """The name of the page's file."""
    title: str
    severity: str
    found_in: str
    """The clients and releases, in words."""
    clients: frozenset[str]
    """The clients of `kproto conform --adapter` that show the defect."""


def findings_in(folder: Path) -> list[FindingPage]:
    """Return the findings that have a page in a folder, the worst first; none if there is none."""
    pages = (_finding(file) for file in sorted(folder.glob("*.md")))
    findings = [finding for finding in pages if finding is not None]
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


def _finding(file: Path) -> FindingPage | None:
    page = file.read_text("utf-8")
    title = re.match(r"# (.+)\n", page)
    severity = re.search(rf"^Severity: ({'|'.join(SEVERITIES)}):", page, re.MULTILINE)
    found_in = re.search(r"^Found in: (.+?)\.?\n\n", page, re.MULTILINE | re.DOTALL)
    if title is None or severity is None or found_in is None:
        return None
    example = page.partition("\n## See for yourself\n")[2].partition("\n## ")[0]
    clients = frozenset(re.findall(r"--adapter (\S+)", example))
    return FindingPage(file.name, title[1], severity[1], " ".join(found_in[1].split()), clients)
