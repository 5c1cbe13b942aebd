"""Settings of clients: what Java's consumer refuses to be constructed with, as
`clients/settings.toml` has it, and what the judgement of settings says to change, carried out."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka import admin as kafka_admin

from kproto.clients.settings import refusals
from kproto.fuzz.building import JavaUnavailable, compile_java, fetch_jars
from tests.broker.broker import HERE, Broker, java, running_broker
from tests.broker.fleet import JAVA, Client, processes
from tests.broker.test_advice import Stage, findings_of
from tests.broker.test_remedies import consumer_of, printed, stage_of
from tests.conftest import do_without

of: Any = kafka_admin  # its types leave out what it takes

CASES = {
    ("heartbeat.interval.ms", "session.timeout.ms"):
        "heartbeat.interval.ms=6000 session.timeout.ms=3000",
    ("group.protocol", "partition.assignment.strategy"):
        "group.protocol=consumer partition.assignment.strategy="
        "org.apache.kafka.clients.consumer.RangeAssignor",
    ("group.protocol", "session.timeout.ms"): "group.protocol=consumer session.timeout.ms=9000",
    ("group.protocol", "heartbeat.interval.ms"): "group.protocol=consumer heartbeat.interval.ms=9",
    ("group.remote.assignor", "group.protocol"):
        "group.protocol=classic group.remote.assignor=uniform",
    ("max.poll.interval.ms", "session.timeout.ms"): "max.poll.interval.ms=5000",
}  # fmt: skip


def test_what_java_refuses(broker: Broker) -> None:
    classes = compile_java((HERE / "Refusals.java").read_bytes(), "Refusals", broker.jars)
    command = java(broker.jars, "Refusals", more=(classes,))
    text = "\n".join(CASES.values())
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    for names, line in zip(CASES, done.stdout.splitlines(), strict=True):
        words = [refusal.says for refusal in refusals("kafka-clients", *names)]
        assert words == ([] if line == "taken" else [line])


# -- what the judgement of settings says to change


class Setting(NamedTuple):
    """A rule of the judgement of settings, the client's settings, words of what to change, and the
    settings with that change."""

    rule: str
    settings: dict[str, str]
    words: str
    changed: dict[str, str]


_ROUNDROBIN = {"partition.assignment.strategy": "roundrobin"}
SETTINGS = (
    Setting("assignors", _ROUNDROBIN, "add range to",
            {"partition.assignment.strategy": "roundrobin,range"}),
    Setting("assignors", {"partition.assignment.strategy": "cooperative-sticky"}, "add range to",
            {"partition.assignment.strategy": "cooperative-sticky,range"}),
    Setting("session-limits", {"session.timeout.ms": "500", "heartbeat.interval.ms": "100"},
            "within the broker's limits", {"session.timeout.ms": "1000"}),
    Setting("no-commit", {"enable.auto.commit": "false"}, "set enable.auto.commit to true",
            {"enable.auto.commit": "true", "auto.offset.reset": "earliest",
             "auto.commit.interval.ms": "500"}),
)  # fmt: skip


def name_of(case: Setting) -> str:
    return f"{case.rule}-{next(iter(case.settings.values()))}"


def option_of(stage: Stage, settings: Mapping[str, str]) -> tuple[str, str]:
    """These settings as an option of a command."""
    file = stage.folder / "client.properties"
    lines = {"group.id": stage.group, **settings}
    file.write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    return "--settings", f"kafka-clients:4.3.1={file}"


def judged_settings(
    capsys: pytest.CaptureFixture[str], stage: Stage, settings: dict[str, str]
) -> dict[str, str]:
    """What is to be changed in these settings, by the rule."""
    words = ("group", stage.group, "--bootstrap-server", stage.broker.bootstrap)
    (group,) = printed(capsys, *words, *option_of(stage, settings))
    return {entry["code"]: entry["whatToChange"] for entry in group["clientSettings"]}


@pytest.mark.plans
@pytest.mark.parametrize("case", SETTINGS, ids=[name_of(case) for case in SETTINGS])
def test_what_the_judgement_of_settings_says_to_change(
    case: Setting, broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    group = f"settings-{name_of(case)}"
    client = Client("kafka-clients", "4.3.1")
    with (
        stage_of(broker, group, tmp_path) as stage,
        processes(broker, group, ("app",), "read", tmp_path) as fleet,
    ):
        if case.rule != "no-commit":
            stage.join("b")
        producer = Producer({"bootstrap.servers": broker.bootstrap})
        for partition in (0, 1):
            producer.produce("read", b"record", partition=partition)
        assert producer.flush(30) == 0
        app = fleet["app"]
        app.start(client, case.settings)
        time.sleep(8)
        assert bool(app.errors) == (case.rule != "no-commit")
        changes = judged_settings(capsys, stage, case.settings)
        assert case.words in changes[case.rule]
        assert "(kproto's tests did not try it)" not in changes[case.rule]
        app.kill()
        app.events.clear()
        app.start(client, {**case.settings, **case.changed})
        time.sleep(8)
        assert app.events and not app.errors
        assert case.rule not in judged_settings(capsys, stage, {**case.settings, **case.changed})
        app.stop()


@pytest.mark.plans
def test_fewer_records_of_a_poll(
    broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is to be done about commits that come seldom."""
    settings = {"enable.auto.commit": "true", "auto.commit.interval.ms": "300",
                "auto.offset.reset": "earliest"}  # fmt: skip
    changes = {
        records: _changes_after(broker, f"polls-{records}", tmp_path / records,
                                {**settings, "max.poll.records": records})
        for records in ("15", "2")
    }  # fmt: skip
    assert "lower max.poll.records" in changes["15"]["commit-interval"]
    assert "commit-interval" not in changes["2"]
    capsys.readouterr()


