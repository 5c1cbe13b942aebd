"""What the definitions say of single fields: versions, JSON of one field, sections of tags."""

from __future__ import annotations

import msgspec
import pytest

from kproto.codec import ConsumerProtocolSubscription, field_versions
from kproto.codec.json_form import json_converter, slot_converter
from kproto.codec.runtime.registry import layout_of
from kproto.codec.runtime.tags import read_tags
from kproto.codec.wire.primitives import OddBytes

# KIP-429, KIP-792 and KIP-881 name the versions that brought these fields.
BROUGHT = {"topics": "0-3", "userData": "0-3", "owned_partitions": "1-3", "ownedPartitions": "1-3",
           "generation_id": "2-3", "rackId": "3"}  # fmt: skip


@pytest.mark.parametrize(("name", "versions"), BROUGHT.items())
def test_the_versions_that_have_a_field(name: str, versions: str) -> None:
    assert str(field_versions(ConsumerProtocolSubscription, name)) == versions


def test_a_field_that_no_version_has() -> None:
    with pytest.raises(KeyError, match="ConsumerProtocolSubscription has no field"):
        field_versions(ConsumerProtocolSubscription, "shoe_size")


@pytest.mark.parametrize("version", range(4))
def test_a_message_is_converted_for_msgspec_as_to_json_converts_it(version: int) -> None:
    message = ConsumerProtocolSubscription(topics=["orders"], user_data=b"\x00\xff")
    convert = json_converter(ConsumerProtocolSubscription, version)
    assert msgspec.to_builtins(convert(message)) == message.to_json(version=version)


def test_a_field_is_converted_as_in_its_message() -> None:
    message = ConsumerProtocolSubscription(topics=["orders"], user_data=b"\x00\xff")
    layout = layout_of(ConsumerProtocolSubscription, 3)
    values = {
        slot.field.camel: msgspec.to_builtins(
            slot_converter(slot, ConsumerProtocolSubscription)(getattr(message, slot.field.snake))
        )
        for slot in layout.slots
    }
    assert values == message.to_json(version=3)


def test_a_section_with_a_count_that_no_section_has() -> None:
    with pytest.raises(OddBytes):
        read_tags(bytes.fromhex("ffffffff0f"), 0, {}, ())  # -1


def test_a_section_with_more_tags_than_bytes() -> None:
    """The readers turn both errors into the one that they document."""
    with pytest.raises((OddBytes, IndexError)):
        read_tags(bytes.fromhex("ffffffff07"), 0, {}, ())  # 2**31 - 1
