"""Who owns which partition or task of a group, and for how long nobody did.

A part is (topic, partition); the topic is a name, or an id where the protocol has ids. A task of
Kafka Streams is (sub-topology, partition). Times are in milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

__all__ = ["Downtime", "Interval", "Ownership", "Part", "Parts"]

Part = tuple[str | UUID, int]
Parts = frozenset[Part]
NONE: Parts = frozenset()


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

    total: float
    times: int
    longest: Interval
    since: float | None


class Ownership:
    """Owners of the parts of one group. Members of share groups own parts together."""

    def __init__(self) -> None:
        self._of: dict[str, Parts] = {}
        self._owners: dict[Part, int] = {}
        self._since: dict[Part, float] = {}
        self._gaps: dict[Part, list[Interval]] = {}
        self._idle_since: float | None = None

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
                self._gaps.setdefault(part, []).append(Interval(since, when))
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
            self._idle_since = when
        return None

    @property
    def idle_since(self) -> float | None:
        """Since when nobody owns any part, of those that were owned before."""
        return self._idle_since

    def owners(self, part: Part) -> list[str]:
        """Return the members that own a part."""
        return [member for member, parts in self._of.items() if part in parts]

    def downtimes(self) -> Iterator[tuple[Part, Downtime]]:
        """Yield the parts that were without an owner for a while, or still are."""
        for part in {**self._gaps, **self._since}:
            gaps = self._gaps.get(part, [])
            longest = max(gaps, key=lambda gap: gap.length, default=Interval(0, 0))
            total = sum(gap.length for gap in gaps)
            yield part, Downtime(total, len(gaps), longest, self._since.get(part))
