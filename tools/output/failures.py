"""What goes to standard error: remarks, and how a sub-command ends before its time."""

from __future__ import annotations

import sys

REFUSED, WRONG_USE = 1, 2


class Failure(Exception):
    """Raised anywhere below `main`, which prints the line and exits with the status."""

    def __init__(self, line: str, status: int = REFUSED) -> None:
        super().__init__(" ".join(line.split()))
        self.status = status


def say(line: str) -> None:
    """One line beside the result. What is captured in it is shown, never obeyed."""
    if not line.isprintable():
        from ...inspector.views.escaping import escaped

        line = escaped(line)
    print(f"kproto: {line}", file=sys.stderr, flush=True)
