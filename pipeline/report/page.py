"""The report: one page of HTML, made from the published tables.

It needs no network and no script and follows the reader's light or dark. The groups in most trouble
have a section with all that is known. What was found in others is listed rule by rule, with what to
do once for each rule: a fleet of thousands has to be a page that a browser opens. Text out of the
topic is data: it is escaped by the template, and what does not show is made visible.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from rich.console import Console

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Message,
)
from ...escaping import escaped
from ...history.finding_sentences import finding_sentences
from ...inspector import Inspection, examine
from ...inspector.diagnose.fingerprints import fingerprint_of_subscription
from ...inspector.shapes.checks import FleetClient
from ...pages import render
from ...pages.filters import Filters
from ...wording import counted, some_of
from ..audit import AnyRule, Severity
from ..audit.findings import LOUD
from ..audit.inputs import lines_of_skipped_rules
from ..run.audit import Audit
from ..sources.places import filesystem
from ..tables.manifest import columns_of, paths_of
from ..tables.schemas import TABLES
from ..tables.writing import WrittenFile
from .evidence_texts import evidence_texts
from .exports import as_json, as_openmetrics, as_sarif
from .fleet_clients import fleet_clients
from .names import NO_RECORDS, age, as_of, group_name, member_names, several_clusters
from .ownership import MAX_STEPS, Assigned, picture
from .unread import lost_clusters, unread_sentences

__all__ = ["MAX_BRIEF", "MAX_GROUPS", "MAX_SECTIONS", "page_of", "texts_of"]

MAX_SECTIONS = 50
"""Groups with a section that has everything."""
MAX_BRIEF = 6_000
"""Findings at warning or above that are listed by their rules, of the other groups."""
MAX_GROUPS = 10_000
"""Groups in the table."""
_NAMED = 3  # groups beside a rule
_MOST = 20  # findings, members, rebalances of a section
_MOST_BRIEF = 100  # findings of a section, those in brief included
_MOST_CLIENTS = 100  # rows of clients, and groups of one of them
_MOST_CHOICES = 200  # of a filter
_MOST_CHANGES = 500  # new or gone

_COLUMNS = {
    "groups": ["cluster_id", "group_id", "source_offset", "generation", "record_timestamp"],
    "assignments": ["cluster_id", "group_id", "source_offset", "member_id", "topic", "partition"],
}
"""What is read of tables of which not everything is shown."""
_COSTS = (
    ("records_again", "sum"), ("records_again_at_most", "sum"), ("records_skipped", "sum"),
    ("without_commit_ms", "max"),
)  # fmt: skip
_ONLY_RECENT = {"assignments", "members"}

_Key: TypeAlias = tuple[str | None, str | None]
"""A cluster and a group; no group for what is said of all of a cluster."""


def page_of(uri: str, audit: Audit, teams: Mapping[str, str]) -> str:
    """Return the HTML page of the audit whose tables are at this place."""
    groups = audit.current.to_pylist()
    findings = _findings(audit.findings.to_pylist())
    chosen = groups[:MAX_SECTIONS]
    tables = _Tables(uri, audit.files, [row["group_id"] for row in chosen])
    sections = [
        _section(number, row, findings.get(_key(row), []), tables, audit.rules)
        for number, row in enumerate(chosen)
    ]
    more_groups = [row | {"said": findings.get(_key(row), [])} for row in groups[MAX_SECTIONS:]]
    troubled = [
        row for row in more_groups if any(finding["severity"] in LOUD for finding in row["said"])
    ]
    brief, left_out = _brief(troubled, audit.rules)
    cluster = ", ".join(sorted({row["cluster_id"] for row in groups} - {"unknown"}))
    labels = _labels(groups, teams)
    return render(
        "report.html.jinja",
        title=f"Consumer groups of {cluster}" if cluster else "Consumer groups",
        named=lambda name: group_name(name, escaped),
        made=datetime.now(UTC),
        clusters=several_clusters(groups),
        audit=audit,
        fresh=_new_findings(audit),
        most_changes=_MOST_CHANGES,
        fleet=[row for (_, group), rows in findings.items() if group is None for row in rows],
        now=_by_rule(findings, "open"),
        was=_by_rule(findings, "over"),
        broken=_troubled(findings, "open"),
        severities=_severities(audit),
        kinds=Counter(f"{row['group_type']}, {row['state']}" for row in groups).most_common(),
        groups=groups[:MAX_GROUPS],
        software=_software(fleet_clients(audit, teams)),
        most_software=_MOST_CLIENTS,
        has_clients=any(row["clients"] for row in groups[:MAX_GROUPS]),
        clients_of=_clients,
        left_out=max(len(groups) - MAX_GROUPS, 0),
        sections=sections,
        brief=brief,
        troubled_left_out=left_out,
        remarked=sum(1 for row in more_groups if row["said"]) - len(troubled),
        numbers={_key(section["row"]): section["number"] for section in sections}
        | {
            _key(item["group"]): item["number"]
            for part in brief
            for item in part["rows"]
            if item["number"] is not None
        },
        key=_key,
        age=age,
        labels=labels,
        filters=Filters(labels.values(), _MOST_CHOICES),
        teams=teams,
        pages=audit.rules,
        lost=lost_clusters(audit),
        unread=list(unread_sentences(audit, _MOST)),
        no_records=NO_RECORDS,
        as_of=as_of(audit.current),
        skipped=list(lines_of_skipped_rules(audit.not_evaluated)),
    )


def _new_findings(audit: Audit) -> list[dict[str, Any]]:
    """Return the findings that no baseline has, the worst first; none without a baseline."""
    words = {} if audit.changes is None else audit.changes.words
    rows = [row for row in audit.findings.to_pylist() if words.get(row["finding_id"]) == "new"]
    return sorted(rows, key=lambda row: -Severity(row["severity"]).rank)


def _severities(audit: Audit) -> dict[str, int]:
    by_severity = Counter(audit.findings.column("severity").to_pylist())
    return {name: by_severity[name] for name in ("critical", "error", "warning", "info")}


def _key(row: Mapping[str, Any]) -> _Key:
    return row["cluster_id"], row["group_id"]


def _clients(row: Mapping[str, Any]) -> str:
    """Return the libraries that the members of a group could be, those that write the same bytes by
    their first alone."""
    texts = []  # without releases: the table has them
    for choice in row["clients"] or ():
        first, *others = (name.partition(" (")[0] for name in choice.split(" or "))
        texts.append(f"{first} or {counted(len(others), 'other')}" if others else first)
    return ", ".join(dict.fromkeys(texts))


def _software(clients: Sequence[FleetClient]) -> list[tuple[str, list[FleetClient]]]:
    """Return the clients in parts with their titles: those of the first one are shown."""
    parts: dict[str, list[FleetClient]] = {"": [], _SEVERAL: [], _SOUND: []}
    for client in clients:
        several = _SEVERAL if " or " in client.client else ""
        parts[several if client.faults else _SOUND].append(client)
    return [(title, rows) for title, rows in parts.items() if rows]


_SEVERAL = "Clients with such faults that their bytes do not tell from others"
_SOUND = "Clients without a known fault"


def _by_rule(findings: Mapping[_Key, list[dict[str, Any]]], status: str) -> list[dict[str, Any]]:
    """Return a row for each rule and severity, the worst first: of how many groups, since when."""
    by_rule: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for (_, group), rows in findings.items():
        for row in rows if group is not None else ():  # of the fleet a paragraph of its own speaks
            if row["status"] == status:
                by_rule.setdefault((row["severity"], row["rule"]), []).append(row)
    sentences = [
        {
            "rule": rule,
            "severity": severity,
            "groups": len({_key(row) for row in rows}),
            "names": some_of(sorted({str(row["group_id"]) for row in rows}), _NAMED),
            "findings": len(rows),
            "guessed": all(row["basis"] == "inferred" for row in rows),
            "since": min(row["first_seen"] for row in rows),
            "latest": max(row["last_seen"] for row in rows),
        }
        for (severity, rule), rows in by_rule.items()
    ]
    return sorted(
        sentences, key=lambda row: (-Severity(row["severity"]).rank, -row["groups"], row["rule"])
    )


def _troubled(findings: Mapping[_Key, list[dict[str, Any]]], status: str) -> int:
    """Return how many groups have a finding at warning or above with this status."""
    return sum(
        any(row["status"] == status and row["severity"] in LOUD for row in rows)
        for (_, group), rows in findings.items()
        if group is not None
    )


def _findings(rows: Iterable[dict[str, Any]]) -> dict[_Key, list[dict[str, Any]]]:
    by_key: dict[_Key, list[dict[str, Any]]] = {}
    for row in rows:
        by_key.setdefault(_key(row), []).append(row)
    return by_key


def _labels(
    groups: Iterable[Mapping[str, Any]], teams: Mapping[str, str]
) -> dict[_Key, dict[str, Iterable[str]]]:
    """Return what each group is filtered by."""
    return {
        _key(row): {
            "cluster": [row["cluster_id"] or ""],
            "team": [teams[row["group_id"]]] if row["group_id"] in teams else [],
            "topic": row["topics"] or (),
        }
        for row in groups
    }


def partition_lags(uri: str, files: Iterable[WrittenFile]) -> pa.Table:
    """Return who is how far behind on which partition, from the table `lag` at this place."""
    store, path = filesystem(uri)
    columns = ["cluster_id", "group_id", "topic", "partition", "lag"]
    return columns_of(store, paths_of(path, "lag", files), "lag", columns)


class _Tables:
    """Rows of published tables, of the groups that have a section."""

    def __init__(self, uri: str, files: Sequence[WrittenFile], names: Sequence[str]) -> None:
        self._store, self._path = filesystem(uri)
        self._files = files
        self._names = pa.array(names, pa.string())
        self._read: dict[str, dict[_Key, list[dict[str, Any]]]] = {}

    def of(self, table: str, group: _Key) -> list[dict[str, Any]]:
        """Return the rows of a group, in the order of the log."""
        if table not in self._read:
            self._read[table] = self._grouped(table)
        return self._read[table].get(group, [])

    def costs(self, group: _Key) -> dict[int, dict[str, Any]]:
        """Return what each rebalance of a group did to all its partitions, by generation."""
        if "rebalance_costs" not in self._read:
            keys = ["cluster_id", "group_id", "generation"]
            rows = self._rows("rebalance_costs").group_by(keys).aggregate(list(_COSTS))
            of_groups: dict[_Key, list[dict[str, Any]]] = {}
            for row in rows.to_pylist():
                of_groups.setdefault(_key(row), []).append(row)
            self._read["rebalance_costs"] = of_groups
        return {row["generation"]: row for row in self._read["rebalance_costs"].get(group, [])}

    def _grouped(self, table: str) -> dict[_Key, list[dict[str, Any]]]:
        rows = self._rows(table)
        if table in _ONLY_RECENT:
            rows = rows.filter(self._is_recent(rows))
        by_key: dict[_Key, list[dict[str, Any]]] = {}
        for row in rows.sort_by("source_offset").to_pylist():
            by_key.setdefault(_key(row), []).append(row)
        return by_key

    def _rows(self, table: str) -> pa.Table:
        """Return the groups' rows, read one row group after the other: a table may be large."""
        paths = paths_of(self._path, table, self._files)
        source = ds.dataset(paths, filesystem=self._store, schema=TABLES[table], format="parquet")
        scanner = source.scanner(
            columns=_COLUMNS.get(table),
            filter=pc.field("group_id").isin(self._names),
            batch_readahead=1,
            fragment_readahead=1,
            use_threads=False,
        )
        return scanner.to_table()

    def _is_recent(self, rows: pa.Table) -> pa.ChunkedArray:
        """Return whether a row is of the steps that are drawn, or of the last one that has rows."""
        first: dict[str, int] = {}
        for (_, name), steps in self._read.setdefault("groups", self._grouped("groups")).items():
            first_step = steps[-MAX_STEPS]["source_offset"] if len(steps) > MAX_STEPS else 0
            first[name or ""] = min(first_step, first.get(name or "", first_step))
        last = rows.group_by("group_id").aggregate([("source_offset", "max")])
        for name, offset in zip(*(last[row].to_pylist() for row in last.column_names), strict=True):
            first[name] = min(offset, first.get(name, 0))
        place = pc.index_in(rows["group_id"], value_set=pa.array(first, pa.string()))
        return pc.greater_equal(
            rows["source_offset"], pc.take(pa.array(first.values(), pa.int64()), place)
        )


