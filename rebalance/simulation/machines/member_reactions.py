"""What a member does: the right-hand side of the rules in `member`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ....codec import DecodeError
from ....codec.messages import HeartbeatResponse, JoinGroupResponse, SyncGroupResponse
from ...assignments import Partition, partitions_of
from ...assignor import RebalanceProtocol
from .callbacks import LISTENER, Situation, Task, With, Work, plan
from .commits import Commit, CommitAnswer
from .error_codes import ErrorCode
from .leader import Candidate, lead
from .member_requests import heartbeat_request, join_request, leave_request, sync_request
from .member_state import (
    COMMIT_FAILED,
    COMMIT_WAITS,
    NO_GENERATION,
    Call,
    Complain,
    Did,
    LeftOut,
    MemberTurn,
    MetadataChanged,
    Phase,
    Read,
    Send,
    SetTimer,
    Subscribed,
    Timer,
    vanished_partitions,
)
from .settings import Mistake


def take_assignment(turn: MemberTurn) -> None:
    """Give up what was taken away, then take up what was added (KIP-429, 3.). A commit that waited
    comes first, as in a listener's onPartitionsRevoked: the next owner goes on from it.
    """
    if turn.state.uncommitted:
        commit(turn)
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
    """Call onPartitionsLost for what is owned and no longer exists (KIP-429, 1.b)."""
    gone = vanished_partitions(turn.settings, turn.state)
    tasks = plan(Situation.VANISHED, {With.VANISHED: gone})
    turn.change(tasks=tasks, vanished=frozenset())
    go_on(turn)


def prepare_join(turn: MemberTurn) -> None:
    """Run the callbacks before JoinGroup, by what has happened (KIP-429, 1.)."""
    state = turn.state
    unsubscribed = frozenset(
        partition for partition in state.owned if partition[0] not in state.subscribed
    )
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
    """Restart the poll timer; there is nothing to read."""
    _polled(turn)


def go_on(turn: MemberTurn) -> None:
    """Do what is planned until a callback takes time."""
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
    """Give up what was lost or revoked, now that the callback has returned, and go on."""
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
    """Commit what was processed, if the member is stable; a coordinator that has gone on refuses
    it.

    While it rebalances nothing is sent, as in Java, where the commit raises
    RebalanceInProgressException: it is due again with the assignment.
    """
    turn.change(busy=False)
    state = turn.state
    if state.generation == NO_GENERATION:
        turn.act(Did(COMMIT_FAILED))
    elif state.phase is not Phase.STABLE:
        turn.change(uncommitted=True)
        turn.act(Did(COMMIT_WAITS))
    elif state.committed_in is None:
        turn.change(committed_in=state.generation, uncommitted=False)
        turn.act(Send(Commit(state.member_id, state.generation), 0))


def read_nothing(turn: MemberTurn) -> None:
    """End a poll that returned no records: there is nothing to commit."""
    turn.change(busy=False)


def change_subscription(turn: MemberTurn) -> None:
    """Store the new subscription, and rejoin at the next poll."""
    assert isinstance(turn.event, Subscribed)
    turn.change(subscribed=turn.event.topics, rejoin=True)


def learn_topics(turn: MemberTurn) -> None:
    """Store new metadata. Only a leader rejoins for it, as the one who assigns by it (KIP-429,
    1.b).

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
    """Send a heartbeat, and restart its timer."""
    turn.change(asked_in=turn.state.generation)
    turn.act(heartbeat_request(turn.settings, turn.state))
    beat_later(turn)


def beat_later(turn: MemberTurn) -> None:
    """Restart the heartbeat's timer; the last one is still to be answered."""
    turn.act(SetTimer(Timer.HEARTBEAT, turn.settings.heartbeat_interval_ms))


def leave_for_overdue_poll(turn: MemberTurn) -> None:
    """Leave the group as a dynamic member; a static one falls silent and expires (KIP-345)."""
    if turn.settings.group_instance_id is None and turn.state.member_id:
        turn.act(leave_request(turn.state, "consumer poll timeout has expired."))
    _fall_out(turn, keep_id=False)


def take_id_and_ask_again(turn: MemberTurn) -> None:
    """Join again with the id that the coordinator gave. Nothing is owned at this point, so no
    callback is due (KIP-429, 1.e).
    """
    assert isinstance(turn.event, JoinGroupResponse)
    turn.change(member_id=turn.event.member_id)
    _ask_to_join(turn, Task(Work.JOIN))


def synchronise(turn: MemberTurn) -> None:
    """Send SyncGroup in the new generation; the leader puts everybody's assignment into it."""
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
    turn.change(asking=True)
    turn.act(sync_request(turn.settings, answer, shares))
    beat_later(turn)


def receive_share(turn: MemberTurn) -> None:
    """Keep the assignment, which is read at the next poll."""
    assert isinstance(turn.event, SyncGroupResponse)
    turn.change(share=turn.event.assignment, asking=False)


def ask_again(turn: MemberTurn) -> None:
    """Join again at the next poll; the callbacks before the join are not repeated."""
    turn.change(asking=False)
    turn.act(SetTimer(Timer.HEARTBEAT, None))


