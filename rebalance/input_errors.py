"""Input that an assignor cannot use, member by member.

None of it stops the assignment: the member keeps its place and the rest of the group is served, as
in Java, where it is a line in the leader's log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..codec import ConsumerProtocolSubscription
from .group import Member, Topics
from .user_data import Claim, NumbersClaim, cooperative_claim, sticky_claim, stream_join_claim

_CLAIMS: Mapping[str, Callable[[ConsumerProtocolSubscription], Claim | NumbersClaim]] = {
    "sticky": sticky_claim,
    "cooperative-sticky": cooperative_claim,
    "stream-join": stream_join_claim,
}


class Complaint(NamedTuple):
    """A member id, and what of its subscription is ignored, as a sentence."""

    member_id: str
    what: str


def complaints(assignor: str, members: Iterable[Member], topics: Topics) -> list[Complaint]:
    """Return everything that the built-in assignor of that name ignores in the subscriptions."""
    read_claim = _CLAIMS.get(assignor)
    collected = []
    for member in members:
        lines = list(_of_topics(member, topics))
        if read_claim:
            lines += _of_claim(read_claim(member.subscription), topics)
        collected += [Complaint(member.member_id, line) for line in lines]
    return collected


def _of_topics(member: Member, topics: Topics) -> Iterator[str]:
    for topic in dict.fromkeys(member.subscription.topics):
        if topics.get(topic, 0) <= 0:
            yield f"subscribes to {topic!r}, which has no partitions here"


def _of_claim(claim: Claim | NumbersClaim, topics: Topics) -> Iterator[str]:
    if claim.unreadable:
        yield f"its user data cannot be read, so it counts as owning nothing: {claim.unreadable}"
    if isinstance(claim, NumbersClaim):
        if any(number < 0 for number in claim.numbers):
            yield "claims partition numbers below 0"
        return
    for owned in claim.owned:
        count = topics.get(owned.topic, 0)
        strange = sum(not 0 <= number < count for number in owned.partitions)
        if strange:
            yield f"claims {strange} partitions of {owned.topic!r} that do not exist"
