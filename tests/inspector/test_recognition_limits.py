"""The limits by which bytes are taken for a frame, a request, a newer record, a cut message, or for
what a program has made of a message."""

from __future__ import annotations

import struct

import pytest

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Decoded,
    GroupMetadataKey,
    Message,
    Policy,
    decode,
    message_class,
)
from kproto.inspector import examine, identify
from kproto.inspector.candidates import (
    LOOKED_INTO,
    beginning_of,
    evidence,
    is_credible,
    is_each_with_user_data,
    is_plausible,
    is_vague,
    newer_record,
    text_read,
)
from kproto.inspector.identification import Earlier, _Kind, may_lack_bytes
from kproto.inspector.recognition import (
    DOUBT,
    Recogniser,
    frame_end,
    is_of_known_writer,
    may_be_request,
)


def subscription(*topics: str, version: int = 1, user_data: bytes | None = None) -> bytes:
    return ConsumerProtocolSubscription(topics=topics, user_data=user_data).to_bytes(version)


def read(data: bytes, cls: type[Message] = ConsumerProtocolSubscription) -> Decoded[Message]:
    return decode(data, cls, policy=Policy.LENIENT)


@pytest.mark.parametrize(
    ("size", "length", "end"),
    [
        (6, 10, 10),  # the shortest frame: a correlation id and an error code
        (5, 9, None),
        (6, 9, None),  # the frame is longer than the bytes
        (6, 40, 10),
    ],
)
def test_a_frame_ends_within_the_bytes(size: int, length: int, end: int | None) -> None:
    data = size.to_bytes(4, "big") + bytes(length - 4)
    assert frame_end(data) == end


@pytest.mark.parametrize(
    ("key", "version", "client_id", "is_likely"),
    [
        (11, 5, b"a client", True),
        (11, 5, b"", True),
        (11, 5, b"~", True),
        (11, 5, b"\x1f", False),
        (11, 5, b"\x7f", False),
        (0, 0, b"a", True),
        (127, 63, b"a", True),
        (128, 5, b"a", False),
        (11, 64, b"a", False),
        (-1, 5, b"a", False),
        (11, -1, b"a", False),
    ],
)
def test_a_request_header_is_likely(
    key: int, version: int, client_id: bytes, is_likely: bool
) -> None:
    header = struct.pack(">hhih", key, version, 7, len(client_id)) + client_id
    assert may_be_request(header, 0) == is_likely
    assert may_be_request(b"\0\0" + header, 2) == is_likely
    assert not may_be_request(header, 1 + len(client_id))


@pytest.mark.parametrize(("length", "is_likely"), [(-1, True), (-2, False), (1, False)])
def test_a_request_header_without_a_client_id(length: int, is_likely: bool) -> None:
    assert may_be_request(struct.pack(">hhih", 11, 5, 7, length), 0) == is_likely


@pytest.mark.parametrize(("ahead", "is_likely"), [(0, False), (1, True), (32, True), (33, False)])
def test_a_record_may_be_newer_by_so_many_versions(ahead: int, is_likely: bool) -> None:
    cls = message_class("OffsetCommitValue")
    message = cls(offset=3, metadata="a text that is long enough to be one")
    data = (cls.LATEST + ahead).to_bytes(2, "big") + message.to_body(cls.LATEST)
    assert (newer_record(data, {"OffsetCommitValue"}) is not None) == is_likely


@pytest.mark.parametrize(("number", "says_little"), [(9, False), (10, True)])
def test_a_name_of_many_messages_says_little(number: int, says_little: bool) -> None:
    assert is_vague([f"Message{index}" for index in range(number)]) is says_little


# -- messages that were cut


@pytest.mark.parametrize(
    ("topics", "is_likely"), [(1 << 16, True), ((1 << 16) + 1, False), (2, True)]
)
def test_a_cut_list_has_so_many_elements(topics: int, is_likely: bool) -> None:
    data = struct.pack(">hih6sh", 0, topics, 6, b"orders", 5) + b"a"
    assert examine(data).is_likely is is_likely


@pytest.mark.parametrize(("size", "is_likely"), [(1 << 16, True), ((1 << 16) + 1, False)])
def test_cut_user_data_has_so_many_bytes(size: int, is_likely: bool) -> None:
    data = struct.pack(">hih6si", 0, 1, 6, b"orders", size) + b"a"
    assert examine(data).is_likely is is_likely


