"""`roundrobin`: the partitions of all topics in one line, dealt to the members in a circle.

A member that does not subscribe to a topic is skipped. The line goes on from topic to topic, so
sizes come out equal if subscriptions are equal, and equal numbers of different topics go to
different members.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from ..assignments import Entry, handed_out
from ..assignor import Assignments, RebalanceProtocol, WithoutUserData
from ..group import Member, Racks, Topics, checked, in_order, subscribers
from ..java_order import string_order


class RoundRobinAssignor(WithoutUserData):
    """The `roundrobin` assignor: partitions dealt in a circle. Racks have no effect."""

    name = "roundrobin"
    protocols = (RebalanceProtocol.EAGER,)

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return the partitions dealt topic by topic in the order of names, whatever members
        own.
        """
        group = checked(members)
        circle = in_order(group)
        shares: list[list[Entry]] = [[] for _ in circle]
        subscribed = subscribers(circle, topics)
        turn = 0
        for topic in sorted(subscribed, key=string_order):
            indexes = subscribed[topic]
            begin = bisect_left(indexes, turn) % len(indexes)
            dealt = indexes[begin:] + indexes[:begin]
            # All the cards of a topic at once: every len(who)-th one to the same member.
            numbers = tuple(range(topics[topic]))
            for place, index in enumerate(dealt[: len(numbers)]):
                hand = numbers[place :: len(dealt)]
                shares[index].append(Entry(topic=topic, partitions=hand))
            turn = dealt[(len(numbers) - 1) % len(dealt)] + 1
        return handed_out(group, circle, shares)
