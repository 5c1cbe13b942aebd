"""What the coordinator does and answers: the right-hand side of the rules in `coordinator`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....codec.messages import (
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    SyncGroupRequest,
    SyncGroupResponse,
)
from ....codec.runtime.message import Message
from .coordinator_state import (
    CommitAnswer,
    Entry,
    ErrorCode,
    GroupPhase,
    GroupState,
    GroupTimer,
    GroupTurn,
    Reply,
    choose,
    leavers,
    protocols_of,
)

_KNOWS_SKIPPING = 9


def refuse(error: ErrorCode) -> Callable[[GroupTurn], None]:
    """Return a reaction that answers with an error."""

    def do(turn: GroupTurn) -> None:
        turn.answer(refusal(turn.request, error))

    do.__name__ = error.name
    do.__doc__ = f"Answer with {error.name}."
    return do


def give_an_id(turn: GroupTurn) -> None:
    """Answer MEMBER_ID_REQUIRED with a new id (KIP-394), so that a retry makes no second member."""
    member_id = _new_id(turn)
    turn.change(pending=turn.state.pending | {member_id})
    turn.timer(GroupTimer.PENDING, turn.request.session_timeout_ms, member_id)
    turn.answer(refusal(turn.request, ErrorCode.MEMBER_ID_REQUIRED, member_id))


def begin_with_it(turn: GroupTurn) -> None:
    """Admit the first member; others that come within the initial delay join the same
    generation.
    """
    _admit(turn)
    delay = turn.settings.initial_rebalance_delay_ms
    turn.change(phase=GroupPhase.PREPARING_REBALANCE, opening=delay > 0)
    turn.timer(GroupTimer.JOIN, delay)
    _go_on_if_all_have_joined(turn)


def admit_and_rebalance(turn: GroupTurn) -> None:
    """Admit a new member and begin a new generation."""
    _admit(turn)
    rebalance(turn)


def admit_and_go_on(turn: GroupTurn) -> None:
    """Admit a new member to the generation that is being made."""
    _admit(turn)
    turn.change(grew=turn.state.opening)
    _go_on_if_all_have_joined(turn)


def update_and_rebalance(turn: GroupTurn) -> None:
    """Rebalance for a known member that has changed what it lists, or leads."""
    _update(turn)
    rebalance(turn)


def update_and_go_on(turn: GroupTurn) -> None:
    """Take the join of a known member into the generation that is being made."""
    _update(turn)
    _go_on_if_all_have_joined(turn)


def replace_and_rebalance(turn: GroupTurn) -> None:
    """Rebalance for a new process of a static member, which lists something else."""
    _replace(turn)
    rebalance(turn)


def replace_and_go_on(turn: GroupTurn) -> None:
    """Take in the new process of a static member; the old process is fenced."""
    _replace(turn)
    _go_on_if_all_have_joined(turn)


def replace_and_change_nothing(turn: GroupTurn) -> None:
    """Give a static member's new process the assignment of the process before it. What it lists is
    stored, and no other member sees it before the next rebalance.

    From version 9 on the answer says that the member leads and has to skip the assignment; before,
    it named the id of the member's predecessor, so that the member would not think it leads.
    """
    old_leader = turn.state.leader
    entry = _replace(turn)
    turn.put(entry._replace(joining=None, synced=True))
    skips = turn.event.version >= _KNOWS_SKIPPING
    leads = turn.state.leader == entry.member_id
    turn.answer(
        join_response(
            turn.state,
            entry,
            leader=turn.state.leader if skips else old_leader,
            to_leader=skips and leads,
            skip=skips and leads,
        )
    )
    _store(turn)


def answer_again(turn: GroupTurn) -> None:
    """Repeat the answer to a member's last join, which it has not received."""
    entry = turn.state.entry(turn.request.member_id)
    assert entry is not None
    _alive(turn, entry)
    leads = entry.member_id == turn.state.leader
    turn.answer(
        join_response(turn.state, entry, leader=turn.state.leader, to_leader=leads, skip=False)
    )


def rebalance(turn: GroupTurn) -> None:
    """Begin a new generation: wait for all members, as long as the longest rebalance timeout."""
    for entry in turn.state.entries:
        if entry.syncing is not None:
            turn.act(sync_reply(entry, turn.state, ErrorCode.REBALANCE_IN_PROGRESS))
            turn.put(entry._replace(syncing=None))
    turn.timer(GroupTimer.SYNC, None)
    turn.change(phase=GroupPhase.PREPARING_REBALANCE)
    turn.timer(GroupTimer.JOIN, max(entry.rebalance_timeout_ms for entry in turn.state.entries))
    _go_on_if_all_have_joined(turn)


