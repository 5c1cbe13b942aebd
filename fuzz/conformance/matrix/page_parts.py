"""What the parts of the matrix page have in common: a column, its keys, escaped text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from ....escaping import escaped
from ...guarantees.table import GUARANTEES, Guarantee, Scope
from ..expected_failures import Expected, Status, status_of_all
from ..report import MARKS
from ..results import Result, Run

CLASSES = {
    Status.HELD: "held",
    Status.BROKEN: "broken",
    Status.EXPECTED: "expected",
    Status.UNEXPECTED_PASS: "unexpected",
    Status.INCOMPLETE: "incomplete",
    Status.NOT_JUDGED: "none",
}
"""The CSS class of each status."""


class Side(NamedTuple):
    """A column: `name` is the testee's, "" if the command is not one of the package's."""

    name: str
    language: str
    run: Run

    @property
    def key(self) -> str:
        """The key of the column, its filter and its evidence."""
        return f"c-{key(self.name or self.run.client)}"

    @property
    def label(self) -> str:
        """The name and the release."""
        return f"{self.name or self.run.client} {self.run.release}"

    def status(self, guarantee: Guarantee, expected: Sequence[Expected] = ()) -> Status:
        """Return the status of a guarantee."""
        return status_of_all(results_of(self.run, guarantee), expected)


class Kept(NamedTuple):
    """How many of the guarantees that were judged a client keeps."""

    kept: int
    judged: int

    def __str__(self) -> str:
        return f"{self.kept} of {self.judged}"


def kept_of(run: Run, *scopes: Scope) -> Kept:
    """Return how many of these scopes' guarantees a run shows to be kept."""
    asked = [
        guarantee
        for guarantee in GUARANTEES
        if guarantee.scope in scopes and judged([run], guarantee)
    ]
    broken = [
        guarantee
        for guarantee in asked
        if any(result.broken for result in results_of(run, guarantee))
    ]
    return Kept(len(asked) - len(broken), len(asked))


def results_of(run: Run, guarantee: Guarantee) -> list[Result]:
    """Return the results of a guarantee, one a message."""
    return [result for result in run.results if result.guarantee is guarantee]


def judged(runs: Sequence[Run], guarantee: Guarantee) -> bool:
    """Return whether any of the runs judged a guarantee."""
    return any(result.judged for run in runs for result in results_of(run, guarantee))


def marked(status: Status) -> str:
    """Return the sign of a status."""
    return f'<span class="{CLASSES[status]}">{MARKS[status][0]}</span>'


def text(value: str) -> str:
    """Return text from a client, escaped."""
    return escape(escaped(value))


def key(value: str) -> str:
    """Return a name as a part of an anchor."""
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in value)
