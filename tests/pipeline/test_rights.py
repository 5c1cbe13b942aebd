"""A principal without all rights: what it may not ask is not evaluated, by the right that is
missing, and a wrong password is called one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Any

import msgspec
import pytest

from kproto.cluster import AuthenticationFailed
from kproto.codec import (
    GroupMetadataKey,
    ListGroupsResponse,
    ListOffsetsResponse,
    Message,
    OffsetCommitKey,
    OffsetCommitValue,
    SaslAuthenticateResponse,
    SaslHandshakeResponse,
)
from kproto.pipeline.audit import BrokerState
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.broker_snapshot import Snapshot, snapshot, unstable_groups
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.broker import connected
from kproto.pipeline.tables.publishing import Destination
from tests.cluster.brokers import FakeBroker, listening
from tests.pipeline.test_audit_sizes import START, generation, write

_LATEST = -1


class Cluster(FakeBroker):
    """A broker with the topics `open` and `closed`, as a principal sees it that may not describe
    these names. The end of each is 100; of `closed` ten records are younger than five minutes."""

    def __init__(self, *hidden: str) -> None:
        super().__init__({"ListGroups": self._list, "ListOffsets": self._offsets})
        self.topics = {"open": 1, "closed": 1}
        self._hidden = hidden

    def _list(self, request: Any, version: int) -> Message:
        return ListGroupsResponse(error_code=31 if "cluster" in self._hidden else 0)

    def _offsets(self, request: Any, version: int) -> Message:
        cls = ListOffsetsResponse
        return cls(
            topics=tuple(
                cls.ListOffsetsTopicResponse(
                    name=topic.name,
                    partitions=tuple(
                        cls.ListOffsetsPartitionResponse(
                            partition_index=partition.partition_index,
                            error_code=29 if topic.name in self._hidden else 0,
                            offset=self._offset(topic.name, partition.timestamp),
                        )
                        for partition in topic.partitions
                    ),
                )
                for topic in request.topics
            )
        )

    def _offset(self, topic: str, timestamp: int) -> int:
        if topic in self._hidden:
            return -1
        return 100 if timestamp == _LATEST else 90 if topic == "closed" else -1


def snapshot_of(broker: FakeBroker) -> Snapshot:
    with listening(broker) as address:
        return snapshot((("bootstrap.servers", address),))


def test_who_may_ask_everything_is_told_everything() -> None:
    seen = snapshot_of(Cluster())
    assert not seen.withheld
    assert seen.states == {}
    assert {name: facts.ends for name, facts in seen.topics.items()} == {
        "open": {0: 100}, "closed": {0: 100},
    }  # fmt: skip
    assert {name: facts.ends_before for name, facts in seen.topics.items()} == {
        "open": {0: 100}, "closed": {0: 90},
    }  # fmt: skip


def test_the_end_of_a_topic_is_withheld() -> None:
    seen = snapshot_of(Cluster("closed"))
    assert seen.withheld == {"ends": "DESCRIBE on the topics closed"}
    assert (seen.topics["open"].ends, seen.topics["closed"].ends) == ({0: 100}, {})


def test_the_states_of_groups_are_withheld() -> None:
    seen = snapshot_of(Cluster("cluster"))
    assert seen.states is None
    assert seen.withheld == {"states": "DESCRIBE on the cluster, or on the groups"}


def test_a_broker_that_does_not_list_groups() -> None:
    """As librdkafka's mock of one."""
    broker = Cluster()
    del broker.answers["ListGroups"]
    with listening(broker) as address:
        client = (("bootstrap.servers", address),)
        observed = snapshot(client)
        with connected(client) as session:
            assert unstable_groups(session) is None
    assert observed.states is None
    assert observed.withheld == {
        "states": f"ListGroups 0-5 is needed, and {address} does not have it"
    }
    assert observed.topics["open"].ends == {0: 100}


def test_the_first_version_of_a_list_has_no_states() -> None:
    """Before Kafka 2.6: none of the groups is known to rebalance."""
    broker = Cluster()
    broker.versions["ListGroups"] = 0
    listed = ListGroupsResponse.ListedGroup(group_id="g", protocol_type="consumer")
    broker.answers["ListGroups"] = lambda *_: ListGroupsResponse(groups=(listed,))
    with listening(broker) as address:
        client = (("bootstrap.servers", address),)
        with connected(client) as session:
            assert unstable_groups(session) == {}
        observed = snapshot(client)
    assert observed.states is not None
    assert list(observed.states) == ["g"]
    assert not observed.withheld


class Closing(FakeBroker):
    """A broker that closes the connection of whoever has a wrong password."""

    def __init__(self) -> None:
        super().__init__(
            {
                "SaslHandshake": lambda *_: SaslHandshakeResponse(mechanisms=("PLAIN",)),
                "SaslAuthenticate": lambda *_: SaslAuthenticateResponse(error_code=58),
            }
        )

    def __call__(self, line: socket) -> None:
        with suppress(AssertionError):  # a password is not decoded
            super().__call__(line)


def test_a_wrong_password_is_called_one() -> None:
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN"}
    user = {"sasl.username": "me", "sasl.password": "wrong"}
    with listening(Closing()) as address, pytest.raises(AuthenticationFailed, match="user 'me'"):
        snapshot(tuple(({"bootstrap.servers": address} | login | user).items()))


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
        topics={"open": TopicFacts(partitions=1, ends={0: 20}), "t": TopicFacts(partitions=1)},
        states={},
        now=START,
    )
    place = Destination.new(str(tmp_path / "out"), replace=False)
    lacks = run_audit(units_of(str(source)), place, options).not_evaluated
    missing = "DESCRIBE on the topics closed, unless they were deleted"
    assert lacks["lag-stopped"] == [f"ends: {missing}"]
    assert lacks["stuck-rebalance"] == [
        "states: DESCRIBE on the groups g, unless their partition is not loaded"
    ]
    told_all = msgspec.structs.replace(options, lists_all=True)
    again = Destination.new(str(tmp_path / "again"), replace=False)
    lacks = run_audit(units_of(str(source)), again, told_all).not_evaluated
    assert "though nothing is forbidden" in lacks["stuck-rebalance"][0]


def test_what_is_listed_is_evaluated(source: Path, tmp_path: Path) -> None:
    topics = {name: TopicFacts(partitions=1, ends={0: 20}) for name in ("open", "closed", "t")}
    options = Options(topics=topics, states={"g": BrokerState("stable")}, now=START)
    place = Destination.new(str(tmp_path / "out"), replace=False)
    lacks = run_audit(units_of(str(source)), place, options).not_evaluated
    assert lacks == {"client-setting": ["settings"]}  # which no broker has
