"""The generation rule, as KIP-792, KAFKA-14639 and the rebalance facts state it."""

from __future__ import annotations

from itertools import permutations

import pytest

from kproto.codec import ConsumerProtocolSubscription
from kproto.rebalance import ASSIGNORS, Member, Reading, Readings, owners, validate_subscriptions
from kproto.rebalance.assignors.registry import built_in
from kproto.rebalance.claims import CodedClaim, resolve

from .groups import flat

Owned = ConsumerProtocolSubscription.TopicPartition


def claim(generation: int, *codes: int) -> CodedClaim:
    return CodedClaim(generation, codes)


RULE = [
    # claims, what each member keeps, what is void
    ([claim(4, 0, 1), claim(5, 2)], [[0, 1], [2]], set()),
    ([claim(4, 0, 1), claim(5, 1)], [[0], [1]], set()),
    ([claim(5, 0, 1), claim(5, 1)], [[0], []], {1}),
    ([claim(-1, 0), claim(-1, 0)], [[], []], {0}),
    ([claim(4, 0), claim(4, 0), claim(5, 0)], [[], [], [0]], set()),
    ([claim(5, 0), claim(5, 0), claim(4, 0)], [[], [], []], {0}),
    ([claim(5, 0, 0)], [[]], {0}),
    ([], [], set()),
]


@pytest.mark.parametrize(("claims", "kept", "void"), RULE, ids=range(len(RULE)))
def test_the_rule_whatever_the_order_of_members(
    claims: list[CodedClaim], kept: list[list[int]], void: set[int]
) -> None:
    for order in permutations(range(len(claims))):
        ruling = resolve([claims[place] for place in order])
        assert [list(codes) for codes in ruling.owned] == [kept[place] for place in order]
        assert ruling.void == void


def test_the_text_of_kip_792_drops_every_claim_below_the_highest_generation() -> None:
    ruling = resolve([claim(4, 0, 1), claim(5, 2)], below_the_highest=Reading.TEXT)
    assert [list(codes) for codes in ruling.owned] == [[], [2]]
    assert not ruling.void


def member(member_id: str, generation: int, *numbers: int) -> Member:
    owned = [Owned(topic="t", partitions=numbers)]
    return Member(
        member_id,
        ConsumerProtocolSubscription(
            topics=["t"], owned_partitions=owned, generation_id=generation
        ),
    )


def test_kafka_14639_a_member_behind_keeps_what_nobody_else_claims() -> None:
    group = [member("a", 4, 0, 1), member("b", 5, 2, 3)]
    kafka = flat(ASSIGNORS["cooperative-sticky"].assign(group, {"t": 4}))
    assert kafka == {"a": [("t", 0), ("t", 1)], "b": [("t", 2), ("t", 3)]}
    text = built_in(Readings(claims_below_the_highest_generation=Reading.TEXT))
    group = [member("a", 4, 2, 3), member("b", 5, 1)]
    forgetful = flat(text["cooperative-sticky"].assign(group, {"t": 4}))
    # Nobody remembers that 2 and 3 are a's: b is given 2, which a has not revoked.
    assert forgetful == {"a": [("t", 0), ("t", 3)], "b": [("t", 1), ("t", 2)]}


def test_overlaps_are_found_with_their_claims_and_their_owner() -> None:
    group = [member("a", 4, 0, 1, 7), member("b", 5, 1, 2), member("c", 5, 2)]
    overlaps = validate_subscriptions(group)
    assert [(one.partition, one.claims, one.owner) for one in overlaps] == [
        (("t", 1), (("a", 4), ("b", 5)), "b"),
        (("t", 2), (("b", 5), ("c", 5)), None),
    ]
    assert owners(group) == {("t", 0): "a", ("t", 7): "a", ("t", 1): "b"}
    assert validate_subscriptions(group[1:2]) == []
