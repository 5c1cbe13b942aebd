"""A cluster some of whose brokers are away or silent: the others' groups are shown, and what is
missing is named."""

from __future__ import annotations

import json
import socket
import time
from typing import Any

import pytest

from kproto.cluster.admin import Topic
from kproto.cluster.changes import WatchedList
from kproto.codec import FindCoordinatorResponse, Message, MetadataResponse
from kproto.tools.main import main
from tests.cluster.brokers import listening
from tests.cluster.groups import Groups, group, member
from tests.cluster.test_faults import SLACK, one_line, silent

TIMEOUT = 3.0


class Cluster(Groups):
    """A broker, 1, whose cluster has another one, 2, at some port, which leads the given
    partitions of `__consumer_offsets`; nobody leads those of -1."""

    def __init__(self, *groups: Any, second: int = 0, leaders: tuple[int, ...] = (1, 1)) -> None:
        super().__init__(*groups)
        self.second = second
        self.leaders = leaders
        self.topics_led_by_second: tuple[str, ...] = ()
        self.answers["ConsumerGroupDescribe"] = (
            self.describe_consumers
        )  # it is asked for its offsets topic
        self._of_one = self.answers["Metadata"]
        self.answers["Metadata"] = self._of_both

    def _of_both(self, request: Any, version: int) -> Message:
        said: Any = self._of_one(request, version)
        cls = MetadataResponse
        brokers = said.brokers
        if self.second:
            second = cls.MetadataResponseBroker(node_id=2, host="127.0.0.1", port=self.second)
            brokers = (*brokers, second)
        topics = []
        for topic in said.topics:
            if topic.name == "__consumer_offsets":
                part = cls.MetadataResponsePartition
                partitions = tuple(
                    part(partition_index=number, leader_id=leader)
                    for number, leader in enumerate(self.leaders)
                )
                topics.append(topic.replace(partitions=partitions))
            elif topic.name in self.topics_led_by_second:
                partitions = tuple(each.replace(leader_id=2) for each in topic.partitions)
                topics.append(topic.replace(partitions=partitions))
            else:
                topics.append(topic)
        made: Message = said.replace(brokers=brokers, topics=tuple(topics))
        return made


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


def _nobodys_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def _run(*words: str) -> tuple[int, float]:
    began = time.monotonic()
    status = main(["group", *words, "--timeout", f"{TIMEOUT}s"])
    return status, time.monotonic() - began


