"""The state of a member, the events that it takes, the actions that it returns; and what the
processing side of every member does, whatever its group protocol: it polls, reads, and runs the
listener's callbacks.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from ....codec.runtime.message import Message
from ...assignments import Partition
from ...assignor import Memory, RebalanceProtocol
from ...input_errors import Complaint
from .callbacks import Task, Work
from .coordinator_state import Commit, CommitAnswer, ErrorCode
from .settings import MemberSettings
from .transitions import Turn

NO_GENERATION = -1
COMMIT_FAILED = "commit failed"
"""The commit fails before it is sent: the member knows that it has fallen out (Java:
CommitFailedException).
"""
COMMIT_WAITS = "commit waits"
"""The member rebalances, so it sends no commit until it is stable again (Java:
RebalanceInProgressException).
"""


class Phase(StrEnum):
    """The phases of a member; the first four are Kafka's MemberState."""

    UNJOINED = "unjoined"
    """The member is in no generation, and joins at the next poll."""
    PREPARING_REBALANCE = "preparing rebalance"
    """The member has begun to join: from the callbacks before JoinGroup to its answer."""
    COMPLETING_REBALANCE = "completing rebalance"
    """The member waits for its assignment: from JoinGroup's answer to SyncGroup's."""
    STABLE = "stable"
    """The member has its assignment."""
    LEAVING = "leaving"
    """The application has closed the consumer, and the last callback runs."""
    CLOSED = "closed"
    """The member has left."""
    FAILED = "failed"
    """An error that no retry heals has stopped the member."""


class MemberState(NamedTuple):
    """All that a member knows at a moment."""

    phase: Phase = Phase.UNJOINED
    subscribed: tuple[str, ...] = ()
    topics: tuple[tuple[str, int], ...] = ()
    """The number of partitions of each topic, by the member's metadata."""
    member_id: str = ""
    generation: int = NO_GENERATION
    """The generation of JoinGroup's last answer."""
    leads: bool = False
    chosen: str | None = None
    """The assignor that the coordinator chose."""
    owned: frozenset[Partition] = frozenset()
    owned_as: str = ""
    """The member id under which it was given what it owns; empty once it `missed` a generation."""
    left_out: bool = False
    """Whether a generation was made without it since it last joined one, which it does not know."""
    memories: tuple[tuple[str, Memory], ...] = ()
    """What assignors want to remember, by name."""
    tasks: tuple[Task, ...] = ()
    """What the processing side does next; the first task runs while `calling`."""
    calling: bool = False
    """Whether a callback of the listener runs."""
    busy: bool = False
    """Whether a batch is being processed."""
    rejoin: bool = False
    """Whether a join is due at the next poll."""
    vanished: frozenset[Partition] = frozenset()
    """Owned partitions that the metadata had and has no longer; they are lost at the next poll."""
    fallen: bool = False
    """Whether the group has gone on without the member; what it owns is lost at the next poll."""
    prepared: bool = False
    """Whether the callbacks before the join were run, and the join has had no result yet."""
    share: bytes | None = None
    """An assignment that waits for the next poll."""
    asking: bool = False
    """Whether JoinGroup or SyncGroup is not yet answered."""
    asked_in: int | None = None
    """The generation of the heartbeat that is not yet answered."""
    uncommitted: bool = False
    """Whether a batch was processed while the member rebalanced, so that its offsets are still to
    be committed.
    """
    committed_in: int | None = None
    """The generation of the commit that is not yet answered."""
    reason: str = ""
    """Why the member failed."""

    @property
    def is_closed(self) -> bool:
        """Whether the member has left, and nothing more happens."""
        return self.phase is Phase.CLOSED

    @property
    def has_failed(self) -> bool:
        """Whether an error has stopped the member for good."""
        return self.phase is Phase.FAILED


def start(settings: MemberSettings, topics: Iterable[tuple[str, int]]) -> MemberState:
    """Return a member that has just been started."""
    return MemberState(subscribed=settings.topics, topics=tuple(topics))


def owned_truly(state: MemberState) -> frozenset[Partition]:
    """Return what the member owns by an assignment to the id that it has now. What it was given
    under an id that the coordinator has dropped since, or before a generation that it missed, it
    only believes to own.
    """
    return state.owned if state.owned_as == state.member_id else frozenset()


def missed(state: MemberState) -> MemberState:
    """Return the state after a generation was made without the member, as the coordinator does with
    a static member that joins too late: the leader has given away what it owns, and it does not
    know.
    """
    return state._replace(owned_as="", left_out=True)


def vanished_partitions(settings: MemberSettings, state: MemberState) -> frozenset[Partition]:
    """Return the owned partitions that no longer exist and have to be lost; none for an eager
    member, which revokes everything anyway.
    """
    partitions = state.vanished & state.owned
    eager = partitions and settings.protocol(state.chosen) is RebalanceProtocol.EAGER
    return frozenset() if eager else partitions


# -- events


class Poll(NamedTuple):
    """The application polls for records."""


