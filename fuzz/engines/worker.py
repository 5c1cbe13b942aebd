"""One worker: `python -m kproto.fuzz.engines.worker ORDER`."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path

from ..targets import Missing
from .job import MISSING, Order


def main(path: str) -> int:
    """Work until the end of the order, which ends the process."""
    began = time.monotonic()
    order = Order.read(Path(path))
    _limit(order.memory)
    engine = import_module(f".with_{order.engine}", __package__)
    try:
        target = engine.target_of(order)
    except Missing as reason:
        print(reason, file=sys.stderr)  # noqa: T201  # into its log
        return MISSING
    target.form.splices(b"")  # what the form imports is there before an input has its time
    from .execution import Execution

    engine.run(target, Execution(target, order, began), order)
    return 0


def _limit(memory: int) -> None:
    if not memory:
        return
    try:
        import resource
    except ImportError:  # not on this platform: the parent watches what is resident
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
