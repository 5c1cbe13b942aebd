"""A scenario: a group, what surrounds it, and what happens to it. `scenario_files` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ..machines.settings import MemberSettings
from ..world.world import Conditions, Durations

Options: TypeAlias = Mapping[str, Any]
"""Settings of a member that differ from its plan, as in a file."""


@dataclass(frozen=True)
class MemberPlan:
    """A member, and when it is started; `start_ms` None: by an event."""

    settings: MemberSettings
    durations: Durations = field(default_factory=Durations)
    start_ms: float | None = 0.0
    decoupled: bool = False
    batch_ms: float | None = None


@dataclass(frozen=True)
class Operation:
    """Something that is done to the group."""

    at_ms: float
    do: str
    members: tuple[str, ...] = ()
    plans: Mapping[str, MemberPlan] = field(default_factory=dict)
    """Of members that are started anew: with what."""
    for_ms: float = 0.0
    every_ms: float = 0.0
    batch_ms: float | None = None
    topics: Mapping[str, int] = field(default_factory=dict)
    subscribe: tuple[str, ...] = ()


@dataclass(frozen=True)
class Expectation:
    """What a scenario is there to show."""

    finds: frozenset[str] = frozenset()
    """The checks that do not hold."""
    failed: frozenset[str] = frozenset()
    """The members that are refused for good."""


@dataclass(frozen=True)
class Scenario:
    """Everything about a run."""

    name: str
    summary: str
    topics: Mapping[str, int]
    members: tuple[MemberPlan, ...]
    operations: tuple[Operation, ...] = ()
    conditions: Conditions = field(default_factory=Conditions)
    duration_ms: float = 60_000.0
    expectation: Expectation = field(default_factory=Expectation)
    variants: Mapping[str, Options] = field(default_factory=dict)
    """Settings that are to be compared, by what they are called."""

    def with_seed(self, seed: int) -> Scenario:
        """Other delays, and all else the same."""
        return replace(self, conditions=replace(self.conditions, seed=seed))
