"""A classic group as its coordinator holds it. What is not known is None."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .settings import Settings

EMPTY_STATES = frozenset({"Empty", "Dead"})
"""The states in which a group has no members; a described group that does not exist is Dead."""
WAITING_STATE = "PreparingRebalance"
"""The state in which the first rebalance of a group has not selected a protocol yet."""


class GroupError(ValueError):
    """A group that cannot be judged because what was told about it contradicts itself."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol that a member lists in JoinGroup: an assignor's name and a subscription."""

    name: str
    metadata: bytes | None


@dataclass(frozen=True, slots=True)
class ClassicMember:
    """A member; `protocols` in the order of its JoinGroup."""

    member_id: str
    protocols: tuple[Protocol, ...] | None
    assignment: bytes | None
    """The bytes of its last SyncGroup response, empty where it has none."""
    instance_id: str | None = None
    client_id: str = ""

    def listed(self, name: str) -> Protocol | None:
        """Return the protocol of that name, or None where the member lists no such protocol."""
        return next((protocol for protocol in self.protocols or () if protocol.name == name), None)


@dataclass(frozen=True, slots=True)
class ClassicGroup:
    """A group of the classic protocol.

    `selected` is "" while no protocol is selected. `topics` has the number of partitions of every
    topic that the broker knows.
    """

    group_id: str
    protocol_type: str | None = None
    state: str | None = None
    selected: str | None = None
    members: tuple[ClassicMember, ...] | None = None
    topics: Mapping[str, int] | None = None
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for member in self.members or ():
            if member.member_id in seen:
                raise GroupError(f"two members have the id {member.member_id!r}")
            seen.add(member.member_id)

    @property
    def is_empty(self) -> bool | None:
        """Whether the broker takes the group for empty; None where that is not known."""
        if self.state is not None:
            return self.state in EMPTY_STATES
        return None if self.members is None else not self.members

    def protocol_selected(self) -> str | None:
        """Return the selected protocol, "" where none is, and None where that is not known.

        Where nobody said, the only protocol that all members list is the selected one.
        """
        if self.selected:
            return self.selected
        if self.state == WAITING_STATE and (self.selected is not None or self._never_assigned()):
            return ""
        common = self._common_protocols()
        return common.pop() if len(common) == 1 else None

    def _never_assigned(self) -> bool:
        return all(member.assignment == b"" for member in self.members or ())

    def _common_protocols(self) -> set[str]:
        listed = [
            None if member.protocols is None else {protocol.name for protocol in member.protocols}
            for member in self.members or ()
        ]
        known = [names for names in listed if names is not None]
        return set.intersection(*known) if known and len(known) == len(listed) else set()
