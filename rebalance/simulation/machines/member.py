"""A member of a group: Kafka's classic consumer as a machine, eager and cooperative.

Two sides share its state. The processing side is the application's thread: it polls, processes
batches and runs the listener's callbacks; nothing of a rebalance is done but in a poll. The
heartbeat side sends heartbeats by a timer, and LeaveGroup where polls stay away too long.

Events go in: `Poll`, `BatchProcessed`, `CallbackReturned`, `Subscribed`, `MetadataChanged`,
`Closed`; `HeartbeatDue` and `PollOverdue`; the coordinator's answers; `ConnectionLost`. Actions
come out: requests to send, callbacks to run, timers to set, partitions to read from.

The trap of this machine: JoinGroup's answer may say that the group has gone on without the member.
Then the callbacks before a join are due once more, or claims go out that are true no longer
(KAFKA-12984, KAFKA-13406).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from ....codec import DecodeError
from ....codec.messages import (
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    SyncGroupRequest,
    SyncGroupResponse,
)
from ....codec.runtime.message import Message
from ...assignments import Partition, partitions_of
from ...assignor import Memory, RebalanceProtocol
from ...input_errors import Complaint
from .callbacks import LISTENER, Situation, Task, With, Work, plan
from .client_formats import Told
from .commits import Commit, CommitAnswer
from .error_codes import FALLEN_OUT, FATAL, ErrorCode
from .leader import Candidate, lead
from .settings import JOIN_VERSIONS, SYNC_VERSIONS, MemberSettings, Mistake
from .transitions import Rule, Table, Turn

NO_GENERATION = -1
CONSUMER = "consumer"
GROUP_ID = "group"
COMMIT_FAILED = "commit failed"
"""The member knows by itself that the group has gone on (Java: CommitFailedException)."""


class Phase(StrEnum):
    """Where a member is; the first four are Kafka's MemberState."""

    UNJOINED = "unjoined"
    PREPARING_REBALANCE = "preparing rebalance"
    """From the callbacks before JoinGroup to its answer."""
    COMPLETING_REBALANCE = "completing rebalance"
    """From JoinGroup's answer to SyncGroup's."""
    STABLE = "stable"
    LEAVING = "leaving"
    CLOSED = "closed"
    FAILED = "failed"
    """Stopped by an error that no retry heals."""


class MemberState(NamedTuple):
    """All that a member knows at a moment."""

    phase: Phase = Phase.UNJOINED
    subscribed: tuple[str, ...] = ()
    topics: tuple[tuple[str, int], ...] = ()
    """Its metadata: each topic's number of partitions."""
    member_id: str = ""
    generation: int = NO_GENERATION
    """Of JoinGroup's last answer."""
    leads: bool = False
    chosen: str | None = None
    """The assignor that the coordinator chose."""
    owned: frozenset[Partition] = frozenset()
    owned_as: str = ""
    """The member id under which it was given what it owns; none once it `missed` a generation."""
    left_out: bool = False
    """A generation was made without it since it last joined one; it does not know."""
    memories: tuple[tuple[str, Memory], ...] = ()
    """What assignors want to remember, by name."""
    tasks: tuple[Task, ...] = ()
    """What the processing side is about to do; the first of them runs if `calling`."""
    calling: bool = False
    busy: bool = False
    """A batch is being processed."""
    rejoin: bool = False
    """A join is due at the next poll."""
    vanished: frozenset[Partition] = frozenset()
    """Owned partitions that the metadata had and has no longer; lost at the next poll."""
    fallen: bool = False
    """The group has gone on without it; what it owns is lost at the next poll."""
    prepared: bool = False
    """The callbacks before the join were run, and nothing has come of the join yet."""
    share: bytes | None = None
    """An assignment that waits for the next poll."""
    asking: bool = False
    """JoinGroup or SyncGroup is not yet answered."""
    asked_in: int | None = None
    """The generation of the heartbeat that is not yet answered."""
    committed_in: int | None = None
    """The generation of the commit that is not yet answered."""
    reason: str = ""
    """Why it failed."""


# -- events


class Poll(NamedTuple):
    """The application polls."""


class BatchProcessed(NamedTuple):
    """The application is through with its batch, and commits."""


class NothingRead(NamedTuple):
    """There were no records; the application waits in its next poll."""


