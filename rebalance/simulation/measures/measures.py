"""The cost of a run, in numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ....codec import ConsumerProtocolAssignment
from ...assignments import Partition, grouped
from ...checks import CHECKS, Outcome
from ..scenarios.runs import Run
from ..world.event_log import Belief, LoggedEvent, Record
from .intervals import stretches


@dataclass(frozen=True)
class Measures:
    """Seconds, records and counts of a run, from the first moment at which every partition was
    read.
    """

    rebalances: int
    """How many generations the coordinator made."""
    paused_partition_seconds: float
    """The time in which no member could read a partition: not owned, or its owner was in a callback
    or stood still.
    """
    overlap_partition_seconds: float
    """The time in which more than one member believed to own a partition; all but one were out of
    the group.
    """
    throughput_lost: float
    """Records that were due and not processed at the time."""
    most_behind: float
    """The most records that were produced and not processed at any moment."""
    behind: float
    """Records that were produced and not processed at the end."""
    processed_twice: float
    """Records that were processed more than once."""
    moves: int
    """How often a partition got another owner while the one before it was still running."""
    imbalance: int
    """The most partitions of a member less the fewest, at the end."""
    spread_numbers: int
    """Partition numbers that are not at one member in all topics, at the end."""
    bytes_joining: int
    """Bytes of metadata in JoinGroup requests."""
    bytes_assigning: int
    """Bytes of assignments in SyncGroup requests."""
    commits_refused: int
    """Commits that the coordinator refused."""
    expired_alive: int
    """Sessions that expired although the process lived: false positives."""
    detection_seconds: float | None
    """The mean time from a crash to the expiry of the session; None without a crash that was
    noticed.
    """

    def to_json(self) -> dict[str, Any]:
        """Return the measures by name, as JSON values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


TITLES = {
    "rebalances": "rebalances",
    "paused_partition_seconds": "paused partition-seconds",
    "throughput_lost": "throughput lost, records",
    "most_behind": "most records behind",
    "behind": "records behind at the end",
    "processed_twice": "records processed twice",
    "moves": "moves of partitions",
    "imbalance": "balance: most less fewest",
    "spread_numbers": "locality: numbers spread",
    "overlap_partition_seconds": "overlap, partition-seconds",
    "commits_refused": "commits refused",
    "expired_alive": "expired though alive",
    "detection_seconds": "seconds until a crash is noticed",
    "bytes_joining": "bytes of metadata, JoinGroup",
    "bytes_assigning": "bytes of shares, SyncGroup",
}
"""The title of each measure, in the order in which they are shown."""


def measure(run: Run) -> Measures:
    """Return the measures of a run."""
    record = run.record
    begin = _all_read_from(record)
    paused = overlap = 0.0
    for stretch in stretches(record):
        seconds = (stretch.until_ms - max(stretch.since_ms, begin)) / 1000
        if seconds > 0:
            paused += seconds * (not stretch.readers)
            overlap += seconds * (len(stretch.owners) > 1)
    sizes = [len(mine) for mine in run.owned.values()] or [0]
    counts = Counter(event.what for event in record.events)
    return Measures(
        rebalances=counts["generation"],
        paused_partition_seconds=round(paused, 3),
        overlap_partition_seconds=round(overlap, 3),
        throughput_lost=_throughput_lost(run, begin),
        most_behind=round(
            max((sample.behind for sample in record.samples if sample.at_ms >= begin), default=0)
        ),
        behind=round(record.samples[-1].behind),
        processed_twice=round(record.twice),
        moves=_moves(record),
        imbalance=max(sizes) - min(sizes),
        spread_numbers=_spread(run),
        bytes_joining=_bytes(record, "metadataBytes"),
        bytes_assigning=_bytes(record, "assignmentBytes"),
        commits_refused=counts["commit refused"] + counts["commit failed"],
        expired_alive=sum(one.detail["lives"] for one in _expiries(record)),
        detection_seconds=_detection(record),
    )


def _all_read_from(record: Record) -> float:
    """Return when every partition of the beginning had been read for the first time; else 0."""
    first: dict[Partition, float] = {}
    for stretch in stretches(record):
        if stretch.readers:
            first.setdefault(stretch.partition, stretch.since_ms)
    at_first = [partition for partition, born in record.partitions if born == 0]
    return (
        max(first[one] for one in at_first) if first.keys() >= set(at_first) and at_first else 0.0
    )


def _throughput_lost(run: Run, begin: float) -> int:
    """Return how much less was processed than produced, over the stretches in which it was less."""
    lost, rate = 0.0, run.scenario.conditions.load.records_per_second
    samples = [sample for sample in run.record.samples if sample.at_ms >= begin]
    for before, after in pairwise(samples):
        due = rate * after.partitions * (after.at_ms - before.at_ms) / 1000
        lost += max(0.0, due * 0.9 - (after.processed - before.processed))
    return round(lost)


def _moves(record: Record) -> int:
    gone_at = defaultdict(list)
    for event in record.events:
        if event.what in ("closing", "crashed"):
            gone_at[event.who].append(event.at_ms)
    moves = 0
    last: dict[Partition, Belief] = {}
    for belief in sorted(record.beliefs, key=lambda event: event.since_ms):
        before = last.get(belief.partition)
        if before is not None and before.member != belief.member:
            left = any(
                before.since_ms <= when <= before.until_ms for when in gone_at[before.member]
            )
            moves += not left
        last[belief.partition] = belief
    return moves


def _spread(run: Run) -> int:
    given = {
        name: ConsumerProtocolAssignment(assigned_partitions=grouped(sorted(mine)))
        for name, mine in run.owned.items()
    }
    return len(list(CHECKS["co-location"](Outcome((), run.scenario.topics, given))))


def _bytes(record: Record, key: str) -> int:
    return sum(sum(event.detail[key].values()) for event in record.events if key in event.detail)


def _expiries(record: Record) -> list[LoggedEvent]:
    return [event for event in record.events if event.what == "session expired"]


def _detection(record: Record) -> float | None:
    crashed = {event.who: event.at_ms for event in record.events if event.what == "crashed"}
    took = [
        (one.at_ms - crashed[one.detail["member"]]) / 1000
        for one in _expiries(record)
        if not one.detail["lives"] and crashed.get(one.detail["member"], one.at_ms) < one.at_ms
    ]
    return round(sum(took) / len(took), 3) if took else None
