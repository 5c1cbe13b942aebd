"""Groups whose broker assigns (KIP-848, KIP-932, KIP-1071): rows of the same tables.

Their records are small facts; each kind of record that speaks of a group, a member's metadata or
a member's partitions has its rows. Generation is the group's epoch, or the member's.
"""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from ..columnar.arrays import exploded, topic_ids
from .record_kinds import Kind, places
from .schemas import made

__all__ = ["broker_assigned_rows"]


def broker_assigned_rows(kind: Kind, incarnations: pa.Array) -> dict[str, pa.Table]:
    """Return the rows of each table; none for facts that are in no table. `incarnations` has one
    for each record.
    """
    name = kind.type.value.NAME
    for suffix, rows in _BY_SUFFIX.items():
        if name.endswith(suffix):
            group = {
                **places(kind.rows),
                "group_id": kind.key("group_id"),
                "incarnation": incarnations,
            }
            return rows(kind, group)
    return {}


def _groups(kind: Kind, group: dict[str, pa.Array]) -> dict[str, pa.Table]:
    rows = kind.rows.num_rows
    group_type = kind.type.value.NAME.split("Group", 1)[0].lower()
    columns = {
        **group,
        "generation": kind.value("epoch"),
        "group_type": pa.repeat(pa.scalar(group_type), rows),
    }
    return {"groups": made("groups", rows, columns).filter(kind.values.is_valid())}


def _members(kind: Kind, group: dict[str, pa.Array]) -> dict[str, pa.Table]:
    rows = kind.rows.num_rows
    fields = {field.name for field in kind.values.field("message").type}
    columns = {**group, "member_id": kind.key("member_id")}
    names = {
        "client_id": "client_id",
        "client_host": "client_host",
        "instance_id": "group_instance_id",
        "rack_id": "rack_id",
        "rebalance_timeout_ms": "rebalance_timeout_ms",
    }
    values_by_name = {ours: kind.value(name) for name, ours in names.items() if name in fields}
    members = made("members", rows, columns | values_by_name).filter(kind.values.is_valid())
    tables = {"members": members}
    if "subscribed_topic_names" in fields:
        parents, topics = exploded(kind.value("subscribed_topic_names"))
        member_columns = {name: values.take(parents) for name, values in columns.items()}
        by_name = made("subscriptions", len(topics), member_columns | {"topic": topics})
        tables["subscriptions"] = by_name
    if "subscribed_topic_regex" in fields:
        regex = kind.value("subscribed_topic_regex")
        has_regex = pc.fill_null(pc.greater(pc.binary_length(regex), 0), False)  # Arrow
        by_regex = made("subscriptions", rows, columns | {"regex": regex}).filter(has_regex)
        tables["subscriptions"] = pa.concat_tables([tables["subscriptions"], by_regex])
    return tables


def _assignments(kind: Kind, group: dict[str, pa.Array]) -> dict[str, pa.Table]:
    fields = {field.name for field in kind.values.field("message").type}
    if "assigned_partitions" not in fields:
        return {}  # tasks of Streams are of no topic
    parents, entries = exploded(kind.value("assigned_partitions"))
    within, numbers = exploded(entries.field("partitions"))
    columns = {
        **group,
        "member_id": kind.key("member_id"),
        "generation": kind.value("member_epoch"),
    }
    rows = parents.take(within)
    assignment_columns = {name: values.take(rows) for name, values in columns.items()}
    assignment_columns["topic_id"] = topic_ids(entries.field("topic_id").take(within))
    assignment_columns["partition"] = numbers
    return {"assignments": made("assignments", len(numbers), assignment_columns)}


_BY_SUFFIX: dict[str, Callable[[Kind, dict[str, pa.Array]], dict[str, pa.Table]]] = {
    "TargetAssignmentMetadataValue": lambda _, __: {},
    "PartitionMetadataValue": lambda _, __: {},
    "MemberMetadataValue": _members,
    "GroupMetadataValue": _groups,
    "CurrentMemberAssignmentValue": _assignments,
}
