"""The corners that the page promises are drawn: each in ten of a thousand examples or more."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from kproto.fuzz.strategies import Given, assignments, subscriptions

STRATEGIES = {"subscriptions": subscriptions, "assignments": assignments}
PAGE = Path(__file__).parents[2] / "docs/reference/api/fuzz.md"
LEAST = 10  # of a thousand
_ROW = re.compile(r"^\| ([^|]+?) \| ([0-9]+) \| ([0-9]+) \|$", re.MULTILINE)


class Example(NamedTuple):
    """The names, the lists of partitions and the user data of a message."""

    names: list[str]
    partitions: list[list[int]]
    data: bytes | None
    version: int

    @classmethod
    def of(cls, sample: Given) -> Example:
        message: Any = sample.message
        entries = getattr(message, "owned_partitions", None)
        if entries is None:
            entries = message.assigned_partitions
        names = getattr(message, "topics", None) or [entry.topic for entry in entries]
        partitions = [list(entry.partitions) for entry in entries]
        return cls(list(names), partitions, message.user_data, sample.version)


def _script(word: str) -> Callable[[Example], bool]:
    return lambda example: any(
        unicodedata.name(char, "").startswith(word) for name in example.names for char in name
    )


def _sizes(low: int, high: int) -> Callable[[Example], bool]:
    return lambda example: any(low <= len(name.encode()) <= high for name in example.names)


def _data(low: int, high: int) -> Callable[[Example], bool]:
    return lambda example: example.data is not None and low <= len(example.data) <= high


def _holds(partition: int) -> Callable[[Example], bool]:
    return lambda example: any(partition in partitions for partitions in example.partitions)


def _one_text_twice(example: Example) -> bool:
    forms = Counter(unicodedata.normalize("NFC", name) for name in set(example.names))
    return any(count > 1 for count in forms.values())


def _descend(items: list[Any]) -> bool:
    return any(first > second for first, second in pairwise(items))


CORNERS: dict[str, Callable[[Example], bool]] = {
    "an empty name": _sizes(0, 0),
    "a name of 1 byte": _sizes(1, 1),
    "a name of 2 to 130": _sizes(2, 130),
    "a name of 131 to 249": _sizes(131, 249),
    "a name of 250 to 512": _sizes(250, 512),
    "a name of 513 and more": _sizes(513, 32_767),
    "a name of 32,767": _sizes(32_767, 32_767),
    "a name composed and decomposed": _one_text_twice,
    "a name that is a number": lambda example: any(
        name.isascii() and name.isdecimal() for name in example.names
    ),
    "an Arabic name": _script("ARABIC"),
    "a Chinese name": _script("CJK"),
    "a character beyond 16 bits": lambda example: any(
        ord(char) > 0xFFFF for name in example.names for char in name
    ),
    "names that descend": lambda example: _descend(example.names),
    "a name twice": lambda example: len(set(example.names)) < len(example.names),
    "partition 0": _holds(0),
    "partition 2147483647": _holds(2**31 - 1),
    "a negative partition": lambda example: any(min(p, default=0) < 0 for p in example.partitions),
    "partition -1": _holds(-1),
    "partitions that descend": lambda example: any(map(_descend, example.partitions)),
    "a partition twice": lambda example: any(len(set(p)) < len(p) for p in example.partitions),
    "no partition": lambda example: any(not p for p in example.partitions),
    "no user data": lambda example: example.data is None,
    "user data of 0 bytes": _data(0, 0),
    "user data of 1 to 127": _data(1, 127),
    "user data of 128 to 255": _data(128, 255),
    "user data of 256 to 4,095": _data(256, 4095),
    "user data of 4,096 to 32,767": _data(4096, 32767),
    "user data of 32,768 and more": _data(32768, 1 << 20),
    "user data of 64 KiB": _data(65_536, 65_536),
    "version 0": lambda example: example.version == 0,
    "version 1": lambda example: example.version == 1,
    "version 2": lambda example: example.version == 2,
    "version 3": lambda example: example.version == 3,
}


def draw(name: str, count: int) -> list[Example]:
    """Draw as a test does, with the health checks on."""
    examples: list[Example] = []

    @settings(
        max_examples=count, database=None, deadline=None, phases=[Phase.generate],
        derandomize=True, suppress_health_check=[HealthCheck.too_slow],  # on a busy machine
    )  # fmt: skip
    @given(STRATEGIES[name]())
    def note(sample: Given) -> None:
        examples.append(Example.of(sample))

    note()
    return examples


def documented() -> dict[str, tuple[int, int]]:
    """Return the rates of the page: of a thousand subscriptions, and of assignments."""
    rows = _ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {
        corner: (int(subscription), int(assignment)) for corner, subscription, assignment in rows
    }


def test_the_page_names_every_corner() -> None:
    assert list(documented()) == list(CORNERS)


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_corner_is_drawn_as_often_as_the_page_says(name: str) -> None:
    counts: Counter[str] = Counter()
    for example in draw(name, 1000):
        counts.update(corner for corner, is_there in CORNERS.items() if is_there(example))
    column = list(STRATEGIES).index(name)
    least = {corner: max(LEAST, rates[column] // 3) for corner, rates in documented().items()}
    assert {corner: counts[corner] for corner in CORNERS if counts[corner] < least[corner]} == {}
