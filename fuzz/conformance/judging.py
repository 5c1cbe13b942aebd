"""Runs: every input checked against every guarantee, and the results."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ..guarantees import comparison as comparing
from ..guarantees.cases import Case
from ..guarantees.properties import Broken
from ..guarantees.table import Guarantee, Scope
from ..subject import Failed, Read, Refused, Subject, Unsupported, Written
from .client.remote import Remote

_EXAMPLES = 3


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
    held: int = 0
    broken: int = 0
    examples: list[Example] = field(default_factory=list)
    """The shortest inputs that broke it."""
    sample: Example | None = None
    """The first input with which it held."""

    @property
    def judged(self) -> int:
        """How many inputs were checked."""
        return self.held + self.broken

    @property
    def evidence(self) -> list[Example]:
        """The examples that are kept: those that broke it, else the sample."""
        return [*self.examples, *([self.sample] if self.sample else [])]

    def note(self, case: Case, complaint: str) -> None:
        """Note that a case breaks the guarantee; the shortest cases are kept."""
        self.broken += 1
        self.examples.append(Example(case, complaint))
        self.examples.sort(key=lambda one: (len(one.case.data), one.case.data))
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

    def judged(self, scope: Scope) -> bool:
        """Return whether any guarantee of this scope was judged."""
        return any(result.judged for result in self.results if result.guarantee.scope is scope)

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
        return min(examples, key=lambda one: (len(one.case.data), one.case.data), default=None)


def judge(
    subject: Subject,
    cases: Iterable[Case],
    guarantees: Sequence[Guarantee],
    *,
    skip: Callable[[Case], bool] = lambda case: False,
) -> tuple[list[Result], Counter[str]]:
    """Return the results of checking all guarantees with all cases. `skip` says which cases are
    left out, and is called with each before it is asked; those are counted by kind.
    """
    results: dict[tuple[str, str], Result] = {}
    skipped: Counter[str] = Counter()
    for case in cases:
        if skip(case):
            skipped[case.kind] += 1
            continue
        for guarantee in guarantees:
            key = (guarantee.id, case.name)
            if key not in results:
                results[key] = Result(guarantee, case.name)
            _put(subject, case, results[key])
    for result in results.values():
        for example in result.evidence:
            example.answer = said(subject, example.case)
    return [results[key] for key in sorted(results)], skipped


def _put(subject: Subject, case: Case, result: Result) -> None:
    try:
        held = result.guarantee.check(subject, case)
    except Broken as broken:
        result.note(case, str(broken))
        return
    result.held += held
    if held and result.sample is None:
        result.sample = Example(case, "")


def asked(text: str, name: str, version: int | None = None) -> Case:
    """Return the case of a question: bytes in hex, or a value in Kafka's JSON form to be written.
    Raises ValueError for anything else.
    """
    if text.lstrip().startswith("{"):
        return Case(name, b"", version or 0, value=json.loads(text))
    return Case(name, bytes.fromhex(text), version)


def answered(subject: Subject, case: Case) -> str:
    """Return a subject's answer to a question, in a line."""
    return said(subject, case) if case.value is None else wrote(subject, case)


def said(subject: Subject, case: Case) -> str:
    """Return a subject's answer to the bytes of a case, in a line; "" if the case has none."""
    if case.value is not None:
        return ""
    answer = subject.decode(case.name, case.data, case.version)
    if isinstance(answer, Read):
        label = "" if answer.version is None else f" version {comparing.brief(answer.version)}"
        left = f", {len(answer.remainder)} bytes left" if answer.remainder else ""
        return f"reads{label} {answer.value!r}{left}"
    return _did_not(answer)


def wrote(subject: Subject, case: Case) -> str:
    """Return what a subject writes for the value of a case, in a line."""
    assert case.value is not None and case.version is not None
    answer = subject.encode(case.name, case.version, case.value)
    return f"writes {answer.data.hex()}" if isinstance(answer, Written) else _did_not(answer)


def _did_not(answer: Refused | Failed | Unsupported) -> str:
    match answer:
        case Refused(reason):
            return f"refuses: {reason}"
        case Failed(how, detail):
            return f"{how.value}: {detail}"
        case Unsupported(what):
            return f"has no way to that: {what}"


def conform(
    remote: Remote, cases: Sequence[Case], guarantees: Sequence[Guarantee], *, seed: int
) -> Run:
    """Return the run of a testee."""
    start = time.monotonic()

    def skip(case: Case) -> bool:
        remote.kind = case.kind
        return remote.out_of_time or remote.given_up(case.kind)

    results, skipped = judge(remote, cases, guarantees, skip=skip)
    if remote.out_of_time:
        remote.remarks.append("time was up before all inputs had been put to it")
    failures: Counter[str] = Counter()
    for (_, how), count in remote.failures.items():
        failures[how.value] += count
    return Run(
        client=remote.hello.client,
        release=remote.hello.release,
        command=remote.command,
        seed=seed,
        names=tuple(sorted({case.name for case in cases})),
        results=results,
        inputs=len(cases),
        seconds=time.monotonic() - start,
        skipped=dict(skipped),
        failures=dict(failures),
        remarks=list(remote.remarks),
    )
