"""The data source `kproto.offsets` on log segments: each record once, and nothing lost silently."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiokafka.record._crc32c import crc as aiokafka_crc32c
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from kproto.capture import decode_record
from kproto.capture.segments.batches import next_batch
from kproto.capture.segments.segment_files import read_segments
from kproto.codec import GroupMetadataKey, OffsetCommitKey
from kproto.codec.runtime import engine
from kproto.pipeline.sources.places import filesystem
from kproto.pipeline.sources.record_batches import (
    BatchArrays,
    RecordArrays,
    read_batches,
    read_plain_batches,
)
from kproto.pipeline.sources.record_table import CODED, NotRecords
from kproto.pipeline.sources.segments.files import plan
from kproto.pipeline.sources.segments.split_reader import read_split
from kproto.pipeline.spark.offsets_source import KINDS, Options

from .test_functions import conf

CAPTURES = Path(__file__).parent.parent / "vectors" / "captures"
TOPIC = CAPTURES / "offsets-topic"
PUSHDOWN = "spark.sql.python.filterPushdown.enabled"
Seen = list[dict[str, Any]]


def rows(path: Path, split_bytes: int = 64 << 20) -> Seen:
    """What all tasks of a path read, without Spark."""
    store, _ = filesystem(str(path))
    found: Seen = []
    for split in plan(str(path), split_bytes):
        for table in read_split(store, split, None):
            assert table.schema == CODED
            table.validate(full=True)
            found += table.to_pylist()
    return found


def by_capture(path: Path) -> list[tuple[Any, ...]]:
    """The same records, by the workbench's own reader."""
    return sorted(
        (record.partition, record.offset, record.timestamp, record.key, record.value)
        for record in read_segments([path])
        if not record.control
    )


def told(found: Seen) -> list[tuple[Any, ...]]:
    return sorted(
        (
            row["source_partition"],
            row["source_offset"],
            round(row["record_timestamp"].timestamp() * 1000),
            row["key"],
            row["value"],
        )
        for row in found
        if row["problem"] is None
    )


def batch(
    *records: tuple[bytes | None, bytes | None],
    offset: int = 0,
    codec: int = 0,
    transactional: bool = False,
    producer: int = -1,
    time: int = 1_700_000_000_000,
) -> bytes:
    """A batch as a broker writes it, by aiokafka."""
    builder = DefaultRecordBatchBuilder(2, codec, transactional, producer, 0, 0, 1 << 20)
    for number, (key, value) in enumerate(records):
        assert builder.append(number, time + number, key, value, [])
    data = bytearray(builder.build())
    data[:8] = offset.to_bytes(8, "big")
    return bytes(data)


KEY = GroupMetadataKey(group="g").to_bytes()


def commit(group: str = "g", partition: int = 0) -> bytes:
    return OffsetCommitKey(group=group, topic="t", partition=partition).to_bytes()


