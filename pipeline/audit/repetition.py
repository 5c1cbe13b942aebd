"""Repetitions: records that say what the one before says, and are counted without being read.

By far most records of a group repeat the one before: the same processes rejoin, subscribe to the
same topics and are given what they had, in a higher generation. `tables.fingerprints` finds these
records in columns: two records with one fingerprint differ in generation, time and claims alone.
An audit that reads each of them takes half as long again.

A repetition need not be read while its group is at rest:

1. Every rule settles (`Rule.settles`): it goes by what a record says, by the record before, and by
   what it remembers of who came and went. No threshold of it is 0, for such a rule speaks of
   nothing having happened.
2. The last record that was read repeats the one before it, in a higher generation of the same
   incarnation, and no rule had anything to say of it: with nothing before it, rules that compare
   two records are silent.
3. What each rule remembers rests (`Memory.rests`): nobody has come or gone of late, or that does
   not matter, and generations do not rise faster than is usual.
4. No partition is withheld, as in a cooperative rebalance that has a second part.

A repetition that comes slowly, too, shows each rule what it was just silent about. So all that it
adds is a row of the table `rebalances`. The last repetition is read,
because whatever comes next is compared with it.

Findings and tables are the same where every record is read; tests draw histories to prove it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from .classic_record import Place, read_step
from .fold import GroupFold
from .rebalances import RecordTime

__all__ = ["ClassicRecord", "Fingerprint", "Repetitions"]

Fingerprint: TypeAlias = tuple[str | None, str | None, bytes]
"""The protocol, the leader, and the bytes of what the members say."""


class ClassicRecord(NamedTuple):
    """A classic group's record that may not have to be read.

    `value` is None for a tombstone, `fingerprint` where records cannot be compared.
    """

    place: Place
    value: bytes | None
    fingerprint: Fingerprint | None = None


class Repetitions:
    """The repetitions that follow a record which was read, up to the next one that is read."""

    def __init__(
        self,
        fold: GroupFold,
        fingerprint: Fingerprint,
        previous: Repetitions | None,
    ) -> None:
        """`previous` belongs to the record that was read before, None where that has no
        fingerprint."""
        step = fold.last
        assert step is not None
        self.protocol = step.protocol
        self.members = len(step.members)
        self.topics = fold.history.topics
        self.last: ClassicRecord | None = None
        """The last record that was not read."""
        self.latest = RecordTime(step.generation, step.place.timestamp)
        self._fold = fold
        self._fingerprint = fingerprint
        self._is_at_rest = (
            previous is not None and previous._fingerprint == fingerprint and fold.is_at_rest
        )

    def take(
        self,
        fingerprints: Sequence[Fingerprint | None],
        generations: Sequence[int],
        times: Sequence[int],
        numbers: Iterable[int],
    ) -> int:
        """Take the records with these numbers, up to the first that is no repetition, or after
        which the group is not at rest. Return how many that are; their values are not read.
        """
        if not self._is_at_rest:
            return 0
        count, fold, fingerprint = 0, self._fold, self._fingerprint
        generation, timestamp = self.latest
        for number in numbers:
            if fingerprints[number] != fingerprint:
                break
            rise, elapsed = generations[number] - generation, times[number] - timestamp
            if not fold.rest(rise, elapsed, times[number], generations[number]):
                break
            generation, timestamp = generations[number], times[number]
            count += 1
        self.latest = RecordTime(generation, timestamp)
        return count

    def read_last(self) -> None:
        """Read the last repetition, if there is one: a record follows that is none, or the state of
        the group is needed.
        """
        if self.last is not None and self.last.value is not None:
            step = read_step(self.last.place, self.last.value)
            self._fold.repeat(step)
