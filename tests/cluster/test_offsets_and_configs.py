"""What a coordinator tells besides a group's description: where share groups read, settings, and
which requests it knows. Asked live, and read from what --save kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kproto.cluster import Group, describe_group
from kproto.cluster.connection.wire import API_VERSIONS
from kproto.cluster.migration import GroupAddress, plan
from kproto.cluster.what_if import Timeouts, futures, parse_wish
from kproto.codec import (
    ConsumerGroupHeartbeatResponse,
    DescribeConfigsResponse,
    DescribeShareGroupOffsetsResponse,
    ListGroupsResponse,
    Message,
    ShareGroupDescribeResponse,
)
from kproto.inspector.shapes.shape import json_line
from kproto.tools.main import main
from tests.cluster.brokers import listening
from tests.cluster.groups import Groups, group, member

CLUSTER_REFUSED, GROUP_REFUSED = 31, 30
OF_COORDINATOR = {
    "group.consumer.migration.policy": "upgrade",
    "group.consumer.assignors": "org.apache.kafka.coordinator.group.assignor.RangeAssignor",
    "group.consumer.max.size": "no number",
}
OF_GROUP = {"consumer.heartbeat.interval.ms": "2000"}


class Configured(Groups):
    """A broker that tells settings, of itself and of groups; `refusals` are error codes by the type
    of the resource. It has the share group `shared`, with a start offset of 3 and a lag of 7 in
    partition 1 and neither in partition 0."""

    def __init__(self, refusals: dict[int, int] | None = None, **options: Any) -> None:
        shares: dict[str, tuple[int, ...]] = {"orders": (0, 1, 2, 3, 4, 5)}
        super().__init__(group("payments", member("a", assigned=shares)), **options)
        self.refusals = refusals or {}
        self.secret = "hunter2"  # noqa: S105  # of nobody
        self.answers |= {
            "ConsumerGroupHeartbeat": lambda request, version: ConsumerGroupHeartbeatResponse(),
            "DescribeConfigs": self._configs,
            "DescribeShareGroupOffsets": self._share_offsets,
            "ListGroups": self._list_both,
            "ShareGroupDescribe": self._describe_shares,
        }

    def _configs(self, request: Any, version: int) -> Message:
        cls = DescribeConfigsResponse
        (asked,) = request.resources
        told = OF_COORDINATOR if asked.resource_type == 4 else OF_GROUP
        entry = cls.DescribeConfigsResourceResult
        configs = tuple(
            entry(name=name, value=value)
            for name, value in told.items()
            if asked.configuration_keys is None or name in asked.configuration_keys
        )
        hidden = entry(name="password", value=self.secret, is_sensitive=True)
        error = self.refusals.get(asked.resource_type, 0)
        result = cls.DescribeConfigsResult(
            error_code=error,
            resource_type=asked.resource_type,
            resource_name=asked.resource_name,
            configs=() if error else (*configs, hidden),
        )
        return cls(results=(result,))

    def _list_both(self, request: Any, version: int) -> Message:
        cls = ListGroupsResponse
        kinds = {"payments": "classic", "shared": "share"}
        return cls(
            groups=tuple(
                cls.ListedGroup(group_id=name, group_type=kind, group_state="Stable")
                for name, kind in kinds.items()
            )
        )

    def _describe_shares(self, request: Any, version: int) -> Message:
        cls = ShareGroupDescribeResponse
        entry = cls.TopicPartitions(topic_name="orders", partitions=(0, 1))
        has = cls.Member(
            member_id="m",
            client_id="c",
            client_host="/h",
            subscribed_topic_names=("orders",),
            assignment=cls.Assignment(topic_partitions=(entry,)),
        )
        return cls(
            groups=tuple(
                cls.DescribedGroup(group_id=name, group_state="Stable", members=(has,))
                if name == "shared"
                else cls.DescribedGroup(group_id=name, error_code=69)
                for name in request.group_ids
            )
        )

    def _share_offsets(self, request: Any, version: int) -> Message:
        cls = DescribeShareGroupOffsetsResponse
        of = cls.DescribeShareGroupOffsetsResponsePartition
        known = of(partition_index=1, start_offset=3, leader_epoch=5, lag=7)
        partitions = (of(partition_index=0, start_offset=-1, leader_epoch=-1), known)
        topic = cls.DescribeShareGroupOffsetsResponseTopic(
            topic_name="orders", partitions=partitions
        )
        named = cls.DescribeShareGroupOffsetsResponseGroup
        error = self.refusals.get(0, 0)
        return cls(
            groups=tuple(
                named(group_id=each.group_id, topics=() if error else (topic,), error_code=error)
                for each in request.groups
            )
        )


def configured(refusals: dict[int, int] | None = None, name: str = "payments") -> Group:
    with listening(Configured(refusals)) as address:
        return describe_group(name, address, {}, settings=True)


# -- share groups


def test_where_a_share_group_reads() -> None:
    found = configured(name="shared")
    assert found.lag == 7
    read = [(each.start, each.lag, each.offset, each.leader_epoch) for each in found.partitions]
    assert read == [(None, None, None, None), (3, 7, None, 5), *[(None,) * 4] * 4]


def test_a_broker_that_does_not_tell_the_lag() -> None:
    """Version 0 of the answer, of Apache Kafka 4.0 and 4.1, has none."""
    with listening(Configured(versions={"DescribeShareGroupOffsets": 0})) as address:
        found = describe_group("shared", address, {})
    assert (found.partitions[1].start, found.lag) == (3, None)


def test_share_groups_in_the_list_and_their_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    for broker, lag in ((Configured(), 7), (Configured({0: GROUP_REFUSED}), None)):
        with listening(broker) as address:
            assert main(["group", "--bootstrap-server", address, "--json"]) == 0
            shown = capsys.readouterr()
            rows = {row["group"]: row for row in map(json.loads, shown.out.splitlines())}
            assert rows["shared"]["lag"] == lag
            missing = "lacks DESCRIBE on GROUP 'shared' (DescribeShareGroupOffsets)"
            assert (missing in shown.err) == (lag is None)
            assert main(["group", "shared", "--bootstrap-server", address]) == 0
            text = capsys.readouterr().out
            assert "starts at" in text and "committed" not in text
            assert (missing in text) == (lag is None)


# -- settings


def test_settings_of_the_group_and_its_coordinator() -> None:
    found = configured()
    assert found.settings == OF_COORDINATOR | OF_GROUP and not found.settings_problem
    assert "hunter2" not in str(json_line(found))
    made = plan(found, "consumer", GroupAddress())
    assert made.back[0].do.startswith("None"), "the policy is upgrade"
    assert not any("bidirectional" in step.do for step in made.steps)
    assert "the coordinator has group.consumer.migration.policy=upgrade" in made.notes[0]
    assert "group.consumer.assignors=range" in made.notes[0]
    overruled = plan(
        found, "consumer", GroupAddress(), {"group.consumer.migration.policy": "disabled"}
    )
    assert overruled.error == "GROUP_ID_NOT_FOUND"


def test_the_heartbeat_interval_of_the_group() -> None:
    _, future = futures(configured(), [parse_wish("protocol=consumer")])
    assert any("2 s, which is its consumer.heartbeat.interval.ms" in note for note in future.notes)


@pytest.mark.parametrize(
    ("refusals", "missing"),
    [
        ({4: CLUSTER_REFUSED}, "lacks DESCRIBE_CONFIGS on CLUSTER (DescribeConfigs)"),
        ({32: GROUP_REFUSED}, "lacks DESCRIBE_CONFIGS on GROUP 'payments' (DescribeConfigs)"),
    ],
)
def test_settings_that_may_not_be_asked(refusals: dict[int, int], missing: str) -> None:
    found = configured(refusals)
    assert missing in found.settings_problem and not found.problems
    if 4 in refusals:
        assert missing in plan(found, "consumer", GroupAddress()).notes[0]
    else:
        _, future = futures(found, [parse_wish("protocol=consumer")])
        assert any(missing in note for note in future.notes)


def test_a_migration_asks_the_brokers_for_their_settings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = "group.consumer.migration.policy"
    monkeypatch.setitem(OF_COORDINATOR, policy, "disabled")
    with listening(Configured()) as address:
        words = ["migrate", f"kafka://{address}"]
        assert main(words) == 1
        text = capsys.readouterr().out
        assert f"{policy} is disabled" in text and "assumed" not in text
        assert main([*words, "--set", f"{policy}=upgrade"]) == 0
        assert f"{policy} is disabled" not in capsys.readouterr().out


def test_a_migration_says_why_it_does_not_know_the_settings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with listening(Configured({4: CLUSTER_REFUSED})) as address:
        assert main(["migrate", f"kafka://{address}"]) == 0
    shown = capsys.readouterr()
    assert "lacks DESCRIBE_CONFIGS on CLUSTER (DescribeConfigs)" in shown.err
    assert "defaults are assumed" in shown.out


def test_the_members_timeouts_are_those_of_the_clients_settings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    config = tmp_path / "client.properties"
    config.write_text("session.timeout.ms=7000\nmax.poll.interval.ms=many\n")
    words = ["group", "payments", "--what-if", "join=1", "--command-config", str(config)]
    with listening(Configured()) as address:
        assert main([*words, "--bootstrap-server", address, "--json"]) == 0
    notes = json.loads(capsys.readouterr().out.splitlines()[1])["notes"]
    assert any("session.timeout.ms=7000" in note for note in notes)
    assumed = "heartbeat.interval.ms, max.poll.interval.ms are assumed"
    assert any(assumed in note for note in notes)


def test_nothing_is_assumed_where_all_is_told() -> None:
    told = Timeouts(6, 60, 2, told=("session.timeout.ms", "heartbeat.interval.ms",
                                    "max.poll.interval.ms"))  # fmt: skip
    _, future = futures(configured(), [parse_wish("join=1")], told)
    assert not any("assumed" in note for note in future.notes)


# -- kept


def test_what_is_kept_plans_as_the_live_cluster_does(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept.jsonl"
    view = ["group", "payments", "--json", "--no-history"]
    of_shares = ["group", "shared", "--json"]
    question = ["group", "payments", "--plan", "consumer", "--json"]
    with listening(Configured()) as address:
        live = [
            printed(capsys, *words, "--bootstrap-server", address) for words in (view, question)
        ]
        printed(capsys, *view, "--bootstrap-server", address, "--save", str(kept))
        again = [printed(capsys, *words, "--from", str(kept)) for words in (view, question)]
        shared = printed(capsys, *of_shares, "--bootstrap-server", address, "--save", str(kept))
    keys = {json.loads(line).get("apiKey") for line in kept.read_text().splitlines()}
    assert API_VERSIONS in keys
    for one in (live[0], again[0]):  # settings are asked for where they are needed, or kept
        one.pop("settings")
        one.pop("coordinatorId")
    assert again[0] == live[0] and live[0]["brokerHasConsumerProtocol"] is True
    assert again[1]["notes"] == live[1]["notes"] and again[1]["verdict"] == live[1]["verdict"]
    from_file = printed(capsys, *of_shares, "--from", str(kept))
    assert from_file["partitions"] == shared["partitions"]
    assert from_file["settings"] == OF_COORDINATOR | OF_GROUP
    assert "hunter2" not in str(from_file)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words]) == 0
    made: dict[str, Any] = json.loads(capsys.readouterr().out)
    return made
