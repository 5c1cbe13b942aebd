"""`kproto audit --follow` beside real consumers on a real broker: it is killed and goes on.

The truth is the audit of the same topic at once.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kproto.pipeline.audit import STEP_RULES
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.broker_snapshot import snapshot
from kproto.pipeline.sources.broker import broker_units
from kproto.pipeline.spark.java import NoJava, find_java_home
from kproto.pipeline.tables.publishing import Destination
from tests.broker.broker import Broker
from tests.broker.members import Members
from tests.conftest import do_without

SECONDS = 90
COMMAND = "from kproto.tools.main import main; raise SystemExit(main())"


class Follower:
    """The command, as somebody runs it."""

    def __init__(self, broker: Broker, out: Path, said: Path) -> None:
        self.out = out
        self._said = said
        options = ("--json", "--judge-every", "5s", "--fail-on", "warning", "--every", "500ms")
        source = f"kafka://{broker.bootstrap}"
        with said.open("wb") as stdout, said.with_suffix(".err").open("wb") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, "-c", COMMAND, "audit", source, "--follow", "--out", str(out),
                 *options],
                stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
            )  # fmt: skip

    def changes(self) -> list[dict[str, Any]]:
        """The lines that were said so far, but for one that is being written."""
        whole = self._said.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines()]

    def manifest(self) -> dict[str, Any]:
        try:
            said: dict[str, Any] = json.loads((self.out / "manifest.json").read_text())
        except OSError:
            return {}
        return said

    def wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not until():
            assert self.process.poll() is None, self._said.with_suffix(".err").read_text()[-2000:]
            assert time.monotonic() < end, self.manifest()
            time.sleep(0.2)

    def wait_until_known(self) -> None:
        """Until all that is written by now is read and judged."""
        now = time.time() * 1000
        self.wait(lambda: self.manifest().get("known", 0) > now)


@contextmanager
def following(broker: Broker, out: Path, said: Path) -> Iterator[Follower]:
    follower = Follower(broker, out, said)
    try:
        yield follower
    finally:
        follower.process.kill()
        follower.process.wait()


def need_java() -> None:
    """Spark's."""
    try:
        find_java_home()
    except NoJava as reason:
        do_without(reason)


@pytest.fixture(scope="module", autouse=True)
def _java() -> None:
    need_java()


@pytest.mark.long
def test_what_is_killed_loses_nothing_and_says_nothing_twice(
    broker: Broker, members: Members, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    settings = "topics=t group=follow-storm assignors=cooperative-sticky max.poll.interval.ms=1500"
    members.step("topic t 6", f"join fast {settings}")
    with following(broker, out, tmp_path / "first") as first:
        first.wait(lambda: first.manifest().get("known", 0) > 0)
        members.step(f"join slow {settings}", "slow slow 2500", "wait 12000", quiet_ms=1)

        def seen() -> bool:
            return "follow-storm" in {one["finding"]["group"] for one in loud(first.changes())}

        first.wait(seen)
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        before = first.changes()
    members.step("wait 6000", "leave slow", "leave fast")
    with following(broker, out, tmp_path / "second") as second:
        second.wait_until_known()
        second.process.send_signal(signal.SIGINT)
        assert second.process.wait(SECONDS) == 1  # there is a finding
        after = second.changes()
    told = [one["finding"]["id"] for one in (*before, *after) if one["change"] == "new"]
    assert len(told) == len(set(told))
    rows = pq.read_table(out / "findings").to_pylist()
    assert len(rows) == len({row["finding_id"] for row in rows})
    assert by_step(rows) == by_step(whole(broker, tmp_path / "whole"))
    assert "slow-poll" in {row["rule"] for row in rows if row["group_id"] == "follow-storm"}
    assert set(by_step(rows)) <= set(told)


def test_news_come_soon(broker: Broker, members: Members, tmp_path: Path) -> None:
    """A member that keeps coming and going is told while it does."""
    settings = "topics=t group=follow-soon assignors=range session.timeout.ms=3000"
    with following(broker, tmp_path / "out", tmp_path / "said") as follower:
        follower.wait(lambda: follower.manifest().get("known", 0) > 0)
        members.step("topic t 6", f"join stays {settings}", quiet_ms=1)
        for number in range(12):
            name = f"back{number}"
            members.step(f"join {name} {settings} client.id=back", quiet_ms=300)
            members.step(f"leave {name}", quiet_ms=300)
        follower.wait_until_known()
        news = [one for one in loud(follower.changes()) if one["change"] == "new"]
        mine = [one for one in news if one["finding"]["group"] == "follow-soon"]
        assert "flapping-member" in {one["finding"]["code"] for one in mine}
        assert all(0 <= one["latencyMs"] < 15_000 for one in mine)


def loud(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in changes if one["finding"]["severity"] != "info"]


def whole(broker: Broker, out: Path) -> list[dict[str, Any]]:
    client = (("bootstrap.servers", broker.bootstrap),)
    known = snapshot(client)
    options = Options(cluster_id=known.cluster_id, topics=known.topics, states=known.states)
    audit = run_audit(broker_units(client), Destination.new(str(out), replace=False), options)
    rows: list[dict[str, Any]] = audit.findings.to_pylist()
    return rows


def by_step(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The findings about records; what the clock tells depends on when it is asked."""
    rules, clock = {rule.id for rule in STEP_RULES}, {"judged_at", "age_seconds"}
    return {
        row["finding_id"]: {name: value for name, value in row.items() if name not in clock}
        for row in rows
        if row["rule"] in rules
    }
