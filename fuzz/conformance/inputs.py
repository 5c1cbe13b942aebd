"""What a testee is asked about: Kafka's recorded vectors, made-up messages, future writers' bytes,
what has brought clients down, and what campaigns have kept.

The same seed gives the same inputs. They come in turns, a kind at a time each, so that a run which
time ends has seen something of all kinds.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain, zip_longest
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from ...codec import RawTaggedField, message_class
from ...codec.built_in import spec_of
from ...codec.witness import sample
from ..breaking import breakages
from ..cases import Case, write
from ..strategies import (
    assignments,
    future_bytes,
    nearly_valid_bytes,
    subscriptions,
    valid_bytes,
)
from ..strategies.futures import CONSUMER_PROTOCOL
from ..strategies.raw import case_of
from ..vectors import recorded_cases
from .trouble import kept_by_campaigns, trouble

T = TypeVar("T")

MAX_BYTES = 4096
"""Of one input: some clients take cubic time over equal keys."""


def inputs(names: Collection[str], *, seed: int) -> list[Case]:
    """The inputs for a testee that knows these messages, without repetition."""
    return list(_inputs(tuple(sorted(set(names))), seed))


@lru_cache(maxsize=4)  # several runs in one process ask for the same
def _inputs(names: tuple[str, ...], seed: int) -> tuple[Case, ...]:
    found = [one for one in recorded_cases() if one.name in names]
    main = [name for name in CONSUMER_PROTOCOL if name in names]
    others = [name for name in names if name not in main]
    if main:
        found += drawn(valid_bytes(names=main), 100, seed)
        found += drawn(_canonical(main), 80, seed)
        found += drawn(future_bytes(names=main), 80, seed)
        found += _broken(drawn(valid_bytes(names=main), 50, seed + 1), 6, seed)
        found += drawn(nearly_valid_bytes(names=main), 100, seed)
        found += [*trouble(main), *kept_by_campaigns(main), *_systematic(main)]
        found += _unfit(main)
    if others:
        valid = drawn(valid_bytes(names=others), max(60, 2 * len(others)), seed)
        found += [*valid, *_broken(valid, 3, seed)]
        found += _tagged(others)
    return tuple(_in_turns(_distinct(found), seed))


def drawn(strategy: st.SearchStrategy[T], count: int, number: int) -> list[T]:
    """`count` examples of a strategy, the same for the same number."""
    found: list[T] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(example: T) -> None:
        found.append(example)

    draw()
    return found


def _broken(cases: Iterable[Case], each: int, number: int) -> Iterator[Case]:
    """Some of the breakages of each."""
    choose = random.Random(number).sample  # noqa: S311
    for case in cases:
        ways = breakages(case)
        yield from choose(ways, min(each, len(ways)))


def _canonical(names: Collection[str]) -> st.SearchStrategy[Case]:
    made = {
        "ConsumerProtocolSubscription": subscriptions(canonical=True),
        "ConsumerProtocolAssignment": assignments(canonical=True),
    }
    return st.one_of(*(made[name] for name in names)).map(case_of)


def _systematic(names: Collection[str]) -> Iterator[Case]:
    """Every breakage of one plain message each: what the drawn ones may miss."""
    for name in names:
        for version in (1, message_class(name).LATEST):
            yield from breakages(Case(name, bytes.fromhex(_PLAIN[name][version]), None, "valid"))


_PLAIN = {
    "ConsumerProtocolSubscription": {
        1: "0001 00000002 00016f 000170 00000002 0102 00000001 00016f 00000002 00000000 00000001",
        3: "0003 00000001 00016f ffffffff 00000001 00016f 00000001 00000005 00000007 0001 72",
    },
    "ConsumerProtocolAssignment": {
        1: "0001 00000001 00016f 00000002 00000000 00000001 ffffffff",
        3: "0003 00000002 00016f 00000001 00000003 000170 00000000 00000002 0102",
    },
}


def _tagged(names: Collection[str]) -> Iterator[Case]:
    """Two tags that nobody knows, in the newest version of each flexible message."""
    tags = (RawTaggedField(tag=1000, data=b"one"), RawTaggedField(tag=1001, data=b""))
    for cls in map(message_class, names):
        if cls.LATEST in spec_of(cls).flexible:
            message = sample(cls, cls.LATEST).replace(unknown_tagged_fields=tags)
            body = cls.LATEST if cls.FRAMING.kind == "none" else None
            yield Case(cls.NAME, write(message, cls.LATEST), body, "valid", "unknown tags")


_LONG = "x" * 32_768  # a string's length is an int16
_UNFIT = {
    "ConsumerProtocolSubscription": (
        {"topics": [_LONG], "userData": None},
        {"topics": ["t"], "userData": None, "ownedPartitions": [
            {"topic": _LONG, "partitions": [0]}]},
        {"topics": ["t"], "userData": None, "ownedPartitions": [
            {"topic": "t", "partitions": [2**31]}]},
        {"topics": ["t"], "userData": None, "ownedPartitions": [], "generationId": 2**31},
    ),
    "ConsumerProtocolAssignment": (
        {"assignedPartitions": [{"topic": _LONG, "partitions": [0]}], "userData": None},
        {"assignedPartitions": [{"topic": "t", "partitions": [2**31]}], "userData": None},
    ),
}  # fmt: skip


def _unfit(names: Collection[str]) -> Iterator[Case]:
    for name in names:
        for value in _UNFIT[name]:
            version = 2 if "generationId" in value else 1 if "ownedPartitions" in value else 0
            yield Case(name, b"", version, "unfit", "a value that does not fit", value=value)


def _distinct(cases: Iterable[Case]) -> Iterator[Case]:
    seen = set()
    for case in cases:
        key = (case.name, case.data, case.version, repr(case.value))
        if key not in seen and len(case.data) <= MAX_BYTES:
            seen.add(key)
            yield case


def _in_turns(cases: Iterable[Case], number: int) -> Iterator[Case]:
    kinds: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        kinds[case.kind].append(case)
    shuffle = random.Random(number).shuffle  # noqa: S311
    for some in kinds.values():
        shuffle(some)
    rounds = zip_longest(*kinds.values())
    return (case for case in chain.from_iterable(rounds) if case is not None)
