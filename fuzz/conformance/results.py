"""The results of a run: of each guarantee and message, and of the whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..guarantees.cases import Case
from ..guarantees.table import Guarantee, Scope

_EXAMPLES = 3

FLOOR = 0.1
"""The share of the inputs that a guarantee is about which must be answered for a verdict, where the
testee names the operation; the rest may be unsupported.
"""


@dataclass
class Example:
    """An input, what is wrong ("" if the guarantee held), and the answer to it."""

    case: Case
    complaint: str
    answer: str = ""


@dataclass
class Result:
    """The result of one guarantee for one message."""

    guarantee: Guarantee
    name: str
    passes: int = 0
    violations: int = 0
    examples: list[Example] = field(default_factory=list)
    """The shortest inputs that broke it."""
    sample: Example | None = None
    """The first input with which it held."""
    omissions: int = 0
    """How many more inputs have to do with it, and were not put to the testee."""
    unsupported: int = 0
    """How many more inputs have to do with it, for which the testee says that it has no API."""
    lacks: str = ""
    """What the testee has no API for, in words; "" if it has all that was asked for."""
    why: str = ""
    """Why nothing was judged, and what would make it judged; "" if something was."""
    breaking: set[str] = field(default_factory=set)
    """The ids of the inputs that broke it."""

    @property
    def judged(self) -> int:
        """How many inputs were checked."""
        return self.passes + self.violations

    @property
    def evidence(self) -> list[Example]:
        """The examples that are kept: those that broke it, else the sample."""
        return [*self.examples, *([self.sample] if self.sample else [])]

    def note(self, case: Case, complaint: str) -> None:
        """Note that a case breaks the guarantee; the shortest cases are kept."""
        self.violations += 1
        self.breaking.add(case.id)
        self.examples.append(Example(case, complaint))
        self.examples.sort(key=lambda example: (len(example.case.data), example.case.data))
        del self.examples[_EXAMPLES:]


@dataclass
class Run:
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
    """How many inputs the testee was not asked about, by kind."""
    failures: dict[str, int] = field(default_factory=dict)
    """How often it failed to answer, by `Failure`."""
    remarks: list[str] = field(default_factory=list)
    digest: str = ""
    """The digest of all inputs of the run (`inputs.digest`)."""
    omissions: dict[str, int] = field(default_factory=dict)
    """How many inputs were not asked, or not to the end, by the reason."""
    remedy: str = ""
    """What to do about inputs that were left; "" if none were."""
    unmeasured: list[str] = field(default_factory=list)
    """What else was not measured, and why."""
    latency: dict[str, float] = field(default_factory=dict)
    """Seconds of an answer: the median, the 90th and the 99th percentile, and the slowest."""

    def judged(self, scope: Scope) -> bool:
        """Return whether any guarantee of this scope was judged."""
        return any(result.judged for result in self.results if result.guarantee.scope is scope)

    def below_floor(self) -> list[tuple[Guarantee, int, int]]:
        """Return the guarantees that were judged with too few inputs for a verdict, each with how
        many those were, and how many have to do with it; `FLOOR` says how few are too few.
        """
        found = []
        for guarantee, results in self.by_guarantee():
            judged = sum(result.judged for result in results)
            concerned = judged + sum(result.unsupported for result in results)
            if judged < concerned * FLOOR:
                found.append((guarantee, judged, concerned))
        return found

    @property
    def incomplete(self) -> str:
        """One line that says what was left and why; "" if nothing was."""
        omissions = self.omissions.items()
        parts = [f"{count:,} of {self.inputs:,} inputs: {why}" for why, count in omissions]
        parts += self.unmeasured
        parts += [
            f"{guarantee.id}: {judged:,} of {concerned:,} inputs were answered, the others are "
            f"unsupported; {FLOOR:.0%} is the least"
            for guarantee, judged, concerned in self.below_floor()
        ]
        remedy = f" ({self.remedy})" if self.remedy and (self.omissions or self.unmeasured) else ""
        return f"{'; '.join(parts)}{remedy}" if parts else ""

    def by_guarantee(self) -> list[tuple[Guarantee, list[Result]]]:
        """Return the results of each guarantee, in the table's order."""
        found: dict[str, list[Result]] = {}
        for result in self.results:
            found.setdefault(result.guarantee.id, []).append(result)
        return [(results[0].guarantee, results) for _, results in sorted(found.items())]

    def worst(self, guarantee_id: str) -> Example | None:
        """Return the shortest input that broke a guarantee."""
        examples = [
            example
            for r in self.results
            if r.guarantee.id == guarantee_id
            for example in r.examples
        ]
        return min(
            examples, key=lambda example: (len(example.case.data), example.case.data), default=None
        )
