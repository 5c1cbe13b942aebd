"""A member of a group: Kafka's classic consumer as a machine, eager and cooperative.

Two sides share its state. The processing side is the application's thread: it polls, processes
batches and runs the listener's callbacks; every part of a rebalance happens inside a poll. The
heartbeat side sends heartbeats by a timer, and LeaveGroup where polls stay away too long.

Events go in: `Poll`, `BatchProcessed`, `CallbackReturned`, `Subscribed`, `MetadataChanged`,
`Closed`; `HeartbeatDue` and `PollOverdue`; the coordinator's answers; `ConnectionLost`. Actions
come out: requests to send, callbacks to run, timers to set, partitions to read from.

The trap of this machine: JoinGroup's answer may say that the group has gone on without the member.
Then the callbacks before a join are due once more, or the member claims partitions that it no
longer owns (KAFKA-12984, KAFKA-13406).

This file holds the conditions and the table of rules; `member_state` has what they are about,
`member_reactions` what the rules do.
"""

from __future__ import annotations

from ....codec.messages import HeartbeatResponse, JoinGroupResponse, SyncGroupResponse
from .coordinator_state import FALLEN_OUT, FATAL, CommitAnswer, ErrorCode
from .member_reactions import (
    ask_again,
    ask_over_a_new_connection,
    beat_later,
    change_subscription,
    close,
    commit,
    drop_out,
    end_callback,
    end_last_callback,
    forget_questions,
    learn_topics,
    leave_for_overdue_poll,
    lose_what_vanished,
    note_answer,
    pass_over,
    prepare_join,
    receive_share,
    rejoin,
    send_heartbeat,
    stop,
    synchronise,
    take_assignment,
    take_id_and_ask_again,
)
from .member_state import (
    Action,
    BatchProcessed,
    CallbackReturned,
    Closed,
    ConnectionLost,
    Event,
    HeartbeatDue,
    MemberState,
    MemberTurn,
    MetadataChanged,
    NothingRead,
    Phase,
    Poll,
    PollOverdue,
    Subscribed,
    idle,
    owns_something,
    processing_hangs,
    read,
    read_nothing,
    vanished_partitions,
    wait,
    without_error,
)
from .settings import MemberSettings
from .transitions import MachineRule, Table


def step(
    settings: MemberSettings, state: MemberState, event: Event
) -> tuple[MemberState, list[Action]]:
    """Return the state after an event, and the actions for the outside to take."""
    turn = MemberTurn(settings, state, event)
    TABLE.apply(turn, type(event))
    return turn.state, turn.actions


def wants_poll(settings: MemberSettings, state: MemberState) -> bool:
    """Return whether a poll would do more than read: the processing side waits in it for that."""
    if state.calling or state.busy or state.phase not in _ALIVE:
        return False
    return (
        state.share is not None
        or (state.phase is Phase.UNJOINED and not state.asking)
        or (
            state.phase is Phase.STABLE
            and (state.rejoin or bool(vanished_partitions(settings, state)))
        )
    )


# -- conditions


def idle_and_unasked(turn: MemberTurn) -> bool:
    """Return whether the member is idle and waits for no answer to a JoinGroup or SyncGroup that it
    has given up.
    """
    return idle(turn) and not turn.state.asking


def before_the_join(turn: MemberTurn) -> bool:
    """Return whether the callbacks before JoinGroup run; heartbeats go on until it is sent."""
    return turn.state.calling and nothing_asked(turn)


def callback_runs(turn: MemberTurn) -> bool:
    """Return whether one of the callbacks before JoinGroup runs."""
    return turn.state.calling


def an_assignment_waits(turn: MemberTurn) -> bool:
    """Return whether SyncGroup was answered and its assignment not read yet."""
    return idle(turn) and turn.state.share is not None


def owned_partitions_vanished(turn: MemberTurn) -> bool:
    """Return whether owned partitions have vanished. Cooperative members lose them at once; eager
    ones revoke everything anyway.
    """
    return idle(turn) and bool(vanished_partitions(turn.settings, turn.state))


def rejoin_is_due(turn: MemberTurn) -> bool:
    """Return whether the member has to rejoin: a heartbeat said so, the subscription changed, or
    partitions were revoked.
    """
    return idle(turn) and turn.state.rejoin


def fallen_out(turn: MemberTurn) -> bool:
    """Return whether the answer is UNKNOWN_MEMBER_ID or ILLEGAL_GENERATION."""
    return turn.error in FALLEN_OUT


def fatal(turn: MemberTurn) -> bool:
    """Return whether the answer is INCONSISTENT_GROUP_PROTOCOL or FENCED_INSTANCE_ID."""
    return turn.error in FATAL


def id_required(turn: MemberTurn) -> bool:
    """Return whether the answer is MEMBER_ID_REQUIRED, with the id that the coordinator gave."""
    return turn.error == ErrorCode.MEMBER_ID_REQUIRED


def rebalance_in_progress(turn: MemberTurn) -> bool:
    """Return whether the answer is REBALANCE_IN_PROGRESS."""
    return turn.error == ErrorCode.REBALANCE_IN_PROGRESS


def of_this_generation(turn: MemberTurn) -> bool:
    """Return whether the request was sent in this generation; an answer to an older
    request no longer applies.
    """
    commits = isinstance(turn.event, CommitAnswer)
    generation = turn.state.committed_in if commits else turn.state.asked_in
    return generation == turn.state.generation


