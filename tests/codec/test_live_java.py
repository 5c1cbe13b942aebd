"""Fresh bytes, at every run others, that Apache Kafka's own classes judge beside ours."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from kproto.codec import DecodeError, EncodeError, Message, VersionedMessage, decode, message_class
from kproto.codec.wire.primitives import varint

from .mutations import mutated
from .values import random_message
from .ways import attempt, by_construct, by_decode, by_fast_reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from kproto.fuzz.oracles.java import JavaOracle

# Inputs come from a seeded generator, not from strategies: Java answers a batch in one call.

# Measuring coverage, too, would take most of the time; and without Java these are skipped.
pytestmark = pytest.mark.no_cover

LONG = settings().max_examples > 30  # `make fuzz`
CONSUMER_PROTOCOL = 12_000 if LONG else 4_000  # inputs, each of the two messages
GROUP_MESSAGES = 12 if LONG else 4  # inputs, each version of each message: about 8,000, or 2,700
OVERFLOWING = 40 if LONG else 10  # inputs, each message: about 2,500, or 600
TEXTS = 4_000 if LONG else 1_000  # beside those that are written out
HEADERS = [bytes.fromhex(h) for h in ("", "00", "0004", "0064", "7fff", "8000", "ffff", "0000")]
UTF8 = [bytes([lead]) for lead in (0x00, 0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF)]
UTF8 += map(
    bytes.fromhex,
    "e0 e080 e0a0 e0a080 e1 e180 e18080 ec80 ed ed80 ed8080 ed9fbf eda0 eda080 edbf edbfbf ee "
    "ee8080 ef efbf efbfbd f0 f080 f090 f09080 f0908080 f08fbfbf f1 f180 f18080 f1808080 f4 f48f "
    "f48fbfbf f490 f4908080 f5 f5808080 f8 fc fe ff eda080edb080 80bf".split(),
)


def cut_off(cls: type[Message], version: int, data: bytes) -> tuple[bool, int | None, Any]:
    """Verdict, bytes left, Kafka's JSON."""
    try:
        seen = decode(data, cls, body_version=version)
    except DecodeError:
        return False, None, None
    assert seen.message is not None
    return True, len(seen.remainder), seen.message.to_json(version)


def again(cls: type[Message], version: int, body: bytes) -> bytes | None:
    """The value's bytes, None where it has none: tags that do not ascend cannot be written."""
    try:
        return cls.from_body(body, version).to_body(version)
    except EncodeError as error:
        if "unknown_tagged_fields" in error.path:
            return None
        raise


def consumer_protocol_inputs(cls: type[Message], rng: Random) -> Iterator[bytes]:
    assert issubclass(cls, VersionedMessage)
    for _ in range(CONSUMER_PROTOCOL):
        version = rng.choice(list(cls.VERSIONS))
        data = random_message(rng, cls, version).to_bytes(version)
        if rng.random() < 0.1:
            data = rng.choice(HEADERS) + data[2:]
        yield mutated(rng, data)


