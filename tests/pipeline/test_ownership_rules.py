"""Who is given what, in a history and in a group that is looked at: troubles and their healthy
neighbours, drawn at any size, and reports that people made."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.inspector.shapes.group_shapes import Committed, Group, Member
from kproto.pipeline.audit import GroupEnd, MemberSeen, Severity, Step, end_findings
from kproto.pipeline.audit.rules import RULES
from kproto.rebalance.judgements import JUDGEMENTS, Fact
from kproto.tools.main import main

from .audit_groups import audited, member, record, subscription
from .test_storm_causes import findings_of, streams_member, worker

REPORTS = Path(__file__).parents[1] / "vectors" / "reports"
PARTITIONING = st.sampled_from(
    ["range", "roundrobin", "sticky", "cooperative-sticky", "RoundRobinAssigner"]
)


def looked_at(step: Step, kind: Any = "classic") -> Group:
    """The group of a record, as a broker would describe it."""
    members = tuple(
        Member(
            member_id=seen.member_id,
            client_id=seen.client_id,
            host=seen.host,
            metadata=seen.metadata,
            assignment=seen.assignment,
            topics=tuple(sorted(seen.topics)),
            assigned=_by_topic(seen),
        )
        for seen in step.members
    )
    return Group(
        group_id="g", kind=kind, state="Stable", protocol_type=step.protocol_type,
        protocol=step.protocol or "", members=members,
        partitions=tuple(Committed(topic, number) for topic, number in step.owner),
    )  # fmt: skip


def _by_topic(seen: MemberSeen) -> dict[str, tuple[int, ...]]:
    topics: dict[str, tuple[int, ...]] = {}
    for topic, number in sorted(seen.assigned):
        topics[topic] = (*topics.get(topic, ()), number)
    return topics


def remarks(group: Group) -> dict[str, Fact]:
    """The first remark of each code."""
    found: dict[str, Fact] = {}
    for judgement in JUDGEMENTS:
        for fact in judgement.find(group):
            found.setdefault(judgement.code, fact)
    return found


def names(topic: str, numbers: range | list[int]) -> list[str]:
    return [f"{topic}-{number}" for number in numbers]


@st.composite
def divided(draw: st.DrawFn) -> list[list[str]]:
    """The partitions of a topic, divided among two members or more."""
    members, count = draw(st.integers(2, 40)), draw(st.integers(2, 300))
    shares: list[list[str]] = [[] for _ in range(members)]
    for number in range(count):
        shares[number % members].append(f"t-{number}")
    return shares


@settings(max_examples=20)
@given(divided(), PARTITIONING, st.data())
def test_a_partition_of_two_members(
    shares: list[list[str]], assignor: str, data: st.DataObject
) -> None:
    healthy = record(1, *(member(f"m{n}", share) for n, share in enumerate(shares)),
                     protocol=assignor)  # fmt: skip
    assert "assigned-twice" not in audited(healthy)
    assert "assigned-twice" not in remarks(looked_at(healthy))
    twice = data.draw(st.sampled_from(shares[0]))
    shares[1].append(twice)
    step = record(1, *(member(f"m{n}", share) for n, share in enumerate(shares)),
                  protocol=assignor)  # fmt: skip
    finding = audited(step)["assigned-twice"]
    assert finding.severity is Severity.CRITICAL
    assert finding.evidence["partitions"] == [twice]
    assert twice in remarks(looked_at(step))["assigned-twice"].text


@settings(max_examples=10)
@given(st.integers(2, 40), st.integers(1, 100))
def test_a_broadcast_is_on_purpose(members: int, partitions: int) -> None:
    """Everybody has everything, under a name that no client gives a partitioning assignor."""
    share = names("t", range(partitions))
    step = record(1, *(member(f"m{n}", share) for n in range(members)), protocol="broadcast")
    assert "assigned-twice" not in audited(step)
    assert "assigned-twice" not in remarks(looked_at(step))


def test_an_own_assignor_that_gives_some_of_it_twice_is_at_fault() -> None:
    step = record(1, member("a", ["t-0", "t-1"]), member("b", ["t-1", "t-2"]), protocol="ours")
    assert audited(step)["assigned-twice"].severity is Severity.CRITICAL


@settings(max_examples=20)
@given(st.integers(2, 30), st.integers(1, 30))
def test_partitions_of_a_member_that_does_not_subscribe(members: int, partitions: int) -> None:
    """KafkaJS' round robin assumes equal subscriptions (kafkajs#1679)."""
    share = names("a", range(partitions))
    others = [member(f"m{n}", metadata=subscription(["a"])) for n in range(members)]
    wrong = record(1, member("odd", share, metadata=subscription(["b"])), *others)
    finding = audited(wrong)["not-subscribed"]
    assert finding.severity is Severity.CRITICAL
    assert finding.evidence["unread_topics"] == ["b"]
    assert "does not subscribe" in remarks(looked_at(wrong))["not-subscribed"].text
    right = record(1, member("odd", share, metadata=subscription(["a", "b"])), *others)
    assert "not-subscribed" not in audited(right)
    assert "not-subscribed" not in remarks(looked_at(right))


