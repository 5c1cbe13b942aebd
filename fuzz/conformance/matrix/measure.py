"""The measurement of the matrix: every adapter that is available, two at a time, then the pairs of
them. Columns of clients that cannot be had are those of the matrix that was measured before.

`Outcomes` are what each client did with some of the inputs: the data of `kproto lint --readers`. Of
inputs on which all clients did the same the shortest is kept, and all inputs that are known to
break clients.

A committed matrix has a digest of its inputs. Whether the code still judges the clients in the same
way is not read off a digest: tests/fuzz/test_matrix.py measures a part of the matrix anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import NamedTuple

from ....clients.consequences import FAILS, READS, READS_OTHERWISE, REFUSES, TAKES, UNKNOWN
from ....clients.readers import Input, Measured, Reader, traits
from ....escaping import cut
from ...clients import CLIENTS, Unavailable, command
from ...guarantees import comparison as comparing
from ...guarantees.cases import Case, digest
from ...guarantees.table import Scope, of_scope
from ...subject import Failed, Failure, Read, ReadAnswer, Refused, Subject, Unsupported
from ..inputs import inputs
from ..judging import conform
from ..process import ProcessLimits
from ..remote import NoAdapter, Remote
from ..results import ConformanceRun
from .matrix import ADDRESS, MESSAGES, Answer, Column, Matrix, answers_of
from .pairs import (
    Captured,
    Pair,
    Party,
    Verdict,
    keep_older_readings,
    pairs,
    readings_of,
    verdicts_of,
)

LIMITS = ProcessLimits(reply_seconds=4.0, run_seconds=900.0, failures_of_a_kind=0)
"""The limits of an adapter, with more time than usual and failures without end, so that the matrix
has no gaps: a client that dies of many inputs is asked all of them.
"""

_AT_ONCE = 2


def run_matrix(
    names: Sequence[str], *, seed: int = 0, tell: Callable[[str], None] = lambda line: None
) -> tuple[Matrix, Outcomes]:
    """Return the matrix of these adapters; those that are not available are left out. `tell` is
    called with a line for each.
    """
    outcomes = Outcomes.of_inputs(inputs(MESSAGES, seed=seed))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        results = list(pool.map(lambda name: _measured(name, seed, outcomes.inputs, tell), names))
    columns, left_out, answers, verdicts = [], {}, [], {}
    for name, measured in zip(names, results, strict=True):
        if isinstance(measured, str):
            left_out[name] = measured
        else:
            columns.append(Column(name, CLIENTS[name].language, measured.run))
            outcomes.add(name, measured.run, measured.outcomes)
            answers += measured.answers
            verdicts[name] = measured.verdicts
    matrix = Matrix(
        date=datetime.now(UTC).date().isoformat(),
        release=version("kproto"),
        seed=seed,
        digest=digest(inputs(MESSAGES, seed=seed)),
        columns=columns,
        left_out=left_out,
        captured=readings_of(verdicts),
        answers=answers,
    )
    matrix.pairs = _pairs(matrix, tell)
    return matrix, outcomes


class _Measured(NamedTuple):
    """The results of one client."""

    run: ConformanceRun
    outcomes: list[Outcome]
    answers: list[Answer]
    verdicts: dict[Captured, Verdict]
    """Of the captured messages."""


def _measured(
    name: str, seed: int, samples: Sequence[Case], tell: Callable[[str], None]
) -> _Measured | str:
    try:
        with _remote(name) as remote:
            cases = inputs(remote.hello.names & set(MESSAGES), seed=seed)
            guarantees = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
            run = conform(remote, cases, guarantees, seed=seed)
        with _remote(name) as remote:  # with time of its own
            outcomes = outcomes_of(remote, samples)
            answers = answers_of(remote, name)
            verdicts = verdicts_of(remote, remote.hello.names)
    except (NoAdapter, Unavailable) as reason:
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
            habits = CLIENTS[column.name].habits
            if not habits:
                continue
            try:
                remote = stack.enter_context(_remote(column.name))
            except (NoAdapter, Unavailable) as reason:  # it was there a minute ago
                tell(f"{column.name}: left out of the pairs: {reason}")
                continue
            parties.append(Party(column.name, habits, column.run.release, remote))
        results = list(pairs(parties))
    tell(f"{len(results)} pairs of {len(parties)} clients")
    return results


_MOST_BYTES = 200
_LONGEST = 100  # characters of what it said

Outcome = tuple[str, str]
"""What the client does, and its answer."""


@dataclass
class Outcomes:
    """The table of outcomes while it grows."""

    inputs: list[Case]
    readers: list[Reader] = field(default_factory=list)

    @classmethod
    def of_inputs(cls, cases: Sequence[Case]) -> Outcomes:
        """Return a table of the inputs that are kept, without clients."""
        return cls(representatives(cases))

    def add(self, name: str, run: ConformanceRun, outcomes: Sequence[Outcome]) -> None:
        """Add a client's outcomes."""
        does, answers = zip(*outcomes, strict=True)
        self.readers.append(Reader(name, run.client, run.release, does, answers))

    @property
    def measured(self) -> Measured:
        """The table as `kproto lint --readers` reads it, without the clients that have no API for
        most of the inputs.
        """
        inputs = tuple(Input(case.name, case.data) for case in self.inputs)
        readers = tuple(
            reader for reader in self.readers if 2 * reader.does.count(UNKNOWN) <= len(inputs)
        )
        return Measured(datetime.now(UTC).date().isoformat(), inputs, readers)


