"""The engine libFuzzer, by way of atheris: led by coverage, its mutations mixed with those of the
layout.

libFuzzer's own limits are off: the parent watches time and memory, since a process that libFuzzer
ends cannot report what it was about to find.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import atheris

from ..targets import Target, covered, load, of_client
from .coverage import COUNTERS, Instrumented, counting, counting_comparisons, traced
from .job import Job

Mutate = Callable[[bytes, int, int], bytes]

if TYPE_CHECKING:  # it imports what is to be measured
    from .execution import Execution

# Each input is changed once, from one of the corpus: its splices are known by then.
_FLAGS = (
    "-mutate_depth=1", "-detect_leaks=0",
    "-timeout=99999999", "-rss_limit_mb=0", "-malloc_limit_mb=0",
    "-handle_int=0", "-handle_term=0", "-handle_segv=0", "-handle_abrt=0", "-handle_bus=0",
    "-handle_fpe=0", "-handle_ill=0", "-handle_xfsz=0", "-handle_usr1=0", "-handle_usr2=0",
)  # fmt: skip


def counted_target(job: Job) -> Target:
    """Return the target, its modules imported so that their branches count."""

    def trace(function: Any) -> Callable[..., Any]:
        if hasattr(function, "counting"):  # the compiled core counts by itself
            counting_walk: Callable[..., Any] = function.counting(COUNTERS.region(function.places))
            return counting_walk
        return traced(function, counting)

    patch = counting_comparisons if of_client(job.target) else counting
    Instrumented(covered(job.target), patch).install()
    return load(job.target, trace)


def run(target: Target, execution: Execution, job: Job) -> None:
    """Drive the target until the execution ends the process.

    Some seeds are run once before: what they import is known to libFuzzer from the start.
    """
    from ..mutators.splices import mutator  # late: it imports what is measured
    from .execution import SHAPES

    for data in _one_of_each(target, job):
        execution.warm(data)
    execution.start()
    mutate = mutator(target.form, _raw)
    if target.quick is not None:
        execution.watch_quickly(COUNTERS.region(SHAPES))
        mutate = _judging(mutate, execution)
    atheris.Setup(
        ["kproto", *_flags(target, job)],
        execution.__call__,  # a bound method is called sooner than an object
        custom_mutator=mutate,
        internal_libfuzzer=True,
    )
    COUNTERS.begin(_libfuzzer())
    atheris.Fuzz()


def _judging(mutate: Mutate, execution: Execution) -> Mutate:
    """Return the mutator, which first has the input judged that it changes: it is one of the
    corpus, and what the guarantees have the client do is no part of what an input reaches.
    """

    def judge_and_mutate(data: bytes, max_size: int, seed: int) -> bytes:
        execution.judge(data)
        return mutate(data, max_size, seed)

    return judge_and_mutate


def _libfuzzer() -> str:
    """Return the library's file, loaded as `Fuzz` does: it asks libraries loaded before for a
    mutator.
    """
    flags = sys.getdlopenflags()
    sys.setdlopenflags(flags | os.RTLD_GLOBAL)
    import_module("atheris.custom_mutator")
    sys.setdlopenflags(flags)
    file = import_module("atheris.core_with_libfuzzer").__file__
    assert file is not None
    return file


def _one_of_each(target: Target, job: Job) -> list[bytes]:
    """Return the smallest input of each head: together they import all that will be imported."""
    inputs: dict[bytes, bytes] = {}
    for file in _sorted(job.seeds, job.corpus):
        data = file.read_bytes()
        inputs.setdefault(data[: target.form.head(data)], data)
    return list(inputs.values())


def _raw(data: bytes, max_size: int) -> bytes:
    """Return libFuzzer's own mutation, looked up late: once `Fuzz` runs, it is another function."""
    changed: bytes = atheris.Mutate(data, max_size)
    return changed


def _flags(target: Target, job: Job) -> list[str]:
    from ..mutators.splices import dictionary  # late: what it is in imports what is measured

    listed = job.status.parent / f"{job.status.stem}.seeds"
    listed.write_text(",".join(map(str, _sorted(job.seeds, job.corpus))))
    words = listed.with_suffix(".dict")
    words.write_text(dictionary(target.form.tokens()))
    flags = [*_FLAGS, f"-seed={job.seed or 1}", f"-max_len={target.max_len}"]
    flags += [f"-dict={words}", f"-artifact_prefix={job.status.parent}/"]
    if of_client(job.target):
        flags += ["-use_value_profile=1", "-reduce_inputs=0"]
    # Both look at the clock: a run that shall be repeated has neither.
    flags += [f"-reload={int(job.shared)}", f"-entropic={int(not job.runs)}"]
    if listed.stat().st_size:
        flags.append(f"-seed_inputs=@{listed}")  # in this order, whatever the folder's
    return [*flags, str(job.corpus)]


def _sorted(*folders: Path) -> list[Path]:
    files = [file for folder in folders for file in folder.iterdir() if file.is_file()]
    return sorted(files, key=lambda file: (file.stat().st_size, file.name))
