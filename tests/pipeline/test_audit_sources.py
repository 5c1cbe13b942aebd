"""Tables of records that others have written: the captured topic says the same in every form."""

from __future__ import annotations

import csv
import gzip
import json
import pickle
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from datetime import UTC, datetime
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords

from kproto.capture.segments.printed_records import read_printed_records
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.record_table import RECORDS, NotRecords
from kproto.pipeline.sources.tables.parquet_sizes import bounds, rows_at_once
from kproto.pipeline.sources.tables.table_units import TableUnit
from kproto.pipeline.sources.units import encodings
from kproto.pipeline.tables.publishing import Destination
from kproto.tools.main import main

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"
SEGMENTS = CAPTURES / "offsets-topic"

Row = dict[str, Any]


@pytest.fixture(scope="module")
def records() -> list[Row]:
    """The captured topic, read by aiokafka, under the names of Spark's Kafka connector."""
    rows = []
    for segment in sorted(SEGMENTS.rglob("*.log")):
        batches = MemoryRecords(segment.read_bytes())
        while (batch := batches.next_batch()) is not None:
            rows += [
                {
                    "key": record.key,
                    "value": record.value,
                    "topic": "__consumer_offsets",
                    "partition": int(segment.parent.name.rpartition("-")[2]),
                    "offset": record.offset,
                    "timestamp": record.timestamp,
                }
                for record in batch
                if not batch.is_control_batch
            ]
    return rows


def audit(source: Path, out: Path, encoding: str | None = None) -> Audit:
    destination = Destination.new(str(out), replace=False)
    return run_audit(units_of(str(source), encoding), destination, Options(cluster_id="c"))


def quarantine(out: Path) -> list[Row]:
    """Rows of a source that could not be read; members' bytes that cannot be are another thing."""
    rows = pq.read_table(out / "quarantine").to_pylist()
    return [row for row in rows if row["level"] != "payload"]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, ...]]:
    return said(audit(SEGMENTS, tmp_path_factory.mktemp("segments")))


def said(done: Audit) -> set[tuple[str, ...]]:
    """All that is found, but for the file that it is found in."""
    found = set()
    for row in done.findings.to_pylist():
        evidence = json.loads(row.pop("evidence"))
        evidence.pop("source", None)
        found.add((*map(str, row.values()), json.dumps(evidence, sort_keys=True)))
    return found


# -- forms


def as_base64(data: bytes | None) -> str | None:
    return None if data is None else b64encode(data).decode()


def as_hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def written(rows: Sequence[Row], encode: Callable[[bytes | None], Any]) -> list[Row]:
    return [row | {name: encode(row[name]) for name in ("key", "value")} for row in rows]


def as_parquet(rows: Sequence[Row], folder: Path) -> None:
    pq.write_table(pa.Table.from_pylist(list(rows)), folder / "part-0.parquet", row_group_size=100)
    (folder / "_SUCCESS").touch()


def as_jsonl(rows: Sequence[Row], folder: Path) -> None:
    """As Spark writes it: what is null is not there."""
    lines = [json.dumps({n: v for n, v in row.items() if v is not None}) for row in rows]
    (folder / "part-0.json").write_text("\n".join(lines) + "\n")


def as_json_array(rows: Sequence[Row], folder: Path) -> None:
    """As Python and jq print a list: an object on several lines."""
    (folder / "topic.json").write_text(json.dumps(list(rows), indent=2))


def as_json_objects(rows: Sequence[Row], folder: Path) -> None:
    """As jq prints a stream, and a list on one line."""
    half = len(rows) // 2
    text = "\n".join(json.dumps(row, indent=4) for row in rows[:half])
    (folder / "a.json").write_text(f"{text}\n")
    (folder / "b.json").write_text(json.dumps(list(rows[half:])))


def as_jsonl_gz(rows: Sequence[Row], folder: Path) -> None:
    text = "".join(json.dumps(row) + "\r\n" for row in rows)
    (folder / "topic.ndjson.gz").write_bytes(gzip.compress(text.encode()))


