"""Every writer against every reader: today's versions both ways, and writers from the future.

What a reader of version r makes of bytes labelled w is judged by Kafka's class reading at version
min(r, w), and where there is no Java by the layouts as they are printed in Kafka's documentation.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DecodeError,
    ErrorKind,
    VersionedMessage,
    decode,
)
from kproto.fuzz.strategies import messages

from .values import random_message
from .ways import attempt

if TYPE_CHECKING:
    from random import Random

    from kproto.fuzz.oracles.java import JavaOracle

pytestmark = pytest.mark.no_cover

Subscription = ConsumerProtocolSubscription
Assignment = ConsumerProtocolAssignment

TODAY = range(4)
FUTURE = (4, 5, 100, 32767)
TAILS = (b"", b"\0", b"\xff" * 8, struct.pack(">hi", 3, -1) + b"new")

# The layouts, field by field in order of the versions that brought them.


def string(text: str | None) -> bytes:
    if text is None:
        return struct.pack(">h", -1)
    raw = text.encode()
    return struct.pack(">h", len(raw)) + raw


def blob(raw: bytes | None) -> bytes:
    return struct.pack(">i", -1) if raw is None else struct.pack(">i", len(raw)) + raw


def array(items: list[bytes]) -> bytes:
    return struct.pack(">i", len(items)) + b"".join(items)


def partitions(entries: Any) -> bytes:
    return array(
        [
            string(one.topic) + array([struct.pack(">i", p) for p in one.partitions])
            for one in entries
        ]
    )


def subscription(message: Any, version: int) -> bytes:
    parts = [
        array([string(topic) for topic in message.topics]) + blob(message.user_data),
        partitions(message.owned_partitions),
        struct.pack(">i", message.generation_id),
        string(message.rack_id),
    ]
    return b"".join(parts[: version + 1])


def assignment(message: Any, version: int) -> bytes:
    return partitions(message.assigned_partitions) + blob(message.user_data)


Layouts = "Callable[[Any, int], bytes]"
BOTH = [(Subscription, subscription), (Assignment, assignment)]
FIRST_VERSION = {"owned_partitions": 1, "generation_id": 2, "rack_id": 3}


def kept(message: Any, version: int) -> Any:
    """The message without the fields that came after `version`."""
    default = type(message)()
    later = [name for name in message.__struct_fields__ if FIRST_VERSION.get(name, 0) > version]
    return message.replace(**{name: getattr(default, name) for name in later})


def newest(cls: type[VersionedMessage]) -> st.SearchStrategy[Any]:
    """Messages that set the fields of every version."""
    return messages(classes=st.just(cls), versions=[3]).map(lambda given: given.message)


@pytest.mark.parametrize(("cls", "layout"), BOTH)
@pytest.mark.parametrize("writer", [*TODAY, *FUTURE])
@pytest.mark.parametrize("reader", TODAY)
@given(st.data())
@settings(max_examples=8)
def test_by_the_layouts(
    cls: type[VersionedMessage], layout: Any, writer: int, reader: int, data: st.DataObject
) -> None:
    read_as = min(writer, reader)
    message = data.draw(newest(cls))
    for tail in TAILS:
        written = layout(message, writer) + (tail if writer in FUTURE else b"")
        raw = struct.pack(">h", writer) + written
        seen = decode(raw, cls, reader_version=reader)
        assert (seen.version, seen.schema_version) == (writer, read_as)
        assert seen.message is not None
        assert seen.message == kept(message, read_as)
        assert seen.remainder == written[len(layout(message, read_as)) :]
        assert seen.to_bytes() == raw
        assert seen.with_message(seen.message) == raw


@pytest.mark.parametrize(("cls", "layout"), BOTH)
@given(st.data())
def test_written_by_the_layouts(
    cls: type[VersionedMessage], layout: Any, data: st.DataObject
) -> None:
    message = data.draw(newest(cls))
    for version in TODAY:
        assert message.to_bytes(version) == struct.pack(">h", version) + layout(message, version)


@pytest.mark.parametrize(("cls", "layout"), BOTH)
def test_by_java(
    cls: type[VersionedMessage], layout: Any, java_oracle: JavaOracle, rng: Random
) -> None:
    """Labels that lie among the inputs: each body under each label, for each reader."""
    # Not a strategy's: Java reads all bodies in one call.
    bodies = [layout(random_message(rng, cls, 3), w) + tail for w in TODAY for tail in TAILS]
    for label in (*TODAY, *FUTURE):
        for reader in TODAY:
            read_as = min(label, reader)
            readings = java_oracle.read(cls.NAME, read_as, bodies)
            for body, java in zip(bodies, readings, strict=True):
                data = struct.pack(">h", label) + body
                seen = attempt(data, cls, reader_version=reader)
                if isinstance(seen, DecodeError):
                    assert not java.accept, (label, reader, body.hex(), seen)
                    continue
                assert seen.message is not None
                assert java.accept, (label, reader, body.hex(), java.error)
                assert seen.message.to_json(read_as) == java.json
                assert len(seen.remainder) == java.left


@pytest.mark.parametrize("cls", [Subscription, Assignment])
@pytest.mark.parametrize("label", [-1, -2, -32768])
def test_negative_versions_are_refused(cls: type[VersionedMessage], label: int) -> None:
    data = struct.pack(">h", label) + subscription(Subscription(), 3)
    for read in (cls.from_bytes, lambda data: decode(data, cls, reader_version=0)):
        with pytest.raises(DecodeError) as refused:
            read(data)
        assert (refused.value.kind, refused.value.offset) == (ErrorKind.UNSUPPORTED_VERSION, 0)
        assert refused.value.version == label