@pytest.mark.parametrize("name", ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"])
def test_consumer_protocol(name: str, java_oracle: JavaOracle, rng: Random) -> None:
    cls = message_class(name)
    inputs = list(consumer_protocol_inputs(cls, rng))
    for data, java in zip(inputs, java_oracle.deserialize(name, inputs), strict=True):
        seen = attempt(data, cls)
        if isinstance(seen, DecodeError):
            assert not java.accept, (data.hex(), java, seen)
            continue
        assert seen.message is not None and seen.schema_version is not None
        ours = (seen.version, seen.schema_version, len(seen.remainder))
        assert (java.accept, *ours) == java[:4], (data.hex(), java)
        assert seen.message.to_json(seen.schema_version) == java.json, data.hex()
    assert len(inputs) == CONSUMER_PROTOCOL


@pytest.mark.parametrize("name", ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"])
def test_consumer_protocol_is_written_as_java_does(
    name: str, java_oracle: JavaOracle, rng: Random
) -> None:
    cls = message_class(name)
    for version in cls.VERSIONS:
        messages = [random_message(rng, cls, version) for _ in range(500 if LONG else 200)]
        bodies = [mutated(rng, message.to_body(version)) for message in messages]
        for body, java in zip(bodies, java_oracle.read(name, version, bodies), strict=True):
            if java.accept:
                assert again(cls, version, body) == java.again, body.hex()


def texts(rng: Random) -> Iterator[bytes]:
    """Every pair and many a run of what UTF-8 can get wrong."""
    yield from (b"".join(pair) for pair in product(UTF8, UTF8))
    for _ in range(TEXTS):
        yield b"".join(rng.choices(UTF8, k=rng.randrange(1, 8)))


def test_text_is_read_as_java_reads_it(java_oracle: JavaOracle, rng: Random) -> None:
    cls = message_class("ConsumerProtocolSubscription")
    raws = list(texts(rng))
    # The first string of an array, its last one, and a nullable one: each is read in its own way.
    strings = [len(raw).to_bytes(2, "big") + raw for raw in raws]
    bodies = [b"\0\0\0\2" + s + s + b"\xff\xff\xff\xff\0\0\0\0\0\0\0\0" + s for s in strings]
    readings = java_oracle.read(cls.NAME, 3, bodies)
    for body, java in zip(bodies, readings, strict=True):
        assert java.accept
        assert cut_off(cls, 3, body) == (True, 0, java.json), body.hex()
        assert again(cls, 3, body) == java.again, body.hex()
        assert by_construct(cls, 3, body) == by_decode(cls, 3, body), body.hex()


@pytest.mark.parametrize(
    ("name", "version", "kind", "allowed"),
    [
        ("ConsumerProtocolSubscription", 0, "strings", 1_000_000),
        # Not the assignment: Java takes cubic time for map keys that are all equal.
        pytest.param("SyncGroupRequest", 0, "structs", 1_000_000, marks=pytest.mark.slow),
        ("JoinGroupRequest", 6, "tags", 10_000),
    ],
)
def test_the_largest_counts(
    name: str, version: int, kind: str, allowed: int, java_oracle: JavaOracle
) -> None:
    """Kafka's reader has limits of its own beside the bytes that there are."""

    def body(count: int) -> bytes:
        match kind:
            case "strings":
                return count.to_bytes(4, "big") + b"\0\0" * count + b"\xff" * 4
            case "structs":
                return b"\0" * 8 + count.to_bytes(4, "big") + b"\0" * 6 * count
            case _:
                empty = message_class(name)().to_body(version)
                tags = b"".join(varint(tag) + b"\0" for tag in range(count))
                return empty[:-1] + varint(count) + tags

    for count in (allowed, allowed + 1):
        (java,) = java_oracle.digests(name, [body(count)], version=version).left
        accept, left, _ = cut_off(message_class(name), version, body(count))
        assert (accept, left) == (java is not None, java), count


def test_all_messages(
    java_oracle: JavaOracle, reference_classes: dict[str, type[Message]], rng: Random
) -> None:
    """Flexible versions, tags, nullable structs: everything that the consumer protocol lacks."""
    with_records = java_oracle.with_records()
    judged = 0
    for name, (lowest, highest) in java_oracle.names().items():
        cls = reference_classes[name]
        for version in range(lowest, highest + 1):
            messages = [random_message(rng, cls, version) for _ in range(GROUP_MESSAGES)]
            bodies = [mutated(rng, message.to_body(version)) for message in messages]
            for body, java in zip(bodies, java_oracle.read(name, version, bodies), strict=True):
                where = (name, version, body.hex(), java)
                accept, left, value = cut_off(cls, version, body)
                assert (accept, left) == (java.accept, java.left), where
                judged += 1
                if accept and name not in with_records:
                    assert value == java.json, where
                    assert again(cls, version, body) == java.again, where
    assert judged > 420 * GROUP_MESSAGES


def test_varints_that_overflow(
    java_oracle: JavaOracle, reference_classes: dict[str, type[Message]], rng: Random
) -> None:
    """Java's varint is an int, which five bytes can make negative, wherever one is read."""
    for name, (_, highest) in java_oracle.names().items():
        cls = reference_classes[name]
        bodies = [
            overflowing(rng, random_message(rng, cls, highest).to_body(highest))
            for _ in range(OVERFLOWING)
        ]
        for body, java in zip(bodies, java_oracle.read(name, highest, bodies), strict=True):
            accept, left, _ = cut_off(cls, highest, body)
            assert (accept, left) == (java.accept, java.left), (name, highest, body.hex(), java)


OVERFLOWS = [*map(bytes.fromhex, "80ffffff4e ffffffff0f ffffffff7f 8080808008 ffffffff07".split())]


def overflowing(rng: Random, body: bytes) -> bytes:
    """The body with five bytes of a varint in the place of one byte."""
    small = [at for at, byte in enumerate(body) if byte < len(OVERFLOWS)]
    if not small:
        return body
    at = rng.choice(small)
    return body[:at] + rng.choice(OVERFLOWS) + body[at + 1 :]


def test_a_marker_that_overflows_is_null(java_oracle: JavaOracle) -> None:
    name, body = (
        "ConsumerGroupMemberMetadataValue",
        bytes.fromhex("0000026102620100000000010001000780ffffff4e0100"),
    )
    (java,) = java_oracle.read(name, 0, [body])
    assert (java.accept, java.left) == (True, 2)
    cls = message_class(name)
    assert cut_off(cls, 0, body) == (True, 2, java.json)
    assert by_construct(cls, 0, body) == by_decode(cls, 0, body)
    assert by_fast_reader(cls, 0, body) in (None, by_decode(cls, 0, body))
