"""The window of a group's history that a rule is asked about: a record, the one before it, and what
the rule remembers of all the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from .classic_record import Step
from .members import Identity, MemberSeen

DESERTED_MS = 60_000
"""For how long nobody is in a group that was left, and not just put out of a rebalance: who has
crashed is most often back sooner."""


class Arrival(NamedTuple):
    """When a member of the last record came: the time of its first record, and the number of that
    among the records of its incarnation. `is_seen` is whether there is a record before that lacks
    it.
    """

    timestamp: int
    record: int
    is_seen: bool


class Departure(NamedTuple):
    """A member that is gone, and when it had come; None where no record shows its arrival."""

    member: MemberSeen
    began: int | None


class RecordChange(NamedTuple):
    """What a record changed, compared with the one before it; times in milliseconds since 1970.

    `run_began` is when somebody came to the group after nobody had been in it for a minute, as jobs
    do that the clock starts; None where that has not happened.
    """

    step: Step
    previous: Step | None
    rise: int
    """How much higher its generation is."""
    elapsed: int
    came: Sequence[MemberSeen] = ()
    departures: Sequence[Departure] = ()
    run_began: int | None = None
    slots: Mapping[Identity, int] = {}
    """How many members have the identity of one that came."""
    cause: str = "unknown"
    """Why the rebalance that led to it began: a word of `history.causes`."""
    resubscribed: Sequence[str] = ()
    """The ids of members that subscribe to other topics, where the broker assigns."""
    metadata: str = ""
    """The hash of the topics, where the broker assigns."""

    @property
    def timestamp(self) -> int:
        """The time of the record."""
        return self.step.place.timestamp


class Memory(Protocol):
    """What a rule remembers of a group. Its size is bounded by the members, not by the records."""

    def take(self, change: RecordChange) -> None:
        """Take the next record of the group."""


@dataclass(frozen=True, slots=True)
class Context:
    """Facts that the history of a group does not tell; None where they are not known."""

    partitions: Mapping[str, int] | None = None
    """How many partitions each topic has."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many partitions topics have, of those of which it is known."""
        return self.partitions or {}


@dataclass(slots=True)
class Window:
    """A step of a group, and what is remembered of the steps before it in the same incarnation."""

    group_id: str
    step: Step
    previous: Step | None
    """The record before; None for the first one that was seen."""
    context: Context
    arrivals: Mapping[str, Arrival] = field(default_factory=dict)
    """When each member of this record came."""
    number: int = 1
    """Which record of the incarnation it is, from 1 on."""
    streaks: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """In how many generations in a row, up to the one before, a rule (its id) gave a sign (its
    key)."""
    least: Mapping[str, int] = field(default_factory=dict)
    """How many partitions each topic has at least: some member was given the last of them."""
    lacking_since: Mapping[str, int] = field(default_factory=dict)
    """Since when some partition of each subscribed topic has no owner."""
    memory: Memory | None = None
    """What the rule that is asked remembers."""
    is_of_epochs: bool = False
    """Whether the step is an epoch of a group whose broker assigns."""
