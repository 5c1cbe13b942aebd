"""The state of a member of the consumer protocol: Java's AsyncKafkaConsumer; and the join states
that librdkafka writes into its debug log for such a member.

A simulated member does what Java's does; librdkafka reports the same course by other states. It
takes a target up as soon as it has come, while Java waits for a poll; it has no state of its own
for an acknowledgement that is due; and a first target that is empty leaves it in `init`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from ...assignments import Partition
from ..machines.callbacks import Work
from ..machines.member_state import AnyMemberTurn
from ..machines.settings import MemberSettings
from .group_state import JOIN_EPOCH


class MemberPhase(StrEnum):
    """The states of a member, by the names of Java's MemberState."""

    UNSUBSCRIBED = "unsubscribed"
    """The member is not in the group, and joins at the next poll."""
    JOINING = "joining"
    """The member has sent, or is about to send, a heartbeat with epoch 0."""
    RECONCILING = "reconciling"
    """The member has a target assignment other than what it owns: callbacks are due or run."""
    ACKNOWLEDGING = "acknowledging"
    """The member owns its target, and the next heartbeat says so."""
    STABLE = "stable"
    """The member owns its target assignment."""
    FENCED = "fenced"
    """The coordinator knows no member of its epoch: it gives everything up and joins anew."""
    PREPARE_LEAVING = "prepare leaving"
    """The application has closed the consumer, and the last callback runs."""
    LEAVING = "leaving"
    """The heartbeat that leaves is about to be sent."""
    STALE = "stale"
    """The member has left since polls stayed away, and joins again at the next one."""
    FATAL = "fatal"
    """An error that no retry heals has stopped the member."""


class MemberStep(StrEnum):
    """What a member does between the listener's callbacks, which takes no time."""

    APPLY = "apply"
    """The new assignment is owned from here on."""
    ACKNOWLEDGE = "acknowledge"
    """The reconciliation has ended; the next heartbeat reports it."""
    RELEASE = "release"
    """Everything is given up."""
    LEAVE = "leave"
    """The heartbeat that leaves is sent."""


class Planned(NamedTuple):
    """A callback or a step that is due, with its partitions."""

    work: Work | MemberStep
    partitions: frozenset[Partition] = frozenset()


class ConsumerMemberState(NamedTuple):
    """The state of a member."""

    phase: MemberPhase = MemberPhase.UNSUBSCRIBED
    subscribed: tuple[str, ...] = ()
    topics: tuple[tuple[str, int], ...] = ()
    """The number of partitions of each topic, by the member's metadata."""
    member_id: str = ""
    """The id that the member has made for itself (KIP-1082)."""
    epoch: int = JOIN_EPOCH
    owned: frozenset[Partition] = frozenset()
    target: frozenset[Partition] | None = None
    """The assignment of the last heartbeat that brought one."""
    reached: frozenset[Partition] | None = None
    """The assignment that the member has reconciled itself to."""
    up_to_date: bool = True
    """Whether no target has come since the one that was reached."""
    is_reported: bool = False
    """Whether a heartbeat has reported what was reached."""
    told_topics: tuple[str, ...] | None = None
    """The subscription that the last heartbeats have sent; None: the next one sends all."""
    pursued: frozenset[Partition] | None = None
    """The assignment of a reconciliation that is under way."""
    renewed: bool = False
    """Whether another target has come since it began."""
    rejoined: bool = False
    """Whether the member began to join since it began, so that it is void."""
    tasks: tuple[Planned, ...] = ()
    """What the processing side does next; the first task runs while `calling`."""
    calling: bool = False
    """Whether a callback of the listener runs."""
    busy: bool = False
    """Whether a batch is being processed."""
    in_flight: bool = False
    """Whether a heartbeat waits for its answer."""
    awaited: tuple[bool, ...] = ()
    """For each heartbeat that is not answered yet, in order, whether its answer counts."""
    interval_ms: int = 0
    """The heartbeat interval that the coordinator has set."""
    committed_in: int | None = None
    """The epoch of the commit that is not yet answered."""
    closing: bool = False
    """Whether the application has closed the consumer."""
    reason: str = ""
    """Why the member failed."""

    @property
    def generation(self) -> int:
        """The member's epoch, under the name of its predecessor."""
        return self.epoch

    @property
    def fallen(self) -> bool:
        """Whether the group has gone on without the member, and it knows."""
        return self.phase in (MemberPhase.FENCED, MemberPhase.STALE)

    @property
    def is_closed(self) -> bool:
        """Whether the member has left, and nothing more happens."""
        return self.closing and self.phase is MemberPhase.UNSUBSCRIBED

    @property
    def has_failed(self) -> bool:
        """Whether an error has stopped the member for good."""
        return self.phase is MemberPhase.FATAL

    @property
    def is_reconciled(self) -> bool:
        """Whether what was reached is the last target."""
        return self.up_to_date and self.reached == self.target


