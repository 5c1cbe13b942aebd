"""A broker that never had a group: reading it makes nothing, and its first group is seen."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka import admin as kafka_admin

from kproto.cluster import Denied
from kproto.fuzz.building import JavaUnavailable
from kproto.pipeline.sources.broker import broker_units
from kproto.pipeline.spark.offsets_source import BrokerReader, BrokerStream, Options
from kproto.tools.main import main
from tests.broker.broker import Broker, running_broker
from tests.broker.test_follow import following, need_java
from tests.conftest import do_without

KAFKA: Any = kafka_admin  # of its names the stubs know few

# As brokers are by default: what is asked for by its name is made.
MAKES_TOPICS = "auto.create.topics.enable=true\n"
GUARDED = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\n"
OPEN = "allow.everyone.if.no.acl.found=true\nsuper.users=User:nobody\n"


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Broker]:
    """A broker of its own, without a topic."""
    try:
        with running_broker(tmp_path, MAKES_TOPICS + GUARDED + OPEN) as broker:
            yield broker
    except JavaUnavailable as reason:
        do_without(reason)


def topics(broker: Broker) -> set[str]:
    return set(
        KAFKA.AdminClient({"bootstrap.servers": broker.bootstrap}).list_topics(timeout=10).topics
    )


def commit(broker: Broker, group: str) -> None:
    admin = KAFKA.AdminClient({"bootstrap.servers": broker.bootstrap})
    for made in admin.create_topics([KAFKA.NewTopic("t", 1, 1)]).values():
        made.result()
    client = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": group})
    client.commit(offsets=[TopicPartition("t", 0, 0)], asynchronous=False)
    client.close()


def test_an_audit_of_a_broker_without_groups_makes_no_topic(
    fresh: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = f"kafka://{fresh.bootstrap}"
    assert main(["audit", source, "--out", str(tmp_path / "out")]) == 0
    assert "no group has joined or committed anything" in capsys.readouterr().out
    assert not json.loads((tmp_path / "out" / "findings.json").read_text())["groups"]
    options = Options.read({"kafka.bootstrap.servers": fresh.bootstrap})
    assert not BrokerReader(options).partitions()
    assert BrokerStream(options).latestOffset() == {}
    assert main(["story", source]) == 1
    assert "no line is about a consumer group" in capsys.readouterr().err
    time.sleep(2)  # a topic that is asked for is made a moment later
    assert not topics(fresh)

    commit(fresh, "first")
    assert main(["audit", source, "--out", str(tmp_path / "out"), "--replace"]) == 0
    assert json.loads((tmp_path / "out" / "findings.json").read_text())["groups"] == 1
    assert topics(fresh) == {"t", "__consumer_offsets"}


@pytest.mark.long
def test_a_follower_waits_for_the_first_group(fresh: Broker, tmp_path: Path) -> None:
    need_java()
    with following(fresh, tmp_path / "out", tmp_path / "said") as follower:
        follower.wait_until_known()
        assert not topics(fresh)
        commit(fresh, "first")
        follower.wait(lambda: follower.manifest()["records"]["read"] > 0)


def test_a_topic_that_is_hidden_is_not_taken_for_none(fresh: Broker) -> None:
    commit(fresh, "first")
    admin = KAFKA.AdminClient({"bootstrap.servers": fresh.bootstrap})
    hidden = KAFKA.AclBinding(
        KAFKA.ResourceType.TOPIC,
        "__consumer_offsets",
        KAFKA.ResourcePatternType.LITERAL,
        "User:ANONYMOUS",
        "*",
        KAFKA.AclOperation.DESCRIBE,
        KAFKA.AclPermissionType.DENY,
    )
    for made in admin.create_acls([hidden]).values():
        made.result()
    with pytest.raises(Denied, match="lacks DESCRIBE on TOPIC '__consumer_offsets'"):
        broker_units((("bootstrap.servers", fresh.bootstrap),))
