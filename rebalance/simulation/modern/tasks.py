"""The tasks of streams groups (KIP-1071), as the machines keep partitions: a name and a number.

An active task has the name of its subtopology; a copy has its role besides: "0 standby".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from ...assignments import Partition
from ..machines.member_state import MemberState
from ..machines.settings import GroupProtocol, MemberSettings
from .member_state import ConsumerMemberState


class Role(StrEnum):
    """What a member does with a task."""

    ACTIVE = "active"
    """The member processes the task's records."""
    STANDBY = "standby"
    """The member keeps a copy of the task's state."""
    WARMUP = "warm-up"
    """The member builds the task's state, to take the task over."""


def task(role: Role, subtopology: str, number: int) -> Partition:
    """Return a task in a role."""
    return (subtopology if role is Role.ACTIVE else f"{subtopology} {role}"), number


def role_of(partition: Partition) -> Role:
    """Return the role of a task."""
    return Role(partition[0].partition(" ")[2] or Role.ACTIVE)


def tasks_in(role: Role, numbers: Mapping[str, Iterable[int]]) -> frozenset[Partition]:
    """Return tasks in a role, from the numbers of each subtopology."""
    return frozenset(
        task(role, name, number)
        for name, numbers_of_name in numbers.items()
        for number in numbers_of_name
    )


def numbers_in(role: Role, tasks: Iterable[Partition]) -> dict[str, list[int]]:
    """Return the numbers of each subtopology that tasks of a role have, in order."""
    by_name: dict[str, list[int]] = {}
    for partition in sorted(tasks):
        if role_of(partition) is role:
            by_name.setdefault(partition[0].partition(" ")[0], []).append(partition[1])
    return by_name


def active(tasks: Iterable[Partition]) -> frozenset[Partition]:
    """Return the active ones among tasks."""
    return frozenset(partition for partition in tasks if role_of(partition) is Role.ACTIVE)


def partitions_read(
    settings: MemberSettings, state: MemberState | ConsumerMemberState
) -> frozenset[Partition]:
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


def tasks_held(
    settings: MemberSettings, state: MemberState | ConsumerMemberState
) -> frozenset[Partition]:
    """Return the tasks that a member of a streams group has, in whichever role."""
    if settings.group_protocol is not GroupProtocol.STREAMS:
        return frozenset()
    return frozenset((name.partition(" ")[0], number) for name, number in state.owned)


def tasks_to_rebuild(
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
