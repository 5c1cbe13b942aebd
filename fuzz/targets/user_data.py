"""Any user data is opened or left as bytes: no error is raised, what was opened lies within its
field byte for byte, and rebalancing takes from it what can be read or nothing.
"""

from __future__ import annotations

from typing import Any

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Decoded,
    Policy,
    decode,
)
from ...inspector import Opened, open_inside
from ..mutators.heads import split
from ..mutators.messages import Messages
from . import Broken
from .families import FAMILIES

FORMS = {"": Messages((*FAMILIES["consumer"], *FAMILIES["requests"]))}


def check(data: bytes) -> None:
    """Check an input with a head; one without is user data itself."""
    route, payload = split(data)
    if route is not None:
        seen = decode(payload, route.cls, policy=Policy.LENIENT, body_version=route.body_version)
        _check_opened(seen, open_inside(seen))
        return
    for made in (ConsumerProtocolSubscription, ConsumerProtocolAssignment):
        outer: Decoded[Any] = decode(made(user_data=data).to_bytes(), made)
        if outer.message is None or outer.message.user_data != data:
            raise Broken("user data is not given back as it was put in")
        _check_opened(outer, open_inside(outer))


def _check_opened(outer: Decoded[Any], opened: tuple[Opened, ...]) -> None:
    for inner in opened:
        if inner.decoded is None:
            continue
        data = inner.decoded.data
        if outer.data[inner.start : inner.start + len(data)] != data:
            raise Broken(f"what is inside {inner.path} does not stand at byte {inner.start}")
        _check_opened(inner.decoded, inner.opened)
