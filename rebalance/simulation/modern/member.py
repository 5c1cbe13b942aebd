"""A member of a consumer group (KIP-848): Java's consumer with group.protocol=consumer.

Members of share groups and of streams groups run the same machine; `heartbeats` has what differs.

Two sides share its state. The heartbeat side sends heartbeats at the interval that the coordinator
sets, and at once to join, to acknowledge and to leave; one at a time. The processing side polls,
processes batches and runs the listener's callbacks; a reconciliation begins in a poll.

Events and actions are those of the classic member (`machines.member_state`). The reactions come
first, then the conditions, and at the end the table of rules.
"""

from __future__ import annotations

from typing import Any

from ....codec.messages import ConsumerGroupHeartbeatResponse
from ...assignments import Partition
from ..machines.callbacks import LISTENER, Work
from ..machines.coordinator_state import Commit, CommitAnswer, ErrorCode
from ..machines.member_state import (
    COMMIT_FAILED,
    Action,
    BatchProcessed,
    CallbackReturned,
    Closed,
    ConnectionLost,
    Did,
    Event,
    HeartbeatDue,
    MetadataChanged,
    NothingRead,
    Poll,
    PollOverdue,
    Send,
    SetTimer,
    Subscribed,
    Timer,
    call_listener,
    idle,
    owns_something,
    processing_hangs,
    read,
    read_nothing,
    restart_poll_timer,
    wait,
    without_error,
)
from ..machines.settings import MemberSettings, Remedy
from ..machines.transitions import MachineRule, Table
from .group_state import JOIN_EPOCH, LEAVE_EPOCH, STATIC_LEAVE_EPOCH
from .heartbeats import ANSWERS, HEARTBEAT_VERSION, heartbeats_of, leave_request
from .member_state import ConsumerMemberState, ConsumerMemberTurn, MemberPhase, MemberStep, Planned
from .targets import renamed

NOTHING: frozenset[Partition] = frozenset()

# -- the processing side


def join(turn: ConsumerMemberTurn) -> None:
    """Begin to join: the next heartbeat has epoch 0 and says everything."""
    restart_poll_timer(turn)
    _begin_to_join(turn)


def begin_reconciliation(turn: ConsumerMemberTurn) -> None:
    """Give up what the target does not contain, then take up what it adds."""
    restart_poll_timer(turn)
    state = turn.state
    assert state.target is not None
    target = heartbeats_of(turn.settings).readable_part(state, state.target)
    if state.reached is not None and target == state.reached:
        turn.change(
            reached=target, up_to_date=True, is_reported=False, phase=MemberPhase.ACKNOWLEDGING
        )
        return
    for_listener = heartbeats_of(turn.settings).told_to_listener
    added = for_listener(target - state.owned)
    plan = (
        *_callback(turn, Work.REVOKED, state.owned - target),
        Planned(MemberStep.APPLY, target),
        *(() if added is None else (Planned(Work.ASSIGNED, added),)),
        Planned(MemberStep.ACKNOWLEDGE, target),
    )
    turn.change(pursued=target, renewed=False, rejoined=False, tasks=plan)
    _go_on(turn, polled=True)


def run_tasks(turn: ConsumerMemberTurn) -> None:
    """Run the callbacks that waited for the poll."""
    restart_poll_timer(turn)
    _go_on(turn, polled=True)


def end_callback(turn: ConsumerMemberTurn) -> None:
    """Give up what was revoked or lost, now that the callback has returned, and go on.

    A reconciliation ends here where the member has left that state meanwhile.
    """
    state = turn.state
    task, rest = state.tasks[0], state.tasks[1:]
    owned = state.owned if task.work is Work.ASSIGNED else state.owned - task.partitions
    turn.change(calling=False, owned=owned, tasks=rest)
    if state.pursued is not None and _is_void(turn.state):
        _abort(turn)
    _go_on(turn, polled=True)


