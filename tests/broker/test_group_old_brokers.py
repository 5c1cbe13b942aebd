"""`kproto group` on brokers from Apache Kafka 0.11 on, each with consumers of three clients."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from confluent_kafka import Producer

from kproto.cluster import ClusterError, NoSuchGroup, describe_group, list_groups
from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import Broker
from tests.broker.old_brokers import old_broker
from tests.broker.test_audit_clients import joined, wait_for
from tests.broker.test_group import shares
from tests.conftest import do_without

pytestmark = pytest.mark.long
RELEASES = ("0.11.0.3", "1.1.1", "2.8.2", "3.9.1")
# Not 2.0.1: on Java 17 its ZooKeeper client did not reach its server.
CLIENTS = ("aiokafka", "confluent-kafka", "kafka-python")
RECORDS = 60


@pytest.fixture(scope="module", params=RELEASES)
def old(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Broker]:
    try:
        with old_broker(tmp_path_factory.mktemp("old"), request.param) as broker:
            wait_for(lambda: is_ready(broker), "ready")
            yield broker
    except JavaUnavailable as reason:
        do_without(reason)


def test_an_old_broker_is_asked_and_nothing_is_left_there(old: Broker) -> None:
    """Before and after it has groups; what the members were told is what it tells."""
    assert list_groups(old.bootstrap, {}).groups == ()
    unknown(old)
    assert old.offsets_topic() == [], "asking has created the offsets topic"
    produce(old)
    with ExitStack() as running:
        members = {name: running.enter_context(joined(old, name, "told", name)) for name in CLIENTS}
        wait_for(lambda: all(len(each.owned) == 2 for each in members.values()), "two for each")
        found = describe_group("told", old.bootstrap, {})
        told = {name: set(member.owned) for name, member in members.items()}
        assert shares(found) == told
        assert (found.kind, found.protocol) == ("classic", "range")
        assert not found.problems
        assert {member.host for member in found.members} == {"127.0.0.1"}
        assert all(member.could_be for member in found.members)
        ends = [each.end for each in found.partitions]
        assert sum(end or 0 for end in ends) == RECORDS
        (row,) = list_groups(old.bootstrap, {}).groups
        assert (row.group_id, row.members, row.kind) == ("told", 3, "classic")
        assert row.state == "Stable"
        unknown(old)
    wait_for(lambda: describe_group("told", old.bootstrap, {}).state == "Empty", "Empty")


def is_ready(broker: Broker) -> bool:
    """Whether it knows its cluster: for a moment after the start brokers of 0.11 name none."""
    try:
        list_groups(broker.bootstrap, {})
    except ClusterError:
        return False
    return True


def unknown(broker: Broker) -> None:
    with pytest.raises(NoSuchGroup, match=r"^the cluster has no group 'nobody'"):
        describe_group("nobody", broker.bootstrap, {})


def produce(broker: Broker) -> None:
    producer = Producer({"bootstrap.servers": broker.bootstrap})
    for number in range(RECORDS):
        producer.produce("clients", str(number).encode())
    assert producer.flush(30) == 0
