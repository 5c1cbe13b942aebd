"""Remarks on standard error, and the exception that ends a sub-command early."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ...escaping import escaped

REFUSED, WRONG_USE, NOT_DONE = 1, 2, 3


class Failure(Exception):
    """Raised to end the command: `main` prints the line and exits with the status."""

    def __init__(self, line: str, status: int = REFUSED) -> None:
        super().__init__(" ".join(line.split()))
        self.status = status


_hiding: list[Callable[[str], str]] = []


def hide_with(hide: Callable[[str], str] | None) -> None:
    """Pass each line that `say` prints through a function, for --redact; None ends that."""
    _hiding[:] = [] if hide is None else [hide]


def say(line: str) -> None:
    """Print a line on standard error, with what would act on a terminal escaped."""
    for hide in _hiding:
        line = hide(line)
    if not line.isprintable():
        line = escaped(line)
    print(f"kproto: {line}", file=sys.stderr, flush=True)
