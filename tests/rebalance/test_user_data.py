"""User data as Java and other clients write it; the bytes are theirs."""

from __future__ import annotations

import pytest

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.rebalance import ASSIGNORS, Member, complaints
from kproto.rebalance.user_data import cooperative_claim, sticky_claim

# Of a member of a `sticky` group in tests/vectors/assignments.jsonl: generation 5.
JAVA_STICKY = bytes.fromhex(
    "000000020004 676f6e65 00000001 000000000002 7430 00000003 00000000 00000001 0000000400000005"
)


def subscription(user_data: bytes | None, generation: int = -1) -> ConsumerProtocolSubscription:
    owned = ConsumerProtocolSubscription.TopicPartition(topic="t0", partitions=[7])
    return ConsumerProtocolSubscription(
        topics=["t0"], user_data=user_data, owned_partitions=[owned], generation_id=generation
    )


def claimed(user_data: bytes | None) -> tuple[int, list[tuple[str, tuple[int, ...]]]]:
    claim = sticky_claim(subscription(user_data, generation=9))
    return claim.generation, [(one.topic, one.partitions) for one in claim.owned]


def test_sticky_reads_version_1_then_version_0_then_nothing() -> None:
    owned = [("gone", (0,)), ("t0", (0, 1, 4))]
    assert claimed(JAVA_STICKY) == (5, owned)
    assert claimed(JAVA_STICKY + b"more") == (5, owned)
    assert claimed(JAVA_STICKY[:-4]) == (-1, owned)
    assert claimed(JAVA_STICKY[:-8]) == (-1, [])
    assert claimed(None) == claimed(b"") == (-1, [])


def test_the_prefix_that_kafka_python_3_writes_hides_its_claim() -> None:
    assert claimed(b"\0\1" + JAVA_STICKY) == (-1, [])
    member = Member("m-1", subscription(b"\0\1" + JAVA_STICKY))
    (complaint,) = complaints("sticky", [member], {"t0": 8})
    assert complaint.member_id == "m-1"
    assert "user data cannot be read" in complaint.what


@pytest.mark.parametrize(
    ("user_data", "generation", "expected"),
    [
        (b"\0\0\0\5", -1, 5),  # version 0 and 1 hold no generation of their own
        (b"\0\0\0\5", 4, 4),
        (b"\0\0\0\5", -7, 5),  # as Java: any negative one is none
        (b"\0\0\5", -1, -1),
        (None, -1, -1),
        (b"\0\0\0\0\xff\xff\xff\xff", -1, 0),  # sticky's layout under this name (franz-go)
        (b"\xff\xff\xff\xff", -1, -1),  # Sarama
    ],
)
def test_cooperative_generations(user_data: bytes | None, generation: int, expected: int) -> None:
    claim = cooperative_claim(subscription(user_data, generation))
    assert claim.generation == expected
    is_cut = user_data == b"\0\0\5"
    assert (claim.unreadable or "").startswith("truncated at byte 0" if is_cut else "")
    assert (claim.unreadable is not None) is is_cut
    assert [(one.topic, one.partitions) for one in claim.owned] == [("t0", (7,))]


def test_what_the_sticky_assignors_write_is_what_java_writes() -> None:
    given = ConsumerProtocolAssignment(
        assigned_partitions=[
            ConsumerProtocolAssignment.TopicPartition(topic="gone", partitions=[0]),
            ConsumerProtocolAssignment.TopicPartition(topic="t0", partitions=[0, 1, 4]),
        ]
    )
    sticky, cooperative = ASSIGNORS["sticky"], ASSIGNORS["cooperative-sticky"]
    memory = sticky.on_assignment(given, 5)
    assert sticky.subscription_user_data(["t0"], memory) == JAVA_STICKY
    assert sticky.subscription_user_data(["t0"], None) is None
    memory = cooperative.on_assignment(given, 5)
    assert cooperative.subscription_user_data(["t0"], memory) == b"\0\0\0\5"
    assert cooperative.subscription_user_data(["t0"], None) == b"\xff\xff\xff\xff"
    for name in ("range", "roundrobin"):
        memory = ASSIGNORS[name].on_assignment(given, 5)
        assert ASSIGNORS[name].subscription_user_data(["t0"], memory) is None
