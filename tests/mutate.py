"""Mutants of kproto itself, in Python: `make mutate`.

    python -m tests.mutate [--parts NAME...] [--sample 300] [--seed 1] [--out FILE]

FILE is the page of the figures, on which the other parts keep the rows that they have.

mutmut changes one expression or statement of a function at a time and runs the tests that run it
(tests/mutate_runner.py says which of them): a mutant that no test notices survives. Of the mutants
of a part a sample is tried, drawn by the seed; a larger sample contains a smaller one. A
run that was ended goes on where it was. A mutant that a test has killed is in tests/mutate.killed
and is not tried again until its function changes; survivors are.

Survivors that no test can kill are in tests/mutate.toml, each with why. The compiled core is left
out: its differential tests compare it with this Python. So are generated modules, decorated
functions and what runs at import, which mutmut does not change.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

from tests.tree_copy import ROOT, TreeCopy

BUILD = ROOT / "build" / "mutate"
EQUIVALENTS = Path(__file__).with_suffix(".toml")
KILLED = Path(__file__).with_suffix(".killed")
RUNNER = Path(__file__).with_name("mutate_runner.py")
_NORMAL = NormalDist().inv_cdf(0.95)
DEAD, SKIPPED, UNTRIED = 1, 34, None  # mutmut's codes
SURVIVING = (0, 5, 33)  # 5 and 33: no test calls the function


class Part(NamedTuple):
    """What is changed, and by which tests it is held."""

    title: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    killed: int
    """Percent of the mutants, at least."""
    without: tuple[str, ...] = ()
    engine: str = "core"
    deselected: tuple[str, ...] = ()
    """Tests that fail in the copy, whatever is changed: they look at what mutmut adds."""

    def test_files(self) -> list[str]:
        """Return the files and folders of the tests, by their names in the tree."""
        files = [path for pattern in self.tests for path in sorted(ROOT.glob(pattern))]
        return [str(path.relative_to(ROOT)) for path in files]


PARTS = {
    "codec": Part(
        "`codec/`",
        ("codec/*",),
        ("tests/codec",),
        95,
        # generated; and what binds the compiled core, which this part does without
        without=("codec/messages/*", "codec/runtime/engine.py"),
        engine="python",
        deselected=("tests/codec/test_face.py::test_a_call_imports_only_what_it_needs",),
    ),
    "guarantees": Part(
        "`fuzz/guarantees/`",
        ("fuzz/guarantees/*",),
        (
            "tests/fuzz/test_guarantees.py",
            "tests/fuzz/test_conform_inputs.py",
            "tests/fuzz/test_conform_verdicts.py",
            "tests/fuzz/test_mutants.py",
            "tests/fuzz/test_cases.py",
            "tests/fuzz/test_properties.py",
            "tests/fuzz/test_subjects.py",
        ),
        95,
    ),
    "identify": Part(
        "`inspector/`: what bytes are taken for",
        ("inspector/identification.py", "inspector/recognition.py", "inspector/candidates.py"),
        (
            "tests/inspector",
            "tests/tools/test_one_entrance.py",
            "tests/tools/test_pasted_frames.py",
        ),
        85,
    ),
    "groups": Part(
        "`rebalance/`: judgements of groups",
        ("rebalance/*",),
        (
            "tests/rebalance/test_*.py",
            "tests/cluster",
        ),
        85,
        without=(
            "rebalance/assignors/*",
            "rebalance/broker_assignors/*",
            "rebalance/migration/*",
            "rebalance/simulation/*",
        ),
    ),
    "audit": Part(
        "`pipeline/audit/`: the fold over a group's records",
        tuple(
            f"pipeline/audit/{name}.py"
            for name in (
                *("fold", "rebalances", "group_state", "group_end", "members", "modern"),
                *("classic_record", "changes", "repetition", "round_facts", "stretch"),
                *("vacancies", "window", "storm_causes"),
            )
        ),
        (
            "tests/pipeline/test_audit.py",
            "tests/pipeline/test_audit_rebalances.py",
            "tests/pipeline/test_audit_rules.py",
            "tests/pipeline/test_changes.py",
            "tests/pipeline/test_fold.py",
            "tests/pipeline/test_group_state.py",
            "tests/pipeline/test_modern.py",
            "tests/pipeline/test_ownership_rules.py",
            "tests/pipeline/test_rebalance_costs.py",
            "tests/pipeline/test_repetition.py",
            "tests/pipeline/test_storm_causes.py",
            "tests/pipeline/test_vacancies.py",
        ),
        85,
    ),
}

Codes = dict[str, int | None]
"""What mutants gave, by their names."""


def main() -> int:
    parser = ArgumentParser()
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--sample", type=int, default=300, help="mutants of each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--anew", action="store_true", help="forget what earlier runs gave")
    parser.add_argument("--out", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()
    results = []
    for name in arguments.parts:
        tree = Tree(name)
        tree.update(anew=arguments.anew)
        tree.pick(arguments.sample, arguments.seed)
        tree.try_mutants(arguments.jobs)
        results.append(Result.of(tree))
        print(results[-1].text(), flush=True)
    if arguments.out:
        arguments.out.write_text(page(results, arguments.seed, arguments.out), "utf-8")
    return int(any(result.percent < PARTS[result.part].killed for result in results))


class Tree:
    """A copy of this tree that holds the mutants of one part."""

    def __init__(self, part: str) -> None:
        self.name, self.part = part, PARTS[part]
        self.folder = BUILD / part
        self._mutants = self.folder / "mutants"

    @property
    def _sample(self) -> Path:
        return self.folder / "sample.json"

    def update(self, *, anew: bool) -> None:
        """Bring the copy up to date, with all mutants of the part."""
        if anew:
            shutil.rmtree(self.folder, ignore_errors=True)
        TreeCopy(self.folder)
        for name in ("tests", "schemas", "docs"):
            target = self.folder / name
            shutil.copytree(ROOT / name, target, dirs_exist_ok=True, ignore=_CACHES)
        shutil.copy(ROOT / "README.md", self.folder)
        file = self.folder / "pyproject.toml"
        settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8") + self._settings()
        if not file.exists() or file.read_text("utf-8") != settings:
            # Else a run, after `pick`, forgets what all mutants gave, and that others are left out.
            (self._mutants / "mutmut-stats.json").unlink(missing_ok=True)
        file.write_text(settings, "utf-8")
        self._mutmut("generate", os.cpu_count() or 1)
        if not any(self._metadata()):
            raise SystemExit(f"mutmut wrote no mutants of {self.name}: see {self._log}")

    def _settings(self) -> str:
        def names(prefix: str, patterns: tuple[str, ...]) -> str:
            return json.dumps([prefix + pattern for pattern in patterns])

        return (
            "\n[tool.mutmut]\n"
            'source_paths = ["kproto"]\n'
            f"only_mutate = {names('kproto/', self.part.modules)}\n"
            f"do_not_mutate = {names('kproto/', self.part.without)}\n"
            f"pytest_add_cli_args_test_selection = {json.dumps(self.part.test_files())}\n"
            f"pytest_add_cli_args = {json.dumps([*_OPTIONS, *self._deselected()])}\n"
            'also_copy = ["schemas", "docs", "README.md"]\n'
            "use_git_change_detection = false\n"
            "track_dependencies = false\n"
            "timeout_multiplier = 30.0\ntimeout_constant = 60.0\n"
        )

    def _deselected(self) -> list[str]:
        return [f"--deselect={test}" for test in self.part.deselected]

    def _mutmut(self, *arguments: object) -> None:
        settings = {"KPROTO_ENGINE": self.part.engine, "PYTHONHASHSEED": "0"}
        with self._log.open("a", encoding="utf-8") as log:
            subprocess.run(
                [sys.executable, "-P", RUNNER, *map(str, arguments)],
                cwd=self.folder, env=os.environ | settings, stdout=log, stderr=log, check=False,
            )  # fmt: skip

    @property
    def _log(self) -> Path:
        return self.folder / "mutmut.log"

    def _metadata(self) -> Iterator[Path]:
        return self._mutants.rglob("*.meta")

    def pick(self, size: int, seed: int) -> None:
        """Have those tried that are in the sample, and no others."""
        names = sorted(name for file in self._metadata() for name in _codes(file))
        names.sort(key=lambda name: random.Random(f"{seed} {name}").random())  # noqa: S311
        picked = set(names[:size])
        kills = read_kills()
        for file in self._metadata():
            metadata = json.loads(file.read_text(encoding="utf-8"))
            codes: Codes = metadata["exit_code_by_key"]
            for name, code in codes.items():
                function, number = _function(name, metadata)
                if number in kills.get(function, ()):
                    codes[name] = DEAD
                elif name not in picked:
                    codes[name] = SKIPPED if code is UNTRIED else code
                elif code in (SKIPPED, *SURVIVING):
                    codes[name] = UNTRIED
            file.write_text(json.dumps(metadata), encoding="utf-8")
        self._sample.write_text(json.dumps(sorted(picked)), encoding="utf-8")

    def try_mutants(self, jobs: int) -> None:
        """Run the tests on every mutant of the sample, and keep those that were killed. Ends this
        process if they do not pass without a mutant.
        """
        self._mutmut("run", "--max-children", jobs)
        _, codes = self.results()
        if UNTRIED in codes.values():
            lines = self._log.read_text("utf-8", "replace").replace("\r", "\n").splitlines()
            failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
            why = (failed or lines or ["it wrote nothing"])[-1][:200]
            raise SystemExit(f"{self.name}: not all mutants were tried: {why} ({self._log})")
        kills: Kills = {}
        modules = set()
        for file in self._metadata():
            metadata = json.loads(file.read_text(encoding="utf-8"))
            for name, code in metadata["exit_code_by_key"].items():
                modules.add(_module(name))
                if code not in (UNTRIED, SKIPPED, *SURVIVING):
                    function, number = _function(name, metadata)
                    kills.setdefault(function, []).append(number)
        others = {name: kept for name, kept in read_kills().items() if _module(name) not in modules}
        lines = [" ".join([name, *map(str, numbers)]) for name, numbers in (others | kills).items()]
        KILLED.write_text("\n".join([*sorted(lines), ""]), "utf-8")

    def results(self) -> tuple[int, Codes]:
        """Return how many mutants there are, and what those of the sample gave."""
        codes = {name: code for file in self._metadata() for name, code in _codes(file).items()}
        picked = json.loads(self._sample.read_text(encoding="utf-8"))
        return len(codes), {name: codes[name] for name in picked}

    def change(self, mutant: str) -> Change:
        """Return what a mutant changes."""
        shown = subprocess.run(
            [sys.executable, "-m", "mutmut", "show", mutant],
            cwd=self.folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        lines = [line for line in shown.stdout.splitlines() if line[:3] not in ("---", "+++")]

        def signed(sign: str) -> str:
            return "\n".join(line[1:].strip() for line in lines if line.startswith(sign))

        module, _, mangled = mutant.rpartition(".")  # x_function or xǁClassǁmethod
        function = mangled.rpartition("__mutmut_")[0][2:].replace("ǁ", ".")
        return Change(f"{module.removeprefix('kproto.')}.{function}", signed("-"), signed("+"))


_OPTIONS = (
    *("-p", "no:cacheprovider", "-p", "no:xdist", "--no-cov"),
    # Of Hypothesis, which the runner imports before pytest does.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
_CACHES = shutil.ignore_patterns("__pycache__", "build")


Kills = dict[str, list[int]]
"""The numbers of the mutants that were killed, by function and what mutmut knows its text by."""


def read_kills() -> Kills:
    """Return what tests/mutate.killed has, a line for each function."""
    lines = KILLED.read_text("utf-8").splitlines() if KILLED.exists() else []
    rows = [line.split() for line in lines]
    return {f"{name} {text}": [*map(int, numbers)] for name, text, *numbers in rows}


def _function(mutant: str, metadata: dict[str, Any]) -> tuple[str, int]:
    """Return how tests/mutate.killed names the function of a mutant, and the mutant's number."""
    function, _, number = mutant.rpartition("__mutmut_")
    text = metadata["hash_by_function_name"][function.rpartition(".")[2]]
    return f"{function} {text}", int(number)


