"""Real clients on a real broker, captured anew: the story of the capture tells of each member what
its own callbacks were told.

`KPROTO_KEEP_CAPTURES=folder` keeps the capture.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import HERE, Broker
from tests.broker.members import Event, members_of, shares_and_streams
from tests.broker.recording import recorded_broker
from tests.conftest import do_without
from tests.history.told import changes, owned_in_turn, parts_of, story_of

pytestmark = pytest.mark.broker

PYTHON = ("confluent-kafka", "kafka-python", "aiokafka")
_SECONDS = 60
_SETTINGS = "".join(
    f"group.{kind}.min.heartbeat.interval.ms=200\n"
    f"group.{kind}.heartbeat.interval.ms=300\n"
    f"group.{kind}.min.session.timeout.ms=1000\n"
    f"group.{kind}.session.timeout.ms=3000\n"
    for kind in ("consumer", "share", "streams")
)


class Told:
    """What callbacks were told, in their order, and what a member owns by that."""

    def __init__(self) -> None:
        self.assigned: list[frozenset[str]] = []
        """What each callback of an assignment was given."""
        self.owned: list[frozenset[str]] = [frozenset()]
        """After each callback."""

    def add(self, event: str, partitions: frozenset[str]) -> None:
        if event == "assigned":
            self.assigned.append(partitions)
            self.owned.append(self.owned[-1] | partitions)
        elif event in ("revoked", "lost"):
            self.owned.append(self.owned[-1] - partitions)


@contextmanager
def member(
    broker: Broker, client: str, group: str, name: str, *more: str
) -> Iterator[tuple[Told, subprocess.Popen[str]]]:
    """A consumer of a Python client in a process of its own, which may be killed."""
    command = [
        sys.executable,
        str(HERE / "python_member.py"),
        client,
        broker.bootstrap,
        group,
        name,
    ]
    process = subprocess.Popen(
        [*command, "orders", *more],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    told = Told()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            said = json.loads(line)
            told.add(said["event"], frozenset(said["partitions"]))

    reader = Thread(target=read, daemon=True)
    reader.start()
    with process:
        try:
            yield told, process
        finally:
            end(process)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
            reader.join(5)


def end(process: subprocess.Popen[str]) -> None:
    """Let a consumer close."""
    assert process.stdin is not None
    process.stdin.close()


def wait_for(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + _SECONDS
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.1)


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[tuple[Broker, Path]]:
    """A broker whose conversations are captured, and the capture."""
    capture = tmp_path / "groups.pcap"
    try:
        with recorded_broker(tmp_path, capture, _SETTINGS) as broker:
            yield broker, capture
    except JavaUnavailable as reason:
        do_without(reason)
    kept = os.environ.get("KPROTO_KEEP_CAPTURES")
    if kept:
        shutil.copy(capture, Path(kept) / f"{tmp_path.name}.pcap")


def by_client(story: dict[str, list[frozenset[str]]]) -> dict[str, list[frozenset[str]]]:
    """Without the end of member ids, where one client id is one member, and without the names of
    clients before they had an id."""
    found: dict[str, list[frozenset[str]]] = {}
    for name, owned in story.items():
        if owned:
            found.setdefault(re.sub("-[0-9a-f]{4}$", "", name), []).extend(owned)
    return found


def in_order(some: list[frozenset[str]], all_of_them: list[frozenset[str]]) -> bool:
    """Whether all of these occur among those, one after another."""
    rest = iter(all_of_them)
    return bool(some) and all(each in rest for each in some)


def note(told: dict[str, Told], events: tuple[Event, ...]) -> None:
    for event in events:
        told.setdefault(event.member, Told()).add(event.event, frozenset(event.partitions))


def test_four_implementations(recorded: tuple[Broker, Path], tmp_path: Path) -> None:
    broker, capture = recorded
    java_settings = "topics=orders assignors=range session.timeout.ms=3000"
    told: dict[str, Told] = {}
    with members_of(broker, tmp_path / "members.log") as members, ExitStack() as stack:
        members.step("topic orders 6", quiet_ms=1)
        note(told, members.step(f"join java group=mixed {java_settings}").events)
        processes = {}
        for name in PYTHON:
            told[name], processes[name] = stack.enter_context(member(broker, name, "mixed", name))
        wait_for(lambda: all(told[name].owned[-1] for name in PYTHON), "all have a share")
        note(told, members.step("wait 500").events)
        processes["aiokafka"].kill()  # it says nothing, and its session ends 3 s later
        others = [told["confluent-kafka"], told["kafka-python"]]
        wait_for(
            lambda: sum(len(each.owned[-1]) for each in others) == 4, "its share is taken over"
        )
        note(told, members.step("wait 500", "leave java").events)
    story = story_of(capture)
    seen = by_client(owned_in_turn(story, "mixed"))
    assert seen.keys() == {"java", *PYTHON}
    for name, owned in seen.items():
        heard = told[name].assigned
        if name == "kafka-python":
            # Where an assignment arrives between two calls of poll(), 3.0.12 joins again and never
            # tells its listener (join_group_async: `_join_task.is_done`).
            assert in_order(heard, owned), name
        else:  # one that closes may not tell its listener of the last
            assert owned in (heard, [*heard, owned[-1]]), name
    assert re.search(
        r"mixed  the client has (?:closed|reset) connection \d+ of aiokafka-\w{4}", story
    )
    text = " ".join(story.split())
    assert re.search(
        r"probably aiokafka-\w{4} was no longer heard of: .* session timeout 3 s", text
    )
    assert re.search(r"without an owner orders .* \(\d+(\.\d)? s\)", text)


def test_a_group_whose_broker_assigns(recorded: tuple[Broker, Path], tmp_path: Path) -> None:
    """Two members with one client id, a static one, and librdkafka's."""
    broker, capture = recorded
    settings = "group=modern group.protocol=consumer topics=orders,clicks"
    told: dict[str, Told] = {}
    with members_of(broker, tmp_path / "members.log") as members:
        members.step("topic orders 6", "topic clicks 4", quiet_ms=1)
        for order in (
            f"join first {settings} client.id=twin",
            f"join second {settings} client.id=twin",
            f"join third {settings} client.id=static group.instance.id=i-1",
        ):
            note(told, members.step(order, quiet_ms=3000).events)
        with member(broker, "confluent-kafka", "modern", "fourth", "group.protocol=consumer") as (
            fourth,
            process,
        ):
            told["fourth"] = fourth
            wait_for(lambda: bool(fourth.owned[-1]), "librdkafka has a share")
            note(told, members.step("vanish third", quiet_ms=5000).events)
            note(told, members.step("leave first", quiet_ms=3000).events)
            note(told, members.step("subscribe second clicks", quiet_ms=3000).events)
            process.kill()
            process.wait()
            note(told, members.step("wait 4000", quiet_ms=500).events)
        note(told, members.step("leave second").events)
    story = story_of(capture)
    seen = owned_in_turn(story, "modern")
    assert [name[:-5] for name in seen] == ["twin", "twin", "static", "fourth"]
    for owned, name in zip(seen.values(), ("first", "second", "third", "fourth"), strict=True):
        expected = changes(told[name].owned)
        left = expected and not expected[-1]
        assert changes(owned) == (expected[:-1] if left else expected), name
    assert " as static member i-1 and means to come back" in story
    assert "probably static-" in story and "probably fourth-" in story
    assert re.search(r"twin-\S+ subscribes to clicks from now on", story)


