"""`kproto group` on a real broker that coordinates 10,000 groups: seconds and peak memory.

    python -m tests.benchmarks.bench_group_list [--check] [--groups N]

Each group has a member with a subscription and an assignment of six partitions, and a committed
offset for each of them. The groups are made with raw JoinGroup, SyncGroup and OffsetCommit
requests, and live as long as the session timeout that they ask for. `--check` fails where a list
takes more than ten seconds or 200 MB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from confluent_kafka import admin as confluent_admin

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.codec.messages import JoinGroupRequest, OffsetCommitRequest, SyncGroupRequest

from ..broker.broker import running_broker
from ..broker.wire import Wire

of: Any = confluent_admin  # it exports without saying so
MOST_SECONDS, MOST_BYTES = 10.0, 200e6
TOPICS, PARTITIONS = 100, 6
_SESSION_MS = 1_800_000  # a broker's default maximum
_AT_ONCE = 50
_WAYS: dict[str, tuple[str, ...]] = {
    "with lag": (),
    "--no-lag": ("--no-lag",),
    "--json": ("--json",),
}


class Cost(NamedTuple):
    """Rows or lines printed, seconds on the clock, the most bytes that the process had."""

    lines: int
    seconds: float
    peak: int


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--groups", type=int, default=10_000)
    given = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_broker(Path(folder)) as broker,
    ):
        made(broker.bootstrap, given.groups)
        print(f"{given.groups:,} groups of one member, {PARTITIONS} committed partitions each")
        print(f"{'':10}{'lines':>8}{'seconds':>10}{'peak MB':>10}")
        good = True
        for name, options in _WAYS.items():
            cost = listed(broker.bootstrap, *options)
            print(f"{name:10}{cost.lines:8,}{cost.seconds:10.1f}{cost.peak / 1e6:10.0f}")
            good &= cost.seconds <= MOST_SECONDS and cost.peak <= MOST_BYTES
            assert cost.lines >= given.groups
    return int(given.check and not good)


def made(bootstrap: str, groups: int) -> None:
    """Make the groups; each request is sent for some groups before the answers are read."""
    admin = of.AdminClient({"bootstrap.servers": bootstrap})
    topics = [of.NewTopic(f"topic-{number:03}", PARTITIONS, 1) for number in range(TOPICS)]
    for future in admin.create_topics(topics).values():
        future.result(timeout=60)
    wire = Wire(bootstrap, "bench")
    while wire.find_coordinator("group-00000"):
        time.sleep(0.2)
    for start in range(0, groups, _AT_ONCE):
        _some(
            wire, [f"group-{number:05}" for number in range(start, min(start + _AT_ONCE, groups))]
        )
    wire.close()


def _some(wire: Wire, names: list[str]) -> None:
    joins = _asked(wire, {name: _join(name) for name in names}, 3, lambda said: said.error_code)
    ids = {name: said.member_id for name, said in joins.items()}
    syncs = {name: _sync(name, ids[name]) for name in names}
    _asked(wire, syncs, 2, lambda said: said.error_code)
    commits = {name: _commit(name, ids[name]) for name in names}
    _asked(wire, commits, 6, lambda said: said.topics[0].partitions[0].error_code)


def _asked(
    wire: Wire, requests: dict[str, Any], version: int, error: Callable[[Any], int]
) -> dict[str, Any]:
    """Return the answers by name; those of a coordinator that still loads are asked for again."""
    found: dict[str, Any] = {}
    while requests:
        for request in requests.values():
            wire.send(request, version)
        answers = {name: wire.receive(60) for name in requests}
        found |= {name: said for name, said in answers.items() if not error(said)}
        assert {error(said) for said in answers.values()} <= {0, 14, 15, 16}
        requests = {name: each for name, each in requests.items() if name not in found}
        time.sleep(0.2 * bool(requests))
    return found


def _topic(name: str) -> str:
    return f"topic-{int(name[-5:]) % TOPICS:03}"


def _join(name: str) -> JoinGroupRequest:
    metadata = ConsumerProtocolSubscription(topics=[_topic(name)]).to_bytes(version=3)
    protocol = JoinGroupRequest.JoinGroupRequestProtocol(name="range", metadata=metadata)
    return JoinGroupRequest(
        group_id=name, session_timeout_ms=_SESSION_MS, rebalance_timeout_ms=_SESSION_MS,
        protocol_type="consumer", protocols=(protocol,),
    )  # fmt: skip


def _sync(name: str, member_id: str) -> SyncGroupRequest:
    entry = ConsumerProtocolAssignment.TopicPartition
    share = entry(topic=_topic(name), partitions=tuple(range(PARTITIONS)))
    data = ConsumerProtocolAssignment(assigned_partitions=(share,)).to_bytes(version=3)
    given = SyncGroupRequest.SyncGroupRequestAssignment(member_id=member_id, assignment=data)
    return SyncGroupRequest(
        group_id=name, generation_id=1, member_id=member_id, assignments=(given,)
    )


def _commit(name: str, member_id: str) -> OffsetCommitRequest:
    part = OffsetCommitRequest.OffsetCommitRequestPartition
    partitions = tuple(
        part(partition_index=number, committed_offset=0) for number in range(PARTITIONS)
    )
    topic = OffsetCommitRequest.OffsetCommitRequestTopic(name=_topic(name), partitions=partitions)
    return OffsetCommitRequest(
        group_id=name, generation_id_or_member_epoch=1, member_id=member_id, topics=(topic,)
    )


def listed(bootstrap: str, *options: str) -> Cost:
    """Return what the command costs, in a process of its own."""
    command = [sys.executable, "-m", "kproto", "group", "--bootstrap-server", bootstrap, *options]
    with tempfile.TemporaryFile() as out:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        out.seek(0)
        lines = out.read().splitlines()
    if "--json" in options:
        rows = [json.loads(line) for line in lines]
        assert all((row["members"], row["lag"], row["state"]) == (1, 0, "Stable") for row in rows)
    return Cost(len(lines), seconds, used.ru_maxrss * 1024)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
