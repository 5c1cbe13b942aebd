"""The protocol type and protocol that a connection's earlier frames named.

JoinGroup's response names the protocol type only since version 7, SyncGroup names neither type nor
protocol before version 5 (KIP-559). Both follow a JoinGroup request on the same connection.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ..capture.frames.api_keys import API_NAMES
from ..capture.frames.frame import Frame
from .nested_bytes import NOTHING, Around

_JOIN_GROUP = API_NAMES.index("JoinGroup")
MAX_CONNECTIONS = 10_000
"""Connections that are remembered, those with the latest JoinGroup frames."""


class Surroundings:
    """The group context of each connection, kept up to date with its frames in the order in which
    they were sent."""

    def __init__(self) -> None:
        self.known: OrderedDict[object, Around] = OrderedDict()

    def around(self, frame: Frame) -> Around:
        """Return what is known of the group when this frame is sent, and remember what it names."""
        known = self.known.get(frame.connection, NOTHING)
        message = None
        if frame.api_key == _JOIN_GROUP and frame.body is not None:
            message = frame.body.message
        if message is not None:
            known = _after(known, message, request=frame.direction == "request")
            self.known[frame.connection] = known
            self.known.move_to_end(frame.connection)
            if len(self.known) > MAX_CONNECTIONS:
                self.known.popitem(last=False)
        return known


def _after(known: Around, message: Any, *, request: bool) -> Around:
    if request:
        return Around(message.protocol_type)
    return Around(message.protocol_type or known.protocol_type, message.protocol_name or None)
