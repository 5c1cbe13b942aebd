"""What bytes are, asked of bytes of which we know it."""

from __future__ import annotations

import gzip
import os
import re
import sys
import zlib
from hashlib import shake_128
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kproto.capture import read
from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Decoded,
    DecodeError,
    GroupMetadataKey,
    Message,
    OffsetCommitKey,
    OffsetCommitValue,
    Policy,
    decode,
    message_class,
)
from kproto.inspector import candidates as module
from kproto.inspector import examine, identify
from kproto.inspector.evidence import MessageJudge
from kproto.inspector.identification import resembles_nothing
from kproto.inspector.recognition import Recogniser

from .samples import CAPTURES, CLIENTS, vectors

ASSIGNED = ConsumerProtocolAssignment.TopicPartition
LONG_ENOUGH = 12  # bytes; shorter ones are too many things

PROTOCOL = [
    (vector["name"], bytes.fromhex(vector["hex"]))
    for vector in vectors("consumer-protocol.jsonl")
    if vector["kind"] in ("valid", "future")
]
STORED = [
    (vector["name"], message_class(vector["name"]), vector)
    for vector in vectors("group-messages.jsonl")
    if vector["name"].endswith(("Key", "Value"))
]


def found_first(name: str, data: bytes) -> bool:
    return any(one.rank == 1 and one.name == name for one in identify(data))


def test_valid_messages_of_the_protocol_are_found() -> None:
    tried = [(name, data) for name, data in PROTOCOL if len(data) >= LONG_ENOUGH]
    found = [found_first(name, data) for name, data in tried]
    assert len(found) >= 80
    assert sum(found) >= 0.95 * len(found)


def test_keys_and_values_of_the_offsets_topic_are_found() -> None:
    found = []
    for name, cls, vector in STORED:
        message = cls.from_body(bytes.fromhex(vector["hex"]), vector["version"])
        data = message.to_bytes(vector["version"])  # type: ignore[attr-defined]
        if len(data) >= LONG_ENOUGH:
            found.append(found_first(name, data))
    assert len(found) >= 100
    assert sum(found) >= 0.95 * len(found)


@pytest.mark.parametrize("client", CLIENTS)
def test_subscriptions_of_real_clients_are_found(client: str) -> None:
    best = identify(bytes.fromhex(CLIENTS[client]))[0]
    assert (best.rank, best.name) == (1, "ConsumerProtocolSubscription")
    assert best.version == int(CLIENTS[client][:4], 16)


def test_a_label_that_lies_does_not_hide_the_type() -> None:
    best = identify(CAPTURES["kafkajs"])[0]
    assert (best.rank, best.name, best.version) == (1, "ConsumerProtocolSubscription", 1)
    assert "KP040" in best.reason


def test_a_message_that_was_cut_off_is_still_found() -> None:
    for end in range(40, len(CAPTURES["java-sticky"])):
        best = identify(CAPTURES["java-sticky"][:end])[0]
        assert best.name == "ConsumerProtocolSubscription", end


MEMBER = "0000 00 00 09 636c69656e742d31 0a 2f31302e302e302e31 02 07 6f7264657273 00 000493e0 00 01"


@pytest.mark.parametrize(
    ("digits", "is_likely"),
    [
        ("0000 00000002 0006 6f7264657273 0005 61", True),
        ("0000 00000002 0006 6f7264657273 ffff 0005 61", False),  # no topic is null
        ("0000 00000002 0006 6f7264650073 0005 61", False),  # no topic has such a name
        ("0000 00000002 0006 6f7264657273 00000001 00000007 0005 61", True),
        ("0000 00000002 0006 6f7264657273 00000001 7fffffff 0005 61", False),  # nor partition
        (f"{MEMBER} 00 01", True),
        (f"{MEMBER} 00 ffffffffffff", False),  # no varint has six bytes
    ],
)
def test_what_is_cut_has_no_fault_before_the_cut(digits: str, is_likely: bool) -> None:
    assert examine(bytes.fromhex(digits)).is_likely is is_likely


