"""How a group's partitions are divided, judged: asked of a group that is looked at, and of each
record of its history.

An assignor that partitions gives each partition of a topic to one of the members that subscribe to
it. A broadcast assignor gives all to each on purpose; only its name and the assignment tell.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..wording import counted, some_of
from .assignments import Partition

__all__ = [
    "Applications",
    "Division",
    "IdleMembers",
    "IdleUnderRange",
    "Seat",
    "Stray",
    "applications",
    "assigned_twice",
    "idle_members",
    "idle_under_range",
    "names_apart",
    "strays",
    "unread_topics",
]

PARTITIONING = frozenset({
    "cooperative-sticky", "range", "roundrobin", "RoundRobinAssigner", "sticky", "stream",
    "uniform",
})  # fmt: skip
"""Assignors that give a partition to one member; of others it is not known."""
_WHOLE = PARTITIONING - {"stream"}
_RANGE = "range"
_MANY = 3  # names in one sentence


class Seat(NamedTuple):
    """A member: the topics that it subscribes to (None where its bytes do not say, or where it
    subscribes by a regular expression), and the partitions that it is assigned."""

    member_id: str
    client_id: str
    topics: frozenset[str] | None
    partitions: Collection[Partition]


class Division(NamedTuple):
    """The members of a group, and the assignor that divided its partitions."""

    assignor: str
    seats: Sequence[Seat]


def assigned_twice(division: Division) -> dict[Partition, tuple[str, ...]]:
    """Return the partitions that several members are assigned, with these members; nothing where
    the assignor seems to give all to each on purpose."""
    holders: dict[Partition, list[str]] = defaultdict(list)
    for seat in division.seats:
        for partition in seat.partitions:
            holders[partition].append(seat.member_id)
    twice = {partition: tuple(ids) for partition, ids in holders.items() if len(ids) > 1}
    if twice and division.assignor not in PARTITIONING and _is_broadcast(division, holders):
        return {}
    return twice


def _is_broadcast(division: Division, holders: Mapping[Partition, list[str]]) -> bool:
    """Return whether everybody who has a partition of a topic has all of them."""
    by_topic: dict[str, set[frozenset[str]]] = defaultdict(set)
    for (topic, _), ids in holders.items():
        by_topic[topic].add(frozenset(ids))
    return all(len(owners) == 1 for owners in by_topic.values())


class Stray(NamedTuple):
    """A member with partitions of topics to which it does not subscribe."""

    member_id: str
    client_id: str
    partitions: tuple[Partition, ...]


def strays(division: Division) -> list[Stray]:
    """Return the members that have partitions of topics to which they do not subscribe."""
    astray = []
    for seat in division.seats:
        if seat.topics is None:
            continue
        partitions = [place for place in seat.partitions if place[0] not in seat.topics]
        if partitions:
            astray.append(Stray(seat.member_id, seat.client_id, tuple(sorted(partitions))))
    return astray


def unread_topics(division: Division) -> list[str]:
    """Return the subscribed topics of which nobody has a partition."""
    subscribed = set[str]().union(*(seat.topics or () for seat in division.seats))
    return sorted(subscribed - {topic for seat in division.seats for topic, _ in seat.partitions})


class Applications(NamedTuple):
    """Client ids by the topics that they subscribe to, as those of several applications do, and the
    topics that all of them subscribe to: some, while a new subscription is rolled out."""

    clients: Mapping[tuple[str, ...], tuple[str, ...]]
    common: frozenset[str]

    @property
    def listed(self) -> str:
        """Who subscribes to what, the first of many."""
        return "; ".join(
            f"{some_of(clients, _MANY)} to {some_of(topics, _MANY)}"
            for topics, clients in self.clients.items()
        )


def applications(subscriptions: Iterable[tuple[str, frozenset[str]]]) -> Applications | None:
    """Return the applications that members with these client ids and topics seem to be of; None
    where all subscribe to the same."""
    clients: dict[frozenset[str], set[str]] = defaultdict(set)
    for client_id, topics in subscriptions:
        if topics:
            clients[topics].add(client_id)
    if len(clients) < 2:
        return None
    in_order = sorted(clients.items(), key=lambda item: sorted(item[0]))
    return Applications(
        {tuple(sorted(topics)): tuple(sorted(names)) for topics, names in in_order},
        frozenset.intersection(*clients),
    )


class IdleUnderRange(NamedTuple):
    """Members without partitions that another assignor would give some: how many there are, of how
    many, and the member that has the most, of how many partitions of how many topics."""

    idle: int
    members: int
    busiest: str
    most: int
    partitions: int
    topics: int


def idle_under_range(division: Division) -> IdleUnderRange | None:
    """Return the members that `range` leaves without work though there are partitions enough: it
    divides each topic by itself, so that topics with fewer partitions than members all go to the
    first ones."""
    seats = division.seats
    if division.assignor != _RANGE or len(seats) < 2 or any(not seat.topics for seat in seats):
        return None
    partitions = sum(len(seat.partitions) for seat in seats)
    idle = sum(not seat.partitions for seat in seats)
    if idle <= max(len(seats) - partitions, 0):
        return None
    topics = {topic for seat in seats for topic, _ in seat.partitions}
    if len(topics) < 2 or len({seat.topics for seat in seats}) > 1:
        return None
    busiest = max(seats, key=lambda seat: len(seat.partitions))
    return IdleUnderRange(
        idle, len(seats), busiest.member_id, len(busiest.partitions), partitions, len(topics)
    )


class IdleMembers(NamedTuple):
    """Members that no assignor could give a partition: the names of those without one, how many
    members there are, and how many partitions."""

    idle: tuple[str, ...]
    members: int
    partitions: int

    def __str__(self) -> str:
        have = "has" if len(self.idle) == 1 else "have"
        names = list(dict.fromkeys(self.idle))
        more = ", …" if len(names) > _MANY else ""
        verb = "there is" if self.partitions == 1 else "there are"
        return (
            f"{len(self.idle)} of {self.members} members {have} nothing "
            f"({', '.join(names[:_MANY])}{more}): {verb} {counted(self.partitions, 'partition')}"
        )


def names_apart(members: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return a name for each member id: its client id, unless another member has it, too.

    >>> names_apart([("a-1", "a"), ("b-1", "b"), ("b-2", "b")])
    {'a-1': 'a', 'b-1': 'b-1', 'b-2': 'b-2'}
    """
    clients = dict(members)
    holders = Counter(clients.values())
    return {
        member: client if client and holders[client] == 1 else member
        for member, client in clients.items()
    }


def idle_members(division: Division, counts: Mapping[str, int]) -> IdleMembers | None:
    """Return the members without a partition where there are fewer partitions than members. Of a
    topic whose count is not known, those count that are assigned; where there are none, nothing is
    known. An assignor of one's own, or that of Kafka Streams, may give such a member other work.
    """
    seats = division.seats
    idle = [seat for seat in seats if not seat.partitions]
    if not idle or division.assignor not in _WHOLE or any(not seat.topics for seat in seats):
        return None
    assigned = Counter(topic for topic, _ in {part for seat in seats for part in seat.partitions})
    topics = frozenset[str]().union(*(seat.topics or () for seat in seats))
    sizes = [counts.get(topic, assigned[topic] or len(seats)) for topic in topics]
    if sum(sizes) >= len(seats):
        return None
    names = names_apart((seat.member_id, seat.client_id) for seat in seats)
    return IdleMembers(tuple(names[seat.member_id] for seat in idle), len(seats), sum(sizes))
