"""Reports of findings for other tools: SARIF 2.1.0 and JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from ...inspector.reports.junit import add_case, add_outcome, junit_document
from ...inspector.reports.sarif import sarif_log, sarif_result, sarif_rule
from .finding import Finding

Ran = Sequence[tuple[str, str, float]]
"""The name, invariant and seconds of each target that ran."""

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Sequence[Finding], targets: Ran) -> str:
    """Return SARIF with one run: a rule for each target, a result for each finding."""
    log = sarif_log(
        [sarif_rule(name, invariant) for name, invariant, _ in targets],
        [_result(finding) for finding in findings],
        tool="kproto fuzz",
        versioned=False,
        schema=_SCHEMA,
    )
    return json.dumps(log, indent=1) + "\n"


def _result(finding: Finding) -> dict[str, Any]:
    folder = f"findings/{finding.target}-{finding.key}"
    place = {"artifactLocation": {"uri": f"{folder}/input.bin"}}
    return sarif_result(
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
