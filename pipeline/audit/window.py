"""The window of a group's history that a rule is asked about: a record, and those before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .classic_record import Step
from .members import Identity
from .round_facts import NO_FACTS, RoundFacts


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
    came: Mapping[str, Identity] = {}
    """The members that the step before did not have."""
    went: Mapping[str, Identity] = {}
    """The members that the step before had alone."""
    crowds: Mapping[Identity, int] = {}
    """How many members have an identity, where it is more than one."""
    cause: str = "unknown"
    """Why the rebalance that led to it began: a word of `history.causes`."""
    facts: RoundFacts = NO_FACTS

    def after(self, previous: Trace) -> Trace:
        """Return the same trace, with who came and went since the given one."""
        came = _without(self.members, previous.members)
        return self._replace(came=came, went=_without(previous.members, self.members))


def _without(
    members: Mapping[str, Identity], excluded: Mapping[str, Identity]
) -> Mapping[str, Identity]:
    """Return the members that are not among the others."""
    if members is excluded:
        return {}
    return {member: identity for member, identity in members.items() if member not in excluded}


@dataclass(frozen=True, slots=True)
class Context:
    """Facts that the history of a group does not tell; None where they are not known."""

    partitions: Mapping[str, int] | None = None
    """How many partitions each topic has."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many partitions topics have, of those of which it is known."""
        return self.partitions or {}


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
