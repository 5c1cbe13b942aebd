"""Production and processing of records: how far each partition is, and what was read of it.

Records arrive evenly. A member reads what is available of what it owns, up to max.poll.records, and
goes on from the last committed offset when a partition comes to it: what was processed and not
committed is processed again.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from math import inf

from ...assignments import Partition

_LONGEST_LINGER_MS = 500.0


@dataclass(frozen=True)
class Load:
    """How many records are produced, and how fast members process them."""

    records_per_second: float = 100.0
    """Records produced to each partition."""
    capacity_per_second: float = 1_000.0
    """Records that one member can process."""
    max_poll_records: int = 500
    linger_ms: float = 100.0
    """How long a poll waits for more records, in a group of up to ten members."""

    def linger_of(self, members: int) -> float:
        """Return how long a poll waits for more records. In larger groups polls wait longer, up to
        the default of fetch.max.wait.ms, since polls are most of what a run computes.
        """
        return min(max(self.linger_ms, self.linger_ms * members / 10), _LONGEST_LINGER_MS)


@dataclass
class Workload:
    """The offsets of all partitions."""

    load: Load
    born: dict[Partition, float] = field(default_factory=dict)
    committed: dict[Partition, float] = field(default_factory=dict)
    furthest: dict[Partition, float] = field(default_factory=dict)
    """How far any member has processed each partition."""
    acquired: dict[Partition, float] = field(default_factory=dict)
    """How many records of each partition members of a share group have taken."""
    processed: float = 0.0
    """Records processed, those that were processed twice counted twice."""

    def produced(self, partition: Partition, now: float) -> float:
        """Return the end of the partition's log at a time."""
        return max(0.0, now - self.born[partition]) / 1000 * self.load.records_per_second

    def begin(self, now: float) -> None:
        """Start production of the partitions that wait for the group's start."""
        for partition, born in self.born.items():
            self.born[partition] = now if born == inf else born

    def available(self, positions: dict[Partition, float], now: float) -> dict[Partition, float]:
        """Return the records that can be read, at most max.poll.records, evenly over the
        partitions.
        """
        there = {
            partition: self.produced(partition, now) - at
            for partition, at in positions.items()
            if partition in self.born
        }
        total = sum(there.values())
        share = min(1.0, self.load.max_poll_records / total) if total else 0.0
        return {partition: many * share for partition, many in there.items() if many * share > 0}

    def process(self, read: dict[Partition, float], positions: dict[Partition, float]) -> None:
        """Count a batch as processed."""
        for partition, many in read.items():
            if partition in positions:
                positions[partition] += many
                self.furthest[partition] = max(
                    self.furthest.get(partition, 0.0), positions[partition]
                )
            self.processed += many

    def shared_positions(self, partitions: Collection[Partition]) -> dict[Partition, float]:
        """Return where the next records are that no member of a share group has acquired."""
        return {partition: self.acquired.get(partition, 0.0) for partition in partitions}

    def acquire(self, read: dict[Partition, float]) -> None:
        """Take records, which no other member of the share group gets meanwhile."""
        for partition, many in read.items():
            self.acquired[partition] = self.acquired.get(partition, 0.0) + many

    def acknowledge(self, read: dict[Partition, float], *, processed: bool) -> None:
        """Count records of a share group as processed, or give them back."""
        for partition, many in read.items():
            if processed:
                self.furthest[partition] = self.furthest.get(partition, 0.0) + many
                self.processed += many
            else:
                self.acquired[partition] -= many

    def commit(self, offsets: dict[Partition, float]) -> None:
        """Store the offsets of a commit that the coordinator has accepted."""
        self.committed.update(offsets)

    def behind(self, partitions: Collection[Partition], now: float) -> float:
        """Return the records that are produced and not processed yet."""
        return sum(
            self.produced(partition, now) - self.furthest.get(partition, 0.0)
            for partition in partitions
        )

    @property
    def twice(self) -> float:
        """Records that were processed more than once."""
        return self.processed - sum(self.furthest.values())
