"""The coordinator of a share group (KIP-932), as far as assignment goes.

Members share partitions, so that nobody waits for anybody: a member has its target as soon as its
heartbeat asks.
"""

from __future__ import annotations

from ....codec.messages import ShareGroupHeartbeatRequest, ShareGroupHeartbeatResponse
from ...assignments import Partition
from ...broker_assignors import assign_simple
from ..machines.coordinator_state import GroupTimer
from .coordinator import (
    ConsumerTurn,
    Targets,
    dynamic,
    move,
    refuse_if_full,
    update_epoch,
    update_target,
)
from .group_state import JOIN_EPOCH, ConsumerMember, in_epoch
from .targets import broker_group, by_name, by_topic_id


def heartbeat(turn: ConsumerTurn) -> None:
    """Answer a heartbeat that is no leave. Raises Refusal."""
    request: ShareGroupHeartbeatRequest = turn.request
    refuse_if_full(turn, request.member_id)
    member = dynamic(turn, frozenset())
    updated = member._replace(
        client_id=turn.event.client_id,
        rack=member.rack if request.rack_id is None else request.rack_id,
        topics=member.topics
        if request.subscribed_topic_names is None
        else tuple(sorted(set(request.subscribed_topic_names))),
    )
    changed = set(updated.topics) != set(member.topics)
    turn.state = turn.state.with_member(updated)
    update_epoch(turn, bump=changed)
    update_target(turn, _targets)
    changed_member = with_target(
        updated,
        turn.state.assignment_epoch,
        turn.state.target(updated.member_id),
        turn.subscribed(updated),
        subscription_changed=changed,
    )
    move(turn, updated, changed_member)
    turn.timer(
        GroupTimer.SESSION, turn.settings.consumer_session_timeout_ms, changed_member.member_id
    )
    full = request.member_epoch == JOIN_EPOCH or request.subscribed_topic_names is not None
    tells = full or changed_member.assigned_partitions != member.assigned_partitions
    turn.answer(_response(turn, changed_member, tells=tells))


def with_target(
    member: ConsumerMember,
    epoch: int,
    target: frozenset[Partition],
    subscribed: frozenset[str],
    *,
    subscription_changed: bool,
) -> ConsumerMember:
    """Return the member with its target, as ShareGroupAssignmentBuilder does; the same if it has
    that already. `subscribed` are the topics that it subscribes to and that exist.
    """
    if epoch == member.epoch and not subscription_changed:
        return member
    partitions = in_epoch((partition for partition in target if partition[0] in subscribed), epoch)
    if epoch == member.epoch:
        return member._replace(assigned=partitions)
    return member._replace(previous_epoch=member.epoch, epoch=epoch, assigned=partitions)


def _targets(turn: ConsumerTurn) -> Targets:
    targets = assign_simple(broker_group(turn.state, turn.topics))
    return {
        member.member_id: by_name(targets.get(member.member_id, {}), turn.topics)
        for member in turn.state.members
    }


def _response(
    turn: ConsumerTurn, member: ConsumerMember, *, tells: bool
) -> ShareGroupHeartbeatResponse:
    response = ShareGroupHeartbeatResponse
    entries = [
        response.TopicPartitions(topic_id=uuid, partitions=numbers)
        for uuid, numbers in by_topic_id(member.assigned_partitions).items()
    ]
    return response(
        member_id=member.member_id,
        member_epoch=member.epoch,
        heartbeat_interval_ms=turn.settings.consumer_heartbeat_interval_ms,
        assignment=response.Assignment(topic_partitions=entries) if tells else None,
    )
