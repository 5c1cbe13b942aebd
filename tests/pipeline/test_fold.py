"""What the fold of a group's records keeps of them: when members came, and how much it has seen."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kproto.pipeline.audit import GroupFold, Step

from .audit_groups import member, record

NAMES = "abcd"


@st.composite
def histories(draw: st.DrawFn) -> list[Step]:
    """Records of one incarnation, of members that come and go."""
    generation = draw(st.integers(1, 9))
    steps: list[Step] = []
    for _ in range(draw(st.integers(1, 12))):
        names = draw(st.sets(st.sampled_from(NAMES)))
        steps.append(record(generation, *map(member, sorted(names)), seconds=len(steps) * 7))
        generation += draw(st.integers(0, 3))
    return steps


@given(histories())
def test_a_member_came_with_the_first_record_of_those_in_a_row_that_have_it(
    steps: list[Step],
) -> None:
    """Of one that the first record has already, it is not seen when it came."""
    fold = GroupFold("test", "g")
    for step in steps:
        fold.observe(step)
    for name in steps[-1].ids:
        first = len(steps) - 1
        while first and name in steps[first - 1].ids:
            first -= 1
        arrival = fold.arrivals[name]
        assert arrival.timestamp == steps[first].place.timestamp
        assert (arrival.record, arrival.is_seen) == (first + 1, first > 0)
    assert fold.arrivals.keys() == {*steps[-1].ids}


def test_when_members_came() -> None:
    fold = GroupFold("test", "g")
    for step in (record(1, member("a")), record(2, member("a"), member("b"))):
        fold.observe(step)
    assert {name: arrival.is_seen for name, arrival in fold.arrivals.items()} == {
        "a": False, "b": True,
    }  # fmt: skip


def test_how_many_records_a_finding_is_based_on() -> None:
    fold = GroupFold("test", "g")
    fold.observe(record(1, member("x", metadata=b"\0")))
    assert {finding.evidence["history"]["records"] for finding in fold.findings()} == {1}


@given(histories())
def test_the_evidence_says_how_much_history_there_was(steps: list[Step]) -> None:
    """Generations between two records have none: they were aborted, or compacted away."""
    strangers = [_unreadable(step) for step in steps]
    fold = GroupFold("test", "g")
    for step in strangers:
        fold.observe(step)
    (history,) = {str(finding.evidence["history"]) for finding in fold.findings()}
    rises = [later.generation - earlier.generation for earlier, later in pairwise(steps)]
    assert history == str(
        {
            "records": len(steps),
            "since": steps[0].place.timestamp,
            "unrecorded_generations": sum(rise - 1 for rise in rises if rise),
        }
    )


def _unreadable(step: Step) -> Step:
    """The record with one more member, whose bytes are refused: a finding about every record."""
    return record(
        step.generation, *step.members, member("x", metadata=b"\0"),
        seconds=(step.place.timestamp - 1_700_000_000_000) / 1000,
    )  # fmt: skip
