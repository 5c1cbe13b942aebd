"""Members of the classic protocol in a consumer group (KIP-848's online migration): what the broker
translates for them, and how a classic group becomes a consumer group, and back.

Their subscriptions and assignments stay the bytes that they know; the broker reads the one and
writes the other. Each of their requests is answered at once. A heartbeat calls them to join again
where their epoch is behind, where they have to give partitions back, or where what they wait for
has become free.
"""

from __future__ import annotations

from typing import Any

from ....codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, DecodeError
from ....codec.messages import (
    HeartbeatResponse,
    JoinGroupResponse,
    LeaveGroupResponse,
    SyncGroupResponse,
)
from ...assignments import Partition, grouped, partitions_of
from ...group import Topics
from ..machines.coordinator_reactions import join_refusal, rebalance, sync_reply
from ..machines.coordinator_state import (
    Entry,
    ErrorCode,
    GroupAction,
    GroupPhase,
    GroupSettings,
    GroupState,
    GroupTimer,
    GroupTurn,
    Reply,
    SetGroupTimer,
    choose,
    protocols_of,
)
from .coordinator import (
    ConsumerTurn,
    Refusal,
    go_on,
    join_static,
    known_member,
    refuse_if_fenced,
    refuse_if_full,
)
from .group_state import ClassicMetadata, ConsumerGroup, ConsumerMember, MemberProgress, in_epoch
from .targets import metadata_hash


def call_back(group: GroupState) -> list[GroupAction]:
    """Return the answers to all requests that wait in a classic group: REBALANCE_IN_PROGRESS."""
    replies: list[GroupAction] = []
    for entry in group.entries:
        if entry.joining is not None:
            refusal = join_refusal(ErrorCode.REBALANCE_IN_PROGRESS, entry.member_id)
            replies.append(Reply(entry.joining, refusal))
        if entry.syncing is not None:
            replies.append(sync_reply(entry, group, ErrorCode.REBALANCE_IN_PROGRESS))
    return replies


def without_waiting(group: GroupState) -> GroupState:
    """Return a classic group in which no request waits any more."""
    entries = (entry._replace(joining=None, syncing=None) for entry in group.entries)
    return group._replace(entries=tuple(entries))


def upgraded(
    settings: GroupSettings, topics: Topics, group: GroupState
) -> tuple[ConsumerGroup, list[GroupAction]]:
    """Return the consumer group of a classic one, and the timers to set. Raises Refusal."""
    if not settings.upgrades or len(group.entries) > settings.consumer_max_size:
        raise Refusal(ErrorCode.GROUP_ID_NOT_FOUND)
    members = tuple(_member(topics, group, entry) for entry in group.entries)
    converted = ConsumerGroup(
        epoch=group.generation,
        metadata_hash=metadata_hash(
            (topic for member in members for topic in member.topics), topics
        ),
        assignment_epoch=group.generation,
        members=members,
        born=group.born,
    ).with_targets({member.member_id: member.assigned_partitions for member in members})
    timers: list[GroupAction] = [
        SetGroupTimer(GroupTimer.JOIN, "", None),
        SetGroupTimer(GroupTimer.SYNC, "", None),
    ]
    timers += [
        SetGroupTimer(GroupTimer.SESSION, entry.member_id, entry.session_timeout_ms)
        for entry in group.entries
    ]
    return converted, timers


def _member(topics: Topics, group: GroupState, entry: Entry) -> ConsumerMember:
    share = _share(entry)
    partitions = {
        (topic, number)
        for topic, number in partitions_of(share.assigned_partitions)
        if topic in topics
    }
    subscription = read_subscription(entry.metadata(group.protocol))
    return ConsumerMember(
        entry.member_id,
        entry.client_id,
        entry.instance_id,
        subscription.rack_id,
        entry.rebalance_timeout_ms,
        tuple(sorted(set(subscription.topics))),
        None,
        ClassicMetadata(entry.session_timeout_ms, entry.protocols, entry.version),
        epoch=group.generation,
        previous_epoch=group.generation,
        assigned=in_epoch(partitions, group.generation),
    )


def _share(entry: Entry) -> ConsumerProtocolAssignment:
    if not entry.share:
        return ConsumerProtocolAssignment()
    try:
        share = ConsumerProtocolAssignment.from_bytes(entry.share)
    except DecodeError:
        raise Refusal(ErrorCode.GROUP_ID_NOT_FOUND) from None
    if share.user_data:
        raise Refusal(ErrorCode.GROUP_ID_NOT_FOUND)  # what is in it would be lost
    return share


