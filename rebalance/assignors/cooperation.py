"""The two steps of KIP-429 on the leader, for the result of any assignor.

With O the partitions that members own and A the assignor's result: a partition in both that changes
its owner is left out until it is revoked, one in A alone is given at once, and one in O alone may
be given back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from ...codec import ConsumerProtocolAssignment
from ..assignments import Partition, grouped, partitions_of
from ..assignor import Assignments
from ..claims import owners
from ..group import Member


def given_too_early(
    members: Iterable[Member], assignments: Mapping[str, ConsumerProtocolAssignment]
) -> dict[Partition, str]:
    """Return the partitions given to a member while another one claims to own them, and that
    member's id.
    """
    owned = {
        member.member_id: set(partitions_of(member.subscription.owned_partitions))
        for member in members
    }
    owned_by_any = set[Partition]().union(*owned.values())
    return {
        partition: member_id
        for member_id, assignment in assignments.items()
        for partition in partitions_of(assignment.assigned_partitions)
        if partition in owned_by_any and partition not in owned.get(member_id, ())
    }


def withhold(
    members: Iterable[Member], assignments: Mapping[str, ConsumerProtocolAssignment]
) -> Assignments:
    """Return the assignments without the partitions that have to be revoked first; the next
    rebalance assigns them.
    """
    early = given_too_early(members, assignments)
    return {
        member_id: assignment.replace(
            assigned_partitions=grouped(
                partition
                for partition in partitions_of(assignment.assigned_partitions)
                if early.get(partition) != member_id
            )
        )
        for member_id, assignment in assignments.items()
    }


def give_back(
    members: Iterable[Member],
    assignments: Mapping[str, ConsumerProtocolAssignment],
    existing: Collection[Partition],
) -> Assignments:
    """Return the assignments with what members own and the assignor does not know added.

    The proposal gives it to the member that claims it; of two claims the generation rule chooses.
    Numbers below zero are never given back: no broker ever had such a partition.
    """
    back: dict[str, list[Partition]] = defaultdict(list)
    for partition, member_id in owners(members).items():
        if partition[1] >= 0 and partition not in existing:
            back[member_id].append(partition)
    return {
        member_id: assignment.replace(
            assigned_partitions=[*assignment.assigned_partitions, *grouped(back[member_id])]
        )
        for member_id, assignment in assignments.items()
    }
