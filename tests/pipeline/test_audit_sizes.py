"""Groups and values of a size that is rare and legal, and tasks that die."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder

from kproto.codec import (
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
)
from kproto.pipeline.driver import Audit, Options, run_audit
from kproto.pipeline.driver.in_processes import in_processes
from kproto.pipeline.driver.run import in_process
from kproto.pipeline.driver.units import Unit, units_of
from kproto.pipeline.tables.publishing import Destination
from tests.pipeline.audit_groups import assignment, subscription

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


def audited(source: Path, out: Path) -> Audit:
    return run_audit(units_of(str(source)), Destination.new(str(out), replace=False), Options())


def test_a_group_of_many_members(tmp_path: Path) -> None:
    values = [(KEY, generation(number, 20_000)) for number in (1, 2)]
    (group,) = audited(write(tmp_path / "s", values), tmp_path / "out").current.to_pylist()
    assert (group["members"], group["assigned"]) == (20_000, 20_000)


def test_a_value_of_ten_megabytes(tmp_path: Path) -> None:
    key = OffsetCommitKey(group="g", topic="t", partition=0).to_bytes()
    value = OffsetCommitValue(offset=1, metadata="m", commit_timestamp=START).to_bytes()
    large = value + bytes(10 << 20)  # Kafka ignores what follows
    audit = audited(write(tmp_path / "s", [(key, large), (key, value)]), tmp_path / "out")
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


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    source = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
    units = units_of(str(source))
    results = [
        run_audit(units, Destination.new(str(tmp_path / name), replace=False), Options(), runner)
        for name, runner in (("one", in_process), ("many", in_processes(2)))
    ]
    assert results[0].findings.equals(results[1].findings)
    assert results[0].counts == results[1].counts


class Deadly(NamedTuple):
    """A unit whose task is killed while it reads."""

    size: int

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        os.kill(os.getpid(), signal.SIGKILL)
        yield from ()


def test_where_a_process_is_killed_nothing_is_published(tmp_path: Path) -> None:
    destination = Destination.new(str(tmp_path), replace=False)
    units: list[Unit] = [Deadly(1), Deadly(2)]
    with pytest.raises(BrokenProcessPool):
        run_audit(units, destination, Options(), in_processes(2))
    assert not list(tmp_path.iterdir())
