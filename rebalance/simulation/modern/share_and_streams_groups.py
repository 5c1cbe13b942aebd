"""The coordinators of share groups (KIP-932), as far as assignment goes, and of streams groups
(KIP-1071), at the level of tasks.

The members of a share group share partitions, so that nobody waits for anybody: a member has its
target as soon as its heartbeat asks.

What is left out of streams groups: internal topics and copartitioning, which a broker checks and
makes; endpoints, client tags, offsets of tasks; topologies that change. Warm-up tasks are
reconciled, though the broker's assignor gives none.
"""

from __future__ import annotations

from ....codec.messages import (
    ShareGroupHeartbeatRequest,
    ShareGroupHeartbeatResponse,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
)
from ...assignments import Partition
from ...broker_assignors import StreamsMember, Subtopology, assign_simple, assign_tasks
from ..machines.coordinator_state import GroupTimer
from ..machines.settings import SubtopologySettings
from .coordinator import (
    ConsumerTurn,
    Targets,
    dynamic,
    heartbeat_response,
    move,
    refuse_if_full,
    update_epoch,
    update_target,
)
from .group_state import JOIN_EPOCH, ConsumerGroup, ConsumerMember, in_epoch
from .heartbeats import task_fields, tasks_told
from .targets import TaskAim, broker_group, by_name, reconciled_tasks
from .tasks import Role, numbers_in, task


def share_heartbeat(turn: ConsumerTurn) -> None:
    """Answer a heartbeat of a share group that is no leave. Raises Refusal."""
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
    turn.answer(heartbeat_response(ShareGroupHeartbeatResponse, turn, changed_member, tells=tells))


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


_MISSING_SOURCE_TOPICS, _ASSIGNMENT_DELAYED = 1, 5


def streams_heartbeat(turn: ConsumerTurn) -> None:
    """Answer a heartbeat of a streams group that is no leave. Raises Refusal."""
    request: StreamsGroupHeartbeatRequest = turn.request
    refuse_if_full(turn, request.member_id)
    reported = tasks_told(request)
    member = dynamic(turn, reported)
    if not turn.state.members:
        _begin(turn)
    updated = _described(turn, member)
    turn.state = turn.state.with_member(updated)
    update_epoch(turn, bump=updated != member)
    turn.change(
        topology_is_valid=not _is_missing_topics(turn),
        standby_replicas=turn.settings.standby_replicas,
    )
    update_target(turn, _task_targets)
    reconciled = _moved(turn, updated, reported)
    move(turn, updated, reconciled)
    turn.timer(GroupTimer.SESSION, turn.settings.consumer_session_timeout_ms, reconciled.member_id)
    response = StreamsGroupHeartbeatResponse
    tells = request.member_epoch == JOIN_EPOCH or reconciled.assigned != member.assigned
    turn.answer(
        response(
            member_id=reconciled.member_id,
            member_epoch=reconciled.epoch,
            heartbeat_interval_ms=turn.settings.consumer_heartbeat_interval_ms,
            status=_status(turn),
            **(task_fields(reconciled.assigned_partitions, response) if tells else {}),
        )
    )


def end_first_wait(turn: ConsumerTurn) -> None:
    """Make the first target of a group, once its initial rebalance delay is over."""
    if turn.state.members and not turn.state.targets:
        update_target(turn, _task_targets)


def _begin(turn: ConsumerTurn) -> None:
    """Let the first target wait for more members, and take over the topology."""
    described = turn.request.topology
    topology = () if described is None else described.subtopologies
    delay = turn.settings.initial_rebalance_delay_ms
    turn.change(
        assignment_waits=delay > 0,
        topology=tuple(
            SubtopologySettings(
                tuple(subtopology.source_topics), bool(subtopology.state_changelog_topics)
            )
            for subtopology in topology
        ),
    )
    if delay > 0:
        turn.timer(GroupTimer.ASSIGNMENT, delay)


def _described(turn: ConsumerTurn, member: ConsumerMember) -> ConsumerMember:
    """Return the member with what the request says of it; what it leaves out is as before."""
    request, timeout = turn.request, turn.request.rebalance_timeout_ms
    return member._replace(
        client_id=turn.event.client_id,
        rack=member.rack if request.rack_id is None else request.rack_id,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout == -1 else timeout,
        process_id=member.process_id if request.process_id is None else request.process_id,
        topics=turn.state.topology_topics(),
    )


def _moved(
    turn: ConsumerTurn, member: ConsumerMember, reported: frozenset[Partition] | None
) -> ConsumerMember:
    group = turn.state
    if member.is_reconciled_to(group.assignment_epoch):
        return member
    target = group.target(member.member_id)
    return reconciled_tasks(
        member, TaskAim(group.assignment_epoch, target, reported, _holders(group))
    )


def _holders(group: ConsumerGroup) -> dict[Partition, frozenset[str]]:
    processes_of: dict[Partition, set[str]] = {}
    for member in group.members:
        for partition, _ in (*member.assigned, *member.revoking):
            processes_of.setdefault(partition, set()).add(member.process_id)
    return {partition: frozenset(processes) for partition, processes in processes_of.items()}


def _task_targets(turn: ConsumerTurn) -> Targets:
    """Return the target; without one of its source topics a topology is not ready, and has no
    tasks.
    """
    group = turn.state
    if _is_missing_topics(turn):
        return {member.member_id: frozenset() for member in group.members}
    topology = {
        str(number): Subtopology(
            max(turn.topics[topic] for topic in subtopology.topics), subtopology.stateful
        )
        for number, subtopology in enumerate(group.topology)
    }
    members = {
        member.member_id: StreamsMember(
            member.process_id,
            numbers_in(Role.ACTIVE, group.target(member.member_id)),
            numbers_in(Role.STANDBY, group.target(member.member_id)),
        )
        for member in group.members
    }
    targets = assign_tasks(members, topology, turn.settings.standby_replicas)
    return {
        member_id: frozenset(
            task(role, *place)
            for role, places in ((Role.ACTIVE, tasks.active), (Role.STANDBY, tasks.standby))
            for place in places
        )
        for member_id, tasks in targets.items()
    }


def _is_missing_topics(turn: ConsumerTurn) -> bool:
    return any(
        topic not in turn.topics
        for subtopology in turn.state.topology
        for topic in subtopology.topics
    )


def _status(turn: ConsumerTurn) -> list[StreamsGroupHeartbeatResponse.Status]:
    status = StreamsGroupHeartbeatResponse.Status
    statuses = []
    if _is_missing_topics(turn):
        statuses.append(
            status(status_code=_MISSING_SOURCE_TOPICS, status_detail="topics are missing")
        )
    if turn.state.assignment_waits and turn.state.assignment_epoch < turn.state.epoch:
        statuses.append(status(status_code=_ASSIGNMENT_DELAYED, status_detail="assignment delayed"))
    return statuses
