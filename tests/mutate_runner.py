"""mutmut, with what makes its mutants cheap: tests/mutate.py runs this in a copy of the tree.

    python mutate_runner.py generate [JOBS]    writes the mutants
    python mutate_runner.py run …              `mutmut run …`

- A mutant meets the tests that run the statement which it changes, some seconds' worth: quick ones
  and cases of many test functions before others. It is counted as a survivor though a case that was
  left out would kill it, never the other way.
- A test that takes several times its time of the processor ends its mutant as a timeout. By the
  clock, a busy machine would kill mutants that nothing else does.
- Every test begins with empty caches: what a test before has put into one, or this process before a
  mutant, is the work of the function without its mutant, and hides who calls it.
- mutmut imports everything before it begins with a mutant. For one of a function that is called
  while modules are imported they are imported again, and any test may kill it; those that run its
  statement later, as part of a function that it returns, come first.
- Hypothesis does not shrink what it found, and no test asks Java or Spark: a JVM does not survive
  the fork that every mutant begins with.
"""

from __future__ import annotations

import ast
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any, ClassVar, NamedTuple, NoReturn

import pytest
from coverage import Coverage
from hypothesis import Phase, settings
from mutmut import __main__ as mutmut
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.runners.harness import ListAllTestsResult, PytestRunner
from mutmut.state import state
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir
from mutmut.workers.isolation import ForkRunner

SECONDS = 10.0
"""Of tests for each mutant: of the processor, when mutmut saw which functions they call."""
CASES = 400
"""Tests for each mutant: pytest takes its time to find them."""
TIMEOUT = 36  # mutmut's code
MUTANTS = Path("mutants")
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
        self._lines = Lines(Path("lines.json").resolve())

    def collect_stats(self, tests: Iterable[str] | None) -> int:
        files = [str(file.with_suffix("").resolve()) for file in MUTANTS.rglob("*.meta")]
        Plugin.coverage = Coverage(data_file=None, include=files, config_file=False)
        Plugin.coverage.start()
        status: int = super().collect_stats(tests)
        Plugin.coverage.stop()
        self._lines.add(Plugin.coverage, of_all=not tests)
        Plugin.coverage = None
        state().duration_by_test.update(Plugin.seconds)
        if not tests and status == 0:
            PASSED.touch()
        return status

    def startup(self) -> None:
        super().startup()
        for function in Plugin.called_at_import:  # of some, no test is known to call them
            state().tests_by_mangled_function_name[function].update(state().duration_by_test)

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
        all_tests = state().duration_by_test
        running = self._lines.tests(mutant_name, [*all_tests] if at_import else tests)
        chosen = within_limits(running or all_tests if at_import else running)
        seconds = sum(state().duration_by_test[test] for test in chosen)
        super().submit(mutant_name, chosen, cpu_time_limit, seconds)


class Function(NamedTuple):
    """A function, or a mutant of one, as mutmut has written it."""

    first: int
    text: list[str]
    """Its lines, without its name."""
    heads: list[range]
    """The lines of each statement, from 0; of those with a body, the lines in front of it."""

    def statement(self, line: int) -> range:
        """Return the lines of the innermost statement that has one; none for the signature."""
        return min((head for head in self.heads if line in head), key=len, default=range(0))


@cache
def functions_of(file: Path) -> dict[str, Function]:
    """Return the functions in a file of mutants, by the names that mutmut has given them."""
    text = file.read_text("utf-8")
    lines = text.splitlines()
    functions: dict[str, Function] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "__mutmut_" in node.name:
            first, *rest = lines[node.lineno - 1 : node.end_lineno]
            inner = ast.walk(node) if node.name.endswith(_ORIGINAL) else ()
            heads = [_head(part, node.lineno) for part in inner if part is not node]
            text_lines = [first.replace(node.name, "", 1), *rest]
            functions[node.name] = Function(node.lineno, text_lines, heads)
    return functions


