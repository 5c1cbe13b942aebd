"""Where replicas are, and whether it pays to look (KIP-881).

Reading from a replica in one's own rack is a wish: no assignor gives up balance for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from .group import Racks

RackSets = Sequence[frozenset[str]]
"""The racks that hold a replica, a set a partition."""

_NOWHERE: frozenset[str] = frozenset()


def replica_racks(racks: Racks | None, topic: str, count: int) -> list[frozenset[str]]:
    """The racks of a topic's first `count` partitions; none where the metadata says nothing."""
    known = (racks or {}).get(topic, ())
    sets = [
        frozenset(rack for rack in replicas if rack is not None)
        for replicas in islice(known, count)
    ]
    return sets + [_NOWHERE] * (count - len(sets))


def worth_a_look(consumer_racks: Iterable[str], partitions: Iterable[frozenset[str]]) -> bool:
    """Whether any choice changes where members read from.

    None does where no member says its rack, where no replica is in any of those racks, or where
    every partition is in the same racks as every other.
    """
    here = frozenset(consumer_racks)
    different = set(partitions)
    return bool(here) and len(different) > 1 and any(here & racks for racks in different)
