"""Every scenario that comes along shows what it is there to show."""

from __future__ import annotations

from functools import cache

import pytest

from kproto.codec.messages import JoinGroupRequest
from kproto.rebalance.simulation import (
    Overrides,
    Run,
    Scenario,
    ScenarioError,
    built_in_scenarios,
    measure,
    metrics,
    read_scenario,
    run,
)
from kproto.rebalance.simulation.machines.coordinator_state import ErrorCode
from kproto.rebalance.simulation.measures import stretches
from kproto.rebalance.simulation.modern.member_state import JoinState
from kproto.rebalance.simulation.scenarios.scenario import COMPARED_ON, PROTOCOLS
from kproto.rebalance.simulation.views.tables import owners

SCENARIOS = built_in_scenarios()


def load(name: str, **overrides: object) -> Scenario:
    return read_scenario(SCENARIOS[name], name, overrides=Overrides(**overrides))  # type: ignore[arg-type]


@cache
def played(name: str) -> Run:
    return run(load(name))


def steps(done: Run, who: str, *whats: str) -> list[tuple[str, tuple[tuple[str, int], ...]]]:
    """What a member did, of these things."""
    return [
        (one.what, one.partitions)
        for one in done.record.events
        if one.who == who and one.what in whats
    ]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name == "hundred-consumers"))
        for name in SCENARIOS
    ],
)
def test_it_shows_what_it_is_there_to_show(name: str) -> None:
    done = played(name)
    assert done.scenario.summary.endswith(".")
    assert done.as_expected, (done.findings, done.failed)


def test_a_copy_of_the_state_is_taken_over_at_once() -> None:
    """The member that has a crashed one's standby task reads its partition without rebuilding."""

    def rebuilt(replicas: str) -> float:
        text = SCENARIOS["streams-standby"].replace("standby_replicas = 1", replicas)
        done = run(read_scenario(text, "streams-standby"))
        assert not done.findings
        expired = next(e.at_ms for e in done.record.events if e.what == "session expired")
        return max(
            until - since
            for who, since, until in done.record.blocked
            if since > expired and who != "a"
        )

    assert rebuilt("standby_replicas = 1") < 100
    assert rebuilt("standby_replicas = 0") > 5_000


@pytest.mark.slow
def test_an_active_task_is_with_one_process_at_a_time() -> None:
    """As the broker hands tasks out (KIP-1071), whatever else happens to the group."""
    text = SCENARIOS["streams-standby"]
    text += """
[[events]]
at = 45
do = "freeze"
member = "b"
takes = 50

[[events]]
at = 70
do = "bounce"
member = "c"
takes = 2

[[events]]
at = 90
do = "fail over"

[[events]]
at = 95
do = "change topics"
topics = { orders = 9, clicks = 4 }
"""
    text = text.replace("duration = 120", "duration = 200")
    for seed in range(5):
        done = run(read_scenario(text, "changed", overrides=Overrides(seed=seed)))
        assert not done.findings, (seed, done.findings)
        owned = sorted(one for mine in done.owned.values() for one in mine)
        assert owned == [("clicks", n) for n in range(4)] + [("orders", n) for n in range(9)]


def test_threads_of_one_process_have_no_copy_of_their_own_tasks() -> None:
    text = SCENARIOS["streams-standby"].replace("count = 3", 'count = 3\nprocess = "one"')
    done = run(read_scenario(text, "threads"))
    moved = [e for e in done.record.events if e.what == "member moved" and e.at_ms < 20_000]
    assert moved
    assert not any(name.endswith("standby") for event in moved for name, _ in event.partitions)


def test_a_member_of_librdkafka_tells_its_join_states() -> None:
    """As the debug log of a real one does, with which tests/broker compares."""
    text = SCENARIOS["consumer-protocol"].replace("[defaults]", '[defaults]\nclient = "librdkafka"')
    done = run(read_scenario(text, "states"))
    names = frozenset(JoinState)
    told = [e.what for e in done.record.events if e.who == "b" and e.what in names]
    revokes = ["wait-unassign-call", "wait-incr-unassign-to-complete", "wait-assign-call", "steady"]
    assert told[:6] == ["wait-assign-call", "steady", *revokes]
    assert told[-3:] == ["wait-unassign-call", "wait-unassign-to-complete", "init"]
    assert not any(e.what == "reconciling" for e in done.record.events)


