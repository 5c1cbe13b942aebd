"""Classic groups: rows of groups, members, subscriptions, owned partitions, assignments and
rebalances.

The bytes of the members are decoded in columns too, from the value that holds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from ..audit.rebalances import MOST, REPETITION, Rebalance, RecordTime
from ..columnar import decode_column
from ..columnar.arrays import column, exploded, instants, same
from .record_kinds import PLACE, Kind, places
from .schemas import TABLES, empty, made

__all__ = ["RebalanceRows", "classic_rows", "milliseconds"]

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
        self._runs: list[_Run] = []

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

    def add_run(
        self,
        numbers: Sequence[int],
        previous: RecordTime,
        protocol: str | None,
        members: int,
        topics: Sequence[str],
    ) -> None:
        """Add the rows of the records with these numbers, each of which repeats the one before."""
        self._runs.append(_Run(numbers, previous, protocol, members, topics))

    def table(self) -> pa.Table:
        """Return all rows, in the order of the records."""
        numbers, compared = self._compared()
        if self._runs:
            of_runs, repeated = self._repeated()
            numbers = np.concatenate([numbers, of_runs])
            compared = {
                name: pa.concat_arrays([values, repeated[name]])
                for name, values in compared.items()
            }
        order = np.argsort(numbers)
        numbers, places = numbers[order], pa.array(order)
        compared = {name: values.take(places) for name, values in compared.items()}
        placed = self._kind.rows.select([*PLACE, "group_id"])
        if len(numbers) < placed.num_rows:  # there are tombstones
            placed = placed.take(pa.array(numbers))
        columns = {name: column(placed, name) for name in placed.column_names}
        columns["cluster_id"] = pa.repeat(pa.scalar(self._cluster_id), len(numbers))
        columns["incarnation"] = pa.array(self.incarnations[numbers])
        return made("rebalances", len(numbers), columns | compared)

    def _compared(self) -> tuple[Any, dict[str, pa.Array]]:
        """Return the numbers of the records that were read, and their columns."""
        rows = self._rows.values()
        values = zip(*rows, strict=True) if rows else [()] * len(_COMPARED)
        columns = {
            name: pa.array(cells, _type_of(name))
            for name, cells in zip(_COMPARED, values, strict=True)
        }
        return np.fromiter(self._rows, np.int64, len(self._rows)), columns

    def _repeated(self) -> tuple[Any, dict[str, pa.Array]]:
        """Return the numbers of the records of all runs, and their columns."""
        runs = self._runs
        lengths = np.array([len(run.numbers) for run in runs])
        numbers = np.concatenate([run.numbers for run in runs])
        starts = np.cumsum(lengths) - lengths
        of_runs = pa.array(np.repeat(np.arange(len(runs)), lengths))
        all_same = pa.array(np.zeros(len(numbers), np.int32))
        generations, since = (
            pc.fill_null(self._kind.value(name), -1).to_numpy()[numbers].astype(np.int64)
            for name in ("generation", "current_state_timestamp")
        )
        times = milliseconds(self._kind.rows)[numbers]
        earlier, earlier_times = np.roll(generations, 1), np.roll(times, 1)
        earlier[starts] = [run.previous.generation for run in runs]
        earlier_times[starts] = [run.previous.timestamp for run in runs]
        columns = {
            name: pa.array([value], _type_of(name)).take(all_same)
            for name, value in REPETITION._asdict().items()
        }
        columns |= {
            "generation": pa.array(generations),
            "previous_generation": pa.array(earlier),
            "unrecorded": pa.array(np.minimum(generations - earlier - 1, MOST)),
            "sync_ms": pa.array(times - since, mask=(since < 0) | (times < since)),
            "since_previous_ms": pa.array(times - earlier_times, mask=times < earlier_times),
        }
        for name in ("protocol", "members", "topics"):
            values = pa.array([getattr(run, name) for run in runs], _type_of(name))
            columns[name] = values.take(of_runs)
        return numbers, {name: columns[name].cast(_type_of(name)) for name in _COMPARED}


class _Run(NamedTuple):
    """Records, by their numbers, each of which repeats the one before; `previous` is the moment of
    the record before the first."""

    numbers: Sequence[int]
    previous: RecordTime
    protocol: str | None
    members: int
    topics: Sequence[str]


def _type_of(name: str) -> pa.DataType:
    return TABLES["rebalances"].field(name).type


def milliseconds(rows: pa.Table) -> Any:
    """Return the times of records in milliseconds since 1970, -1 for those that have none."""
    times = column(rows, "record_timestamp").cast(pa.int64())
    return np.where(times.is_null(), -1, pc.fill_null(times, 0).to_numpy() // 1000)
