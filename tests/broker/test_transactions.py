"""Commits in transactions, of a real broker: read from it and from its log segments, their outcome
is the same."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka import admin as kafka_admin

from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.broker import broker_units
from tests.broker.broker import Broker

KAFKA: Any = kafka_admin  # of its names the stubs know few
COLUMNS = ("source_partition", "source_offset", "key", "value", "transactional", "outcome")


@pytest.fixture
def topic(broker: Broker) -> str:
    """A topic of this test alone: the broker may be that of many tests, and of earlier runs."""
    name = f"transactions-{uuid4().hex[:8]}"
    admin = KAFKA.AdminClient({"bootstrap.servers": broker.bootstrap})
    admin.create_topics([KAFKA.NewTopic(name, 1, 1)])[name].result(60)
    return name


def commit(broker: Broker, topic: str) -> None:
    """Commit an offset outside of transactions."""
    client = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": f"{topic}-plain"})
    client.commit(offsets=[TopicPartition(topic, 0, 0)], asynchronous=False)
    client.close()


def in_transactions(broker: Broker, topic: str, outcomes: str) -> tuple[Consumer, Producer]:
    """Commit an offset in each transaction: c commits it, a aborts it, o leaves it open. The
    clients are returned, since what is open ends with them."""
    consumer = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": topic})
    consumer.subscribe([topic])
    while not consumer.assignment():
        consumer.poll(0.1)
    producer = Producer({"bootstrap.servers": broker.bootstrap, "transactional.id": topic})
    producer.init_transactions()
    for offset, outcome in enumerate(outcomes):
        producer.begin_transaction()
        place = [TopicPartition(topic, 0, offset)]
        producer.send_offsets_to_transaction(place, consumer.consumer_group_metadata())
        if outcome == "c":
            producer.commit_transaction()
        elif outcome == "a":
            producer.abort_transaction()
    return consumer, producer


def rows(units: Any, topic: str) -> list[tuple[Any, ...]]:
    """The records that name a topic, or a group that is called like it."""
    return sorted(
        tuple(row[name] for name in COLUMNS)
        for unit in units
        for table in unit.tables("c")
        for row in table.to_pylist()
        if topic.encode() in (row["key"] or b"")
    )


def test_a_broker_and_its_segments_tell_the_same_outcomes(broker: Broker, topic: str) -> None:
    commit(broker, topic)
    clients = in_transactions(broker, topic, "cacaaco")
    live = rows(broker_units((("bootstrap.servers", broker.bootstrap),)), topic)
    outcomes = [row[-1] for row in live if row[-2]]
    words = {"c": "committed", "a": "aborted", "o": "undecided"}
    assert outcomes == [words[letter] for letter in "cacaaco"]
    assert live == rows(units_of(str(broker.logs)), topic)
    assert {row[-1] for row in live if not row[-2]} == {None}
    del clients


@pytest.mark.parametrize("size", [1, 4096])
def test_small_answers_make_no_difference(
    broker: Broker, topic: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that is larger than an answer comes whole; else the last one may be cut off."""
    commit(broker, topic)
    clients = in_transactions(broker, topic, "cac")
    monkeypatch.setattr("kproto.cluster.records.MAX_BYTES", size)
    live = rows(broker_units((("bootstrap.servers", broker.bootstrap),)), topic)
    assert len(live) > 4
    assert live == rows(units_of(str(broker.logs)), topic)
    del clients
