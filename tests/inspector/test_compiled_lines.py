"""Segments as JSON lines: the core writes, byte by byte, what the careful way alone writes."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.util import calc_crc32c
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture import Record, Summary, decode_record, plain_record, read_segments
from kproto.capture.segments.offsets_topic import record_types
from kproto.capture.segments.segment_files import read_runs
from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
    Policy,
    message_class,
)
from kproto.codec.runtime import engine
from kproto.inspector.reports.clean_reports import CleanReports
from kproto.inspector.reports.compiled_lines import CompiledLines, compiled_lines
from kproto.inspector.reports.record_lines import RecordLines

from .samples import VECTORS
from .test_record_lines import Pair, captured, damaged_records, from_java

pytestmark = pytest.mark.skipif(engine.CORE is None, reason=f"no compiled core: {engine.WHY_NOT}")

KINDS = {number: (kind.key, kind.value) for number, kind in record_types().items()}
SEGMENTS = sorted((VECTORS / "captures").rglob("*.log"))


def carefully(path: Path) -> tuple[list[bytes], str]:
    """The lines of every record, read and judged field by field, and the account of it all."""
    summary = Summary()
    lines = RecordLines(lambda _: None, decode_record, Policy.KAFKA)
    return [lines.line(each)[0] for each in read_segments([path], summary=summary)], str(summary)


def in_runs(path: Path) -> tuple[list[bytes], str, int]:
    """The same in runs, and how many lines the core has written."""
    summary, by_core = Summary(), 0
    lines = RecordLines(plain_record, decode_record, Policy.KAFKA)
    made: list[bytes] = []
    for item in read_runs([path], CompiledLines(KINDS, lines).write, summary=summary):
        for part in [item] if isinstance(item, Record) else item.parts:
            if isinstance(part, bytes):
                made += part.split(b"\n")
                by_core += part.count(b"\n") + 1
            else:
                made.append(lines.line(part)[0])
    return made, str(summary), by_core


def same(path: Path) -> int:
    """How many lines the core has written of a segment, all of whose lines are right."""
    lines, account, by_core = in_runs(path)
    assert (lines, account) == carefully(path)
    return by_core


def batch(pairs: Iterable[Pair], *, offset: int = 0, **changed: int) -> bytes:
    """The bytes of a batch with records of these keys and values."""
    given = {"codec": 0, "transactional": 0, "producer": -1} | changed
    builder = DefaultRecordBatchBuilder(
        2, given["codec"], given["transactional"], given["producer"], 0, 0, 1 << 24
    )
    for number, (key, value) in enumerate(pairs):
        builder.append(number, 1000 * number, key, value, [])
    made: bytes = bytes(builder.build())
    return offset.to_bytes(8, "big") + made[8:]


def sealed(data: bytes) -> bytes:
    """A batch with the checksum that it ought to have."""
    checksum: int = calc_crc32c(data[21:])
    return data[:17] + checksum.to_bytes(4, "big") + data[21:]


@pytest.fixture(scope="module")
def segment(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("log") / "__consumer_offsets-7" / f"{0:020}.log"
    path.parent.mkdir()

    def write(*batches: bytes) -> Path:
        path.write_bytes(b"".join(batches))
        return path

    return write


@pytest.mark.parametrize("path", SEGMENTS, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_captured_segments(path: Path) -> None:
    same(path)


def test_the_core_writes_nearly_all_of_a_broker_s_records() -> None:
    paths = [path for path in SEGMENTS if "offsets-topic" in path.parts]
    written = sum(in_runs(path)[2] for path in paths)
    records = sum(len(in_runs(path)[0]) for path in paths)
    assert records > 700
    assert written > 0.95 * records


def test_records_of_java(segment: Any) -> None:
    """Every record type, in every version, with every field set."""
    pairs = [(record.key, record.value) for record in from_java()]
    assert same(segment(batch(pairs))) > 50


ODD_NAMES = ["", "__proto__", "__x", "x\0y", "é", "日本\U0001f600"]
NAMES = st.sampled_from(["a", "b", "c", "topic", "t.1", "t-2"]) | st.sampled_from(ODD_NAMES)
SOME_NAMES = st.lists(st.sampled_from(["a", "b", "c"]), max_size=3, unique=True) | st.lists(
    NAMES, max_size=4
)
NUMBERS = st.lists(st.integers(0, 300), min_size=1, max_size=4, unique=True) | st.lists(
    st.integers(-2, 6), max_size=5
)
ENTRIES = st.builds(
    lambda names, numbers: list(zip(names, numbers, strict=False)),
    SOME_NAMES,
    st.lists(NUMBERS, min_size=4, max_size=4),
)


@st.composite
def user_data(draw: st.DrawFn) -> bytes | None:
    """Null, empty, what assignors write, with more in front and behind, and what is none of it."""
    cls: Any = message_class("StickyAssignorUserData")
    sticky = cls(
        previous_assignment=[
            cls.TopicPartition(topic=topic, partitions=numbers) for topic, numbers in draw(ENTRIES)
        ],
        generation=draw(st.integers(-3, 3)),
    )
    bodies: list[bytes] = [sticky.to_body(0), sticky.to_body(1)]
    known = [None, None, b"", b"\0\0\0\0", b"\0\0\0\5", *bodies, b"\0\1" + bodies[1]]
    strange = [b"text", b'{"a": 1}', b"x\x9c", b"\0\1", b"\0\1" + bodies[0]]
    data = draw(st.sampled_from(known) | st.sampled_from(known) | st.sampled_from(strange))
    return data if data is None or draw(st.integers(0, 5)) else data + b"\0"


@st.composite
def payload(draw: st.DrawFn, *, says: bool) -> bytes:
    entries = draw(ENTRIES)
    if draw(st.integers(0, 9)) < 9 * says:
        said = ConsumerProtocolSubscription(
            topics=draw(SOME_NAMES),
            user_data=draw(user_data()),
            owned_partitions=[
                ConsumerProtocolSubscription.TopicPartition(topic=topic, partitions=numbers)
                for topic, numbers in entries
            ],
            generation_id=draw(st.sampled_from([-3, -1, 0, 1, 2, 7])),
            rack_id=draw(st.sampled_from([None, "", "r"])),
        )
    else:
        said = ConsumerProtocolAssignment(  # type: ignore[assignment]
            assigned_partitions=[
                ConsumerProtocolAssignment.TopicPartition(topic=topic, partitions=numbers)
                for topic, numbers in entries
            ],
            user_data=draw(user_data()),
        )
    version = draw(st.integers(0, 3))
    label = version if draw(st.integers(0, 5)) else draw(st.integers(-1, 5))
    data = label.to_bytes(2, "big", signed=True) + said.to_body(version)
    return draw(st.sampled_from([data] * 9 + [data + b"\0", data[:-1], b""]))


@given(
    st.lists(st.tuples(payload(says=True), payload(says=False)), max_size=3),
    st.sampled_from(["consumer"] * 8 + ["connect", ""]),
    st.sampled_from(["sticky", "cooperative-sticky", "range", "stream", "", None]),
)
def test_odd_and_sound_members(
    segment: Any, members: list[tuple[bytes, bytes]], protocol_type: str, protocol: str | None
) -> None:
    """Every rule on content and style, and what is next to it, in stored groups."""
    value = GroupMetadataValue(
        protocol_type=protocol_type,
        protocol=protocol,
        generation=3,
        members=[
            GroupMetadataValue.MemberMetadata(
                member_id="m", client_id="c\x7f", client_host="h", subscription=said, assignment=got
            )
            for said, got in members
        ],
    )
    same(segment(batch([(GroupMetadataKey(group="g").to_bytes(), value.to_bytes(3))])))


@given(st.lists(damaged_records(), min_size=1, max_size=16))
def test_damaged_records(segment: Any, pairs: list[Pair]) -> None:
    same(segment(batch(pairs)))


@given(
    st.lists(st.deferred(lambda: st.sampled_from(captured())), min_size=1, max_size=6), st.data()
)
def test_damaged_batches(segment: Any, records: list[Record], data: st.DataObject) -> None:
    """Whatever a byte of a segment is, under a right checksum or a wrong one."""
    batches = [batch([(each.key, each.value)], offset=at) for at, each in enumerate(records)]
    at = data.draw(st.integers(0, len(batches) - 1))
    changed = bytearray(batches[at])
    place = data.draw(st.integers(0, len(changed) - 1))
    changed[place] = data.draw(st.sampled_from([0, 1, 2, 0x0F, 0x7F, 0x80, 0xFF]))
    right = data.draw(st.sampled_from([True, True, True, True, False]))
    batches[at] = sealed(bytes(changed)) if right else bytes(changed)
    between = data.draw(st.sampled_from([0, 0, 0, 0, 30]))
    if between:
        batches.insert(at, data.draw(st.binary(min_size=between, max_size=between)))
    if data.draw(st.sampled_from([False, False, False, False, True])):
        batches[-1] = batches[-1][:-3]
    same(segment(*batches))


COMMIT = OffsetCommitKey(group="g", topic="t", partition=1).to_bytes()
GOOD = OffsetCommitValue(offset=1, commit_timestamp=2).to_bytes(4)


def test_texts_are_escaped(segment: Any) -> None:
    texts = ["", 'quote " and \\', "\b\f\n\r\t\0\x1b\x7f", "é\u202e\ufeff", "\U0001f600\ud7ff"]
    keys = [OffsetCommitKey(group=text, topic="t", partition=1).to_bytes() for text in texts]
    assert same(segment(batch([(key, None) for key in keys]))) == len(texts)


@pytest.mark.parametrize(
    "tags",
    ["01 02 01 aa", "02 05 01 aa 04 01 bb", "01 00 10" + "00" * 16, "01 00 10" + "07" * 16,
     "01 00 11" + "07" * 16, "01 80 00 10" + "07" * 16, "01 00 90 00" + "07" * 16,
     "81 00 00 10" + "07" * 16, "80 00", "02 00 10" + "07" * 16 + "00 10" + "08" * 16],
)  # fmt: skip
def test_tags(segment: Any, tags: str) -> None:
    """A known one, unknown ones, at its default, of a wrong size, in too many bytes, twice."""
    assert GOOD.endswith(b"\0")
    same(segment(batch([(COMMIT, GOOD[:-1] + bytes.fromhex(tags)), (COMMIT, GOOD)])))


def test_what_is_not_plain_stands_among_what_is(segment: Any) -> None:
    """Unknown types, no keys, headers, other magics and codecs, transactions and their marks."""
    with_header = DefaultRecordBatchBuilder(2, 0, 0, -1, 0, 0, 1 << 20)
    with_header.append(0, 5, COMMIT, GOOD, [("h", b"x")])
    plain = batch([(COMMIT, GOOD), (COMMIT, None)])
    append_time = bytearray(plain)
    append_time[22] |= 0x08
    control = bytearray(batch([(b"\0\0\0\1", b"\0\0\0\0\0\0")], transactional=1, producer=9))
    control[22] |= 0x20
    odd = [
        batch([(b"\0\x63rest", b"value"), (None, b"value"), (b"\0", None), (COMMIT, b"\0\x09x")]),
        batch([]),
        sealed(bytes(append_time)),
        bytes(with_header.build()),
        batch([(COMMIT, GOOD)], codec=1),
        batch([(COMMIT, GOOD)], transactional=1, producer=9),
        sealed(bytes(control)),
    ]
    mixed = [piece for each in odd for piece in (plain, each)]
    assert same(segment(*mixed, plain)) == 2 * (len(odd) + 1) + 2
    same(segment(*mixed, plain[:-1]))


def test_batches_across_the_window(segment: Any) -> None:
    """A segment is read a megabyte at a time, and a batch may be larger."""
    commit = OffsetCommitValue(offset=1, metadata="m" * 30_000, commit_timestamp=2).to_bytes(3)
    small, large = batch([(COMMIT, commit)] * 7), batch([(COMMIT, commit)] * 40)
    assert len(large) > 1 << 20
    assert same(segment(*[small] * 9, large, *[small] * 3)) >= 7 * 11


def test_a_batch_of_many_records_is_not_held_as_lines(segment: Any) -> None:
    assert same(segment(batch([(COMMIT, None)] * 8192))) == 8192
    assert same(segment(batch([(COMMIT, None)] * 8193))) == 0


def test_it_can_be_collected() -> None:
    lines = CompiledLines(KINDS, RecordLines(plain_record, decode_record))
    there = weakref.ref(lines)
    del lines
    gc.collect()
    assert there() is None


def test_an_error_in_opening_is_not_swallowed(segment: Any) -> None:
    class Failing(CleanReports):
        def opened(self, *_: Any) -> bytes:
            raise ZeroDivisionError

    member = GroupMetadataValue.MemberMetadata(
        member_id="m", client_id="c", client_host="h", subscription=b"?", assignment=b""
    )
    value = GroupMetadataValue(protocol_type="other", generation=1, members=[member])
    path = segment(batch([(GroupMetadataKey(group="g").to_bytes(), value.to_bytes(3))]))
    lines = RecordLines(plain_record, decode_record, Policy.KAFKA)
    lines.reports = Failing()
    with pytest.raises(ZeroDivisionError):
        list(read_runs([path], CompiledLines(KINDS, lines).write))


def test_without_the_core_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kproto.inspector.reports.compiled_lines.CORE", None)
    assert compiled_lines(KINDS, RecordLines(plain_record, decode_record)) is None
