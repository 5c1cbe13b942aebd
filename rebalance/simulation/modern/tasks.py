"""The tasks of streams groups (KIP-1071), as the machines keep partitions: a name and a number.

An active task has the name of its subtopology; a copy has its role besides: "0 standby".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from ...assignments import Partition


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
        task(role, name, number) for name, found in numbers.items() for number in found
    )


def numbers_in(role: Role, tasks: Iterable[Partition]) -> dict[str, list[int]]:
    """Return the numbers of each subtopology that tasks of a role have, in order."""
    found: dict[str, list[int]] = {}
    for partition in sorted(tasks):
        if role_of(partition) is role:
            found.setdefault(partition[0].partition(" ")[0], []).append(partition[1])
    return found


def active(tasks: Iterable[Partition]) -> frozenset[Partition]:
    """Return the active ones among tasks."""
    return frozenset(partition for partition in tasks if role_of(partition) is Role.ACTIVE)
