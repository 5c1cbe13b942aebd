"""Before anything is timed: all contestants do the same work, or it is no comparison."""

from __future__ import annotations

from .peers import Peer
from .shapes import Shape


class DisagreementError(Exception):
    """A contestant reads or writes something else than the others."""


def check(peer: Peer, shape: Shape) -> None:
    """Raise DisagreementError unless `peer` reads what each message says and writes its bytes."""
    for number, message in enumerate(shape.messages):
        data = message.to_bytes()
        value = peer.read(data)()
        where = f"message {number} of {shape.name}"
        if peer.content(value) != message:
            raise DisagreementError(f"{peer.name} reads {where} as {peer.content(value)}")
        if peer.write(value)() != peer.written(data):
            raise DisagreementError(f"{peer.name} writes {where} with other bytes")
