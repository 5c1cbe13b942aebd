"""Findings for other tools: SARIF 2.1.0 and JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from .finding import Finding

Ran = Sequence[tuple[str, str, float]]
"""Name, invariant and seconds of each target that ran."""

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Sequence[Finding], targets: Ran) -> str:
    """One run; a rule for each target, a result for each finding."""
    rules = [
        {"id": name, "shortDescription": {"text": invariant}} for name, invariant, _ in targets
    ]
    driver = {"name": "kproto fuzz", "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(one) for one in findings]}
    made = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(made, indent=1) + "\n"


def _result(finding: Finding) -> dict[str, Any]:
    folder = f"findings/{finding.target}-{finding.key}"
    place = {"artifactLocation": {"uri": f"{folder}/input.bin"}}
    return {
        "ruleId": finding.target,
        "level": "error",
        "message": {"text": finding.title},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"kproto/v1": finding.key},
        "properties": {"kind": finding.kind.value, "input": finding.minimal.hex()},
    }


def junit(findings: Sequence[Finding], targets: Ran) -> str:
    """Return a test case for each target, and one that failed for each finding."""
    suite = ET.Element("testsuite", name="kproto fuzz")
    for name, invariant, seconds in targets:
        mine = [one for one in findings if one.target == name]
        case = ET.SubElement(suite, "testcase", classname="kproto.fuzz", name=name)
        case.set("time", f"{seconds:.1f}")
        ET.SubElement(case, "system-out").text = invariant
        for finding in mine:
            failed = ET.SubElement(suite, "testcase", classname=f"kproto.fuzz.{name}")
            failed.set("name", finding.key)
            failure = ET.SubElement(failed, "failure", type=finding.error)
            failure.set("message", _xml(finding.title))
            failure.text = _xml(f"{finding.message}\ninput: {finding.minimal.hex()}")
    suite.set("tests", str(len(targets) + len(findings)))
    suite.set("failures", str(len(findings)))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _xml(text: str) -> str:
    """Without the characters that XML has no way to write."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
