"""Points on which the proposals and Apache Kafka differ, and which of the two is followed.

Kafka is followed by default everywhere. The proposal's text serves to see what it meant, and what
went wrong while Kafka still did as it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reading(StrEnum):
    """Which of the two is followed on a point."""

    TEXT = "text"
    """Follow the text of the proposal."""
    KAFKA = "kafka"
    """Follow Apache Kafka (`kproto.codec.KAFKA_RELEASE`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """Which of the two is followed, for each point of difference."""

    owned_but_unknown: Reading = Reading.KAFKA
    """Partitions that members own and the assignor does not know, for example of a deleted topic.

    Text (KIP-429): given back to the members that claim them. Kafka: dropped.
    """
    claims_below_the_highest_generation: Reading = Reading.KAFKA
    """Claims of a generation below the highest in the group.

    Text (KIP-792): void, for the whole group. Kafka: partition by partition, the highest generation
    that claims it wins (KAFKA-14639).
    """
    check_of_a_cooperative_assignment: Reading = Reading.KAFKA
    """The leader's check that no partition is given away before it is revoked.

    Text (KIP-429): always made. Kafka: not for `cooperative-sticky`, since KIP-792.
    """
    same_epoch_claims: Reading = Reading.KAFKA
    """Two members with the same epoch that claim one number of a stream join.

    Text (KIP-315) leaves it open: the first one in the group's order has it. Kafka never merged the
    proposal; here both are void, as KIP-792 has it for generations.
    """

    def checks_cooperative_assignment(self, assignor: str) -> bool:
        """Return whether a leader checks what the assignor of that name has returned."""
        text = self.check_of_a_cooperative_assignment is Reading.TEXT
        return text or assignor != "cooperative-sticky"


KAFKAS = Readings()
"""Kafka is followed on every point."""
