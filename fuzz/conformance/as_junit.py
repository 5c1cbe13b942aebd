"""A run as JUnit XML, which every CI shows: a suite for each scope, a test for each guarantee and
message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from ..guarantees.table import Scope
from .expected_failures import Expected, Status, status_of, status_of_all
from .judging import Result, Run

# What XML 1.0 cannot hold, not even escaped.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(run: Run, expected: Sequence[Expected] = ()) -> str:
    """Return the document. What is recommended and broken is skipped, with the reason: a CI that
    counts it as a failure can ask for that with `--recommended`.
    """
    root = Xml.Element("testsuites", name=_text(f"kproto conform: {run.client} {run.release}"))
    for scope in Scope:
        results = [one for one in run.results if one.guarantee.scope is scope and one.judged]
        if results:
            _suite(root, scope, results, expected)
    for guarantee, results in run.by_guarantee():
        if status_of_all(results, expected) is Status.UNEXPECTED_PASS:
            suite = Xml.SubElement(root, "testsuite", name="expected failures", tests="1")
            suite.set("failures", "1")
            _case(suite, guarantee.title, "any message", "failure", "holds, though it is expected "
                  "to be broken")  # fmt: skip
    return Xml.tostring(root, encoding="unicode", xml_declaration=True)


def _suite(
    root: Xml.Element, scope: Scope, results: list[Result], expected: Sequence[Expected]
) -> None:
    suite = Xml.SubElement(root, "testsuite", name=scope.value, tests=str(len(results)))
    counts = {"failure": 0, "skipped": 0}
    for result in results:
        how = _how(scope, status_of(result, expected))
        if how:
            counts[how] += 1
        _case(suite, result.guarantee.title, result.name, how, _why(result))
    suite.set("failures", str(counts["failure"]))
    suite.set("skipped", str(counts["skipped"]))


def _how(scope: Scope, status: Status) -> str:
    if status is Status.BROKEN:
        return "failure" if scope is Scope.REQUIRED else "skipped"
    return {Status.EXPECTED: "skipped", Status.UNEXPECTED_PASS: "failure"}.get(status, "")


def _why(result: Result) -> str:
    if not result.examples:
        return "holds, though it is expected to be broken"
    example = result.examples[0]
    return f"{example.complaint}\n{example.case}"


def _case(suite: Xml.Element, title: str, name: str, how: str, why: str) -> None:
    case = Xml.SubElement(suite, "testcase", classname=name, name=title)
    if how:
        first, _, rest = _text(why).partition("\n")
        Xml.SubElement(case, how, message=first).text = rest


def _text(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
