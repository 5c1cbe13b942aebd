"""`stream-join`: partition number p of every topic at one member, and sticky (KIP-315).

For groups that join topics by key: numbers are divided, not partitions. It is meant for members
that all subscribe to the same topics, all with equally many partitions. While that is not yet so,
numbers that some topic does not have wait, and a topic that one member alone subscribes to, to try
it out, is assigned only as far as that member's numbers go.

The proposal was never merged, so there is no Java to be equal to. It leaves open in which order
members pick; here those with the fewest numbers pick first, among them those that still have a
previous number to take back, among them by id (instance ids first).
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ...codec import ConsumerProtocolAssignment
from ..assignments import Entry
from ..assignor import Assignments, Memory, RebalanceProtocol
from ..claims import CodedClaim, resolve
from ..compatibility import KAFKAS, Readings
from ..group import Member, Racks, Topics, checked, in_order
from ..user_data import stream_join_claim, stream_join_epoch, stream_join_user_data


@dataclass(frozen=True, slots=True)
class StreamJoinAssignor:
    """The `stream-join` assignor: members pick numbers one at a time. Racks have no effect."""

    readings: Readings = KAFKAS

    @property
    def name(self) -> str:
        """The assignor's name in JoinGroup."""
        return "stream-join"

    @property
    def protocols(self) -> tuple[RebalanceProtocol, ...]:
        """Eager: the proposal is older than the cooperative protocol."""
        return (RebalanceProtocol.EAGER,)

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return the numbers that the member owned last and their epoch; None before it owned
        any.
        """
        user_data: bytes | None = memory
        return user_data

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return the numbers that every subscribed topic has, divided. Topics that do not exist do
        not count, and a member with no others gets nothing.
        """
        group = checked(members)
        line = in_order(group)
        subscribed = [
            [name for name in dict.fromkeys(m.subscription.topics) if topics.get(name, 0) > 0]
            for m in line
        ]
        numbers = min((topics[name] for names in subscribed for name in names), default=0)
        claims = [stream_join_claim(member.subscription) for member in line]
        previous = resolve(
            [
                CodedClaim(
                    claim.epoch, [n for n in dict.fromkeys(claim.numbers) if 0 <= n < numbers]
                )
                for claim in claims
            ],
            equals=self.readings.same_epoch_claims,
        ).owned
        pickers = [index for index, names in enumerate(subscribed) if names]
        picked = _pick(numbers, [previous[index] for index in pickers])
        epoch = stream_join_epoch(max((claim.epoch for claim in claims), default=-1))
        shares: list[list[Entry]] = [[] for _ in line]
        for index, mine in zip(pickers, picked, strict=True):
            if mine:
                run = tuple(sorted(mine))
                shares[index] = [Entry(topic=name, partitions=run) for name in subscribed[index]]
        by_id = dict(zip((member.member_id for member in line), shares, strict=True))
        return {
            member.member_id: ConsumerProtocolAssignment(
                assigned_partitions=by_id[member.member_id], user_data=epoch
            )
            for member in group
        }

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return the user data of the next subscription: the numbers and the assignment's epoch."""
        return stream_join_user_data(assignment)


def _pick(numbers: int, previous: Sequence[Sequence[int]]) -> list[list[int]]:
    """Let members pick the numbers 0 to `numbers` - 1, given what each of them owned.

    A turn takes one of the member's own previous numbers if one is left; else one that none owned;
    else one of the member with most previous numbers left, from their end, since an owner picks
    from the beginning.
    """
    picked: list[list[int]] = [[] for _ in previous]
    if not previous:
        return picked
    own = [deque(sorted(mine)) for mine in previous]
    owned = set[int]().union(*previous)
    unowned = deque(number for number in range(numbers) if number not in owned)
    turns = [(0, not mine, index) for index, mine in enumerate(own)]
    heapq.heapify(turns)
    longest = [(-len(mine), index) for index, mine in enumerate(own)]
    heapq.heapify(longest)
    for _ in range(numbers):
        index = _next_turn(turns, own)
        if own[index]:
            number = own[index].popleft()
        elif unowned:
            number = unowned.popleft()
        else:
            number = own[_longest(longest, own)].pop()
        picked[index].append(number)
        heapq.heappush(turns, (len(picked[index]), not own[index], index))
    return picked


def _next_turn(turns: list[tuple[int, bool, int]], own: Sequence[deque[int]]) -> int:
    """Return whose turn it is. What a member had left may have been taken since it was put in
    line.
    """
    while True:
        size, without, index = heapq.heappop(turns)
        if without or own[index]:
            return index
        heapq.heappush(turns, (size, True, index))


def _longest(longest: list[tuple[int, int]], own: Sequence[deque[int]]) -> int:
    """Return the member with most previous numbers left; lengths in the heap may be older and
    larger.
    """
    while True:
        length, index = longest[0]
        if -length == len(own[index]):
            return index
        heapq.heapreplace(longest, (-len(own[index]), index))
