"""`kproto group` on a real broker: beside kafka-consumer-groups.sh, beside what members were told,
and what it foresaw beside what then happened."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from kproto.cluster import Group, NoSuchGroup, describe_group, list_groups
from kproto.cluster.what_if import Timeouts, Wish, futures, parse_wish
from kproto.fuzz.building import JavaUnavailable, Unavailable
from tests.broker.broker import Broker, running_broker
from tests.broker.members import Members, Step
from tests.broker.other_clients import COMMANDS, joined_by
from tests.broker.test_audit_clients import joined, wait_for
from tests.conftest import do_without


def shares(group: Group) -> dict[str, set[str]]:
    return {
        member.client_id: {
            f"{topic}-{number}" for topic, numbers in member.assigned.items() for number in numbers
        }
        for member in group.members
    }


def owned(step: Step, *names: str) -> dict[str, set[str]]:
    return {name: set(step.owned[name]) for name in names}


def moved(before: dict[str, set[str]], after: dict[str, set[str]]) -> int:
    """The partitions that have another owner than before."""
    owner = {place: who for who, places in before.items() for place in places}
    return sum(
        place in owner and owner[place] != who for who, places in after.items() for place in places
    )


def pauses(before: Step, step: Step) -> dict[str, float]:
    """The seconds for which nobody owned each partition: from the callback in which its owner lost
    it, or from the first order for one that was not there before, to the one in which a member got
    it. Empty for a partition that did not change hands and was not revoked."""
    there = {place for places in before.owned.values() for place in places}
    since: dict[str, int] = {}
    found: dict[str, float] = {}
    for ms, event in zip(step.at_ms, step.events, strict=True):
        for place in event.partitions:
            if event.event in ("revoked", "lost"):
                since.setdefault(place, ms)
                continue
            if place not in there and place not in found:
                since[place] = step.ordered_ms[0]
            if place in since:
                found[place] = found.get(place, 0.0) + (ms - since.pop(place)) / 1000
    assert not since
    return found


# -- beside the script


def test_everything_that_the_script_shows(broker: Broker, members: Members, script: Any) -> None:
    """Offsets, members and state of a group of three clients; the list."""
    members.step("topic shown 5")
    with ExitStack() as clients:
        for client in ("aiokafka", "kafka-python", "confluent-kafka"):
            clients.enter_context(joined(broker, client, "shown", client, "shown"))
        found = _settled(broker, "shown", 3)
        by_id = {member.member_id: member for member in found.members}
        for row in script("--describe", "--group", "shown", "--members", "--verbose"):
            member = by_id[row["CONSUMER-ID"]]
            assert (member.client_id, f"/{member.host}") == (row["CLIENT-ID"], row["HOST"])
            assert str(member.partitions) == row["#PARTITIONS"]
            said = ";".join(
                f"{topic}:{','.join(map(str, numbers))}"
                for topic, numbers in member.assigned.items()
            )
            assert said == row["CURRENT-ASSIGNMENT"]
        (state,) = script("--describe", "--group", "shown", "--state")
        assert state["COORDINATOR"] == found.coordinator
        assert state["ID"] == f"({found.coordinator_id})"
        assert found.protocol in state.values() and found.state in state.values()
        rows: list[dict[str, str]] = []
        after = found.partitions
        while not rows or after != found.partitions:  # clients commit now and then
            found = describe_group("shown", broker.bootstrap, {})
            rows = script("--describe", "--group", "shown", "--offsets")
            after = describe_group("shown", broker.bootstrap, {}).partitions
        places = {f"{each.topic}-{each.partition}": each for each in found.partitions}
        assert len(rows) == len(places) == 5
        for row in rows:
            each = places[f"{row['TOPIC']}-{row['PARTITION']}"]
            assert row["LOG-END-OFFSET"] == _said(each.end)
            assert each.members == (row["CONSUMER-ID"],)
            assert (_said(each.offset), _said(each.lag)) == (row["CURRENT-OFFSET"], row["LAG"])
        listed = {row["GROUP"]: row for row in script("--list", "--state", "--type")}
        ours = {row.group_id: row for row in list_groups(broker.bootstrap, {}).groups}
        assert listed.keys() == ours.keys()
        assert ours["shown"].state == listed["shown"]["STATE"] == "Stable"


WRITERS = {  # a member's client id: what its bytes could be of
    "java": "kafka-clients",
    "confluent-kafka": "librdkafka",
    "kafka-python": "kafka-python",
    "franz-go": "franz-go",
    "sarama": "sarama",
    "kafkajs": "kafkajs",
}


@pytest.mark.long
def test_clients_in_five_languages(broker: Broker, members: Members, script: Any) -> None:
    """Six clients in Java, C, Python, Go and JavaScript in one group: each has what it was told to
    have, as the script has it, and is among those that could have written its bytes."""
    join = "join java group=many topics=many assignors=range session.timeout.ms=6000"
    members.step("topic many 12", join)
    with ExitStack() as running:
        others: dict[str, Any] = {}
        for name in ("confluent-kafka", "kafka-python"):
            others[name] = running.enter_context(joined(broker, name, "many", name, "many"))
        try:
            for name in COMMANDS.keys() & WRITERS.keys():
                others[name] = running.enter_context(joined_by(broker, name, "many", "many"))
        except Unavailable as reason:
            pytest.skip(str(reason))

        def owned_now() -> dict[str, set[str]]:
            java = members.step("wait 100", quiet_ms=200).owned.get("java", ())
            return {name: set(each.owned) for name, each in others.items()} | {"java": set(java)}

        def is_of_one_generation(told: dict[str, set[str]]) -> bool:
            """A member that has not heard of a rebalance yet may have two partitions, too, but they
            are another member's now."""
            sizes = [len(each) for each in told.values()]
            return sizes == [2] * len(WRITERS) and len(set().union(*told.values())) == sum(sizes)

        seen: list[tuple[dict[str, set[str]], Group, list[dict[str, str]]]] = []

        def is_calm() -> bool:
            """Members have the same before and after the questions."""
            told = owned_now()
            if not is_of_one_generation(told):
                return False
            found = _settled(broker, "many", len(WRITERS))
            rows = script("--describe", "--group", "many", "--members", "--verbose")
            seen.append((told, found, rows))
            return owned_now() == told

        wait_for(is_calm, "two partitions for each")
        told, found, rows = seen[-1]
        assert shares(found) == told
        for member in found.members:
            assert any(WRITERS[member.client_id] in name for name in member.could_be), member
        said = {row["CLIENT-ID"]: row["CURRENT-ASSIGNMENT"] for row in rows}
        assert said == {
            member.client_id: f"many:{','.join(map(str, member.assigned['many']))}"
            for member in found.members
        }


