"""The inputs for a testee: Kafka's recorded vectors, generated messages, future writers' bytes,
bytes that have broken clients, and inputs that campaigns have kept.

The same seed gives the same inputs, and the same `digest` of them, whatever else this process has
imported. Kinds take turns, so that a run that ends early has seen something of all kinds.
"""

from __future__ import annotations

import hashlib
import random
from base64 import b64encode
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ...codec import RawTaggedField, decode, message_class
from ...codec.counterexample import sample
from ...codec.runtime.registry import spec_of
from ..guarantees.cases import Case, first_versions, write
from ..guarantees.corruptions import breakages
from ..guarantees.vectors import recorded_cases
from ..strategies import assignments, future_bytes, nearly_valid_bytes, subscriptions, valid_bytes
from ..strategies.futures import CONSUMER_PROTOCOL
from ..strategies.raw import case_of
from .drawing import drawn
from .ordinary_inputs import ordinary_inputs
from .regression_inputs import kept_by_campaigns, long_behind_negative, regression_inputs

MAX_BYTES = 4096
"""The longest of the drawn inputs, in bytes: some clients take cubic time over equal keys. The
fixed ones that are longer have no equal keys.
"""


def inputs(names: Collection[str], *, seed: int) -> list[Case]:
    """Return the inputs for a testee that knows these messages, without repetition."""
    return list(_inputs(tuple(sorted(set(names))), seed))


def digest(cases: Iterable[Case]) -> str:
    """Return a digest of these inputs, by which two runs are known to have been asked the same."""
    ids = "".join(f"{case.kind} {case.id}\n" for case in cases)
    return hashlib.sha256(ids.encode()).hexdigest()[:16]


@lru_cache(maxsize=4)  # several runs in one process ask for the same
def _inputs(names: tuple[str, ...], seed: int) -> tuple[Case, ...]:
    main = [name for name in CONSUMER_PROTOCOL if name in names]
    others = [name for name in names if name not in main]
    fixed = [case for case in recorded_cases() if case.name in names]
    made: list[Case] = []
    if main:
        fixed += _fixed(main)
        made += _made(main, seed)
    if others:
        valid = drawn(valid_bytes(names=others), max(60, 2 * len(others)), seed)
        made += [*valid, *_broken(valid, 3, seed)]
        fixed += _tagged(others)
    short = (case for case in made if len(case.data) <= MAX_BYTES)
    return tuple(_in_turns(_distinct(chain(fixed, short)), seed))


def _fixed(main: Collection[str]) -> Iterator[Case]:
    """Yield the inputs of the consumer protocol that every seed has."""
    yield from regression_inputs(main)
    yield from ordinary_inputs(main)
    yield from kept_by_campaigns(main)
    yield from _systematic(main)
    yield from _unfit(main)
    yield from _written(main, "large", _LARGE)
    yield from _written(main, "valid", _TEXTS)
    yield from long_behind_negative(main)


def _made(main: Sequence[str], seed: int) -> Iterator[Case]:
    """Yield the inputs of the consumer protocol that are drawn by a seed."""
    yield from drawn(valid_bytes(names=main), 100, seed)
    yield from drawn(_canonical(main), 80, seed)
    yield from drawn(future_bytes(names=main), 80, seed)
    yield from _broken(drawn(valid_bytes(names=main), 50, seed + 1), 6, seed)
    yield from drawn(nearly_valid_bytes(names=main), 100, seed)


def _broken(cases: Iterable[Case], each: int, number: int) -> Iterator[Case]:
    """Yield some of the breakages of each case."""
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
    """Yield every breakage of one plain message each, and labels that a reader of one byte
    mistakes: inputs that the drawn ones may miss.
    """
    for name in names:
        plain = [bytes.fromhex(text) for text in _PLAIN[name]]
        message = decode(plain[-1], name).message
        assert message is not None  # what is refused raises
        newest = write(message, message.LATEST)
        for data in (plain[0], newest):
            yield from breakages(Case(name, data, None, "valid"))
        for label in (256, 257, 512):
            yield Case(name, newest, None, "version", f"the label {label}").relabelled(label)


