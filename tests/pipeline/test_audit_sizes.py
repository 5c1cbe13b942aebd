"""What a topic may legally hold and seldom does, and tasks that die: right answers, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords

from kproto.capture.segments.segment_files import read_segments
from kproto.codec import GroupMetadataKey, GroupMetadataValue, OffsetCommitKey, OffsetCommitValue
from kproto.pipeline.groups.options import Share, TopicFacts
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.in_process import UnitResult, audit_units, in_process
from kproto.pipeline.run.on_spark import orders_of
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.units import Unit
from kproto.pipeline.tables.publishing import Destination
from tests.pipeline.audit_groups import assignment, subscription
from tests.pipeline.test_offsets_source import batch, mark, segment

START = 1_700_000_000_000


def write(folder: Path, records: Sequence[tuple[bytes, bytes | None]], first: int = 0) -> Path:
    """Segments with one batch a record."""
    home = folder / "__consumer_offsets-0"
    home.mkdir(parents=True, exist_ok=True)
    with (home / f"{first:020}.log").open("wb") as out:
        for number, (key, value) in enumerate(records, first):
            builder = DefaultRecordBatchBuilder(
                magic=2, compression_type=0, is_transactional=0, producer_id=-1,
                producer_epoch=-1, base_sequence=-1, batch_size=1 << 30,
            )  # fmt: skip
            builder.append(0, START + number * 60_000, key, value, [])
            data = builder.build()
            data[:8] = number.to_bytes(8, "big")
            out.write(data)
    return folder


def generation(number: int, members: int = 1, topic: str = "t") -> bytes:
    """A record with so many members, who each have one partition."""
    return GroupMetadataValue(
        protocol_type="consumer",
        generation=number,
        protocol="range",
        leader="m-0",
        current_state_timestamp=START,
        members=[
            GroupMetadataValue.MemberMetadata(
                member_id=f"m-{one}",
                group_instance_id=None,
                client_id="c",
                client_host=f"/10.0.{one >> 8}.{one & 255}",
                rebalance_timeout=1000,
                session_timeout=1000,
                subscription=subscription([topic]),
                assignment=assignment([f"{topic}-{one}"]),
            )
            for one in range(members)
        ],
    ).to_bytes(version=3)


KEY = GroupMetadataKey(group="g").to_bytes()
COMMIT = OffsetCommitKey(group="g", topic="t", partition=0).to_bytes()


def audited(source: Path, out: Path) -> Audit:
    return run_audit(units_of(str(source)), Destination.new(str(out), replace=False), Options())


@pytest.mark.parametrize("size", [15_000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_a_group_of_many_members(size: int, tmp_path: Path) -> None:
    values = [(KEY, generation(number, size)) for number in (1, 2)]
    audit = audited(write(tmp_path / "s", values), tmp_path / "out")
    (group,) = audit.current.to_pylist()
    assert (group["members"], group["assigned"]) == (size, size)
    assert pq.ParquetFile(only_file(tmp_path / "out" / "members")).metadata.num_rows == 2 * size


def only_file(table: Path) -> Path:
    (file,) = table.iterdir()
    return file


def test_a_group_with_half_of_all_records(tmp_path: Path) -> None:
    """Between the records of many others: nothing is shuffled, and order is kept."""
    records = []
    for number in range(300):
        other = GroupMetadataKey(group=f"g{number}").to_bytes()
        records += [(KEY, generation(number + 1)), (other, generation(1))]
    audit = audited(write(tmp_path / "s", records), tmp_path / "out")
    found = {row["group_id"]: row for row in audit.current.to_pylist()}
    assert len(found) == 301
    assert (found["g"]["generation"], found["g"]["rebalances"]) == (300, 300)
    assert {row["generation"] for name, row in found.items() if name != "g"} == {1}


def test_a_compacted_history_says_what_it_lacks(tmp_path: Path) -> None:
    """Of each key the last record alone, as the cleaner leaves it."""
    source = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
    whole = audited(source, tmp_path / "whole")
    latest: dict[bytes, tuple[bytes, bytes | None]] = {}
    for path in sorted(source.rglob("*.log")):
        batches = MemoryRecords(path.read_bytes())
        while (found := batches.next_batch()) is not None:
            for record in found:
                if not found.is_control_batch:
                    latest.pop(record.key, None)
                    latest[record.key] = (record.key, record.value)
    audit = audited(write(tmp_path / "s", list(latest.values())), tmp_path / "out")
    assert audit.counts.read == len(latest)
    kept = ("group_id", "group_type", "state", "generation", "protocol", "members")
    assert [{name: row[name] for name in kept} for row in by_name(audit)] == [
        {name: row[name] for name in kept} for row in by_name(whole)
    ]
    assert set(audit.findings.column("severity").to_pylist()) == {"info"}


def by_name(audit: Audit) -> list[dict[str, Any]]:
    return sorted(audit.current.to_pylist(), key=lambda row: str(row["group_id"]))


def test_generations_that_nobody_recorded_are_told(tmp_path: Path) -> None:
    values = [(KEY, generation(number)) for number in (1, 2, 9)]
    audited(write(tmp_path / "s", values), tmp_path / "out")
    rows = pq.read_table(tmp_path / "out" / "rebalances").to_pylist()
    assert [(row["unrecorded"], row["basis"]) for row in rows][1:] == [
        (0, "inferred"), (6, "inferred"),
    ]  # fmt: skip


def test_a_clock_that_goes_backwards(tmp_path: Path) -> None:
    """The order of the log counts, whatever the times of its records."""
    home = tmp_path / "s" / "__consumer_offsets-0"
    steps = [
        batch((KEY, generation(number)), offset=number, time=START - number * 3_600_000)
        for number in range(1, 20)
    ]
    segment(home, *steps)
    audit = audited(tmp_path / "s", tmp_path / "out")
    (group,) = audit.current.to_pylist()
    assert (group["incarnation"], group["generation"], group["rebalances"]) == (0, 19, 19)
    assert set(audit.findings.column("severity").to_pylist()) == {"info"}
    waits = pq.read_table(tmp_path / "out" / "rebalances").column("since_previous_ms")
    assert set(waits.to_pylist()) == {None}


def test_records_of_types_that_nobody_knows(tmp_path: Path) -> None:
    strange = [(b"\x00\x63" + b"what is to come", b"x"), (b"\x7f\xff", None), (b"", b"y")]
    audit = audited(write(tmp_path / "s", [*strange, (KEY, generation(1))]), tmp_path / "out")
    assert (audit.counts.read, audit.counts.written, audit.counts.quarantined) == (4, 1, 3)
    kept = pq.read_table(tmp_path / "out" / "quarantine").to_pylist()
    assert [(row["level"], row["data"], row["source_offset"]) for row in kept] == [
        ("record", key, offset) for offset, (key, _) in enumerate(strange)
    ]
    assert kept[0]["reason"] == "record type 99 is not known"


def test_what_was_aborted_is_a_record_and_no_commit(tmp_path: Path) -> None:
    """Segments hold it; a client that reads committed does not see it, and no group has it."""

    def commit(offset: int, at: int, *, inside: bool) -> bytes:
        value = OffsetCommitValue(offset=offset, metadata="", commit_timestamp=START).to_bytes()
        return batch((COMMIT, value), offset=at, transactional=inside, producer=9 if inside else -1)

    home = tmp_path / "s" / "__consumer_offsets-0"
    segment(home, commit(5, 0, inside=False), commit(900, 1, inside=True), mark(0, 2))
    segment(home, commit(6, 3, inside=True), mark(1, 4), commit(901, 5, inside=True), base=3)
    audit = audited(tmp_path / "s", tmp_path / "out")
    assert (audit.counts.read, audit.counts.written) == (4, 4)
    rows = pq.read_table(tmp_path / "out" / "offsets").to_pylist()
    assert [(row["committed_offset"], row["outcome"]) for row in rows] == [
        (5, None), (6, "committed"), (901, "undecided"),
    ]  # fmt: skip
    outcomes = pq.read_table(tmp_path / "out" / "records").column("outcome").to_pylist()
    assert outcomes == [None, "aborted", "committed", "undecided"]
    topics = {"t": TopicFacts(partitions=1, ends={0: 10})}
    options = Options(topics=topics)
    destination = Destination.new(str(tmp_path / "more"), replace=False)
    (group,) = run_audit(units_of(str(tmp_path / "s")), destination, options).current.to_pylist()
    assert (group["commits"], group["lag"]) == (2, 4)


def test_a_value_of_ten_megabytes(tmp_path: Path) -> None:
    value = OffsetCommitValue(offset=1, metadata="m", commit_timestamp=START).to_bytes()
    large = value + bytes(10 << 20)  # Kafka ignores what follows
    audit = audited(write(tmp_path / "s", [(COMMIT, large), (COMMIT, value)]), tmp_path / "out")
    assert audit.current.column("commits").to_pylist() == [2]


def test_a_deleted_group_begins_anew(tmp_path: Path) -> None:
    """With its tombstone, and where compaction has taken that away."""
    values = [(KEY, generation(5)), (KEY, None), (KEY, generation(1)), (KEY, generation(9))]
    values += [(KEY, generation(2))]
    (group,) = audited(write(tmp_path / "s", values), tmp_path / "out").current.to_pylist()
    assert (group["incarnation"], group["generation"]) == (2, 2)


def test_a_group_that_is_gone(tmp_path: Path) -> None:
    values = [(KEY, generation(5)), (KEY, None)]
    (group,) = audited(write(tmp_path / "s", values), tmp_path / "out").current.to_pylist()
    assert group["state"] == "deleted"


def test_segments_in_order_whatever_their_dates(tmp_path: Path) -> None:
    write(tmp_path / "s", [(KEY, generation(3))], first=7)
    write(tmp_path / "s", [(KEY, generation(2))], first=1)
    (group,) = audited(tmp_path / "s", tmp_path / "out").current.to_pylist()
    assert (group["incarnation"], group["generation"]) == (0, 3)


def test_copies_of_one_partition_count_once(tmp_path: Path) -> None:
    values = [(KEY, generation(number)) for number in (1, 2, 3)]
    write(tmp_path / "s" / "broker-1", values)
    write(tmp_path / "s" / "broker-2", values[:2])
    assert audited(tmp_path / "s", tmp_path / "out").counts.read == 3


def test_partitions_of_two_clusters_lose_nothing(tmp_path: Path) -> None:
    """Nothing says that they are of two; where the records differ, one of both is quarantined."""
    folder = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic-compressed"
    audit = audited(folder, tmp_path / "out")
    assert (audit.counts.read, audit.counts.written, audit.counts.damages) == (81, 81, 74)
    lost = pq.read_table(tmp_path / "out" / "quarantine").to_pylist()
    other = {
        (record.offset, record.key, record.value) for record in read_segments([folder / "zstd"])
    }
    assert {(row["source_offset"], row["key"], row["value"]) for row in lost} == other
    assert len(lost) == len(other) == 74


@pytest.mark.parametrize("total", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_shares_of_the_groups_find_what_one_audit_finds(tmp_path: Path, total: int) -> None:
    source = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
    units = units_of(str(source))

    def in_shares(
        units: Sequence[Unit], destination: Destination, options: Options
    ) -> Iterator[UnitResult]:
        for unit in units:
            for number in range(total):
                yield audit_units([unit], destination, options, Share(number, total))

    results = [
        run_audit(units, Destination.new(str(tmp_path / name), replace=False), Options(), runner)
        for name, runner in (("one", in_process), ("many", in_shares))
    ]
    assert results[0].findings.equals(results[1].findings)
    assert results[0].counts == results[1].counts
    for table in ("records", "rebalances", "lag", "quarantine", "deviations"):
        one, many = (pq.read_table(tmp_path / name / table) for name in ("one", "many"))
        assert sorted(map(repr, one.to_pylist())) == sorted(map(repr, many.to_pylist()))


class Sized(NamedTuple):
    """A unit of so many bytes, which nobody reads."""

    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        raise NotImplementedError


def test_a_hot_partition_is_several_tasks() -> None:
    gigabyte = 1 << 30
    units: list[Unit] = [Sized(8 * gigabyte), Sized(gigabyte), Sized(1 << 20)]
    tasks = [(*(unit.size for unit in of), share) for of, share in orders_of(units, 4)]
    assert tasks == [
        *((8 * gigabyte, Share(number, 4)) for number in range(4)),
        (gigabyte, Share(0, 1)),
        (1 << 20, Share(0, 1)),
    ]
    assert [share.total for _, share in orders_of([Sized(100 << 20)], 64)] == [1]


@pytest.mark.parametrize(
    ("megabytes", "cores", "tasks"),
    [
        ([40, 30, 20, 10], 2, [[40, 10], [30, 20]]),
        ([40, 30, 20, 10], 3, [[40], [30], [20, 10]]),
        ([40, 30, 20, 10], 64, [[40], [30], [20], [10]]),  # none has nothing to do
        ([100] * 6, 1, [[100, 100]] * 2 + [[100]] * 2),  # not all in one
        ([0, 0, 0], 2, [[0, 0], [0]]),
        ([], 2, []),
    ],
)
def test_a_task_takes_several_small_partitions(
    megabytes: list[int], cores: int, tasks: list[list[int]]
) -> None:
    units = [Sized(size << 20) for size in megabytes]
    orders = list(orders_of(units, cores))
    assert [[unit.size >> 20 for unit in of] for of, _ in orders] == tasks
    assert all(share == Share() for _, share in orders)