def _said(value: int | None) -> str:
    return "-" if value is None else str(value)


def _settled(broker: Broker, group: str, members: int) -> Group:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with suppress(NoSuchGroup):  # not yet
            found = describe_group(group, broker.bootstrap, {})
            if found.state == "Stable" and len(found.members) == members:
                return found
        time.sleep(0.2)
    raise AssertionError("the group does not settle")


def _at_rest(broker: Broker, members: Members, group: str) -> tuple[dict[str, set[str]], Group]:
    """What `a`, `b` and `c` own, and the group, once the broker has given them just that."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = _settled(broker, group, 3)
        before = owned(members.step("wait 100"), "a", "b", "c")
        if shares(found) == before:
            return before, found
    raise AssertionError("members do not own what the broker has given them")


# -- beside what members are told, and what happened


CHANGES: list[tuple[str, str, str, tuple[str, ...]]] = [
    # assignor, the change, what is then done, who is there afterwards
    ("range", "leave=b", "leave b", ("a", "c")),
    ("roundrobin", "leave=b", "leave b", ("a", "c")),
    ("sticky", "leave=b", "leave b", ("a", "c")),
    ("cooperative-sticky", "leave=b", "leave b", ("a", "c")),
    ("range", "topic=T:9", "topic T 9", ("a", "b", "c")),
    ("roundrobin", "topic=T:9", "topic T 9", ("a", "b", "c")),
    ("sticky", "topic=T:9", "topic T 9", ("a", "b", "c")),
    ("cooperative-sticky", "topic=T:9", "topic T 9", ("a", "b", "c")),
    ("cooperative-sticky", "leave=a,leave=c", "leave a|leave c", ("b",)),
    ("cooperative-sticky", "join=1", "join new", ("a", "b", "c", "new")),
    ("range", "join=1", "join new", ("a", "b", "c", "new")),
]


@pytest.mark.parametrize(("assignor", "change", "orders", "left"), CHANGES)
def test_what_was_foreseen_happens(
    assignor: str,
    change: str,
    orders: str,
    left: tuple[str, ...],
    broker: Broker,
    members: Members,
) -> None:
    """Three Java consumers of six partitions; the assignment that is foreseen is the leader's.

    Of a group that a member joins only the numbers of partitions can be: its id is random."""
    number = CHANGES.index((assignor, change, orders, left))
    name = f"foreseen-{number}"
    topic = f"t-{name}"
    join = f"group={name} topics={topic} assignors={assignor} metadata.max.age.ms=300"
    members.step(f"topic {topic} 6", *(f"join {who} {join}" for who in "abc"))
    before, group = _at_rest(broker, members, name)
    _, future = futures(group, [parse_wish(change.replace("T:", f"{topic}:"))])
    names = {member.member_id: member.client_id for member in group.members}
    foreseen = {
        names.get(member_id, "new"): {f"{t}-{n}" for t, numbers in each.items() for n in numbers}
        for member_id, each in future.owned.items()
    }
    done = orders.replace("topic T", f"topic {topic}").replace("join new", f"join new {join}")
    after = owned(members.step(*done.split("|"), quiet_ms=2500), *left)
    assert shares(describe_group(name, broker.bootstrap, {})) == after
    if "join" not in change or assignor == "cooperative-sticky":
        assert future.moved == moved(before, after)
    if "join" in change:
        assert sorted(map(len, foreseen.values())) == sorted(map(len, after.values()))
    else:
        assert foreseen == after


BROKERS_BEAT = 5.0
"""group.consumer.heartbeat.interval.ms, a broker's default."""
BEAT = 1.0
"""Seconds between two heartbeats of the members whose pauses are measured."""
BUSY = 0.15
"""Seconds that a partition pauses besides, while the members join, on a busy machine."""


