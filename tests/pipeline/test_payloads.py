"""What the payloads of a record's members say together, by the core and by Python; and records of
which no rule has anything to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kproto.pipeline.audit import STEP_RULES, GroupFold, MemberSeen, Rule, Step
from kproto.pipeline.audit.calm import is_silent_when_calm
from kproto.pipeline.audit.classic_record import read_step
from kproto.pipeline.audit.fold import Pace
from kproto.pipeline.audit.payloads import PayloadSummary, payload_summary
from kproto.pipeline.audit.rebalances import RebalanceHistory
from kproto.pipeline.audit.rules import churn
from kproto.pipeline.audit.window import Context, Trace

from .audit_groups import PARTITIONS, assignment, member, one_in, record, subscription
from .engines import either_engine  # noqa: F401  # a fixture
from .test_audit_repetition import histories, value_of

Partition = tuple[str, int]


@st.composite
def payloads(draw: st.DrawFn, whole: bytes) -> bytes:
    """The bytes, seldom with one changed or some cut off."""
    said = bytearray(whole)
    if said and draw(one_in(5)):
        place = draw(st.integers(0, len(said) - 1))
        said[place] = draw(st.sampled_from([0, 1, 3, 65, 127, 128, 255]))
    return bytes(said[: draw(st.integers(0, len(said)))] if draw(one_in(9)) else said)


@st.composite
def members(draw: st.DrawFn, owned: Sequence[str]) -> MemberSeen:
    """A member that is assigned these partitions, mostly, and claims some of them, mostly."""
    other = st.lists(st.sampled_from([*PARTITIONS, "t-70000", "ü-1"]), max_size=3)
    claimed = draw(st.sampled_from([owned, owned, owned[:1], ()]) | other)
    topics = draw(st.lists(st.sampled_from(["t", "t", "u", "", "ü"]), max_size=2))
    version = draw(st.sampled_from([0, 1, 2, 3, 3, 7]))
    said = version.to_bytes(2, "big") + subscription(topics, claimed, 6, min(version, 3))[2:]
    given_ = assignment(draw(other) if draw(one_in(6)) else owned)
    return msgspec.structs.replace(
        member("a", metadata=draw(payloads(said))),
        assignment=draw(payloads(draw(st.sampled_from([given_, given_, b""])))),
    )


def _parts(entries: Iterable[Any]) -> list[Partition]:
    return [(entry.topic, number) for entry in entries for number in entry.partitions]


def by_definition(seen: Sequence[MemberSeen]) -> PayloadSummary | None:
    """The summary, by what each member says alone."""
    if any(one.unreadable for one in seen):
        return None
    said = [one.subscription for one in seen if one.subscription is not None]
    claims = Counter(part for one in said for part in _parts(one.owned_partitions))
    messages = [one.given for one in seen if one.given is not None]
    given_ = Counter(part for one in messages for part in _parts(one.assigned_partitions))
    if any(count > 1 for count in (claims + given_ - (claims & given_)).values()):
        return None
    if any(not one.claimed <= one.assigned for one in seen):
        return None
    names = [topic for one in said for topic in one.topics]
    names += [entry.topic for one in said for entry in one.owned_partitions]
    names += [entry.topic for one in messages for entry in one.assigned_partitions]
    if any(number < 0 for _, number in given_) or not "".join(names).isascii():
        return None
    numbers: dict[str, list[int]] = {}
    for topic, number in given_:
        numbers.setdefault(topic, []).append(number)
    return PayloadSummary(
        tuple(sorted({one.version for one in seen if one.version is not None})),
        tuple(sorted({topic for one in said for topic in one.topics})),
        {topic: (len(found), max(found)) for topic, found in numbers.items()},
        all(one.claimed for one in seen),
        b"".join(subscription(one.topics)[2:].partition(b"\xff\xff\xff\xff")[0] for one in said),
    )


@given(st.tuples(members(["t-0", "t-1"]), members(["t-2"]), members([])))
@example((member("a", ["t-0"]), member("b", ["t-1"]), member("c")))
def test_a_record_is_summarised_as_its_members_say(seen: tuple[MemberSeen, ...]) -> None:
    for some in (seen, seen[:1], seen[1:], ()):
        assert payload_summary(some) == by_definition(some)


def test_a_record_in_order_has_a_summary() -> None:
    seen = [
        member("a", ["t-0", "u-5"], metadata=subscription(["t", "u"], ["t-0"], 7)),
        member("b", ["t-1"], metadata=subscription(["t"], version=1)),
    ]
    assert payload_summary(seen) == PayloadSummary(
        (1, 3), ("t", "u"), {"t": (2, 1), "u": (1, 5)}, all_claim=False,
        subscribed=b"\0\0\0\2\0\1t\0\1u\0\0\0\1\0\1t",
    )  # fmt: skip


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_any_bytes(metadata: bytes, given_: bytes) -> None:
    for said in (metadata, subscription()[:6] + metadata, b"\0\3\x7f\xff\xff\xff" + metadata):
        for got in (given_, b"\0\0\0\0\0\1\0\1t\x7f\xff\xff\xff" + given_):
            one = msgspec.structs.replace(member("a", metadata=said), assignment=got)
            assert payload_summary([one]) == by_definition([one])


# -- calm


def never_calm(rules: Iterable[Rule] = STEP_RULES) -> list[Rule]:
    """The same rules, as a user may have written them: nothing is known of their predicates."""
    return [replace(rule, find=partial(rule.find)) for rule in rules]


class EveryStep(RebalanceHistory):
    """Compares every step with the one before."""

    def _goes_on(self, step: Step, before: Step) -> bool:
        return False


def said(
    steps: Sequence[Step], rules: Iterable[Rule], history: RebalanceHistory
) -> tuple[Any, ...]:
    """Everything that is made of a history."""
    fold = GroupFold("c", "g", rules=rules, context=Context(partitions={"u": 4}))
    rebalances = []
    for step in steps:
        read = read_step(step.place, value_of(step), fold.last)
        fold.observe(read)
        rebalances.append(history.observe(read))
    return list(fold.findings()), dict(fold.least), rebalances


@given(histories())
def test_calm_records_come_to_the_same(steps: list[Step]) -> None:
    found = said(steps, STEP_RULES, RebalanceHistory())
    assert found == said(steps, never_calm(), EveryStep())


def test_no_rule_is_asked_of_a_calm_record() -> None:
    asked = []

    def counted(rule: Rule) -> Rule:
        def find(window: Any, thresholds: Any) -> Any:
            asked.append(window.step.generation)
            return rule.find(window, thresholds)

        find.silent_when_calm = True  # type: ignore[attr-defined]
        return replace(rule, find=find)

    steps = []
    for generation in range(1, 9):
        shares = ["t-0", "t-1"] if generation > 4 else ["t-1", "t-0"]
        claims = [] if generation == 1 else shares[:1]
        seen = [
            member(name, [one], metadata=subscription(owned=claims and [one], generation=0))
            for name, one in zip("ab", shares, strict=True)
        ]
        steps.append(record(generation, *seen, protocol="cooperative-sticky"))
    said(steps, map(counted, STEP_RULES), RebalanceHistory())
    assert set(asked) == {5}  # the one with other assignments


def test_predicates_of_users_are_not_marked() -> None:
    assert all(map(is_silent_when_calm, STEP_RULES))
    assert not any(map(is_silent_when_calm, never_calm()))


# -- what is found over several records


@given(
    st.lists(st.tuples(st.sampled_from([1, 1, 2, 9]), st.integers(-5, 400)), min_size=1),
    st.sampled_from([(20, 600), (3, 10), (0, 5), (2.5, 0.1)]),
    st.data(),
)
def test_a_pace_takes_slow_records_at_once(
    moves: list[tuple[int, int]], limits: tuple[float, float], data: st.DataObject
) -> None:
    seen, generation, time = [(0, 0)], 0, 0
    for rise, hundredths in moves:
        generation, time = generation + rise, time + hundredths * 100
        seen.append((generation, time))
    one_by_one, at_once = Pace(*limits), Pace(*limits)
    fast = [one_by_one.is_fast(*each) for each in seen]
    found = [at_once.is_fast(*seen[0])]
    at = 1
    while at < len(seen):
        stop = data.draw(st.integers(at, len(seen)))
        rises = [(now[0] - old[0], now[1] - old[1]) for old, now in pairwise(seen[at - 1 : stop])]
        if rises and at_once.was_slow and all(at_once.are_slow(*each) for each in rises):
            at_once.take_slow(seen[at:stop])
            found += [False] * (stop - at)
            at = stop
        else:
            found.append(at_once.is_fast(*seen[at]))
            at += 1
    assert found == fast


def joins_by_definition(traces: Sequence[Trace]) -> dict[Any, int]:
    """How often each identity came back, by the members of each step."""
    slots: Counter[Any] = Counter()
    joins: Counter[Any] = Counter()
    for trace in traces:
        slots |= Counter(trace.members.values())
    for before, trace in pairwise(traces):
        joins.update(who for name, who in trace.members.items() if name not in before.members)
    return {who: -(-times // slots[who]) for who, times in joins.items()}


@pytest.mark.parametrize("seconds", [30.0, 100.0, 1e9])
@given(st.lists(st.tuples(st.sets(st.sampled_from("abcdef")), st.integers(-40, 60)), min_size=1))
def test_who_rejoined_is_told_of_any_clock(
    seconds: float, told: list[tuple[set[str], int]]
) -> None:
    fold, time = GroupFold("c", "g"), 0
    for generation, (names, later) in enumerate(told, 1):
        time += later
        seen = [member(name, client="ab" if name in "ab" else name) for name in sorted(names)]
        fold.observe(record(generation, *seen, seconds=time))
    traces = tuple(fold._traces)
    within = churn._within(traces, seconds)
    bare = [trace._replace(came={}, went={}) for trace in within]
    start = traces[-1].timestamp - seconds * 1000
    assert bare == [
        trace._replace(came={}, went={}) for trace in traces if trace.timestamp >= start
    ]
    assert dict(churn.rejoined(within)) == joins_by_definition(within)
