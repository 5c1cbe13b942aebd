"""What the earlier lines of a log say of the group and the member whose log it is."""

from __future__ import annotations

from .event import LogEvent

__all__ = ["LogMemory"]

_NAMELESS = frozenset({"process-started", "release", "settings"})
"""Events that are of no group, where they name none."""

_OF_MEMBERS = frozenset({
    "assigned", "commit-refused", "given", "heartbeat-refused", "leader-assigns", "leader-elected",
    "leaves", "member-fenced", "partitions-assigned", "partitions-lost", "partitions-revoked",
    "poll-timeout", "session-timed-out", "sync-refused", "wants-to-join",
})  # fmt: skip
"""Events of the member that joined last."""

_JOINED = frozenset({"is-given", "joined", "joined-and-synced"})


class LogMemory:
    """Completes events of lines that name no group or member, with those of the lines before: but
    only as long as the log has one group, and one member at a time."""

    def __init__(self) -> None:
        self.group = ""
        self.kind = ""
        self.member = ""
        self.generation = -1
        self._has_several_groups = False
        self._has_several_members = False

    @property
    def has_one_member(self) -> bool:
        """Whether the log is, so far, of one member at a time of one group."""
        return not (self._has_several_groups or self._has_several_members)

    def note_group(self, group: str) -> None:
        """Learn a group's name."""
        if self.group and group != self.group:
            self._has_several_groups = True
        self.group = group

    def complete(self, event: LogEvent) -> LogEvent:
        """Return an event with the names that its line leaves out, and learn those it has."""
        if event.group:
            self.note_group(event.group)
        elif self.group and not self._has_several_groups and event.event not in _NAMELESS:
            event = event._replace(group=self.group)
        self.kind = event.kind or self.kind
        if event.group == self.group and not self._has_several_groups:
            event = event._replace(kind=self.kind)
        if event.event in _JOINED:
            event = self._note_member(event)
        elif event.event in _OF_MEMBERS and self._is_of_member(event):
            generation = self.generation if event.generation == -1 else event.generation
            event = event._replace(member=event.member or self.member, generation=generation)
        if event.event == "joins":  # perhaps with another id
            self.member, self.generation = "", -1
        return event

    def _note_member(self, event: LogEvent) -> LogEvent:
        """Learn who has joined; a join that names no generation is that of the line before it."""
        is_same_member = event.member == self.member
        if event.generation == -1 and is_same_member:
            return event._replace(generation=self.generation)
        if event.generation == self.generation and self.member and not is_same_member:
            self._has_several_members = True
        self.member, self.generation = event.member, event.generation
        return event

    def _is_of_member(self, event: LogEvent) -> bool:
        if not self.has_one_member:
            return False
        if not self.member.startswith(event.client):
            return False
        return not event.member or event.member == self.member
