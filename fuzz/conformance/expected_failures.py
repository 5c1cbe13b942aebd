"""Which failures are expected of a client: a file beside it, and what a run says against it.

A line names a guarantee, a message (or none, for all of them), and after a `#` why:

    G25                                # refuses invalid UTF-8, on purpose
    G23 ConsumerProtocolSubscription   # null topics become None: issue 2305

A failure in the file is no failure of the run. A guarantee in the file that holds after all is: the
file has to say what is so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from ...codec.runtime.registry import built_in_names
from ..guarantees.table import BY_ID, Scope
from .judging import Result, Run


class Status(Enum):
    """What came of a guarantee, seen with what was expected of it."""

    HELD = "held"
    BROKEN = "broken"
    EXPECTED = "broken as expected"
    UNEXPECTED_PASS = "held unexpectedly"  # noqa: S105  # no password
    NOT_JUDGED = "not judged"


class Expected(NamedTuple):
    """One line of the file."""

    guarantee: str
    name: str
    """The message; "" for all."""
    why: str

    def covers(self, result: Result) -> bool:
        """Return whether it is about this result."""
        return result.guarantee.id == self.guarantee and self.name in ("", result.name)


def read_expected(text: str) -> tuple[Expected, ...]:
    """Return the lines of a file. Raises ValueError, with the line's number, for what is none."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        entry, _, why = line.partition("#")
        words = entry.split()
        if not words:
            continue
        guarantee, _, _ = words[0].partition("-")  # the title does as well as the id
        if guarantee not in BY_ID or len(words) > 2:
            raise ValueError(f"line {number}: {line.strip()[:60]!r} names no guarantee")
        if not set(words[1:]) <= set(built_in_names()):
            raise ValueError(f"line {number}: there is no message {words[1][:60]!r}")
        found.append(Expected(guarantee, words[1] if len(words) == 2 else "", why.strip()))
    return tuple(found)


def status_of(result: Result, expected: Sequence[Expected]) -> Status:
    """Return the status of one result, where one message is named; else see `statuses`."""
    if not result.judged:
        return Status.NOT_JUDGED
    if result.broken:
        covered = any(one.covers(result) for one in expected)
        return Status.EXPECTED if covered else Status.BROKEN
    named = any(one.covers(result) and one.name for one in expected)
    return Status.UNEXPECTED_PASS if named else Status.HELD


def status_of_all(results: Iterable[Result], expected: Sequence[Expected]) -> Status:
    """Return the status of one guarantee over all messages: the worst of them."""
    some = list(results)
    found = {status_of(one, expected) for one in some}
    everywhere = any(not e.name and e.covers(one) for one in some for e in expected)
    if everywhere and found <= {Status.HELD, Status.NOT_JUDGED} and Status.HELD in found:
        return Status.UNEXPECTED_PASS
    return next((status for status in _WORST_FIRST if status in found), Status.NOT_JUDGED)


_WORST_FIRST = (Status.BROKEN, Status.UNEXPECTED_PASS, Status.EXPECTED, Status.HELD)


def failed(run: Run, expected: Sequence[Expected], *, recommended: bool = False) -> bool:
    """Return whether the run ends in a failure: something required is broken, or the file is wrong,
    or nothing required was judged at all.

    With `recommended`, what is recommended counts too.
    """
    if not run.judged(Scope.REQUIRED):
        return True
    for guarantee, results in run.by_guarantee():
        status = status_of_all(results, expected)
        counts = recommended or guarantee.scope is Scope.REQUIRED
        if status is Status.UNEXPECTED_PASS or (status is Status.BROKEN and counts):
            return True
    return False