def _module(name: str) -> str:
    return name.partition(" ")[0].rpartition(".")[0]


def _codes(file: Path) -> Codes:
    codes: Codes = json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
    return codes


class Change(NamedTuple):
    """One mutant: a function, and the lines that it has instead of others."""

    function: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.function}\n    - {self.old}\n    + {self.new}"


def read_equivalents() -> Callable[[Change], bool]:
    """Return whether tests/mutate.toml says that a mutant does what the function does."""
    rows = tomllib.loads(EQUIVALENTS.read_text("utf-8"))
    single = {Change(row["function"], row["old"], row["new"]) for row in rows.get("equivalent", ())}
    forms = [re.compile(row["form"], re.DOTALL) for row in rows["everywhere"]]

    def is_equivalent(change: Change) -> bool:
        lines = f"{change.old}\n{change.new}"
        return change in single or any(form.fullmatch(lines) for form in forms)

    return is_equivalent


class Result(NamedTuple):
    """What the sample of a part gave."""

    part: str
    mutants: int
    tried: int
    equivalent: int
    survivors: list[Change]

    @classmethod
    def of(cls, tree: Tree) -> Result:
        mutants, codes = tree.results()
        counts = Counter(codes.values())
        is_equivalent = read_equivalents()
        survivors = [tree.change(name) for name, code in codes.items() if code in SURVIVING]
        alive = [change for change in survivors if not is_equivalent(change)]
        tried = len(codes) - counts[UNTRIED]
        return cls(tree.name, mutants, tried, len(survivors) - len(alive), alive)

    @property
    def percent(self) -> float:
        """The share of the mutants killed, of those that can be."""
        possible = self.tried - self.equivalent
        return 100 * (possible - len(self.survivors)) / max(1, possible)

    @property
    def least(self) -> float:
        """The least share of all mutants that can be, with a certainty of 95 % (Wilson's bound)."""
        possible = max(1, self.tried - self.equivalent)
        share, square = self.percent / 100, _NORMAL**2 / possible
        spread = _NORMAL * math.sqrt(share * (1 - share) / possible + square / (4 * possible))
        return 100 * (share + square / 2 - spread) / (1 + square)

    def row(self, seed: int) -> str:
        """Return the row of the page."""
        part = PARTS[self.part]
        shares = (f"{share:.1f} %" for share in (self.percent, self.least))
        counts = (seed, f"{self.tried:,}", self.equivalent, len(self.survivors))
        cells = (self.part, part.title, f"{self.mutants:,}", *counts, *shares, f"{part.killed} %")
        return f"| {' | '.join(map(str, cells))} |"

    def text(self) -> str:
        head = f"{self.part}: {self.percent:.1f} % of {self.tried} killed, of {self.mutants} in all"
        return "\n".join([head, *map(str, self.survivors)])