def commit(turn: ConsumerMemberTurn) -> None:
    """Commit what was processed; a coordinator that has gone on refuses it."""
    turn.change(busy=False)
    state, mine = turn.state, heartbeats_of(turn.settings).told_to_listener(turn.state.owned)
    if mine is None:
        return  # records of a share group are acknowledged one by one
    if state.epoch <= JOIN_EPOCH:
        turn.act(Did(COMMIT_FAILED))
    elif state.committed_in is None:
        turn.change(committed_in=state.epoch)
        turn.act(Send(Commit(state.member_id, state.epoch, mine), 0))


def change_subscription(turn: ConsumerMemberTurn) -> None:
    """Store the new subscription; the next heartbeat sends it."""
    assert isinstance(turn.event, Subscribed)
    turn.change(subscribed=turn.event.topics)


def learn_topics(turn: ConsumerMemberTurn) -> None:
    """Store new metadata: it has the names of the topics that the coordinator assigns by id."""
    assert isinstance(turn.event, MetadataChanged)
    topics, target = turn.event.topics, turn.state.target
    if target is not None:
        target = renamed(target, (topic for topic, _ in topics))
    turn.change(topics=topics, target=target)


def close(turn: ConsumerMemberTurn) -> None:
    """Call onPartitionsRevoked, or onPartitionsLost without an epoch; then leave."""
    state = turn.state
    turn.act(SetTimer(Timer.POLL, None))
    work = Work.REVOKED if state.epoch > JOIN_EPOCH else Work.LOST
    plan = (
        *_callback(turn, work, state.owned),
        Planned(MemberStep.RELEASE),
        Planned(MemberStep.LEAVE),
    )
    turn.change(
        closing=True,
        busy=False,
        pursued=None,
        tasks=plan,
        phase=MemberPhase.PREPARE_LEAVING,
    )
    _go_on(turn, polled=True)


def close_outside(turn: ConsumerMemberTurn) -> None:
    """Close a member that is not in the group; it sends nothing."""
    turn.act(SetTimer(Timer.POLL, None))
    turn.act(SetTimer(Timer.HEARTBEAT, None))
    turn.change(closing=True, tasks=(), calling=False, busy=False)
    _release(turn)


# -- the heartbeat side


def send_heartbeat(turn: ConsumerMemberTurn) -> None:
    """Send a heartbeat with what has changed since the last, and restart its timer."""
    state = turn.state
    request = heartbeats_of(turn.settings).request(turn.settings, state)
    turn.act(Send(request, HEARTBEAT_VERSION))
    turn.change(
        in_flight=True,
        awaited=(*state.awaited, True),
        is_reported=True,
        told_topics=state.subscribed,
    )
    beat_later(turn)
    if state.phase is MemberPhase.ACKNOWLEDGING:
        reached = state.is_reconciled
        turn.change(phase=MemberPhase.STABLE if reached else MemberPhase.RECONCILING)


def send_if_urgent(turn: ConsumerMemberTurn) -> None:
    """Send the heartbeat that joins or acknowledges as soon as none is under way."""
    urgent = turn.state.phase in (MemberPhase.JOINING, MemberPhase.ACKNOWLEDGING)
    if urgent and not turn.state.in_flight:
        send_heartbeat(turn)


def leave_for_overdue_poll(turn: ConsumerMemberTurn) -> None:
    """Leave the group; what is owned is lost as soon as the application polls."""
    state = turn.state
    _send_leave(turn)
    running = state.tasks[:1] if state.calling else ()
    losses = _callback(turn, Work.LOST, state.owned)
    turn.change(
        phase=MemberPhase.STALE,
        tasks=(*running, *losses, Planned(MemberStep.RELEASE)),
        reached=None,
    )
    _go_on(turn, polled=False)


