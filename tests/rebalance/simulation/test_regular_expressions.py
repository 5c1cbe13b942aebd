"""Members that subscribe by a regular expression (KIP-848)."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from kproto.codec.messages import (
    ConsumerGroupHeartbeatResponse,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupRegularExpressionValue,
)
from kproto.fuzz.oracles.java import load_jpype
from kproto.rebalance.simulation import Run, ScenarioError, read_scenario
from kproto.rebalance.simulation import run as play
from kproto.rebalance.simulation.modern import regular_expressions
from kproto.rebalance.simulation.modern.regular_expressions import (
    ForeignExpressionError,
    InvalidExpressionError,
    compile_expression,
    resolve,
)
from tests.rebalance.simulation.written_records import WrittenRecord, run_with_records
from tests.schemas.java import FindClass

EXPRESSIONS = 20_000
PARTS = (
    *"abo.-_^$*+?|()[]{}é\\",
    r"\d", r"\w", r"\W", r"\s", r"\.", r"\-", r"\_", r"\1", r"\12", r"\Z", r"\z", r"\A", r"\b",
    r"\B", r"\Q", r"\E", r"\pL", r"\x41", r"\x{41}", r"\e", r"\N", r"\C", r"\G", r"\a", r"\f",
    "[a-c]", "[^a]", "[ab]", "[]a]", "[a-]", "[-a]", "[[:alpha:]]", "[b-a]", r"[\d-z]", "[a&&b]",
    r"[\w.]", r"[\b]", r"[a\]b]",
    "(?:", "(?P<n>", "(?<n>", "(?i)", "(?i:", "(?-i:", "(?s-i:", "(?U)", "(?x)", "(?m)", "(?)",
    "(?=", "(?!", "(?<=", "(?>", "(?#", "(?P=n)",
    "{2}", "{1,2}", "{,2}", "{2,}", "{2,1}", "{1001}", "orders",
)  # fmt: skip
TOPICS = ("a", "b", "ab", "aab", "orders", "orders-a", "o.o", "A", "AB", "_", "-", "a.b", "abab")

FILE = """
duration = 60
topics = { orders-eu = 4, orders-us = 2, clicks = 3 }
defaults = { protocol = "consumer" }
"""
TWO_MEMBERS = """
[[members]]
rack = "r1"
subscribed_topic_regex = "orders-.*"
[[members]]
subscribed_topic_regex = "orders-.*"
rack = "r2"
"""


def run(text: str) -> Run:
    return play(read_scenario(FILE + text, "regex.toml"))


def records(text: str) -> list[WrittenRecord]:
    return run_with_records(read_scenario(FILE + text, "regex.toml")).records


def owned(done: Run) -> dict[str, int]:
    """How many partitions of each topic are owned at the end."""
    found: dict[str, int] = {}
    for partitions in done.owned.values():
        for topic, _ in partitions:
            found[topic] = found.get(topic, 0) + 1
    return found


def test_expressions_match_what_they_match_for_the_broker(
    find: FindClass, rng: random.Random
) -> None:
    """Accepted means accepted by RE2J and the same matches; invalid means refused by RE2J."""
    pattern, jpype = find("com.google.re2j.Pattern"), load_jpype()
    seen = {"matched": 0, "invalid": 0}
    for _ in range(EXPRESSIONS):
        expression = "".join(rng.choice(PARTS) for _ in range(rng.randint(1, 5)))
        try:
            java = pattern.compile(expression)
        except jpype.JException:
            java = None
        try:
            ours = compile_expression(expression)
        except ForeignExpressionError:
            continue
        except InvalidExpressionError:
            assert java is None, expression
            seen["invalid"] += 1
            continue
        assert java is not None, expression
        for topic in TOPICS:
            assert bool(java.matches(topic)) == bool(ours.fullmatch(topic)), (expression, topic)
        seen["matched"] += 1
    assert min(seen.values()) > EXPRESSIONS // 20


NESTED = (
    "(a+)+$",
    "(a|a)*$",
    "(a|aa)+$",
    "(a?){30}a{30}",
    "a*a*a*a*a*a*a*b",
    "((a*)*)*b",
    "(?:a?)+b",
)


@pytest.mark.parametrize("expression", [*NESTED, ".*.*.*.*=", "(.*)(.*)(.*)(.*)z"])
def test_an_expression_that_backtracks_is_matched_in_linear_time(expression: str) -> None:
    """With Python's `re` most of these take longer than the age of the universe."""
    resolve(expression, ["a" * 240 + "!"])