def test_members_of_a_share_group_share_what_there_is_less_of_than_members() -> None:
    done = played("share-group")
    readers = [each for each in stretches(done.record) if each.since_ms > 30_000]
    assert max(len(each.owners) for each in readers) > 1
    assert not any(each.is_contested for each in readers)
    measures = measure(done)
    assert (measures.paused_partition_seconds, measures.overlap_partition_seconds) == (0, 0)
    assert measures.processed_twice == 0
    assert all(done.owned.values())  # nobody is idle


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("count = 3", "count = 3\nstatic = true", "a streams member has no 'static'"),
        ("count = 3", 'count = 3\ntopics = ["orders"]', "a streams member has no 'topics'"),
        ('name = "d"', 'name = "d"\nprotocol = "share"', "in no group with others"),
        ('name = "d"', 'name = "d"\nprotocol = "classic"', "in no group with others"),
        ('["clicks"]', '["orders"]', "two subtopologies read 'orders'"),
        ('["clicks"]', '["others"]', "there is no topic 'others'"),
        ('topics = ["clicks"]', "", "a subtopology needs topics"),
        ('"crash"', '"subscribe"\nsubscribe = "clicks"', "its topics are those of its topology"),
    ],
)
def test_what_a_streams_group_has_not_is_refused(old: str, new: str, reason: str) -> None:
    text = SCENARIOS["streams-standby"].replace(old, new)
    with pytest.raises(ScenarioError, match=reason):
        read_scenario(text, "streams-standby")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rolling-bounce", "crash", "kip-429"])
@pytest.mark.parametrize("assignor", ["range", "roundrobin", "sticky", "cooperative-sticky"])
@pytest.mark.parametrize("seed", [1])
def test_sound_scenarios_stay_sound_under_other_assignors_and_delays(
    name: str, assignor: str, seed: int
) -> None:
    done = run(load(name, assignor=assignor, seed=seed))
    assert not done.findings
    assert not done.failed


def test_the_same_seed_is_the_same_run() -> None:
    first, again, other = (run(load("rolling-bounce", seed=seed)) for seed in (5, 5, 6))
    assert first.record == again.record
    assert first.record != other.record


def test_more_members_and_partitions() -> None:
    done = run(load("rolling-bounce", members=6, partitions=24))
    assert {name: len(mine) for name, mine in done.owned.items()} == dict.fromkeys("abcdef", 4)


# -- KIP-429


def test_the_eager_timeline_of_kip_429() -> None:
    """Everything is revoked before the join, and what is assigned is assigned in full."""
    done = run(load("scale-out-and-in", assignor="range"))
    did = steps(
        done, "a", "onPartitionsRevoked", "subscriptionUserData", "onAssignment",
        "onPartitionsAssigned",
    )  # fmt: skip
    half, third = tuple(("orders", n) for n in (0, 1, 2)), tuple(("orders", n) for n in (0, 1))
    joins = did.index(("onPartitionsRevoked", half))
    assert did[joins : joins + 4] == [
        ("onPartitionsRevoked", half),
        ("subscriptionUserData", ()),
        ("onAssignment", third),
        ("onPartitionsAssigned", third),
    ]


def test_the_cooperative_timeline_of_kip_429() -> None:
    """What is taken away is revoked after the assignment, a second rebalance follows, and
    onPartitionsAssigned is called even with nothing."""
    done = played("scale-out-and-in")
    did = steps(
        done, "a", "onPartitionsRevoked", "subscriptionUserData", "onAssignment",
        "onPartitionsAssigned",
    )  # fmt: skip
    kept = tuple(("orders", n) for n in (0, 2))
    revoked = did.index(("onPartitionsRevoked", (("orders", 4),)))
    assert did[revoked - 1 : revoked + 6] == [
        ("subscriptionUserData", ()),
        ("onPartitionsRevoked", (("orders", 4),)),
        ("onAssignment", kept),
        ("onPartitionsAssigned", ()),
        ("subscriptionUserData", ()),
        ("onAssignment", kept),
        ("onPartitionsAssigned", ()),
    ]


def test_the_triggers_of_kip_429() -> None:
    done = played("kip-429")
    # 1. The subscription changed: what is no longer subscribed is revoked before the join.
    changed = steps(done, "b", "subscribed", "onPartitionsRevoked", "JoinGroup")
    at = changed.index(("subscribed", ()))
    assert changed[at + 1] == ("onPartitionsRevoked", (("refunds", 1),))
    assert changed[at + 2] == ("JoinGroup", ())
    # 2. The topic is gone: lost, not revoked, and only the leader begins a rebalance.
    assert ("onPartitionsLost", (("refunds", 0), ("refunds", 1))) in steps(
        done, "a", "onPartitionsLost"
    )
    # 4. Fallen out of the group: all of it is lost before the member joins anew.
    fallen = steps(done, "c", "fell out of the group", "onPartitionsLost", "JoinGroup")
    at = [what for what, _ in fallen].index("fell out of the group")
    assert fallen[at + 1] == ("onPartitionsLost", (("orders", 2), ("orders", 3)))


