"""The table of judgements: what `kproto group` remarks on, and the audit's rules for the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kproto.history.causes import CAUSES
from kproto.inspector.diagnose.levels import LEVELS
from kproto.inspector.shapes.group_shapes import Committed, Group, Member
from kproto.inspector.shapes.shape import HexBytes
from kproto.pipeline.audit import FleetRule
from kproto.pipeline.audit.rules import RULES
from kproto.rebalance.claims import Overlap
from kproto.rebalance.judgements import (
    JUDGEMENTS,
    ONLY_IN_HISTORY,
    ONLY_LIVE,
    seconds_behind,
    stale_claims,
    void_claims,
)
from kproto.rebalance.shares import OF_SHARES
from kproto.tools.main import main
from tests.pipeline.audit_groups import assignment, subscription


def test_each_row_has_a_level_and_rules_that_are_there() -> None:
    assert {judgement.level for judgement in JUDGEMENTS} <= set(LEVELS)
    assert all(row.rules or (row.title and row.advice) for row in (*JUDGEMENTS, *OF_SHARES))
    assert {rule for judgement in JUDGEMENTS for rule in judgement.rules} <= RULES.keys()


def test_the_table_has_every_rule_about_one_group() -> None:
    """What one look cannot tell, `kproto group` says, with the command that can; and the audit says
    what only a look can."""
    of_look = {rule for judgement in JUDGEMENTS for rule in judgement.rules}
    of_look |= {"cannot-migrate", "client-setting"}
    of_groups = {id_ for id_, rule in RULES.items() if not isinstance(rule, FleetRule)}
    assert of_look | set(ONLY_IN_HISTORY) == of_groups
    assert not of_look & set(ONLY_IN_HISTORY)
    assert ONLY_LIVE == ("away",)


@pytest.mark.parametrize("code", ["nobody-has", "claims-contradict", "reconciling"])
def test_a_remark_is_explained_by_its_rule(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", code]) == 0
    rule = next(row.rules[0] for row in JUDGEMENTS if row.code == code)
    assert capsys.readouterr().out.startswith(f"{rule}: ")


def test_claims_of_one_generation_are_void_and_older_ones_stale() -> None:
    """KIP-792: the newest claim wins, and of equals none does."""
    void = Overlap(("t", 0), (("a", 3), ("b", 3), ("c", 1)), None)
    ranked = Overlap(("t", 1), (("a", 4), ("b", 3)), "a")
    assert list(void_claims([void, ranked])) == [(("t", 0), ("a", "b"))]
    stale = [(member, generation) for member, generation, _ in stale_claims([void, ranked])]
    assert stale == [("c", 1), ("b", 3)]


def test_an_assignment_in_the_metadata_of_a_member_is_in_the_wrong_place() -> None:
    """An assignment of the partitions 0 and 1 alone may be a subscription with user data in no
    known layout, too: a reading without a deviation comes first. An empty one is both."""
    sound, given = subscription(), assignment(["t-0", "t-3", "t-4"])
    empty = assignment([])
    members = (
        Member("a", "a", "h", metadata=HexBytes(sound), assignment=HexBytes(given)),
        Member("b", "b", "h", metadata=HexBytes(given), assignment=HexBytes(given)),
        Member("c", "c", "h", metadata=HexBytes(sound), assignment=HexBytes(sound)),
        Member("d", "d", "h", metadata=HexBytes(assignment(["t-0", "t-1"]))),
        Member("e", "e", "h", metadata=HexBytes(empty), assignment=HexBytes(empty)),
        Member("f", "f", "h"),
    )
    group = Group("g", "classic", "Stable", "consumer", "range", members=members)
    find = next(judgement.find for judgement in JUDGEMENTS if judgement.code == "wrong-place")
    assert {(fact.member_id, fact.text.split()[1]) for fact in find(group)} == {
        ("b", "subscription"), ("c", "assignment"), ("d", "subscription"),
    }  # fmt: skip
    assert not list(find(replace(group, protocol_type="mystery")))


@pytest.mark.parametrize(
    ("epoch", "codes"), [(-2, {"away"}), (3, {"reconciling"}), (5, {"waiting"})]
)
def test_a_static_member_that_has_closed_is_away(epoch: int, codes: set[str]) -> None:
    """KIP-848: at epoch -2 its partitions wait for it, and nobody waits for what it does."""
    there = Member("b-1", "b", "h", assigned={"t": (2, 3)}, target={"t": (2, 3)}, epoch=5,
                   protocol="consumer", topics=("t",))  # fmt: skip
    member = Member("a-1", "a", "h", "a", assigned={"t": (0,)}, target={"t": (0, 1)}, epoch=epoch,
                    protocol="consumer", topics=("t",))  # fmt: skip
    group = Group("g", "consumer", "Stable", "consumer", "uniform", epoch=5, assigned_epoch=5,
                  members=(member, there))  # fmt: skip
    remarks = {
        judgement.code: [fact.member_id for fact in judgement.find(group)]
        for judgement in JUDGEMENTS
    }
    of_member = {code for code, ids in remarks.items() if "a-1" in ids}
    assert of_member & {"away", "reconciling", "waiting"} == codes


@pytest.mark.parametrize("word", ["metadata-flapping", "two-clusters-in-one-group", "unknown"])
def test_a_cause_is_explained(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{word}: ") and "Certain by" in out
    assert ("What to do first" in out) == bool(CAUSES[word].advice)


@given(st.integers(0, 10**7), st.floats(0.01, 10**5), st.floats(0, 10**5))
def test_a_group_that_is_outpaced_is_given_no_time(lag: int, pace: float, arriving: float) -> None:
    """The same for a group that is looked at twice as for its history."""
    row = Committed("t", 0, 0, lag, lag, arrivals_a_second=arriving, commits_a_second=pace)
    group = Group("g", "classic", "Stable", partitions=(row,))
    find = next(judgement.find for judgement in JUDGEMENTS if judgement.code == "falling-behind")
    facts = list(find(group))
    takes = seconds_behind(lag, pace, arriving)
    assert bool(facts) == (lag >= 1000 and (takes is None or takes > 600))
    for fact in facts:
        assert ("never catches up" in fact.text) == (pace - arriving <= arriving / 100)
    unknown = Group("g", "classic", "Stable", partitions=(replace(row, commits_a_second=None),))
    assert not list(find(unknown))
