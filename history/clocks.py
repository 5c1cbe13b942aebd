"""The clocks of sources: how far each is from that of one of them, by events that both saw.

A client learns of a generation after its coordinator made it, and says that it leaves before the
coordinator notes it. So each event that both wrote down bounds the difference of their clocks from
one side. Where both sides are bounded, the difference lies between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal, NamedTuple, TypeAlias

from ..capture.logs.event import LogEvent

__all__ = ["Clock", "LogSource", "set_clocks"]

Zone: TypeAlias = Literal["stated", "assumed", "estimated"]
DAY_MS = 86_400_000.0
_QUARTER_MS = 900_000.0
_NEAR_MS = 120_000.0
"""How far from a whole quarter of an hour a difference of zones may seem."""
_SAME_MS = 2_000.0
"""Clocks that seem to differ by less are taken as one: lines are that late."""
_ALL_LATE = 3
"""Lines of which at least one is not late: an application does not poll late again and again."""
_AT_ONCE = frozenset({"librdkafka", "kafka-go", "kafkajs", "franz-go", "sarama", "aiokafka"})
"""Programs whose lines do not wait until the application polls."""

# What a client writes after its coordinator, and before it: the coordinator's event for each.
_LATER = {
    "member-id-given": "joins", "joined": "stabilized", "assigned": "leader-assigns",
    "joined-and-synced": "leader-assigns", "member-state": "epoch-bumped", "epoch": "epoch-bumped",
}  # fmt: skip
_EARLIER = {"leader-assigns": "leader-assigns", "leaves": "leaves", "joins": "joins"}
_BY_GENERATION = frozenset({"stabilized", "leader-assigns", "joined", "assigned", "epoch-bumped"})
_AGAIN = frozenset({"epoch-bumped", "first-assigned"})
"""Events of the coordinator that a client may note several times, the first time at once."""
_FIRST = "first-assigned"
"""The first assignment after a member has joined: of clients that tell no generation."""


class Clock(NamedTuple):
    """What is taken of a source's clock: `offset_ms` was taken off its times, and may be wrong by
    `error_ms` (None where nothing tells)."""

    source: str
    zone: Zone = "assumed"
    offset_ms: float = 0.0
    error_ms: float | None = None


@dataclass(slots=True)
class LogSource:
    """A log: its name, and its events in the order of its lines, with a time for each in
    milliseconds since the epoch; None where the source names no date."""

    name: str
    events: list[LogEvent] = field(default_factory=list)
    times: list[float | None] = field(default_factory=list)
    clock: Clock = field(default_factory=lambda: Clock(""))
    is_dated: bool = False
    """Whether its times are since the epoch, by its own dates or by another source's."""
    groups: set[str] = field(default_factory=set)
    """The groups that its lines are about, once the timelines are made."""


def set_clocks(sources: Sequence[LogSource], *, zone_ms: float | None = None) -> None:
    """Give the events of all sources times on one clock. `zone_ms`: how far the zone of sources
    that name none is from UTC."""
    for source in sources:
        _read_times(source, zone_ms)
    reference = _reference(sources)
    if reference is None:
        return
    marks = _marks(reference)
    for source in sources:
        if source is not reference:
            _align(source, reference, marks)


def _read_times(source: LogSource, zone_ms: float | None) -> None:
    is_zoned = any(event.stamp.has_zone for event in source.events)
    source.clock = Clock(source.name, "stated" if is_zoned or zone_ms is not None else "assumed")
    source.is_dated = any(event.stamp.has_date and event.stamp.has_year for event in source.events)
    source.times = []
    for event in source.events:
        stamp = event.stamp
        value = stamp.milliseconds
        if value is None or not stamp.has_date:
            source.times.append(value)
            continue
        if not stamp.has_zone and zone_ms is not None:
            value -= zone_ms
        source.times.append(value)
    if all(event.stamp.has_date for event in source.events):
        return
    _count_days(source)


def _count_days(source: LogSource) -> None:
    """Times of day go on after midnight."""
    days, last = 0.0, None
    for at, (event, value) in enumerate(zip(source.events, source.times, strict=True)):
        if value is None or event.stamp.has_date:
            continue
        if last is not None and value + DAY_MS / 2 < last:
            days += DAY_MS
        last = value
        source.times[at] = value + days


def _reference(sources: Sequence[LogSource]) -> LogSource | None:
    """The source whose clock counts: a broker's before a client's, one with dates and a zone before
    others, and of these the one with the most events."""
    candidates = sorted(
        (source for source in sources if source.events), key=lambda source: source.name
    )
    return max(
        candidates,
        key=lambda source: (
            source.is_dated,
            any(event.side == "broker" for event in source.events),
            source.clock.zone == "stated",
            len(source.events),
        ),
        default=None,
    )


_Mark: TypeAlias = tuple[str, str, str | int]


def _key(event: LogEvent, word: str) -> _Mark | None:
    if word in _BY_GENERATION and event.generation >= 0:
        return (event.group, word, event.generation)
    if word in _BY_GENERATION:
        word = _FIRST if event.event == "joined-and-synced" else ""
    return (event.group, word, event.member) if word and event.member else None


def _marks(reference: LogSource) -> Mapping[_Mark, float]:
    """The times of the events that others may have seen, too, of those that happened once: a member
    of a group whose broker assigns keeps its id when it comes back."""
    marks: dict[_Mark, float] = {}
    again: set[_Mark] = set()
    for event, time in zip(reference.events, reference.times, strict=True):
        key = _key(event, event.event)
        if key is None or time is None:
            continue
        if key in marks and abs(marks[key] - time) > _SAME_MS:
            again.add(key)
        marks.setdefault(key, time)
    marks |= _first_assignments(reference)
    return {key: time for key, time in marks.items() if key not in again}


