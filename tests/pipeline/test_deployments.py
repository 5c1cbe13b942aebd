"""Members that a deployment restarts one after the other, in the records of their group."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import GroupMetadataKey
from kproto.pipeline.audit import Step
from kproto.tools.main import main

from .kafka_log import Entry, Logged, write_segments
from .test_group_diagnosis import value_of
from .test_storm_causes import deployments


def story(steps: Sequence[Step], home: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The story of a group that has these records."""
    key = GroupMetadataKey(group="payments").to_bytes()
    log = [
        Logged(offset, Entry(step.place.timestamp, key, value_of(step)))
        for offset, step in enumerate(steps)
    ]
    write_segments(home, 0, log, 0)
    assert main(["story", str(home), "--json"]) == 0
    (group,) = json.loads(capsys.readouterr().out)["groups"]
    return {cause["cause"]: cause for cause in group["causes"]} | {"verdict": group["verdict"]}


def test_each_member_came_back_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = story(deployments(3, 1), tmp_path, capsys)
    restart = told["rolling-restart"]
    assert restart["summary"].startswith("d0, d1 and d2 came back as new members once each")
    assert not restart["certain"] and "session-expired" in restart["rivals"]
    assert (
        "d0, d1 and d2 joined and came back as new members, 3 times in all"
        in (told["member-joined"]["summary"])
    )
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
