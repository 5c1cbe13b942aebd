"""`kproto group` on three real brokers, one of which is killed, silent, or comes back: what answers
is shown, what does not is named, within the timeout."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest

from kproto.cluster import ClusterError, describe_group, list_groups
from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import Broker
from tests.broker.members import Members, members_of
from tests.broker.several import Brokers, running_brokers
from tests.conftest import do_without

pytestmark = pytest.mark.long
TIMEOUT = 10
GROUPS = [f"several-{number}" for number in range(8)]


class Ran(NamedTuple):
    status: int
    out: list[dict[str, Any]]
    err: str
    seconds: float


def kproto(*words: str) -> Ran:
    command = [
        sys.executable,
        "-m",
        "kproto",
        "group",
        *words,
        "--timeout",
        f"{TIMEOUT}s",
        "--json",
    ]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - began
    assert "Traceback" not in done.stderr
    return Ran(
        done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr,
        seconds,
    )  # fmt: skip


class Watch:
    """`kproto group ... --watch`, and what it has told."""

    def __init__(self, *words: str) -> None:
        self.told: list[dict[str, Any]] = []
        command = [sys.executable, "-m", "kproto", "group", *words, "--watch", "300ms", "--json",
                   "--requests", "60", "--timeout", f"{TIMEOUT}s"]  # fmt: skip
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.told.append(json.loads(line))

    def of(self, what: str) -> set[str]:
        return {change["group"] for change in self.told if change["event"] == what}


@contextmanager
def watching(*words: str) -> Iterator[Watch]:
    watch = Watch(*words)
    try:
        time.sleep(3)
        yield watch
    finally:
        watch.process.terminate()
        watch.process.communicate()


def until(true: Callable[[], bool], seconds: float = 40) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.2)


@contextmanager
def cluster(folder: Path, replicas: int) -> Iterator[tuple[Brokers, Members, dict[str, int]]]:
    """The brokers, consumers of a group each, and the broker that coordinates each group."""
    try:
        with running_brokers(folder, replicas) as brokers:
            broker = Broker(brokers.bootstrap, folder, brokers.jars, lambda: None)
            with members_of(broker, folder / "members.log") as members:
                members.step("topic orders 6", quiet_ms=500)
                members.step(
                    *(f"join {name} group={name} topics=orders assignors=range" for name in GROUPS),
                    quiet_ms=4000,
                )
                homes = {}
                for name in GROUPS:
                    homes[name] = describe_group(name, brokers.bootstrap, {}).coordinator_id
                yield brokers, members, homes  # type: ignore[misc]
    except JavaUnavailable as reason:
        do_without(reason)


def coordinated(homes: dict[str, int], number: int) -> set[str]:
    found = {name for name, home in homes.items() if home == number}
    assert found and found != set(homes), homes
    return found


def test_one_of_three_brokers_is_away(tmp_path: Path) -> None:
    """The offsets topic has one replica, so that nobody takes over a group."""
    with cluster(tmp_path, replicas=1) as (brokers, _, homes):
        whole = kproto("--bootstrap-server", brokers.bootstrap)
        assert (whole.status, whole.err) == (0, "")
        assert {row["group"]: row["coordinator"] for row in whole.out} == {
            name: brokers.address(home) for name, home in homes.items()
        }
        dead = homes[GROUPS[0]]
        lost = coordinated(homes, dead)
        there = next(number for number in (1, 2, 3) if number != dead)
        _silent(brokers, homes, dead, lost)
        with (
            watching("--bootstrap-server", brokers.address(dead)) as every,
            watching(GROUPS[0], "--bootstrap-server", brokers.bootstrap) as one,
        ):
            brokers.kill(dead)
            # At once, while the others still name it, and when they have noticed.
            for wait, said in ((0, "cannot be reached"), (7, "of __consumer_offsets have no")):
                time.sleep(wait)
                listed = kproto("--bootstrap-server", brokers.bootstrap)
                assert listed.status == 3 and listed.seconds < TIMEOUT + 2
                assert {row["group"] for row in listed.out} == set(homes) - lost
                assert said in listed.err and "the list is not complete" in listed.err
            left = next(name for name in GROUPS if name not in lost)
            assert kproto(left, "--bootstrap-server", brokers.address(there)).status == 0
            gone = kproto(GROUPS[0], "--bootstrap-server", brokers.address(there))
            assert gone.status == 3 and not gone.out and gone.err.count("\n") == 1
            assert f"no broker coordinates '{GROUPS[0]}'" in gone.err
            assert gone.seconds < TIMEOUT + 2
            # The watch began at the broker that is dead now.
            until(lambda: every.of("unanswered") == lost)
            assert one.process.wait(TIMEOUT + 5) == 3
            assert one.process.stderr is not None
            assert one.process.stderr.read().count("\n") == 1
            assert one.of("unanswered") == {GROUPS[0]}
            brokers.start(dead)
            until(lambda: {each["group"] for each in _back(every)} == lost)
            assert every.process.poll() is None
            assert not every.of("gone")
        back = kproto("--bootstrap-server", brokers.bootstrap)
        assert back.status == 0 and {row["group"] for row in back.out} == set(homes)


def _back(watch: Watch) -> list[dict[str, Any]]:
    return [each for each in watch.told if each["explanation"].startswith("answers again")]


def _silent(brokers: Brokers, homes: dict[str, int], number: int, lost: set[str]) -> None:
    """A broker that accepts connections and does not answer: the others' groups are listed, and its
    own are refused with its name."""
    brokers.freeze(number)
    try:
        address = brokers.address(next(each for each in (1, 2, 3) if each != number))
        listed = kproto("--bootstrap-server", address)
        assert listed.status == 3 and listed.seconds < TIMEOUT + 2
        assert {row["group"] for row in listed.out} == set(homes) - lost
        assert "does not answer within" in listed.err or "have no leader" in listed.err
    finally:
        brokers.thaw(number)

    def answers() -> bool:
        try:
            return list_groups(brokers.bootstrap, {}).complete
        except ClusterError:
            return False

    until(answers)


def test_another_broker_takes_over(tmp_path: Path) -> None:
    """The offsets topic has three replicas; both watches go on, and no group is ever said to be
    gone."""
    with cluster(tmp_path, replicas=3) as (brokers, _, homes):
        dead = homes[GROUPS[0]]
        moved = coordinated(homes, dead)
        with (
            watching("--bootstrap-server", brokers.address(dead)) as every,
            watching(GROUPS[0], "--bootstrap-server", brokers.address(dead)) as one,
        ):
            brokers.kill(dead)
            until(lambda: kproto("--bootstrap-server", brokers.bootstrap).status == 0)
            # Those that were taken over between two looks were never away.
            until(lambda: {each["group"] for each in _back(every)} == every.of("unanswered"))
            assert every.of("unanswered") <= moved
            found = kproto(GROUPS[0], "--bootstrap-server", brokers.bootstrap)
            assert found.status == 0 and found.out[0]["coordinatorId"] != dead
            assert len(found.out[0]["members"]) == 1
            told = len(one.told)
            time.sleep(2)
            assert one.process.poll() is None and every.process.poll() is None
            assert "unanswered" not in {each["event"] for each in one.told[told:]}
            assert not every.of("gone")
