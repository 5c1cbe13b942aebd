"""The worker process: `python -m kproto.fuzz.engines.worker JOB`."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path

from ..targets import Missing
from .job import MISSING, Job


def main(path: str) -> int:
    """Carry out a job, the end of which ends the process; return an exit status if its judge is
    missing.
    """
    began = time.monotonic()
    job = Job.read(Path(path))
    limit_memory(job.memory)
    engine = import_module(f".with_{job.engine}", __package__)
    try:
        target = engine.target_of(job)
    except Missing as reason:
        print(reason, file=sys.stderr)  # noqa: T201  # into its log
        return MISSING
    target.form.splices(b"")  # what the form imports is there before an input has its time
    from .execution import Execution  # late: it imports what the engine has to measure

    engine.run(target, Execution(target, job, began), job)
    return 0


def limit_memory(memory: int) -> None:
    """Limit the address space of this process to so many bytes; 0 for no limit."""
    if not memory:
        return
    try:
        import resource
    except ImportError:  # not on this platform: the parent watches what is resident
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
