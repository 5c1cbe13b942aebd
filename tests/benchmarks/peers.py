"""Who is measured: each contestant's own way from bytes to a value and back, nothing around it.

A contestant's library is imported by its function here, so one that is not installed is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from io import BytesIO
from operator import attrgetter
from typing import Any

from kproto.codec import ConsumerProtocolSubscription
from kproto.fuzz.building import JavaUnavailable

from .shapes import VERSION, Owned, Subscription
from .timing import Call, Turn, timed

OURS = "kproto"
KIO = "kio"
JAVA = "Kafka's Java classes"
KAFKA_PYTHON = "kafka-python, public"
KAFKA_PYTHON_CODEC = "kafka-python, own codec"
AIOKAFKA = "aiokafka"
MSGPACK = "msgspec, as msgpack"
CONSTRUCT = "construct, interpreted"
CONSTRUCT_COMPILED = "construct, compiled"

HEADER = VERSION.to_bytes(2, "big")  # for those who read and write the fields alone


@dataclass(frozen=True)
class Peer:
    """`read(data)` is the call that decodes; what that call gives is what `write` turns into the
    call that encodes, and `content` into plain values."""

    name: str
    release: str
    read: Callable[[bytes], Call]
    write: Callable[[Any], Call]
    content: Callable[[Any], Subscription]
    absent_from: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """Shapes that it does not read and write as the others do, and why."""
    written: Callable[[bytes], bytes] = field(default=bytes, kw_only=True)
    """Returns a message as the contestant writes it."""

    def decoding(self, messages: Sequence[bytes]) -> Turn:
        """The turn that decodes these messages, a call each."""
        return timed([self.read(data) for data in messages])

    def encoding(self, messages: Sequence[bytes]) -> Turn:
        """The turn that encodes what was decoded of these messages, a call each."""
        return timed([self.write(self.read(data)()) for data in messages])


def _content(
    value: Any, owned: Callable[[Any], Iterable[Any]] = attrgetter("topic", "partitions")
) -> Subscription:
    entries = (
        Owned(topic, tuple(numbers)) for topic, numbers in map(owned, value.owned_partitions)
    )
    return Subscription(tuple(value.topics), value.user_data, tuple(entries), value.generation_id)


def _kproto() -> list[Peer]:
    return [
        Peer(
            OURS,
            version("kproto"),
            lambda data: partial(ConsumerProtocolSubscription.from_bytes, data),
            lambda value: partial(value.to_bytes, VERSION),  # a keyword costs a partial 50 ns
            _content,
        )
    ]


def _kio() -> list[Peer]:
    """A class a version, and no version in front: its user skips and writes that alone."""
    from kio.schema.consumer_protocol_subscription.v2.data import ConsumerProtocolSubscription
    from kio.serial import entity_reader, entity_writer

    reader = entity_reader(ConsumerProtocolSubscription)
    writer = entity_writer(ConsumerProtocolSubscription)

    def encode(value: ConsumerProtocolSubscription) -> bytes:
        buffer = BytesIO()
        buffer.write(HEADER)
        writer(buffer, value)
        return buffer.getvalue()

    return [
        Peer(
            KIO,
            version("kio"),
            lambda data: partial(reader, data, len(HEADER)),
            lambda result: partial(encode, result[0]),
            lambda result: _content(result[0]),
        )
    ]


def _kafka_python() -> list[Peer]:
    """Its public classes walk the definition; the generated functions that it has for requests
    and responses read and write these two messages as well, though it does not use them so."""
    from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription
    from kafka.protocol.schemas.fields.codecs.encode_buffer import EncodeBufferPool

    layout = ConsumerProtocolSubscription._struct
    reader = layout.compiled_decode_from(VERSION, data_class=ConsumerProtocolSubscription)
    writer = layout.compiled_encode_into(VERSION)

    def encode(value: Any) -> Any:
        with EncodeBufferPool.acquire() as out:
            out.buf[:2] = HEADER
            out.pos = 2
            writer(value, out)
            return out.result()

    return [
        Peer(
            KAFKA_PYTHON,
            version("kafka-python"),
            lambda data: partial(ConsumerProtocolSubscription.decode, data),
            lambda value: partial(value.encode, VERSION),
            _content,
        ),
        Peer(
            KAFKA_PYTHON_CODEC,
            version("kafka-python"),
            lambda data: partial(reader, data, len(HEADER)),
            lambda result: partial(encode, result[0]),
            lambda result: _content(result[0]),
        ),
    ]


def _aiokafka() -> list[Peer]:
    """It knows version 0 only; this is version 2 in its own toolkit."""
    from aiokafka.protocol.struct import Struct
    from aiokafka.protocol.types import Array, Bytes, Int16, Int32, Schema, String

    text = String("utf-8")

    class SubscriptionV2(Struct):  # type: ignore[misc]  # it ships no types
        SCHEMA = Schema(
            ("version", Int16),
            ("topics", Array(text)),
            ("user_data", Bytes),
            ("owned_partitions", Array(("topic", text), ("partitions", Array(Int32)))),
            ("generation_id", Int32),
        )

    return [
        Peer(
            AIOKAFKA,
            version("aiokafka"),
            lambda data: partial(SubscriptionV2.decode, data),
            lambda value: partial(value.encode),
            partial(_content, owned=tuple),
        )
    ]


def _msgspec() -> list[Peer]:
    """The same values in another format: its own, as arrays, into structs of its own."""
    import msgspec

    options: dict[str, Any] = {"frozen": True, "array_like": True}
    numbers = tuple[int, ...]
    entry = msgspec.defstruct("Entry", [("topic", str), ("partitions", numbers)], **options)
    fields: list[tuple[str, Any]] = [
        ("topics", tuple[str, ...]),
        ("user_data", bytes | None),
        ("owned_partitions", tuple[entry, ...]),  # type: ignore[valid-type]
        ("generation_id", int),
    ]
    subscription = msgspec.defstruct("Subscription", fields, **options)
    encoder = msgspec.msgpack.Encoder()
    decoder = msgspec.msgpack.Decoder(subscription)

    def packed(data: bytes) -> bytes:
        message = ConsumerProtocolSubscription.from_bytes(data)
        owned = tuple(entry(owner.topic, owner.partitions) for owner in message.owned_partitions)
        fields = (message.topics, message.user_data, owned, message.generation_id)
        return encoder.encode(subscription(*fields))

    return [
        Peer(
            MSGPACK,
            version("msgspec"),
            lambda data: partial(decoder.decode, packed(data)),
            lambda value: partial(encoder.encode, value),
            _content,
            written=packed,
        )
    ]


def _construct() -> list[Peer]:
    from .hand_written import SUBSCRIPTION

    def peer(name: str, form: Any) -> Peer:
        return Peer(
            name,
            version("construct"),
            lambda data: partial(form.parse, data),
            lambda value: partial(form.build, value),
            _content,
        )

    return [peer(CONSTRUCT, SUBSCRIPTION), peer(CONSTRUCT_COMPILED, SUBSCRIPTION.compile())]


def _java() -> list[Peer]:
    from .kafka_java import kafka_java

    return kafka_java()


def contestants() -> tuple[list[Peer], list[str]]:
    """Those that are installed, ours first, and a line for each library that is not."""
    found = _kproto()
    missing: list[str] = []
    for make in (_kio, _java, _msgspec, _kafka_python, _aiokafka, _construct):
        try:
            found += make()
        except (ImportError, JavaUnavailable) as error:
            missing.append(f"{make.__name__[1:].replace('_', '-')} is left out: {error}")
    return found, missing
