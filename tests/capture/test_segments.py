"""Log segments: those of a real broker, in every compression, and damaged in every way."""

from __future__ import annotations

import gzip
import struct
import tracemalloc
import warnings
import zlib
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import cramjam
import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from aiokafka.record.util import calc_crc32c
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture.segments import transactions
from kproto.capture.segments.batches import is_segment, read_batches
from kproto.capture.segments.offsets_topic import decode_record, plain_record, record_types
from kproto.capture.segments.records import BatchInfo, Record
from kproto.capture.segments.segment_files import SegmentLimits, read_segment, read_segments
from kproto.capture.segments.transactions import control_type
from kproto.capture.summary import Summary
from kproto.codec import OffsetCommitKey, OffsetCommitValue
from kproto.codec.runtime import engine

from .wires import CAPTURES

PLAIN = CAPTURES / "offsets-topic"
COMPRESSED = CAPTURES / "offsets-topic-compressed"
SEGMENTS = sorted(CAPTURES.rglob("*.log"))
CODECS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}

KEY = OffsetCommitKey(group="g", topic="t", partition=3).to_bytes()
VALUE = OffsetCommitValue(offset=7, metadata="", commit_timestamp=8).to_bytes(version=3)


def batch(
    first: int,
    values: list[bytes | None],
    *,
    codec: int = 0,
    producer: int = -1,
    transactional: bool = False,
    control: bool = False,
    keys: list[bytes] | None = None,
) -> bytes:
    """A batch as aiokafka writes it, at an offset."""
    builder = DefaultRecordBatchBuilder(2, codec, int(transactional), producer, 0, 0, 1 << 20)
    for number, value in enumerate(values):
        builder.append(number, 1000 + number, keys[number] if keys else KEY, value, [])
    data = builder.build()
    data[:8] = first.to_bytes(8, "big")
    if control:
        data[22] |= 0x20
    return sealed(bytes(data))


def sealed(data: bytes) -> bytes:
    """The batch with a right checksum."""
    return data[:17] + struct.pack(">I", calc_crc32c(data[21:])) + data[21:]


def marker(first: int, producer: int, *, commit: bool) -> bytes:
    """The control batch that ends a transaction."""
    key = struct.pack(">hh", 0, int(commit))
    return batch(
        first, [b"\0\0\0\0\0\0"], keys=[key], producer=producer, transactional=True, control=True
    )


def read(data: bytes, limits: SegmentLimits | None = None) -> tuple[list[Record], Summary]:
    summary = Summary()
    records = read_segment(BytesIO(data), "test", summary=summary, limits=limits)
    return list(records), summary


def offsets(records: list[Record]) -> list[int]:
    return [record.offset for record in records]


def skips(summary: Summary) -> dict[str, tuple[int, int]]:
    return {skip.reason: (skip.times, skip.size) for skip in summary.skipped}


# -- the real segments


