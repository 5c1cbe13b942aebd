"""The record batches of a partition, from the broker that leads it.

Batches come as bytes, as a log segment holds them: `capture.segments` reads both. Nothing of a
consumer's is used, so that no group is joined and nothing is committed. Records of transactions
that are not decided yet come, too (isolation level 0).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..capture.segments.batches import whole_batches
from ..codec import FetchRequest
from .admin import EARLIEST, LATEST, OFFSETS_TOPIC, Cluster, Node
from .errors import ClusterError, Unreachable
from .session import Session

MAX_BYTES = 8 << 20
"""Bytes of one answer; a batch that is larger comes whole (KIP-74)."""
_MAX_WAIT_MS = 500
_OUT_OF_RANGE = 1
_PASSING = frozenset({3, 5, 6, 7, 9, 56, 74, 75, 76, 78})
"""Errors that pass: the topic, the leader or its epoch is not known yet, is another, timed out; the
replica or its disk is not ready."""
_ELSEWHERE = frozenset({3, 5, 6, 74, 75})


class BrokerError(ClusterError):
    """Raised where a broker does not have the records that are to be read."""


class PartitionRange(NamedTuple):
    """Offsets of a partition, from `start` to below `end`."""

    partition: int
    start: int
    end: int


class Chunk(NamedTuple):
    """Batches of a partition, the last of which may be cut off; empty where no record is left.
    `end` is the offset behind the last record that all replicas in sync have."""

    data: bytes
    end: int


class PartitionReader:
    """Reads the batches of one partition of a topic."""

    def __init__(
        self, cluster: Cluster, topic: str, partition: int, leader: Node | None = None
    ) -> None:
        """`leader` is the broker that leads it, if that is known."""
        self._cluster = cluster
        self._topic = topic
        self._partition = partition
        self._leader = leader

    async def chunk(self, offset: int) -> Chunk:
        """Return batches from the one that holds an offset on, or the next one. Raises BrokerError
        where the partition has no such offset, Denied or another ClusterError."""
        pauses = self._cluster.pauses()
        while True:
            answer, throttled = await self._answer(offset)
            code = 6 if answer is None else answer.error_code
            if answer is not None and not code:
                data = answer.records or b""
                if data or not throttled:
                    return Chunk(data, answer.high_watermark)
            elif code == _OUT_OF_RANGE:
                place = f"{self._topic}-{self._partition}"
                raise BrokerError(f"{place}: the broker has no offset {offset:,} any more")
            elif code not in _PASSING:
                raise self._cluster.refusal(code, "Fetch", self._topic)
            if (pause := next(pauses, None)) is None:
                if answer is None:
                    place = f"{self._topic}-{self._partition}"
                    raise Unreachable(f"{place} has no leader: is its broker away?")
                raise self._cluster.refusal(code or _THROTTLED, "Fetch", self._topic)
            if code in _ELSEWHERE:
                self._leader = None
            await asyncio.sleep(pause)

    async def _answer(self, offset: int) -> tuple[Any, bool]:
        """Return the partition's part of an answer, None without a leader; and whether the broker
        holds records back for a quota."""
        if self._leader is None:
            topic = (await self._cluster.topics([self._topic])).get(self._topic)
            number = -1 if topic is None else topic.leaders.get(self._partition, -1)
            self._leader = self._cluster.nodes.get(number)
            if topic is not None and topic.error and topic.error not in _PASSING:
                raise self._cluster.refusal(topic.error, "Metadata", self._topic)
        if self._leader is None:
            return None, False
        cls = FetchRequest
        partition = cls.FetchPartition(
            partition=self._partition, fetch_offset=offset, partition_max_bytes=MAX_BYTES
        )
        request = cls(
            max_wait_ms=_MAX_WAIT_MS,
            min_bytes=1,
            max_bytes=MAX_BYTES,
            topics=(cls.FetchTopic(topic=self._topic, partitions=(partition,)),),
        )
        response = await self._cluster.ask(self._leader, request, at_least=4)
        if response.error_code:
            raise self._cluster.refusal(response.error_code, "Fetch", self._topic)
        (topic,) = response.responses
        (answer,) = topic.partitions
        return answer, response.throttle_time_ms > 0


_THROTTLED = 89  # THROTTLING_QUOTA_EXCEEDED


async def offsets_bounds(cluster: Cluster, only: int | None = None) -> list[PartitionRange]:
    """Return where each partition of the offsets topic begins and ends now, or this one alone; none
    where the cluster has no such topic. A partition without a leader is asked about again: a topic
    that was just made has none for a moment. Of one partition the leader that the cluster named
    last is asked first. Raises ClusterError.
    """
    pauses = cluster.pauses()
    known = None if only is None else cluster.last_offsets_topic
    while True:
        topic = known if known and only in known.leaders else await cluster.offsets_topic()
        known = None
        if topic is None:
            return []
        if topic.error and not topic.leaders:
            raise cluster.refusal(topic.error, "Metadata", OFFSETS_TOPIC)
        numbers = sorted(topic.leaders) if only is None else topic.leaders.keys() & {only}
        places = [(OFFSETS_TOPIC, number) for number in numbers]
        start, problems = await cluster.offsets({OFFSETS_TOPIC: topic}, places, EARLIEST)
        end, more = await cluster.offsets({OFFSETS_TOPIC: topic}, places, LATEST)
        if all(place in start and place in end for place in places):
            return [PartitionRange(place[1], start[place], end[place]) for place in places]
        if (pause := next(pauses, None)) is None:
            away = topic.without_leader(cluster.nodes)
            reason = f"{len(away)} of {len(places)} partitions have no leader; is a broker away?"
            raise next(iter((*problems, *more)), None) or BrokerError(f"{OFFSETS_TOPIC}: {reason}")
        await asyncio.sleep(pause)


def reader_of(cluster: Cluster, partition: int) -> PartitionReader:
    """Return the reader of a partition of the offsets topic, which asks the broker that led it when
    the cluster was asked last."""
    topic = cluster.last_offsets_topic
    leader = -1 if topic is None else topic.leaders.get(partition, -1)
    return PartitionReader(cluster, OFFSETS_TOPIC, partition, cluster.nodes.get(leader))


def batches_of(session: Session, bounds: PartitionRange) -> Iterator[bytes]:
    """Yield the batches of a range of a partition of the offsets topic, whole ones, many at once;
    the last of them may go on behind its end. Raises ClusterError."""
    partition, offset, end = bounds
    reader: PartitionReader | None = None

    async def chunk(cluster: Cluster) -> Chunk:
        nonlocal reader
        if reader is None:
            reader = reader_of(cluster, partition)
        return await reader.chunk(offset)

    while offset < end:
        data = session.ask(chunk).data
        size, next_offset = whole_batches(data)
        if data and next_offset <= offset:
            place = f"{OFFSETS_TOPIC}-{partition}"
            raise BrokerError(f"{place}: what the broker sent at offset {offset:,} is no batch")
        if not data:  # what was there is compacted away, or a mark
            return
        offset = next_offset
        yield data[:size]
