"""The commits that rules are given: objects of the groups that a rule may find something in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.pipeline.audit import END_RULES, EndRule, GroupEnd, RuleFailed
from kproto.pipeline.audit.group_state import GroupFacts
from kproto.pipeline.groups.commit_sums import lag_table
from kproto.pipeline.groups.commits_seen import CommitsSeen
from kproto.pipeline.groups.fleet import FLEET_ROWS
from kproto.pipeline.groups.options import Options, TopicFacts
from kproto.pipeline.tables.commits import CommitSummary
from tests.pipeline.audit_groups import commits_in, member, record
from tests.pipeline.test_audit_sizes import START
from tests.pipeline.test_lag import HOUR, bursts, histories, offsets, seen, steady

Steps = Sequence[tuple[int, int | None]]
CHOOSING = [rule for rule in END_RULES if rule.candidates is not None]


def lags_of(
    partitions: Sequence[Steps],
    end: int | None,
    start: int | None = None,
    facts: GroupFacts | None = None,
) -> pa.Table:
    """Rows of `lag` of the group "g", whose partitions all have one start and one end."""
    summary = CommitSummary()
    for number, commits in enumerate(partitions):
        summary.add(commits_in(offsets(commits, number)))
    ends = {} if end is None else dict.fromkeys(range(len(partitions)), end)
    starts = {} if start is None else dict.fromkeys(ends, start)
    topics = {"t": TopicFacts(partitions=9, ends=ends, starts=starts)}
    return lag_table(summary.table(), {} if facts is None else {"g": facts}, Options(topics=topics))


def timed(steps: Steps) -> list[tuple[int, int | None]]:
    """Commits at times, made of pauses."""
    commits, time = [], START
    for pause, offset in steps:
        time += pause
        commits.append((time, offset))
    return commits


@given(
    st.lists(histories.map(timed), min_size=1, max_size=3),
    st.sampled_from((None, 60, 5000)),
    st.sampled_from((0, HOUR, 90 * HOUR)),
    st.sampled_from((0, 1, 2)),
)
def test_a_rule_is_asked_wherever_it_finds_something(
    partitions: list[list[tuple[int, int | None]]], end: int | None, after: int, threshold: int
) -> None:
    commits = CommitsSeen(lags_of(partitions, end))
    now = max(commits[-1][0] for commits in partitions) + after
    step = record(1, member("a", [f"t-{number}" for number in range(3)]))
    group = GroupEnd("g", now, step=step, commits=commits.of("g"))
    for rule in CHOOSING:
        tuned = rule.tuned(**dict.fromkeys(rule.thresholds, threshold))
        for asked in (rule, tuned):
            if list(asked.find(group, asked.thresholds)):
                assert commits.asked([asked])("g") == [asked]


@given(
    st.lists(histories.map(timed), min_size=1, max_size=3),
    st.sampled_from((None, 60, 5000)),
    st.sampled_from((0, 30)),
    st.sampled_from((frozenset(), frozenset({"t"}), None)),
    st.booleans(),
)
def test_a_verdict_has_the_rows_in_which_late_rules_find_something(
    partitions: list[list[tuple[int, int | None]]],
    end: int | None,
    start: int,
    topics: frozenset[str] | None,
    is_vacant: bool,
) -> None:
    facts = GroupFacts(1, topics, [(START - 1, None)] if is_vacant else [])
    lags = lags_of(partitions, end, start, facts)
    now = max(commits[-1][0] for commits in partitions) + HOUR
    all_rows, some_rows = (
        GroupEnd("g", now, commits=CommitsSeen(rows).of("g"))
        for rows in (lags, lags.filter(FLEET_ROWS["lag"]))
    )
    for rule in CHOOSING:
        if rule.late:
            in_all = list(rule.find(all_rows, rule.thresholds))
            assert list(rule.find(some_rows, rule.thresholds)) == in_all


def test_rules_are_not_asked_about_groups_without_candidates() -> None:
    asked = CommitsSeen(lags_of([steady(), steady()], 71_900)).asked(CHOOSING)
    assert asked("g") == asked("another") == []
    asked = CommitsSeen(lags_of([bursts(8)], 19_100)).asked(CHOOSING)
    assert [rule.id for rule in asked("g")] == ["scheduled-consumer"]


def test_a_rule_without_candidates_is_asked_about_every_group() -> None:
    rule = replace(CHOOSING[0], candidates=None)
    asked = CommitsSeen(lags_of([steady()], None)).asked([rule])
    assert asked("g") == asked("another") == [rule]


def test_commits_are_as_the_table_has_them() -> None:
    partitions = [steady(), [*steady(), (START + 3 * HOUR, 400)], bursts(3)]
    commits = CommitsSeen(lags_of(partitions, 900))
    expected = [seen(partition, 900, number) for number, partition in enumerate(partitions)]
    assert list(commits.of("g")) == expected
    assert commits.of("g")[1] == expected[1]
    assert (len(commits.of("g")), len(commits.of("another"))) == (3, 0)
    assert commits.groups == ["g"]


def test_candidates_that_fail_are_the_rules_error() -> None:
    def broken(_: pa.Table, __: object) -> pa.ChunkedArray:
        raise KeyError("lags")

    rule: EndRule = replace(CHOOSING[0], candidates=broken)
    with pytest.raises(RuleFailed, match=f"the rule {rule.id} failed, asked about all commits"):
        CommitsSeen(lags_of([steady()], None)).asked([rule])