def as_csv(rows: Sequence[Row], folder: Path) -> None:
    with (folder / "topic.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


FORMS = [
    pytest.param(as_parquet, lambda data: data, id="parquet-binary"),
    pytest.param(as_parquet, as_hex, id="parquet-hex"),
    pytest.param(as_jsonl, as_base64, id="jsonl-base64"),
    pytest.param(as_jsonl_gz, as_hex, id="jsonl-gz-hex"),
    pytest.param(as_json_array, as_hex, id="json-array-hex"),
    pytest.param(as_json_objects, as_base64, id="json-objects-base64"),
    pytest.param(as_csv, as_base64, id="csv-base64"),
    pytest.param(as_csv, as_hex, id="csv-hex"),
]


@pytest.mark.parametrize(("write", "encode"), FORMS)
def test_every_form_says_what_the_segments_say(
    records: list[Row],
    expected: set[tuple[str, ...]],
    tmp_path: Path,
    write: Callable[[Sequence[Row], Path], None],
    encode: Callable[[bytes | None], Any],
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write(written(records, encode), folder)
    done = audit(folder, tmp_path / "out")
    assert said(done) == expected
    assert (done.counts.read, done.counts.damages) == (768, 0)


def test_order_and_files_make_no_difference(
    records: list[Row], expected: set[tuple[str, ...]], tmp_path: Path
) -> None:
    """Turned around and dealt out to files in folders of their partitions, and one of them twice:
    a copy."""
    folder = tmp_path / "in"
    for number in range(3):
        mine = [row for row in reversed(records) if row["partition"] == number]
        home = folder / f"partition={number}"
        home.mkdir(parents=True)
        for part in range(4):
            rows = [{n: v for n, v in row.items() if n != "partition"} for row in mine[part::4]]
            pq.write_table(pa.Table.from_pylist(rows), home / f"part-{part}.parquet")
    again = (folder / "partition=1" / "part-2.parquet").read_bytes()
    (folder / "partition=1" / "part-2-again.parquet").write_bytes(again)
    units = units_of(str(folder))
    assert sorted(len(unit.files) for unit in units if isinstance(unit, TableUnit)) == [4, 4, 5]
    assert pickle.loads(pickle.dumps(units)) == units  # noqa: S301  # on their way to a worker
    done = audit(folder, tmp_path / "out")
    assert said(done) == expected
    assert done.counts.read == 768


def test_a_table_by_a_uri(records: list[Row], tmp_path: Path) -> None:
    as_parquet(records, tmp_path)
    (unit,) = units_of(tmp_path.as_uri())
    assert sum(table.num_rows for table in unit.tables("c")) == 768


def test_what_is_in_order_passes_through(
    records: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row group by row group, three partitions in one file; nothing is held to the end."""
    monkeypatch.setattr("kproto.pipeline.sources.tables.table_units._ENOUGH", 1)
    mine = sorted(records, key=lambda row: (row["timestamp"], row["partition"], row["offset"]))
    as_parquet(mine, tmp_path)
    (unit,) = units_of(str(tmp_path))
    sizes = [table.num_rows for table in unit.tables("c")]
    assert sum(sizes) == 768
    assert max(sizes) <= 100 + 5


def test_another_record_at_the_same_offset_is_no_copy(records: list[Row], tmp_path: Path) -> None:
    other = records[3] | {"value": b"another"}
    as_parquet([*records[:10], other], tmp_path)
    done = audit(tmp_path, tmp_path / "out")
    (kept,) = quarantine(tmp_path / "out")
    assert (kept["reason"], kept["data"]) == (
        "another record has the same partition and offset",
        other["value"],
    )
    assert (done.counts.read, done.counts.damages) == (10, 1)


def test_times_as_spark_prints_them(
    records: list[Row], expected: set[tuple[str, ...]], tmp_path: Path
) -> None:
    for row in (rows := written(records, as_base64)):
        when = datetime.fromtimestamp(row["timestamp"] / 1000, UTC)
        row["timestamp"] = when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    as_jsonl(rows, tmp_path)
    assert said(audit(tmp_path, tmp_path / "out")) == expected


def test_names_of_our_own_tables(
    records: list[Row], expected: set[tuple[str, ...]], tmp_path: Path
) -> None:
    """What `kproto.offsets` gives, saved: an aborted record stays so."""
    names = {"partition": "source_partition", "offset": "source_offset"}
    rows = [
        {names.get(name, name): value for name, value in row.items()} | {"outcome": None}
        for row in records
    ]
    commit = next(row for row in rows if row["key"][:2] == b"\0\1" and row["value"])
    commit["outcome"] = "aborted"
    as_parquet(rows, tmp_path)
    done = audit(tmp_path, tmp_path / "out")
    assert said(done) == expected
    kept = pq.read_table(tmp_path / "out" / "offsets", columns=["source_offset"]).num_rows
    everything = sum(row["key"][:2] in {b"\0\0", b"\0\1"} for row in rows)
    assert kept == everything - 1


def test_without_place_and_time(records: list[Row], tmp_path: Path) -> None:
    """Key and value alone: the same groups in the same trouble; rows are numbered."""
    rows = [{name: row[name].hex() if row[name] else None for name in ("key", "value")}
            for row in records]  # fmt: skip
    as_csv(rows, tmp_path)
    done = audit(tmp_path, tmp_path / "out")
    seen = pq.read_table(tmp_path / "out" / "records")
    assert sorted(seen.column("source_offset").to_pylist()) == list(range(2, 770))  # header
    assert seen.column("source_partition").null_count == 768
    loud = {
        (row["group_id"], row["rule"], row["severity"])
        for row in done.findings.to_pylist()
        if row["severity"] != "info"
    }
    assert loud == {
        ("leader-ck+kafkago", "unreadable-member", "error"),
        ("mixed.all.roundrobin", "unreadable-member", "warning"),
    }


def test_times_that_are_missing_come_from_the_values(records: list[Row], tmp_path: Path) -> None:
    """A broker's clock wrote both: a commit's time is its record's, and a classic group came into
    its state shortly before."""
    as_parquet([{n: v for n, v in row.items() if n != "timestamp"} for row in records], tmp_path)
    audit(tmp_path, tmp_path / "out")
    truth = {(row["partition"], row["offset"]): row["timestamp"] for row in records}
    for row in pq.read_table(tmp_path / "out" / "records").to_pylist():
        when = row["record_timestamp"].timestamp() * 1000
        off = truth[row["source_partition"], row["source_offset"]] - when
        if row["record_type"] in {1, 2} and not row["tombstone"]:
            assert -1 < off < 5000, row


# -- what cannot be read


def test_lines_that_cannot_be_read_are_kept_with_their_places(
    records: list[Row], tmp_path: Path
) -> None:
    rows = written(records[:8], as_base64)
    rows[1]["key"] = "no base64"
    rows[2]["offset"] = "the third"
    rows[3]["timestamp"] = "soon"
    rows[4]["topic"] = "orders"
    rows[5]["offset"] = -1
    as_jsonl(rows, tmp_path)
    with (tmp_path / "part-0.json").open("ab") as file:
        file.write(b'{"key": "AAEC", "val\n[1]\n\xff\xfe\n' + b"[" * 100_000 + b"\n")
    done = audit(tmp_path, tmp_path / "out")
    kept = {row["position"]: row for row in quarantine(tmp_path / "out")}
    assert set(kept) == {2, 3, 4, 5, 6, 9, 10, 11, 12}
    assert done.counts.damages == 9
    assert done.counts.read == 3
    assert "'no base64' is no base64" in kept[2]["reason"]
    assert json.loads(kept[3]["data"])["offset"] == "the third"
    assert kept[4]["reason"] == "record_timestamp: 'soon' is no time"
    assert kept[5]["reason"] == "topic: of topic orders, not of __consumer_offsets"
    assert kept[9]["data"] == b'{"key": "AAEC", "val'
    assert all(row["source"].endswith("part-0.json") for row in kept.values())


def test_csv_lines_that_are_none(records: list[Row], tmp_path: Path) -> None:
    as_csv(written(records[:4], as_hex), tmp_path)
    with (tmp_path / "topic.csv").open("ab") as file:
        file.write(b'0001,"0001\n1,2\n\xff,,,,,\n')
    done = audit(tmp_path, tmp_path / "out")
    assert [row["position"] for row in quarantine(tmp_path / "out")] == [6, 7, 8]
    assert done.counts.read == 4


def test_damaged_parquet_costs_only_itself(records: list[Row], tmp_path: Path) -> None:
    for number in range(3):
        pq.write_table(
            pa.Table.from_pylist(records[number::3]), tmp_path / f"{number}.parquet",
            compression="none", use_dictionary=False, row_group_size=128,
            write_page_checksum=True,
        )  # fmt: skip
    whole = (tmp_path / "0.parquet").read_bytes()
    (tmp_path / "0.parquet").write_bytes(whole[:-9])
    done = audit(tmp_path, tmp_path / "out")
    (kept,) = quarantine(tmp_path / "out")
    assert kept["reason"].startswith("no parquet: ")
    assert kept["source"].endswith("0.parquet")
    assert whole.startswith(kept["data"][:1000])
    assert done.counts.read == 512


def test_a_damaged_row_group_costs_only_itself(records: list[Row], tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(
        pa.Table.from_pylist(records), path,
        compression="none", use_dictionary=False, row_group_size=256, write_page_checksum=True,
    )  # fmt: skip
    pages = pq.ParquetFile(path).metadata.row_group(1).column(1)
    data = bytearray(path.read_bytes())
    at = pages.data_page_offset  # its header: of a corrupt value reading is what fails
    data[at : at + 4] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    done = audit(path, tmp_path / "out")
    (kept,) = quarantine(tmp_path / "out")
    assert kept["reason"].startswith("row group 1 cannot be read: ")
    assert kept["position"] == 257
    assert done.counts.read == 512


def test_a_torn_compressed_file_is_read_up_to_there(records: list[Row], tmp_path: Path) -> None:
    as_jsonl_gz(written(records * 4, as_base64), tmp_path)
    path = tmp_path / "topic.ndjson.gz"
    path.write_bytes(path.read_bytes()[:-2000])
    done = audit(tmp_path, tmp_path / "out")
    assert "cannot be decompressed from here on" in quarantine(tmp_path / "out")[-1]["reason"]
    assert done.counts.read > 200


# -- lines of kproto decode --json --bytes


@pytest.fixture(scope="module")
def decoded_lines() -> list[str]:
    printed = BytesIO()
    with redirect_stdout(TextIOWrapper(printed)) as out:
        assert main(["decode", "--json", "--bytes", str(SEGMENTS)]) == 0
        out.flush()
        return printed.getvalue().decode().splitlines()


def test_decoded_lines_say_what_the_segments_say(
    records: list[Row], expected: set[tuple[str, ...]], decoded_lines: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(decoded_lines))
    done = audit(path, tmp_path / "out")
    assert said(done) == expected
    assert (done.counts.written, done.counts.damages) == (768, 0)
    printed = read_printed_records("", decoded_lines)
    fields = ["key", "value", "offset", "timestamp"]
    read = [[getattr(record, name) for name in fields] for record in printed]
    by_kafka = [[row[name] for name in fields] for row in records]
    assert sorted(read, key=repr) == sorted(by_kafka, key=repr)


@pytest.mark.parametrize(("command", "status"), [("audit", 3), ("migrate", 2), ("story", 3)])
def test_decoded_lines_without_bytes_name_the_option(
    decoded_lines: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    status: int,
) -> None:
    rows = [json.loads(line) for line in decoded_lines[:3]]
    for row in rows:
        del row["key"]["hex"], row["value"]["hex"]
    as_jsonl(rows, tmp_path)
    out = ["--out", str(tmp_path / "out")] if command == "audit" else []
    assert main([command, str(tmp_path / "part-0.json"), *out]) == status
    assert "`kproto decode --json --bytes` prints these too" in capsys.readouterr().err


def test_decoded_lines_say_what_became_of_a_transaction(
    decoded_lines: list[str], tmp_path: Path
) -> None:
    row = json.loads(decoded_lines[0])
    rows = [row, row | {"offset": 1, "transaction": "aborted"}, row | {"offset": 2, "time": None}]
    as_jsonl([*rows, row | {"offset": 3, "time": "noon"}], tmp_path)
    (unit,) = units_of(str(tmp_path))
    table = pa.concat_tables(unit.tables("c")).sort_by("position").to_pylist()
    outcomes = [(line["transactional"], line["outcome"]) for line in table[:3]]
    assert outcomes == [(False, None), (True, "aborted"), (False, None)]
    assert table[3]["problem"] == "record_timestamp: 'noon' is no time"


# -- what is no table of records


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.jsonl", '{"key": "AAE=", "offset": 1}', "there is no column `value`"),
        ("a.jsonl", '{"a": 1, "b": 2}', "no column `key` and no `value`.* this one a, b"),
        ("a.csv", "key;payload\n0001;0001", "there is no column `value`"),
        ("a.jsonl", '{"key": {"type": 1}, "value": {}}', "decode --json --bytes` prints these"),
        ("a.jsonl", '{"connection": "1", "header": {}, "body": {}}', "needs the capture itself"),
        ("a.jsonl", '{"key": "one", "value": "two"}', "neither hex nor base64.*--encoding"),
    ],
)
def test_it_is_said_what_is_missing(tmp_path: Path, name: str, text: str, line: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(NotRecords, match=line):
        units_of(str(tmp_path / name))


def test_a_source_of_which_nothing_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "b.jsonl").write_text("nor this\n")
    with pytest.raises(NotRecords, match=r"not one row can be read; no parquet: "):
        units_of(str(tmp_path))


def test_an_empty_row_group_is_none(records: list[Row], tmp_path: Path) -> None:
    table = pa.Table.from_pylist(records[:50])
    with pq.ParquetWriter(tmp_path / "a.parquet", table.schema) as writer:
        for part in (table.slice(0, 0), table.slice(0, 20), table.slice(0, 0), table.slice(20)):
            writer.write_table(part)
    (unit,) = units_of(str(tmp_path))
    assert sum(part.num_rows for part in unit.tables("c")) == 50


def test_an_encoding_does_not_make_a_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("key,offset\n0001,1\n")
    with pytest.raises(NotRecords, match="no column `value`"):
        units_of(str(tmp_path), "hex")


def test_a_file_that_changes_in_between(records: list[Row], tmp_path: Path) -> None:
    as_parquet(records, tmp_path)
    (unit,) = units_of(str(tmp_path))
    as_parquet(records[:100], tmp_path)
    with pytest.raises(NotRecords, match="changed while it was read"):
        list(unit.tables("c"))


def test_keys_of_a_wrong_type(tmp_path: Path) -> None:
    pq.write_table(pa.table({"key": [1], "value": [b""]}), tmp_path / "a.parquet")
    with pytest.raises(NotRecords, match="key is int64, and has to be bytes, or text of hex or"):
        units_of(str(tmp_path))


def test_the_command_says_what_it_reads(
    records: list[Row], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    as_csv(written(records, as_hex), tmp_path)
    asked = ["audit", str(tmp_path / "topic.csv"), "--out", str(tmp_path / "out"), "--json"]
    assert main(asked) == 1
    seen = capsys.readouterr()
    assert (
        seen.err
        == f"kproto: keys and values that are text are read as hex: {tmp_path / 'topic.csv'}\n"
    )
    assert json.loads(seen.out)["findings"]


def test_the_command_refuses_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("key;payload\n0001;0001\n")
    assert main(["audit", str(path), "--out", str(tmp_path / "out")]) == 3
    assert capsys.readouterr().err == (
        f"kproto: {path}: there is no column `value`; a table of records has key and value, and "
        "this one key, payload\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_folder_with_neither(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(FileNotFoundError, match=r"no log segment .* and no parquet"):
        units_of(str(tmp_path))


def test_an_encoding_is_found_out_or_forced(records: list[Row], tmp_path: Path) -> None:
    as_csv(written(records, as_hex), tmp_path)
    path = str(tmp_path / "topic.csv")
    assert encodings(units_of(path)) == {"hex": [path]}
    assert encodings(units_of(path, "base64")) == {"base64": [path]}
    # Hex is base64 of something else: no record type is known.
    with pytest.raises(NotRecords, match="not one record of the offsets topic can be read"):
        audit(Path(path), tmp_path / "out", "base64")


def test_bytes_that_were_called_text(
    records: list[Row], expected: set[tuple[str, ...]], tmp_path: Path
) -> None:
    """As Spark's cast to a string leaves them, which checks nothing."""
    table = pa.Table.from_pylist(records)
    columns = {name: table.column(name).combine_chunks() for name in table.column_names}
    for name in ("key", "value"):
        array = columns[name]
        buffers = array.buffers()
        columns[name] = pa.Array.from_buffers(pa.string(), len(array), buffers)
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    with pytest.raises(NotRecords, match="--encoding"):
        units_of(str(tmp_path))
    assert said(audit(tmp_path, tmp_path / "out", "binary")) == expected


def test_text_that_is_no_text(records: list[Row], tmp_path: Path) -> None:
    """Cells that are no UTF-8 cost their rows alone."""
    table = pa.Table.from_pylist(written(records[:6], as_hex))
    for row, name in enumerate(("key", "topic")):
        cells = [one.encode() for one in table.column(name).to_pylist()]
        cells[row] = b"\xff\xfe"
        made = pa.array(cells, pa.binary())
        text = pa.Array.from_buffers(pa.string(), len(made), made.buffers())
        table = table.set_column(table.column_names.index(name), name, text)
    pq.write_table(table, tmp_path / "a.parquet")
    done = audit(tmp_path, tmp_path / "out")
    assert [row["position"] for row in quarantine(tmp_path / "out")] == [1, 2]
    assert r"\\xff\\xfe" in quarantine(tmp_path / "out")[0]["reason"]
    assert done.counts.read == 4


# -- times


@pytest.mark.parametrize(
    ("said", "year"),
    [
        ("1e3", "is no time"),
        ("99999999999999999999", "is no time"),
        ("-99999999999999999999", "is no time"),
        ("9223372036854775807", None),
        ("1760000000000000000", None),  # nanoseconds: beyond the year 9999, as in a segment
        ("-1", None),
        ("1760000000000", 2025),
        ("2025-10-09", 2025),
    ],
)
def test_times_that_are_text(
    records: list[Row], tmp_path: Path, said: str, year: int | str | None
) -> None:
    row = tombstone(records) | {"timestamp": said}
    (tmp_path / "in").mkdir()
    as_jsonl(written([row, records[0]], as_hex), tmp_path / "in")
    assert time_of_first(tmp_path) == year


@pytest.mark.parametrize(
    ("column", "year"),
    [
        (pa.array([20_370], pa.date32()), 2025),
        (pa.array([20_370 * 86_400_000], pa.date64()), 2025),
        (pa.array([1_760_000_000], pa.timestamp("s")), 2025),
        (pa.array([1_760_000_000_000_000_000], pa.timestamp("ns", "Asia/Tokyo")), 2025),
        (pa.array([1 << 62], pa.timestamp("ms")), None),
        (pa.array([(1 << 31) - 1], pa.date32()), None),
        (pa.array([1_760_000_000_000], pa.int64()), 2025),
        (pa.array([1_760_000_000_000], pa.duration("ms")), "is no number"),
        (pa.array([5], pa.time32("s")), "is no number"),
        (pa.array([True]), "is no number"),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else str(value),
)
def test_times_in_columns_of_every_type(
    records: list[Row], tmp_path: Path, column: pa.Array, year: int | str | None
) -> None:
    (tmp_path / "in").mkdir()
    table = pa.Table.from_pylist([tombstone(records)]).append_column("timestamp", column)
    pq.write_table(table, tmp_path / "in" / "a.parquet", version="2.6")
    pq.write_table(pa.Table.from_pylist([records[0]]), tmp_path / "in" / "b.parquet")
    assert time_of_first(tmp_path) == year


def tombstone(records: Sequence[Row]) -> Row:
    """One without a time, alone in its partition: nothing else tells when it was."""
    row = next(row for row in records if row["key"][:2] == b"\0\2" and row["value"] is None)
    return {name: row[name] for name in ("key", "value", "offset")} | {"partition": 9}


def time_of_first(folder: Path) -> int | str | None:
    """The year of that tombstone, or why it is in quarantine."""
    audit(folder / "in", folder / "out")
    if kept := quarantine(folder / "out"):
        (row,) = kept
        assert row["reason"].startswith("record_timestamp: ")
        return " ".join(row["reason"].split()[-3:])
    first = next(
        row
        for row in pq.read_table(folder / "out" / "records").to_pylist()
        if row["source_partition"] == 9
    )
    when = first["record_timestamp"]
    return None if when is None else int(when.year)


# -- where nothing is


def test_a_folder_of_which_nothing_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Damage alone, records of another topic, or empty segments of who knows what."""
    segment = tmp_path / "in" / "orders-0" / f"{0:020}.log"
    segment.parent.mkdir(parents=True)
    asked = ["audit", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    for data, reason in (
        (b"", "the log segments here are empty, and in no folder of __consumer_offsets"),
        (b"no batch at all " * 9, "not one record of the offsets topic can be read; bytes in a"),
        (of_another_topic(), "not one record of the offsets topic can be read; "),
    ):
        segment.write_bytes(data)
        assert main(asked) == 3
        said = capsys.readouterr().err
        assert reason in said
        assert said.count("\n") == 1
        assert not list((tmp_path / "out").glob("*"))


def of_another_topic() -> bytes:
    builder = DefaultRecordBatchBuilder(2, 0, False, -1, -1, -1, 1 << 20)
    builder.append(0, 1_760_000_000_000, b"order 1", b"two pears", [])
    return bytes(builder.build())


def test_an_empty_partition_of_the_topic_is_one(tmp_path: Path) -> None:
    segment = tmp_path / "__consumer_offsets-7" / f"{0:020}.log"
    segment.parent.mkdir()
    segment.touch()
    for number, source in enumerate((tmp_path, segment.parent)):
        assert audit(source, tmp_path / f"out-{number}").counts.read == 0
    with pytest.raises(NotRecords, match="no batch of records in it"):
        units_of(str(segment))


def test_an_empty_segment_beside_others_is_nothing_special(tmp_path: Path) -> None:
    """So is a torn one."""
    good = next(SEGMENTS.rglob("*.log")).read_bytes()
    for number, data in enumerate((good, b"", good[:50], b"\xff" * 500)):
        segment = tmp_path / f"__consumer_offsets-{number}" / f"{0:020}.log"
        segment.parent.mkdir()
        segment.write_bytes(data)
    done = audit(tmp_path, tmp_path / "out")
    assert done.counts.written == done.counts.read > 0
    assert done.counts.damages == 2


def empty_parquet(schema: pa.Schema, **layout: Any) -> bytes:
    file = BytesIO()
    pq.write_table(schema.empty_table(), file, **layout)
    return file.getvalue()


def no_row_group(schema: pa.Schema) -> bytes:
    file = BytesIO()
    pq.ParquetWriter(file, schema).close()
    return file.getvalue()


OF_KAFKA = pa.schema([("key", pa.binary()), ("value", pa.binary()), ("partition", pa.int32())])
EMPTY_PARTS = {
    "a.jsonl": b"",
    "lines.jsonl": b"\n\r\n",
    "a.json": b"[]\n",
    "b.json": b"[\n]\n",
    "a.ndjson.gz": gzip.compress(b""),
    "a.csv": b"key,value\n",
    "b.csv": b"",
    "kafka.parquet": empty_parquet(OF_KAFKA),
    "ours.parquet": empty_parquet(RECORDS),  # its column of booleans has no page at all
    "plain.parquet": empty_parquet(RECORDS, use_dictionary=False),
    "none.parquet": no_row_group(RECORDS),
}


@pytest.mark.parametrize("name", EMPTY_PARTS)
def test_a_part_without_a_row(records: list[Row], tmp_path: Path, name: str) -> None:
    """Beside others it is what Spark leaves of an empty task; alone it is nothing to audit."""
    source = tmp_path / "in"
    source.mkdir()
    (source / name).write_bytes(EMPTY_PARTS[name])
    for place in (source, source / name):
        with pytest.raises(NotRecords, match=r"no row \(1 file read\): there is nothing to"):
            units_of(str(place))
    pq.write_table(pa.Table.from_pylist(records[:5]), source / "rows.parquet")
    counts = audit(source, tmp_path / "out").counts
    assert (counts.read, counts.written, counts.damages) == (5, 5, 0)


def test_rows_without_a_page_are_damage() -> None:
    column = SimpleNamespace(
        dictionary_page_offset=None,
        data_page_offset=0,
        total_compressed_size=0,
        physical_type="BOOLEAN",
        path_in_schema="outcome",
    )
    group = SimpleNamespace(num_rows=1, num_columns=1, column=lambda number: column)
    about = SimpleNamespace(num_row_groups=1, row_group=lambda number: group)
    with pytest.raises(pa.ArrowInvalid, match="the column outcome has no page"):
        rows_at_once(BytesIO(), about, 0, bounds(about, 0)[0]._replace(share=1.0))


def test_row_groups_have_no_more_than_the_file_has() -> None:
    """Each may claim the same bytes, or some that are not there."""
    column = SimpleNamespace(total_compressed_size=1000)
    group = SimpleNamespace(num_columns=1, column=lambda number: column)
    about = SimpleNamespace(num_row_groups=3, row_group=lambda number: group)
    limits = bounds(about, 3000)
    assert [limit.stored for limit in limits] == [1000] * 3
    assert sum(limit.share for limit in limits) == pytest.approx(1)
    with pytest.raises(pa.ArrowInvalid, match="row groups of 3,000 bytes in a file of 2,999"):
        bounds(about, 2999)
