"""The stories of groups of every kind, from captures of a real broker and real clients.

What the clients' own callbacks were told is in `callbacks.json`; the broker's word on share groups
and the tasks of Streams members are in the README beside it. `tests/broker/test_story.py` captures
them anew.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

from kproto.capture import read_pcap
from kproto.history.captured_groups import read_frames
from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from tests.inspector.samples import VECTORS

from .told import changes, owned_in_turn, story_of

CAPTURES = VECTORS / "captures"


@cache
def story(name: str) -> str:
    return story_of(CAPTURES / f"{name}.pcap.gz")


def callbacks(name: str) -> dict[str, list[tuple[str, frozenset[str]]]]:
    told: Any = json.loads((CAPTURES / "callbacks.json").read_text(encoding="utf-8"))
    return {
        member: [(event, frozenset(parts)) for event, parts in events]
        for member, events in told[f"{name}.pcap.gz"].items()
    }


def summary(name: str) -> list[str]:
    text = story(name)
    return text[text.index("\n  in the capture") :].splitlines()


# -- classic groups


def test_members_of_four_implementations_get_what_their_callbacks_say() -> None:
    told = callbacks("four-clients")
    seen = {
        re.sub("-[0-9a-f]{4}$", "", name): owned
        for name, owned in owned_in_turn(story("four-clients"), "mixed").items()
        if owned
    }
    assert seen.keys() == told.keys()
    for name, owned in seen.items():
        assert owned == [parts for event, parts in told[name] if event == "assigned"], name


def test_a_member_that_was_killed_is_told_as_far_as_it_is_known() -> None:
    """aiokafka's process was killed 3 s before the others took its partitions over."""
    text = story("four-clients")
    (closing,) = re.findall(r".* the client has closed connection .*", text)
    assert re.search(r"of aiokafka-1-\w{4}, which has not left the group", closing)
    (cause,) = [line for line in summary("four-clients") if "no longer heard of" in line]
    assert "probably aiokafka-1-02a8 was no longer heard of: last heard of at 15:44:04.643" in cause
    assert (
        "its connection was closed at 15:44:04.729, without leaving, session timeout 3 s" in cause
    )
    (line,) = [line for line in summary("four-clients") if "without an owner  orders 0-1" in line]
    assert "the longest from 15:44:04.729 to 15:44:08.016 (3.3 s)" in line
    # Until they joined again, the others owned what they had.
    assert "no member here owned anything from 15:44:08.002 to 15:44:08.015 (12 ms)" in cause


def test_causes_and_durations_of_rebalances() -> None:
    lines = summary("four-clients")
    causes = [
        re.sub(r"^ +[\d:.]+  .*?(?:\d ms|\)|\d): ", "", line)
        for line in lines
        if re.match(r" +\d\d:", line)
    ]
    begun = [
        re.sub(r"-\w{4} ", " ", cause.partition(" (")[0].partition(":")[0]) for cause in causes
    ]
    assert begun == [
        "java-1 joined",
        "confluent-kafka-1 joined",
        "aiokafka-1 joined",
        "kafka-python-1 joined",
        "probably aiokafka-1 was no longer heard of",
        "confluent-kafka-1 left",
        "java-1 left",
    ]


def test_a_generation_that_nobody_was_assigned_is_a_rebalance_of_its_own() -> None:
    """Both SyncGroups of generation 2 are refused with REBALANCE_IN_PROGRESS (packets 60 and 63),
    because a third member has joined: its coordinator prepared three rebalances."""
    source, path = LogSource("capture"), str(CAPTURES / "three-clients.pcap")
    captured = read_frames(source, read_pcap([path]))
    (group,) = tell([source], captured=captured.rebalances).groups
    assert [
        (rebalance.generation, (rebalance.began or "")[14:], (rebalance.ended or "")[14:])
        for rebalance in group.rebalances
    ] == [
        (1, "22:52.917Z", "22:52.944Z"), (2, "22:53.957Z", ""), (3, "22:54.021Z", "22:54.080Z"),
    ]  # fmt: skip
    assert [
        (rebalance.first, rebalance.last, rebalance.end is not None)
        for rebalance in captured.story.history.groups["live.range"].rebalances
    ] == [(1, 1, True), (2, 2, False), (3, 3, True)]


def test_a_static_member_that_an_administrator_removes_has_its_name() -> None:
    """LeaveGroup names it by its instance id alone; the coordinator's log has its member id."""
    source = LogSource("capture")
    path = VECTORS / "logs" / "static-restart-within" / "capture.pcap.gz"
    captured = read_frames(source, read_pcap([str(path)]))
    (group,) = tell([source], captured=captured.rebalances).groups
    leaves = [event for event in group.events if event.event == "leaves"]
    assert [(event.client, (event.member or "")[:13]) for event in leaves] == [
        ("c3", "orders-3-031c"), ("c2", "orders-2-799e"), ("c1", "orders-1-a15c"),
        ("c3", leaves[-1].member[:13] if leaves[-1].member else ""),
    ]  # fmt: skip
    (removed,) = [cause for cause in group.causes if cause.cause == "removed-by-admin"]
    assert removed.summary.startswith("An administrator removed c3, ")
    joined = [(cause.cause, cause.client) for cause in group.rebalances[0].causes]
    assert joined == [("member-joined", name) for name in ("c1", "c2", "c3")]


