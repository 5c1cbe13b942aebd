"""The racks of replicas, and whether they change the assignment (KIP-881).

Reading from a replica in one's own rack is a preference: no assignor gives up balance for it. The
sticky assignors see racks by member index and partition code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from ..group import Member, Racks
from .numbering import Numbering

RackSets = Sequence[frozenset[str]]
"""The racks that hold a replica, a set per partition."""

_NOWHERE: frozenset[str] = frozenset()


def replica_racks(racks: Racks | None, topic: str, count: int) -> list[frozenset[str]]:
    """Return the racks of a topic's first `count` partitions; empty sets where the metadata has
    none.
    """
    replicas_of_topic = (racks or {}).get(topic, ())
    sets = [
        frozenset(rack for rack in replicas if rack is not None)
        for replicas in islice(replicas_of_topic, count)
    ]
    return sets + [_NOWHERE] * (count - len(sets))


def worth_a_look(consumer_racks: Iterable[str], partitions: Iterable[frozenset[str]]) -> bool:
    """Return whether any choice changes where members read from.

    It does not if no member has a rack, if no replica is in any of those racks, or if every
    partition is in the same racks as every other.
    """
    home_racks = frozenset(consumer_racks)
    different = set(partitions)
    return (
        bool(home_racks) and len(different) > 1 and any(home_racks & racks for racks in different)
    )


class StickyRacks:
    """The racks of members and partitions. False if racks have no effect; then `mismatch` is always
    False.
    """

    def __init__(self, group: Sequence[Member], numbering: Numbering, racks: Racks | None) -> None:
        self.home: list[str | None] = [member.rack for member in group]
        self._stride = numbering.stride
        self._sets: list[list[frozenset[str]]] = []
        if racks and any(self.home):
            self._sets = [
                replica_racks(racks, name, count)
                for name, count in zip(numbering.names, numbering.counts, strict=True)
            ]
        everywhere = {rack for topic in self._sets for rack in topic}
        self._useful = worth_a_look(filter(None, self.home), everywhere)

    def __bool__(self) -> bool:
        return self._useful

    def of(self, code: int) -> frozenset[str]:
        """Return the racks that hold the partition."""
        return self._sets[code % self._stride][code // self._stride]

    def mismatch(self, member: int, code: int) -> bool:
        """Return whether the member is in a rack, and none of the partition's replicas is there."""
        home = self.home[member]
        return self._useful and home is not None and home not in self.of(code)

    def rarest_first(self, codes: list[int]) -> list[int]:
        """Return the codes sorted by how many members could read the partition in their own
        rack.
        """
        if not self._useful:
            return codes
        crowd = Counter(filter(None, self.home))
        weight = {
            holders: sum(crowd[rack] for rack in holders) for holders in set(map(self.of, codes))
        }
        return sorted(codes, key=lambda code: weight[self.of(code)])
