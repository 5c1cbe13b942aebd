"""The audit's rules on trouble that real consumers made on a real broker.

The truth is what their callbacks were told. Each trouble is a test, and so is its absence.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from confluent_kafka import Producer
from confluent_kafka import admin as kafka_admin

from kproto.capture import Summary, decode_record, read_segments
from kproto.pipeline.audit import Finding, GroupFold, Place, Severity, read_step
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.broker_snapshot import snapshot
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.broker import broker_units
from kproto.pipeline.sources.units import Unit
from kproto.pipeline.tables.publishing import Destination
from kproto.tools.main import main
from tests.broker.broker import Broker, running_broker
from tests.broker.members import Event, Members, members_of

KAFKA: Any = kafka_admin  # its stubs leave some of it out
SETTINGS = "topics=t session.timeout.ms=3000"


def audited(broker: Broker, group: str, since: int = 0) -> dict[str, Finding]:
    """The findings about a group, by rule, from the broker's own log segments: from what came
    since then, in milliseconds since 1970."""
    fold = GroupFold("test", group)
    summary = Summary()
    for record in read_segments(broker.offsets_topic(), summary=summary):
        decoded = decode_record(record)
        if decoded.key is None or decoded.key.message_class.NAME != "GroupMetadataKey":
            continue
        key = decoded.key.message
        is_older = (record.timestamp or 0) < since
        if key is None or key.group != group or record.partition is None or is_older:
            continue
        if decoded.value is None:
            fold.delete()
            continue
        place = Place(record.source, record.partition, record.offset, record.timestamp or -1)
        assert decoded.value.message is not None
        fold.observe(read_step(place, decoded.value.data))
    return {finding.rule: finding for finding in fold.findings()}


def loud(found: dict[str, Finding]) -> set[str]:
    """The rules that say more than a remark."""
    return {rule for rule, finding in found.items() if finding.severity is not Severity.INFO}


SECONDS = 30
"""The longest that a busy machine may need for what takes a moment."""


def events_until(expected: Event, members: Members, *orders: str) -> list[Event]:
    """Give orders, and return the events until the expected one has come, or time is over."""
    end = time.monotonic() + SECONDS
    events = list(members.step(*orders).events)
    while expected not in events and time.monotonic() < end:
        events += members.step("wait 100").events
    return events


def shares_of(count: int, members: Members, *orders: str) -> dict[str, tuple[str, ...]]:
    """Give orders, and return what each member owns once each has so many partitions."""
    end = time.monotonic() + SECONDS
    owned = members.step(*orders).owned
    while {len(share) for share in owned.values()} != {count}:
        assert time.monotonic() < end, owned
        owned = members.step("wait 100").owned
    return owned


@pytest.fixture
def topic(members: Members) -> Members:
    members.step("topic t 6", quiet_ms=1)
    return members


def test_two_processes_with_one_instance_id(broker: Broker, topic: Members) -> None:
    def as_one(name: str, host: str) -> str:
        static = f"group.instance.id=one client.id={host}"
        return f"join {name} group=ping-pong assignors=range {static} {SETTINGS}"

    topic.step(as_one("p0", "a"))
    for turn in range(3):  # each restarts when it has been fenced
        fenced = Event(f"p{turn}", "FencedInstanceIdException", ())
        assert fenced in events_until(fenced, topic, as_one(f"p{turn + 1}", "ba"[turn % 2]))
    found = audited(broker, "ping-pong")
    assert loud(found) == {"static-ping-pong"}
    assert found["static-ping-pong"].evidence["group_instance_id"] == "one"


def test_a_static_member_that_restarts_is_no_trouble(broker: Broker, topic: Members) -> None:
    join = "group=restarts assignors=range group.instance.id=one client.id=a"
    topic.step(f"join p1 {join} {SETTINGS}")
    topic.step("vanish p1", f"join p2 {join} {SETTINGS}")
    topic.step("vanish p2", f"join p3 {join} {SETTINGS}")
    assert not loud(audited(broker, "restarts"))


def test_a_static_member_that_comes_back_wanting_more(broker: Broker, topic: Members) -> None:
    join = "group=wants-more assignors=range group.instance.id=one session.timeout.ms=9000"
    topic.step("topic more 2", f"join p1 {join} topics=t")
    owned = topic.step("vanish p1", f"join p2 {join} topics=t,more").owned["p2"]
    assert not any(partition.startswith("more") for partition in owned)
    found = audited(broker, "wants-more")
    assert loud(found) == {"static-unseen-subscription"}
    assert found["static-unseen-subscription"].evidence["topics"] == ["more"]


def test_one_bounce_under_one_protocol_name(broker: Broker, topic: Members) -> None:
    def join(name: str, kind: str) -> str:
        return f"join {name} group=bounce assignors=custom-{kind} {SETTINGS}"

    topic.step(join("o1", "eager"))
    topic.step(join("o2", "eager"))
    topic.step(join("zz", "cooperative"))
    happened = list(topic.step(join("o4", "eager")).events)
    assert Event("o4", "assigned", ("t-2",)) in happened
    # The eager ones gave back before they joined; it gave back when all had been given theirs.
    told = [one[:2] for one in happened]
    eager = max(told.index((name, "revoked")) for name in ("o1", "o2"))
    assert eager < happened.index(Event("zz", "revoked", ("t-2", "t-5")))
    found = audited(broker, "bounce")
    assert loud(found) == {"cooperative-violation"}
    assert found["cooperative-violation"].evidence["partitions"] == ["t-2", "t-5"]


def test_two_bounces_are_no_trouble(broker: Broker, topic: Members) -> None:
    def join(name: str, assignors: str) -> str:
        return f"join {name} group=upgrade assignors={assignors} {SETTINGS}"

    topic.step(join("a1", "range"), join("b1", "range"))
    for name in "ab":
        topic.step(f"leave {name}1", join(f"{name}2", "range,cooperative-sticky"))
    for name in "ab":
        topic.step(f"leave {name}2", join(f"{name}3", "cooperative-sticky"))
    found = audited(broker, "upgrade")
    assert not loud(found)
    assert "range → cooperative-sticky" in found["protocol-changed"].explanation


def test_a_batch_that_takes_longer_than_the_limit_between_polls(
    broker: Broker, topic: Members, capsys: pytest.CaptureFixture[str]
) -> None:
    """`kproto group` tells of it what the audit does, from the newest records."""
    settings = "topics=t group=storm assignors=cooperative-sticky max.poll.interval.ms=1500"
    owned = shares_of(3, topic, f"join slow {settings}", f"join fast {settings}")["slow"]
    happened = topic.step("slow slow 2500", "wait 24000", quiet_ms=1).events
    assert Event("slow", "lost", owned) in happened
    assert topic.log.read_text().count("consumer poll timeout has expired") >= 3
    found = audited(broker, "storm")
    assert loud(found) == {"slow-poll", "flapping-member", "rebalance-storm"}
    assert found["slow-poll"].evidence["who"].startswith("slow")
    assert main(["group", "storm", "--bootstrap-server", broker.bootstrap, "--json"]) == 0
    history = json.loads(capsys.readouterr().out)["history"]
    by_rule = {finding["code"]: finding for finding in history["findings"]}
    assert by_rule.keys() >= loud(found) and history["whole"] and not history["problem"]
    for rule in loud(found):
        assert by_rule[rule]["cause"] == found[rule].cause == "poll-timeout-exceeded"
    assert main(["group", "storm", "--bootstrap-server", broker.bootstrap]) == 0
    view = " ".join(capsys.readouterr().out.split())
    assert "rebalance-storm since " in view
    assert "its rebalance timeout (in Java max.poll.interval.ms)" in view
    assert "With it: flapping-member, slow-poll. First: Raise max.poll.interval.ms" in view
    assert main(["group", "--history", "--group", "storm", "--bootstrap-server", broker.bootstrap,
                 "--json"]) == 0  # fmt: skip
    assert json.loads(capsys.readouterr().out)["code"] == "rebalance-storm"


def test_a_claim_that_is_overtaken(broker: Broker, topic: Members) -> None:
    """`sticky` remembers what it owned though it was told that it is lost, and claims it when it
    comes back: under an older generation than that of who has it since."""
    settings = "topics=t group=stale assignors=sticky max.poll.interval.ms=1500"
    owned = shares_of(3, topic, f"join slow {settings}", f"join fast {settings}")["slow"]
    happened = topic.step("slow slow 2500", "wait 4000", quiet_ms=1).events
    assert Event("slow", "lost", owned) in happened
    found = audited(broker, "stale")
    claimed = found["stale-claim"]
    assert claimed.severity is Severity.INFO
    assert claimed.evidence["client_id"] == "slow"
    assert set(claimed.evidence["partitions"]) == set(owned)


def test_a_deploy_is_no_storm(broker: Broker, topic: Members) -> None:
    """Every process is replaced once, one after the other: many generations, nobody twice."""

    def join(name: str) -> str:
        return f"join {name} group=deploy assignors=cooperative-sticky {SETTINGS}"

    topic.step(*(join(name) for name in "abcd"))
    for name in "abcd":
        topic.step(f"leave {name}", join(f"{name}{name}"), quiet_ms=400)
    assert not loud(audited(broker, "deploy"))


def test_the_live_topic_and_its_segments_tell_the_same(
    broker: Broker, topic: Members, tmp_path: Path
) -> None:
    """Read over the wire, without a trace, and from the broker's files."""

    def join(name: str) -> str:
        return f"join {name} group=both-ways assignors=range {SETTINGS}"

    topic.step(join("a"), join("b"))
    topic.step("leave a")
    client = (("bootstrap.servers", broker.bootstrap),)
    seen = snapshot(client)
    assert seen.states is not None
    assert seen.topics["t"].partitions == 6
    assert seen.states["both-ways"][:3] == ("stable", 0, "classic")
    assert len(seen.topics["t"].topic_id or "") == 22
    options = Options(cluster_id=seen.cluster_id, topics=seen.topics, states=seen.states)
    sources: list[tuple[str, Sequence[Unit]]] = [
        ("live", broker_units(client)),
        ("files", units_of(str(broker.logs))),
    ]
    audits = [
        run_audit(units, Destination.new(str(tmp_path / name), replace=False), options)
        for name, units in sources
    ]
    states = pq.read_table(tmp_path / "live" / "group_states").to_pylist()
    assert {row["group_id"] for row in states} == seen.states.keys()
    assert {row["source"] for row in states} == {broker.bootstrap}
    for rows in (audits[0].findings, audits[1].findings):
        assert rows.num_rows
    assert told(audits[0].findings) == told(audits[1].findings)
    groups = [set(one.current.column("group_id").to_pylist()) for one in audits]
    assert groups[0] == groups[1]
    assert "both-ways" in groups[0]
    members = [
        {
            (row["group_id"], row["generation"], row["member_id"], row["metadata"])
            for row in pq.read_table(tmp_path / name / "members").to_pylist()
        }
        for name in ("live", "files")
    ]
    assert members[0] == members[1]
    assert (
        snapshot(client).states or {}
    ).keys() == seen.states.keys()  # nobody has joined anything


