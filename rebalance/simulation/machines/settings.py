"""What a member is configured with: the options of a Kafka consumer, under Kafka's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from ...assignor import Assignor, RebalanceProtocol
from ...compatibility import KAFKAS, Readings
from .client_formats import Consumer, Dialect

JOIN_VERSIONS: Mapping[int, int] = MappingProxyType({0: 5, 1: 6, 2: 8, 3: 9})
"""JoinGroup's version in clients of the time of each subscription version. From 9 on a leader is
told to leave the assignment as it is (SkipAssignment)."""

SYNC_VERSIONS: Mapping[int, int] = MappingProxyType({0: 3, 1: 4, 2: 5, 3: 5})


class Mistake(Enum):
    """What a member can be made to do wrong, to see it found."""

    KEEPS_STALE_CLAIMS = "keeps its claims after falling out while it joins"
    """KAFKA-12984, KAFKA-13406: the callbacks before a join were not run a second time when the
    join itself found out that the group had gone on, so nothing was lost."""
    HIDES_GENERATION = "does not say in which generation it owned"
    """As before KIP-792 and its workaround in the user data."""


@dataclass(frozen=True, slots=True)
class MemberSettings:
    """Times are in milliseconds."""

    client_id: str
    assignors: tuple[Assignor, ...]
    """The preferred one first (partition.assignment.strategy)."""
    topics: tuple[str, ...]
    dialect: Dialect = field(default_factory=Consumer)
    version: int = 3
    """Of the client, counted as its subscriptions are; requests follow from it."""
    group_instance_id: str | None = None
    rack: str | None = None
    session_timeout_ms: int = 45_000
    heartbeat_interval_ms: int = 3_000
    max_poll_interval_ms: int = 300_000
    retry_backoff_ms: int = 100
    listens_to_lost: bool = True
    """Whether its listener has onPartitionsLost; if not, onPartitionsRevoked is called instead."""
    by_choice: bool = False
    """Connect's way: the chosen protocol says how to rebalance, not the list of those supported.
    Its assignors are known to be its own, so one bounce is enough."""
    readings: Readings = KAFKAS
    mistakes: frozenset[Mistake] = frozenset()

    def assignor(self, name: str) -> Assignor:
        """Return the one of that name. The coordinator chooses none that the member has not
        listed.
        """
        return next(one for one in self.assignors if one.name == name)

    def protocol(self, chosen: str | None) -> RebalanceProtocol:
        """Return the highest that all assignors support; eager where metadata cannot say what is
        owned.
        """
        if not self.dialect.carries_owned:
            return RebalanceProtocol.EAGER
        if self.by_choice:
            return max(self.assignor(chosen).protocols) if chosen else RebalanceProtocol.EAGER
        common = set(RebalanceProtocol)
        for one in self.assignors:
            common &= set(one.protocols)
        return max(common, default=RebalanceProtocol.EAGER)
