"""What is produced and what is processed: how far each partition is, and who has read it.

Records arrive evenly. A member reads what is there of what it owns, up to max.poll.records, and
goes on from the last committed offset when a partition comes to it: what was processed and not
committed is processed again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from math import inf

from ...assignments import Partition


@dataclass(frozen=True)
class Load:
    """How much is produced, and how fast members are."""

    records_per_second: float = 100.0
    """Of each partition."""
    capacity_per_second: float = 1_000.0
    """What one member can process."""
    max_poll_records: int = 500
    linger_ms: float = 100.0
    """A poll waits so long for more records."""


@dataclass
class Workload:
    """The offsets of all partitions."""

    load: Load
    born: dict[Partition, float] = field(default_factory=dict)
    committed: dict[Partition, float] = field(default_factory=dict)
    furthest: dict[Partition, float] = field(default_factory=dict)
    """How far anybody has processed."""
    processed: float = 0.0
    """Records, those that were processed twice counted twice."""

    def produced(self, partition: Partition, now: float) -> float:
        """Return the end of its log."""
        return max(0.0, now - self.born[partition]) / 1000 * self.load.records_per_second

    def begin(self, now: float) -> None:
        """Nothing is produced before the group is there, so that its start costs nothing."""
        for partition, born in self.born.items():
            self.born[partition] = now if born == inf else born

    def available(self, positions: dict[Partition, float], now: float) -> dict[Partition, float]:
        """Return what can be read, at most max.poll.records of it, evenly."""
        there = {
            one: self.produced(one, now) - at for one, at in positions.items() if one in self.born
        }
        total = sum(there.values())
        share = min(1.0, self.load.max_poll_records / total) if total else 0.0
        return {one: many * share for one, many in there.items() if many * share > 0}

    def process(self, read: dict[Partition, float], positions: dict[Partition, float]) -> None:
        """A batch is through."""
        for one, many in read.items():
            if one in positions:
                positions[one] += many
                self.furthest[one] = max(self.furthest.get(one, 0.0), positions[one])
            self.processed += many

    def commit(self, offsets: dict[Partition, float]) -> None:
        """The coordinator has taken a commit."""
        self.committed.update(offsets)

    def behind(self, partitions: Collection[Partition], now: float) -> float:
        """Records that nobody has processed yet."""
        return sum(self.produced(one, now) - self.furthest.get(one, 0.0) for one in partitions)

    @property
    def twice(self) -> float:
        """Records that were processed more than once."""
        return self.processed - sum(self.furthest.values())
