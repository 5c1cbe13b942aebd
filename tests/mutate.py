"""Mutants of kproto itself, in Python: `make mutate`.

    python -m tests.mutate [--parts NAME...] [--sample 300] [--seed 1] [--out FILE]

FILE is the page of the figures, of these parts and of those that earlier runs tried.

mutmut changes one expression or statement of a function at a time and runs the tests that call this
function: a mutant that no test notices survives. Of the mutants of a part a sample is tried, drawn
by the seed; a larger sample contains a smaller one. A run that was ended goes on where it was. What
the mutants of a function gave holds until the function changes; survivors are tried again.

Survivors that no test can kill are in tests/mutate.toml, each with why. The compiled core is left
out: its differential tests compare it with this Python. So are generated modules, decorated
functions and what runs at import, which mutmut does not change.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.tree_copy import ROOT, TreeCopy

BUILD = ROOT / "build" / "mutate"
EQUIVALENTS = Path(__file__).with_suffix(".toml")
SKIPPED, UNTRIED = 34, None  # mutmut's codes
SURVIVING = (0, 5, 33)  # 5 and 33: no test calls the function


class Part(NamedTuple):
    """What is changed, and by which tests it is held."""

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
        ("codec/*",),
        ("tests/codec",),
        95,
        without=("codec/messages/*",),  # generated
        engine="python",
        deselected=("tests/codec/test_face.py::test_a_call_imports_only_what_it_needs",),
    ),
    "guarantees": Part(
        ("fuzz/guarantees/*",),
        (
            "tests/fuzz/test_guarantees.py",
            "tests/fuzz/test_conform_inputs.py",
            "tests/fuzz/test_conform_verdicts.py",
            "tests/fuzz/test_mutants.py",
        ),
        95,
    ),
    "identify": Part(
        ("inspector/identification.py", "inspector/recognition.py", "inspector/candidates.py"),
        (
            "tests/inspector",
            "tests/tools/test_one_entrance.py",
            "tests/tools/test_pasted_frames.py",
        ),
        85,
    ),
    "groups": Part(
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
        tried = [name for name in PARTS if Tree(name).has_sample]
        by_part = {result.part: result for result in results}
        rows = [by_part.get(name) or Result.of(Tree(name)) for name in tried]
        arguments.out.write_text(page(rows, arguments.seed), "utf-8")
    return int(any(result.percent < PARTS[result.part].killed for result in results))


class Tree:
    """A copy of this tree that holds the mutants of one part."""

    def __init__(self, part: str) -> None:
        self.name, self.part = part, PARTS[part]
        self.folder = BUILD / part
        self._mutants = self.folder / "mutants"

    @property
    def has_sample(self) -> bool:
        """Whether a run has tried mutants."""
        return self._sample.exists()

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
        settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        (self.folder / "pyproject.toml").write_text(settings + self._settings(), "utf-8")
        # Nothing is called so: mutmut writes the mutants, sees which tests call what, and ends.
        self._mutmut("no such mutant")
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
            "timeout_multiplier = 8.0\n"
        )

    def _deselected(self) -> list[str]:
        return [f"--deselect={test}" for test in self.part.deselected]

    def _mutmut(self, *arguments: object) -> None:
        settings = {"KPROTO_ENGINE": self.part.engine, "PYTHONHASHSEED": "0"}
        with self._log.open("a", encoding="utf-8") as log:
            subprocess.run(
                [sys.executable, "-m", "mutmut", "run", *map(str, arguments)],
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
        for file in self._metadata():
            metadata = json.loads(file.read_text(encoding="utf-8"))
            codes: Codes = metadata["exit_code_by_key"]
            for name, code in codes.items():
                if name not in picked:
                    codes[name] = SKIPPED if code is UNTRIED else code
                elif code in (SKIPPED, *SURVIVING):
                    codes[name] = UNTRIED
            file.write_text(json.dumps(metadata), encoding="utf-8")
        self._sample.write_text(json.dumps(sorted(picked)), encoding="utf-8")

    def try_mutants(self, jobs: int) -> None:
        self._mutmut("--max-children", jobs)

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


_OPTIONS = ("-p", "no:cacheprovider", "-p", "no:xdist", "--no-cov")
_CACHES = shutil.ignore_patterns("__pycache__", "build")


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
        equivalents = {
            Change(row["function"], row["old"], row["new"])
            for row in tomllib.loads(EQUIVALENTS.read_text("utf-8")).get("equivalent", ())
        }
        survivors = [tree.change(name) for name, code in codes.items() if code in SURVIVING]
        alive = [change for change in survivors if change not in equivalents]
        tried = len(codes) - counts[UNTRIED]
        return cls(tree.name, mutants, tried, len(survivors) - len(alive), alive)

    @property
    def percent(self) -> float:
        """The share of the mutants killed, of those that can be."""
        possible = self.tried - self.equivalent
        return 100 * (possible - len(self.survivors)) / max(1, possible)

    def text(self) -> str:
        head = f"{self.part}: {self.percent:.1f} % of {self.tried} killed, of {self.mutants} in all"
        return "\n".join([head, *map(str, self.survivors)])


_HEAD = """\
# Mutants of kproto

<!-- written by: make mutate -->

mutmut changes one expression or statement of a function at a time, and runs the tests that call it:
a mutant that no test notices survives. Of each part a sample was *tried*, drawn by the seed {}; a
larger sample contains a smaller one. *Equivalent* are those that no test can kill, each with why in
`tests/mutate.toml`; they do not count.
"""


def page(results: list[Result], seed: int) -> str:
    """Return the page of the figures."""
    lines = [
        _HEAD.format(seed),
        "| part | mutants | tried | equivalent | survived | killed | wanted |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {result.part} | {result.mutants:,} | {result.tried:,} | {result.equivalent} "
        f"| {len(result.survivors)} | {result.percent:.1f} % | {PARTS[result.part].killed} % |"
        for result in results
    ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