def test_a_whole_message_comes_before_a_guess_at_a_newer_record() -> None:
    """A share group of a version to come would have no more text than the assignment."""
    data = ConsumerProtocolAssignment(assigned_partitions=[], user_data=b"a\0\2\0\0").to_bytes(1)
    for expected in ((), ("ShareGroupMetadataValue",)):
        decoded = examine(data, expected=expected).decoded
        assert decoded.message_class is ConsumerProtocolAssignment


def test_a_reading_without_a_deviation_comes_first() -> None:
    """What Java writes for one topic with the partitions 0 and N is a subscription, too, with two
    bytes of user data that nobody writes."""
    for version in range(4):
        for last in range(1, 200):
            parts = [ASSIGNED(topic="payments", partitions=[0, last])]
            data = ConsumerProtocolAssignment(assigned_partitions=parts).to_bytes(version)
            first = [one.name for one in identify(data) if one.rank == 1]
            assert first == ["ConsumerProtocolAssignment"], data.hex()


def test_what_is_expected_comes_first_if_the_bytes_can_be_it() -> None:
    empty = bytes.fromhex("000000000000ffffffff")
    for name in ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment"):
        assert identify(empty, [name])[0].name == name
    subscription = bytes.fromhex(CLIENTS["franz-go"])
    best = identify(subscription, ["ConsumerProtocolAssignment"])[0]
    assert best.name == "ConsumerProtocolSubscription"  # in the wrong place


SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"


def test_bytes_that_fail_as_what_a_name_says_may_be_something_else() -> None:
    data = ConsumerProtocolAssignment(assigned_partitions=[], user_data=b"\x85-Mt\xb1+").to_bytes(3)
    examined = examine(data, expected=("ConsumerProtocolSubscription",))
    assert examined.decoded.message_class is ConsumerProtocolSubscription
    assert examined.refused and "ConsumerProtocolAssignment" in examined.rivals


@pytest.mark.parametrize(
    ("digits", "label", "name"),
    [
        # The count of partitions is cut off, as that of topics is: 20 of them, 2 bytes left.
        ("000300000028000662626b656462000000140000", "payload", ASSIGNMENT),
        ("000000000028000d616a6e71317562617267353335000000140000005c000000", "value", ASSIGNMENT),
        # A whole key of the offsets topic, with characters that no name of a topic has.
        (
            (
                "000100000028000462d0b63600296337617a6370796b735f7a356139347a3462716a2d306e376c306b6b"
                "7a666773796c7039"
            ),
            "key",
            SUBSCRIPTION,
        ),
        # A whole record of Connect's, but for the cut.
        ("000100086f7264657273373200086f7264657273", "key", "OffsetCommitKey"),
        ("00010008636f6e73756d65720000034e00057261", "value", "GroupMetadataValue"),
        ("0001000000011600a35a00000000018bdf4c6dc9", "value", "OffsetCommitValue"),
    ],
)
def test_what_a_program_has_cut_is_the_beginning_of_a_message(
    digits: str, label: str, name: str
) -> None:
    message = Recogniser().recognise(bytes.fromhex(digits), label, is_cut=True).message
    assert message is not None
    assert name == message.decoded.message_class.NAME


@pytest.mark.parametrize(
    "key",
    [
        GroupMetadataKey(group="team-12.service-3"),
        OffsetCommitKey(group="team-12.service-3", topic="orders", partition=7),
    ],
)
def test_a_key_that_is_cut_in_its_group_is_no_commit(
    key: GroupMetadataKey | OffsetCommitKey,
) -> None:
    """Its characters would be an offset of 10^18."""
    data = key.to_bytes()
    for end in range(9, len(data)):
        assert identify(data[:end])[0].name == type(key).NAME, end


