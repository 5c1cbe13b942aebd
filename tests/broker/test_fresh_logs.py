"""Fresh logs: seven kinds of clients on a real broker go through what is drawn for them. The story
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
from collections.abc import Mapping
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import admin as kafka_admin

from kproto.capture.logs.reader import LogReader
from kproto.capture.packets.reader import read_pcap
from kproto.fuzz.building import JavaUnavailable
from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.history.of_frames import read_frames
from kproto.inspector.shapes.shape import Shares
from kproto.inspector.shapes.story_shapes import GroupStory
from kproto.tools.main import main
from tests.broker.fleet import (
    AIOKAFKA,
    FRANZ_GO,
    JAVA,
    KAFKA_PYTHON,
    KAFKAJS,
    LIBRDKAFKA,
    SARAMA,
    Client,
    Process,
    processes,
)
from tests.broker.recording import recorded_broker
from tests.conftest import do_without

of: Any = kafka_admin  # its types leave out what it takes
_LOGGERS = (
    '"-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS" '
    "-Dorg.slf4j.simpleLogger.showDateTime=true -Duser.timezone=UTC "
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.coordinator.group=info "
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.clients.consumer=info"
)
_SESSION_S = 6
_SECONDS = 90
_NAMES = ("a", "b")


class Kind(NamedTuple):
    """A kind of client: its settings, and whether its log has generations, and all partitions that
    its callbacks are told, in the same portions."""

    client: Client
    settings: Mapping[str, str] = {}
    has_generations: bool = True
    has_callbacks: bool = True
    may_be_static: bool = False


KINDS = {
    "java": Kind(JAVA[-1], may_be_static=True),
    "librdkafka": Kind(LIBRDKAFKA, {"debug": "cgrp"}, may_be_static=True),
    "kafka-python": Kind(KAFKA_PYTHON, may_be_static=True),
    "aiokafka": Kind(AIOKAFKA),
    "franz-go": Kind(FRANZ_GO, has_callbacks=False),
    "kafkajs": Kind(KAFKAJS, {"partition.assignment.strategy": "RoundRobinAssigner"},
                    has_generations=False),
    # Its log has no joins, and a line for each partition that it begins to read.
    "sarama": Kind(SARAMA, has_generations=False, has_callbacks=False),
}  # fmt: skip
STEPS = ("kill", "stop", "freeze", "partitions")


class Run(NamedTuple):
    """A group that went through its steps."""

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
    end = time.monotonic() + _SECONDS
    process = run.fleet[name]
    while len(process.events) <= since:
        assert not process.errors
        assert time.monotonic() < end, (run.group, name, "was told nothing")
        time.sleep(0.1)


def _start(run: Run, name: str) -> None:
    run.fleet[name].start(run.kind.client, run.settings[name])


def _carry_out(step: str, runs: list[Run], admin: Any) -> None:
    """One step of all groups that have drawn it."""
    for run in runs:
        process = run.fleet["b"]
        if step == "kill":
            process.kill()
        elif step == "stop":
            process.stop()
        elif step == "freeze":
            os.kill(process.pid, signal.SIGSTOP)
        else:
            more = of.NewPartitions(run.group, 6)
            for future in admin.create_partitions([more]).values():
                future.result(30)
    time.sleep(_SESSION_S + 4 if runs else 0)
    for run in runs:
        told = len(run.fleet["b"].events)
        if step == "freeze":
            os.kill(run.fleet["b"].pid, signal.SIGCONT)
        elif step != "partitions":
            _start(run, "b")
            _wait(run, "b", told)
    time.sleep(3 if runs else 0)


def _play(runs: list[Run], admin: Any) -> None:
    """Start all members, carry out what was drawn, and stop them."""
    for name in _NAMES:
        for run in runs:
            _start(run, name)
        for run in runs:
            _wait(run, name, 0)
    for at in range(2):
        for step in STEPS:
            _carry_out(step, [run for run in runs if run.steps[at] == step], admin)
    for run in runs:
        for process in run.fleet.values():
            process.stop()
    time.sleep(1)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Run], Path, Path]:
    """All groups after their steps, the folder of their logs, and the capture."""
    folder = tmp_path_factory.mktemp("fresh")
    capture = folder / "frames.pcap"
    draw = random.Random(os.environ.get("KPROTO_SEED", time.time_ns()))  # noqa: S311
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
            names = tuple(f"{name}-{member}" for member in _NAMES)
            fleet = stack.enter_context(processes(broker, group, names, group, folder))
            is_static = static and kind.may_be_static
            settings = {part: _settings(kind, part, is_static=is_static) for part in _NAMES}
            members = dict(zip(_NAMES, fleet.values(), strict=True))
            runs.append(Run(group, kind, tuple(draw.sample(STEPS, 2)), members, settings))
        _play(runs, admin)
        with (folder / _TOPIC).open("w") as out, redirect_stdout(out):
            assert main(["story", f"kafka://{broker.bootstrap}", "--json"]) == 0
    kept = os.environ.get("KPROTO_KEEP_LOGS")
    if kept:
        shutil.copytree(folder, kept, dirs_exist_ok=True, ignore=shutil.ignore_patterns("logs"))
    return runs, folder, capture


_TOPIC = "topic.json"
"""What the offsets topic of the broker tells."""


@pytest.fixture(scope="module")
def stories(recorded: tuple[list[Run], Path, Path]) -> dict[str, tuple[GroupStory, GroupStory]]:
    """Of each group: what the logs tell, and what the frames show."""
    runs, folder, capture = recorded
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
    recorded: tuple[list[Run], Path, Path],
    stories: dict[str, tuple[GroupStory, GroupStory]],
) -> None:
    told, _ = stories[f"logs-{name}"]
    (run,) = [run for run in recorded[0] if run.group == f"logs-{name}"]
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
    recorded: tuple[list[Run], Path, Path],
    stories: dict[str, tuple[GroupStory, GroupStory]],
) -> None:
    told, shown = stories[f"logs-{name}"]
    (run,) = [run for run in recorded[0] if run.group == f"logs-{name}"]
    causes = {cause.cause for cause in told.causes if cause.certain}
    could = {"member-joined", "member-left", "commit-failed", "static-member-came-back",
             "static-member-came-back-too-late", "session-expired"}  # fmt: skip
    could |= {"metadata-changed"} if "partitions" in run.steps else set()
    assert causes <= could
    if any(cause.cause == "session-expired" for cause in shown.causes):
        assert "session-expired" in causes


def test_the_topic_tells_the_same_generations(
    recorded: tuple[list[Run], Path, Path], stories: dict[str, tuple[GroupStory, GroupStory]]
) -> None:
    """A record is written when a generation has its assignment, or is empty."""
    runs, folder, _ = recorded
    groups = {
        group["group"]: group
        for group in json.loads((folder / _TOPIC).read_text(encoding="utf-8"))["groups"]
    }
    for run in runs:
        told, _ = stories[run.group]
        of_topic = {rebalance["generation"] for rebalance in groups[run.group]["rebalances"]}
        assert of_topic <= {rebalance.generation for rebalance in told.rebalances}, run.group
        assert max(of_topic) == max(rebalance.generation for rebalance in told.rebalances)
