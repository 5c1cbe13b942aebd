"""The tables of an audit: their page, their columns, and what they hold of given records."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    OffsetCommitKey,
    OffsetCommitValue,
    Policy,
    VersionedMessage,
    decode,
)
from kproto.pipeline.sources.record_table import SourceColumns, key_says, table_of
from kproto.pipeline.tables import TABLES, VERSION, page
from kproto.pipeline.tables.commits import CommitSummary, commits_of, offset_rows
from kproto.pipeline.tables.payload_deviations import is_plain
from kproto.pipeline.tables.record_kinds import Kind, quarantined_problems, read_kinds
from kproto.pipeline.tables.schemas import about

VECTORS = Path(__file__).parents[1] / "vectors"
NAMES = {
    "records", "groups", "members", "subscriptions", "owned_partitions", "assignments", "offsets",
    "deviations", "rebalances", "rebalance_costs", "group_states", "topics", "findings", "current",
    "lag", "quarantine",
}  # fmt: skip
COMMIT = OffsetCommitKey(group="g", topic="t", partition=0)


def test_the_page_names_every_table_and_column() -> None:
    for name, schema in TABLES.items():
        assert f"\n## {name}\n" in page()
        assert all(f"\n| {field.name} | " in page() for field in schema)


def test_every_table_and_column_says_what_it_holds() -> None:
    assert TABLES.keys() == NAMES
    for schema in TABLES.values():
        assert schema.metadata[b"kproto.version"] == str(VERSION).encode()
        assert all(about(field) and field.nullable for field in schema)


def test_one_name_has_one_type() -> None:
    found: dict[str, set[pa.DataType]] = {}
    for schema in TABLES.values():
        for field in schema:
            if field.name not in {"members", "findings"}:  # counts, and tables of that name
                found.setdefault(field.name, set()).add(field.type)
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


def records(*rows: dict[str, object]) -> pa.Table:
    place = SourceColumns("c", "log", 0)
    return table_of(place, [row | key_says(row["key"]) for row in rows])  # type: ignore[arg-type]


def commit(offset: int, time: int, outcome: str | None = None) -> dict[str, object]:
    value = OffsetCommitValue(offset=offset, metadata="", commit_timestamp=time)
    return {
        "source_offset": time,
        "record_timestamp": time * 1000,
        "key": COMMIT.to_bytes(),
        "value": value.to_bytes(),
        "transactional": outcome is not None,
        "outcome": outcome,
    }


def only_kind(table: pa.Table) -> Kind:
    (kind,) = read_kinds(table)
    assert isinstance(kind, Kind)
    return kind


def test_commits_of_aborted_transactions_are_no_offsets() -> None:
    outcomes = (None, "committed", "aborted", "undecided")
    kind = only_kind(records(*(commit(n, 1000 + n, one) for n, one in enumerate(outcomes))))
    rows = offset_rows(kind)
    assert rows.column("committed_offset").to_pylist() == [0, 1, 3]
    assert commits_of(kind, rows).offsets.tolist() == [0, 1]


def test_an_undecided_commit_counts_for_nothing() -> None:
    summary = CommitSummary()
    kind = only_kind(records(commit(5, 1000), commit(9, 2000, "undecided")))
    summary.add(commits_of(kind, offset_rows(kind)))
    (row,) = summary.table().to_pylist()
    assert (row["committed_offset"], row["commits"]) == (5, 1)


@pytest.mark.parametrize("pieces", [1, 2, 5])
def test_sums_do_not_depend_on_the_batches(pieces: int) -> None:
    rows = [commit(n, 1000 + n) for n in range(10)]
    summary = CommitSummary()
    size = len(rows) // pieces
    for start in range(0, len(rows), size):
        kind = only_kind(records(*rows[start : start + size]))
        summary.add(commits_of(kind, offset_rows(kind)))
    (row,) = summary.table().to_pylist()
    assert (row["committed_offset"], row["commits"]) == (9, 10)
    assert (row["last"] - row["first"]).total_seconds() == pytest.approx(0.009)


def test_a_tombstone_deletes_the_offset() -> None:
    gone = commit(5, 2000) | {"value": None}
    kind = only_kind(records(commit(4, 1000), gone))
    assert offset_rows(kind).column("committed_offset").to_pylist() == [4, None]
    summary = CommitSummary()
    summary.add(commits_of(kind, offset_rows(kind)))
    (row,) = summary.table().to_pylist()
    assert (row["committed_offset"], row["commits"]) == (None, 1)


def test_what_has_no_known_type_is_in_quarantine() -> None:
    strange = {"source_offset": 1, "key": b"\x01\x00abc", "value": b"x"}
    short = {"source_offset": 2, "key": b"\x01", "value": None}
    (kept,) = read_kinds(records(strange, short))
    assert isinstance(kept, pa.Table)
    assert kept.column("reason").to_pylist() == [
        "record type 256 is not known",
        "no record type in the key",
    ]
    halves = [(row["data"], row["key"], row["value"]) for row in kept.to_pylist()]
    assert halves == [
        (b"\x01\x00abc", b"\x01\x00abc", b"x"),
        (b"\x01", b"\x01", None),
    ]


def test_a_value_that_kafka_refuses_is_in_quarantine() -> None:
    bad = commit(5, 1000)
    bad["value"] = b"\x00\x03\x00"
    kind = only_kind(records(bad, commit(6, 2000)))
    assert kind.rows.num_rows == 1
    (kept,) = kind.refused.to_pylist()
    assert (kept["level"], kept["field"], kept["reason"]) == ("record", "value", "truncated")
    assert (kept["data"], kept["key"], kept["value"]) == (bad["value"], bad["key"], bad["value"])


def test_a_key_that_kafka_refuses_is_in_quarantine_with_its_value() -> None:
    bad = commit(5, 1000)
    bad["key"] = COMMIT.to_bytes()[:-1]
    kind = only_kind(records(bad, commit(6, 2000)))
    (kept,) = kind.refused.to_pylist()
    assert (kept["field"], kept["data"]) == ("key", bad["key"])
    assert (kept["key"], kept["value"]) == (bad["key"], bad["value"])


def test_a_record_with_a_problem_is_in_quarantine_whole() -> None:
    record = {**commit(5, 1000), "problem": "another record"}
    bytes_alone: dict[str, object] = {
        "source_offset": None,
        "key": None,
        "value": b"torn",
        "problem": "a torn end",
    }
    kept = quarantined_problems(records(record, bytes_alone)).to_pylist()
    assert [(row["data"], row["key"], row["value"]) for row in kept] == [
        (record["value"], record["key"], record["value"]),
        (b"torn", None, None),
    ]


def test_the_page_says_what_cannot_be_null() -> None:
    moves = TABLES["rebalances"].field("moves").type.value_type
    assert not moves.field("topic").nullable
    assert "topic: string not null, partition: int32 not null, from_member: string," in page()


@pytest.mark.parametrize(
    "message_class", [ConsumerProtocolSubscription, ConsumerProtocolAssignment]
)
def test_what_is_plain_has_no_deviation(message_class: type[VersionedMessage]) -> None:
    """On what Java and others wrote and judged, and one byte changed in it."""
    vectors = VECTORS / "consumer-protocol.jsonl"
    plain = 0
    for line in vectors.read_text().splitlines():
        data = bytes.fromhex(json.loads(line)["hex"])
        for place in (None, *range(0, len(data), 5)):
            changed = bytearray(data)
            if place is not None:
                changed[place] ^= 1
            if is_plain(bytes(changed), message_class):
                plain += 1
                assert not decode(bytes(changed), message_class, policy=Policy.LENIENT).deviations
    assert plain > 300


@pytest.mark.parametrize("name", [".", "..", "__proto__", "a" * 250, "a b", ""])
def test_a_name_of_which_a_rule_says_something_is_not_plain(name: str) -> None:
    data = ConsumerProtocolSubscription(topics=[name]).to_bytes()
    assert decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT).deviations
    assert not is_plain(data, ConsumerProtocolSubscription)
