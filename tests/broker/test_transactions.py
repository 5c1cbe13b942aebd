"""Commits in transactions, of a real broker: read from it and from its log segments, their outcome
is the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.broker import broker_units
from tests.broker.broker import Broker
from tests.broker.test_no_trace import commit

COLUMNS = ("source_partition", "source_offset", "key", "value", "transactional", "outcome")


def in_transactions(broker: Broker, outcomes: str) -> tuple[Consumer, Producer]:
    """Commit an offset in each transaction: c commits it, a aborts it, o leaves it open. The
    clients are returned, since what is open ends with them."""
    consumer = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": "exactly-once"})
    consumer.subscribe(["t"])
    consumer.poll(5)
    names = {"bootstrap.servers": broker.bootstrap, "transactional.id": "tx"}
    producer = Producer(names)
    producer.init_transactions()
    for offset, outcome in enumerate(outcomes):
        producer.begin_transaction()
        place = [TopicPartition("t", 0, offset)]
        producer.send_offsets_to_transaction(place, consumer.consumer_group_metadata())
        if outcome == "c":
            producer.commit_transaction()
        elif outcome == "a":
            producer.abort_transaction()
    return consumer, producer


def rows(units: Any) -> list[tuple[Any, ...]]:
    return sorted(
        tuple(row[name] for name in COLUMNS)
        for unit in units
        for table in unit.tables("c")
        for row in table.to_pylist()
    )


def test_a_broker_and_its_segments_tell_the_same_outcomes(broker: Broker, tmp_path: Path) -> None:
    commit(broker, "plain")
    clients = in_transactions(broker, "cacaaco")
    live = rows(broker_units((("bootstrap.servers", broker.bootstrap),)))
    outcomes = [row[-1] for row in live if row[-2]]
    words = {"c": "committed", "a": "aborted", "o": "undecided"}
    assert outcomes == [words[letter] for letter in "cacaaco"]
    assert live == rows(units_of(str(broker.logs)))
    assert {row[-1] for row in live if not row[-2]} == {None}
    del clients


@pytest.mark.parametrize("size", [1, 4096])
def test_small_answers_make_no_difference(
    broker: Broker, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that is larger than an answer comes whole; else the last one may be cut off."""
    monkeypatch.setattr("kproto.cluster.records.MAX_BYTES", size)
    live = rows(broker_units((("bootstrap.servers", broker.bootstrap),)))
    assert live == rows(units_of(str(broker.logs)))