class BatchProcessed(NamedTuple):
    """The application has processed its batch, and commits."""


class NothingRead(NamedTuple):
    """There were no records; the application waits in its next poll."""


class CallbackReturned(NamedTuple):
    """The listener's callback has returned."""


class Subscribed(NamedTuple):
    """The application subscribes to other topics."""

    topics: tuple[str, ...]


class MetadataChanged(NamedTuple):
    """Topics were created, deleted or got more partitions."""

    topics: tuple[tuple[str, int], ...]


class Closed(NamedTuple):
    """The application closes the consumer."""


class HeartbeatDue(NamedTuple):
    """The time of heartbeat.interval.ms has passed."""


class PollOverdue(NamedTuple):
    """max.poll.interval.ms has passed since the last poll."""


class ConnectionLost(NamedTuple):
    """The connection is lost, and what was asked over it will not be answered."""


Event: TypeAlias = (
    Poll
    | BatchProcessed
    | NothingRead
    | CallbackReturned
    | Subscribed
    | MetadataChanged
    | Closed
    | HeartbeatDue
    | PollOverdue
    | ConnectionLost
    | Message
    | CommitAnswer
)

# -- actions


class Send(NamedTuple):
    """Send a request to the coordinator, in this version of its API."""

    message: Message | Commit
    version: int


class Call(NamedTuple):
    """Run the listener's callback; `CallbackReturned` says when it is over.

    A listener without onPartitionsLost has its onPartitionsRevoked called instead.
    """

    work: Work
    partitions: frozenset[Partition]


class Did(NamedTuple):
    """The assignor was called, which takes no time: subscriptionUserData, assign, onAssignment."""

    what: str
    partitions: frozenset[Partition] = frozenset()


class ReadRecords(NamedTuple):
    """Give the application the next records of these partitions; `BatchProcessed` says when it is
    done with them.
    """

    partitions: frozenset[Partition]


class Timer(StrEnum):
    """The timers of a member."""

    HEARTBEAT = "heartbeat"
    """The time to the next heartbeat."""
    POLL = "poll"
    """The time in which the application has to poll."""


class SetTimer(NamedTuple):
    """Set a timer to a new time in milliseconds; None stops it."""

    timer: Timer
    after_ms: int | None


class Complain(NamedTuple):
    """Report input of a member that the leader could not use."""

    complaint: Complaint


class LeftOut(NamedTuple):
    """Report members for which the leader's assignor returned nothing."""

    member_ids: tuple[str, ...]


Action: TypeAlias = Send | Call | Did | ReadRecords | SetTimer | Complain | LeftOut

# -- a step


class AnyMemberTurn(Turn):
    """A step of a member, whatever its group protocol."""

    __slots__ = ()
    settings: MemberSettings
    state: Any
    event: Event
    actions: list[Action]

    @property
    def error(self) -> int:
        """The error code of the answer at hand."""
        code: int = self.event.error_code  # type: ignore[union-attr]  # asked for answers alone
        return code


class MemberTurn(AnyMemberTurn):
    """A step of a member of the classic protocol."""

    __slots__ = ()
    state: MemberState


# -- conditions


def idle(turn: AnyMemberTurn) -> bool:
    """Return whether no callback runs and no batch is being processed."""
    return not turn.state.calling and not turn.state.busy


def processing_hangs(turn: AnyMemberTurn) -> bool:
    """Return whether a batch or a callback takes that long. In a poll that waits nothing is
    overdue.
    """
    return not idle(turn)


def owns_something(turn: AnyMemberTurn) -> bool:
    """Return whether there are partitions to read from."""
    return idle(turn) and bool(turn.state.owned)


def without_error(turn: AnyMemberTurn) -> bool:
    """Return whether the answer has no error."""
    return turn.error == ErrorCode.NONE


# -- reactions


def read(turn: AnyMemberTurn) -> None:
    """Hand out records; a cooperative member does so while it rebalances, too."""
    turn.change(busy=True)
    turn.act(ReadRecords(turn.state.owned))
    restart_poll_timer(turn)


def wait(turn: AnyMemberTurn) -> None:
    """Restart the poll timer; there is nothing to read."""
    restart_poll_timer(turn)


def read_nothing(turn: AnyMemberTurn) -> None:
    """End a poll that returned no records: there is nothing to commit."""
    turn.change(busy=False)


# -- parts


def restart_poll_timer(turn: AnyMemberTurn) -> None:
    """Give the application its time to the next poll."""
    turn.act(SetTimer(Timer.POLL, turn.settings.max_poll_interval_ms))


def call_listener(turn: AnyMemberTurn, work: Work, partitions: frozenset[Partition]) -> None:
    """Run a callback; where a listener has no onPartitionsLost, its onPartitionsRevoked."""
    falls_back = work is Work.LOST and not turn.settings.listens_to_lost
    turn.act(Call(Work.REVOKED if falls_back else work, partitions))
    turn.change(calling=True)
