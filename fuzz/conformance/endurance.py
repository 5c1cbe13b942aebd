"""What one answer does not show: memory that grows over a run, time that grows with the square.

The same few questions are asked over and over, and messages of a size n and 4 n. What is found is
an incident of the adapter, under the guarantee that time and memory are in proportion.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from ...codec import Message, VersionedMessage, message_class
from ..guarantees.cases import Case, write
from ..subject import CONSUMER_PROTOCOL, Failed, Failure
from .remote import Incident, Remote

_IN_PROPORTION = "G02"
_SHORT = 400
"""The longest input, in bytes, that is asked over and over."""
_SORTS = 12
_WARM_UP = 64  # questions
_ROUND = 256  # questions
_LEAST = 48  # questions of a round that ends because its time is over
_ROUND_SECONDS = 6.0
_GROWTH, _GROWTH_OF_RUNTIMES = 16 << 20, 96 << 20
"""Bytes by which a process may grow in a round; the second is for those that collect garbage when
they like.
"""

_TIMES = 4
"""How many times as large as the first the second message is."""
_MOST = 2 * _TIMES
"""How many times as long the second may take: a square would be `_TIMES` squared."""
_LEAST_SECONDS = 0.4  # below which nothing is said of the second
_NOISE = 0.02  # seconds, as which a shorter time of the first counts
_TRIES = 3
_PATIENCE = 4
"""How many times as long as any other reply the reply to such a message may take."""


def endurance(remote: Remote, cases: Sequence[Case]) -> bool:
    """Ask until it is known whether the adapter grows, and note what was found as incidents. Return
    whether there was time for all of it.
    """
    if "decode" not in remote.hello.ops:
        return True
    remote.kind = "valid"
    _growth(remote, [case for case in cases if case.name in remote.hello.names])
    any(_square(remote, pair) for pair in _pairs(remote.hello.names))  # one is enough
    return not remote.out_of_time


# -- memory over a run


def _growth(remote: Remote, cases: Sequence[Case]) -> None:
    few = _one_of_each(cases)
    if not few or remote.resident is None:
        return
    remote.restart()
    grown = [_grown_in(remote, few, _WARM_UP)]
    allowed = _GROWTH_OF_RUNTIMES if remote.watched else _GROWTH
    for _ in range(2):  # a heap may grow once, to where it stays
        growth = _grown_in(remote, few, _ROUND)
        if growth is None or growth.size <= allowed:
            return
        grown.append(growth)
    last = grown[-1]
    assert last is not None
    complaint = (
        f"grew by {last.size >> 20} MiB over {last.questions} questions, "
        f"{last.size / last.questions / (1 << 20):.1f} MiB each, and by as much before"
    )
    remote.incidents.append(Incident(_IN_PROPORTION, few[0], complaint))


def _one_of_each(cases: Sequence[Case]) -> list[Case]:
    """Return a short input of each kind, for what is refused may be kept, too."""
    cases_by_kind: dict[str, Case] = {}
    for case in sorted(cases, key=lambda case: (len(case.data), case.data)):
        if case.value is None and 4 < len(case.data) <= _SHORT:
            cases_by_kind.setdefault(case.kind, case)
    return sorted(cases_by_kind.values(), key=lambda case: case.kind != "valid")[:_SORTS]


class _Grown(NamedTuple):
    """Resident bytes that so many questions have added."""

    size: int
    questions: int


def _grown_in(remote: Remote, few: Sequence[Case], count: int) -> _Grown | None:
    """Return by how much the adapter grew over the questions; None if it did not live to tell."""
    start, end = remote.resident, time.monotonic() + _ROUND_SECONDS
    for number in range(count):
        if isinstance(remote.again(few[number % len(few)]), Failed):
            return None
        if number >= _LEAST and time.monotonic() > end:
            count = number + 1
            break
    resident = remote.resident
    return None if start is None or resident is None else _Grown(resident - start, count)


# -- time


class _Pair(NamedTuple):
    """A message of a size, and one of `_TIMES` that size."""

    unit: str
    small: Case
    large: Case


def _pairs(names: frozenset[str]) -> Iterator[_Pair]:
    for name in CONSUMER_PROTOCOL:
        if name in names:
            yield from _pairs_of(name)


@cache  # several runs in one process ask for the same
def _pairs_of(name: str) -> tuple[_Pair, ...]:
    cls = message_class(name)
    return tuple(
        _Pair(
            f"{_TIMES * count:,} {unit}",
            _case(cls, fields(count)),
            _case(cls, fields(_TIMES * count)),
        )
        for unit, count, fields in _SIZES[name]
    )


def _case(cls: type[Message], fields: dict[str, Any]) -> Case:
    assert issubclass(cls, VersionedMessage)
    return Case(cls.NAME, write(cls(**fields), 1), None, "large", "of a size")


def _names(count: int) -> list[str]:
    return [f"t{number}" for number in range(count)]


def _entries(field: str, topics: int, partitions: int) -> dict[str, Any]:
    cls = message_class(_NAME_OF[field])
    part: Any = getattr(cls, "TopicPartition")  # noqa: B009  # its type is not that of the base
    numbers = range(partitions)
    return {field: [part(topic=topic, partitions=numbers) for topic in _names(topics)]}


_SUBSCRIPTION, _ASSIGNMENT = CONSUMER_PROTOCOL
_NAME_OF = {"owned_partitions": _SUBSCRIPTION, "assigned_partitions": _ASSIGNMENT}
_Fields = Callable[[int], dict[str, Any]]


def _of_entries(field: str) -> tuple[tuple[str, int, _Fields], ...]:
    return (
        ("partitions of a topic", 10_000, lambda n: _entries(field, 1, n)),
        ("topics with a partition each", 10_000, lambda n: _entries(field, n, 1)),
    )


_SIZES: dict[str, tuple[tuple[str, int, _Fields], ...]] = {
    _SUBSCRIPTION: (
        ("topics", 10_000, lambda n: {"topics": _names(n)}),
        ("bytes of user data", 125_000, lambda n: {"topics": ["t"], "user_data": bytes(n)}),
        *_of_entries("owned_partitions"),
    ),
    _ASSIGNMENT: _of_entries("assigned_partitions"),
}
"""By message: what there is much of, how much, and the fields with so much of it."""


def _square(remote: Remote, pair: _Pair) -> bool:
    """Return whether time grows with the square, and note that as an incident."""
    small = large = 0.0
    for tries in (1, _TRIES):
        # A small one that other processes disturb would hide the square.
        small, large = _seconds(remote, pair.small, _TRIES), _seconds(remote, pair.large, tries)
        if not _too_long(small, large):
            return False
    complaint = (
        f"{large:.1f} s for {pair.unit}, {small:.2f} s for a quarter of them: "
        f"{large / max(small, _NOISE):.0f} times the time for {_TIMES} times the bytes"
    )
    remote.incidents.append(Incident(_IN_PROPORTION, pair.large, complaint))
    return True


def _too_long(small: float, large: float) -> bool:
    return large > max(_LEAST_SECONDS, _MOST * max(small, _NOISE))


def _seconds(remote: Remote, case: Case, tries: int) -> float:
    """Return the least seconds of some tries: those that it was given if it did not answer in time,
    0 if it does not read such a message at all.
    """
    allowed = _PATIENCE * remote.limits.reply_seconds
    times = []
    for _ in range(tries):
        took = remote.measured(case, allowed)
        if not isinstance(took, float):
            hung = isinstance(took, Failed) and took.how is Failure.HANG
            return allowed if hung else 0.0
        times.append(took)
    return min(times)
