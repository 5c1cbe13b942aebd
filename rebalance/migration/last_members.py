"""The members that a group had before it became empty, from its records.

Whoever leaves last is one of many: a group that is shut down writes a generation for each member
that goes, and the last of these would be judged by one member. So the generations are followed back
as long as each earlier one has all members of the later one, and more. Compaction may have taken
earlier records: then the last one is what is known.
"""

from __future__ import annotations

from ...codec import GroupMetadataValue


class LastMembers:
    """What the records of one group told so far, in their order. `last` is the value of the last
    one, None for a tombstone. `shutdown` are those of the last generations with members: the
    fullest, before members began to leave, and each that had fewer of them."""

    def __init__(self) -> None:
        self.last: GroupMetadataValue | None = None
        self.shutdown: list[GroupMetadataValue] = []
        self._since = -1  # from when on the group had the members of the last record

    def take(self, value: GroupMetadataValue | None) -> None:
        """Take the value of the next record."""
        ids, ids_before = _ids(value), _ids(self.last)
        if ids_before and ids != ids_before and self._stood(value):
            del self.shutdown[:-1]
        self.last = value
        if value is None or not ids:
            return
        if ids == ids_before:
            self.shutdown[-1] = value
            return
        self.shutdown = [*self.shutdown, value] if ids < ids_before else [value]
        self._since = value.current_state_timestamp

    @property
    def last_protocol(self) -> str:
        """The protocol of the last generation with members, "" where none is known."""
        return (self.shutdown[-1].protocol or "") if self.shutdown else ""

    def _stood(self, value: GroupMetadataValue | None) -> bool:
        """Return whether the members stayed until this record for longer than the next to leave may
        take: those who had left before did not take part in a shutdown."""
        until = -1 if value is None else value.current_state_timestamp
        members = self.shutdown[-1].members
        limits = [(member.session_timeout, member.rebalance_timeout) for member in members]
        if self._since < 0 or until < 0 or min(map(min, limits)) < 0:
            return False
        return until - self._since > max(map(sum, limits))


def _ids(value: GroupMetadataValue | None) -> frozenset[str]:
    return frozenset(member.member_id for member in value.members) if value else frozenset()
