"""What kcat, console-consumer and kafka-dump-log print of fresh messages on a real broker is read
right. `make printers` draws a hundred, `make broker` a few. KPROTO_SEED draws other messages."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from kproto.codec import Message, VersionedMessage, message_class
from kproto.fuzz.building import JavaUnavailable, fetch_jars
from tests.broker.broker import HERE, Broker, java
from tests.broker.old_brokers import jars_of
from tests.conftest import do_without
from tests.tools.conftest import Answer, run
from tests.tools.printers import SECONDS, Drawn, draw, draw_named
from tests.tools.test_printers import MESSAGES, is_tie, require

VERSION = 3
"""Of values: the newest that the old releases know."""
OLD_RELEASES = ("2.6.3", "3.7.2")
BYTES = "org.apache.kafka.common.serialization.BytesDeserializer"
MEMBER = "consumer-1-5d6f"


class Record(NamedTuple):
    """A record as a broker stores it; a tombstone has no value."""

    key: VersionedMessage
    value: VersionedMessage | None

    @property
    def data(self) -> tuple[bytes, bytes | None]:
        value = None if self.value is None else self.value.to_bytes(version=VERSION)
        return self.key.to_bytes(), value


def stored(name: str, **fields: Any) -> VersionedMessage:
    message = message_class(name)(**fields)
    assert isinstance(message, VersionedMessage)
    return message


def record(rng: Random, number: int) -> Record:
    """A group with a member whose bytes are fresh, a commit, or a tombstone."""
    group = f"billing-{number}"
    if number % 3 == 0:
        subscription = draw_named(rng, "ConsumerProtocolSubscription").data
        # kafka-dump-log prints no version of an assignment, so that 0 is assumed.
        assignment = draw_named(rng, "ConsumerProtocolAssignment").message.to_bytes(version=0)
        value = message_class("GroupMetadataValue")
        member = value.MemberMetadata(  # type: ignore[attr-defined]
            member_id=MEMBER, group_instance_id=None, client_id="consumer-1",
            client_host="/10.0.0.5", rebalance_timeout=300_000, session_timeout=45_000,
            subscription=subscription, assignment=assignment,
        )  # fmt: skip
        return Record(
            stored("GroupMetadataKey", group=group),
            stored(
                "GroupMetadataValue", protocol_type="consumer", generation=number + 1,
                protocol="range", leader=MEMBER, current_state_timestamp=1_714_723_353_123,
                members=[member],
            ),
        )  # fmt: skip
    key = stored("OffsetCommitKey", group=group, topic="orders", partition=number)
    if number % 3 == 1:
        return Record(key, None)
    commit = stored(
        "OffsetCommitValue", offset=rng.randrange(1 << 40), leader_epoch=rng.choice((-1, 7)),
        metadata="", commit_timestamp=1_714_723_353_123,
    )  # fmt: skip
    return Record(key, commit)


class Written(NamedTuple):
    """What was produced: messages as values of one topic, and records of groups in another."""

    broker: Broker
    messages: list[Drawn]
    records: list[Record]

    def segment(self, topic: str) -> Path:
        return self.broker.logs / f"{topic}-0" / "00000000000000000000.log"


@pytest.fixture
def written(broker: Broker, rng: Random) -> Written:
    # All messages go to the broker at once, so none shrinks.
    messages = [draw(rng) for _ in range(MESSAGES)]
    records = [record(rng, number) for number in range(3 * -(-MESSAGES // 3))]
    admin = AdminClient({"bootstrap.servers": broker.bootstrap})
    topics = [NewTopic(name, num_partitions=1) for name in ("payloads", "groups")]
    for future in admin.delete_topics([topic.topic for topic in topics]).values():
        _ = future.exception()
    for future in admin.create_topics(topics).values():
        future.result()
    producer = Producer({"bootstrap.servers": broker.bootstrap})
    for drawn in messages:
        producer.produce("payloads", drawn.data)
    for one in records:
        key, value = one.data
        producer.produce("groups", value, key)
    assert producer.flush(60) == 0
    return Written(broker, messages, records)


# -- kcat


def test_kcat(written: Written, tmp_path: Path) -> None:
    require(("kcat", "xxd"))
    kcat = ("kcat", "-C", "-q", "-e", "-b", written.broker.bootstrap, "-t", "payloads", "-p", "0")
    faults = []
    for offset, drawn in enumerate(written.messages):
        one = output(*kcat, "-o", str(offset), "-c", "1", "-D", "")
        for style, text in (("raw", one), ("xxd", output("xxd", stdin=one))):
            if fault := fault_of(run_on(text, tmp_path), [drawn]):
                faults.append((style, fault, drawn.data.hex()))
    assert not faults


# -- console-consumer


@pytest.fixture(scope="session")
def tools() -> Path:
    """The jars of the tools of the broker's release."""
    try:
        return fetch_jars((HERE / "pom.xml").read_bytes().replace(b"kafka_2.13", b"kafka-tools"))
    except JavaUnavailable as reason:
        do_without(reason)