def representatives(cases: Iterable[Case]) -> list[Case]:
    """Return the inputs that represent all others, in the order of names and bytes."""
    cases_by_key: dict[tuple[str, bytes], Case] = {}
    sorts = set()
    for case in sorted(cases, key=lambda case: (len(case.data), case.data)):
        if case.value is not None or len(case.data) > _MOST_BYTES:
            continue
        sort = (case.name, traits(case.name, case.data))
        if case.kind == "trouble" or sort not in sorts:
            sorts.add(sort)
            cases_by_key[case.name, case.data] = case
    return [cases_by_key[key] for key in sorted(cases_by_key)]


def outcomes_of(subject: Subject, cases: Sequence[Case]) -> list[Outcome]:
    """Return what a subject does with each of the inputs."""
    return [outcome(case, subject.decode(case.name, case.data)) for case in cases]


def outcome(case: Case, answer: ReadAnswer) -> Outcome:
    """Return what an answer amounts to, compared with Kafka's."""
    match answer:
        case Read(value):
            if not case.truth.accept:
                return TAKES, _brief(f"as {comparing.brief(value)}")
            difference = comparing.difference(case.truth.value, value, exactly=False)
            if difference:
                return READS_OTHERWISE, _brief(difference)
            return READS, _not_shown(case, value)
        case Refused(reason):
            return REFUSES, _brief(reason)
        case Failed(Failure.SKIPPED) | Unsupported():
            return UNKNOWN, ""
        case Failed(how, detail):
            return FAILS, _brief(f"{how.value}: {detail}")


_TELLING = ("ownedPartitions", "generationId", "rackId")


def _not_shown(case: Case, answer: dict[str, object]) -> str:
    """Return the fields with a value that the client does not show."""
    value = comparing.meaning(case.truth.value)
    missing = [
        key for key in _TELLING if value.get(key) not in (None, [], -1) and key not in answer
    ]
    return f"shows no {', '.join(missing)}" if missing else ""


def _brief(text: str) -> str:
    return cut(ADDRESS.sub("0x...", " ".join(text.split())), _LONGEST)


def keep_older(matrix: Matrix, older: Matrix, not_asked: Collection[str] = ()) -> None:
    """Add the columns, pairs, readings and answers that an earlier matrix has of the clients that
    this one had to leave out, or was not asked for, and note the date of each.
    """
    order = {name: number for number, name in enumerate(_names(matrix, older))}
    missing = {*matrix.left_out, *not_asked}
    columns = [column for column in older.columns if column.name in missing]
    matrix.older = {column.name: older.older.get(column.name, older.date) for column in columns}
    matrix.columns = sorted([*matrix.columns, *columns], key=lambda column: order[column.name])
    names = {column.name for column in matrix.columns}
    matrix.pairs += [
        pair
        for pair in older.pairs
        if {pair.member, pair.leader} <= names and {pair.member, pair.leader} & matrix.older.keys()
    ]
    matrix.pairs.sort(key=lambda pair: (order[pair.member], order[pair.leader]))
    keep_older_readings(matrix.captured, older.captured, matrix.older)
    matrix.answers += [answer for answer in older.answers if answer.client in matrix.older]


def keep_older_readers(outcomes: Outcomes, matrix: Matrix, older: Measured) -> None:
    """Add the readers that an earlier table has of the clients whose columns are older."""
    for reader in older.readers:
        if reader.name in matrix.older:
            outcomes.readers.append(_of_these_inputs(reader, outcomes, older))
    outcomes.readers.sort(key=lambda reader: reader.name)


def _of_these_inputs(reader: Reader, outcomes: Outcomes, older: Measured) -> Reader:
    keys = [(item.message, item.data) for item in older.inputs]
    by_input = dict(zip(keys, zip(reader.does, reader.said, strict=True), strict=True))
    pairs = [by_input.get((case.name, case.data), (UNKNOWN, "")) for case in outcomes.inputs]
    does, answers = zip(*pairs, strict=True)
    return reader._replace(does=does, said=answers)


def _names(matrix: Matrix, older: Matrix) -> list[str]:
    return sorted({column.name for side in (matrix, older) for column in side.columns})
