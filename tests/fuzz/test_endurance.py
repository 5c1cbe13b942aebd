"""Time that grows with the square, told from the time that a busy machine takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kproto.fuzz.conformance import endurance as module
from kproto.fuzz.conformance.endurance import endurance, pairs_of
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import Took
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.subject import SUBSCRIPTION, Failed, Failure

PAIR = pairs_of([SUBSCRIPTION])[0]


class Measured:
    """An adapter of which the times of both messages are known, in order; the last one lasts."""

    def __init__(self, small: list[Took | Failed], large: list[Took | Failed]) -> None:
        self.hello = SimpleNamespace(ops={"decode"}, names={SUBSCRIPTION})
        self.limits = ProcessLimits()
        self.resident = None
        self.out_of_time = False
        self.incidents: list[Any] = []
        self._times = {PAIR.small.id: small, PAIR.large.id: large}
        self.questions = 0

    def measured(self, case: Case, allowed: float) -> Took | Failed:
        self.questions += 1
        times = self._times[case.id]
        return times.pop(0) if len(times) > 1 else times[0]


def judged(small: list[Took | Failed], large: list[Took | Failed]) -> tuple[list[str], list[str]]:
    """The complaints, and what could not be measured."""
    remote: Any = Measured(small, large)
    unmeasured = endurance(remote, [], [PAIR])
    return [incident.complaint for incident in remote.incidents], unmeasured


FAST, BUSY = Took(0.02, 0.02), Took(0.9, 0.06)


def test_a_busy_machine_breaks_nothing() -> None:
    """The measured case: 0.06 s of processor time in 0.9 s, then less of others' work."""
    assert judged([Took(0.06, 0.02)], [BUSY, BUSY, Took(0.1, 0.06)]) == ([], [])


def test_what_waits_all_the_time_is_unclear() -> None:
    complaints, (unclear,) = judged([Took(0.06, 0.02)], [BUSY])
    assert complaints == []
    assert "either it waits, or the machine is busy" in unclear
    assert f"--guarantee G02 --input {PAIR.large.id}" in unclear


@pytest.mark.parametrize("large", [Took(0.9, 0.8), Took(12.0, 0.8)])
def test_processor_time_with_the_square_is_found(large: Took) -> None:
    """Also where others' work makes the small one slow: that hides no square."""
    for small in (Took(0.06, 0.05), Took(2.0, 0.05)):
        (complaint,), unmeasured = judged([small], [large])
        assert complaint.startswith("0.8 s for 40,000 topics, 0.05 s for a quarter of them: 16 ")
        assert unmeasured == []


def test_where_processor_time_is_not_known_the_least_of_all_counts() -> None:
    slow, quick = Took(0.9, None), Took(0.2, None)
    assert judged([Took(0.06, None)], [slow, slow, quick]) == ([], [])
    assert judged([Took(0.06, None)], [slow])[0]


def test_one_that_hangs_is_asked_twice() -> None:
    remote: Any = Measured([FAST], [Failed(Failure.HANG, "no reply in time")])
    assert endurance(remote, [], [PAIR]) == []
    assert len(remote.incidents) == 1
    assert remote.questions == 2 * (module._SMALL_FIRST + 1)


def test_the_advice_is_about_time() -> None:
    remote: Any = Measured([Took(0.06, 0.05)], [Took(0.9, 0.8)])
    endurance(remote, [], [PAIR])
    assert "Append to a list" in remote.incidents[0].advice
