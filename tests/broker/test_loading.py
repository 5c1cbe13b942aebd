"""A partition of the offsets topic that a real broker does not load, and what kproto says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer

from kproto.cluster.admin import Topic
from kproto.fuzz.building import JavaUnavailable
from kproto.tools.main import main
from tests.broker.broker import OFFSETS_PARTITIONS, Broker, running_broker
from tests.conftest import do_without

REPORT = Path(__file__).parents[1] / "vectors" / "reports" / "k21117.jsonl"
PARTITION = Topic("", dict.fromkeys(range(OFFSETS_PARTITIONS), 1)).partition_of("g")


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker that was restarted with the records of KAFKA-21117 in its offsets topic."""
    try:
        with running_broker(tmp_path_factory.mktemp("failed")) as broker:
            consumer = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": "healthy"})
            consumer.subscribe(["t"])
            consumer.poll(5)  # the group makes the offsets topic
            consumer.close()
            # Brokers take records of their own topics from this client alone.
            producer = Producer(
                {"bootstrap.servers": broker.bootstrap, "client.id": "__admin_client"}
            )
            for line in REPORT.read_text().splitlines():
                record = json.loads(line)
                key, value = bytes.fromhex(record["key"]), bytes.fromhex(record["value"])
                producer.produce("__consumer_offsets", key=key, value=value, partition=PARTITION)
            assert producer.flush(30) == 0
            del producer
            broker.restart()
            yield broker
    except JavaUnavailable as reason:
        do_without(reason)


def test_the_list_says_which_partition_is_missing(
    failed: Broker, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["group", "--bootstrap-server", failed.bootstrap]) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert f"leads partition {PARTITION} of __consumer_offsets and has not loaded it" in out
    assert out.count("has not loaded it") == 1


def test_a_group_of_it_is_no_streams_group(
    failed: Broker, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["group", "g", "--bootstrap-server", failed.bootstrap, "--timeout", "8s"]
    assert main(command) == 3
    error = capsys.readouterr().err
    assert "has not loaded it (NOT_COORDINATOR)" in error
    assert "Streams" not in error


def test_the_audit_names_the_record(
    failed: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", f"kafka://{failed.bootstrap}", "--out", str(tmp_path), "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    (finding,) = [each for each in findings if each["code"] == "partition-not-loadable"]
    assert finding["evidence"]["sourcePartition"] == PARTITION
    log = (failed.logs.parent / "broker.log").read_text()
    offset = finding["evidence"]["sourceOffset"]
    assert f"from __consumer_offsets-{PARTITION} at offset {offset} " in log
    assert "Group g is not a consumer group" in log
