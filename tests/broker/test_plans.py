"""Every plan that `kproto group NAME --plan` prints, carried out by real members on a real broker:
the group is formed, the plan printed, each step done, the check run that the step names, and so on
along the way back. `clients/plans.json` has a row for each."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import admin as kafka_admin

from kproto.clients.catalog import Walk, ability_of, walks
from kproto.fuzz.building import JavaUnavailable, Unavailable
from tests.broker.broker import Broker
from tests.broker.fleet import (
    AIOKAFKA,
    JAVA,
    KAFKA_PYTHON,
    KAFKAJS,
    SARAMA,
    Client,
    Process,
    processes,
)
from tests.conftest import do_without

of: Any = kafka_admin  # its types leave out what it takes
Printed = dict[str, Any]
NAMES = ("a", "b", "c")
TOPIC, PARTITIONS = "planned", 6
SECONDS = 90
STRATEGY, PROTOCOL, INSTANCE = (
    "partition.assignment.strategy",
    "group.protocol",
    "group.instance.id",
)
SESSION = {"session.timeout.ms": "10000"}
"""Of the classic protocol: a busy machine may stop a member for a second or two."""
GOALS = {
    "two-rounds": "cooperative",
    "all-at-once": "cooperative",
    "one-by-one": "consumer",
    "from-empty": "consumer",
    "streams": "consumer",
}
SAMPLE = {"two-rounds": "franz-go", "all-at-once": "librdkafka", "one-by-one": "librdkafka"}
"""The walks that `make broker` takes, too: of each route that of one client alone."""


def name_of(walk: Walk) -> str:
    members = "+".join(f"{name}-{release}" for name, release in walk.members)
    return f"{walk.route}-{walk.assignor}-{members}" + "-static" * walk.static


def in_sample(walk: Walk) -> bool:
    newest = (SAMPLE.get(walk.route), max(release for _, release in walk.members))
    return walk.assignor == "range" and not walk.static and [newest] == [*walk.members]


def parameters() -> Iterator[Any]:
    for walk in walks():
        if walk.route in GOALS:
            marks = () if in_sample(walk) else (pytest.mark.plans,)
            if not walk.fails:
                yield pytest.param(walk, id=name_of(walk), marks=marks)


@pytest.fixture(scope="session")  # a worker may come to this module twice
def topic(broker: Broker) -> str:
    admin = of.AdminClient({"bootstrap.servers": broker.bootstrap})
    for made in admin.create_topics([of.NewTopic(TOPIC, PARTITIONS, 1)]).values():
        made.result(30)
    return TOPIC


def printed(*words: str) -> Printed:
    """What the command prints as JSON."""
    command = [sys.executable, "-m", "kproto", *words, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    parsed: Printed = json.loads(done.stdout)
    return parsed


def facts(group: Printed) -> dict[str, Any]:
    """What a step says of its check, as the group has it."""
    protocols = [member["protocol"] for member in group["members"]]
    names = ("kind", "state", "protocol")
    counts = {"memberCount": len(protocols), "classicCount": protocols.count("classic")}
    return {name: group[name] for name in names} | counts


class Course:
    """A group on its way: its members, and what they are at the moment."""

    def __init__(
        self,
        broker: Broker,
        group: str,
        fleet: Mapping[str, Process],
        clients: list[Client],
        *,
        is_static: bool = False,
    ) -> None:
        self.group, self.broker = group, broker
        self._is_static = is_static
        self.fleet = dict(zip(fleet.values(), clients, strict=False))
        self._by_name = dict(fleet)

    def begin(self, assignor: str) -> None:
        for process in self.fleet:
            self.start(process, {STRATEGY: assignor})
        shows = {"state": "Stable", "memberCount": len(self.fleet), "protocol": assignor}
        self.until(f"kproto group {self.group} --bootstrap-server {self.broker.bootstrap}", shows)

    def plan(self, goal: str, *, is_told: bool = False) -> Printed:
        """The plan; where it asks which clients these are, or `is_told`, with the answer."""
        words = ("group", self.group, "--bootstrap-server", self.broker.bootstrap, "--plan", goal)
        plan = printed(*words)
        asks = any("--member-client" in blocker for blocker in plan["blockers"])
        assert not (asks and plan["steps"])
        if asks or is_told:
            said = (f"--member-client={process.name}={client.name}:{client.release}"
                    for process, client in self.fleet.items())  # fmt: skip
            plan = printed(*words, *said)
        return plan

    def codes(self) -> set[str]:
        """The codes of the remarks on the group."""
        group = printed("group", self.group, "--bootstrap-server", self.broker.bootstrap)
        return {remark["code"] for remark in group["remarks"]}

    def carry_out(self, step: Printed) -> None:
        """Do what a step says, and check it as it says."""
        members = list(self.fleet)
        shows = step["shows"]
        if step["action"] == "restart":
            members = [self._by_name[name] for name in step["members"]]
            each = {name: shows[name] for name in ("state", "memberCount") if name in shows}
            for process in members:
                process.stop()
                self.start(process, step["settings"])
                self.until(step["check"], each)
        elif step["action"] == "stop":
            for process in members:
                process.stop()
        elif step["action"] == "start":
            for process in members:
                self.start(process, step["settings"])
        else:
            assert step["action"] in {"look", "configure"}
        if step["check"]:
            remarks = self.until(step["check"], shows)["remarks"]
            assert "claims-contradict" not in {remark["code"] for remark in remarks}

    def restart_each(self, settings: Mapping[str, str]) -> None:
        """Restart the members one by one, each when the group is stable again."""
        shows = {"state": "Stable", "memberCount": len(self.fleet)}
        for process in self.fleet:
            process.stop()
            self.start(process, settings)
            where = f"--bootstrap-server {self.broker.bootstrap}"
            self.until(f"kproto group {self.group} {where}", shows)

    def start(self, process: Process, settings: Mapping[str, str]) -> None:
        """Start a member, in a newer release where its own lacks what the settings need."""
        client = self.fleet[process]
        ability = ability_of(client.name, "consumer-protocol")
        if settings.get(PROTOCOL) == "consumer" and ability and not ability.has(client.release):
            client = JAVA[-1]
        instance = {INSTANCE: process.name} if self._is_static else {}
        session = {} if settings.get(PROTOCOL, "classic") != "classic" else SESSION
        process.start(client, {**settings, **instance, **session})

    def until(self, check: str, shows: Mapping[str, Any]) -> Printed:
        """What the command of a step shows, once it shows what it is to show."""
        program, *words = shlex.split(check)
        assert program == "kproto"
        end = time.monotonic() + SECONDS
        while True:
            errors = [error for process in self.fleet for error in process.errors]
            assert not errors, errors
            group = self._shown(words)
            if group and facts(group) | dict(shows) == facts(group):
                return group
            assert time.monotonic() < end, (check, shows, group and facts(group))
            time.sleep(0.3)

    def _shown(self, words: list[str]) -> Printed | None:
        command = [sys.executable, "-m", "kproto", *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:  # the group is not there yet
            return None
        group: Printed = json.loads(done.stdout)
        return group


def walked(broker: Broker, walk: Walk, topic: str, folder: Path) -> Printed:
    """Carry a plan out, there and back, and return it."""
    group = name_of(walk)
    kinds = cycle(Client(*member) for member in walk.members)
    with processes(broker, group, NAMES, topic, folder) as fleet:
        clients = [next(kinds) for _ in NAMES]
        course = Course(broker, group, fleet, clients, is_static=walk.static)
        course.begin(walk.assignor)
        is_stopped_by_bytes = "cannot-migrate" in course.codes()
        plan = course.plan(GOALS[walk.route], is_told=walk.route == "from-empty")
        assert plan["route"] == walk.route, plan
        assert plan["steps"] and plan["back"] and not plan["blockers"] and not plan["untried"]
        if walk.route == "from-empty":
            failed = any(" fails with " in reason for reason in plan["reasons"])
            assert failed != is_stopped_by_bytes
        for step in plan["steps"]:
            course.carry_out(step)
        if walk.route == "from-empty":
            assert "cannot-migrate" not in course.codes()
        for step in plan["back"]:
            course.carry_out(step)
        said = "UNRELEASED_INSTANCE_ID" in " ".join(plan["later"])
        assert said == (walk.static and plan["goal"] == "consumer")
        last = printed("group", group, "--bootstrap-server", broker.bootstrap)
        assert (last["kind"], last["protocol"]) == ("classic", walk.assignor)
        for process in fleet.values():
            process.stop()
    return plan


@pytest.mark.parametrize("walk", list(parameters()))
def test_plan(walk: Walk, broker: Broker, topic: str, tmp_path: Path) -> None:
    try:
        plan = walked(broker, walk, topic, tmp_path)
    except JavaUnavailable as reason:
        do_without(reason)
    except Unavailable as reason:
        pytest.skip(str(reason))
    if walk.route == "all-at-once":
        assert plan["reasons"]


@pytest.mark.plans
@pytest.mark.parametrize("walk", [walk for walk in walks() if walk.fails], ids=name_of)
def test_a_plan_that_fails(walk: Walk, broker: Broker, topic: str, tmp_path: Path) -> None:
    """Members are restarted one by one, and a member that was not yet ends with an error."""
    group = f"failing-{name_of(walk)}"
    with processes(broker, group, NAMES, topic, tmp_path) as fleet:
        course = Course(broker, group, fleet, [Client(*walk.members[0])] * len(NAMES))
        course.begin(walk.assignor)
        plan = course.plan("consumer", is_told=True)
        assert plan["route"] == "from-empty" and walk.fails in " ".join(plan["reasons"])
        with pytest.raises(AssertionError, match=re.escape(walk.fails)):
            course.restart_each({PROTOCOL: "consumer"})


NO_WAY = (
    ("cooperative", "range", (AIOKAFKA,), "aiokafka has no cooperative-sticky"),
    ("cooperative", "range", (KAFKA_PYTHON, AIOKAFKA), "aiokafka has no cooperative-sticky"),
    ("cooperative", "RoundRobinAssigner", (KAFKAJS,), "kafkajs has no cooperative-sticky"),
    ("consumer", "range", (AIOKAFKA,), "aiokafka has no group.protocol=consumer"),
    ("consumer", "range", (KAFKA_PYTHON, AIOKAFKA), "kafka-python has no group.protocol=consumer"),
    ("consumer", "range", (SARAMA,), "sarama has no group.protocol=consumer"),
    ("consumer", "RoundRobinAssigner", (KAFKAJS,), "kafkajs has no group.protocol=consumer"),
)


@pytest.mark.plans
@pytest.mark.parametrize(
    ("goal", "assignor", "clients", "words"),
    NO_WAY,
    ids=[f"{goal}-{'+'.join(map(str, clients))}" for goal, _, clients, _ in NO_WAY],
)
def test_no_plan(  # noqa: PLR0917  # a row of the table, and fixtures
    goal: str,
    assignor: str,
    clients: tuple[Client, ...],
    words: str,
    broker: Broker,
    topic: str,
    tmp_path: Path,
) -> None:
    """Where a client lacks what the way needs, no step is printed, and the client is named."""
    group = f"no-way-{goal}-{'+'.join(map(str, clients))}"
    with processes(broker, group, NAMES, topic, tmp_path) as fleet:
        kinds = cycle(clients)
        course = Course(broker, group, fleet, [next(kinds) for _ in NAMES])
        course.begin(assignor)
        plan = course.plan(goal)
    assert not plan["steps"] and not plan["back"] and not plan["untried"]
    assert any(words in blocker for blocker in plan["blockers"]), plan["blockers"]


def test_one_member_left_out_of_the_first_round(broker: Broker, topic: str, tmp_path: Path) -> None:
    """The error that the second step warns of is what the member gets."""
    java = JAVA[-1]
    with processes(broker, "hasty", NAMES, topic, tmp_path) as fleet:
        course = Course(broker, "hasty", fleet, [java] * len(NAMES))
        course.begin("range")
        first, second, _ = course.plan("cooperative")["steps"]
        assert "INCONSISTENT_GROUP_PROTOCOL" in second["do"]
        hasty = fleet["a"]
        hasty.stop()
        hasty.start(java, second["settings"])
        end = time.monotonic() + SECONDS
        while not hasty.errors:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert "InconsistentGroupProtocolException" in hasty.errors[0]
        hasty.stop()
        hasty.events.clear()
        hasty.start(java, first["settings"])
        course.until(second["check"], {"state": "Stable", "memberCount": len(NAMES)})