def test_what_is_cut_inside_of_its_only_text_is_found() -> None:
    long = OffsetCommitValue(offset=7, metadata="x" * 166, commit_timestamp=1).to_bytes(3)
    named = ConsumerProtocolSubscription(topics=["t" * 200]).to_bytes(0)
    assert [identify(data[:100])[0].name for data in (long, named)] == [
        "OffsetCommitValue",
        SUBSCRIPTION,
    ]
    assert examine(long[:100]).identified


def test_a_value_without_text_may_be_another_message() -> None:
    """Anything is called payload: `OffsetCommitValue` is the one of the names that fits."""
    data = bytes.fromhex("000300000000000000041d49602a00000000000000cdffff")
    message = Recogniser().recognise(data, "payload").message
    assert message is not None
    assert SUBSCRIPTION in (message.decoded.message_class.NAME, *message.rivals)


def test_a_likely_time_tells_a_commit() -> None:
    """It has no text, and fields of Connect's metadata would take the bytes, too."""
    data = OffsetCommitValue(offset=4570350643, commit_timestamp=1_716_893_836_229).to_bytes(1)
    assert examine(data).is_clean
    assert not Recogniser().recognise(data, is_inside=True).remark


def test_the_address_of_a_connect_worker_is_a_url() -> None:
    """Latin-1 as UTF-8 lets a key be Connect's metadata, with a topic in the place of the URL."""
    data = OffsetCommitKey(group="payments", topic="t", partition=201).to_bytes()
    for text in (data.decode("latin-1"), f"cannot read {data.decode('latin-1')}"):
        message = Recogniser().recognise(read(text.encode(), judge=MessageJudge()).chunks[0].data)
        assert message.message is not None
        assert message.message.decoded.data == data
        assert message.message.decoded.message_class is OffsetCommitKey


@pytest.mark.parametrize("text", ["größe", "日本", "à"])
def test_question_marks_may_stand_for_bytes(text: str) -> None:
    data = GroupMetadataKey(group=text).to_bytes()
    damaged = data.decode("ascii", "replace").replace("\ufffd", "?").encode()
    assert f"up to {damaged.count(b'?')} bytes" in Recogniser().recognise(damaged).remark
    assert not Recogniser().recognise(data).remark
    assert not Recogniser().recognise(GroupMetadataKey(group="why?").to_bytes()).remark


def test_equals_share_a_rank() -> None:
    ranks = {one.name: one.rank for one in identify(bytes.fromhex("000000000000ffffffff"))}
    assert ranks["ConsumerProtocolSubscription"] == ranks["ConsumerProtocolAssignment"] == 1


@pytest.mark.parametrize("version", [0, 1])
def test_what_is_cut_may_be_whole_as_another_message(version: int) -> None:
    """An assignment that ends in the third of ten partitions, or a subscription with ten bytes of
    user data that nobody knows, or of version 0 besides."""
    text = "00000001 0006 6f7264657273 0000000a 00000001 00000002 0000"
    found = identify(version.to_bytes(2, "big") + bytes.fromhex(text))
    assert {one.name for one in found if one.rank == 1} == {SUBSCRIPTION, ASSIGNMENT}


def test_a_future_version_with_a_tail_keeps_its_type() -> None:
    data = b"\x00\x63" + CAPTURES["java-sticky"][2:] + b"\x00\x00\x00\x2a"
    best = identify(data)[0]
    assert (best.name, best.version) == ("ConsumerProtocolSubscription", 99)
    assert best.has_text


def test_of_readings_that_fail_that_which_gets_furthest_comes_first() -> None:
    """A varint of six bytes in the metadata of a commit, and a protocol type that is null."""
    found = identify(bytes.fromhex("0004 00000000 ffffffff 00000000 ffffffff ffff 0000"))
    ranks = {one.name: one.rank for one in found}
    assert ranks["OffsetCommitValue"] < ranks["GroupMetadataValue"]


