"""The order of groups, the one with the worst findings first.

A group's score is the sum over its findings of

    (1 if the finding is open, else 1/4) * weight of its severity

with weights 1 (info), 10 (warning), 100 (error), 1000 (critical), where at most nine findings of
one severity count, the open ones first: no number of mild findings outweighs one that is worse.
Groups of equal score stand in the order of their last trouble, the latest first, then of their lag,
then by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, TypeAlias

import pyarrow as pa

from ..audit import Severity
from ..tables.schemas import TABLES

__all__ = ["ranked", "score"]

_Key: TypeAlias = tuple[str, str]
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
    by_group: dict[_Key, list[dict[str, Any]]] = defaultdict(list)
    rows = findings.to_pylist()
    for row in rows:
        if row["group_id"] is not None:
            by_group[_key(row)].append(row)
    groups = [row | _judged(by_group.get(_key(row), [])) for row in current.to_pylist()]
    latest = {
        group: max(row["last_seen"] for row in found).timestamp()
        for group, found in by_group.items()
    }
    groups.sort(
        key=lambda row: (-row["score"], -latest.get(_key(row), 0), -(row["lag"] or 0), *_key(row))
    )
    place = {_key(row): number for number, row in enumerate(groups)}
    rows.sort(
        key=lambda row: (
            -1 if row["group_id"] is None else place.get(_key(row), -1),
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


def _key(row: Mapping[str, Any]) -> _Key:
    """A group's name may be that of another one in another cluster."""
    return row["group_id"] or "", row["cluster_id"] or ""


def _judged(findings: list[dict[str, Any]]) -> dict[str, Any]:
    worst = max((Severity(row["severity"]).rank for row in findings), default=None)
    return {
        "findings": len(findings),
        "severity": None if worst is None else list(Severity)[worst].value,
        "score": score([(row["severity"], row["status"]) for row in findings]),
    }
