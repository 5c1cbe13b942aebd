"""Storms of groups whose broker assigns: what is one, what is none, and why."""

from __future__ import annotations

import pytest

from kproto.pipeline.audit import Finding
from tests.pipeline import drawn_broker_storms
from tests.pipeline.drawn_broker_groups import BrokerGroup, StreamsGroup
from tests.pipeline.drawn_groups import HOUR, START, Sizes, seeded

KINDS = (BrokerGroup, StreamsGroup)


def small(kind: type[BrokerGroup], *, static: bool = False) -> BrokerGroup:
    """Three members, each on a host of its own."""
    group = kind(seeded("small"), Sizes(3, 6, 1000, HOUR))
    group.places = "host each"
    group.begin(static=static)
    return group


def churn(group: BrokerGroup) -> dict[str, Finding]:
    rules = {"rebalance-storm", "flapping-member", "slow-poll"}
    return {rule: finding for rule, finding in group.findings().items() if rule in rules}


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_that_comes_back_again_and_again(kind: type[BrokerGroup]) -> None:
    group, at = small(kind), START + 60_000
    member = group.consumers[0]
    for _ in range(90):
        member = drawn_broker_storms.again(group, member, at, 2000)
        at += 9000
    group.judged_at = at
    found = churn(group)
    assert found.keys() == {"rebalance-storm", "flapping-member"}
    storm = found["rebalance-storm"]
    assert (storm.severity, storm.cause, storm.status) == ("warning", "crash-loop", "open")
    assert "180 epochs in " in storm.explanation
    assert storm.evidence["stays"] == 90
    assert "session-expired" in storm.rivals


@pytest.mark.parametrize("kind", KINDS)
def test_a_static_member_that_restarts_changes_no_epoch(kind: type[BrokerGroup]) -> None:
    group, at = small(kind, static=True), START + 60_000
    for _ in range(30):
        group.restart_static(group.consumers[0], at, 2000)
        at += 20_000
    for _ in range(2):  # epochs of something else
        group.change(at)
        at += 20_000
    group.judged_at = at
    assert not churn(group)


def test_a_deploy_is_no_storm() -> None:
    group, at = small(BrokerGroup), START + 60_000
    for member in [*group.consumers]:
        drawn_broker_storms.again(group, member, at, 2000)
        at += 9000
    group.judged_at = at
    assert not churn(group)


def test_a_group_that_was_deleted_begins_anew() -> None:
    group = small(BrokerGroup)
    for number in range(4):
        at = START + 60_000 + number * 30_000
        group.empty(at)
        group.delete(at + 1000)
        group.fill(at + 2000)
    group.judged_at = START + HOUR
    assert not churn(group)