def _section(
    number: int,
    row: Mapping[str, Any],
    findings: Sequence[dict[str, Any]],
    tables: _Tables,
    rules: Mapping[str, AnyRule],
) -> dict[str, Any]:
    group = _key(row)
    rebalances = tables.of("rebalances", group)
    costs = tables.costs(group)
    members = tables.of("members", group)
    current_members = [
        member for member in members if member["source_offset"] == row["source_offset"]
    ]
    last = current_members or _last(members)
    return {
        "number": number,
        "row": row,
        "findings": [_shown_finding(finding, rules) for finding in findings[:_MOST]],
        "in_brief": [_brief_finding(finding, rules) for finding in findings[_MOST:_MOST_BRIEF]],
        "more_findings": max(len(findings) - _MOST_BRIEF, 0),
        "rebalances": [
            _shown_rebalance(rebalance, costs) for rebalance in rebalances[-_MOST:][::-1]
        ],
        "more_rebalances": max(len(rebalances) - _MOST, 0),
        "members": [member | {"writers": writers(member)} for member in last[:_MOST]],
        "more_members": max(len(last) - _MOST, 0),
        "members_are_past": bool(last) and not current_members,
        "picture": picture(_assignments(tables, group, members)),
    }


def _brief(
    groups: Sequence[dict[str, Any]], rules: Mapping[str, AnyRule]
) -> tuple[list[dict[str, Any]], int]:
    """Return the findings of these groups at warning or above, by rule, severity and status, the
    worst first, and how many groups there is no room for.

    A row has the number of its group where it is the group's first, so that the table can link it.
    """
    parts: dict[tuple[int, str, str], list[dict[str, Any]]] = {}
    left = MAX_BRIEF
    for count, row in enumerate(groups):
        loud = [finding for finding in row["said"] if finding["severity"] in LOUD]
        findings = loud[:_MOST_BRIEF]
        left -= len(findings)
        if left < 0:
            return _parts(parts, rules), len(groups) - count
        for first, finding in enumerate(findings):
            rank = -Severity(finding["severity"]).rank
            rows = parts.setdefault((rank, finding["status"], finding["rule"]), [])
            number = None if first else MAX_SECTIONS + count
            rows.append({"group": row, "finding": finding, "number": number})
    return _parts(parts, rules), 0


