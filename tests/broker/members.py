"""Real Java consumers on a real broker, driven step by step; Members.java is their other half."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from kproto.fuzz.building import compile_java, fetch_jars
from tests.broker.broker import HERE, Broker, java

QUIET_MS = 700
"""Longer than a rebalance of idle members takes, heartbeats of 100 ms included."""


class Event(NamedTuple):
    """What a member was told: its callback ("revoked", "assigned", "lost"), "closed", or the name
    of the exception that ended it."""

    member: str
    event: str
    partitions: tuple[str, ...]


class Step(NamedTuple):
    """What followed an order: the events in their order, and who owns what in the end."""

    events: tuple[Event, ...]
    owned: dict[str, tuple[str, ...]]
    at_ms: tuple[int, ...]
    """When each event happened."""
    ordered_ms: tuple[int, ...]
    """When each order was begun."""


class Members:
    """The consumers of one JVM."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self._process = process
        self.log = log
        """What the clients themselves log."""

    def step(self, *orders: str, quiet_ms: int = QUIET_MS) -> Step:
        """Give orders, wait until the group is quiet, and say what happened."""
        assert self._process.stdin is not None
        self._process.stdin.write(
            "".join(f"{order}\n" for order in (*orders, f"settle {quiet_ms}"))
        )
        self._process.stdin.flush()
        events: list[Event] = []
        at_ms: list[int] = []
        ordered_ms: list[int] = []
        for said in self._heard():
            if "settled" in said:
                owned = {name: tuple(of) for name, of in said["settled"].items()}
                return Step(tuple(events), owned, tuple(at_ms), tuple(ordered_ms[:-1]))
            if "order" in said:
                ordered_ms.append(said["ms"])
                continue
            at_ms.append(said["ms"])
            events.append(Event(said["member"], said["event"], tuple(said["partitions"])))
        raise AssertionError("the consumers' JVM has ended")

    def _heard(self) -> Iterator[dict[str, Any]]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                yield json.loads(line)


@contextmanager
def members_of(broker: Broker, log: Path) -> Iterator[Members]:
    """Consumers of this broker; what they log goes to `log`. Raises `JavaUnavailable`."""
    classes = compile_java((HERE / "Members.java").read_bytes(), "Members", broker.jars)
    command = java(broker.jars, "Members", broker.bootstrap, more=(classes,))
    with log.open("w") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    with process:
        try:
            yield Members(process, log)
        finally:
            process.kill()


def shares_and_streams(broker: Broker, folder: Path) -> list[str]:
    """Return the command of SharesAndStreams.java; its jars are linked into the folder."""
    jars = folder / "jars"
    jars.mkdir()
    for cached in (broker.jars, fetch_jars((HERE / "pom-streams.xml").read_bytes())):
        for jar in cached.glob("*.jar"):
            (jars / jar.name).unlink(missing_ok=True)
            (jars / jar.name).symlink_to(jar)
    source = (HERE / "SharesAndStreams.java").read_bytes()
    classes = compile_java(source, "SharesAndStreams", jars)
    return java(jars, "SharesAndStreams", broker.bootstrap, more=(classes,))
