"""A campaign in pieces, wherever they are carried out. On Spark: tests/pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from kproto.fuzz.campaign import Carry, DistributedCampaign, State
from kproto.fuzz.targets import load

from .test_campaign import (
    planted,  # noqa: F401  # a fixture
    settings,
)

Function = Callable[[bytes], bytes]


def here(function: Function, orders: Sequence[bytes]) -> Iterator[bytes]:
    """One after the other, the last one first."""
    return map(function, reversed(orders))


def twice(function: Function, orders: Sequence[bytes]) -> Iterator[bytes]:
    """As if the first attempt had been lost when it was done."""
    for order in orders:
        function(order)
        yield function(order)


def ran(
    out: Path, *names: str, engine: str = "hypothesis", carry: Carry = here, **asked: float
) -> DistributedCampaign:
    made = DistributedCampaign(State.new(settings(*names, engine=engine, **asked)), out, carry)
    made.run(lambda: None)
    return made


@pytest.mark.usefixtures("planted")
def test_what_pieces_find_is_one_finding(tmp_path: Path) -> None:
    made = ran(tmp_path, "booming", runs=80, jobs=2)
    assert [one.minimal for one in made.store] == [b"boom"]
    (one,) = State.load(tmp_path).targets.values()
    assert (one.done, one.rounds) == (True, 2)
    assert one.executions >= 80
    assert (tmp_path / "findings.sarif").exists()


def test_corpora_are_merged(tmp_path: Path) -> None:
    made = ran(tmp_path, "decode-consumer", engine="atheris", runs=800, jobs=2)
    kept = {file.read_bytes() for file in (made.corpus / "decode-consumer").iterdir()}
    assert len(kept) == made.state.targets["decode-consumer"].corpus > 10


def test_a_piece_that_is_done_twice_counts_once(tmp_path: Path) -> None:
    once, again = (
        ran(tmp_path / carry.__name__, "decode-consumer", engine="atheris", runs=200, carry=carry)
        for carry in (here, twice)
    )
    for made in (once, again):
        assert made.state.targets["decode-consumer"].executions == 200
    assert list(once.corpus.rglob("*")) and _names(once) == _names(again)


def _names(made: DistributedCampaign) -> list[str]:
    return sorted(file.name for file in (made.corpus / "decode-consumer").iterdir())


def test_what_is_lost_for_good_is_taken_up_again(tmp_path: Path) -> None:
    def lost(function: Function, orders: Sequence[bytes]) -> Iterator[bytes]:
        yield function(orders[0])
        raise ConnectionError("the cluster is gone")

    with pytest.raises(ConnectionError):
        ran(tmp_path, "decode-consumer", "round-trip-consumer", carry=lost, runs=100, jobs=2)
    state = State.load(tmp_path)
    assert [one.executions for one in state.targets.values()] == [100, 0]
    DistributedCampaign(state, tmp_path, here).run(lambda: None)
    done = State.load(tmp_path).targets.values()
    assert [(one.executions, one.done) for one in done] == [(100, True), (100, True)]


def test_a_target_that_is_elsewhere() -> None:
    """By its module's name."""
    pytest.importorskip("pyarrow")
    target = load("kproto.tools.columnar_agreement")
    assert target.invariant.startswith("The columnar decoder says the same")
    with pytest.raises(KeyError):
        load("kproto.tools.nothing")
