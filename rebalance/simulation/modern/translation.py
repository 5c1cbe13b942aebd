"""Members of the classic protocol in a consumer group: what the broker translates for them.

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
from ..machines.coordinator_state import GroupTimer, protocols_of
from ..machines.error_codes import ErrorCode
from .coordinator import (
    ConsumerTurn,
    Refusal,
    go_on,
    join_static,
    known_member,
    refuse_if_fenced,
    refuse_if_full,
)
from .group_state import ClassicMetadata, ConsumerMember, MemberProgress

_KNOWS_ID_REQUIRED = 4


def join(turn: ConsumerTurn) -> None:
    """Answer JoinGroup of a classic member. Raises Refusal."""
    asked = turn.asked
    if not (turn.settings.upgrades or turn.settings.downgrades):
        raise Refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    member_id = asked.member_id or _new_id(turn)
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
    known = _joining(turn, member_id)
    subscription = read_subscription(protocols_of(asked)[0][1])
    updated = known._replace(
        client_id=turn.event.client_id,
        instance_id=asked.group_instance_id or known.instance_id,
        rack=subscription.rack_id or known.rack,
        rebalance_timeout_ms=asked.rebalance_timeout_ms,
        topics=tuple(sorted(set(subscription.topics))),
        regex="",
        classic=ClassicMetadata(asked.session_timeout_ms, protocols_of(asked), turn.event.version),
    )
    updated = go_on(
        turn,
        known,
        updated,
        frozenset(partitions_of(subscription.owned_partitions)),
    )
    turn.timer(GroupTimer.MEMBER_JOIN, None, member_id)
    turn.timer(GroupTimer.MEMBER_REBALANCE, None, member_id)
    _alive(turn, updated)
    turn.timer(GroupTimer.MEMBER_SYNC, asked.rebalance_timeout_ms, member_id)
    turn.answer(
        JoinGroupResponse(
            error_code=ErrorCode.NONE,
            generation_id=updated.epoch,
            protocol_type="consumer",
            protocol_name=protocols_of(asked)[0][0],
            leader="",
            member_id=member_id,
        )
    )


def sync(turn: ConsumerTurn) -> None:
    """Answer SyncGroup of a classic member with its assignment. Raises Refusal."""
    member = _checked(turn)
    classic = member.classic
    assert classic is not None
    if turn.asked.protocol_name not in (None, classic.protocols[0][0]):
        raise Refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    behind = turn.group.assignment_epoch > member.epoch
    if behind and member.progress is not MemberProgress.UNREVOKED_PARTITIONS:
        raise Refusal(ErrorCode.REBALANCE_IN_PROGRESS)
    turn.timer(GroupTimer.MEMBER_SYNC, None, member.member_id)
    _alive(turn, member)
    turn.answer(
        SyncGroupResponse(
            error_code=ErrorCode.NONE,
            protocol_type=turn.asked.protocol_type,
            protocol_name=turn.asked.protocol_name,
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
    if member.epoch < turn.group.assignment_epoch:
        return True
    match member.progress:
        case MemberProgress.UNREVOKED_PARTITIONS:
            return True
        case MemberProgress.UNRELEASED_PARTITIONS:
            missing = turn.group.target(member.member_id) - member.assigned_partitions
            return not missing & turn.group.owned()
        case _:
            return False


def leave(turn: ConsumerTurn) -> list[str]:
    """Answer LeaveGroup; return the ids of the members that are to be removed."""
    gone = []
    for identity in turn.asked.members:
        static = turn.group.static(identity.group_instance_id)
        member = static or turn.group.member(identity.member_id)
        if member is not None and identity.member_id in ("", member.member_id):
            gone.append(member.member_id)
    turn.answer(LeaveGroupResponse(error_code=ErrorCode.NONE))
    return gone


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
    turn.group = turn.group._replace(born=turn.group.born + 1)
    return f"{turn.event.client_id}-{turn.group.born:02d}"


def _needs_an_id(turn: ConsumerTurn) -> bool:
    asked = turn.asked
    known = turn.event.version >= _KNOWS_ID_REQUIRED
    return not asked.member_id and asked.group_instance_id is None and known


def _refuse_other_protocols(turn: ConsumerTurn, member_id: str) -> None:
    """Refuse a member that has no assignor in common with all other classic members."""
    listed = {name for name, _ in protocols_of(turn.asked)}
    for other in turn.group.members:
        if other.classic is not None and other.member_id != member_id:
            listed &= {name for name, _ in other.classic.protocols}
    if not listed:
        raise Refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)


def _joining(turn: ConsumerTurn, member_id: str) -> ConsumerMember:
    asked = turn.asked
    if asked.group_instance_id is None:
        return turn.group.member(member_id) or ConsumerMember(member_id)
    known = turn.group.static(asked.group_instance_id)
    if not asked.member_id:
        return join_static(turn, member_id, known)
    if known is None:
        raise Refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    refuse_if_fenced(known, member_id)
    return known


def _checked(turn: ConsumerTurn) -> ConsumerMember:
    """Return the classic member that asks, in its own generation. Raises Refusal."""
    asked: Any = turn.asked
    member = known_member(turn.group, asked.member_id, asked.group_instance_id)
    if member.classic is None:
        raise Refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    if member.epoch != asked.generation_id:
        raise Refusal(ErrorCode.ILLEGAL_GENERATION)
    return member


def _alive(turn: ConsumerTurn, member: ConsumerMember) -> None:
    assert member.classic is not None
    turn.timer(GroupTimer.SESSION, member.classic.session_timeout_ms, member.member_id)
