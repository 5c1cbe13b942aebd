"""Members that a deployment restarts one after the other, in the records of their group."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import GroupMetadataKey
from kproto.inspector.shapes.shape import iso_time
from kproto.pipeline.audit import Step
from kproto.tools.main import main

from .audit_groups import member, record
from .kafka_log import Entry, Logged, write_segments
from .test_group_diagnosis import value_of
from .test_storm_causes import deployments


def story(
    steps: Sequence[Step], home: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> dict[str, Any]:
    """The story of a group that has these records."""
    key = GroupMetadataKey(group="payments").to_bytes()
    log = [
        Logged(offset, Entry(step.place.timestamp, key, value_of(step)))
        for offset, step in enumerate(steps)
    ]
    write_segments(home, 0, log, 0)
    assert main(["story", str(home), "--json", *options]) == 0
    (group,) = json.loads(capsys.readouterr().out)["groups"]
    return {cause["cause"]: cause for cause in group["causes"]} | {"verdict": group["verdict"]}


def test_each_member_came_back_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = story(deployments(3, 1), tmp_path, capsys)
    restart = told["rolling-restart"]
    assert restart["summary"].startswith("d0, d1 and d2 came back as new members once each")
    assert not restart["certain"] and "session-expired" in restart["rivals"]
    assert "member-joined" not in told  # the same members, told once
    assert told["verdict"].startswith("Nothing wrong is shown here, 4 rebalances: d0, d1 and d2")


def test_members_that_come_back_at_once_are_of_no_rolling_restart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *_, last = deployments(3, 1)
    assert "rolling-restart" not in story([first, last], tmp_path, capsys)


def test_members_that_came_back_again_and_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = story(deployments(3, 6, 200), tmp_path, capsys)
    assert "crash-loop" not in told
    restart = told["rolling-restart"]
    assert restart["rivals"][0] == "crash-loop"
    assert told["verdict"] == f"Likely: {restart['summary']}"


def test_who_only_joined_did_not_come_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [record(1, member("a"), seconds=0), record(2, member("a"), member("b#0"), seconds=5)]
    for number in (1, 2):
        at = number * 300
        steps.append(record(2 * number + 1, member("a"), seconds=at))
        steps.append(record(2 * number + 2, member("a"), member(f"b#{number}"), seconds=at + 5))
    told = story(steps, tmp_path, capsys)
    summary = told["member-joined"]["summary"]
    assert summary.startswith("b (1 of 2 members) came back as a new member twice: not known why: ")
    assert told["verdict"] == "Not decided: these sources do not show why b left, twice."


APP = [member(name, client="app") for name in "abcdef"]


@pytest.mark.parametrize(("lists", "text"), [
    (["a", "ab", "abc"], "app joined"),
    (["abc"], "app joined"),
    (["a", "ab", "abc", "bc", "c", ""], "app joined"),
    (["abc", "ab", "abd"], "app (1 of 3 members) came back as a new member once"),
    (["abc", "abd"], "app (1 of 3 members) came back as a new member once"),
    (["abc", "abcd", "abd"], "app joined"),  # a member that was killed is not in a new list
    (["a", "b", "c"], "app came back as a new member twice"),
    (["abc", "bcd", "cde", "def"], "3 members called app came back as new members once each"),
    (["abc", "", "def"], "3 members called app came back as new members once each, all at once"),
    (["abc", "bc", "c", "", "d", "de", "def"],
     "3 members called app came back as new members once each, all at once"),
    (["ab", "abc", "abc", "abc", "abc", "ab"], "app joined"),
])  # fmt: skip
def test_members_that_share_a_client_id(
    lists: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [
        record(number, *(APP["abcdef".index(name)] for name in names), seconds=number * 30)
        for number, names in enumerate(lists, 1)
    ]
    told = story(steps, tmp_path, capsys)
    summary = (told.get("rolling-restart") or told["member-joined"])["summary"]
    assert summary.startswith(text)
    assert ("rolling-restart" in told) == summary.endswith(": probably a rolling restart.")


def test_who_came_back_most_often_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = deployments(2, 2)
    for at in (6, 7):
        steps.append(record(at, member(f"d0#{at}"), member("d1#2"), seconds=300 * at))
    told = story(steps, tmp_path, capsys)
    summary = told["member-joined"]["summary"]
    assert summary.startswith("d0 and d1 came back as new members, d0 most often, 4 times: not ")
    assert "rolling-restart" not in told


def restarts_with_a_pause(rounds: int, names: str = "abc") -> list[Step]:
    """Members that are restarted one after the other, each of which leaves before it comes back."""
    alive = {name: member(f"{name}#0") for name in names}
    steps = [record(1, *alive.values(), seconds=0)]
    for number in range(1, rounds + 1):
        for at, name in enumerate(names):
            seconds = number * 1_000 + at * 10
            del alive[name]
            steps.append(record(len(steps) + 1, *alive.values(), seconds=seconds))
            alive[name] = member(f"{name}#{number}")
            steps.append(record(len(steps) + 1, *alive.values(), seconds=seconds + 5))
    return steps


def test_what_begins_after_the_end_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet = [record(number, member("a#0"), seconds=number * 60 - 3_600) for number in (1, 2)]
    steps = [*quiet, *deployments(3, 6, 200)]
    assert "rolling-restart" in story(steps, tmp_path / "all", capsys)
    start = iso_time(steps[2].place.timestamp - 60_000)
    assert "rolling-restart" not in story(steps, tmp_path / "start", capsys, "--until", start)
    assert "rolling-restart" in story(steps, tmp_path / "half", capsys, "--until", "10m")


@pytest.mark.parametrize(("rounds", "text"), [
    (1, "once each, one after the other: probably a rolling restart."),
    (2, "twice each, one after the other: probably 2 rolling restarts."),
    (4, "4 times each, one after the other: probably 4 rolling restarts."),
])  # fmt: skip
def test_each_deployment_is_a_rolling_restart(
    rounds: int, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = story(restarts_with_a_pause(rounds), tmp_path, capsys)
    assert told["rolling-restart"]["summary"] == f"a, b and c came back as new members {text}"
    assert told["verdict"].startswith("Nothing wrong is shown here")


def test_a_deployment_that_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = story(restarts_with_a_pause(3)[:-2], tmp_path, capsys)
    assert "came back as new members at least twice each" in told["rolling-restart"]["summary"]


def test_a_deployment_whose_first_joins_are_not_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = story(restarts_with_a_pause(2), tmp_path, capsys, "--since", "3m")
    assert "once each, one after the other" in told["rolling-restart"]["summary"]


def test_members_that_stay_are_of_no_rolling_restart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [
        record(step.generation, member("stays"), *step.members, seconds=number * 10)
        for number, step in enumerate(restarts_with_a_pause(2))
    ]
    assert "rolling-restart" not in story(steps, tmp_path, capsys, "--since", "1m")


def test_the_audit_names_the_groups_whose_members_came_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = []
    for group, steps in (("deployed", restarts_with_a_pause(1)), ("stopped", _stopped())):
        key = GroupMetadataKey(group=group).to_bytes()
        log += [Entry(step.place.timestamp, key, value_of(step)) for step in steps]
    log.sort(key=lambda entry: entry.time)
    write_segments(tmp_path / "log", 0, [Logged(at, entry) for at, entry in enumerate(log)], 0)
    assert main(["audit", str(tmp_path / "log"), "--out", str(tmp_path / "out")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "members came back (probably a rolling restart): deployed" in lines
    assert "members came back (not known why): stopped" in lines


def _stopped() -> list[Step]:
    return [
        record(1, member("a#0"), member("b#0"), seconds=60),
        record(2, seconds=120),
        record(3, member("a#1"), member("b#1"), seconds=180),
    ]