_PLAIN = {
    "ConsumerProtocolSubscription": (
        "0001 00000002 00016f 000170 00000002 0102 00000001 00016f 00000002 00000000 00000001",
        "0003 00000001 00016f ffffffff 00000001 00016f 00000001 00000005 00000007 0001 72",
    ),
    "ConsumerProtocolAssignment": (
        "0001 00000001 00016f 00000002 00000000 00000001 ffffffff",
        "0003 00000002 00016f 00000001 00000003 000170 00000000 00000002 0102",
    ),
}


class _Written(NamedTuple):
    """The content of a message: topics, and how many partitions each has."""

    what: str
    topics: tuple[str, ...] = ("t",)
    partitions: int = 1
    user_data: int = 0
    """The length of the user data in bytes."""
    rack: str | None = None
    """Of a subscription; with a rack it is of the version that has one."""


_LARGE = (
    *(
        _Written(f"{count} partitions", partitions=count)
        for count in (255, 256, 300, 1000, 10_000, 65_537)
    ),
    _Written("300 topics", tuple(f"t{number:03}" for number in range(300))),
    *(
        _Written(f"a name of {size} bytes", ("x" * size,))
        for size in (249, 250, 255, 256, 512, 513, 1025, 32_767)
    ),
    *(
        _Written(f"user data of {size} bytes", user_data=size)
        for size in (255, 256, 32_767, 32_768, 70_000)
    ),
    *(_Written(f"a rack of {size} bytes", rack="r" * size) for size in (255, 256, 513, 32_767)),
)
"""Contents beyond what a count or length that is read too short, or a guessed limit, allows."""
_ODD = (
    ("a byte order mark", "\ufeffa"),
    ("a character in two parts", "e\u0301"),
    ("a space in front", " a"),
    ("a space behind", "a "),
    ("a tab in front, a line end behind", "\ta\n"),
    ("wide spaces around", "\u00a0a\u3000"),
    ("nothing but a space", " "),
    ("capitals", "Orders"),
    ("a number", "007"),
    ("the word null", "null"),
    ("a quote and a backslash", '"\\'),
    ("a percent sign", "%41"),
    ("a comma and a colon", "a,b:c"),
    ("beyond the first plane", "\U0001d11e"),
)
_TEXTS = (
    *(_Written(f"a name with {what}", (text, "t")) for what, text in _ODD),
    *(_Written(f"a rack with {what}", rack=text) for what, text in _ODD),
    _Written("topics that differ in case", ("orders", "Orders")),
    _Written("topics in no order", ("b", "c", "a")),
)
"""Valid text that libraries change by default: by trimming, normalising, parsing, escaping."""
_ENTRIES = ("ownedPartitions", "assignedPartitions")


def _written(names: Collection[str], kind: str, rows: Iterable[_Written]) -> Iterator[Case]:
    """Yield messages of version 1, which has all fields but those of rows with a rack."""
    for cls in map(message_class, names):
        known = first_versions(cls)
        for what, topics, partitions, size, rack in rows:
            if rack is not None and "rackId" not in known:
                continue
            entries = [{"topic": topic, "partitions": [*range(partitions)]} for topic in topics]
            data = bytes(number % 251 for number in range(size))  # what is shifted shows
            value: dict[str, Any] = dict.fromkeys(_ENTRIES, entries)
            value |= {"topics": topics, "userData": b64encode(data).decode() or None}
            value |= {"rackId": rack, "generationId": 7}
            version = 1 if rack is None else known["rackId"]
            given = {key: value[key] for key in value if known.get(key, version + 1) <= version}
            message = cls.from_json(given, version)
            yield Case(cls.NAME, write(message, version), None, kind, what)


def _tagged(names: Collection[str]) -> Iterator[Case]:
    """Yield the newest version of each flexible message with two unknown tagged fields."""
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
    """Yield each input once, and no two with the same id."""
    seen = set()
    for case in cases:
        if case.id not in seen:
            seen.add(case.id)
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
