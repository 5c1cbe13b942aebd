"""KIP-429's two steps on the leader, for the result of any assignor.

With O the partitions that members own and A what the assignor gave: what is in both and changes
its owner is left out until it is revoked, what is in A alone is given at once, and what is in O
alone may be given back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from ...codec import ConsumerProtocolAssignment
from ..assignments import Partition, grouped, partitions_of
from ..assignor import Assignments
from ..group import Member
from ..ownership import owners


def given_too_early(
    members: Iterable[Member], assigned: Mapping[str, ConsumerProtocolAssignment]
) -> dict[Partition, str]:
    """Return what is added to a member while another one still claims to own it, and to whom."""
    owned = {
        member.member_id: set(partitions_of(member.subscription.owned_partitions))
        for member in members
    }
    owned_by_any = set[Partition]().union(*owned.values())
    return {
        partition: member_id
        for member_id, assignment in assigned.items()
        for partition in partitions_of(assignment.assigned_partitions)
        if partition in owned_by_any and partition not in owned.get(member_id, ())
    }


def withhold(
    members: Iterable[Member], assigned: Mapping[str, ConsumerProtocolAssignment]
) -> Assignments:
    """Return the assignments without what has to be revoked first; a second rebalance places it."""
    early = given_too_early(members, assigned)
    return {
        member_id: assignment.replace(
            assigned_partitions=grouped(
                partition
                for partition in partitions_of(assignment.assigned_partitions)
                if early.get(partition) != member_id
            )
        )
        for member_id, assignment in assigned.items()
    }


def give_back(
    members: Iterable[Member],
    assigned: Mapping[str, ConsumerProtocolAssignment],
    known: Collection[Partition],
) -> Assignments:
    """Return the assignments, and what members own that the assignor does not know.

    The proposal gives it to whoever claims it; of two who do, the generation rule chooses.
    Numbers below zero are nobody's: no broker ever had such a partition.
    """
    back: dict[str, list[Partition]] = defaultdict(list)
    for partition, member_id in owners(members).items():
        if partition[1] >= 0 and partition not in known:
            back[member_id].append(partition)
    return {
        member_id: assignment.replace(
            assigned_partitions=[*assignment.assigned_partitions, *grouped(back[member_id])]
        )
        for member_id, assignment in assigned.items()
    }
