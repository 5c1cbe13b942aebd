"""The same properties that campaigns run, under Hypothesis; the corpus; everything ever found."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kproto.codec import ConsumerProtocolSubscription
from kproto.fuzz.building import JavaUnavailable
from kproto.fuzz.engines.with_hypothesis import inputs
from kproto.fuzz.findings import FindingKind, FuzzFinding, of_exception
from kproto.fuzz.minimisation import minimised_finding, minimised_input
from kproto.fuzz.mutators.forms import Blobs
from kproto.fuzz.seeds import REGRESSIONS, SHIPPED, read_hex, seeds, shipped
from kproto.fuzz.targets import NAMES, Broken, Missing, Target, covered, invariant, load, reading
from kproto.fuzz.targets.reading import PlainReadings

from ..conftest import do_without


def target(name: str) -> Target:
    try:
        return load(name)
    except Missing as reason:
        do_without(JavaUnavailable(str(reason)))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=settings().max_examples // 2, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_under_hypothesis(name: str, data: st.DataObject) -> None:
    one = target(name)
    one.check(data.draw(inputs(one.form, seeds=shipped(name) or seeds(name)[:200])))


@pytest.mark.parametrize("name", NAMES)
def test_the_corpus_that_ships(name: str) -> None:
    one = target(name)
    for data in shipped(name):
        one.check(data)


@pytest.mark.parametrize("name", NAMES)
def test_every_target_says_what_it_holds(name: str) -> None:
    said = invariant(name)
    assert said.endswith(".") and len(said) > 40


@pytest.mark.parametrize("name", NAMES)
def test_the_modules_whose_branches_count_exist(name: str) -> None:
    for module in covered(name):
        assert find_spec(module), module


def test_every_corpus_has_a_target_and_most_targets_a_corpus() -> None:
    files = {file.stem for folder in (SHIPPED, REGRESSIONS) for file in folder.glob("*.hex")}
    assert files <= set(NAMES)
    assert set(NAMES) - files <= {"java-agreement", "java-agreement-consumer"}
    assert sum(file.stat().st_size for file in SHIPPED.glob("*.hex")) < 1 << 20


@pytest.mark.parametrize("name", [name for name in NAMES if shipped(name)])
def test_the_corpus_is_not_passed_over(name: str) -> None:
    """Inputs whose head says nothing would be taken by any target at once."""
    one = target(name)
    headed = [data for data in shipped(name) if one.form.head(data)]
    assert not headed or any(len(data) > one.form.head(data) for data in headed)
    for file in (SHIPPED / f"{name}.hex", REGRESSIONS / f"{name}.hex"):
        assert not file.exists() or len(set(read_hex(file))) == len(read_hex(file))


def test_a_planted_fault_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that drops the last topic of three: the round trip shows it."""
    message = ConsumerProtocolSubscription(topics=["orders", "payments", "x", "y"], rack_id="r1")
    data = b"ConsumerProtocolSubscription\n" + message.to_bytes(3)

    write = ConsumerProtocolSubscription.to_body

    def dropping(message: ConsumerProtocolSubscription, version: int | None = None) -> bytes:
        return write(message.replace(topics=message.topics[:2]), version)

    monkeypatch.setattr(ConsumerProtocolSubscription, "to_body", dropping)
    monkeypatch.setattr(reading, "READINGS", PlainReadings())
    one = target("round-trip-consumer")

    def shows(candidate: bytes) -> bool:
        try:
            one.check(candidate)
        except Broken as broken:
            (finding,) = of_exception(one.name, broken, candidate)
            return finding.kind is FindingKind.BROKEN
        return False

    assert shows(data)
    small = minimised_input(data, one.form, shows)
    assert small == b"ConsumerProtocolSubscription\n" + bytes.fromhex(
        "0000 00000003 0000 0000 0000 00000000".replace(" ", "")
    )


def test_what_is_said_of_a_finding_is_said_of_its_smallest_input() -> None:
    """A title that quotes a value of the first input would be false beside the smaller bytes."""

    def judge(data: bytes) -> list[FuzzFinding]:
        message = f"{len(data)} bytes"
        found = FuzzFinding("t", FindingKind.BROKEN, "Broken", "here", message, data, data)
        return [found] if data.endswith(b"!") else []

    (first,) = judge(b"long and loud!")
    small = minimised_finding(first, Blobs(), judge)
    assert (small.minimal, small.message, small.input) == (b"!", "1 bytes", b"long and loud!")
