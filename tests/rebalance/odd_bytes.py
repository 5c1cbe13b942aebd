"""Bytes of the consumer protocol as no healthy client writes them, drawn at random."""

from __future__ import annotations

import random
from struct import pack, pack_into

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription

TOPICS = {"orders": 6, "payments": 3}
"""The topics that exist."""
LABELS = (-32768, -2, -1, 0, 1, 2, 3, 4, 9, 32767)
NUMBERS = (-(2**31), -2, -1, 0, 1, 2, 3, 65536, 2**31 - 1)
USER_DATA = (None, None, b"", b"\x00", b"\xff" * 20)


def subscription(rng: random.Random) -> bytes:
    """Return a healthy subscription of any version."""
    owned = ConsumerProtocolSubscription.TopicPartition
    topics = rng.sample(["orders", "payments", "ghost"], rng.randint(1, 3))
    version = rng.randint(0, 3)
    return ConsumerProtocolSubscription(
        topics=topics,
        user_data=rng.choice(USER_DATA),
        owned_partitions=[owned(topic=topic, partitions=[0, 1]) for topic in topics[:1]]
        if version
        else [],
        generation_id=rng.randint(-1, 9) if version >= 2 else -1,
        rack_id=rng.choice([None, "", "r1"]) if version >= 3 else None,
    ).to_bytes(version)


def assignment(
    rng: random.Random, share: dict[str, list[int]], user_data: bytes | None = None
) -> bytes:
    """Return an assignment of these partitions."""
    topic = ConsumerProtocolAssignment.TopicPartition
    return ConsumerProtocolAssignment(
        assigned_partitions=[
            topic(topic=name, partitions=partitions) for name, partitions in share.items()
        ],
        user_data=user_data,
    ).to_bytes(rng.randint(0, 3))


def spoiled(rng: random.Random, data: bytes) -> bytes:
    """Return the bytes with one thing changed, which need not make them unreadable."""
    changed = bytearray(data)
    match rng.choice(["cut", "label", "number", "length", "byte", "longer", "gone"]):
        case "cut":
            return data[: rng.randrange(len(data) + 1)]
        case "label":
            pack_into(">h", changed, 0, rng.choice(LABELS))
        case "number" if len(data) >= 6:
            pack_into(">i", changed, rng.randrange(len(data) - 3), rng.choice(NUMBERS))
        case "length" if len(data) >= 4:
            at = rng.randrange(2, len(data) - 1)
            pack_into(">h", changed, at, rng.choice((-1, -2, 0, 1, 300, 32767)))
        case "byte":
            changed[rng.randrange(len(data))] = rng.randrange(256)
        case "longer":
            changed += rng.randbytes(rng.randint(1, 9))
        case _:
            return rng.choice([b"", b"\x00", pack(">h", 0), pack(">h", 1)])
    return bytes(changed)