def test_a_layout_without_a_label_counts_only_if_it_uses_every_byte() -> None:
    generation = bytes.fromhex("00000005")
    names = {one.name for one in identify(generation)}
    assert "CooperativeStickyUserData" in names
    assert "CooperativeStickyUserData" not in {one.name for one in identify(generation + b"\x00")}


def test_the_user_data_of_a_java_consumer_is_found() -> None:
    subscription = ConsumerProtocolSubscription.from_bytes(CAPTURES["java-sticky"])
    assert subscription.user_data is not None
    best = identify(subscription.user_data)[0]
    assert (best.name, best.version) == ("StickyAssignorUserData", 1)


def test_nothing_is_found_in_nothing() -> None:
    assert identify(b"") == ()


@given(st.binary(max_size=80) | st.binary(max_size=40).map(lambda tail: b"\0\0\0" + tail))
def test_ranks_are_in_order_and_every_reading_holds(data: bytes) -> None:
    candidates = identify(bytearray(data))
    ranks = [one.rank for one in candidates]
    assert ranks == sorted(ranks)
    assert set(ranks) == set(range(1, len(set(ranks)) + 1))
    for one in candidates:
        cls = message_class(one.name)
        body = one.version if cls.FRAMING.kind == "none" else None
        if one.reason.startswith("read to the last byte"):
            seen = decode(data, cls, body_version=body)
            assert not seen.remainder
            assert seen.version == one.version
        elif not one.reason.startswith("complete"):
            with pytest.raises(DecodeError):
                decode(data, cls, body_version=body)
        assert decode(data, cls, policy=Policy.LENIENT, body_version=body).version == one.version


@pytest.mark.parametrize("padding", [0, 5_000])
def test_a_candidate_has_what_it_was_decoded_as(padding: int) -> None:
    """Of long bytes not every candidate's result is kept; each can be asked for all the same."""
    data = bytes.fromhex("000000000000") + padding.to_bytes(4, "big") + b"\0" * padding
    candidates = identify(data)
    assert len(candidates) > 1
    for one in candidates:
        cls = message_class(one.name)
        body = one.version if cls.FRAMING.kind == "none" else None
        wanted = decode(data, cls, policy=Policy.LENIENT, body_version=body)
        assert (one.decoded.message, one.decoded.version) == (wanted.message, wanted.version)
        assert str(one.decoded.error) == str(wanted.error)
        assert one.decoded is one.decoded


def test_what_was_identified_is_not_decoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[str] = []

    def counted(data: bytes, cls: type[Message], **how: Any) -> Decoded[Any]:
        decoded.append(cls.NAME)
        return decode(data, cls, **how)

    monkeypatch.setattr(module, "decode", counted)
    data = CAPTURES["java-sticky"]
    names = [one.name for one in identify(data)]
    decoded.clear()
    assert names[0] == examine(data).decoded.message_class.NAME
    assert decoded.count(names[0]) == 1


def test_a_candidate_is_the_tuple_that_it_always_was() -> None:
    best = identify(CAPTURES["java-sticky"])[0]
    rank, name, version, reason = best
    assert (rank, name, version, reason) == best


def test_a_long_input_is_not_looked_into() -> None:
    """A tree of this one would take hundreds of times its size."""
    names = b"\x00\x06orders" * 500_000
    data = bytes.fromhex("0001") + (500_000).to_bytes(4, "big") + names + b"\xff" * 4 + b"\0" * 4
    best = identify(data)[0]
    assert (best.name, best.reason) == ("ConsumerProtocolSubscription", "read to the last byte")


def test_what_has_no_label_is_named_beside_what_has_one() -> None:
    """Six bytes in a SyncGroup response, or a Connect worker without a URL at an offset."""
    found = identify(bytes.fromhex("0000 00000006 000100000000"))
    ranks = {one.name: one.rank for one in found}
    assert ranks["ConnectProtocolMetadata"] == 1
    assert "SyncGroupResponse" in ranks


