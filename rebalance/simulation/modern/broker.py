"""A group on a broker that serves both protocols: which machine takes an event, and when a group
changes from one protocol to the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from ....codec.messages import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    HeartbeatRequest,
    JoinGroupRequest,
    LeaveGroupRequest,
    ShareGroupHeartbeatRequest,
    ShareGroupHeartbeatResponse,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    SyncGroupRequest,
)
from ...group import Topics
from ..machines import coordinator as classic
from ..machines.coordinator_reactions import refusal
from ..machines.coordinator_state import (
    Asked,
    AssignmentDue,
    Commit,
    ErrorCode,
    ExpressionsDue,
    FailedOver,
    GroupAction,
    GroupEvent,
    GroupSettings,
    GroupState,
    GroupTimer,
    MemberTimedOut,
    Reply,
    SessionExpired,
    SetGroupTimer,
    TopicsChanged,
)
from ..machines.settings import GroupProtocol
from . import classic_members, coordinator
from .classic_members import call_back, downgraded, may_downgrade, upgraded, without_waiting
from .coordinator import ConsumerTurn, Refusal
from .group_state import (
    JOIN_EPOCH,
    LEAVE_EPOCH,
    STATIC_LEAVE_EPOCH,
    ConsumerGroup,
)
from .share_and_streams_groups import end_first_wait, share_heartbeat, streams_heartbeat

AnyGroup: TypeAlias = GroupState | ConsumerGroup
_LEAVES = (LEAVE_EPOCH, STATIC_LEAVE_EPOCH)
_LATER_KINDS: Mapping[type, GroupProtocol] = {
    ShareGroupHeartbeatRequest: GroupProtocol.SHARE,
    StreamsGroupHeartbeatRequest: GroupProtocol.STREAMS,
}
_ANSWERS: Mapping[type, Any] = {
    ConsumerGroupHeartbeatRequest: ConsumerGroupHeartbeatResponse,
    ShareGroupHeartbeatRequest: ShareGroupHeartbeatResponse,
    StreamsGroupHeartbeatRequest: StreamsGroupHeartbeatResponse,
}


def step(
    settings: GroupSettings, topics: Topics, group: AnyGroup, event: GroupEvent
) -> tuple[AnyGroup, list[GroupAction]]:
    """Return the group after an event, and the actions for the outside to take."""
    if isinstance(event, Asked) and isinstance(event.message, ConsumerGroupHeartbeatRequest):
        return _heartbeat(settings, topics, group, event)
    if isinstance(event, Asked) and type(event.message) in _LATER_KINDS:
        return _later_heartbeat(settings, topics, group, event)
    if isinstance(group, GroupState):
        return classic.step(settings, group, event)
    if (
        not group.members
        and isinstance(event, Asked)
        and isinstance(event.message, JoinGroupRequest)
    ):
        empty = GroupState(born=group.born)
        changed, actions = classic.step(settings, empty, event)
        timers = (GroupTimer.ASSIGNMENT, GroupTimer.EXPRESSIONS)
        return changed, [*(SetGroupTimer(timer, "", None) for timer in timers), *actions]
    return _consumer_step(settings, topics, group, event)


def _heartbeat(
    settings: GroupSettings, topics: Topics, group: AnyGroup, event: Asked
) -> tuple[AnyGroup, list[GroupAction]]:
    """Answer a ConsumerGroupHeartbeat, for which a classic group converts first."""
    request: Any = event.message
    if isinstance(group, ConsumerGroup):
        return _consumer_step(settings, topics, group, event)
    if request.member_epoch != JOIN_EPOCH:
        return group, [_refusal(event, ErrorCode.GROUP_ID_NOT_FOUND)]
    if not group.entries:
        empty = ConsumerGroup(born=group.born)
        changed, actions = _consumer_step(settings, topics, empty, event)
        pending = (
            SetGroupTimer(GroupTimer.PENDING, member_id, None)
            for member_id in sorted(group.pending)
        )
        return changed, [SetGroupTimer(GroupTimer.JOIN, "", None), *pending, *actions]
    waiting = call_back(group) if settings.upgrades else []
    rest = without_waiting(group) if waiting else group
    try:
        converted, timers = upgraded(settings, topics, group)
    except Refusal as error:
        return rest, [*waiting, _refusal(event, error.error)]
    changed, actions = _consumer_step(settings, topics, converted, event)
    if changed is converted:  # the member was refused, so nothing has happened
        return rest, [*waiting, *actions]
    return changed, [*waiting, *timers, *actions]


def _later_heartbeat(
    settings: GroupSettings, topics: Topics, group: AnyGroup, event: Asked
) -> tuple[AnyGroup, list[GroupAction]]:
    """Answer a heartbeat of a share group or a streams group, to which no other group converts."""
    kind, request = _LATER_KINDS[type(event.message)], cast("Any", event.message)
    if isinstance(group, ConsumerGroup) and group.kind is kind:
        return _consumer_step(settings, topics, group, event)
    members = group.entries if isinstance(group, GroupState) else group.members
    if members or request.member_epoch != JOIN_EPOCH:
        return group, [_refusal(event, ErrorCode.GROUP_ID_NOT_FOUND)]
    return _consumer_step(settings, topics, ConsumerGroup(kind=kind), event)


def _consumer_step(
    settings: GroupSettings, topics: Topics, group: ConsumerGroup, event: GroupEvent
) -> tuple[AnyGroup, list[GroupAction]]:
    turn = ConsumerTurn(settings, topics, group, event)
    kind = type(event.message) if isinstance(event, Asked) else type(event)
    react = _REACTIONS.get(kind)
    try:
        leavers = react(turn) if react is not None else None
    except Refusal as error:
        assert isinstance(event, Asked)
        return group, [_refusal(event, error.error)]
    if leavers:
        return _without(turn, leavers)
    return _after_replacement(turn, group)


def _refusal(event: Asked, error: ErrorCode) -> Reply:
    answer = _ANSWERS.get(type(event.message))
    if answer is not None:
        return Reply(event.connection, answer(error_code=error))
    return Reply(event.connection, refusal(event.message, error))


def _without(turn: ConsumerTurn, leavers: list[str]) -> tuple[AnyGroup, list[GroupAction]]:
    """Remove members; a group in which only classic members are left converts back."""
    left = [member for member in turn.state.members if member.member_id not in leavers]
    all_classic = all(member.classic is not None for member in left)
    if all_classic and may_downgrade(turn.settings, turn.state, len(left)):
        for member_id in leavers:
            coordinator.stop_timers(turn, member_id)
        changed, actions = downgraded(turn.settings, turn.state, left, starts=True)
        return changed, [*turn.actions, *actions]
    coordinator.remove(turn, leavers)
    return turn.state, turn.actions


def _after_replacement(
    turn: ConsumerTurn, previous: ConsumerGroup
) -> tuple[AnyGroup, list[GroupAction]]:
    """Convert back where a classic member took the place of the last member of the consumer
    protocol.
    """
    group = turn.state
    is_join = isinstance(turn.event, Asked) and isinstance(turn.event.message, JoinGroupRequest)
    were_classic = all(member.classic is not None for member in previous.members)
    all_classic = all(member.classic is not None for member in group.members)
    if not is_join or were_classic or not all_classic:
        return group, turn.actions
    if not may_downgrade(turn.settings, group, len(group.members)):
        return group, turn.actions
    stale = group.assignment_epoch < group.epoch
    changed, actions = downgraded(turn.settings, group, list(group.members), starts=stale)
    return changed, [*turn.actions, *actions]


# -- reactions


def _beat_or_leave(turn: ConsumerTurn) -> list[str] | None:
    if turn.request.member_epoch in _LEAVES:
        return coordinator.leave(turn)
    coordinator.heartbeat(turn)
    return None


def _leave_or(
    beat: Callable[[ConsumerTurn], None],
) -> Callable[[ConsumerTurn], list[str] | None]:
    """Return the reaction to the heartbeats of a kind of group without static members."""

    def react(turn: ConsumerTurn) -> list[str] | None:
        request = turn.request
        if request.member_epoch != LEAVE_EPOCH:
            beat(turn)
            return None
        member = coordinator.known_member(turn.state, request.member_id, None)
        answer = _ANSWERS[type(request)]
        turn.answer(answer(member_id=member.member_id, member_epoch=LEAVE_EPOCH))
        return [member.member_id]

    return react


def _expired(turn: ConsumerTurn) -> list[str]:
    member = turn.state.member(turn.event.member_id)
    return [] if member is None else [member.member_id]


def _timed_out(turn: ConsumerTurn) -> list[str]:
    member = turn.state.member(turn.event.member_id)
    if member is None or not coordinator.has_timed_out(member, turn.event.timer):
        return []
    return [member.member_id]


def _assignment_is_due(turn: ConsumerTurn) -> None:
    turn.change(assignment_waits=False)
    if turn.state.kind is GroupProtocol.STREAMS:
        end_first_wait(turn)


_REACTIONS: Mapping[type, Callable[[ConsumerTurn], list[str] | None]] = {
    ConsumerGroupHeartbeatRequest: _beat_or_leave,
    ShareGroupHeartbeatRequest: _leave_or(share_heartbeat),
    StreamsGroupHeartbeatRequest: _leave_or(streams_heartbeat),
    JoinGroupRequest: classic_members.join,
    SyncGroupRequest: classic_members.sync,
    HeartbeatRequest: classic_members.beat,
    LeaveGroupRequest: classic_members.leave,
    Commit: coordinator.commit,
    SessionExpired: _expired,
    MemberTimedOut: _timed_out,
    AssignmentDue: _assignment_is_due,
    ExpressionsDue: coordinator.match_expressions,
    TopicsChanged: coordinator.topics_changed,
    FailedOver: coordinator.take_over,
}
