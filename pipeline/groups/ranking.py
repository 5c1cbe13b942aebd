"""What is still so of the findings of groups, and the order of groups, the worst first.

A group's last record may be long ago. What a record says (a claim, an assignment) holds until the
next one; what happened again and again (a storm) is over once it has not happened for a while,
though nothing was written since that says so.

A group's score is the sum over its findings of

    (1 if the finding is open, else 1/4) * weight of its severity

with weights 1 (info), 10 (warning), 100 (error), 1000 (critical), where at most nine findings of
one severity count, the open ones first: no number of mild findings outweighs one that is worse.
Groups of equal score are in the order of their last trouble, the latest first, then of their lag,
then by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ..audit import Severity
from ..audit.rule import fading
from ..columnar.arrays import column
from ..tables.schemas import TABLES
from .options import Options

__all__ = ["ranked", "score", "with_status"]

_Key: TypeAlias = tuple[str, str]
_MOST = 9
_OVER = 0.25
_SECOND_US = 1_000_000


def with_status(findings: pa.Table, options: Options, moment: int) -> pa.Table:
    """Return rows of `findings` with status and age as they are at a moment (milliseconds
    since 1970; -1 where no record has a time).
    """
    time = pa.scalar(max(moment, 0) * 1000, pa.timestamp("us", tz="UTC"))
    silent = _seconds(pc.subtract(time, findings.column("last_seen")))
    rebalancing = pc.is_in(findings.column("group_id"), value_set=_rebalancing(options))
    over = pc.equal(findings.column("status"), "over")
    for rule, lasts in fading(options.step_rules).items():
        past = pc.and_(pc.equal(findings.column("rule"), rule), pc.greater(silent, lasts))
        over = pc.or_(over, pc.and_(past, pc.invert(rebalancing)))
    age = pc.max_element_wise(_seconds(pc.subtract(time, findings.column("first_seen"))), 0)
    for name, values in (
        ("status", pc.if_else(over, "over", "open")),
        ("judged_at", pa.repeat(time, findings.num_rows)),
        ("age_seconds", age),
    ):
        place = findings.schema.get_field_index(name)
        findings = findings.set_column(place, findings.schema.field(name), values)
    return findings


def _rebalancing(options: Options) -> pa.Array:
    """The groups that the broker says are rebalancing: what they did may well go on, for a group
    that never finishes writes nothing."""
    names = [
        group
        for group, state in (options.states or {}).items()
        if state.state.startswith(("preparing", "completing"))
    ]
    return pa.array(names, pa.string())


def _seconds(durations: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.divide(durations.cast(pa.int64()), _SECOND_US)


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


class _FindingRow(NamedTuple):
    """What decides of a finding; `last_seen` in microseconds."""

    group_id: str | None
    cluster_id: str | None
    severity: str
    status: str
    rule: str
    finding_id: str
    last_seen: int


class _Trouble(NamedTuple):
    """What its findings say of a group; `latest` is the last trouble, in microseconds."""

    findings: int = 0
    severity: str | None = None
    score: float = 0.0
    latest: int = 0


_WELL = _Trouble()


def ranked(findings: pa.Table, current: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Return both tables, the worst first, with the score of each group and its reasons."""
    rows_of_findings = list(map(_FindingRow._make, _rows(findings, _FindingRow._fields)))
    by_group: dict[_Key, list[_FindingRow]] = defaultdict(list)
    for finding in rows_of_findings:
        if finding.group_id is not None:
            by_group[_key(finding.group_id, finding.cluster_id)].append(finding)
    groups = [_key(*names) for names in _rows(current, ("group_id", "cluster_id"))]
    troubles = [_trouble_of(by_group[group]) if group in by_group else _WELL for group in groups]
    order = _worst_first(groups, troubles, column(current, "lag").to_pylist())
    for name in ("findings", "severity", "score"):
        number = current.schema.get_field_index(name)
        field = TABLES["current"].field(name)
        values = pa.array([getattr(group, name) for group in troubles], field.type)
        current = current.set_column(number, field, values)
    place = {groups[row]: number for number, row in enumerate(order)}
    return (
        _ordered("findings", findings, _by_group(rows_of_findings, place)),
        _ordered("current", current, order),
    )


def _worst_first(
    groups: Sequence[_Key], troubles: Sequence[_Trouble], lags: Sequence[int | None]
) -> list[int]:
    """Return the numbers of the groups' rows, the worst group first."""
    return sorted(
        range(len(groups)),
        key=lambda row: (
            -troubles[row].score,
            -troubles[row].latest,
            -(lags[row] or 0),
            *groups[row],
        ),
    )


def _by_group(rows_of_findings: Sequence[_FindingRow], place: Mapping[_Key, int]) -> list[int]:
    """Return the numbers of the findings: those of no group first, then by their groups' places."""

    def order(row: int) -> tuple[int, int, bool, str, str]:
        finding = rows_of_findings[row]
        key = _key(finding.group_id, finding.cluster_id)
        return (
            -1 if finding.group_id is None else place.get(key, -1),
            -Severity(finding.severity).rank,
            finding.status != "open",
            finding.rule,
            finding.finding_id,
        )

    return sorted(range(len(rows_of_findings)), key=order)


def _rows(table: pa.Table, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Return columns of a table row by row; times in microseconds."""
    columns = (column(table, name) for name in names)
    return zip(*map(_plain, columns), strict=True)


def _plain(values: pa.Array) -> list[Any]:
    is_time = pa.types.is_timestamp(values.type)
    plain: list[Any] = (values.cast(pa.int64()) if is_time else values).to_pylist()
    return plain


def _ordered(name: str, rows: pa.Table, order: Sequence[int]) -> pa.Table:
    chosen = rows.combine_chunks().take(pa.array(order, pa.int64()))
    return pa.Table.from_arrays(chosen.columns, schema=TABLES[name])


def _key(group_id: str | None, cluster_id: str | None) -> _Key:
    """A group's name may be that of another one in another cluster."""
    return group_id or "", cluster_id or ""


def _trouble_of(findings: Sequence[_FindingRow]) -> _Trouble:
    worst = max(Severity(finding.severity).rank for finding in findings)
    return _Trouble(
        len(findings),
        list(Severity)[worst].value,
        score([(finding.severity, finding.status) for finding in findings]),
        max(finding.last_seen for finding in findings),
    )
