"""Four implementations on one broker, each in a group of its own and all in one: the audit of the
live topic and that of its copied segments find what the clients themselves were told."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.broker.broker import HERE, Broker
from tests.broker.members import Members
from tests.broker.python_member import CLIENTS

PARTITIONS = 6
SECONDS = 60


class Member:
    """What a consumer was last told to own, in its process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.owned: frozenset[str] = frozenset()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            told = json.loads(line)
            if told["event"] == "assigned":
                self.owned = frozenset(told["partitions"])


@contextmanager
def joined(
    broker: Broker, client: str, group: str, name: str, topic: str = "clients"
) -> Iterator[Member]:
    program = str(HERE / "python_member.py")
    command = [sys.executable, program, client, broker.bootstrap, group, name, topic]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with ended(process):
        yield Member(process)


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[None]:
    """Close the stdin of a member at the end, whereupon it leaves its group."""
    with process:
        try:
            yield
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_for(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def audited(source: str, out: Path) -> list[dict[str, Any]]:
    from kproto.tools.main import main

    assert main(["audit", source, "--out", str(out), "--fail-on", "never"]) == 0
    rows = [
        {name: row[name] for name in ("group_id", "rule", "severity", "explanation")}
        for row in pq.read_table(out / "findings").to_pylist()
    ]
    return sorted(rows, key=lambda row: (row["rule"], row["group_id"] or "", row["explanation"]))


def last_assignments(out: Path, group: str) -> dict[str, frozenset[str]]:
    """By client id, of the group's last record that has members."""
    members = [
        row for row in pq.read_table(out / "members").to_pylist() if row["group_id"] == group
    ]
    newest = max(row["source_offset"] for row in members)
    names = {row["member_id"]: row["client_id"] for row in members}
    found: dict[str, set[str]] = {
        row["client_id"]: set() for row in members if row["source_offset"] == newest
    }
    for row in pq.read_table(out / "assignments").to_pylist():
        if row["group_id"] == group and row["source_offset"] == newest:
            found[names[row["member_id"]]].add(f"{row['topic']}-{row['partition']}")
    return {name: frozenset(owned) for name, owned in found.items()}


def test_four_implementations(
    broker: Broker, members: Members, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members.step(f"topic clients {PARTITIONS}", quiet_ms=1)
    every = frozenset(f"clients-{number}" for number in range(PARTITIONS))
    with ExitStack() as stack:
        alone = {
            name: stack.enter_context(joined(broker, name, f"only-{name}", f"{name}-alone"))
            for name in CLIENTS
        }
        java = "topics=clients assignors=range session.timeout.ms=10000"
        members.step(f"join java-alone group=only-java {java}")
        wait_for(lambda: all(one.owned == every for one in alone.values()), "each has all")
        mixed = {"java-mixed": None} | {
            f"{name}-mixed": stack.enter_context(joined(broker, name, "mixed", f"{name}-mixed"))
            for name in CLIENTS
        }
        members.step(f"join java-mixed group=mixed {java}")

        def shared() -> bool:
            owned = [one.owned for one in mixed.values() if one is not None]
            mine = frozenset(members.step("wait 200", quiet_ms=300).owned.get("java-mixed", ()))
            return all(owned) and len(mine.union(*owned)) == sum(map(len, [mine, *owned])) == 6

        wait_for(shared, "all have a share")
        truth = {name: one.owned for name, one in mixed.items() if one is not None}
        truth["java-mixed"] = every.difference(*truth.values())
        live = audited(f"kafka://{broker.bootstrap}", tmp_path / "live")
        copied = tmp_path / "copied"
        for folder in broker.offsets_topic():
            shutil.copytree(folder, copied / folder.name)
    files = audited(str(copied), tmp_path / "files")
    capsys.readouterr()
    for out in (tmp_path / "live", tmp_path / "files"):
        assert last_assignments(out, "mixed") == truth
        for name in CLIENTS:
            assert last_assignments(out, f"only-{name}") == {f"{name}-alone": every}
    ours = {"mixed", "only-java", *(f"only-{name}" for name in CLIENTS)}
    for rows in (live, files):
        assert not [row for row in rows if row["group_id"] in ours and row["severity"] != "info"]
    # What only a broker can be asked, segments cannot tell.
    more = {"unassigned-partition", "stuck-rebalance", "offset-out-of-range"}
    assert [row for row in live if row["rule"] not in more] == files
