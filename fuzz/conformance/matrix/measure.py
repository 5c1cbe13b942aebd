"""The measurement of the matrix: every testee that is available, two at a time, then the pairs of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing
from datetime import UTC, datetime
from importlib.metadata import version
from typing import NamedTuple

from ...guarantees.cases import Case
from ...guarantees.table import Scope, of_scope
from ...testees import TESTEES, Unavailable, command
from ..client.limits import Limits
from ..client.remote import NoTestee, Remote
from ..inputs import digest, inputs
from ..judging import conform
from ..results import Run
from .captured import Captured, Verdict, readings_of, verdicts_of
from .matrix import MESSAGES, Column, Matrix
from .outcomes import Outcome, Outcomes, outcomes_of
from .pairs import Pair, Party, pairs
from .reported import Answer, answers_of
from .source_digest import source_digest

LIMITS = Limits(reply_seconds=4.0, run_seconds=900.0, failures_of_a_kind=0)
"""The limits of a testee, with more time than usual and failures without end, so that the matrix
has no gaps: a client that dies of many inputs is asked all of them.
"""

_AT_ONCE = 2


def run_matrix(
    names: Sequence[str], *, seed: int = 0, tell: Callable[[str], None] = lambda line: None
) -> tuple[Matrix, Outcomes]:
    """Return the matrix of these testees; those that are not available are left out. `tell` is
    called with a line for each.
    """
    outcomes = Outcomes.of_inputs(inputs(MESSAGES, seed=seed))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = list(pool.map(lambda name: _measured(name, seed, outcomes.inputs, tell), names))
    columns, left_out, answers, verdicts = [], {}, [], {}
    for name, measured in zip(names, found, strict=True):
        if isinstance(measured, str):
            left_out[name] = measured
        else:
            columns.append(Column(name, TESTEES[name].language, measured.run))
            outcomes.add(name, measured.run, measured.outcomes)
            answers += measured.answers
            verdicts[name] = measured.verdicts
    matrix = Matrix(
        date=datetime.now(UTC).date().isoformat(),
        release=version("kproto"),
        seed=seed,
        digest=digest(inputs(MESSAGES, seed=seed)),
        code=source_digest(),
        columns=columns,
        left_out=left_out,
        captured=readings_of(verdicts),
        answers=answers,
    )
    matrix.pairs = _pairs(matrix, tell)
    return matrix, outcomes


class _Measured(NamedTuple):
    """The measurements of one client."""

    run: Run
    outcomes: list[Outcome]
    answers: list[Answer]
    verdicts: dict[Captured, Verdict]
    """Of the captured messages."""


def _measured(
    name: str, seed: int, kept: Sequence[Case], tell: Callable[[str], None]
) -> _Measured | str:
    try:
        with _remote(name) as remote:
            cases = inputs(remote.hello.names & set(MESSAGES), seed=seed)
            guarantees = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
            run = conform(remote, cases, guarantees, seed=seed)
        with _remote(name) as remote:  # with time of its own
            outcomes = outcomes_of(remote, kept)
            answers = answers_of(remote, name)
            verdicts = verdicts_of(remote, remote.hello.names)
    except (NoTestee, Unavailable) as reason:
        tell(f"{name}: left out: {reason}")
        return str(reason)
    tell(f"{name}: {run.client} {run.release}, {run.inputs:,} inputs in {run.seconds:.0f} s")
    return _Measured(run, outcomes, answers, verdicts)


def _remote(name: str) -> AbstractContextManager[Remote]:
    return closing(Remote(command(name), LIMITS))


def _pairs(matrix: Matrix, tell: Callable[[str], None]) -> list[Pair]:
    """Return the pairs of all columns that are members of groups."""
    parties = []
    with ExitStack() as stack:
        for column in matrix.columns:
            habits = TESTEES[column.name].habits
            if not habits:
                continue
            try:
                remote = stack.enter_context(_remote(column.name))
            except (NoTestee, Unavailable) as reason:  # it was there a minute ago
                tell(f"{column.name}: left out of the pairs: {reason}")
                continue
            parties.append(Party(column.name, habits, column.run.release, remote))
        found = list(pairs(parties))
    tell(f"{len(found)} pairs of {len(parties)} clients")
    return found
