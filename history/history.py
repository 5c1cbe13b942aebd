"""The history of all groups of a source: which event changes what in which group."""

from __future__ import annotations

from collections import OrderedDict

from ..capture.frames.frame import Connection
from .broker_assigned import broker_assigned_change
from .classic import classic_change
from .events import Event, Kind
from .groups import EventChange, Group, HistoryMember

__all__ = ["History"]

MAX_GROUPS = 10_000
"""Groups that are remembered, those with the latest events."""

MAX_CONNECTIONS = 10_000
"""Connections whose members are remembered."""
MAX_PARTS = 1_000_000
"""Parts that the groups remember together; beyond, those with the oldest events are forgotten."""

_BY_MEMBER = frozenset({"heard", "joins", "leader-assigns", "leaves", "reports-it-owns"})
_OF_JOINS = frozenset({"joins", "joined", "join-refused"})


class History:
    """Kept up to date with events in the order of their times. `bounded`: groups that were silent
    for long are forgotten where there are too many."""

    def __init__(self, *, bounded: bool = True) -> None:
        self.groups: OrderedDict[str, Group] = OrderedDict()
        self.users: OrderedDict[Connection, dict[tuple[str, str], None]] = OrderedDict()
        self.parts = 0  # that all groups together remember
        self.start: float | None = None
        self.end: float | None = None
        """The first and the last time that the source tells."""
        self._bounded = bounded

    def reach(self, time: float | None) -> None:
        """Note a time that the source tells, of an event or of anything else."""
        if time is not None:
            self.start = time if self.start is None else self.start
            self.end = time

    def take(self, event: Event) -> EventChange:
        """Note an event, and return what it changes."""
        self.reach(event.time)
        time = self.end or 0.0
        group = self._group(event)
        size = group.ownership.size
        if event.protocol != "classic":
            change = broker_assigned_change(group, event, time)
        elif group.kind == "classic":
            change = classic_change(group, event, time)
        else:
            change = EventChange()
        self._hear(group, event, time)
        self.parts += group.ownership.size - size
        while self._bounded and self.parts > MAX_PARTS and len(self.groups) > 1:
            self._forget_oldest()
        return change

    def named(self, event: Event) -> Event:
        """Return an event as one of the member that it is about: an administrator may ask that it
        leaves, and name it by its instance id."""
        group = self.groups.get(event.group)
        if event.kind != "leaves" or group is None:
            return event
        static = group.statics.get(event.fields.get("instance_id") or "")
        member = group.members.get(event.member) or (None if event.member else static)
        if member is None:
            return event
        client = member.client or event.client
        fields = {**event.fields, "by_other": client != event.client}
        return event._replace(member=member.member_id, client=client, fields=fields)

    def close(
        self, connection: Connection, time: float | None
    ) -> list[tuple[Group, HistoryMember]]:
        """Note the end of a connection, and return the members that used it last and have not
        left."""
        silent = []
        for name, member_id in self.users.pop(connection, ()):
            group = self.groups.get(name)
            member = group.members.get(member_id) if group is not None else None
            if group is not None and member is not None and member.connection == connection:
                member.closed = self.end if time is None else time
                silent.append((group, member))
        return silent

    def _group(self, event: Event) -> Group:
        name, kind = event.group, event.protocol
        group = self.groups.get(name)
        if group is None or _is_new(group, kind, event):
            group = self.groups[name] = Group(name, kind)
            if self._bounded and len(self.groups) > MAX_GROUPS:
                self._forget_oldest()
        self.groups.move_to_end(name)
        return group

    def _forget_oldest(self) -> None:
        self.parts -= self.groups.popitem(last=False)[1].ownership.size

    def _hear(self, group: Group, event: Event, time: float) -> None:
        member = group.members.get(event.member)
        if member is None:
            return
        connection = event.place.connection
        if event.kind in _BY_MEMBER:
            member.heard = time
            member.closed = None
        member.client = event.client or member.client
        if member.connection != connection and connection is not None:
            member.connection = connection
            self.users.setdefault(connection, {})[group.name, member.member_id] = None
            if len(self.users) > MAX_CONNECTIONS:
                self.users.popitem(last=False)


def _is_new(group: Group, kind: Kind, event: Event) -> bool:
    """Whether a group without members is used anew, by members of another protocol."""
    opens = kind != "classic" or event.kind in _OF_JOINS
    return group.kind != kind and opens and not group.members
