"""A static member that comes back, under the classic protocol and under the broker's: killed and
back within its session, killed and back after it, and closed in an orderly way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import admin as kafka_admin

from kproto.cluster import ClusterError, Group, describe_group
from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import Broker, running_broker
from tests.broker.fleet import JAVA, LIBRDKAFKA, Client, Process, processes
from tests.conftest import do_without

of: Any = kafka_admin  # its types leave out what it takes
TOPIC = "pods"
SESSION_S = 6
SETTINGS = f"""\
group.consumer.min.session.timeout.ms={SESSION_S * 1000}
group.consumer.session.timeout.ms={SESSION_S * 1000}
group.consumer.heartbeat.interval.ms=1000
group.consumer.min.heartbeat.interval.ms=1000
"""
CLIENTS = (LIBRDKAFKA, JAVA[-1])


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker whose sessions are short, under both protocols."""
    try:
        with running_broker(tmp_path_factory.mktemp("quick"), SETTINGS) as broker:
            admin = of.AdminClient({"bootstrap.servers": broker.bootstrap})
            for made in admin.create_topics([of.NewTopic(TOPIC, 4, 1)]).values():
                made.result(30)
            yield broker
    except JavaUnavailable as reason:
        do_without(reason)


def settings(protocol: str, name: str) -> dict[str, str]:
    classic = {"session.timeout.ms": str(SESSION_S * 1000)} if protocol == "classic" else {}
    return {"group.protocol": protocol, "group.instance.id": name} | classic


def until(shows: Callable[[Group], bool], broker: Broker, group: str, *fleet: Process) -> Group:
    end = time.monotonic() + 40
    seen: Group | None = None
    while time.monotonic() < end:
        assert not [error for process in fleet for error in process.errors]
        try:
            seen = describe_group(group, broker.bootstrap)
        except ClusterError:
            seen = None
        if seen is not None and shows(seen):
            return seen
        time.sleep(0.2)
    raise AssertionError(seen)


def is_settled(group: Group) -> bool:
    shares = [member.partitions for member in group.members]
    return group.state == "Stable" and shares == [2, 2] and not _away(group)


def _away(group: Group) -> list[str]:
    return [member.client_id for member in group.members if member.epoch == -2]


def joined(broker: Broker, group: str, client: Client, protocol: str, fleet: Any) -> None:
    for process in fleet.values():
        process.start(client, settings(protocol, process.name))
    until(is_settled, broker, group, *fleet.values())
    time.sleep(1.5)  # a callback may come a heartbeat later than the broker knows


@pytest.mark.plans
@pytest.mark.parametrize("protocol", ["classic", "consumer"])
@pytest.mark.parametrize("client", CLIENTS, ids=str)
def test_a_static_member_that_was_killed(
    client: Client, protocol: str, quick: Broker, tmp_path: Path
) -> None:
    group = f"killed-{client}-{protocol}"
    with processes(quick, group, ("a", "b"), TOPIC, tmp_path) as fleet:
        joined(quick, group, client, protocol, fleet)
        a, b = fleet.values()
        events, events_of_a = len(b.events), len(a.events)
        a.kill()
        a.start(client, settings(protocol, "a"))
        if protocol == "classic":
            until(lambda seen: is_settled(seen) and bool(a.events), quick, group, a)
            assert len(b.events) == events  # nothing moved
            return
        end = time.monotonic() + SESSION_S
        while not a.errors and time.monotonic() < end:
            time.sleep(0.1)
        (error, *_) = [*a.errors, "none"]
        assert "UNRELEASED" in error.upper() or "instance ID is still used" in error
        time.sleep(SESSION_S + 1)
        assert all(event["event"] == "failed" for event in a.events[events_of_a:])
        assert a.is_running() == (client == LIBRDKAFKA)  # which stays, without partitions
        a.kill()
        a.events.clear()
        a.start(client, settings(protocol, "a"))
        until(is_settled, quick, group, a)


@pytest.mark.plans
@pytest.mark.parametrize("client", CLIENTS, ids=str)
def test_a_static_member_that_has_closed(client: Client, quick: Broker, tmp_path: Path) -> None:
    """It is away: its partitions wait for it, and nobody is held up."""
    group = f"closed-{client}"
    with processes(quick, group, ("a", "b"), TOPIC, tmp_path) as fleet:
        joined(quick, group, client, "consumer", fleet)
        a, b = fleet.values()
        events = len(b.events)
        a.stop()
        seen = until(lambda seen: _away(seen) == ["a"], quick, group)
        codes = {remark.code for remark in seen.remarks}
        assert "away" in codes and not codes & {"reconciling", "waiting", "nobody-has"}
        a.start(client, settings("consumer", "a"))
        until(is_settled, quick, group, a)
        assert len(b.events) == events