class CallbackReturned(NamedTuple):
    """The listener's callback is over."""


class Subscribed(NamedTuple):
    """The application subscribes to other topics."""

    topics: tuple[str, ...]


class MetadataChanged(NamedTuple):
    """Topics came, went or grew."""

    topics: tuple[tuple[str, int], ...]


class Closed(NamedTuple):
    """The application closes the consumer."""


class HeartbeatDue(NamedTuple):
    """heartbeat.interval.ms have passed."""


class PollOverdue(NamedTuple):
    """max.poll.interval.ms have passed since the last poll."""


class ConnectionLost(NamedTuple):
    """What was asked and not answered will not be."""


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
    """A request for the coordinator, in this version of its API."""

    message: Message | Commit
    version: int


class Call(NamedTuple):
    """Run the listener's callback; `CallbackReturned` says when it is over.

    A listener without onPartitionsLost has its onPartitionsRevoked called instead.
    """

    work: Work
    partitions: frozenset[Partition]


class Did(NamedTuple):
    """A call of the assignor, which takes no time: subscriptionUserData, assign, onAssignment."""

    what: str
    partitions: frozenset[Partition] = frozenset()


class Read(NamedTuple):
    """Give the application the next records of these; `BatchProcessed` says when it is through."""

    partitions: frozenset[Partition]


class Timer(StrEnum):
    """The member's timers."""

    HEARTBEAT = "heartbeat"
    POLL = "poll"


class SetTimer(NamedTuple):
    """Let a timer run out in so many milliseconds, whatever it was set to; None stops it."""

    timer: Timer
    after_ms: int | None


class Complain(NamedTuple):
    """What the leader could not use, and whose it is."""

    complaint: Complaint


Action: TypeAlias = Send | Call | Did | Read | SetTimer | Complain


class MemberTurn(Turn):
    """A step of a member."""

    __slots__ = ()
    settings: MemberSettings
    state: MemberState
    event: Event
    actions: list[Action]


def start(settings: MemberSettings, topics: Iterable[tuple[str, int]]) -> MemberState:
    """Return a member that has just been started."""
    return MemberState(subscribed=settings.topics, topics=tuple(topics))


def step(
    settings: MemberSettings, state: MemberState, event: Event
) -> tuple[MemberState, list[Action]]:
    """Return the state after an event, and what is to be done outside."""
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
        or (state.phase is Phase.STABLE and (state.rejoin or bool(_vanished(settings, state))))
    )


def owned_truly(state: MemberState) -> frozenset[Partition]:
    """Return what it owns by an assignment to the member that it is now; what was given under an id
    that the coordinator has dropped since, or before a generation that it missed, is a belief.
    """
    return state.owned if state.owned_as == state.member_id else frozenset()


def missed(state: MemberState) -> MemberState:
    """Return a generation was made without it, as the coordinator does with a static member that
    joins too late: the leader has given away what it owns, and the member does not know.
    """
    return state._replace(owned_as="", left_out=True)


# -- conditions


def idle(turn: MemberTurn) -> bool:
    """No callback runs and no batch is being processed."""
    return not turn.state.calling and not turn.state.busy


def idle_and_unasked(turn: MemberTurn) -> bool:
    """Nor is an older JoinGroup or SyncGroup, of which nothing came, still to be answered."""
    return idle(turn) and not turn.state.asking


def before_the_join(turn: MemberTurn) -> bool:
    """Return the callbacks before JoinGroup run; heartbeats go on until it is sent."""
    return turn.state.calling and nothing_asked(turn)


def processing_hangs(turn: MemberTurn) -> bool:
    """Return a batch or a callback takes that long. In a poll that waits nothing is overdue."""
    return not idle(turn)


def callback_runs(turn: MemberTurn) -> bool:
    """One of those before JoinGroup."""
    return turn.state.calling


def an_assignment_waits(turn: MemberTurn) -> bool:
    """SyncGroup was answered."""
    return idle(turn) and turn.state.share is not None


def owned_partitions_vanished(turn: MemberTurn) -> bool:
    """Cooperative members lose them at once; eager ones revoke everything anyway."""
    return idle(turn) and bool(_vanished(turn.settings, turn.state))