def keep_waiting(turn: GroupTurn) -> None:
    """Let a member's SyncGroup wait until the leader's has come."""
    entry = turn.state.entry(turn.request.member_id)
    assert entry is not None
    turn.put(entry._replace(syncing=turn.event.connection, synced=True))


def hand_out(turn: GroupTurn) -> None:
    """Store the assignments that the leader brings, and answer all that wait for theirs."""
    keep_waiting(turn)
    shares = {
        assignment.member_id: assignment.assignment for assignment in turn.request.assignments
    }
    entries = tuple(
        entry._replace(share=shares.get(entry.member_id, b"")) for entry in turn.state.entries
    )
    turn.change(entries=entries, phase=GroupPhase.STABLE)
    for entry in entries:
        if entry.syncing is not None:
            turn.act(sync_reply(entry, turn.state, ErrorCode.NONE))
            turn.put(entry._replace(syncing=None))
            _alive(turn, entry)
    _store(turn)


def give_share(turn: GroupTurn) -> None:
    """Answer SyncGroup with the member's stored assignment."""
    entry = turn.state.entry(turn.request.member_id)
    assert entry is not None
    turn.put(entry._replace(synced=True))
    _alive(turn, entry)
    turn.act(sync_reply(entry._replace(syncing=turn.event.connection), turn.state, ErrorCode.NONE))


def note_life(turn: GroupTurn) -> None:
    """Answer a heartbeat without error."""
    _beat(turn, ErrorCode.NONE)


def call_back(turn: GroupTurn) -> None:
    """Answer a heartbeat with REBALANCE_IN_PROGRESS, so that the member joins."""
    _beat(turn, ErrorCode.REBALANCE_IN_PROGRESS)


def accept_commit(turn: GroupTurn) -> None:
    """Answer a commit without error."""
    turn.answer(CommitAnswer(ErrorCode.NONE))


def let_go(turn: GroupTurn) -> None:
    """Remove the members that leave, by id; static ones too, if another client asks for it."""
    for member_id in leavers(turn):
        turn.timer(GroupTimer.PENDING, None, member_id)
        turn.change(pending=turn.state.pending - {member_id})
        if turn.state.entry(member_id) is not None:
            _remove(turn, member_id)
    turn.answer(LeaveGroupResponse(error_code=ErrorCode.NONE))
    _after_removal(turn)


def let_nobody_go(turn: GroupTurn) -> None:
    """Answer a LeaveGroup request that no member of the group sent; forget ids that were given
    out.
    """
    for member_id in leavers(turn):
        turn.timer(GroupTimer.PENDING, None, member_id)
        turn.change(pending=turn.state.pending - {member_id})
    turn.answer(LeaveGroupResponse(error_code=ErrorCode.NONE))


def expire(turn: GroupTurn) -> None:
    """Remove a member whose session has expired."""
    _remove(turn, turn.event.member_id)
    _after_removal(turn)


def forget_pending(turn: GroupTurn) -> None:
    """Forget an id that no member has joined with."""
    turn.change(pending=turn.state.pending - {turn.event.member_id})


def forget_and_go_on(turn: GroupTurn) -> None:
    """Forget an id that the other members waited for, and complete the join if all have joined."""
    forget_pending(turn)
    _go_on_if_all_have_joined(turn)


def wait_for_more(turn: GroupTurn) -> None:
    """Wait for the initial delay again, as members have come during it."""
    turn.change(grew=False)
    turn.timer(GroupTimer.JOIN, turn.settings.initial_rebalance_delay_ms)


def go_on_without_the_missing(turn: GroupTurn) -> None:
    """Complete the join without dynamic members that have not joined. Static ones stay with the
    metadata that they sent last, until their session expires; while no member at all has joined,
    the wait goes on.
    """
    turn.change(opening=False, grew=False)
    _complete(turn)


def drop_who_has_not_synced(turn: GroupTurn) -> None:
    """Remove the members that joined and sent no SyncGroup."""
    for entry in turn.state.entries:
        if not entry.synced:
            _remove(turn, entry.member_id)
    _after_removal(turn)


def take_over(turn: GroupTurn) -> None:
    """Go on with the stored generation; what was under way is forgotten."""
    stored_state = turn.state.stored_state
    assert stored_state is not None
    _stop_timers(turn)
    turn.change(
        **stored_state._asdict()
        | {"stored_state": stored_state, "born": turn.state.born, "pending": frozenset()}
    )
    for entry in stored_state.entries:
        _alive(turn, entry)


