"""A badge of a client: how many of the guarantees that were judged it keeps, as SVG."""

from __future__ import annotations

from typing import NamedTuple

from ....pages import render
from ...guarantees.table import GUARANTEES, Guarantee, Scope
from ..results import Result, Run

_LEFT = "kproto"
_PAD, _WIDTH_OF_CHARACTER = 6, 6.6
_GOOD, _BAD = "#1f7a3d", "#a13a00"


class Kept(NamedTuple):
    """How many of the guarantees that were judged a client keeps."""

    kept: int
    judged: int

    def __str__(self) -> str:
        return f"{self.kept} of {self.judged}"


def kept_of(run: Run, *scopes: Scope) -> Kept:
    """Return how many of the guarantees of these scopes a run shows to be kept."""
    judged = [
        guarantee
        for guarantee in GUARANTEES
        if guarantee.scope in scopes and any(result.judged for result in results_of(run, guarantee))
    ]
    return Kept(sum(not is_broken(run, guarantee) for guarantee in judged), len(judged))


def is_broken(run: Run, guarantee: Guarantee) -> bool:
    """Return whether any result of a guarantee shows it broken."""
    return any(result.violations for result in results_of(run, guarantee))


def results_of(run: Run, guarantee: Guarantee) -> list[Result]:
    """Return the results of a guarantee, one a message."""
    return [result for result in run.results if result.guarantee is guarantee]


def words(run: Run) -> str:
    """Return the words of a badge: "31 of 33 guarantees"."""
    return f"{kept_of(run, Scope.REQUIRED, Scope.RECOMMENDED)} guarantees"


def badge(run: Run) -> str:
    """Return the badge: green if everything that is required is kept."""
    required = kept_of(run, Scope.REQUIRED)
    return render(
        "badge.svg.jinja",
        name=_LEFT,
        words=words(run),
        left=_width(_LEFT),
        right=_width(words(run)),
        colour=_GOOD if required.kept == required.judged else _BAD,
    )


def _width(text: str) -> int:
    return round(len(text) * _WIDTH_OF_CHARACTER) + 2 * _PAD