def test_without_re2_only_plain_expressions_are_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular_expressions, "_load_re2", lambda: None)
    compile_expression.cache_clear()
    for expression in NESTED:
        with pytest.raises(ForeignExpressionError, match=r"RE2 alone, which is missing"):
            compile_expression(expression)
    for expression in ("orders-.*", ".*-dlq", "^a.*?b$", "a|b", "[a-c]+x[^z]*", r"a\.(b", r"a\(b"):
        with suppress(InvalidExpressionError):
            resolve(expression, ["a" * 240 + "!"])
    compile_expression.cache_clear()


def test_members_get_the_partitions_of_topics_that_match() -> None:
    done = run(TWO_MEMBERS)
    assert not done.findings
    assert owned(done) == {"orders-eu": 4, "orders-us": 2}


def test_the_broker_writes_expression_and_matches_and_racks() -> None:
    stored = records(TWO_MEMBERS)
    matches = [
        ConsumerGroupRegularExpressionValue.from_bytes(one.value)
        for one in stored
        if one.value is not None
        and int.from_bytes(one.key[:2], "big") == ConsumerGroupRegularExpressionKey.API_KEY
    ]
    assert [one.topics for one in matches] == [("orders-eu", "orders-us")]
    members = [
        ConsumerGroupMemberMetadataValue.from_bytes(one.value)
        for one in stored
        if one.value is not None
        and int.from_bytes(one.key[:2], "big") == ConsumerGroupMemberMetadataValue.API_KEY
    ]
    assert {(one.subscribed_topic_regex, one.rack_id) for one in members} == {
        ("orders-.*", "r1"),
        ("orders-.*", "r2"),
    }
    assert all(one.subscribed_topic_names == () for one in members)


def test_a_topic_that_is_created_later_is_found_when_expressions_are_matched_again() -> None:
    change = """
[[events]]
at = 30
do = "change topics"
topics = { orders-eu = 4, orders-us = 2, clicks = 3, orders-asia = 5 }
"""
    done = run(TWO_MEMBERS + change)
    assert not done.findings
    assert owned(done) == {"orders-eu": 4, "orders-us": 2, "orders-asia": 5}


def test_a_coordinator_that_takes_over_knows_what_expressions_matched() -> None:
    done = run(TWO_MEMBERS + '[[events]]\nat = 30\ndo = "fail over"\n')
    epochs = [one.at_ms for one in done.record.events if one.what == "generation"]
    assert not done.findings
    assert max(epochs) < 30_000
    assert owned(done) == {"orders-eu": 4, "orders-us": 2}


def test_what_an_expression_matched_is_forgotten_with_its_last_member() -> None:
    stored = records(TWO_MEMBERS + '[[events]]\nat = 30\ndo = "stop"\nmember = "all"\n')
    key = ConsumerGroupRegularExpressionKey
    last = [one for one in stored if key.API_KEY.to_bytes(2, "big") == one.key[:2]][-1]
    assert last.value is None
    assert key.from_bytes(last.key).regular_expression == "orders-.*"


def test_a_member_with_an_invalid_expression_is_refused_for_good() -> None:
    done = run('[[members]]\nsubscribed_topic_regex = "orders-(?!eu).*"\n')
    answers = [
        one.message.error_code
        for one in done.record.frames
        if isinstance(one.message, ConsumerGroupHeartbeatResponse)
    ]
    assert answers == [128]
    assert done.failed == ("a",)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ('[[members]]\nsubscribed_topic_regex = "\\\\pL+"', "an escape of RE2 alone"),
        ('[[members]]\nsubscribed_topic_regex = "a"\ntopics = ["clicks"]', "not both"),
        ('[[members]]\nsubscribed_topic_regex = ""', "expected a regular expression"),
        (
            '[[members]]\nprotocol = "classic"\nsubscribed_topic_regex = "a"',
            "a classic member has no 'subscribed_topic_regex'",
        ),
        (
            """
[[members]]
subscribed_topic_regex = "a"
[[events]]
at = 1
do = "subscribe"
member = "a"
subscribe = ["clicks"]
""",
            "it subscribes by an expression",
        ),
    ],
)
def test_what_is_refused_in_a_file(members: str, reason: str) -> None:
    with pytest.raises(ScenarioError, match=reason):
        run(members)
