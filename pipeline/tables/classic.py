"""Classic groups: rows of groups, members, subscriptions, owned partitions, assignments and
rebalances.

The bytes of the members are decoded in columns too, from the value that holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from ..audit.rebalances import Rebalance
from ..columnar import decode_column
from ..columnar.arrays import column, exploded, instants, same
from .record_kinds import PLACE, Kind, places
from .schemas import TABLES, empty, made

__all__ = ["RebalanceRows", "classic_rows"]

_CONSUMER = "consumer"
_TEXTS = ("protocol_type", "protocol", "leader")
_MEMBERS = ("member_id", "client_id", "client_host", "group_instance_id")


def classic_rows(kind: Kind, incarnations: pa.Array) -> dict[str, pa.Table]:
    """Return the rows of each table. `incarnations` has one for each record."""
    count = kind.rows.num_rows
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
        count,
        {
            **group,
            "group_type": same("classic", count),
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
    has_assignment = pc.and_(is_consumer, pc.greater(pc.binary_length(assignment), 0))
    subscriptions = decode_column(_only(is_consumer, metadata), ConsumerProtocolSubscription)
    got = decode_column(_only(has_assignment, assignment), ConsumerProtocolAssignment)
    rebalance, session = members.field("rebalance_timeout"), members.field("session_timeout")
    table = made(
        "members",
        len(members),
        {
            **row,
            "is_leader": _equal(row["leader"], row["member_id"]),
            "rebalance_timeout_ms": pc.if_else(pc.less(rebalance, 0), session, rebalance),
            "session_timeout_ms": session,
            "subscription_version": subscriptions.field("version"),
            "claimed_generation": _of(subscriptions, "generation_id"),
            "rack_id": _of(subscriptions, "rack_id"),
            "user_data": _of(subscriptions, "user_data"),
            "subscription_error": subscriptions.field("error_kind"),
            "assignment_version": got.field("version"),
            "assignment_error": got.field("error_kind"),
            "metadata": metadata,
            "assignment": assignment,
        },
    )
    return {
        "members": table,
        "subscriptions": _topics(row, _of(subscriptions, "topics")),
        "owned_partitions": _partitions(
            "owned_partitions",
            row | {"claimed_generation": _of(subscriptions, "generation_id")},
            _of(subscriptions, "owned_partitions"),
        ),
        "assignments": _partitions("assignments", row, _of(got, "assigned_partitions")),
        "quarantine": _refused_rows(
            row, {"subscription": (metadata, subscriptions), "assignment": (assignment, got)}
        ),
    }


def _refused_rows(
    row: dict[str, pa.Array], payloads: Mapping[str, tuple[pa.Array, pa.StructArray]]
) -> pa.Table:
    """Return rows of `quarantine` for what Apache Kafka refuses of the members, by its field: bytes
    and what they decode to. The record itself was read, and is in `records`.
    """
    tables = []
    for field, (data, payload) in payloads.items():
        bad = pc.indices_nonzero(payload.field("error_kind").is_valid())
        if len(bad):  # nearly never
            columns = {
                **row,
                "reason": payload.field("error_kind"),
                "error_offset": payload.field("error_offset"),
                "data": data,
            }
            chosen = {name: values.take(bad) for name, values in columns.items()}
            chosen |= {"level": same("payload", len(bad)), "field": same(field, len(bad))}
            tables.append(made("quarantine", len(bad), chosen))
    return pa.concat_tables(tables) if tables else empty("quarantine")


def _of(payload: pa.StructArray, field: str) -> Any:
    """Return a field of the messages, null where there is none."""
    return pc.struct_field(payload, ["message", field])


def _topics(row: dict[str, pa.Array], lists: pa.Array) -> pa.Table:
    parents, topics = exploded(lists)
    topics = topics.dictionary_encode()
    return made("subscriptions", len(topics), _take(row, parents) | {"topic": topics})


def _partitions(name: str, row: dict[str, pa.Array], lists: pa.Array) -> pa.Table:
    parents, entries = exploded(lists)
    within, numbers = exploded(entries.field("partitions"))
    columns = _take(row, parents.take(within))
    topics = entries.field("topic").dictionary_encode().take(within)
    return made(name, len(numbers), columns | {"topic": topics, "partition": numbers})


_KEPT = (
    "cluster_id", "source", "source_partition", "source_offset", "record_timestamp", "group_id",
    "incarnation", "generation", "member_id", "claimed_generation",
)  # fmt: skip


def _take(row: dict[str, pa.Array], rows: pa.Array) -> dict[str, pa.Array]:
    return {name: row[name].take(rows) for name in _KEPT if name in row}


def _only(mask: pa.Array, values: pa.Array) -> pa.Array:
    """Return the values that the mask selects, null in place of others."""
    if pc.all(mask, skip_nulls=False).as_py():
        return values
    return pc.if_else(mask, values, pa.scalar(None, values.type))


def _is(values: pa.DictionaryArray, text: str) -> pa.Array:
    """Return whether each value is this text; null for null."""
    return pc.equal(values.dictionary, text).take(values.indices)


def _equal(left: pa.DictionaryArray, right: pa.DictionaryArray) -> pa.Array:
    """Return whether two columns have the same text; null where one of them is null."""
    indices = pc.index_in(left.dictionary, value_set=right.dictionary)
    return pc.equal(pc.fill_null(indices, -1).take(left.indices), right.indices)


_COMPARED = ("generation", "protocol", "members", *Rebalance._fields)
"""The columns of a record that was compared with the one before, but for those of its place."""


class RebalanceRows:
    """Collects rows for the records of one kind."""

    def __init__(self, cluster_id: str, kind: Kind) -> None:
        self.incarnations = np.zeros(kind.rows.num_rows, np.int32)
        """The incarnation of each record, tombstones included, as the caller finds them."""
        self._cluster_id = cluster_id
        self._kind = kind
        self._rows: dict[int, tuple[Any, ...]] = {}

    def add(
        self,
        number: int,
        generation: int,
        protocol: str | None,
        members: int,
        rebalance: Rebalance,
    ) -> None:
        """Add the row of the record with this number, which has so many members."""
        self._rows[number] = (generation, protocol, members, *rebalance)

    def table(self) -> pa.Table:
        """Return all rows, in the order of the records."""
        numbers = sorted(self._rows)
        placed = self._kind.rows.select([*PLACE, "group_id"])
        if len(numbers) < placed.num_rows:  # there are tombstones
            placed = placed.take(pa.array(numbers, pa.int64()))
        columns = {name: column(placed, name) for name in placed.column_names}
        columns["cluster_id"] = pa.repeat(pa.scalar(self._cluster_id), len(numbers))
        columns["incarnation"] = pa.array(self.incarnations[numbers])
        rows = [self._rows[number] for number in numbers]
        values = zip(*rows, strict=True) if rows else [()] * len(_COMPARED)
        for name, cells in zip(_COMPARED, values, strict=True):
            columns[name] = pa.array(cells, TABLES["rebalances"].field(name).type)
        return made("rebalances", len(numbers), columns)
