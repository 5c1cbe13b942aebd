"""Rules at any size, in short: what `tests.benchmarks.bench_rules` measures on many more groups."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kproto.pipeline.audit import Severity
from tests.pipeline.drawn_groups import DrawnGroup, seeded
from tests.pipeline.drawn_troubles import TROUBLES, healthy, is_found

SEEDS = range(3)
OF_MEMBERS = (
    "rebalance-storm", "flapping-member", "static-ping-pong", "protocol-changed", "double-claim",
    "stale-claim", "cooperative-violation", "unreadable-member",
)  # fmt: skip


@pytest.mark.parametrize("rule", TROUBLES)
def test_a_trouble_is_found(rule: str) -> None:
    draw, severity = TROUBLES[rule]
    assert all(is_found(rule, draw(seeded(f"short.{seed}")), severity) for seed in SEEDS)


def test_healthy_groups_are_not_alarming() -> None:
    for seed in range(30):
        findings = healthy(seeded(f"short.{seed}")).findings()
        loud = {rule for rule, each in findings.items() if each.severity is not Severity.INFO}
        assert not loud, seed


MORE = [
    *((DrawnGroup.after_more_history, rule) for rule in TROUBLES),
    *((DrawnGroup.twice_as_fast, rule) for rule in OF_MEMBERS),
    *((DrawnGroup.with_bystanders, rule) for rule in TROUBLES if rule != "leftover-commits"),
]


@pytest.mark.parametrize(("more", "rule"), MORE)
def test_more_of_all_silences_nothing(more: Callable[[DrawnGroup], None], rule: str) -> None:
    """Half of the time is half of a silence, and bystanders subscribe to the topic."""
    draw, severity = TROUBLES[rule]
    group = draw(seeded("short.0"))
    more(group)
    assert is_found(rule, group, severity)
