"""A record that repeats the one before is not read in full, and that changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import GroupMetadataValue
from kproto.pipeline.audit import GroupFold, MemberSeen, Step, classic_record
from kproto.pipeline.audit.classic_record import read_step, repeated
from kproto.pipeline.audit.rebalances import RebalanceHistory
from kproto.pipeline.audit.repetition import besides_the_claim
from kproto.pipeline.audit.window import Context
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.publishing import Destination
from tests.benchmarks.fleet import write

from .audit_groups import (
    PARTITIONS,
    assignment,
    member,
    one_in,
    record,
    subscription,
    written,
)

COOP = "cooperative-sticky"
CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"


def said(steps: list[Step], *, with_repetition: bool) -> tuple[Any, ...]:
    """Everything that is made of a history."""
    fold = GroupFold("c", "g", context=Context(partitions={"t": 4}))
    history = RebalanceHistory()
    rebalances = []
    for step in steps:
        value = value_of(step)
        read = read_step(step.place, value, fold.last if with_repetition else None)
        fold.observe(read)
        rebalances.append(history.observe(read))
    return list(fold.findings()), rebalances


def value_of(step: Step) -> GroupMetadataValue:
    return GroupMetadataValue(
        protocol_type=step.protocol_type,
        generation=step.generation,
        protocol=step.protocol,
        leader=step.leader,
        current_state_timestamp=step.since,
        members=[written(one) for one in step.members],
    )


@st.composite
def _members(draw: st.DrawFn, name: str, generation: int, given: list[str]) -> MemberSeen:
    """Mostly claims what it has, as cooperative members do; seldom anything else."""
    if draw(one_in(6)):
        odd = [subscription(["t", "u"]), b"\0\1\0\0\0\1\0\1t\xff\xff\xff\xff"]
        return member(name, given, metadata=draw(st.sampled_from(odd)))
    said = subscription(
        owned=draw(st.sampled_from([given] * 8 + [[], ["t-0"], ["t-3", "t-0"]])),
        generation=generation - 1,
        version=draw(st.sampled_from([3, 3, 2, 1])),
    )
    return member(name, given, metadata=said)


@st.composite
def histories(draw: st.DrawFn) -> list[Step]:
    """Mostly of members who come again with what they had."""
    protocol = draw(st.sampled_from([COOP, "range", "sticky", "ours"]))
    shares = {"a": ["t-0", "t-1"], "b": ["t-2"], "c": []}
    cut_short = b"\0\5"  # a rack that is not there to its end
    rack = draw(st.sampled_from([b"\xff\xff", b"\xff\xff", cut_short]))
    steps: list[Step] = []
    generation = 0
    for _ in range(draw(st.integers(2, 13))):
        generation += draw(st.sampled_from([1, 1, 1, 1, 0, 3]))
        if draw(one_in(7)):
            moved = st.lists(st.sampled_from(PARTITIONS), min_size=2, max_size=2, unique=True)
            shares[draw(st.sampled_from("abc"))] = draw(moved)
        names = [name for name in shares if not draw(one_in(33))]
        calm = not draw(one_in(3))
        members = [
            member(name, shares[name],
                   metadata=subscription(owned=shares[name], generation=generation - 1)[:-2] + rack)
            if calm
            else draw(_members(name, generation, shares[name]))
            for name in names
        ]  # fmt: skip
        steps.append(record(generation, *members, protocol=protocol))
    return steps


@given(histories())
def test_histories_come_to_the_same(steps: list[Step]) -> None:
    assert said(steps, with_repetition=True) == said(steps, with_repetition=False)


def _known(step: Step) -> Any:
    members = [(one.version, one.assigned, one.claimed, one.topics) for one in step.members]
    refused = [(*one[:2], str(one.error)) for member in step.members for one in member.unreadable]
    return members, refused, step.owner, step.claimed_once


@given(histories())
def test_what_is_taken_over_is_what_would_be_read(steps: list[Step]) -> None:
    before = None
    for step in steps:
        before = read_step(step.place, value_of(step), before)
        assert _known(before) == _known(read_step(step.place, value_of(step)))


@pytest.mark.parametrize("protocol", [COOP, "range", "sticky"])
def test_who_never_claims_is_told_all_the_same(protocol: str) -> None:
    """Its bytes are the same each time."""
    old = subscription(version=1)
    steps = [
        record(
            n, member("a", ["t-0"], metadata=old), member("b", ["t-1", "t-2"]), protocol=protocol
        )
        for n in range(1, 8)
    ]
    found = said(steps, with_repetition=True)
    assert found == said(steps, with_repetition=False)
    assert ("never-claims" in {one.rule for one in found[0]}) is (protocol == COOP)
    assert "unassigned-partition" in {one.rule for one in found[0]}


@pytest.mark.parametrize("of", ["captures", "fleet"])
def test_audits_come_to_the_same(of: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = CAPTURES / "offsets-topic"
    if of == "fleet":
        source = tmp_path / "fleet"
        write(source, 2)
    results = []
    for name in ("short", "whole"):
        if name == "whole":
            monkeypatch.setattr(classic_record, "repeated", lambda *_: False)
        destination = Destination.new(str(tmp_path / name), replace=False)
        results.append(run_audit(units_of(str(source)), destination, Options()))
    assert results[0].findings.equals(results[1].findings)
    assert results[0].current.equals(results[1].current)


def _at(generation: int, given: list[str], **said: Any) -> Step:
    metadata = subscription(owned=given, generation=generation - 1)
    return record(generation, member("a", given, **{"metadata": metadata, **said}), protocol=COOP)


@pytest.mark.parametrize(
    ("step", "does"),
    [
        (_at(6, ["t-0", "u-1"]), True),
        (_at(5, ["t-0", "u-1"]), False),
        (_at(6, ["t-0"]), False),
        (_at(6, ["t-0", "u-1"], host="/h"), False),
        (_at(6, ["t-0", "u-1"], metadata=subscription(owned=["t-0"], generation=5)), False),
        (_at(6, ["t-0", "u-1"], metadata=subscription(["v"], ["t-0", "u-1"], 5)), False),
        (_at(6, ["t-0", "u-1"], metadata=b""), False),
    ],
)
def test_what_repeats_itself(step: Step, does: bool) -> None:
    assert repeated(_at(5, ["t-0", "u-1"]), step) is does


@given(st.binary(max_size=60), st.binary(max_size=40))
def test_any_bytes(metadata: bytes, given_: bytes) -> None:
    """None, or the parts: whatever the lengths in them say, and at once."""
    for data in (metadata, b"\0\3\x7f\xff\xff\xff" + metadata, subscription()[:6] + metadata):
        found = besides_the_claim(data, given_)
        assert found is None or data.startswith(found[0])
        besides_the_claim(data, b"\0\0\x7f\xff\xff\xff\0\0\x7f\xff\xff\xff" + given_)


def test_the_parts() -> None:
    data = subscription(["t"], ["t-0", "t-1"], 7)
    found = besides_the_claim(data, assignment(["t-0", "t-1"]))
    assert found == (data[:9], b"\xff\xff")
