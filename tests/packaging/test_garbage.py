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


class _Cycle:
    """An object that only the collector can free."""

    freed = 0

    def __init__(self) -> None:
        self.myself = self

    def __del__(self) -> None:
        _Cycle.freed += 1


def test_what_is_made_meanwhile_is_not_looked_through_at_once() -> None:
    looks: list[int] = []
    gc.callbacks.append(lambda phase, info: looks.append(info["generation"]))
    try:
        with seldom_collected(10**9):
            made: list[list[int]] = [[] for _ in range(5_000)]
        assert len(made) == 5_000
        assert gc.get_count()[0] < 500
        assert looks == []
    finally:
        gc.callbacks.pop()


def test_cycles_are_found_in_the_end() -> None:
    before = _Cycle.freed
    for _ in range(60):
        with seldom_collected(10**9):
            _Cycle()
            _ = [[] for _ in range(100_000)]
    assert _Cycle.freed > before


def test_what_is_frozen_stays_frozen() -> None:
    gc.freeze()
    try:
        with seldom_collected(10**9):
            _ = [[] for _ in range(5_000)]
        assert gc.get_freeze_count()
    finally:
        gc.unfreeze()
