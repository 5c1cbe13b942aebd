"""Rules as data: a `Rule` is asked at each record of a classic group, an `EndRule` once for each
group, a `FleetRule` once for all groups. What a rule finds is a `Sign`, of which a finding is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

import msgspec

from ...codec import KprotoError
from ...history.finding_sentences import duration_text
from .findings import Basis, Finding, Severity, Sign, blame, finding_id
from .group_end import GroupEnd
from .window import Memory, Window

if TYPE_CHECKING:
    import pyarrow as pa


class Fleet(NamedTuple):
    """All groups: rows of the tables `current` and `rebalances`."""

    current: pa.Table
    rebalances: pa.Table


Predicate: TypeAlias = Callable[[Window, Mapping[str, float]], Iterator[Sign]]
EndPredicate: TypeAlias = Callable[[GroupEnd, Mapping[str, float]], Iterator[Sign]]
CandidateRows: TypeAlias = "Callable[[pa.Table, Mapping[str, float]], pa.ChunkedArray]"
FleetPredicate: TypeAlias = Callable[[Fleet, Mapping[str, float]], Iterator[Sign]]


@cache
def arrow_compute() -> Any:
    """Return `pyarrow.compute`, for rules that are asked about tables. It is imported here alone:
    `kproto explain` says what a rule is where there is no Arrow.
    """
    import pyarrow.compute

    return pyarrow.compute


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value >= 0


def _number(value: float) -> str:
    return f"{value:,g}"


def _share(value: float) -> str:
    return f"{value * 100:g} %"


_QUANTITIES: Mapping[str, Callable[[float], str]] = {
    **dict.fromkeys(("seconds", "common_seconds", "quiet", "hopeless"), duration_text),
    "hours": lambda value: duration_text(value * 3600),
    "days": lambda value: duration_text(value * 86_400),
    "megabytes": lambda value: f"{value:,g} MB",
    "share": _share,
    "above": _share,
}
"""How the thresholds of these names are written in a sentence."""


@dataclass(frozen=True, kw_only=True)
class AnyRule:
    """A rule as data: what it looks for, why, and what to do where it finds it."""

    id: str
    title: str
    severity: Severity
    basis: Basis
    meaning: str
    """What it means for a running group."""
    source: str
    """The KIP, the bug, or the measurement."""
    predicate: str
    """In words, exactly; a threshold as `name`."""
    next_action: str
    inputs: tuple[str, ...] = ("history",)
    """What it needs: "history" (the topic's records), "commits", "topics" (partition counts),
    "ends" (where partitions end), "states" (the broker's own account of its groups), "settings"
    (those of the groups' clients), "changes" (records of several times)."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    is_of_changes: bool = False
    """Whether it compares what is recorded at different times: one look says nothing then."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "severity", Severity(self.severity))
        object.__setattr__(self, "basis", Basis(self.basis))
        for name, value in self.thresholds.items():
            if isinstance(value, bool) or not _is_number(value):
                raise ValueError(f"{self.id}: {name} is {value!r}; a number from 0 on is wanted")

    @property
    def condition(self) -> str:
        """The predicate with the numbers of its thresholds."""
        text = self.predicate
        for name, value in self.thresholds.items():
            if value == 1:
                text = text.replace(f"`{name}` times", "once")
            text = text.replace(f"`{name}`", _QUANTITIES.get(name, _number)(value))
        return text

    @cached_property
    def inputs_needed(self) -> frozenset[str]:
        """Return `inputs` as a set."""
        return frozenset(self.inputs)

    def tuned(self, **thresholds: float) -> Self:
        """Return the same rule with other thresholds. Raises `ValueError` for one that it lacks,
        and for what is no finite number from 0 on.
        """
        unknown = thresholds.keys() - self.thresholds.keys()
        if unknown:
            raise ValueError(f"{self.id} has no threshold {', '.join(sorted(unknown))}")
        return replace(self, thresholds={**self.thresholds, **thresholds})


@dataclass(frozen=True, kw_only=True)
class Rule(AnyRule):
    """A rule that is asked at every record of a classic group.

    A rule that `fades` is over so many seconds after it was last true, whatever is recorded since.
    """

    find: Predicate
    settles: bool = False
    """Whether it has nothing to say of a repetition at rest: see `repetition`."""
    memory: Callable[[Mapping[str, float]], Memory] | None = None
    """Makes what the rule remembers of a group, with these thresholds; None where a record and the
    one before it are enough. One with `rests` (as in `stretch`) decides which repetitions are
    read."""
    fades: str | float | None = None
    """Seconds, or the threshold that has them."""
    is_of_epochs: bool = False
    """Whether it is asked at the epochs of groups whose broker assigns, too."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.memory is not None:
            object.__setattr__(self, "is_of_changes", True)

    @cached_property
    def is_settled(self) -> bool:
        """Whether it settles with these thresholds: with one of 0 it may speak of what has not
        happened.
        """
        return self.settles and all(self.thresholds.values())

    @property
    def lasts(self) -> float | None:
        """The seconds after which a finding is over; None where only a record ends it."""
        return self.thresholds[self.fades] if isinstance(self.fades, str) else self.fades


@dataclass(frozen=True, kw_only=True)
class EndRule(AnyRule):
    """A rule that is asked once for a group, at the end.

    One that is `late` goes by commits alone, and by how long ago they are: it is asked when all
    partitions of the topic have been read, of which some may have been silent for long.
    """

    find: EndPredicate
    late: bool = False
    candidates: CandidateRows | None = None
    """Selects rows of the table `lag`. Where the rule finds something in a group, one of its rows
    is selected: an audit does not ask the rule about other groups. Without it, the rule is asked
    about every group."""


@dataclass(frozen=True, kw_only=True)
class FleetRule(AnyRule):
    """A rule that is asked once, about all groups together."""

    find: FleetPredicate


def lacking(rule: AnyRule, inputs: frozenset[str]) -> frozenset[str]:
    """Return the inputs that a rule needs and that are missing. A rule that lacks any is not
    evaluated.
    """
    return rule.inputs_needed - inputs


class RuleFailed(KprotoError):
    """A rule, of a user or ours, that raised an exception or returned no signs."""


def signs(
    rule: AnyRule,
    find: Callable[..., Iterable[Sign]],
    about: str,
    *arguments: object,
    late: bool = False,
) -> list[Sign]:
    """Return what a rule finds, each sign with evidence that JSON can hold, and with its cause in
    words, which `late` leaves to `with_cause`. Raises `RuleFailed` where the rule fails, or returns
    anything but signs.
    """
    try:
        raw_signs = [*find(*arguments, rule.thresholds)]  # nearly always none
        finished = [_finished(rule, sign) for sign in raw_signs] if raw_signs else []
    except Exception as error:
        raise _failure_of(rule, about, error) from error
    return finished if late else [with_cause(rule, sign, about) for sign in finished]


def with_cause(rule: AnyRule, sign: Sign, about: str) -> Sign:
    """Return a sign with its cause in words and as evidence; a cause that is a function is found.
    Raises `RuleFailed` where that fails."""
    try:
        cause = sign.cause() if callable(sign.cause) else sign.cause
    except Exception as error:
        raise _failure_of(rule, about, error) from error
    if cause is None:
        return sign._replace(cause=None)
    return sign._replace(
        explanation=f"{sign.explanation}; {cause.sentence}",
        evidence={**sign.evidence, **msgspec.to_builtins(cause.evidence, str_keys=True)},
        cause=cause,
    )


def candidate_rows(rule: EndRule, lags: pa.Table) -> pa.ChunkedArray | None:
    """Return which rows of the table `lag` a rule selects as its candidates; None where it is asked
    about every group. Raises `RuleFailed` where the rule fails.
    """
    try:
        return rule.candidates and rule.candidates(lags, rule.thresholds)
    except Exception as error:
        raise _failure_of(rule, "all commits", error) from error


def _failure_of(rule: AnyRule, about: str, error: Exception) -> RuleFailed:
    why = f"{type(error).__name__}: {error}"
    return RuleFailed(f"the rule {rule.id} failed, asked about {about}: {why}")


def _finished(rule: AnyRule, sign: Sign) -> Sign:
    """Return a sign with evidence that JSON can hold. What is inferred is called a guess."""
    if not isinstance(sign, Sign):
        raise TypeError(f"{sign!r:.80} is no Sign")
    explanation = sign.explanation
    if Basis(sign.basis or rule.basis) is Basis.INFERRED:
        explanation = f"probably {_lowered(rule.title)}: {explanation}"
    evidence = msgspec.to_builtins(dict(sign.evidence), str_keys=True)
    int(evidence.get("since", 0))
    return sign._replace(
        key=str(sign.key),
        explanation=explanation,
        evidence=evidence,
        severity=sign.severity and Severity(sign.severity),
        basis=sign.basis and Basis(sign.basis),
    )


def _lowered(title: str) -> str:
    """Return a title as part of a sentence."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def new_finding(
    cluster_id: str, group_id: str | None, rule: AnyRule, sign: Sign, moment: int
) -> Finding:
    """Return the finding that a first sign makes. A sign may say itself `since` when it
    holds."""
    finding = Finding(
        finding_id=finding_id(cluster_id, group_id, rule.id, sign.key),
        cluster_id=cluster_id,
        group_id=group_id,
        rule=rule.id,
        severity=sign.severity or rule.severity,
        basis=sign.basis or rule.basis,
        explanation=sign.explanation,
        evidence=dict(sign.evidence),
        first_seen=int(sign.evidence.get("since", moment)),
        last_seen=moment if sign.until is None else sign.until,
        count=sign.times,
        status="open",
    )
    blame(finding, rule.next_action, sign.known_cause)
    return finding


def end_findings(cluster_id: str, end: GroupEnd, rules: Iterable[EndRule]) -> Iterator[Finding]:
    """Yield the findings of those rules whose inputs are all there."""
    about = f"the group {end.group_id!r}"
    for rule in rules:
        if not lacking(rule, end.inputs):
            for sign in signs(rule, rule.find, about, end):
                yield new_finding(cluster_id, end.group_id, rule, sign, end.now)


def fading(rules: Iterable[Rule]) -> dict[str, float]:
    """Return the seconds after which a finding of each rule is over, where nothing happens."""
    return {rule.id: rule.lasts for rule in rules if rule.lasts is not None}


def fade(findings: Iterable[Finding], rules: Iterable[Rule], moment: int) -> None:
    """Mark the findings that are over at a moment, in milliseconds since 1970."""
    lasts = fading(rules)
    for finding in findings:
        if moment - finding.last_seen > lasts.get(finding.rule, float("inf")) * 1000:
            finding.status = "over"