_HEAD = """\
# Mutants of kproto

<!-- written by: make mutate -->

mutmut changes one expression or statement of a function of kproto at a time, and runs tests that
run this statement: a mutant that no test notices survives. Code that the tests run and do not check
has mutants that survive. Of each part a sample was *tried*, drawn by the *seed*; a larger sample
contains a smaller one. *Equivalent* are those that no test can kill, each with why in
`tests/mutate.toml`; they do not count. A small sample says little: of all mutants that can be
killed the tests kill *at least* so many, with a certainty of 95 %. That holds for a sample that is
tried for the first time, as that of identify was. Tests have been written for survivors of the
seeds 1 to 3, so that of the rest another seed tells more.

A row is made by `make mutate`, with its part, its seed and the number that was tried:

    make mutate PARTS=guarantees SAMPLE=100 SEED=1
"""
_NAMES = ("part", "what is changed")
_NUMBERS = ("mutants", "seed", "tried", "equivalent", "survived", "killed", "at least", "wanted")


def page(results: list[Result], seed: int, earlier: Path) -> str:
    """Return the page of the figures; parts without a result keep the row of the earlier page."""
    text = earlier.read_text("utf-8") if earlier.exists() else ""
    rows = {line.split()[1]: line for line in text.splitlines() if line.startswith("| ")}
    rows |= {result.part: result.row(seed) for result in results}
    table = [f"| {' | '.join((*_NAMES, *_NUMBERS))} |"]
    table.append("|---" * len(_NAMES) + "|---:" * len(_NUMBERS) + "|")
    table += [rows[name] for name in PARTS if name in rows]
    return "\n".join([_HEAD, *table, ""])


if __name__ == "__main__":
    sys.exit(main())
