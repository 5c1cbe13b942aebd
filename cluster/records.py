"""The record batches of a partition, from the broker that leads it.

Batches come as bytes, as a log segment holds them: `capture.segments` reads both. Nothing of a
consumer's is used, so that no group is joined and nothing is committed. Records of transactions
that are not decided yet come, too (isolation level 0).
"""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from ..codec import FetchRequest
from .admin import Cluster, Node
from .errors import Unreachable

MAX_BYTES = 8 << 20
"""Bytes of one answer; a batch that is larger comes whole (KIP-74)."""
_MAX_WAIT_MS = 500
_PASSING = frozenset({3, 5, 6, 7, 9, 56, 74, 75, 76, 78})
"""Errors that pass: the topic, the leader or its epoch is not known yet, is another, timed out; the
replica or its disk is not ready."""
_ELSEWHERE = frozenset({3, 5, 6, 74, 75})


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
        """Return batches from the one that holds an offset on, or the next one. Raises Denied or
        another ClusterError."""
        pauses = self._cluster.pauses()
        while True:
            answer, throttled = await self._answer(offset)
            code = 6 if answer is None else answer.error_code
            if answer is not None and not code:
                data = answer.records or b""
                if data or not throttled:
                    return Chunk(data, answer.high_watermark)
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
