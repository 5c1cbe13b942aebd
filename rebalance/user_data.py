"""The user data that assignors put into subscriptions: read without trust, and written.

Only the assignor knows what user data means, so a reader meets what other clients, and other
assignors under the same name, have put there. What cannot be read costs a member its claims, never
its place: each reader returns the claim, or why there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    CooperativeStickyUserData,
    DecodeError,
    StickyAssignorUserData,
    StreamJoinAssignmentUserData,
    StreamJoinSubscriptionUserData,
)

NO_GENERATION = -1

_MAX_EPOCH = 2**31 - 1

Owned = ConsumerProtocolSubscription.TopicPartition | StickyAssignorUserData.TopicPartition
"""A topic and the numbers of its partitions that a member says it owns."""


class Claim(NamedTuple):
    """What a member says it owned, and in which generation."""

    generation: int = NO_GENERATION
    owned: Sequence[Owned] = ()
    unreadable: str | None = None
    """Why the user data could not be read; None if it could, or is not there."""


class NumbersClaim(NamedTuple):
    """The numbers that a member of a stream join says it owned, and their epoch."""

    epoch: int = NO_GENERATION
    numbers: Sequence[int] = ()
    unreadable: str | None = None


def sticky_claim(subscription: ConsumerProtocolSubscription) -> Claim:
    """Return what a subscription of `sticky` claims: by the user data alone, whatever the
    subscription's version.

    The user data is read as version 1, else as version 0, which has no generation, else ignored. An
    eager member has revoked everything when it joins, so the subscription's own fields say nothing.
    """
    data = subscription.user_data
    if not data:
        return Claim()
    try:
        read = StickyAssignorUserData.from_body(data, 1)
    except DecodeError:
        try:
            read = StickyAssignorUserData.from_body(data, 0)
        except DecodeError as error:
            return Claim(unreadable=str(error))
    return Claim(read.generation, read.previous_assignment)


def cooperative_claim(subscription: ConsumerProtocolSubscription) -> Claim:
    """Return what a subscription of `cooperative-sticky` claims: its owned partitions.

    Their generation is the subscription's own since version 2 (KIP-792); where that is missing or
    negative, the user data's.
    """
    owned = subscription.owned_partitions
    if subscription.generation_id >= 0:
        return Claim(subscription.generation_id, owned)
    if not subscription.user_data:
        return Claim(NO_GENERATION, owned)
    try:
        read = CooperativeStickyUserData.from_body(subscription.user_data, 0)
    except DecodeError as error:
        return Claim(NO_GENERATION, owned, str(error))
    return Claim(read.generation, owned)


def stream_join_claim(subscription: ConsumerProtocolSubscription) -> NumbersClaim:
    """Return what a subscription of `stream-join` claims: numbers and their epoch (KIP-315)."""
    if not subscription.user_data:
        return NumbersClaim()
    try:
        read = StreamJoinSubscriptionUserData.from_bytes(subscription.user_data)
    except DecodeError as error:
        return NumbersClaim(unreadable=str(error))
    return NumbersClaim(read.epoch, read.partition_numbers)


def sticky_user_data(assignment: ConsumerProtocolAssignment, generation: int) -> bytes:
    """Return the user data of `sticky` for the last assignment."""
    previous = [
        StickyAssignorUserData.TopicPartition(topic=entry.topic, partitions=entry.partitions)
        for entry in assignment.assigned_partitions
    ]
    return StickyAssignorUserData(previous_assignment=previous, generation=generation).to_body()


def cooperative_user_data(generation: int) -> bytes:
    """Return the user data of `cooperative-sticky`, which members before KIP-792 read the
    generation from.
    """
    return CooperativeStickyUserData(generation=generation).to_body()


def stream_join_user_data(assignment: ConsumerProtocolAssignment) -> bytes:
    """Return the user data of `stream-join` for the last assignment: its numbers, each once, and
    its epoch.
    """
    numbers = {p for entry in assignment.assigned_partitions for p in entry.partitions}
    return StreamJoinSubscriptionUserData(
        partition_numbers=sorted(numbers), epoch=_epoch(assignment)
    ).to_bytes()


def stream_join_epoch(epoch: int) -> bytes:
    """Return the epoch of the assignments that follow claims of up to `epoch`.

    The count stops at its highest value; claims are then equally old.
    """
    return StreamJoinAssignmentUserData(epoch=min(epoch + 1, _MAX_EPOCH)).to_bytes()


def _epoch(assignment: ConsumerProtocolAssignment) -> int:
    try:
        return StreamJoinAssignmentUserData.from_bytes(assignment.user_data or b"").epoch
    except DecodeError:
        return NO_GENERATION