def start(
    settings: MemberSettings, topics: Iterable[tuple[str, int]], member_id: str
) -> ConsumerMemberState:
    """Return a member that has just been started."""
    return ConsumerMemberState(
        subscribed=settings.topics, topics=tuple(topics), member_id=member_id
    )


class ConsumerMemberTurn(AnyMemberTurn):
    """A step of a member of the consumer protocol."""

    __slots__ = ()
    state: ConsumerMemberState


class JoinState(StrEnum):
    """The states that a member of a consumer group (KIP-848) can be in."""

    INIT = "init"
    """The member is about to join, or has been given nothing yet."""
    WAIT_ASSIGN_CALL = "wait-assign-call"
    """The application is told of new partitions, and has to call assign."""
    WAIT_UNASSIGN_CALL = "wait-unassign-call"
    """The application is told what is revoked or lost, and has to call unassign."""
    WAIT_UNASSIGN_TO_COMPLETE = "wait-unassign-to-complete"
    """All partitions are given up: fetching ends, and offsets are committed."""
    WAIT_INCR_UNASSIGN_TO_COMPLETE = "wait-incr-unassign-to-complete"
    """Some partitions are given up."""
    STEADY = "steady"
    """The member has its assignment."""


_OUT = frozenset({MemberPhase.UNSUBSCRIBED, MemberPhase.JOINING, MemberPhase.FENCED,
                  MemberPhase.STALE, MemberPhase.PREPARE_LEAVING})  # fmt: skip


def join_states(last: JoinState, state: ConsumerMemberState) -> tuple[JoinState, ...]:
    """Return the join states that follow the last one, up to that of a member's state. What Java
    does without a state of its own is passed in no time.
    """
    state_now = _join_state(last, state)
    if state_now is last:
        return ()
    if last is not JoinState.WAIT_UNASSIGN_CALL:
        return (state_now,)
    if state_now is JoinState.INIT:
        return JoinState.WAIT_UNASSIGN_TO_COMPLETE, state_now
    return JoinState.WAIT_INCR_UNASSIGN_TO_COMPLETE, state_now


def _join_state(last: JoinState, state: ConsumerMemberState) -> JoinState:
    due = {task.work for task in state.tasks}
    if due & {Work.REVOKED, Work.LOST}:
        return JoinState.WAIT_UNASSIGN_CALL
    if state.phase in _OUT:
        return JoinState.INIT
    target = state.owned if state.target is None else state.target
    given_nothing = last is JoinState.INIT and not target and not state.owned
    if given_nothing or state.phase is MemberPhase.FATAL:
        return last
    if Work.ASSIGNED in due:
        return JoinState.WAIT_ASSIGN_CALL
    if state.phase is MemberPhase.RECONCILING and target != state.owned:
        revokes = bool(state.owned - target)
        return JoinState.WAIT_UNASSIGN_CALL if revokes else JoinState.WAIT_ASSIGN_CALL
    return JoinState.STEADY
