"""User data of real clients, opened by what it is inside of."""

from __future__ import annotations

import pytest

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Policy,
    decode,
    message_class,
)
from kproto.inspector import open_inside
from kproto.inspector.opening import _INSIDE, Opened

from .samples import CAPTURES, CLIENTS


def opened(data: bytes) -> tuple[Opened, ...]:
    return open_inside(decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT))


def test_java_sticky() -> None:
    (inner,) = opened(CAPTURES["java-sticky"])
    assert (inner.path, inner.start, inner.version, inner.rivals) == ("user_data", 21, 1, ())
    message = inner.decoded.message
    assert message is not None
    assert [entry.topic for entry in message.previous_assignment] == ["t", "orders"]
    assert message.previous_assignment[1].partitions == tuple(range(12))
    assert message.generation == 1


@pytest.mark.parametrize(("client", "generation"), [("Sarama 2.6", -1), ("franz-go", 0)])
def test_cooperative_sticky(client: str, generation: int) -> None:
    (inner,) = opened(bytes.fromhex(CLIENTS[client]))
    assert inner.decoded.message_class.NAME == "CooperativeStickyUserData"
    assert inner.decoded.message is not None
    assert inner.decoded.message.generation == generation


def test_what_else_fits_is_said() -> None:
    """Four zero bytes are a generation, and a sticky assignment of no topic."""
    (inner,) = opened(bytes.fromhex(CLIENTS["franz-go"]))
    assert inner.rivals == ("StickyAssignorUserData v0",)


@pytest.mark.parametrize("client", ["librdkafka", "kafka-go", "KafkaJS"])
def test_empty_and_null_hold_nothing(client: str) -> None:
    assert opened(bytes.fromhex(CLIENTS[client])) == ()


def test_unknown_layouts_stay_closed() -> None:
    """Sarama passes on what its user gives it."""
    subscription = ConsumerProtocolSubscription(topics=["orders"], user_data=b"lab-user-data")
    assert opened(subscription.to_bytes()) == ()


def test_user_data_is_opened_where_the_message_fails_behind_it() -> None:
    (inner,) = opened(CAPTURES["java-sticky"][:118])
    assert inner.decoded.message_class.NAME == "StickyAssignorUserData"


def test_an_assignment_can_hold_the_sticky_layout() -> None:
    """librdkafka and Sarama put it there."""
    previous = opened(CAPTURES["java-sticky"])[0].decoded.data
    data = ConsumerProtocolAssignment(user_data=previous).to_bytes(0)
    (inner,) = open_inside(decode(data, ConsumerProtocolAssignment))
    assert inner.decoded.message_class.NAME == "StickyAssignorUserData"


def test_every_layout_that_is_tried_exists() -> None:
    for name, fields in _INSIDE.items():
        known = message_class(name)()
        for field, layouts in fields.items():
            assert hasattr(known, field)
            assert all(message_class(layout) for layout in layouts)
