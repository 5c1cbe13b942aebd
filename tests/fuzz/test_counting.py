"""Code that counts its branches does what it did, and counts where it went."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

pytest.importorskip("atheris")

from kproto.codec import ConsumerProtocolSubscription
from kproto.fuzz.engines.coverage import Region, counting, traced


def counts(function: Callable[..., Any]) -> dict[int, int]:
    """What was counted, by where; the counts begin anew."""
    assert isinstance(function, FunctionType)
    (region,) = (one for one in function.__code__.co_consts if isinstance(one, Region))
    found = {at: count for at, count in enumerate(region) if count}
    region[:] = bytes(len(region))
    return found


def made_to_count(function: Callable[..., Any]) -> Callable[..., Any]:
    made = traced(function, counting)
    counts(made)  # those of others, which the region holds too
    return made


def choose(number: int) -> str:
    if number < 0:
        raise ValueError("below zero")
    text = "odd" if number % 2 else "even"
    for _ in range(number):
        text += "!"
    return text


def test_it_does_what_it_did() -> None:
    made = made_to_count(choose)
    assert [made(number) for number in range(9)] == [choose(number) for number in range(9)]
    with pytest.raises(ValueError, match="below zero"):
        made(-1)


def test_what_was_passed_was_counted() -> None:
    made = made_to_count(choose)
    made(3)
    three = counts(made)
    (body,) = (at for at, count in three.items() if count == 3)
    made(5)
    assert counts(made) == three | {body: 5}
    made(4)
    assert counts(made).keys() ^ three.keys() != set()  # the other arm
    with pytest.raises(ValueError, match="below zero"):
        made(-1)
    assert len(counts(made)) == 2  # that it was called, and that it raised


def test_a_count_ends_at_its_byte_and_does_not_come_round() -> None:
    made = made_to_count(choose)
    made(256)
    assert 255 in counts(made).values()


def test_readers_count_the_same_for_the_same_bytes() -> None:
    codec = ConsumerProtocolSubscription._codecs[3]
    made = made_to_count(codec.read)
    body = ConsumerProtocolSubscription(
        topics=["orders", "clicks", "returns"], rack_id="a"
    ).to_body(3)
    assert made(body, 0) == codec.read(body, 0)
    once = counts(made)
    made(body, 0)
    assert counts(made) == once
    assert 3 in once.values()  # topics


def test_code_that_counts_can_be_hashed() -> None:
    """As tools do that ask of frames where they are."""
    assert isinstance(hash(counting(choose.__code__)), int)
