"""Each rule says what its page needs; nothing is advised as a step that nobody has carried out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.clients.catalog import walks
from kproto.history.causes import CAUSES
from kproto.pipeline.audit import RULES
from kproto.pipeline.groups.options import INPUTS
from kproto.rebalance.judgements import JUDGEMENTS
from kproto.rebalance.migration.reasons import EXPLANATIONS, Explanation
from kproto.rebalance.shares import OF_SHARES
from tests.broker.test_advice import ADVICE

ROOT = Path(__file__).parents[2]
_STEP = re.compile(
    r"\b(add|choose|create|finish|force|give|let|lower|move|raise|replace|restart|set|shorten|start|"
    r"stop|switch|subscribe once|take|update|upgrade|with a|delete-offsets)\b"
)
"""Words of what changes something; the other sentences say where to look."""
PLANS = "tests/broker/test_plans.py::test_plan"
OFFSETS = "tests/broker/test_offsets.py::test_the_commands_of_a_finding_set_the_offsets"
STORIES = "tests/broker/test_remedies.py::test_what_a_story_says_to_do"
MIGRATIONS = "tests/broker/test_remedies.py::test_what_migrate_says_to_do"
FAULTS = "tests/broker/test_known_faults.py"
ELSEWHERE = {
    "cannot-migrate": PLANS,
    "old-protocol": PLANS,
    "mixed-group-types": PLANS,
    "offset-deleted": OFFSETS,
    "offset-rewound": OFFSETS,
    "offset-skipped": OFFSETS,
    "offset-out-of-range": OFFSETS,
    "instance-id-twice": "tests/broker/test_advice.py::test_advice",  # of static-ping-pong
    "instance-id-used-twice": "tests/broker/test_advice.py::test_advice",  # of static-ping-pong
    "unreadable-subscription": "tests/broker/test_advice.py::test_advice",  # of unreadable-member
    "groups-left-behind": "tests/broker/test_remedies.py::test_what_fills_the_offsets_topic",
    "offsets-topic-share": "tests/broker/test_remedies.py::test_what_fills_the_offsets_topic",
    "offsets-expired": "tests/broker/test_remedies.py::test_offsets_that_are_kept_longer",
    "broker-fault": f"{FAULTS}::test_a_fault_of_a_broker",
    "client-fault": f"{FAULTS}::test_a_leader_that_divides_for_longer_than_its_session",
    "slow-revoke-callback": STORIES,
    "group-record-too-large": STORIES,
    "probing-rebalance": "tests/broker/test_remedies.py::test_a_copy_of_the_state_that_may_lag",
    "rebalance-timeout-unset": "tests/broker/test_remedies.py::"
    "test_a_rebalance_timeout_that_is_set",
    "no-common-assignor": "tests/broker/test_plans.py::test_one_member_left_out_of_the_first_round",
}
"""Advice that another test carries out."""
_REMEDY = re.compile(
    r"(?:^|[.,] |or |then )"
    r"(let|move|raise|rebalance|remove|replace|run|set|start|stop|switch|use) ",
    re.IGNORECASE,
)
FORETOLD = "tests/broker/test_migration.py::test_every_prediction_is_what_the_broker_answers"
"""Groups of any size and bytes, under several settings of the broker: with what a remedy asks for,
and without it."""
OF_POLICIES = (
    "tests/broker/test_migration_facts.py::test_an_empty_group_converts_under_any_policy_and_then_"
    "classic_members_may_be_refused"
)
REMEDIES = {
    "assignor-not-known": FORETOLD,
    "group-too-large": FORETOLD,
    "group-full": FORETOLD,
    "upgrade-disabled": "tests/broker/test_migration_facts.py::"
    "test_the_first_new_member_converts_and_the_last_one_takes_it_back",
    "classic-members-refused": OF_POLICIES,
    "custom-assignor": MIGRATIONS,
    "malformed-assignment": MIGRATIONS,
    "unreadable-assignment": MIGRATIONS,
    "partition-assigned-twice": MIGRATIONS,
    "partition-out-of-range": MIGRATIONS,
    "malformed-subscription": MIGRATIONS,
    "unreadable-subscription": "tests/broker/test_remedies.py::"
    "test_a_rebalance_that_is_never_answered",
    "rejoin-fails": "tests/broker/test_remedies.py::test_a_member_that_could_not_rejoin",
    "protocol-disabled": "tests/broker/test_remedies.py::"
    "test_a_broker_that_serves_the_next_protocol",
    "streams-assignor": PLANS,
    "static-restart-refused": "tests/broker/test_static_restarts.py::"
    "test_a_static_member_that_was_killed",
}
"""What `migrate` says to do, and the test that carries it out."""


def advice() -> Iterator[tuple[str, str]]:
    """What rules, causes and remarks advise."""
    yield from ((rule.id, rule.next_action) for rule in RULES.values())
    yield from ((word, facts.advice) for word, facts in CAUSES.items() if facts.advice)
    yield from ((row.code, row.advice) for row in (*JUDGEMENTS, *OF_SHARES) if row.advice)


def test_each_rule_says_what_to_do() -> None:
    for rule in RULES.values():
        for text in (rule.title, rule.meaning, rule.source, rule.predicate, rule.next_action):
            assert text
        assert set(rule.inputs) <= INPUTS
        assert not any(f"`{name}`" in rule.condition for name in rule.thresholds)


def test_a_rule_says_its_numbers_in_its_condition() -> None:
    """Those that it was tuned to, with their units."""
    tuned = RULES["slow-poll"].tuned(times=7, above=0.25)
    assert "left at least 7 times when" in tuned.condition and "up to 25 % of" in tuned.condition
    assert "joined 5 times or more within 1 h," in RULES["flapping-member"].condition
    assert "alternates once between" in RULES["static-ping-pong"].condition


@pytest.mark.parametrize(("name", "text"), [*dict.fromkeys(advice())])
def test_a_step_that_is_advised_was_carried_out_or_says_that_it_was_not(
    name: str, text: str
) -> None:
    tried = {row.rule for row in ADVICE} | {row.cause for row in ADVICE} | ELSEWHERE.keys()
    is_step = _STEP.search(text.lower()) is not None
    assert name in tried or not is_step or "(kproto's tests did not try it)" in text
    assert "(kproto's tests did not try it)" not in text or is_step


@pytest.mark.parametrize(("kind", "explanation"), EXPLANATIONS.items(), ids=EXPLANATIONS)
def test_a_remedy_of_migrate_was_carried_out_or_says_that_it_was_not(
    kind: str, explanation: Explanation
) -> None:
    """What has several ways may have been tried in one of them."""
    remedy = explanation.remedy
    is_step = _REMEDY.search(remedy) is not None
    assert (kind in REMEDIES or "(kproto's tests did not try it)" in remedy) == is_step
    if kind in REMEDIES:
        assert not remedy.partition(". ")[0].endswith("(kproto's tests did not try it)")


def test_the_tests_that_are_named_are_there() -> None:
    assert REMEDIES.keys() <= EXPLANATIONS.keys()
    for name in (*ELSEWHERE.values(), *REMEDIES.values()):
        path, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / path).read_text()
    assert {row.cause for row in ADVICE} - {""} <= CAUSES.keys()
    assert {walk.route for walk in walks()} >= {"one-by-one", "from-empty"}
