"""A principal without all rights: what it may not ask is not evaluated, by the right that is
missing, and a wrong password is called one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kproto.codec import GroupMetadataKey, OffsetCommitKey, OffsetCommitValue
from kproto.pipeline.audit import BrokerState
from kproto.pipeline.run import Options, broker_snapshot, run_audit
from kproto.pipeline.run.options import TopicFacts
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources import broker
from kproto.pipeline.tables.publishing import Destination
from tests.pipeline.test_audit_sizes import START, generation, write

confluent_kafka = pytest.importorskip("confluent_kafka")
CLIENT = (("bootstrap.servers", "b:9092"),)


def refused(code: int) -> Any:
    return confluent_kafka.KafkaException(confluent_kafka.KafkaError(code))


class Answer:
    def __init__(self, value: Any) -> None:
        self._value = value

    def result(self) -> Any:
        if isinstance(self._value, Exception):
            raise self._value
        return self._value


class Admin:
    """A cluster with the topics `open` and `closed`, as a principal sees it that may not describe
    these names."""

    def __init__(self, *hidden: str) -> None:
        self._hidden = hidden
        self.told: list[Any] = []

    def poll(self, _: float) -> None:
        """Nothing was told in the background."""

    def list_topics(self, timeout: float) -> Any:
        del timeout
        topics = {name: SimpleNamespace(partitions={0: None}) for name in ("open", "closed")}
        return SimpleNamespace(cluster_id="c", topics=topics)

    def list_offsets(self, asked: Any, request_timeout: float) -> Any:
        del request_timeout
        return {
            place: Answer(
                refused(29) if place.topic in self._hidden else self._offset(place.topic, spec)
            )
            for place, spec in asked.items()
        }

    def _offset(self, topic: str, spec: Any) -> Any:
        """The end is 100; of `closed` ten records are younger than five minutes."""
        latest = spec is confluent_kafka.admin.OffsetSpec.latest()
        return SimpleNamespace(offset=100 if latest else 90 if topic == "closed" else -1)

    def describe_topics(self, asked: Any, request_timeout: float) -> Any:
        del asked, request_timeout
        return {}

    def describe_consumer_groups(self, asked: Any, request_timeout: float) -> Any:
        del asked, request_timeout
        return {}

    def list_consumer_groups(self, request_timeout: float) -> Any:
        del request_timeout
        errors = [refused(31)] if "cluster" in self._hidden else []
        return Answer(SimpleNamespace(valid=[], errors=errors))


def asked(monkeypatch: pytest.MonkeyPatch, admin: Any) -> broker_snapshot.Snapshot:
    monkeypatch.setattr(broker_snapshot, "administrator", lambda _: admin)
    return broker_snapshot.snapshot(CLIENT)


def test_who_may_ask_everything_is_told_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = asked(monkeypatch, Admin())
    assert not seen.withheld
    assert seen.states == {}
    assert {name: facts.ends for name, facts in seen.topics.items()} == {
        "open": {0: 100}, "closed": {0: 100},
    }  # fmt: skip
    assert {name: facts.ends_before for name, facts in seen.topics.items()} == {
        "open": {0: 100}, "closed": {0: 90},
    }  # fmt: skip


def test_the_end_of_a_topic_is_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = asked(monkeypatch, Admin("closed"))
    assert seen.withheld == {"ends": "DESCRIBE on the topics closed"}
    assert (seen.topics["open"].ends, seen.topics["closed"].ends) == ({0: 100}, {})


def test_the_states_of_groups_are_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = asked(monkeypatch, Admin("cluster"))
    assert seen.states is None
    assert seen.withheld == {"states": "DESCRIBE on the cluster, or on the groups"}


class Silent(Admin):
    """A broker that closes the connection of whoever has a wrong password."""

    def list_topics(self, timeout: float) -> Any:
        raise refused(-195)


def test_a_wrong_password_is_called_one(monkeypatch: pytest.MonkeyPatch) -> None:
    admin = Silent()
    with pytest.raises(broker.BrokerError, match="does not answer"):
        asked(monkeypatch, admin)
    admin.told.append(confluent_kafka.KafkaError(-169, "SASL authentication error"))
    with pytest.raises(broker.BrokerError, match="refuses the user name or the password: SASL"):
        asked(monkeypatch, admin)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A group with a member, and one that reads two topics."""
    records: list[tuple[bytes, bytes | None]] = [
        (GroupMetadataKey(group="g").to_bytes(), generation(1))
    ]
    for topic in ("open", "closed"):
        key = OffsetCommitKey(group="h", topic=topic, partition=0).to_bytes()
        value = OffsetCommitValue(offset=9, metadata="", commit_timestamp=START)
        records.append((key, value.to_bytes()))
    return write(tmp_path / "in", records)


def test_what_is_not_listed_is_not_evaluated(source: Path, tmp_path: Path) -> None:
    """A broker leaves out what a principal may not describe, and says nothing of it."""
    options = Options(
        topics={"open": TopicFacts(1, {0: 20}), "t": TopicFacts(1)}, states={}, now=START
    )
    place = Destination.new(str(tmp_path / "out"), replace=False)
    lacks = run_audit(units_of(str(source)), place, options).not_evaluated
    missing = "DESCRIBE on the topics closed, unless they were deleted"
    assert lacks["lag-stopped"] == [f"ends: {missing}"]
    assert lacks["stuck-rebalance"] == ["states: DESCRIBE on the groups g"]


def test_what_is_listed_is_evaluated(source: Path, tmp_path: Path) -> None:
    topics = {name: TopicFacts(1, {0: 20}) for name in ("open", "closed", "t")}
    options = Options(topics=topics, states={"g": BrokerState("stable")}, now=START)
    place = Destination.new(str(tmp_path / "out"), replace=False)
    assert not run_audit(units_of(str(source)), place, options).not_evaluated
