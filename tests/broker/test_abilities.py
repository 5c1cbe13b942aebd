"""The table of what clients can do, `clients/abilities.json`: each cell that names a release which
was tried, tried again with that release on a real broker."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import admin as kafka_admin

from kproto.clients.catalog import Ability, AbilityName, abilities
from kproto.cluster import ClusterError, Group, describe_group
from kproto.fuzz.building import JavaUnavailable, Unavailable
from tests.broker.broker import Broker
from tests.broker.fleet import FLEET, Client, Process, processes
from tests.conftest import do_without

of: Any = kafka_admin  # its types leave out what it takes
TOPIC = "able"
SECONDS = 40
STRATEGY, PROTOCOL, INSTANCE = (
    "partition.assignment.strategy",
    "group.protocol",
    "group.instance.id",
)
EAGER = {"platformatic-kafka": "roundrobin"}
"""The eager assignor of a client that has no range."""
SAMPLE = {("librdkafka", "both-at-once"), ("kafka-python", "both-at-once")}
"""Those that `make broker` tries, too."""


class Trial(NamedTuple):
    """Settings that need an ability, and how a group shows that its members have it."""

    settings: dict[str, str]
    shows: Callable[[Group], bool]
    topic: str = TOPIC


def _all(shows: Callable[[Any], bool]) -> Callable[[Group], bool]:
    return lambda group: bool(group.members) and all(map(shows, group.members))


TRIALS: dict[AbilityName, Trial] = {
    "cooperative": Trial(
        {STRATEGY: "cooperative-sticky"}, lambda group: group.protocol == "cooperative-sticky"
    ),
    "both-at-once": Trial(
        {STRATEGY: "cooperative-sticky,{eager}"},
        lambda group: group.protocol == "cooperative-sticky",
    ),
    "consumer-protocol": Trial(
        {PROTOCOL: "consumer"}, _all(lambda member: member.protocol == "consumer")
    ),
    "static-members": Trial(
        {INSTANCE: "{name}"}, _all(lambda member: member.instance_id == member.client_id)
    ),
    "regular-expressions": Trial(
        {PROTOCOL: "consumer"}, _all(lambda member: bool(member.regex)), f"^{TOPIC}$"
    ),
    "share-groups": Trial({PROTOCOL: "share"}, lambda group: group.kind == "share"),
}


def parameters() -> Iterator[Any]:
    for cell in abilities().values():
        for release in () if cell.test else cell.tried:
            marks = () if (cell.client, cell.ability) in SAMPLE else (pytest.mark.plans,)
            name = f"{cell.client}-{release}-{cell.ability}"
            yield pytest.param(cell, Client(cell.client, release), id=name, marks=marks)


@pytest.fixture(scope="session", autouse=True)  # a worker may come to this module twice
def topic(broker: Broker) -> None:
    admin = of.AdminClient({"bootstrap.servers": broker.bootstrap})
    for made in admin.create_topics([of.NewTopic(TOPIC, 4, 1)]).values():
        made.result(30)


def shown(broker: Broker, group: str) -> Group | None:
    try:
        return describe_group(group, broker.bootstrap)
    except ClusterError:
        return None


def outcome(broker: Broker, group: str, fleet: list[Process], trial: Trial) -> Group | str:
    """The group once its members have settled, or the error of a member."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        errors = [error for process in fleet for error in process.errors]
        if errors:
            return errors[0]
        seen = shown(broker, group)
        if seen is not None and seen.state == "Stable" and len(seen.members) == len(fleet):
            return seen
        time.sleep(0.3)
    raise AssertionError(f"{group}: its members have not settled")


@pytest.mark.parametrize(("cell", "client"), list(parameters()))
def test_ability(cell: Ability, client: Client, broker: Broker, tmp_path: Path) -> None:
    assert client in FLEET
    trial, eager = TRIALS[cell.ability], EAGER.get(client.name, "range")
    group = f"{client}-{cell.ability}"
    with processes(broker, group, ("a", "b"), trial.topic, tmp_path) as fleet:
        try:
            for process in fleet.values():
                settings = {
                    name: text.format(eager=eager, name=process.name)
                    for name, text in trial.settings.items()
                }
                process.start(client, settings)
        except JavaUnavailable as reason:
            do_without(reason)
        except Unavailable as reason:
            pytest.skip(str(reason))
        seen = outcome(broker, group, list(fleet.values()), trial)
        if not cell.has(client.release):
            if cell.refusal:
                assert isinstance(seen, str) and cell.refusal in seen
            else:  # it refuses in other words, or does as if nothing had been asked
                assert isinstance(seen, str) or not trial.shows(seen)
            return
        assert isinstance(seen, Group) and trial.shows(seen), seen
        if cell.ability == "both-at-once":
            joined_by_an_eager_one(broker, group, client, eager, tmp_path)


def joined_by_an_eager_one(
    broker: Broker, group: str, client: Client, eager: str, folder: Path
) -> None:
    """A member that lists the eager assignor alone is let in: the others list it, too."""
    with processes(broker, group, ("c",), TOPIC, folder) as fleet:
        fleet["c"].start(client, {STRATEGY: eager})
        end = time.monotonic() + SECONDS
        while True:
            seen = shown(broker, group)
            if seen is not None and (seen.state, seen.protocol) == ("Stable", eager):
                assert len(seen.members) == 3
                return
            assert time.monotonic() < end, seen
            time.sleep(0.3)