def _parts(
    parts: Mapping[tuple[int, str, str], list[dict[str, Any]]], rules: Mapping[str, AnyRule]
) -> list[dict[str, Any]]:
    return [
        {
            "rule": rule,
            "page": rules.get(rule),
            "severity": rows[0]["finding"]["severity"],
            "status": status,
            "groups": len({_key(row["group"]) for row in rows}),
            "rows": rows,
        }
        for (_, status, rule), rows in sorted(parts.items(), key=lambda part: part[0])
    ]


def _last(members: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the members of the last record that had any."""
    at = members[-1]["source_offset"] if members else None
    return [member for member in members if member["source_offset"] == at]


def _assignments(tables: _Tables, group: _Key, members: Sequence[dict[str, Any]]) -> list[Assigned]:
    steps = tables.of("groups", group)
    rows_by_step: dict[int, list[dict[str, Any]]] = {
        step["source_offset"]: [] for step in steps[-MAX_STEPS:]
    }
    for member in members:
        if member["source_offset"] in rows_by_step:
            rows_by_step[member["source_offset"]].append(member)
    names = member_names(rows_by_step.values())
    owners_by_step: dict[int, dict[str, str]] = {step["source_offset"]: {} for step in steps}
    for row in tables.of("assignments", group):
        if row["source_offset"] in owners_by_step and row["topic"] is not None:
            name = names.get(row["member_id"], row["member_id"])
            owners_by_step[row["source_offset"]][f"{row['topic']}-{row['partition']}"] = name
    return [
        Assigned(
            step["generation"], step["record_timestamp"], owners_by_step[step["source_offset"]]
        )
        for step in steps
    ]


def _shown_finding(row: dict[str, Any], rules: Mapping[str, AnyRule]) -> dict[str, Any]:
    evidence = json.loads(row["evidence"])
    data = evidence.get("hex")
    sentences = finding_sentences(row["explanation"], row["cause"], row["certainty"])
    return row | {
        "sentences": sentences.text,
        "page": rules.get(row["rule"]),
        "evidence": evidence_texts(evidence),
        "view": inspected(data, evidence.get("field", "subscription")) if data else None,
    }


def _brief_finding(row: dict[str, Any], rules: Mapping[str, AnyRule]) -> dict[str, Any]:
    evidence = json.loads(row["evidence"])
    place = {name: evidence.get(name) for name in ("source", "source_offset")}
    return row | place | {"page": rules.get(row["rule"])}


_HANDOVERS = {
    None: "newly assigned", "revoked": "given back", "owner_left": "left by their owner",
    "eager": "given back with all others", "unknown": "not known",
}  # fmt: skip
"""What a page says of `Move.handover`."""


def _shown_rebalance(row: dict[str, Any], costs: Mapping[int, Any]) -> dict[str, Any]:
    handovers = Counter(_HANDOVERS[move["handover"]] for move in row["moves"] or ())
    cost = costs.get(row["generation"])
    return row | {
        "handovers": ", ".join(f"{n:,} {name}" for name, n in handovers.most_common()),
        "cost": cost,
        "read_twice": "" if cost is None else _read_twice(cost),
    }


def _read_twice(cost: Mapping[str, Any]) -> str:
    again, estimate = cost["records_again_sum"] or 0, cost["records_again_at_most_sum"]
    if not estimate:
        return f"{again:,}"
    return f"{again:,} and at most {estimate:,}" if again else f"at most {estimate:,}"


# -- payloads of members, as the inspector shows them


_WIDTH = 110
_CLASSES: dict[str, type[Message]] = {
    "subscription": ConsumerProtocolSubscription,
    "assignment": ConsumerProtocolAssignment,
}


def inspected(data: str, field: str) -> str:
    """Return the inspector's view of bytes (in hex) as plain text."""
    console = Console(
        width=_WIDTH, record=True, file=StringIO(), markup=False, emoji=False, highlight=False,
        color_system=None, legacy_windows=False,
    )  # fmt: skip
    kind = _CLASSES.get(field, ConsumerProtocolSubscription)
    console.print(Inspection(examine(bytes.fromhex(data), kind)))
    return console.export_text()


def writers(member: Mapping[str, Any]) -> tuple[str, ...]:
    """Return short names of the clients that could have written a member's metadata."""
    if member["protocol_type"] != "consumer" or not member["metadata"]:
        return ()
    return fingerprint_of_subscription(member["metadata"], member["protocol"]).in_short


def texts_of(
    audit: Audit,
    tables: str,
    teams: Mapping[str, str] = {},
    *,
    by_partition: bool = False,
    changes_by_group: bool = False,
) -> dict[str, str]:
    """Return the texts of findings.json, findings.sarif, metrics.txt and report.html, by these
    names. `tables` is the folder of the audit's tables. `by_partition`: metrics have the lag of
    each partition, too; `changes_by_group`: the groups of what is new, persisting or gone.
    """
    partitions = partition_lags(tables, audit.files) if by_partition else None
    return {
        "findings.json": as_json(audit, teams),
        "findings.sarif": as_sarif(audit),
        "metrics.txt": as_openmetrics(audit, teams, partitions, changes_by_group=changes_by_group),
        "report.html": page_of(tables, audit, teams),
    }