def test_a_member_that_sent_no_sync_group_is_told_so() -> None:
    """The coordinator's line: `Removing [c2-07b5…] on pending sync request expiration`."""
    path = VECTORS / "logs" / "slow-poll" / "capture.pcap.gz"
    captured = read_frames(LogSource("capture"), read_pcap([str(path)]))
    causes = {
        rebalance.generation: [(cause.cause, cause.client) for cause in rebalance.causes]
        for rebalance in captured.rebalances["orders-slow"]
    }
    assert causes[8] == [("sync-not-sent", "c2")]


def test_members_with_one_client_id_have_names_that_differ() -> None:
    """Three consumers with the client id `twin`, some of which joined more than once."""
    text = story("kip-848")
    joined = re.findall(r"  coop  (\S+) joins again", text)
    assert {name[:5] for name in joined} == {"twin-"} and len(set(joined)) > 3
    nameless = re.findall(r"  (?:coop|modern)  twin .*", text)
    assert all(", connection " in line or " leaves: twin-" in line for line in nameless)


def test_a_wait_says_for_whom_and_until_when() -> None:
    (line,) = re.findall(r".*waited  .*15:44:31.*", story("kip-848"))
    assert re.search(r"waited  from \S+ to \S+ \(\d.* s\) for twin-\w{4}, which ", line)
    assert "a coordinator waits 5 min at most (longest rebalance timeout)" in line
    assert re.search(
        r"no member here owned anything  from \S+ to 15:44:\S+ \(4.* s\)", story("kip-848")
    )


# -- groups whose broker assigns


def test_a_consumer_group_s_members_own_what_their_callbacks_say() -> None:
    told = callbacks("kip-848")
    seen = owned_in_turn(story("kip-848"), "modern")
    assert [name[:-5] for name in seen] == ["twin", "twin", "static", "librdkafka-1"]
    for owned, name in zip(seen.values(), ("a", "b", "s", "librdkafka-1"), strict=True):
        expected, now = [], frozenset[str]()
        for event, parts in told[name]:
            now = now | parts if event == "assigned" else now - parts
            expected.append(now)
        expected = changes(expected)
        left = not expected[-1]
        assert changes(owned) == (expected[:-1] if left else expected), name


@pytest.mark.parametrize(
    "said",
    [
        r"twin-oYTJ joins \(ConsumerGroupHeartbeat 1, member epoch 0\): rebalance timeout ",
        r"twin-oYTJ gets clicks 0-3, orders 0-5 \(ConsumerGroupHeartbeat 1, member epoch 2\)",
        r"twin-oYTJ must give up clicks 0-3, orders 5, keeps orders 0-4 ",
        r"twin-oYTJ has given up clicks 0-3, orders 5, 31 ms after it was told to; owns ",
        r"twin-MJTo owns clicks 0-3, orders 5, as assigned: acknowledged ",
        r"static-YEYO joins as static member i-1 ",
        r"static-YEYO leaves as static member i-1 and means to come back \(.*, member epoch -2\), ",
        r"twin-oYTJ leaves \(ConsumerGroupHeartbeat 1, member epoch -1\), and gives up orders 0-1",
        r"twin-MJTo subscribes to clicks from now on ",
        r"librdkafka-1-KTEF gets orders 4, has orders 0-4 in all ",
        r"the client has closed connection 22 of librdkafka-1-KTEF, which has not left the group",
    ],
)
def test_a_consumer_group_is_told(said: str) -> None:
    assert re.search(rf"\]  modern  {said}", story("kip-848"))


def test_a_static_member_that_stays_away_is_the_probable_cause() -> None:
    text = "\n".join(summary("kip-848"))
    assert "probably static-YEYO was no longer heard of: last heard of at 15:44:47.076" in text
    assert (
        "probably librdkafka-1-KTEF was no longer heard of: last heard of at 15:44:54.716" in text
    )
    assert "what caused it is not in the capture" not in text.partition("\n  in the capture")[0]


def test_a_share_group_is_told() -> None:
    text = story("share-and-streams")
    assert re.search(
        r"shared  sh-2-C4uH shares orders 1, 3, 5 \(ShareGroupHeartbeat 1, member ", text
    )
    assert re.search(r"shared  sh-1-YhwF shares orders 0, 2, 4 ", text)
    assert re.search(
        r"sh-1-YhwF leaves \(ShareGroupHeartbeat 1, member epoch -1\), and gives up ", text
    )
    assert re.search(r"sh-2-C4uH shares orders 0, 2, 4, has orders 0-5 in all ", text)
    assert "sh-1-YhwF is told COORDINATOR_LOAD_IN_PROGRESS" in text


def test_a_streams_group_is_told() -> None:
    text = story("share-and-streams")
    first, second = "st-1-StreamThread-1-consumer-vYrT", "st-2-StreamThread-1-consumer-StuH"
    assert text.count("ASSIGNMENT_DELAYED") == 1  # the broker repeats it with every heartbeat
    assert f"{first} must give up tasks 0_3, 0_4, 0_5, keeps tasks 0_0, 0_1, 0_2" in text
    assert f"{first} has given up tasks 0_3, 0_4, 0_5, 28 ms after it was told to" in text
    assert f"{second} owns tasks 0_3, 0_4, 0_5, as assigned: acknowledged" in text
    assert "without an owner  tasks 0_3, 0_4, 0_5, from 15:44:41.658 to 15:44:41.761" in text
