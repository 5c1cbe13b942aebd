"""Following with Spark: a query that is ended and goes on says each finding once."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

confluent_kafka = pytest.importorskip("confluent_kafka")

import msgspec  # noqa: E402  # behind what it is skipped for
import pyarrow.parquet as pq  # noqa: E402
from pyspark.sql.datasource import InputPartition  # noqa: E402

from kproto.cluster.records import BrokerError  # noqa: E402
from kproto.codec import GroupMetadataKey, KprotoError  # noqa: E402
from kproto.pipeline.run import Options  # noqa: E402
from kproto.pipeline.run.audit import run_audit  # noqa: E402
from kproto.pipeline.sources.broker import broker_units  # noqa: E402
from kproto.pipeline.spark.offsets_source import BrokerStream  # noqa: E402
from kproto.pipeline.streaming.group_follower import Patience, Turn  # noqa: E402
from kproto.pipeline.streaming.position import OnLost, Position  # noqa: E402
from kproto.pipeline.streaming.published import Published  # noqa: E402
from kproto.pipeline.streaming.query import (  # noqa: E402
    Following,
    Order,
    Told,
    _reason,
    opened,
)
from kproto.pipeline.streaming.stream_source import FollowingReader, SourceSettings  # noqa: E402
from kproto.pipeline.tables.publishing import Destination  # noqa: E402
from tests.pipeline.test_broker_source import Broker  # noqa: E402
from tests.pipeline.test_follow import NOW, batch_of, group_value  # noqa: E402

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEY = GroupMetadataKey(group="g").to_bytes()


@pytest.fixture
def broker() -> Iterator[Broker]:
    made = Broker()
    yield made
    made.producer.purge()


def rejoin(broker: Broker, first: int, last: int) -> None:
    """Generations of one group whose member comes back with another id each time."""
    values = (group_value(number) for number in range(first, last))
    broker.write(
        0,
        *(
            (KEY, value.replace(b"m0", b"m%d" % (number % 9 + 1)))
            for number, value in enumerate(values, first)
        ),
    )


def order_of(broker: Broker, out: Path) -> Order:
    client = (("bootstrap.servers", broker.address),)
    options = Options(cluster_id="c")
    return Order(
        SourceSettings(client=client, cluster_id="c"), options, str(out), 0.1, Patience(1000)
    )


def run_until(spark: SparkSession, order: Order, read: int) -> list[Told]:
    """What is told until so many records are read."""
    following = Following(spark, order, opened(order))
    following.start()
    told: list[Told] = []
    try:
        end = time.monotonic() + 600
        while sum(one.counts.read for one in told) < read and time.monotonic() < end:
            told += following.told(0.1)
    finally:
        following.stop()
    return [*told, *following.rest()]


def _told_at_once(row: dict[str, Any]) -> dict[str, Any]:
    """The finding without what is told of its costs when the group is next judged."""
    evidence = json.loads(row["evidence"])
    evidence.pop("not_known", None)
    return {**row, "evidence": evidence}


@pytest.mark.slow
def test_a_query_that_goes_on_says_each_finding_once(
    spark: SparkSession, broker: Broker, tmp_path: Path
) -> None:
    order = order_of(broker, tmp_path / "out")
    rejoin(broker, 1, 15)
    first = run_until(spark, order, 14)
    rejoin(broker, 15, 30)
    second = run_until(spark, order, 15)
    new = [
        change.finding["finding_id"]
        for told in (*first, *second)
        for change in told.changes
        if change.word == "new"
    ]
    assert len(new) == len(set(new))
    units = broker_units(order.settings.client)
    destination = Destination.new(str(tmp_path / "whole"), replace=False)
    audit = run_audit(units, destination, order.options)
    wanted = {row["finding_id"]: row for row in audit.findings.to_pylist()}
    found = {
        row["finding_id"]: row for row in pq.read_table(tmp_path / "out" / "findings").to_pylist()
    }
    assert set(new) == found.keys() == wanted.keys()
    assert "rebalance-storm" in {row["rule"] for row in found.values()}
    assert {key: _told_at_once(row) for key, row in found.items()} == {
        key: _told_at_once(row) for key, row in wanted.items()
    }
    said = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert said["records"]["read"] == 29
    assert len(json.loads((tmp_path / "out" / "findings.json").read_text())["findings"]) == len(new)


def test_a_checkpoint_that_is_gone(broker: Broker, tmp_path: Path) -> None:
    order = order_of(broker, tmp_path)
    Published(order.out, order.source, order.options).publish(batch_of(0, Turn(None, {})), NOW)
    with pytest.raises(KprotoError, match="lost its checkpoint"):
        opened(order)


@pytest.mark.slow
def test_the_reader_takes_no_more_than_it_may_and_gives_what_is_left(broker: Broker) -> None:
    """What Spark does with it, by hand."""
    limits = pytest.importorskip("pyspark.sql.streaming.datasource", reason="Spark 4.2 has it")
    rejoin(broker, 1, 31)
    reader = FollowingReader(
        SourceSettings(client=(("bootstrap.servers", broker.address),), on_lost=OnLost.EARLIEST)
    )
    start = reader.initialOffset()
    end = reader.latestOffset(start, limits.ReadMaxRows(12))
    assert (end["next"]["0"], end["behind"]) == (12, 18)
    told = [read(reader, one) for one in reader.partitions(start, end)]
    assert [kinds.count("record") for kinds in told] == [0, 12]
    assert told[0] == ["batch"]  # no time: not all is read
    last = reader.latestOffset(end, limits.ReadAllAvailable())
    told = [read(reader, one) for one in reader.partitions(end, last)]
    assert told[0] == ["batch", "time"]
    assert told[1].count("record") == 18
    # A batch that is repeated after records of it were deleted gives those that are left.
    gone = last | {"next": last["next"] | {"0": 40}}
    assert [read(reader, one).count("record") for one in reader.partitions(end, gone)] == [0, 18]
    reader.stop()


def test_before_spark_4_2_a_reader_goes_on_where_its_last_batch_ended(broker: Broker) -> None:
    """Or, in a new process, where the last published one did: latestOffset has no arguments."""
    rejoin(broker, 1, 31)
    settings = SourceSettings(client=(("bootstrap.servers", broker.address),), limit=12)
    reader = FollowingReader(settings)
    first, start, second = reader.latestOffset(), reader.initialOffset(), reader.latestOffset()
    assert [end["next"]["0"] for end in (start, first, second)] == [0, 12, 24]
    published = msgspec.structs.replace(settings, start=Position.read(first))
    assert FollowingReader(published).latestOffset()["next"]["0"] == 24
    again = FollowingReader(published)
    again.partitions(first, second)  # a batch that was planned and not committed
    assert again.latestOffset()["next"]["0"] == 30


def test_any_stream_of_the_topic_has_a_limit_and_an_end(broker: Broker) -> None:
    limits = pytest.importorskip("pyspark.sql.streaming.datasource", reason="Spark 4.2 has it")
    rejoin(broker, 1, 31)
    stream = BrokerStream(broker.options(max_records="10"))
    limit = stream.getDefaultReadLimit()
    assert limit == limits.ReadMaxRows(10)
    start = stream.initialOffset()
    assert stream.latestOffset(start, limit)["0"] == 10
    assert stream.latestOffset(start, limits.ReadAllAvailable())["0"] == 30
    stream.prepareForTriggerAvailableNow()
    rejoin(broker, 31, 33)
    assert stream.latestOffset(start | {"0": 25}, limit)["0"] == 30
    assert BrokerStream(broker.options()).getDefaultReadLimit() == limits.ReadAllAvailable()
    with pytest.raises(BrokerError, match=r"offset 99 comes next.*made anew"):
        stream.latestOffset({"0": 99}, limit)
    with pytest.raises(ValueError, match="max_records: 'no' is no number of offsets"):
        broker.options(max_records="no")


def read(reader: FollowingReader, partition: InputPartition) -> list[str]:
    return [kind for batch in reader.read(partition) for kind in batch.column("kind").to_pylist()]


def test_what_spark_makes_of_an_error_is_one_line() -> None:
    frames = "Traceback (most recent call last):\n  File x, line 1\n"
    ours = "kproto.pipeline.sources.broker.BrokerError: the topic was made anew\n at org.apache"
    assert _reason(f"An exception.\n{frames}{ours}") == "the topic was made anew"
    others = "TypeError: no\n\n=== Streaming Query ===\nmuch more"
    assert _reason(f"An exception.\n{frames}{others}") == "TypeError: no"
