"""Run the matrix: every testee that can be had, two at a time, and then the pairs of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version

from ..guarantees import Scope, of_scope
from ..testees import TESTEES, Unavailable, command
from .inputs import inputs
from .judging import Run, conform
from .limits import Limits
from .matrix import MESSAGES, Column, Matrix
from .outcomes import Outcome, Outcomes, outcomes_of
from .pairs import Pair, Party, pairs
from .remote import NoTestee, Remote

LIMITS = Limits(reply_seconds=4.0, run_seconds=90.0, failures_of_a_kind=8)
"""As for any testee, but it is asked on for longer after it failed: the matrix is to be full."""

_AT_ONCE = 2


def run_matrix(
    names: Sequence[str], *, seed: int = 0, tell: Callable[[str], None] = lambda line: None
) -> tuple[Matrix, Outcomes]:
    """Measure these testees; `tell` is given a line for each. What cannot be had is left out."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = list(pool.map(lambda name: _measured(name, seed, tell), names))
    columns, left_out, outcomes = [], {}, Outcomes.of_inputs(inputs(MESSAGES, seed=seed))
    for name, one in zip(names, found, strict=True):
        if isinstance(one, str):
            left_out[name] = one
        else:
            columns.append(Column(name, TESTEES[name].language, one[0]))
            outcomes.add(name, one[0], one[1])
    matrix = Matrix(
        date=datetime.now(UTC).date().isoformat(),
        release=version("kproto"),
        seed=seed,
        columns=columns,
        left_out=left_out,
    )
    matrix.pairs = _pairs(matrix, tell)
    return matrix, outcomes


def _measured(name: str, seed: int, tell: Callable[[str], None]) -> tuple[Run, list[Outcome]] | str:
    try:
        with _remote(name) as remote:
            cases = inputs(remote.hello.names & set(MESSAGES), seed=seed)
            guarantees = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
            run = conform(remote, cases, guarantees, seed=seed)
            answers = outcomes_of(remote, inputs(MESSAGES, seed=seed))
    except (NoTestee, Unavailable) as reason:
        tell(f"{name}: left out: {reason}")
        return str(reason)
    tell(f"{name}: {run.client} {run.release}, {run.inputs:,} inputs in {run.seconds:.0f} s")
    return run, answers


@contextmanager
def _remote(name: str) -> Iterator[Remote]:
    remote = Remote(command(name), LIMITS)
    try:
        yield remote
    finally:
        remote.close()


def _pairs(matrix: Matrix, tell: Callable[[str], None]) -> list[Pair]:
    """The pairs of all columns that are members of groups."""
    remotes, parties = [], []
    try:
        for column in matrix.columns:
            habits = TESTEES[column.name].habits
            if habits:
                remotes.append(Remote(command(column.name), LIMITS))
                parties.append(Party(column.name, habits, column.run.release, remotes[-1]))
        found = list(pairs(parties))
    finally:
        for remote in remotes:
            remote.close()
    tell(f"{len(found)} pairs of {len(parties)} clients")
    return found
