"""A member of a consumer group (KIP-848): Java's consumer with group.protocol=consumer.

Members of share groups and of streams groups run the same machine; `heartbeats` has what differs.

Two sides share its state. The heartbeat side sends heartbeats at the interval that the coordinator
told, and at once to join, to acknowledge and to leave; one at a time. The processing side polls,
processes batches and runs the listener's callbacks; a reconciliation begins in a poll.

Events and actions are those of the classic member (`machines.member_state`). This file holds the
conditions and the table of rules; `member_reactions` has what the rules do.
"""

from __future__ import annotations

from ....codec.messages import ConsumerGroupHeartbeatResponse
from ..machines.commits import CommitAnswer
from ..machines.error_codes import ErrorCode
from ..machines.member_state import (
    Action,
    BatchProcessed,
    CallbackReturned,
    Closed,
    ConnectionLost,
    Event,
    HeartbeatDue,
    MetadataChanged,
    NothingRead,
    Poll,
    PollOverdue,
    Subscribed,
)
from ..machines.processing import (
    idle,
    owns_something,
    processing_hangs,
    read,
    read_nothing,
    wait,
    without_error,
)
from ..machines.settings import MemberSettings
from ..machines.transitions import MachineRule, Table
from .heartbeats import ANSWERS
from .member_reactions import (
    ask_anew,
    beat_later,
    begin_reconciliation,
    change_subscription,
    close,
    close_outside,
    commit,
    end_callback,
    fail,
    fall_out,
    forget_answers,
    forget_members_place,
    ignore,
    join,
    learn_topics,
    leave_for_overdue_poll,
    note_commit,
    run_tasks,
    send_heartbeat,
    send_if_urgent,
    take_answer,
)
from .member_state import ConsumerMemberState, ConsumerMemberTurn, MemberPhase

_FENCED = frozenset({ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_MEMBER_EPOCH})


def step(
    settings: MemberSettings, state: ConsumerMemberState, event: Event
) -> tuple[ConsumerMemberState, list[Action]]:
    """Return the state after an event, and the actions for the outside to take."""
    turn = ConsumerMemberTurn(settings, state, event)
    kind = ConsumerGroupHeartbeatResponse if isinstance(event, ANSWERS) else type(event)
    TABLE.apply(turn, kind)
    send_if_urgent(turn)
    return turn.state, turn.actions


def wants_poll(settings: MemberSettings, state: ConsumerMemberState) -> bool:
    """Return whether a poll would do more than read: the processing side waits in it for that."""
    if state.calling or state.busy or state.is_closed:
        return False
    if state.tasks:
        return True
    if state.phase in (MemberPhase.UNSUBSCRIBED, MemberPhase.STALE):
        return True
    return state.phase is MemberPhase.RECONCILING and not state.is_reconciled


# -- conditions


def idle_and_open(turn: ConsumerMemberTurn) -> bool:
    """Return whether the member is idle, and the application has not closed it."""
    return idle(turn) and not turn.state.closing


def callbacks_wait(turn: ConsumerMemberTurn) -> bool:
    """Return whether callbacks are due that wait for the application's poll."""
    return idle(turn) and bool(turn.state.tasks)


def reconciliation_is_due(turn: ConsumerMemberTurn) -> bool:
    """Return whether there is a target assignment that the member has not reached."""
    return idle(turn) and not turn.state.is_reconciled


def nothing_in_flight(turn: ConsumerMemberTurn) -> bool:
    """Return whether the last heartbeat was answered."""
    return not turn.state.in_flight


def does_not_count(turn: ConsumerMemberTurn) -> bool:
    """Return whether the answer is to a heartbeat that the member has given up."""
    return not turn.state.awaited or not turn.state.awaited[0]


def fenced(turn: ConsumerMemberTurn) -> bool:
    """Return whether the answer is UNKNOWN_MEMBER_ID or FENCED_MEMBER_EPOCH."""
    return turn.error in _FENCED


# -- the table

_IN = (
    MemberPhase.JOINING,
    MemberPhase.RECONCILING,
    MemberPhase.ACKNOWLEDGING,
    MemberPhase.STABLE,
)
_BEATING = (*_IN, MemberPhase.PREPARE_LEAVING)
_OUT = (MemberPhase.UNSUBSCRIBED, MemberPhase.STALE, MemberPhase.FENCED)
_ALL = tuple(MemberPhase)
_R = (MemberPhase.RECONCILING,)
_AFTER_ANSWER = (*_BEATING,)
TABLE = Table[ConsumerMemberTurn](
    (
        # the processing side
        MachineRule(_ALL, Poll, run_tasks, (), callbacks_wait),
        MachineRule(
            (MemberPhase.UNSUBSCRIBED, MemberPhase.STALE),
            Poll,
            join,
            (MemberPhase.JOINING,),
            idle_and_open,
        ),
        MachineRule(
            _R, Poll, begin_reconciliation, (*_R, MemberPhase.ACKNOWLEDGING), reconciliation_is_due
        ),
        MachineRule(_IN, Poll, read, (), owns_something),
        MachineRule(_IN, Poll, wait, (), idle),
        MachineRule(_ALL, BatchProcessed, commit),
        MachineRule(_ALL, NothingRead, read_nothing),
        MachineRule(_ALL, CallbackReturned, end_callback),
        MachineRule(_ALL, Subscribed, change_subscription),
        MachineRule(_ALL, MetadataChanged, learn_topics),
        MachineRule(_IN, Closed, close, (MemberPhase.PREPARE_LEAVING, MemberPhase.UNSUBSCRIBED)),
        MachineRule(_OUT, Closed, close_outside, (MemberPhase.UNSUBSCRIBED,)),
        # the heartbeat side
        MachineRule(
            _BEATING,
            HeartbeatDue,
            send_heartbeat,
            (*_R, MemberPhase.STABLE, MemberPhase.JOINING, MemberPhase.PREPARE_LEAVING),
            nothing_in_flight,
        ),
        MachineRule(_BEATING, HeartbeatDue, beat_later),
        MachineRule(
            _IN, PollOverdue, leave_for_overdue_poll, (MemberPhase.STALE,), processing_hangs
        ),
        # the coordinator's answers
        MachineRule(_ALL, ConsumerGroupHeartbeatResponse, ignore, (), does_not_count),
        MachineRule(
            _BEATING, ConsumerGroupHeartbeatResponse, take_answer, _AFTER_ANSWER, without_error
        ),
        MachineRule(
            _IN,
            ConsumerGroupHeartbeatResponse,
            fall_out,
            (MemberPhase.FENCED, MemberPhase.JOINING),
            fenced,
        ),
        MachineRule(
            (MemberPhase.PREPARE_LEAVING,),
            ConsumerGroupHeartbeatResponse,
            forget_members_place,
            (MemberPhase.PREPARE_LEAVING,),
            fenced,
        ),
        MachineRule(_BEATING, ConsumerGroupHeartbeatResponse, fail, (MemberPhase.FATAL,)),
        MachineRule(_ALL, ConsumerGroupHeartbeatResponse, ignore),
        MachineRule(_ALL, CommitAnswer, note_commit),
        # the connection
        MachineRule(_BEATING, ConnectionLost, ask_anew),
        MachineRule(_ALL, ConnectionLost, forget_answers),
    )
)
"""The member's machine."""