def _first_assignments(reference: LogSource) -> dict[_Mark, float]:
    """When each member had its first assignment, as far as no line between is missing: that it
    joined, that the group rebalanced, and that the leader assigned in that generation."""
    marks: dict[_Mark, float] = {}
    newcomers: dict[str, set[str]] = {}
    began: dict[str, int] = {}
    for event, time in zip(reference.events, reference.times, strict=True):
        group = event.group
        if event.event == "joins" and event.member:
            newcomers.setdefault(group, set()).add(event.member)
        elif event.event == "rebalance-began":
            began[group] = event.generation
        elif event.event == "leader-assigns" and time is not None:
            if began.pop(group, -1) == event.generation:
                marks |= {(group, _FIRST, member): time for member in newcomers.get(group, ())
                          if (group, _FIRST, member) not in marks}  # fmt: skip
            newcomers.pop(group, None)
    return marks


def _align(source: LogSource, reference: LogSource, marks: Mapping[_Mark, float]) -> None:
    by_broker = any(event.side == "broker" for event in reference.events)
    later, earlier = _bounds(source, marks) if by_broker else _among_clients(source, marks)
    if not source.is_dated and (later or earlier or reference.is_dated):
        source.is_dated = reference.is_dated
        day = _day_of(source, reference, [*later, *earlier])
        source.times = [None if time is None else time + day for time in source.times]
        later, earlier = [time + day for time in later], [time + day for time in earlier]
    if not later and not earlier:
        return
    low, high = max(earlier, default=None), min(later, default=None)
    if low is not None and high is not None and low > high + _SAME_MS:
        low = None  # a later join of the same member: the line of the first one is missing
    if low is not None and high is not None:
        offset, error = (low + high) / 2, abs(high - low) / 2
        is_same = low <= _SAME_MS and high >= -_SAME_MS and abs(offset) < _NEAR_MS
    else:
        offset = high if high is not None else low or 0.0
        error = _SAME_MS
        is_written_late = len(later) < _ALL_LATE and not _writes_at_once(source)
        is_late = high is not None and 0 <= offset < _NEAR_MS and is_written_late
        is_same = abs(offset) <= _SAME_MS or is_late
    if is_same:
        source.clock = source.clock._replace(error_ms=error)
        return
    zone = source.clock.zone
    quarters = _whole_quarters(offset)
    if zone == "assumed" and quarters and abs(offset - quarters) <= _NEAR_MS:
        zone = "estimated"
        offset = quarters if abs(offset - quarters) <= _SAME_MS else offset
    source.clock = source.clock._replace(zone=zone, offset_ms=offset, error_ms=error)
    source.times = [None if time is None else time - offset for time in source.times]


def _whole_quarters(offset: float) -> float:
    """Return the whole quarters of an hour that are next to a time: zones differ by these."""
    return round(offset / _QUARTER_MS) * _QUARTER_MS


def _writes_at_once(source: LogSource) -> bool:
    return all(event.family in _AT_ONCE for event in source.events)


def _bounds(source: LogSource, marks: Mapping[_Mark, float]) -> tuple[list[float], list[float]]:
    """How much later, and how much earlier, a client has written what its coordinator has."""
    if any(event.side == "broker" for event in source.events):
        return [], []
    later = _differences(source, marks, _LATER)
    return later, _differences(source, marks, _EARLIER)


def _differences(
    source: LogSource, marks: Mapping[_Mark, float], words: Mapping[str, str]
) -> list[float]:
    """The differences of the events that the source, too, has once."""
    times: dict[_Mark, list[float]] = {}
    for event, time in zip(source.events, source.times, strict=True):
        word = words.get(event.event)
        key = None if word is None or time is None else _key(event, word)
        if key in marks and time is not None:
            times.setdefault(key, []).append(time)  # type: ignore[arg-type]
    return [
        min(own) - marks[key] for key, own in times.items()
        if max(own) - min(own) <= _SAME_MS or key[1] in _AGAIN
    ]  # fmt: skip


def _among_clients(
    source: LogSource, marks: Mapping[_Mark, float]
) -> tuple[list[float], list[float]]:
    """Members of a group are answered at about the same time: the middle of the differences. Where
    they differ, a static member came back without a rebalance, into a generation that others had
    joined before: the difference counts that is next to that of two zones."""
    differences = [
        time - marks[key]  # type: ignore[index]
        for event, time in zip(source.events, source.times, strict=True)
        if time is not None
        and event.event in ("joined", "assigned")
        and (key := _key(event, event.event)) in marks
    ]
    if not differences:
        return [], []
    middle = median(differences)
    if max(differences) - min(differences) > _SAME_MS:
        middle = min(differences, key=lambda time: abs(time - _whole_quarters(time)))
    return [middle], [middle]


def _day_of(source: LogSource, reference: LogSource, differences: Sequence[float]) -> float:
    """Whole days between the times of a source without dates and those of the reference."""
    if differences:
        return -round(median(differences) / DAY_MS) * DAY_MS
    first = next((time for time in source.times if time is not None), None)
    start = next((time for time in reference.times if time is not None), None)
    if first is None or start is None or not reference.is_dated:
        return 0.0
    return round((start - first) / DAY_MS) * DAY_MS
