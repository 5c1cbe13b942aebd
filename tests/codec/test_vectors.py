"""What Apache Kafka's own classes wrote and judged, read in every way that this project has."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import construct
import pytest

from kproto import schemas
from kproto.codec import DecodeError, Message, compile_definition, decode, message_class
from kproto.fuzz.guarantees.subjects import message_of

from .ways import constructs

pytestmark = pytest.mark.no_cover

VECTORS = Path(__file__).parent.parent / "vectors"
Line = dict[str, Any]


def lines(file: str) -> list[Line]:
    return [json.loads(line) for line in (VECTORS / file).read_text("utf-8").splitlines()]


class Answer(NamedTuple):
    """As in the vectors: verdict, bytes left, value, the value's bytes. Refused: verdict alone."""

    accept: bool
    left: int | None = None
    json: Any = None
    again: bytes | None = None


REFUSED = Answer(accept=False)


def by_class(cls: type[Message], version: int, body: bytes) -> Answer:
    try:
        seen = decode(body, cls, body_version=version)
    except DecodeError:
        return REFUSED
    message = seen.message
    assert message is not None
    again = message.to_body(version)
    return Answer(True, len(seen.remainder), message.to_json(version), again)


def by_run_time_class(cls: type[Message], version: int, body: bytes) -> Answer:
    return by_class(compile_definition(schemas.text(cls.NAME)), version, body)


def by_construct(cls: type[Message], version: int, body: bytes) -> Answer:
    return _by_construct(constructs(cls, version, False), cls, version, body)


def by_compiled_construct(cls: type[Message], version: int, body: bytes) -> Answer:
    return _by_construct(constructs(cls, version, True), cls, version, body)


def _by_construct(made: Any, cls: type[Message], version: int, body: bytes) -> Answer:
    left = construct.Struct("value" / made, "rest" / construct.GreedyBytes)
    try:
        found = left.parse(body)
    except construct.ConstructError:
        return REFUSED
    message = message_of(cls, version, found.value)
    return Answer(True, len(found.rest), message.to_json(version), made.build(found.value))


Way = Callable[[type[Message], int, bytes], Answer]
IN_CONSTRUCT: tuple[Way, ...] = (by_construct, by_compiled_construct)


@pytest.mark.parametrize("name", ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"])
@pytest.mark.parametrize("way", [by_class, by_run_time_class, *IN_CONSTRUCT])
def test_consumer_protocol(way: Way, name: str) -> None:
    cls = message_class(name)
    for number, line in enumerate(lines("consumer-protocol.jsonl")):
        data = bytes.fromhex(line["hex"])
        label = int.from_bytes(data[:2], "big", signed=True) if len(data) >= 2 else -1
        if line["name"] != name or label < 0:
            continue
        body, version = data[2:], min(label, 3)
        answer = way(cls, version, body)
        assert answer.accept == line["accept"], f"line {number}"
        if not line["accept"]:
            continue
        assert version == line["schema_version"]
        assert answer[1:3] == (line["left"], line["json"]), f"line {number}"
        if line["kind"] == "valid":
            assert answer.again == body, f"line {number}"


@pytest.mark.parametrize("name", ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"])
@pytest.mark.parametrize("origin", ["built-in", "run-time"])
def test_consumer_protocol_with_its_version(origin: str, name: str) -> None:
    cls = message_class(name)
    if origin == "run-time":
        cls = compile_definition(schemas.text(name))
    for number, line in enumerate(lines("consumer-protocol.jsonl")):
        if line["name"] != name:
            continue
        data = bytes.fromhex(line["hex"])
        try:
            seen = decode(data, cls)
        except DecodeError:
            assert not line["accept"], f"line {number}"
            continue
        assert line["accept"], f"line {number}"
        assert seen.message is not None and seen.schema_version is not None
        assert seen.version == line["version"]
        assert seen.schema_version == line["schema_version"]
        assert len(seen.remainder) == line["left"]
        assert seen.message.to_json(seen.schema_version) == line["json"]
        assert seen.to_bytes() == data
        if line["kind"] in ("valid", "future"):
            assert seen.with_message(seen.message) == data


def by_name_and_version(file: str) -> dict[tuple[str, int], list[Line]]:
    groups = defaultdict(list)
    for line in lines(file):
        groups[line["name"], line["version"]].append(line)
    return groups


@pytest.mark.parametrize("way", [by_class, *IN_CONSTRUCT])
def test_group_messages(way: Way, reference_classes: dict[str, type[Message]]) -> None:
    for (name, version), group in by_name_and_version("group-messages.jsonl").items():
        for line in group:
            body = bytes.fromhex(line["hex"])
            expected = Answer(True, 0, line["json"], body)
            assert way(reference_classes[name], version, body) == expected, line


@pytest.mark.parametrize("way", [by_class, *IN_CONSTRUCT])
def test_broken_group_messages(way: Way, reference_classes: dict[str, type[Message]]) -> None:
    for (name, version), group in by_name_and_version("group-messages-broken.jsonl").items():
        for line in group:
            body = bytes.fromhex(line["hex"])
            expected = REFUSED
            if line["accept"]:
                read = body[: len(body) - line["left"]]
                again = bytes.fromhex(line["again"]) if "again" in line else read
                expected = Answer(True, line["left"], line["json"], again)
            assert way(reference_classes[name], version, body) == expected, line
