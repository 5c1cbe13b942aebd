"""Classic groups: rows of groups, members, subscriptions, owned partitions and assignments.

The bytes of the members are decoded in columns too, from the value that they stand in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from ..columnar import decode_column
from ..columnar.arrays import exploded, instants, same
from .reading import Kind, places
from .schemas import empty, made

__all__ = ["classic_rows"]

_CONSUMER = "consumer"
_TEXTS = ("protocol_type", "protocol", "leader")
_MEMBERS = ("member_id", "client_id", "client_host", "group_instance_id")


def classic_rows(kind: Kind, incarnations: pa.Array) -> dict[str, pa.Table]:
    """Return the rows of each table. `incarnations` has one for each record."""
    there = kind.rows.num_rows
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
    )
    if kind.values.null_count:  # a tombstone speaks of no generation
        groups = groups.filter(kind.values.is_valid())
    return {"groups": groups, **_members(group, *exploded(lists))}


def _members(
    group: dict[str, pa.Array], parents: pa.Array, members: pa.Array
) -> dict[str, pa.Table]:
    row = {name: values.take(parents) for name, values in group.items()}
    row |= {name: members.field(name).dictionary_encode() for name in _MEMBERS}
    metadata, assignment = members.field("subscription"), members.field("assignment")
    is_consumer = _is(row["protocol_type"], _CONSUMER)
    # A member may have no assignment, which are no bytes; such metadata cannot be read.
    given = pc.and_(is_consumer, pc.greater(pc.binary_length(assignment), 0))
    said = decode_column(_only(is_consumer, metadata), ConsumerProtocolSubscription)
    got = decode_column(_only(given, assignment), ConsumerProtocolAssignment)
    rebalance, session = members.field("rebalance_timeout"), members.field("session_timeout")
    table = made(
        "members",
        len(members),
        {
            **row,
            "is_leader": _equal(row["leader"], row["member_id"]),
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
        "quarantine": _refused(
            row, {"subscription": (metadata, said), "assignment": (assignment, got)}
        ),
    }


def _refused(
    row: dict[str, pa.Array], payloads: Mapping[str, tuple[pa.Array, pa.StructArray]]
) -> pa.Table:
    """Return rows of `quarantine` for what Apache Kafka refuses of the members, by its field: bytes
    and what they decode to. The record itself was read, and is in `records`.
    """
    tables = []
    for field, (data, decoded) in payloads.items():
        bad = pc.indices_nonzero(decoded.field("error_kind").is_valid())
        if len(bad):  # nearly never
            columns = {
                **row,
                "reason": decoded.field("error_kind"),
                "error_offset": decoded.field("error_offset"),
                "data": data,
            }
            chosen = {name: values.take(bad) for name, values in columns.items()}
            chosen |= {"level": same("payload", len(bad)), "field": same(field, len(bad))}
            tables.append(made("quarantine", len(bad), chosen))
    return pa.concat_tables(tables) if tables else empty("quarantine")


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


def _only(mask: pa.Array, values: pa.Array) -> pa.Array:
    """Return the values that the mask selects, null in place of others."""
    if pc.all(mask, skip_nulls=False).as_py():
        return values
    return pc.if_else(mask, values, pa.scalar(None, values.type))


def _is(values: pa.DictionaryArray, text: str) -> pa.Array:
    """Return whether each value is this text; null for null."""
    return pc.equal(values.dictionary, text).take(values.indices)


def _equal(some: pa.DictionaryArray, others: pa.DictionaryArray) -> pa.Array:
    """Return whether two columns have the same text; null where one of them is null."""
    there = pc.index_in(some.dictionary, value_set=others.dictionary)
    return pc.equal(pc.fill_null(there, -1).take(some.indices), others.indices)
