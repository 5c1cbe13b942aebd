"""Findings: the signs of a rule in a group, folded over its history."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from ...history.causes import CAUSES, Certainty
from ...history.finding_sentences import NOT_EXCLUDED
from ...inspector.shapes.shape import camel_key, iso_time

TIMES = frozenset({"at", "last_commit", "since", "last_departure_at", "next_rebalance_at"})
"""Names of evidence that is a time, in milliseconds since 1970."""


class Severity(StrEnum):
    """How much a finding matters, in ascending order."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """The place in ascending order, from 0 for the mildest."""
        return _RANKS[self]


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}
LOUD = frozenset(Severity) - {Severity.INFO}
"""Those of a group in trouble."""


class Basis(StrEnum):
    """How a finding is known."""

    OBSERVED = "observed"
    """The bytes say it."""
    INFERRED = "inferred"
    """It explains the bytes, and something else might explain them too."""


class NamedCause(NamedTuple):
    """The cause of what a rule finds: a word of `history.causes`, how certain it is, what shows it
    in words, and the same as evidence. `possible` are the causes that leave the same traces here;
    None: all that may."""

    word: str
    certainty: Certainty
    text: str
    evidence: Mapping[str, Any] = {}
    possible: tuple[str, ...] | None = None

    @property
    def rivals(self) -> tuple[str, ...]:
        """The causes that it may be as well; none where it is certain."""
        if self.certainty == "certain":
            return ()
        return CAUSES[self.word].rivals if self.possible is None else self.possible

    @property
    def sentence(self) -> str:
        """The cause in words, called a guess where it is one, with what else it may be."""
        guess = "" if self.certainty == "certain" or self.word == "unknown" else "probable "
        text = f": {self.text}" if self.text else ""
        rivals = f"{NOT_EXCLUDED}{', '.join(self.rivals)}" if self.rivals else ""
        return f"{guess}cause {self.word}{text}{rivals}"


class Sign(NamedTuple):
    """What a rule finds at one step.

    `key` is what the finding is about (a member, a partition, "" for the group): signs of one
    rule and key are one finding. Severity and basis are the rule's where they are None. `evidence`
    is what JSON can hold; `since` in it is the time, in milliseconds since 1970, from which on it
    is true, where that is not the time at which it was found. `until` is when it was true for the
    last time, where that is another time, and `times` how often it was seen until then. A `cause`
    that is costly to find is a function, called where the sign is the one that is told.
    """

    key: str
    explanation: str
    evidence: Mapping[str, Any]
    severity: Severity | None = None
    basis: Basis | None = None
    cause: NamedCause | Callable[[], NamedCause | None] | None = None
    until: int | None = None
    times: int = 1

    @property
    def known_cause(self) -> NamedCause | None:
        """The cause, where it is none that has to be found first."""
        return self.cause if isinstance(self.cause, NamedCause) else None


class Finding(msgspec.Struct, kw_only=True):
    """A finding; times in milliseconds since 1970.

    `cause` is a word of `history.causes`, None where the rule names none; `certainty` is "certain"
    or "likely"; `rivals` are causes that leave the same traces. `next_action` is what to do first.
    `group_id` is None for one about the fleet. `finding_id` is the same over runs. `status` is
    "open" where it still held at the last record that was seen of the group, else "over".
    """

    finding_id: str
    cluster_id: str
    group_id: str | None
    rule: str
    severity: Severity
    basis: Basis
    explanation: str
    evidence: dict[str, Any]
    first_seen: int
    last_seen: int
    count: int
    status: str
    cause: str | None = None
    certainty: str | None = None
    rivals: list[str] = []
    next_action: str = ""


def finding_id(cluster_id: str, group_id: str | None, rule: str, key: str) -> str:
    """Return an id that the same problem has in every run: 16 hex digits."""
    # Lengths in front, so that no two tuples give one text.
    parts = (cluster_id, group_id if group_id is not None else "\0fleet", rule, key)
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def blame(finding: Finding, rule_action: str, cause: NamedCause | None) -> None:
    """Set the cause of a finding, and what to do first: what the cause asks for, else the rule."""
    facts = CAUSES[cause.word] if cause is not None else CAUSES["unknown"]
    finding.next_action = (facts.advice if cause is not None else "") or rule_action
    finding.cause = None if cause is None else cause.word
    finding.certainty = None if cause is None else cause.certainty
    finding.rivals = [] if cause is None else list(cause.rivals)


_IDS = {"member_id": "member", "client_id": "client", "group_instance_id": "instance"}


def evidence_shape(value: Any, key: str = "") -> Any:
    """Return evidence with keys, ids and times as they are printed everywhere."""
    match value:
        case dict():
            return {
                _IDS.get(name) or camel_key(name): evidence_shape(item, name)
                for name, item in value.items()
            }
        case list():
            return [evidence_shape(item, key) for item in value]
        case int() if key in TIMES:
            return iso_time(value)
        case _:
            return value
