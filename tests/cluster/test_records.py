"""Record batches of a partition, by a fake broker that leads it, or does not."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from kproto.cluster import Denied, Unreachable
from kproto.cluster.admin import OFFSETS_TOPIC, Cluster
from kproto.cluster.api import session_of, settings_of
from kproto.cluster.records import (
    Chunk,
    PartitionRange,
    PartitionReader,
    batches_of,
    offsets_bounds,
)
from kproto.codec import FetchResponse, Message
from tests.capture.test_segments import batch
from tests.cluster.brokers import FakeBroker, listening
from tests.cluster.groups import Groups

Partition = FetchResponse.PartitionData


class Leader(FakeBroker):
    """A broker that leads partition 0 of `orders` and gives these answers, one after the other."""

    def __init__(self, *answers: Partition, throttle_ms: int = 0) -> None:
        super().__init__({"Fetch": self._fetch})
        self.topics = {"orders": 1}
        self.answers_left = list(answers)
        self.requests: list[tuple[Any, int]] = []
        self._throttle_ms = throttle_ms

    def _fetch(self, request: Any, version: int) -> Message:
        self.requests.append((request, version))
        throttled, self._throttle_ms = self._throttle_ms, 0
        topic = FetchResponse.FetchableTopicResponse(
            topic="orders", partitions=(self.answers_left.pop(0),)
        )
        return FetchResponse(throttle_time_ms=throttled, responses=(topic,))


def chunk(broker: FakeBroker, timeout: float = 5) -> Chunk:
    async def read(cluster: Cluster) -> Chunk:
        return await PartitionReader(cluster, "orders", 0).chunk(7)

    with listening(broker) as address:
        settings = settings_of(address, environment={})
        with session_of(settings, timeout=timeout) as session:
            return session.ask(read)


def answer(data: bytes | None, error: int = 0) -> Partition:
    return Partition(partition_index=0, error_code=error, high_watermark=9, records=data)


def test_batches_are_given_as_they_come() -> None:
    broker = Leader(answer(b"batches"))
    assert chunk(broker) == Chunk(b"batches", 9)
    ((request, version),) = broker.requests
    (topic,) = request.topics
    assert version == 12, "from 13 on topics have ids in place of names"
    assert (topic.topic, topic.partitions[0].fetch_offset) == ("orders", 7)
    assert (request.replica_id, request.isolation_level, request.session_id) == (-1, 0, 0)
    assert "FindCoordinator" not in broker.asked


def test_nothing_left() -> None:
    assert chunk(Leader(answer(None))) == Chunk(b"", 9)


def test_a_broker_that_holds_back_for_a_quota_is_asked_again() -> None:
    broker = Leader(answer(b""), answer(b"batches"), throttle_ms=1)
    assert chunk(broker) == Chunk(b"batches", 9)


@pytest.mark.parametrize("error", [5, 6, 74])
def test_who_leads_is_asked_again(error: int) -> None:
    broker = Leader(answer(None, error), answer(b"batches"))
    assert chunk(broker) == Chunk(b"batches", 9)
    assert broker.asked.count("Metadata") == 3, "the first is for the brokers"


def test_a_topic_that_may_not_be_read() -> None:
    with pytest.raises(Denied, match=r"^the principal lacks READ on TOPIC 'orders' \(Fetch\)$"):
        chunk(Leader(answer(None, 29)))


def test_a_partition_without_a_leader() -> None:
    broker = Leader()
    broker.topics = {}
    with pytest.raises(Unreachable, match=r"^orders-0 has no leader: is its broker away\?$"):
        chunk(broker, timeout=1)


def test_a_session_outlives_a_question_that_fails() -> None:
    broker = Leader(answer(None, 29), answer(b"batches"))

    async def read(cluster: Cluster) -> Chunk:
        return await PartitionReader(cluster, "orders", 0).chunk(7)

    with listening(broker) as address, session_of(settings_of(address, environment={})) as session:
        with pytest.raises(Denied):
            session.ask(read)
        assert session.ask(read).data == b"batches"
        assert broker.asked.count("ApiVersions") == 1, "over the same connection"


class Partitions(Groups):
    """A broker that leads partitions of the offsets topic, of which each has one record."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.answers |= {"Fetch": self._batch, "ConsumerGroupDescribe": self.describe_consumers}
        self.topics[OFFSETS_TOPIC] = count

    def _offsets(self, request: Any, version: int) -> Message:
        answer: Any = super()._offsets(request, version)
        topics = tuple(
            topic.replace(
                partitions=tuple(own.replace(offset=min(own.offset, 1)) for own in topic.partitions)
            )
            for topic in answer.topics
        )
        changed: Message = answer.replace(topics=topics)
        return changed

    def _batch(self, request: Any, version: int) -> Message:
        (topic,) = request.topics
        (asked,) = topic.partitions
        part = Partition(
            partition_index=asked.partition, high_watermark=1, records=batch(0, [b"x"])
        )
        cls = FetchResponse.FetchableTopicResponse
        return FetchResponse(responses=(cls(topic=topic.topic, partitions=(part,)),))


def test_a_partition_costs_one_request() -> None:
    """The broker that leads it is known: it is not asked for again for each of them."""
    broker = Partitions(30)
    with listening(broker) as address:
        settings = settings_of(address, environment={})
        with session_of(settings, timeout=5) as session:
            found = session.ask(offsets_bounds)
            data = [b"".join(batches_of(session, bounds)) for bounds in found]
            assert session.ask(partial(offsets_bounds, only=7)) == [PartitionRange(7, 0, 1)]
            assert session.ask(partial(offsets_bounds, only=30)) == []
    assert data == [batch(0, [b"x"])] * 30
    assert broker.asked.count("Fetch") == 30
    assert broker.asked.count("Metadata") <= 3
