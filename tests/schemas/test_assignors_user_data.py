"""The sticky assignors' user data beside the assignors, which keep reader and writer to themselves.

Their readers do not refuse a member: what they cannot read counts as nothing owned before.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    CooperativeStickyUserData,
    DecodeError,
    Policy,
    StickyAssignorUserData,
    decode,
)

from ..codec.strategies import broken
from .java import from_buffer, text, to_buffer

if TYPE_CHECKING:
    from .java import FindClass

CONSUMER = "org.apache.kafka.clients.consumer"
NONE = -1  # the generation of a member that has none

Partitions = list[tuple[str, int]]


class Claim(NamedTuple):
    """What a member says that it owned, and in which generation."""

    partitions: Partitions
    generation: int


class Assignors:
    """Java's assignors, with what they keep to themselves opened by reflection."""

    def __init__(self, find: FindClass) -> None:
        self.find = find
        self.Subscription = find(f"{CONSUMER}.ConsumerPartitionAssignor$Subscription")
        self.MemberData = find(f"{CONSUMER}.internals.AbstractStickyAssignor$MemberData")
        self.TopicPartition = find("org.apache.kafka.common.TopicPartition")
        self.ArrayList = find("java.util.ArrayList")
        self.Optional = find("java.util.Optional")
        self.sticky = find(f"{CONSUMER}.StickyAssignor")
        self.cooperative = find(f"{CONSUMER}.CooperativeStickyAssignor")

    def write_sticky(self, claim: Claim) -> bytes:
        partitions = self.ArrayList([self.TopicPartition(*one) for one in claim.partitions])
        generation = self.Optional.of(self.find("java.lang.Integer")(claim.generation))
        data = self.MemberData(partitions, generation)
        method = self.sticky.class_.getDeclaredMethod(
            "serializeTopicPartitionAssignment", self.MemberData.class_
        )
        method.setAccessible(True)
        return from_buffer(method.invoke(None, data))

    def write_cooperative(self, generation: int) -> bytes:
        assignor = self.cooperative()
        field = self.cooperative.class_.getDeclaredField("generation")
        field.setAccessible(True)
        field.setInt(assignor, generation)
        return from_buffer(assignor.subscriptionUserData(self.find("java.util.Set").of()))

    def read(self, assignor: Any, user_data: bytes) -> Claim:
        """As read from a subscription that says nothing of what the member owns itself."""
        method = assignor.class_.getDeclaredMethod("memberData", self.Subscription.class_)
        method.setAccessible(True)
        subscription = self.Subscription(self.ArrayList(), to_buffer(user_data))
        found = method.invoke(assignor(), subscription)
        partitions = [(text(one.topic()) or "", one.partition()) for one in found.partitions]
        return Claim(partitions, int(found.generation.orElse(NONE)))


@pytest.fixture(scope="session")
def assignors(clients: FindClass) -> Assignors:
    return Assignors(clients)


def sticky_claim(user_data: bytes) -> Claim:
    """As Java tries it: version 1, then version 0, then nothing."""
    for version in (1, 0):
        try:
            message = StickyAssignorUserData.from_body(user_data, version)
        except DecodeError:
            continue
        owned = [(one.topic, n) for one in message.previous_assignment for n in one.partitions]
        return Claim(owned, message.generation)
    return Claim([], NONE)


def cooperative_claim(user_data: bytes) -> Claim:
    try:
        return Claim([], CooperativeStickyUserData.from_body(user_data, 0).generation)
    except DecodeError:
        return Claim([], NONE)


int32 = st.integers(-(1 << 31), (1 << 31) - 1)
names = st.text(st.sampled_from("ab-é日𝄞\0"), max_size=6)
claims = st.builds(Claim, st.lists(st.tuples(names, int32), max_size=8, unique=True), int32)


@given(claim=claims)
def test_sticky_that_java_wrote(claim: Claim, assignors: Assignors) -> None:
    raw = assignors.write_sticky(claim)
    message = decode(raw, StickyAssignorUserData, body_version=1, policy=Policy.STRICT).message
    assert message is not None
    owned = [(one.topic, n) for one in message.previous_assignment for n in one.partitions]
    assert Claim(sorted(owned), message.generation) == Claim(sorted(claim.partitions), claim[1])
    assert message.to_body(1) == raw


@pytest.mark.parametrize("version", [0, 1])
@given(claim=claims)
def test_sticky_that_we_wrote(version: int, claim: Claim, assignors: Assignors) -> None:
    """One entry for each partition: Java writes one a topic, and reads both."""
    entry = StickyAssignorUserData.TopicPartition
    owned = [entry(topic=topic, partitions=[number]) for topic, number in claim.partitions]
    generation = claim.generation if version else NONE
    message = StickyAssignorUserData(previous_assignment=owned, generation=generation)
    read = assignors.read(assignors.sticky, message.to_body(version))
    assert read == claim._replace(generation=generation)


@given(claim=claims, data=st.data())
def test_broken_sticky(claim: Claim, data: st.DataObject, assignors: Assignors) -> None:
    raw = data.draw(broken(assignors.write_sticky(claim)))
    assert sticky_claim(raw) == assignors.read(assignors.sticky, raw), raw.hex()


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "ffffffff",
        "fffffffe00000001",
        "80000000",
        "7fffffff",
        "00000000",
        "0000000000000007",
        "000000000000000700",
        "00000001000161ffffffff00000007",
        "00000001ffff00000000",
        "00010000000100016100000001000000000000000000",  # kafka-python's, with an int16 in front
    ],
)
def test_odd_sticky(raw: str, assignors: Assignors) -> None:
    data = bytes.fromhex(raw)
    assert sticky_claim(data) == assignors.read(assignors.sticky, data)


@given(generation=int32)
def test_cooperative_sticky(generation: int, assignors: Assignors) -> None:
    raw = assignors.write_cooperative(generation)
    assert raw == struct.pack(">i", generation)
    message = decode(raw, CooperativeStickyUserData, body_version=0, policy=Policy.STRICT).message
    assert message == CooperativeStickyUserData(generation=generation)
    assert message.to_body(0) == raw


@given(raw=st.binary(max_size=12))
def test_any_cooperative_sticky(raw: bytes, assignors: Assignors) -> None:
    """What follows the four bytes is ignored, so sticky's layout is read as a generation."""
    assert cooperative_claim(raw) == assignors.read(assignors.cooperative, raw)
