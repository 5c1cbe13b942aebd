"""`decode`, `decode --json`, `lint`, `diff` and the library see the same in the same bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from hypothesis import assume, given
from hypothesis import strategies as st

from kproto.capture.frames.api_keys import apis
from kproto.codec import Message, VersionedMessage, message_class
from kproto.codec.runtime.registry import built_in_names, spec_of
from kproto.inspector import recognise

from ..codec.values import random_message
from .conftest import Run, each_a_process

LEAST = 6  # bytes of a response: correlation id and error code
STORED = [name for name in built_in_names() if issubclass(message_class(name), VersionedMessage)]
FRAMED = sorted(key for key in apis() if apis()[key].request.VERSIONS)


class Input(NamedTuple):
    """Bytes, and the frame that they are: direction, API key and version; None for a message."""

    data: bytes
    frame: tuple[str, int, int] | None = None


def _is_flexible(cls: type[Message], version: int) -> bool:
    flexible = spec_of(cls).flexible
    return bool(flexible) and version >= flexible.lowest


def request(rng: Random) -> Input:
    key = rng.choice(FRAMED)
    cls = apis()[key].request
    version = rng.choice(list(cls.VERSIONS))
    client = rng.choice((b"rdkafka", b"consumer-billing-1", b"kafka-python-2.0.2"))
    header = struct.pack(">hhih", key, version, rng.randrange(5000), len(client)) + client
    tags = b"\0" * _is_flexible(cls, version)
    return Input(header + tags + _body(rng, cls, version), ("request", key, version))


def response(rng: Random) -> Input:
    key = rng.choice(FRAMED)
    cls = apis()[key].response
    version = rng.choice(list(cls.VERSIONS))
    tags = b"\0" * (key != 18 and _is_flexible(cls, version))
    header = struct.pack(">i", rng.randrange(5000)) + tags
    return Input(header + _body(rng, cls, version), ("response", key, version))


def _body(rng: Random, cls: type[Message], version: int) -> bytes:
    return random_message(rng, cls, version, unknown_tags=False).to_body(version)


def stored(rng: Random) -> Input:
    cls = message_class(rng.choice(STORED))
    version = rng.choice(list(cls.VERSIONS))
    message = random_message(rng, cls, version, unknown_tags=False)
    assert isinstance(message, VersionedMessage)
    return Input(message.to_bytes(version))


def drawn(rng: Random) -> Input:
    """A message, or a frame with or without its size; some are cut."""
    made = rng.choice((stored, request, response))(rng)
    data = made.data
    if made.frame is not None and rng.random() < 0.7:
        data = struct.pack(">i", len(data)) + data
    if rng.random() < 0.3:
        data = data[: rng.randint(1, max(len(data) - 1, 1))]
        return Input(data)
    return made._replace(data=data)


def of_seeds(make: Callable[[Random], Input]) -> st.SearchStrategy[Input]:
    return st.integers(0, 1 << 32).map(lambda seed: make(Random(seed)))  # noqa: S311


def names_of(line: dict[str, Any]) -> list[str]:
    if "direction" in line:
        return [line[part]["name"] for part in ("header", "body") if line[part]]
    return [line["name"]]


@each_a_process
@given(made=of_seeds(drawn))
def test_all_see_the_same(made: Input, kproto: Run) -> None:
    text = made.data.hex()
    seen = recognise(made.data)
    names = [part.decoded.message_class.NAME for part, _ in seen.parts()]
    if seen.message is not None and not seen.message.identified:
        names = [None]
    status = either_status(kproto, "decode", "--json", "--hex", text)
    lines = [json.loads(line) for line in status.splitlines()]
    decoded = [name for line in lines for name in names_of(line)]
    assert decoded == names or (decoded == [None] and not names)
    linted = [
        json.loads(line)
        for line in either_status(kproto, "lint", "--json", "--hex", text).splitlines()
    ]
    assert {line["name"] for line in linted if not line["path"]} <= set(names)
    compared = [
        json.loads(line)
        for line in either_status(kproto, "diff", "--json", "--hex", text, text).splitlines()
    ]
    assert [line["a"]["name"] for line in compared] == names
    assert [line["b"]["name"] for line in compared] == names


def either_status(kproto: Run, *arguments: str | Path) -> str:
    """The output of a command that ends with 0 or 1."""
    try:
        return kproto(*arguments).stdout.decode()
    except AssertionError:
        return kproto(*arguments, status=1).stdout.decode()


@given(made=of_seeds(request))
def test_a_request_with_its_size_is_one(made: Input) -> None:
    data = struct.pack(">i", len(made.data)) + made.data
    (found,) = recognise(data).frames
    frame = found.frame
    assert (frame.direction, frame.api_key, frame.api_version) == made.frame


@given(made=of_seeds(response))
def test_a_response_with_its_size_is_no_message(made: Input) -> None:
    assume(len(made.data) >= LEAST)
    data = struct.pack(">i", len(made.data)) + made.data
    (found,) = recognise(data).frames
    assert found.frame.direction == "response"