def take_over_an_empty_group(turn: GroupTurn) -> None:
    """Go on with an empty group, at the last stored generation."""
    _stop_timers(turn)
    last = turn.state.stored_state.generation if turn.state.stored_state else 0
    turn.change(
        phase=GroupPhase.EMPTY, generation=last, protocol=None, leader=None, entries=(),
        pending=frozenset(), opening=False, grew=False,
    )  # fmt: skip


# -- parts


def _new_id(turn: GroupTurn) -> str:
    turn.change(born=turn.state.born + 1)
    return f"{turn.event.client_id}-{turn.state.born:02d}"


def _admit(turn: GroupTurn) -> None:
    request = turn.request
    member_id = request.member_id or _new_id(turn)
    turn.change(pending=turn.state.pending - {member_id})
    turn.timer(GroupTimer.PENDING, None, member_id)
    turn.put(_entry(turn, member_id))
    if turn.state.leader is None:
        turn.change(leader=member_id)


def _entry(turn: GroupTurn, member_id: str) -> Entry:
    request = turn.request
    return Entry(
        member_id,
        request.group_instance_id,
        turn.event.client_id,
        request.session_timeout_ms,
        request.rebalance_timeout_ms,
        protocols_of(request),
        turn.event.version,
        joining=turn.event.connection,
    )


def _update(turn: GroupTurn) -> None:
    old = turn.state.entry(turn.request.member_id)
    assert old is not None
    turn.put(_entry(turn, old.member_id)._replace(share=old.share))
    turn.timer(GroupTimer.SESSION, None, old.member_id)


def _replace(turn: GroupTurn) -> Entry:
    """Put the new process of a static member in place of the old one, whose requests get a
    fence.
    """
    old = turn.state.static(turn.request.group_instance_id)
    assert old is not None
    if old.joining is not None:
        turn.act(Reply(old.joining, join_refusal(ErrorCode.FENCED_INSTANCE_ID, old.member_id)))
    if old.syncing is not None:
        turn.act(sync_reply(old, turn.state, ErrorCode.FENCED_INSTANCE_ID))
    entry = _entry(turn, _new_id(turn))._replace(share=old.share)
    turn.change(
        entries=tuple(entry if member is old else member for member in turn.state.entries),
        leader=entry.member_id if turn.state.leader == old.member_id else turn.state.leader,
    )
    turn.timer(GroupTimer.SESSION, None, old.member_id)
    _alive(turn, entry)
    return entry


def _remove(turn: GroupTurn, member_id: str) -> None:
    entry = turn.state.entry(member_id)
    assert entry is not None
    if entry.joining is not None:
        turn.act(Reply(entry.joining, join_refusal(ErrorCode.UNKNOWN_MEMBER_ID, member_id)))
    if entry.syncing is not None:
        turn.act(sync_reply(entry, turn.state, ErrorCode.UNKNOWN_MEMBER_ID))
    turn.timer(GroupTimer.SESSION, None, member_id)
    rest = tuple(entry for entry in turn.state.entries if entry.member_id != member_id)
    leader = turn.state.leader
    if leader == member_id:
        leader = rest[0].member_id if rest else None
    turn.change(entries=rest, leader=leader)


def _after_removal(turn: GroupTurn) -> None:
    phase = turn.state.phase
    if phase in (GroupPhase.STABLE, GroupPhase.COMPLETING_REBALANCE):
        if turn.state.entries:
            rebalance(turn)
        else:
            turn.timer(GroupTimer.SYNC, None)
            _complete(turn)
    elif phase is GroupPhase.PREPARING_REBALANCE:
        _go_on_if_all_have_joined(turn)


def _go_on_if_all_have_joined(turn: GroupTurn) -> None:
    if turn.state.opening:
        return
    if not turn.state.pending and all(entry.joining is not None for entry in turn.state.entries):
        _complete(turn)


