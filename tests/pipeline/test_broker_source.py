"""The data source on a live broker. librdkafka's own mock cluster plays it: it speaks the protocol,
and counts what was asked of it by what it holds afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

confluent_kafka = pytest.importorskip("confluent_kafka")

from pyspark.sql import SparkSession  # noqa: E402  # behind what it is skipped for

from kproto.cluster import Unreachable  # noqa: E402
from kproto.cluster.records import BrokerError, PartitionRange  # noqa: E402
from kproto.codec import GroupMetadataKey, OffsetCommitKey  # noqa: E402
from kproto.pipeline.sources.broker import BrokerUnit, bounds  # noqa: E402
from kproto.pipeline.spark.offsets_source import (  # noqa: E402
    BrokerReader,
    BrokerStream,
    Options,
)

TOPIC = "__consumer_offsets"
KEYS = [
    GroupMetadataKey(group="g").to_bytes(),
    OffsetCommitKey(group="h", topic="t", partition=1).to_bytes(),
    b"\0",
    None,
]


class Broker:
    """A mock cluster that lives as long as its producer."""

    def __init__(self) -> None:
        settings = {"test.mock.num.brokers": 1, "bootstrap.servers": "mock"}
        self.producer = confluent_kafka.Producer(settings)
        metadata = self.producer.list_topics(timeout=10)
        (broker,) = metadata.brokers.values()
        self.address = f"{broker.host}:{broker.port}"

    def write(self, partition: int, *records: tuple[bytes | None, bytes | None]) -> None:
        for key, value in records:
            self.producer.produce(TOPIC, value, key, partition, timestamp=1_700_000_000_000)
        assert self.producer.flush(10) == 0

    def options(self, **given: str) -> Options:
        return Options.read({"kafka.bootstrap.servers": self.address, **given})

    def groups(self) -> list[Any]:
        from confluent_kafka.admin import AdminClient

        client = AdminClient({"bootstrap.servers": self.address})
        return list(client.list_consumer_groups(request_timeout=10).result().valid)


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    made = Broker()
    made.write(0, *((key, b"v%d" % number) for number, key in enumerate(KEYS)), (KEYS[0], None))
    made.write(1, *((KEYS[1], b"c%d" % number) for number in range(25)))
    yield made
    made.producer.purge()


def read(options: Options) -> list[dict[str, Any]]:
    reader = BrokerReader(options)
    return [
        row
        for partition in reader.partitions()
        for batch in reader.read(partition)
        for row in batch.to_pylist()
    ]


def test_every_record_with_what_its_key_says(broker: Broker) -> None:
    found = [row for row in read(broker.options(cluster_id="c1")) if row["source_partition"] == 0]
    assert [(row["source_offset"], row["record_type"], row["group_id"]) for row in found] == [
        (0, 2, "g"), (1, 1, "h"), (2, None, None), (3, None, None), (4, 2, "g"),
    ]  # fmt: skip
    assert [row["key"] for row in found] == [*KEYS, KEYS[0]]
    assert [row["value"] for row in found] == [b"v0", b"v1", b"v2", b"v3", None]
    assert {row["cluster_id"] for row in found} == {"c1"}
    assert {row["source"] for row in found} == {broker.address}
    assert {row["record_timestamp"].timestamp() for row in found} == {1_700_000_000}


def test_groups_and_records_are_chosen(broker: Broker) -> None:
    assert {row["group_id"] for row in read(broker.options(groups="h"))} == {"h"}
    assert len(read(broker.options(records="classic"))) == 2


def test_nothing_is_left_behind(broker: Broker) -> None:
    ends = bounds(broker.options().client)
    read(broker.options())
    assert bounds(broker.options().client) == ends
    assert not [group for group in broker.groups() if "kproto" in group.group_id]


def test_settings_that_would_leave_traces_are_overruled(broker: Broker) -> None:
    asked = broker.options(**{"kafka.group.id": "mine", "kafka.enable.auto.commit": "true"})
    assert len(read(asked)) == 30


def test_a_range_that_is_gone_is_an_error(broker: Broker) -> None:
    options = broker.options()
    with pytest.raises(BrokerError, match="was the topic made anew"):
        list(BrokerUnit(options.client, PartitionRange(0, 2, 99)).tables(None))
    tables = BrokerUnit(options.client, PartitionRange(1, 3, 8)).tables(None)
    found = [row for table in tables for row in table.to_pylist()]
    assert [row["source_offset"] for row in found] == [3, 4, 5, 6, 7]


def test_a_broker_that_is_not_there() -> None:
    nowhere = Options.read({"kafka.bootstrap.servers": "127.0.0.1:1"})
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1 cannot be reached"):
        BrokerReader(nowhere).partitions()
    wrong = Options.read({"kafka.bootstrap.servers": "127.0.0.1:1", "kafka.colour": "red"})
    with pytest.raises(BrokerError, match="settings are refused"):
        BrokerReader(wrong).partitions()


def test_a_stream_goes_on_where_it_was(broker: Broker) -> None:
    stream = BrokerStream(broker.options())
    start, end = stream.initialOffset(), stream.latestOffset()
    assert (start["1"], end["1"]) == (0, 25)
    broker.write(1, (KEYS[1], b"new"))
    later = stream.latestOffset()
    (partition,) = stream.partitions(end, later)
    rows = [row for batch in stream.read(partition) for row in batch.to_pylist()]
    assert [(row["source_offset"], row["value"]) for row in rows] == [(25, b"new")]


@pytest.mark.slow
def test_in_spark(spark: SparkSession, broker: Broker, tmp_path: Path) -> None:
    servers = {"kafka.bootstrap.servers": broker.address}
    source = spark.read.format("kproto.offsets").options(**servers).load()
    count = source.where("group_id = 'h'").count()
    assert count >= 26
    followed = spark.readStream.format("kproto.offsets").options(**servers).load()
    for _ in range(2):  # the second time there is nothing new
        query = (
            followed.where("group_id = 'h'")
            .writeStream.format("parquet")
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start(str(tmp_path / "out"))
        )
        query.awaitTermination(120)
        assert spark.read.parquet(str(tmp_path / "out")).count() == count
