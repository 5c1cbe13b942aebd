"""A deployment, crashes, and a stop of all members on a real broker: `kproto audit`, `kproto group`
and `kproto story` say the same of each, by the records of the group."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from confluent_kafka import admin as kafka_admin

from kproto.tools.main import main
from tests.broker.broker import Broker
from tests.broker.test_story import Told, end, member, wait_for

pytestmark = pytest.mark.broker

KAFKA: Any = kafka_admin  # its stubs leave some of it out
NAMES = ("p1", "p2", "p3", "p4")


class Processes:
    """The processes of one group, a stack of each."""

    def __init__(self, broker: Broker, group: str, *settings: str) -> None:
        self._broker, self._group, self._settings = broker, group, settings
        self._stacks: dict[str, ExitStack] = {}
        self._processes: dict[str, Any] = {}
        self._told: dict[str, Told] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._stacks)

    def start(self, *names: str) -> None:
        for name in names:
            stack = self._stacks[name] = ExitStack()
            one = member(
                self._broker, "confluent-kafka", self._group, name, *self._settings
            )  # fmt: skip
            self._told[name], self._processes[name] = stack.enter_context(one)
        wait_for(lambda: all(self._told[name].owned[-1] for name in self._stacks), "all own some")
        time.sleep(1)

    def close(self, *names: str) -> None:
        """End processes in order, which leave the group."""
        for name in names:
            end(self._processes[name])
        for name in names:
            self._stacks.pop(name).close()

    def outlive(self) -> None:
        """Wait until the sessions of members that were killed are over, where the broker assigns:
        45 s at least."""
        time.sleep(50 if self._settings else 0)

    def kill(self, name: str) -> None:
        self._processes[name].kill()
        self._stacks.pop(name).close()


@pytest.fixture(scope="module", autouse=True)
def topic(broker: Broker) -> None:
    admin = KAFKA.AdminClient({"bootstrap.servers": broker.bootstrap})
    admin.create_topics([KAFKA.NewTopic("orders", 8, 1)])["orders"].result(30)


@contextmanager
def running(broker: Broker, group: str, *settings: str) -> Iterator[Processes]:
    processes = Processes(broker, group, *settings)
    processes.start(*NAMES)
    try:
        yield processes
    finally:
        processes.close(*processes.names)


def rolling(processes: Processes) -> None:
    for name in NAMES:
        processes.close(name)
        processes.start(name)


def crashes(processes: Processes) -> None:
    for _ in range(3):
        processes.kill("p2")
        processes.start("p2")
    processes.outlive()


def all_at_once(processes: Processes) -> None:
    processes.close(*NAMES)
    time.sleep(2)
    processes.start(*NAMES)


SCENES = {
    "rolling": (rolling, "rolling-restart",
                "p1, p2, p3 and p4 came back as new members once each, one after the other"),
    "crashes": (crashes, "unknown", "p2 (1 of 4 members) came back as a new member 3 times"),
    "all-at-once": (all_at_once, "unknown", " came back as new members once each, all at once"),
}  # fmt: skip


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize(
    "settings", [(), ("group.protocol=consumer",)], ids=["classic", "consumer"]
)
def test_who_came_back_is_told_alike(
    scene: str, settings: tuple[str, ...], broker: Broker, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    do, word, event = SCENES[scene]
    name = f"restarts-{scene}-{len(settings)}"
    with running(broker, name, *settings) as processes:
        do(processes)
        kafka = f"kafka://{broker.bootstrap}"
        where = ["--bootstrap-server", broker.bootstrap]
        capsys.readouterr()
        assert main(["group", name, *where, "--json"]) == 0
        group = json.loads(capsys.readouterr().out)
        assert main(["story", kafka, "--group", name, "--json"]) == 0
        (story,) = json.loads(capsys.readouterr().out)["groups"]
        main(["audit", kafka, "--group", name, "--out", str(tmp_path / "out")])
        main(["group", name, *where])
        print(capsys.readouterr().out)
    (of_group,) = [
        one for one in group["history"]["findings"] if one["code"] == "members-restarted"
    ]
    (of_audit,) = [
        row for row in pq.read_table(tmp_path / "out" / "findings").to_pylist()
        if row["rule"] == "members-restarted"
    ]  # fmt: skip
    assert of_group["cause"] == of_audit["cause"] == word
    assert event in of_group["explanation"]
    assert of_group["explanation"] == of_audit["explanation"]
    told = {cause["cause"]: cause["summary"] for cause in story["causes"]}
    summary = told["rolling-restart" if word == "rolling-restart" else "member-joined"]
    assert summary.partition(":")[0] in of_group["explanation"]
    assert ("rolling-restart" in told) == (word == "rolling-restart")
