"""The newest records of a partition of the offsets topic, within bounds of time and bytes.

A broker returns records from an offset on, in the order of the log. To have the newest first, the
partition is read in windows of offsets, the last one first; how many offsets a window has follows
from the size of the windows behind it. Where the bounds are reached, the oldest records are
missing, never those in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import NamedTuple

from ..capture.segments.batches import Batch, read_batches, whole_batches
from ..capture.segments.records import BatchInfo, Record, read_records
from ..capture.segments.transactions import Transactions, read_transactions
from ..capture.summary import Summary
from .admin import LATEST, OFFSETS_TOPIC, Cluster, Topic
from .errors import ClusterError, Denied, NotKafka, Unreachable
from .records import PartitionReader
from .transport import within

__all__ = ["Bounds", "RecentRecords", "group_of", "read_all_recent", "read_recent", "records_of"]

_FIRST_SPAN = 10_000  # offsets: a megabyte or two of commits, in most clusters
_WINDOW = 8 << 20  # bytes that a window is to have
_MOST_GROWTH = 16  # a window has at most so many times the offsets of the one behind it
_MANY_WINDOWS = 4  # a window of so many times its size is read again in parts
_SMALLER = 8
_AT_ONCE = 8  # partitions


class Bounds(NamedTuple):
    """How far back records are read: from a time on (in milliseconds since 1970), at most so many
    bytes, for about so many seconds at most."""

    since: int
    size: int = 64 << 20
    seconds: float = 5.0


class Window(NamedTuple):
    """Whole batches of a partition, of which the records from offset `start` up to `end` count: the
    first batch may begin before it, the last one end behind it."""

    start: int
    end: int
    data: bytes


class RecentRecords(NamedTuple):
    """What was read of a partition, in the order of the log. `since` is from when on, as asked.
    `is_whole` is whether all of that was read; `problem` why nothing could be."""

    partition: int
    since: int
    windows: tuple[Window, ...] = ()
    is_whole: bool = True
    problem: str = ""
    cluster_id: str = "unknown"
    records: tuple[Record, ...] = ()
    """In place of windows: records of a file, all of one group."""
    until: int = -1
    """When they were read, in milliseconds since 1970; -1: nobody says."""

    @property
    def size(self) -> int:
        """The number of bytes that were read."""
        of_records = sum(
            len(record.key or b"") + len(record.value or b"") for record in self.records
        )
        return of_records + sum(len(window.data) for window in self.windows)


async def read_recent(
    cluster: Cluster, topic: Topic, partition: int, bounds: Bounds
) -> RecentRecords:
    """Return the newest records of a partition of the offsets topic. Where they may not be read, or
    a broker does not answer, `problem` says it."""
    cluster_id = cluster.cluster_id or "unknown"
    nothing = RecentRecords(partition, bounds.since, is_whole=False, cluster_id=cluster_id)
    if not topic.leaders:
        return nothing._replace(problem=_refused(cluster, "DESCRIBE"))
    try:
        reading = _windows_of(cluster, topic, partition, bounds)
        seconds = min(2 * bounds.seconds, cluster.seconds_left)
        windows, is_whole = await within(seconds, reading, "no records came")
    except Denied as error:
        operation = "READ" if "READ" in str(error) else "DESCRIBE"
        return nothing._replace(problem=_refused(cluster, operation))
    except ClusterError as error:
        return nothing._replace(problem=f"the group's history could not be read: {error}")
    return nothing._replace(windows=tuple(windows), is_whole=is_whole)


async def read_all_recent(
    cluster: Cluster, topic: Topic, partitions: Iterable[int], bounds: Bounds
) -> list[RecentRecords]:
    """Return the newest records of several partitions, which share the bytes of the bounds."""
    numbers = sorted(set(partitions))
    shares = bounds._replace(size=max(bounds.size // max(len(numbers), 1), 1 << 20))
    turns = asyncio.Semaphore(_AT_ONCE)

    async def read(partition: int) -> RecentRecords:
        async with turns:
            return await read_recent(cluster, topic, partition, shares)

    return await asyncio.gather(*map(read, numbers))


async def _windows_of(
    cluster: Cluster, topic: Topic, partition: int, bounds: Bounds
) -> tuple[Sequence[Window], bool]:
    place, topics = (OFFSETS_TOPIC, partition), {OFFSETS_TOPIC: topic}
    (starts, problems), (ends, more) = await asyncio.gather(
        cluster.offsets(topics, [place], bounds.since), cluster.offsets(topics, [place], LATEST)
    )
    for error in (*problems, *more):
        raise error
    if place not in starts or place not in ends:
        raise Unreachable(f"partition {partition} of {OFFSETS_TOPIC} has no leader")
    start = starts[place] if starts[place] >= 0 else ends[place]
    leader = cluster.nodes.get(topic.leaders.get(partition, -1))
    reader = PartitionReader(cluster, OFFSETS_TOPIC, partition, leader)
    return await _windows(reader, start, ends[place], bounds)


def _refused(cluster: Cluster, operation: str) -> str:
    return (
        f"the group's history was not read, so nothing tells whether it rebalances again and again "
        f"and why: grant {cluster.principal} {operation} on TOPIC {OFFSETS_TOPIC!a}"
    )


async def _windows(
    reader: PartitionReader, start: int, end: int, bounds: Bounds
) -> tuple[Sequence[Window], bool]:
    """Return the windows in the order of the log, and whether they begin at `start`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + bounds.seconds
    windows: list[Window] = []
    high, span, left = end, _FIRST_SPAN, bounds.size
    while high > start and left > 0 and loop.time() < deadline:
        low = max(start, high - span)
        limit = min(left, _MANY_WINDOWS * _WINDOW)
        data = await _read(reader, low, high, limit, deadline)
        if data is None:  # the newest part of it first
            if span == 1 or left < limit:
                break
            span = max(span // _SMALLER, 1)
            continue
        windows.insert(0, Window(low, high, data))
        left -= len(data)
        span = min(_MOST_GROWTH * span, (high - low) * _WINDOW // max(len(data), 1) + 1)
        high = low
    return windows, high <= start


async def _read(
    reader: PartitionReader, low: int, high: int, limit: int, deadline: float
) -> bytes | None:
    """Return the batches between two offsets; None where they are larger than the limit, or the
    time is up before all are read."""
    parts: list[bytes] = []
    offset = low
    while offset < high:
        if sum(map(len, parts)) > limit or (parts and asyncio.get_running_loop().time() > deadline):
            return None
        data, _ = await reader.chunk(offset)
        if not data:  # what was there is compacted away, or a mark
            break
        size, next_offset = whole_batches(data)
        if next_offset <= offset:
            raise NotKafka(f"what the broker sent at offset {offset:,} is no batch")
        parts.append(data[:size])
        offset = next_offset
    return b"".join(parts)


def records_of(recent: RecentRecords, group: str | None = None) -> Iterator[Record]:
    """Yield the records of a group (None: of all groups), without those of transactions that were
    aborted or are not decided."""
    name = None if group is None else group.encode("utf-8", "surrogatepass")
    needle = b"" if name is None else len(name).to_bytes(2, "big") + name
    yield from (one for one in recent.records if (one.key or b"").startswith(needle, 2))
    transactions: Transactions | None = None
    summary = Summary()
    for window in recent.windows:
        for batch in _batches(window, needle, summary):
            if batch.transactional and transactions is None:
                transactions = _transactions(recent.windows)
            info = _info(batch, recent.partition)
            for record in read_records(batch, info, summary):
                key = record.key
                if (
                    key is not None
                    and key.startswith(needle, 2)
                    and window.start <= record.offset < window.end
                    and _is_committed(batch, record, transactions)
                ):
                    yield record


def group_of(key: bytes) -> str:
    """Return the group that the key of a record names, which each of them does first.

    >>> group_of(b"\\0\\2\\0\\6orders")
    'orders'
    """
    size = int.from_bytes(key[2:4], "big")
    return key[4 : 4 + size].decode("utf-8", "replace")


def _batches(window: Window, needle: bytes, summary: Summary) -> Iterator[Batch]:
    """Yield the batches that may hold records whose keys contain these bytes."""
    for batch in read_batches(BytesIO(window.data), OFFSETS_TOPIC, summary):
        if not batch.control and (batch.codec or needle in batch.data):
            yield batch


def _transactions(windows: Iterable[Window]) -> Transactions:
    data = b"".join(window.data for window in windows)
    return Transactions(read_transactions(BytesIO(data), OFFSETS_TOPIC))


def _info(batch: Batch, partition: int) -> BatchInfo:
    producer = int.from_bytes(batch.data[43:51], "big", signed=True) if batch.magic == 2 else -1
    return BatchInfo(
        OFFSETS_TOPIC,
        partition,
        batch.position,
        batch.base_offset,
        batch.transactional,
        batch.control,
        producer,
        None,
    )


def _is_committed(batch: Batch, record: Record, transactions: Transactions | None) -> bool:
    if not batch.transactional or transactions is None:
        return True
    return transactions.outcome(record.producer_id, record.offset) in ("committed", None)
