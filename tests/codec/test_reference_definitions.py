"""Kafka's own definitions, all of them: they compile, and their messages are Java's to the byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .values import random_message

if TYPE_CHECKING:
    from random import Random

    from kproto.codec import Message
    from kproto.fuzz.oracles.java import JavaOracle

MESSAGES = 2  # each version of each message; Java has them in one call, so none can shrink

Classes = dict[str, type["Message"]]


def test_every_definition_compiles(java_oracle: JavaOracle, reference_classes: Classes) -> None:
    with_versions = {name: cls for name, cls in reference_classes.items() if cls.VERSIONS}
    assert len(reference_classes) == 247
    assert len(with_versions) == 239
    assert java_oracle.names() == {
        name: (cls.VERSIONS.lowest, cls.VERSIONS.highest) for name, cls in with_versions.items()
    }


def test_definitions_without_versions_have_no_fields(reference_classes: Classes) -> None:
    for cls in reference_classes.values():
        if not cls.VERSIONS:
            assert (cls.LATEST, cls.__struct_fields__) == (-1, ())


def test_bytes_are_java_s(java_oracle: JavaOracle, reference_classes: Classes, rng: Random) -> None:
    """From the same JSON Java writes the same bytes, and of these bytes it reads the same JSON."""
    for name in java_oracle.names().keys() - java_oracle.with_records():
        cls = reference_classes[name]
        for version in cls.VERSIONS:
            messages = [
                random_message(rng, cls, version, unknown_tags=False) for _ in range(MESSAGES)
            ]
            texts = [json.dumps(message.to_json(version)) for message in messages]
            bodies = [message.to_body(version) for message in messages]
            written = java_oracle.write(name, version, texts)
            for message, text, body, java in zip(messages, texts, bodies, written, strict=True):
                assert java == (body, None), (name, version, text)
                assert cls.from_body(body, version) == message, (name, version, text)
                assert cls.from_json(json.loads(text), version) == message, (name, version, text)


def test_unknown_tagged_fields_are_java_s(
    java_oracle: JavaOracle, reference_classes: Classes, rng: Random
) -> None:
    """JSON has no place for them, so Java reads our bytes and writes them again."""
    with_records = java_oracle.with_records()
    for name in java_oracle.names():
        cls = reference_classes[name]
        for version in cls.VERSIONS:
            messages = [random_message(rng, cls, version) for _ in range(MESSAGES)]
            bodies = [message.to_body(version) for message in messages]
            assert [cls.from_body(body, version) for body in bodies] == messages, (name, version)
            if name not in with_records:
                readings = java_oracle.read(name, version, bodies)
                assert [java.again for java in readings] == bodies, (name, version)
                values = [message.to_json(version) for message in messages]
                assert [java.json for java in readings] == values, (name, version)
