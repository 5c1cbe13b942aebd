"""The metrics of KIP-429, under Kafka's names, for each member of a run.

A rebalance lasts from the first thing a member does for it to the end of its last callback. It
counts as failed if the member fell out or had to begin again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..machines.callbacks import Work
from ..machines.member_state import Phase
from ..world.event_log import LoggedEvent, Record

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


def metrics(record: Record) -> dict[str, dict[str, float]]:
    """Return Kafka's metrics by member and name; latencies are in milliseconds. A process that was
    started again goes on counting, since people look at a member's name.
    """
    kept: dict[str, _Kept] = {}
    for event in record.events:
        if event.what == "started":
            kept.setdefault(event.who, _Kept())
        if event.who in kept:
            kept[event.who].take(event)
    return {name: _named(event, record.end_ms) for name, event in kept.items()}


def _named(kept: _Kept, end_ms: float) -> dict[str, float]:
    named = {}
    for work, word in _LATENCIES.items():
        named[f"partitions-{word}-latency-avg"] = _mean(kept.calls[work])
        named[f"partitions-{word}-latency-max"] = max(kept.calls[work], default=0.0)
    hours = end_ms / 3_600_000
    named["rebalance-rate-per-hour"] = round(len(kept.rebalances) / hours, 3)
    named["rebalance-total"] = len(kept.rebalances)
    named["rebalance-latency-avg"] = _mean(kept.rebalances)
    named["rebalance-latency-max"] = round(max(kept.rebalances, default=0.0), 3)
    named["rebalance-latency-total"] = round(sum(kept.rebalances), 3)
    named["failed-rebalance-rate-per-hour"] = round(kept.failed / hours, 3)
    named["failed-rebalance-total"] = kept.failed
    ago = -1.0 if kept.last_end is None else (end_ms - kept.last_end) / 1000
    named["last-rebalance-seconds-ago"] = round(ago, 3)
    return named


def _mean(numbers: Sequence[float]) -> float:
    return round(sum(numbers) / len(numbers), 3) if numbers else 0.0
