"""Orders of members and topics, and what cannot be a group."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import ConsumerProtocolSubscription
from kproto.rebalance import ASSIGNORS, Member, complaints
from kproto.rebalance.group import in_order
from kproto.rebalance.java_order import (
    bucket,
    int_hash,
    sized_int_order,
    string_hash,
    string_order,
    table_size,
)

T = ConsumerProtocolSubscription(topics=["t"])


@pytest.mark.parametrize("name", ASSIGNORS)
def test_two_members_of_one_name_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="have the id 'm-1'"):
        ASSIGNORS[name].assign([Member("m-1", T), Member("m-1", T)], {"t": 1})


def test_static_members_come_first_by_their_instance() -> None:
    group = [Member("a", T), Member("c", T, "i2"), Member("b", T, "i1"), Member("Z", T)]
    assert [member.member_id for member in in_order(group)] == ["b", "c", "Z", "a"]


def test_java_orders_strings_by_utf_16() -> None:
    # U+FF00 is one unit above the surrogates that U+1F600 begins with.
    assert sorted(["\uff00", "\U0001f600", "a"], key=string_order) == ["a", "\U0001f600", "\uff00"]


@pytest.mark.parametrize(
    ("text", "code"),
    # What String.hashCode gives, as an unsigned number.
    [
        ("", 0),
        ("a", 97),
        ("hello", 99162322),
        ("polygenelubricants", 2**31),
        ("\U0001f600", 1772899),
    ],
)
def test_java_hashes(text: str, code: int) -> None:
    assert string_hash(text) == code


def test_java_tables() -> None:
    assert [table_size(n) for n in (0, 12, 13, 24, 25, 2000)] == [16, 16, 32, 32, 64, 4096]
    assert bucket(0x00010002, 16) == 3


def stretches(most: int) -> st.SearchStrategy[list[int]]:
    """Distinct numbers, in any order, none of which is `most` above another."""
    near = st.lists(st.integers(0, most - 1), unique=True)
    return st.builds(lambda low, numbers: [low + n for n in numbers], st.integers(-9, 70000), near)


@given(numbers=stretches(16) | stretches(100) | stretches(70000), size=st.sampled_from([16, 64]))
def test_numbers_lie_in_the_order_of_their_buckets(numbers: list[int], size: int) -> None:
    by_bucket = sorted(numbers, key=lambda number: bucket(int_hash(number), size))
    assert sized_int_order(numbers, size) == by_bucket


def test_complaints_name_the_member_and_what_is_passed_over() -> None:
    owned = ConsumerProtocolSubscription.TopicPartition(topic="t", partitions=[-1, 0, 8])
    odd = ConsumerProtocolSubscription(topics=["t", "gone"], owned_partitions=[owned])
    group = [Member("fine", T), Member("odd", odd)]
    assert complaints("range", group, {"t": 4}) == [
        ("odd", "subscribes to 'gone', which has no partitions here")
    ]
    assert complaints("cooperative-sticky", group, {"t": 4})[1:] == [
        ("odd", "claims 2 partitions of 't' that do not exist")
    ]
