"""Points on which the proposals and Apache Kafka part, and which side is taken.

Kafka's side is the default everywhere. The other one serves to see what a proposal meant, and what
went wrong while Kafka still did as its text says.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reading(StrEnum):
    """A side."""

    TEXT = "text"
    """What the proposal says."""
    KAFKA = "kafka"
    """What Apache Kafka does (`kproto.codec.KAFKA_RELEASE`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """One side for each point of difference."""

    owned_but_unknown: Reading = Reading.KAFKA
    """Partitions that members own and the assignor does not know, of a topic that is gone, say.

    Text (KIP-429): given back to who claims them. Kafka: dropped.
    """
    claims_below_the_highest_generation: Reading = Reading.KAFKA
    """Text (KIP-792): void, for the whole group. Kafka: partition by partition, the highest
    generation that claims it wins (KAFKA-14639)."""
    check_of_a_cooperative_assignment: Reading = Reading.KAFKA
    """The leader's check that nothing is given away before it is revoked.

    Text (KIP-429): always made. Kafka: not for `cooperative-sticky`, since KIP-792.
    """
    same_epoch_claims: Reading = Reading.KAFKA
    """Two members with the same epoch that claim one number of a stream join.

    Text (KIP-315) leaves it open: the first one in the group's order has it. Kafka never merged
    the proposal; void for both then, as KIP-792 has it for generations.
    """

    def checks_cooperative_assignment(self, assignor: str) -> bool:
        """Return whether a leader checks what the assignor of that name has returned."""
        text = self.check_of_a_cooperative_assignment is Reading.TEXT
        return text or assignor != "cooperative-sticky"


KAFKAS = Readings()
"""Kafka's side everywhere."""
