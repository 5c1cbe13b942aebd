"""What a run cost: intervals of ownership, measures, and KIP-429's metrics.

The partitions of a run are cut into stretches of time in which their readers do not change.

A partition is paused while no member believes to own it, or all that do are blocked: a callback
runs, or the process stands still. It overlaps while more than one believes to own it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from ...codec import ConsumerProtocolAssignment
from ...inspector.shapes.checks import Measures
from ..assignments import Partition, grouped
from ..checks import CHECKS, Outcome
from .machines.callbacks import Work
from .machines.member_state import Phase
from .run_log import Belief, LoggedEvent, RunRecord
from .scenarios.scenario import Run


class Stretch(NamedTuple):
    """A time in which the owners and readers of a partition do not change."""

    partition: Partition
    since_ms: float
    until_ms: float
    owners: tuple[str, ...]
    """The members that believe to own the partition."""
    readers: tuple[str, ...]
    """Those of them that are not blocked."""
    shared: bool = False
    """Whether several members may read the partition, as in a share group."""

    @property
    def is_contested(self) -> bool:
        """Whether more members believe to own the partition than may."""
        return len(self.owners) > 1 and not self.shared

    @property
    def seconds(self) -> float:
        """The length of the stretch."""
        return (self.until_ms - self.since_ms) / 1000


def stretches(record: RunRecord) -> Iterator[Stretch]:
    """Return the stretches of every partition in order of time, without gaps from its creation
    on.
    """
    beliefs = defaultdict(list)
    for belief in record.beliefs:
        beliefs[belief.partition].append(belief)
    blocked = defaultdict(list)
    for name, since, until in record.blocked:
        blocked[name].append((since, until))
    for partition, born in record.partitions:
        mine = beliefs[partition]
        cuts = {born, record.end_ms}
        for interval in mine:
            cuts |= {interval.since_ms, interval.until_ms}
            for since, until in blocked[interval.member]:
                if since < interval.until_ms and until > interval.since_ms:
                    cuts |= {max(since, interval.since_ms), min(until, interval.until_ms)}
        times = sorted(cut for cut in cuts if born <= cut <= record.end_ms)
        for since, until in pairwise(times):
            owners = tuple(
                interval.member
                for interval in mine
                if interval.since_ms <= since and until <= interval.until_ms
            )
            readers = tuple(
                name
                for name in owners
                if not any(a <= since and until <= b for a, b in blocked[name])
            )
            yield Stretch(partition, since, until, owners, readers, record.shared)


TITLES = {
    "rebalances": "rebalances",
    "paused_partition_seconds": "paused partition-seconds",
    "settling_seconds": "seconds to settle",
    "record_delay_ms": "mean delay of a record, ms",
    "most_behind": "most records behind",
    "behind": "records behind at the end",
    "processed_twice": "records processed twice",
    "moves": "moves of partitions",
    "imbalance": "imbalance: most minus fewest",
    "spread_numbers": "locality: numbers spread",
    "overlap_partition_seconds": "overlap, partition-seconds",
    "commits_refused": "commits refused",
    "expired_alive": "expired though alive",
    "detection_seconds": "seconds until a crash is noticed",
    "requests": "requests",
    "bytes_joining": "bytes of metadata, JoinGroup",
    "bytes_assigning": "bytes of shares, SyncGroup",
}
"""The title of each measure, in the order in which they are shown."""


def measure(run: Run) -> Measures:
    """Return the measures of a run."""
    record = run.record
    begin = record.begin_ms or 0.0
    cuts = list(stretches(record))
    paused = overlap = 0.0
    for stretch in cuts:
        seconds = (stretch.until_ms - max(stretch.since_ms, begin)) / 1000
        if seconds > 0:
            paused += seconds * (not stretch.readers)
            overlap += seconds * stretch.is_contested
    sizes = [len(mine) for mine in run.owned.values()] or [0]
    counts = Counter(event.what for event in record.events)
    return Measures(
        rebalances=counts["generation"],
        paused_partition_seconds=round(paused, 3),
        overlap_partition_seconds=round(overlap, 3),
        settling_seconds=round(_settling(record, begin, cuts), 3),
        record_delay_ms=round(_record_delay(record, begin) * 1000),
        most_behind=round(
            max((sample.behind for sample in record.samples if sample.at_ms >= begin), default=0)
        ),
        behind=round(record.samples[-1].behind),
        processed_twice=round(record.twice),
        moves=_moves(record, begin),
        imbalance=max(sizes) - min(sizes),
        spread_numbers=_spread(run),
        requests=sum(frame.asks for frame in record.frames if frame.at_ms >= begin),
        bytes_joining=_bytes(record, "metadataBytes"),
        bytes_assigning=_bytes(record, "assignmentBytes"),
        commits_refused=counts["commit refused"] + counts["commit failed"],
        expired_alive=sum(event.detail["lives"] for event in _expiries(record)),
        detection_seconds=_detection(record),
    )


_DONE = frozenset(
    {"started", "closing", "crashed", "frozen", "thawed", "topics changed", "subscribed"}
    | {"failed", "connection lost"}
)
"""The events that are operations on a group."""


def _settling(record: RunRecord, begin: float, cuts: list[Stretch]) -> float:
    """Return for how many seconds the group reacted to operations on it."""
    times = sorted(
        {event.at_ms for event in record.events if event.what in _DONE and event.at_ms > begin}
    )
    changes = sorted({stretch.since_ms for stretch in cuts})
    took = 0.0
    for since, until in pairwise([*times, record.end_ms]):
        last = bisect_left(changes, until) - 1
        took += max(0.0, changes[last] - since) if last >= 0 else 0.0
    return took / 1000


def _record_delay(record: RunRecord, begin: float) -> float:
    """Return the mean delay of a record: by Little's law the mean number of records that wait, over
    the number that is produced in a second.
    """
    samples = [sample for sample in record.samples if sample.at_ms >= begin]
    waited = sum(
        (earlier.behind + later.behind) / 2 * (later.at_ms - earlier.at_ms) / 1000
        for earlier, later in pairwise(samples)
    )
    last = record.samples[-1]
    produced = last.processed - record.twice + last.behind
    return waited / produced if produced else 0.0


def _moves(record: RunRecord, begin: float) -> int:
    gone_at = defaultdict(list)
    for event in record.events:
        if event.what in ("closing", "crashed"):
            gone_at[event.who].append(event.at_ms)
    moves = 0
    last: dict[Partition, Belief] = {}
    for belief in sorted(record.beliefs, key=lambda event: event.since_ms):
        previous = None if record.shared else last.get(belief.partition)
        if previous is not None and previous.member != belief.member:
            left = any(
                previous.since_ms <= when <= previous.until_ms for when in gone_at[previous.member]
            )
            moves += not left and belief.since_ms > begin
        last[belief.partition] = belief
    return moves


def _spread(run: Run) -> int:
    assignments = {
        name: ConsumerProtocolAssignment(assigned_partitions=grouped(sorted(mine)))
        for name, mine in run.owned.items()
    }
    return len(list(CHECKS["co-location"](Outcome((), run.scenario.topics, assignments))))


def _bytes(record: RunRecord, key: str) -> int:
    return sum(sum(event.detail[key].values()) for event in record.events if key in event.detail)


def _expiries(record: RunRecord) -> list[LoggedEvent]:
    return [event for event in record.events if event.what == "session expired"]


def _detection(record: RunRecord) -> float | None:
    crashed = {event.who: event.at_ms for event in record.events if event.what == "crashed"}
    took = [
        (event.at_ms - crashed[event.detail["client"]]) / 1000
        for event in _expiries(record)
        if not event.detail["lives"]
        and crashed.get(event.detail["client"], event.at_ms) < event.at_ms
    ]
    return round(sum(took) / len(took), 3) if took else None


_LATENCIES = {Work.REVOKED: "revoked", Work.ASSIGNED: "assigned", Work.LOST: "lost"}


@dataclass
class _Kept:
    calls: dict[Work, list[float]] = field(
        default_factory=lambda: {work: [] for work in _LATENCIES}
    )
    rebalances: list[float] = field(default_factory=list)
    failed: int = 0
    began: float | None = None
    last_end: float | None = None

    def take(self, event: LoggedEvent) -> None:
        if event.what in self.calls:
            self._call(event, Work(event.what))
        elif event.what == Phase.PREPARING_REBALANCE and self.began is None:
            self.began = event.at_ms
        elif event.what in (Phase.UNJOINED, Phase.FAILED, "crashed") and self.began is not None:
            self.failed += 1
            self.began = None

    def _call(self, event: LoggedEvent, work: Work) -> None:
        took = event.detail["ms"]
        self.calls[work].append(took)
        if work is Work.ASSIGNED and self.began is not None:
            self.last_end = event.at_ms + took
            self.rebalances.append(self.last_end - self.began)
            self.began = None


def metrics(record: RunRecord) -> dict[str, dict[str, float]]:
    """Return Kafka's metrics by member and name; latencies are in milliseconds. A process that was
    started again goes on counting, since people look at a member's name.
    """
    counters: dict[str, _Kept] = {}
    for event in record.events:
        if event.what == "started":
            counters.setdefault(event.who, _Kept())
        if event.who in counters:
            counters[event.who].take(event)
    return {name: _kafka_names(event, record.end_ms) for name, event in counters.items()}


def _kafka_names(counters: _Kept, end_ms: float) -> dict[str, float]:
    values = {}
    for work, word in _LATENCIES.items():
        values[f"partitions-{word}-latency-avg"] = _mean(counters.calls[work])
        values[f"partitions-{word}-latency-max"] = max(counters.calls[work], default=0.0)
    hours = end_ms / 3_600_000
    values["rebalance-rate-per-hour"] = round(len(counters.rebalances) / hours, 3)
    values["rebalance-total"] = len(counters.rebalances)
    values["rebalance-latency-avg"] = _mean(counters.rebalances)
    values["rebalance-latency-max"] = round(max(counters.rebalances, default=0.0), 3)
    values["rebalance-latency-total"] = round(sum(counters.rebalances), 3)
    values["failed-rebalance-rate-per-hour"] = round(counters.failed / hours, 3)
    values["failed-rebalance-total"] = counters.failed
    ago = -1.0 if counters.last_end is None else (end_ms - counters.last_end) / 1000
    values["last-rebalance-seconds-ago"] = round(ago, 3)
    return values


def _mean(numbers: Sequence[float]) -> float:
    return round(sum(numbers) / len(numbers), 3) if numbers else 0.0
