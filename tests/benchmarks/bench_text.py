"""Texts of random messages in every form and arrangement: how many are read right. And logs: how
fast they are read, and in how much memory.

    python -m tests.benchmarks.bench_text [--rounds N] [--seed N] [--out FILE]
    python -m tests.benchmarks.bench_text --log MEGABYTES [--every LINES] [--against TREE] [--check]

A round is a text of one to five messages for every form and arrangement. A log has a message in one
line of 1,000, or of `--every`, and grep searches it for hex, in turns with `kproto decode`.
`--against` lets another checkout read the same log; times are of the processor, the least of all
turns.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kproto.capture.text import CaptureError, read
from kproto.inspector.evidence import MessageJudge

from ..capture.written import Text, message, texts
from .checkouts import as_package

COMMAND = [sys.executable, "-m", "kproto"]
MOST = 5  # messages in a text
EVERY = 1_000  # lines of a log, of which one has a message
PROMISED = 0.995
MEGABYTES_A_SECOND, MEBIBYTES = 15, 64
TIMES = 15  # as fast as the code of before the compiled core (13fcba0)
TIMES_OF_GREP = 4  # at most, where one line of 1,000 has a message
TURNS = 3

HEAD = """# Which texts are read right

What people paste is hex, base64, dumps and literals in any arrangement, and the text alone often
does not say where one message ends. `kproto decode` tries every form that fits, and the one under
which every message decodes cleanly wins ([identification](identification.md) says what decodes as
what). Where two do equally well, it takes one and names the other on standard error, and in JSON
under `otherForms`.

This table is measured: {rounds} rounds of random subscriptions and assignments of all versions, one
to five in a text, with and without user data, in every form and arrangement
(`python -m tests.benchmarks.bench_text --rounds {rounds} --seed {seed}`).
"Right" is every message with all of its bytes, and nothing else. Of the other texts, "named" were
refused, had other forms named beside the one that was taken, or were said to be cut or ambiguous;
"silent" were not. `--format NAME` is a message alone in each form that there is, and cut anywhere;
`cat -v` does not tell line ends and carets in a message from its own.

| form | arrangement | texts | right | named | silent |
|---|---|---|---|---|---|
"""


GREP = ["grep", "-cE", "([0-9a-f]{2}){16}"]
"""What finds as much as a line of hex, and reads nothing of it."""


class Score(NamedTuple):
    """How the texts of one form and arrangement were read."""

    total: int
    right: int
    silent: int

    @property
    def named(self) -> int:
        """Neither right nor silent."""
        return self.total - self.right - self.silent


def measured(rounds: int, seed: int) -> dict[tuple[str, str], Score]:
    """The scores by form and arrangement."""
    total: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    silent: Counter[tuple[str, str]] = Counter()
    for number in range(rounds):
        chance = Random(f"{seed}, {number}")  # noqa: S311 - not for secrets
        for text in texts(chance, 1 + number % MOST):
            key = (text.form, text.arrangement)
            how = outcome(text)
            total[key] += 1
            right[key] += how == "right"
            silent[key] += how == "silent"
    return {key: Score(total[key], right[key], silent[key]) for key in total}


def outcome(text: Text) -> str:
    """Returns "right", "named" for a text of which people are told more, or else "silent"."""
    try:
        reading = read(text.text.encode(), judge=MessageJudge())
    except CaptureError:
        return "named"
    if [chunk.data for chunk in reading.chunks] == text.messages:
        return "right"
    is_told = reading.candidates or any(chunk.remark or chunk.cut for chunk in reading.chunks)
    return "named" if is_told else "silent"


def page(scores: dict[tuple[str, str], Score], rounds: int, seed: int) -> str:
    """The document."""
    rows = [
        f"| {form} | {arrangement} | {score.total} | {score.right / score.total:.1%} "
        f"| {score.named} | {score.silent} |"
        for (form, arrangement), score in scores.items()
    ]
    whole = Score(*map(sum, zip(*scores.values(), strict=True)))
    rows.append(
        f"| all | | {whole.total:,} | **{whole.right / whole.total:.2%}** "
        f"| {whole.named} | **{whole.silent}** |"
    )
    return HEAD.format(rounds=rounds, seed=seed) + "\n".join(rows) + "\n"


# -- logs


def log_lines(chance: Random, every: int) -> Iterator[bytes]:
    """What a consumer logs: one line in `every` has a message, in turns as a literal and in hex;
    one in 5,000 has a digest."""
    logger = "org.apache.kafka.clients.consumer.internals.ConsumerCoordinator"
    number = 0
    while True:
        number += 1
        at = f"2026-11-22 08:{chance.randrange(60):02}:{chance.randrange(60):02},{number % 1000:03}"
        front = f"{at} INFO [Consumer clientId=consumer-{chance.randrange(9)}, groupId=orders]"
        if number % every == 1:
            data = message(chance)
            shown = data.hex() if number // every % 2 else repr(data)
            yield f"{at} DEBUG metadata={shown}\n".encode()
        elif number % 5_000 == 2:
            yield f"{at} DEBUG built from {chance.randbytes(20).hex()}\n".encode()
        else:
            what = f"Adding newly assigned partitions: orders-{number % 64} ({logger})"
            yield f"{front} {what}\n".encode()


class Cost(NamedTuple):
    """Of one run of the command: seconds of the processor, and MiB at most."""

    seconds: float
    peak: float


def log_costs(megabytes: int, every: int, against: Path | None) -> tuple[float, list[Cost]]:
    """Decode a log into JSON, with this checkout and with the other one, and return the seconds of
    grep, and the costs."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "app.log"
        size = 0
        with path.open("wb") as file:
            for line in log_lines(Random(1), every):  # noqa: S311
                size += file.write(line)
                if size >= megabytes * 1_000_000:
                    break
        trees = [{}] if against is None else [{}, {"PYTHONPATH": str(as_package(against, folder))}]
        turns = []
        grep = []
        for _ in range(TURNS):
            turns.append([_decoded(path, tree) for tree in trees])
            grep.append(_searched(path))
    least = [min(each) for each in zip(*turns, strict=True)]
    for cost in least:
        print(f"{size:,} bytes in {cost.seconds:.2f} s of the processor, {cost.peak:.1f} MiB")
    return min(grep), least


