"""The newest records of a partition of the offsets topic, by a fake broker that has a log."""

from __future__ import annotations

from typing import Any

import pytest

from kproto.cluster.admin import LATEST, OFFSETS_TOPIC, Cluster
from kproto.cluster.api import inspect_group, session_of, settings_of
from kproto.cluster.recent_records import (
    Bounds,
    RecentRecords,
    read_all_recent,
    read_recent,
    records_of,
)
from kproto.codec import (
    FetchResponse,
    GroupMetadataKey,
    ListOffsetsResponse,
    Message,
    OffsetCommitKey,
)
from tests.cluster.brokers import FakeBroker, listening
from tests.cluster.groups import Groups, group, member
from tests.pipeline.kafka_log import Entry, Logged, batches

TOPIC_REFUSED = 29


class Log(FakeBroker):
    """A broker with one partition of the offsets topic, which holds these entries."""

    def __init__(self, entries: list[Entry], *, at_once: int = 1 << 20, refuse: str = "") -> None:
        super().__init__({"Fetch": self._fetch, "ListOffsets": self._offsets})
        self.topics = {OFFSETS_TOPIC: 1}
        log = [Logged(offset, entry) for offset, entry in enumerate(entries)]
        self.batches = [(int.from_bytes(data[:8], "big"), data) for data in batches(log, 0)]
        self.times = [entry.time for entry in entries]
        self.fetched: list[int] = []
        self._at_once, self._refuse = at_once, refuse

    def _fetch(self, request: Any, version: int) -> Message:
        (topic,) = request.topics
        (partition,) = topic.partitions
        start = partition.fetch_offset
        self.fetched.append(start)
        bases = [base for base, _ in self.batches]
        first = max((at for at, base in enumerate(bases) if base <= start), default=0)
        data = b"".join(part for _, part in self.batches[first:])[: self._at_once]
        answer = FetchResponse.PartitionData(
            partition_index=0,
            error_code=TOPIC_REFUSED if self._refuse == "Fetch" else 0,
            high_watermark=len(self.times),
            records=data,
        )
        response = FetchResponse.FetchableTopicResponse(topic=topic.topic, partitions=(answer,))
        return FetchResponse(responses=(response,))

    def _offsets(self, request: Any, version: int) -> Message:
        (topic,) = request.topics
        time = topic.partitions[0].timestamp
        later = [offset for offset, at in enumerate(self.times) if at >= time]
        offset = len(self.times) if time == LATEST else min(later, default=-1)
        cls = ListOffsetsResponse
        partition = cls.ListOffsetsPartitionResponse(
            partition_index=0,
            offset=offset,
            error_code=TOPIC_REFUSED if self._refuse == "ListOffsets" else 0,
        )
        answer = cls.ListOffsetsTopicResponse(name=topic.name, partitions=(partition,))
        return cls(topics=(answer,))


def read(broker: FakeBroker, bounds: Bounds) -> RecentRecords:
    async def work(cluster: Cluster) -> RecentRecords:
        topic = await cluster.offsets_topic()
        assert topic is not None
        return await read_recent(cluster, topic, 0, bounds)

    with listening(broker) as address:
        settings = settings_of(address, environment={})
        with session_of(settings, timeout=10) as session:
            return session.ask(work)


def entries(count: int, size: int = 10) -> list[Entry]:
    """Records of two groups in turn, one a second."""
    keys = [
        GroupMetadataKey(group="payments").to_bytes(),
        OffsetCommitKey(group="orders", topic="payments", partition=0).to_bytes(),
    ]
    return [Entry(1000 * number, keys[number % 2], bytes(size)) for number in range(count)]


def offsets(recent: RecentRecords, name: str | None = None) -> list[int]:
    return [record.offset for record in records_of(recent, name)]


def test_all_records_from_a_time_on() -> None:
    recent = read(Log(entries(100)), Bounds(since=50_000))
    assert (recent.is_whole, recent.problem) == (True, "")
    assert offsets(recent) == list(range(50, 100))
    assert offsets(recent, "payments") == list(range(50, 100, 2))
    assert offsets(recent, "pay") == []


def test_no_record_that_is_so_young() -> None:
    broker = Log(entries(100))
    recent = read(broker, Bounds(since=1_000_000))
    assert (recent.windows, recent.is_whole, broker.fetched) == ((), True, [])


def test_answers_that_are_cut_off_inside_a_batch() -> None:
    recent = read(Log(entries(100), at_once=1000), Bounds(since=0))
    assert offsets(recent) == list(range(100)) and recent.is_whole


def test_the_newest_records_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the bounds are reached the oldest are missing."""
    monkeypatch.setattr("kproto.cluster.recent_records._FIRST_SPAN", 10)
    monkeypatch.setattr("kproto.cluster.recent_records._WINDOW", 4000)
    broker = Log(entries(400, size=100), at_once=4000)
    recent = read(broker, Bounds(since=0, size=20_000))
    assert not recent.is_whole
    numbers = offsets(recent)
    assert numbers == list(range(numbers[0], 400)) and 20 < len(numbers) < 300
    assert broker.fetched[0] == 390


def test_windows_that_are_larger_than_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kproto.cluster.recent_records._WINDOW", 1000)
    recent = read(Log(entries(200, size=100), at_once=3000), Bounds(since=0))
    assert offsets(recent) == list(range(200)) and recent.is_whole


def test_what_a_transaction_took_back() -> None:
    key = GroupMetadataKey(group="payments").to_bytes()
    log = [
        Entry(0, key, b"a", producer=1), Entry(1, key, b"b", producer=2),
        Entry(2, None, producer=1, committed=False), Entry(3, None, producer=2),
        Entry(4, key, b"c", producer=3), Entry(5, key, b"d"),
    ]  # fmt: skip
    recent = read(Log(log), Bounds(since=0))
    assert [record.value for record in records_of(recent, "payments")] == [b"b", b"d"]


@pytest.mark.parametrize(("api", "right"), [("Fetch", "READ"), ("ListOffsets", "DESCRIBE")])
def test_a_right_that_is_missing_is_named(api: str, right: str) -> None:
    recent = read(Log(entries(10), refuse=api), Bounds(since=0))
    assert f"grant the principal {right} on TOPIC '__consumer_offsets'" in recent.problem
    assert not recent.is_whole and "\n" not in recent.problem


def test_a_group_is_shown_without_its_history() -> None:
    """A broker whose offsets topic cannot be read costs the history alone."""
    broker = Groups(group("payments", member("a")))
    with listening(broker) as address:
        group_, recent = inspect_group(
            "payments", bootstrap=address, config={}, records=Bounds(0), timeout=3.0
        )
    assert group_.group_id == "payments"
    assert recent is not None and not recent.windows


def test_several_partitions_share_the_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = Log(entries(10))
    broker.topics = {OFFSETS_TOPIC: 3}

    async def work(cluster: Cluster) -> list[RecentRecords]:
        topic = await cluster.offsets_topic()
        assert topic is not None
        return await read_all_recent(cluster, topic, [2, 0, 2], Bounds(0))

    with listening(broker) as address, session_of(settings_of(address, environment={})) as session:
        assert [recent.partition for recent in session.ask(work)] == [0, 2]
