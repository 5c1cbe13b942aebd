"""The verdict on a fleet: what is found in all groups together, and the order of the groups."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ..audit import Finding, Fleet, GroupEnd, end_findings, lacking, new_finding, signs
from ..audit.rules.offsets_topic import FOLDED, left_behind
from ..tables.schemas import TABLES
from .commits_seen import CommitsSeen
from .group_tables import finding_table
from .intake import Counts
from .options import Options, some
from .ranking import ranked, with_status

__all__ = ["FLEET_COLUMNS", "FLEET_ROWS", "Verdict", "lacking_inputs", "verdict"]

FLEET_COLUMNS: dict[str, list[str]] = {
    "rebalances": [
        "cluster_id", "source_partition", "record_timestamp", "group_id", "cause", "moves",
        "since_previous_ms",
    ],
    "current": TABLES["current"].names,
    "findings": TABLES["findings"].names,
    "lag": TABLES["lag"].names,
}  # fmt: skip
"""The columns that a verdict needs, of the tables of all groups."""

FLEET_ROWS = {
    "lag": (pc.field("lag") > 0)
    | (pc.field("rewinds") > 0)
    | (pc.field("pauses") > 0)
    | pc.field("skipped_at").is_valid()
    | (pc.field("committed_offset") > pc.field("end_offset"))
    | (pc.field("committed_offset") < pc.field("start_offset"))
    | (pc.field("is_subscribed") == False)  # noqa: E712  # an expression of Arrow
}
"""Which rows of a table are wanted, where not all are: those in which a rule may find something
that waits until all is read. Most groups have none."""


class Verdict(NamedTuple):
    """The verdict on a fleet: whole tables by their names, `findings` and `current` with the worst
    group first; and the rules that lacked an input, with the inputs they lacked.
    """

    tables: Mapping[str, pa.Table]
    not_evaluated: dict[str, list[str]]


def verdict(staged: Mapping[str, pa.Table], options: Options, counts: Counts) -> Verdict:
    """Return the verdict, from the rows of all groups with the columns of `FLEET_COLUMNS`."""
    groups = [staged["current"], *map(_told_groups(staged["current"]), options.each)]
    staged = {**staged, "current": pa.concat_tables(groups)}
    if not options.clusters:
        clusters = [_Cluster(options, staged, counts.latest)]
    else:
        clusters = [_Cluster.of(cluster, staged) for cluster in options.clusters]
    findings, current = ranked(
        pa.concat_tables([cluster.findings() for cluster in clusters]), staged["current"]
    )
    tables = {
        "findings": findings,
        "current": current,
        "topics": pa.concat_tables(map(_topics, options.each)),
        "group_states": pa.concat_tables(map(_states, options.each)),
    }
    return Verdict(tables, _all_not_evaluated(clusters))


class _Cluster(NamedTuple):
    """What was staged of a cluster, and the time of its latest record."""

    options: Options
    staged: Mapping[str, pa.Table]
    latest: int

    @classmethod
    def of(cls, options: Options, staged: Mapping[str, pa.Table]) -> _Cluster:
        """Return what is of one cluster among several, which may be of different days."""
        mine = {
            name: rows.filter(pc.equal(rows.column("cluster_id"), options.cluster_id))
            if "cluster_id" in rows.column_names
            else rows
            for name, rows in staged.items()
        }
        times = [
            pc.max(mine["current"].column(name)).cast(pa.int64()).as_py()
            for name in ("record_timestamp", "last_commit_timestamp")
        ]
        return cls(options, mine, max((time // 1000 for time in times if time), default=-1))

    def findings(self) -> pa.Table:
        """Return the findings of its groups, and of all of them together."""
        options, moment = self.options, max(self.latest, self.options.now or -1)
        if moment < 0:  # logs alone
            moment = max((log.latest_ms for log in (options.logs or {}).values()), default=-1)
        fleet = Fleet(self.staged["current"], self.staged["rebalances"])
        late = [
            *_about_all(fleet, options),
            *_about_commits(self.staged["lag"], options, moment),
            *_about_logs(options, self._with_records),
        ]
        findings = pa.concat_tables([self.staged["findings"], finding_table(late)])
        return with_status(_folded(findings, self.staged["current"], options), options, moment)

    @property
    def _with_records(self) -> set[str]:
        """The groups of which there are records."""
        current = self.staged["current"]
        rows = current.filter(current.column("records").is_valid())
        return set(rows.column("group_id").to_pylist())

    def not_evaluated(self) -> dict[str, list[str]]:
        """Return the inputs that rules lack."""
        return _not_evaluated(self.options, self.staged["current"])


def _all_not_evaluated(clusters: Sequence[_Cluster]) -> dict[str, list[str]]:
    """Return the inputs that rules lack in any cluster, which is named where others have them."""
    if len(clusters) == 1:
        return clusters[0].not_evaluated()
    where: dict[tuple[str, str], list[str]] = {}
    for cluster in clusters:
        for rule, inputs in cluster.not_evaluated().items():
            for name in inputs:
                where.setdefault((rule, name), []).append(cluster.options.cluster_id)
    lacks: dict[str, list[str]] = {}
    for (rule, name), ids in where.items():
        everywhere = len(ids) == len(clusters)
        lacks.setdefault(rule, []).append(name if everywhere else f"{name} in {', '.join(ids)}")
    return lacks


def _folded(findings: pa.Table, current: pa.Table, options: Options) -> pa.Table:
    """Return the findings without those about groups that were left behind by the dozen, of which
    one finding speaks."""
    rule = next((rule for rule in options.fleet_rules if rule.id == "groups-left-behind"), None)
    if rule is None:
        return findings
    groups = left_behind(current, rule.thresholds["groups"])
    names = [name for members in groups.values() for name in members]
    if not names:
        return findings
    of_them = pc.is_in(findings.column("group_id"), value_set=pa.array(names, pa.string()))
    is_folded = pc.is_in(findings.column("rule"), value_set=pa.array(sorted(FOLDED), pa.string()))
    return findings.filter(pc.invert(pc.and_(of_them, is_folded)))


def _about_all(fleet: Fleet, options: Options) -> Iterator[Finding]:
    times = fleet.rebalances.column("record_timestamp")
    latest = pa.compute.max(times).cast(pa.int64()).as_py() or 0
    for rule in options.fleet_rules:
        for sign in signs(rule, rule.find, "the fleet", fleet):
            yield new_finding(options.cluster_id, None, rule, sign, latest // 1000)


def _about_commits(lags: pa.Table, options: Options, moment: int) -> Iterator[Finding]:
    """Yield what rules find in commits, at the moment when all partitions have been read."""
    inputs, commits = options.inputs, CommitsSeen(lags)
    rules_of = commits.asked(rule for rule in options.end_rules if rule.late)
    members = dict(
        zip(*(lags.column(name).to_pylist() for name in ("group_id", "members")), strict=True)
    )
    for group_id in commits.groups:
        rules = rules_of(group_id)
        if rules:
            end = GroupEnd(
                group_id,
                moment,
                commits=commits.of(group_id),
                inputs=inputs,
                members=members[group_id],
            )
            yield from end_findings(options.cluster_id, end, rules)


_BY_LOGS = frozenset({"logs", "settings"})
"""Inputs of rules that need no records."""


def _about_logs(options: Options, with_records: Container[str]) -> Iterator[Finding]:
    """Yield what logs tell, at the time of the last line about each group; and what rules that need
    no records find by it, in groups of which there is none."""
    rules = sorted(
        (rule for rule in options.end_rules if rule.inputs_needed <= _BY_LOGS),
        key=lambda rule: "logs" not in rule.inputs,
    )
    for group_id, log in (options.logs or {}).items():
        if not options.wants(group_id):
            continue
        findings: list[Finding] = []
        for rule in rules[:1] if group_id in with_records else rules:
            end = GroupEnd(
                group_id,
                log.latest_ms,
                causes=log.causes,
                inputs=options.inputs,
                findings=findings,
                client_settings=[
                    settings for settings in options.client_settings if settings.group == group_id
                ],
            )
            findings += list(end_findings(options.cluster_id, end, (rule,)))
        yield from findings


def _told_groups(current: pa.Table) -> Callable[[Options], pa.Table]:
    """Return a function that returns rows of `current` for groups that logs alone tell of."""
    present = set(current.column("group_id").to_pylist())

    def rows_of(options: Options) -> pa.Table:
        rows = [
            {
                "cluster_id": options.cluster_id,
                "group_id": group_id,
                "group_type": log.kind,
                "state": "not known",
                "rebalances": log.rebalances,
            }
            for group_id, log in (options.logs or {}).items()
            if group_id not in present and options.wants(group_id)
        ]
        return pa.Table.from_pylist(rows, TABLES["current"])

    return rows_of


def _not_evaluated(options: Options, current: pa.Table) -> dict[str, list[str]]:
    """Return the inputs that rules lack, or have of some groups alone."""
    return lacking_inputs(options, {**_hidden(options, current), **options.withheld})


def lacking_inputs(options: Options, withheld: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the inputs that each rule lacks; those that are withheld with what keeps them."""
    of_changes = {"changes"} - options.inputs
    lacks = {
        rule.id: sorted(
            lacking(rule, options.inputs)
            | (withheld.keys() & set(rule.inputs))
            | (of_changes if rule.is_of_changes else set())
        )
        for rule in options.rules
    }
    return {
        rule: [f"{name}: {withheld[name]}" if name in withheld else name for name in names]
        for rule, names in lacks.items()
        if names
    }


