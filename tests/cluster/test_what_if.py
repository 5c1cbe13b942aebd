"""What would become of a group, and its way to another protocol; other kinds of groups."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace

from kproto.cluster import ConfigError, Group, Member
from kproto.cluster.admin import Node, Topic
from kproto.cluster.described_group import build
from kproto.cluster.gathering import Gathered
from kproto.cluster.migration import GroupAddress, plan
from kproto.cluster.what_if import Timeouts, futures, parse_wish, scenario_text
from kproto.codec import (
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerGroupDescribeResponse,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DescribeGroupsResponse,
    ShareGroupDescribeResponse,
    StreamsGroupDescribeResponse,
)
from kproto.rebalance import ASSIGNORS
from kproto.rebalance import Member as Consumer
from kproto.rebalance.migration import GOALS, ClientNameError, Goal, read_stated_client
from kproto.rebalance.simulation import read_scenario
from kproto.tools.main import main
from tests.tools.conftest import CAPTURES

SUBSCRIPTION = ConsumerProtocolSubscription(topics=["orders"]).to_bytes(version=3)


def of(protocol: str = "range", **shares: tuple[int, ...]) -> Group:
    members = tuple(
        Member(
            f"{name}-id",
            name,
            "h",
            metadata=SUBSCRIPTION,
            version=3,
            topics=("orders",),
            assigned={"orders": numbers},
            could_be=("kafka-clients (3.4 and newer)",),
        )
        for name, numbers in shares.items()
    )
    return Group(
        "g", "classic", "Stable", "consumer", protocol, members=members, topics={"orders": 6}
    )


PAIR: dict[str, Any] = {"a": (0, 1, 2), "b": (3, 4, 5)}


@pytest.mark.parametrize(
    ("protocol", "change", "expected", "moved"),
    [
        # Range divides in the order of member ids, whoever had what.
        ("range", "leave=a", {"b-id": (0, 1, 2, 3, 4, 5)}, 3),
        ("range", "topic=orders:8", {"a-id": (0, 1, 2, 3), "b-id": (4, 5, 6, 7)}, 1),
        ("roundrobin", "topic=orders:7", {"a-id": (0, 2, 4, 6), "b-id": (1, 3, 5)}, 2),
        # The sticky ones leave what can stay.
        ("cooperative-sticky", "topic=orders:8", {"a-id": (0, 1, 2, 6), "b-id": (3, 4, 5, 7)}, 0),
        ("sticky", "leave=b", {"a-id": (0, 1, 2, 3, 4, 5)}, 3),
    ],
)
def test_who_would_own_what(
    protocol: str, change: str, expected: dict[str, tuple[int, ...]], moved: int
) -> None:
    now, then = futures(of(protocol, **PAIR), [parse_wish(change)])
    assert now.owned == {f"{name}-id": {"orders": numbers} for name, numbers in PAIR.items()}
    assert then.owned == {name: {"orders": numbers} for name, numbers in expected.items()}
    assert (then.moved, then.nobody) == (moved, 0)
    assert then.rebalances is not None and then.rebalances >= 1
    assert then.paused is not None and then.paused > 0


THREE: dict[str, Any] = {"c1": (0, 1), "c2": (2, 3), "c3": (4, 5)}


def moved_in_truth(group: Group, *client_ids: str) -> int:
    """How many partitions move by the group's assignor if these join, with ids as a broker makes
    them: client.id, "-", a random UUID."""
    ids = {f"{client_id}-{uuid4()}": SUBSCRIPTION for client_id in client_ids}
    ids |= {member.member_id: member.metadata for member in group.members}
    members = [
        Consumer(member_id, ConsumerProtocolSubscription.from_bytes(metadata))
        for member_id, metadata in ids.items()
    ]
    owners = {
        number: member_id
        for member_id, assignment in ASSIGNORS[group.protocol].assign(members, group.topics).items()
        for entry in assignment.assigned_partitions
        for number in entry.partitions
    }
    return sum(
        owners[number] != member.member_id
        for member in group.members
        for number in member.assigned["orders"]
    )


def test_who_joins_is_not_who_is_away() -> None:
    group = of(c1=(0, 1, 2), c2=(3, 4, 5))
    _, then = futures(group, [parse_wish("join=1")])
    assert {*then.owned} == {"c1-id", "c2-id", "c3"}
    _, then = futures(group, [parse_wish("join=1")], away=["c3", "d7"])
    assert {*then.owned} == {"c1-id", "c2-id", "c4"}


def test_new_members_go_on_with_the_numbers_of_the_present_ones() -> None:
    group = of("range", **THREE)
    _, then, two = futures(group, [parse_wish("join=1"), parse_wish("join=2")])
    assert then.owned["c4"] == {"orders": (5,)}
    assert then.moved == moved_in_truth(group, "c4") == 1
    assert two.moved == moved_in_truth(group, "c4", "c5")
    assert two.owned.keys() >= {"c4", "c5"}
    note = then.notes[0]
    assert "shown is c4" in note and "with another client.id 1 to 5 partitions move" in note
    # c10- sorts before c2-, as Java and Python compare them.
    ten = {f"c{number}": (number - 1,) for number in range(1, 10)}
    group = replace(of("range", **ten), topics={"orders": 9})
    _, then = futures(group, [parse_wish("join=1")])
    assert then.owned["c10"] == {"orders": (1,)} and then.moved == moved_in_truth(group, "c10") == 8


@pytest.mark.parametrize("protocol", ["range", "roundrobin"])
@pytest.mark.parametrize("new", ["a", "orders-1", "z", "pay-9"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_member_of_any_name_is_within_the_forecast(protocol: str, new: str, count: int) -> None:
    group = of(protocol, app=(0, 1), orders=(2, 3), payments=(4, 5))
    _, then = futures(group, [parse_wish(f"join={count}")])
    moved = moved_in_truth(group, *[new] * count)
    assert then.moved_fewest is not None and then.moved_most is not None
    assert then.moved_fewest <= moved <= then.moved_most
    assert f"{then.moved_fewest} to {then.moved_most} partitions move" in then.notes[0]


def test_a_new_static_member_sorts_by_its_instance_id() -> None:
    group = of("range", **THREE)
    members = tuple(
        replace(member, instance_id=f"pod-{2 - number}")
        for number, member in enumerate(group.members)
    )
    _, then = futures(replace(group, members=members), [parse_wish("join=1")])
    assert then.owned["pod-3"] == {"orders": (5,)}
    assert "another group.instance.id" in then.notes[0]


def test_many_orders_of_ids_are_drawn() -> None:
    group = of("range", **{f"m{'abcdefghij'[number]}": (number,) for number in range(10)})
    _, then = futures(replace(group, topics={"orders": 10}), [parse_wish("join=9")])
    assert "orders of ids were tried" in then.notes[0]


def test_the_sticky_ones_move_as_many_wherever_ids_sort() -> None:
    for protocol in ("sticky", "cooperative-sticky"):
        _, then = futures(of(protocol, **THREE), [parse_wish("join=1")])
        assert then.moved == then.moved_fewest == then.moved_most == 1
        assert "may differ" in then.notes[0]


def test_the_timeouts_count() -> None:
    """A member that leaves without a word is noticed after the session timeout; one that joins
    waits for none."""
    changes = [parse_wish("assignor=cooperative-sticky")]
    group = of(**PAIR)
    short, long = (
        futures(group, changes, Timeouts(heartbeat=beat))[1].paused for beat in (0.5, 5.0)
    )
    assert short is not None and long is not None and short < long


BY_LIBRDKAFKA = ("librdkafka (2.2 and newer)",)
BY_JAVA = ("kafka-clients (3.4 and newer)",)


@pytest.mark.parametrize(
    ("protocol", "change", "could_be", "is_rolling"),
    [
        # librdkafka: "partition.assignment.strategy" refuses a list of both, as its source says.
        ("range", "assignor=cooperative-sticky", BY_LIBRDKAFKA, False),
        ("cooperative-sticky", "assignor=range", BY_LIBRDKAFKA, False),
        ("range", "assignor=roundrobin", BY_LIBRDKAFKA, True),
        ("range", "assignor=cooperative-sticky", BY_JAVA, True),
        ("range", "assignor=cooperative-sticky", (), False),  # nobody knows: what always works
    ],
)
def test_members_that_cannot_list_both_assignors_stop(
    protocol: str, change: str, could_be: tuple[str, ...], is_rolling: bool
) -> None:
    group = of(protocol, **PAIR)
    members = tuple(replace(member, could_be=could_be) for member in group.members)
    _, then = futures(replace(group, members=members), [parse_wish(change)])
    (way,) = [note for note in then.notes if note.startswith("rebalances and paused are")]
    assert ("two rolling restarts" in way) == is_rolling
    assert ("a stop of all members" in way) == (not is_rolling)
    assert then.rebalances is not None and then.paused is not None
    if is_rolling:
        assert then.rebalances >= 4  # each leaves and joins, twice
    else:
        assert then.rebalances <= 3
        assert then.paused >= 2 * 6  # nobody reads any partition while all are away


def test_static_members_are_away_until_their_session_ends() -> None:
    group = of(**PAIR)
    members = tuple(
        replace(member, could_be=BY_LIBRDKAFKA, instance_id=f"i-{member.client_id}")
        for member in group.members
    )
    change = [parse_wish("assignor=cooperative-sticky")]
    _, then = futures(replace(group, members=members), change, Timeouts(session=100.0))
    assert then.paused is not None and then.paused >= 6 * 100
    assert any("102 s later" in note for note in then.notes)


def test_the_broker_s_protocol() -> None:
    _, then = futures(of(**PAIR), [parse_wish("protocol=consumer,join=1")])
    assert sorted(len(each["orders"]) for each in then.owned.values()) == [2, 2, 2]
    assert (then.moved, then.paused, then.rebalances) == (2, 5.0, None)
    assert any("may differ" in note for note in then.notes)


def test_the_broker_divides_by_its_own_assignors() -> None:
    """Range divides anew, by member id; uniform lets members keep what they have."""
    swapped = of(a=(3, 4, 5), b=(0, 1, 2))
    changes = ("protocol=consumer", "protocol=consumer,assignor=range", "protocol=consumer,leave=a")
    now, uniform, by_range, left = futures(swapped, list(map(parse_wish, changes)))
    assert (uniform.assignor, uniform.moved, uniform.owned) == ("uniform", 0, now.owned)
    assert (by_range.assignor, by_range.moved) == ("range", 6)
    assert by_range.owned == {"a-id": {"orders": (0, 1, 2)}, "b-id": {"orders": (3, 4, 5)}}
    assert left.owned == {"b-id": {"orders": (0, 1, 2, 3, 4, 5)}}


def test_a_group_of_the_broker_keeps_its_assignor_and_its_target() -> None:
    """Who still has what others wait for gives it back: the target counts."""
    members = (
        Member("a", "a", "h", topics=("orders",), assigned={"orders": (0, 1)}, target={}),
        Member("b", "b", "h", topics=("orders",), target={"orders": (0, 1)}),
    )
    group = Group("g", "consumer", "Reconciling", "consumer", "uniform", members=members)
    group = replace(group, topics={"orders": 4})
    _, grown = futures(group, [parse_wish("topic=orders:4")])
    assert grown.owned == {"a": {"orders": (2, 3)}, "b": {"orders": (0, 1)}}
    _, then = futures(replace(group, protocol="range"), [parse_wish("topic=orders:6")])
    assert (then.assignor, then.owned["a"]) == ("range", {"orders": (0, 1, 2)})
    _, regular = futures(
        replace(group, members=(replace(members[1], topics=(), regex="ord.*"),)),
        [parse_wish("topic=orders:5")],
    )
    assert regular.owned == {"b": {"orders": (0, 1, 2, 3, 4)}}


@pytest.mark.parametrize(
    "change",
    ["assignor=uniform", "protocol=consumer,assignor=sticky", "protocol=classic,assignor=uniform"],
)
def test_each_protocol_has_its_own_assignors(change: str) -> None:
    with pytest.raises(ConfigError, match=r"has no assignor .* The other one: protocol="):
        futures(of(**PAIR), [parse_wish(change)])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("assignor=fair", "there is no assignor"),
        ("join=x", "no number of members"),
        ("topic=orders", "no topic and number"),
        ("protocol=share", "no protocol"),
        ("more", "is no change"),
        ("leave=z", "no member is called 'z'; members: a, b"),
        ("topic=other:3", "does not read the topic"),
        ("leave=a,leave=b", "nobody would be left"),
    ],
)
def test_a_change_that_cannot_be(change: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        futures(of(**PAIR), [parse_wish(change)])


def test_a_scenario_of_awkward_names() -> None:
    group = of(**PAIR)
    text = scenario_text(group, parse_wish("join=2,leave=a,topic=orders:9"), "sticky")
    scenario = read_scenario(text, "x", "x")
    assert [each.settings.client_id for each in scenario.members] == ["m1", "m2", "new1", "new2"]


@pytest.mark.parametrize("goal", GOALS)
def test_a_plan(goal: Goal) -> None:
    made = plan(of(**PAIR), goal, GroupAddress("b:1", "c.properties"))
    assert not made.blockers and made.steps and made.back
    checks = [step.check for step in (*made.steps, *made.back) if step.check]
    assert len(checks) >= 4
    command = "kproto group g --bootstrap-server b:1 --command-config c.properties"
    assert all(check.startswith((command, "kafka-")) for check in checks)


def test_what_blocks_the_consumer_protocol() -> None:
    """A label that promises too much, and user data in an assignment, as a 4.3.1 broker refuses
    them."""
    relabelled = bytes.fromhex("0001000000010006") + b"orders" + b"\xff\xff\xff\xff"
    given = ConsumerProtocolAssignment(user_data=b"\0\0\0\1").to_bytes(version=1)
    members = (
        Member("go-1", "go", "h", metadata=relabelled, could_be=("kafka-go Reader",)),
        Member("sarama-1", "sarama", "h", metadata=SUBSCRIPTION, assignment=given),
    )
    group = Group("g", "classic", "Stable", "consumer", "sticky", members=members)
    made = plan(group, "consumer", GroupAddress())
    assert (made.verdict, made.error) == ("blocked", "GROUP_ID_NOT_FOUND")
    *judged, client, unknown = made.blockers
    assert sorted(each.partition(":")[0] for each in judged) == ["go", "sarama"]
    assert any("user data" in each for each in judged)
    assert client.startswith("go: ") and "no group.protocol=consumer" in client
    assert unknown.startswith("sarama: ") and "--member-client" in unknown
    assert not made.steps and not made.back


def test_settings_of_the_brokers() -> None:
    group = of(**PAIR)
    assert "are not told" in plan(group, "consumer", GroupAddress()).notes[0]
    told = {"group.consumer.migration.policy": "upgrade"}
    made = plan(group, "consumer", GroupAddress(), told)
    assert made.verdict == "ready" and "policy=upgrade" in made.notes[0]
    assert made.back[0].do.startswith("None") and not made.back[0].check
    small = plan(group, "consumer", GroupAddress(), {"group.consumer.max.size": "1"})
    assert (small.verdict, small.error) == ("blocked", "GROUP_ID_NOT_FOUND")
    with pytest.raises(ConfigError, match="--set: group"):
        plan(group, "consumer", GroupAddress(), {"group.consumer.max.size": "many"})


def test_a_broker_without_the_protocol() -> None:
    old = replace(of(**PAIR), broker_has_consumer_protocol=False)
    made = plan(old, "consumer", GroupAddress())
    assert made.error == "UNSUPPORTED_VERSION" and "4.0" in made.blockers[0]


def test_a_group_without_members() -> None:
    empty = Group("g", "classic", "Empty", "consumer")
    made = plan(empty, "consumer", GroupAddress())
    assert made.verdict == "ready" and "empty group" in made.steps[0].do
    with pytest.raises(ConfigError, match="has none"):
        plan(empty, "cooperative", GroupAddress())


def test_the_rest_of_a_mixed_group() -> None:
    mixed = replace(of(**PAIR), kind="consumer")
    (step,) = plan(mixed, "consumer", GroupAddress()).steps
    assert step.do.endswith("a, b.")
    members = tuple(replace(member, protocol="consumer") for member in mixed.members)
    (step,) = plan(replace(mixed, members=members), "consumer", GroupAddress()).steps
    assert "nothing is left" in step.do


@pytest.mark.parametrize(
    ("client", "answer"),
    [
        ("sarama (before 1.60.1)", "upgrade"),
        ("sarama (1.60.1 and newer)", "yes"),
        ("sarama", "upgrade"),
        ("sarama (1.43)", "upgrade"),
        ("sarama (1.61.1)", "yes"),
    ],
)
def test_the_release_decides_on_cooperative_sticky(client: str, answer: str) -> None:
    (support,) = plan(could_be(client), "cooperative", GroupAddress()).clients
    assert support.answer == answer and "since 1.60.1" in support.says


def could_be(*clients: str, protocol: str = "range") -> Group:
    """A group in which each member could be one client, or one of several: "a|b"."""
    members = tuple(
        Member(f"{n}-id", f"m{n}", "h", metadata=SUBSCRIPTION, topics=("orders",),
               could_be=tuple(filter(None, names.split("|"))))
        for n, names in enumerate(clients)
    )  # fmt: skip
    group = of(protocol)
    return replace(group, members=members)


JAVA, FRANZ = "kafka-clients (3.4 and newer)", "franz-go (1.14.1 and newer)"
RDKAFKA, PYTHON = "librdkafka (2.2 and newer)", "kafka-python (3.0 and newer)"
OLD = "kafka-clients (0.9 to 2.2, 2.3)|sarama|kafka-python|aiokafka|kafkajs"
BOTH = "cooperative-sticky,range"


@pytest.mark.parametrize(
    ("clients", "route", "strategies"),
    [
        ((JAVA, JAVA), "two-rounds", [BOTH, "cooperative-sticky"]),
        ((JAVA, FRANZ), "two-rounds", [BOTH, "cooperative-sticky"]),
        ((f"{JAVA}|{FRANZ}|platformatic-kafka (2.10 and newer)",), "two-rounds",
         [BOTH, "cooperative-sticky"]),
        # "assignors must have the same protocol type", KafkaConfigurationError
        ((RDKAFKA,), "all-at-once", ["cooperative-sticky"]),
        ((PYTHON,), "all-at-once", ["cooperative-sticky"]),
        ((JAVA, RDKAFKA), "all-at-once", ["cooperative-sticky"]),
    ],
)  # fmt: skip
def test_the_route_follows_from_the_clients(
    clients: tuple[str, ...], route: str, strategies: list[str]
) -> None:
    way = plan(could_be(*clients), "cooperative", GroupAddress())
    assert way.route == route and not way.blockers and not way.untried
    name = "partition.assignment.strategy"
    assert [step.settings[name] for step in way.steps if name in step.settings] == strategies
    last = [step.settings[name] for step in way.back if name in step.settings][-1]
    assert last == "range"
    if route == "all-at-once":
        assert "," not in "".join(strategies) and way.reasons
        assert [step.action for step in way.back] == ["stop", "start"]


@pytest.mark.parametrize(
    ("clients", "goal", "says"),
    [
        (("aiokafka", JAVA), "cooperative", "aiokafka has no cooperative-sticky"),
        (("kafkajs (2.2.2 and newer)",), "cooperative", "kafkajs has no cooperative-sticky"),
        ((PYTHON,), "consumer", "kafka-python has no group.protocol=consumer"),
        (("sarama (1.61.1)", JAVA), "consumer", "sarama has no group.protocol=consumer"),
        ((OLD,), "cooperative", "softwareName"),
        ((OLD,), "consumer", "--member-client"),
        (("",), "cooperative", "client library unknown"),
    ],
)
def test_without_a_way_there_are_no_steps(clients: tuple[str, ...], goal: Goal, says: str) -> None:
    way = plan(could_be(*clients), goal, GroupAddress())
    assert not way.steps and not way.back and not way.untried
    assert any(says in blocker for blocker in way.blockers)


@pytest.mark.parametrize(("client", "is_named"), [(RDKAFKA, True), (PYTHON, False), (JAVA, False)])
def test_a_way_without_a_stop_is_named(client: str, is_named: bool) -> None:
    notes = " ".join(plan(could_be(client), "cooperative", GroupAddress()).notes)
    assert ("--plan consumer" in notes) == is_named


def test_a_user_says_which_client_it_is() -> None:
    group = could_be(OLD, OLD)
    says = [read_stated_client("*=kafka-python:3.0.12"), read_stated_client("m1=aiokafka")]
    assert plan(group, "cooperative", GroupAddress(), {}, says[:1]).route == "all-at-once"
    assert "m1: aiokafka" in plan(group, "cooperative", GroupAddress(), {}, says).blockers[0]
    older = [read_stated_client("*=kafka-clients:2.3.1")]
    (support,) = plan(group, "consumer", GroupAddress(), {}, older).clients
    assert support.answer == "upgrade" and "since 4.0: upgrade it first" in support.says
    for wrong, words in (("librdkafka", "is not MEMBER=CLIENT"), ("*=pigeon", "a client 'pigeon'"),
                        ("*=sarama:new", "is not"), ("=sarama", "is not"),
                        ("*=librdkafa", "did you mean 'librdkafka'")):  # fmt: skip
        with pytest.raises(ClientNameError, match=words):
            read_stated_client(wrong)
    with pytest.raises(ConfigError, match=r"no member is called 'x\*'; members: m"):
        plan(group, "cooperative", GroupAddress(), {}, [read_stated_client("x*=sarama")])


def test_a_way_that_was_not_tried() -> None:
    """Both clients list both assignors; no test has carried the plan out with the two together."""
    way = plan(could_be("sarama (1.61.1)", "franz-go (1.22.2)"), "cooperative", GroupAddress())
    assert not way.steps and not way.back
    assert all(
        text.startswith("kproto's tests did not try it with sarama, franz-go: ")
        for text in way.untried
    )


def test_a_way_that_fails_with_a_client() -> None:
    """A member of platformatic-kafka ends when another one converts the group."""
    way = plan(could_be("platformatic-kafka (2.12.1)"), "consumer", GroupAddress())
    assert way.route == "from-empty" and not way.steps
    assert all(
        text.startswith("kproto's tests did not try it with platformatic-kafka: ")
        for text in way.untried
    )
    assert any("a rolling restart fails with platformatic-kafka" in text for text in way.reasons)
    either = plan(
        could_be("platformatic-kafka (2.12.1)|kafka-clients (4.3.1)"), "consumer", GroupAddress()
    )
    assert either.route == "one-by-one" and either.steps
    assert any("fails with platformatic-kafka" in note for note in either.notes)


def test_a_way_that_was_not_tried_with_static_members() -> None:
    group = could_be(JAVA, JAVA)
    static = tuple(replace(each, instance_id=each.client_id) for each in group.members)
    assert plan(replace(group, members=static), "cooperative", GroupAddress()).steps
    mixed = could_be("kafka-clients (4.3.1)", "franz-go (1.22.2)")
    assert plan(mixed, "cooperative", GroupAddress()).steps
    static = tuple(replace(each, instance_id=each.client_id) for each in mixed.members)
    way = plan(replace(mixed, members=static), "cooperative", GroupAddress())
    assert not way.steps
    assert "did not try it with kafka-clients, franz-go as static members: " in way.untried[0]


def test_bytes_that_stop_a_group_with_members_do_not_stop_an_empty_one() -> None:
    """librdkafka leads cooperative-sticky: user data in its assignments stops the conversion."""
    group = could_be(RDKAFKA, RDKAFKA, protocol="cooperative-sticky")
    given = ConsumerProtocolAssignment(user_data=b"\0\0\0\1").to_bytes(version=0)
    members = tuple(replace(member, assignment=given) for member in group.members)
    way = plan(replace(group, members=members), "consumer", GroupAddress())
    assert (way.verdict, way.route) == ("blocked", "from-empty")
    assert [step.action for step in way.steps][-3:] == ["configure", "stop", "start"]
    assert way.reasons and not way.blockers


def test_static_members_are_warned_of() -> None:
    group = could_be(JAVA, JAVA)
    assert "UNRELEASED_INSTANCE_ID" not in " ".join(plan(group, "consumer", GroupAddress()).later)
    members = tuple(replace(member, instance_id=member.client_id) for member in group.members)
    way = plan(replace(group, members=members), "consumer", GroupAddress())
    assert "UNRELEASED_INSTANCE_ID" in " ".join(way.later)
    assert "KAFKA-21117" in way.back[0].do
    stop = plan(replace(group, members=members), "cooperative", GroupAddress(), {},
                [read_stated_client("*=librdkafka")]).steps[0]  # fmt: skip
    assert "session" in stop.do


# -- groups of other kinds


def gathered(kind: str, described: Any) -> Gathered:
    topics = {"orders": Topic("orders", {0: 1, 1: 1, 2: 1})}
    return Gathered("g", kind, described, Node(1, "b", 9092), {}, topics, {})


def test_a_consumer_group_that_is_held_up() -> None:
    cls = ConsumerGroupDescribeResponse
    topics = cls.TopicPartitions

    def share(*numbers: int) -> Any:
        entries = (topics(topic_name="orders", partitions=numbers),) if numbers else ()
        return cls.Assignment(topic_partitions=entries)

    def member(name: str, has: Any, target: Any, epoch: int, kind: int = 1) -> Any:
        return cls.Member(
            member_id=name,
            client_id=name,
            client_host="/h",
            member_epoch=epoch,
            subscribed_topic_names=("orders",),
            assignment=has,
            target_assignment=target,
            member_type=kind,
        )

    group = build(
        gathered(
            "consumer",
            cls.DescribedGroup(
                group_id="g",
                group_state="Reconciling",
                group_epoch=5,
                assignment_epoch=5,
                assignor_name="uniform",
                members=(
                    member("slow", share(0, 1, 2), share(0), 4),
                    member("new", share(), share(1, 2), 5, kind=0),
                ),
            ),
        )
    )
    assert (group.kind, group.protocol, group.epoch) == ("consumer", "uniform", 5)
    assert [each.protocol for each in group.members] == ["classic", "consumer"]  # new, slow
    assert [(each.code, each.who, each.text) for each in group.remarks] == [
        (
            "reconciling",
            "slow",
            "holds up the reconciliation: it still has orders-1, orders-2, which others wait for",
        ),
        ("waiting", "new", "waits for orders-1, orders-2"),
        ("mixed-protocols", "", "1 of 2 members still use the classic protocol"),
    ]


def test_a_share_group() -> None:
    cls = ShareGroupDescribeResponse
    entry = cls.TopicPartitions(topic_name="orders", partitions=(0, 1, 2))
    members = tuple(
        cls.Member(
            member_id=name,
            client_id=name,
            client_host="/h",
            subscribed_topic_names=("orders",),
            assignment=cls.Assignment(topic_partitions=(entry,)),
        )
        for name in "ab"
    )
    described = cls.DescribedGroup(group_id="g", group_state="Stable", members=members)
    group = build(gathered("share", described))
    assert (group.kind, len(group.members), group.remarks) == ("share", 2, ())
    assert group.partitions[0].members == ("a", "b")


def test_a_streams_group() -> None:
    cls = StreamsGroupDescribeResponse
    task = cls.TaskIds(subtopology_id="0", partitions=(0, 1))
    assignment = cls.Assignment(active_tasks=(task,), standby_tasks=(task,))
    member = cls.Member(
        member_id="m",
        client_id="c",
        client_host="/h",
        process_id="p",
        user_endpoint=cls.Endpoint(host="e", port=1),
        assignment=assignment,
        target_assignment=assignment,
    )
    part = cls.Subtopology(subtopology_id="0", source_topics=("orders",))
    described = cls.DescribedGroup(
        group_id="g",
        group_state="Stable",
        topology=cls.Topology(epoch=1, subtopologies=(part,)),
        members=(member,),
    )
    ends = {("orders", 0): 9, ("orders", 1): 9}
    answers = gathered("streams", described)
    group = build(answers._replace(commits={("orders", 0): (7, -1, "")}, ends=ends))
    (made,) = group.members
    assert (made.assigned, made.standby, made.endpoint) == ({"0": (0, 1)}, {"0": (0, 1)}, "e:1")
    assert [row.members for row in group.partitions] == [("m",), ("m",)]
    (remark,) = group.remarks
    assert (remark.code, remark.text) == ("no-commit", "nothing is committed for orders-1")


def test_a_member_without_any_commit() -> None:
    cls = ConsumerGroupDescribeResponse

    def member(name: str, *numbers: int) -> Any:
        share = cls.TopicPartitions(topic_name="orders", partitions=numbers)
        assignment = cls.Assignment(topic_partitions=(share,))
        return cls.Member(
            member_id=name,
            client_id=name,
            client_host="/h",
            subscribed_topic_names=("orders",),
            assignment=assignment,
            target_assignment=assignment,
            member_type=1,
        )

    members = (member("a", 0), member("b", 1, 2))
    described = cls.DescribedGroup(group_id="g", group_state="Stable", members=members)
    ends = {("orders", number): 9 for number in range(3)}
    answers = gathered("consumer", described)
    group = build(answers._replace(commits={("orders", 0): (7, -1, "")}, ends=ends))
    (remark,) = group.remarks
    assert remark.text == "nothing is committed for orders-1, orders-2; b committed nothing at all"


def test_a_connect_group() -> None:
    cls = DescribeGroupsResponse
    connector = ConnectProtocolAssignment.ConnectorTasks(connector="file", tasks=(0, 1))
    worker = cls.DescribedGroupMember(
        member_id="w-1",
        client_id="w",
        client_host="/h",
        member_metadata=ConnectProtocolMetadata(url="http://w", config_offset=7).to_bytes(
            version=0
        ),
        member_assignment=ConnectProtocolAssignment(
            leader="w-1", leader_url="http://w", config_offset=7, assignment=(connector,)
        ).to_bytes(version=0),
    )
    described = cls.DescribedGroup(
        group_id="g",
        group_state="Stable",
        protocol_type="connect",
        protocol_data="default",
        members=(worker,),
    )
    group = build(gathered("classic", described))
    (made,) = group.members
    assert (group.kind, made.endpoint, made.assigned) == ("connect", "http://w", {"file": (0, 1)})


def test_a_connect_worker_keeps_what_it_ran() -> None:
    """Since KIP-415 an assignment names what comes in addition, and what is to stop."""
    cls = ConnectProtocolAssignment

    def of(connector: str, *tasks: int) -> ConnectProtocolAssignment.ConnectorTasks:
        return cls.ConnectorTasks(connector=connector, tasks=tasks)

    ran = cls(assignment=(of("kept", -1, 0, 1), of("stops", 0)))
    metadata = ConnectProtocolMetadata(
        url="http://w", config_offset=7, allocation=ran.to_bytes(version=2)
    )
    given = cls(
        leader="w-1",
        assignment=(of("new", 0), of("kept", 2)),
        revoked=(of("stops", 0), of("kept", 1)),
    )
    described = DescribeGroupsResponse.DescribedGroup(
        group_id="g",
        group_state="Stable",
        protocol_type="connect",
        protocol_data="sessioned",
        members=(
            DescribeGroupsResponse.DescribedGroupMember(
                member_id="w-1",
                client_id="w",
                client_host="/h",
                member_metadata=metadata.to_bytes(version=2),
                member_assignment=given.to_bytes(version=2),
            ),
        ),
    )
    (made,) = build(gathered("classic", described)).members
    assert made.owned == {"kept": (-1, 0, 1), "stops": (0,)}
    assert made.assigned == {"kept": (-1, 0, 2), "new": (0,)}


@pytest.mark.parametrize("change", ["join=2", "leave=c1"])
@pytest.mark.parametrize("assignor", ["cooperative-sticky", "sticky"])
def test_a_switch_costs_no_less_because_members_come_or_go(change: str, assignor: str) -> None:
    """They neither keep the group alive while it stops, nor come back as members that had left."""
    wishes = [parse_wish(f"assignor={assignor}"), parse_wish(f"{change},assignor={assignor}")]
    _, alone, both = futures(of(**THREE), wishes)
    assert alone.paused is not None and both.paused is not None
    assert both.paused >= 0.6 * alone.paused > 1
    text = scenario_text(of(**THREE), wishes[1], assignor)
    switched = [line for line in text.splitlines() if line.startswith("member = [")]
    assert all(('"m1"' in line) == (change != "leave=c1") for line in switched)


def test_of_two_members_of_one_client_id_one_leaves_and_one_switches() -> None:
    group = of(**PAIR)
    members = tuple(replace(member, client_id="a") for member in group.members)
    text = scenario_text(replace(group, members=members), parse_wish("leave=a"), "sticky")
    assert text.count('member = ["m2"]') == 2 and text.count('member = "m1"') == 1


@pytest.mark.parametrize("change", ["join=1", "leave=a", "assignor=cooperative-sticky"])
def test_topics_whose_partitions_are_not_known(change: str) -> None:
    """No scenario can be made of them: what can be computed is said, and the rest is not known."""
    _, future = futures(replace(of(**PAIR), topics={}), [parse_wish(change)])
    assert (future.rebalances, future.paused) == (None, None)
    assert any("not known" in note for note in future.notes)


@pytest.mark.parametrize("number", range(1, 13))
@pytest.mark.parametrize("change", ["members={}", "members=+{}", "join={}"])
def test_members_are_so_many_in_all_and_with_a_plus_more(number: int, change: str) -> None:
    group = of(**PAIR)
    wish = parse_wish(change.format(number))
    in_all = number if change == "members={}" else len(PAIR) + number
    if in_all < len(PAIR):
        with pytest.raises(ConfigError, match="leave=CLIENT says"):
            futures(group, [wish])
        return
    _, then = futures(group, [wish])
    assert len(then.owned) == in_all


def test_what_would_happen_is_redacted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    saved = CAPTURES / "running-group.jsonl"
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)
    hidden = ["--redact-key", str(key)]
    texts = []
    for options in (
        ["--what-if", "members=5,leave=java-1", *hidden],
        ["--plan", "cooperative", *hidden],
        hidden,
    ):
        assert main(["group", "g-mixed", "--from", str(saved), *options]) == 0
        texts.append(capsys.readouterr().out)
    for text in texts:
        assert not [name for name in ("g-mixed", "java-1", "orders", "127.0.0.1") if name in text]
    stand_ins = [set(re.findall(r"<client-[0-9a-f]{8}>", text)) for text in texts]
    assert stand_ins[0] == stand_ins[1] == stand_ins[2] != set()


def _of_librdkafka() -> Group:
    """A group whose members all stop before they change to the cooperative protocol."""
    group = of(**THREE)
    could_be = ("librdkafka (2.2 and newer)",)
    return replace(
        group, members=tuple(replace(member, could_be=could_be) for member in group.members)
    )


@pytest.mark.parametrize(("told", "said"), [("0", "=0 is the broker's"), ("", "=3000 is assumed")])
def test_an_empty_group_waits_as_long_as_its_broker_says(told: str, said: str) -> None:
    name = "group.initial.rebalance.delay.ms"
    wish = parse_wish("assignor=cooperative-sticky")
    _, assumed = futures(_of_librdkafka(), [wish])
    _, future = futures(replace(_of_librdkafka(), settings={name: told} if told else {}), [wish])
    assert future.paused is not None and assumed.paused is not None
    assert (future.paused < assumed.paused) == bool(told)
    assert any(f"{name}{said}" in note for note in future.notes)


@pytest.mark.parametrize(("told", "seconds"), [("12345678", 12_345.678), ("86400000", 86_400.0)])
def test_a_delay_is_simulated_to_the_millisecond(told: str, seconds: float) -> None:
    name = "group.initial.rebalance.delay.ms"
    text = scenario_text(replace(_of_librdkafka(), settings={name: told}))
    assert f"initial_rebalance_delay = {seconds}\n" in text
    read_scenario(text, "x", "x")


@pytest.mark.parametrize("told", ["1234567890", "9223372036854775807"])
def test_a_delay_that_is_too_long_is_not_cut(told: str) -> None:
    group = replace(_of_librdkafka(), settings={"group.initial.rebalance.delay.ms": told})
    _, future = futures(group, [parse_wish("assignor=cooperative-sticky")])
    assert future.paused is None
    assert any("initial_rebalance_delay: expected a number" in note for note in future.notes)


def test_a_stop_of_all_members_leaves_nobody_what_it_had() -> None:
    """The cooperative assignor divides anew what no member claims."""
    group = _of_librdkafka()
    _, future = futures(group, [parse_wish("assignor=cooperative-sticky")])
    topics = ConsumerProtocolSubscription(topics=["orders"])
    fresh = ASSIGNORS["cooperative-sticky"].assign(
        [Consumer(member.member_id, topics) for member in group.members], group.topics
    )
    assert future.owned == {
        name: {entry.topic: tuple(entry.partitions) for entry in share.assigned_partitions}
        for name, share in fresh.items()
    }