# -- bytes that resemble nothing


def noise(size: int) -> bytes:
    return shake_128(b"noise").digest(size)


def png(size: int) -> bytes:
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + size.to_bytes(4, "big") * 2 + b"\x08\2\0\0\0"
    return header + zlib.compress(noise(size))


NOTHING_ALIKE = {
    "a program": Path(sys.executable).resolve().read_bytes()[: 1 << 20],
    "the beginning of a program": Path(sys.executable).resolve().read_bytes()[:3000],
    "a picture": png(4000),
    "a large picture": png(200_000),
    "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\1\0\x48\0\x48\0\0\xff\xdb" + bytes(range(256)) * 9,
    "a font": bytes.fromhex("00010000000f0080000300704f532f32") + noise(9000),
    "an icon": bytes.fromhex("00000100010020200000010020") + noise(4000),
    "a film": bytes.fromhex("0000001c66747970697361") + noise(4000),
    "gzip": gzip.compress(noise(3000)),
    "zeros": bytes(500),
    "noise": noise(700),
}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (noise(30), "the bytes resemble no built-in message"),
        (b"%PDF-1.7", "they begin like a PDF document"),
        (bytes(4), "the key of a transaction marker (ABORT)"),
        (b"\0\0\0\0\0\7", "the value of a transaction marker (coordinator epoch 7)"),
        (
            b"\0\1" + 3 * "\ufffd".encode() + b"?",
            "3 bytes or more are lost, for which EF BF BD stands (U+FFFD)",
        ),
        (b"a??????", "up to 6 bytes are lost, for which 3F stands (a question mark)"),
    ],
)
def test_what_is_said_of_bytes_that_are_no_message(data: bytes, words: str) -> None:
    assert re.search(rf"(^|[ :]){re.escape(words)}($|; print them as hex)", resembles_nothing(data))


@pytest.mark.parametrize("name", NOTHING_ALIKE)
def test_other_files_resemble_nothing(name: str) -> None:
    data = NOTHING_ALIKE[name]
    assert identify(data) == ()
    examined = examine(data)
    assert not examined.identified and examined.refused and not examined.rivals
    assert not examine(data, policy=Policy.LENIENT).refused


def test_files_of_this_machine_resemble_nothing() -> None:
    """Some of the standard library's files: sources, archives, pictures, sounds, programs."""
    folder = Path(os.__file__).parent
    there = sorted(path for path in folder.rglob("*") if path.is_file())
    files = there[:: 1 + len(there) // 300]
    found = [
        (path.name, best[0].name)
        for path in files
        if (best := identify(data := path.read_bytes()[: 1 << 20])) and len(data) > LONG_ENOUGH
    ]
    assert len(files) > 100
    assert len(found) <= len(files) // 100, found


@settings(max_examples=300)
@given(data=st.binary(min_size=100, max_size=3000))
def test_random_bytes_resemble_nothing(data: bytes) -> None:
    assume(data[0] or (data[1] > 3 and data[1] < 11))  # no version that there is
    assume(any(data))
    assert identify(data) == ()


@pytest.mark.parametrize("label", ["0004", "0064", "7fff"])
def test_a_newer_client_is_still_found(label: str) -> None:
    body = ConsumerProtocolSubscription(topics=["payments", "x"]).to_body(3)
    data = bytes.fromhex(label) + body + noise(90)
    assert identify(data)[0].name == "ConsumerProtocolSubscription"


@pytest.mark.parametrize("label", ["ffff", "fffe", "8000"])
def test_a_negative_label_on_a_whole_body_is_still_found(label: str) -> None:
    topics = [f"payments-{number}" for number in range(30)]
    data = bytes.fromhex(label) + ConsumerProtocolSubscription(topics=topics).to_body(3)
    examined = examine(data)
    assert examined.decoded.message_class is ConsumerProtocolSubscription and examined.identified
