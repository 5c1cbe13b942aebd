"""The failures that are expected of a client: a file that lists them, and the status of a run with
it.

A line names a guarantee, a message (or none, for all of them), and after a `#` the reason:

    G25                                # refuses invalid UTF-8, on purpose
    G23 ConsumerProtocolSubscription   # null topics become None: issue 2305

A failure in the file does not fail the run. A guarantee in the file that holds does: the file has
to be true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from ...codec.runtime.registry import built_in_names
from ..guarantees.table import BY_ID, Scope
from .results import Result, Run

FAILED, INCOMPLETE = 1, 3
"""Exit statuses of a run that fails, and of one that could not ask everything."""


class Status(Enum):
    """The status of a guarantee, given what was expected of it."""

    HELD = "held"
    """The guarantee holds."""
    BROKEN = "broken"
    """The guarantee is broken, and the file does not expect it."""
    EXPECTED = "broken as expected"
    """The guarantee is broken, as the file expects."""
    UNEXPECTED_PASS = "held unexpectedly"  # noqa: S105  # no password
    """The guarantee holds, although the file expects it to be broken."""
    INCOMPLETE = "incomplete"
    """The guarantee holds so far: not all inputs that have to do with it were asked."""
    NOT_JUDGED = "not judged"
    """No input had anything to do with the guarantee."""


class Expected(NamedTuple):
    """A line of the file."""

    guarantee: str
    name: str
    """The message; "" for all."""
    why: str

    def covers(self, result: Result) -> bool:
        """Return whether the line is about this result."""
        return result.guarantee.id == self.guarantee and self.name in ("", result.name)


def read_expected(text: str) -> tuple[Expected, ...]:
    """Return the lines of a file. Raises ValueError, with the line's number, for a line that names
    no guarantee or message.
    """
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
    """Return the status of one result; a line without a message counts over all of them
    (`status_of_all`).
    """
    if result.violations:
        covered = any(expectation.covers(result) for expectation in expected)
        return Status.EXPECTED if covered else Status.BROKEN
    if result.omissions:
        return Status.INCOMPLETE
    if not result.judged:
        return Status.NOT_JUDGED
    named = any(expectation.covers(result) and expectation.name for expectation in expected)
    return Status.UNEXPECTED_PASS if named else Status.HELD


def status_of_all(results: Iterable[Result], expected: Sequence[Expected]) -> Status:
    """Return the status of one guarantee over all messages: the worst of them."""
    some = list(results)
    found = {status_of(result, expected) for result in some}
    everywhere = any(not e.name and e.covers(result) for result in some for e in expected)
    if everywhere and found <= {Status.HELD, Status.NOT_JUDGED} and Status.HELD in found:
        return Status.UNEXPECTED_PASS
    return next((status for status in _WORST_FIRST if status in found), Status.NOT_JUDGED)


_WORST_FIRST = (
    Status.BROKEN,
    Status.UNEXPECTED_PASS,
    Status.EXPECTED,
    Status.INCOMPLETE,
    Status.HELD,
)


def broken(run: Run, expected: Sequence[Expected], scope: Scope) -> list[str]:
    """Return the ids of the guarantees of a scope that are broken, and not expected to be."""
    return [
        guarantee.id
        for guarantee, results in run.by_guarantee()
        if guarantee.scope is scope and status_of_all(results, expected) is Status.BROKEN
    ]


def failed(run: Run, expected: Sequence[Expected], *, recommended: bool = False) -> bool:
    """Return whether the run fails: a required guarantee is broken, the file is wrong, or no
    required guarantee was judged at all.

    With `recommended`, broken recommended guarantees count too. A run that could not ask everything
    is `Run.incomplete`, which is another matter.
    """
    counts = (Scope.REQUIRED, Scope.RECOMMENDED) if recommended else (Scope.REQUIRED,)
    required = any(result.guarantee.scope is Scope.REQUIRED for result in run.results)
    if required and not run.judged(Scope.REQUIRED) and not run.omissions:
        return True
    if any(broken(run, expected, scope) for scope in counts):
        return True
    return any(
        status_of_all(results, expected) is Status.UNEXPECTED_PASS
        for _, results in run.by_guarantee()
    )


def exit_status(run: Run, expected: Sequence[Expected], *, recommended: bool) -> int:
    """Return the exit status of a run: `FAILED`, `INCOMPLETE`, or 0."""
    if failed(run, expected, recommended=recommended):
        return FAILED
    return INCOMPLETE if run.incomplete else 0