def _searched(path: Path) -> float:
    """Return the seconds of the processor that grep takes for a log."""
    # Into a file: where nobody reads its output, grep ends at the first match.
    with path.with_suffix(".count").open("wb") as out:
        environment = os.environ | {"LC_ALL": "C"}
        process = subprocess.Popen([*GREP, path], stdout=out, env=environment)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def _decoded(path: Path, environment: dict[str, str]) -> Cost:
    """Run the command on a log once."""
    with path.with_suffix(".json").open("wb") as out:
        process = subprocess.Popen(
            [*COMMAND, "decode", "--json", path],
            stdout=out,
            stderr=subprocess.DEVNULL,
            env=os.environ | environment,
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1)  # a message of random bytes may be refused
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> int:
    """Measure; 1 where what is promised is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--log", type=int, metavar="MEGABYTES")
    parser.add_argument("--every", type=int, default=EVERY, metavar="LINES")
    parser.add_argument("--against", type=Path, metavar="TREE", help="another checkout")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.log:
        grep, (ours, *others) = log_costs(arguments.log, arguments.every, arguments.against)
        speed = arguments.log / ours.seconds
        print(f"{speed:.1f} MB/s ({os.cpu_count()} processors)")
        times = ours.seconds / grep
        most = f", at most {TIMES_OF_GREP} wanted" if arguments.every == EVERY else ""
        print(f"{times:.1f} times the processor time of {' '.join(GREP)}{most}")
        bad = speed < MEGABYTES_A_SECOND or ours.peak > MEBIBYTES
        bad |= bool(most) and times > TIMES_OF_GREP
        for other in others:
            print(f"{other.seconds / ours.seconds:.1f} times as fast as the other checkout")
            bad |= other.seconds / ours.seconds < TIMES
        return int(arguments.check and bad)
    scores = measured(arguments.rounds, arguments.seed)
    text = page(scores, arguments.rounds, arguments.seed)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")
    print(text.splitlines()[-1])
    right = sum(score.right for score in scores.values())
    total = sum(score.total for score in scores.values())
    silent = sum(score.silent for score in scores.values())
    return int(right < PROMISED * total or silent > 0)


if __name__ == "__main__":
    sys.exit(main())
