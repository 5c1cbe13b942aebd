"""The settings of a member: the options of a Kafka consumer, under Kafka's names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import NamedTuple

from ....codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, field_versions
from ...assignor import Assignor, RebalanceProtocol
from ...compatibility import KAFKAS, Readings
from .client_formats import Consumer, Dialect

GROUP_ID = "group"
"""The group.id of all members."""

_JOIN_VERSIONS: Mapping[int, int] = MappingProxyType({0: 5, 1: 6, 2: 8, 3: 9})
"""JoinGroup's version in clients that send each subscription version. From 9 on the answer can tell
a leader to leave the assignment as it is (SkipAssignment).
"""

_SYNC_VERSIONS: Mapping[int, int] = MappingProxyType({0: 3, 1: 4, 2: 5, 3: 5})
"""SyncGroup's version in clients that send each subscription version."""


class Mistake(Enum):
    """A bug that a member can be given, so that a check finds it."""

    KEEPS_STALE_CLAIMS = "keeps its claims after falling out while it joins"
    """The callbacks before a join are not run a second time when the join itself finds out that the
    group has gone on, so nothing is lost (KAFKA-12984, KAFKA-13406).
    """
    HIDES_GENERATION = "does not say in which generation it owned"
    """Claims have no generation, as before KIP-792 and its workaround in the user data."""

    @property
    def event(self) -> str:
        """The event that the log has whenever the bug acts."""
        return f"mistake: {self.value}"


class Remedy(Enum):
    """What keeps a member of the consumer protocol from owning what another one owns: two cases
    that exploration finds in Java's consumer (4.3.1).
    """

    REPORTS_WHAT_IT_IS_GIVEN = "reports as owned what it is about to take up"
    """A heartbeat that says what the member owns names its last assignment, too. Java's names what
    it had reconciled itself to before: where a heartbeat is lost, or is sent anew after an error,
    the coordinator takes the rest for given back while the member takes it up.
    """
    FORGETS_ANSWERS = "forgets what it had asked before it left"
    """After it has left since polls stayed away, no answer to an earlier heartbeat counts. Java's
    takes such an answer for that to its join, if the member joins again before it comes.
    """


class GroupProtocol(StrEnum):
    """The values of the option group.protocol."""

    CLASSIC = "classic"
    """Members join and their leader assigns."""
    CONSUMER = "consumer"
    """Members send heartbeats and the broker assigns (KIP-848)."""
    SHARE = "share"
    """Members of a share group, in which several may read one partition (KIP-932)."""
    STREAMS = "streams"
    """Members of a streams group, to which the broker assigns tasks (KIP-1071)."""


class SubtopologySettings(NamedTuple):
    """A part of a Kafka Streams topology; its id is its place in the list, in digits."""

    topics: tuple[str, ...]
    stateful: bool = False
    """Whether its tasks keep state, which standby tasks copy."""


@dataclass(frozen=True, slots=True)
class MemberSettings:
    """The settings of a member; times are in milliseconds."""

    client_id: str
    assignors: tuple[Assignor, ...]
    """The assignors, the preferred one first (partition.assignment.strategy)."""
    topics: tuple[str, ...]
    dialect: Dialect = field(default_factory=Consumer)
    version: int = ConsumerProtocolSubscription.LATEST
    """The client's version, counted as its subscriptions are; the versions of requests follow from
    it.
    """
    group_instance_id: str | None = None
    rack: str | None = None
    session_timeout_ms: int = 45_000
    heartbeat_interval_ms: int = 3_000
    max_poll_interval_ms: int = 300_000
    retry_backoff_ms: int = 100
    listens_to_lost: bool = True
    """Whether its listener has onPartitionsLost; if not, onPartitionsRevoked is called instead."""
    by_choice: bool = False
    """Whether the chosen assignor decides how to rebalance, not the list of all, as in Connect. Its
    assignors are known to be its own, so one bounce is enough.
    """
    group_protocol: GroupProtocol = GroupProtocol.CLASSIC
    """With `consumer`, the assignors, session and heartbeat settings here do not apply; the broker
    has its own.
    """
    remote_assignor: str | None = None
    """The server-side assignor that a member of the consumer protocol asks for."""
    subscribed_topic_regex: str | None = None
    """The expression in RE2J's syntax by which a member of the consumer protocol subscribes."""
    shows_join_states: bool = False
    """Whether a member of the consumer protocol shows librdkafka's states, and not Java's."""
    process_id: str = ""
    """The process in which a member of a streams group is a thread."""
    subtopologies: tuple[SubtopologySettings, ...] = ()
    """The topology of a member of a streams group."""
    remedies: frozenset[Remedy] = frozenset()
    """What a member of the consumer protocol does better than Java's."""
    readings: Readings = KAFKAS
    mistakes: frozenset[Mistake] = frozenset()

    @property
    def join_version(self) -> int:
        """The version of its JoinGroup."""
        return _JOIN_VERSIONS[min(self.version, max(_JOIN_VERSIONS))]

    @property
    def sync_version(self) -> int:
        """The version of its SyncGroup."""
        return _SYNC_VERSIONS[min(self.version, max(_SYNC_VERSIONS))]

    def idle_mistakes(self) -> Iterator[tuple[Mistake, str]]:
        """Yield the mistakes that can never act under these settings, and why."""
        cooperates = any(
            self.protocol(assignor.name) is RebalanceProtocol.COOPERATIVE
            for assignor in self.assignors
        )
        if Mistake.KEEPS_STALE_CLAIMS in self.mistakes and not (cooperates and self.version):
            yield (
                Mistake.KEEPS_STALE_CLAIMS,
                ("only a cooperative member of version 1 or newer claims what it owns as it joins"),
            )
        if Mistake.HIDES_GENERATION in self.mistakes and not self._tells_generation():
            yield (
                Mistake.HIDES_GENERATION,
                (
                    f"version {self.version} has no generation, and no user data of "
                    f"{', '.join(assignor.name for assignor in self.assignors)} has one"
                ),
            )

    def _tells_generation(self) -> bool:
        """Return whether a subscription of the member has its generation, in a field or in user
        data.
        """
        with_generation = field_versions(ConsumerProtocolSubscription, "generation_id")
        if isinstance(self.dialect, Consumer) and self.dialect.version in with_generation:
            return True
        nothing = ConsumerProtocolAssignment()
        return any(
            assignor.subscription_user_data(self.topics, assignor.on_assignment(nothing, 1))
            != assignor.subscription_user_data(self.topics, None)
            for assignor in self.assignors
        )

    def assignor(self, name: str) -> Assignor:
        """Return the assignor of that name. The coordinator chooses none that the member has not
        listed.
        """
        return next(assignor for assignor in self.assignors if assignor.name == name)

    def protocol(self, chosen: str | None) -> RebalanceProtocol:
        """Return the highest protocol that all assignors support; eager if metadata cannot say what
        is owned.
        """
        if not self.dialect.carries_owned:
            return RebalanceProtocol.EAGER
        if self.by_choice:
            return max(self.assignor(chosen).protocols) if chosen else RebalanceProtocol.EAGER
        common = set(RebalanceProtocol)
        for assignor in self.assignors:
            common &= set(assignor.protocols)
        return max(common, default=RebalanceProtocol.EAGER)