def consumed(written: Written, jars: Path, main: str, topic: str, *more: str) -> bytes:
    count = len(written.messages if topic == "payloads" else written.records)
    return output(
        *java(
            jars, main, "--bootstrap-server", written.broker.bootstrap, "--topic", topic,
            "--from-beginning", "--max-messages", str(count), *more,
        )
    )  # fmt: skip


CONSOLE = "org.apache.kafka.tools.consumer.ConsoleConsumer"


def test_console_consumer_with_bytes(written: Written, tools: Path, tmp_path: Path) -> None:
    option = ("--property", f"value.deserializer={BYTES}")
    text = consumed(written, tools, CONSOLE, "payloads", *option)
    assert not fault_of(run_on(text, tmp_path), written.messages)


def test_console_consumer_with_keys(written: Written, tools: Path, tmp_path: Path) -> None:
    options = (
        "--property", "print.key=true", "--property", f"key.deserializer={BYTES}",
        "--property", f"value.deserializer={BYTES}",
    )  # fmt: skip
    text = consumed(written, tools, CONSOLE, "groups", *options)
    assert parts_of(run_on(text, tmp_path)) == expected(written.records)


@pytest.mark.parametrize("formatter", ["OffsetsMessageFormatter", "GroupMetadataMessageFormatter"])
def test_formatters(written: Written, tools: Path, tmp_path: Path, formatter: str) -> None:
    name = f"org.apache.kafka.tools.consumer.{formatter}"
    text = consumed(written, tools, CONSOLE, "groups", "--formatter", name)
    of_groups = formatter.startswith("Group")
    records = [one for one in written.records if ("Group" in one.key.NAME) == of_groups]
    assert parts_of(run_on(text, tmp_path)) == expected(records)


@pytest.mark.parametrize("release", OLD_RELEASES)
def test_old_formatters(written: Written, tmp_path: Path, release: str) -> None:
    name = "kafka.coordinator.group.GroupMetadataManager$"
    main = "kafka.tools.ConsoleConsumer"
    jars = old_jars(release)
    text = consumed(written, jars, main, "groups", "--formatter", f"{name}OffsetsMessageFormatter")
    commits = [one for one in written.records if "Offset" in one.key.NAME]
    assert parts_of(run_on(text, tmp_path)) == expected(commits)
    text = consumed(
        written, jars, main, "groups", "--formatter", f"{name}GroupMetadataMessageFormatter"
    )
    answer = run_on(text, tmp_path)
    groups = [one for one in written.records if "Group" in one.key.NAME]
    assert parts_of(answer) == [(one.key.NAME, one.key.to_json()) for one in groups]
    assert "no bytes of members" in answer.notes


# -- kafka-dump-log


def test_dump_log(written: Written, tools: Path, tmp_path: Path) -> None:
    text = dumped(tools, "org.apache.kafka.tools.DumpLogSegments", written)
    assert parts_of(run_on(text, tmp_path)) == expected(written.records)


@pytest.mark.parametrize("release", OLD_RELEASES)
def test_old_dump_log(written: Written, tmp_path: Path, release: str) -> None:
    text = dumped(old_jars(release), "kafka.tools.DumpLogSegments", written)
    answer = run_on(text, tmp_path)
    keys = [(one.key.NAME, one.key.to_json()) for one in written.records]
    assert [part for part in parts_of(answer) if part[0].endswith("Key")] == keys


def dumped(jars: Path, main: str, written: Written) -> bytes:
    options = ("--offsets-decoder", "--files", str(written.segment("groups")))
    return output(*java(jars, main, *options))


def old_jars(release: str) -> Path:
    try:
        return jars_of(release)
    except JavaUnavailable as reason:
        do_without(reason)


# -- what is read


def output(*command: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        command, input=stdin, capture_output=True, check=True, timeout=SECONDS
    ).stdout


def run_on(text: bytes, folder: Path) -> Answer:
    path = folder / "printed.txt"
    path.write_bytes(text)
    return run("decode", "--json", path)


def parts_of(answer: Answer) -> list[tuple[str, Any]]:
    return [(line["name"], line["message"]) for line in answer.lines]


def expected(records: Sequence[Record]) -> list[tuple[str, Any]]:
    """The keys and values of records, as JSON."""
    return [part for one in records for part in _parts(one)]


def _parts(one: Record) -> Iterator[tuple[str, Any]]:
    yield one.key.NAME, one.key.to_json()
    if one.value is not None:
        yield one.value.NAME, one.value.to_json(VERSION)


def fault_of(answer: Answer, messages: Sequence[Drawn]) -> str:
    """What is wrong with the messages that were read; "" for nothing."""
    if len(answer.lines) != len(messages):
        return f"{len(answer.lines)} messages of {len(messages)}: {answer.notes}"
    for line, drawn in zip(answer.lines, messages, strict=True):
        message: Message = drawn.message
        if line["name"] != message.NAME:
            if not is_tie(answer.notes, message.NAME):
                return f"{line['name']} for {message.NAME}: {drawn.data.hex()}"
        elif line["message"] != message.to_json(drawn.version) or line["remainder"]:
            return f"other bytes: {drawn.data.hex()}"
    return ""
