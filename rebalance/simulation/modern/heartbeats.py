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
from ..machines.member_requests import GROUP_ID
from ..machines.settings import GroupProtocol, MemberSettings, Remedy
from .member_state import ConsumerMemberState, MemberPhase
from .targets import by_topic_id, told
from .tasks import Role, active, numbers_in, tasks_in

ANSWERS = (
    ConsumerGroupHeartbeatResponse,
    ShareGroupHeartbeatResponse,
    StreamsGroupHeartbeatResponse,
)
"""The responses to heartbeats."""
NOTHING: frozenset[Partition] = frozenset()


class Heartbeats(NamedTuple):
    """What is of one kind of group alone."""

    version: int
    request: Callable[[MemberSettings, ConsumerMemberState], Message]
    leave: Callable[[MemberSettings, ConsumerMemberState, int], Message]
    """Returns the heartbeat that leaves, with its epoch."""
    assignment: Callable[[ConsumerMemberState, Any], frozenset[Partition] | None]
    """Returns the assignment that an answer brings, if it brings one."""
    known: Callable[[ConsumerMemberState, frozenset[Partition]], frozenset[Partition]]
    """Returns what the member's metadata knows of a target."""
    told_to_listener: Callable[[frozenset[Partition]], frozenset[Partition] | None]
    """Returns the partitions that the application is told of and commits, None in a share group."""


def heartbeats_of(settings: MemberSettings) -> Heartbeats:
    """Return what is of the member's kind of group alone."""
    return _KINDS[settings.group_protocol]


def _consumer_request(
    settings: MemberSettings, state: ConsumerMemberState
) -> ConsumerGroupHeartbeatRequest:
    """Return a heartbeat: everything when it joins or after an error, else what has changed."""
    joins = state.phase is MemberPhase.JOINING
    whole = joins or state.told_topics is None
    owned = None
    if whole or not state.told:
        owned = [
            ConsumerGroupHeartbeatRequest.TopicPartitions(topic_id=uuid, partitions=numbers)
            for uuid, numbers in by_topic_id(_reported(settings, state)).items()
        ]
    tells_topics = whole or state.told_topics != state.subscribed
    return ConsumerGroupHeartbeatRequest(
        group_id=GROUP_ID,
        member_id=state.member_id,
        member_epoch=state.epoch,
        instance_id=settings.group_instance_id,
        rack_id=settings.rack if joins else None,
        rebalance_timeout_ms=settings.max_poll_interval_ms if whole else -1,
        subscribed_topic_names=list(state.subscribed) if tells_topics else None,
        subscribed_topic_regex=settings.subscribed_topic_regex if whole else None,
        server_assignor=settings.remote_assignor if whole else None,
        topic_partitions=owned,
    )


def _reported(settings: MemberSettings, state: ConsumerMemberState) -> frozenset[Partition]:
    reached = state.reached or NOTHING
    if Remedy.REPORTS_WHAT_IT_IS_GIVEN not in settings.remedies:
        return reached
    return reached.union(state.owned, state.pursued or NOTHING, state.target or NOTHING)


def _consumer_leave(
    settings: MemberSettings, state: ConsumerMemberState, epoch: int
) -> ConsumerGroupHeartbeatRequest:
    return ConsumerGroupHeartbeatRequest(
        group_id=GROUP_ID,
        member_id=state.member_id,
        member_epoch=epoch,
        instance_id=settings.group_instance_id,
    )


def _partitions(state: ConsumerMemberState, answer: Any) -> frozenset[Partition] | None:
    if answer.assignment is None:
        return None
    entries = {entry.topic_id: entry.partitions for entry in answer.assignment.topic_partitions}
    known = {topic for topic, _ in (*state.topics, *state.owned)} | set(state.subscribed)
    return told(entries, known)


def _known(state: ConsumerMemberState, target: frozenset[Partition]) -> frozenset[Partition]:
    known = {topic for topic, _ in (*state.topics, *state.owned)}
    return frozenset(partition for partition in target if partition[0] in known)


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


def _share_leave(
    _: MemberSettings, state: ConsumerMemberState, epoch: int
) -> ShareGroupHeartbeatRequest:
    return ShareGroupHeartbeatRequest(
        group_id=GROUP_ID, member_id=state.member_id, member_epoch=epoch
    )


def _streams_request(
    settings: MemberSettings, state: ConsumerMemberState
) -> StreamsGroupHeartbeatRequest:
    """Return a heartbeat: the topology when it joins, and the tasks that have changed."""
    joins = state.phase is MemberPhase.JOINING
    said: dict[str, Any] = {}
    if joins:
        said = {
            "topology": _topology(settings),
            "rebalance_timeout_ms": settings.max_poll_interval_ms,
            "process_id": settings.process_id,
            "rack_id": settings.rack,
            "client_tags": [],
        }
    if joins or not state.told:
        tasks = NOTHING if joins else state.reached or NOTHING
        said |= task_fields(tasks)
    return StreamsGroupHeartbeatRequest(
        group_id=GROUP_ID, member_id=state.member_id, member_epoch=state.epoch, **said
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


def _streams_leave(
    _: MemberSettings, state: ConsumerMemberState, epoch: int
) -> StreamsGroupHeartbeatRequest:
    return StreamsGroupHeartbeatRequest(
        group_id=GROUP_ID, member_id=state.member_id, member_epoch=epoch
    )


def tasks_told(message: Any) -> frozenset[Partition] | None:
    """Return the tasks that a request or a response names, None if it names none of any role."""
    told = {role: getattr(message, field) for role, field in _FIELDS.items()}
    if any(entries is None for entries in told.values()):
        return None
    return frozenset().union(
        *(
            tasks_in(role, {entry.subtopology_id: entry.partitions for entry in entries})
            for role, entries in told.items()
        )
    )


_KINDS: Mapping[GroupProtocol, Heartbeats] = MappingProxyType(
    {
        GroupProtocol.CONSUMER: Heartbeats(
            1, _consumer_request, _consumer_leave, _partitions, _known, lambda told: told
        ),
        GroupProtocol.SHARE: Heartbeats(
            1, _share_request, _share_leave, _partitions, _known, lambda told: None
        ),
        GroupProtocol.STREAMS: Heartbeats(
            1,
            _streams_request,
            _streams_leave,
            lambda _, answer: tasks_told(answer),
            lambda _, target: target,
            active,
        ),
    }
)
