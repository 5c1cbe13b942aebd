"""A run as JUnit XML: a suite for each scope, a test for each guarantee and message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from xml.etree import ElementTree as Xml

from ...inspector.shapes.junit import add_case, add_outcome, junit_document, xml_text
from ..guarantees.table import Scope
from .expected_failures import Expected, Status, status_of, status_of_all
from .results import Result, Run

_Outcome = Literal["failure", "skipped"]


def to_junit(run: Run, expected: Sequence[Expected] = ()) -> str:
    """Return the document. A recommended guarantee that is broken is skipped, with the reason: a CI
    that counts it as a failure can ask for that with `--recommended`.
    """
    root = Xml.Element("testsuites", name=xml_text(f"kproto conform: {run.client} {run.release}"))
    for scope in Scope:
        results = [
            result
            for result in run.results
            if result.guarantee.scope is scope and (result.judged or result.omissions)
        ]
        if results:
            _suite(root, scope, results, expected)
    for guarantee, results in run.by_guarantee():
        if status_of_all(results, expected) is Status.UNEXPECTED_PASS:
            suite = Xml.SubElement(root, "testsuite", name="expected failures", tests="1")
            suite.set("failures", "1")
            _case(suite, guarantee.title, "any message", "failure", "holds, though it is expected "
                  "to be broken")  # fmt: skip
    if run.incomplete:
        suite = Xml.SubElement(root, "testsuite", name="incomplete", tests="1", skipped="1")
        _case(suite, "every input is asked", "any message", "skipped", run.incomplete)
    return junit_document(root)


def _suite(
    root: Xml.Element, scope: Scope, results: list[Result], expected: Sequence[Expected]
) -> None:
    suite = Xml.SubElement(root, "testsuite", name=scope.value, tests=str(len(results)))
    counts: dict[_Outcome, int] = {"failure": 0, "skipped": 0}
    for result in results:
        how = _how(scope, status_of(result, expected))
        if how:
            counts[how] += 1
        _case(suite, result.guarantee.title, result.name, how, _why(result))
    suite.set("failures", str(counts["failure"]))
    suite.set("skipped", str(counts["skipped"]))


def _how(scope: Scope, status: Status) -> _Outcome | None:
    if status is Status.BROKEN:
        return "failure" if scope is Scope.REQUIRED else "skipped"
    if status is Status.UNEXPECTED_PASS:
        return "failure"
    return "skipped" if status in (Status.EXPECTED, Status.INCOMPLETE) else None


def _why(result: Result) -> str:
    if result.omissions and not result.violations:
        return f"incomplete: {result.judged:,} inputs judged, {result.omissions:,} not asked"
    if not result.examples:
        return "holds, though it is expected to be broken"
    example = result.examples[0]
    return f"{example.complaint}\n{example.case}\ninput {example.case.id}"


def _case(suite: Xml.Element, title: str, name: str, how: _Outcome | None, why: str) -> None:
    case = add_case(suite, name, title)
    if how:
        first, _, rest = why.partition("\n")
        add_outcome(case, how, first, rest)