def current_and_rebalancing(turn: MemberTurn) -> bool:
    """Return whether the answer is REBALANCE_IN_PROGRESS, for this generation."""
    return of_this_generation(turn) and rebalance_in_progress(turn)


def current_and_fallen_out(turn: MemberTurn) -> bool:
    """Return whether the answer is UNKNOWN_MEMBER_ID or ILLEGAL_GENERATION, for this generation."""
    return of_this_generation(turn) and fallen_out(turn)


def current_and_fatal(turn: MemberTurn) -> bool:
    """Return whether the answer is FENCED_INSTANCE_ID, for this generation."""
    return of_this_generation(turn) and fatal(turn)


def nothing_asked(turn: MemberTurn) -> bool:
    """Return whether the last heartbeat was answered."""
    return turn.state.asked_in is None


def nothing_to_run(turn: MemberTurn) -> bool:
    """Return whether the member leaves without a callback, as it owns nothing."""
    return not turn.state.owned


# -- the table

_ALIVE = (
    Phase.UNJOINED,
    Phase.PREPARING_REBALANCE,
    Phase.COMPLETING_REBALANCE,
    Phase.STABLE,
)
_P, _C = (Phase.PREPARING_REBALANCE,), (Phase.COMPLETING_REBALANCE,)
_U, _S = (Phase.UNJOINED,), (Phase.STABLE,)
_IN = (*_C, *_S)
TABLE = Table[MemberTurn](
    (
        # the processing side
        MachineRule(_S, Poll, take_assignment, (*_S, Phase.FAILED), an_assignment_waits),
        MachineRule(_S, Poll, lose_what_vanished, _S, owned_partitions_vanished),
        MachineRule(_U, Poll, prepare_join, _P, idle_and_unasked),
        MachineRule(_S, Poll, prepare_join, _P, rejoin_is_due),
        MachineRule((*_P, *_C, *_S), Poll, read, (), owns_something),
        MachineRule((*_P, *_C, *_S), Poll, wait, (), idle),
        MachineRule(_ALIVE, BatchProcessed, commit),
        MachineRule(_ALIVE, NothingRead, read_nothing),
        MachineRule(_ALIVE, CallbackReturned, end_callback),
        MachineRule((Phase.LEAVING,), CallbackReturned, end_last_callback, (Phase.CLOSED,)),
        MachineRule(_ALIVE, Subscribed, change_subscription),
        MachineRule(_ALIVE, MetadataChanged, learn_topics),
        MachineRule(_ALIVE, Closed, close, (Phase.CLOSED,), nothing_to_run),
        MachineRule(_ALIVE, Closed, close, (Phase.LEAVING,)),
        # the heartbeat side
        MachineRule(_IN, HeartbeatDue, send_heartbeat, (), nothing_asked),
        MachineRule(_P, HeartbeatDue, send_heartbeat, (), before_the_join),
        MachineRule(_IN, HeartbeatDue, beat_later),
        MachineRule(_IN, PollOverdue, leave_for_overdue_poll, _U, processing_hangs),
        MachineRule(_P, PollOverdue, leave_for_overdue_poll, _U, callback_runs),
        # answers
        MachineRule(_P, JoinGroupResponse, synchronise, _C, without_error),
        MachineRule(_P, JoinGroupResponse, take_id_and_ask_again, _P, id_required),
        MachineRule(_P, JoinGroupResponse, drop_out, _U, fallen_out),
        MachineRule(_P, JoinGroupResponse, ask_again, _U, rebalance_in_progress),
        MachineRule(_P, JoinGroupResponse, stop, (Phase.FAILED,), fatal),
        MachineRule(_C, SyncGroupResponse, receive_share, _S, without_error),
        MachineRule(_C, SyncGroupResponse, ask_again, _U, rebalance_in_progress),
        MachineRule(_C, SyncGroupResponse, drop_out, _U, fallen_out),
        MachineRule(_C, SyncGroupResponse, stop, (Phase.FAILED,), fatal),
        MachineRule(_U, JoinGroupResponse, pass_over),
        MachineRule(_U, SyncGroupResponse, pass_over),
        MachineRule((*_P, *_IN), HeartbeatResponse, drop_out, _U, current_and_fallen_out),
        MachineRule(_S, HeartbeatResponse, rejoin, _S, current_and_rebalancing),
        MachineRule(_IN, HeartbeatResponse, stop, (Phase.FAILED,), current_and_fatal),
        MachineRule(_ALIVE, HeartbeatResponse, note_answer),
        MachineRule(_IN, CommitAnswer, drop_out, _U, current_and_fallen_out),
        MachineRule(_S, CommitAnswer, rejoin, _S, current_and_rebalancing),
        MachineRule(_IN, CommitAnswer, stop, (Phase.FAILED,), current_and_fatal),
        MachineRule(_ALIVE, CommitAnswer, note_answer),
        # the connection
        MachineRule(_P, ConnectionLost, forget_questions, (), callback_runs),
        MachineRule((*_P, *_C), ConnectionLost, ask_over_a_new_connection, _U),
        MachineRule((*_U, *_S), ConnectionLost, forget_questions),
    )
)
"""The member's machine."""
