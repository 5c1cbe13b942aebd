"""The order of Java's tables, by how many buckets java.util gives them."""

from __future__ import annotations

import pytest

from kproto.rebalance.java_order import int_hash, presized_int_order, presized_order


@pytest.mark.parametrize(("count", "buckets"), [(2, 16), (11, 16), (12, 32), (23, 32), (24, 64)])
def test_a_set_that_was_made_of_a_collection(count: int, buckets: int) -> None:
    """`HashSet(Collection)` asks for max(size / .75 + 1, 16) buckets, and `HashMap` takes the power
    of two from there on: the number of buckets is in the first one, and its half in the middle."""
    numbers = [buckets, *range(1, count)]
    assert presized_int_order(numbers) == numbers
    assert presized_order(numbers, int_hash) == numbers
    half = buckets // 2
    others = [number for number in range(1, buckets) if number != half][: count - 1]
    assert presized_int_order([half, *others]) == sorted([half, *others])
