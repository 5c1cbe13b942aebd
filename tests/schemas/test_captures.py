"""Every byte that real clients and a real broker wrote is explained by a definition.

`tests/vectors/captures/README.md` says where the bytes are from. What the clients do in ways of
their own is listed here, client by client; whatever is not listed must be read to its end, with
nothing that no conforming writer would have written.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from kproto.codec import (
    AssignmentInfo,
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    CooperativeStickyUserData,
    DecodeError,
    ErrorKind,
    GroupMetadataValue,
    Message,
    Policy,
    StickyAssignorUserData,
    SubscriptionInfoData,
    VersionedMessage,
    decode,
)

from .captures import KEYS, VALUES, Payload, frames, read, records, sent_payloads, stored_payloads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Reading(NamedTuple):
    """One way to read user data: after `prefix`, as `version` of a message without one inside."""

    cls: type[Message]
    version: int | None = None
    prefix: bytes = b""

    def fits(self, data: bytes) -> bool:
        if not data.startswith(self.prefix):
            return False
        data = data[len(self.prefix) :]
        try:
            decode(data, self.cls, body_version=self.version, policy=Policy.STRICT)
        except DecodeError:
            return False
        return True


PAYLOADS: dict[tuple[str, str], type[Message]] = {
    ("consumer", "metadata"): ConsumerProtocolSubscription,
    ("consumer", "assignment"): ConsumerProtocolAssignment,
    ("connect", "metadata"): ConnectProtocolMetadata,
    ("connect", "assignment"): ConnectProtocolAssignment,
}

STICKY = Reading(StickyAssignorUserData, 1)
OLD_STICKY = Reading(StickyAssignorUserData, 0)
COOPERATIVE = Reading(CooperativeStickyUserData, 0)
SUBSCRIPTION_INFO = Reading(SubscriptionInfoData)
ASSIGNMENT_INFO = Reading(AssignmentInfo)
KAFKA_PYTHON_STICKY = Reading(StickyAssignorUserData, 1, prefix=b"\0\1")  # no other reads it

# The user data that each assignor's members write. `sticky` and `cooperative-sticky` put the same
# layout into the assignment too, in librdkafka, franz-go and Sarama.
USER_DATA: dict[tuple[str, str], tuple[Reading, ...]] = {
    ("sticky", "metadata"): (STICKY, OLD_STICKY, KAFKA_PYTHON_STICKY),
    ("sticky", "assignment"): (STICKY, OLD_STICKY),
    ("cooperative-sticky", "metadata"): (COOPERATIVE, STICKY, OLD_STICKY),
    ("cooperative-sticky", "assignment"): (STICKY, OLD_STICKY),
    ("stream", "metadata"): (SUBSCRIPTION_INFO,),
    ("stream", "assignment"): (ASSIGNMENT_INFO,),
}
SARAMA_S_OWN = b"lab-"  # a text that a user configured: Consumer.Group.Member.UserData


@pytest.fixture(scope="module")
def payloads() -> list[Payload]:
    return [*stored_payloads(), *sent_payloads()]


# -- the offsets topic


def test_records() -> None:
    types: Counter[int] = Counter()
    for record in records():
        types[record.type] += 1
        assert written_again(KEYS[record.type], record.key) == record.key
        if record.value is not None:
            assert written_again(VALUES[record.type], record.value) == record.value
    assert types.keys() == {1, 2, 3, 4, 5, 6, 7, 8, 17, 19, 20, 21, 22, 23}
    assert types.total() == 923


def written_again(cls: type[Message], data: bytes) -> bytes:
    """Read strictly, then written as the version that it was."""
    seen = decode(data, cls, policy=Policy.STRICT)
    assert isinstance(seen.message, VersionedMessage)
    return seen.message.to_bytes(seen.version)


# -- frames


def test_frames() -> None:
    seen: Counter[str] = Counter()
    for frame in frames():
        seen[frame.body.NAME] += 1
        header, message = read(frame)
        whole = header.to_body(frame.header_version) + message.to_body(frame.body_version)
        assert whole == frame.data
        body = message.to_body(frame.body_version)
        decode(body, frame.body, body_version=frame.body_version, policy=Policy.STRICT)
    assert seen.total() == 1466
    assert len(seen) == 8


# -- what is inside


def opened(payload: Payload) -> Any:
    """The message in a payload, whole."""
    cls = PAYLOADS[payload.protocol_type, payload.kind]
    return decode(payload.data, cls, policy=Policy.STRICT).message


def labelled_1_laid_out_as_0(payload: Payload) -> bool:
    """kafka-go and KafkaJS before 2.2 label a subscription of version 0 as version 1."""
    return payload.data.startswith(b"\0\1") and payload.client.startswith(("kafka-go", "kafkajs"))


def test_every_payload_is_read_to_its_end(payloads: list[Payload]) -> None:
    read: Counter[tuple[str, str]] = Counter()
    for payload in payloads:
        if payload.kind == "metadata" and labelled_1_laid_out_as_0(payload):
            continue
        if payload.data:  # else a leader gave this member nothing at all
            opened(payload)
            read[payload.protocol_type, payload.kind] += 1
    assert read.keys() == PAYLOADS.keys()


def test_version_1_label_on_a_version_0_body(payloads: list[Payload]) -> None:
    found = [one for one in payloads if one.kind == "metadata" and labelled_1_laid_out_as_0(one)]
    assert found
    for payload in found:
        with pytest.raises(DecodeError) as refusal:
            opened(payload)
        error = refusal.value
        assert (error.kind, error.path) == (ErrorKind.TRUNCATED, "owned_partitions")
        assert error.offset == len(payload.data)
        decode(payload.data[2:], ConsumerProtocolSubscription, body_version=0, policy=Policy.STRICT)


def test_only_members_without_a_share_get_no_bytes(payloads: list[Payload]) -> None:
    empty = {(one.kind, one.protocol_type) for one in payloads if not one.data}
    assert empty == {("assignment", "consumer")}


# -- user data


def user_data(payloads: Iterable[Payload]) -> Iterator[tuple[Payload, bytes]]:
    for payload in payloads:
        if payload.protocol_type == "consumer" and payload.data:
            if payload.kind == "metadata" and labelled_1_laid_out_as_0(payload):
                continue
            data = opened(payload).user_data
            if data:
                yield payload, data


def test_every_user_data_is_read_to_its_end(payloads: list[Payload]) -> None:
    seen: Counter[Reading] = Counter()
    for payload, data in user_data(payloads):
        if data.startswith(SARAMA_S_OWN):
            assert payload.client.startswith("sarama")
            continue
        fitting = [
            reading for reading in USER_DATA[payload.protocol, payload.kind] if reading.fits(data)
        ]
        assert fitting, (payload, data.hex())
        seen.update(fitting)
    assert seen.keys() == {reading for readings in USER_DATA.values() for reading in readings}


def test_the_int16_in_front_is_kafka_python_s() -> None:
    for payload, data in user_data(stored_payloads()):
        if payload.protocol == "sticky" and not STICKY.fits(data) and not OLD_STICKY.fits(data):
            assert KAFKA_PYTHON_STICKY.fits(data)
            assert payload.client.startswith(("kafka-python", "kp-"))


def test_only_java_writes_a_bare_generation() -> None:
    """All others put sticky's layout under cooperative-sticky; where that says no partitions in
    four bytes, it is a generation of 0 as well."""
    for payload, data in user_data(stored_payloads()):
        if payload.protocol == "cooperative-sticky" and payload.kind == "metadata":
            if payload.client.startswith("kafka-clients"):
                assert COOPERATIVE.fits(data)
            else:
                assert STICKY.fits(data) or OLD_STICKY.fits(data)


def test_streams_messages_are_written_again_as_they_were(payloads: list[Payload]) -> None:
    written = 0
    for payload, data in user_data(payloads):
        if payload.protocol == "stream":
            (reading,) = USER_DATA["stream", payload.kind]
            assert written_again(reading.cls, data) == data
            written += 1
    assert written


def test_allocations_of_connect_workers(payloads: list[Payload]) -> None:
    """A worker says what it runs by the assignment that it was given, under its own version."""
    found = 0
    for payload in payloads:
        if (payload.protocol_type, payload.kind) == ("connect", "metadata"):
            allocation = opened(payload).allocation
            if allocation is not None:
                inside = decode(allocation, ConnectProtocolAssignment, policy=Policy.STRICT)
                assert inside.version == decode(payload.data, ConnectProtocolMetadata).version
                found += 1
    assert found


def test_groups_of_every_client_are_there() -> None:
    """The captures hold classic groups of each way of assigning that is told apart above."""
    protocols = {
        GroupMetadataValue.from_bytes(record.value).protocol
        for record in records()
        if record.type == GroupMetadataValue.API_KEY and record.value is not None
    }
    assert {protocol for protocol, _ in USER_DATA} | {"default", "sessioned"} <= protocols
