"""An audit as JUnit XML, which CI systems show: a test case for each rule and group.

CI systems know a test again by its class and its name. Of a case that is a rule in a group they
show that it fails since last night, or has passed again; of one for each rule they would show that
it fails as before, whichever group is new in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias
from xml.etree import ElementTree as Xml

from ...inspector.shapes.junit import add_case, add_outcome, junit_document
from ...wording import counted
from ..audit import Severity
from ..audit.inputs import lines_of_skipped_rules
from ..run.audit import Audit
from .names import group_label
from .unread import lost_clusters

__all__ = ["as_junit"]

_MAX_LINES = 1_000  # findings of a case that have a line
MAX_CASES = 20_000
"""Of rules and groups: GitLab, for one, reads half a million of a pipeline."""
_NO_GROUP = "all groups"
_CLUSTER = "cluster"

_Row: TypeAlias = Mapping[str, Any]


def as_junit(audit: Audit, failing: Collection[str], teams: Mapping[str, str]) -> str:
    """Return the document. A case fails by its findings whose ids are in `failing`; its others are
    its output. One whose findings are all of the baseline, and gone, passes. A rule that has none
    in any group is a case that passes, or is skipped where it was not evaluated; a cluster that
    could not be read is an error.
    """
    gone_rows = [] if audit.changes is None else audit.changes.gone
    reasons = lost_clusters(audit)
    has_several = len({*audit.clusters, *reasons}) > 1

    def key(row: _Row) -> tuple[str, str]:
        return row["rule"], group_label(row, clusters=has_several)

    cases: dict[tuple[str, str], list[_Row]] = {key(row): [] for row in gone_rows}
    for row in audit.findings.to_pylist():
        cases.setdefault(key(row), []).append(row)

    def fails(case: tuple[str, str]) -> bool:
        return any(row["finding_id"] in failing for row in cases[case])

    suite = Xml.Element("testsuite", name="kproto audit")
    for rule, name in sorted(cases, key=fails, reverse=True)[:MAX_CASES]:
        rows = cases[rule, name]
        wrong = [row for row in rows if row["finding_id"] in failing]
        known = [row for row in rows if row["finding_id"] not in failing]
        case = add_case(suite, rule, name, output=_lines(known, teams) if known else None)
        if wrong:
            worst = max((row["severity"] for row in wrong), key=lambda word: Severity(word).rank)
            add_outcome(case, "failure", _headline(wrong), _lines(wrong, teams), worst)
    _add_rules(suite, audit, {rule for rule, _ in cases})
    for cluster, reason in reasons.items():
        add_outcome(add_case(suite, _CLUSTER, cluster), "error", reason, "")
    _count(suite)
    return junit_document(suite) + "\n"


def _add_rules(suite: Xml.Element, audit: Audit, with_findings: Collection[str]) -> None:
    """Add a case for each rule that has no finding."""
    for rule in audit.rules:
        if rule in with_findings:
            continue
        case = add_case(suite, rule, _NO_GROUP)
        if rule in audit.not_evaluated:
            (reason,) = lines_of_skipped_rules({rule: audit.not_evaluated[rule]})
            add_outcome(case, "skipped", reason, "")


def _count(suite: Xml.Element) -> None:
    outcomes = Counter(outcome.tag for case in suite for outcome in case)
    counts = {"tests": len(suite), "failures": outcomes["failure"], "errors": outcomes["error"]}
    for name, count in {**counts, "skipped": outcomes["skipped"]}.items():
        suite.set(name, str(count))


def _headline(rows: Sequence[_Row]) -> str:
    first = str(rows[0]["explanation"])
    return first if len(rows) == 1 else f"{counted(len(rows), 'finding')}: {first}"


def _lines(rows: Sequence[_Row], teams: Mapping[str, str]) -> str:
    """Return a line for each finding, with what to do first."""
    lines = [_line(row, teams) for row in rows[:_MAX_LINES]]
    more = len(rows) - _MAX_LINES
    return "\n".join([*lines, f"and {more:,} more"] if more > 0 else lines)


def _line(row: _Row, teams: Mapping[str, str]) -> str:
    team = teams.get(row["group_id"])
    of_team = f" (team {team})" if team else ""
    over = ", over now" if row["status"] == "over" else ""
    text = f"{row['severity']}{of_team}{over}: {row['explanation']}"
    return f"{text.rstrip('.')}. First: {row['next_action']}" if row["next_action"] else text
