"""Classic groups: rows of groups, members, subscriptions, owned partitions and assignments.

The bytes of the members are decoded in columns too, from the value that they stand in.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from ..columnar import decode_column
from ..columnar.arrays import exploded, instants
from ..sources.record_table import same
from .reading import Kind, places
from .schemas import made

__all__ = ["classic_rows", "payload_quarantine"]

_CONSUMER = "consumer"
_TEXTS = ("protocol_type", "protocol", "leader")
_MEMBERS = ("member_id", "client_id", "client_host", "group_instance_id")


def classic_rows(kind: Kind, incarnations: pa.Array) -> dict[str, pa.Table]:
    """Return the rows of each table. `incarnations` has one for each record."""
    there = kind.rows.num_rows
    written = kind.values.is_valid()  # a tombstone speaks of no generation
    group: dict[str, pa.Array] = {
        **places(kind.rows),
        "group_id": kind.key("group"),
        "incarnation": incarnations,
        "generation": kind.value("generation"),
        **{name: kind.value(name).dictionary_encode() for name in _TEXTS},
    }
    lists = kind.value("members")
    groups = made(
        "groups",
        there,
        {
            **group,
            "group_type": same("classic", there),
            "members": pc.list_value_length(lists),
            "state_timestamp": instants(kind.value("current_state_timestamp")),
        },
    ).filter(written)
    return {"groups": groups, **_members(group, *exploded(lists))}


def _members(
    group: dict[str, pa.Array], parents: pa.Array, members: pa.Array
) -> dict[str, pa.Table]:
    row = {name: values.take(parents) for name, values in group.items()}
    row |= {name: members.field(name).dictionary_encode() for name in _MEMBERS}
    metadata, assignment = members.field("subscription"), members.field("assignment")
    is_consumer = pc.equal(row["protocol_type"], _CONSUMER)
    # A member may have no assignment, which are no bytes; such metadata cannot be read.
    given = pc.and_(is_consumer, pc.greater(pc.binary_length(assignment), 0))
    nothing = pa.scalar(None, pa.binary())
    said = decode_column(pc.if_else(is_consumer, metadata, nothing), ConsumerProtocolSubscription)
    got = decode_column(pc.if_else(given, assignment, nothing), ConsumerProtocolAssignment)
    rebalance, session = members.field("rebalance_timeout"), members.field("session_timeout")
    table = made(
        "members",
        len(members),
        {
            **row,
            "is_leader": pc.equal(row["member_id"], row["leader"]),
            "rebalance_timeout_ms": pc.if_else(pc.less(rebalance, 0), session, rebalance),
            "session_timeout_ms": session,
            "subscription_version": said.field("version"),
            "claimed_generation": _of(said, "generation_id"),
            "rack_id": _of(said, "rack_id"),
            "user_data": _of(said, "user_data"),
            "subscription_error": said.field("error_kind"),
            "assignment_version": got.field("version"),
            "assignment_error": got.field("error_kind"),
            "metadata": metadata,
            "assignment": assignment,
        },
    )
    return {
        "members": table,
        "subscriptions": _topics(row, _of(said, "topics")),
        "owned_partitions": _partitions(
            "owned_partitions",
            row | {"claimed_generation": _of(said, "generation_id")},
            _of(said, "owned_partitions"),
        ),
        "assignments": _partitions("assignments", row, _of(got, "assigned_partitions")),
        "quarantine": pa.concat_tables(
            [
                payload_quarantine(row, "subscription", metadata, said),
                payload_quarantine(row, "assignment", assignment, got),
            ]
        ),
    }


def payload_quarantine(
    row: dict[str, pa.Array], field: str, data: pa.Array, decoded: pa.StructArray
) -> pa.Table:
    """Return rows of `quarantine` for what Apache Kafka refuses of the members; the record itself
    was read, and is in `records`.
    """
    bad = decoded.field("error_kind").is_valid()
    columns = {
        **row,
        "level": same("payload", len(data)),
        "field": same(field, len(data)),
        "reason": decoded.field("error_kind"),
        "error_offset": decoded.field("error_offset"),
        "data": data,
    }
    return made("quarantine", len(data), columns).filter(bad)


def _of(decoded: pa.StructArray, field: str) -> Any:
    """Return a field of the messages, null where there is none."""
    return pc.struct_field(decoded, ["message", field])


def _topics(row: dict[str, pa.Array], lists: pa.Array) -> pa.Table:
    parents, topics = exploded(lists)
    topics = topics.dictionary_encode()
    return made("subscriptions", len(topics), _taken(row, parents) | {"topic": topics})


def _partitions(name: str, row: dict[str, pa.Array], lists: pa.Array) -> pa.Table:
    parents, entries = exploded(lists)
    within, numbers = exploded(entries.field("partitions"))
    columns = _taken(row, parents.take(within))
    topics = entries.field("topic").dictionary_encode().take(within)
    return made(name, len(numbers), columns | {"topic": topics, "partition": numbers})


_KEPT = (
    "cluster_id", "source", "source_partition", "source_offset", "record_timestamp", "group_id",
    "incarnation", "generation", "member_id", "claimed_generation",
)  # fmt: skip


def _taken(row: dict[str, pa.Array], rows: pa.Array) -> dict[str, pa.Array]:
    return {name: row[name].take(rows) for name in _KEPT if name in row}
