"""The kit finds every faulty codec, and nothing in the one that they were made from."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from kproto.fuzz.guarantees.properties import Broken
from kproto.fuzz.guarantees.table import GUARANTEES

from . import foreign
from .foreign.strangers import EDITS, languages, stranger
from .mutants import by_change, by_difference
from .mutants.codec import ASSIGNMENT, SUBSCRIPTION, Codec, Fault
from .mutants.faults import FAULTS
from .mutants.flexible import HEARTBEAT, FlexibleCodec
from .mutants.hunt import (
    cases,
    first_catch,
    in_this_process,
    through_conform,
)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.make.__name__)
def test_every_fault_is_caught(fault: Fault) -> None:
    assert in_this_process(fault) is not None


def test_there_are_enough_of_them_and_none_twice() -> None:
    assert len({fault.make for fault in FAULTS}) == len(FAULTS) >= 30


@pytest.mark.slow
def test_nothing_is_found_in_codecs_without_a_fault() -> None:
    assert first_catch(Codec(), cases((SUBSCRIPTION, ASSIGNMENT))) is None
    assert first_catch(FlexibleCodec(), cases((HEARTBEAT,))) is None


@pytest.mark.slow
def test_a_codec_by_hand_agrees_with_all_of_kprotos_own() -> None:
    """It shares nothing with them: what one of the four gets wrong shows here."""
    for case in cases((SUBSCRIPTION, ASSIGNMENT)):
        for guarantee in GUARANTEES:
            try:
                guarantee.check(Codec(), case)
            except Broken as broken:
                pytest.fail(f"{guarantee.title}: {broken}: {case}")


@pytest.mark.parametrize("fault", FAULTS[::12], ids=lambda fault: fault.make.__name__)
def test_some_are_caught_behind_the_line_protocol(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    from .mutants.hunt import ROOT

    monkeypatch.chdir(ROOT)
    assert through_conform(fault) is not None


def test_every_difference_between_clients_is_found_or_that_of_an_older_reader() -> None:
    outcomes = Counter((one.client, one.outcome()) for one in by_difference.differences())
    assert {client for client, outcome in outcomes if outcome == by_difference.MISSED} == set()
    assert len({client for client, _ in outcomes}) > 20 and outcomes.total() > 3000


@pytest.mark.slow
def test_a_sample_of_the_changes_is_found_or_has_a_reason() -> None:
    sample = random.Random(1).sample(list(by_change.mutants()), 40)  # noqa: S311
    missed = [
        mutant.change
        for mutant in sample
        if mutant.equal is None and by_change.catch(mutant) is None
    ]
    assert missed == []


perl = pytest.mark.skipif(shutil.which("perl") is None, reason="perl is missing")


@perl
@pytest.mark.parametrize(
    "number",
    [pytest.param(number, marks=[pytest.mark.slow] * (number not in (3, 16)))
     for number in foreign.FAULTS],
)  # fmt: skip
def test_faults_of_a_decoder_in_perl_are_found(number: int) -> None:
    with closing(foreign.perl(number)) as remote:
        assert first_catch(remote, cases((SUBSCRIPTION, ASSIGNMENT))) is not None


@perl
@pytest.mark.slow
def test_nothing_is_found_in_the_decoder_in_perl_without_a_fault() -> None:
    with closing(foreign.perl(0)) as remote:
        assert first_catch(remote, cases((SUBSCRIPTION, ASSIGNMENT))) is None


@pytest.mark.parametrize("number", [1, 2, 5])
def test_faults_of_a_stranger_in_python_are_found(number: int, tmp_path: Path) -> None:
    assert caught("python", number, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_faults_of_strangers_are_found_and_nothing_else(language: str, tmp_path: Path) -> None:
    assert not caught(language, 0, tmp_path)
    numbers = range(1, len(EDITS[language]) + 1)
    assert [number for number in numbers if not caught(language, number, tmp_path)] == []


def caught(language: str, number: int, folder: Path) -> bool:
    with closing(stranger(language, number, folder)) as remote:
        return first_catch(remote, cases((SUBSCRIPTION, ASSIGNMENT))) is not None
