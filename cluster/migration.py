"""A group that a broker described, as the judge of its migration takes it."""

from __future__ import annotations

from collections.abc import Mapping

from ..rebalance.migration import (
    ClassicGroup,
    ClassicMember,
    Judgement,
    Protocol,
    Settings,
    judge,
)
from .model import Group, Member

_TELLING = "Stable"
"""The one state in which a broker tells the selected protocol and what members subscribed to."""


def classic_group(group: Group, settings: Settings | None = None) -> ClassicGroup:
    """Return a group of the classic protocol for `judge`, with what the broker's answers tell.

    Of the protocols that a member lists the broker tells the selected one alone.
    """
    telling = group.state == _TELLING
    return ClassicGroup(
        group.group_id,
        group.protocol_type,
        group.state,
        group.protocol if telling else None,
        _members(group, telling=telling),
        _topics(group),
        settings or Settings(next_protocol=group.broker_has_consumer_protocol is not False),
    )


def judged(group: Group) -> Judgement:
    """Return what a broker with default settings answers the first new member of the group."""
    return judge(classic_group(group))


def _members(group: Group, *, telling: bool) -> tuple[ClassicMember, ...] | None:
    """Return the members; None where two have one id, which no coordinator would say."""
    if len({member.member_id for member in group.members}) < len(group.members):
        return None
    return tuple(_member(member, group.protocol, telling=telling) for member in group.members)


def _member(member: Member, selected: str, *, telling: bool) -> ClassicMember:
    return ClassicMember(
        member.member_id,
        (Protocol(selected, member.metadata),) if telling else None,
        member.assignment if telling else member.assignment or None,
        member.instance_id,
        member.client_id,
    )


def _topics(group: Group) -> Mapping[str, int] | None:
    """Return the topics; None where one that a member names may not be asked, or is not there."""
    named = {topic for member in group.members for topic in (*member.topics, *member.assigned)}
    return group.topics if named <= group.topics.keys() else None