def take_answer(turn: ConsumerMemberTurn) -> None:
    """Take the epoch over, and the assignment if the answer brings one."""
    answer = _receive_answer(turn)
    state = turn.state
    turn.change(epoch=answer.member_epoch)
    if answer.heartbeat_interval_ms != state.interval_ms:
        turn.change(interval_ms=answer.heartbeat_interval_ms)
        beat_later(turn)
    target = heartbeats_of(turn.settings).assignment(state, answer)
    if target is not None and state.phase is not MemberPhase.PREPARE_LEAVING:
        _take_target(turn, target)


def fall_out(turn: ConsumerMemberTurn) -> None:
    """Give everything up, as the coordinator knows no such member or epoch; then join anew."""
    _receive_answer(turn)
    state = turn.state
    running = state.tasks[:1] if state.calling else ()
    losses = _callback(turn, Work.LOST, state.owned)
    turn.act(SetTimer(Timer.HEARTBEAT, None))
    turn.change(
        phase=MemberPhase.FENCED,
        epoch=JOIN_EPOCH,
        tasks=(*running, *losses, Planned(MemberStep.RELEASE)),
        told_topics=None,
    )
    if not losses:
        _release_and_join(turn, running)


def forget_members_place(turn: ConsumerMemberTurn) -> None:
    """Go on closing without a heartbeat that leaves: the coordinator has removed the member."""
    _receive_answer(turn)
    turn.change(
        epoch=LEAVE_EPOCH,
        tasks=tuple(task for task in turn.state.tasks if task.work is not MemberStep.LEAVE),
    )


def fail(turn: ConsumerMemberTurn) -> None:
    """Stop for good, by the error of the answer."""
    _receive_answer(turn)
    state = turn.state
    for timer in Timer:
        turn.act(SetTimer(timer, None))
    losses = _callback(turn, Work.LOST, state.owned)
    running = state.tasks[:1] if state.calling else ()
    turn.change(
        reason=ErrorCode(turn.error).name,
        tasks=(*running, *losses, Planned(MemberStep.RELEASE)),
        pursued=None,
    )
    _go_on(turn, polled=False)


def ignore(turn: ConsumerMemberTurn) -> None:
    """Ignore an answer to a heartbeat that the member has given up."""
    turn.change(awaited=turn.state.awaited[1:])


def note_commit(turn: ConsumerMemberTurn) -> None:
    """Note that the commit was answered. Where it was refused, heartbeats tell what to do."""
    turn.change(committed_in=None)


def ask_anew(turn: ConsumerMemberTurn) -> None:
    """Send the next heartbeat over a new connection; it says everything."""
    forget_answers(turn)
    send_heartbeat(turn)


def forget_answers(turn: ConsumerMemberTurn) -> None:
    """Forget what was asked over a connection that is lost."""
    turn.change(in_flight=False, awaited=(), committed_in=None, is_reported=False, told_topics=None)


# -- parts


def _callback(
    turn: ConsumerMemberTurn, work: Work, partitions: frozenset[Partition]
) -> tuple[Planned, ...]:
    """Return the call of the listener, if there is something to tell it."""
    for_listener = heartbeats_of(turn.settings).told_to_listener(partitions)
    return (Planned(work, for_listener),) if for_listener else ()


def _take_target(turn: ConsumerMemberTurn, target: frozenset[Partition]) -> None:
    state = turn.state
    if state.target != target:
        turn.change(target=target, up_to_date=False, renewed=True)
    if not turn.state.is_reconciled:
        turn.change(phase=MemberPhase.RECONCILING)
    elif state.phase in (MemberPhase.RECONCILING, MemberPhase.JOINING):
        turn.change(phase=MemberPhase.STABLE)


def _receive_answer(turn: ConsumerMemberTurn) -> Any:
    """Return the answer, and note that it has come; after an error the next heartbeat says
    everything.
    """
    answer: Any = turn.event
    turn.change(in_flight=False, awaited=turn.state.awaited[1:])
    if answer.error_code:
        turn.change(is_reported=False, told_topics=None)
    return answer


