"""A member of either protocol, by its setting group.protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ...assignments import Partition
from ..machines import member as classic_member
from ..machines import member_state as classic_state
from ..machines.commits import Commit
from ..machines.coordinator_state import GroupState
from ..machines.error_codes import ErrorCode
from ..machines.member_state import Action, MemberState
from ..machines.settings import GroupProtocol, MemberSettings
from . import member, member_state
from .broker import AnyGroup
from .coordinator import commit_error
from .member_state import ConsumerMemberState
from .tasks import active

AnyMember: TypeAlias = MemberState | ConsumerMemberState


class Machine(NamedTuple):
    """The functions of a member's machine."""

    start: Callable[[MemberSettings, Iterable[tuple[str, int]], str], Any]
    step: Callable[[MemberSettings, Any, Any], tuple[Any, list[Action]]]
    wants_poll: Callable[[MemberSettings, Any], bool]


MACHINES: Mapping[GroupProtocol, Machine] = MappingProxyType(
    {
        GroupProtocol.CLASSIC: Machine(
            lambda settings, topics, _: classic_state.start(settings, topics),
            classic_member.step,
            classic_member.wants_poll,
        )
    }
    | {
        protocol: Machine(member_state.start, member.step, member.wants_poll)
        for protocol in (GroupProtocol.CONSUMER, GroupProtocol.SHARE, GroupProtocol.STREAMS)
    }
)
"""The machine of each group.protocol."""


def read_by(settings: MemberSettings, state: AnyMember) -> frozenset[Partition]:
    """Return the partitions that a member reads: what it owns, or its active tasks' inputs."""
    if settings.group_protocol is not GroupProtocol.STREAMS:
        return state.owned
    counts = dict(state.topics)
    return frozenset(
        (topic, number)
        for name, number in active(state.owned)
        for topic in settings.subtopologies[int(name)].topics
        if number < counts.get(topic, 0)
    )


def tasks_held(settings: MemberSettings, state: AnyMember) -> frozenset[Partition]:
    """Return the tasks that a member of a streams group has, in whichever role."""
    if settings.group_protocol is not GroupProtocol.STREAMS:
        return frozenset()
    return frozenset((name.partition(" ")[0], number) for name, number in state.owned)


def to_rebuild(
    settings: MemberSettings, built: frozenset[Partition], added: frozenset[Partition]
) -> frozenset[Partition]:
    """Return the partitions or tasks whose state a member has to rebuild; `built` are the tasks
    whose state its process has.
    """
    if settings.group_protocol is not GroupProtocol.STREAMS:
        return added
    return frozenset(
        task for task in added - built if settings.subtopologies[int(task[0])].stateful
    )


def owned_truly(group: AnyGroup, state: AnyMember) -> frozenset[Partition]:
    """Return what a member owns as its coordinator sees it: a member that the group has gone on
    without believes to own more, and its commits are refused. In a share group nobody owns
    anything, and of the tasks in a streams group active ones alone are owned.
    """
    owned = (
        state.owned if isinstance(state, ConsumerMemberState) else classic_state.owned_truly(state)
    )
    if isinstance(group, GroupState):
        known = state.generation == group.generation and group.entry(state.member_id) is not None
        return owned if known else frozenset()
    if group.kind is GroupProtocol.SHARE:
        return frozenset()
    return frozenset(
        partition
        for partition in (active(owned) if group.kind is GroupProtocol.STREAMS else owned)
        if commit_error(group, Commit(state.member_id, state.generation, frozenset({partition})))
        is ErrorCode.NONE
    )


def rests(group: AnyGroup) -> bool:
    """Return whether the coordinator waits for nothing."""
    return group.phase == "stable"


def member_rests(state: AnyMember) -> bool:
    """Return whether a member is stable, with its callbacks over."""
    waits = isinstance(state, classic_state.MemberState) and state.share is not None
    return state.phase == "stable" and not state.calling and not waits
