"""Groups whose broker assigns: consumer (KIP-848), share (KIP-932) and streams groups (KIP-1071).

Their records are small facts, each replaced by the next one of its key, and gone with a tombstone:
the state of a group is their replay.
"""

from __future__ import annotations

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

    def observe(self, place: Place, key: Any, value: Any | None) -> None:
        """Take a record: the key and value messages, None for a tombstone."""
        fact = type(key).NAME.removesuffix("Key").removeprefix(self.state.kind.capitalize())
        stamped = None if value is None else Stamped(value, place)
        if fact in _ONE:
            setattr(self.state, _ONE[fact], stamped)
        elif fact in _BY_MEMBER:
            facts: dict[str, Stamped] = getattr(self.state, _BY_MEMBER[fact])
            if stamped is None:
                facts.pop(key.member_id, None)
            else:
                facts[key.member_id] = stamped


def kind_of(key_name: str) -> str | None:
    """Return the kind of group that has keys of this definition; None for classic groups and
    commits.

    >>> kind_of("ConsumerGroupMetadataKey"), kind_of("GroupMetadataKey")
    ('consumer', None)
    """
    return next((kind for prefix, kind in _KINDS.items() if key_name.startswith(prefix)), None)
