"""A classic group's record in the offsets topic, as rules see it: a step of the group.

Such a record is written when the leader's SyncGroup arrives, when a group becomes empty, when a
static member is replaced, and on migration; never while a group rebalances. What it holds of a
member is what that member told the leader, and what the leader gave it in return.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from ...codec import GroupMetadataValue
from ...rebalance.claims import JudgedClaims, judged
from ...rebalance.group import Member
from ...rebalance.user_data import cooperative_claim, sticky_claim
from .members import MemberSeen, by_topic, once

CONSUMER = "consumer"
"""The protocol type whose members exchange subscriptions and assignments."""

COOPERATIVE_STICKY = "cooperative-sticky"
"""The protocol whose members are judged over several records by what they claim."""

STICKY = "sticky"
"""The protocol whose members claim in their user data."""


class Place(NamedTuple):
    """Where a record is from. `timestamp` is in milliseconds since 1970; it and the partition are
    -1 where the record has none.
    """

    source: str
    partition: int
    offset: int
    timestamp: int

    @property
    def known_partition(self) -> int | None:
        """The partition, None where it is not known."""
        return None if self.partition < 0 else self.partition


class Step(msgspec.Struct, frozen=True, dict=True):
    """A record of a group: one generation, or an empty group, or a static member's replacement."""

    place: Place
    generation: int
    protocol_type: str
    protocol: str | None
    leader: str | None
    since: int
    """When the group came into its state, in milliseconds since 1970; -1 where that is not kept."""
    members: tuple[MemberSeen, ...]

    @property
    def founds_group(self) -> bool:
        """Whether a coordinator of Apache Kafka 4 wrote it when the first member was about to join:
        nobody has rebalanced then."""
        return self.generation == 0 and not self.members

    @property
    def is_consumer(self) -> bool:
        """Whether the members are consumers. Members of other types have other payloads."""
        return self.protocol_type == CONSUMER

    @once
    def ids(self) -> tuple[str, ...]:
        """Return the member ids."""
        return tuple([member.member_id for member in self.members])

    @once
    def by_id(self) -> dict[str, MemberSeen]:
        """Return the members by their ids."""
        return {member.member_id: member for member in self.members}

    @once
    def claimed_once(self) -> bool:
        """Return whether no partition is claimed by two members."""
        claims = [member.claimed for member in self.members]
        return len(set[tuple[str, int]]().union(*claims)) == sum(map(len, claims))

    @once
    def claims(self) -> JudgedClaims:
        """Return whose claims win, of the members that can be read. Those of `sticky` claim in
        their user data, all others in their owned partitions.
        """
        members = [
            Member(member.member_id, member.subscription, group_instance_id=member.instance_id)
            for member in self.members
            if member.subscription is not None
        ]
        return judged(members, sticky_claim if self.protocol == STICKY else cooperative_claim)

    @once
    def owner(self) -> dict[tuple[str, int], str]:
        """Return the member id that each partition is assigned to."""
        return {
            partition: member.member_id for member in self.members for partition in member.assigned
        }

    @once
    def given(self) -> dict[str, set[int]]:
        """Return the partitions that are assigned, by topic."""
        return by_topic(self.owner)

    @once
    def sizes(self) -> Mapping[str, tuple[int, int]]:
        """Return how many partitions of each topic are assigned, and the highest of them."""
        return {topic: (len(numbers), max(numbers)) for topic, numbers in self.given.items()}

    @once
    def topics(self) -> tuple[str, ...]:
        """Return the topics that members subscribe to, as far as they can be read, in order."""
        return tuple(sorted(set[str]().union(*(member.topics for member in self.members))))

    def has_the_owners_of(self, step: Step) -> bool:
        """Return whether every partition is assigned to the same member in both."""
        return self.owner == step.owner

    def has_the_topics_of(self, step: Step) -> bool:
        """Return whether every member of this record subscribes to the same topics in both. Each
        of them is a member of the other one.
        """
        members = step.by_id
        return all(member.topics == members[member.member_id].topics for member in self.members)


def read_step(place: Place, data: bytes) -> Step:
    """Return the step that a record's value describes. Raises `DecodeError`."""
    value = GroupMetadataValue.from_bytes(data)
    has_timeouts = data[:2] != b"\0\0"  # version 0 has one timeout for both
    return Step(
        place,
        value.generation,
        value.protocol_type,
        value.protocol,
        value.leader,
        value.current_state_timestamp,
        tuple(
            MemberSeen(
                member.member_id,
                member.group_instance_id,
                member.client_id,
                member.client_host,
                _timeout(member),
                member.session_timeout,
                member.subscription,
                member.assignment,
                has_timeouts and member.rebalance_timeout < 0 <= member.session_timeout,
            )
            for member in value.members
        ),
    )


def _timeout(member: GroupMetadataValue.MemberMetadata) -> int:
    """Return how long the member may take to rejoin; records of version 0 have one timeout for
    both.
    """
    return member.rebalance_timeout if member.rebalance_timeout >= 0 else member.session_timeout
