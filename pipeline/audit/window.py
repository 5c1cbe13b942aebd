"""Rules as data, and the window of a history that they are asked about."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeAlias

import msgspec

from ...codec import KprotoError
from .classic_record import Step
from .findings import Basis, Finding, Severity, Sign, finding_id
from .members import Identity


class Static(NamedTuple):
    """The member that has an instance id: its member id, and the client id and host it began
    with.
    """

    member_id: str
    home: tuple[str, str]


class Trace(NamedTuple):
    """What is kept of an earlier step: its members, and when it was."""

    generation: int
    timestamp: int
    protocol: str | None
    members: Mapping[str, Identity]
    """The identity of each member id."""
    statics: Mapping[str, Static]
    """The static members, by instance id."""
    timeouts: Mapping[Identity, int]
    """The rebalance timeout that each identity gave."""


@dataclass(frozen=True, slots=True)
class Context:
    """Facts that the history of a group does not tell; None where they are not known."""

    partitions: Mapping[str, int] | None = None
    """How many partitions each topic has."""


@dataclass(frozen=True, slots=True)
class Window:
    """A step of a group, and the steps before it in the same incarnation."""

    group_id: str
    step: Step
    previous: Step | None
    """The record before; None for the first one that was seen."""
    traces: tuple[Trace, ...]
    """The last steps, oldest first; the last of them is `step`'s own."""
    context: Context
    streaks: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """In how many generations in a row, up to the one before, a rule (its id) gave a sign (its
    key)."""
    least: Mapping[str, int] = field(default_factory=dict)
    """How many partitions each topic has at least: some member was given the last of them."""


Predicate: TypeAlias = Callable[[Window, Mapping[str, float]], Iterator[Sign]]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value >= 0


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
    """In words, exactly."""
    next_action: str
    inputs: tuple[str, ...] = ("history",)
    """What it needs: "history" (the topic's records), "commits", "topics" (partition counts),
    "ends" (where partitions end), "states" (the broker's own account of its groups)."""
    thresholds: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "severity", Severity(self.severity))
        object.__setattr__(self, "basis", Basis(self.basis))
        for name, value in self.thresholds.items():
            if isinstance(value, bool) or not _is_number(value):
                raise ValueError(f"{self.id}: {name} is {value!r}; a number from 0 on is wanted")

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

    One that is `lasting` goes by what a record says alone, and the one before it: it need not be
    asked again where it was silent and the record is repeated (`Step.repeats`). One that is
    `moving` goes by who came, went or moved within the steps that are looked back at: where nobody
    did, it need not be asked, unless one of its thresholds is 0. Thresholds that are `counted` are
    numbers of what happened in these steps: so many of them have to be looked back at. A finding of
    a rule with `fades` is over so many seconds after it was last true, whatever is recorded since.
    """

    find: Predicate
    lasting: bool = False
    moving: bool = False
    counted: tuple[str, ...] = ()
    paced: tuple[str, str] | None = None
    """The thresholds that have a number of generations and seconds: where generations rise so fast,
    the rule is asked though nobody comes, goes or moves."""
    fades: str | float | None = None
    """Seconds, or the threshold that has them."""

    @cached_property
    def knows_rest(self) -> bool:
        """Whether the rule has nothing to say of a group in which nothing changes."""
        return self.lasting or (
            self.moving and all(threshold > 0 for threshold in self.thresholds.values())
        )

    @property
    def lasts(self) -> float | None:
        """The seconds after which a finding is over; None where only a record ends it."""
        return self.thresholds[self.fades] if isinstance(self.fades, str) else self.fades

    @property
    def needs(self) -> int:
        """How few records can hold as many events as the rule counts."""
        return 1 + math.ceil(max((self.thresholds[name] for name in self.counted), default=0))

    @property
    def looks_back(self) -> int:
        """How many records the rule looks back at. A member that comes also goes, which takes
        two.
        """
        return 2 * self.needs


class Pace:
    """Tells whether the generations of a group rise by so many within so many seconds, or as fast
    between two records of which those in between were compacted away.
    """

    def __init__(self, generations: float, seconds: float) -> None:
        self._generations = generations
        self._milliseconds = seconds * 1000
        self._seen: deque[tuple[int, int]] = deque()

    def is_fast(self, generation: int, timestamp: int) -> bool:
        """Take the generation and the time of a record, and return whether it is fast. The same
        record may be given again.
        """
        seen = self._seen
        if not seen or generation > seen[-1][0]:
            seen.append((generation, timestamp))
        # The first is the latest that is so many generations ago.
        while len(seen) > 1 and generation - seen[1][0] >= self._generations:
            seen.popleft()
        rise, time = generation - seen[0][0], timestamp - seen[0][1]
        if rise < self._generations:
            return False
        return 0 <= time * self._generations <= rise * self._milliseconds

    def forget(self) -> None:
        """Begin anew: the group was deleted."""
        self._seen.clear()


def lacking(rule: AnyRule, inputs: frozenset[str]) -> frozenset[str]:
    """Return the inputs that a rule needs and that are missing. A rule that lacks any is not
    evaluated.
    """
    return frozenset(rule.inputs) - inputs


class RuleFailed(KprotoError):
    """A rule, of a user or ours, that raised an exception or returned no signs."""


def signs(
    rule: AnyRule, find: Callable[..., Iterable[Sign]], about: str, *asked: object
) -> list[Sign]:
    """Return what a rule finds, each sign with evidence that JSON can hold. Raises `RuleFailed`
    where the rule fails, or returns anything but signs.
    """
    try:
        return [_plain(sign) for sign in find(*asked, rule.thresholds)]
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise RuleFailed(f"the rule {rule.id} failed, asked about {about}: {why}") from error


def _plain(sign: Sign) -> Sign:
    if not isinstance(sign, Sign):
        raise TypeError(f"{sign!r:.80} is no Sign")
    evidence: dict[str, Any] = msgspec.to_builtins(dict(sign.evidence), str_keys=True)
    int(evidence.get("since", 0))
    return sign._replace(
        key=str(sign.key),
        evidence=evidence,
        severity=sign.severity and Severity(sign.severity),
        basis=sign.basis and Basis(sign.basis),
    )


def new_finding(
    cluster_id: str, group_id: str | None, rule: AnyRule, sign: Sign, now: int
) -> Finding:
    """Return the finding that a first sign makes. A sign may say itself `since` when it
    holds."""
    return Finding(
        finding_id=finding_id(cluster_id, group_id, rule.id, sign.key),
        cluster_id=cluster_id,
        group_id=group_id,
        rule=rule.id,
        severity=sign.severity or rule.severity,
        basis=sign.basis or rule.basis,
        explanation=sign.explanation,
        evidence=dict(sign.evidence),
        first_seen=int(sign.evidence.get("since", now)),
        last_seen=now,
        count=1,
        status="open",
    )
