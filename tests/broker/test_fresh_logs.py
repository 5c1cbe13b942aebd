"""Fresh logs: eight kinds of clients on a real broker go through what is drawn for them. The story
of their logs and the coordinator's is held to the frames, and to what their callbacks were told.

`KPROTO_SEED=n` draws the same again; `KPROTO_KEEP_LOGS=folder` keeps logs and capture.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Producer
from confluent_kafka import admin as kafka_admin

from kproto.capture.logs.reader import LogReader
from kproto.capture.packets.reader import read_pcap
from kproto.fuzz.building import JavaUnavailable
from kproto.history.captured_groups import read_frames
from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.inspector.shapes.shape import Shares
from kproto.inspector.shapes.story_shapes import GroupStory
from kproto.tools.main import main
from tests.broker.fleet import (
    AIOKAFKA,
    FRANZ_GO,
    JAVA,
    KAFKA_GO,
    KAFKA_PYTHON,
    KAFKAJS,
    LIBRDKAFKA,
    SARAMA,
    Client,
    Process,
    processes,
)
from tests.broker.recording import CUT_OFF, recorded_broker
from tests.conftest import do_without
from tests.history.test_possible_causes import words

of: Any = kafka_admin  # its types leave out what it takes
_LOGGERS = (
    '"-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS" '
    "-Dorg.slf4j.simpleLogger.showDateTime=true -Duser.timezone=UTC "
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.coordinator.group=info "
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.clients.consumer=info"
)
_SESSION_S = 6
_POLL_S = 7
_SECONDS = 90
_NAMES = ("a", "b")
_STEPS_OF_EACH = 3


class Kind(NamedTuple):
    """A kind of client: its settings, and whether its log has generations, and all partitions that
    its callbacks are told, in the same portions. `cannot` are the steps that it has no way of."""

    client: Client
    settings: Mapping[str, str] = {}
    has_generations: bool = True
    has_callbacks: bool = True
    may_be_static: bool = False
    cannot: tuple[str, ...] = ()


_LOOK = {"metadata.max.age.ms": "1000"}
_POLL = {"max.poll.interval.ms": f"{_POLL_S}000"}
KINDS = {
    "java": Kind(JAVA[-1], {**_LOOK, **_POLL}, may_be_static=True),
    "librdkafka": Kind(
        LIBRDKAFKA,
        {"debug": "cgrp", "topic.metadata.refresh.interval.ms": "1000", **_POLL},
        may_be_static=True,
    ),
    "kafka-python": Kind(KAFKA_PYTHON, {**_LOOK, **_POLL}, may_be_static=True),
    "aiokafka": Kind(AIOKAFKA, {**_LOOK, **_POLL}),
    "franz-go": Kind(FRANZ_GO, _LOOK, has_callbacks=False, cannot=("slow",)),
    "kafkajs": Kind(KAFKAJS, {"partition.assignment.strategy": "RoundRobinAssigner", **_LOOK},
                    has_generations=False, cannot=("topic",)),
    # Its log has no joins, and a line for each partition that it begins to read.
    "sarama": Kind(SARAMA, _LOOK, has_generations=False, has_callbacks=False,
                   cannot=("slow", "topic")),
    "kafka-go": Kind(KAFKA_GO, _LOOK, has_callbacks=False, cannot=("slow", "topic")),
}  # fmt: skip


class Run(NamedTuple):
    """A group that goes through its steps."""

    group: str
    kind: Kind
    steps: tuple[str, ...]
    fleet: Mapping[str, Process]
    settings: Mapping[str, Mapping[str, str]]


def _settings(kind: Kind, name: str, *, is_static: bool) -> dict[str, str]:
    session = {} if kind.client.name == "kafkajs" else {"session.timeout.ms": f"{_SESSION_S}000"}
    return {**kind.settings, **session} | ({"group.instance.id": name} if is_static else {})


def _wait(run: Run, name: str, since: int) -> None:
    """Until a member is told something new."""
    if run.kind.client is KAFKA_GO:  # it has no callbacks
        time.sleep(2)
        return
    end = time.monotonic() + _SECONDS
    process = run.fleet[name]
    while _told(process) <= since:
        # KafkaJS goes on by itself after an error that passes, such as a coordinator that loads.
        assert process.is_running(), (run.group, name, process.errors)
        assert time.monotonic() < end, (run.group, name, "was told nothing")
        time.sleep(0.1)


def _told(process: Process) -> int:
    """How often a member was told something."""
    return sum(event["event"] != "failed" for event in process.events)


def _start(run: Run, name: str) -> None:
    run.fleet[name].start(run.kind.client, run.settings[name])


def _back(run: Run) -> None:
    told = _told(run.fleet["b"])
    _start(run, "b")
    _wait(run, "b", told)


def _kill(run: Run, _: Any, stack: ExitStack) -> None:
    run.fleet["b"].kill()
    stack.callback(_back, run)


def _stop(run: Run, _: Any, stack: ExitStack) -> None:
    run.fleet["b"].stop()
    stack.callback(_back, run)


def _freeze(run: Run, _: Any, stack: ExitStack) -> None:
    pid = run.fleet["b"].pid
    os.kill(pid, signal.SIGSTOP)
    stack.callback(os.kill, pid, signal.SIGCONT)


def _cut(run: Run, _: Any, stack: ExitStack) -> None:
    stack.enter_context(CUT_OFF.process(run.fleet["b"].pid))


def _slow(run: Run, _: Any, __: ExitStack) -> None:
    run.fleet["b"].pause((_POLL_S + 3) * 1000)
    producer = Producer({"bootstrap.servers": run.fleet["b"].bootstrap})
    for number in range(4):  # KafkaJS is slow at a record alone
        producer.produce(run.group, b"record", partition=number)
    producer.flush(10)


def _partitions(run: Run, admin: Any, _: ExitStack) -> None:
    for future in admin.create_partitions([of.NewPartitions(run.group, 6)]).values():
        future.result(30)


def _topic(run: Run, admin: Any, _: ExitStack) -> None:
    for future in admin.create_topics([of.NewTopic(f"{run.group}-more", 3, 1)]).values():
        future.result(30)


def _scale(run: Run, _: Any, stack: ExitStack) -> None:
    _start(run, "c")
    stack.callback(run.fleet["c"].stop)


def _roll(run: Run, _: Any, __: ExitStack) -> None:
    for name in _NAMES:
        told = _told(run.fleet[name])
        run.fleet[name].stop()
        _start(run, name)
        _wait(run, name, told)


_STEPS: Mapping[str, Callable[[Run, Any, ExitStack], None]] = {
    "kill": _kill, "stop": _stop, "freeze": _freeze, "cut": _cut, "slow": _slow,
    "partitions": _partitions, "topic": _topic, "scale": _scale, "roll": _roll,
}  # fmt: skip
"""What begins a step; the stack ends it."""


def _play(runs: list[Run], admin: Any) -> None:
    """Start all members, carry out what was drawn, and stop them."""
    for name in _NAMES:
        for run in runs:
            _start(run, name)
        for run in runs:
            _wait(run, name, 0)
    for at in range(_STEPS_OF_EACH):
        with ExitStack() as stack:
            for run in runs:
                _STEPS[run.steps[at]](run, admin, stack)
            time.sleep(_SESSION_S + 6)
        time.sleep(4)
    for run in runs:
        for process in run.fleet.values():
            process.stop()
    time.sleep(1)


def _drawn(kind: Kind, draw: random.Random) -> tuple[str, ...]:
    """The steps of a kind: `KPROTO_STEPS=slow,topic,...` chooses those of all kinds that can."""
    possible = [step for step in _STEPS if step not in kind.cannot]
    chosen = [step for step in os.environ.get("KPROTO_STEPS", "").split(",") if step in possible]
    rest = [step for step in possible if step not in chosen]
    return (*chosen, *draw.sample(rest, len(rest)))[:_STEPS_OF_EACH]


class Recorded(NamedTuple):
    """All groups after their steps, the folder of their logs, the capture, and when the offsets
    topic was read, spelled as stories spell times."""

    runs: list[Run]
    folder: Path
    capture: Path
    topic_read: str


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder = tmp_path_factory.mktemp("fresh")
    capture = folder / "frames.pcap"
    seed = os.environ.get("KPROTO_SEED", str(time.time_ns()))
    print(f"KPROTO_SEED={seed}")  # pytest shows it with what fails
    draw = random.Random(seed)  # noqa: S311
    static = draw.random() < 0.5
    runs: list[Run] = []
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", _LOGGERS)
        patch.setenv("KPROTO_MEMBER_LOGS", "1")
        try:
            broker = stack.enter_context(recorded_broker(folder, capture))
        except JavaUnavailable as reason:
            do_without(reason)
        admin = of.AdminClient({"bootstrap.servers": broker.bootstrap})
        topics = [of.NewTopic(f"logs-{name}", 4, 1) for name in KINDS]
        for future in admin.create_topics(topics).values():
            future.result(30)
        for name, kind in KINDS.items():
            group = f"logs-{name}"
            names = tuple(f"{name}-{member}" for member in (*_NAMES, "c"))
            steps = _drawn(kind, draw)
            topic = f"^{group}.*" if "topic" in steps else group
            fleet = stack.enter_context(processes(broker, group, names, topic, folder))
            is_static = static and kind.may_be_static
            members = dict(zip((*_NAMES, "c"), fleet.values(), strict=True))
            settings = {part: _settings(kind, part, is_static=is_static) for part in members}
            runs.append(Run(group, kind, steps, members, settings))
        _play(runs, admin)
        topic_read = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with (folder / _TOPIC).open("w") as out, redirect_stdout(out):
            assert main(["story", f"kafka://{broker.bootstrap}", "--json"]) == 0
    kept = os.environ.get("KPROTO_KEEP_LOGS")
    if kept:
        shutil.copytree(folder, kept, dirs_exist_ok=True, ignore=shutil.ignore_patterns("logs"))
    return Recorded(runs, folder, capture, topic_read)


_TOPIC = "topic.json"
"""What the offsets topic of the broker tells."""


@pytest.fixture(scope="module")
def stories(recorded: Recorded) -> dict[str, tuple[GroupStory, GroupStory]]:
    """Of each group: what the logs tell, and what the frames show."""
    runs, folder, capture, _ = recorded
    sources = []
    for path in sorted(folder.glob("*.log")):
        source = LogSource(path.name)
        with path.open("rb") as file:
            source.events = list(LogReader().read(file))
        sources.append(source)
    frames = LogSource(capture.name)
    with capture.open("rb") as file:
        captured = read_frames(frames, read_pcap(file, source=capture.name)).rebalances
    told = {group.group: group for group in tell(sources).groups}
    shown = {group.group: group for group in tell([frames], captured=captured).groups}
    return {run.group: (told[run.group], shown[run.group]) for run in runs}


def _joins(story: GroupStory) -> set[tuple[int | None, str | None]]:
    return {(event.generation, event.member) for event in story.events if event.event == "joined"}


def _spelled(shares: Shares) -> tuple[str, ...]:
    return tuple(
        sorted(f"{topic}-{number}" for topic, numbers in shares.items() for number in numbers)
    )


def _plans(story: GroupStory) -> dict[tuple[int | None, str], tuple[str, ...]]:
    return {
        (event.generation, member): _spelled(shares)
        for event in story.events if event.event == "leader-assigns"
        for member, shares in (event.assignment or {}).items()
    }  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_the_logs_tell_what_the_frames_show(
    name: str, stories: dict[str, tuple[GroupStory, GroupStory]]
) -> None:
    """Every generation, each of its joins and assignments that a log has, each leave; no other."""
    told, shown = stories[f"logs-{name}"]
    generations = {part.generation for part in shown.rebalances}
    assert {part.generation for part in told.rebalances if part.members} == generations
    happened = _joins(shown)
    told_joins = {join for join in _joins(told) if join[0] is not None}
    assert told_joins <= happened
    if KINDS[name].has_generations:
        missing = happened - told_joins
        assert len(missing) <= 2, missing  # cut off where it was killed
    plans = _plans(shown)
    for key, parts in _plans(told).items():
        assert key[0] is None or parts == plans[key]
    left = {event.member for event in shown.events if event.event == "leaves"}
    assert {event.member for event in told.events if event.event == "leaves"} - {None} == left


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.has_callbacks])
def test_the_logs_tell_what_callbacks_were_told(
    name: str,
    recorded: Recorded,
    stories: dict[str, tuple[GroupStory, GroupStory]],
) -> None:
    told, _ = stories[f"logs-{name}"]
    (run,) = [run for run in recorded.runs if run.group == f"logs-{name}"]
    words = ("partitions-assigned",) if name != "kafkajs" else ("assigned",)
    for process in run.fleet.values():
        callbacks = [tuple(event["partitions"]) for event in process.events
                     if event["event"] == "assigned"]  # fmt: skip
        events = [
            _spelled(event.partitions) for event in told.events
            if event.event in words and event.partitions is not None
            and any(place.source == f"{process.name}.log" for place in event.places)
        ]  # fmt: skip
        assert events == callbacks or events == [parts for parts in callbacks if parts]


@pytest.mark.parametrize("name", KINDS)
def test_no_cause_is_certain_that_was_not_drawn(
    name: str,
    recorded: Recorded,
    stories: dict[str, tuple[GroupStory, GroupStory]],
) -> None:
    told, shown = stories[f"logs-{name}"]
    (run,) = [run for run in recorded.runs if run.group == f"logs-{name}"]
    causes = {cause.cause for cause in told.causes if cause.certain}
    could = {"member-joined", "member-left", "commit-failed", "static-member-came-back",
             "static-member-came-back-too-late", "session-expired"}  # fmt: skip
    could |= {"sync-not-sent"}  # of a member that is ended while it joins
    could |= {"metadata-changed"} if {"partitions", "topic"} & {*run.steps} else set()
    could |= {"poll-timeout-exceeded"} if "slow" in run.steps else set()
    assert causes <= could
    if any(cause.cause == "session-expired" for cause in shown.causes):
        assert "session-expired" in causes


_SHOWS = {
    "kill": {"session-expired"},
    "stop": {"member-left", "session-expired"},
    "freeze": {"process-stood-still"},
    "cut": {"network-cut"},
    "slow": {"poll-timeout-exceeded"},
    "partitions": {"metadata-changed"},
    "topic": {"metadata-changed"},
    "scale": {"member-joined"},
    "roll": {"member-left", "session-expired", "static-member-came-back"},
}


@pytest.mark.parametrize("name", KINDS)
def test_what_was_drawn_is_a_cause_or_a_rival(
    name: str,
    recorded: Recorded,
    stories: dict[str, tuple[GroupStory, GroupStory]],
) -> None:
    told, _ = stories[f"logs-{name}"]
    (run,) = [run for run in recorded.runs if run.group == f"logs-{name}"]
    found = {*words(told)}
    for step in run.steps:
        # The heartbeats of KafkaJS stop while a message is handled.
        is_silent = step == "slow" and name == "kafkajs"
        assert found & ({"process-stood-still"} if is_silent else _SHOWS[step]), step
    assert found.isdisjoint({"poll-timeout-exceeded"} if "slow" in run.kind.cannot else ())


def test_the_topic_tells_the_same_generations(
    recorded: Recorded, stories: dict[str, tuple[GroupStory, GroupStory]]
) -> None:
    """A record is written when a generation has its assignment, or is empty."""
    groups = {
        group["group"]: group
        for group in json.loads((recorded.folder / _TOPIC).read_text(encoding="utf-8"))["groups"]
    }
    for run in recorded.runs:
        told, _ = stories[run.group]
        of_topic = {rebalance["generation"] for rebalance in groups[run.group]["rebalances"]}
        assert of_topic <= {rebalance.generation for rebalance in told.rebalances}, run.group
        # Until the broker stops, sessions of members that are gone may expire.
        ended = {
            rebalance.generation
            for rebalance in told.rebalances
            if rebalance.ended and rebalance.ended < recorded.topic_read
        }
        assert max(of_topic) >= max(ended)
