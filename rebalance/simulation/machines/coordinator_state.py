"""The coordinator's state of a group, the events that it takes, the actions that it returns, and
the error codes of Kafka's group APIs that the machines use.

OffsetCommit itself is not modelled: a `Commit` is as much of it as the coordinator judges, the
member and its generation, since it refuses the commit of a member that it has dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple, TypeAlias

from ....codec import ConsumerProtocolSubscription, DecodeError
from ....codec.runtime.message import Message
from ...assignments import Partition
from .transitions import Turn


class GroupPhase(StrEnum):
    """The phases of a group, by Kafka's names; without Dead, since a group here is never
    deleted.
    """

    EMPTY = "empty"
    """The group has no members."""
    PREPARING_REBALANCE = "preparing rebalance"
    """The coordinator waits until all members have joined."""
    COMPLETING_REBALANCE = "completing rebalance"
    """The coordinator waits for the leader's assignments."""
    STABLE = "stable"
    """The generation has its assignments."""


class Entry(NamedTuple):
    """A member as the coordinator knows it."""

    member_id: str
    instance_id: str | None
    client_id: str
    session_timeout_ms: int
    rebalance_timeout_ms: int
    protocols: tuple[tuple[str, bytes], ...]
    version: int
    """The version of the member's JoinGroup request."""
    share: bytes = b""
    """The assignment that the leader made for the member."""
    joining: str | None = None
    """The connection that waits for the answer to JoinGroup."""
    syncing: str | None = None
    """The connection that waits for the answer to SyncGroup."""
    synced: bool = False

    def metadata(self, name: str | None) -> bytes:
        """Return the member's subscription bytes for an assignor; empty if it does not list that
        one.
        """
        return dict(self.protocols).get(name or "", b"")


class GroupState(NamedTuple):
    """The state of a classic group."""

    phase: GroupPhase = GroupPhase.EMPTY
    generation: int = 0
    protocol: str | None = None
    leader: str | None = None
    entries: tuple[Entry, ...] = ()
    """The members, in the order in which they joined."""
    pending: frozenset[str] = frozenset()
    """Ids that were given out and have not come back yet."""
    stored_state: GroupState | None = None
    """The state that a coordinator which takes over finds in the offsets topic."""
    born: int = 0
    """How many ids were given out."""
    opening: bool = False
    """Whether the first rebalance of an empty group still waits, so that many join one
    generation.
    """
    grew: bool = False
    """Whether a member joined since that wait was last extended."""

    def entry(self, member_id: str | None) -> Entry | None:
        """Return the member of that id, None if there is none."""
        for entry in self.entries:  # asked for every request: a generator would cost twice as much
            if entry.member_id == member_id:
                return entry
        return None

    def static(self, instance_id: str | None) -> Entry | None:
        """Return the member of that instance id, None if there is none."""
        if instance_id is None:
            return None
        return next((entry for entry in self.entries if entry.instance_id == instance_id), None)


class GroupSettings(NamedTuple):
    """The broker's own settings, in milliseconds."""

    initial_rebalance_delay_ms: int = 3_000
    consumer_session_timeout_ms: int = 45_000
    consumer_heartbeat_interval_ms: int = 5_000
    assignment_interval_ms: int = 1_000
    """The least time between two target assignments (group.consumer.assignment.interval.ms)."""
    assignors: tuple[str, ...] = ("uniform", "range")
    """The server-side assignors; the first is the default (group.consumer.assignors)."""
    upgrades: bool = True
    """Whether a classic group with members converts (group.consumer.migration.policy)."""
    downgrades: bool = True
    """Whether a consumer group with members converts back."""
    standby_replicas: int = 0
    """The standby tasks of each stateful task in a streams group (num.standby.replicas)."""
    consumer_max_size: int = 2**31 - 1
    classic_max_size: int = 2**31 - 1
    gives_unreleased: bool = False
    """A bug to plant: partitions are given out while another member still owns them."""
    checks_generation: bool = False
    """Whether JoinGroup with claims of another generation is refused, as an alternative that
    KIP-792 rejected has it. No broker does so.
    """


