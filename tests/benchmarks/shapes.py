"""What is measured: version 2 subscriptions of seven shapes, as plain values and as bytes.

The bytes are written here, field by field, so that no contestant is its own judge.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from typing import NamedTuple

VERSION = 2


class Owned(NamedTuple):
    """The partitions of one topic that a member owns."""

    topic: str
    partitions: tuple[int, ...]


class Subscription(NamedTuple):
    """What a version 2 subscription says; every contestant has to read exactly this."""

    topics: tuple[str, ...]
    user_data: bytes | None
    owned_partitions: tuple[Owned, ...]
    generation_id: int

    def to_bytes(self) -> bytes:
        return b"".join(self._parts())

    def _parts(self) -> Iterator[bytes]:
        yield struct.pack(">hi", VERSION, len(self.topics))
        for topic in self.topics:
            yield _string(topic)
        yield struct.pack(">i", -1 if self.user_data is None else len(self.user_data))
        yield self.user_data or b""
        yield struct.pack(">i", len(self.owned_partitions))
        for topic, partitions in self.owned_partitions:
            yield _string(topic)
            yield struct.pack(f">i{len(partitions)}i", len(partitions), *partitions)
        yield struct.pack(">i", self.generation_id)


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack(">h", len(raw)) + raw


class Shape(NamedTuple):
    """Messages that are measured together; a time is the mean of one message."""

    name: str
    about: str
    messages: tuple[Subscription, ...]


def _regular(name: str, topics: int, partitions: range, size: int, step: int = 0) -> Shape:
    """One message with names of 18 characters; `size` is what it has to take.

    The partitions of each topic are `step` higher than those of the topic before it.
    """
    names = tuple(f"topic-name-{number:07}" for number in range(topics))
    owned = tuple(
        Owned(name, tuple(partition + step * number for partition in partitions))
        for number, name in enumerate(names)
        if partitions
    )
    message = Subscription(names, None, owned, 7)
    assert len(message.to_bytes()) == size, f"{name} has another size than it claims"
    claim = f"{topics} x {len(partitions)} owned partitions" if partitions else "nothing owned"
    first = f" from {partitions.start:,}" if partitions.start else ""
    others = ", other ones in each" if step else ""
    return Shape(name, f"{topics} topics, {claim}{first}{others}, {size:,} bytes", (message,))


def _mixed(count: int) -> Shape:
    """Many shapes, the same in every run: what is remembered of one rarely fits the next."""
    chance = random.Random(848)  # noqa: S311

    def name() -> str:
        return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz-._", k=chance.randint(1, 60)))

    def owned() -> Owned:
        return Owned(name(), tuple(range(chance.choice((0, 1, 2, 3, 5, 8, 13, 21, 34)))))

    def message() -> Subscription:
        return Subscription(
            topics=tuple(name() for _ in range(chance.randint(0, 8))),
            user_data=chance.choice((None, b"", chance.randbytes(chance.randint(1, 64)))),
            owned_partitions=tuple(owned() for _ in range(chance.randint(0, 8))),
            generation_id=chance.randint(-1, 1000),
        )

    messages = tuple(message() for _ in range(count))
    size = sum(len(one.to_bytes()) for one in messages) // count
    return Shape("mixed", f"{count} messages of many shapes, {size} bytes on average", messages)


SMALL = _regular("S", topics=3, partitions=range(4), size=198)

SHAPES = (
    _regular("T", topics=3, partitions=range(0), size=78),
    SMALL,
    _regular("M", topics=10, partitions=range(20), size=1258),
    _regular("L", topics=200, partitions=range(50), size=48818),
    _regular("W", topics=200, partitions=range(100_000, 100_050), size=48818),
    # L and W have the same partitions in each topic, of which the compiled core makes one tuple.
    _regular("D", topics=200, partitions=range(50), size=48818, step=4),
    _mixed(64),
)