def rejoin_is_due(turn: MemberTurn) -> bool:
    """Return a heartbeat said so, or the subscription changed, or partitions were revoked."""
    return idle(turn) and turn.state.rejoin


def owns_something(turn: MemberTurn) -> bool:
    """There is something to read."""
    return idle(turn) and bool(turn.state.owned)


def without_error(turn: MemberTurn) -> bool:
    """Return the answer says yes."""
    return _error(turn) == ErrorCode.NONE


def fallen_out(turn: MemberTurn) -> bool:
    """UNKNOWN_MEMBER_ID or ILLEGAL_GENERATION."""
    return _error(turn) in FALLEN_OUT


def fatal(turn: MemberTurn) -> bool:
    """INCONSISTENT_GROUP_PROTOCOL or FENCED_INSTANCE_ID."""
    return _error(turn) in FATAL


def id_required(turn: MemberTurn) -> bool:
    """MEMBER_ID_REQUIRED, with the id that the coordinator gave."""
    return _error(turn) == ErrorCode.MEMBER_ID_REQUIRED


def rebalance_in_progress(turn: MemberTurn) -> bool:
    """REBALANCE_IN_PROGRESS."""
    return _error(turn) == ErrorCode.REBALANCE_IN_PROGRESS


def of_this_generation(turn: MemberTurn) -> bool:
    """Return an answer to what was asked before the last join says nothing about now."""
    commits = isinstance(turn.event, CommitAnswer)
    asked = turn.state.committed_in if commits else turn.state.asked_in
    return asked == turn.state.generation


def current_and_rebalancing(turn: MemberTurn) -> bool:
    """REBALANCE_IN_PROGRESS, of the generation asked about."""
    return of_this_generation(turn) and rebalance_in_progress(turn)


def current_and_fallen_out(turn: MemberTurn) -> bool:
    """UNKNOWN_MEMBER_ID or ILLEGAL_GENERATION, of the generation asked about."""
    return of_this_generation(turn) and fallen_out(turn)


def current_and_fatal(turn: MemberTurn) -> bool:
    """FENCED_INSTANCE_ID, of the generation asked about."""
    return of_this_generation(turn) and fatal(turn)


def nothing_asked(turn: MemberTurn) -> bool:
    """Return the last heartbeat was answered."""
    return turn.state.asked_in is None


def nothing_to_run(turn: MemberTurn) -> bool:
    """It leaves without a callback: it owns nothing."""
    return not turn.state.owned


# -- what is done


def take_assignment(turn: MemberTurn) -> None:
    """Give up what was taken away, then take up what was added (KIP-429, 3.)."""
    state, share = turn.state, turn.state.share
    assert share is not None
    turn.change(share=None)
    try:
        given = turn.settings.dialect.read_assignment(share)
    except DecodeError as error:
        fail(turn, f"its assignment cannot be read: {error}")
        return
    assigned = frozenset(partitions_of(given.assignment.assigned_partitions))
    if not {topic for topic, _ in assigned} <= set(state.subscribed):
        turn.change(rejoin=True, prepared=False)  # the subscription has changed since it joined
        return
    taken = state.owned - assigned
    cooperative = turn.settings.protocol(state.chosen) is RebalanceProtocol.COOPERATIVE
    sets = {With.TAKEN: taken, With.ADDED: assigned - state.owned, With.ALL_ASSIGNED: assigned}
    assert state.chosen is not None
    memory = turn.settings.assignor(state.chosen).on_assignment(given.assignment, state.generation)
    turn.change(
        memories=((state.chosen, memory),),
        prepared=False,
        rejoin=state.rejoin or (cooperative and bool(taken)) or given.come_back,
        tasks=_planned(
            Situation.COOPERATIVE_ASSIGNED if cooperative else Situation.EAGER_ASSIGNED,
            sets,
            assigned,
        ),
    )
    go_on(turn)


def lose_what_vanished(turn: MemberTurn) -> None:
    """onPartitionsLost for what is owned but no longer there (KIP-429, 1.b)."""
    gone = _vanished(turn.settings, turn.state)
    tasks = plan(Situation.VANISHED, {With.VANISHED: gone})
    turn.change(tasks=tasks, vanished=frozenset())
    go_on(turn)