# -- upgrades


def test_two_bounces_are_eager_to_the_last_member_and_cooperative_after() -> None:
    done = played("upgrade-two-bounces")
    chosen = [one.detail["protocol"] for one in done.record.events if one.what == "generation"]
    switch = chosen.index("cooperative-sticky")
    assert set(chosen[:switch]) == {"range"}
    assert set(chosen[switch:]) == {"cooperative-sticky"}
    assert measure(done).overlap_partition_seconds == 0


def test_a_downgraded_member_joins_as_new_and_owns_nothing() -> None:
    done = played("downgrade")
    late = [
        one.message
        for one in done.record.frames
        if one.client_id == "b" and isinstance(one.message, JoinGroupRequest)
        and one.at_ms > 18_000
    ]  # fmt: skip
    assert {one.member_id == "" for one in late} == {True, False}
    labels = {protocol.metadata[:2] for one in late for protocol in one.protocols}
    assert labels == {b"\0\0"}


def test_connect_turns_cooperative_with_its_last_worker() -> None:
    done = played("connect-one-bounce")
    chosen = [one.detail["protocol"] for one in done.record.events if one.what == "generation"]
    assert chosen[0] == "default"
    assert chosen[-1] == "compatible"
    assert measure(done).overlap_partition_seconds == 0


VERSIONS = (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("leader", "assignor"),
    [
        pytest.param(
            leader, assignor, marks=[pytest.mark.slow] * ((leader + number) % 2),
            id=f"{leader}-{assignor}",
        )
        for leader in VERSIONS
        for number, assignor in enumerate(("range", "sticky", "cooperative-sticky"))
    ],
)  # fmt: skip
def test_a_leader_of_each_version_leads_members_of_each_version(leader: int, assignor: str) -> None:
    """But one of version 0 does not see what cooperative members own: it is the mistake of one
    bounce under one name, and is found."""
    text = f"""
        summary = "x."
        duration = 60
        [topics]
        t = 8
        [defaults]
        assignor = "{assignor}"
        [[members]]
        name = "z"
        version = {leader}
        """ + "".join(
        f'[[members]]\nname = "{name}"\nversion = {version}\nstart = {7 + 7 * version}\n'
        for name, version in zip("abcd", VERSIONS, strict=True)
    )
    done = run(read_scenario(text, "x"))
    blind = leader == 0 and assignor == "cooperative-sticky"
    assert {name for name, _ in done.findings} == ({"disjoint"} if blind else set())
    sizes = sorted(map(len, done.owned.values()))
    assert sizes == [1, 1, 2, 2, 2]


# -- operations


@cache
def variants(name: str) -> dict[str, Run]:
    scenario = load(name)
    return {one: run(load(name, options=options)) for one, options in scenario.variants.items()}


def test_eager_stops_the_group_and_cooperative_only_what_moves() -> None:
    measured = {name: measure(done) for name, done in variants("eager-against-cooperative").items()}
    cooperative = measured["cooperative-sticky"]
    for name in ("range", "roundrobin", "sticky"):
        assert cooperative.paused_partition_seconds < measured[name].paused_partition_seconds
        assert cooperative.record_delay_ms < measured[name].record_delay_ms
        assert cooperative.most_behind < measured[name].most_behind
        assert cooperative.rebalances > measured[name].rebalances
    assert cooperative.moves <= measured["sticky"].moves < measured["range"].moves


def test_eager_throughput_falls_to_zero_and_cooperative_never_does() -> None:
    def least(done: Run) -> float:
        """Records in any second of the bounce."""
        samples = [one for one in done.record.samples if 18_000 < one.at_ms < 85_000]
        pairs = zip(samples, samples[4:], strict=False)
        return min(after.processed - before.processed for before, after in pairs)

    done = variants("eager-against-cooperative")
    assert least(done["range"]) == 0
    assert least(done["cooperative-sticky"]) > 0


