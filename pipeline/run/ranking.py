"""The order of groups, the one with the worst findings first.

A group's score is the sum over its findings of

    (1 if the finding is open, else 1/4) * weight of its severity

with weights 1 (info), 10 (warning), 100 (error), 1000 (critical), where at most nine findings of
one severity count, the open ones first: no number of mild findings outweighs one that is worse.
Groups of equal score stand in the order of their last trouble, the latest first, then by name.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pyarrow as pa

from ..audit import Severity
from ..tables.schemas import TABLES

__all__ = ["ranked", "score"]

_MOST = 9
_OVER = 0.25


def score(findings: list[tuple[str, str]]) -> float:
    """Return the score of a group, from the severity and status of each of its findings.

    >>> score([("critical", "over"), ("warning", "open"), ("info", "open")])
    261.0
    """
    by_severity: dict[str, list[float]] = defaultdict(list)
    for severity, status in findings:
        by_severity[severity].append(1.0 if status == "open" else _OVER)
    return sum(
        10.0 ** Severity(severity).rank * sum(sorted(shares, reverse=True)[:_MOST])
        for severity, shares in by_severity.items()
    )


def ranked(findings: pa.Table, current: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Return both tables, the worst first, with the score of each group and its reasons."""
    by_group: dict[str, list[dict[str, Any]]] = defaultdict(list)
    rows = findings.to_pylist()
    for row in rows:
        if row["group_id"] is not None:
            by_group[row["group_id"]].append(row)
    groups = [row | _judged(by_group.get(row["group_id"], [])) for row in current.to_pylist()]
    latest = {
        group: max(row["last_seen"] for row in found).timestamp()
        for group, found in by_group.items()
    }
    groups.sort(key=lambda row: (-row["score"], -latest.get(row["group_id"], 0), row["group_id"]))
    place = {row["group_id"]: number for number, row in enumerate(groups)}
    rows.sort(
        key=lambda row: (
            place.get(row["group_id"], -1),
            -Severity(row["severity"]).rank,
            row["status"] != "open",
            row["rule"],
            row["finding_id"],
        )
    )
    return (
        pa.Table.from_pylist(rows, TABLES["findings"]),
        pa.Table.from_pylist(groups, TABLES["current"]),
    )


def _judged(findings: list[dict[str, Any]]) -> dict[str, Any]:
    worst = max((Severity(row["severity"]).rank for row in findings), default=None)
    return {
        "findings": len(findings),
        "severity": None if worst is None else list(Severity)[worst].value,
        "score": score([(row["severity"], row["status"]) for row in findings]),
    }
