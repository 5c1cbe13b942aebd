"""What a finding advises to do first, carried out: the trouble is made on a real broker, the audit
finds it, the advice is followed, and an audit of what came after no longer finds it. A row each."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kproto.pipeline.audit import RULES
from kproto.tools.main import main
from tests.broker.broker import Broker
from tests.broker.members import Members

pytestmark = pytest.mark.plans


class Stage(NamedTuple):
    """Where an advice is tried: a broker, Java consumers on it, and the name of a group."""

    broker: Broker
    members: Members
    group: str

    def join(self, *names: str, quiet_ms: int = 1500, **settings: str) -> None:
        """Let members join the group."""
        words = " ".join(f"{name.replace('_', '.')}={value}" for name, value in settings.items())
        orders = [f"join {name} group={self.group} {words}" for name in names]
        self.members.step(*orders, quiet_ms=quiet_ms)

    def rebalance(self) -> None:
        """Let one more member join the group, and leave it: a record of the group as it is now."""
        self.join("z", topics="read", assignors="range,roundrobin", quiet_ms=700)
        self.leave("z")

    def leave(self, *names: str) -> None:
        """Let members leave it."""
        self.members.step(*(f"leave {name}" for name in names), quiet_ms=700)


class Advice(NamedTuple):
    """A rule, words of what it advises, what makes its trouble, what follows the advice, and what
    the group does from then on."""

    rule: str
    words: str
    make: Callable[[Stage], None]
    follow: Callable[[Stage], None]
    go_on: Callable[[Stage], None]


# -- more members than partitions of a topic, topic by topic


def _idle(stage: Stage) -> None:
    stage.members.step(*(f"topic {name} 1" for name in ("one-1", "one-2", "one-3")), quiet_ms=1)
    stage.join("a", "b", "c", topics="one-1,one-2,one-3", assignors="range")


def _roundrobin(stage: Stage) -> None:
    stage.leave("a", "b", "c")
    stage.join("a", "b", "c", topics="one-1,one-2,one-3", assignors="roundrobin")


# -- a member that takes longer between two polls than it may


def _slow(stage: Stage) -> None:
    stage.members.step("topic read 2", quiet_ms=1)
    stage.join("a", topics="read", assignors="range", max_poll_interval_ms="1500")
    stage.members.step("slow a 3000", "wait 30000", quiet_ms=100)


def _longer(stage: Stage) -> None:
    stage.leave("a")
    stage.join("a", topics="read", assignors="range", max_poll_interval_ms="60000")
    stage.members.step("slow a 3000", quiet_ms=100)


def _poll_on(stage: Stage) -> None:
    stage.members.step("wait 10000", quiet_ms=100)


ADVICE = (
    Advice("idle-under-range", "Choose roundrobin", _idle, _roundrobin, Stage.rebalance),
    Advice("slow-poll", "Raise max.poll.interval.ms", _slow, _longer, _poll_on),
)


def found(stage: Stage, out: Path, *options: str) -> set[str]:
    """The rules that an audit of the group finds."""
    source = f"kafka://{stage.broker.bootstrap}"
    words = ["audit", source, "--out", str(out), "--group", stage.group, "--fail-on", "never"]
    assert main([*words, *options]) == 0
    report: dict[str, Any] = json.loads((out / "findings.json").read_text())
    return {finding["code"] for finding in report["findings"]}


@pytest.mark.parametrize("advice", ADVICE, ids=lambda advice: advice.rule)
def test_advice(
    advice: Advice,
    broker: Broker,
    members: Members,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert advice.words in RULES[advice.rule].next_action
    stage = Stage(broker, members, advice.rule)
    advice.make(stage)
    assert advice.rule in found(stage, tmp_path / "trouble")
    advice.follow(stage)
    since = datetime.now(UTC).isoformat()
    time.sleep(1)
    advice.go_on(stage)
    assert advice.rule not in found(stage, tmp_path / "after", "--since", since)
    capsys.readouterr()
