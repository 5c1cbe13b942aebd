"""The columnar decoder says what the codec says: of vectors, of broken bytes, of every shape of
column."""

from __future__ import annotations

import gc
import json
import resource
import struct
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolSubscription,
    ErrorKind,
    Message,
    StickyAssignorUserData,
    compile_definition,
    message_class,
)
from kproto.codec.runtime.registry import built_in_names, spec_of
from kproto.codec.wire.primitives import ZERO_UUID, varint
from kproto.fuzz.strategies import messages
from kproto.pipeline.columnar import ERROR_KINDS, decode_column, decode_rows, decoded_type

from ..codec.strategies import broken, built_in_classes, definitions
from .agreement import check
from .engines import either_engine  # noqa: F401  # a fixture

VECTORS = Path(__file__).parent.parent / "vectors"
ROWS = 12  # at most
Subscription = ConsumerProtocolSubscription

VERSIONED = [name for name in built_in_names() if message_class(name).FRAMING.kind != "none"]


def lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / file).read_text("utf-8").splitlines()]


# -- vectors


@pytest.mark.parametrize("name", ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"])
def test_java_verdicts_and_values(name: str) -> None:
    given_lines = [line for line in lines("consumer-protocol.jsonl") if line["name"] == name]
    decoded = check([bytes.fromhex(line["hex"]) for line in given_lines], message_class(name))
    for line, row in zip(given_lines, decoded.to_pylist(), strict=True):
        assert line["accept"] == (row["error_kind"] is None), line["hex"]
        if line["accept"]:
            seen = row["version"], row["schema_version"], row["bytes_left"]
            assert seen == (line["version"], line["schema_version"], line["left"])
            topics = [one["topic"] for one in row["message"].get("owned_partitions", ())]
            assert topics == [one["topic"] for one in line["json"].get("ownedPartitions", topics)]


@pytest.mark.parametrize("file", ["group-messages.jsonl", "group-messages-broken.jsonl"])
def test_java_group_messages(file: str) -> None:
    groups = defaultdict(list)
    for line in lines(file):
        groups[line["name"], line["version"]].append(line)
    for (name, version), given_lines in groups.items():
        rows = [bytes.fromhex(line["hex"]) for line in given_lines]
        decoded = check(rows, message_class(name), (version,)).to_pylist()
        for line, row in zip(given_lines, decoded, strict=True):
            assert line.get("accept", True) == (row["error_kind"] is None)
            assert line.get("left", 0) == row["bytes_left"] or row["error_kind"]


def test_a_length_that_wraps_around() -> None:
    """Java takes one from the least int32 and has the greatest: too long, not negative."""
    data = bytes.fromhex("00008080808008")
    (row,) = check([data], message_class("StreamsGroupMemberMetadataValue")).to_pylist()
    assert row["error_kind"] == "string-too-long"


# -- properties


# As many rows as the profile's examples have with `ROWS` each: a list has half of them on average.
# `make test` is content with half of the rows.
LONG = settings().max_examples > 30
twice = settings(max_examples=(2 if LONG else 1) * settings().max_examples)


def rows_of(given: st.SearchStrategy[bytes]) -> st.SearchStrategy[list[bytes]]:
    """Rows that are broken, most of them."""
    return st.lists(given.flatmap(broken), min_size=1, max_size=ROWS)


def bodies(cls: type[Message], version: int) -> st.SearchStrategy[bytes]:
    """Bodies of one version: there is no version in front."""
    chosen = messages(classes=st.just(cls), versions=[version])
    return chosen.map(lambda given: given.message.to_body(version))


@twice
@given(st.sampled_from(VERSIONED), st.data())
def test_built_in_messages_broken(name: str, data: st.DataObject) -> None:
    cls: Any = message_class(name)
    whole = messages(classes=st.just(cls)).map(lambda given: given.data)
    check(data.draw(rows_of(whole)), cls)


@twice
@given(built_in_classes().filter(lambda cls: cls.FRAMING.kind != "version32"), st.data())
def test_built_in_bodies_broken(cls: type[Message], data: st.DataObject) -> None:
    version = data.draw(st.sampled_from(list(cls.VERSIONS)))
    check(data.draw(rows_of(bodies(cls, version))), cls, (version,))


@twice
@given(definitions(), st.data())
def test_definitions_of_every_shape(definition: dict[str, Any], data: st.DataObject) -> None:
    cls = compile_definition(definition)
    version = data.draw(st.sampled_from(list(cls.VERSIONS)))
    whole = bodies(cls, version)
    rows = data.draw(rows_of(whole) | st.lists(whole, min_size=1, max_size=ROWS))
    try:
        decoded_type(cls, (version,))
    except ValueError as refused:
        if "no column form" not in str(refused) or not may_be_refused(cls):
            raise
        return
    check(rows, cls, (version,))


def may_be_refused(cls: type[Message]) -> bool:
    """Whether a field has what no column can hold: an older encoding, or, for where the version
    lacks it, a default that is not empty, or zero, where the size is not that of a number."""
    spec = spec_of(cls)
    fields = [*spec.fields, *(field for each in spec.structs.values() for field in each.fields)]
    sized = ("string", "bytes", "records", "uuid")
    return any(
        field.encoding
        or (field.type.name in sized and field.default and field.default != ZERO_UUID)
        for field in fields
    )


@given(st.lists(st.binary(max_size=40)))
def test_any_bytes(rows: list[bytes]) -> None:
    check(rows, Subscription)


@given(st.lists(st.one_of(st.binary(max_size=12), st.text(max_size=5).map(str.encode))))
def test_text_as_java_reads_it(names: list[bytes]) -> None:
    odd = [name + end for name in names for end in (b"", b"\xed\xa0", b"\xf0\x9f\x98", b"\xe0\x80")]
    topics = b"".join(struct.pack(">h", len(name)) + name for name in odd)
    check([struct.pack(">hi", 0, len(odd)) + topics + b"\xff\xff\xff\xff"], Subscription)


@pytest.mark.parametrize("name", VERSIONED)
@given(data=st.data())
@settings(max_examples=settings().max_examples // 15)
def test_every_truncation(name: str, data: st.DataObject) -> None:
    cls: Any = message_class(name)
    for version in cls.VERSIONS:
        raw = data.draw(messages(classes=st.just(cls), versions=[version])).data
        check([raw[:end] for end in range(min(len(raw), 300) + 1)], cls)


def test_sticky_versions_are_tried_in_order() -> None:
    first = struct.pack(">ih1sii", 1, 1, b"t", 1, 3)
    rows = [first + b"\0\0\0\7", first, first[:-1], b"", None]
    decoded = check(rows, StickyAssignorUserData, (1, 0))
    assert decoded.field("schema_version").to_pylist() == [1, 0, 0, 0, None]


def test_error_kinds_are_all_there() -> None:
    assert set(ERROR_KINDS) == {None, *ErrorKind}


# -- columns of every form

PLAIN = [Subscription(topics=["orders"]).to_bytes(), None, b"", b"\0\1", b"\0\0\0\0\0\0\0\0\0\0"]
TYPES = [pa.binary(), pa.large_binary(), pa.binary_view()]


@given(st.lists(st.none() | st.binary(max_size=40), max_size=ROWS), st.data())
def test_chosen_rows(values: list[bytes | None], data: st.DataObject) -> None:
    """They may be in any order, and come again."""
    whole = [Subscription(topics=["orders"]).to_bytes(), *values]
    type_ = data.draw(st.sampled_from([pa.binary(), pa.large_binary()]))
    start = data.draw(st.integers(0, len(whole) - 1))
    column = pa.array(whole, type_)[start:]
    rows = np.array(data.draw(st.lists(st.integers(0, len(column) - 1))), np.int32)
    found = decode_rows(column, rows, Subscription)
    assert found.equals(decode_column(column.take(pa.array(rows)), Subscription))
    found.validate(full=True)


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_types_of_columns(type_: pa.DataType) -> None:
    check(PLAIN * 5, Subscription, type_=type_)


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("start", [0, 1, 7, 13])
def test_slices(type_: pa.DataType, start: int) -> None:
    column = pa.array(PLAIN * 4, type_)
    whole = decode_column(column, Subscription).to_pylist()
    part = decode_column(column.slice(start, 6), Subscription)
    part.validate(full=True)
    assert part.to_pylist() == whole[start : start + 6]


def test_dictionaries() -> None:
    column = pa.array(PLAIN * 4).dictionary_encode()
    indices = pa.array([2, None, 0])
    odd = pa.DictionaryArray.from_arrays(indices, pa.array([PLAIN[0], None, PLAIN[3]]))
    for encoded in (column, column.slice(3, 9), odd, odd.slice(1), odd.slice(0, 0)):
        written_out = decode_column(encoded.cast(pa.binary()), Subscription)
        assert decode_column(encoded, Subscription).to_pylist() == written_out.to_pylist()


def test_chunks_and_nothing() -> None:
    chunked = pa.chunked_array([PLAIN, [], PLAIN[::-1]], pa.binary())
    decoded = decode_column(chunked, Subscription)
    assert decoded.to_pylist() == decode_column(chunked.combine_chunks(), Subscription).to_pylist()
    assert decode_column(pa.chunked_array([], pa.binary()), Subscription).type == decoded.type
    for type_ in (pa.binary(), pa.large_binary(), pa.null(), pa.binary(4)):
        assert len(decode_column(pa.array([], type_), Subscription)) == 0
    assert decode_column(pa.nulls(3), Subscription).to_pylist() == [None] * 3
    assert decode_column(pa.array([b"\0\1\0\0"], pa.binary(4)), Subscription)[0].is_valid


def test_pieces_of_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [*PLAIN * 3, Subscription(topics=["x" * 90] * 3).to_bytes(), *PLAIN * 3]
    whole = check(rows, Subscription)
    for size in (1, 20, 64, 400):
        monkeypatch.setattr("kproto.pipeline.columnar.PIECE", size)
        assert decode_column(pa.array(rows, pa.binary()), Subscription).equals(whole)


@pytest.mark.parametrize("size", [1, 40, 300])
def test_pieces_of_a_dictionary(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Written out it may be more than an array can hold; its values may be that, too."""
    long = Subscription(topics=["x" * 90] * 2).to_bytes()
    values = pa.array([PLAIN[0], long, None, b"\0\1"])
    encoded = pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1, 2, 3, 1, 1, 0, 1]), values)
    whole = decode_column(encoded.cast(pa.binary()), Subscription)
    monkeypatch.setattr("kproto.pipeline.columnar.PIECE", size)
    assert decode_column(encoded, Subscription).equals(whole)
    decoded = decode_column(pa.chunked_array([encoded, encoded.slice(3)]), Subscription)
    assert decoded.num_chunks > 4
    assert decoded.to_pylist() == [*whole.to_pylist(), *whole.slice(3).to_pylist()]


def test_more_than_an_array_holds_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gibibytes of text are not made here: Arrow's own refusal is."""

    def full(arrays: list[pa.Array]) -> pa.Array:
        raise pa.ArrowInvalid("offset overflow while concatenating arrays")

    monkeypatch.setattr("kproto.pipeline.columnar.PIECE", 1)
    monkeypatch.setattr(pa, "concat_arrays", full)
    with pytest.raises(ValueError, match=r"5 rows are more than .*: hand over a ChunkedArray"):
        decode_column(pa.array(PLAIN), Subscription)
    assert decode_column(pa.chunked_array([PLAIN]), Subscription).num_chunks > 1


@pytest.mark.parametrize("width", ["i", "q"])
def test_offsets_with_something_behind_them(width: str) -> None:
    """Arrow pads buffers to any size."""
    data = PLAIN[0]
    assert data is not None
    type_ = pa.binary() if width == "i" else pa.large_binary()
    offsets = pa.py_buffer(struct.pack(f"=4{width}3x", 0, len(data), 2 * len(data), 2))
    column = pa.Array.from_buffers(type_, 2, [None, offsets, pa.py_buffer(data * 2)])
    for start in (0, 1):
        rows = decode_column(column.slice(start), Subscription).to_pylist()
        assert [row["message"]["topics"] for row in rows] == [["orders"]] * (2 - start)


# -- what is refused, and what it costs


def test_wrong_use_is_said() -> None:
    with pytest.raises(TypeError, match="a column of bytes is wanted, not of string"):
        decode_column(pa.array(["text"]), Subscription)
    with pytest.raises(TypeError, match=r"an array of pyarrow is wanted, such as .*, not list"):
        decode_column([b""], Subscription)
    with pytest.raises(
        TypeError, match=r"a message class of kproto\.codec is wanted, .*, not .Sub.*message_class"
    ):
        decode_column(pa.array([b""]), "Subscription")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="StickyAssignorUserData has no version field"):
        decode_column(pa.array([b""]), StickyAssignorUserData)
    with pytest.raises(ValueError, match="has no body of version 9"):
        decode_column(pa.array([b""]), StickyAssignorUserData, (9,))


@pytest.mark.parametrize("offsets", [[0, 999, 5], [5, 0, 5], [0, -4, 5]])  # first and last: pyarrow
@pytest.mark.parametrize("width", ["i", "q"])
@pytest.mark.parametrize("valid", [None, b"\2", b"\0"])
def test_nothing_is_read_outside_of_the_buffers(
    offsets: list[int], width: str, valid: bytes | None
) -> None:
    type_ = pa.binary() if width == "i" else pa.large_binary()
    buffers = [
        valid and pa.py_buffer(valid),
        pa.py_buffer(struct.pack(f"={len(offsets)}{width}", *offsets)),
        pa.py_buffer(bytes(5)),
    ]
    column = pa.Array.from_buffers(type_, 2, buffers)
    with pytest.raises(ValueError, match="column's"):
        decode_column(column, Subscription)


def hostile() -> list[bytes]:
    """Rows that claim what they do not hold, and rows that hold as much as bytes can."""
    empty_names = struct.pack(">hi", 1, 300_000) + bytes(2 * 300_000)
    owned = struct.pack(">hiii", 1, 0, -1, 100_000) + bytes(6 * 100_000)
    not_text = struct.pack(">hih", 0, 1, 32_767) + b"\xff" * 32_767 + b"\xff\xff\xff\xff"
    claim = struct.pack(">hi", 1, 0x7FFFFFFF)
    return [empty_names, owned, *[not_text] * 30, *[claim] * 50_000]


def test_memory_in_proportion() -> None:
    """Whatever the rows: 40 times their bytes at most, as the codec, and 200 bytes a row."""
    rows = hostile()
    size = sum(map(len, rows))
    column = pa.array(rows, pa.binary())
    decode_column(column.slice(0, 1), Subscription)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    decoded = decode_column(column, Subscription)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    assert decoded.nbytes < 4 * size + 200 * len(rows)
    assert grown < 40 * size + 200 * len(rows)


def test_many_unknown_tags() -> None:
    tags = b"".join(varint(tag) + b"\0" for tag in range(5, 9_000))
    cls: Any = message_class("StreamsGroupMetadataValue")
    body = struct.pack(">iq", 3, 4)
    whole = b"\0\0" + body + varint(8_995) + tags
    twice = b"\0\0" + body + b"\2\0\4\0\0\0\7\0\4\0\0\0\x08"  # a known one, and once more
    check([whole, whole[:-1], twice, twice[:-1]], cls)


def test_text_of_streams_in_older_encodings() -> None:
    """As Java's DataOutputStream.writeUTF has it: a null byte takes two bytes, a supplementary
    character six, and a lone surrogate three."""
    cls: Any = message_class("AssignmentInfo")
    host = b"a\xc0\x80\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbd"
    port_and_partitions = struct.pack(">ii", 9092, 0)
    head = struct.pack(">iiii", 3, 3, 0, 0)  # versions, active and standby tasks
    data = head + struct.pack(">ih", 1, len(host)) + host + port_and_partitions
    (row,) = check([data], cls).to_pylist()
    (entry,) = row["message"]["partitions_by_host"]
    assert entry["host"] == "a\0\U0001f600\ufffd"