def prepare_join(turn: MemberTurn) -> None:
    """The callbacks before JoinGroup, by what has happened (KIP-429, 1.)."""
    state = turn.state
    unsubscribed = frozenset(one for one in state.owned if one[0] not in state.subscribed)
    sets = {With.OWNED: state.owned, With.UNSUBSCRIBED: unsubscribed}
    turn.change(
        tasks=plan(_before_join(turn), sets), prepared=True, rejoin=False, fallen=False, share=None
    )
    go_on(turn)


def read(turn: MemberTurn) -> None:
    """Hand out records; a cooperative member does so while it rebalances, too."""
    turn.change(busy=True)
    turn.act(Read(turn.state.owned))
    _polled(turn)


def wait(turn: MemberTurn) -> None:
    """There is nothing to read."""
    _polled(turn)


def go_on(turn: MemberTurn) -> None:
    """Do what is to be done until a callback takes time."""
    _polled(turn)
    while turn.state.tasks and not turn.state.calling:
        task = turn.state.tasks[0]
        if task.work in LISTENER:
            falls_back = task.work is Work.LOST and not turn.settings.listens_to_lost
            turn.act(Call(Work.REVOKED if falls_back else task.work, task.partitions))
            turn.change(calling=True)
            return
        turn.change(tasks=turn.state.tasks[1:])
        _DO[task.work](turn, task)


def end_callback(turn: MemberTurn) -> None:
    """What was lost or revoked is owned no more once the callback has returned."""
    task = turn.state.tasks[0]
    owned = turn.state.owned
    if task.work is not Work.ASSIGNED:
        owned -= task.partitions
    turn.change(calling=False, tasks=turn.state.tasks[1:], owned=owned)
    go_on(turn)


def end_last_callback(turn: MemberTurn) -> None:
    """Leave, after the callback."""
    end_callback(turn)


def commit(turn: MemberTurn) -> None:
    """Commit what was processed; a coordinator that has gone on refuses it."""
    turn.change(busy=False)
    state = turn.state
    if state.generation == NO_GENERATION:
        turn.act(Did(COMMIT_FAILED))
    elif state.committed_in is None:
        turn.change(committed_in=state.generation)
        turn.act(Send(Commit(state.member_id, state.generation), 0))


def read_nothing(turn: MemberTurn) -> None:
    """There is nothing to commit."""
    turn.change(busy=False)


def change_subscription(turn: MemberTurn) -> None:
    """Rejoin at the next poll."""
    assert isinstance(turn.event, Subscribed)
    turn.change(subscribed=turn.event.topics, rejoin=True)


def learn_topics(turn: MemberTurn) -> None:
    """Only a leader rejoins: it is the one who assigns by them (KIP-429, 1.b).

    A partition that the leader knows and this member does not know yet has not vanished.
    """
    assert isinstance(turn.event, MetadataChanged)
    state, topics = turn.state, turn.event.topics
    known = state.vanished | _present(state.owned, state.topics)
    turn.change(
        topics=topics,
        vanished=known - _present(known, topics),
        rejoin=state.rejoin or (topics != state.topics and state.leads),
    )


def send_heartbeat(turn: MemberTurn) -> None:
    """And set the timer anew."""
    state, settings = turn.state, turn.settings
    message = HeartbeatRequest(
        group_id=GROUP_ID,
        generation_id=state.generation,
        member_id=state.member_id,
        group_instance_id=settings.group_instance_id,
    )
    turn.change(asked_in=state.generation)
    turn.act(Send(message, 4))
    beat_later(turn)


def beat_later(turn: MemberTurn) -> None:
    """The last one is still to be answered."""
    turn.act(SetTimer(Timer.HEARTBEAT, turn.settings.heartbeat_interval_ms))


def leave_for_overdue_poll(turn: MemberTurn) -> None:
    """A dynamic member says that it leaves; a static one falls silent and expires (KIP-345)."""
    if turn.settings.group_instance_id is None and turn.state.member_id:
        turn.act(_leave_request(turn, "consumer poll timeout has expired."))
    _fall_out(turn, keep_id=False)


def take_id_and_ask_again(turn: MemberTurn) -> None:
    """Nothing is owned at this point, so no callback is due (KIP-429, 1.e)."""
    assert isinstance(turn.event, JoinGroupResponse)
    turn.change(member_id=turn.event.member_id)
    _join(turn, Task(Work.JOIN))


