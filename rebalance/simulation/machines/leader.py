"""The leader: from the metadata of all members to the assignments of all members.

It reads what members of any client and version sent, with the fields that its own version knows. A
member whose metadata cannot be read gets nothing, which is reported; the others are served. Java's
leader fails if the check of a cooperative assignment does; this one withholds and reports it. A
member that the assignor leaves out gets an empty assignment, which is reported; Java's leader sends
it no bytes at all, and that member's poll raises IllegalStateException.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ....codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, DecodeError
from ...assignor import Assignor, RebalanceProtocol
from ...assignors.cooperation import given_too_early, withhold
from ...compatibility import KAFKAS, Readings
from ...group import Member, Racks, Topics
from ...input_errors import Complaint, complaints
from .client_formats import Dialect


class Candidate(NamedTuple):
    """A member as the leader finds it in the response to JoinGroup."""

    member_id: str
    group_instance_id: str | None
    metadata: bytes


class Decision(NamedTuple):
    """The assignments that the leader puts into SyncGroup, and what it could not use."""

    shares: Mapping[str, bytes]
    complaints: tuple[Complaint, ...]
    left_out: tuple[str, ...] = ()
    """Members for which the assignor returned nothing."""


def lead(
    assignor: Assignor,
    candidates: Sequence[Candidate],
    topics: Topics,
    dialect: Dialect,
    *,
    racks: Racks | None = None,
    readings: Readings = KAFKAS,
) -> Decision:
    """Return the decision of a leader: metadata read, partitions assigned and checked, assignments
    written.
    """
    group, unread = [], []
    for candidate in candidates:
        try:
            subscription = dialect.read_metadata(candidate.metadata)
        except DecodeError as error:
            subscription = ConsumerProtocolSubscription()
            unread.append(
                Complaint(
                    candidate.member_id, f"its metadata cannot be read, it gets nothing: {error}"
                )
            )
        group.append(Member(candidate.member_id, subscription, candidate.group_instance_id))
    decided = assignor.assign(group, topics, racks)
    left_out = tuple(member.member_id for member in group if member.member_id not in decided)
    decided = {**decided, **dict.fromkeys(left_out, ConsumerProtocolAssignment())}
    remarks = [*unread, *complaints(assignor.name, group, topics)]
    if RebalanceProtocol.COOPERATIVE in assignor.protocols and (
        readings.checks_cooperative_assignment(assignor.name)
    ):
        early = given_too_early(group, decided)
        remarks += [
            Complaint(member_id, f"was to get {topic}-{number} before its owner has revoked it")
            for (topic, number), member_id in early.items()
        ]
        if early:
            decided = withhold(group, decided)
    metadata = {candidate.member_id: candidate.metadata for candidate in candidates}
    shares = dialect.write_assignments(group, decided, metadata)
    return Decision(shares, tuple(remarks), left_out)