def test_a_storm_and_its_remedies() -> None:
    measured = {name: measure(done) for name, done in variants("rebalance-storm-remedies").items()}
    assert measured["storm"].rebalances > 10
    assert {measured[name].rebalances for name in ("limit-raised", "decoupled", "static")} == {1}
    assert measured["limit-raised"].paused_partition_seconds == 0
    for remedy in ("limit-raised", "decoupled"):
        assert measured[remedy].record_delay_ms < measured["storm"].record_delay_ms / 2
        assert measured[remedy].commits_refused == measured[remedy].processed_twice == 0
    hidden = measured["static"]  # no rebalance more, and nothing is better for it
    assert hidden.commits_refused > measured["storm"].commits_refused
    assert hidden.processed_twice > measured["storm"].processed_twice
    assert hidden.behind >= measured["storm"].behind


@pytest.mark.slow
@pytest.mark.parametrize("name", ["eager-against-cooperative", "state-to-rebuild", "sizes"])
def test_records_wait_at_least_as_long_as_their_partitions_are_paused(name: str) -> None:
    """A record that arrives in a pause of T seconds waits T/2 on average, so the measure of pauses
    is a lower bound for those of records."""
    for title, done in variants(name).items():
        record, rate = done.record, done.scenario.conditions.load.records_per_second
        pauses = [one for one in stretches(record) if not one.readers]
        assert record.begin_ms is not None
        lengths = [
            (one.until_ms - max(one.since_ms, record.begin_ms)) / 1000
            for one in pauses
            if one.until_ms > record.begin_ms
        ]
        measured = measure(done)
        assert sum(lengths) == pytest.approx(measured.paused_partition_seconds, abs=0.01)
        seconds = (record.end_ms - record.begin_ms) / 1000
        produced = rate * len(record.partitions) * seconds
        least = rate * sum(length**2 / 2 for length in lengths) / produced
        assert measured.record_delay_ms > least * 1000, title
        assert measured.most_behind >= rate * max(lengths, default=0) - 1, title


@pytest.mark.parametrize("assignor", ["range", "cooperative-sticky"])
def test_a_healthy_rebalance_loses_no_commit(assignor: str) -> None:
    """Java sends none while it rebalances, so none is refused; and what waited is committed before
    a partition goes to its next owner."""
    measured = measure(run(load("eager-against-cooperative", assignor=assignor)))
    assert measured.commits_refused == measured.processed_twice == 0


def test_static_members_come_back_without_a_rebalance() -> None:
    assert measure(played("rolling-bounce-static")).rebalances == 1
    assert measure(played("rolling-bounce")).rebalances > 8


@pytest.mark.slow
def test_a_short_session_timeout_sees_a_crash_early_and_living_members_dead() -> None:
    measured = [measure(done) for done in variants("session-timeout-sweep").values()]
    took = [one.detection_seconds for one in measured]
    assert took == sorted(took, key=lambda one: one or 0)
    wrong = [one.expired_alive for one in measured]
    assert wrong == sorted(wrong, reverse=True)
    assert wrong[0] > 0 == wrong[-1]


def test_a_zombie_believes_and_its_commits_are_refused() -> None:
    measured = measure(played("zombie"))
    assert measured.overlap_partition_seconds > 0
    assert measured.commits_refused > 0


def test_kip_315_keeps_joins_and_moves_nothing_that_need_not() -> None:
    measured = {name: measure(done) for name, done in variants("kip-315").items()}
    assert measured["stream-join"].spread_numbers == measured["range"].spread_numbers == 0
    assert measured["roundrobin"].spread_numbers == 10
    assert measured["stream-join"].moves == 0 < measured["range"].moves


@pytest.mark.slow
def test_the_protocols_side_by_side() -> None:
    """What KIP-848 is there for: no rebalance of all, so less waits, with fewer requests."""
    for name in COMPARED_ON:
        measured = {
            protocol: measure(run(load(name, options=each.options, every_second=each.every_second)))
            for protocol, each in PROTOCOLS.items()
        }
        eager, consumer = measured["eager"], measured["consumer"]
        assert consumer.paused_partition_seconds < eager.paused_partition_seconds
        assert consumer.requests < eager.requests
        assert all(one.overlap_partition_seconds == 0 for one in measured.values())
        assert all(one.imbalance <= 1 for one in measured.values())


def test_every_second_member_of_a_mixed_group_is_of_the_consumer_protocol() -> None:
    scenario = load("rolling-bounce", every_second={"protocol": "consumer"})
    kinds = [plan.settings.group_protocol for plan in scenario.members]
    assert kinds == ["classic", "consumer", "classic", "consumer"]
    (bounce,) = scenario.operations
    assert [plan.settings.group_protocol for plan in bounce.plans.values()] == kinds