@pytest.fixture(scope="module")
def memory_records() -> Any:
    """kafka-python's reader of batches, written apart from aiokafka's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it asks for its files the old way
        return pytest.importorskip("kafka.record").MemoryRecords


@pytest.mark.parametrize("path", SEGMENTS, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_records_are_those_that_kafka_python_reads(path: Path, memory_records: Any) -> None:
    if "zstd" in path.parts:
        pytest.importorskip("zstandard", reason="kafka-python reads zstd with it")
    memory = memory_records(path.read_bytes())
    expected: list[Any] = []
    while memory.has_next():
        expected += memory.next_batch()
    records = list(read_segments([path]))
    assert [(each.offset, each.timestamp, each.key, each.value) for each in records] == [
        (each.offset, each.timestamp, each.key, each.value) for each in expected
    ]


def test_every_record_of_the_capture_is_decoded_to_its_last_byte() -> None:
    summary = Summary()
    kinds: Counter[int] = Counter()
    for record in read_segments([PLAIN, COMPRESSED], summary=summary):
        decoded = decode_record(record)
        assert decoded.key is not None and not decoded.reason
        assert decoded.key.complete and not decoded.key.remainder
        kinds[int.from_bytes(decoded.key.data[:2], "big")] += 1
        if record.value is None:
            assert decoded.value is None
        else:
            assert decoded.value is not None
            assert decoded.value.complete and not decoded.value.remainder
        assert record.partition in {0, 1, 2, 3}
        assert not record.transactional and not record.control and record.outcome is None
    assert summary.complete
    assert summary.read == {"segments": 5, "batches": 647, "records": 923}
    assert kinds[2] == 199 + 174 + 174 + 33 and kinds[1] == 37 + 36 + 12 + 122
    assert set(kinds) == {1, 2, 3, 4, 5, 6, 7, 8, 17, 19, 20, 21, 22, 23}


def test_the_plain_way_gives_the_same() -> None:
    for record in read_segments([PLAIN, COMPRESSED]):
        decoded, plain = decode_record(record), plain_record(record)
        assert decoded.key is not None and plain is not None
        assert plain.key == decoded.key.message
        if decoded.value is None:
            assert plain.value is None and plain.value_version is None
        else:
            assert plain.value == decoded.value.message
            assert plain.value_version == decoded.value.version


@given(st.data())
def test_the_plain_way_leaves_what_is_odd(data: st.DataObject) -> None:
    key, value = bytearray(KEY), bytearray(VALUE)
    for part in (key, value):
        for _ in range(data.draw(st.integers(0, 3))):
            part[data.draw(st.integers(0, len(part) - 1))] = data.draw(st.integers(0, 255))
    ends = data.draw(st.tuples(st.binary(max_size=2), st.binary(max_size=2)))
    record = a_record(bytes(key) + ends[0], bytes(value) + ends[1])
    decoded, plain = decode_record(record), plain_record(record)
    if plain is not None:
        assert decoded.key is not None and decoded.value is not None and not decoded.reason
        assert plain.key == decoded.key.message and plain.value == decoded.value.message
        assert not decoded.key.remainder and not decoded.value.remainder


def a_record(key: bytes | None, value: bytes | None) -> Record:
    info = BatchInfo("test", None, 0, 0, False, False, -1, None)
    return Record(info, 0, 0, key, value)


def test_record_types_are_those_of_the_offsets_topic() -> None:
    assert set(record_types()) == {*range(9), *range(10, 18), *range(19, 24)}
    for number, kind in record_types().items():
        assert (number, number) == (kind.key.API_KEY, kind.value.API_KEY)


def test_what_is_of_no_known_type_is_kept_and_said() -> None:
    for key, reason in (
        (b"\0\x63abc", "record type 99 is not known"),
        (b"\0", "no record type in the key"),
        (None, "no record type in the key"),
    ):
        decoded = decode_record(a_record(key, b"x"))
        assert decoded.reason == reason and decoded.record.key == key
        assert plain_record(a_record(key, b"x")) is None
    newer = decode_record(a_record(KEY, b"\0\x63abc"))
    assert newer.value is not None and newer.value.error is not None
    assert plain_record(a_record(KEY, b"\0\x63abc")) is None


# -- compression


@pytest.mark.parametrize("codec", CODECS)
def test_codecs(codec: str) -> None:
    values: list[bytes | None] = [VALUE, None, b"x" * 5000]
    records, summary = read(batch(40, values, codec=CODECS[codec]) * 2)
    assert [record.value for record in records] == values * 2
    assert offsets(records) == [40, 41, 42] * 2
    assert [record.timestamp for record in records] == [1000, 1001, 1002] * 2
    assert summary.complete


def recompressed(codec: int, compressed: bytes) -> bytes:
    head = bytearray(batch(0, [VALUE], codec=0)[:61])
    head[8:12] = (49 + len(compressed)).to_bytes(4, "big")
    head[22] = codec
    return sealed(bytes(head) + compressed)


BOMB = bytes(32 << 20)
BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(BOMB),
    "snappy": lambda: bytes(cramjam.snappy.compress_raw(BOMB)),
    "snappy-claim": lambda: b"\xff\xff\xff\xff\x0f",
    "lz4": lambda: bytes(cramjam.lz4.compress(BOMB)),
    "zstd": lambda: bytes(cramjam.zstd.compress(BOMB)),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_within_the_limit(name: str) -> None:
    bomb = recompressed(CODECS[name.split("-", maxsplit=1)[0]], BOMBS[name]())
    data = bomb + batch(1, [VALUE])
    limits = SegmentLimits(max_decompressed=4 << 20)
    tracemalloc.start()
    records, summary = read(data, limits)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert offsets(records) == [1]
    [skip] = summary.skipped
    assert "larger than the limit" in skip.reason and skip.size == len(bomb)
    assert peak < 3 * len(data) + (12 << 20)


@pytest.mark.parametrize("codec", range(1, 8))
@given(junk=st.binary(max_size=100))
def test_compressed_records_that_are_damaged_raise_nothing(codec: int, junk: bytes) -> None:
    data = recompressed(codec, junk) + batch(1, [VALUE])
    records, summary = read(data, SegmentLimits(max_decompressed=1 << 20))
    assert offsets(records)[-1:] == [1]
    assert not summary.complete


# -- transactions


def test_transactions_and_their_marks(tmp_path: Path) -> None:
    folder = tmp_path / "__consumer_offsets-12"
    folder.mkdir()
    first = (
        batch(0, [VALUE], producer=7, transactional=True)
        + batch(1, [VALUE], producer=8, transactional=True)
        + batch(2, [VALUE])
        + batch(3, [VALUE, VALUE], producer=7, transactional=True, codec=4)
        + marker(5, 7, commit=False)
        + batch(6, [VALUE], producer=7, transactional=True)
    )
    second = marker(7, 7, commit=True) + batch(8, [VALUE], producer=9, transactional=True)
    second += marker(9, 8, commit=True)
    (folder / f"{0:020}.log").write_bytes(first)
    (folder / f"{7:020}.log").write_bytes(second)
    records = list(read_segments([tmp_path]))
    assert [(record.offset, record.producer_id, record.outcome) for record in records] == [
        (0, 7, "aborted"),
        (1, 8, "committed"),
        (2, -1, None),
        (3, 7, "aborted"),
        (4, 7, "aborted"),
        (5, 7, "aborted"),
        (6, 7, "committed"),
        (7, 7, "committed"),
        (8, 9, "undecided"),
        (9, 8, "committed"),
    ]
    assert {record.partition for record in records} == {12}
    marks = {record.offset: decode_record(record) for record in records if record.control}
    assert {offset: mark.reason for offset, mark in marks.items()} == {
        5: "a control record: abort",
        7: "a control record: commit",
        9: "a control record: commit",
    }
    assert all(plain_record(mark.record) is None for mark in marks.values())


def test_without_the_files_the_outcome_is_not_known() -> None:
    records, _ = read(batch(0, [VALUE], producer=7, transactional=True) + marker(1, 7, commit=True))
    assert [record.transactional for record in records] == [True, True]
    assert [record.outcome for record in records] == [None, None]


@given(st.data())
def test_damaged_marks_raise_nothing(tmp_path_factory: Any, data: st.DataObject) -> None:
    mark = bytearray(marker(1, 7, commit=False))
    for _ in range(data.draw(st.integers(1, 4))):
        mark[data.draw(st.integers(21, len(mark) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("t") / "segment"
    path.write_bytes(batch(0, [VALUE], producer=7, transactional=True) + sealed(bytes(mark)))
    for record in read_segments([path]):
        decode_record(record)


def test_too_many_transactions_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "MAX_TRANSACTIONS", 3)
    log = b""
    for at in range(0, 20, 2):
        log += batch(at, [VALUE], producer=at, transactional=True) + marker(
            at + 1, at, commit=False
        )
    told = transactions.Transactions(read_batches(BytesIO(log), "", Summary()))
    outcomes = [told.outcome(at, at) for at in range(0, 20, 2)]
    assert outcomes[:3] == ["aborted"] * 3 and outcomes[4:] == [None] * 6


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("racl"))), st.integers(0, 2))
def test_both_engines_tell_the_same_outcomes(steps: list[tuple[int, str]], codec: int) -> None:
    """Batches of producers: a record, an end by abort or commit, and a compressed batch."""
    log = b""
    for at, (producer, step) in enumerate(steps):
        if step in "rl":
            log += batch(
                at, [VALUE], producer=producer, transactional=True, codec=codec * (step == "l")
            )
        else:
            log += marker(at, producer, commit=step == "c")

    def outcomes() -> list[Any]:
        told = transactions.Transactions(transactions.read_transactions(BytesIO(log), ""))
        return [told.outcome(producer, at) for at, (producer, _) in enumerate(steps)]

    plain = transactions.Transactions(read_batches(BytesIO(log), "", Summary()))
    expected = [plain.outcome(producer, at) for at, (producer, _) in enumerate(steps)]
    assert outcomes() == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "CORE", None)
        assert outcomes() == expected


# -- before Kafka 0.11


def legacy(magic: int, codec: int, number: int = 3) -> bytes:
    builder = LegacyRecordBatchBuilder(magic, codec, 1 << 20)
    for at in range(number):
        builder.append(at, timestamp=500 + at, key=KEY, value=VALUE + bytes([at]))
    return bytes(builder.build())


@pytest.mark.parametrize(
    ("magic", "codec"), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (1, 3)]
)
def test_message_sets(magic: int, codec: int) -> None:
    records, summary = read(legacy(magic, codec))
    assert offsets(records) == [0, 1, 2]
    assert [record.value for record in records] == [VALUE + bytes([at]) for at in range(3)]
    assert [record.key for record in records] == [KEY] * 3
    assert [record.timestamp for record in records] == (
        [None] * 3 if magic == 0 else [500, 501, 502]
    )
    assert summary.complete


def test_offsets_inside_a_message_are_relative_to_its_own() -> None:
    data = (90).to_bytes(8, "big") + legacy(1, 1)[8:]  # as a broker numbers it: that of the last
    assert offsets(read(data)[0]) == [88, 89, 90]


def test_a_message_in_a_message_in_a_message_is_refused() -> None:
    inner = legacy(1, 1)
    builder = LegacyRecordBatchBuilder(1, 0, 1 << 20)
    builder.append(0, timestamp=5, key=None, value=gzip.compress(inner))
    data = bytearray(builder.build())
    data[17] = 1
    data[12:16] = struct.pack(">I", zlib.crc32(data[16:]))
    records, summary = read(bytes(data) + batch(5, [VALUE]))
    assert offsets(records) == [5]
    assert list(skips(summary)) == ["rest of a batch whose records are damaged"]


# -- damage


THREE = [batch(0, [VALUE]), batch(1, [VALUE, None]), batch(3, [VALUE])]


def test_a_torn_end_is_said() -> None:
    whole = b"".join(THREE)
    for length in range(len(THREE[0]) + len(THREE[1]), len(whole)):
        records, summary = read(whole[:length])
        assert offsets(records) == [0, 1, 2]
        torn = length - len(THREE[0]) - len(THREE[1])
        assert skips(summary) == ({"end of a segment inside a batch": (1, torn)} if torn else {})


@pytest.mark.parametrize("at", range(17, len(THREE[1])))
def test_a_wrong_checksum_costs_one_batch(at: int) -> None:
    bad = bytearray(THREE[1])
    bad[at] ^= 1
    records, summary = read(THREE[0] + bytes(bad) + THREE[2])
    assert offsets(records) == [0, 3]
    assert skips(summary) == {"batch with a wrong checksum": (1, len(bad))}
    assert summary.skipped[0].first == f"test, byte {len(THREE[0])}"


@pytest.mark.parametrize("at", [0, *range(8, 12), 16])
def test_a_damaged_front_is_searched_behind(at: int) -> None:
    bad = bytearray(THREE[1])
    bad[at] ^= 0xFF
    records, summary = read(THREE[0] + bytes(bad) + THREE[2])
    assert offsets(records) == [0, 3]
    assert [skip.size for skip in summary.skipped] == [len(bad)]


def test_bytes_between_batches_are_passed_over() -> None:
    junk = b"\0\0\0\0\0\0\0\5\0\0\0\x40junk\2junk" * 9
    records, summary = read(THREE[0] + junk + THREE[1] + junk[:10])
    assert offsets(records) == [0, 1, 2]
    assert sum(skip.size for skip in summary.skipped) == len(junk) + 10


def test_reserved_space_is_no_damage() -> None:
    records, summary = read(THREE[0] + bytes(3_000_000))
    assert offsets(records) == [0] and summary.complete
    assert summary.noted == {"bytes reserved at the end of a segment": 3_000_000}
    records, summary = read(THREE[0] + bytes(2_000_000) + THREE[2])
    assert offsets(records) == [0, 3]
    assert [skip.size for skip in summary.skipped] == [2_000_000]


def test_a_batch_above_the_limit_is_stepped_over() -> None:
    large = batch(1, [bytes(5000)])
    records, summary = read(THREE[0] + large + THREE[2], SegmentLimits(max_batch=1000))
    assert offsets(records) == [0, 3]
    assert skips(summary) == {"batch above the limit for its size": (1, len(large))}


def test_the_search_gives_up_at_its_limit() -> None:
    claim = b"\0\0\0\0\0\0\0\5\0\x0f\xff\xff\0\0\0\0\2"
    data = THREE[0] + claim * 70_000 + THREE[2]
    records, summary = read(data, SegmentLimits(max_searched=1 << 20))
    assert offsets(records) == [0]
    assert sum(skip.size for skip in summary.skipped) == len(data) - len(THREE[0])


def test_records_that_do_not_fit_their_batch_are_said() -> None:
    lie = bytearray(THREE[1])
    lie[57:61] = (2**31 - 1).to_bytes(4, "big")
    records, summary = read(sealed(bytes(lie)) + THREE[2])
    assert offsets(records) == [1, 2, 3]
    assert list(skips(summary)) == ["rest of a batch whose records are damaged"]


@given(st.data())
def test_any_damage_raises_nothing_and_is_accounted_for(data: st.DataObject) -> None:
    file = bytearray(b"".join(THREE) + batch(4, [VALUE] * 3, codec=1) + legacy(1, 1))
    for _ in range(data.draw(st.integers(1, 5))):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    for record in read(bytes(file))[0]:
        decode_record(record)
        plain_record(record)


@given(st.data())
def test_damaged_records_under_a_right_checksum_raise_nothing(data: st.DataObject) -> None:
    bad = bytearray(batch(0, [VALUE, None, b"x"]))
    for _ in range(data.draw(st.integers(1, 5))):
        bad[data.draw(st.integers(22, len(bad) - 1))] = data.draw(st.integers(0, 255))
    records, _ = read(sealed(bytes(bad)) + THREE[2])
    assert offsets(records)[-1:] == [3]


@given(st.binary(max_size=300))
def test_any_bytes_raise_nothing(data: bytes) -> None:
    records, summary = read(data)
    assert not records
    seen = sum(skip.size for skip in summary.skipped) + sum(summary.noted.values())
    assert seen == len(data)


# -- files and folders


def test_folders(tmp_path: Path) -> None:
    for name in ("copy-1/__consumer_offsets-4", "copy-2/__consumer_offsets-11", "orders-3"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / f"{10:020}.log").write_bytes(batch(10, [VALUE]))
        (folder / f"{2:020}.log").write_bytes(batch(2, [VALUE]))
        (folder / f"{2:020}.index").write_bytes(b"an index")
    (tmp_path / "server.log").write_text("[2026-11-21] INFO started")
    summary = Summary()
    records = list(read_segments([tmp_path], summary=summary))
    assert [(record.partition, record.offset) for record in records] == [
        (4, 2), (4, 10), (11, 2), (11, 10),
    ]  # fmt: skip
    assert records[0].source == str(tmp_path / "copy-1/__consumer_offsets-4" / f"{2:020}.log")
    assert {skip.reason: skip.times for skip in summary.skipped} == {
        "file that is no log segment by its name": 1,
        "segment of another topic": 2,
    }
    assert len(list(read_segments([tmp_path / "orders-3"]))) == 2
    (tmp_path / "any name").write_bytes(THREE[0])
    [alone] = read_segments([tmp_path / "any name"])
    assert alone.partition is None
    with pytest.raises(FileNotFoundError):
        list(read_segments([tmp_path / "nothing"]))


def test_segments_are_told_by_their_front() -> None:
    assert all(is_segment(path.read_bytes()[:17]) for path in SEGMENTS)
    assert is_segment(legacy(0, 0)) and is_segment(legacy(1, 1))
    for data in (
        b"",
        bytes(17),
        b"\xd4\xc3\xb2\xa1" + bytes(20),
        b"00000000000000000",
        b"\xff" * 20,
    ):
        assert not is_segment(data)


def peak_of(data: bytes) -> int:
    tracemalloc.start()
    for record in read_segment(BytesIO(data), "test"):
        decode_record(record)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_does_not_grow_with_the_file() -> None:
    data = (PLAIN / "__consumer_offsets-0" / f"{0:020}.log").read_bytes()
    small, large = peak_of(data * 10), peak_of(data * 40)
    assert large < small + 200_000
    assert large < 4_000_000


# -- segments of other topics


@pytest.mark.parametrize(
    ("topic", "what"),
    [
        ("__cluster_metadata", "the metadata of a KRaft cluster"),
        ("__share_group_state", "the state of share groups"),
        ("__transaction_state", "the state of transactions"),
    ],
)
def test_another_topic_of_kafka_s_own_is_named(tmp_path: Path, topic: str, what: str) -> None:
    """Their keys begin with the same numbers as those of the offsets topic, and are none."""
    folder = tmp_path / f"{topic}-3"
    folder.mkdir()
    (folder / f"{0:020}.log").write_bytes(batch(0, [VALUE]))
    (record,) = read_segments([folder], summary=Summary())
    read = decode_record(record)
    assert read.key is None and read.value is None
    assert read.reason == f"a record of {topic}: {what}"
    assert plain_record(record) is None


def test_the_records_of_any_other_topic_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    folder.mkdir()
    made = batch(0, [b"{}", b"{}", VALUE], keys=[b"", b"\x7b\x22id", KEY])
    (folder / f"{0:020}.log").write_bytes(made)
    reads = [decode_record(record) for record in read_segments([folder], summary=Summary())]
    assert [read.reason.partition("; ")[2] for read in reads[:2]] == [
        "a record of another topic, by its folder"
    ] * 2
    assert reads[2].value is not None  # a copied folder may have any name


@pytest.mark.parametrize(
    ("number", "name"),
    [(2, "leader change"), (4, "snapshot footer"), (5, "KRaft version"), (6, "KRaft voters")],
)
def test_control_records_of_kraft_are_named(number: int, name: str) -> None:
    """The numbers of org.apache.kafka.common.record.ControlRecordType."""
    assert control_type(struct.pack(">hh", 0, number)) == name
