"""Put the seeds of `kproto fuzz export` to Go's own fuzzer, beside the fuzzer without them.

python -m tests.benchmarks.bench_fuzz_export [--executions N] [--rounds N]

`exported/planted.go` is a decoder with thirteen faults, which it writes down and goes on. Both runs
make the same number of executions, so that other work on the machine makes no difference, in turns;
the table has how many faults each has met in the median, the least and the most of the rounds.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from argparse import ArgumentParser
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from kproto.fuzz.export import export

_SOURCES = Path(__file__).parent / "exported"
_MESSAGE = "ConsumerProtocolSubscription"
_TARGET = f"Fuzz{_MESSAGE}"


def build(folder: Path) -> Path:
    """Return the fuzzer, built with Go's instrumentation in a copy of the sources."""
    shutil.copytree(_SOURCES, folder, dirs_exist_ok=True)
    program = folder / "planted.test"
    _run([_go(), "test", "-fuzz", _TARGET, "-c", "-o", str(program), "."], folder)
    return program


def faults_met(program: Path, folder: Path, seeds: Path | None, executions: int) -> set[str]:
    """Return the faults that a run meets which begins with these seeds, or with nothing."""
    folder.mkdir()
    if seeds is not None:
        shutil.copytree(seeds, folder / "testdata" / "fuzz" / _TARGET)
    command = [
        str(program), "-test.run", "^$", "-test.fuzz", f"^{_TARGET}$", "-test.parallel", "1",
        "-test.fuzztime", f"{executions}x", "-test.fuzzcachedir", str(folder / "cache"),
    ]  # fmt: skip
    met = folder / "met"
    met.touch()
    _run(command, folder, MET=str(met))
    return set(met.read_text("utf-8").splitlines())


def _run(command: list[str], folder: Path, **environment: str) -> None:
    variables = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "", **environment}
    subprocess.run(command, cwd=folder, env=variables, check=True, capture_output=True)


def _go() -> str:
    program = shutil.which("go")
    if program is None:
        raise SystemExit("go is not installed")
    return program


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description="Measure Go's fuzzer with and without exported seeds.")
    parser.add_argument("--executions", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    text = (_SOURCES / "planted.go").read_text("utf-8")
    planted = set(re.findall(r'fault\("(.+)"\)', text))
    by_start: dict[str, list[set[str]]] = {"nothing": [], "exported seeds": []}
    with TemporaryDirectory(prefix="fuzz-export-") as name:
        folder = Path(name)
        export(folder / "exported", [_MESSAGE])
        seeds = folder / "exported" / "go" / _TARGET
        program = build(folder / "go")
        for turn in range(arguments.rounds):
            for start, runs in by_start.items():
                begun = seeds if start == "exported seeds" else None
                place = folder / f"{start}-{turn}"
                runs.append(faults_met(program, place, begun, arguments.executions))
    print(f"{len(planted)} faults, {arguments.executions:,} executions, {arguments.rounds} rounds")
    for start, runs in by_start.items():
        counts = [len(run) for run in runs]
        print(f"{start:16} median {median(counts):g}, {min(counts)} to {max(counts)}")
        print(f"   never met: {'; '.join(sorted(planted - set().union(*runs))) or 'none'}")


if __name__ == "__main__":
    main()
