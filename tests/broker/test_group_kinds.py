"""Share and Streams groups on a real broker, beside the scripts that Kafka has for them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from confluent_kafka import Producer

from kproto.cluster import Group, NoSuchGroup, describe_group, list_groups
from kproto.fuzz.building import JavaUnavailable, fetch_jars
from tests.broker.broker import HERE, Broker, java
from tests.broker.members import Members, shares_and_streams
from tests.conftest import do_without

pytestmark = pytest.mark.long
SHARES = "org.apache.kafka.tools.consumer.group.ShareGroupCommand"
STREAMS = "org.apache.kafka.tools.streams.StreamsGroupCommand"
Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def script(broker: Broker) -> Callable[..., Rows]:
    """Runs one of the scripts and returns the rows of its table, by the heads."""
    pom = (HERE / "pom.xml").read_bytes().replace(b"kafka_2.13", b"kafka-tools")
    try:
        jars = fetch_jars(pom)
    except JavaUnavailable as reason:
        do_without(reason)

    def run(name: str, group: str, what: str) -> Rows:
        words = ("--bootstrap-server", broker.bootstrap, "--describe", "--group", group, what)
        command = java(jars, name, *words, "--verbose")
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = done.stdout.replace("COORDINATOR (ID)", "COORDINATOR ID").splitlines()
        head, *rows = [line.split(maxsplit=8) for line in lines if line.strip()]
        return [dict(zip(head, row, strict=False)) for row in rows]

    return run


@pytest.fixture(scope="module")
def running(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The groups `shared` and `app` of two members each, of the topic `orders`."""
    folder = tmp_path_factory.mktemp("kinds")
    command = shares_and_streams(broker, folder)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log, text=True
        )
    with process:
        yield process.stdin
        process.kill()


def test_share_and_streams_groups(
    broker: Broker, members: Members, running: Any, script: Callable[..., Rows]
) -> None:
    members.step("topic orders 6", quiet_ms=1)
    for order in ("share s-1 shared", "share s-2 shared", "streams t-1 app", "streams t-2 app"):
        running.write(f"{order} orders\n")
    running.flush()
    _settled(broker, "shared"), _settled(broker, "app")
    producer = Producer({"bootstrap.servers": broker.bootstrap})
    for number in range(60):
        producer.produce("orders", b"x", partition=number % 6)
    assert producer.flush(20) == 0
    _of_shares(_quiet(broker, "shared", lambda group: group.lag == 0), script)
    _of_streams(_quiet(broker, "app", lambda group: group.lag == 0), script)
    running.write("leave s-1\nleave s-2\n")
    running.flush()
    _quiet(broker, "shared", lambda group: not group.members)
    for _ in range(12):
        producer.produce("orders", b"x", partition=1)
    assert producer.flush(20) == 0
    left = _quiet(broker, "shared", lambda group: group.lag == 12)
    rows = script(SHARES, "shared", "--offsets")
    assert {row["PARTITION"]: row["LAG"] for row in rows} == {
        str(each.partition): str(each.lag) for each in left.partitions
    }
    listed = {row.group_id: row.lag for row in list_groups(broker.bootstrap, {}).groups}
    assert listed["shared"] == 12


def _of_shares(group: Group, script: Callable[..., Rows]) -> None:
    places = {(each.topic, str(each.partition)): each for each in group.partitions}
    rows = script(SHARES, "shared", "--offsets")
    assert len(rows) == len(places) == 6
    for row in rows:
        each = places[row["TOPIC"], row["PARTITION"]]
        assert (str(each.start), str(each.lag)) == (row["START-OFFSET"], row["LAG"])
        assert str(each.leader_epoch) == row["LEADER-EPOCH"]
    by_id = {member.member_id: member for member in group.members}
    for row in script(SHARES, "shared", "--members"):
        member = by_id.pop(row["CONSUMER-ID"])
        assert (member.client_id, f"/{member.host}") == (row["CLIENT-ID"], row["HOST"])
        assert (str(member.partitions), str(member.epoch)) == (
            row["#PARTITIONS"],
            row["MEMBER-EPOCH"],
        )
        has = ",".join(map(str, member.assigned["orders"]))
        assert row["ASSIGNMENT"] == f"orders:{has}"
    assert not by_id
    (state,) = script(SHARES, "shared", "--state")
    assert _state(group) == _told(state, "ASSIGNMENT-EPOCH")


def _of_streams(group: Group, script: Callable[..., Rows]) -> None:
    places = {(each.topic, str(each.partition)): each for each in group.partitions}
    rows = script(STREAMS, "app", "--offsets")
    assert len(rows) == len(places) == 6
    for row in rows:
        each = places[row["TOPIC"], row["PARTITION"]]
        assert (str(each.offset), str(each.end), str(each.lag)) == (
            row["CURRENT-OFFSET"],
            row["LOG-END-OFFSET"],
            row["OFFSET-LAG"],
        )
        assert str(each.leader_epoch) == row["LEADER-EPOCH"]
    by_id = {member.member_id: member for member in group.members}
    for row in script(STREAMS, "app", "--members"):
        member = by_id.pop(row["MEMBER"])
        assert (member.client_id, member.process_id) == (row["CLIENT-ID"], row["PROCESS"])
        assert (str(member.epoch), str(member.topology_epoch), member.protocol) == (
            row["MEMBER-EPOCH"],
            row["TOPOLOGY-EPOCH"],
            row["MEMBER-PROTOCOL"],
        )
        tasks = ",".join(map(str, member.assigned["0"]))
        assert row["ASSIGNMENTS"].startswith(f"ACTIVE: 0:[{tasks}]; TARGET-ACTIVE: 0:[{tasks}];")
        assert member.target == member.assigned
    assert not by_id
    (state,) = script(STREAMS, "app", "--state")
    assert _state(group) == _told(state, "TARGET-ASSIGNMENT-EPOCH")


def _state(group: Group) -> tuple[str, ...]:
    numbers = (group.epoch, group.assigned_epoch, len(group.members))
    node = f"({group.coordinator_id})"
    return (group.coordinator, node, group.state, *map(str, numbers))


def _told(row: dict[str, str], assigned: str) -> tuple[str, ...]:
    heads = ("COORDINATOR", "ID", "STATE", "GROUP-EPOCH", assigned, "#MEMBERS")
    return tuple(row[head] for head in heads)


def _settled(broker: Broker, name: str) -> Group:
    def is_so(group: Group) -> bool:
        everything = sum(member.partitions for member in group.members) == 6
        return group.state == "Stable" and len(group.members) == 2 and everything

    return _quiet(broker, name, is_so)


def _quiet(broker: Broker, name: str, is_so: Callable[[Group], bool]) -> Group:
    """The group as it is to be, when two looks in a row see the same."""
    end = time.monotonic() + 60
    last = None
    while time.monotonic() < end:
        try:
            found = describe_group(name, broker.bootstrap, {})
        except NoSuchGroup:
            found = None
        if found is not None and found == last and is_so(found):
            return found
        last = found
        time.sleep(0.5)
    raise AssertionError(f"{name} is not as it is to be: {last}")
