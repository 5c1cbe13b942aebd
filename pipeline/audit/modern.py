"""Groups whose broker assigns: consumer (KIP-848), share (KIP-932) and streams groups (KIP-1071).

Their records are small facts, each replaced by the next one of its key, and gone with a tombstone:
the state of a group is their replay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from .classic_record import Place

DEFAULT_REBALANCE_TIMEOUT_MS = 300_000
"""Of members whose record names none; Kafka's own default."""


class Stamped(NamedTuple):
    """A fact, and the place of the record that stated it."""

    value: Any
    place: Place


class ModernState(msgspec.Struct):
    """A group as its records leave it; each mapping is by member id."""

    kind: str
    """"consumer", "streams" or "share"."""
    epoch: Stamped | None = None
    target_epoch: Stamped | None = None
    members: dict[str, Stamped] = {}
    targets: dict[str, Stamped] = {}
    current: dict[str, Stamped] = {}

    def timeout(self, member_id: str) -> int:
        """Return the rebalance timeout of a member, in milliseconds."""
        member = self.members.get(member_id)
        timeout = getattr(member.value, "rebalance_timeout_ms", -1) if member is not None else -1
        return timeout if timeout > 0 else DEFAULT_REBALANCE_TIMEOUT_MS


# What the name of a record's key definition says, after the kind of the group in front.
_ONE = {"GroupMetadata": "epoch", "GroupTargetAssignmentMetadata": "target_epoch"}
_BY_MEMBER = {
    "GroupMemberMetadata": "members",
    "GroupTargetAssignmentMember": "targets",
    "GroupCurrentMemberAssignment": "current",
}
_KINDS = {"Consumer": "consumer", "Streams": "streams", "Share": "share"}


class ModernFold:
    """A group whose broker assigns, record by record."""

    def __init__(self, cluster_id: str, group_id: str, kind: str) -> None:
        self.cluster_id = cluster_id
        self.group_id = group_id
        self.state = ModernState(kind)
        self.owners: dict[tuple[Any, int], str] = {}
        """Who has each partition, or task, by the members' current assignments."""
        self.overlap: tuple[Place, str] | None = None
        """The first record that gives a member what another one still has, and in words what."""

    def observe(self, place: Place, key: Any, value: Any | None) -> None:
        """Take a record: the key and value messages, None for a tombstone."""
        fact = type(key).NAME.removesuffix("Key").removeprefix(self.state.kind.capitalize())
        stamped = None if value is None else Stamped(value, place)
        if fact in _ONE:
            setattr(self.state, _ONE[fact], stamped)
        elif fact in _BY_MEMBER:
            facts: dict[str, Stamped] = getattr(self.state, _BY_MEMBER[fact])
            if fact == "GroupCurrentMemberAssignment":
                self._note_owners(place, key.member_id, facts.get(key.member_id), value)
            if stamped is None:
                facts.pop(key.member_id, None)
            else:
                facts[key.member_id] = stamped

    def _note_owners(
        self, place: Place, member_id: str, previous: Stamped | None, value: Any | None
    ) -> None:
        for part in _held(previous.value) if previous is not None else ():
            if self.owners.get(part) == member_id:
                del self.owners[part]
        for part in _held(value) if value is not None else ():
            owner = self.owners.get(part)
            if owner is not None and self.overlap is None and self.state.kind != "share":
                what = f"{part[0]}-{part[1]} is given to {member_id} while {owner} still has it"
                self.overlap = place, what
            self.owners[part] = member_id


def _held(value: Any) -> Iterator[tuple[Any, int]]:
    """Yield the partitions, or the active tasks, that a member has or has to give back."""
    for name in _HELD:
        for entry in getattr(value, name, None) or ():
            topic = getattr(entry, "topic_id", None) or getattr(entry, "subtopology_id", None)
            yield from ((topic, number) for number in entry.partitions)


_HELD = (
    "assigned_partitions",
    "partitions_pending_revocation",
    "active_tasks",
    "active_tasks_pending_revocation",
)


def kind_of(key_name: str) -> str | None:
    """Return the kind of group that has keys of this definition; None for classic groups and
    commits.

    >>> kind_of("ConsumerGroupMetadataKey"), kind_of("GroupMetadataKey")
    ('consumer', None)
    """
    return next((kind for prefix, kind in _KINDS.items() if key_name.startswith(prefix)), None)
