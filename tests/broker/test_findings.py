"""docs/findings: what pages say that real members write, and what becomes of real consumers."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import admin as kafka_admin

from kproto.clients.group_runs import runs
from kproto.fuzz.building import JavaUnavailable, Unavailable
from tests.broker.broker import Broker
from tests.broker.fleet import AIOKAFKA, KAFKA_PYTHON, KAFKAJS, SARAMA, Client, processes
from tests.broker.foreign_bytes import DELAY, MEMBER, Foreigner, Trial
from tests.broker.measure_consequences import CASES, READERS
from tests.conftest import do_without

of: Any = kafka_admin  # its types leave out what it takes
TOPIC, SECONDS = "a", 40.0
STRATEGY, ROUND_ROBIN = "partition.assignment.strategy", "RoundRobinAssigner"


@pytest.fixture(scope="module")
def topic(broker: Broker) -> str:
    topics = of.AdminClient({"bootstrap.servers": broker.bootstrap})
    for future in topics.create_topics([of.NewTopic(TOPIC, 4, 1)]).values():
        future.result()
    return TOPIC


# docs/findings/kafka-go-client-version-0.md
@pytest.mark.parametrize(
    ("client", "settings", "version"),
    [
        (KAFKAJS, {STRATEGY: ROUND_ROBIN}, 0),
        (KAFKA_PYTHON, {}, 0),
        (AIOKAFKA, {}, 0),
        (SARAMA, {}, 0),
        (SARAMA, {"config.version": "default"}, 1),
    ],
)
def test_the_version_that_members_write(
    broker: Broker,
    topic: str,
    tmp_path: Path,
    client: Client,
    settings: dict[str, str],
    version: int,
) -> None:
    group = f"written-{client.name}-{version}"
    foreigner = Foreigner(broker, group, settings.get(STRATEGY, "range"))
    with closing(foreigner), processes(broker, group, (group,), topic, tmp_path) as members:
        foreigner.form_group(topic)
        try:
            members[group].start(client, settings)
        except JavaUnavailable as reason:
            do_without(reason)
        except Unavailable as reason:
            pytest.skip(str(reason))
        deadline = time.monotonic() + SECONDS
        while not foreigner.is_rebalancing():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        (metadata,) = (
            member.metadata for member in foreigner.join_again().members
            if member.member_id != foreigner.id
        )  # fmt: skip
    assert int.from_bytes(metadata[:2], "big") == version


# The rest of the table: python -m tests.broker.measure_consequences
SAMPLE = [client for client in READERS if client.name in ("librdkafka", "kafka-python", "aiokafka")]


@pytest.mark.parametrize("client", SAMPLE, ids=str)
def test_what_becomes_of_a_member_without_bytes(
    broker: Broker, topic: str, tmp_path: Path, client: Client
) -> None:
    assert DELAY and CASES["KP015"] == {"": ("", "")}
    seen = Trial(broker, client, topic, f"without-bytes-{client}", tmp_path).run(MEMBER, b"")
    (run,) = (
        run for run in runs("KP015")
        if (run.role, run.client, run.release) == (MEMBER, *client)
    )  # fmt: skip
    assert seen.then == run.then
