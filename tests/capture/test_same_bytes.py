"""Bytes that do not decode, since they were cut or damaged, are read as they were written: nothing
but decoding would tell where else they may begin and end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kproto.capture import CaptureError
from kproto.capture.text import form_named, read
from kproto.codec import ConsumerProtocolAssignment as Assignment
from kproto.codec import message_class
from kproto.inspector.evidence import MessageJudge

from .written import DUMPS, ONE_LINE, message

JUDGE = MessageJudge()
LEAST = 13  # bytes: fewer are in logs the length of an id, or too few to be believed


def cut(rng: Random) -> bytes:
    data = message(rng)
    return data[: rng.randint(min(LEAST, len(data)), len(data))]


DRAWN: Mapping[str, Callable[[Random], bytes]] = {
    "whole": message,
    "cut": cut,
    "read as UTF-8": lambda rng: message(rng).decode("utf-8", "replace").encode(),
    "Latin-1 as UTF-8": lambda rng: message(rng).decode("latin-1").encode(),
}
# What is left out of a text that a program or a person may have written in two ways: numbers that
# are all bytes of three digits, and blanks that are bytes.
FORMS = [
    form for form in ONE_LINE if form not in ("numbers", "percent", "Go %v", "hex, underscores")
]
BESIDES: Mapping[str, Callable[[bytes], str]] = {
    "PostgreSQL": lambda data: f"'\\x{data.hex()}'",
    "groups of four digits": lambda data: data.hex(" ", -2),
    "groups of eight digits": lambda data: data.hex(" ", -4),
    "gdb": lambda data: '$1 = "' + "".join(f"\\{byte:03o}" for byte in data) + '"',
}
IN_A_LINE = [
    *BESIDES,
    "hex",
    "0xHEX",
    "hex, pairs",
    "Python b''",
    "C array",
    "Node Buffer",
    "Go %v",
]


def written(form: str, data: bytes) -> str:
    if form in BESIDES:
        return BESIDES[form](data)
    return ONE_LINE[form](data, Random(0)) if form in ONE_LINE else form_named(form).write(data)  # noqa: S311


def quoted(text: str) -> str:
    return "\n".join(f"> {row}" for row in text.split("\n"))


AROUND: Mapping[str, Callable[[str], str]] = {
    "alone": str,
    "in a mail": quoted,
    "in a mail that was answered": lambda text: quoted(quoted(text)),
    "in a code fence": "```text\n{}\n```".format,
}
BESIDE: Mapping[str, Callable[[str], str]] = {
    "a name in front": "metadata: {}".format,
    "in a log": "2026-01-02 03:04:05,678 DEBUG [consumer-1] sends metadata={}\n".format,
    "in parentheses": "JoinGroupRequestProtocol(name=range, metadata={}, more=1)".format,
}


def assert_same(text: str, data: bytes) -> None:
    reading = read(text.encode("utf-8", "surrogateescape"), judge=JUDGE)
    assert [chunk.data for chunk in reading.chunks] == [data], text


@given(
    st.randoms(use_true_random=False), st.sampled_from([*DRAWN]),
    st.sampled_from([*FORMS, *DUMPS]), st.sampled_from([*AROUND]),
)  # fmt: skip
@settings(max_examples=60)
def test_marks_of_a_quote_change_nothing(rng: Random, kind: str, form: str, around: str) -> None:
    data = DRAWN[kind](rng)
    if len(data) >= LEAST:
        assert_same(AROUND[around](written(form, data)), data)


@given(
    st.randoms(use_true_random=False), st.sampled_from([*DRAWN]),
    st.sampled_from(IN_A_LINE), st.sampled_from([*BESIDE]),
)  # fmt: skip
@settings(max_examples=60)
def test_what_is_beside_bytes_changes_nothing(
    rng: Random, kind: str, form: str, beside: str
) -> None:
    data = DRAWN[kind](rng)
    if len(data) >= LEAST:
        assert_same(BESIDE[beside](written(form, data)), data)


ROWS = Assignment(
    assigned_partitions=[Assignment.TopicPartition(topic="orders", partitions=[0, 1])],
    user_data=bytes(200),
).to_bytes(1)


@pytest.mark.parametrize("left_out", [0, 130])
def test_rows_of_zeros_in_a_list_are_no_messages(left_out: int) -> None:
    """Each row is an empty message by itself."""
    data = ROWS[: len(ROWS) - left_out]
    rows = [", ".join(map(str, data[at : at + 12])) for at in range(0, len(data), 12)]
    more = f",\n    ... {left_out} more items" if left_out else ""
    text = "{\n  memberAssignment: [\n    " + ",\n    ".join(rows) + more + "\n  ]\n}\n"
    (chunk,) = read(text.encode(), judge=JUDGE).chunks
    assert (chunk.data, chunk.cut) == (data, left_out)


@pytest.mark.parametrize("size", [6, 8, 11])
@pytest.mark.parametrize(
    "text", ["metadata: {} ...", "memberAssignment={}...", '"user_data": "{}…"']
)
def test_few_bytes_are_found_where_the_field_is_named(size: int, text: str) -> None:
    for printed in (ROWS[:size].hex(" "), ROWS[:size].hex()):
        line = f"12:00:01 DEBUG {text.format(printed)}\n"
        (chunk,) = read(line.encode(), judge=JUDGE).chunks
        assert (chunk.data, chunk.cut) == (ROWS[:size], None)


@pytest.mark.parametrize("width", [2, 4, 8])
def test_the_first_digits_of_a_row_are_no_number(width: int) -> None:
    data = bytes.fromhex("0001000000010004746f7069000000010001")
    text = data.hex(" ", -(width // 2))
    assert [chunk.data for chunk in read(text.encode(), judge=JUDGE).chunks] == [data]


# A comma, a blank or dots in a name may be the text's; a key of fewer bytes may be a number.
_NAMES = st.text("az09-_", min_size=1)
_PARTITIONS = st.sampled_from((0, 2**31 - 1)) | st.integers(0, 2**31 - 1)


@given(group=_NAMES, topic=_NAMES, partition=_PARTITIONS)
@example(group="group-a", topic="orders-", partition=2**31 - 1)  # 48 digits, as those of a digest
@example(group="group-a", topic="orders-", partition=2**31 - 2)
def test_a_key_of_the_offsets_topic_is_read_without_a_remark(
    group: str, topic: str, partition: int
) -> None:
    """Whatever its length and the number of its partition."""
    key = message_class("OffsetCommitKey")(group=group, topic=topic, partition=partition)
    data = key.to_bytes()  # type: ignore[attr-defined]
    reading = read(f"12:00 read key={data.hex()} at 12".encode(), judge=JUDGE)
    assert [(chunk.data, chunk.remark) for chunk in reading.chunks] == [(data, "")]
    assert not reading.skipped


def test_record_types_from_16_on_are_found_in_base64() -> None:
    key = message_class("StreamsGroupMemberMetadataKey")(group_id="billing", member_id="m-1")
    data = key.to_bytes()  # type: ignore[attr-defined]
    packed = form_named("base64").write(data)
    for text in (f"read key={packed} at 12", f'{{"key":"{packed}"}}', f"key: {packed}"):
        assert [chunk.data for chunk in read(text.encode(), judge=JUDGE).chunks] == [data]
    with pytest.raises(CaptureError):
        read(b"skipped: ABSOLUTELYNOTHINGHERE and ABCDEFGHIJKLMNOPQRSTUVWX", judge=JUDGE)


def test_a_comma_behind_escapes_is_no_byte() -> None:
    data = ROWS[:30]
    plain = "".join(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02X}" for byte in data)
    escaped = "".join(f"\\x{byte:02x}" for byte in data)
    for printed in (plain, escaped):
        text = f"got (metadata={printed}, protocol=range)\n"
        assert [chunk.data for chunk in read(text.encode(), judge=JUDGE).chunks] == [data]
    text = f"got metadata={escaped}, assignment={escaped}; done\n"
    assert [chunk.data for chunk in read(text.encode(), judge=JUDGE).chunks] == [data, data]