def _head(node: ast.AST, front: int) -> range:
    if not isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
        return range(0)
    first: Any = node.pattern if isinstance(node, ast.match_case) else node
    body = getattr(node, "body", None)
    last = max(body[0].lineno - 1, first.lineno) if body else first.end_lineno
    return range(first.lineno - front, last + 1 - front)


class Lines:
    """Which tests run which lines of the functions that have mutants, kept in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._rows: dict[str, dict[str, Any]] = {}
        if file.exists():
            self._rows = json.loads(file.read_text("utf-8"))

    def add(self, coverage: Coverage, *, of_all: bool) -> None:
        """Add what tests have run, all of them or some: what some run of a function that has
        changed since says nothing of the others."""
        data = coverage.get_data()
        for name in data.measured_files():
            file = Path(name)
            tests_by_line = data.contexts_by_lineno(name)
            module = ".".join(file.relative_to(MUTANTS.resolve()).with_suffix("").parts)
            for mangled, function in functions_of(file).items():
                if mangled.endswith(_ORIGINAL):
                    key = f"{module}.{mangled.removesuffix(_ORIGINAL)}"
                    key = key.replace(".__init__.", ".")
                    if of_all or key not in self._rows or self._is_known(key, function):
                        self._add(key, function, tests_by_line)
        self._file.write_text(json.dumps(self._rows), "utf-8")

    def _is_known(self, key: str, function: Function) -> bool:
        return key in self._rows and self._rows[key]["text"] == function.text

    def _add(self, key: str, function: Function, tests_by_line: dict[int, list[str]]) -> None:
        if not self._is_known(key, function):
            self._rows[key] = {"text": function.text, "lines": {}}
        row = self._rows[key]
        for number in range(len(function.text)):
            tests = filter(None, tests_by_line.get(function.first + number, ()))
            row["lines"][str(number)] = sorted({*row["lines"].get(str(number), ()), *tests})

    def tests(self, mutant: str, callers: list[str]) -> list[str]:
        """Return the tests that run the statement which a mutant changes, of those that call its
        function; all of these where that is not known."""
        module, _, mangled = mutant.rpartition(".")
        functions = functions_of(Path(str(sys.modules[module].__file__)))
        original = functions[mangled.rpartition("__mutmut_")[0] + _ORIGINAL]
        changed = functions[mangled]
        key = mutant.rpartition("__mutmut_")[0]
        if not self._is_known(key, original):
            return callers
        row = self._rows[key]
        pairs = enumerate(zip(original.text, changed.text, strict=False))
        line = next((number for number, (old, new) in pairs if old != new), 0)
        if line not in (statement := original.statement(line)):
            return callers
        tests = {test for number in statement for test in row["lines"][str(number)]}
        return [test for test in callers if test in tests]


_ORIGINAL = "__mutmut_orig"


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


def caches() -> list[Callable[[], None]]:
    """Return what empties each cache of a function in the rooms that have mutants."""
    rooms = {file.parts[1] for file in Path("kproto").rglob("*.meta")}
    names = [name for name in sys.modules if name.startswith("kproto.")]
    modules = [sys.modules[name] for name in names if name.split(".")[1] in rooms]
    functions = [function for module in modules for function in vars(module).values()]
    return [function.cache_clear for function in functions if isinstance(function, _Cached)]


_Cached = type(cache(len))


class Plugin:
    """Of pytest."""

    seconds: ClassVar[dict[str, float]] = {}
    """Of the processor, of each test."""
    called_at_import: ClassVar[set[str]] = set()
    coverage: ClassVar[Coverage | None] = None
    """Notes the lines that each test runs, where that is asked for."""
    caches: ClassVar[list[Callable[[], None]]] = []
    """What empties each cache of a function."""

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
        self.caches[:] = caches()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin with empty caches."""
        for clear in self.caches:
            clear()
        if self.coverage is not None:
            self.coverage.switch_context(item.nodeid)

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