def test_a_cut_behind_a_count_is_the_beginning_of_a_list() -> None:
    data = subscription("orders")[:-4] + (3).to_bytes(4, "big")
    assert beginning_of(read(data)) is not None
    assert beginning_of(read(data[:-4] + b"\xff" * 4)) is None  # null, where it is not allowed


@pytest.mark.parametrize(
    ("tail", "is_likely"), [(b"a\xc3", True), (b"a\xe2\x82", True), (b"a\xff", False)]
)
def test_a_text_may_be_cut_within_a_character(tail: bytes, is_likely: bool) -> None:
    data = subscription("orders", "payments", version=0)[:16] + tail
    assert examine(data).is_likely is is_likely


def test_long_bytes_are_read_and_not_looked_into() -> None:
    data = subscription("orders", user_data=bytes(LOOKED_INTO + 9))
    assert len(data) > LOOKED_INTO
    assert beginning_of(read(data[:-2])) is None
    for changed in (data, data + b"x", data[:-2]):
        readings = identify(changed)
        assert all(one.decoded.data == changed and not one.has_text for one in readings)
        is_whole = len(changed) >= len(data)
        assert not is_whole or readings[0].name == "ConsumerProtocolSubscription"
    assert identify(data)[0].takes_all and not identify(data + b"x")[0].takes_all
    assert "KP021" in identify(data + b"x")[0].reason


def test_bytes_that_may_be_cut_from_either_are_a_tie() -> None:
    examined = examine(subscription("orders")[:14])
    assert examined.equals == examined.rivals == ("ConsumerProtocolAssignment",)
    assert examine(subscription("orders", "payments")[:24]).rivals == ()


# -- text


def test_a_character_that_is_no_utf_8_is_no_text() -> None:
    data = bytes.fromhex("0000 00000001 0007 6f726465ff7273 ffffffff")
    assert text_read(read(data).fields) == len("orders")


@pytest.mark.parametrize(("bad", "is_likely"), [(1, True), (13, True), (15, False), (40, False)])
def test_most_of_a_text_is_readable(bad: int, is_likely: bool) -> None:
    topic = b"o" * (70 - bad) + b"\xff" * bad
    data = struct.pack(">hih", 0, 1, len(topic)) + topic + b"\xff" * 4 + b"rest"
    assert is_credible(read(data)) is is_likely


def test_a_topic_may_have_the_character_that_stands_for_others() -> None:
    examined = examine(subscription("caf\ufffd"))
    assert examined.identified and examined.is_clean


@pytest.mark.parametrize(
    ("topic", "lost"), [("orde?s", "1 byte "), ("a??b", "2 bytes "), ("orders", "")]
)
def test_question_marks_may_stand_for_bytes(topic: str, lost: str) -> None:
    remark = may_lack_bytes(read(subscription(topic, version=0, user_data=b"")))
    assert bool(remark) is bool(lost) and f"up to {lost}may be lost" in (
        remark or "up to may be lost"
    )
    assert not remark or remark.endswith("print it as hex where it comes from to be sure")


def test_a_worker_of_connect_has_a_url() -> None:
    cls = message_class("ConnectProtocolMetadata")
    for url, is_likely in (("http://a:8083/", True), ("a", False), ("", False)):
        message = cls(url=url, config_offset=3)
        assert is_plausible(read(message.to_bytes(0), cls).fields) is is_likely  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("offset", "is_likely"), [(0, True), ((1 << 48) - 1, True), (1 << 48, False), (-1, True)]
)
def test_an_offset_is_one_that_a_topic_can_have(offset: int, is_likely: bool) -> None:
    cls = message_class("OffsetCommitValue")
    message = cls(offset=offset, metadata="a note")
    data = message.to_bytes(3)  # type: ignore[attr-defined]
    assert is_plausible(read(data, cls).fields) is is_likely


def test_a_wrong_label_on_sorted_topics_is_likelier() -> None:
    """Java sorts them, so that others are a deviation of style."""
    ratings = [
        evidence(read(b"\0\1" + subscription(*topics, version=0)[2:])) for topics in ("ab", "ba")
    ]
    assert ratings[0] < ratings[1]
    assert [rating[:2] for rating in ratings] == [(0, 0), (0, 0)]


# -- what is known of bytes besides


def test_what_has_the_name_of_its_message_is_nothing_else() -> None:
    data = bytes(6) + b"\xff" * 4
    assert [one.name for one in identify(data, ("ConsumerProtocolAssignment",))] == [
        "ConsumerProtocolAssignment"
    ]
    both = ("ConsumerProtocolAssignment", "ConsumerProtocolSubscription")
    assert {one.name for one in identify(data, both)} >= {*both}


