"""The cost of a run, in numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from itertools import pairwise

from ....codec import ConsumerProtocolAssignment
from ....inspector.shapes.checks import Measures
from ...assignments import Partition, grouped
from ...checks import CHECKS, Outcome
from ..scenarios.runs import Run
from ..world.event_log import Belief, LoggedEvent, Record
from .intervals import Stretch, stretches

TITLES = {
    "rebalances": "rebalances",
    "paused_partition_seconds": "paused partition-seconds",
    "settling_seconds": "seconds to settle",
    "record_delay_ms": "mean delay of a record, ms",
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
"""What is done to a group from outside."""


def _settling(record: Record, begin: float, cuts: list[Stretch]) -> float:
    """Return for how many seconds the group was busy with what was done to it."""
    done = sorted(
        {event.at_ms for event in record.events if event.what in _DONE and event.at_ms > begin}
    )
    changes = sorted({stretch.since_ms for stretch in cuts})
    took = 0.0
    for since, until in pairwise([*done, record.end_ms]):
        last = bisect_left(changes, until) - 1
        took += max(0.0, changes[last] - since) if last >= 0 else 0.0
    return took / 1000


def _record_delay(record: Record, begin: float) -> float:
    """Return the mean delay of a record: by Little's law the mean number of records that wait, over
    the number that is produced in a second.
    """
    samples = [sample for sample in record.samples if sample.at_ms >= begin]
    waited = sum(
        (before.behind + after.behind) / 2 * (after.at_ms - before.at_ms) / 1000
        for before, after in pairwise(samples)
    )
    last = record.samples[-1]
    produced = last.processed - record.twice + last.behind
    return waited / produced if produced else 0.0


def _moves(record: Record, begin: float) -> int:
    gone_at = defaultdict(list)
    for event in record.events:
        if event.what in ("closing", "crashed"):
            gone_at[event.who].append(event.at_ms)
    moves = 0
    last: dict[Partition, Belief] = {}
    for belief in sorted(record.beliefs, key=lambda event: event.since_ms):
        before = None if record.shared else last.get(belief.partition)
        if before is not None and before.member != belief.member:
            left = any(
                before.since_ms <= when <= before.until_ms for when in gone_at[before.member]
            )
            moves += not left and belief.since_ms > begin
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
        (event.at_ms - crashed[event.detail["client"]]) / 1000
        for event in _expiries(record)
        if not event.detail["lives"]
        and crashed.get(event.detail["client"], event.at_ms) < event.at_ms
    ]
    return round(sum(took) / len(took), 3) if took else None
