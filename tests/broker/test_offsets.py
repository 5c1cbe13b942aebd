"""Offsets out of range on a real broker: each client goes on in its own way, and the command that
the finding has sets them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from kproto.tools.main import main
from tests.broker.broker import Broker

LOST = TopicPartition("lost", 0)


def consumer(broker: Broker, group: str, reset: str = "error") -> Consumer:
    return Consumer(
        {
            "bootstrap.servers": broker.bootstrap,
            "group.id": group,
            "auto.offset.reset": reset,
            "enable.auto.commit": False,
        }
    )


def commit(broker: Broker, group: str, offset: int) -> None:
    client = consumer(broker, group)
    place = TopicPartition(LOST.topic, LOST.partition, offset)
    client.commit(offsets=[place], asynchronous=False)
    client.close()


@pytest.fixture(scope="module")
def lost(broker: Broker) -> Broker:
    """A topic of a hundred records, of which sixty are deleted."""
    admin = AdminClient({"bootstrap.servers": broker.bootstrap})
    admin.create_topics([NewTopic(LOST.topic, 1, 1)])[LOST.topic].result()
    producer = Producer({"bootstrap.servers": broker.bootstrap})
    for number in range(100):
        producer.produce(LOST.topic, str(number))
    producer.flush()
    for group in ("late", "earliest", "latest", "error"):
        commit(broker, group, 10)
    for answer in admin.delete_records([TopicPartition(LOST.topic, 0, 60)]).values():
        answer.result()
    return broker


@pytest.mark.parametrize(("reset", "record"), [("earliest", b"60"), ("latest", b"new")])
def test_a_client_goes_on_where_its_setting_says(lost: Broker, reset: str, record: bytes) -> None:
    client = consumer(lost, reset, reset)
    client.assign([LOST])
    message = client.poll(5 if reset == "latest" else 30)
    if reset == "latest":
        assert message is None
        producer = Producer({"bootstrap.servers": lost.bootstrap})
        producer.produce(LOST.topic, "new")
        producer.flush()
        message = client.poll(30)
    assert message is not None
    assert message.value() == record
    client.close()


def test_a_client_without_the_setting_fails(lost: Broker) -> None:
    client = consumer(lost, "error")
    client.assign([LOST])
    message = client.poll(30)
    assert message is not None
    error = message.error()
    assert error is not None
    assert error.code() == KafkaError._AUTO_OFFSET_RESET
    with pytest.raises(KafkaException):
        raise KafkaException(error)
    client.close()


def out_of_range(broker: Broker, folder: Path) -> list[Any]:
    main(["audit", f"kafka://{broker.bootstrap}", "--group", "late", "--out", str(folder)])
    findings = json.loads((folder / "findings.json").read_text())["findings"]
    return [finding for finding in findings if finding["code"] == "offset-out-of-range"]


def test_the_command_of_the_finding_sets_the_offsets(
    lost: Broker, script: Any, tmp_path: Path
) -> None:
    (finding,) = out_of_range(lost, tmp_path / "before")
    assert "50 records are gone unread" in finding["explanation"]
    for name, rest in (("dryRun", 1), ("command", 0)):
        tool, option, _, *arguments = shlex.split(finding["evidence"][name])
        assert (tool, option) == ("kafka-consumer-groups", "--bootstrap-server")
        (row,) = script(*arguments)
        assert (row["TOPIC"], row["NEW-OFFSET"]) == ("lost", "60")
        assert len(out_of_range(lost, tmp_path / name)) == rest