def may_downgrade(settings: GroupSettings, group: ConsumerGroup, left: int) -> bool:
    """Return whether a consumer group converts back when this number of members is left, all of
    them classic ones.
    """
    is_allowed = settings.downgrades and 0 < left <= settings.classic_max_size
    return is_allowed and left <= len(group.members)


def downgraded(
    settings: GroupSettings, group: ConsumerGroup, members: list[ConsumerMember], *, starts: bool
) -> tuple[GroupState, list[GroupAction]]:
    """Return the classic group of a consumer group that has these members left, which `starts` a
    rebalance unless a static member took another's place.
    """
    entries = tuple(_entry(group, member) for member in members)
    converted = GroupState(
        GroupPhase.STABLE,
        group.epoch,
        choose(entries),
        entries[0].member_id,
        entries,
        born=group.born,
    )
    converted = converted._replace(stored_state=converted._replace(stored_state=None, born=0))
    turn = GroupTurn(settings, converted, None)
    turn.timer(GroupTimer.ASSIGNMENT, None)
    turn.timer(GroupTimer.EXPRESSIONS, None)
    for entry in entries:
        for timer in (GroupTimer.MEMBER_JOIN, GroupTimer.MEMBER_SYNC):
            turn.timer(timer, None, entry.member_id)
        turn.timer(GroupTimer.SESSION, entry.session_timeout_ms, entry.member_id)
    if starts:
        rebalance(turn)
    return turn.state, turn.actions


def _entry(group: ConsumerGroup, member: ConsumerMember) -> Entry:
    classic = member.classic
    assert classic is not None
    return Entry(
        member.member_id,
        member.instance_id,
        member.client_id,
        classic.session_timeout_ms,
        member.rebalance_timeout_ms,
        classic.protocols,
        classic.version,
        share=write_assignment(classic.protocols[0][1], group.target(member.member_id)),
        synced=True,
    )


_KNOWS_ID_REQUIRED = 4


def join(turn: ConsumerTurn) -> None:
    """Answer JoinGroup of a classic member. Raises Refusal."""
    request = turn.request
    if not (turn.settings.upgrades or turn.settings.downgrades):
        raise Refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    member_id = request.member_id or _new_id(turn)
    refuse_if_full(turn, member_id)
    _refuse_other_protocols(turn, member_id)
    if _needs_an_id(turn):
        turn.answer(
            JoinGroupResponse(
                error_code=ErrorCode.MEMBER_ID_REQUIRED,
                protocol_name="",
                leader="",
                member_id=member_id,
            )
        )
        return
    member = _joining(turn, member_id)
    subscription = read_subscription(protocols_of(request)[0][1])
    updated = member._replace(
        client_id=turn.event.client_id,
        instance_id=request.group_instance_id or member.instance_id,
        rack=subscription.rack_id or member.rack,
        rebalance_timeout_ms=request.rebalance_timeout_ms,
        topics=tuple(sorted(set(subscription.topics))),
        regex="",
        classic=ClassicMetadata(
            request.session_timeout_ms, protocols_of(request), turn.event.version
        ),
    )
    updated = go_on(
        turn,
        member,
        updated,
        frozenset(partitions_of(subscription.owned_partitions)),
    )
    turn.timer(GroupTimer.MEMBER_JOIN, None, member_id)
    turn.timer(GroupTimer.MEMBER_REBALANCE, None, member_id)
    _alive(turn, updated)
    turn.timer(GroupTimer.MEMBER_SYNC, request.rebalance_timeout_ms, member_id)
    turn.answer(
        JoinGroupResponse(
            error_code=ErrorCode.NONE,
            generation_id=updated.epoch,
            protocol_type="consumer",
            protocol_name=protocols_of(request)[0][0],
            leader="",
            member_id=member_id,
        )
    )


def sync(turn: ConsumerTurn) -> None:
    """Answer SyncGroup of a classic member with its assignment. Raises Refusal."""
    member = _checked(turn)
    classic = member.classic
    assert classic is not None
    if turn.request.protocol_name not in (None, classic.protocols[0][0]):
        raise Refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    is_behind = turn.state.assignment_epoch > member.epoch
    if is_behind and member.progress is not MemberProgress.UNREVOKED_PARTITIONS:
        raise Refusal(ErrorCode.REBALANCE_IN_PROGRESS)
    turn.timer(GroupTimer.MEMBER_SYNC, None, member.member_id)
    _alive(turn, member)
    turn.answer(
        SyncGroupResponse(
            error_code=ErrorCode.NONE,
            protocol_type=turn.request.protocol_type,
            protocol_name=turn.request.protocol_name,
            assignment=write_assignment(classic.protocols[0][1], member.assigned_partitions),
        )
    )