def _changes_after(
    broker: Broker, group: str, folder: Path, settings: dict[str, str]
) -> dict[str, str]:
    """What an audit says to change, after a client with these settings has worked for a while: a
    tenth of a second for each record."""
    folder.mkdir()
    with (
        stage_of(broker, group, folder) as stage,
        processes(broker, group, ("app",), group, folder) as fleet,
    ):
        stage.members.step(f"topic {group} 1", quiet_ms=1)
        _produce(broker, group, 1000)
        fleet["app"].start(JAVA[-1], {**settings, "work.ms": "100"})
        time.sleep(25)
        return _changes_of(stage, folder / "out", settings)


def _changes_of(stage: Stage, out: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """What an audit says to change in these settings, by the rule."""
    findings_of(stage, out, *option_of(stage, settings))
    report = json.loads((out / "findings.json").read_text())
    return {
        finding["evidence"]["code"]: finding["evidence"]["whatToChange"]
        for finding in report["findings"]
        if finding["code"] == "client-setting"
    }


def _produce(broker: Broker, topic: str, count: int) -> None:
    producer = Producer({"bootstrap.servers": broker.bootstrap})
    for _ in range(count):
        producer.produce(topic, b"record")
    assert producer.flush(30) == 0


@pytest.mark.plans
@pytest.mark.parametrize(("interval_ms", "read_again"), [("60000", 50), ("200", 0)])
def test_what_is_read_again_after_a_crash(
    interval_ms: str, read_again: int, broker: Broker, tmp_path: Path
) -> None:
    """A lower auto.commit.interval.ms: what a member has read since its last commit, another one
    reads again."""
    group = f"commits-{interval_ms}"
    settings = {"enable.auto.commit": "true", "auto.commit.interval.ms": interval_ms,
                "auto.offset.reset": "earliest"}  # fmt: skip
    with (
        stage_of(broker, group, tmp_path) as stage,
        processes(broker, group, ("app",), group, tmp_path) as fleet,
    ):
        stage.members.step(f"topic {group} 1", quiet_ms=1)
        _produce(broker, group, 50)
        fleet["app"].start(JAVA[-1], settings)
        time.sleep(8)
        fleet["app"].kill()
        client = consumer_of(stage, group)
        (committed,) = client.committed([TopicPartition(group, 0)], timeout=10)
        client.close()
        assert 50 - max(committed.offset, 0) == read_again


@pytest.mark.plans
@pytest.mark.long
def test_a_transaction_that_hangs_is_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is to be done about isolation.level: nobody ends a transaction that its coordinator has
    forgotten, and a member that reads committed records waits at its first record."""
    settings = {"isolation.level": "read_committed", "enable.auto.commit": "true",
                "auto.commit.interval.ms": "1000", "auto.offset.reset": "earliest"}  # fmt: skip
    try:
        with (
            running_broker(tmp_path) as broker,
            stage_of(broker, "hanging", tmp_path) as stage,
            processes(broker, "hanging", ("app",), "read", tmp_path) as fleet,
        ):
            forgotten = _forgotten_transaction(broker)
            fleet["app"].start(JAVA[-1], settings)
            time.sleep(320)
            changes = _changes_of(stage, tmp_path / "trouble", settings)
            assert "kafka-transactions find-hanging" in changes["isolation"]
            (transaction,) = _transactions(broker, "find-hanging", "--broker-id", "1")
            place = ("--topic", "read", "--partition", transaction["Partition"])
            _transactions(broker, "abort", *place, "--start-offset", transaction["StartOffset"])
            time.sleep(5)
            assert "isolation" not in _changes_of(stage, tmp_path / "after", settings)
            assert not _transactions(broker, "find-hanging", "--broker-id", "1")
            del forgotten
    except JavaUnavailable as reason:
        do_without(reason)
    capsys.readouterr()


def _forgotten_transaction(broker: Broker) -> Producer:
    """Write records, some in a transaction, and let its coordinator forget that; the producer is
    returned, since it ends its transaction when it ends."""
    address = {"bootstrap.servers": broker.bootstrap}
    producer = Producer(address | {"transactional.id": "app"})
    producer.init_transactions()
    producer.begin_transaction()
    hour_ago = round(time.time() * 1000) - 3_600_000
    for client in (Producer(address), producer, Producer(address)):
        for _ in range(5):
            client.produce("read", b"record", partition=0, timestamp=hour_ago)
        assert client.flush(30) == 0
    admin = of.AdminClient(address)
    admin.delete_topics(["__transaction_state"])["__transaction_state"].result(30)
    return producer


def _transactions(broker: Broker, *words: str) -> list[dict[str, str]]:
    """Run kafka-transactions; return the rows of what it prints."""
    jars = fetch_jars((HERE / "pom.xml").read_bytes().replace(b"kafka_2.13", b"kafka-tools"))
    name = "org.apache.kafka.tools.TransactionsCommand"
    command = java(jars, name, "--bootstrap-server", broker.bootstrap, *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr
    heads, *rows = [line.split() for line in done.stdout.splitlines() if line.strip()] or [[]]
    return [dict(zip(heads, row, strict=False)) for row in rows]