def _is_void(state: ConsumerMemberState) -> bool:
    return state.phase is not MemberPhase.RECONCILING or state.rejoined


def _abort(turn: ConsumerMemberTurn) -> None:
    """Drop what is left of a reconciliation."""
    steps = (MemberStep.APPLY, MemberStep.ACKNOWLEDGE, Work.ASSIGNED)
    rest = tuple(task for task in turn.state.tasks if task.work not in steps)
    turn.change(tasks=rest, pursued=None, rejoined=False)


def _go_on(turn: ConsumerMemberTurn, *, polled: bool) -> None:
    """Do what is planned until a callback takes time; callbacks run inside of a poll alone."""
    while turn.state.tasks and not turn.state.calling:
        task = turn.state.tasks[0]
        if task.work in LISTENER:
            if not polled:
                return
            call_listener(turn, Work(task.work), task.partitions)
            return
        turn.change(tasks=turn.state.tasks[1:])
        _DO[MemberStep(task.work)](turn, task)


def _apply(turn: ConsumerMemberTurn, task: Planned) -> None:
    turn.change(owned=task.partitions)


def _acknowledge(turn: ConsumerMemberTurn, task: Planned) -> None:
    state = turn.state
    turn.change(
        reached=task.partitions,
        up_to_date=not state.renewed,
        is_reported=False,
        pursued=None,
        phase=MemberPhase.ACKNOWLEDGING,
    )


def _give_up(turn: ConsumerMemberTurn, task: Planned) -> None:
    _release(turn)
    if turn.state.phase is MemberPhase.FENCED:
        _begin_to_join(turn)
        turn.change(phase=MemberPhase.JOINING)


def _leave(turn: ConsumerMemberTurn, task: Planned) -> None:
    if turn.state.epoch >= JOIN_EPOCH:
        _send_leave(turn)
    turn.act(SetTimer(Timer.HEARTBEAT, None))
    turn.change(phase=MemberPhase.UNSUBSCRIBED)


_DO = {
    MemberStep.APPLY: _apply,
    MemberStep.ACKNOWLEDGE: _acknowledge,
    MemberStep.RELEASE: _give_up,
    MemberStep.LEAVE: _leave,
}


def _release(turn: ConsumerMemberTurn) -> None:
    turn.change(
        owned=NOTHING, target=None, reached=None, up_to_date=True, is_reported=False, renewed=True
    )


def _release_and_join(turn: ConsumerMemberTurn, running: tuple[Planned, ...]) -> None:
    """Join at once, as nothing is owned that would be lost; a callback may still run."""
    turn.change(tasks=running)
    _give_up(turn, Planned(MemberStep.RELEASE))


def _begin_to_join(turn: ConsumerMemberTurn) -> None:
    turn.change(
        epoch=JOIN_EPOCH,
        target=None,
        up_to_date=turn.state.reached is None,
        rejoined=turn.state.pursued is not None,
        told_topics=None,
    )


def _send_leave(turn: ConsumerMemberTurn) -> None:
    """Send the heartbeat that leaves; its answer is ignored."""
    settings, state = turn.settings, turn.state
    static = settings.group_instance_id is not None
    epoch = STATIC_LEAVE_EPOCH if static else LEAVE_EPOCH
    turn.act(Send(leave_request(settings, state, epoch), HEARTBEAT_VERSION))
    turn.act(SetTimer(Timer.HEARTBEAT, None))
    forgets = Remedy.FORGETS_ANSWERS in settings.remedies
    awaited = (False,) * len(state.awaited) if forgets else state.awaited
    turn.change(
        epoch=epoch,
        in_flight=False,
        awaited=(*awaited, False),
        is_reported=False,
        told_topics=None,
    )


def beat_later(turn: ConsumerMemberTurn) -> None:
    """Restart the heartbeat's timer; until the first answer the interval is not known."""
    turn.act(SetTimer(Timer.HEARTBEAT, turn.state.interval_ms or None))


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
