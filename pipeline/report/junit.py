"""An audit as JUnit XML, which CI systems show: a test case for each rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from xml.etree import ElementTree as Xml

from ...inspector.shapes.junit import add_case, add_outcome, junit_document
from ...wording import counted
from ..audit.inputs import lines_of_skipped_rules
from ..run.audit import Audit
from .names import group_name

__all__ = ["as_junit"]

_MOST = 1_000  # findings of a rule that have a line


def as_junit(audit: Audit, failing: Collection[str]) -> str:
    """Return the document. A rule fails by its findings whose ids are in `failing`; its others are
    the output of its case. A rule that was not evaluated and has no finding is skipped.
    """
    findings_by_rule: dict[str, list[Mapping[str, Any]]] = {rule: [] for rule in audit.rules}
    for row in audit.findings.to_pylist():
        findings_by_rule.setdefault(row["rule"], []).append(row)
    suite = Xml.Element("testsuite", name="kproto audit", tests=str(len(findings_by_rule)))
    counts = {"failure": 0, "skipped": 0}
    for rule, rows in findings_by_rule.items():
        wrong = [row for row in rows if row["finding_id"] in failing]
        known = [row for row in rows if row["finding_id"] not in failing]
        case = add_case(suite, "kproto audit", rule, output=_lines(known) if known else None)
        if wrong:
            counts["failure"] += 1
            add_outcome(case, "failure", _headline(wrong), _lines(wrong))
        elif not rows and rule in audit.not_evaluated:
            counts["skipped"] += 1
            (reason,) = lines_of_skipped_rules({rule: audit.not_evaluated[rule]})
            add_outcome(case, "skipped", reason, "")
    suite.set("failures", str(counts["failure"]))
    suite.set("skipped", str(counts["skipped"]))
    return junit_document(suite) + "\n"


def _headline(rows: Collection[Mapping[str, Any]]) -> str:
    groups = {(row["cluster_id"], row["group_id"]) for row in rows}
    return f"{counted(len(rows), 'finding')} in {counted(len(groups), 'group')}"


def _lines(rows: Collection[Mapping[str, Any]]) -> str:
    """Return a line for each finding, with what to do first."""
    lines: Iterable[str] = map(_line, list(rows)[:_MOST])
    more = len(rows) - _MOST
    return "\n".join([*lines, f"and {more:,} more"] if more > 0 else lines)


def _line(row: Mapping[str, Any]) -> str:
    over = ", over now" if row["status"] == "over" else ""
    text = f"{row['severity']} {group_name(row['group_id'])}{over}: {row['explanation']}"
    return f"{text} First: {row['next_action']}" if row["next_action"] else text
