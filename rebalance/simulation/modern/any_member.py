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
        ),
        GroupProtocol.CONSUMER: Machine(member_state.start, member.step, member.wants_poll),
    }
)
"""The machine of each group.protocol."""


def owned_truly(group: AnyGroup, state: AnyMember) -> frozenset[Partition]:
    """Return what a member owns as its coordinator sees it: a member that the group has gone on
    without believes to own more, and its commits are refused.
    """
    owned = (
        state.owned if isinstance(state, ConsumerMemberState) else classic_state.owned_truly(state)
    )
    if isinstance(group, GroupState):
        known = state.generation == group.generation and group.entry(state.member_id) is not None
        return owned if known else frozenset()
    return frozenset(
        partition
        for partition in owned
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
