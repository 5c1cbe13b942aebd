"""Snapshots that outputs of tools make, compared with what really happened, and what is judged."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from kproto.capture.tool_outputs import read_tool_outputs
from kproto.cluster.tool_outputs import ToolSnapshot, ToolSnapshots, events_of, snapshots_of
from kproto.inspector.views.redaction import Redaction
from tests.capture.logs.recorded import SCENARIOS, truth

LOGS = Path(__file__).parents[1] / "vectors" / "logs"
OUTPUTS = LOGS.parent / "tool_outputs"
_TOOK_MS = 10_000.0  # seconds that a tool takes at most, by the recordings' README


def snapshots(text: str) -> tuple[ToolSnapshot, ...]:
    return snapshots_of(read_tool_outputs(text))


def recorded(name: str) -> str:
    """The text of `kaf`, `crash/tool-after` or `reports/cg`."""
    folder = LOGS if "/" in name else OUTPUTS
    return ((LOGS.parent if name.startswith("reports/") else folder) / f"{name}.txt").read_text()


def of_file(*names: str) -> tuple[ToolSnapshot, ...]:
    return snapshots("\n".join(map(recorded, names)))


def codes(snapshot: ToolSnapshot) -> list[tuple[str, str]]:
    return [(remark.level, remark.code) for remark in snapshot.group.remarks]


# -- compared with the truth


def _described(kind: str) -> list[tuple[str, Path]]:
    return [
        (scenario, path)
        for scenario in SCENARIOS
        if truth(scenario).get("kind") == kind
        for path in sorted((LOGS / scenario).glob("tool-*.txt"))
    ]


def _time(text: str) -> float:
    return datetime.fromisoformat(text).timestamp() * 1000


def _called(scenario: str, path: Path) -> tuple[float, float]:
    """When the tool was called for the first and for the last time."""
    times = [
        action["t"]
        for action in truth(scenario)["actions"]
        if action["what"] == "tool" and action["detail"].endswith(f"> {path.name}")
    ]
    return min(times), max(times)


def _parts(assigned: Any) -> list[str]:
    return sorted(f"{topic}-{number}" for topic, numbers in assigned.items() for number in numbers)


def _generations(scenario: str, path: Path, group: str) -> list[Any]:
    """The generations that were in force while the tool was called."""
    first, last = _called(scenario, path)
    complete = [
        generation
        for generation in truth(scenario)["generations"]
        if generation["group"] == group and generation.get("complete")
    ]
    past = [generation for generation in complete if _time(generation["complete"]) <= first]
    during = [
        generation
        for generation in complete
        if first < _time(generation["complete"]) <= last + _TOOK_MS
    ]
    return past[-1:] + during


@pytest.mark.parametrize(
    ("scenario", "path"), _described("classic"), ids=lambda value: getattr(value, "name", value)
)
def test_members_have_what_their_generation_gave_them(scenario: str, path: Path) -> None:
    for snapshot in snapshots(path.read_text()):
        group = snapshot.group
        if group.group_id not in truth(scenario)["groups"] or not group.members:
            continue
        assert group.kind == "classic"
        fits = [
            generation
            for generation in _generations(scenario, path, group.group_id)
            if all(
                member.member_id in generation["members"]
                and (
                    snapshot.is_rebalancing
                    or generation["members"][member.member_id] is None
                    or _parts(member.assigned) == sorted(generation["members"][member.member_id])
                )
                for member in group.members
            )
        ]
        assert fits
        clients = {member.member_id: member.client_id for member in group.members}
        known = {**fits[-1]["clients"]}
        assert all(known.get(member, client) == client for member, client in clients.items())
        if snapshot.has_all_members:
            assert group.protocol in ("", fits[-1]["protocol"])


@pytest.mark.parametrize(
    ("scenario", "path"),
    [*_described("consumer"), *_described("share")],
    ids=lambda value: getattr(value, "name", value),
)
def test_members_have_what_the_broker_gave_them(scenario: str, path: Path) -> None:
    _, last = _called(scenario, path) if "groups" not in path.name else (0.0, 0.0)
    for snapshot in snapshots(path.read_text()):
        group = snapshot.group
        if group.group_id not in truth(scenario)["groups"] or not group.members:
            continue
        assert group.kind == truth(scenario)["kind"]
        shares: dict[str, list[list[str]]] = {}
        for event in truth(scenario)["events"]:
            if event["what"] == "is given" and event["t"] <= last + _TOOK_MS:
                partitions = [part for part in event["partitions"] if part != "(nothing)"]
                shares.setdefault(event["member"], []).append(sorted(partitions))
        for member in group.members:
            assert _parts(member.assigned) in shares[member.member_id]


def test_states_and_coordinators() -> None:
    three = of_file("consumer-group-848/tool-three")[-1]
    assert (three.group.state, three.group.protocol) == ("Stable", "uniform")
    assert (three.group.coordinator, three.group.coordinator_id) == ("127.0.0.1:19094", 1)
    empty = of_file("consumer-group-848/tool-empty")[-1]
    assert (empty.group.state, empty.group.members) == ("Empty", ())
    assert sum(row.offset or 0 for row in empty.group.partitions) == 1020
    killed = of_file("family-kafkajs/tool-killed")[-1]
    assert killed.is_rebalancing
    assert not any(code == "nobody-has" for _, code in codes(killed))
    connect = of_file("connect-worker-killed/tool-describe")[-1]
    assert (connect.group.group_id, connect.group.kind) == ("connect-cluster", "connect")


def test_all_groups_of_a_cluster() -> None:
    found = {
        snapshot.group.group_id for snapshot in of_file("offsets-topic-outputs/tool-all-state")
    }
    listed = ToolSnapshots(read_tool_outputs(recorded("offsets-topic-outputs/tool-list")))
    assert found == {*listed.groups}
    assert {row.state for row in listed.listing().groups} == {"Empty"}
    kinds = {
        snapshot.group.group_id: snapshot.group.kind
        for snapshot in of_file("offsets-topic-outputs/tool-groups")
    }
    assert kinds["connect-cluster"] == "connect"
    assert kinds["wordcount-streams"] == "streams"
    assert kinds["orders-share"] == "share"
    assert kinds["orders-848"] == "consumer"


# -- events


@pytest.mark.parametrize(
    ("names", "events"),
    [
        (
            ("crash/tool-before", "crash/tool-dead-but-in-group", "crash/tool-after"),
            [("member-left", "c3"), ("rebalance-began", ""), ("stabilized", "")],
        ),
        (
            ("static-restart-within/tool-before", "static-restart-within/tool-away",
             "static-restart-within/tool-after"),
            [("member-joined", "c2")],
        ),
        (
            ("static-restart-beyond/tool-away", "static-restart-beyond/tool-after"),
            [("member-joined", "c2"), ("rebalance-began", ""), ("stabilized", "")],
        ),
        (
            ("consumer-group-848/tool-three", "consumer-group-848/tool-c2-out"),
            [("member-left", "c2"), ("rebalance-began", ""), ("stabilized", "")],
        ),
        (("crash/tool-before", "crash/tool-dead-but-in-group"), []),
    ],
)  # fmt: skip
def test_two_looks_prove_what_happened_between(
    names: tuple[str, ...], events: list[tuple[str, str]]
) -> None:
    proved = events_of(of_file(*names))
    assert [(event.event, event.client) for event in proved] == events
    assert all(event.fields["certain"] for event in proved)


def test_a_static_member_that_came_back_is_no_rebalance() -> None:
    (event,) = events_of(
        of_file("static-restart-within/tool-away", "static-restart-within/tool-after")
    )
    assert event.instance == "orders-2"
    assert event.fields["replaces"]
    assert event.fields["earlier"].startswith("orders-2-")
    assert event.member.startswith("orders-2-")


def test_who_has_no_partition_any_more_may_be_there() -> None:
    """`--describe` without `--members` shows no member without a partition."""
    events = events_of(of_file("family-kafkajs/tool-three", "family-kafkajs/tool-killed"))
    left = next(event for event in events if event.event == "member-left")
    assert (left.client, left.fields["certain"]) == ("m3", False)
    assert [event.event for event in events if event.fields["certain"]] == ["rebalance-began"]


def test_outputs_that_are_far_apart_are_of_two_snapshots() -> None:
    state = (
        "{}\nGROUP  COORDINATOR (ID)  ASSIGNMENT-STRATEGY  STATE   #MEMBERS\n"
        "a      b:9092 (1)        range                Stable  {}\n"
    )
    near = state.format("2026-11-26 10:00:00", 3) + state.format("2026-11-26 10:00:05", 3)
    far = state.format("2026-11-26 10:00:00", 3) + state.format("2026-11-26 11:00:00", 3)
    other = state.format("2026-11-26 10:00:00", 3) + state.format("2026-11-26 10:00:05", 2)
    assert [len(snapshots(text)) for text in (near, far, other)] == [1, 2, 2]
    assert snapshots(near)[0].stamp.text == "2026-11-26 10:00:00"


# -- judgements

_HEAD = (
    "GROUP  TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG     CONSUMER-ID  HOST       "
    "CLIENT-ID\n"
)


def _row(partition: int, offset: int, end: int, member: str = "m-1", topic: str = "orders") -> str:
    host = "-" if member == "-" else "/10.0.0.1"
    return (
        f"g      {topic:7} {partition:<10} {offset:<15} {end:<15} {end - offset:<7} {member:12} "
        f"{host:10} {member}\n"
    )


def test_a_partition_that_nobody_has() -> None:
    (snapshot,) = of_file("reports/cg")
    assert codes(snapshot) == [("error", "nobody-has")]
    (remark,) = snapshot.group.remarks
    assert "orders-1" in remark.text
    assert "unless the group was rebalancing" in remark.text
    assert snapshot.group.lag == 194


def test_whether_anybody_subscribes_is_not_printed() -> None:
    member = "m-8a7f2d1e-1a2b-4c3d-9e8f-0a1b2c3d4e5f"  # of a classic group
    rows = _row(0, 1, 1, member) + _row(0, 5, 9, "-", "refunds")
    (snapshot,) = snapshots(_HEAD + rows)
    (text,) = [remark.text for remark in snapshot.group.remarks if remark.code == "left-over"]
    assert text.endswith("or its partitions are with nobody now: the output has no subscriptions")


def test_a_state_that_is_printed_takes_the_doubt_away() -> None:
    state = (
        "GROUP  COORDINATOR (ID)  ASSIGNMENT-STRATEGY  STATE   #MEMBERS\n"
        "g      b:9092 (1)        range                Stable  1\n"
    )
    (snapshot,) = snapshots(_HEAD + _row(0, 1, 1) + _row(1, 1, 1, "-") + state)
    assert snapshot.group.remarks[0].text == "nobody has 1 partition of subscribed topics: orders-1"


def test_an_owner_that_was_cut_off_is_not_known_to_be_missing() -> None:
    cut = "".join(line[:60] + "\n" for line in (_HEAD + _row(0, 1, 1) + _row(1, 1, 1)).splitlines())
    (snapshot,) = snapshots(cut)
    assert snapshot.unowned == {("orders", 0), ("orders", 1)}
    assert codes(snapshot) == []


def test_a_gap_between_partitions_that_members_have() -> None:
    text = (
        "GROUP  CONSUMER-ID  HOST  CLIENT-ID  #PARTITIONS  ASSIGNMENT\n"
        "g      m-1          /h    m-1        1            orders(0)\n"
        "g      m-2          /h    m-2        1            orders(2)\n"
    )
    assert codes(snapshots(text)[0]) == [("error", "nobody-has")]


@pytest.mark.parametrize(
    ("shares", "code"),
    [
        ((2, 0), [("warning", "idle-member")]),
        ((1, 0), [("note", "idle-member")]),
        ((5, 1), [("note", "uneven-shares")]),
        ((3, 2), []),
    ],
)
def test_shares(shares: tuple[int, int], code: list[tuple[str, str]]) -> None:
    """Of members whose partitions are counted and not named."""
    text = (
        "GROUP  CONSUMER-ID  HOST  CLIENT-ID  #PARTITIONS\n"
        f"g      m-1          /h    m-1        {shares[0]}\n"
        f"g      m-2          /h    m-2        {shares[1]}\n"
    )
    assert codes(snapshots(text)[0]) == code


def test_lag_on_one_partition() -> None:
    text = _HEAD + _row(0, 0, 5) + _row(1, 0, 12000) + _row(2, 0, 3)
    (snapshot,) = snapshots(text)
    assert codes(snapshot) == [("warning", "lag-on-one-partition")]
    assert snapshot.group.remarks[0].text == (
        "nearly all lag is on orders-1: 12,000 of 12,008 records, m-1 has it"
    )


def test_two_applications_have_no_topic_in_common() -> None:
    mixed = next(
        snapshot
        for snapshot in of_file("kafka-consumer-groups-2.3.1")
        if snapshot.group.group_id == "mixed"
    )
    assert ("warning", "two-applications") in codes(mixed)
    one = _HEAD + _row(0, 1, 1, "m-1", "a") + _row(0, 1, 1, "m-2", "b")
    assert codes(snapshots(one)[0]) == []  # any assignor may divide two topics of one partition so


def test_static_and_dynamic_members() -> None:
    static = next(
        snapshot
        for snapshot in of_file("kafka-consumer-groups-3.7.2")
        if snapshot.group.group_id == "static"
    )
    assert codes(static) == [("note", "mixed-static")]
    assert "s3" in static.group.remarks[0].text


def test_the_member_that_all_wait_for() -> None:
    (snapshot,) = of_file("kafka-consumer-groups-4.3.1-reconciling")
    names = {member.member_id: member.client_id for member in snapshot.group.members}
    remarks = [(remark.code, names[remark.who]) for remark in snapshot.group.remarks]
    assert remarks == [("reconciling", "n1"), ("waiting", "n2")]
    assert (snapshot.group.epoch, snapshot.group.assigned_epoch) == (3, 3)


def test_what_cannot_be_asked_is_said() -> None:
    (snapshot,) = of_file("reports/cgs")
    assert snapshot.group.state == "CompletingRebalance"
    text = " ".join(snapshot.unasked)
    for code in ("cannot-lead", "nobody-has", "idle-member", "no-commit"):
        assert code in text
    assert snapshot.group.problems[0] == (
        "from the output of kafka-consumer-groups: true of that moment alone"
    )


def test_a_group_of_kaf_that_is_dead_may_be_one_that_it_does_not_know() -> None:
    """It described the running groups `new` and `wordcount`, of newer protocols."""
    states = {snapshot.group.group_id: snapshot.group.state for snapshot in of_file("kaf")}
    assert states["new"] == states["wordcount"] == ""
    assert states["two teams"] == "Stable"


def test_a_redacted_snapshot_is_judged_as_the_other() -> None:
    for name in ("reports/cg", "kafka-consumer-groups-3.7.2", "kafka-consumer-groups-4.3.1"):
        groups = ToolSnapshots(read_tool_outputs(recorded(name)))
        for group in groups.groups:
            plain, hidden = groups.describe(group), groups.describe(group, Redaction())
            assert [remark.code for remark in hidden.remarks] == [
                remark.code for remark in plain.remarks
            ]  # fmt: skip
            shown = repr(hidden)
            assert not any(member.member_id in shown for member in plain.members)
            assert "orders" not in shown


def test_a_state_and_its_table_are_of_one_moment() -> None:
    """rpk prints both at once: a table alone, before them, is of another moment."""
    states = [
        (snapshot.lines[0], snapshot.group.state, len(snapshot.group.partitions))
        for snapshot in of_file("rpk") if snapshot.group.group_id == "shop"
    ]  # fmt: skip
    assert states == [
        (4, "Stable", 4), (30, "", 4), (36, "PreparingRebalance", 4),
        (50, "PreparingRebalance", 4), (66, "Empty", 4),
    ]  # fmt: skip