def generation_of(metadata: bytes) -> int:
    """Return the generation in a subscription's bytes; -1 if they have none, or are something
    else.
    """
    try:
        return ConsumerProtocolSubscription.from_bytes(metadata).generation_id
    except DecodeError:
        return -1


def choose(entries: Iterable[Entry]) -> str | None:
    """Return the assignor that all list and most vote for; a member votes for the first common one
    in its list. None if they have none in common.
    """
    lists = [[name for name, _ in entry.protocols] for entry in entries]
    if not lists:
        return None
    common = set(lists[0]).intersection(*lists)
    votes = Counter(next(name for name in listed if name in common) for listed in lists if common)
    return max(votes, key=votes.__getitem__, default=None)


# -- events


class Asked(NamedTuple):
    """A request, the version of its API, and the connection that it came over.

    The client's name becomes the beginning of its member id.
    """

    connection: str
    client_id: str
    version: int
    message: Message | Commit


class SessionExpired(NamedTuple):
    """A member gave no sign of life for session.timeout.ms, and none of its requests waits."""

    member_id: str


class PendingExpired(NamedTuple):
    """An id was given out, and no member has joined with it."""

    member_id: str


class JoinTimedOut(NamedTuple):
    """The largest rebalance timeout, or the initial delay, has passed since the rebalance began."""


class SyncTimedOut(NamedTuple):
    """The rebalance timeout has passed since all members had joined."""


class FailedOver(NamedTuple):
    """Another broker takes over, with what was stored."""


class MemberTimedOut(NamedTuple):
    """A member of a consumer group has not given back its partitions, or as a classic one has not
    joined or synchronised, within its rebalance timeout.
    """

    timer: GroupTimer
    member_id: str


class AssignmentDue(NamedTuple):
    """The least time between two target assignments has passed."""


class ExpressionsDue(NamedTuple):
    """The regular expressions of a consumer group are matched, or may be matched again."""


class TopicsChanged(NamedTuple):
    """Topics were created, deleted or got more partitions."""


GroupEvent: TypeAlias = (
    Asked
    | SessionExpired
    | PendingExpired
    | JoinTimedOut
    | SyncTimedOut
    | FailedOver
    | MemberTimedOut
    | AssignmentDue
    | ExpressionsDue
    | TopicsChanged
)

# -- actions


class Reply(NamedTuple):
    """An answer for a connection."""

    connection: str
    message: Message | CommitAnswer


class GroupTimer(StrEnum):
    """The coordinator's timers; SESSION and PENDING are kept by member id."""

    SESSION = "session"
    """The member's session.timeout.ms, since its last request."""
    PENDING = "pending member"
    """The time in which a member has to come back with the id it was given."""
    JOIN = "rebalance"
    """The time in which members have to join, or the initial delay."""
    SYNC = "synchronisation"
    """The time in which members have to send SyncGroup."""
    MEMBER_REBALANCE = "member's rebalance"
    """The time in which a member of a consumer group has to give partitions back."""
    MEMBER_JOIN = "member's join"
    """The time in which a classic member of a consumer group has to join again."""
    MEMBER_SYNC = "member's synchronisation"
    """The time in which a classic member of a consumer group has to send SyncGroup."""
    ASSIGNMENT = "assignment interval"
    """The least time between two target assignments."""
    EXPRESSIONS = "regular expressions"
    """The time in which regular expressions are matched, and then the least time until they are
    matched again."""


class SetGroupTimer(NamedTuple):
    """Set a timer to a new time in milliseconds; None stops it."""

    timer: GroupTimer
    member_id: str
    after_ms: int | None


GroupAction: TypeAlias = Reply | SetGroupTimer

# -- a step