def beat(turn: ConsumerTurn) -> None:
    """Answer Heartbeat of a classic member; REBALANCE_IN_PROGRESS where it has to join again.
    Raises Refusal.
    """
    member = _checked(turn)
    _alive(turn, member)
    error = ErrorCode.NONE
    if has_to_join(turn, member):
        error = ErrorCode.REBALANCE_IN_PROGRESS
        turn.timer(GroupTimer.MEMBER_JOIN, member.rebalance_timeout_ms, member.member_id)
    turn.answer(HeartbeatResponse(error_code=error))


def has_to_join(turn: ConsumerTurn, member: ConsumerMember) -> bool:
    """Return whether a classic member is called to join again."""
    if member.epoch < turn.state.assignment_epoch:
        return True
    match member.progress:
        case MemberProgress.UNREVOKED_PARTITIONS:
            return True
        case MemberProgress.UNRELEASED_PARTITIONS:
            missing = turn.state.target(member.member_id) - member.assigned_partitions
            return not missing & turn.state.owned()
        case _:
            return False


def leave(turn: ConsumerTurn) -> list[str]:
    """Answer LeaveGroup; return the ids of the members that are to be removed."""
    leavers = []
    for identity in turn.request.members:
        static = turn.state.static(identity.group_instance_id)
        member = static or turn.state.member(identity.member_id)
        if member is not None and identity.member_id in ("", member.member_id):
            leavers.append(member.member_id)
    turn.answer(LeaveGroupResponse(error_code=ErrorCode.NONE))
    return leavers


# -- the embedded protocol


def read_subscription(data: bytes) -> ConsumerProtocolSubscription:
    """Return a classic member's subscription. Raises Refusal."""
    try:
        return ConsumerProtocolSubscription.from_bytes(data)
    except DecodeError:
        raise Refusal(ErrorCode.UNKNOWN_SERVER_ERROR) from None


def write_assignment(subscription: bytes, partitions: frozenset[Partition]) -> bytes:
    """Return a classic member's assignment, in the version of its subscription."""
    version = min(int.from_bytes(subscription[:2], "big"), ConsumerProtocolAssignment.LATEST)
    assignment = ConsumerProtocolAssignment(assigned_partitions=grouped(sorted(partitions)))
    return assignment.to_bytes(version=version)


# -- parts


def _new_id(turn: ConsumerTurn) -> str:
    turn.change(born=turn.state.born + 1)
    return f"{turn.event.client_id}-{turn.state.born:02d}"


def _needs_an_id(turn: ConsumerTurn) -> bool:
    request = turn.request
    can_take_one = turn.event.version >= _KNOWS_ID_REQUIRED
    return not request.member_id and request.group_instance_id is None and can_take_one


def _refuse_other_protocols(turn: ConsumerTurn, member_id: str) -> None:
    """Refuse a member that has no assignor in common with all other classic members."""
    listed = {name for name, _ in protocols_of(turn.request)}
    for member in turn.state.members:
        if member.classic is not None and member.member_id != member_id:
            listed &= {name for name, _ in member.classic.protocols}
    if not listed:
        raise Refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)


def _joining(turn: ConsumerTurn, member_id: str) -> ConsumerMember:
    request = turn.request
    if request.group_instance_id is None:
        return turn.state.member(member_id) or ConsumerMember(member_id)
    member = turn.state.static(request.group_instance_id)
    if not request.member_id:
        return join_static(turn, member_id, member)
    if member is None:
        raise Refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    refuse_if_fenced(member, member_id)
    return member


def _checked(turn: ConsumerTurn) -> ConsumerMember:
    """Return the classic member that asks, in its own generation. Raises Refusal."""
    request: Any = turn.request
    member = known_member(turn.state, request.member_id, request.group_instance_id)
    if member.classic is None:
        raise Refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    if member.epoch != request.generation_id:
        raise Refusal(ErrorCode.ILLEGAL_GENERATION)
    return member


def _alive(turn: ConsumerTurn, member: ConsumerMember) -> None:
    assert member.classic is not None
    turn.timer(GroupTimer.SESSION, member.classic.session_timeout_ms, member.member_id)