def test_the_tables_of_kip_315() -> None:
    """The proposal's own: D has 8 and 9. As it leaves, range moves 3 and 6 for nothing and gives
    both to C; stream-join moves 8 and 9 and nothing else."""
    done = variants("kip-315")
    before, after = done["range"].scenario.owners_at_ms

    def numbers(assignor: str, at_ms: float) -> dict[str, list[int]]:
        return {
            name: [number for topic, number in mine if topic == "clicks"]
            for name, mine in owners(done[assignor], at_ms).items()
        }

    first = {"a": [0, 1, 2], "b": [3, 4, 5], "c": [6, 7], "d": [8, 9]}
    assert numbers("range", before) == first
    assert numbers("range", after) == {"a": [0, 1, 2, 3], "b": [4, 5, 6], "c": [7, 8, 9]}
    then = numbers("stream-join", after)
    assert numbers("stream-join", before) == first
    assert {name: set(mine) - set(then[name]) for name, mine in first.items() if name != "d"} == {
        "a": set(), "b": set(), "c": set()
    }  # fmt: skip
    assert sorted({n for mine in then.values() for n in mine}) == list(range(10))
    assert sorted(map(len, then.values())) in ([3, 3, 4], [2, 4, 4])
    for at_ms in (before, after):
        for mine in owners(done["stream-join"], at_ms).values():
            assert {n for t, n in mine if t == "clicks"} == {n for t, n in mine if t != "clicks"}


def test_kip_792_and_the_alternative_that_it_rejected() -> None:
    """The broker would refuse the old claims with ILLEGAL_GENERATION: the member needs one more
    round to join, and loses what it owned. As adopted, the leader sorts it out."""
    adopted, rejected = played("kip-792"), played("kip-792-rejected")

    def joins(done: Run) -> int:
        return sum(isinstance(one.message, JoinGroupRequest) for one in done.record.frames)

    assert joins(rejected) == joins(adopted) + 1
    refused = [
        one for one in rejected.record.frames if not one.asks
        if getattr(one.message, "error_code", 0) == ErrorCode.ILLEGAL_GENERATION
    ]  # fmt: skip
    assert len(refused) == 1
    assert steps(rejected, "b", "onPartitionsLost") == [
        ("onPartitionsLost", (("orders", 2), ("orders", 3)))
    ]
    assert not steps(adopted, "b", "onPartitionsLost")
    for measured in (measure(adopted), measure(rejected)):
        assert measured.overlap_partition_seconds == 0


@pytest.mark.slow
def test_a_hundred_consumers_of_which_one_restarts() -> None:
    """As the article has it: the other 99 go on without interruption where they are
    cooperative."""
    measured = {name: measure(done) for name, done in variants("hundred-consumers").items()}
    cooperative = measured["cooperative-sticky"]
    assert cooperative.moves <= 3
    for name in ("range", "sticky"):
        assert cooperative.paused_partition_seconds * 10 < measured[name].paused_partition_seconds
    paused = {
        one.partition
        for one in stretches(variants("hundred-consumers")["range"].record)
        if not one.readers and one.since_ms > 20_000
    }
    assert len(paused) == 300


@pytest.mark.slow
def test_the_size_of_joins_grows_with_what_they_say() -> None:
    sizes = {name: measure(done).bytes_joining for name, done in variants("sizes").items()}
    assert sizes["range 0"] < sizes["range 3"] < sizes["sticky 0"] < sizes["sticky 3"]
    assert sizes["coop 1"] < sizes["coop 2"] < sizes["coop 3"]


def test_metrics_have_kafkas_names() -> None:
    named = metrics(played("rolling-bounce").record)["b"]
    words = ("revoked", "assigned", "lost")
    assert named.keys() == {
        *(f"partitions-{word}-latency-{kind}" for word in words for kind in ("avg", "max")),
        "rebalance-rate-per-hour", "rebalance-total", "rebalance-latency-avg",
        "rebalance-latency-max", "rebalance-latency-total", "failed-rebalance-rate-per-hour",
        "failed-rebalance-total", "last-rebalance-seconds-ago",
    }  # fmt: skip
    assert named["rebalance-latency-max"] >= named["partitions-assigned-latency-max"] == 920
    assert named["rebalance-total"] > 5
