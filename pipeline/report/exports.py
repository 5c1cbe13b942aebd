"""Findings for programs: JSON, SARIF 2.1.0 and OpenMetrics."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from ...inspector.shapes.checks import Audited, AuditFinding, GoneFinding
from ...inspector.shapes.sarif import MAX_RESULTS, SarifResult, SarifRule, file_uri, sarif_log
from ...inspector.shapes.shape import iso_time, json_text
from ...rebalance.judgements import ONLY_LIVE
from ..audit import AnyRule
from ..audit.changes import Changes
from ..audit.findings import evidence_shape
from ..audit.inputs import how_to_give
from ..run.audit import Audit
from .fleet_clients import fleet_clients
from .names import group_name
from .unread import lost_clusters, not_read

__all__ = ["as_json", "as_openmetrics", "as_sarif", "finding_shape"]

_LEVELS = {"info": "note", "warning": "warning", "error": "error", "critical": "error"}


def as_json(audit: Audit, teams: Mapping[str, str]) -> str:
    """Return an `Audited`: the findings with their evidence, the worst first, the rules that were
    not evaluated, and the counts.
    """
    changes = audit.changes
    return json_text(
        Audited(
            version=2,
            findings=[finding_shape(row, teams, changes) for row in audit.findings.to_pylist()],
            gone=None if changes is None else list(map(_gone_shape, changes.gone)),
            not_evaluated=audit.not_evaluated,
            only_live=[*ONLY_LIVE],
            how_to_give=how_to_give(audit.not_evaluated.values()),
            groups=audit.current.num_rows,
            records=audit.counts.said(),
            not_read=not_read(audit),
            clients=fleet_clients(audit, teams),
        )
    )


def _gone_shape(row: Mapping[str, Any]) -> GoneFinding:
    return GoneFinding(**{name: row[name] for name in GoneFinding.__struct_fields__})


def finding_shape(
    row: Mapping[str, Any], teams: Mapping[str, str], changes: Changes | None = None
) -> AuditFinding:
    """Return a row of the table `findings` as it is printed."""
    word = None if changes is None else changes.words.get(row["finding_id"])
    times = {name: row[name] for name in ("first_seen", "last_seen", "judged_at")}
    evidence = evidence_shape(json.loads(row["evidence"]))
    iso_times = {
        name: None if time is None else iso_time(time.timestamp() * 1000)
        for name, time in times.items()
    }
    return AuditFinding(
        **{**row, **iso_times, "evidence": evidence, "team": teams.get(row["group_id"])},
        change=word,
    )


def as_sarif(audit: Audit) -> str:
    """Return a SARIF log with a result for each finding. It is located at its group, which has the
    same name in every run; the record in its file, which has not, is a related location.

    Findings that are gone have no result: a code host that does not know `baselineState` would
    show them as open.
    """
    rows = audit.findings.to_pylist()
    words = {} if audit.changes is None else audit.changes.words
    log = sarif_log(
        map(_rule, audit.rules.values()),
        (_result(row, _BASELINE_STATES.get(words.get(row["finding_id"], ""), "")) for row in rows),
        run_keys={"properties": {"resultsLeftOut": max(len(rows) - MAX_RESULTS, 0)}},
    )
    return json_text(log)


def _rule(rule: AnyRule) -> SarifRule:
    return SarifRule(
        rule.id,
        rule.title,
        description=rule.condition,
        help=f"{rule.meaning}\n\n{rule.next_action}\n\nSee {rule.source}.",
        level=_LEVELS[rule.severity.value],
    )


_BASELINE_STATES = {"new": "new", "persisting": "unchanged"}


def _place(row: Mapping[str, Any]) -> dict[str, Any]:
    group = group_name(row["group_id"])
    location = {
        "name": group,
        "kind": "consumer group",
        "fullyQualifiedName": f"{row['cluster_id']}/{group}",
    }
    return {"logicalLocations": [location]}


def _result(row: dict[str, Any], baseline_state: str) -> SarifResult:
    evidence = json.loads(row["evidence"])
    group = group_name(row["group_id"])
    record = None
    if "source" in evidence:
        where = {"description": {"text": f"offset {evidence.get('source_offset')}"}}
        source = evidence["source"]
        uri = source if "://" in source else file_uri(source)
        record = {"physicalLocation": {"artifactLocation": where | {"uri": uri}}}
    return SarifResult(
        row["rule"],
        _LEVELS[row["severity"]],
        f"{group}: {row['explanation']}",
        _place(row),
        row["finding_id"],
        {
            **{name: row[name] for name in ("severity", "basis", "status", "cause", "certainty")},
            "nextAction": row["next_action"],
            "evidence": evidence_shape(evidence),
        },
        occurrences=max(row["count"], 1),
        baseline_state=baseline_state,
        related=record,
    )


def as_openmetrics(
    audit: Audit,
    teams: Mapping[str, str],
    partitions: pa.Table | None = None,
    *,
    changes_by_group: bool = False,
) -> str:
    """Return gauges by group in OpenMetrics. A group without findings, a lag or a commit has no
    line for it. `partitions` are rows of the table `lag`, whose lag is told one by one; with
    `changes_by_group` so are the groups of findings that are new, persisting or gone.
    """
    changes = _changes(audit, teams, by_group=changes_by_group)
    lines = [*_metrics(audit, teams), *changes, *_partition_lags(partitions, teams), "# EOF"]
    return "\n".join(lines) + "\n"


def _changes(audit: Audit, teams: Mapping[str, str], *, by_group: bool) -> Iterator[str]:
    if audit.changes is None:
        return
    words = audit.changes.words
    changed = [(words.get(row["finding_id"]), row) for row in audit.findings.to_pylist()]
    counts = Counter(
        (row["cluster_id"], row["group_id"] if by_group else None, change, *_ranks(row))
        for change, row in (*changed, *(("gone", row) for row in audit.changes.gone))
        if change is not None
    )
    yield "# TYPE kproto_findings_since_baseline gauge"
    yield "# HELP kproto_findings_since_baseline Findings by what became of them."
    for (cluster, group, *values), count in sorted(counts.items(), key=str):
        by_column = dict(zip(("change", *_RANKS), values, strict=True))
        yield f"kproto_findings_since_baseline{_labels(group, teams, cluster, **by_column)} {count}"


_RANKS = ("rule", "severity", "status")


def _ranks(row: Mapping[str, Any]) -> Iterator[str]:
    return (row[name] for name in _RANKS)


def _partition_lags(partitions: pa.Table | None, teams: Mapping[str, str]) -> Iterator[str]:
    if partitions is None:
        return
    yield "# TYPE kproto_partition_lag gauge"
    yield "# HELP kproto_partition_lag Records behind the end of a partition."
    for row in partitions.to_pylist():
        if row["lag"] is not None:
            labels = _labels(
                row["group_id"], teams, row["cluster_id"],
                topic=row["topic"] or "", partition=str(row["partition"]),
            )  # fmt: skip
            yield f"kproto_partition_lag{labels} {row['lag']}"


def _metrics(audit: Audit, teams: Mapping[str, str]) -> Iterator[str]:
    rows = audit.findings.to_pylist()
    groups = audit.current.to_pylist()
    counts = Counter(
        tuple(row[name] for name in ("cluster_id", "group_id", *_COUNTED)) for row in rows
    )
    yield "# TYPE kproto_findings gauge"
    yield "# HELP kproto_findings Findings of the audit; those about the fleet have no group."
    for (cluster, group, *values), count in sorted(counts.items(), key=str):
        by_column = dict(zip(_COUNTED, values, strict=True))
        labels = _labels(group, teams, cluster, **by_column)
        yield f"kproto_findings{labels} {count}"
    present = {str(row["cluster_id"]) for row in (*groups, *rows)}
    clusters = sorted(present.union(audit.clusters)) or ["unknown"]
    yield from _moments(groups, clusters)
    yield "# TYPE kproto_cluster_audited gauge"
    yield "# HELP kproto_cluster_audited Whether the cluster could be read: 1, or 0."
    audited = dict.fromkeys(clusters, 1) | dict.fromkeys(lost_clusters(audit), 0)
    for cluster, value in audited.items():
        yield f'kproto_cluster_audited{{cluster="{_escaped(cluster)}"}} {value}'
    for name, column, text in _GAUGES:
        yield f"# TYPE kproto_group_{name} gauge"
        yield f"# HELP kproto_group_{name} {text}"
        for row in groups:
            value = row[column]
            if value is not None:
                number = value.timestamp() if hasattr(value, "timestamp") else value
                labels = _labels(row["group_id"], teams, row["cluster_id"])
                yield f"kproto_group_{name}{labels} {number:.15g}"
    yield from _records(audit, clusters)


def _records(audit: Audit, clusters: Sequence[str]) -> Iterator[str]:
    """Yield how many records were read. They are counted for the run: where it is of several
    clusters, the numbers are of none of them."""
    metric, of_cluster = "kproto_run_records", ""
    if len(clusters) == 1:
        metric, of_cluster = "kproto_records", f',cluster="{_escaped(clusters[0])}"'
    yield f"# TYPE {metric} gauge"
    yield f"# HELP {metric} Records of the offsets topic, by what became of them."
    for name, count in audit.counts.said().items():
        yield f'{metric}{{fate="{name}"{of_cluster}}} {count}'


def _moments(groups: Sequence[Mapping[str, Any]], clusters: Sequence[str]) -> Iterator[str]:
    """Yield when the audit was, and the time of the newest record of each cluster: alerts on
    either tell an audit that did not run, or a source that is behind."""
    newest: dict[str, float] = {}
    for row in groups:
        for time in (row["record_timestamp"], row["last_commit_timestamp"]):
            if time is not None:
                cluster = str(row["cluster_id"])
                newest[cluster] = max(newest.get(cluster, 0.0), time.timestamp())
    yield "# TYPE kproto_audit_timestamp_seconds gauge"
    yield "# HELP kproto_audit_timestamp_seconds When the audit was."
    moment = datetime.now(UTC).timestamp()
    for cluster in clusters:
        yield f'kproto_audit_timestamp_seconds{{cluster="{_escaped(cluster)}"}} {moment:.15g}'
    yield "# TYPE kproto_newest_record_timestamp_seconds gauge"
    yield "# HELP kproto_newest_record_timestamp_seconds The time of the newest record."
    for cluster, time in sorted(newest.items()):
        labels = f'{{cluster="{_escaped(cluster)}"}}'
        yield f"kproto_newest_record_timestamp_seconds{labels} {time:.15g}"


_COUNTED = ("rule", "severity", "status", "basis")
"""What findings are counted by, beside their group."""
_GAUGES = (
    ("score", "score", "How much trouble the group is in."),
    ("members", "members", "Members of the group."),
    ("generation", "generation", "Its generation, or epoch."),
    ("lag", "lag", "Records behind the ends of its partitions."),
    ("last_commit_timestamp_seconds", "last_commit_timestamp", "When it last committed."),
)


def _labels(group: str | None, teams: Mapping[str, str], cluster: str, **more: str) -> str:
    labels = more
    if group is not None:  # an empty label would be none
        labels = {"group": group_name(group), **more}
        if group in teams:
            labels["team"] = teams[group]
    labels["cluster"] = cluster
    inside = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{inside}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
