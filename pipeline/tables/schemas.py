"""The tables of an audit: their names, columns and types.

This is the only place where a column is declared. Schemas only ever grow: a column is added at the
end, with a higher `VERSION`, and none is renamed, retyped or taken away. Times are microseconds in
UTC. Each field says in its metadata what it holds; each schema says its version and what a row is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from ..columnar.arrays import CODED_TEXT

__all__ = ["TABLES", "VERSION", "about", "empty", "made", "page"]

VERSION = 7

_TIME = pa.timestamp("us", tz="UTC")
_TEXT, _BYTES, _FLAG = pa.string(), pa.binary(), pa.bool_()
_INT, _LONG = pa.int32(), pa.int64()
_MOVE = pa.struct(
    [
        pa.field("topic", _TEXT, nullable=False),
        pa.field("partition", _INT, nullable=False),
        pa.field("from_member", _TEXT),
        pa.field("to_member", _TEXT),
        pa.field("handover", _TEXT),
    ]
)
_CLIENT_FAULTS = pa.struct(
    [
        pa.field("client", _TEXT, nullable=False),
        pa.field("known_by", _TEXT, nullable=False),
        pa.field("members", _INT, nullable=False),
        pa.field("faults", pa.list_(_TEXT), nullable=False),
        pa.field("possible_faults", pa.list_(_TEXT), nullable=False),
    ]
)


_Column = tuple[str, pa.DataType, str]

# Where a row comes from.
_PLACE: tuple[_Column, ...] = (
    ("cluster_id", _TEXT, "the cluster, as the caller or its meta.properties says"),
    ("source", _TEXT, "the file, or the broker's address"),
    ("source_partition", _INT, "the partition of the offsets topic"),
    ("source_offset", _LONG, "the record's offset there"),
    ("record_timestamp", _TIME, "the record's"),
)
# Which generation of which group it speaks of.
_GROUP: tuple[_Column, ...] = (
    ("group_id", _TEXT, "the group"),
    (
        "incarnation",
        _INT,
        "0, and one more each time that the group was deleted",
    ),
    (
        "generation",
        _INT,
        "a classic group's; else in `groups` its epoch, in `assignments` its member's, else null",
    ),
)
_MEMBER: _Column = ("member_id", _TEXT, "the member")
_PARTITION: tuple[_Column, ...] = (
    ("topic", _TEXT, "null where the record has an id alone"),
    ("topic_id", _TEXT, "as Kafka prints it; null where the record has a name alone"),
    ("partition", _INT, "the partition's number"),
)

_DECLARED: Mapping[str, tuple[str, tuple[_Column, ...]]] = {
    "records": (
        "a record that was read",
        (
            *_PLACE,
            ("record_type", pa.int16(), "what the key begins with"),
            ("record_kind", _TEXT, "the name of the value's definition"),
            ("group_id", _TEXT, "the group that the key names"),
            ("tombstone", _FLAG, "whether the value is null"),
            ("version", _INT, "of the value"),
            ("key_size", _INT, "bytes"),
            ("value_size", _INT, "bytes; null for a tombstone"),
            ("transactional", _FLAG, "null where a client does not tell"),
            ("outcome", _TEXT, "of the transaction: committed, aborted, undecided"),
        ),
    ),
    "groups": (
        "a generation of a group, as the first record of it says",
        (
            *_PLACE,
            *_GROUP,
            ("group_type", _TEXT, "classic, consumer, streams, share"),
            ("protocol_type", _TEXT, "consumer, connect, …"),
            ("protocol", _TEXT, "the selected protocol, an assignor's name"),
            ("leader", _TEXT, "member id of the leader"),
            ("members", _INT, "how many; null where the record does not say"),
            ("state_timestamp", _TIME, "when the group came into its state"),
        ),
    ),
    "members": (
        "a member in a record",
        (
            *_PLACE,
            *_GROUP,
            _MEMBER,
            ("client_id", _TEXT, "as the client says"),
            ("client_host", _TEXT, "as the broker saw it"),
            ("group_instance_id", _TEXT, "of a static member"),
            ("protocol_type", _TEXT, "as in groups"),
            ("protocol", _TEXT, "as in groups"),
            ("is_leader", _FLAG, "whether it computes the assignment"),
            ("rebalance_timeout_ms", _INT, "how long it may take to rejoin"),
            ("session_timeout_ms", _INT, "null where the record does not say"),
            ("subscription_version", _INT, "the version in front of its metadata"),
            ("claimed_generation", _INT, "the generation of its claim, -1 for none"),
            ("rack_id", _TEXT, "as it says"),
            ("user_data", _BYTES, "of its subscription"),
            ("subscription_error", _TEXT, "why Apache Kafka refuses its metadata; else null"),
            ("assignment_version", _INT, "the version in front of its assignment"),
            ("assignment_error", _TEXT, "as subscription_error"),
            ("metadata", _BYTES, "the bytes, unchanged"),
            ("assignment", _BYTES, "the bytes, unchanged"),
        ),
    ),
    "subscriptions": (
        "a topic that a member subscribes to, where its metadata can be read (`members` has all)",
        (
            *_PLACE,
            *_GROUP,
            _MEMBER,
            ("topic", _TEXT, "the topic's name; null for a regular expression"),
            ("regex", _TEXT, "what the broker matches names against"),
        ),
    ),
    "owned_partitions": (
        "a partition that a member claims: of the generation before the record's",
        (*_PLACE, *_GROUP, _MEMBER, ("claimed_generation", _INT, "-1 for none"), *_PARTITION),
    ),
    "assignments": (
        "a partition that a member was given",
        (*_PLACE, *_GROUP, _MEMBER, *_PARTITION),
    ),
    "offsets": (
        "a committed offset, or the deletion of one; those of aborted transactions are left out",
        (
            *_PLACE,
            ("group_id", _TEXT, "the group"),
            *_PARTITION,
            ("committed_offset", _LONG, "null: deleted"),
            ("leader_epoch", _INT, "-1 for none"),
            ("commit_timestamp", _TIME, "as the broker set it"),
            ("commit_metadata", _TEXT, "as the client says"),
            ("outcome", _TEXT, "of the transaction, as in records"),
        ),
    ),
    "deviations": (
        "a deviation in a member's bytes (kproto explain CODE)",
        (
            *_PLACE,
            *_GROUP,
            _MEMBER,
            ("field", _TEXT, "subscription or assignment"),
            ("code", _TEXT, "KP001, …"),
            ("class", _TEXT, "encoding, evolution, content, style"),
            ("explanation", _TEXT, "one line"),
            ("offset", _INT, "in the member's bytes"),
            ("path", _TEXT, "of the field"),
            ("count", _LONG, "how often in that array"),
        ),
    ),
    "rebalances": (
        "a step of a classic group, compared with the record before it",
        (
            *_PLACE,
            *_GROUP,
            ("previous_generation", _INT, "null for the first record that was seen"),
            ("unrecorded", _INT, "generations in between: aborted, or compacted away"),
            ("protocol", _TEXT, "as in groups"),
            ("members", _INT, "how many there are"),
            ("joined", pa.list_(_TEXT), "member ids that are new, the first 100"),
            ("left", pa.list_(_TEXT), "member ids that are gone, the first 100"),
            ("moved", _INT, "partitions with another owner"),
            ("moves", pa.list_(_MOVE), "the first 1,000, with the handover of each"),
            ("cause", _TEXT, "why it began: a word of docs/reference/causes.md"),
            ("basis", _TEXT, "observed or inferred"),
            ("topics", pa.list_(_TEXT), "that are subscribed to, the first 100"),
            ("sync_ms", _LONG, "of the leader's sync phase, not of the whole rebalance"),
            ("since_previous_ms", _LONG, "since the record before"),
        ),
    ),
    "rebalance_costs": (
        "a partition that rebalances of a classic group came between two commits of",
        (
            ("cluster_id", _TEXT, "the cluster"),
            ("group_id", _TEXT, "the group"),
            ("generation", _INT, "of the last of these rebalances"),
            ("rebalanced_at", _TIME, "when its record was written"),
            ("cause", _TEXT, "as in rebalances"),
            ("rebalances", _LONG, "how many there were between the two commits"),
            ("topic", _TEXT, "the topic's name"),
            ("partition", _INT, "the partition's number"),
            ("committed_before", _LONG, "the last offset before them"),
            ("committed_before_at", _TIME, "when it was committed"),
            ("committed_after", _LONG, "the first one after them; null: none, and records wait"),
            ("committed_after_at", _TIME, "when it was committed"),
            ("records_again", _LONG, "by how many it is lower: records read twice"),
            (
                "records_again_at_most",
                _LONG,
                "read twice besides, at most: if read until the rebalance, at the pace of before",
            ),
            (
                "records_skipped",
                _LONG,
                "by how many it is higher, where the group had no members; null: not known",
            ),
            ("without_commit_ms", _LONG, "the time between: so long nobody read it, at most"),
        ),
    ),
    "group_states": (
        "a group as the broker has it now",
        (
            ("cluster_id", _TEXT, "the cluster"),
            ("source", _TEXT, "the broker's address"),
            ("observed_at", _TIME, "when it was asked"),
            ("group_id", _TEXT, "the group"),
            ("group_type", _TEXT, "classic, consumer, …"),
            ("state", _TEXT, "stable, preparing rebalancing, …"),
            ("protocol", _TEXT, "the assignor's name"),
            ("coordinator", _INT, "id of the broker"),
            ("members", _INT, "how many; asked of groups that rebalance, as are the two above"),
        ),
    ),
    "topics": (
        "a partition of a topic that groups read",
        (
            ("cluster_id", _TEXT, "the cluster"),
            ("topic", _TEXT, "the topic's name"),
            ("topic_id", _TEXT, "as Kafka prints it"),
            ("partitions", _INT, "how many the topic has"),
            ("partition", _INT, "its number; null where only the count is known"),
            ("end_offset", _LONG, "the log's end; null where it was not asked"),
        ),
    ),
    "findings": (
        "a finding",
        (
            ("finding_id", _TEXT, "the same over runs"),
            ("cluster_id", _TEXT, "the cluster"),
            ("group_id", _TEXT, "null for one about the fleet"),
            ("rule", _TEXT, "the rule's id (kproto explain RULE)"),
            ("severity", _TEXT, "info, warning, error, critical"),
            ("basis", _TEXT, "observed or inferred"),
            ("explanation", _TEXT, "one line"),
            ("evidence", _TEXT, "JSON: its place, bytes in hex, numbers"),
            ("first_seen", _TIME, "when it was first true"),
            ("last_seen", _TIME, "when it was last true"),
            ("count", _LONG, "at how many records"),
            ("status", _TEXT, "open where it holds at judged_at, else over"),
            ("judged_at", _TIME, "the moment that the status is of: the latest record, or now"),
            ("age_seconds", _LONG, "from first_seen to judged_at"),
            ("cause", _TEXT, "a word of docs/reference/causes.md; null where the rule names none"),
            ("certainty", _TEXT, "of the cause: certain or likely"),
            ("rivals", pa.list_(_TEXT), "causes that leave the same traces, of a likely one"),
            ("next_action", _TEXT, "what to do first"),
        ),
    ),
    "current": (
        "a group as its last record leaves it",
        (
            *_PLACE,
            *_GROUP,
            ("group_type", _TEXT, "classic, consumer, streams, share, commits only"),
            ("state", _TEXT, "stable, empty, deleted, not known"),
            ("protocol_type", _TEXT, "as in groups"),
            ("protocol", _TEXT, "as in groups"),
            ("leader", _TEXT, "member id"),
            ("members", _INT, "how many"),
            ("assigned", _INT, "partitions or tasks that members have"),
            ("topics", pa.list_(_TEXT), "subscribed to or committed, the first 100"),
            ("rebalances", _LONG, "generations or epochs with a record; what was aborted has none"),
            ("first_seen", _TIME, "its first record here"),
            ("last_commit_timestamp", _TIME, "the last commit"),
            ("commits", _LONG, "how many were read"),
            ("committed_partitions", _INT, "of how many partitions"),
            ("lag", _LONG, "records behind the end of its partitions; null: ends are not known"),
            ("not_evaluated", pa.list_(_TEXT), "rules that lacked an input"),
            ("findings", _INT, "how many"),
            ("severity", _TEXT, "the worst of them"),
            ("score", pa.float64(), "how much trouble: see docs/reference/audit.md"),
            ("records", _LONG, "of the group that were read, with its commits"),
            ("bytes", _LONG, "of their keys and values"),
            (
                "clients",
                pa.list_(_TEXT),
                "what its members could be by their bytes; null without a classic member",
            ),
            (
                "cooperative",
                _TEXT,
                "whether these have cooperative-sticky: yes, upgrade (them first), unknown, no",
            ),
            ("consumer_protocol", _TEXT, "the same of group.protocol=consumer (KIP-848)"),
            (
                "client_faults",
                pa.list_(_CLIENT_FAULTS),
                "its clients, how each is known, and their known faults: docs/reference/audit.md",
            ),
        ),
    ),
    "lag": (
        "a partition that a group has committed, judged over all its commits",
        (
            ("cluster_id", _TEXT, "the cluster"),
            ("group_id", _TEXT, "the group"),
            ("topic", _TEXT, "the topic's name"),
            ("partition", _INT, "the partition's number"),
            ("committed_offset", _LONG, "the last"),
            ("end_offset", _LONG, "where the partition ends; null where that is not known"),
            ("end_before", _LONG, "where it did five minutes before; null where not known"),
            ("start_offset", _LONG, "where it begins, as older records are deleted; null: unknown"),
            ("lag", _LONG, "records that wait: from the last offset, or the start, to the end"),
            ("records_a_second", pa.float64(), "how many it reads now; null where not known"),
            ("first_commit_timestamp", _TIME, "the first commit that was read"),
            ("last_commit_timestamp", _TIME, "the last commit"),
            ("commits", _LONG, "how many were read"),
            ("first_offset", _LONG, "of the first commit that was read"),
            ("highest_offset", _LONG, "of any"),
            ("same_since", _TIME, "since when the last offset was committed, again and again"),
            ("same_commits", _LONG, "how often it was"),
            ("longest_gap_ms", _LONG, "the longest time between two commits"),
            ("usual_gap_ms", _LONG, "the longest that is usual: that happened twice, as a rule"),
            ("pauses", _LONG, "how many such times were ten minutes or longer"),
            ("rewinds", _LONG, "commits of an offset that was lower by ten or more"),
            ("rewound_at", _TIME, "the last of them"),
            ("rewound_from", _LONG, "the offset before it"),
            ("rewound_to", _LONG, "its offset"),
            ("rewound_how", _TEXT, "expired, deleted, or reset while it was empty; null: unknown"),
            ("records_again", _LONG, "by how many offsets went back in all: records read again"),
            ("lately_commits", _LONG, "commits of the last day or two"),
            ("lately_rewinds", _LONG, "those of them that went back"),
            ("skipped_at", _TIME, "the longest step forward, if records may have been skipped"),
            ("skipped_from", _LONG, "the offset before it"),
            ("skipped_to", _LONG, "its offset"),
            ("skipped_how", _TEXT, "reset while the group was empty, or after it was deleted then"),
            ("is_subscribed", _FLAG, "a member subscribes to the topic; null where not known"),
            ("members", _INT, "of the group; null where that is not known"),
        ),
    ),
    "quarantine": (
        "bytes that could not be read",
        (
            *_PLACE,
            ("group_id", _TEXT, "the group, where the key can be read"),
            ("level", _TEXT, "batch, record or payload"),
            ("member_id", _TEXT, "of a payload"),
            ("field", _TEXT, "key, value, subscription or assignment"),
            ("reason", _TEXT, "why"),
            ("error_offset", _LONG, "where in the bytes reading stopped"),
            ("position", _LONG, "of the batch in its file; of a table's row its number, from 1"),
            ("data", _BYTES, "the bytes, up to a mebibyte"),
            ("key", _BYTES, "of a record, whichever of both could not be read; up to a mebibyte"),
            ("value", _BYTES, "of a record, up to a mebibyte; null for a tombstone"),
        ),
    ),
}  # fmt: skip


def _schema(name: str, columns: Iterable[_Column], row: str) -> pa.Schema:
    fields = [pa.field(column, kind, metadata={"about": text}) for column, kind, text in columns]
    metadata = {"kproto.table": name, "kproto.version": str(VERSION), "kproto.row": row}
    return pa.schema(fields, metadata=metadata)


TABLES: Mapping[str, pa.Schema] = MappingProxyType(
    {name: _schema(name, columns, row) for name, (row, columns) in _DECLARED.items()}
)
"""Every table by its name."""


def empty(name: str) -> pa.Table:
    """Return a table of this name without rows."""
    return TABLES[name].empty_table()


def made(name: str, rows: int, columns: Mapping[str, Any]) -> pa.Table:
    """Return a table of this name. Missing columns are null; text that is dictionary-encoded stays
    so.
    """
    arrays = [
        _fitting(columns[column], type_) if column in columns else pa.nulls(rows, type_)
        for column, type_ in _TYPES[name]
    ]
    return pa.Table.from_arrays(
        arrays, schema=_of_types(name, tuple(array.type for array in arrays))
    )


_TYPES = {
    name: list(zip(schema.names, schema.types, strict=True)) for name, schema in TABLES.items()
}


@lru_cache
def _of_types(name: str, types: tuple[pa.DataType, ...]) -> pa.Schema:
    """Return the schema of a table with these types of its columns."""
    fields = [field.with_type(type_) for field, type_ in zip(TABLES[name], types, strict=True)]
    return pa.schema(fields, TABLES[name].metadata)


def _fitting(values: pa.Array, type_: pa.DataType) -> pa.Array:
    fits = values.type == type_ or (values.type == CODED_TEXT and pa.types.is_string(type_))
    return values if fits else values.cast(type_)


def about(field: pa.Field) -> str:
    """Return the description of a column."""
    return str((field.metadata or {}).get(b"about", b""), "utf-8")


def page() -> str:
    """Return every table and column as Markdown, for the reference of the site."""
    head = (
        "`kproto audit SOURCE --out DIR` writes each table as parquet files into `DIR/TABLE/`. "
        f"This is version {VERSION} of the schemas; they only ever grow. Every column is inside of "
        "the files, which say in their metadata what a column holds. All columns can be "
        "null, and what is inside of one unless it says otherwise."
    )
    lines = ["# Tables of an audit", "", head]
    for name, (row, columns) in _DECLARED.items():
        lines += ["", f"## {name}", "", f"One row: {row}.", "", "| column | type | what |"]
        lines.append("|---|---|---|")
        lines += [f"| {column} | {_typed(kind)} | {text} |" for column, kind, text in columns]
    return "\n".join(lines) + "\n"


def _typed(kind: pa.DataType) -> str:
    return str(kind).replace("<element: ", "<")
