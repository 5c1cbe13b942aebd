"""What runs around the members: production of records, and the applications that process them.

Records arrive evenly. A member reads what is available of what it owns, up to max.poll.records, and
goes on from the last committed offset when a partition comes to it: what was processed and not
committed is processed again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from math import inf

from ..assignments import Partition
from .host import Link, Process
from .machines.callbacks import Work
from .machines.settings import GroupProtocol
from .modern.member_state import JoinState

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

    def produced(self, partition: Partition, at_ms: float) -> float:
        """Return the end of the partition's log at a time."""
        return max(0.0, at_ms - self.born[partition]) / 1000 * self.load.records_per_second

    def begin(self, at_ms: float) -> None:
        """Start production of the partitions that wait for the group's start."""
        for partition, born in self.born.items():
            self.born[partition] = at_ms if born == inf else born

    def available(self, positions: dict[Partition, float], at_ms: float) -> dict[Partition, float]:
        """Return the records that can be read, at most max.poll.records, evenly over the
        partitions.
        """
        waiting = {
            partition: self.produced(partition, at_ms) - at
            for partition, at in positions.items()
            if partition in self.born
        }
        total = sum(waiting.values())
        share = min(1.0, self.load.max_poll_records / total) if total else 0.0
        return {partition: many * share for partition, many in waiting.items() if many * share > 0}

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

    def behind(self, partitions: Collection[Partition], at_ms: float) -> float:
        """Return the records that are produced and not processed yet."""
        return sum(
            self.produced(partition, at_ms) - self.furthest.get(partition, 0.0)
            for partition in partitions
        )

    @property
    def twice(self) -> float:
        """Records that were processed more than once."""
        return self.processed - sum(self.furthest.values())


@dataclass(frozen=True)
class Durations:
    """How long a member's callbacks take, in milliseconds: a fixed part and one per partition.

    Rebuilding local state is what onPartitionsAssigned costs for each partition that is added.
    """

    revoked_ms: float = 20.0
    assigned_ms: float = 20.0
    lost_ms: float = 20.0
    revoked_each_ms: float = 0.0
    assigned_each_ms: float = 0.0

    def of(self, work: Work, partitions: int) -> float:
        """Return the duration of one callback, by the number of its partitions."""
        match work:
            case Work.ASSIGNED:
                return self.assigned_ms + partitions * self.assigned_each_ms
            case Work.LOST:
                return self.lost_ms
            case _:
                return self.revoked_ms + partitions * self.revoked_each_ms


@dataclass(slots=True)
class TimedProcess(Process):
    """A running member, and its application."""

    durations: Durations = field(default_factory=Durations)
    positions: dict[Partition, float] = field(default_factory=dict)
    """How far the application has processed what the member reads."""
    batch_ms: float | None = None
    """How long each batch takes; None if that follows from the member's speed."""
    decoupled: bool = False
    """Whether batches are processed elsewhere, and polls go on meanwhile."""
    elsewhere_until: float = 0.0
    frozen: list[Callable[[], None]] | None = None
    """What happens once the process goes on; None while it runs."""
    last_poll: float = -1e9
    stopping: bool = False
    """Whether the application closes the consumer instead of its next poll."""
    alive: bool = True
    join_state: JoinState = JoinState.INIT
    """The state of a member of kind librdkafka."""
    correlation_id: int = 0
    """That of the connection's last request."""
    last_arrivals: tuple[float, float] = (0.0, 0.0)
    """When the last request arrives at the broker, and the last answer at the member."""

    @property
    def shares(self) -> bool:
        """Whether other members may read the same partitions."""
        return self.settings.group_protocol is GroupProtocol.SHARE

    def connect(self, number: int) -> None:
        """Begin a new connection."""
        self.link = Link(number)
        self.correlation_id, self.last_arrivals = 0, (0.0, 0.0)
