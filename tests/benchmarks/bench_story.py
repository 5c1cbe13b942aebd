"""Measure `kproto story` on a large log of a broker: seconds of one core, and memory.

    python -m tests.benchmarks.bench_story [--megabytes 1000] [--every 1000] [--check]

One line in `--every` is the coordinator's, of rebalances of 20 groups; the others are what a broker
logs besides. Memory is that beyond a log with the same lines of the coordinator and nothing else.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

SECONDS_A_GIGABYTE = 15.0
MEBIBYTES = 64.0
GROUPS = 20
_OTHERS = (
    (
        "[LocalLog partition=orders-{n}, dir=/var/lib/kafka] Rolled new log segment at offset {n} "
        "(kafka.log.LocalLog)"
    ),
    (
        "[ProducerStateManager partition=orders-{n}] Wrote producer snapshot at offset {n} "
        "(org.apache.kafka.storage.internals.log.ProducerStateManager)"
    ),
    (
        "[ReplicaFetcher replicaId=1, leaderId=2] Partition orders-{n} has an older epoch ({n}) "
        "(kafka.server.ReplicaFetcherThread)"
    ),
    (
        "[SocketServer listenerType=BROKER, nodeId=1] Failed authentication with /192.0.2.{n} "
        "(org.apache.kafka.common.network.Selector)"
    ),
)


def lines(megabytes: int, every: int) -> Iterator[tuple[bytes, bool]]:
    """Yield lines, and whether each is the coordinator's."""
    size = number = told = 0
    while size < megabytes * 1_000_000:
        second = number // 40
        time = f"2026-11-{second // 86_400 % 28 + 1:02} {second // 3600 % 24:02}"
        time += f":{second // 60 % 60:02}:{second % 60:02},{number % 40 * 25:03}"
        is_told = number % every == 0
        if is_told:
            generation, step = divmod(told // GROUPS, 3)
            text = _of_group(f"group-{told % GROUPS}", generation + 1, step)
            told += 1
        else:
            text = _OTHERS[number % len(_OTHERS)].format(n=number % 250)
        line = f"[{time}] INFO {text}\n".encode()
        size += len(line)
        number += 1
        yield line, is_told


def _of_group(group: str, generation: int, step: int) -> str:
    member = f"c{generation % 3}-7d05c2c4-1111-2222-3333-{generation:012}"
    logger = "(kafka.coordinator.group.GroupCoordinator)"
    if step == 0:
        return (
            f"[GroupCoordinator 1]: Preparing to rebalance group {group} in state "
            f"PreparingRebalance with old generation {generation - 1} (__consumer_offsets-7) "
            f"(reason: Adding new member {member} with group instance id None) {logger}"
        )
    if step == 1:
        return (
            f"[GroupCoordinator 1]: Stabilized group {group} generation {generation} "
            f"(__consumer_offsets-7) with 3 members {logger}"
        )
    return (
        f"[GroupCoordinator 1]: Assignment received from leader {member} for group {group} for "
        f"generation {generation}. The group has 3 members, 0 of which are static. {logger}"
    )


class Cost(NamedTuple):
    """Of one run of the command: seconds of the processor, and MiB at most."""

    seconds: float
    peak: float


def cost_of(path: Path) -> Cost:
    """Run the command on a log once."""
    command = [sys.executable, "-m", "kproto", "story", "--json", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> int:
    """Measure; 1 where what is promised is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1000)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with TemporaryDirectory() as name:
        whole, alone = Path(name, "server.log"), Path(name, "coordinator.log")
        with whole.open("wb") as file, alone.open("wb") as small:
            for line, is_told in lines(arguments.megabytes, arguments.every):
                file.write(line)
                if is_told:
                    small.write(line)
        cost, least = cost_of(whole), cost_of(alone)
        size = whole.stat().st_size
    seconds = cost.seconds * 1e9 / size
    print(f"{size:,} bytes in {cost.seconds:.2f} s of the processor: {seconds:.1f} s a gigabyte")
    print(f"{cost.peak:.1f} MiB, {cost.peak - least.peak:.1f} beyond the groups' histories")
    is_slow = seconds > SECONDS_A_GIGABYTE or cost.peak - least.peak > MEBIBYTES
    return int(arguments.check and is_slow)


if __name__ == "__main__":
    sys.exit(main())
