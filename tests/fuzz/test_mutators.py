"""The changes know the layout: what they leave right is right, and each is what it says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolSubscription,
    JoinGroupRequest,
    Policy,
    StickyAssignorUserData,
    decode,
    message_class,
)
from kproto.codec.runtime.registry import built_in_names
from kproto.fuzz.defined import defined
from kproto.fuzz.mutators import FRAMES, MESSAGES, ReadableMessages, mutator, spliced
from kproto.fuzz.mutators.forms import frame_of
from kproto.fuzz.mutators.messages import split
from kproto.fuzz.seeds import shipped
from kproto.fuzz.targets import NAMES, Missing, load

from .shaking import shaken

NESTED = bytes.fromhex("00000001000161000000010000000000000007")  # one partition, generation 7
SUBSCRIPTION = ConsumerProtocolSubscription(
    topics=["orders", "b"],
    user_data=NESTED,
    generation_id=7,
    rack_id="r",
)
INPUT = b"ConsumerProtocolSubscription\n" + SUBSCRIPTION.to_bytes()


def named(what: str, data: bytes = INPUT) -> bytes:
    """The input after the one change of that name."""
    (found,) = {spliced(data, one) for one in MESSAGES.splices(data) if one.description == what}
    return split(found)[1]


def test_elements_come_and_go_with_their_count() -> None:
    def topics(what: str) -> tuple[str, ...]:
        return ConsumerProtocolSubscription.from_bytes(named(what)).topics

    assert topics("topics[0] twice") == ("orders", "orders", "b")
    assert topics("without topics[0]") == ("b",)
    assert topics("topics[0] behind the next") == ("b", "orders")
    assert topics("topics is empty") == ()


def test_a_length_alone_is_changed() -> None:
    assert named("length -2 at user_data") == split(INPUT)[1].replace(
        b"\x00\x00\x00\x13" + NESTED, b"\xff\xff\xff\xfe" + NESTED
    )


def test_changes_inside_user_data_keep_the_lengths_around_it() -> None:
    inside = named("previous_assignment[0] twice")
    seen = decode(inside, ConsumerProtocolSubscription, policy=Policy.STRICT)
    assert seen.message is not None and seen.message.user_data is not None
    assert len(seen.message.user_data) == len(NESTED) + 11
    assert seen.message.rack_id == "r"
    opened = StickyAssignorUserData.from_body(seen.message.user_data, 1)
    assert len(opened.previous_assignment) == 2


def test_tags_and_compact_lengths() -> None:
    body = JoinGroupRequest(group_id="g", protocol_type="consumer").to_body(9)
    data = b"JoinGroupRequest 9\n" + body
    more = decode(named("tag 0 more at tagged_fields", data), JoinGroupRequest, body_version=9)
    assert more.message is not None
    assert [tag.data for tag in more.message.unknown_tagged_fields] == [b"hi"]
    longer = named("group_id is b'orders'", data)
    assert JoinGroupRequest.from_body(longer, 9).group_id == "orders"
    assert named("varint ffffffff0f at group_id", data).startswith(b"\xff\xff\xff\xff\x0fg")


def test_a_frame_keeps_its_size() -> None:
    header = bytes.fromhex("000b 0005 00000007 0001 63")
    body = JoinGroupRequest(group_id="g").to_body(5)
    frame = header + body
    data = b"request\n" + len(frame).to_bytes(4, "big") + frame
    seen, _ = frame_of(data)
    assert seen is not None and not seen.reason
    for splice in FRAMES.splices(data):
        if splice.description.startswith(("group_id is", "client_id is")):
            changed, payload = frame_of(spliced(data, splice))
            assert changed is not None
            assert changed.size == len(payload), splice.description


@pytest.mark.parametrize("name", NAMES)
def test_every_change_lies_within_the_input(name: str) -> None:
    if name.startswith("java-agreement"):
        name = "decoder-agreement"
    try:
        form = load(name).form
    except Missing as reason:
        pytest.skip(str(reason))
    for data in shipped(name)[:10]:
        splices = form.splices(data)
        for start, end, new, what in splices:
            assert 0 <= start <= end <= len(data), what
            assert what, new
        assert form.splices(data) == splices


def test_every_message_has_an_input_in_each_version() -> None:
    found = {split(data)[0] for data in defined(built_in_names())}
    assert {route.cls.NAME for route in found if route is not None} == {
        name for name in built_in_names() if message_class(name).VERSIONS
    }


@given(st.integers(0, 2**32 - 1))
def test_one_seed_one_change(seed: int) -> None:
    def change() -> bytes:
        return mutator(MESSAGES, shaken(Random(1)))(INPUT, 4096, seed)  # noqa: S311

    assert change() == change()


def test_readable_changes_can_be_read() -> None:
    for splice in ReadableMessages(["ConsumerProtocolSubscription"]).splices(INPUT):
        route, payload = split(spliced(INPUT, splice))
        assert route is not None
        assert decode(payload, route.cls, policy=Policy.LENIENT).complete, splice.description
