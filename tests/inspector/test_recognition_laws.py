"""Laws of recognition: what is said of whole classes of inputs, whatever their values are.

The inputs are what Apache Kafka's classes wrote (`tests/vectors`), whole, cut, relabelled, with
bytes behind them and with the name of their field in front. What they are is what wrote them says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import VersionedMessage, decode
from kproto.codec.messages import message_class
from kproto.codec.read.decoding import Policy
from kproto.inspector.candidates import LOOKED_INTO, with_one_user_data
from kproto.inspector.identification import Examined, may_lack_bytes, was_read_as_text
from kproto.inspector.recognition import DOUBT, Recogniser, expected_by

VECTORS = Path(__file__).parents[1] / "vectors"
FIELDS = {
    "ConsumerProtocolSubscription": "metadata=",
    "ConsumerProtocolAssignment": "assignment=",
}
"""The field that holds a message, as programs print it; records are keys and values."""


class Written(NamedTuple):
    """Bytes that Apache Kafka wrote, and as what."""

    name: str
    data: bytes

    @property
    def field(self) -> str:
        return FIELDS.get(self.name, "key=" if self.name.endswith("Key") else "value=")


@lru_cache
def written() -> tuple[Written, ...]:
    rows = []
    for file in ("consumer-protocol.jsonl", "group-messages.jsonl"):
        for line in (VECTORS / file).read_text("utf-8").splitlines():
            row = json.loads(line)
            is_record = row["name"].endswith(("Key", "Value"))
            if row["name"] in FIELDS and row["kind"] == "valid":
                rows.append(Written(row["name"], bytes.fromhex(row["hex"])))
            elif is_record:
                message = message_class(row["name"]).from_body(
                    bytes.fromhex(row["hex"]), row["version"]
                )
                assert isinstance(message, VersionedMessage)
                rows.append(Written(row["name"], message.to_bytes(row["version"])))
    short = [row for row in rows if len(row.data) < 400]
    return tuple(Random(7).sample(short, min(len(short), 150)))  # noqa: S311


def message_of(data: bytes, label: str = "", **where: bool) -> Examined:
    recognised = Recogniser().recognise(data, label, **where)
    assert recognised.message is not None, (data.hex(), label)
    return recognised.message


def name_of(data: bytes, label: str = "", **where: bool) -> str:
    return str(message_of(data, label, **where).decoded.message_class.NAME)


def names_of(data: bytes, label: str = "") -> tuple[str, ...]:
    """What the bytes are, and what else they may be."""
    examined = message_of(data, label)
    return examined.decoded.message_class.NAME, *examined.rivals


CONSUMERS = tuple(row for row in written() if row.name in FIELDS)
RECORDS = tuple(row for row in written() if row.name not in FIELDS)
POLICIES = {policy: Recogniser(policy) for policy in Policy}


def with_version(version: int, data: bytes) -> bytes:
    return version.to_bytes(2, "big", signed=True) + data[2:]


def cut_anywhere(rows: tuple[Written, ...]) -> Iterator[tuple[Written, bytes]]:
    draws = Random(3)  # noqa: S311
    for row in rows:
        yield row, row.data[: draws.randrange(3, len(row.data))]


@pytest.mark.parametrize("label", ["", "field", "name"])
def test_what_kafka_wrote_is_that(label: str) -> None:
    for row in written():
        told = {"": "", "field": row.field, "name": f"{row.name}: "}[label]
        names = names_of(row.data, told)
        assert row.name in names, (row, told)
        if label == "field":
            assert names[0] in expected_by(row.field)
        if label == "name" and row.name not in FIELDS:
            assert names[0] == row.name
        examined = message_of(row.data, told)
        assert not examined.refused or row.name != examined.decoded.message_class.NAME


_NAMES = st.text("az09-_", min_size=1)


@given(st.text("az09-._", min_size=1), st.text("az09-._"), st.integers(-1, 2**31 - 1))
def test_a_key_that_is_called_so_is_no_cut_value(group: str, topic: str, partition: int) -> None:
    """Whatever its numbers: as a cut value the same bytes deviate less."""
    key = message_class("OffsetCommitKey")(group=group, topic=topic, partition=partition)
    assert isinstance(key, VersionedMessage)
    assert name_of(key.to_bytes(), "key=") == "OffsetCommitKey"


@given(_NAMES, _NAMES, st.sampled_from((2**31 - 1, 2**31 - 2, 1 << 20)) | st.integers(0, 2**31 - 1))
def test_a_key_is_no_cut_value_for_its_partition(group: str, topic: str, partition: int) -> None:
    """Where its topic has a name: without one, the same bytes are likelier a value."""
    key = message_class("OffsetCommitKey")(group=group, topic=topic, partition=partition)
    assert isinstance(key, VersionedMessage)
    assert name_of(key.to_bytes()) == "OffsetCommitKey"


def test_a_field_that_is_named_leaves_no_doubt() -> None:
    for row in CONSUMERS:
        told = Recogniser().recognise(row.data, row.field, is_inside=True)
        assert told.remark != DOUBT and told.message is not None and not told.message.doubt
        assert told.message.decoded.message_class.NAME in expected_by(row.field)
        assert not told.message.refused


def test_numbers_alone_in_the_middle_of_a_text_are_in_doubt() -> None:
    """No text and no name says that an empty subscription, or zeros, are a message."""
    for data in (bytes(10), bytes(6) + b"\xff" * 4, bytes(8), bytes(7) + b"\x05" + bytes(4)):
        recognised = Recogniser().recognise(data, is_inside=True)
        assert recognised.remark == DOUBT
        if recognised.message is not None:
            assert recognised.message.doubt == DOUBT
        named = Recogniser().recognise(data, "metadata=", is_inside=True)
        assert named.remark != DOUBT and named.message is not None and not named.message.doubt


@pytest.mark.parametrize("is_inside", [False, True])
def test_what_a_field_holds_is_that_where_it_is_cut(is_inside: bool) -> None:
    cuts = list(cut_anywhere(CONSUMERS))
    right = 0
    for row, data in cuts:
        examined = message_of(data, row.field, is_cut=True, is_inside=is_inside)
        right += examined.decoded.message_class.NAME in expected_by(row.field)
        assert not examined.doubt
        assert examined.refused or examined.decoded.complete
    assert right >= 0.93 * len(cuts)


@pytest.mark.parametrize("version", [-1, -2, -32768])
def test_a_field_with_a_version_below_0_is_refused_as_what_it_holds(version: int) -> None:
    for row in CONSUMERS:
        examined = message_of(with_version(version, row.data), row.field)
        assert row.name == examined.decoded.message_class.NAME
        assert examined.decoded.version == version and examined.refused and not examined.is_clean


@pytest.mark.parametrize("version", [4, 5, 9, 100, 255])
def test_a_newer_version_is_read_as_the_newest(version: int) -> None:
    for row in CONSUMERS:
        newest = message_class(row.name).VERSIONS.highest
        if row.data[1] == newest:
            examined = message_of(with_version(version, row.data), row.field)
            assert row.name == examined.decoded.message_class.NAME
            assert (examined.decoded.version, examined.decoded.schema_version) == (version, newest)
            assert not examined.refused


def test_bytes_behind_a_record_are_left_over() -> None:
    """Bytes behind a whole record are reported as its remainder, unchanged."""
    kept = 0
    for row in RECORDS:
        examined = message_of(row.data + b"\x7f", f"{row.name}: ")
        if row.name == examined.decoded.message_class.NAME and examined.decoded.complete:
            assert examined.decoded.remainder in (b"\x7f", b"")
            kept += 1
    assert kept >= 0.9 * len(RECORDS)


def test_lenient_refuses_nothing_and_strict_refuses_what_kafka_does() -> None:
    for row, cut in cut_anywhere(written()):
        for data in (row.data, cut, row.data + bytes(3), with_version(-1, row.data)):
            read = {policy: POLICIES[policy].recognise(data, row.field) for policy in Policy}
            messages = {policy: read[policy].message for policy in Policy}
            if all(messages.values()):
                lenient, kafka, strict = (
                    messages[policy] for policy in (Policy.LENIENT, Policy.KAFKA, Policy.STRICT)
                )
                assert lenient is not None and kafka is not None and strict is not None
                assert not lenient.refused or not lenient.identified
                assert strict.refused or not kafka.refused
                assert kafka.error is None or kafka.refused


# -- frames


class Sent(NamedTuple):
    """A frame that a client or a broker sent."""

    direction: str
    api_key: int
    version: int
    data: bytes


@lru_cache
def exchanges() -> tuple[tuple[Sent, Sent], ...]:
    """Requests with their responses."""
    asked: dict[tuple[str, int, int], Sent] = {}
    pairs = []
    for line in (VECTORS / "captures" / "frames.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        frame = Sent(row["direction"], row["api_key"], row["api_version"],
                     bytes.fromhex(row["frame_hex"]))  # fmt: skip
        place = row["client"], row["conn"], row["correlation_id"]
        if frame.direction == "request":
            asked[place] = frame
        elif place in asked:
            pairs.append((asked.pop(place), frame))
    small = [pair for pair in pairs if max(len(frame.data) for frame in pair) < 600]
    return tuple(Random(5).sample(small, 60))  # noqa: S311


def answered(frame: Sent, correlation_id: int, *, is_sized: bool) -> bytes:
    """A frame with another correlation id, with its size in front or not."""
    at = 4 if frame.direction == "response" else 8
    data = frame.data[:at] + correlation_id.to_bytes(4, "big", signed=True) + frame.data[at + 4 :]
    return data if is_sized else data[4:]


@pytest.mark.parametrize("correlation_id", [0, 1, 2**31 - 1, -1, -(2**31)])
def test_a_response_is_read_as_its_request_asked_whatever_their_number(correlation_id: int) -> None:
    for request, response in exchanges():
        recogniser = Recogniser()
        asked = recogniser.recognise(answered(request, correlation_id, is_sized=True))
        (frame,) = asked.frames
        assert (frame.frame.direction, frame.frame.api_key) == ("request", request.api_key)
        assert frame.frame.api_version == request.version and asked.message is None
        (reply,) = recogniser.recognise(answered(response, correlation_id, is_sized=True)).frames
        assert (reply.frame.api_key, reply.frame.api_version) == (request.api_key, request.version)
        assert reply.frame.direction == "response" and not reply.guessed and not reply.rivals
        assert reply.remark.startswith("read as the response to the ")


def test_a_frame_without_its_size_is_read_as_the_same() -> None:
    for request, response in exchanges():
        recogniser = Recogniser()
        whole = recogniser.recognise(request.data).frames
        frames = Recogniser().recognise(request.data[4:]).frames
        if frames:  # others are less like a request than like a message
            assert frames[0].frame.api_key == whole[0].frame.api_key
            assert frames[0].frame.api_version == whole[0].frame.api_version
            assert frames[0].around == whole[0].around
        reply = recogniser.recognise(response.data[4:])
        assert reply.frames and not reply.frames[0].guessed
        assert reply.frames[0].frame.api_key == request.api_key


def test_a_response_alone_is_among_those_that_are_named() -> None:
    for _, response in exchanges():
        (frame,) = Recogniser().recognise(response.data).frames
        assert frame.guessed and frame.frame.direction == "response"
        if frame.frame.api_key is not None and frame.frame.api_key != response.api_key:
            assert frame.rivals


def test_frames_behind_each_other_are_those_that_they_are_alone() -> None:
    for request, response in exchanges():
        alone, together = Recogniser(), Recogniser().recognise(request.data + response.data)
        frames = [alone.recognise(frame.data).frames[0].frame for frame in (request, response)]
        found = [frame.frame for frame in together.frames]
        places = [(frame.direction, frame.api_key, frame.api_version) for frame in frames]
        assert [(frame.direction, frame.api_key, frame.api_version) for frame in found] == places


# -- what a recogniser keeps


def test_the_same_bytes_at_the_same_place_are_read_once() -> None:
    recogniser, size = Recogniser(), 0
    short = dict.fromkeys(row for row in CONSUMERS if len(row.data) < 200)
    for number, row in enumerate(short, start=1):
        first = recogniser.recognise(row.data, row.field)
        size += len(row.data)
        assert recogniser.recognise(row.data, row.field) is first
        assert (recogniser.messages, recogniser.size) == (number, size)
    assert recogniser.strange <= recogniser.messages
    recogniser.recognise(row.data)  # at another place
    assert recogniser.messages == len(short) + 1


# -- limits and layouts


@pytest.mark.parametrize(
    ("size", "is_looked_into"), [(LOOKED_INTO, True), (LOOKED_INTO + 1, False)]
)
def test_bytes_are_looked_into_up_to_the_limit(size: int, is_looked_into: bool) -> None:
    data = (bytes(6) + b"????").ljust(size, b"a")
    subscription = decode(data, "ConsumerProtocolSubscription", policy=Policy.LENIENT)
    assert bool(may_lack_bytes(subscription)) is is_looked_into
    assert was_read_as_text(data) is is_looked_into


def test_user_data_behind_each_topic_is_put_behind_all() -> None:
    """Whatever names, partitions and user data are: the last one is kept."""
    draws = Random(11)  # noqa: S311
    for _ in range(200):
        topics, user_data = [], b""
        for _ in range(draws.randrange(2, 6)):
            name = b"t" * draws.choice((0, 1, 7, 127, 128, 249, 300))
            numbers = [draws.randrange(2**31) for _ in range(draws.randrange(4))]
            user_data = draws.randbytes(draws.choice((0, 1, 5, 300)))
            topic = len(name).to_bytes(2, "big") + name + len(numbers).to_bytes(4, "big")
            topics.append((topic + b"".join(number.to_bytes(4, "big") for number in numbers),
                           len(user_data).to_bytes(4, "big") + user_data))  # fmt: skip
        front = draws.randrange(4).to_bytes(2, "big") + len(topics).to_bytes(4, "big")
        written_so = front + b"".join(topic + data for topic, data in topics)
        kafkas = front + b"".join(topic for topic, _ in topics) + topics[-1][1]
        assert with_one_user_data(written_so) == kafkas
        for other in (written_so + b"\0", written_so[:-1], b"\0\4" + written_so[2:]):
            assert with_one_user_data(other) is None
