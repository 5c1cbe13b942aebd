"""Storms of groups whose broker assigns: what is one, what is none, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kproto.codec import (
    ShareGroupMemberMetadataKey,
    ShareGroupMemberMetadataValue,
    ShareGroupMetadataKey,
    ShareGroupMetadataValue,
)
from kproto.pipeline.audit import Finding
from kproto.tools.main import main
from tests.capture.test_segments import batch
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


def test_members_of_a_share_group_come_and_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their records have neither an instance id nor a timeout."""
    member = ShareGroupMemberMetadataKey(group_id="g", member_id="m").to_bytes()
    says = ShareGroupMemberMetadataValue(client_id="c", client_host="/h").to_bytes(version=0)
    group = ShareGroupMetadataKey(group_id="g").to_bytes()
    values = []
    for epoch, about_member in enumerate((says, None, says), start=1):
        values += [about_member, ShareGroupMetadataValue(epoch=epoch).to_bytes(version=0)]
    segment = tmp_path / "00000000000000000000.log"
    segment.write_bytes(batch(0, values, keys=[member, group] * 3))
    assert main(["story", "--json", str(segment)]) == 0
    story = json.loads(capsys.readouterr().out)
    causes = [epoch["causes"][0]["cause"] for epoch in story["groups"][0]["rebalances"]]
    assert causes == ["member-joined", "member-left", "member-joined"]
