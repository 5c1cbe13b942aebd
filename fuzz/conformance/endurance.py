"""What one answer does not show: memory that grows over a run, time that grows with the square.

The same few questions are asked over and over, and messages of a size n and 4 n. What is found is
an incident of the adapter, under the guarantee that time and memory are in proportion.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from ...codec import Message, VersionedMessage, message_class
from ..guarantees.cases import Case, write
from ..subject import CONSUMER_PROTOCOL, Failed, Failure
from .remote import TIME_UP, Incident, Remote, Took

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
_ROUNDS = 4
"""How often both are measured before it is said that the second takes too long."""
_SMALL_FIRST = 3  # times that the first is measured in a round: noise in it would hide the square
_PATIENCE = 4
"""How many times as long as any other reply the reply to such a message may take."""
_LEAK = "Keep no reference to the bytes, or to what was read, after the answer."
_SQUARE = (
    "Append to a list instead of copying it, and look an entry up in a map instead of searching "
    "the list."
)


def endurance(remote: Remote, cases: Sequence[Case], pairs: Iterable[SizePair]) -> list[str]:
    """Ask until it is known whether the adapter grows, and whether the second of a pair takes too
    long, and note what was found as incidents. Return what could not be measured, and why.
    """
    if "decode" not in remote.hello.ops:
        return []
    remote.kind = "valid"
    _growth(remote, [case for case in cases if case.name in remote.hello.names])
    unclear = _square(remote, pairs)
    if remote.out_of_time:
        return [f"growth, over a run and with the length of inputs: {TIME_UP}"]
    return [unclear] if unclear else []


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
    remote.incidents.append(Incident(_IN_PROPORTION, few[0], complaint, _LEAK))


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


class SizePair(NamedTuple):
    """A message of a size, and one of `_TIMES` that size."""

    unit: str
    small: Case
    large: Case


def pairs_of(names: Collection[str], cases: Collection[Case] | None = None) -> list[SizePair]:
    """Return the pairs of the messages with these names; of those alone that are among the cases,
    if cases are given.
    """
    pairs = (pair for name in CONSUMER_PROTOCOL if name in names for pair in _pairs_of(name))
    ids = None if cases is None else {case.id for case in cases}
    return [pair for pair in pairs if ids is None or ids & {pair.small.id, pair.large.id}]


@cache  # several runs in one process ask for the same
def _pairs_of(name: str) -> tuple[SizePair, ...]:
    cls = message_class(name)
    return tuple(
        SizePair(
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


def _square(remote: Remote, pairs: Iterable[SizePair]) -> str:
    """Note the first pair of which the second takes too long as an incident: one is enough. Return
    what cannot be told from the time of a busy machine; "" if all can.
    """
    unclear = ""
    for pair in pairs:
        small, large = _least_of_both(remote, pair)
        if _is_square(small, large):
            complaint = _complaint(pair, small, large)
            remote.incidents.append(Incident(_IN_PROPORTION, pair.large, complaint, _SQUARE))
            return ""
        if _too_long(small.seconds, large.seconds):
            unclear = unclear or _unclear(pair, small, large)
    return unclear


def _least_of_both(remote: Remote, pair: SizePair) -> tuple[Took, Took]:
    """Return the least times of both messages, measured in turns until they are in proportion."""
    small = large = Took(math.inf, None)
    for number in range(_ROUNDS):
        for _ in range(_SMALL_FIRST):
            small = _less(small, _took(remote, pair.small))
        large = _less(large, _took(remote, pair.large))
        if not (_is_square(small, large) or _too_long(small.seconds, large.seconds)):
            break
        if number and large.seconds >= _patience(remote):  # it hung twice, which is enough
            break
    return small, large


def _less(first: Took, second: Took) -> Took:
    used = [used for used in (first.used, second.used) if used is not None]
    return Took(min(first.seconds, second.seconds), min(used, default=None))


def _is_square(small: Took, large: Took) -> bool:
    """Return whether the second takes too long: by the time in which the adapter had a processor,
    which other processes do not lengthen, where that is known.
    """
    if small.used is None or large.used is None:
        return _too_long(small.seconds, large.seconds)
    return _too_long(small.used, large.used)


def _too_long(small: float, large: float) -> bool:
    return large > max(_LEAST_SECONDS, _MOST * max(small, _NOISE))


def _complaint(pair: SizePair, small: Took, large: Took) -> str:
    is_used = small.used is not None and large.used is not None
    few, many = (took.used if is_used and took.used else took.seconds for took in (small, large))
    time = "processor time" if is_used else "time"
    return (
        f"{many:.1f} s for {pair.unit}, {few:.2f} s for a quarter of them: "
        f"{many / max(few, _NOISE):.0f} times the {time} for {_TIMES} times the bytes"
    )


def _unclear(pair: SizePair, small: Took, large: Took) -> str:
    return (
        f"time with the length of inputs: {pair.unit} took {large.seconds:.1f} s and a quarter of "
        f"them {small.seconds:.2f} s, but the program had a processor for {large.used or 0:.2f} s "
        f"of it, so either it waits, or the machine is busy: ask again with --guarantee "
        f"{_IN_PROPORTION} --input {pair.large.id}"
    )


def _took(remote: Remote, case: Case) -> Took:
    """Return the time of an answer: what it was given if it did not answer in time, none if it does
    not read such a message at all.
    """
    answer = remote.measured(case, _patience(remote))
    if isinstance(answer, Took):
        return answer
    is_hang = isinstance(answer, Failed) and answer.how is Failure.HANG
    return Took(_patience(remote) if is_hang else 0.0, None)


def _patience(remote: Remote) -> float:
    return _PATIENCE * remote.limits.reply_seconds
