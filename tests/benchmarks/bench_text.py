"""Texts of random messages in every form and arrangement: how many are read right. And logs: how
fast they are read, and in how much memory.

    python -m tests.benchmarks.bench_text [--rounds N] [--seed N] [--out FILE]
    python -m tests.benchmarks.bench_text --log MEGABYTES [--check]

A round is a text of one to five messages for every form and arrangement.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kproto.capture.text import CaptureError, read
from kproto.tools.input.evidence import MessageJudge

from ..capture.written import Text, message, texts

COMMAND = [sys.executable, "-c", "import sys; from kproto.tools.main import main; sys.exit(main())"]
MOST = 5  # messages in a text
PROMISED = 0.995
MEGABYTES_A_SECOND, MEBIBYTES = 15, 64

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
refused or had other forms named beside the one that was taken; "silent" had not.

| form | arrangement | texts | right | named | silent |
|---|---|---|---|---|---|
"""


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
    """Returns "right", "named" for a text with other forms named, or else "silent"."""
    try:
        reading = read(text.text.encode(), judge=MessageJudge())
    except CaptureError:
        return "named"
    if [chunk.data for chunk in reading.chunks] == text.messages:
        return "right"
    return "named" if reading.candidates else "silent"


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


def log_lines(chance: Random) -> Iterator[bytes]:
    """What a consumer logs; one line in 10,000 has a message in it, one in 5,000 a digest."""
    logger = "org.apache.kafka.clients.consumer.internals.ConsumerCoordinator"
    number = 0
    while True:
        number += 1
        at = f"2026-11-22 08:{chance.randrange(60):02}:{chance.randrange(60):02},{number % 1000:03}"
        front = f"{at} INFO [Consumer clientId=consumer-{chance.randrange(9)}, groupId=orders]"
        if number % 10_000 == 1:
            yield f"{at} DEBUG metadata={message(chance)!r}\n".encode()
        elif number % 5_000 == 2:
            yield f"{at} DEBUG built from {chance.randbytes(20).hex()}\n".encode()
        else:
            what = f"Adding newly assigned partitions: orders-{number % 64} ({logger})"
            yield f"{front} {what}\n".encode()


def log_cost(megabytes: int) -> tuple[float, float]:
    """Megabytes a second of the processor's time, and MiB at most, to decode a log into JSON."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "app.log"
        size = 0
        with path.open("wb") as file:
            for line in log_lines(Random(1)):  # noqa: S311
                size += file.write(line)
                if size >= megabytes * 1_000_000:
                    break
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        with (Path(folder) / "out").open("wb") as out:
            subprocess.run([*COMMAND, "decode", "--json", path], stdout=out, check=True)
        elapsed = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{size:,} bytes in {seconds:.2f} s of the processor, {elapsed:.2f} s in all")
    return size / seconds / 1e6, after.ru_maxrss / 1024


def main() -> int:
    """Measure; 1 where what is promised is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--log", type=int, metavar="MEGABYTES")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.log:
        speed, peak = log_cost(arguments.log)
        print(f"{speed:.1f} MB/s, {peak:.1f} MiB at most ({os.cpu_count()} processors)")
        return int(arguments.check and (speed < MEGABYTES_A_SECOND or peak > MEBIBYTES))
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
