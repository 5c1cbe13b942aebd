"""Who owns which partition or task of a group, and for how long nobody did.

A part is (topic, partition); the topic is a name, or an id where the protocol has ids. A task of
Kafka Streams is (sub-topology, partition). Times are in milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple
from uuid import UUID

__all__ = ["NONE", "Downtime", "Interval", "Ownership", "Part", "Parts", "parts_of"]

Part = tuple[str | UUID, int]
Parts = frozenset[Part]
NONE: Parts = frozenset()
MAX_PARTS = 100_000
"""Parts of one message that are looked at, the first ones."""


def parts_of(topics: Iterable[tuple[str | UUID, Iterable[int]]]) -> Parts:
    """Return the parts of topics, or of sub-topologies, and their numbers."""
    parts = ((topic, number) for topic, numbers in topics for number in numbers)
    return frozenset(islice(parts, MAX_PARTS))


class Interval(NamedTuple):
    """A time from `start` to `end`."""

    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start


class Downtime(NamedTuple):
    """The sum of the times in which nobody owned a part, their number, and the longest of them.
    `since`: nobody owns it now."""

    total: float = 0
    times: int = 0
    longest: Interval = Interval(0, 0)
    since: float | None = None

    def plus(self, gap: Interval) -> Downtime:
        """Return the downtime with another time."""
        longest = max(self.longest, gap, key=lambda interval: interval.length)
        return Downtime(self.total + gap.length, self.times + 1, longest)


_NEVER = Downtime()


class Ownership:
    """Owners of the parts of one group. Members of share groups own parts together."""

    def __init__(self) -> None:
        self._of: dict[str, Parts] = {}
        self._owners: dict[Part, int] = {}
        self._since: dict[Part, float] = {}
        self._down: dict[Part, Downtime] = {}
        self._idle_since: float | None = None
        self._released = 0.0  # when a part was given up last: it may be told later, for earlier

    def of(self, member: str) -> Parts:
        """Return what a member owns."""
        return self._of.get(member, NONE)

    def give(self, member: str, parts: Parts, when: float) -> Interval | None:
        """Set what a member owns from now on. Return the time in which nobody owned any part, if it
        ends with this."""
        old = self._of.get(member, NONE)
        if parts:
            self._of[member] = parts
        else:
            self._of.pop(member, None)
        for part in parts - old:
            self._owners[part] = self._owners.get(part, 0) + 1
            since = self._since.pop(part, None)
            if since is not None:
                self._down[part] = self._down.get(part, _NEVER).plus(Interval(since, when))
        if old - parts:
            self._released = max(self._released, when)
        for part in old - parts:
            self._owners[part] -= 1
            if not self._owners[part]:
                del self._owners[part]
                self._since[part] = when
        return self._note_idle(old, when)

    def _note_idle(self, old: Parts, when: float) -> Interval | None:
        if self._owners:
            since, self._idle_since = self._idle_since, None
            return None if since is None else Interval(since, when)
        if old:
            self._idle_since = self._released
        return None

    @property
    def size(self) -> int:
        """The number of parts that are remembered."""
        return len(self._owners) + len(self._since) + len(self._down)

    def downtimes(self) -> Iterator[tuple[Part, Downtime]]:
        """Yield the parts that were without an owner for a while, or still are."""
        for part in {**self._down, **self._since}:
            yield part, self._down.get(part, _NEVER)._replace(since=self._since.get(part))
