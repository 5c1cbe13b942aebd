"""Groups that turn from one kind into another and back every few records: they are judged by
offset, in chunks of any size and by every engine."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from _pytest.mark import ParameterSet

from kproto.capture.segments.offsets_topic import record_types
from kproto.codec import (
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
    message_class,
)
from kproto.pipeline.groups.intake import Counts
from kproto.pipeline.groups.partition import audited
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.on_spark import on_spark
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.record_table import RECORDS
from kproto.pipeline.streaming.group_follower import GroupFollower
from kproto.pipeline.streaming.memory import Memory
from kproto.pipeline.streaming.signals import Signal, condensed
from kproto.pipeline.tables.publishing import Destination
from tests.capture.test_segments import batch
from tests.pipeline.audit_groups import assignment, subscription

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

START = 1_700_000_000_000
OPTIONS = Options(cluster_id="c")
Record = tuple[str, bytes, bytes | None]
"""The group, the key and the value."""


def classic(group: str, generation: int, members: int, at: int) -> Record:
    member = GroupMetadataValue.MemberMetadata
    value = GroupMetadataValue(
        protocol_type="consumer",
        generation=generation,
        protocol="range" if members else None,
        leader="m0" if members else None,
        current_state_timestamp=at,
        members=[
            member(
                member_id=f"m{number}",
                client_id=f"c{number}",
                client_host="/10.0.0.1",
                rebalance_timeout=300_000,
                session_timeout=45_000,
                subscription=subscription(),
                assignment=assignment([f"t-{number}"]),
            )
            for number in range(members)
        ],
    )
    return group, GroupMetadataKey(group=group).to_bytes(), value.to_bytes(version=3)


def modern(group: str, prefix: str, record: str, key: dict[str, Any], value: Any) -> Record:
    key_class = message_class(f"{prefix}Group{record}Key")
    key_bytes = key_class(group_id=group, **key).to_bytes()  # type: ignore[attr-defined]
    if value is None:
        return group, key_bytes, None
    cls = message_class(f"{prefix}Group{record}Value")
    return group, key_bytes, cls(**value).to_bytes()  # type: ignore[attr-defined]


def as_consumer(group: str, epoch: int, members: int) -> list[Record]:
    """A group as the broker writes one that it assigns; the classic record is deleted first."""
    records: list[Record] = [(group, GroupMetadataKey(group=group).to_bytes(), None)]
    for number in range(members):
        member = {"member_id": f"m{number}"}
        facts = {
            "client_id": f"c{number}", "client_host": "/10.0.0.1", "rebalance_timeout_ms": 300_000,
            "subscribed_topic_names": ("t",),
        }  # fmt: skip
        records.append(modern(group, "Consumer", "MemberMetadata", member, facts))
        current = {"member_epoch": epoch, "previous_member_epoch": epoch - 1, "state": 0}
        records.append(modern(group, "Consumer", "CurrentMemberAssignment", member, current))
    records.append(modern(group, "Consumer", "Metadata", {}, {"epoch": epoch}))
    return records


def no_consumer(group: str, members: int) -> list[Record]:
    records = []
    for number in range(members):
        member = {"member_id": f"m{number}"}
        records.append(modern(group, "Consumer", "CurrentMemberAssignment", member, None))
        records.append(modern(group, "Consumer", "MemberMetadata", member, None))
    return [*records, modern(group, "Consumer", "Metadata", {}, None)]


def drawn(rng: random.Random, group: str) -> list[Record]:
    records: list[Record] = []
    number = 0
    for _ in range(rng.randint(2, 7)):
        for _ in range(rng.randint(1, 3)):
            number += 1
            records.append(classic(group, number, rng.randint(0, 3), START + 1000 * number))
        if rng.random() < 0.4:
            commit = OffsetCommitKey(group=group, topic="t", partition=0).to_bytes()
            value = OffsetCommitValue(offset=number, metadata="", commit_timestamp=START)
            records.append((group, commit, value.to_bytes(version=3)))
        members = rng.randint(1, 3)
        for _ in range(rng.randint(1, 2)):
            number += 1
            records += as_consumer(group, number, members)
        if rng.random() < 0.8:
            records += no_consumer(group, members)
    return records[: rng.randint(len(records) // 2, len(records))]


def topic(seed: int, groups: int = 4) -> list[Record]:
    """Several groups, each in its order, between one another."""
    rng = random.Random(seed)  # noqa: S311
    queues = [drawn(rng, f"g{number}") for number in range(groups)]
    records = []
    while any(queues):
        queue = rng.choice([queue for queue in queues if queue])
        records.append(queue.pop(0))
    return records


def table(records: list[Record]) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {
                "cluster_id": "c", "source": "log", "source_partition": 0, "source_offset": offset,
                "record_timestamp": (START + 1000 * offset) * 1000,
                "record_type": int.from_bytes(key[:2], "big"), "group_id": group, "key": key,
                "value": value, "transactional": False, "position": offset,
            }
            for offset, (group, key, value) in enumerate(records)
        ],
        RECORDS,
    )  # fmt: skip


def in_chunks(rows: pa.Table, size: int) -> list[pa.Table]:
    return [rows.slice(start, size) for start in range(0, rows.num_rows, size)]


def outcome(rows: pa.Table, size: int) -> dict[str, list[Any]]:
    """The rows of all tables but those that list records type by type."""
    tables: dict[str, list[Any]] = {}
    for name, part in audited(in_chunks(rows, size), OPTIONS, Counts()):
        if name in ("findings", "current", "rebalances", "lag"):
            tables.setdefault(name, []).extend(part.to_pylist())
    for listed in tables.values():
        listed.sort(key=repr)
    return tables


def seeds(short: int, long: int) -> list[ParameterSet]:
    """Some seeds, and in `make slow` more."""
    return [
        pytest.param(seed, marks=[pytest.mark.slow] * (seed >= short), id=str(seed))
        for seed in range(long)
    ]


@pytest.mark.parametrize("seed", seeds(1, 24))
def test_chunks_of_any_size_make_the_same(seed: int) -> None:
    rows = table(topic(seed, groups=2))
    one_by_one = outcome(rows, 1)
    assert one_by_one["current"]
    for size in (2, 3, 7, 20, rows.num_rows):
        assert outcome(rows, size) == one_by_one, size


def test_all_types_are_known() -> None:
    types = {int.from_bytes(key[:2], "big") for _, key, _ in topic(1)}
    assert types <= record_types().keys()


@pytest.mark.parametrize("seed", seeds(1, 12))
def test_a_follower_comes_to_the_same_in_batches_of_any_size(seed: int) -> None:
    rows = table(topic(seed, groups=2))
    states = []
    for size in (1, 5, rows.num_rows):
        memories: dict[str, Memory | None] = {}
        current: dict[str, Any] = {}
        for chunk in in_chunks(rows, size):
            follower = GroupFollower("log", OPTIONS)
            signals: dict[str, list[Signal]] = {}
            for part in condensed([chunk], OPTIONS):
                for row in part.to_pylist():
                    signal = Signal(**{name: row[name] for name in Signal._fields})
                    if signal.group_id is not None:
                        signals.setdefault(signal.group_id, []).append(signal)
            for group, of_group in signals.items():
                turn = follower.take(group, memories.get(group), of_group, 0)
                memories[group] = turn.memory
                for row in turn.tables["current"].to_pylist() if "current" in turn.tables else ():
                    current[row["group_id"]] = {
                        name: row[name]
                        for name in ("kind", "state", "members", "source_offset", "protocol")
                        if name in row
                    }
        states.append(current)
    assert states[0] == states[1] == states[2]
    whole = {row["group_id"]: row for row in outcome(rows, rows.num_rows)["current"]}
    for group, row in states[0].items():
        assert {name: whole[group][name] for name in row} == row


@pytest.mark.slow
def test_spark_comes_to_the_same(spark: SparkSession, tmp_path: Path) -> None:
    del spark
    records = topic(3)
    folder = tmp_path / "__consumer_offsets-0"
    folder.mkdir()
    data = b"".join(
        batch(offset, [value], keys=[key]) for offset, (_, key, value) in enumerate(records)
    )
    (folder / f"{0:020}.log").write_bytes(data)
    units = units_of(str(tmp_path))
    tables = []
    for name, runner in (("here", None), ("there", on_spark())):
        destination = Destination.new(str(tmp_path / name), replace=False)
        if runner is None:
            run_audit(units, destination, OPTIONS)
        else:
            run_audit(units, destination, OPTIONS, runner)
        tables.append({
            table: sorted(map(repr, pq.read_table(tmp_path / name / table).to_pylist()))
            for table in ("findings", "current", "rebalances")
        })  # fmt: skip
    assert tables[0] == tables[1]
