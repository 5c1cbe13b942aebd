"""`kproto fuzz client` beside atheris alone, on decoders with planted faults.

python -m tests.benchmarks.bench_fuzz_client [--seconds N] [--decoders N] [--from N]

The two take turns on each decoder. atheris alone begins with nothing and has its value profile on;
an error does not end it. Seconds are processor time of all processes of a run, its start included,
so that other work on the machine does not matter. A line says how many of the faults that raise an
error each has met after a quarter, half and all of the seconds, how many executions a second it
made, and whether kproto also met the fault that only a guarantee sees.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.planted.decoders import ADAPTER, COUNT, Decoder, decoders

_TICK = 0.2
_CLOCK = os.sysconf("SC_CLK_TCK")
_FAULT = re.compile(r"fault-\d+")
_PARTS = (0.25, 0.5, 1.0)

PLAIN = """
import sys
import atheris
with atheris.instrument_imports():
    import client

errors, count = set(), 0

def one(data):
    global count
    count += 1
    if not count & 1023:
        open("count", "w").write(str(count))
    try:
        client.decode(data)
    except client.DecodeError:
        pass
    except Exception as error:
        if str(error) not in errors:
            errors.add(str(error))
            print(f"found {error}", file=open("errors", "a"), flush=True)

atheris.Setup(["plain", "-use_value_profile=1"], one)
atheris.Fuzz()
"""


class Outcome(NamedTuple):
    """When each fault was met, in processor seconds; executions a second; the other findings."""

    seconds: dict[str, float]
    rate: float
    others: int


def main() -> int:
    """Print a line for each decoder, and the sums; 1 where kproto meets fewer than atheris."""
    parser = ArgumentParser()
    parser.add_argument("--seconds", type=float, default=120.0, help="processor time of each run")
    parser.add_argument("--decoders", type=int, default=COUNT)
    parser.add_argument("--from", type=int, default=0, dest="first")
    arguments = parser.parse_args()
    points = [part * arguments.seconds for part in _PARTS]
    print(f"faults met after {', '.join(f'{point:g}' for point in points)} s of processor time")
    sums = {"kproto": [0, 0, 0], "atheris": [0, 0, 0]}
    ratios, values, faults = [], 0, 0
    chosen = list(enumerate(decoders()))[arguments.first : arguments.first + arguments.decoders]
    for number, decoder in chosen:
        outcomes = {"kproto": _kproto(decoder, arguments.seconds)}
        outcomes["atheris"] = _atheris(decoder, arguments.seconds)
        counts = {name: _counts(outcome, points) for name, outcome in outcomes.items()}
        for name, numbers in counts.items():
            sums[name] = [a + b for a, b in zip(sums[name], numbers, strict=True)]
        ratio = outcomes["kproto"].rate / max(1.0, outcomes["atheris"].rate)
        ratios.append(ratio)
        values += outcomes["kproto"].others > 0
        faults += len(decoder.crashes)
        print(
            f"{number:3}  kproto {counts['kproto']} {outcomes['kproto'].rate:8,.0f}/s,"
            f" {outcomes['kproto'].others} seen by guarantees;"
            f"  atheris {counts['atheris']} {outcomes['atheris'].rate:8,.0f}/s; ratio {ratio:.2f};"
            f" missed {sorted(set(decoder.crashes) - outcomes['kproto'].seconds.keys())}",
            flush=True,
        )
    print(f"of {faults} faults: kproto {sums['kproto']}, atheris {sums['atheris']}")
    print(f"of {len(chosen)} faults without an error: kproto {values}")
    print(f"executions, kproto to atheris: median {sorted(ratios)[len(ratios) // 2]:.2f}")
    return int(any(a < b for a, b in zip(*sums.values(), strict=True)))


def _counts(outcome: Outcome, points: list[float]) -> list[int]:
    return [sum(second <= point for second in outcome.seconds.values()) for point in points]


def _kproto(decoder: Decoder, seconds: float) -> Outcome:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = Path(sys.executable).with_name("kproto")
        words = [str(command), "fuzz", "client", "adapter", "--time", "24h", "--out", "out"]
        messages: dict[str, str] = {}

        def look() -> set[str]:
            for file in folder.glob("out/findings/*/finding.json"):
                if file.parent.name not in messages:
                    messages[file.parent.name] = json.loads(file.read_bytes())["message"]
            return {fault[0] for fault in map(_FAULT.search, messages.values()) if fault}

        outcome = _run(decoder, folder, [*words, "--seed", "7"], seconds, look)
        state = json.loads((folder / "out" / "state.json").read_bytes())
        executions = state["targets"]["client-adapter"]["executions"]
        others = sum(_FAULT.search(message) is None for message in messages.values())
        return outcome._replace(rate=executions / seconds, others=others)


def _atheris(decoder: Decoder, seconds: float) -> Outcome:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plain.py").write_text(PLAIN)
        errors = folder / "errors"

        def look() -> set[str]:
            return set(_FAULT.findall(errors.read_text())) if errors.exists() else set()

        outcome = _run(decoder, folder, [sys.executable, "plain.py"], seconds, look)
        count = folder / "count"
        return outcome._replace(rate=int(count.read_text() or 0) / seconds)


def _run(
    decoder: Decoder, folder: Path, words: list[str], seconds: float, look: Callable[[], set[str]]
) -> Outcome:
    (folder / "client.py").write_text(decoder.source)
    (folder / "adapter.py").write_text(ADAPTER.format(client="client"))
    met: dict[str, float] = {}
    with subprocess.Popen(
        words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        spent = 0.0
        while spent < seconds and process.poll() is None:
            time.sleep(_TICK)
            spent = max(spent, _spent(process.pid))
            for fault in look():
                met.setdefault(fault, spent)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
    return Outcome(met, 0.0, 0)


def _spent(pid: int) -> float:
    """Return the processor time of a process and its children, those that ended included."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if stat.parent.name == str(pid):
            ticks += sum(map(int, fields[11:15]))
        elif fields[1] == str(pid):
            ticks += sum(map(int, fields[11:13]))
    return ticks / _CLOCK


if __name__ == "__main__":
    sys.exit(main())
