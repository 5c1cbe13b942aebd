"""The results of a run, of each guarantee and message and of the whole, and its status with a file
of expected failures.

A line of that file names a guarantee, a message (or none, for all of them), and after a `#` the
reason:

    G25                                # refuses invalid UTF-8, on purpose
    G23 ConsumerProtocolSubscription   # null topics become None: issue 2305

A failure in the file does not fail the run. A guarantee in the file that holds does: the file has
to be true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from ...codec.runtime.registry import built_in_names
from ..guarantees.cases import Case
from ..guarantees.table import BY_ID, GUARANTEES, Guarantee, Scope

_EXAMPLES = 3

FLOOR = 0.1
"""The share of the inputs that a guarantee is about which must be answered for a verdict, where the
adapter names the operation; the rest may be unsupported.
"""


@dataclass
class Example:
    """An input, what is wrong ("" if the guarantee held), and the answer to it."""

    case: Case
    complaint: str
    answer: str = ""
    advice: str = ""
    """What to change in the client; "" for what the guarantee says of it."""
    follows: str = ""
    """The id of the guarantee from which it follows that this one is broken; "" if from none."""

    @property
    def rank(self) -> tuple[bool, int, bytes]:
        """How little the example tells: the shortest of those that follow from nothing is first."""
        return bool(self.follows), len(self.case.data), self.case.data


@dataclass
class Result:
    """The result of one guarantee for one message."""

    guarantee: Guarantee
    name: str
    passes: int = 0
    violations: int = 0
    examples: list[Example] = field(default_factory=list)
    """The shortest inputs that broke it, first those that break no other on the way."""
    sample: Example | None = None
    """The first input with which it held."""
    omissions: int = 0
    """How many more inputs have to do with it, and were not put to the adapter."""
    unsupported: int = 0
    """How many more inputs have to do with it, for which the adapter says that it has no API."""
    unanswered: int = 0
    """How many more inputs have to do with it, to which the client gave no answer."""
    lacks: str = ""
    """What the adapter has no API for, in words; "" if it has all that was asked for."""
    why: str = ""
    """Why nothing was judged, and what would make it judged; "" if something was."""
    breaking: set[str] = field(default_factory=set)
    """The ids of the inputs that broke it."""

    @property
    def checks(self) -> int:
        """How many inputs were checked."""
        return self.passes + self.violations

    @property
    def evidence(self) -> list[Example]:
        """The examples that are kept: those that broke it, else the sample."""
        return [*self.examples, *([self.sample] if self.sample else [])]

    @property
    def follows(self) -> str:
        """The guarantee from which it follows in every case that this one is broken."""
        return self.examples[0].follows if self.examples else ""

    def keeps(self, example: Example) -> bool:
        """Return whether an example would be one of those that are kept."""
        return len(self.examples) < _EXAMPLES or example.rank < self.examples[-1].rank

    def note(self, example: Example) -> None:
        """Note a case that breaks the guarantee; the examples that tell most are kept."""
        self.violations += 1
        self.breaking.add(example.case.id)
        self.examples.append(example)
        self.examples.sort(key=lambda example: example.rank)
        del self.examples[_EXAMPLES:]


@dataclass
class ConformanceRun:
    """The results of a run."""

    client: str
    release: str
    command: tuple[str, ...]
    seed: int
    names: tuple[str, ...]
    results: list[Result]
    inputs: int
    seconds: float
    skipped: dict[str, int] = field(default_factory=dict)
    """How many inputs the adapter was not asked about, by kind."""
    failures: dict[str, int] = field(default_factory=dict)
    """How often it failed to answer, by `Failure`."""
    remarks: list[str] = field(default_factory=list)
    digest: str = ""
    """The digest of all inputs of the run (`cases.digest`)."""
    omissions: dict[str, int] = field(default_factory=dict)
    """How many inputs were not asked, or not to the end, by the reason."""
    remedy: str = ""
    """What to do about inputs that were left; "" if none were."""
    unmeasured: list[str] = field(default_factory=list)
    """What else was not measured, and why."""
    latency: dict[str, float] = field(default_factory=dict)
    """Seconds of an answer: the median, the 90th and the 99th percentile, and the slowest."""

    def has_verdicts(self, scope: Scope) -> bool:
        """Return whether any guarantee of this scope was judged."""
        return any(result.checks for result in self.results if result.guarantee.scope is scope)

    def below_floor(self) -> list[tuple[Guarantee, int, int]]:
        """Return the guarantees that were judged with too few inputs for a verdict, each with how
        many those were, and how many have to do with it; `FLOOR` says how few are too few.
        """
        guarantees = []
        for guarantee, results in self.by_guarantee():
            checks = sum(result.checks for result in results)
            concerned = checks + sum(result.unsupported for result in results)
            if checks < concerned * FLOOR:
                guarantees.append((guarantee, checks, concerned))
        return guarantees

    @property
    def incomplete(self) -> str:
        """One line that says what was left and why; "" if nothing was."""
        omissions = self.omissions.items()
        parts = [f"{count:,} of {self.inputs:,} inputs: {why}" for why, count in omissions]
        parts += self.unmeasured
        parts += [
            f"{guarantee.id}: {checks:,} of {concerned:,} inputs were answered, the others are "
            f"unsupported; {FLOOR:.0%} is the least"
            for guarantee, checks, concerned in self.below_floor()
        ]
        remedy = f" ({self.remedy})" if self.remedy and (self.omissions or self.unmeasured) else ""
        return f"{'; '.join(parts)}{remedy}" if parts else ""

    def results_of(self, guarantee: Guarantee) -> list[Result]:
        """Return the results of a guarantee, one a message."""
        return [result for result in self.results if result.guarantee is guarantee]

    def breaks(self, guarantee: Guarantee) -> bool:
        """Return whether any result shows a guarantee broken."""
        return any(result.violations for result in self.results_of(guarantee))

    def by_guarantee(self) -> list[tuple[Guarantee, list[Result]]]:
        """Return the results of each guarantee, in the table's order."""
        results_by_id: dict[str, list[Result]] = {}
        for result in self.results:
            results_by_id.setdefault(result.guarantee.id, []).append(result)
        return [(results[0].guarantee, results) for _, results in sorted(results_by_id.items())]

    def worst(self, guarantee_id: str) -> Example | None:
        """Return the shortest input that broke a guarantee."""
        examples = [
            example
            for r in self.results
            if r.guarantee.id == guarantee_id
            for example in r.examples
        ]
        return min(examples, key=lambda example: example.rank, default=None)


