"""How a member of a streams group moves towards its target: KIP-1071's CurrentAssignmentBuilder.

An active task waits until no process has it; every task waits until the member's own process has
it in no role.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...assignments import Partition
from .group_state import ConsumerMember, Epochs, MemberProgress
from .tasks import Role, role_of, task


class TaskAim(NamedTuple):
    """What a member is to reach, and what is known as it reports."""

    epoch: int
    """The target assignment's epoch."""
    target: frozenset[Partition]
    reported: frozenset[Partition] | None
    """The tasks that the member says it has, None where it does not say."""
    holders: Mapping[Partition, frozenset[str]]
    """The ids of the processes that have a task, or have not given it back."""


def reconciled_tasks(member: ConsumerMember, aim: TaskAim) -> ConsumerMember:
    """Return the member as it is after its report; the same where it cannot move."""
    if member.progress is MemberProgress.UNREVOKED_PARTITIONS:
        if _still_has(aim, member.revoking):
            return member
        return _next(member, aim, member.epoch + 1)
    if member.progress is MemberProgress.UNRELEASED_PARTITIONS or member.epoch != aim.epoch:
        return _next(member, aim, member.epoch)
    return member


def _still_has(aim: TaskAim, revoking: Epochs) -> bool:
    return aim.reported is None or any(partition in aim.reported for partition, _ in revoking)


def _next(member: ConsumerMember, aim: TaskAim, epoch: int) -> ConsumerMember:
    kept = tuple(held for held in member.assigned if held[0] in aim.target)
    revoking = tuple(held for held in member.assigned if held[0] not in aim.target)
    if revoking and _still_has(aim, revoking):
        return member._replace(
            progress=MemberProgress.UNREVOKED_PARTITIONS,
            previous_epoch=member.epoch,
            epoch=epoch,
            assigned=kept,
            revoking=revoking,
        )
    missing = aim.target - {partition for partition, _ in kept}
    free = {partition for partition in missing if not _is_held(partition, member.process_id, aim)}
    return member._replace(
        progress=MemberProgress.STABLE if free == missing else MemberProgress.UNRELEASED_PARTITIONS,
        previous_epoch=member.epoch,
        epoch=aim.epoch,
        assigned=tuple(
            sorted((*kept, *((partition, _epoch_of(partition, aim)) for partition in free)))
        ),
        revoking=(),
    )


def _epoch_of(partition: Partition, aim: TaskAim) -> int:
    """Return the epoch in which a task is assigned; copies commit nothing and have none."""
    return aim.epoch if role_of(partition) is Role.ACTIVE else 0


def _is_held(wanted: Partition, process_id: str, aim: TaskAim) -> bool:
    subtopology, number = wanted[0].partition(" ")[0], wanted[1]
    held = {role: aim.holders.get(task(role, subtopology, number), frozenset()) for role in Role}
    elsewhere = role_of(wanted) is Role.ACTIVE and bool(held[Role.ACTIVE])
    return elsewhere or any(process_id in processes for processes in held.values())
