"""mutmut, with what makes its mutants cheap: tests/mutate.py runs this in a copy of the tree.

    python mutate_runner.py generate [JOBS]    writes the mutants
    python mutate_runner.py run …              `mutmut run …`

- Of the tests that call a function its mutants meet some seconds' worth, quick ones and cases of
  many test functions before others. A mutant is counted as a survivor though a case that was left
  out would kill it, never the other way.
- A test that takes several times its time of the processor ends its mutant as a timeout. By the
  clock, a busy machine would kill mutants that nothing else does.
- mutmut imports everything before it begins with a mutant. For one of a function that is called
  while modules are imported they are imported again, and any test may kill it.
- Hypothesis does not shrink what it found, and no test asks Java or Spark: a JVM does not survive
  the fork that every mutant begins with.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path
from time import process_time
from typing import Any, ClassVar, NoReturn

import pytest
from hypothesis import Phase, settings
from mutmut import __main__ as mutmut
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.runners.harness import ListAllTestsResult, PytestRunner
from mutmut.state import state
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir
from mutmut.workers.isolation import ForkRunner

SECONDS = 20.0
"""Of tests for each mutant: of the processor, when mutmut saw which functions they call."""
CASES = 400
"""Tests for each mutant: pytest takes its time to find them."""
TIMEOUT = 36  # mutmut's code
PASSED = Path("passed")
"""Its time is that of the tests' last run without a mutant."""
CORE = "kproto.codec._core"  # a process imports it once
MACHINES = {"java_oracle", "spark"}
"""Fixtures that start a JVM."""


def main() -> None:
    if sys.argv[1] == "generate":
        generate(int(sys.argv[2]))
    else:
        vars(mutmut)["get_mutant_runner"] = Runner
        mutmut.cli()


def generate(jobs: int) -> None:
    """Write all mutants, and run no test."""
    copy_src_dir()
    copy_also_copy_files()
    mutmut.create_mutants(jobs)


class Runner(ForkRunner):
    """Runs the tests of each mutant in a process of its own."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, Pytest())

    def collect_stats(self, tests: Iterable[str] | None) -> int:
        status: int = super().collect_stats(tests)
        state().duration_by_test.update(Plugin.seconds)
        if not tests and status == 0:
            PASSED.touch()
        return status

    def list_all_tests(self) -> ListAllTestsResult:
        set_mutant_under_test("stats")  # to see which functions are called at import
        return super().list_all_tests()

    def run_clean_tests(self, tests: Iterable[str]) -> int:
        """Run the tests without a mutant, unless they have passed since a file changed."""
        files = [file for folder in ("kproto", "tests") for file in Path(folder).rglob("*.*")]
        if PASSED.exists() and PASSED.stat().st_mtime > max(file.stat().st_mtime for file in files):
            return 0
        status: int = super().run_clean_tests(tests)
        if status == 0:
            PASSED.touch()
        return status

    def submit(
        self, mutant_name: str, tests: list[str], cpu_time_limit: int, estimated_time: float
    ) -> None:
        at_import = mutant_name.rpartition("__mutmut_")[0] in Plugin.called_at_import
        chosen = within_limits(state().duration_by_test if at_import else tests)
        seconds = sum(state().duration_by_test[test] for test in chosen)
        super().submit(mutant_name, chosen, cpu_time_limit, seconds)


def within_limits(tests: Iterable[str]) -> list[str]:
    """Return the tests that a mutant meets, of all that call its function: the quick ones first,
    where each case of a test function counts as slower than the one before.
    """
    durations = state().duration_by_test
    cases: Counter[str] = Counter()
    ranked: list[tuple[float, str]] = []
    for test in sorted(tests, key=lambda test: (durations[test], test)):
        function = test.partition("[")[0]
        cases[function] += 1
        ranked.append((durations[test] * cases[function], test))
    chosen: list[str] = []
    seconds = 0.0
    for _, test in sorted(ranked)[:CASES]:
        if not chosen or seconds + durations[test] <= SECONDS:
            seconds += durations[test]
            chosen.append(test)
    return chosen


class Pytest(PytestRunner):
    """Runs pytest with the settings of this file."""

    def execute_pytest(self, params: list[str], **kwargs: Any) -> int:
        plugins = [Plugin(), *kwargs.get("plugins", ())]
        status: int = super().execute_pytest(params, plugins=plugins)
        return status

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        if mutant_name is not None:
            signal.signal(signal.SIGPROF, give_up)
            if mutant_name.rpartition("__mutmut_")[0] in Plugin.called_at_import:
                for name in [*sys.modules]:
                    if name.partition(".")[0] in ("kproto", "tests") and name != CORE:
                        del sys.modules[name]
        status: int = super().run_tests(mutant_name=mutant_name, tests=tests)
        return status


def give_up(*_: object) -> NoReturn:
    """End a mutant whose test takes too long."""
    os._exit(TIMEOUT)


class Plugin:
    """Of pytest."""

    seconds: ClassVar[dict[str, float]] = {}
    """Of the processor, of each test."""
    called_at_import: ClassVar[set[str]] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Have Hypothesis end with the first example that fails."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings(), phases=phases, report_multiple_bugs=False)
        settings.load_profile("mutants")

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None]:
        """Leave out what asks a JVM, and keep the order, which is mutmut's: the quickest first."""
        asking = [item for item in items if MACHINES & {*getattr(item, "fixturenames", ())}]
        ordered = [item for item in items if item not in asking]
        yield
        left = set(items)
        items[:] = [item for item in ordered if item in left]
        config.hook.pytest_deselected(items=asking)

    def pytest_collection_finish(self) -> None:
        """Tell what has been called by now from what the first test calls."""
        self.called_at_import.update(state()._stats)
        state()._stats.clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        """Measure the time of a test; mutmut has it by the clock."""
        start = process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = process_time() - start

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Limit the time of a test, by how long it took without a mutant."""
        if signal.getsignal(signal.SIGPROF) is give_up:
            limit = 10 + 3 * state().duration_by_test.get(nodeid, 0.0)
            signal.setitimer(signal.ITIMER_PROF, limit)


if __name__ == "__main__":
    main()
