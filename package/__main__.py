"""The command: what the script `kproto` and `python -m kproto` run.

Ctrl-C is handled before anything else is imported. Much of the time of a short call would go to
Python's bookkeeping, so two parts of it are left out: what is imported stays, so that the collector
need not look through it again and again, and an ended process is not taken apart object by object.
"""

from __future__ import annotations

import gc
import sys

from . import import_light
from .tools.output import interrupts

interrupts.end_at_once()
gc.set_threshold(50_000, *gc.get_threshold()[1:])
import_light("argparse", {"gettext": {"gettext": None, "ngettext": None}})

import atexit  # noqa: E402  # after the lines above
import os  # noqa: E402

from .tools.main import main as run  # noqa: E402

_statuses: list[int] = []


def main() -> int:
    """Run the command with the arguments of the process and return its exit status."""
    atexit.register(_end_process)  # the first that is registered is called last
    status = run()
    _statuses.append(status)
    return status


def _end_process() -> None:
    """End the process once all other exit functions and threads are done; a command that failed
    with a traceback is left to Python."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # nobody listens
        pass
    if _statuses:
        os._exit(_statuses[0])


if __name__ == "__main__":
    sys.exit(main())
