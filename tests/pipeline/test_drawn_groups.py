"""Rules at any size, in short: what `tests.benchmarks.bench_rules` measures on many more groups."""

from __future__ import annotations

import pytest

from kproto.pipeline.audit import Severity
from kproto.pipeline.audit.rules import FLEET_RULES, RULES
from tests.pipeline.drawn_groups import seeded
from tests.pipeline.drawn_troubles import (
    NOT_DRAWN,
    RELATIONS,
    TROUBLES,
    healthy,
    is_found,
    is_silenced,
)

SEEDS = range(2)


def test_each_rule_about_a_group_has_its_trouble() -> None:
    drawn = {*TROUBLES, "unassigned-partition", "unassigned-for-long"} - {"unassigned"}
    assert drawn | NOT_DRAWN == RULES.keys() - {rule.id for rule in FLEET_RULES}


@pytest.mark.parametrize("rule", TROUBLES)
def test_a_trouble_is_found(rule: str) -> None:
    draw, severity = TROUBLES[rule]
    assert all(is_found(rule, draw(seeded(f"short.{seed}")), severity) for seed in SEEDS)


@pytest.mark.parametrize(
    "seed", [*SEEDS, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]
)
def test_healthy_groups_are_not_alarming(seed: int) -> None:
    findings = healthy(seeded(f"short.{seed}")).findings()
    assert not {rule for rule, each in findings.items() if each.severity is not Severity.INFO}


@pytest.mark.parametrize("rule", TROUBLES)
def test_more_of_all_silences_nothing(rule: str) -> None:
    draw, _ = TROUBLES[rule]
    for relation, others in RELATIONS.items():
        if rule not in others:
            assert not is_silenced(rule, relation, draw(seeded("short.0"))), relation