@pytest.mark.long
def test_partitions_pause_as_long_as_was_foretold(broker: Broker, members: Members) -> None:
    """A pause depends on when the next heartbeat of each member falls. So one of a change is at
    most a heartbeat for each partition that waits for one off what was foretold; those of all
    changes together are like the foretold ones. Members have heartbeats of a second."""
    told = real = 0.0
    for number, (assignor, change, orders, _) in enumerate(CHANGES):
        name = f"pause-{number}"
        topic = f"t-{name}"
        join = (
            f"group={name} topics={topic} assignors={assignor} metadata.max.age.ms=300 "
            f"heartbeat.interval.ms={BEAT * 1000:.0f}"
        )
        joins = (f"join {who} {join}" for who in "abc")
        before = members.step(f"topic {topic} 6", *joins, quiet_ms=2500)
        group = describe_group(name, broker.bootstrap, {})
        wish = parse_wish(change.replace("T:", f"{topic}:"))
        _, future = futures(group, [wish], Timeouts(heartbeat=BEAT))
        assert future.paused is not None
        done = orders.replace("topic T", f"topic {topic}").replace("join new", f"join new {join}")
        after = members.step(*done.split("|"), quiet_ms=2500)
        paused = pauses(before, after)
        eager = assignor != "cooperative-sticky"
        assert len(paused) == (6 if eager else future.moved) + new(wish), (change, paused)
        # Those of members that left, new ones, and with an eager assignor those of the leader, who
        # sees first that the topic has grown, wait for heartbeats.
        waiting = sum(len(before.owned[who]) for who in "abc" if f"leave={who}" in change)
        waiting += new(wish) + (3 if eager and new(wish) else 0)
        waiting += future.moved if "join" in change and not eager else 0
        off = abs(sum(paused.values()) - future.paused)
        assert off <= waiting * BEAT + 9 * BUSY, (assignor, change, paused, future.paused)
        told, real = told + future.paused, real + sum(paused.values())
        members.step(*(f"leave {who}" for who in after.owned), quiet_ms=100)
    assert 0.5 * told < real < 1.5 * told


def new(wish: Wish) -> int:
    """The partitions that a change adds to the topic of six."""
    return sum(count - 6 for count in wish.topics.values())


@pytest.mark.parametrize(
    ("change", "order", "left"),
    [
        ("leave=b", "leave b", ("a", "c")),
        pytest.param("topic=T1:9", "topic T1 9", ("a", "b", "c"), marks=pytest.mark.long),
    ],
)
def test_what_was_foreseen_of_a_group_that_the_broker_divides_happens(
    change: str, order: str, left: tuple[str, ...], broker: Broker, members: Members
) -> None:
    """Members of the consumer protocol keep their ids, and the broker tells the topics': which
    partition goes to whom is foreseen."""
    name = f"divided-{change[:5]}"
    topics = f"{name}-1", f"{name}-2"
    join = f"group={name} topics={','.join(topics)} group.protocol=consumer"
    members.step(*(f"topic {topic} 5" for topic in topics))
    before = members.step(*(f"join {who} {join}" for who in "abc"), quiet_ms=8000)
    group = _settled(broker, name, 3)
    assert (group.kind, group.protocol) == ("consumer", "uniform")
    _, future = futures(group, [parse_wish(change.replace("T1", topics[0]))])
    foreseen = {
        member.client_id: {
            f"{topic}-{number}"
            for topic, numbers in future.owned[member.member_id].items()
            for number in numbers
        }
        for member in group.members
        if member.client_id in left
    }
    had = shares(group)
    done = members.step(order.replace("T1", topics[0]), quiet_ms=12000)
    assert future.moved == moved(had, owned(done, *left))
    assert owned(done, *left) == foreseen == shares(_settled(broker, name, len(left)))
    # Half a heartbeat for each partition that pauses was foretold; none pauses longer than a whole.
    paused = pauses(before, done)
    assert future.paused == len(paused) * BROKERS_BEAT / 2
    assert all(0 < seconds < BROKERS_BEAT + 1 for seconds in paused.values()), paused


def test_it_leaves_no_trace(tmp_path: Path) -> None:
    """A broker that has never had a group has no offsets topic after it was asked for one."""
    try:
        with running_broker(tmp_path) as broker:
            assert list_groups(broker.bootstrap, {}).groups == ()
            with pytest.raises(NoSuchGroup):
                describe_group("nobody", broker.bootstrap, {})
            assert broker.offsets_topic() == []
    except JavaUnavailable as reason:
        do_without(reason)
