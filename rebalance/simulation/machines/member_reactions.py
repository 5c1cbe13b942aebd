"""What a member does and sends: the right-hand side of the rules in `member`, and its requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

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
from ...assignments import Partition, partitions_of
from ...assignor import RebalanceProtocol
from .callbacks import LISTENER, Situation, Task, With, Work, plan
from .client_formats import MemberMetadata
from .coordinator_state import Commit, CommitAnswer, ErrorCode
from .leader import Candidate, lead
from .member_state import (
    COMMIT_FAILED,
    COMMIT_WAITS,
    NO_GENERATION,
    Complain,
    Did,
    LeftOut,
    MemberState,
    MemberTurn,
    MetadataChanged,
    Phase,
    Send,
    SetTimer,
    Subscribed,
    Timer,
    call_listener,
    restart_poll_timer,
    vanished_partitions,
)
from .settings import GROUP_ID, MemberSettings, Mistake


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
        answer = turn.settings.dialect.read_assignment(share)
    except DecodeError as error:
        fail(turn, f"its assignment cannot be read: {error}")
        return
    partitions = frozenset(partitions_of(answer.assignment.assigned_partitions))
    if not {topic for topic, _ in partitions} <= set(state.subscribed):
        turn.change(rejoin=True, prepared=False)  # the subscription has changed since it joined
        return
    revoked = state.owned - partitions
    cooperative = turn.settings.protocol(state.chosen) is RebalanceProtocol.COOPERATIVE
    sets = {
        With.TAKEN: revoked,
        With.ADDED: partitions - state.owned,
        With.ALL_ASSIGNED: partitions,
    }
    assert state.chosen is not None
    memory = turn.settings.assignor(state.chosen).on_assignment(answer.assignment, state.generation)
    turn.change(
        memories=((state.chosen, memory),),
        prepared=False,
        rejoin=state.rejoin or (cooperative and bool(revoked)) or answer.come_back,
        tasks=_plan_assignment(
            Situation.COOPERATIVE_ASSIGNED if cooperative else Situation.EAGER_ASSIGNED,
            sets,
            partitions,
        ),
    )
    go_on(turn)


def lose_what_vanished(turn: MemberTurn) -> None:
    """Call onPartitionsLost for what is owned and no longer exists (KIP-429, 1.b)."""
    partitions = vanished_partitions(turn.settings, turn.state)
    tasks = plan(Situation.VANISHED, {With.VANISHED: partitions})
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


def go_on(turn: MemberTurn) -> None:
    """Do what is planned until a callback takes time."""
    restart_poll_timer(turn)
    while turn.state.tasks and not turn.state.calling:
        task = turn.state.tasks[0]
        if task.work in LISTENER:
            call_listener(turn, task.work, task.partitions)
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
    existing = state.vanished | _present(state.owned, state.topics)
    turn.change(
        topics=topics,
        vanished=existing - _present(existing, topics),
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
    is_out = state.fallen or state.generation == NO_GENERATION or state.phase is not Phase.STABLE
    loses = is_out or state.rejoin
    situation = Situation.LEAVING_FALLEN if loses else Situation.LEAVING
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


def _plan_assignment(
    situation: Situation, sets: dict[With, frozenset[Partition]], partitions: frozenset[Partition]
) -> tuple[Task, ...]:
    """Return the timeline of a situation, with the assignment itself in the task that applies
    it.
    """
    return tuple(
        task._replace(partitions=partitions) if task.work is Work.ON_ASSIGNMENT else task
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


CONSUMER = "consumer"


def join_request(settings: MemberSettings, state: MemberState) -> Send:
    """Return JoinGroup, with the member's metadata for each of its assignors."""
    protocol = JoinGroupRequest.JoinGroupRequestProtocol
    request = JoinGroupRequest(
        group_id=GROUP_ID,
        session_timeout_ms=settings.session_timeout_ms,
        rebalance_timeout_ms=settings.max_poll_interval_ms,
        member_id=state.member_id,
        group_instance_id=settings.group_instance_id,
        protocol_type=CONSUMER,
        protocols=[
            protocol(name=assignor.name, metadata=_metadata(settings, state, assignor.name))
            for assignor in settings.assignors
        ],
    )
    return Send(request, settings.join_version)


def sync_request(
    settings: MemberSettings, answer: JoinGroupResponse, shares: Mapping[str, bytes]
) -> Send:
    """Return SyncGroup for the generation of JoinGroup's answer; `shares` are the leader's."""
    entry = SyncGroupRequest.SyncGroupRequestAssignment
    request = SyncGroupRequest(
        group_id=GROUP_ID,
        generation_id=answer.generation_id,
        member_id=answer.member_id,
        group_instance_id=settings.group_instance_id,
        protocol_type=CONSUMER,
        protocol_name=answer.protocol_name,
        assignments=[
            entry(member_id=member_id, assignment=data) for member_id, data in shares.items()
        ],
    )
    return Send(request, settings.sync_version)


def heartbeat_request(settings: MemberSettings, state: MemberState) -> Send:
    """Return Heartbeat for the generation that the member has joined."""
    request = HeartbeatRequest(
        group_id=GROUP_ID,
        generation_id=state.generation,
        member_id=state.member_id,
        group_instance_id=settings.group_instance_id,
    )
    return Send(request, 4)


def leave_request(state: MemberState, reason: str) -> Send:
    """Return LeaveGroup of a dynamic member, with the reason that a broker logs (KIP-800)."""
    identity = LeaveGroupRequest.MemberIdentity
    leaves = identity(member_id=state.member_id, group_instance_id=None, reason=reason)
    return Send(LeaveGroupRequest(group_id=GROUP_ID, members=[leaves]), 5)


def _metadata(settings: MemberSettings, state: MemberState, name: str) -> bytes:
    hides = Mistake.HIDES_GENERATION in settings.mistakes
    memory = None if hides else dict(state.memories).get(name)
    metadata = MemberMetadata(
        topics=state.subscribed,
        user_data=settings.assignor(name).subscription_user_data(state.subscribed, memory),
        owned=state.owned,
        generation=NO_GENERATION if hides else state.generation,
        rack=settings.rack,
    )
    return settings.dialect.write_metadata(metadata)
