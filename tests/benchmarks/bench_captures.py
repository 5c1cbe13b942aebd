"""`kproto decode --json` on log segments and on packets: how fast, and in how much memory.

    python -m tests.benchmarks.bench_captures [--quick] [--against TREE] [--check]

The command itself is run, as people run it, and what counts is the processor's time, start and
output included: a machine that is shared changes that little. The segments are those of real
brokers (`tests/vectors/captures`), repeated. What members wrote repeats with them, as it does in
real logs; in `never alike` each batch has topics of its own, and in `all different` members, hosts
and partitions as well. `--against` measures the command of another checkout on the same files, in
turns, and compares what it prints: the same but for prose, in a fraction of the time.

Packets are those of `loopback.pcap`, each time from other addresses and with other topics; `tshark
-T json` reads the same file in turns, where it is installed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import dpkt
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.util import calc_crc32c
from rich.console import Console
from rich.table import Table

from kproto.capture.segments.batches import Batch, read_batches
from kproto.capture.summary import Summary
from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
)
from tests.benchmarks.checkouts import as_package

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
COMMAND = [sys.executable, "-m", "kproto"]
_WORDS = re.compile(rb'"(?:explanation|note)":"(?:[^"\\]|\\.)*"')  # which may be put better
SEGMENT = 8 << 20
OFFSET_COMMIT, GROUP_METADATA = 1, 2
RENAMED = (b"orders", b"clicks", b"payments")  # the captured groups' topics


class Cost(NamedTuple):
    """Of one run: the input's bytes and records, processor seconds, peak memory in bytes, and the
    digest of the output."""

    size: int
    records: int
    seconds: float
    peak: int
    digest: bytes

    @property
    def megabytes_a_second(self) -> float:
        return self.size / self.seconds / 1e6

    @property
    def records_a_second(self) -> float:
        return self.records / self.seconds


def captured(record_type: int) -> list[bytes]:
    """The batches of real brokers that hold records of one type alone."""
    found = []
    for path in sorted(CAPTURES.rglob("*.log")):
        with path.open("rb") as file:
            found += [batch.data for batch in read_batches(file, str(path), Summary())
                      if all(kind == record_type for kind in _types(batch))]  # fmt: skip
    return found


def _types(batch: Batch) -> list[int]:
    return [int.from_bytes((record.key or b"")[:2], "big") for record in batch.reader]


def repeated(batches: Sequence[bytes]) -> Iterator[bytes]:
    while True:
        yield from batches


def never_alike(batches: Sequence[bytes]) -> Iterator[bytes]:
    """The same, each time with other topics, of the same length and in the same order."""
    rng = Random(5)  # noqa: S311
    for data in repeated(batches):
        changed = data
        for name in RENAMED:
            changed = changed.replace(name, name[:2] + b"%04x" % rng.getrandbits(16) + name[6:])
        yield changed[:17] + calc_crc32c(changed[21:]).to_bytes(4, "big") + changed[21:]


def all_different() -> Iterator[bytes]:
    """Groups as Java consumers leave them behind, a batch each, in which nothing repeats."""
    rng = Random(6)  # noqa: S311
    while True:
        group, generation = f"group-{rng.getrandbits(40):010x}", rng.randrange(1, 500)
        topics = sorted(f"topic-{rng.getrandbits(32):08x}" for _ in range(rng.randint(1, 3)))
        members = [_member(rng, topics, generation) for _ in range(rng.randint(1, 4))]
        value = GroupMetadataValue(
            protocol_type="consumer",
            generation=generation,
            protocol="range",
            leader=members[0].member_id,
            current_state_timestamp=rng.getrandbits(40),
            members=members,
        )
        batch = DefaultRecordBatchBuilder(2, 0, 0, -1, -1, -1, 1 << 20)
        key = GroupMetadataKey(group=group).to_bytes()
        batch.append(0, rng.getrandbits(40), key, value.to_bytes(3), [])
        yield bytes(batch.build())


def _member(rng: Random, topics: list[str], generation: int) -> GroupMetadataValue.MemberMetadata:
    first, count = rng.randrange(1000), rng.randint(1, 6)
    partitions = {topic: range(first, first + count) for topic in topics}
    said = ConsumerProtocolSubscription(
        topics=topics,
        user_data=None,
        owned_partitions=[
            ConsumerProtocolSubscription.TopicPartition(topic=topic, partitions=numbers)
            for topic, numbers in partitions.items()
        ],
        generation_id=generation - 1,
        rack_id=None,
    )
    given = ConsumerProtocolAssignment(
        assigned_partitions=[
            ConsumerProtocolAssignment.TopicPartition(topic=topic, partitions=numbers)
            for topic, numbers in partitions.items()
        ],
        user_data=None,
    )
    client = f"client-{rng.getrandbits(24):06x}"
    return GroupMetadataValue.MemberMetadata(
        member_id=f"{client}-{rng.getrandbits(128):032x}",
        client_id=client,
        client_host=f"/10.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(256)}",
        rebalance_timeout=300_000,
        session_timeout=45_000,
        subscription=said.to_bytes(3),
        assignment=given.to_bytes(3),
    )


def write(folder: Path, batches: Iterator[bytes], size: int) -> None:
    """Segments of so many bytes in all, as a broker has them."""
    partition = folder / "logs" / "__consumer_offsets-0"
    partition.mkdir(parents=True)
    offset = written = 0
    while written < size:
        with (partition / f"{offset:020}.log").open("wb") as file:
            while file.tell() < SEGMENT and written < size:
                data = next(batches)
                file.write(offset.to_bytes(8, "big") + data[8:])
                offset += 1 + int.from_bytes(data[23:27], "big")
                written += len(data)


def environment(folder: Path, tree: Path | None) -> dict[str, str]:
    """As people have it: what is imported was compiled before."""
    kept = {name: it for name, it in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    other = {} if tree is None else {"PYTHONPATH": str(tree)}
    return kept | other | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def run(folder: Path, tree: Path | None) -> Cost:
    """Run the command once; `tree` is a folder with another checkout, as `kproto`."""
    size = sum(path.stat().st_size for path in folder.rglob("*.log"))
    with (folder / "out").open("w+b") as out:
        process = subprocess.Popen(
            [*COMMAND, "decode", "--json", folder / "logs"],
            stdout=out,
            stderr=subprocess.PIPE,
            env=environment(folder.parent, tree),
        )
        assert process.stderr is not None
        said = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, said
        out.seek(0)
        records, digest = 0, sha256()
        for line in out:
            records += 1
            digest.update(_WORDS.sub(b"", line))
    seconds = used.ru_utime + used.ru_stime
    return Cost(size, records, seconds, used.ru_maxrss * 1024, digest.digest())


class Case(NamedTuple):
    """`limit` is at least so many of `what`, a second, None for information; `ratio` is at least so
    many times what the code of before the compiled core (13fcba0) does."""

    name: str
    batches: Callable[[], Iterator[bytes]]
    what: str
    limit: float | None
    ratio: float


CASES = (
    Case("groups", lambda: repeated(captured(GROUP_METADATA)), "MB", 15, 5),
    Case("groups, never alike", lambda: never_alike(captured(GROUP_METADATA)), "MB", None, 15),
    Case("groups, all different", all_different, "MB", None, 10),
    Case("offset commits", lambda: repeated(captured(OFFSET_COMMIT)), "records", 100_000, 5),
)
TIMES_AS_TSHARK = 5
"""How many times as fast as tshark packets are to become JSON lines."""
MOST_GROWTH = 1.25
"""The peak for the whole input, at most so many times that for a tenth of it."""


def best(case: Case, size: int, turns: int, scratch: Path, trees: list[Path | None]) -> list[Cost]:
    """The quickest of so many runs, for each tree; they take turns."""
    with TemporaryDirectory(dir=scratch) as name:
        folder = Path(name)
        write(folder, case.batches(), size)
        costs = [[run(folder, tree) for tree in trees] for _ in range(turns)]
    assert len({cost.digest for turn in costs for cost in turn}) == 1, "the lines differ"
    return [min(each, key=lambda cost: cost.seconds) for each in zip(*costs, strict=True)]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a fifth of the bytes")
    parser.add_argument("--check", action="store_true", help="status 1 if a limit is missed")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--against", type=Path, metavar="TREE", help="another checkout")
    options = parser.parse_args(arguments)
    size = (10 if options.quick else 50) * 1_000_000
    table = Table(title="captures to JSON lines, on one core", title_style="bold")
    others = ("against", "ratio") if options.against else ()
    for column in ("", "MB/s", "records/s", *others, "peak MB", "of a tenth", "limit", ""):
        table.add_column(column, justify="left" if column == "" else "right")
    met = True
    with TemporaryDirectory() as name:
        scratch = Path(name)
        trees: list[Path | None] = [None]
        if options.against:
            trees.append(as_package(options.against, scratch / "against"))
        for case in CASES:
            small, *_ = best(case, size // 10, 1, scratch, trees)
            whole, *other = best(case, size, options.turns, scratch, trees)
            row, good = judged(case, small, whole, other)
            met &= good
            table.add_row(case.name, *row)
        ratio = times_as_tshark(scratch, size // 5, options.turns)
    Console(width=120).print(table)
    as_tshark = "not measured" if ratio is None else f"{ratio:.1f}"
    print(
        f"packets: {as_tshark} times as fast as tshark -T json, at least {TIMES_AS_TSHARK} wanted"
    )
    met &= ratio is None or ratio >= TIMES_AS_TSHARK
    return int(options.check and not met)


def write_packets(path: Path, size: int) -> None:
    """Write a capture of so many bytes."""
    with (CAPTURES.parent / "loopback.pcap").open("rb") as file:
        packets = list(dpkt.pcap.Reader(file))
    length = packets[-1][0] - packets[0][0] + 1
    rng = Random(7)  # noqa: S311
    with path.open("wb") as file:
        writer = dpkt.pcap.Writer(file)
        number = 0
        while file.tell() < size:
            topics = {name: name[:2] + b"%04x" % rng.getrandbits(16) + name[6:] for name in RENAMED}
            for time, packet in packets:
                changed = packet
                for name, other in topics.items():
                    changed = changed.replace(name, other)
                ip = bytearray(changed)
                for address in (26, 30):  # of IPv4 behind Ethernet
                    ip[address + 1 : address + 3] = number.to_bytes(2, "big")
                writer.writepkt(bytes(ip), time + number * length)
            number += 1


def times_as_tshark(scratch: Path, size: int, turns: int) -> float | None:
    """Return how many times as fast as tshark packets become lines; None where it is missing."""
    if shutil.which("tshark") is None:
        return None
    path = scratch / "packets.pcap"
    write_packets(path, size)
    environ = environment(scratch, None)
    ours: list[str | Path] = [*COMMAND, "decode", "--json", path]
    tshark: list[str | Path] = ["tshark", "-r", path, "-T", "json"]
    ratios = [_seconds(tshark, environ) / _seconds(ours, environ) for _ in range(turns)]
    return median(ratios)


def _seconds(command: Sequence[str | Path], environ: dict[str, str]) -> float:
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def judged(case: Case, small: Cost, whole: Cost, other: list[Cost]) -> tuple[list[str], bool]:
    """The cells of a row, and whether all is as it should be."""
    rate = whole.megabytes_a_second if case.what == "MB" else whole.records_a_second
    good = whole.peak <= small.peak * MOST_GROWTH and (case.limit is None or rate >= case.limit)
    row = [f"{whole.megabytes_a_second:.1f}", f"{whole.records_a_second:,.0f}"]
    limits = [] if case.limit is None else [f"{case.limit:,} {case.what}/s"]
    for cost in other:
        ratio = cost.seconds / whole.seconds
        good &= ratio >= case.ratio
        row += [f"{cost.megabytes_a_second:.1f} MB/s", f"{ratio:.1f}"]
        limits.append(f"{case.ratio} times")
    row += [f"{cost.peak / 1e6:.0f}" for cost in (whole, small)]
    return [*row, ", ".join(limits), "met" if good else "missed"], good


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
