"""The partitions of a run cut into stretches of time in which their readers do not change.

A partition is paused while no member believes to own it, or all that do are blocked: a callback
runs, or the process stands still. It overlaps while more than one believes to own it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ...assignments import Partition
from ..world.event_log import Record


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


def stretches(record: Record) -> Iterator[Stretch]:
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
