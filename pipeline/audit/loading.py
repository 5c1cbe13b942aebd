"""Whether a coordinator can load the records of a group: it replays them in order, and one that
does not fit the group's kind so far ends the loading of the whole partition.

From GroupMetadataManager of Apache Kafka 4.3: a record of a consumer, share or Streams group is
refused while the group is a classic one that has a record of its own (IllegalStateException). A
group that has only commits is a classic one, too, until a record says otherwise; releases with
KAFKA-20254 refuse records of Streams groups then.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from .classic_record import Place
from .modern import kind_of

__all__ = ["Loading", "Obstacle"]

_SIMPLE = "simple"
_TOLERANT = frozenset({"consumer"})
"""Kinds of groups that replace one that has only commits, in every release."""


class Obstacle(NamedTuple):
    """The first record that a coordinator cannot replay: its place, its kind, why, where the fault
    is known from, and which releases have it. `is_mended` is whether newer releases load it."""

    place: Place
    record: str
    reason: str
    issue: str
    releases: str
    is_mended: bool = False


class Loading(msgspec.Struct):
    """The kind of group that the records so far make, as a coordinator replays them."""

    kind: str = ""
    """"classic", "consumer", "share", "streams", "simple" (commits alone), "" (none)."""
    obstacle: Obstacle | None = None

    def commit(self) -> None:
        """Take a commit, which makes a group where there is none."""
        self.kind = self.kind or _SIMPLE

    def take(self, key_name: str, place: Place, *, is_tombstone: bool) -> None:
        """Take a record about the group; `key_name` is that of its key's definition."""
        kind = kind_of(key_name)
        if kind is None:  # the record of a classic group: it replaces any other
            self.kind = "" if is_tombstone else "classic"
            return
        fits = self.kind in ("", kind) or (self.kind == _SIMPLE and kind in _TOLERANT)
        if not fits and self.obstacle is None:
            self.obstacle = _obstacle(self.kind, kind, key_name, place, is_tombstone)
        ends_group = is_tombstone and key_name.removesuffix("Key").endswith("GroupMetadata")
        if ends_group:
            self.kind = ""
        elif not is_tombstone:
            self.kind = kind


def _obstacle(
    kind: str, new_kind: str, key_name: str, place: Place, is_tombstone: bool
) -> Obstacle:
    name = key_name.removesuffix("Key")
    record = f"tombstone of {name}" if is_tombstone else name
    if kind == _SIMPLE:
        return Obstacle(
            place,
            record,
            f"not a {new_kind} group: its commits come before it, and make it a classic one",
            "KAFKA-20254",
            "Apache Kafka 4.1 and 4.2.0, not 4.2.1 and 4.3",
            is_mended=True,
        )
    return Obstacle(
        place,
        record,
        f"not a {new_kind} group: a record of a {kind} group of that name comes before it",
        "KAFKA-21117",
        "Apache Kafka up to 4.4.0 at least",
    )