def synchronise(turn: MemberTurn) -> None:
    """Take part in the new generation: SyncGroup, with everybody's share from the leader."""
    answer = turn.event
    assert isinstance(answer, JoinGroupResponse)
    leads = answer.leader == answer.member_id
    owned_as = answer.member_id if turn.state.owned_as == turn.state.member_id else ""
    turn.change(
        member_id=answer.member_id,
        generation=answer.generation_id,
        chosen=answer.protocol_name,
        leads=leads,
        owned_as=owned_as,
        left_out=False,
    )
    shares = _assign(turn, answer) if leads and not answer.skip_assignment else {}
    entry = SyncGroupRequest.SyncGroupRequestAssignment
    request = SyncGroupRequest(
        group_id=GROUP_ID,
        generation_id=answer.generation_id,
        member_id=answer.member_id,
        group_instance_id=turn.settings.group_instance_id,
        protocol_type=CONSUMER,
        protocol_name=answer.protocol_name,
        assignments=[entry(member_id=one, assignment=data) for one, data in shares.items()],
    )
    turn.change(asking=True)
    turn.act(Send(request, SYNC_VERSIONS[turn.settings.version]))
    beat_later(turn)


def receive_share(turn: MemberTurn) -> None:
    """It is read at the next poll."""
    assert isinstance(turn.event, SyncGroupResponse)
    turn.change(share=turn.event.assignment, asking=False)


def ask_again(turn: MemberTurn) -> None:
    """Join again; what the callbacks before the join did is done."""
    turn.change(asking=False)
    turn.act(SetTimer(Timer.HEARTBEAT, None))


def ask_over_a_new_connection(turn: MemberTurn) -> None:
    """Join again; what was asked is not answered any more."""
    forget_questions(turn)
    ask_again(turn)


def drop_out(turn: MemberTurn) -> None:
    """The group has gone on without the member (KIP-429, 1.d)."""
    joining = not isinstance(turn.event, HeartbeatResponse | CommitAnswer)
    if joining:
        turn.change(asking=False)
    else:
        note_answer(turn)
    stale = joining and Mistake.KEEPS_STALE_CLAIMS in turn.settings.mistakes
    _fall_out(turn, keep_id=_error(turn) == ErrorCode.ILLEGAL_GENERATION)
    if stale:
        turn.change(fallen=False, prepared=True)


def rejoin(turn: MemberTurn) -> None:
    """Join with everything owned at the next poll (KIP-429, 1.c)."""
    note_answer(turn)
    turn.change(rejoin=True)


def stop(turn: MemberTurn) -> None:
    """For good."""
    fail(turn, ErrorCode(_error(turn)).name)


def note_answer(turn: MemberTurn) -> None:
    """All is well, or it is of an older generation."""
    if isinstance(turn.event, CommitAnswer):
        turn.change(committed_in=None)
    else:
        turn.change(asked_in=None)


def forget_questions(turn: MemberTurn) -> None:
    """The next heartbeat goes over a new connection."""
    turn.change(asking=False, asked_in=None, committed_in=None)


def pass_over(turn: MemberTurn) -> None:
    """The answer to a join that was given up."""
    turn.change(asking=False)


def close(turn: MemberTurn) -> None:
    """onPartitionsRevoked, or onPartitionsLost while the group has gone on or rebalances."""
    state = turn.state
    gone = state.fallen or state.generation == NO_GENERATION or state.phase is not Phase.STABLE
    lost = gone or state.rejoin
    situation = Situation.LEAVING_FALLEN if lost else Situation.LEAVING
    turn.change(tasks=plan(situation, {With.OWNED: state.owned}), calling=False, busy=False)
    turn.act(SetTimer(Timer.HEARTBEAT, None))
    go_on(turn)


def fail(turn: MemberTurn, reason: str) -> None:
    """Stop with a reason. The poll raises, and nothing is read any more."""
    turn.change(
        phase=Phase.FAILED, reason=reason, tasks=(), calling=False, owned=frozenset(), asked_in=None
    )
    turn.act(SetTimer(Timer.HEARTBEAT, None))
    turn.act(SetTimer(Timer.POLL, None))


# -- parts


def _error(turn: MemberTurn) -> int:
    code: int = turn.event.error_code  # type: ignore[union-attr]  # rules for answers alone ask
    return code