class CoordinatorTurn(Turn):
    """A step of the coordinator, whatever the group's protocol."""

    __slots__ = ()
    settings: GroupSettings
    event: Any
    actions: list[GroupAction]

    @property
    def request(self) -> Any:
        """The request at hand."""
        return self.event.message

    def answer(self, message: Message | CommitAnswer) -> None:
        """Answer the request at hand."""
        self.act(Reply(self.event.connection, message))

    def timer(self, timer: GroupTimer, after_ms: int | None, member_id: str = "") -> None:
        """Set a timer, or stop it with None."""
        self.act(SetGroupTimer(timer, member_id, after_ms))


class GroupTurn(CoordinatorTurn):
    """A step of the coordinator of a classic group."""

    __slots__ = ()
    state: GroupState

    def put(self, entry: Entry) -> None:
        """Replace a member's entry, or add one at the end."""
        is_member = self.state.entry(entry.member_id)
        entries = tuple(
            entry if old.member_id == entry.member_id else old for old in self.state.entries
        )
        self.change(entries=entries if is_member else (*entries, entry))


def protocols_of(request: Any) -> tuple[tuple[str, bytes], ...]:
    """Return name and metadata of each assignor that a JoinGroup request lists."""
    return tuple((protocol.name, protocol.metadata) for protocol in request.protocols)


def leavers(turn: GroupTurn) -> list[str]:
    """Return the member ids that a LeaveGroup request is about; static members by their current
    id.
    """
    ids = []
    for member in turn.request.members:
        static = turn.state.static(member.group_instance_id)
        ids.append(static.member_id if static and not member.member_id else member.member_id)
    return ids


class Commit(NamedTuple):
    """The member and generation of an OffsetCommit request."""

    member_id: str
    generation: int
    partitions: frozenset[Partition] = frozenset()
    """The partitions of a member of the consumer protocol: the coordinator judges each of them."""


class CommitAnswer(NamedTuple):
    """The error code of an OffsetCommit response."""

    error_code: int


class ErrorCode(IntEnum):
    """An error of Kafka's group APIs, under Kafka's name and number."""

    UNKNOWN_SERVER_ERROR = -1
    """The coordinator failed; the request says no more."""
    NONE = 0
    """The request succeeded."""
    ILLEGAL_GENERATION = 22
    """The request is of another generation than the group's."""
    INCONSISTENT_GROUP_PROTOCOL = 23
    """The member has no assignor in common with all others."""
    UNKNOWN_MEMBER_ID = 25
    """The coordinator knows no member of that id."""
    REBALANCE_IN_PROGRESS = 27
    """The group rebalances, and the member has to join again."""
    GROUP_ID_NOT_FOUND = 69
    """The group does not exist, or is none of the consumer protocol and cannot become one."""
    MEMBER_ID_REQUIRED = 79
    """The member has to join again, with the id in the answer (KIP-394)."""
    GROUP_MAX_SIZE_REACHED = 81
    """The group has as many members as it may have."""
    FENCED_INSTANCE_ID = 82
    """Another process has the member's group.instance.id (KIP-345)."""
    FENCED_MEMBER_EPOCH = 110
    """The member has another epoch than the coordinator knows, and has to join again (KIP-848)."""
    UNRELEASED_INSTANCE_ID = 111
    """Another member has the group.instance.id and has not left (KIP-848)."""
    UNSUPPORTED_ASSIGNOR = 112
    """The broker has no assignor of that name."""
    STALE_MEMBER_EPOCH = 113
    """The commit is of another member epoch than the coordinator knows."""
    INVALID_REGULAR_EXPRESSION = 128
    """The broker cannot read the expression by which a member subscribes (KIP-848)."""


FATAL = frozenset({ErrorCode.INCONSISTENT_GROUP_PROTOCOL, ErrorCode.FENCED_INSTANCE_ID})
"""Errors after which a member stops for good; whoever started it may start it again."""

FALLEN_OUT = frozenset({ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION})
"""Errors that say that the group has gone on without the member: what it owned is lost (KIP-429,
trigger 4).
"""
