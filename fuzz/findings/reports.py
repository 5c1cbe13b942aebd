"""Reports of findings for other tools: SARIF 2.1.0 and JUnit XML."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ...inspector.shapes.junit import add_case, add_outcome, junit_document
from ...inspector.shapes.sarif import SarifResult, SarifRule, sarif_log
from ...inspector.shapes.shape import json_text
from .finding import Finding

Ran = Sequence[tuple[str, str, float]]
"""The name, invariant and seconds of each target that ran."""


def sarif(findings: Sequence[Finding], targets: Ran) -> str:
    """Return SARIF with one run: a rule for each target, a result for each finding."""
    rules = [SarifRule(name, invariant) for name, invariant, _ in targets]
    return json_text(sarif_log(rules, list(map(_result, findings)), tool="kproto fuzz"))


def _result(finding: Finding) -> SarifResult:
    folder = f"findings/{finding.target}-{finding.key}"
    place = {"artifactLocation": {"uri": f"{folder}/input.bin"}}
    return SarifResult(
        finding.target,
        "error",
        finding.title,
        {"physicalLocation": place},
        finding.key,
        {"kind": finding.kind.value, "input": finding.minimal.hex()},
    )


def junit(findings: Sequence[Finding], targets: Ran) -> str:
    """Return JUnit XML: a test case for each target, and a failed one for each finding."""
    suite = ET.Element("testsuite", name="kproto fuzz")
    for name, invariant, seconds in targets:
        add_case(suite, "kproto.fuzz", name, seconds=seconds, output=invariant)
        for finding in findings:
            if finding.target == name:
                case = add_case(suite, f"kproto.fuzz.{name}", finding.key)
                details = _printable(f"{finding.message}\ninput: {finding.minimal.hex()}")
                add_outcome(case, "failure", _printable(finding.title), details, finding.error)
    suite.set("tests", str(len(targets) + len(findings)))
    suite.set("failures", str(len(findings)))
    ET.indent(suite)
    return junit_document(suite) + "\n"


def _printable(text: str) -> str:
    """Return the text with U+FFFD for each character that could hide or reorder others."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
