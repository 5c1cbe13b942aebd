"""An audit in this process: several units in turn, with and without threads."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.in_process import in_process
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.publishing import Destination

from ..benchmarks.fleet import write

PARTITIONS = 3


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fleet")
    write(folder, 1, groups=12, partitions=PARTITIONS)
    for number in (PARTITIONS, PARTITIONS + 1):  # two that have no records
        (folder / f"__consumer_offsets-{number}").mkdir()
        (folder / f"__consumer_offsets-{number}" / f"{0:020}.log").touch()
    return folder


def audited(source: Path, out: Path, *, in_threads: bool) -> Audit:
    destination = Destination.new(str(out), replace=False)
    runner = partial(in_process, in_threads=in_threads)
    return run_audit(units_of(str(source)), destination, Options(), runner)


@pytest.mark.parametrize("in_threads", [True, False])
def test_the_tables_of_all_units_are_in_one_file_each(
    fleet: Path, tmp_path: Path, in_threads: bool
) -> None:
    audit = audited(fleet, tmp_path / "out", in_threads=in_threads)
    (records,) = (tmp_path / "out" / "records").iterdir()
    partitions = pq.read_table(records, columns=["source_partition"]).column(0)
    assert sorted(partitions.unique().to_pylist()) == list(range(PARTITIONS))
    assert len(partitions) == audit.counts.read == audit.counts.written
    assert audit.current.num_rows == 12


def test_threads_change_nothing(fleet: Path, tmp_path: Path) -> None:
    one, other = (
        audited(fleet, tmp_path / str(threads), in_threads=threads) for threads in (True, False)
    )
    assert one.findings.equals(other.findings)
    assert one.current.equals(other.current)
    assert one.counts == other.counts


@pytest.mark.parametrize(("small", "audits"), [(10**6, 1), (1, PARTITIONS)])
def test_small_units_share_an_audit(
    fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int, audits: int
) -> None:
    monkeypatch.setattr("kproto.pipeline.run.in_process._SMALL", small)
    destination = Destination.new(str(tmp_path / "out"), replace=False)
    destination.stage()
    results = [*in_process(units_of(str(fleet)), destination, Options())]
    assert sum(result.counts.read > 0 for result in results) == audits
    assert [bool(result.files) for result in results] == [False] * (len(results) - 1) + [True]


def test_a_partition_without_a_number_has_an_audit_of_its_own(fleet: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for number in range(PARTITIONS):
        shutil.copytree(fleet / f"__consumer_offsets-{number}", source / f"copy{number}")
    destination = Destination.new(str(tmp_path / "out"), replace=False)
    destination.stage()
    results = [*in_process(units_of(str(source)), destination, Options())]
    assert sum(result.counts.read > 0 for result in results) == PARTITIONS
