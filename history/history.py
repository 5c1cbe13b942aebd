"""The history of all groups of a capture: which frame changes what in which group."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from ..capture.frames.frame import Connection, Frame
from ..inspector.open.opening import Opened
from .classic import classic_change
from .groups import Change, Group, Kind, Member
from .modern import modern_change
from .peers import Peer

__all__ = ["History"]

MAX_GROUPS = 10_000
"""Groups that are remembered, those with the latest frames."""

MAX_CONNECTIONS = 10_000
"""Connections whose members are remembered."""
MAX_PARTS = 1_000_000
"""Parts that the groups remember together; beyond, those with the oldest frames are forgotten."""

_MODERN: dict[str, Kind] = {
    "ConsumerGroupHeartbeat": "consumer",
    "ShareGroupHeartbeat": "share",
    "StreamsGroupHeartbeat": "streams",
}
_CLASSIC = frozenset({"JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup", "OffsetCommit"})


class History:
    """Kept up to date with the frames in the order in which they were sent."""

    def __init__(self) -> None:
        self.groups: OrderedDict[str, Group] = OrderedDict()
        self.users: OrderedDict[Connection, dict[tuple[str, str], None]] = OrderedDict()
        self.parts = 0  # that all groups together remember
        self.start: float | None = None
        self.end: float | None = None
        """The times of the first and the last frame."""

    def take(self, frame: Frame, peer: Peer, opened: Callable[[], Sequence[Opened]]) -> Change:
        """Note a frame, and return what it changes. `opened` returns the payloads inside of it."""
        when = frame.timestamp
        if when is not None:
            self.start = when if self.start is None else self.start
            self.end = when
        kind = _MODERN.get(frame.api)
        message = frame.body.message if frame.body is not None else None
        if message is None or not peer.group or (kind is None and frame.api not in _CLASSIC):
            return Change()
        group = self._group(peer.group, kind or "classic", frame)
        now = self.end or 0.0
        before = group.ownership.size
        if kind is not None:
            change = modern_change(group, peer, frame.direction, message, now)
        elif group.kind == "classic":
            wanted = (frame.api, frame.direction) in _WITH_PAYLOADS
            change = classic_change(group, peer, frame, opened() if wanted else (), now)
        else:
            change = Change()
        self._hear(group, frame, peer, now)
        self.parts += group.ownership.size - before
        while self.parts > MAX_PARTS and len(self.groups) > 1:
            self.parts -= self.groups.popitem(last=False)[1].ownership.size
        return change

    def closed(self, connection: Connection, when: float | None) -> list[tuple[Group, Member]]:
        """Note the end of a connection, and return the members that used it last and have not
        left."""
        found = []
        for name, member_id in self.users.pop(connection, ()):
            group = self.groups.get(name)
            member = group.members.get(member_id) if group is not None else None
            if group is not None and member is not None and member.connection == connection:
                member.closed = self.end if when is None else when
                found.append((group, member))
        return found

    def _group(self, name: str, kind: Kind, frame: Frame) -> Group:
        group = self.groups.get(name)
        if group is None or (group.kind != kind and frame.api in _FIRST and not group.members):
            group = self.groups[name] = Group(name, kind)
            if len(self.groups) > MAX_GROUPS:
                self.parts -= self.groups.popitem(last=False)[1].ownership.size
        self.groups.move_to_end(name)
        return group

    def _hear(self, group: Group, frame: Frame, peer: Peer, now: float) -> None:
        member = group.members.get(peer.member_id)
        if member is None:
            return
        if frame.direction == "request":
            member.heard = now
            member.closed = None
        member.client = peer.client or member.client
        if member.connection != frame.connection and frame.connection is not None:
            member.connection = frame.connection
            self.users.setdefault(frame.connection, {})[group.name, member.member_id] = None
            if len(self.users) > MAX_CONNECTIONS:
                self.users.popitem(last=False)


_FIRST = frozenset({"JoinGroup", *_MODERN})
_WITH_PAYLOADS = frozenset(
    {("JoinGroup", "request"), ("JoinGroup", "response"), ("SyncGroup", "response")}
)
