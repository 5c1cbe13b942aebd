"""Generated Python leaves values that are cut short, or too many, to the diagnostic reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolSubscription
from kproto.codec.wire import primitives as wire


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (wire.read_string, b"\0\3ab"),
        (wire.read_compact_string, b"\4ab"),
        (wire.read_nullable_string, b"\0\3ab"),
        (wire.read_string_array, b"\0\0\0\1\0\3ab"),
        (wire.read_bytes, b"\0\0\0\3ab"),
        (wire.read_nullable_bytes, b"\0\0\0\3ab"),
        (wire.read_compact_bytes, b"\4ab"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_end_of_a_value_that_is_cut_short_is_behind_the_data(
    read: Callable[[bytes, int], Any], data: bytes
) -> None:
    _, end = read(data, 0)
    assert end == len(data) + 1


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (wire.read_string, b"\xff\xff"),
        (wire.read_string, b"\0\2\xc3"),
        (wire.read_string_array, b"\0\0\0\1\x80\0"),
        (wire.read_compact_string, b"\0"),
        (wire.read_modified_utf8, b"\0\3ab"),
        (wire.read_utf16, b"\0\0\0\2\0a\0"),
        (wire.read_bytes, b"\xff\xff\xff\xff"),
        (wire.read_compact_bytes, b"\0"),
        (wire.read_uuid, bytes(15)),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_bytes_that_are_no_value(read: Callable[[bytes, int], Any], data: bytes) -> None:
    with pytest.raises(wire.ODD_BYTES):
        read(data, 0)


@pytest.mark.parametrize("version", range(4))
def test_a_message_that_is_cut_short(version: int) -> None:
    topics = ("orders", "payments" * 40)
    owned = [ConsumerProtocolSubscription.TopicPartition(topic=topics[1], partitions=[1, 2])]
    given: dict[str, Any] = {"owned_partitions": owned, "generation_id": 7, "rack_id": "rack"}
    given = dict(list(given.items())[:version])
    message = ConsumerProtocolSubscription(topics=topics, user_data=b"data", **given)
    body, read = message.to_body(version), ConsumerProtocolSubscription._codecs[version].read
    assert read(body, 0) == (message, len(body))
    for end in range(len(body)):
        with pytest.raises(wire.ODD_BYTES):
            read(body[:end], 0)


@pytest.mark.parametrize("count", [wire.MAX_ELEMENTS + 1, 2**31 - 1])
def test_more_elements_than_there_may_be(count: int) -> None:
    with pytest.raises(wire.ODD_BYTES):
        wire.read_compact_array(wire.varint(count + 1), 0, wire.read_uuid)
    with pytest.raises(wire.ODD_BYTES):
        wire.read_array(count.to_bytes(4, "big"), 0, wire.read_uuid)