def test_share_and_streams_groups(recorded: tuple[Broker, Path], tmp_path: Path) -> None:
    broker, capture = recorded
    with members_of(broker, tmp_path / "members.log") as members:
        members.step("topic orders 6", quiet_ms=1)
    orders = [
        "share s-1 shared orders", "share s-2 shared orders", "tell shared 2",
        "leave s-1", "tell shared 1", "leave s-2",
        "streams t-1 app orders", "wait 7000", "streams t-2 app orders", "tell app 2",
        "leave t-1", "tell app 1", "leave t-2",
    ]  # fmt: skip
    command = shares_and_streams(broker, tmp_path)
    with (tmp_path / "clients.log").open("w") as log:
        done = subprocess.run(
            command, input="".join(f"{order}\n" for order in orders),
            stdout=subprocess.PIPE, stderr=log, text=True, check=True, timeout=300,
        )  # fmt: skip
    shared, alone, tasks, last = map(json.loads, done.stdout.splitlines())
    story = story_of(capture)
    assert last_of(story, "shared", before="s-1-") == {frozenset(it) for it in shared.values()}
    assert last_of(story, "shared") == {frozenset(it) for it in alone.values()}
    seen = [line for line in story.splitlines() if "  app  " in line]
    for name, of in tasks.items():
        said = f"  {name}-StreamThread-1-consumer-"
        assert any(said in line and f"owns tasks {', '.join(of)}," in line for line in seen), name
    assert f"owns tasks {', '.join(last['t-2'])}," in [line for line in seen if "owns" in line][-1]
    assert "ASSIGNMENT_DELAYED" in story
    for name in ("s-1", "s-2", "t-1", "t-2"):
        assert re.search(rf"  {name}\S* leaves \(\w+GroupHeartbeat \d, member epoch -1\)", story)


def last_of(story: str, group: str, before: str = "") -> set[frozenset[str]]:
    """What each member of a share group has, or has when the first one leaves."""
    found: dict[str, frozenset[str]] = {}
    for line in story.splitlines():
        seen = re.match(rf"\S+ \[\d+\]  {group}  (\S+) (.*)$", line)
        if seen is None:
            continue
        name, said = seen.groups()
        if said.startswith("leaves"):
            if before and name.startswith(before):
                return set(found.values())
            last = found.pop(name, frozenset())
            if not found:
                return {last}
        has = re.search(r"(?:shares|has) ((?:(?!shares|has ).)*?)(?: in all)? \(ShareGroup", said)
        if has is not None:
            found[name] = parts_of(has[1].removesuffix(" so far"))
    return set(found.values())
