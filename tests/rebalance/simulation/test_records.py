"""The records that a simulated broker writes say all that its coordinator knows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from kproto.codec import messages
from kproto.codec.runtime.message import VersionedMessage
from kproto.rebalance.simulation import built_in_scenarios, read_scenario
from kproto.rebalance.simulation.modern import broker
from kproto.rebalance.simulation.modern.group_state import ConsumerGroup
from tests.rebalance.simulation.written_records import (
    NO_GROUP,
    WrittenRecord,
    group_of,
    records_between,
    run_with_records,
)

CHANGES = """
duration = 90
topics = { orders = 6, clicks = 4 }
broker = { standby_replicas = 1 }
defaults = { protocol = "%s" }

[[members]]
count = 3
rack = "r1"
[[members]]
name = "late"
start = 20

[[events]]
at = 30
do = "crash"
member = "a"
[[events]]
at = 40
do = "change topics"
topics = { orders = 8, clicks = 4 }
[[events]]
at = 50
do = "bounce"
member = "b"
takes = 2
[[events]]
at = 60
do = "fail over"
"""
MATCHING = CHANGES.replace("[[members]]", '[[members]]\nsubscribed_topic_regex = "o.*"')
STATEFUL = """
[[subtopologies]]
topics = ["orders"]
stateful = true
[[subtopologies]]
topics = ["clicks"]
"""
RUNS = {
    "consumer": CHANGES % "consumer",
    "expressions": MATCHING % "consumer",
    "share": CHANGES % "share",
    "streams": CHANGES % "streams" + STATEFUL,
    "topology without its topics": CHANGES.replace("orders = 8, ", "") % "streams",
    **{
        name: built_in_scenarios()[name]
        for name in ("consumer-protocol", "share-group", "streams-standby")
    },
}


@pytest.mark.parametrize("name", RUNS)
def test_a_group_is_read_back_from_its_records_after_every_step(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups: list[ConsumerGroup] = [NO_GROUP]
    original = broker.step

    def step(settings: Any, topics: Any, group: Any, event: Any) -> Any:
        after, actions = original(settings, topics, group, event)
        if isinstance(after, ConsumerGroup) and after is not groups[-1]:
            groups.append(after)
        return after, actions

    monkeypatch.setattr(broker, "step", step)
    scenario = read_scenario(RUNS[name], name)
    written = run_with_records(scenario).records
    topics = set(scenario.topics)
    assert group_of(written, topics) == groups[-1].recovered()
    so_far: list[WrittenRecord] = []
    for before, after in pairwise(groups):
        so_far += records_between(before.recovered(), after.recovered())
        assert group_of(so_far, topics) == after.recovered()
    assert len(groups) > 10


def values(name: str, kind: type[VersionedMessage]) -> list[Any]:
    """Return the values of a kind that a run has written."""
    assert kind.API_KEY is not None
    number = kind.API_KEY.to_bytes(2, "big")
    return [
        kind.from_bytes(one.value)
        for one in run_with_records(read_scenario(RUNS[name], name)).records
        if one.key[:2] == number and one.value is not None
    ]


def test_streams_groups_write_their_topology_once_and_states_by_the_numbers_of_streams() -> None:
    [topology] = values("streams", messages.StreamsGroupTopologyValue)
    assert [one.source_topics for one in topology.subtopologies] == [("orders",), ("clicks",)]
    current = values("streams", messages.StreamsGroupCurrentMemberAssignmentValue)
    assert {one.state for one in current} <= {1, 2, 3}
    assert current[-1].state == 1
    assert any(one.standby_tasks for one in current)


def test_the_epoch_of_a_streams_group_says_whether_its_topology_is_valid() -> None:
    epochs = values("topology without its topics", messages.StreamsGroupMetadataValue)
    assert [one.validated_topology_epoch for one in epochs][:: len(epochs) - 1] == [0, -1]
    assert epochs[0].last_assignment_configs[0].value == "1"


def test_share_groups_write_racks_and_the_partitions_that_members_share() -> None:
    members = values("share", messages.ShareGroupMemberMetadataValue)
    assert {one.rack_id for one in members} == {"r1", None}
    current = values("share", messages.ShareGroupCurrentMemberAssignmentValue)
    assert {one.state for one in current} == {0}
    assert any(one.assigned_partitions for one in current)
