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
from .targets import broker_group, by_topic_id, named


def heartbeat(turn: ConsumerTurn) -> None:
    """Answer a heartbeat that is no leave. Raises Refusal."""
    asked: ShareGroupHeartbeatRequest = turn.asked
    refuse_if_full(turn, asked.member_id)
    member = dynamic(turn, frozenset())
    updated = member._replace(
        client_id=turn.event.client_id,
        rack=member.rack if asked.rack_id is None else asked.rack_id,
        topics=member.topics
        if asked.subscribed_topic_names is None
        else tuple(sorted(set(asked.subscribed_topic_names))),
    )
    changed = set(updated.topics) != set(member.topics)
    turn.group = turn.group.with_member(updated)
    update_epoch(turn, bump=changed)
    update_target(turn, _targets)
    after = given(
        updated,
        turn.group.assignment_epoch,
        turn.group.target(updated.member_id),
        turn.subscribed(updated),
        subscription_changed=changed,
    )
    move(turn, updated, after)
    turn.timer(GroupTimer.SESSION, turn.settings.consumer_session_timeout_ms, after.member_id)
    full = asked.member_epoch == JOIN_EPOCH or asked.subscribed_topic_names is not None
    tells = full or after.assigned_partitions != member.assigned_partitions
    turn.answer(_response(turn, after, tells=tells))


def given(
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
    assigned = in_epoch((partition for partition in target if partition[0] in subscribed), epoch)
    if epoch == member.epoch:
        return member._replace(assigned=assigned)
    return member._replace(previous_epoch=member.epoch, epoch=epoch, assigned=assigned)


def _targets(turn: ConsumerTurn) -> Targets:
    assigned = assign_simple(broker_group(turn.group, turn.topics))
    return {
        member.member_id: named(assigned.get(member.member_id, {}), turn.topics)
        for member in turn.group.members
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