def judged_guarantees(runs: Iterable[ConformanceRun]) -> list[Guarantee]:
    """Return the guarantees that any of the runs judged, in the table's order."""
    ids = {result.guarantee.id for run in runs for result in run.results if result.checks}
    return [guarantee for guarantee in GUARANTEES if guarantee.id in ids]


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
    expectations = []
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
        expectations.append(Expected(guarantee, words[1] if len(words) == 2 else "", why.strip()))
    return tuple(expectations)


def to_expected(results: Iterable[Result]) -> str:
    """Return the lines of a file in which every violation of these results is expected."""
    broken = {(result.guarantee.id, result.name): result for result in results if result.violations}
    return "".join(
        f"{guarantee} {name}  # {result.guarantee.title}\n"
        for (guarantee, name), result in sorted(broken.items())
    )


def status_of(result: Result, expectations: Sequence[Expected]) -> Status:
    """Return the status of one result; a line without a message counts over all of them
    (`status_of_all`).
    """
    if result.violations:
        covered = any(expectation.covers(result) for expectation in expectations)
        return Status.EXPECTED if covered else Status.BROKEN
    if result.omissions:
        return Status.INCOMPLETE
    if not result.checks:
        return Status.NOT_JUDGED
    is_named = any(expectation.covers(result) and expectation.name for expectation in expectations)
    return Status.UNEXPECTED_PASS if is_named else Status.HELD


def status_of_all(results: Iterable[Result], expectations: Sequence[Expected]) -> Status:
    """Return the status of one guarantee over all messages: the worst of them."""
    all_results = list(results)
    statuses = {status_of(result, expectations) for result in all_results}
    everywhere = any(
        not e.name and e.covers(result) for result in all_results for e in expectations
    )
    if everywhere and statuses <= {Status.HELD, Status.NOT_JUDGED} and Status.HELD in statuses:
        return Status.UNEXPECTED_PASS
    return next((status for status in _WORST_FIRST if status in statuses), Status.NOT_JUDGED)


_WORST_FIRST = (
    Status.BROKEN,
    Status.UNEXPECTED_PASS,
    Status.EXPECTED,
    Status.INCOMPLETE,
    Status.HELD,
)


def ids_of(
    run: ConformanceRun, expectations: Sequence[Expected], status: Status, *scopes: Scope
) -> list[str]:
    """Return the ids of the guarantees of some scopes that have a status."""
    return [
        guarantee.id
        for guarantee, results in run.by_guarantee()
        if guarantee.scope in scopes and status_of_all(results, expectations) is status
    ]


def is_failure(
    run: ConformanceRun, expectations: Sequence[Expected], *, recommended: bool = False
) -> bool:
    """Return whether the run fails: a required guarantee is broken, the file is wrong, or no
    required guarantee was judged at all.

    With `recommended`, broken recommended guarantees count too. A run that could not ask everything
    is `Run.incomplete`, which is another matter.
    """
    counts = (Scope.REQUIRED, Scope.RECOMMENDED) if recommended else (Scope.REQUIRED,)
    required = any(result.guarantee.scope is Scope.REQUIRED for result in run.results)
    if required and not run.has_verdicts(Scope.REQUIRED) and not run.omissions:
        return True
    return bool(
        ids_of(run, expectations, Status.BROKEN, *counts)
        or ids_of(run, expectations, Status.UNEXPECTED_PASS, *Scope)
    )


def exit_status(run: ConformanceRun, expectations: Sequence[Expected], *, recommended: bool) -> int:
    """Return the exit status of a run: `FAILED`, `INCOMPLETE`, or 0."""
    if is_failure(run, expectations, recommended=recommended):
        return FAILED
    return INCOMPLETE if run.incomplete else 0
