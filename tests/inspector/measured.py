"""How often the type of bytes is found out: what is asked, and the answers counted.

A sample is bytes of which somebody else says what they are: Apache Kafka's classes that wrote
them, or the place in a real broker's log or on the wire where they stood. Samples are those of
which the project promises something: valid, of the consumer protocol or of the offsets topic, 12
bytes or more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from kproto.codec import Message, Policy, VersionedMessage, decode, message_class
from kproto.codec.runtime.registry import built_in_names
from kproto.fuzz.oracles.java import JavaOracle
from kproto.inspector import identify

from ..codec.values import random_message
from ..schemas import captures
from .samples import vectors

LEAST = 12  # bytes; shorter ones are too many things
PROTOCOL = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
STORED = tuple(name for name in built_in_names() if name.endswith(("Key", "Value")))


class Sample(NamedTuple):
    name: str
    data: bytes


class Answers(NamedTuple):
    """`alike`: by type, those that stood beside it under rank 1; `ties`: how often one did;
    `wrong`: what was not found."""

    asked: int
    wrong: list[Sample]
    alike: dict[str, set[str]]
    ties: int = 0

    @property
    def share(self) -> float:
        return 1 - len(self.wrong) / self.asked


def answers(samples: Iterable[Sample]) -> Answers:
    """What `identify` says to each, the same bytes once."""
    asked, ties, wrong = 0, 0, []
    alike: dict[str, set[str]] = {}
    for sample in dict.fromkeys(samples):
        if len(sample.data) >= LEAST:
            asked += 1
            first = {one.name for one in identify(sample.data) if one.rank == 1}
            if sample.name in first:
                alike.setdefault(sample.name, set()).update(first - {sample.name})
                ties += len(first) > 1
            else:
                wrong.append(sample)
    return Answers(asked, wrong, alike, ties)


# -- the sources


def from_vectors() -> Iterator[Sample]:
    """What Java's classes wrote into the vectors."""
    for vector in vectors("consumer-protocol.jsonl"):
        if vector["kind"] == "valid":
            yield Sample(vector["name"], bytes.fromhex(vector["hex"]))
    for vector in vectors("group-messages.jsonl"):
        if vector["name"] in STORED:
            body = bytes.fromhex(vector["hex"])
            yield Sample(vector["name"], _front(vector["name"], vector["version"]) + body)


def from_logs() -> Iterator[Sample]:
    """The records of a real offsets topic, told by their keys' record types."""
    for record in captures.records():
        yield Sample(captures.KEYS[record.type].NAME, record.key)
        if record.value is not None:
            yield Sample(captures.VALUES[record.type].NAME, record.value)


def from_clients() -> Iterator[Sample]:
    """What real consumers said and were given, as far as it is valid."""
    for payload in (*captures.stored_payloads(), *captures.sent_payloads()):
        if payload.protocol_type == "consumer":
            name = PROTOCOL[payload.kind == "assignment"]
            seen = decode(payload.data, message_class(name), policy=Policy.LENIENT)
            if seen.complete and not seen.remainder and seen.version == seen.schema_version:
                yield Sample(name, payload.data)


TOPICS = (
    "orders", "payments", "users", "clicks", "refunds", "audit", "orders-eu-central", "payments.v1"
)  # fmt: skip
SUBSCRIPTION, ASSIGNMENT = map(message_class, PROTOCOL)


def pairs() -> Iterator[Sample]:
    """Assignments of one topic with the partitions 0 and N, as Java writes them."""
    for topic in TOPICS:
        for last in range(1, 30):
            yield _assignment([(topic, [0, last])], 3)


def subscriptions(rng: Random, number: int) -> Iterator[Sample]:
    """Subscriptions of all versions, with and without owned partitions and user data."""
    owned_part = SUBSCRIPTION.TopicPartition  # type: ignore[attr-defined]
    for _ in range(number):
        version = rng.choice((0, 0, 1, 1, 2, 3, 3))
        topics = sorted(rng.sample(TOPICS, rng.randint(1, 4)))
        owned = [owned_part(topic=topic, partitions=_partitions(rng)) for topic in topics]
        generation = rng.randint(0, 50).to_bytes(4, "big")
        message = SUBSCRIPTION(
            topics=topics,
            user_data=rng.choice((None, None, b"", generation)),
            owned_partitions=owned if version and rng.random() < 0.5 else [],
            generation_id=rng.choice((-1, 3, 40)) if version > 1 else -1,
            rack_id=rng.choice((None, "", "eu-1a")) if version > 2 else None,
        )
        yield Sample(SUBSCRIPTION.NAME, message.to_bytes(version))  # type: ignore[attr-defined]


def assignments(rng: Random, number: int) -> Iterator[Sample]:
    """Assignments of all versions, to some topics."""
    for _ in range(number):
        topics = sorted(rng.sample(TOPICS, rng.randint(1, 4)))
        yield _assignment([(topic, _partitions(rng)) for topic in topics], rng.randint(0, 3))


def cut(rng: Random, samples: Iterable[Sample]) -> Iterator[Sample]:
    """The beginnings of samples, each cut anywhere behind the first bytes."""
    for sample in samples:
        if len(sample.data) > LEAST + 1:
            yield sample._replace(data=sample.data[: rng.randint(LEAST + 1, len(sample.data) - 1)])


def _partitions(rng: Random) -> list[int]:
    return sorted(rng.sample(range(rng.choice((4, 12, 100))), rng.randint(1, 4)))


def _assignment(topics: list[tuple[str, list[int]]], version: int) -> Sample:
    part = ASSIGNMENT.TopicPartition  # type: ignore[attr-defined]
    parts = [part(topic=topic, partitions=partitions) for topic, partitions in topics]
    message = ASSIGNMENT(assigned_partitions=parts, user_data=None)
    return Sample(ASSIGNMENT.NAME, message.to_bytes(version))  # type: ignore[attr-defined]


def from_java(rng: Random, java: JavaOracle, each: int) -> Iterator[Sample]:
    """Random values, written by Java: `each` of every version of every message."""
    known = java.names()
    for name in (*PROTOCOL, *STORED):
        if name not in known:
            continue  # Kafka's class for it was dropped
        cls = message_class(name)
        for version in cls.VERSIONS:
            made = [_text(rng, cls, version) for _ in range(each)]
            for written in java.write(name, version, made):
                assert written.data is not None, written.error
                yield Sample(name, _front(name, version) + written.data)


def _text(rng: Random, cls: type[Message], version: int) -> str:
    return json.dumps(random_message(rng, cls, version, unknown_tags=False).to_json(version))


def _front(name: str, version: int) -> bytes:
    """What stands in front of a body, by FRAMING alone: a record type or a version."""
    cls = message_class(name)
    assert issubclass(cls, VersionedMessage)
    label = cls.API_KEY if cls.FRAMING.kind == "record-type" else version
    assert label is not None
    return label.to_bytes(2, "big")