def _vanished(settings: MemberSettings, state: MemberState) -> frozenset[Partition]:
    gone = state.vanished & state.owned
    eager = gone and settings.protocol(state.chosen) is RebalanceProtocol.EAGER
    return frozenset() if eager else gone


def _present(
    partitions: Iterable[Partition], topics: Iterable[tuple[str, int]]
) -> frozenset[Partition]:
    counts = dict(topics)
    return frozenset(one for one in partitions if one[1] < counts.get(one[0], 0))


def _planned(
    situation: Situation, sets: dict[With, frozenset[Partition]], assigned: frozenset[Partition]
) -> tuple[Task, ...]:
    """With the assignment itself at the place where it takes effect."""
    return tuple(
        task._replace(partitions=assigned) if task.work is Work.ON_ASSIGNMENT else task
        for task in plan(situation, sets)
    )


def _before_join(turn: MemberTurn) -> Situation:
    state = turn.state
    if state.prepared and not state.fallen:
        return Situation.AGAIN
    if state.fallen or state.generation == NO_GENERATION:
        return Situation.FALLEN_OUT
    if turn.settings.protocol(state.chosen) is RebalanceProtocol.EAGER:
        return Situation.EAGER_JOIN
    return Situation.COOPERATIVE_JOIN


def _polled(turn: MemberTurn) -> None:
    turn.act(SetTimer(Timer.POLL, turn.settings.max_poll_interval_ms))


def _fall_out(turn: MemberTurn, *, keep_id: bool) -> None:
    """What runs in a callback goes on to its end; what was planned after it is not done."""
    state = turn.state
    turn.change(
        member_id=state.member_id if keep_id else "",
        generation=NO_GENERATION,
        leads=False,
        fallen=True,
        prepared=False,
        share=None,
        tasks=state.tasks[:1] if state.calling else (),
    )
    turn.act(SetTimer(Timer.HEARTBEAT, None))


def _ask_for_user_data(turn: MemberTurn, task: Task) -> None:
    turn.act(Did(Work.USER_DATA))


def _join(turn: MemberTurn, task: Task) -> None:
    state, settings = turn.state, turn.settings
    protocol = JoinGroupRequest.JoinGroupRequestProtocol
    request = JoinGroupRequest(
        group_id=GROUP_ID,
        session_timeout_ms=settings.session_timeout_ms,
        rebalance_timeout_ms=settings.max_poll_interval_ms,
        member_id=state.member_id,
        group_instance_id=settings.group_instance_id,
        protocol_type=CONSUMER,
        protocols=[
            protocol(name=one.name, metadata=_metadata(turn, one.name))
            for one in settings.assignors
        ],
    )
    turn.change(asking=True)
    turn.act(SetTimer(Timer.HEARTBEAT, None))
    turn.act(Send(request, JOIN_VERSIONS[settings.version]))


def _metadata(turn: MemberTurn, name: str) -> bytes:
    state, settings = turn.state, turn.settings
    hides = Mistake.HIDES_GENERATION in settings.mistakes
    memory = None if hides else dict(state.memories).get(name)
    told = Told(
        topics=state.subscribed,
        user_data=settings.assignor(name).subscription_user_data(state.subscribed, memory),
        owned=state.owned,
        generation=NO_GENERATION if hides else state.generation,
        rack=settings.rack,
    )
    return settings.dialect.write_metadata(told)


def _take_effect(turn: MemberTurn, task: Task) -> None:
    state = turn.state
    owned_as = "" if state.left_out else state.member_id
    turn.change(owned=task.partitions, owned_as=owned_as, vanished=frozenset())
    turn.act(Did(Work.ON_ASSIGNMENT, task.partitions))


def _leave(turn: MemberTurn, task: Task) -> None:
    if turn.settings.group_instance_id is None and turn.state.member_id:
        turn.act(_leave_request(turn, "the consumer is being closed"))
    turn.act(SetTimer(Timer.POLL, None))
    turn.change(member_id="", generation=NO_GENERATION, leads=False)


def _leave_request(turn: MemberTurn, reason: str) -> Send:
    identity = LeaveGroupRequest.MemberIdentity
    leaves = identity(member_id=turn.state.member_id, group_instance_id=None, reason=reason)
    return Send(LeaveGroupRequest(group_id=GROUP_ID, members=[leaves]), 5)