def _hidden(options: Options, current: pa.Table) -> dict[str, str]:
    """Return what a broker does not list to a principal without rights, and says nothing of: groups
    that have members by their records, and topics that groups read.
    """
    if options.now is None:  # no broker was asked
        return {}
    hidden = {}
    names = ("group_id", "state", "members", "topics")
    rows = list(zip(*(current.column(name).to_pylist() for name in names), strict=True))
    states, topics = options.states or {}, options.topics or {}
    unseen = {name for name, state, members, _ in rows if members and state == "stable"}
    unseen -= states.keys()
    if options.states is not None and unseen:
        hidden["states"] = (
            f"the broker does not list {some(unseen)}, though nothing is forbidden: their "
            "partition of the offsets topic may not be loaded"
            if options.lists_all
            else f"DESCRIBE on the groups {some(unseen)}, unless their partition is not loaded"
        )
    read = {topic for *_, of_group in rows for topic in of_group or ()} - topics.keys()
    if options.topics is not None and read:
        missing = f"DESCRIBE on the topics {some(read)}, unless they were deleted"
        hidden |= {"ends": missing, "topics": missing}
    return hidden


def _topics(options: Options) -> pa.Table:
    rows: list[dict[str, Any]] = []
    for topic, facts in sorted((options.topics or {}).items()):
        row = {
            "cluster_id": options.cluster_id,
            "topic": topic,
            "topic_id": facts.topic_id,
            "partitions": facts.partitions,
        }
        ends = [
            {"partition": number, "end_offset": end} for number, end in sorted(facts.ends.items())
        ]
        rows += [row | end for end in ends] or [row]
    return pa.Table.from_pylist(rows, TABLES["topics"])


def _states(options: Options) -> pa.Table:
    rows = [
        {
            "cluster_id": options.cluster_id,
            "source": state.source,
            "observed_at": None if state.observed_ms is None else state.observed_ms * 1000,
            "group_id": group_id,
            "group_type": state.group_type,
            "state": state.state,
            "protocol": state.protocol,
            "coordinator": state.coordinator,
            "members": state.members,
        }
        for group_id, state in sorted((options.states or {}).items())
    ]
    return pa.Table.from_pylist(rows, TABLES["group_states"])
