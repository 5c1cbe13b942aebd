"""What a finding advises to do first, carried out: the trouble is made on a real broker, the audit
finds it, the advice is followed, and an audit of what came after no longer finds it. A row each."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from kproto.history.causes import CAUSES
from kproto.pipeline.audit import RULES
from kproto.tools.main import main
from tests.broker.broker import Broker
from tests.broker.fleet import JAVA, Client, processes
from tests.broker.members import Members
from tests.broker.migration_groups import await_coordinators
from tests.broker.raw_group import RawGroup
from tests.broker.test_audit import audited
from tests.pipeline.audit_groups import assignment, subscription
from tests.pipeline.test_storm_causes import worker

pytestmark = pytest.mark.plans
SHORT = "3000"
READ = {name: subscription(["read"]) for name in "ab"}
BROKEN = bytes.fromhex("000100000001000174ffffffff")


class Stage(NamedTuple):
    """Where an advice is tried: a broker, Java consumers on it, the name of a group, members of it
    that send any bytes, and kafka-consumer-groups."""

    broker: Broker
    members: Members
    group: str
    raw: RawGroup
    script: Any
    folder: Path

    def join(self, *names: str, group: str = "", quiet_ms: int = 1500, **settings: str) -> Any:
        """Let members join the group, or another one; return who owns what."""
        settings = {"topics": "read", "assignors": "range"} | settings
        words = " ".join(f"{name.replace('_', '.')}={value}" for name, value in settings.items())
        orders = [f"join {name} group={group or self.group} {words}" for name in names]
        return self.members.step(*orders, quiet_ms=quiet_ms).owned

    def rebalance(self, assignors: str = "range,roundrobin") -> None:
        """Let one more member join the group, and leave it: a record of the group as it is now."""
        self.join("z", assignors=assignors, quiet_ms=700)
        self.leave("z")

    def leave(self, *names: str) -> None:
        """Let members leave it."""
        self.members.step(*(f"leave {name}" for name in names), quiet_ms=700)

    def vanish(self, *names: str) -> None:
        """Let members end without leaving it."""
        self.members.step(*(f"vanish {name}" for name in names), quiet_ms=100)


class Advice(NamedTuple):
    """A rule, words of what it advises, what makes its trouble, what follows the advice, and what
    the group does from then on. `cause` is the cause whose advice the finding has. A rule that
    `remembers` tells of what was for some time: it is asked of what came after alone."""

    rule: str
    words: str
    make: Callable[[Stage], None]
    follow: Callable[[Stage], None]
    go_on: Callable[[Stage], None] = lambda stage: None
    cause: str = ""
    remembers: bool = False


# -- more members than partitions of a topic, topic by topic


def _idle(stage: Stage) -> None:
    stage.members.step(*(f"topic {name} 1" for name in ("one-1", "one-2", "one-3")), quiet_ms=1)
    stage.join("a", "b", "c", topics="one-1,one-2,one-3")


def _roundrobin(stage: Stage) -> None:
    stage.leave("a", "b", "c")
    stage.join("a", "b", "c", topics="one-1,one-2,one-3", assignors="roundrobin")


# -- a member that takes longer between two polls than it may


def _slow(stage: Stage) -> None:
    stage.join("a", max_poll_interval_ms="1500")
    stage.members.step("slow a 3000", "wait 30000", quiet_ms=100)


def _longer(stage: Stage) -> None:
    stage.leave("a")
    stage.join("a", max_poll_interval_ms="60000")
    stage.members.step("slow a 3000", quiet_ms=100)


def _poll_on(stage: Stage) -> None:
    stage.members.step("wait 10000", quiet_ms=100)


# -- what a client that is not Java writes, as a leader or as a member: a Java client in its place


def _shares(*shares: str) -> dict[str, bytes]:
    """The assignments of the members a and b: "0,1 1"."""
    return {
        name: assignment([f"read-{number}" for number in share.split(",") if number])
        for name, share in zip("ab", shares, strict=True)
    }


def _given(*shares: str) -> Callable[[Stage], None]:
    return lambda stage: stage.raw.run(READ, _shares(*shares))


def _astray(stage: Stage) -> None:
    stage.raw.run(READ | {"b": subscription(["other"])}, _shares("0", "1"))


def _left_out(stage: Stage) -> None:
    for _ in range(2):
        stage.raw.run(READ, _shares("0", ""))


def _left_out_for_long(stage: Stage) -> None:
    stage.raw.rebalance_ms = 1000
    stage.raw.run(READ, _shares("0", ""))
    time.sleep(3)


def _unreadable(stage: Stage) -> None:
    stage.raw.run(READ | {"b": BROKEN}, _shares("0,1", ""))


def _claimed(generation: int) -> Callable[[Stage], None]:
    """Two members claim one partition: at one generation, or at two."""

    def make(stage: Stage) -> None:
        stage.raw.protocol = "cooperative-sticky"
        stage.raw.run(READ, _shares("0", "1"))
        claims = {
            "a": subscription(["read"], ["read-0"], stage.raw.generation),
            "b": subscription(["read"], ["read-0", "read-1"], stage.raw.generation - generation),
        }
        stage.raw.run(claims, _shares("0", "1"))

    return make


def _with_java(**settings: Any) -> Callable[[Stage], None]:
    """Real clients in the place of those that write what they should not."""

    def follow(stage: Stage) -> None:
        stage.raw.leave()
        owned = stage.join("a", "b", **settings)
        assert [len(owned[name]) for name in "ab"] == [1, 1]

    return follow


def _heeding(stage: Stage) -> None:
    stage.raw.leave()
    stage.join("a")
    stage.join("b", topics="other")


def _restarted_leader(stage: Stage) -> None:
    stage.raw.leave("a")
    stage.join("a")
    stage.raw.leave("b")
    stage.members.step("wait 500")


def _one_bounce(stage: Stage) -> None:
    stage.members.step("topic six 6", quiet_ms=1)
    for name, kind in (("o1", "eager"), ("o2", "eager"), ("zz", "cooperative"), ("o4", "eager")):
        stage.join(name, topics="six", assignors=f"custom-{kind}", session_timeout_ms=SHORT)


def _two_bounces(stage: Stage) -> None:
    stage.leave("zz", "o4")
    for assignors in ("range", "range,cooperative-sticky", "cooperative-sticky"):
        for name in ("o1", "o2"):
            stage.leave(name)
            stage.join(name, topics="six", assignors=assignors)


# -- static members


def _one_id(stage: Stage) -> None:
    for turn in range(4):
        stage.join(f"p{turn}", client_id="ab"[turn % 2], group_instance_id="one",
                   session_timeout_ms=SHORT)  # fmt: skip


def _own_ids(stage: Stage) -> None:
    stage.vanish("p0", "p1", "p2", "p3")
    time.sleep(4)
    for name in ("q1", "q2"):
        stage.join(name, client_id=name, group_instance_id=name, session_timeout_ms=SHORT)


def _new_ids(stage: Stage) -> None:
    for start in range(2):
        names = [f"pod{start}{number}" for number in range(3)]
        for name in names:
            stage.join(name, group_instance_id=name, session_timeout_ms=SHORT, quiet_ms=500)
        if not start:
            stage.vanish(*names)
            time.sleep(4)
    stage.rebalance()


def _ordinals(stage: Stage) -> None:
    stage.vanish(*(f"pod1{number}" for number in range(3)))
    time.sleep(4)
    _start_ordinals(stage)


def _start_ordinals(stage: Stage) -> None:
    for number in range(3):
        stage.join(f"set-{number}", group_instance_id=f"set-{number}", session_timeout_ms=SHORT,
                   quiet_ms=500)  # fmt: skip


def _restart_ordinals(stage: Stage) -> None:
    stage.vanish(*(f"set-{number}" for number in range(3)))
    time.sleep(4)
    _start_ordinals(stage)


def _wants_more(stage: Stage) -> None:
    settings: dict[str, Any] = {"group_instance_id": "one", "session_timeout_ms": "9000"}
    stage.join("p1", topics="read", **settings)
    stage.vanish("p1")
    owned = stage.join("p2", topics="read,other", **settings)
    assert not any("other" in partition for partition in owned["p2"])


def _any_restart(stage: Stage) -> None:
    stage.rebalance("range")
    owned = stage.members.step("wait 500").owned
    assert any("other" in partition for partition in owned["p2"])


# -- members that come and go


def _restarts(times: int, client: str = "app") -> Callable[[Stage], None]:
    def make(stage: Stage) -> None:
        stage.join("b")
        for number in range(times):
            stage.join(f"r{number}", client_id=client, quiet_ms=300)
            stage.members.step(f"leave r{number}", quiet_ms=300)

    return make


def _with_instance_id(stage: Stage) -> None:
    stage.join("s0", client_id="app", group_instance_id="app")


def _restart_static(stage: Stage) -> None:
    for number in range(8):
        stage.vanish(f"s{number}")
        stage.join(f"s{number + 1}", client_id="app", group_instance_id="app", quiet_ms=300)


# -- two configurations, two applications


def _two_assignors(stage: Stage) -> None:
    for assignor in ("range", "roundrobin", "range", "roundrobin"):
        stage.join("a", assignors=assignor)
        stage.leave("a")


def _one_assignor(stage: Stage) -> None:
    stage.join("a", "b")


def _two_services(stage: Stage) -> None:
    stage.join("a")
    stage.join("b", topics="other")


def _own_groups(stage: Stage) -> None:
    stage.leave("b")
    stage.join("b", topics="other", group=f"{stage.group}-other")


def _two_connects(stage: Stage) -> None:
    stage.raw.kind, stage.raw.protocol = "connect", "sessioned"
    ours, theirs = worker("a", 900, 900), worker("b", 7, 900)
    for _ in range(4):
        stage.raw.run({"a": ours.metadata, "b": theirs.metadata},
                      {"a": ours.assignment, "b": theirs.assignment})  # fmt: skip


def _own_connect(stage: Stage) -> None:
    stage.raw.leave("b")
    _rejoin_connect(stage)


def _rejoin_connect(stage: Stage) -> None:
    ours = worker("a", 900, 900)
    for _ in range(3):
        stage.raw.run({"a": ours.metadata}, {"a": ours.assignment})


def _left_over(stage: Stage) -> None:
    settings = {"bootstrap.servers": stage.broker.bootstrap, "group.id": stage.group}
    client = Consumer(settings)
    client.commit(offsets=[TopicPartition("read", 0, 5)], asynchronous=False)
    client.close()
    stage.join("a", topics="other")


def _delete_offsets(stage: Stage) -> None:
    stage.script("--delete-offsets", "--group", stage.group, "--topic", "read")


# -- storms, by their causes


def _other_topics(stage: Stage) -> None:
    stage.join("a", allow_auto_create_topics="false")
    for number in range(30):
        stage.members.step(f"subscribe a read,absent-{number}", quiet_ms=400)


def _subscribe_once(stage: Stage) -> None:
    stage.members.step("subscribe a read,other")


# -- Streams


def _source(stage: Stage) -> str:
    return f"{stage.group}-source"


def _without_source(stage: Stage) -> None:
    _run_streams(stage, fails=True)


def _create_source(stage: Stage) -> None:
    stage.members.step(f"topic {_source(stage)} 2", quiet_ms=1)


def _start_streams(stage: Stage) -> None:
    _run_streams(stage, fails=False)


def _run_streams(stage: Stage, *, fails: bool) -> None:
    topic, names = _source(stage), ("s1",)
    with processes(stage.broker, stage.group, names, topic, stage.folder) as fleet:
        fleet["s1"].start(Client("kafka-streams", "4.3.1"), {})
        time.sleep(15)
        assert bool(fleet["s1"].errors) == fails
        fleet["s1"].stop()


# -- sessions that are too short


_RUNS_S = (2.1, 4.2, 3, 5.1, 2.4, 3.7, 4.6, 2.7)


def stand_still(
    session_ms: int, still_s: float = 2.5, runs_s: Sequence[float] = _RUNS_S
) -> Callable[[Stage], None]:
    """A process that stands still again and again, beside one that does not, and runs so long in
    between."""

    def make(stage: Stage) -> None:
        with processes(stage.broker, stage.group, ("app", "other"), "read", stage.folder) as fleet:
            settings = {"session.timeout.ms": str(session_ms)}
            for process in fleet.values():
                process.start(JAVA[-1], settings)
                time.sleep(4)
            for run_s in runs_s:
                os.kill(fleet["app"].pid, signal.SIGSTOP)
                time.sleep(still_s)
                os.kill(fleet["app"].pid, signal.SIGCONT)
                time.sleep(run_s)
            for process in fleet.values():
                process.stop()

    return make


def _at_the_next_start(_: Stage) -> None:
    """It is followed when the processes start again."""


def _back_after(session_ms: int) -> Callable[[Stage], None]:
    def make(stage: Stage) -> None:
        stage.join("b", session_timeout_ms="30000")
        for number in range(9):
            stage.join(f"s{number}", client_id="app", group_instance_id="app",
                       session_timeout_ms=str(session_ms), quiet_ms=300)  # fmt: skip
            stage.vanish(f"s{number}")
            time.sleep(2)

    return make


def _long_session(stage: Stage) -> None:
    stage.leave("b")


# -- a group that does not keep up


def _old_records(stage: Stage) -> None:
    """Records of an hour ago: how long they wait is no guess."""
    stage.members.step("topic waiting 4", quiet_ms=1)
    producer = Producer({"bootstrap.servers": stage.broker.bootstrap})
    hour_ago = round(time.time() * 1000) - 3_600_000
    for number in range(4 * _WAITING):
        producer.produce("waiting", b"record", partition=number % 4, timestamp=hour_ago)
    assert producer.flush(60) == 0


_WAITING = 3_000
_RECORDS_A_SECOND = 8


def _work(number: int) -> Callable[[Stage], None]:
    """So many members work for 45 s; each of them does as many records a second."""

    def make(stage: Stage) -> None:
        settings = {"bootstrap.servers": stage.broker.bootstrap, "group.id": stage.group,
                    "auto.offset.reset": "earliest", "enable.auto.commit": False}  # fmt: skip
        workers = [Consumer(settings) for _ in range(number)]
        for client in workers:
            client.subscribe(["waiting"])
        end = time.monotonic() + 45
        while time.monotonic() < end:
            time.sleep(1)
            for client in workers:
                client.poll(0.1)
                places = client.committed(client.assignment(), timeout=10)
                for place in places:
                    place.offset = max(place.offset, 0) + _RECORDS_A_SECOND // len(places)
                if places:
                    client.commit(offsets=places, asynchronous=False)
        for client in workers:
            client.close()

    return make


def _one_works(stage: Stage) -> None:
    _old_records(stage)
    _work(1)(stage)


CRASHES = CAUSES["crash-loop"].advice
ADVICE = (
    Advice("idle-under-range", "Choose roundrobin", _idle, _roundrobin, Stage.rebalance),
    Advice("slow-poll", "Raise max.poll.interval.ms", _slow, _longer, _poll_on,
           "poll-timeout-exceeded"),
    Advice("assigned-twice", "update its client", _given("0,1", "1"), _with_java()),
    Advice("not-subscribed", "use an assignor that heeds", _astray, _heeding),
    Advice("does-not-exist", "Restart the leader", _given("0", "1,7"), _restarted_leader),
    Advice("unassigned-partition", "restart the leader", _left_out, _restarted_leader),
    Advice("unassigned-for-long", "Restart the leader", _left_out_for_long, _restarted_leader),
    Advice("double-claim", "Update it to a release", _claimed(0),
           _with_java(assignors="cooperative-sticky")),
    Advice("stale-claim", "update its client", _claimed(1),
           _with_java(assignors="cooperative-sticky")),
    Advice("unreadable-member", "Update the client", _unreadable, _with_java()),
    Advice("cooperative-violation", "two rolling restarts", _one_bounce, _two_bounces),
    Advice("static-ping-pong", "instance id of its own", _one_id, _own_ids),
    Advice("static-never-returns", "from something that stays", _new_ids, _ordinals,
           _restart_ordinals, remembers=True),
    Advice("static-unseen-subscription", "restart any dynamic member", _wants_more, _any_restart,
           lambda stage: stage.rebalance("range")),
    Advice("flapping-member", "With a group.instance.id", _restarts(6), _with_instance_id,
           _restart_static, "crash-loop", remembers=True),
    Advice("rebalance-storm", "With a group.instance.id", _restarts(14), _with_instance_id,
           _restart_static, "crash-loop", remembers=True),
    Advice("protocol-changed", "Finish the rolling change", _two_assignors, _one_assignor,
           Stage.rebalance, remembers=True),
    Advice("two-applications", "a group.id of its own", _two_services, _own_groups,
           cause="two-applications-in-one-group"),
    Advice("connect-clusters", "a group.id of its own", _two_connects, _own_connect,
           _rejoin_connect, "two-clusters-in-one-group"),
    Advice("leftover-commits", "--delete-offsets", _left_over, _delete_offsets),
    Advice("rebalance-storm", "Subscribe once", _other_topics, _subscribe_once,
           Stage.rebalance, "subscription-changed", remembers=True),
    Advice("flapping-member", "Raise session.timeout.ms", stand_still(1000), _at_the_next_start,
           stand_still(30_000), "session-expired", remembers=True),
    Advice("rebalance-storm", "Raise session.timeout.ms", _back_after(1000), _long_session,
           _back_after(30_000), "static-member-came-back-too-late", remembers=True),
    Advice("lag-falling-behind", "Add members", _one_works, _at_the_next_start, _work(4)),
    Advice("streams-error", "Create the missing source topic", _without_source, _create_source,
           _start_streams, "source-topic-missing"),
)  # fmt: skip
"""Each advice that was carried out; the other ones say that they were not tried."""


def name_of(advice: Advice) -> str:
    return f"{advice.rule}-{advice.cause}".rstrip("-")


def findings_of(stage: Stage, out: Path, *options: str) -> Mapping[str, Any]:
    """The findings of an audit of the group, by rule."""
    source = f"kafka://{stage.broker.bootstrap}"
    words = ["audit", source, "--out", str(out), "--group", stage.group, "--fail-on", "never"]
    assert main([*words, *options]) == 0
    report: dict[str, Any] = json.loads((out / "findings.json").read_text())
    return {finding["code"]: finding for finding in report["findings"]}


@pytest.fixture
def stage(
    broker: Broker, members: Members, script: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Stage]:
    group = name_of(request.node.callspec.params["advice"])
    await_coordinators(broker.bootstrap)
    members.step("topic read 2", "topic other 2", quiet_ms=1)
    with closing(RawGroup(broker.bootstrap, group)) as raw:
        yield Stage(broker, members, group, raw, script, tmp_path)


@pytest.mark.parametrize("advice", ADVICE, ids=name_of)
def test_advice(
    advice: Advice, stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    advice.make(stage)
    finding = findings_of(stage, tmp_path / "trouble")[advice.rule]
    assert advice.words in finding["nextAction"]
    assert (finding["cause"] or "") == advice.cause
    texts = {RULES[advice.rule].next_action, *(facts.advice for facts in CAUSES.values())}
    assert finding["nextAction"] in texts
    advice.follow(stage)
    since = datetime.now(UTC)
    time.sleep(1)
    advice.go_on(stage)
    if advice.remembers:
        rest: Mapping[str, Any] = audited(stage.broker, stage.group, int(since.timestamp() * 1000))
    else:
        rest = findings_of(stage, tmp_path / "after", "--since", since.isoformat())
    assert advice.rule not in rest
    capsys.readouterr()