def ask_over_a_new_connection(turn: MemberTurn) -> None:
    """Join again at the next poll, as the unanswered requests will have no answer."""
    forget_questions(turn)
    ask_again(turn)


def drop_out(turn: MemberTurn) -> None:
    """Fall out of the group, which has gone on without the member (KIP-429, 1.d)."""
    joining = not isinstance(turn.event, HeartbeatResponse | CommitAnswer)
    if joining:
        turn.change(asking=False)
    else:
        note_answer(turn)
    stale = joining and Mistake.KEEPS_STALE_CLAIMS in turn.settings.mistakes
    _fall_out(turn, keep_id=turn.error == ErrorCode.ILLEGAL_GENERATION)
    if stale and turn.state.owned:
        turn.act(Did(Mistake.KEEPS_STALE_CLAIMS.event))
        turn.change(fallen=False, prepared=True)


def rejoin(turn: MemberTurn) -> None:
    """Join with everything owned at the next poll (KIP-429, 1.c)."""
    note_answer(turn)
    turn.change(rejoin=True)


def stop(turn: MemberTurn) -> None:
    """Stop for good, by the error of the answer."""
    fail(turn, ErrorCode(turn.error).name)


def note_answer(turn: MemberTurn) -> None:
    """Note that the heartbeat or commit was answered."""
    if isinstance(turn.event, CommitAnswer):
        turn.change(committed_in=None)
    else:
        turn.change(asked_in=None)


def forget_questions(turn: MemberTurn) -> None:
    """Forget the unanswered requests; the next heartbeat goes over a new connection."""
    turn.change(asking=False, asked_in=None, committed_in=None)


def pass_over(turn: MemberTurn) -> None:
    """Ignore the answer to a join that was given up."""
    turn.change(asking=False)


def close(turn: MemberTurn) -> None:
    """Call onPartitionsRevoked, or onPartitionsLost if the member has fallen out or rebalances;
    then leave.
    """
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


def _present(
    partitions: Iterable[Partition], topics: Iterable[tuple[str, int]]
) -> frozenset[Partition]:
    counts = dict(topics)
    return frozenset(
        partition for partition in partitions if partition[1] < counts.get(partition[0], 0)
    )


def _planned(
    situation: Situation, sets: dict[With, frozenset[Partition]], assigned: frozenset[Partition]
) -> tuple[Task, ...]:
    """Return the timeline of a situation, with the assignment itself in the task that applies
    it.
    """
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
    """Leave the generation. A callback that runs goes on to its end; what was planned after it is
    dropped.
    """
    state = turn.state
    turn.change(
        member_id=state.member_id if keep_id else "",
        generation=NO_GENERATION,
        leads=False,
        fallen=True,
        prepared=False,
        uncommitted=False,
        share=None,
        tasks=state.tasks[:1] if state.calling else (),
    )
    turn.act(SetTimer(Timer.HEARTBEAT, None))


def _ask_for_user_data(turn: MemberTurn, task: Task) -> None:
    turn.act(Did(Work.USER_DATA))


def _ask_to_join(turn: MemberTurn, task: Task) -> None:
    turn.change(asking=True)
    turn.act(SetTimer(Timer.HEARTBEAT, None))
    request = join_request(turn.settings, turn.state)
    if Mistake.HIDES_GENERATION in turn.settings.mistakes:
        honest = replace(turn.settings, mistakes=frozenset())
        if request != join_request(honest, turn.state):
            turn.act(Did(Mistake.HIDES_GENERATION.event))
    turn.act(request)


def _take_effect(turn: MemberTurn, task: Task) -> None:
    state = turn.state
    owned_as = "" if state.left_out else state.member_id
    turn.change(owned=task.partitions, owned_as=owned_as, vanished=frozenset())
    turn.act(Did(Work.ON_ASSIGNMENT, task.partitions))


def _leave(turn: MemberTurn, task: Task) -> None:
    if turn.settings.group_instance_id is None and turn.state.member_id:
        turn.act(leave_request(turn.state, "the consumer is being closed"))
    turn.act(SetTimer(Timer.POLL, None))
    turn.change(member_id="", generation=NO_GENERATION, leads=False)


def _assign(turn: MemberTurn, answer: JoinGroupResponse) -> dict[str, bytes]:
    turn.act(Did("assign"))
    decision = lead(
        turn.settings.assignor(answer.protocol_name or ""),
        [
            Candidate(member.member_id, member.group_instance_id, member.metadata)
            for member in answer.members
        ],
        dict(turn.state.topics),
        turn.settings.dialect,
        readings=turn.settings.readings,
    )
    for complaint in decision.complaints:
        turn.act(Complain(complaint))
    if decision.left_out:
        turn.act(LeftOut(decision.left_out))
    return dict(decision.shares)


_DO = {
    Work.USER_DATA: _ask_for_user_data,
    Work.JOIN: _ask_to_join,
    Work.ON_ASSIGNMENT: _take_effect,
    Work.LEAVE: _leave,
}
