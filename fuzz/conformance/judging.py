"""Runs: every input checked against every guarantee; and single questions with their answers."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ...codec import message_class
from ...wording import counted
from ..guarantees import comparison as comparing
from ..guarantees.cases import Case, digest
from ..guarantees.causes import cause_of
from ..guarantees.properties import Broken
from ..guarantees.table import BY_ID, Guarantee
from ..subject import (
    A,
    Failed,
    Failure,
    Read,
    Refused,
    Subject,
    Unsupported,
    Wrapped,
    WriteAnswer,
    Written,
)
from .endurance import SizePair, endurance, pairs_of
from .remote import Incident, Remote
from .results import ConformanceRun, Example, Result

_ABOUT_ANSWERS = ("G01", "G02")
_INDEX = re.compile(r"\[\d+\]")
_MOST_REASONS = 8  # for which inputs were not judged


class _Observed(Wrapped):
    """A subject, and what it left without an answer since `forget`: what it was not asked, what its
    adapter did not answer in the form that the contract has, and what it failed to answer.
    """

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self.forget()

    def forget(self) -> None:
        """Begin again with nothing noted."""
        self.unsupported: list[Unsupported] = []
        self.not_asked: list[str] = []
        self.failures: list[Failed] = []

    def note(self, answer: A) -> A:
        """Note an answer that is none."""
        if isinstance(answer, Unsupported):
            self.unsupported.append(answer)
        match answer:
            case Failed(Failure.SKIPPED, detail):
                self.not_asked.append(detail)
            case Failed(Failure.ADAPTER, detail):
                self.not_asked.append(f"adapter error: {_INDEX.sub('[]', detail)}")
            case Failed():
                self.failures.append(answer)
            case _:
                pass
        return answer


def judge(
    subject: Subject,
    cases: Iterable[Case],
    guarantees: Sequence[Guarantee],
    *,
    begin: Callable[[Case], None] = lambda case: None,
) -> tuple[list[Result], dict[str, list[Case]]]:
    """Return the results of checking all guarantees with all cases, and the cases that were not
    asked, or not to the end, by the reason. `begin` is called with each case before it is asked; a
    case without a kind is asked for the cause of another, however often the subject has failed.
    """
    judgement = _Judgement(subject, begin)
    all_cases = list(cases)
    for case in all_cases:
        judgement.put(case, guarantees)
    results = [judgement.results[key] for key in sorted(judgement.results)]
    judgement.close()
    for result in results:
        for example in result.evidence:
            example.answer = read_line(subject, example.case)
        if not result.checks:
            result.why = _why_not(subject, result, all_cases)
    return results, judgement.omissions


class _Judgement:
    """The results so far."""

    def __init__(self, subject: Subject, begin: Callable[[Case], None]) -> None:
        self._observed = _Observed(subject)
        self._begin = begin
        self._unrefused: dict[int, list[Example]] = defaultdict(list)
        self.results: dict[tuple[str, str], Result] = {}
        self.omissions: dict[str, list[Case]] = {}

    def put(self, case: Case, guarantees: Iterable[Guarantee]) -> None:
        """Check all guarantees with a case."""
        self._begin(case)
        why = ""
        for guarantee in guarantees:
            key = (guarantee.id, case.name)
            if key not in self.results:
                self.results[key] = Result(guarantee, case.name)
            why = self._check(case, self.results[key]) or why
        if why and why not in self.omissions and len(self.omissions) >= _MOST_REASONS:
            why = "adapter error: others like these"
        if why:
            self.omissions.setdefault(why, []).append(case)

    def _check(self, case: Case, result: Result) -> str:
        """Check a guarantee; return why the subject was not asked, "" if it was."""
        observed = self._observed
        observed.forget()
        try:
            is_kept = result.guarantee.check(observed, case)
        except Broken as broken:
            self._note(result, Example(case, str(broken)))
            return ""
        result.passes += is_kept
        if is_kept and result.sample is None:
            result.sample = Example(case, "")
        if is_kept:
            return ""
        result.omissions += bool(observed.not_asked)
        if observed.failures and not observed.not_asked:
            self._note_failure(result, case, observed.failures[0])
        if observed.unsupported and not observed.not_asked:
            result.unsupported += any(answer.is_claimed for answer in observed.unsupported)
            result.lacks = observed.unsupported[0].reason
        return observed.not_asked[0] if observed.not_asked else ""

    def _note(self, result: Result, example: Example) -> None:
        """Note a case that breaks a guarantee, with what that follows from."""
        if result.keeps(example):
            case = example.case
            self._begin(replace(case, kind=""))
            example.follows = self._cause(result.guarantee, case)
            self._begin(case)
        result.note(example)

    def _cause(self, guarantee: Guarantee, case: Case) -> str:
        """Return the guarantee from which it follows that this one is broken. After a question
        without an answer nothing more is asked: each may take as long as a question may."""
        if self._observed.failures:
            return "" if guarantee.id in _ABOUT_ANSWERS else "G01"
        return cause_of(self._observed.subject, guarantee.id, case)

    def _note_failure(self, result: Result, case: Case, failure: Failed) -> None:
        """Note a case that has no answer, by which a guarantee cannot be judged."""
        result.unanswered += 1
        is_the_client = failure.how is not Failure.LIE
        if result.guarantee.demands_refusal and is_the_client and not case.truth.accept:
            complaint = f"neither read nor refused: {failure.how.value}: {failure.detail}"
            example = Example(case, complaint, follows="G01")
            self._unrefused[id(result)].append(example)

    def close(self) -> None:
        """Note what says that bytes are refused as broken where none of them had an answer."""
        for result in self.results.values():
            if not result.checks:
                for example in self._unrefused[id(result)]:
                    result.unanswered -= 1
                    result.note(example)


def _why_not(subject: Subject, result: Result, cases: Sequence[Case]) -> str:
    """Return why nothing was judged, and what would make it judged."""
    guarantee = result.guarantee
    of_message = (case for case in cases if case.name == result.name)
    about = list(islice(filter(guarantee.is_about, of_message), _SAMPLE))
    if not about:
        return guarantee.why_not(message_class(result.name))
    if refusal := _refusal(subject, about):
        return f"the client reads no input that can show it: {refusal}"
    if result.omissions:
        return "no input that can show it was judged; the last lines say why"
    if result.lacks:
        return f"the client has no API for it: {result.lacks}"
    needs = _NEEDS.get(guarantee.id, "the fields that it is about")
    return f"the replies omit {needs}; add that to have it judged"


def _refusal(subject: Subject, cases: Iterable[Case]) -> str:
    """Return why the subject reads none of some messages that Apache Kafka reads; "" if it reads
    one, or Kafka reads none.
    """
    reason = ""
    for case in cases:
        if case.value is not None or not case.truth.accept:
            continue
        answer = subject.decode(case.name, case.data, case.version)
        match answer:
            case Read() | Unsupported():
                return ""
            case Failed(Failure.SKIPPED | Failure.ADAPTER):
                continue
            case _:
                reason = reason or _did_not(answer)
    return reason


_SAMPLE = 20  # inputs that can show a guarantee

_NEEDS = {
    "G05": "the fields that newer versions add",
    "G14": "userData",
    "G20": "the fields that may be null",
    "G22": "the version",
    "G28": "the name of the error, as in 'DecodeError: cut'",
}
"""What replies have to show for a guarantee to be judged."""


def conform(
    remote: Remote,
    cases: Sequence[Case],
    guarantees: Sequence[Guarantee],
    *,
    seed: int,
    lasting: bool = True,
    pairs: Sequence[SizePair] | None = None,
) -> ConformanceRun:
    """Return the run of an adapter. A `lasting` one is asked the same questions over and over,
    and ever longer ones, for what grows over a run and with the square of the input; `pairs` are
    those of the longer ones that are asked, by default all.
    """

    def begin(case: Case) -> None:
        remote.kind = case.kind

    results, omissions = judge(remote, cases, guarantees, begin=begin)
    for case in cases:
        if case.value is not None and not any(row.is_about(case) for row in guarantees):
            begin(case)
            _write(remote, case)  # it may die of it, which is about any value
    sized = pairs_of(remote.hello.names) if pairs is None else pairs
    unmeasured = endurance(remote, cases, sized) if lasting else []
    _note_incidents(remote, results)
    _note_doubts(remote.command, results)
    failures: Counter[str] = Counter()
    for (_, how), count in remote.failures.items():
        failures[how.value] += count
    remote.remarks += _other_ways(remote.incidents, results)
    counts_by_kind = Counter(case.kind for cases in omissions.values() for case in cases)
    return ConformanceRun(
        client=remote.hello.client,
        release=remote.hello.release,
        command=remote.command,
        seed=seed,
        names=tuple(sorted({case.name for case in cases})),
        results=results,
        inputs=len(cases),
        seconds=remote.seconds,
        skipped=dict(counts_by_kind),
        failures=dict(failures),
        remarks=list(remote.remarks),
        digest=digest(cases),
        omissions={why: len(cases) for why, cases in omissions.items()},
        remedy=remote.remedy(len(cases), sum(counts_by_kind.values())),
        latency=remote.latency(),
        unmeasured=unmeasured,
    )


def _note_incidents(remote: Remote, results: list[Result]) -> None:
    """Note what the adapter did beside its answers, unless a check has seen it: it dies while it
    writes, or of a question that only another guarantee asks, and not again.
    """
    for guarantee_id, case, complaint, advice in remote.incidents:
        guarantee = BY_ID[guarantee_id]
        matching = (r for r in results if r.guarantee is guarantee and r.name == case.name)
        result = next(matching, None)
        if result is None:
            result = Result(guarantee, case.name)
            results.append(result)
            results.sort(key=lambda result_: (result_.guarantee.id, result_.name))
        if case.id not in result.breaking:
            result.note(Example(case, complaint, advice=advice))
            result.why = ""


def _note_doubts(command: Sequence[str], results: Iterable[Result]) -> None:
    """Say of an example without an answer that the client or its adapter may be the reason."""
    for result in results:
        for example in result.examples if result.guarantee is _ANSWERS else ():
            if not example.advice and _may_be_adapters(example.complaint, command):
                example.advice = f"{_DOUBT} {result.guarantee.fix}"


def _may_be_adapters(complaint: str, command: Sequence[str]) -> bool:
    """Return whether a process gave no answer, and named no place outside of its adapter's files:
    those of the command, and those that `--init` writes."""
    if _NO_ANSWER.match(complaint) is None:
        return False
    place = _PLACE.search(complaint)
    files = {Path(word).name for word in command}
    return place is None or place[1] in files or _WRITTEN_BY_INIT.fullmatch(place[1]) is not None


_ANSWERS = BY_ID["G01"]
_NO_ANSWER = re.compile(
    "|".join(how.value for how in (Failure.CRASH, Failure.HANG, Failure.FLOOD, Failure.MEMORY))
)
_PLACE = re.compile(r", at ([^\s/:]+):\d+\Z")
_WRITTEN_BY_INIT = re.compile(r"(?i)(?:adapter|calls)\.\w+")
_DOUBT = (
    "find out whether the client or its adapter did that, which is not known: ask for this input "
    "alone, with --ask, and look at the standard error. If it was the client:"
)


def _other_ways(incidents: Sequence[Incident], results: Sequence[Result]) -> list[str]:
    """Return the failures that are of another sort than those that the results show: a report has
    the shortest input of each guarantee, and an adapter may die of several things.
    """
    sorts = {_sort(example.complaint) for result in results for example in result.examples}
    by_sort: dict[str, Incident] = {}
    for incident in incidents:
        by_sort.setdefault(_sort(incident.complaint), incident)
    new = (incident for sort, incident in by_sort.items() if sort not in sorts)
    return [
        f"{complaint} (input {case.id})" for _, case, complaint, _ in islice(new, _MOST_REASONS)
    ]


def _sort(complaint: str) -> str:
    """Return what complaints about different inputs have in common."""
    return _NUMBER.sub("0", complaint.replace(" (decode)", ""))


_NUMBER = re.compile(r"[0-9a-f]*[0-9][0-9a-f]*")


def parse_question(text: str, name: str, version: int | None = None) -> Case:
    """Return the case of a question: bytes in hex, or a value in Kafka's JSON form to be written.
    Raises ValueError for anything else.
    """
    if text.lstrip().startswith("{"):
        return Case(name, b"", version or 0, value=json.loads(text))
    return Case(name, bytes.fromhex(text), version)


def answer_line(subject: Subject, case: Case) -> str:
    """Return a subject's answer to a question, in a line."""
    return read_line(subject, case) if case.value is None else wrote(subject, case)


def read_line(subject: Subject, case: Case) -> str:
    """Return a subject's answer to the bytes of a case, in a line; "" if the case has none."""
    if case.value is not None:
        return ""
    answer = subject.decode(case.name, case.data, case.version)
    if isinstance(answer, Read):
        front = "" if answer.version is None else f" version {comparing.brief(answer.version)}"
        left = f", {counted(len(answer.remainder), 'byte')} left" if answer.remainder else ""
        return f"reads{front} {comparing.as_json(answer.value)}{left}"
    return _did_not(answer)


def wrote(subject: Subject, case: Case) -> str:
    """Return what a subject writes for the value of a case, in a line."""
    answer = _write(subject, case)
    return f"writes {answer.data.hex()}" if isinstance(answer, Written) else _did_not(answer)


def _write(subject: Subject, case: Case) -> WriteAnswer:
    assert case.value is not None and case.version is not None
    return subject.encode(case.name, case.version, case.value)


def _did_not(answer: Refused | Failed | Unsupported) -> str:
    match answer:
        case Refused(reason):
            return f"refuses: {reason}"
        case Failed(how, detail):
            return f"{how.value}: {detail}"
        case Unsupported(what):
            return f"has no way to that: {what}"
