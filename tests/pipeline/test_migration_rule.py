"""The rule `cannot-migrate` says of every group what the judgement of a migration says of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.pipeline.audit import RULES, EndRule, GroupEnd, GroupFold, MemberSeen
from kproto.rebalance.migration import ClassicGroup, ClassicMember, Protocol, reasons_of
from tests.pipeline.audit_groups import PARTITIONS, assignment, member, record, subscription
from tests.pipeline.test_storm_causes import streams_member

PLAIN = subscription(("t",))
subscriptions = st.sampled_from((PLAIN, PLAIN, PLAIN, b"", b"\0\7", PLAIN[:-3], PLAIN + b"\0"))
given_bytes = st.lists(st.sampled_from([*PARTITIONS, "u-9"]), unique=True, max_size=3).map(
    assignment
) | st.sampled_from((b"", assignment(["t-0"])[:-4] + b"\0\0\0\1x", assignment(["t-1"])[:-5]))


@st.composite
def members_of_a_group(draw: st.DrawFn) -> list[MemberSeen]:
    """Some members, whose bytes may be anything that a leader hands on."""
    return [
        MemberSeen(name, None, name, "/h", 1, 1, draw(subscriptions), draw(given_bytes))
        for name in draw(st.lists(st.sampled_from("abcd"), unique=True, min_size=1))
    ]


@given(
    members_of_a_group(),
    st.sampled_from(("range", "")),
    st.sampled_from(({}, {"t": 4}, {"t": 2, "u": 9}, {"u": 10})),
)
def test_the_rule_says_what_the_judgement_says(
    members: list[MemberSeen], protocol: str, counts: dict[str, int]
) -> None:
    rule = RULES["cannot-migrate"]
    assert isinstance(rule, EndRule)
    end = GroupEnd("g", 0, step=record(1, *members, protocol=protocol), counts=counts)
    known = tuple(
        ClassicMember(
            one.member_id, (Protocol(protocol, one.metadata),), one.assignment, None, one.client_id
        )
        for one in members
    )
    group = ClassicGroup("g", "consumer", "Stable", protocol, known, counts or None)
    expected = [reason for reason in reasons_of(group) if reason.error is not None]
    found = [(sign.evidence["member_id"], sign.evidence["what"]) for sign in rule.find(end, {})]
    assert found == [(reason.member_id, reason.what) for reason in expected]


def test_members_with_one_id_do_not_end_the_audit() -> None:
    rule = RULES["cannot-migrate"]
    assert isinstance(rule, EndRule)
    broken = member("a", ["t-1"], metadata=b"\0\7")
    step = record(1, member("a", ["t-0"]), broken)
    (sign,) = rule.find(GroupEnd("g", 0, step=step), {})
    assert sign.evidence["what"] == "malformed-subscription"


def test_two_members_of_a_plain_group_with_one_partition_are_told() -> None:
    rule = RULES["cannot-migrate"]
    assert isinstance(rule, EndRule)
    step = record(1, member("a", ["t-0"]), member("b", ["t-0"]))
    (sign,) = rule.find(GroupEnd("g", 0, step=step, counts={"t": 4}), {})
    assert sign.evidence["what"] == "partition-assigned-twice"


@pytest.mark.parametrize("instances", [1, 40])
def test_of_a_streams_group_one_thing_is_said(instances: int) -> None:
    """It has a way of its own, and is not to become a consumer group."""
    members = [streams_member(f"s-{number}") for number in range(instances)]
    rule = RULES["cannot-migrate"]
    assert isinstance(rule, EndRule)
    step = record(1, *members, protocol="stream")
    (sign,) = rule.find(GroupEnd("g", 0, step=step), {})
    assert sign.evidence["what"] == "streams-assignor"
    assert "group.protocol=streams as a whole" in sign.explanation
    assert "s-" not in sign.explanation


def test_a_member_with_an_earlier_id_of_its_client_is_told_of_since_that_one() -> None:
    """As in the recorded group mixed.all.roundrobin: a dynamic member has a new id whenever it
    joins, and wrote the same bytes under the one before."""
    fold = GroupFold("c", "g")
    broken = [member(name, ["t-0"], metadata=b"\0\1\0\0", client="kgo") for name in ("k-1", "k-2")]
    steps = [
        record(1, broken[0]), record(2, member("a", ["t-0"])), record(3, member("a"), broken[1]),
    ]  # fmt: skip
    for step in steps:
        fold.observe(step)
    arrivals = fold.arrivals
    findings = fold.findings()
    end = GroupEnd("g", 0, step=fold.last, arrivals=arrivals, findings=findings)
    rule = RULES["cannot-migrate"]
    assert isinstance(rule, EndRule)
    (sign,) = rule.find(end, {})
    assert sign.evidence["member_id"] == "k-2" and sign.evidence["field"] == "subscription"
    assert sign.evidence["since"] == steps[0].place.timestamp < arrivals["k-2"].timestamp
    (told,) = (finding for finding in findings if finding.rule == "unreadable-member")
    assert told.first_seen == sign.evidence["since"]
    (alone,) = rule.find(GroupEnd("g", 0, step=fold.last, arrivals=arrivals), {})
    assert alone.evidence["since"] == arrivals["k-2"].timestamp