def _assign(turn: MemberTurn, answer: JoinGroupResponse) -> dict[str, bytes]:
    turn.act(Did("assign"))
    decision = lead(
        turn.settings.assignor(answer.protocol_name or ""),
        [Candidate(one.member_id, one.group_instance_id, one.metadata) for one in answer.members],
        dict(turn.state.topics),
        turn.settings.dialect,
        readings=turn.settings.readings,
    )
    for complaint in decision.complaints:
        turn.act(Complain(complaint))
    return dict(decision.shares)


_DO = {
    Work.USER_DATA: _ask_for_user_data,
    Work.JOIN: _join,
    Work.ON_ASSIGNMENT: _take_effect,
    Work.LEAVE: _leave,
}

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
        Rule(_S, Poll, take_assignment, (*_S, Phase.FAILED), an_assignment_waits),
        Rule(_S, Poll, lose_what_vanished, _S, owned_partitions_vanished),
        Rule(_U, Poll, prepare_join, _P, idle_and_unasked),
        Rule(_S, Poll, prepare_join, _P, rejoin_is_due),
        Rule((*_P, *_C, *_S), Poll, read, (), owns_something),
        Rule((*_P, *_C, *_S), Poll, wait, (), idle),
        Rule(_ALIVE, BatchProcessed, commit),
        Rule(_ALIVE, NothingRead, read_nothing),
        Rule(_ALIVE, CallbackReturned, end_callback),
        Rule((Phase.LEAVING,), CallbackReturned, end_last_callback, (Phase.CLOSED,)),
        Rule(_ALIVE, Subscribed, change_subscription),
        Rule(_ALIVE, MetadataChanged, learn_topics),
        Rule(_ALIVE, Closed, close, (Phase.CLOSED,), nothing_to_run),
        Rule(_ALIVE, Closed, close, (Phase.LEAVING,)),
        # the heartbeat side
        Rule(_IN, HeartbeatDue, send_heartbeat, (), nothing_asked),
        Rule(_P, HeartbeatDue, send_heartbeat, (), before_the_join),
        Rule(_IN, HeartbeatDue, beat_later),
        Rule(_IN, PollOverdue, leave_for_overdue_poll, _U, processing_hangs),
        Rule(_P, PollOverdue, leave_for_overdue_poll, _U, callback_runs),
        # answers
        Rule(_P, JoinGroupResponse, synchronise, _C, without_error),
        Rule(_P, JoinGroupResponse, take_id_and_ask_again, _P, id_required),
        Rule(_P, JoinGroupResponse, drop_out, _U, fallen_out),
        Rule(_P, JoinGroupResponse, ask_again, _U, rebalance_in_progress),
        Rule(_P, JoinGroupResponse, stop, (Phase.FAILED,), fatal),
        Rule(_C, SyncGroupResponse, receive_share, _S, without_error),
        Rule(_C, SyncGroupResponse, ask_again, _U, rebalance_in_progress),
        Rule(_C, SyncGroupResponse, drop_out, _U, fallen_out),
        Rule(_C, SyncGroupResponse, stop, (Phase.FAILED,), fatal),
        Rule(_U, JoinGroupResponse, pass_over),
        Rule(_U, SyncGroupResponse, pass_over),
        Rule((*_P, *_IN), HeartbeatResponse, drop_out, _U, current_and_fallen_out),
        Rule(_S, HeartbeatResponse, rejoin, _S, current_and_rebalancing),
        Rule(_IN, HeartbeatResponse, stop, (Phase.FAILED,), current_and_fatal),
        Rule(_ALIVE, HeartbeatResponse, note_answer),
        Rule(_IN, CommitAnswer, drop_out, _U, current_and_fallen_out),
        Rule(_S, CommitAnswer, rejoin, _S, current_and_rebalancing),
        Rule(_IN, CommitAnswer, stop, (Phase.FAILED,), current_and_fatal),
        Rule(_ALIVE, CommitAnswer, note_answer),
        # the connection
        Rule(_P, ConnectionLost, forget_questions, (), callback_runs),
        Rule((*_P, *_C), ConnectionLost, ask_over_a_new_connection, _U),
        Rule((*_U, *_S), ConnectionLost, forget_questions),
    )
)
"""The member's machine."""
