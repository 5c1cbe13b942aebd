"""Partitions as plain integers, so that a million of them is a list and not a million objects.

A partition's code is number * topics + rank, where rank is the topic's place among the sorted
names: codes sort by number first and then by topic, which is the order in which a sticky assignor
lets members keep what they own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from ..assignments import Entry, Partition
from ..group import Topics
from ..java_order import string_order
from ..user_data import Owned


class Numbering:
    """The integer codes of all partitions of the topics that exist."""

    def __init__(self, names: Iterable[str], topics: Topics) -> None:
        self.names = sorted(names, key=string_order)
        self.counts = [topics[name] for name in self.names]
        self.total = sum(self.counts)
        self.stride = len(self.names)
        self._ranks = {name: rank for rank, name in enumerate(self.names)}

    @cached_property
    def _alone(self) -> list[tuple[int]]:
        """Each number as a tuple, made once for all topics and members."""
        return [(number,) for number in range(max(self.counts))]

    def ranks(self, names: Iterable[str]) -> list[int]:
        """Return the ranks of those of the topics that exist."""
        return [self._ranks[name] for name in names if name in self._ranks]

    def codes(self, owned: Iterable[Owned]) -> list[int]:
        """Return the codes of the claimed partitions that exist, in the order of the claim."""
        ranks, counts, stride = self._ranks, self.counts, self.stride
        return [
            number * stride + rank
            for entry in owned
            if (rank := ranks.get(entry.topic)) is not None
            for number in entry.partitions
            if 0 <= number < counts[rank]
        ]

    def partitions(self) -> Iterator[Partition]:
        """Yield all partitions, as topic and number."""
        for name, count in zip(self.names, self.counts, strict=True):
            for number in range(count):
                yield name, number

    def of_topic(self, rank: int) -> range:
        """Return all codes of a topic, in the order of numbers."""
        return range(rank, rank + self.counts[rank] * self.stride, self.stride)

    def free_codes(self, owned: Collection[int], ranks: Iterable[int]) -> list[int]:
        """Return the codes of these topics that nobody owns, topic by topic."""
        if not owned:
            return [code for rank in ranks for code in self.of_topic(rank)]
        return [code for rank in ranks for code in self.of_topic(rank) if code not in owned]

    def entries(self, codes: Sequence[int]) -> list[Entry]:
        """Return the entries of an assignment: topics, and the numbers of each, in the order of the
        codes.
        """
        stride, names = self.stride, self.names
        ranks = [code % stride for code in codes]
        if codes and len(set(ranks)) == len(
            ranks
        ):  # one of each topic at most, as in any large group
            alone = self._alone
            return [
                Entry(topic=names[rank], partitions=alone[code // stride])
                for rank, code in zip(ranks, codes, strict=True)
            ]
        numbers: dict[int, list[int]] = {}
        for rank, code in zip(ranks, codes, strict=True):
            numbers.setdefault(rank, []).append(code // stride)
        return [
            Entry(topic=names[rank], partitions=tuple(listed)) for rank, listed in numbers.items()
        ]
