"""The child process: carries out a job, or checks one input that may hang or take all memory.

    python -m kproto.fuzz.engines.worker JOB
    python -m kproto.fuzz.engines.worker TARGET MEMORY < INPUT

It imports no module whose branches may count before the engine has set up the counters.
"""

from __future__ import annotations

import faulthandler
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import msgspec

from ..targets import Missing, Target, load, reserves
from .job import BROKEN, MISSING, REPLAY, Job, limit_memory, limit_output


def carry_out(path: str) -> int:
    """Carry out a job, the end of which ends the process; return an exit status if its judge is
    missing.
    """
    began = time.monotonic()
    job = Job.read(Path(path))
    limit_memory(job.memory)
    limit_output()
    faulthandler.enable()
    engine = None if job.engine == REPLAY else import_module(f".with_{job.engine}", __package__)
    load_counted: Callable[[Job], Target] | None = getattr(engine, "counted_target", None)
    try:
        target = load(job.target) if load_counted is None else load_counted(job)
    except Missing as reason:
        print(reason, file=sys.stderr)  # noqa: T201  # into its log
        return MISSING
    target.form.splices(b"")  # what the form imports is there before an input has its time
    from .execution import Execution, replay  # late: it imports what the engine has to measure

    run = replay if engine is None else engine.run
    run(target, Execution(target, job, began), job)
    return 0


def check_one(target: str, memory: str) -> int:
    """Check the input on standard input; return `BROKEN` with the finding on standard output, if it
    is one.
    """
    try:
        check = load(target).check
    except Missing as reason:
        print(reason, file=sys.stderr)  # noqa: T201  # `judge` reads it
        return MISSING
    from ..findings import of_exception  # late: as above

    if not reserves(target):
        limit_memory(int(memory))
    limit_output()
    faulthandler.enable()
    sys.stdout.write("\n")
    sys.stdout.flush()
    data = sys.stdin.buffer.read()
    try:
        check(data)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is a finding
        sys.stdout.buffer.write(msgspec.json.encode(of_exception(target, error, data)))
        sys.stdout.flush()
        return BROKEN
    return 0


if __name__ == "__main__":
    main = carry_out if len(sys.argv) == 2 else check_one
    raise SystemExit(main(*sys.argv[1:]))
