"""The heartbeats of a member in a consumer group, a share group and a streams group, and how it
reads the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ....codec.messages import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    ShareGroupHeartbeatRequest,
    ShareGroupHeartbeatResponse,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
)
from ....codec.runtime.message import Message
from ...assignments import Partition
from ..machines.settings import GROUP_ID, GroupProtocol, MemberSettings, Remedy
from .member_state import ConsumerMemberState, MemberPhase
from .targets import by_name_or_id, by_topic_id
from .tasks import Role, active, numbers_in, tasks_in

ANSWERS = (
    ConsumerGroupHeartbeatResponse,
    ShareGroupHeartbeatResponse,
    StreamsGroupHeartbeatResponse,
)
"""The responses to heartbeats."""
HEARTBEAT_VERSION = 1
"""The version of the requests."""
NOTHING: frozenset[Partition] = frozenset()


class Heartbeats(NamedTuple):
    """What differs between members of consumer groups, share groups and streams groups."""

    request: Callable[[MemberSettings, ConsumerMemberState], Message]
    assignment: Callable[[ConsumerMemberState, Any], frozenset[Partition] | None]
    """Returns the assignment that an answer brings, if it brings one."""
    readable_part: Callable[[ConsumerMemberState, frozenset[Partition]], frozenset[Partition]]
    """Returns the partitions of a target whose topics the member's metadata has."""
    told_to_listener: Callable[[frozenset[Partition]], frozenset[Partition] | None]
    """Returns the partitions that the listener gets and the member commits; None: a share group."""


def heartbeats_of(settings: MemberSettings) -> Heartbeats:
    """Return the heartbeats of the member's kind of group."""
    return _KINDS[settings.group_protocol]


def leave_request(settings: MemberSettings, state: ConsumerMemberState, epoch: int) -> Message:
    """Return the heartbeat that leaves the group, with the epoch that says so."""
    fields: dict[str, Any] = {
        "group_id": GROUP_ID,
        "member_id": state.member_id,
        "member_epoch": epoch,
    }
    match settings.group_protocol:
        case GroupProtocol.SHARE:
            return ShareGroupHeartbeatRequest(**fields)
        case GroupProtocol.STREAMS:
            return StreamsGroupHeartbeatRequest(**fields)
        case _:
            instance_id = settings.group_instance_id
            return ConsumerGroupHeartbeatRequest(**fields, instance_id=instance_id)


def _consumer_request(
    settings: MemberSettings, state: ConsumerMemberState
) -> ConsumerGroupHeartbeatRequest:
    """Return a heartbeat: everything when it joins or after an error, else what has changed."""
    joins = state.phase is MemberPhase.JOINING
    is_full = joins or state.told_topics is None
    owned = None
    if is_full or not state.is_reported:
        owned = [
            ConsumerGroupHeartbeatRequest.TopicPartitions(topic_id=uuid, partitions=numbers)
            for uuid, numbers in by_topic_id(_reported(settings, state)).items()
        ]
    tells_topics = is_full or state.told_topics != state.subscribed
    return ConsumerGroupHeartbeatRequest(
        group_id=GROUP_ID,
        member_id=state.member_id,
        member_epoch=state.epoch,
        instance_id=settings.group_instance_id,
        rack_id=settings.rack if joins else None,
        rebalance_timeout_ms=settings.max_poll_interval_ms if is_full else -1,
        subscribed_topic_names=list(state.subscribed) if tells_topics else None,
        subscribed_topic_regex=settings.subscribed_topic_regex if is_full else None,
        server_assignor=settings.remote_assignor if is_full else None,
        topic_partitions=owned,
    )


def _reported(settings: MemberSettings, state: ConsumerMemberState) -> frozenset[Partition]:
    reached = state.reached or NOTHING
    if Remedy.REPORTS_WHAT_IT_IS_GIVEN not in settings.remedies:
        return reached
    return reached.union(state.owned, state.pursued or NOTHING, state.target or NOTHING)


def _partitions(state: ConsumerMemberState, answer: Any) -> frozenset[Partition] | None:
    if answer.assignment is None:
        return None
    entries = {entry.topic_id: entry.partitions for entry in answer.assignment.topic_partitions}
    names = {topic for topic, _ in (*state.topics, *state.owned)} | set(state.subscribed)
    return by_name_or_id(entries, names)


