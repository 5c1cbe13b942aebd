"""The rates of the corners: what a strategy promises is drawn in one of a hundred examples."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from kproto.fuzz.strategies import Given, assignments, subscriptions

STRATEGIES = {"subscriptions": subscriptions, "assignments": assignments}


class Seen(NamedTuple):
    """The names, the lists of partitions and the user data of a message."""

    names: list[str]
    partitions: list[list[int]]
    data: bytes | None
    version: int

    @classmethod
    def of(cls, drawn: Given) -> Seen:
        message: Any = drawn.message
        entries = getattr(message, "owned_partitions", None)
        if entries is None:
            entries = message.assigned_partitions
        names = getattr(message, "topics", None) or [entry.topic for entry in entries]
        partitions = [list(entry.partitions) for entry in entries]
        return cls(list(names), partitions, message.user_data, drawn.version)


def _script(word: str) -> Callable[[Seen], bool]:
    return lambda seen: any(
        unicodedata.name(char, "").startswith(word) for name in seen.names for char in name
    )


def _sizes(low: int, high: int) -> Callable[[Seen], bool]:
    return lambda seen: any(low <= len(name.encode()) <= high for name in seen.names)


def _data(low: int, high: int) -> Callable[[Seen], bool]:
    return lambda seen: seen.data is not None and low <= len(seen.data) <= high


def _holds(partition: int) -> Callable[[Seen], bool]:
    return lambda seen: any(partition in partitions for partitions in seen.partitions)


def _one_text_twice(seen: Seen) -> bool:
    forms = Counter(unicodedata.normalize("NFC", name) for name in set(seen.names))
    return any(count > 1 for count in forms.values())


def _descend(items: list[Any]) -> bool:
    return any(first > second for first, second in pairwise(items))


CORNERS: dict[str, Callable[[Seen], bool]] = {
    "an empty name": _sizes(0, 0),
    "a name of 1 byte": _sizes(1, 1),
    "a name of 131 to 249": _sizes(131, 249),
    "a name of 250 to 512": _sizes(250, 512),
    "a name of 513 and more": _sizes(513, 32_767),
    "a name of 32,767": _sizes(32_767, 32_767),
    "composed and decomposed": _one_text_twice,
    "a number": lambda seen: any(name.isascii() and name.isdecimal() for name in seen.names),
    "Arabic": _script("ARABIC"),
    "Chinese": _script("CJK"),
    "beyond 16 bits": lambda seen: any(ord(char) > 0xFFFF for name in seen.names for char in name),
    "names that descend": lambda seen: _descend(seen.names),
    "a name twice": lambda seen: len(set(seen.names)) < len(seen.names),
    "partition 0": _holds(0),
    "partition 2147483647": _holds(2**31 - 1),
    "a negative partition": lambda seen: any(min(p, default=0) < 0 for p in seen.partitions),
    "partition -1": _holds(-1),
    "partitions that descend": lambda seen: any(map(_descend, seen.partitions)),
    "a partition twice": lambda seen: any(len(set(p)) < len(p) for p in seen.partitions),
    "no partition": lambda seen: any(not p for p in seen.partitions),
    "no user data": lambda seen: seen.data is None,
    "user data of 0 bytes": _data(0, 0),
    "user data of 1 to 127": _data(1, 127),
    "user data of 128 to 255": _data(128, 255),
    "user data of 256 to 4,095": _data(256, 4095),
    "user data of 4,096 to 32,767": _data(4096, 32767),
    "user data of 32,768 and more": _data(32768, 1 << 20),
    "user data of 64 KiB": _data(65_536, 65_536),
    "version 0": lambda seen: seen.version == 0,
    "version 1": lambda seen: seen.version == 1,
    "version 2": lambda seen: seen.version == 2,
    "version 3": lambda seen: seen.version == 3,
}


def draw(name: str, count: int) -> Iterator[Seen]:
    """Draw as a test does, with the health checks on."""
    drawn: list[Seen] = []

    @settings(
        max_examples=count, database=None, deadline=None, phases=[Phase.generate],
        derandomize=True, suppress_health_check=[HealthCheck.too_slow],  # on a busy machine
    )  # fmt: skip
    @given(STRATEGIES[name]())
    def note(example: Given) -> None:
        drawn.append(Seen.of(example))

    note()
    return iter(drawn)


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_corner_is_drawn(name: str) -> None:
    counts: Counter[str] = Counter()
    for drawn in draw(name, 1000):
        counts.update(corner for corner, is_there in CORNERS.items() if is_there(drawn))
    assert {corner: counts[corner] for corner in CORNERS if counts[corner] < 10} == {}
