"""The collector of reference cycles is as before as soon as nobody wants it to look seldom."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import suppress

import pytest

from kproto.garbage import seldom_collected


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(500, 7, 8)
    yield
    gc.set_threshold(*before)


def test_only_the_first_threshold_is_raised_and_an_error_restores_it() -> None:
    with suppress(ValueError), seldom_collected():
        first, *others = gc.get_threshold()
        raise ValueError
    assert first > 500
    assert others == [7, 8]
    assert gc.get_threshold() == (500, 7, 8)


def test_whoever_leaves_last_restores_the_thresholds() -> None:
    one_thread, another = seldom_collected(), seldom_collected()
    one_thread.__enter__()
    another.__enter__()
    one_thread.__exit__(None, None, None)
    assert gc.get_threshold() != (500, 7, 8)
    another.__exit__(None, None, None)
    assert gc.get_threshold() == (500, 7, 8)


@pytest.mark.parametrize("first", [0, 10**9])
def test_a_collector_that_looks_never_or_more_seldom_is_left_alone(first: int) -> None:
    gc.set_threshold(first, 7, 8)
    with seldom_collected():
        assert gc.get_threshold() == (first, 7, 8)