def told(findings: pa.Table) -> set[tuple[str | None, str, str, str]]:
    columns = ("group_id", "rule", "severity", "explanation")
    return {tuple(row[name] for name in columns) for row in findings.to_pylist()}


def test_where_partitions_ended_five_minutes_before(broker: Broker) -> None:
    """Records are as old as their producers say: some of partition 0 have just come, those of
    partition 1 are all old, and partition 2 has none."""
    admin = KAFKA.AdminClient({"bootstrap.servers": broker.bootstrap})
    admin.create_topics([KAFKA.NewTopic("aged", 3, 1)])["aged"].result()
    producer = Producer({"bootstrap.servers": broker.bootstrap})
    now = int(time.time() * 1000)
    for partition, age, count in ((0, 600_000, 5), (0, 0, 3), (1, 600_000, 4)):
        for _ in range(count):
            producer.produce("aged", b"", partition=partition, timestamp=now - age)
    producer.flush()
    facts = snapshot((("bootstrap.servers", broker.bootstrap),)).topics["aged"]
    assert facts.ends == {0: 8, 1: 4, 2: 0}
    assert facts.ends_before == {0: 5, 1: 4, 2: 0}


def test_two_clusters_of_which_one_dies(broker: Broker, topic: Members, tmp_path: Path) -> None:
    """The night before both answered. The other one is audited, and what is known of the dead one
    stays known."""
    topic.step(f"join a group=alive assignors=range {SETTINGS}")
    known = tmp_path / "known.json"
    night = ["--out", str(tmp_path / "out"), "--replace", "--fail-on", "never", "--timeout", "5s"]
    night += ["--baseline", str(known), "--write-baseline", str(known)]
    (tmp_path / "other").mkdir()
    with running_broker(tmp_path / "other") as other:
        with members_of(other, tmp_path / "other.log") as of_other:
            of_other.step("topic t 1", quiet_ms=1)
            of_other.step("join b group=dead topics=t assignors=range")
        sources = [f"one=kafka://{broker.bootstrap}", f"two=kafka://{other.bootstrap}"]
        assert main(["audit", *sources, *night]) == 0
        before = known.read_bytes()
        assert b'"cluster":"two"' in before
    assert main(["audit", *sources, *night]) == 3
    found = json.loads((tmp_path / "out" / "findings.json").read_text())
    (lost,) = found["notRead"]
    assert lost["cluster"] == "two" and "cannot be reached: connection refused" in lost["reason"]
    assert not [row for row in found["gone"] if row["cluster"] == "two"]
    clusters = pq.read_table(tmp_path / "out" / "current").column("cluster_id").to_pylist()
    assert set(clusters) == {"one"}
    of_two = [line for line in before.splitlines() if b'"cluster":"two"' in line]
    assert set(of_two) <= set(known.read_bytes().splitlines())
