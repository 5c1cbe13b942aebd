"""Each rule says what its page needs."""

from __future__ import annotations

from kproto.pipeline.audit import RULES


def test_each_rule_says_what_to_do() -> None:
    for rule in RULES.values():
        for text in (rule.title, rule.meaning, rule.source, rule.predicate, rule.next_action):
            assert text
        assert set(rule.inputs) <= {"history", "commits", "targets", "topics", "ends", "states"}
