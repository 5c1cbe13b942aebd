"""The tree of lines, checked against the bytes it talks about."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerGroupMetadataValue,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Policy,
    SubscriptionInfoData,
)
from kproto.inspector import examine
from kproto.inspector.views.display_tree import DisplayTree, Line
from kproto.inspector.views.theme import UNICODE

from .samples import CAPTURES, CLIENTS, vectors

SUBSCRIPTIONS = [
    bytes.fromhex(vector["hex"])
    for vector in vectors("consumer-protocol.jsonl")
    if vector["name"] == "ConsumerProtocolSubscription"
]


def display_tree(data: bytes, *, full: bool = False, policy: Policy = Policy.KAFKA) -> DisplayTree:
    return DisplayTree(
        examine(data, ConsumerProtocolSubscription, policy=policy), UNICODE, full=full
    )


def lines(taken_apart: DisplayTree) -> dict[str, Line]:
    return {line.path: line for line, _ in taken_apart.walk()}


def leaves(taken_apart: DisplayTree) -> Iterator[tuple[int, int]]:
    """What each line covers by itself: its length or count, and its value if it has no parts."""
    for line, _ in taken_apart.walk():
        parts = [child for child in line.children if child.state != "failed"]
        yield line.start, (line.head if parts else line.end)


def test_places_are_those_of_the_bytes() -> None:
    data = CAPTURES["java-sticky"]
    found = lines(display_tree(data))
    orders = found["user_data.previous_assignment[1].topic"]
    assert data[orders.start : orders.end] == b"\x00\x06orders"
    assert data[orders.head : orders.end] == b"orders"
    assert orders.text == '"orders"'
    rack = found["rack_id"]
    assert data[rack.start : rack.end] == b"\x00\x06rack-a"
    partitions = found["user_data.previous_assignment[0].partitions"]
    assert partitions.text == "[0, 1, 2, 3, 4]"
    assert data[partitions.head : partitions.end] == b"".join(
        number.to_bytes(4, "big") for number in range(5)
    )


@pytest.mark.parametrize("full", [False, True])
def test_every_byte_is_accounted_for_once(full: bool) -> None:
    """Whatever the bytes: what is read, what failed and what is left tile the input."""
    for data in SUBSCRIPTIONS[:400]:
        covered = sorted(
            span for span in leaves(display_tree(data, full=full)) if span[0] < span[1]
        )
        end = 0
        for start, stop in covered:
            assert start == end, data.hex()
            end = stop
        assert end == len(data), data.hex()


@given(st.binary(max_size=200))
def test_any_bytes_can_be_taken_apart(data: bytes) -> None:
    for policy in Policy:
        for line, guides in display_tree(data, policy=policy).walk():
            assert 0 <= line.start <= line.head <= max(line.end, line.head) <= len(data)
            assert guides


def test_what_failed_stands_where_it_failed() -> None:
    found = lines(
        display_tree(bytes.fromhex("0001 00000001 0001 61 ffffffff 00000001 0001 74 0000"))
    )
    failed = found["owned_partitions[0].partitions"]
    assert failed.state == "failed"
    assert failed in found["owned_partitions[0]"].children
    assert failed.text == "truncated: int32 of 4 bytes, 2 left"
    assert found["owned_partitions"].text == "0 of 1 read"


def test_numbers_read_before_the_failing_one_are_kept() -> None:
    start = "0001 00000001 0001 61 ffffffff 00000001 0001 74"
    found = lines(display_tree(bytes.fromhex(f"{start} 00000003 00000007 00000008 00")))
    assert found["owned_partitions[0].partitions"].text == "2 of 3 read: [7, 8]"
    assert found["owned_partitions[0].partitions[2]"].name == "[2]"


def test_deviations_stand_on_their_lines() -> None:
    found = lines(display_tree(bytes.fromhex(CLIENTS["KafkaJS"])))
    assert found["user_data"].codes == ["KP061"]
    found = lines(display_tree(CAPTURES["kafkajs"]))
    assert found["version"].codes == ["KP040"]


def test_the_remainder_has_a_line_and_its_deviation() -> None:
    found = lines(display_tree(bytes.fromhex(CLIENTS["Sarama 2.0"]) + b"\x01\x02"))
    assert (found[""].name, found[""].start, found[""].end) == ("remainder", 16, 18)
    assert found[""].codes == ["KP021"]


def test_deviations_inside_user_data_are_listed_with_their_place_in_the_whole() -> None:
    user_data = bytes.fromhex("00000001 0001 74 00000002 00000005 00000005 00000000")
    data = ConsumerProtocolSubscription(topics=["t"], user_data=user_data).to_bytes()
    (twice,) = display_tree(data).deviations
    assert twice.path == "user_data.previous_assignment[0].partitions[1]"
    assert data[twice.offset : twice.offset + 4] == b"\x00\x00\x00\x05"
    assert lines(display_tree(data))["user_data.previous_assignment[0].partitions"].codes == [
        "KP042"
    ]


def long_assignment(topics: int, partitions: int) -> bytes:
    entry = ConsumerProtocolAssignment.TopicPartition
    return ConsumerProtocolAssignment(
        assigned_partitions=[
            entry(topic=f"t{number:03}", partitions=range(partitions)) for number in range(topics)
        ]
    ).to_bytes(0)


def test_long_arrays_are_folded_and_counted() -> None:
    examined = examine(long_assignment(40, 100), ConsumerProtocolAssignment)
    folded = DisplayTree(examined, UNICODE)
    texts = [line.text for line, _ in folded.walk()]
    assert "31 more (--full)" in texts
    assert any(text.endswith("… 76 more]") for text in texts)
    assert sum(text.startswith('"t0') for text in texts) == 9
    whole = [line.text for line, _ in DisplayTree(examined, UNICODE, full=True).walk()]
    assert sum(text.startswith('"t0') for text in whole) == 40
    assert not any("more" in text for text in whole)


@given(st.binary(max_size=300), st.text(max_size=300))
def test_the_hex_is_folded_where_the_tree_is(value: bytes, topic: str) -> None:
    """The hex shows the bytes that the line shows, and leaves out those that it leaves out."""
    data = ConsumerProtocolSubscription(topics=["\0" + topic], user_data=value).to_bytes(1)
    seen = display_tree(data + b"\xff" + value)
    found = lines(seen)
    rest = seen.lines[-1]
    for line in (found["user_data"], rest):
        left_out = line.hidden is not None
        if not line.children and ": " in line.text:
            assert left_out == line.text.endswith(UNICODE.ellipsis)
    if rest.hidden is not None:
        shown = data_of(seen, rest.start, rest.hidden[0]).hex(" ")
        assert rest.text.endswith(f" bytes: {shown} {UNICODE.ellipsis}")
    name = found["topics[0]"]
    assert (name.hidden is not None) == (len(topic) + 1 > 120)
    if name.hidden is not None and topic.isascii():
        assert name.hidden == (name.head + 120, name.end)
    assert all(line.hidden is None for line, _ in display_tree(data, full=True).walk())


def data_of(tree: DisplayTree, start: int, end: int) -> bytes:
    return tree.data[start:end]


def test_the_hex_of_an_unknown_tagged_field_is_folded_after_the_bytes_that_are_shown() -> None:
    data = bytes.fromhex("00000000000701" + "07" + "20") + bytes(range(32))
    seen = DisplayTree(examine(data, ConsumerGroupMetadataValue), UNICODE)
    (folded,) = [line for line, _ in seen.walk() if line.hidden is not None]
    assert folded.hidden == (9 + 16, len(data))
    assert bytes(range(16)).hex(" ") + " …" in folded.text


def test_a_fold_never_hides_what_failed() -> None:
    data = long_assignment(40, 10)[:-20]
    found = lines(DisplayTree(examine(data, ConsumerProtocolAssignment), UNICODE))
    failed = found["assigned_partitions[39].partitions[6]"]
    assert failed.state == "failed"
    assert failed.hidden is None


def test_what_only_the_policy_refuses_is_marked() -> None:
    data = bytes.fromhex("0000 00000001 0001 ff ffffffff")
    assert lines(display_tree(data, policy=Policy.STRICT))["topics[0]"].state == "failed"
    assert lines(display_tree(data))["topics[0]"].state == "field"


def test_a_process_id_is_shown_as_streams_prints_it_too() -> None:
    """StreamsMetadata and logs have `UUID.toString`, and Kafka's own ids are base64."""
    process = UUID("12345678-90ab-cdef-1234-567890abcdef")
    info = SubscriptionInfoData(version=1, process_id=process)
    tree = DisplayTree(examine(info.to_bytes(1), SubscriptionInfoData), UNICODE)
    line = tree.line_at("process_id")
    assert line is not None and line.text == f"EjRWeJCrze8SNFZ4kKvN7w ({process})"


def test_no_view_prints_a_python_value() -> None:
    """A flexible message without tags has a tag section, of which the reader keeps a dict."""
    data = ConsumerGroupMetadataValue().to_bytes(0)
    tree = DisplayTree(examine(data, ConsumerGroupMetadataValue), UNICODE, full=True)
    texts = [line.text for line, _ in tree.walk()]
    assert "none" in texts and not any(sign in text for text in texts for sign in "{}()'")
