"""The line in front of a message that is a fuzz input: what the bytes behind it are.

    ConsumerProtocolSubscription\\n     the whole message, what stands in front of it included
    JoinGroupRequest 9\\n               a body of version 9

So an input says by itself what it is, whatever is added to the definitions later.
"""

from __future__ import annotations

from typing import NamedTuple

from ...codec import Message, message_class
from ...codec.runtime.registry import built_in_names


class Route(NamedTuple):
    """The class and version that an input's bytes are read as."""

    cls: type[Message]
    body_version: int | None


class _Routes(dict[bytes, Route | None]):
    """Maps a head to its route, or to None if it names no message."""

    def __missing__(self, head: bytes) -> Route | None:
        name, _, version = head.decode("ascii", "replace").partition(" ")
        found = None
        if name in built_in_names():
            cls = message_class(name)
            if not version and cls.FRAMING.kind != "none":
                found = Route(cls, None)
            elif version.isdecimal() and len(version) < 4 and int(version) in cls.VERSIONS:
                found = Route(cls, int(version))
        if len(self) < _MOST:
            self[head] = found
        return found


_MOST = 4096
ROUTES = _Routes()


def head_of(cls: type[Message], version: int) -> bytes:
    """Return the head for one version of a message, with its newline."""
    if cls.FRAMING.kind == "none":
        return b"%s %d\n" % (cls.NAME.encode(), version)
    return cls.NAME.encode() + b"\n"


def heads_of(cls: type[Message]) -> list[bytes]:
    """Return all heads that the message has, sorted."""
    return sorted({head_of(cls, version) for version in cls.VERSIONS})


def split(data: bytes) -> tuple[Route | None, bytes]:
    """Return the route of an input, None if its head names no message, and the bytes behind the
    head.
    """
    head, _, payload = data.partition(b"\n")
    return ROUTES[head], payload
