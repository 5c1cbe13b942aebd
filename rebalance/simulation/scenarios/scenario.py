"""A scenario: a group, what surrounds it, and what happens to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ..application import Durations
from ..machines.settings import MemberSettings
from ..world import Conditions

Options: TypeAlias = Mapping[str, Any]
"""Settings of a member that override its plan, as in a file."""


@dataclass(frozen=True)
class MemberPlan:
    """A member's settings, and when it is started; `start_ms` is None if an operation starts it."""

    settings: MemberSettings
    durations: Durations = field(default_factory=Durations)
    start_ms: float | None = 0.0
    decoupled: bool = False
    batch_ms: float | None = None


@dataclass(frozen=True)
class Operation:
    """Something that is done to the group, at a time."""

    at_ms: float
    do: str
    members: tuple[str, ...] = ()
    plans: Mapping[str, MemberPlan] = field(default_factory=dict)
    """The plans with which members are started again, by name."""
    for_ms: float = 0.0
    every_ms: float = 0.0
    batch_ms: float | None = None
    topics: Mapping[str, int] = field(default_factory=dict)
    subscribe: tuple[str, ...] = ()


@dataclass(frozen=True)
class Expectation:
    """What a scenario is expected to show."""

    finds: frozenset[str] = frozenset()
    """The checks that fail."""
    failed: frozenset[str] = frozenset()
    """The members that are refused for good."""


@dataclass(frozen=True)
class Scenario:
    """All that a run needs."""

    name: str
    summary: str
    topics: Mapping[str, int]
    members: tuple[MemberPlan, ...]
    operations: tuple[Operation, ...] = ()
    conditions: Conditions = field(default_factory=Conditions)
    duration_ms: float = 60_000.0
    expectation: Expectation = field(default_factory=Expectation)
    variants: Mapping[str, Options] = field(default_factory=dict)
    """Settings that are to be compared, by their title."""
    owners_at_ms: tuple[float, ...] = ()
    """The times at which the owners of all partitions are shown."""

    def with_seed(self, seed: int) -> Scenario:
        """Return the scenario with another seed: other delays, and all else the same."""
        return replace(self, conditions=replace(self.conditions, seed=seed))


class ProtocolChoice(NamedTuple):
    """Options of all members, and more of every second one."""

    options: Mapping[str, Any]
    every_second: Mapping[str, Any] = MappingProxyType({})


PROTOCOLS: Mapping[str, ProtocolChoice] = MappingProxyType(
    {
        "eager": ProtocolChoice({"assignor": "range"}),
        "cooperative": ProtocolChoice({"assignor": "cooperative-sticky"}),
        "mixed": ProtocolChoice({"assignor": "cooperative-sticky"}, {"protocol": "consumer"}),
        "consumer": ProtocolChoice({"protocol": "consumer"}),
    }
)
"""The protocols by name; in a mixed group every second member is of the consumer protocol."""

COMPARED_ON = ("rolling-bounce", "scale-out-and-in", "crash", "slow-member")
"""The scenarios on which `compare protocols` runs each protocol."""
