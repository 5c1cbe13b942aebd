"""Who sent a request, or is answered by a response: client, group and member."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

from ..capture.frames.frame import Frame

__all__ = ["MAX_REMEMBERED", "Peer", "Peers"]

MAX_REMEMBERED = 10_000
"""Requests that are remembered until the response, the latest ones."""


class Peer(NamedTuple):
    """The client that sent a request, the group and the member that it named, and the request."""

    client: str = ""
    group: str = ""
    member_id: str = ""
    request: Any = None


class Peers:
    """The requests without a response so far."""

    def __init__(self) -> None:
        self._asked: OrderedDict[tuple[object, int | None], Peer] = OrderedDict()

    def __len__(self) -> int:
        return len(self._asked)

    def peer(self, frame: Frame) -> Peer:
        """Return who sent the request, or who is answered."""
        place = frame.connection, frame.correlation_id
        message = frame.body.message if frame.body is not None else None
        if frame.direction == "response":
            peer = self._asked.pop(place, Peer())
            given = getattr(message, "member_id", None)
            return peer._replace(member_id=given) if given and not peer.member_id else peer
        header = frame.header.message if frame.header is not None else None
        client = (header.client_id or "") if header is not None else ""
        peer = self._asked[place] = Peer(client, _group(message), _member(message), message)
        if len(self._asked) > MAX_REMEMBERED:
            self._asked.popitem(last=False)
        return peer


def _group(request: Any) -> str:
    group = getattr(request, "group_id", "")
    if not group:
        groups = list(getattr(request, "groups", None) or ())
        if len(groups) == 1:
            group = getattr(groups[0], "group_id", "")
    return group if isinstance(group, str) else ""


def _member(request: Any) -> str:
    """The member that asks. LeaveGroup names those that leave, and may be sent for others."""
    return getattr(request, "member_id", "") or ""
