"""Opening what is inside: user data, which neither broker nor consumer reads.

Whose user data it is stands outside the message, in JoinGroup or SyncGroup. Without that, every
layout that is known in this place is tried; one fits if it uses all bytes. `librdkafka` and Sarama
put the sticky layout into assignments too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..codec.decoding import Decoded
from ..codec.messages import message_class
from .identification import evidence, readings

# In the order of preference where bytes do not tell: four zero bytes are a generation far more
# often than a sticky assignment of version 0 without a topic.
_INSIDE: dict[str, dict[str, tuple[str, ...]]] = {
    "ConsumerProtocolSubscription": {
        "user_data": (
            "CooperativeStickyUserData",
            "StickyAssignorUserData",
            "StreamJoinSubscriptionUserData",
        ),
    },
    "ConsumerProtocolAssignment": {
        "user_data": ("StickyAssignorUserData", "StreamJoinAssignmentUserData"),
    },
}


class Opened(NamedTuple):
    """A message inside a field: the field's path, where its bytes begin in the outer message, what
    they are, and which other readings ("StickyAssignorUserData v0") fit as well."""

    path: str
    start: int
    version: int
    decoded: Decoded[Any]
    rivals: tuple[str, ...]


def open_inside(outer: Decoded[Any]) -> tuple[Opened, ...]:
    """What is inside the fields of `outer` that were read, where a known layout fits."""
    known = _INSIDE.get(outer.message_class.NAME, {})
    opened = []
    for node in outer.fields:
        if isinstance(node.value, bytes) and node.value and node.name in known:
            start = node.end - len(node.value)
            found = _fits(node.value, known[node.name])
            if found:
                (version, decoded), *others = found
                rivals = tuple(f"{seen.message_class.NAME} v{v}" for v, seen in others)
                opened.append(Opened(node.path, start, version, decoded, rivals))
    return tuple(opened)


def _fits(data: bytes, names: tuple[str, ...]) -> list[tuple[int, Decoded[Any]]]:
    found = [
        (version, seen)
        for name in names
        for version, seen in readings(data, message_class(name))
        if seen.complete and not seen.remainder
    ]
    return sorted(found, key=lambda one: evidence(one[1]))
