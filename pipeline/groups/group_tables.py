"""Rows of the tables `findings` and `current`: what an audit says of groups."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import pyarrow as pa

from ...rebalance.migration.members import answer_of_all, supports
from ..audit import Finding, Place, Step
from ..audit.group_state import LATER, GroupState
from ..tables.schemas import TABLES
from .client_faults import client_fault_rows, running_members
from .commit_sums import commit_sums
from .options import Options
from .states import Groups

__all__ = ["GroupSize", "current_table", "finding_table"]


def finding_table(findings: Iterable[Finding], moment: int | None = None) -> pa.Table:
    """Return rows of the table `findings`. `moment` is that of their status, by default that of
    each one's group, in milliseconds since 1970.
    """
    rows = [_finding_row(finding, moment) for finding in findings]
    return pa.Table.from_pylist(rows, TABLES["findings"])


def _finding_row(finding: Finding, moment: int | None) -> dict[str, Any]:
    judged_at = max(finding.last_seen if moment is None else moment, 0)
    return {
        **msgspec.structs.asdict(finding),
        "severity": finding.severity.value,
        "basis": finding.basis.value,
        "evidence": json.dumps(finding.evidence, sort_keys=True),
        "first_seen": max(finding.first_seen, 0) * 1000,
        "last_seen": max(finding.last_seen, 0) * 1000,
        "judged_at": judged_at * 1000,
        "age_seconds": max(judged_at - max(finding.first_seen, 0), 0) // 1000,
    }


class GroupSize(msgspec.Struct):
    """The records of a group that were read, their bytes, and the partition that they are in."""

    records: int = 0
    bytes: int = 0
    partition: int | None = None


def current_table(
    groups: Groups, commits: pa.Table, options: Options, sizes: Mapping[str, GroupSize]
) -> pa.Table:
    """Return rows of the table `current`, without what findings add."""
    rows = [
        {"source_partition": size.partition, **row, "records": size.records, "bytes": size.bytes}
        if (size := sizes.get(row["group_id"])) is not None
        else row
        for row in _current(groups, commits, options)
    ]
    return pa.Table.from_pylist(rows, TABLES["current"])


def _current(groups: Groups, commits: pa.Table, options: Options) -> Iterator[Mapping[str, Any]]:
    sums = commit_sums(commits, options)
    lacks = groups.not_evaluated()
    for group_id, state in groups.states.items():
        if state.last is None:  # of its records there is none that can be read
            if state.refused is not None and group_id not in sums:
                yield _unknown(group_id, options)
            continue
        yield {
            "cluster_id": options.cluster_id,
            "group_id": group_id,
            "rebalances": state.rebalances,
            "not_evaluated": lacks,
            "first_seen": _micros(state.first_seen),
            **_placed(state.last),
            **sums.pop(group_id, {}),
            **_as_it_is(state, options, group_id),
        }
    for group_id, sums_of_group in sums.items():
        yield {**_unknown(group_id, options), "group_type": "commits only", **sums_of_group}


def _unknown(group_id: str, options: Options) -> dict[str, Any]:
    names = {"cluster_id": options.cluster_id, "group_id": group_id}
    return {**names, "state": "not known", "rebalances": 0}


def _as_it_is(state: GroupState, options: Options, group_id: str) -> dict[str, Any]:
    modern = state.broker_assigned.state if state.broker_assigned is not None else None
    if modern is not None and (state.fold is None or state.fold.last is None):
        epoch = modern.epoch.value.epoch if modern.epoch is not None else None
        alive = modern.epoch is not None or bool(modern.members)
        topics = {
            topic
            for member in modern.members.values()
            for topic in getattr(member.value, "subscribed_topic_names", ())
        }
        return {
            "group_type": modern.kind,
            "incarnation": state.incarnation(LATER),
            "generation": epoch,
            "state": ("stable" if modern.members else "empty") if alive else "deleted",
            "members": len(modern.members),
            "assigned": sum(_partitions(current.value) for current in modern.current.values()),
            "topics": sorted(topics)[:100],
        }
    fold = state.fold
    assert fold is not None
    step = fold.last
    if step is None:
        return {
            "group_type": "classic",
            "state": "deleted",
            "incarnation": state.incarnation(LATER),
        }
    return {
        "group_type": "classic",
        "state": "stable" if step.members else "empty",
        "incarnation": state.incarnation(LATER),
        "generation": step.generation,
        "protocol_type": step.protocol_type,
        "protocol": step.protocol,
        "leader": step.leader,
        "members": len(step.members),
        "assigned": _assigned_count(step) if step.is_consumer else None,
        "topics": fold.history.topics if step.is_consumer else [],
        **(_clients(step, options, group_id) if step.members else {}),
    }


def _clients(step: Step, options: Options, group_id: str) -> dict[str, Any]:
    """Return the columns about the client libraries of the members."""
    running = running_members(step, options, group_id)
    rows = {"client_faults": client_fault_rows(running, step.protocol_type, step.protocol)}
    if not step.is_consumer:
        return rows
    members = [member for member, _ in running]
    return rows | {
        "clients": sorted({" or ".join(member.could_be) or "not known" for member in members}),
        "cooperative": answer_of_all(supports(members, "cooperative")),
        "consumer_protocol": answer_of_all(supports(members, "consumer-protocol")),
    }


def _assigned_count(step: Step) -> int:
    return sum(count for count, _ in step.sizes.values())


def _partitions(value: Any) -> int:
    lists = ("assigned_partitions", "active_tasks", "standby_tasks", "warmup_tasks")
    return sum(len(entry.partitions) for name in lists for entry in getattr(value, name, ()))


def _placed(place: Place) -> dict[str, Any]:
    return {
        "source": place.source,
        "source_partition": place.known_partition,
        "source_offset": place.offset,
        "record_timestamp": _micros(place.timestamp),
    }


def _micros(milliseconds: int) -> int | None:
    return None if milliseconds < 0 else milliseconds * 1000