@pytest.mark.parametrize("is_silent", [False, True], ids=["away", "silent"])
def test_the_groups_of_the_other_brokers_are_listed(
    is_silent: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(silent) as mute:
        second = _port(mute) if is_silent else _nobodys_port()
        with listening(Cluster(group("payments"), second=second, leaders=(1, 2))) as address:
            status, seconds = _run("--bootstrap-server", address, "--json")
    shown = capsys.readouterr()
    assert status == 3 and seconds < TIMEOUT + SLACK
    assert json.loads(shown.out)["group"] == "payments"
    said = "does not answer within" if is_silent else "cannot be reached"
    assert f"127.0.0.1:{second} {said}" in shown.err
    assert "the list is not complete" in shown.err


@pytest.mark.parametrize("name", [(), ("payments",)], ids=["list", "one"])
def test_a_silent_leader_of_a_topic_costs_its_lag_alone(
    name: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The group is shown; the broker that its lag was asked of is named."""
    with listening(silent) as mute:
        leaders = (1, 1) if name else (1, 2)  # a list asks all that coordinate groups
        broker = Cluster(group("payments", member("a")), second=_port(mute), leaders=leaders)
        broker.topics_led_by_second = ("orders",)
        with listening(broker) as address:
            status, seconds = _run(*name, "--bootstrap-server", address, "--json")
    shown = capsys.readouterr()
    assert seconds < TIMEOUT + SLACK
    found = json.loads(shown.out)
    assert found["group"] == "payments" and "lag" not in {k for k, v in found.items() if v}
    assert status == (0 if name else 3)
    problems = " ".join(found.get("problems", ())) + shown.err
    assert f"{mute} does not answer within" in problems


def test_groups_that_nobody_coordinates_are_missed_in_the_list(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with listening(Cluster(group("payments"), leaders=(1, -1, 2, 1))) as address:
        status, _ = _run("--bootstrap-server", address, "--json")
    shown = capsys.readouterr()
    assert status == 3 and '"payments"' in shown.out
    assert "2 of 4 partitions of __consumer_offsets have no leader" in shown.err


def test_a_group_that_nobody_coordinates(capsys: pytest.CaptureFixture[str]) -> None:
    broker = Cluster(leaders=(-1,))

    def nobody(request: Any, version: int) -> Message:
        cls = FindCoordinatorResponse
        keys = request.coordinator_keys
        return cls(coordinators=tuple(cls.Coordinator(key=key, error_code=15) for key in keys))

    broker.answers["FindCoordinator"] = nobody
    with listening(broker) as address:
        status, seconds = _run("payments", "--bootstrap-server", address)
    assert seconds < TIMEOUT + SLACK
    said = one_line(capsys, status)
    assert "no broker coordinates 'payments': partition 0 of __consumer_offsets" in said


def test_a_coordinator_that_is_away_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    away = _nobodys_port()
    broker = Cluster(second=away)

    def second(request: Any, version: int) -> Message:
        cls = FindCoordinatorResponse
        found = cls.Coordinator(key="payments", node_id=2, host="127.0.0.1", port=away)
        return cls(coordinators=(found,))

    broker.answers["FindCoordinator"] = second
    with listening(broker) as address:
        status, _ = _run("payments", "--bootstrap-server", address)
    said = one_line(capsys, status)
    assert f"127.0.0.1:{away} cannot be reached" in said and "it coordinates 'payments'" in said


@pytest.mark.parametrize(
    ("group_id", "partition"),
    [
        ("", 0),
        ("payments", 13),  # String.hashCode 1382682413
        ("orders", 31),  # -1008770331
        # Its hash code is the smallest int32, of which Utils.abs makes 0.
        ("polygenelubricants", 0),
    ],
)
def test_the_partition_of_a_group(group_id: str, partition: int) -> None:
    """Of fifty, as Java computes `Math.abs(hashCode) % 50`, 0 for the smallest int32."""
    topic = Topic("__consumer_offsets", dict.fromkeys(range(50), 1))
    assert topic.partition_of(group_id) == partition


def test_a_watched_list_names_groups_whose_broker_is_away() -> None:
    watched = WatchedList()
    watched.look({"a": "Stable", "b": "Empty", "c": "Stable"}, 0)
    away = {"a": "no answer", "b": "no answer"}

    def told(states: dict[str, str], of: dict[str, str]) -> list[tuple[str, str]]:
        return [(each.group, each.what) for each in watched.look(states, 1, of)]

    assert told({"c": "Stable"}, away) == [("a", "unanswered"), ("b", "unanswered")]
    assert told({"c": "Stable"}, away) == []
    assert told({"c": "Stable", "a": "Empty"}, {"b": "no answer"}) == [
        ("a", "state"),
        ("a", "state"),
    ]
    assert told({"c": "Stable", "a": "Empty"}, {}) == [("b", "gone")]


@pytest.mark.parametrize("unread", [0, 1])
def test_a_watch_of_all_groups_goes_on_without_one_broker(
    unread: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second broker dies and comes back; its group is never gone, though the broker lists none
    before it has read them."""
    second = Cluster(group("lost"))
    list_, times = second.answers["ListGroups"], []

    def dies_and_comes_back(request: Any, version: int) -> Message:
        times.append(1)
        if 3 <= len(times) <= 8:
            raise ConnectionError
        answer = list_(request, version)
        return answer.replace(groups=[]) if 8 < len(times) <= 8 + unread else answer

    second.answers["ListGroups"] = dies_and_comes_back
    with listening(second) as there:
        first = Cluster(group("kept"), second=_port(there), leaders=(2,))
        watch = ("--watch", "100ms", "--for", "2500ms", "--json", "--requests", "100")
        with listening(first) as address:
            assert main(["group", "--bootstrap-server", address, *watch]) == 0
    changes = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["group"], each["event"]) for each in changes[1:-1]] == [
        ("lost", "unanswered"),
        ("lost", "state"),
    ]
    assert "closed the connection" in changes[1]["explanation"]
    assert changes[2]["explanation"].startswith("answers again")
