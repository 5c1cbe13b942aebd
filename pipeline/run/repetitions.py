"""Runs: records of a group that repeat each other, of which the last alone is read."""

from __future__ import annotations

from collections import deque

import msgspec

from ...codec import GroupMetadataValue
from ..audit import GroupFold, Place, read_step
from ..audit.rebalances import RebalanceHistory
from ..tables.fingerprint_columns import Outline

__all__ = ["Run"]


class Run:
    """A group that rests (`GroupFold.rests`), from the record on that its fold has read last."""

    def __init__(self, fold: GroupFold, history: RebalanceHistory, outline: Outline) -> None:
        first = fold.last
        assert first is not None
        self.place = first.place
        self.generation = first.generation
        self.topics = history.topics
        self._fold = fold
        self._history = history
        self._outline = outline
        self._repeats = first.repeats
        self._count = 0
        self._latest = deque[tuple[int, int]](maxlen=fold.looks_back)
        self._value: bytes | None = None

    def goes_on(self, outline: Outline | None, generation: int) -> bool:
        """Return whether the next record is one more repetition."""
        return outline == self._outline and generation > self.generation

    def take(self, place: Place, generation: int, value: bytes) -> None:
        """The next record, which goes on."""
        self._count += 1
        self._latest.append((generation, place.timestamp))
        self.place, self.generation, self._value = place, generation, value

    def read(self) -> None:
        """Read the last record: the run is over, or somebody asks."""
        if self._value is None:
            return
        self._fold.repeat(self._count, self._latest)
        step = read_step(self.place, GroupMetadataValue.from_bytes(self._value))
        step = msgspec.structs.replace(step, repeats=self._repeats + self._count)
        self._fold.catch_up(step)
        self._history.catch_up(step)