def test_a_static_member_that_came_back_with_other_topics_is_no_stray() -> None:
    """It keeps its old partitions until the next rebalance: static-unseen-subscription says so."""
    steps = [
        record(1, member("s#1", ["t-0"], instance="s")),
        record(1, member("s#2", ["t-0"], instance="s", metadata=subscription(["u"]))),
    ]
    assert audited(*steps).keys() >= {"static-unseen-subscription"}
    assert "not-subscribed" not in audited(*steps)


@settings(max_examples=20)
@given(st.integers(2, 100), st.integers(2, 100))
def test_range_over_topics_of_one_partition(members: int, topics: int) -> None:
    subscribed = subscription([f"t{n}" for n in range(topics)])
    everything = [f"t{n}-0" for n in range(topics)]
    seats = [member(f"m{n}", everything if not n else [], metadata=subscribed)
             for n in range(members)]  # fmt: skip
    step = record(1, *seats)
    finding = audited(step)["idle-under-range"]
    assert finding.severity is Severity.WARNING
    assert finding.evidence["members_without_partitions"] == members - 1
    assert "range divides each topic by itself" in remarks(looked_at(step))["idle-under-range"].text
    assert "idle-under-range" not in audited(record(1, *seats, protocol="roundrobin"))


@settings(max_examples=20)
@given(st.integers(1, 60), st.integers(1, 60))
def test_range_over_one_topic_leaves_only_whom_every_assignor_leaves(
    members: int, partitions: int
) -> None:
    seats = [member(f"m{n}", [f"t-{n}"] if n < partitions else []) for n in range(members)]
    step = record(1, *seats)
    assert "idle-under-range" not in audited(step)
    assert "idle-under-range" not in remarks(looked_at(step))
    signs = list(end_findings("c", GroupEnd("g", 0, step), [RULES["idle-members"]]))  # type: ignore[list-item]
    fact = remarks(looked_at(step)).get("idle-members")
    assert [finding.explanation for finding in signs] == ([] if fact is None else [fact.text])
    assert bool(signs) == (members > partitions)


def two_applications(step: Step, since_s: int) -> list[tuple[Severity, str | None]]:
    start = step.place.timestamp
    end = GroupEnd("g", start + since_s * 1000, step, differ_since=start)
    rule = RULES["two-applications"]
    return [(each.severity, each.cause) for each in end_findings("c", end, [rule])]  # type: ignore[list-item]


@settings(max_examples=20)
@given(st.integers(1, 30), st.integers(1, 30))
def test_two_applications_in_one_group(some: int, others: int) -> None:
    step = record(
        1,
        *(member(f"a{n}", metadata=subscription(["orders"])) for n in range(some)),
        *(member(f"b{n}", metadata=subscription(["clicks"])) for n in range(others)),
    )
    word = "two-applications-in-one-group"
    assert two_applications(step, 3600) == [(Severity.WARNING, word)]
    assert two_applications(step, 5) == [(Severity.INFO, word)]
    fact = remarks(looked_at(step))["two-applications"]
    assert (fact.cause, fact.certainty) == (word, "likely")
    assert "probably" in fact.text


def test_a_subscription_that_is_rolled_out_is_one_application() -> None:
    step = record(
        1,
        member("a", metadata=subscription(["orders"])),
        member("b", metadata=subscription(["orders", "clicks"])),
    )
    assert two_applications(step, 3600) == []
    assert two_applications(step, 90_000)[0][0] is Severity.WARNING
    assert "two-applications" not in remarks(looked_at(step))


def static(names_: list[str], generation: int) -> Step:
    return record(generation, *(member(f"{name}#1", instance=name) for name in names_))


def test_instance_ids_that_never_come_back() -> None:
    """The names of a Deployment's pods: each restart brings another one."""
    pods = ["p0", "p1", "p2", "p3"]
    steps, generation = [static(pods, 1)], 1
    for number in range(4):
        for left in (pods[:number] + pods[number + 1 :], None):
            generation += 1
            if left is None:
                pods[number] = f"n{number}"
            steps.append(static(pods if left is None else left, generation))
    finding = audited(*steps)["static-never-returns"]
    assert finding.severity is Severity.WARNING
    assert finding.explanation.startswith("probably instance ids are made anew at each start")
    assert finding.evidence["departed_instances"] == ["p0", "p1", "p2", "p3"]
    assert "static-never-returns" not in audited(*steps[:1], static([], 2))