def test_bytes_that_are_no_message_without_a_label_are_refused() -> None:
    examined = examine(b"\xff" * 3, message_class("HeartbeatResponse"))
    assert examined.refused and examined.decoded.version == examined.decoded.message_class.LATEST


def test_a_subscription_without_text_that_is_called_a_key_is_in_doubt() -> None:
    for label, is_in_doubt in (("key=", True), ("metadata=", False)):
        recognised = Recogniser().recognise(subscription(), label, is_inside=True)
        assert (recognised.remark == DOUBT) is is_in_doubt


def test_few_bytes_in_a_text_are_a_key_where_they_are_called_so() -> None:
    data = GroupMetadataKey(group="abcd").to_bytes()
    called = Recogniser().recognise(data, "key=", is_inside=True)
    assert (called.remark, called.message is not None) == ("", True)
    assert Recogniser().recognise(data, "", is_inside=True).remark == DOUBT
    assert Recogniser().recognise(data, "").remark == ""


def test_what_is_in_its_place_has_no_remark() -> None:
    assigned = ConsumerProtocolAssignment(assigned_partitions=[], user_data=b"a").to_bytes(1)
    for data, label in ((subscription("orders"), "metadata="), (assigned, "assignment=")):
        assert Recogniser().recognise(data, label).remark == ""
    for data, label in ((subscription("orders"), "assignment="), (assigned, "orders: ")):
        recognised = Recogniser().recognise(data, label)
        assert bool(recognised.remark) is (label == "assignment=")


def test_messages_without_text_are_counted() -> None:
    recogniser = Recogniser()
    for size in (6, 7, 8):
        recogniser.recognise(bytes(size))
    assert (recogniser.strange, recogniser.messages) == (3, 3)
    for data in (subscription("orders"), subscription("orders", "payments")[:-9]):
        recogniser.recognise(data)
    assert (recogniser.strange, recogniser.messages) == (3, 5)
    recogniser.recognise(b"\x81" * 30)  # which is no message
    assert (recogniser.strange, recogniser.messages) == (4, 6)


@pytest.mark.parametrize(("number", "is_usual"), [(19, False), (20, True)])
def test_so_many_that_were_refused_alike_are_usual(number: int, is_usual: bool) -> None:
    refused = subscription("orders", "payments")[:-9]
    kind = _Kind(("ConsumerProtocolSubscription", "OffsetCommitKey"), (), False)
    earlier = Earlier()
    for _ in range(number):
        earlier.remember(kind, identify(refused))
    assert earlier.usual(kind) == ("ConsumerProtocolSubscription",) * is_usual


# -- what programs have made of a message


def test_what_was_taken_for_windows_1252_is_undone() -> None:
    data = ConsumerProtocolSubscription(topics=["orders"], generation_id=0x80).to_bytes(2)
    damaged = data.decode("cp1252").encode()
    recognised = Recogniser().recognise(damaged)
    assert recognised.message is not None and recognised.message.decoded.data == data
    assert "Windows-1252" in recognised.remark


def test_dots_behind_what_is_cut_are_no_dots_of_a_logger() -> None:
    """Loggers put them behind whole values; behind others they may be anybody's."""
    whole = subscription("orders", "payments")
    for data, is_repaired in ((whole, True), (whole[:-9], False)):
        message = Recogniser().recognise(data + b"...").message
        assert message is not None and bool(message.repair) is is_repaired


def test_an_assignment_without_its_user_data_has_a_known_writer() -> None:
    part = ConsumerProtocolAssignment.TopicPartition(topic="orders", partitions=[7])
    data = ConsumerProtocolAssignment(assigned_partitions=[part]).to_bytes(0)
    assert is_of_known_writer(data[:-4])
    assert not is_of_known_writer(data) and not is_of_known_writer(b"\1" + data[1:-4])


def test_user_data_after_each_topic_is_that_of_an_assignment() -> None:
    data = struct.pack(">hi", 0, 2)
    data += b"".join(struct.pack(">hciii", 1, topic, 1, 0, 0) for topic in (b"a", b"b"))
    assert is_each_with_user_data(read(data, ConsumerProtocolAssignment))
    assert not is_each_with_user_data(read(data))
    whole = ConsumerProtocolAssignment(assigned_partitions=[]).to_bytes(0)
    assert not is_each_with_user_data(read(whole, ConsumerProtocolAssignment))