def _readable_part(
    state: ConsumerMemberState, target: frozenset[Partition]
) -> frozenset[Partition]:
    names = {topic for topic, _ in (*state.topics, *state.owned)}
    return frozenset(partition for partition in target if partition[0] in names)


def _share_request(
    settings: MemberSettings, state: ConsumerMemberState
) -> ShareGroupHeartbeatRequest:
    """Return a heartbeat; a member of a share group never says what it has."""
    joins = state.phase is MemberPhase.JOINING
    tells_topics = joins or state.told_topics != state.subscribed
    return ShareGroupHeartbeatRequest(
        group_id=GROUP_ID,
        member_id=state.member_id,
        member_epoch=state.epoch,
        rack_id=settings.rack if joins else None,
        subscribed_topic_names=list(state.subscribed) if tells_topics else None,
    )


def _streams_request(
    settings: MemberSettings, state: ConsumerMemberState
) -> StreamsGroupHeartbeatRequest:
    """Return a heartbeat: the topology when it joins, and the tasks that have changed."""
    joins = state.phase is MemberPhase.JOINING
    fields: dict[str, Any] = {}
    if joins:
        fields = {
            "topology": _topology(settings),
            "rebalance_timeout_ms": settings.max_poll_interval_ms,
            "process_id": settings.process_id,
            "rack_id": settings.rack,
            "client_tags": [],
        }
    if joins or not state.is_reported:
        tasks = NOTHING if joins else state.reached or NOTHING
        fields |= task_fields(tasks)
    return StreamsGroupHeartbeatRequest(
        group_id=GROUP_ID, member_id=state.member_id, member_epoch=state.epoch, **fields
    )


_FIELDS = {
    Role.ACTIVE: "active_tasks",
    Role.STANDBY: "standby_tasks",
    Role.WARMUP: "warmup_tasks",
}
"""The field that has the tasks of a role, in requests and in responses."""


def task_fields(
    tasks: frozenset[Partition], kind: type[Message] = StreamsGroupHeartbeatRequest
) -> dict[str, Any]:
    """Return the fields that have tasks, of a request or a response."""
    entry: Any = kind.TaskIds  # type: ignore[attr-defined]  # both have it
    return {
        field: [
            entry(subtopology_id=name, partitions=numbers)
            for name, numbers in numbers_in(role, tasks).items()
        ]
        for role, field in _FIELDS.items()
    }


def _topology(settings: MemberSettings) -> StreamsGroupHeartbeatRequest.Topology:
    """Return the topology as bytes have it; a stateful part is one with a changelog topic."""
    request = StreamsGroupHeartbeatRequest
    changelog = "{}-store-{}-changelog".format
    return request.Topology(
        epoch=0,
        subtopologies=[
            request.Subtopology(
                subtopology_id=str(number),
                source_topics=sorted(subtopology.topics),
                state_changelog_topics=[request.TopicInfo(name=changelog(GROUP_ID, number))]
                if subtopology.stateful
                else [],
            )
            for number, subtopology in enumerate(settings.subtopologies)
        ],
    )


def tasks_told(message: Any) -> frozenset[Partition] | None:
    """Return the tasks that a request or a response names, None if it names none of any role."""
    entries_of = {role: getattr(message, field) for role, field in _FIELDS.items()}
    if any(entries is None for entries in entries_of.values()):
        return None
    return frozenset().union(
        *(
            tasks_in(role, {entry.subtopology_id: entry.partitions for entry in entries})
            for role, entries in entries_of.items()
        )
    )


_KINDS: Mapping[GroupProtocol, Heartbeats] = MappingProxyType(
    {
        GroupProtocol.CONSUMER: Heartbeats(
            _consumer_request, _partitions, _readable_part, lambda partitions: partitions
        ),
        GroupProtocol.SHARE: Heartbeats(
            _share_request, _partitions, _readable_part, lambda partitions: None
        ),
        GroupProtocol.STREAMS: Heartbeats(
            _streams_request,
            lambda _, answer: tasks_told(answer),
            lambda _, target: target,
            active,
        ),
    }
)
