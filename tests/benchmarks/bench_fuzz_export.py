"""Put what `kproto fuzz export` writes to the fuzzers of other languages, beside them without it.

python -m tests.benchmarks.bench_fuzz_export [--fuzzers NAME...] [--rounds N] [--executions N]

`exported/` has one decoder in four languages with the same 25 faults, which it writes down and goes
on. Runs of one fuzzer make the same number of executions, so that other work on the machine makes
no difference, in turns; the table has how many faults each has met in the median, the least and the
most of the rounds. A fuzzer whose tools are missing is left out.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kproto.fuzz import building
from kproto.fuzz.building import Unavailable, cached
from kproto.fuzz.export import MAX_BYTES, export

MESSAGE = "ConsumerProtocolSubscription"
SOURCES = Path(__file__).parent / "exported"
FAULTS = frozenset(
    re.findall(r'fault\("(.+)"\)', (SOURCES / "go" / "planted.go").read_text("utf-8"))
)
NOTHING, SEEDS, MUTATOR = "nothing", "seeds and dictionary", "and the mutator"
_TARGET = f"Fuzz{MESSAGE}"
_JAZZER = "0.24.0"
_SECONDS = 600  # of a build
_COVERAGE = (  # what cargo-fuzz gives to rustc; its sanitizers take a nightly toolchain
    "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
    " -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
    " -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Clink-dead-code"
)


class Run(NamedTuple):
    """One run of a fuzzer."""

    built: Path
    """The folder where the fuzzer was built."""
    folder: Path
    """The folder of the run, which is empty."""
    exported: Path
    start: str
    executions: int
    seed: int

    def libfuzzer(self) -> list[str]:
        """Return the arguments of libFuzzer, which cargo-fuzz and Jazzer take too."""
        (self.folder / "corpus").mkdir()
        arguments = [f"-runs={self.executions}", f"-seed={self.seed}", f"-max_len={MAX_BYTES}"]
        if self.start != NOTHING:
            arguments += [str(self.exported / MESSAGE), f"-dict={self.exported / MESSAGE}.dict"]
        return [str(self.folder / "corpus"), *arguments]


# -- Go


def _build_go(folder: Path, exported: Path) -> None:
    _run("go", "test", "-fuzz", _TARGET, "-c", "-o", "planted.test", ".", folder=folder)


def _go(run: Run) -> list[str]:
    if run.start != NOTHING:
        seeds = run.exported / "go" / _TARGET
        shutil.copytree(seeds, run.folder / "testdata" / "fuzz" / _TARGET)
    return [
        str(run.built / "planted.test"), "-test.run", "^$", "-test.fuzz", f"^{_TARGET}$",
        "-test.parallel", "1", "-test.fuzztime", f"{run.executions}x",
        "-test.fuzzcachedir", str(run.folder / "cache"),
    ]  # fmt: skip


# -- C and Rust


def _build_c(folder: Path, exported: Path) -> None:
    options = ("-g", "-O1", "-fsanitize=address,fuzzer", "planted.c")
    _run("clang", *options, "-o", "plain", folder=folder)
    _run("clang", *options, str(_mutator(exported)), "-o", "mutated", folder=folder)


def _build_rust(folder: Path, exported: Path) -> None:
    host = platform.machine() + "-unknown-linux-gnu"
    options = ("build", "--quiet", "--release", "--target", host, "--target-dir", "target")
    for name in ("plain", "mutated"):
        mutator = {"MUTATOR": str(_mutator(exported))} if name == "mutated" else {}
        _run("cargo", *options, folder=folder, RUSTFLAGS=_COVERAGE, **mutator)
        shutil.copy(folder / "target" / host / "release" / "planted", folder / name)


def _mutator(exported: Path) -> Path:
    return exported / f"{MESSAGE}_mutator.c"


def _libfuzzer(run: Run) -> list[str]:
    name = "mutated" if run.start == MUTATOR else "plain"
    return [str(run.built / name), *run.libfuzzer()]


# -- Java


def _build_java(folder: Path, exported: Path) -> None:
    _run("javac", "-d", ".", "Planted.java", folder=folder)
    jars = cached("jazzer", _JAZZER.encode(), fill=_fetch_jazzer)
    (folder / "jars").symlink_to(jars)


def _fetch_jazzer(folder: Path) -> None:
    for name in ("jazzer", "jazzer-api"):
        artifact = f"-Dartifact=com.code-intelligence:{name}:{_JAZZER}"
        goal = ("-q", "-B", "dependency:copy", artifact, f"-DoutputDirectory={folder}")
        _run("mvn", *goal, folder=folder.parent)


def _jazzer(run: Run) -> list[str]:
    return [
        "java", "-cp", f"{run.built}:{run.built}/jars/*", "com.code_intelligence.jazzer.Jazzer",
        "--target_class=Planted", "--instrumentation_includes=Planted", *run.libfuzzer(),
    ]  # fmt: skip


# -- the table


class Fuzzer(NamedTuple):
    """A fuzzer, and how it is built and run."""

    language: str
    starts: tuple[str, ...]
    build: Callable[[Path, Path], None]
    command: Callable[[Run], list[str]]
    executions: int


FUZZERS = {
    "go": Fuzzer("go", (NOTHING, SEEDS), _build_go, _go, 100_000),  # it takes no dictionary
    "libfuzzer": Fuzzer("c", (NOTHING, SEEDS, MUTATOR), _build_c, _libfuzzer, 300_000),
    "cargo-fuzz": Fuzzer("rust", (NOTHING, SEEDS, MUTATOR), _build_rust, _libfuzzer, 300_000),
    "jazzer": Fuzzer("java", (NOTHING, SEEDS), _build_java, _jazzer, 100_000),
}
"""The fuzzers by their names."""


def build(fuzzer: Fuzzer, folder: Path, exported: Path) -> None:
    """Build a fuzzer in a copy of its sources. Raises `Unavailable`."""
    shutil.copytree(SOURCES / fuzzer.language, folder)
    fuzzer.build(folder, exported)


def faults_met(fuzzer: Fuzzer, run: Run) -> set[str]:
    """Return the faults that a run meets."""
    run.folder.mkdir()
    met = run.folder / "met"
    met.touch()
    result = subprocess.run(
        fuzzer.command(run), cwd=run.folder, env=os.environ | _SETTINGS | {"MET": str(met)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, (result.stdout + result.stderr)[-4000:]
    return set(met.read_text("utf-8").splitlines())


_SETTINGS = {"GOTOOLCHAIN": "local", "GOFLAGS": ""}


def _run(program: str, *arguments: str, folder: Path, **settings: str) -> None:
    building.run(program, *arguments, cwd=folder, seconds=_SECONDS, env=_SETTINGS | settings)


def measure(name: str, rounds: int, executions: int | None) -> None:
    """Print the rows of one fuzzer."""
    fuzzer = FUZZERS[name]
    runs: dict[str, list[set[str]]] = {start: [] for start in fuzzer.starts}
    with TemporaryDirectory(prefix="fuzz-export-") as path:
        folder = Path(path)
        export(folder / "exported", [MESSAGE])
        try:
            build(fuzzer, folder / "built", folder / "exported")
        except Unavailable as reason:
            print(f"{name}: not measured: {reason}")
            return
        for turn in range(1, rounds + 1):
            for number, start in enumerate(fuzzer.starts):
                place = folder / f"{number}-{turn}"
                run = Run(
                    folder / "built", place, folder / "exported", start,
                    executions or fuzzer.executions, turn,
                )  # fmt: skip
                runs[start].append(faults_met(fuzzer, run))
    print(f"{name}: {executions or fuzzer.executions:,} executions, {rounds} rounds")
    for start, outcomes in runs.items():
        counts = [len(outcome) for outcome in outcomes]
        never = sorted(FAULTS - set().union(*outcomes))
        print(
            f"   {start:21} median {median(counts):g}, {min(counts)} to {max(counts)}", flush=True
        )
        print(f"      never met: {'; '.join(never) or 'none'}", flush=True)


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description="Measure fuzzers with and without what is exported.")
    parser.add_argument("--fuzzers", nargs="+", choices=FUZZERS, default=list(FUZZERS))
    parser.add_argument("--executions", type=int, help="of each run")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{len(FAULTS)} faults")
    for name in arguments.fuzzers:
        measure(name, arguments.rounds, arguments.executions)


if __name__ == "__main__":
    main()