def _complete(turn: GroupTurn) -> None:
    """Make the new generation of the members that have joined, and answer their JoinGroup."""
    for entry in turn.state.entries:
        if entry.joining is None and entry.instance_id is None:
            _remove(turn, entry.member_id)
    entries = turn.state.entries
    come = [entry for entry in entries if entry.joining is not None]
    if entries and not come:
        turn.timer(GroupTimer.JOIN, max(entry.rebalance_timeout_ms for entry in entries))
        return
    turn.timer(GroupTimer.JOIN, None)
    turn.change(generation=turn.state.generation + 1, protocol=choose(entries))
    if not entries:
        turn.change(phase=GroupPhase.EMPTY, leader=None)
        _store(turn)
        return
    leader = turn.state.entry(turn.state.leader)
    if leader is None or leader.joining is None:
        turn.change(leader=come[0].member_id)
    turn.change(phase=GroupPhase.COMPLETING_REBALANCE)
    turn.timer(GroupTimer.SYNC, max(entry.rebalance_timeout_ms for entry in entries))
    for entry in entries:
        _alive(turn, entry)
        if entry.joining is not None:
            _answer_join(turn, entry)
    turn.change(
        entries=tuple(
            entry._replace(joining=None, synced=False, share=b"") for entry in turn.state.entries
        )
    )


def _answer_join(turn: GroupTurn, entry: Entry) -> None:
    assert entry.joining is not None
    leads = entry.member_id == turn.state.leader
    message = join_response(
        turn.state, entry, leader=turn.state.leader, to_leader=leads, skip=False
    )
    turn.act(Reply(entry.joining, message))


def _beat(turn: GroupTurn, error: ErrorCode) -> None:
    entry = turn.state.entry(turn.request.member_id)
    assert entry is not None
    _alive(turn, entry)
    turn.answer(HeartbeatResponse(error_code=error))


def _alive(turn: GroupTurn, entry: Entry) -> None:
    turn.timer(GroupTimer.SESSION, entry.session_timeout_ms, entry.member_id)


def _store(turn: GroupTurn) -> None:
    """Write to the offsets topic: a generation with its assignments, or that the group is empty."""
    entries = tuple(
        entry._replace(joining=None, syncing=None, synced=True) for entry in turn.state.entries
    )
    turn.change(
        stored_state=turn.state._replace(
            entries=entries, pending=frozenset(), stored_state=None, born=0
        )
    )


def _stop_timers(turn: GroupTurn) -> None:
    turn.timer(GroupTimer.JOIN, None)
    turn.timer(GroupTimer.SYNC, None)
    for entry in turn.state.entries:
        turn.timer(GroupTimer.SESSION, None, entry.member_id)
    for member_id in sorted(turn.state.pending):
        turn.timer(GroupTimer.PENDING, None, member_id)


def join_response(
    state: GroupState, entry: Entry, *, leader: str | None, to_leader: bool, skip: bool
) -> JoinGroupResponse:
    """Return JoinGroup's answer for one member; `to_leader` adds everybody's metadata, `skip` tells
    the leader to leave the assignment as it is (SkipAssignment).
    """
    member = JoinGroupResponse.JoinGroupResponseMember
    return JoinGroupResponse(
        error_code=ErrorCode.NONE,
        generation_id=state.generation,
        protocol_type="consumer",
        protocol_name=state.protocol or "",
        leader=leader or "",
        skip_assignment=skip,
        member_id=entry.member_id,
        members=[
            member(
                member_id=entry.member_id,
                group_instance_id=entry.instance_id,
                metadata=entry.metadata(state.protocol),
            )
            for entry in state.entries
        ]
        if to_leader
        else [],
    )


def sync_reply(entry: Entry, state: GroupState, error: ErrorCode) -> Reply:
    """Return SyncGroup's answer for the member's waiting connection, with its assignment if `error`
    is NONE.
    """
    assert entry.syncing is not None
    share = entry.share if error is ErrorCode.NONE else b""
    message = SyncGroupResponse(
        error_code=error,
        protocol_type=None if error else "consumer",
        protocol_name=None if error else state.protocol,
        assignment=share,
    )
    return Reply(entry.syncing, message)


def refusal(request: Any, error: ErrorCode, member_id: str = "") -> Message | CommitAnswer:
    """Return the answer that refuses a request; `member_id` is that of a JoinGroup answer, if it is
    not the request's.
    """
    match request:
        case JoinGroupRequest():
            return join_refusal(error, member_id or request.member_id)
        case SyncGroupRequest():
            return SyncGroupResponse(error_code=error)
        case HeartbeatRequest():
            return HeartbeatResponse(error_code=error)
        case LeaveGroupRequest():
            return LeaveGroupResponse(error_code=error)
        case _:
            return CommitAnswer(error)


def join_refusal(error: ErrorCode, member_id: str) -> JoinGroupResponse:
    """Return JoinGroup's answer that refuses."""
    return JoinGroupResponse(error_code=error, protocol_name="", leader="", member_id=member_id)
