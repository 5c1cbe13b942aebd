"""How a member moves towards its target assignment: the broker's CurrentAssignmentBuilder.

A member gives back what the target does not contain, before its epoch moves on; then it gets what
the target adds, as far as nobody else owns it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from ...assignments import Partition
from .group_state import ConsumerMember, Epochs, MemberProgress


class Aim(NamedTuple):
    """What a member is to reach, and what is known as it reports."""

    epoch: int
    """The target assignment's epoch."""
    target: frozenset[Partition]
    subscribed: frozenset[str]
    """The topics that the member subscribes to and that exist."""
    subscription_changed: bool
    """Whether the subscription changes with this report."""
    reported: frozenset[Partition] | None
    """The partitions that the member says it owns, None where it does not say."""
    owned_by_anybody: Collection[Partition]
    """The partitions that members own, or have not given back."""
    gives_unreleased: bool = False
    """A bug to plant: partitions that another member still owns are given all the same."""


def reconciled(member: ConsumerMember, aim: Aim) -> ConsumerMember:
    """Return the member as it is after its report; the same where it cannot move."""
    if member.progress is MemberProgress.UNREVOKED_PARTITIONS:
        if not _still_owns(aim, member.revoking):
            return _next(member, aim)
        return _without_unsubscribed(member, aim) if aim.subscription_changed else member
    if member.progress is MemberProgress.UNRELEASED_PARTITIONS or member.epoch != aim.epoch:
        return _next(member, aim)
    return _without_unsubscribed(member, aim) if aim.subscription_changed else member


def _still_owns(aim: Aim, revoking: Epochs) -> bool:
    if aim.reported is None:
        return True
    return any(partition in aim.reported for partition, _ in revoking)


def _next(member: ConsumerMember, aim: Aim) -> ConsumerMember:
    target = frozenset(partition for partition in aim.target if partition[0] in aim.subscribed)
    kept = tuple(held for held in member.assigned if held[0] in target)
    revoking = tuple(held for held in member.assigned if held[0] not in target)
    if revoking and _still_owns(aim, revoking):
        return member._replace(
            progress=MemberProgress.UNREVOKED_PARTITIONS,
            previous_epoch=member.epoch,
            assigned=kept,
            revoking=revoking,
        )
    missing = target - {partition for partition, _ in kept}
    unreleased = _unreleased(member, aim, missing)
    added = ((partition, aim.epoch) for partition in missing - unreleased)
    return member._replace(
        progress=(MemberProgress.UNRELEASED_PARTITIONS if unreleased else MemberProgress.STABLE),
        previous_epoch=member.epoch,
        epoch=aim.epoch,
        assigned=tuple(sorted((*kept, *added))),
        revoking=(),
    )


def _unreleased(
    member: ConsumerMember, aim: Aim, missing: Iterable[Partition]
) -> frozenset[Partition]:
    """Return the partitions that others own. What the member itself has to give back is its own."""
    if aim.gives_unreleased:
        return frozenset()
    given_back = member.revoking_partitions
    return frozenset(
        partition
        for partition in missing
        if partition in aim.owned_by_anybody and partition not in given_back
    )


def _without_unsubscribed(member: ConsumerMember, aim: Aim) -> ConsumerMember:
    """Take what is no longer subscribed to away at once, before there is a new target."""
    kept = tuple(held for held in member.assigned if held[0][0] in aim.subscribed)
    if kept == member.assigned:
        return member
    revoking = dict(member.revoking) | {
        partition: epoch
        for partition, epoch in member.assigned
        if partition[0] not in aim.subscribed
    }
    in_order = tuple(sorted(revoking.items()))
    if not _still_owns(aim, in_order):
        return member._replace(previous_epoch=member.epoch, assigned=kept)
    return member._replace(
        progress=MemberProgress.UNREVOKED_PARTITIONS,
        previous_epoch=member.epoch,
        assigned=kept,
        revoking=in_order,
    )
