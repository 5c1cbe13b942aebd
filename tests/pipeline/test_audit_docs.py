"""docs/audit.md names every rule as it is."""

from __future__ import annotations

from pathlib import Path

from kproto.pipeline.audit import RULES

PAGE = Path(__file__).parents[2] / "docs" / "audit.md"


def test_the_page_has_a_line_for_each_rule() -> None:
    lines = set(PAGE.read_text("utf-8").splitlines())
    for rule in RULES.values():
        limits = ", ".join(f"`{name}` {value:g}" for name, value in rule.thresholds.items())
        said = f"{rule.predicate} ({limits})" if limits else rule.predicate
        assert f"| `{rule.id}` | {rule.severity} | {said} |" in lines


def test_each_rule_says_what_to_do() -> None:
    for rule in RULES.values():
        for text in (rule.title, rule.meaning, rule.source, rule.predicate, rule.next_action):
            assert text
        assert set(rule.inputs) <= {"history", "commits", "targets", "topics", "ends", "states"}