@pytest.mark.parametrize("scales_in", [False, True])
def test_instance_ids_that_come_back_or_are_not_needed(scales_in: bool) -> None:
    pods = [f"p{number}" for number in range(6)]
    steps, generation = [static(pods, 1)], 1
    for number in range(5):
        generation += 2
        steps.append(static(pods[:number] + pods[number + 1 :], generation))
        if scales_in:
            pods = pods[:-1] if len(pods) > 1 else pods
        steps.append(static(pods, generation + 1))
    assert "static-never-returns" not in audited(*steps)


# -- Streams and Connect


@pytest.mark.parametrize(("code", "severity", "cause"), [
    (1, Severity.ERROR, "source-topic-missing"), (2, Severity.INFO, None),
    (3, Severity.ERROR, None), (0, None, None),
])  # fmt: skip
def test_an_error_of_streams(code: int, severity: Severity | None, cause: str | None) -> None:
    step = record(1, streams_member("a"), streams_member("b", code), protocol="stream")
    found = audited(step).get("streams-error")
    assert (found and found.severity) == severity
    assert (found and found.cause) == cause
    assert ("streams-error" in remarks(looked_at(step))) == bool(code)


def test_the_missing_source_is_named_where_topics_are_known() -> None:
    step = record(1, streams_member("a", 1), protocol="stream")
    found = audited(step, partitions={"u": 3})["streams-error"]
    assert found.evidence["missing_topics"] == ["t"]


@settings(max_examples=20)
@given(st.integers(0, 100), st.integers(1, 100), st.integers(3, 30))
def test_two_connect_clusters(low: int, more: int, generations: int) -> None:
    high = low + more
    steps = [
        record(n, worker("a", high, high), worker("b", low, high), protocol="sessioned",
               kind="connect") for n in range(1, generations + 1)
    ]  # fmt: skip
    finding = audited(*steps)["connect-clusters"]
    assert (finding.severity, finding.cause) == (Severity.ERROR, "two-clusters-in-one-group")
    assert finding.evidence["config_offsets"] == {"http://a:8083/": high, "http://b:8083/": low}
    assert "connect-clusters" not in audited(steps[0])
    fact = remarks(looked_at(steps[0], "connect"))["two-clusters"]
    assert fact.text.startswith("probably two Connect clusters")
    equal = record(1, worker("a", high, high), worker("b", high, high), kind="connect")
    assert "two-clusters" not in remarks(looked_at(equal, "connect"))


# -- what people reported


def by_code(report: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return {each["code"]: each for each in findings_of(report, folder, capsys)}


def test_kafkajs_1679(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = by_code("kjs1679.jsonl", tmp_path, capsys)["not-subscribed"]
    assert found["severity"] == "critical"
    assert "group-1-0" in found["explanation"] and "topic-a-0" in found["explanation"]
    assert found["evidence"]["unreadTopics"] == ["topic-b"]


def test_a_streams_application_that_shut_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """KAFKA-10355: error 1 in every assignment."""
    found = by_code("shutdown.jsonl", tmp_path, capsys)["streams-error"]
    assert (found["cause"], found["certainty"]) == ("source-topic-missing", "certain")
    assert "shuts down" in found["explanation"]


def test_the_dead_owner_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A static member was dead for 600 s; the one that took over has not committed yet."""
    found = by_code("blame.jsonl", tmp_path, capsys)["stuck-partition"]
    assert found["evidence"]["member"].startswith("a-")
    assert found["evidence"]["takenOverBy"].startswith("b-")
    assert "is not to blame" in found["explanation"]
    assert (found["cause"], found["certainty"]) == ("session-expired", "likely")


def test_two_services_in_one_group(capsys: pytest.CaptureFixture[str]) -> None:
    """spring-kafka#3784."""
    main(["group", "mixed", "--from", str(REPORTS / "mixed.save"), "--json"])
    (remark, *_) = json.loads(capsys.readouterr().out)["remarks"]
    assert (remark["code"], remark["cause"]) == (
        "two-applications", "two-applications-in-one-group",
    )  # fmt: skip


def test_two_connect_clusters_that_rebalance(capsys: pytest.CaptureFixture[str]) -> None:
    """strimzi#9344: while it rebalances, the broker tells no config offsets."""
    main(["group", "connect-shop", "--from", str(REPORTS / "connect.save")])
    text = " ".join(capsys.readouterr().out.split())
    assert "perhaps two Connect clusters share this group.id" in text
    assert "Give each Connect cluster a group.id of its own" in text


def test_names_are_hidden_in_remarks_too(capsys: pytest.CaptureFixture[str]) -> None:
    for name, report in (("connect-shop", "connect.save"), ("mixed", "mixed.save")):
        main(["group", name, "--from", str(REPORTS / report), "--redact"])
        text = capsys.readouterr().out
        assert not {"worker", "example", "svc-", "orders", name, "127.0.0.1"} & set(
            re.findall(r"[\w.-]+", text)
        )
        assert "svc-" not in text and "worker-" not in text and "example" not in text
