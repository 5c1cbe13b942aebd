"""Offsets that went astray on a real broker: each client goes on in its own way, and the commands
that findings have set them."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from kproto.cluster.admin import OFFSETS_TOPIC, Topic
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


# -- the commands that findings have


class Astray(NamedTuple):
    """Offsets that went astray: how, the rule that finds it, where the evidence has its commands,
    and the offset that they set."""

    rule: str
    commands: str
    offset: str
    make: Callable[[Broker, str], object]


def _member(broker: Broker, group: str) -> Consumer:
    """A member with partitions, which commits nothing."""
    client = consumer(broker, group)
    client.subscribe([LOST.topic])
    while not client.assignment():
        client.poll(0.1)
    return client


def _read_and_leave(broker: Broker, group: str, offset: int) -> None:
    """Be a member, commit, and leave an empty group behind."""
    client = _member(broker, group)
    place = TopicPartition(LOST.topic, LOST.partition, offset)
    client.commit(offsets=[place], asynchronous=False)
    client.close()


def _rewind(broker: Broker, group: str) -> None:
    _read_and_leave(broker, group, 95)
    commit(broker, group, 70)


def _skip(broker: Broker, group: str) -> None:
    _read_and_leave(broker, group, 65)
    commit(broker, group, 95)


def _expire(broker: Broker, group: str) -> None:
    """As a broker does it after offsets.retention.minutes: it deletes the offset."""
    _read_and_leave(broker, group, 95)
    admin = AdminClient({"bootstrap.servers": broker.bootstrap})
    (deletion,) = admin.delete_consumer_groups([group]).values()
    deletion.result()
    _read_and_leave(broker, group, 61)


def _delete(broker: Broker, group: str) -> None:
    """Delete the offset of a group, whose member then comes back and commits nothing."""
    _read_and_leave(broker, group, 95)
    admin = AdminClient({"bootstrap.servers": broker.bootstrap})
    (deletion,) = admin.delete_consumer_groups([group]).values()
    deletion.result()
    RUNNING[group] = _member(broker, group)
    time.sleep(61)  # before that, the topic may have been deleted, and nobody noticed yet
    commit(broker, _beside(group), 10)  # the time of the group's records is that of its partition


def _beside(group: str) -> str:
    """A group of the same partition of the offsets topic."""
    topic = Topic(OFFSETS_TOPIC, dict.fromkeys(range(4), 0))  # as many as the broker has
    names = (f"beside-{number}" for number in range(100))
    return next(name for name in names if topic.partition_of(name) == topic.partition_of(group))


RUNNING: dict[str, Consumer] = {}
"""Members that are stopped before offsets are set."""


def _beyond(broker: Broker, group: str) -> None:
    commit(broker, group, 5000)
    time.sleep(61)  # before that, what was committed may have come since the end was asked for


ASTRAY = (
    Astray("offset-rewound", "toGoOn", "95", _rewind),
    Astray("offset-rewound", "toGoOn", "95", _expire),
    Astray("offset-skipped", "toGoBack", "65", _skip),
    Astray("offset-out-of-range", "", "60", lambda *_: None),
    Astray("offset-out-of-range", "", "100", _beyond),
    Astray("offset-deleted", "toGoOn", "95", _delete),
)


def findings_of(broker: Broker, group: str, rule: str, folder: Path) -> list[Any]:
    main(["audit", f"kafka://{broker.bootstrap}", "--group", group, "--out", str(folder)])
    findings = json.loads((folder / "findings.json").read_text())["findings"]
    return [finding for finding in findings if finding["code"] == rule]


@pytest.mark.parametrize(
    "astray", ASTRAY, ids=["rewound", "expired", "skipped", "below", "beyond", "deleted"]
)
def test_the_commands_of_a_finding_set_the_offsets(
    astray: Astray, lost: Broker, script: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """With --dry-run nothing changes; without it the finding is gone."""
    group = "late" if astray.offset == "60" else request.node.callspec.id
    astray.make(lost, group)
    (finding,) = findings_of(lost, group, astray.rule, tmp_path / "before")
    evidence = finding["evidence"]
    if group == "late":
        assert "50 records are gone unread" in finding["explanation"]
    if group == "expired":
        assert "they had been deleted before" in finding["explanation"]
    is_stopped = group in RUNNING
    if is_stopped:  # its partition has no owner then, and the rule nothing to say
        RUNNING.pop(group).close()
    (commands,) = evidence[astray.commands] if astray.commands else [evidence]
    for name, rest in (("dryRun", 1), ("command", 0)):
        tool, option, _, *arguments = shlex.split(commands[name])
        assert (tool, option) == ("kafka-consumer-groups", "--bootstrap-server")
        (row,) = script(*arguments)
        end = high_watermark(lost)
        assert row["TOPIC"] == "lost"
        assert int(row["NEW-OFFSET"]) == (end if group == "beyond" else int(astray.offset))
        if not is_stopped:
            assert len(findings_of(lost, group, astray.rule, tmp_path / name)) == rest
    if is_stopped:
        with closing(_member(lost, group)) as client:
            (place,) = client.committed(client.assignment(), timeout=30)
            assert place.offset == int(astray.offset)
            assert not findings_of(lost, group, astray.rule, tmp_path / "again")


def high_watermark(broker: Broker) -> int:
    client = consumer(broker, "nobody")
    _, end = client.get_watermark_offsets(LOST)
    client.close()
    return int(end)