def segment(folder: Path, *batches: bytes, base: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{base:020}.log"
    path.write_bytes(b"".join(batches))
    return path


# -- without Spark


@pytest.mark.parametrize(
    "path", [TOPIC, *(CAPTURES / "offsets-topic-compressed").iterdir()], ids=str
)
@pytest.mark.parametrize("split_bytes", [2_000, 64 << 20])
def test_captures_record_by_record(path: Path, split_bytes: int) -> None:
    found = rows(path, split_bytes)
    assert told(found) == by_capture(path) and len(found) > 50
    assert not any(row["problem"] for row in found)


def test_keys_are_named_as_the_codec_does() -> None:
    named = {
        (record.partition, record.offset): decode_record(record)
        for record in read_segments([TOPIC])
    }
    for row in rows(TOPIC):
        decoded = named[row["source_partition"], row["source_offset"]]
        assert decoded.key is not None
        message: Any = decoded.key.message
        group = getattr(message, "group", None) or getattr(message, "group_id", None)
        assert (row["record_type"], row["group_id"]) == (type(message).API_KEY, group)


def test_splits_begin_at_batches(tmp_path: Path) -> None:
    each = [batch((commit(), b"\0\0"), offset=number) for number in range(200)]
    path = segment(tmp_path / "__consumer_offsets-3", *each)
    splits = plan(str(tmp_path), 1_000)
    assert len(splits) > 10
    starts = {split.ranges[0].start for split in splits}
    assert starts <= {len(each[0]) * number for number in range(200)}
    assert [row["source_offset"] for row in rows(path, 1_000)] == list(range(200))


def test_damage_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    good = [batch((KEY, b"v%d" % number), offset=number) for number in range(60)]
    bad = bytearray(good[7])
    bad[-3] ^= 1
    torn = good[59][:-5]
    path = segment(tmp_path / "__consumer_offsets-0", *good[:7], bytes(bad), *good[8:59], torn)
    for split_bytes in (300, 1_000, 64 << 20):
        found = rows(path, split_bytes)
        offsets = [row["source_offset"] for row in found if row["problem"] is None]
        assert offsets == [*range(7), *range(8, 59)]
        problems = [row for row in found if row["problem"]]
        assert [(row["problem"], row["value"]) for row in problems] == [
            ("batch with a wrong checksum", bytes(bad)),
            ("end of a segment inside a batch", torn),
        ]
        assert problems[0]["position"] == len(b"".join(good[:7]))


def test_records_that_do_not_fit_their_batch(tmp_path: Path) -> None:
    data = bytearray(batch((KEY, b"one"), (KEY, b"two")))
    data[60] = 3  # records, of which there are two
    data[17:21] = aiokafka_crc32c(bytes(data[21:])).to_bytes(4, "big")
    path = segment(tmp_path / "__consumer_offsets-0", bytes(data), batch((KEY, b"x"), offset=9))
    found = rows(path)
    assert [row["value"] for row in found if not row["problem"]] == [b"one", b"two", b"x"]
    (problem,) = (row for row in found if row["problem"])
    assert problem["problem"] == "rest of a batch whose records are damaged"


def test_copies_of_brokers_are_one_partition(tmp_path: Path) -> None:
    each = [batch((commit(), b"%d" % number), offset=number) for number in range(90)]
    one, two = tmp_path / "b1" / "__consumer_offsets-5", tmp_path / "b2" / "__consumer_offsets-5"
    segment(one, *each[:40], base=0)
    segment(one, *each[40:80], base=40)  # lags
    segment(two, *each[10:30], base=10)  # older ones deleted, and a compacted gap
    segment(two, *each[50:], base=50)
    for split_bytes in (100, 64 << 20):
        found = rows(tmp_path, split_bytes)
        assert sorted(row["source_offset"] for row in found) == list(range(90))
        assert {row["source_partition"] for row in found} == {5}
    damaged = bytearray(b"".join(each[:40]))
    damaged[len(each[0]) * 20 - 2] ^= 1
    segment(one, bytes(damaged), base=0)
    found = rows(tmp_path, 100)
    assert sorted(row["source_offset"] for row in found if not row["problem"]) == list(range(90))
    assert len([row for row in found if row["problem"]]) == 1  # and what it held is in the other


def cleaned(offset: int, kept: dict[int, tuple[bytes, bytes | None]], codec: int) -> bytes:
    """What compaction leaves of a batch: of its records these, by their places in it."""
    builder = DefaultRecordBatchBuilder(2, codec, False, -1, 0, 0, 1 << 20)
    for number, (key, value) in kept.items():
        assert builder.append(number, 1_700_000_000_000 + number, key, value, [])
    data = bytearray(builder.build())
    data[:8] = offset.to_bytes(8, "big")
    return bytes(data)


BATCHES = 20
cleanings = st.lists(
    st.tuples(st.sets(st.integers(0, 3)), st.sampled_from([0, 1])),
    min_size=BATCHES,
    max_size=BATCHES,
)
"""Which of the first four records of each batch compaction leaves, and in which compression."""


@pytest.mark.parametrize("split_bytes", [100, 64 << 20])
@given(left=cleanings)
@settings(max_examples=5)
def test_a_copy_that_was_cleaned_is_a_copy(
    tmp_path_factory: pytest.TempPathFactory, split_bytes: int, left: list[tuple[set[int], int]]
) -> None:
    """Another length, checksum, compression and place in its file, and the same records."""
    tmp_path = tmp_path_factory.mktemp("topic")
    whole, less = [], []
    for number, (records_left, codec) in enumerate(left):
        offset = 5 * number
        values = [None, b"", *(b"%d" % (offset + n) for n in range(3))]
        records = {n: (commit(partition=n), value) for n, value in enumerate(values)}
        whole.append(batch(*records.values(), offset=offset))
        kept = {n: record for n, record in records.items() if n == 4 or n in records_left}
        less.append(cleaned(offset, kept, codec))
    segment(tmp_path / "b1" / "__consumer_offsets-5", *less[:12], *whole[12:18])
    segment(tmp_path / "b2" / "__consumer_offsets-5", *whole[:9])
    segment(tmp_path / "b2" / "__consumer_offsets-5", *whole[9:], base=45)
    found = rows(tmp_path, split_bytes)
    assert {row["problem"] for row in found} == {None}
    assert sorted(row["source_offset"] for row in found) == list(range(100))


@pytest.mark.parametrize("split_bytes", [2_000, 64 << 20])
def test_what_another_cluster_has_at_an_offset_is_told(split_bytes: int) -> None:
    """Two brokers of these captures were clusters of their own."""
    folder = CAPTURES / "offsets-topic-compressed"
    found = rows(folder, split_bytes)
    assert told(found) == by_capture(folder / "gzip")
    others = [row for row in found if row["problem"]]
    assert [(row["source_offset"], row["key"], row["value"]) for row in others] == [
        (offset, key, value) for _, offset, _, key, value in by_capture(folder / "zstd")
    ]
    (reason,) = {row["problem"] for row in others}
    kept = folder / "gzip" / "__consumer_offsets-3" / f"{0:020}.log"
    assert reason.startswith(f"another record is at this offset of partition 3 in {kept};")
    assert {row["source"] for row in others} == {str(kept).replace("gzip", "zstd")}


def test_one_record_that_differs_among_copies(tmp_path: Path) -> None:
    same: list[tuple[bytes | None, bytes | None]] = [(commit(partition=n), b"v") for n in range(9)]
    for number, value in enumerate([b"v", b"v", None, b"", b"w"]):
        records = [*same[:4], (same[4][0], value), *same[5:]]
        segment(tmp_path / f"b{number}" / "__consumer_offsets-5", batch(*records))
    found = rows(tmp_path)
    assert [row["source_offset"] for row in found if not row["problem"]] == list(range(9))
    others = [(row["source_offset"], row["value"]) for row in found if row["problem"]]
    assert others == [(4, None), (4, b""), (4, b"w")]


def test_folders_of_two_clusters_are_refused(tmp_path: Path) -> None:
    for number, cluster in enumerate(["one", "one", None, "two"]):
        home = tmp_path / f"b{number}"
        segment(home / f"__consumer_offsets-{number}", batch((KEY, b"v")))
        if cluster:
            (home / "meta.properties").write_text(f"#\nversion=1\ncluster.id={cluster}\n")
    line = r"segments of 2 clusters, one \(.*b0\), two \(.*b3\): read each by itself"
    with pytest.raises(NotRecords, match=line):
        plan(str(tmp_path), 1)
    assert len(rows(tmp_path / "b3")) == 1
    (tmp_path / "b3" / "meta.properties").write_text("cluster.id = one\n")
    assert len(rows(tmp_path)) == 4


def mark(kind: int, offset: int) -> bytes:
    """The end of producer 9's transaction: 0 aborts it, 1 commits it."""
    key = b"\0\0\0" + bytes([kind])
    data = bytearray(batch((key, b"\0" * 6), offset=offset, transactional=True, producer=9))
    data[22] |= 0x20
    data[17:21] = aiokafka_crc32c(bytes(data[21:])).to_bytes(4, "big")
    return bytes(data)


def test_transactions_are_marked(tmp_path: Path) -> None:
    inside = {"transactional": True, "producer": 9}
    folder = tmp_path / "__consumer_offsets-0"
    segment(folder, batch((commit(), b"a"), offset=0, **inside), mark(1, 1))  # type: ignore[arg-type]
    segment(
        folder,
        batch((commit(), b"b"), offset=2, **inside),  # type: ignore[arg-type]
        batch((commit(), b"c"), offset=3),
        base=2,
    )
    segment(
        folder,
        mark(0, 4),
        batch((commit(), b"d"), offset=5, **inside),  # type: ignore[arg-type]
        base=4,
    )
    seen = [(row["value"], row["transactional"], row["outcome"]) for row in rows(tmp_path)]
    assert seen == [
        (b"a", True, "committed"),
        (b"b", True, "aborted"),
        (b"c", False, None),
        (b"d", True, "undecided"),
    ]


@pytest.mark.parametrize("magic", [0, 1])
def test_messages_of_old_brokers(tmp_path: Path, magic: int) -> None:
    builder = LegacyRecordBatchBuilder(magic, 0, 1 << 20)
    builder.append(0, 1_700_000_000_000, commit("old"), b"v")
    path = segment(
        tmp_path / "__consumer_offsets-0", bytes(builder.build()), batch((None, b"n"), offset=7)
    )
    first, second = rows(path)
    assert (first["group_id"], first["record_type"], first["value"]) == ("old", 1, b"v")
    assert (first["record_timestamp"] is None) == (magic == 0)
    assert (second["key"], second["record_type"], second["group_id"]) == (None, None, None)


def test_a_value_of_ten_megabytes(tmp_path: Path) -> None:
    builder = DefaultRecordBatchBuilder(2, 3, False, -1, 0, 0, 64 << 20)
    for number in range(3):
        builder.append(number, 1_700_000_000_000, KEY, bytes(10 << 20), [])
    path = segment(tmp_path / "__consumer_offsets-0", bytes(builder.build()))
    assert [len(row["value"]) for row in rows(path)] == [10 << 20] * 3


def test_where_segments_are(tmp_path: Path) -> None:
    record = batch((KEY, b"v"))
    segment(tmp_path / "__consumer_offsets-1", record)
    segment(tmp_path / "orders-1", record)
    segment(tmp_path / "__consumer_offsets-1.0af3-delete", record)
    assert len(rows(tmp_path)) == 1
    assert len(rows(tmp_path / "orders-1")) == 1
    uri = (tmp_path / "__consumer_offsets-1").as_uri()
    _, path = filesystem(uri)
    assert path.endswith("__consumer_offsets-1") and len(plan(uri, 1)) == 1
    with pytest.raises(FileNotFoundError, match="no such file or folder"):
        plan(str(tmp_path / "nowhere"), 1)
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no log segment"):
        plan(str(tmp_path / "empty"), 1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "give one of the two"),
        ({"path": "x", "kafka.bootstrap.servers": "y"}, "give one of the two"),
        ({"path": "x", "split_bytes": "many"}, "'many' is no number of bytes"),
        ({"path": "x", "records": "commits,others"}, "others is none of commits, classic"),
        ({"path": "x", "records": ""}, "records: '' names none; without the option all are read"),
        ({"path": "x", "groups": " , "}, "groups: ' , ' names none; without the option"),
    ],
)
def test_wrong_options_are_said(given: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Options.read(given)


# -- in Spark


def load(spark: SparkSession, path: Path = TOPIC, **options: str) -> DataFrame:
    return spark.read.format("kproto.offsets").options(**options).load(str(path))


def test_spark_reads_every_record_once(spark: SparkSession) -> None:
    table = load(spark, split_bytes="40000")
    assert table.rdd.getNumPartitions() > 3
    seen = sorted((row.source_partition, row.source_offset) for row in table.collect())
    assert seen == [row[:2] for row in by_capture(TOPIC)]


def test_options_choose_records(spark: SparkSession) -> None:
    everything = load(spark).toArrow()
    groups = everything.column("group_id").unique().to_pylist()[:2]
    chosen = load(spark, groups=", ".join(groups), records="classic, consumer").collect()
    types = {*KINDS["classic"], *KINDS["consumer"]}
    wanted = [
        row for row in everything.to_pylist()
        if row["group_id"] in groups and row["record_type"] in types
    ]  # fmt: skip
    assert len(chosen) == len(wanted) > 0


FILTERS = [
    "record_type = 2",
    "record_type in (1, 2) and source_partition = 1",
    "group_id like 'java%' and source_offset >= 10",
    "group_id = 'nobody' or source_offset < 5",
    "record_type <> 2 and not (group_id is null)",
    "record_type is null",
    "source_partition > 7",
    "group_id > 'm' and record_timestamp > timestamp'2020-01-01'",
]


@pytest.mark.slow
@pytest.mark.parametrize("pushed", ["true", "false"])
def test_filters_are_right_in_both_states(spark: SparkSession, pushed: str) -> None:
    everything = spark.createDataFrame(load(spark).toArrow())
    with conf(spark, PUSHDOWN, pushed):
        for given in FILTERS:
            seen = load(spark, split_bytes="40000").where(given)
            assert seen.count() == everything.where(given).count(), given
    assert everything.where(FILTERS[0]).count() > 100


@pytest.mark.slow
@pytest.mark.parametrize("pushed", ["true", "false"])
def test_the_filter_of_one_query_is_not_that_of_another(spark: SparkSession, pushed: str) -> None:
    with conf(spark, PUSHDOWN, pushed):
        everything = load(spark)
        some = everything.where("source_partition = 1")
        assert (some.count(), everything.count()) == (230, 768)
        assert everything.union(some).count() == 998


def test_spark_says_what_is_wrong(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(AnalysisException, match="no log segment"):
        load(spark, tmp_path).count()
    with pytest.raises(AnalysisException, match="has no option colour; there are: path, groups"):
        load(spark, colour="red").count()
    with pytest.raises(AnalysisException, match="has no option recordz; did you mean 'records'"):
        load(spark, recordz="classic").count()
    for other in ("group_id string", "key string, value binary"):
        reader = spark.read.format("kproto.offsets").schema(other)
        with pytest.raises(AnalysisException, match=r"gives the columns cluster_id, .*\.select"):
            reader.load(str(TOPIC)).count()
    same = spark.read.format("kproto.offsets").schema(load(spark).schema).load(str(TOPIC))
    assert same.count() == len(rows(TOPIC))


def test_the_source_is_left_as_it_is(spark: SparkSession, tmp_path: Path) -> None:
    copy = tmp_path / "topic"
    shutil.copytree(TOPIC, copy)
    before = {path: path.stat().st_mtime_ns for path in copy.rglob("*")}
    assert load(spark, copy).count() == len(rows(TOPIC))
    assert before == {path: path.stat().st_mtime_ns for path in copy.rglob("*")}


# -- the fast way and the careful one


odd_batches = st.tuples(
    st.integers(1, 5), st.sampled_from([0, 0, 0, 1]), st.sampled_from([False] * 9 + [True])
)
"""How many records there are, in which compression, and whether the checksum is wrong."""


@pytest.mark.parametrize("window", [200, 1_000, 16 << 20])
@given(drawn=st.lists(odd_batches, min_size=1, max_size=30) | st.lists(odd_batches, min_size=90))
@settings(max_examples=5)
def test_windows_and_odd_batches_between_plain_ones(
    tmp_path_factory: pytest.TempPathFactory, window: int, drawn: list[tuple[int, int, bool]]
) -> None:
    tmp_path = tmp_path_factory.mktemp("segment")
    parts, offset = [], 0
    for count, codec, wrong in drawn:
        records = [(commit(partition=n), b"%d" % (offset + n)) for n in range(count)]
        made = batch(*records, offset=offset, codec=codec)
        if wrong:
            made = made[:-1] + bytes([made[-1] ^ 1])
        else:
            offset += len(records)
        parts.append(made)
    path = segment(tmp_path / "__consumer_offsets-0", *parts, parts[0][:50])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kproto.pipeline.sources.segments.split_reader._WINDOW", window)
        patch.setattr("kproto.pipeline.sources.segments.split_reader._PATIENCE", 4)
        found = rows(path)
    assert told(found) == by_capture(path) and len(found) > offset
    assert [row["source_offset"] for row in found if not row["problem"]] == list(range(offset))


def test_the_same_without_the_compiled_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, cut = batch((KEY, b"v"), (None, None)), batch((KEY, b"w"), offset=9)[:-4]
    marked = batch((KEY, b"x"), offset=4, transactional=True, producer=7)
    packed = batch((KEY, b"y" * 90), offset=6, codec=1)
    inside = batch((KEY, b"z"), offset=8, transactional=True, producer=9)
    parts = (plain, marked, packed, inside, mark(0, 9), plain, cut)
    made = segment(tmp_path / "__consumer_offsets-0", *parts)
    small = 100  # bytes of a split
    by_core = [rows(TOPIC), rows(made), rows(made, small)]
    monkeypatch.setattr(engine, "CORE", None)
    assert [rows(TOPIC), rows(made), rows(made, small)] == by_core
    assert told(by_core[0]) == by_capture(TOPIC)


def test_batches_of_transactions_are_read_with_the_others() -> None:
    inside = batch((KEY, b"v"), (KEY, b"w"), offset=4, transactional=True, producer=9)
    log = batch((KEY, b"v")) + inside + mark(1, 6)
    batches, arrays = BatchArrays.of(len(log)), RecordArrays.of(len(log))
    assert read_plain_batches(log, batches, arrays) == (3, 1, 3, len(log))
    assert batches.is_transactional.tolist()[:3] == [0, 1, 1]
    assert batches.producer.tolist()[:3] == [-1, 9, 9]
    assert batches.base_offset.tolist()[:3] == [0, 4, 6]
    assert arrays.batch[:3].tolist() == [0, 1, 1]


@given(st.binary(max_size=300), st.integers(21, 400), st.integers(0, 7))
def test_a_checksum_that_is_wrong_ends_what_is_plain(value: bytes, at: int, bit: int) -> None:
    data = batch((KEY, value))
    flipped = bytearray(data)
    flipped[min(at, len(data) - 1)] ^= 1 << bit
    batches, arrays = BatchArrays.of(3 * len(data)), RecordArrays.of(3 * len(data))
    assert read_plain_batches(data + data + flipped, batches, arrays) == (2, 1, 2, 2 * len(data))
    assert batches.position[:2].tolist() == [0, len(data)]


@given(st.data())
def test_both_engines_read_the_same_of_any_batch(data: st.DataObject) -> None:
    """Of records that lie about their sizes, with a checksum that is right."""
    records = data.draw(
        st.lists(
            st.tuples(st.none() | st.binary(max_size=9), st.none() | st.binary(max_size=9)),
            min_size=1,
            max_size=4,
        )
    )
    made = bytearray(batch(*records))
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.sampled_from([23, 57, 60, *range(61, len(made))]))
        made[place] = data.draw(st.sampled_from([0, 1, 2, 0x7F, 0x80, 0xFF]))
    made[22] |= data.draw(st.sampled_from([0, 0, 0x10, 0x20, 0x30]))
    made[17:21] = aiokafka_crc32c(bytes(made[21:])).to_bytes(4, "big")
    whole = batch((KEY, b"v")) + made + batch((KEY, b"w"), time=-(1 << 62))
    with pytest.MonkeyPatch.context() as patch:
        ours = columns_of(whole)
        patch.setattr(engine, "CORE", None)
        assert columns_of(whole) == ours


def columns_of(data: bytes) -> Any:
    """What is read of batches whose headers are right, plain or not, and where batches begin."""
    broken, batches = np.zeros(2, np.uint8), BatchArrays.of(len(data))
    plain, arrays = RecordArrays.of(len(data)), RecordArrays.of(len(data))
    found = read_plain_batches(data, batches, plain)
    numbers = np.array([[61, len(data), 3, 7, 8, 0], [61, 90, 1, -1, 5, 1]], np.int64)
    rows, keys = read_batches(data, numbers, broken, arrays)
    ends = [next_batch(data, target) for target in range(0, len(data) + 20, 7)]
    kept = [list_of(plain, *found[:2]), list_of(arrays, rows, keys)]
    columns = [column[: found[2]].tolist() for column in batches]
    return found, columns, rows, keys, broken.tolist(), ends, kept


def list_of(arrays: RecordArrays, rows: int, keys: int) -> Any:
    blobs = (
        (rows, arrays.value, arrays.value_data, arrays.value_valid),
        (keys, arrays.keys, arrays.keys_data, arrays.keys_valid),
        (keys, arrays.group, arrays.group_data, arrays.group_valid),
    )
    made: list[Any] = [each[:rows].tolist() for each in arrays[:4]]
    made.append(arrays.type[:keys].tolist())
    for count, offsets, data, valid in blobs:
        made += [
            offsets[: count + 1].tolist(),
            data[: offsets[count]].tobytes(),
            valid[:count].tolist(),
        ]
    return made


@pytest.mark.parametrize("time", [-1, 1 << 62, (1 << 63) - 1])
def test_a_time_that_is_none(tmp_path: Path, time: int) -> None:
    data = bytearray(batch((KEY, b"v")))
    data[27:35] = time.to_bytes(8, "big", signed=True)
    data[17:21] = aiokafka_crc32c(bytes(data[21:])).to_bytes(4, "big")
    (row,) = rows(segment(tmp_path / "__consumer_offsets-0", bytes(data)))
    assert (row["record_timestamp"], row["value"]) == (None, b"v")
