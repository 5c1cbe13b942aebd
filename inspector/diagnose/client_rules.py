"""Tell by the rules of a client's code how it ends on some bytes, and if it reads what Kafka does.

>>> walked("sarama", "ConsumerProtocolSubscription", bytes.fromhex("000000000000ffffffff"))
<Walked.READ: 'read'>
>>> walked("kafka-protocol", "ConsumerProtocolAssignment", bytes.fromhex("00007fffffff"))
<Walked.DIED: 'died'>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, message_class
from ...codec.errors import DecodeError
from ...codec.read.decoding import decode
from .client_walks import (
    SUBSCRIPTION,
    Aiokafka,
    End,
    KafkaGoClient,
    KafkaGoDescribe,
    KafkaGoReader,
    KafkaJs,
    KafkaProtocol,
    KafkaPython,
    Kgo,
    Kio,
    Kmsg,
    OlderKgo,
    OlderSarama,
    Platformatic,
    Sarama,
    Walk,
    Walked,
)

_RULES: dict[str, type[Walk]] = {
    "aiokafka": Aiokafka,
    "franz-go-kgo": Kgo,
    "franz-go-kgo-1.14": OlderKgo,
    "franz-go-kmsg": Kmsg,
    "franz-go-kmsg-1.6": Kmsg,
    "kafka-go-client": KafkaGoClient,
    "kafka-go-describe": KafkaGoDescribe,
    "kafka-go-reader": KafkaGoReader,
    "kafka-protocol": KafkaProtocol,
    "kafka-python": KafkaPython,
    "kafka-python-2": Aiokafka,
    "kafkajs": KafkaJs,
    "kafkajs-1.16": KafkaJs,
    "kio": Kio,
    "platformatic": Platformatic,
    "sarama": Sarama,
    "sarama-1.40": OlderSarama,
}


_KAFKA = {"java": 3, "java-2.4": 1, "java-2.8": 1, "java-3.9": 3, "java-4.4": 3}
"""The newest version that the release knows. What `decode` does with it is what these do; it is
compared with them, input by input."""


def walked(reader: str, name: str, data: bytes) -> Walked | None:
    """Return how that reader's code ends on the bytes as the message of that name, or None if
    there are no rules for it.
    """
    if reader in _KAFKA:
        return _as_release(name, data, _KAFKA[reader])
    rules = _RULES.get(reader)
    if rules is None:
        return None
    walk = rules(data)
    read = walk.subscription if name == SUBSCRIPTION else walk.assignment
    try:
        read()
        how = walk.end()
    except End as end:
        how = end.how
    if how is not Walked.DIED and walk.reserved > walk.survived:
        return Walked.UNCERTAIN
    if how is not Walked.READ:
        return how
    value = _as_kafka(name, data)
    if value is None:
        return Walked.TAKEN
    return Walked.READ if all(_same(walk, value)) else Walked.READ_OTHERWISE


def _as_release(name: str, data: bytes, newest: int) -> Walked:
    try:
        decode(data, message_class(name), reader_version=newest)
    except DecodeError:
        return Walked.REFUSED
    return Walked.TAKEN if _as_kafka(name, data) is None else Walked.READ


class _Value(NamedTuple):
    """What Kafka reads. A field that the version does not have is None."""

    name: str
    topics: tuple[str, ...] | None
    owned: dict[str, set[int]] | None
    generation: int | None
    rack: str | None


def _as_kafka(name: str, data: bytes) -> _Value | None:
    """Return the value that Kafka reads, or None if it refuses the bytes."""
    try:
        seen = decode(data, message_class(name))
    except DecodeError:
        return None
    message, version = seen.message, seen.schema_version
    if isinstance(message, ConsumerProtocolAssignment):
        assigned = [(entry.topic, entry.partitions) for entry in message.assigned_partitions]
        return _Value(name, None, _by_topic(assigned), None, None)
    assert isinstance(message, ConsumerProtocolSubscription) and version is not None
    owned = [(entry.topic, entry.partitions) for entry in message.owned_partitions]
    return _Value(
        name,
        message.topics,
        _by_topic(owned) if version >= 1 else None,
        max(message.generation_id, -1) if version >= 2 else None,
        message.rack_id or "" if version >= 3 else None,
    )


def _same(walk: Walk, value: _Value) -> Iterator[bool]:
    """Yield, for each field that both read, whether they read the same in it. What many clients'
    types lose does not count: order, repetition, null or empty.
    """
    if value.topics is not None:
        yield set(map(walk.string, walk.topics)) == set(value.topics)
    if value.owned is not None and walk.owned is not None:
        owned = [(walk.string(topic), partitions) for topic, partitions in walk.owned]
        if walk.only_last == value.name:
            owned = [entry for entry in dict(owned).items() if entry[0] not in walk.lost]
        yield _by_topic(owned) == value.owned
    if value.generation is not None and walk.generation is not None:
        yield max(walk.generation, -1) == value.generation
    if value.rack is not None and walk.rack is not None:
        yield walk.string(walk.rack) == value.rack


def _by_topic(entries: Iterable[tuple[str, Sequence[int]]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for topic, partitions in entries:
        if partitions:
            found.setdefault(topic, set()).update(partitions)
    return found
