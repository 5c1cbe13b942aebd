"""Each rule on histories where it must speak, and on healthy ones that look alike.

What real clients do on a real broker is in tests/broker; here are the edges.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple, cast

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from kproto.clients.settings import ClientSettings
from kproto.codec import (
    AssignmentInfo,
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
    ConsumerProtocolAssignment,
)
from kproto.history.restarts import Restart
from kproto.pipeline.audit import (
    RULES,
    BrokerState,
    CommitSeen,
    DeletedCommit,
    EndRule,
    Finding,
    Fleet,
    FleetRule,
    GroupEnd,
    GroupFold,
    MemberSeen,
    Place,
    Refused,
    Rule,
    RuleFailed,
    Severity,
    Sign,
    Step,
    end_findings,
)
from kproto.pipeline.audit.loading import Obstacle
from kproto.pipeline.audit.modern import ModernFold
from kproto.pipeline.audit.rule import new_finding
from kproto.pipeline.audit.rules import STEP_RULES
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.tables import TABLES
from tests.pipeline.audit_groups import assignment, audited, member, record, subscription

COOP = "cooperative-sticky"


def claims(
    name: str, owned: list[str], generation: int, given: tuple[str, ...] | list[str] = ()
) -> MemberSeen:
    return member(name, given, metadata=subscription(owned=owned, generation=generation))


class Case(NamedTuple):
    """Records, and the severity that the rule has in the end; None: it must be silent."""

    rule: str
    name: str
    steps: list[Step]
    severity: Severity | None
    partitions: dict[str, int] | None = None


def streams(name: str, error: int) -> MemberSeen:
    """A member of Streams that was told an error code."""
    info = AssignmentInfo(
        version=11, commonly_supported_version=11, active_tasks=(), standby_tasks=(), topics=(),
        partitions_by_host=(), standby_partitions_by_host=(), error_code=error,
    )  # fmt: skip
    given = ConsumerProtocolAssignment(assigned_partitions=(), user_data=info.to_bytes())
    return replace_bytes(member(name), given.to_bytes(version=1))


def workers(generation: int, *offsets: int) -> Step:
    """Connect workers that have read their topic of configurations so far."""
    answer = ConnectProtocolAssignment(
        error=0, leader="w0", leader_url="http://w0/", config_offset=offsets[0], assignment=(),
    ).to_bytes(version=0)  # fmt: skip
    members = [
        member(f"w{n}", metadata=ConnectProtocolMetadata(
            url=f"http://w{n}/", config_offset=offset).to_bytes(version=0))
        for n, offset in enumerate(offsets)
    ]  # fmt: skip
    return record(generation, *(replace_bytes(each, answer) for each in members), kind="connect")


def replace_bytes(seen: MemberSeen, assignment: bytes) -> MemberSeen:
    return MemberSeen(
        seen.member_id, None, seen.client_id, seen.host, 300_000, 45_000, seen.metadata, assignment
    )


def _static(generation: int, *instances: str) -> Step:
    return record(generation, *(member(f"{name}#1", instance=name) for name in instances))


T_AND_U = subscription(["t", "u"])
V1_ON_V0 = bytes.fromhex("000100000001000174ffffffff")
JAVA = subscription(version=3)
WORK = ConnectProtocolAssignment(
    error=0, leader="w", leader_url="http://w/", config_offset=1,
    assignment=[ConnectProtocolAssignment.ConnectorTasks(connector="c", tasks=[0, 1])],
).to_bytes(version=0)  # fmt: skip


def _rejoining(times: int, seconds: float, hosts: int = 1, first: int = 1) -> list[Step]:
    """A member that comes back again and again, with a new id each time."""
    return [
        record(n, member("b"), member(f"a#{n}", host=f"/h{n % hosts}"), seconds=n * seconds)
        for n in range(first, first + times)
    ]


def _runs(times: int, seconds: float, ms: int) -> list[Step]:
    """A process that is started so often, and is the only member for so long each time."""
    return [
        step
        for n in range(times)
        for step in (
            record(2 * n + 1, member(f"a#{n}", timeout=60_000), seconds=n * seconds),
            record(2 * n + 2, seconds=n * seconds + ms / 1000),
        )
    ]


def _stays(ms: int, times: int) -> list[Step]:
    """Every other record with a member that stays so long each time."""
    steps, now = [record(1, member("b"), seconds=0)], 0.0
    for n in range(times):
        now += 5
        steps.append(record(2 * n + 2, member("b"), member(f"a#{n}", timeout=60_000), seconds=now))
        now += ms / 1000
        steps.append(record(2 * n + 3, member("b"), seconds=now))
    return steps


def _replaced(*homes: str, generation: int | None = None, gap: float = 30) -> list[Step]:
    return [
        record(
            generation if generation is not None else n + 1,
            member(f"s#{n}", instance="one", client=home),
            seconds=n * gap,
        )
        for n, home in enumerate(homes)
    ]


ALL = ["t-0", "t-1", "t-2"]
CRITICAL, ERROR, WARN, NOTE = Severity.CRITICAL, Severity.ERROR, Severity.WARNING, Severity.INFO

CASES = [
    Case("double-claim", "two at one generation",
         [record(5, claims("a", ALL, 4), claims("b", ALL[:1], 4))], ERROR),
    Case("double-claim", "the higher one wins",
         [record(5, claims("a", ALL, 4), claims("b", ALL[:1], 3))], None),
    Case("double-claim", "nobody claims a generation, and nothing twice",
         [record(5, claims("a", ALL[:1], 4), claims("b", ALL[1:], 4))], None),
    Case("stale-claim", "overridden",
         [record(5, claims("a", ALL, 4), claims("b", ALL[:1], 3))], NOTE),
    Case("stale-claim", "without a generation, and given to another",
         [record(5, claims("a", ALL, 4, ALL), claims("b", ALL[:1], -1))], WARN),
    Case("stale-claim", "in three generations",
         [record(n, claims("a", ALL, n - 1), claims("b", ALL[:1], 2)) for n in (5, 6, 7)], WARN),
    Case("stale-claim", "in two generations",
         [record(n, claims("a", ALL, n - 1), claims("b", ALL[:1], 2)) for n in (5, 6)], NOTE),
    Case("stale-claim", "of the record before",
         [record(5, claims("a", ALL, 4), claims("b", [], 4))], None),
    Case("stale-claim", "equal ones are void, not stale",
         [record(5, claims("a", ALL, 4), claims("b", ALL, 4))], None),
    Case("cooperative-violation", "given to another while claimed",
         [record(5, claims("a", ALL, 4, ALL[1:]), claims("b", [], -1, ALL[:1]), protocol=COOP)],
         Severity.CRITICAL),
    Case("cooperative-violation", "withheld until it is revoked",
         [record(5, claims("a", ALL, 4, ALL[1:]), claims("b", [], -1), protocol=COOP)], None),
    Case("cooperative-violation", "the loser of two claims does not get it",
         [record(5, claims("a", ALL, 4, ALL), claims("b", ALL[:1], 3), protocol=COOP)], None),
    Case("cooperative-violation", "the owner is gone",
         [record(4, claims("a", [], -1, ALL), protocol=COOP),
          record(5, claims("b", [], -1, ALL), protocol=COOP)], None),
    Case("rebalance-storm", "one comes back for ever", _rejoining(12, 20), ERROR),
    Case("rebalance-storm", "as many, over a day", _rejoining(12, 7200), None),
    Case("rebalance-storm", "a deploy: each host once", _rejoining(12, 20, hosts=12), None),
    Case("rebalance-storm", "as fast, without anybody joining",
         [record(n, member("a"), seconds=n * 5) for n in range(1, 15)], None),
    Case("flapping-member", "six times in ten minutes", _rejoining(7, 90), WARN),
    Case("flapping-member", "four times", _rejoining(4, 90), None),
    Case("flapping-member", "another host each time", _rejoining(8, 90, hosts=8), None),
    Case("flapping-member", "a job by the clock", _runs(7, 300, 60_000), NOTE),
    Case("flapping-member", "the only member, back after some seconds", _runs(7, 70, 60_000), WARN),
    Case("flapping-member", "in a group that was empty once",
         [*_runs(1, 300, 60_000), *_rejoining(7, 90, first=3)], WARN),
    Case("flapping-member", "five times, since the group began",
         [record(1), *_rejoining(5, 90, first=2)], WARN),
    Case("slow-poll", "leaves after its limit", _stays(61_000, 4), WARN),
    Case("slow-poll", "the only member", _runs(4, 80, 61_000), WARN),
    Case("slow-poll", "a job that takes a minute", _runs(4, 300, 61_000), NOTE),
    Case("slow-poll", "stays much longer", _stays(400_000, 4), None),
    Case("slow-poll", "leaves sooner", _stays(20_000, 4), None),
    Case("slow-poll", "twice", _stays(61_000, 2), None),
    Case("static-ping-pong", "A, B, A", _replaced("a", "b", "a"), ERROR),
    Case("static-ping-pong", "replaced within one generation",
         _replaced("a", "a", "a", "a", generation=3), ERROR),
    Case("static-ping-pong", "moved to another host once", _replaced("a", "b", "b"), None),
    Case("static-ping-pong", "restarted now and then",
         _replaced("a", "a", "a", "a", generation=3, gap=3600), None),
    Case("static-unseen-subscription", "wants more after a restart",
         [record(3, member("s#1", instance="one")),
          record(3, member("s#2", instance="one", metadata=subscription(["t", "u"])))], WARN),
    Case("static-unseen-subscription", "wants the same",
         [record(3, member("s#1", instance="one")), record(3, member("s#2", instance="one"))],
         None),
    Case("static-unseen-subscription", "with a rebalance",
         [record(3, member("s#1", instance="one")),
          record(4, member("s#2", instance="one", metadata=subscription(["t", "u"])))], None),
    Case("unreadable-member", "the leader is Java",
         [record(1, member("java", metadata=JAVA), member("kafka-go", metadata=V1_ON_V0))], ERROR),
    Case("unreadable-member", "Java may become the leader",
         [record(1, member("kafka-go", metadata=V1_ON_V0), member("java", metadata=JAVA))], WARN),
    Case("unreadable-member", "all write so",
         [record(1, member("a", metadata=V1_ON_V0), member("b", metadata=V1_ON_V0))], NOTE),
    Case("unreadable-member", "what is read", [record(1, member("a"), member("b"))], None),
    Case("unreadable-member", "Connect's own bytes",
         [record(1, member("a", metadata=b"\x00"), kind="connect")], None),
    Case("unreadable-member", "an assignment instead, which is the broker's fault",
         [record(1, member("a"), member("b", metadata=assignment(ALL)))], None),
    Case("wrong-place", "an assignment as a subscription",
         [record(1, member("a"), member("b", metadata=assignment(ALL)))], ERROR),
    Case("wrong-place", "a subscription as an assignment",
         [record(1, replace_bytes(member("a"), JAVA))], ERROR),
    Case("wrong-place", "Connect's assignment as a worker's metadata",
         [record(1, member("w", metadata=WORK), kind="connect")], ERROR),
    Case("wrong-place", "each in its place", [record(1, member("a", ALL), member("b"))], None),
    Case("wrong-place", "an assignment that may be a subscription with odd user data",
         [record(1, member("a", metadata=assignment(["t-0", "t-1"])))], ERROR),
    Case("wrong-place", "nothing, which is both",
         [record(1, member("a", metadata=assignment([])))], None),
    Case("wrong-place", "the label is wrong", [record(1, member("a", metadata=V1_ON_V0))], None),
    Case("wrong-place", "a subscription that was cut",
         [record(1, member("a", metadata=JAVA[:-3]))], None),
    Case("mixed-versions", "1 and 3",
         [record(1, member("a"), member("b", metadata=subscription(version=1)))], NOTE),
    Case("mixed-versions", "one version", [record(1, member("a"), member("b"))], None),
    Case("mixed-versions", "one after the other",
         [record(1, member("a", metadata=subscription(version=1))), record(2, member("b"))], None),
    Case("protocol-changed", "back and forth",
         [record(n, member("a"), protocol=("range", COOP)[n % 2]) for n in range(1, 6)], WARN),
    Case("protocol-changed", "an upgrade",
         [record(n, member("a"), protocol="range" if n < 3 else COOP) for n in range(1, 6)], NOTE),
    Case("protocol-changed", "never",
         [record(n, member("a")) for n in range(1, 6)], None),
    Case("protocol-changed", "empty in between",
         [record(1, member("a")), record(2), record(3, member("a"))], None),
    Case("never-claims", "owns, and says it does not",
         [record(n, claims("a", [], -1, ALL), protocol=COOP) for n in range(1, 5)], NOTE),
    Case("never-claims", "claims",
         [record(n, claims("a", ALL, n - 1, ALL), protocol=COOP) for n in range(1, 5)], None),
    Case("never-claims", "an eager protocol",
         [record(n, claims("a", [], -1, ALL)) for n in range(1, 5)], None),
    Case("unassigned-partition", "twice without owner",
         [record(n, member("a", ALL[:2])) for n in (1, 2)], ERROR, {"t": 3}),
    Case("unassigned-partition", "withheld for a follow-up",
         [record(1, member("a", ALL[:2])), record(2, member("a", ALL))], None, {"t": 3}),
    Case("unassigned-partition", "nobody subscribes to it",
         [record(n, member("a", ALL)) for n in (1, 2)], None, {"t": 3, "u": 1}),
    Case("unassigned-partition", "somebody had it",
         [record(n, member("a", ALL if n < 2 else ALL[:2])) for n in (1, 2, 3)], WARN),
    Case("unassigned-partition", "somebody had it, and its topic has no count",
         [record(n, member("a", ALL if n < 2 else ALL[:2])) for n in (1, 2, 3)], WARN, {"u": 9}),
    Case("unassigned-partition", "nobody ever had it",
         [record(n, member("a", ALL[:2])) for n in (1, 2, 3)], None),
    # More of these rules, at any size, is in test_ownership_rules.
    Case("assigned-twice", "to two", [record(1, member("a", ALL), member("b", ALL[:1]))], CRITICAL),
    Case("assigned-twice", "to one", [record(1, member("a", ALL), member("b"))], None),
    Case("assigned-twice", "a broadcast",
         [record(1, member("a", ALL), member("b", ALL), protocol="all")], None),
    Case("not-subscribed", "another topic", [record(1, member("a", ["u-0"]))], CRITICAL),
    Case("not-subscribed", "its topic", [record(1, member("a", ALL))], None),
    Case("not-subscribed", "nothing", [record(1, member("a"))], None),
    Case("does-not-exist", "beyond the end", [record(1, member("a", ALL))], WARN, {"t": 1}),
    Case("does-not-exist", "all there are", [record(1, member("a", ALL))], None, {"t": 4}),
    Case("does-not-exist", "another topic", [record(1, member("a", ALL))], None, {"u": 1}),
    Case("idle-under-range", "two topics of one partition",
         [record(1, member("a", ["t-0", "u-0"], metadata=T_AND_U),
                 member("b", metadata=T_AND_U))], WARN),
    Case("idle-under-range", "roundrobin",
         [record(1, member("a", ["t-0", "u-0"], metadata=T_AND_U), member("b", metadata=T_AND_U),
                 protocol="roundrobin")], None),
    Case("idle-under-range", "one topic", [record(1, member("a", ALL), member("b"))], None),
    Case("streams-error", "no source topic", [record(1, streams("a", 1), protocol="stream")],
         ERROR),
    Case("streams-error", "none", [record(1, streams("a", 0), protocol="stream")], None),
    Case("streams-error", "a version is asked for",
         [record(1, streams("a", 2), protocol="stream")], NOTE),
    Case("connect-clusters", "never the same",
         [workers(n, 5, 2) for n in (1, 2, 3)], ERROR),
    Case("connect-clusters", "it catches up",
         [workers(1, 5, 4), workers(2, 5, 5), workers(3, 6, 5), workers(4, 6, 6)], None),
    Case("connect-clusters", "the same", [workers(n, 5, 5) for n in (1, 2, 3)], None),
    Case("static-never-returns", "a new name each time",
         [_static(n, f"p{n}", f"p{n + 1}") for n in range(1, 6)], WARN),
    Case("static-never-returns", "it comes back",
         [_static(n, "a", *["b"][: n % 2]) for n in range(1, 20)], None),
    Case("static-never-returns", "all end",
         [*(_static(n, "a", "b", "c") for n in (1, 2)), record(3)], None),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}: {case.name}")
def test_a_rule_at_each_record(case: Case) -> None:
    found = audited(*case.steps, partitions=case.partitions).get(case.rule)
    assert (found.severity if found is not None else None) == case.severity


@pytest.mark.parametrize("rule", ["unassigned-partition", "never-claims"])
def test_a_static_replacement_ends_nothing(rule: str) -> None:
    """It is one more record of the generation."""
    steps = [
        record(n, claims("a", [], -1, ALL[:2]), member("s-1", instance="s"), protocol=COOP)
        for n in (1, 2, 3)
    ]
    again = record(3, claims("a", [], -1, ALL[:2]), member("s-2", instance="s"), protocol=COOP)
    found = audited(*steps, again, partitions={"t": 3})
    assert found[rule].status == "open"
    calm = [record(3, member("a", ALL[:2])), record(3, member("a", ALL[:2]))]
    assert rule not in audited(*calm, partitions={"t": 3})


@pytest.mark.parametrize(("rule", "tuned"), [
    ("rebalance-storm", {"generations": 100, "seconds": 3600}),
    ("flapping-member", {"joins": 90}),
])  # fmt: skip
def test_a_rule_is_tuned_beyond_what_is_remembered_otherwise(
    rule: str, tuned: dict[str, float]
) -> None:
    asked = RULES[rule].tuned(**tuned)
    assert isinstance(asked, Rule)
    steps = [record(n, member(f"a#{n}", ALL), seconds=5 * n) for n in range(1, 200)]
    assert rule in audited(*steps, rules=[asked])
    assert rule not in audited(*steps[:90], rules=[asked])


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "10", None, True])
def test_a_threshold_is_a_number(value: Any) -> None:
    with pytest.raises(ValueError, match=r"rebalance-storm: seconds is .* is wanted"):
        RULES["rebalance-storm"].tuned(seconds=value)


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("rule", RULES)
def test_any_threshold_may_be_small(rule: str, value: int) -> None:
    asked = RULES[rule].tuned(**dict.fromkeys(RULES[rule].thresholds, value))
    if isinstance(asked, Rule):
        for case in CASES:
            audited(*case.steps, partitions=case.partitions, rules=[asked])
    elif isinstance(asked, EndRule):
        for _, _, end, _ in END_CASES:
            list(end_findings("c", end, [asked]))


def own(find: Callable[..., Any], **fields: Any) -> Rule:
    return replace(next(iter(STEP_RULES)), id="mine", find=find, settles=False, **fields)


FAILING: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "no sign": lambda: ["here"],
    "no severity": lambda: [Sign("", "", {}, cast("Severity", "dreadful"))],
    "no time": lambda: [Sign("", "", {"since": "yesterday"})],
    "no JSON": lambda: [Sign("", "", {"what": object()})],
    "an error": lambda: 1 / 0,
}


@pytest.mark.parametrize("why", FAILING)
def test_a_rule_that_fails_is_named(why: str) -> None:
    said = r"the rule mine failed, asked about the group 'g' at generation 1: .*Error: "
    with pytest.raises(RuleFailed, match=said):
        audited(record(1, member("a")), rules=[own(lambda *_: FAILING[why]())])


def test_what_a_rule_says_may_be_of_other_types() -> None:
    evidence: Any = {"bytes": b"\0", "names": {"a"}, "when": START, 1: Severity.INFO}
    signs = [Sign("", "", evidence, cast("Severity", "error"))]
    found = audited(record(1, member("a")), rules=[own(lambda *_: signs, severity="info")])["mine"]
    assert found.severity is ERROR
    assert json.loads(json.dumps(found.evidence))["names"] == ["a"]


def test_a_rule_is_not_asked_without_its_inputs() -> None:
    asked = own(lambda *_: [Sign("", "", {})], inputs=("history", "states"))
    assert not audited(record(1, member("a")), rules=[asked])
    fold = GroupFold("c", "g", rules=[asked], inputs=frozenset({"history", "states"}))
    fold.observe(record(1, member("a")))
    assert fold.findings()


def named(parameter: object) -> str:
    return parameter if isinstance(parameter, str) else ""


# -- who came back


def joins_by_definition(steps: Sequence[Step]) -> dict[Any, int]:
    """How often each identity came, by the members of each step."""
    slots: Counter[Any] = Counter()
    joins: Counter[Any] = Counter()
    for step in steps:
        slots |= Counter(member.identity for member in step.members)
    for previous, step in pairwise(steps):
        joins.update(
            member.identity for member in step.members if member.member_id not in previous.by_id
        )
    return {identity: -(-times // slots[identity]) for identity, times in joins.items()}


@given(st.lists(st.tuples(st.sets(st.sampled_from("abcdef")), st.integers(0, 60)), min_size=2))
def test_who_joined_often_enough_is_found(history: list[tuple[set[str], int]]) -> None:
    """Everybody but those that look alike, of which some come and go one after another."""
    steps, time = [], 0
    for generation, (names, pause) in enumerate(history, 1):
        time += pause
        members = [member(name, client="ab" if name in "ab" else name) for name in sorted(names)]
        steps.append(record(generation, *members, seconds=time))
    fold = GroupFold("c", "g", rules=[RULES["flapping-member"].tuned(joins=3)])  # type: ignore[list-item]
    for step in steps:
        fold.observe(step)
    found = {finding.evidence["who"] for finding in fold.findings()}
    joins = joins_by_definition(steps)
    expected = {f"{who.client_id}{who.host}" for who, times in joins.items() if times >= 3}
    assert expected <= found
    assert found - expected <= {"ab/10.0.0.1"}


def test_all_joins_of_a_stretch_are_told() -> None:
    """And none of those a day before, after which it came no more."""
    rejoining = _rejoining(30, 45)
    yesterday = _rejoining(9, 45, first=1 - 86_400 // 45)
    steps = [
        with_fields(step, generation=number)
        for number, step in enumerate([*yesterday, *rejoining], 100)
    ]
    for times, records in ((29, rejoining), (30, steps)):
        found = audited(*records, rules=[RULES["flapping-member"]])["flapping-member"]  # type: ignore[list-item]
        assert (found.evidence["times"], found.evidence["seconds"]) == (times, (times - 1) * 45.0)
        assert f"joined {times} times" in found.explanation


def test_a_stretch_of_joins_ends_where_they_get_rare() -> None:
    rare = [record(n, member("b"), member(f"a#{n}"), seconds=n * 1_200) for n in range(1, 20)]
    often = [
        record(n, member("b"), member(f"a#{n}"), seconds=20 * 1_200 + n) for n in range(20, 30)
    ]
    found = audited(*rare, *often, rules=[RULES["flapping-member"]])["flapping-member"]  # type: ignore[list-item]
    assert found.evidence["times"] < 15


# -- rules that are asked at the end

NOW = 10_000_000
Change = Callable[[ModernFold], None]


def commit(partition: int, last_s: int, commits: int = 100, end: int | None = None) -> CommitSeen:
    """A commit a second, up to then."""
    last = last_s * 1000
    return CommitSeen("t", partition, 50, last - commits * 1000, last, commits, end)


def commits(*seen: CommitSeen) -> GroupEnd:
    return GroupEnd("g", NOW, step=record(1, member("a", ALL)), commits=seen)


def lagging(lag: int, *, silent_s: int = 0, same_s: int = 0, **known: Any) -> GroupEnd:
    """A commit every ten seconds for two hours, of ten records a second."""
    last = NOW - silent_s * 1000
    seen = CommitSeen(
        "t", 0, 50_000, last - 5_000_000, last, 500, 50_000 + lag,
        first_offset=0, highest_offset=50_000,
        same_since=last - same_s * 1000, same_commits=1 + same_s // 10, records_a_second=10.0,
    )._replace(**known)  # fmt: skip
    inputs = frozenset({"history", "commits", "ends"})
    return GroupEnd("g", NOW, commits=(seen,), inputs=inputs, members=1)


def configured(values: dict[str, str], **known: Any) -> GroupEnd:
    """The same group, with settings of its client."""
    settings = ClientSettings("f.json", {"group.id": "g", **values}, "librdkafka", "2.16.1")
    end = lagging(0, **known)
    return replace(end, client_settings=(settings,), inputs=end.inputs | {"settings"})


def often(rewinds: int) -> dict[str, int]:
    return {"rewinds": rewinds, "lately_rewinds": rewinds, "lately_commits": 500}


def owned(*partitions: str, commits: int = 100, **known: Any) -> GroupEnd:
    """A member that commits t-0, and has these partitions besides, for an hour."""
    step = record(1, member("a", ["t-0", *partitions]))
    last = step.place.timestamp + 3_600_000
    seen = CommitSeen("t", 0, 50, last - 1_000_000, last, commits)
    since = {"t": step.place.timestamp, "u": step.place.timestamp}
    return GroupEnd(
        "g", last, step, commits=(seen,), committed={("t", 0)}, given_since=since, **known
    )


def without(
    vacant_days: float = 0, *, age_s: float = 3600, last_days: float = 9, **known: Any
) -> GroupEnd:
    """A member that has t-0, which is committed, and t-1, whose offset 70 was deleted."""
    end = owned("t-1", **known)
    last, day = end.commits[0].last, 86_400_000
    gone = DeletedCommit(
        "t", 1, 70, int(last - last_days * day), int(last - age_s * 1000), int(vacant_days * day)
    )
    return replace(end, deleted=(gone,))


def refused(*, replaced: bool = False) -> GroupEnd:
    last = Refused("record's value", "truncated", "log", 0, 7, NOW, 1, b"\0", replaced)
    return GroupEnd("g", NOW, refused=last)


def state(name: str, unstable_ms: int) -> GroupEnd:
    broker = BrokerState(name, unstable_ms)
    return GroupEnd("g", NOW, record(1, member("a")), state=broker, inputs=frozenset({"states"}))


def place(seconds_ago: float) -> Place:
    return Place("log", 0, 1, NOW - int(seconds_ago * 1000))


def consumers(
    *,
    epoch_s: float = 4000,
    member_epoch: int = 5,
    target_epoch: int = 5,
    pending: int = 0,
    target: int = 1,
    current_s: float = 4000,
    classic: tuple[bool, ...] = (False,),
    joined_s: float = 9000,
) -> GroupEnd:
    """A consumer group at epoch 5 with one partition assigned to m0, as its records leave it."""
    fold = ModernFold("test", "g", "consumer")
    fold.observe(
        place(epoch_s),
        ConsumerGroupMetadataKey(group_id="g"),
        ConsumerGroupMetadataValue(epoch=5),
    )
    fold.observe(
        place(epoch_s),
        ConsumerGroupTargetAssignmentMetadataKey(group_id="g"),
        ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch=target_epoch),
    )
    value = ConsumerGroupMemberMetadataValue
    for number, is_classic in enumerate(classic):
        old = value.ClassicMemberMetadata(session_timeout_ms=1, supported_protocols=[])
        fold.observe(
            place(joined_s),
            ConsumerGroupMemberMetadataKey(group_id="g", member_id=f"m{number}"),
            value(
                instance_id=None,
                rack_id=None,
                client_id="c",
                client_host="h",
                subscribed_topic_names=["t"],
                subscribed_topic_regex=None,
                rebalance_timeout_ms=60_000,
                server_assignor=None,
                classic_member_metadata=old if is_classic else None,
            ),
        )
    now = ConsumerGroupCurrentMemberAssignmentValue
    fold.observe(
        place(current_s),
        ConsumerGroupCurrentMemberAssignmentKey(group_id="g", member_id="m0"),
        now(
            member_epoch=member_epoch,
            previous_member_epoch=4,
            state=0,
            assigned_partitions=[now.TopicPartitions(partitions=[0])],
            partitions_pending_revocation=[now.TopicPartitions(partitions=list(range(pending)))],
        ),
    )
    goal = ConsumerGroupTargetAssignmentMemberValue
    fold.observe(
        place(current_s),
        ConsumerGroupTargetAssignmentMemberKey(group_id="g", member_id="m0"),
        goal(topic_partitions=[goal.TopicPartition(partitions=list(range(target)))]),
    )
    return GroupEnd("g", NOW, modern=fold.state)


APART = record(1, member("a"), member("b", metadata=subscription(["u"])))
UNOWNED = record(1, member("a", ALL[:2]))


IDLE = record(1, member("a", ["t-0"]), member("b"))


def by_the_broker(counts: dict[str, int], **changes: int) -> GroupEnd:
    """A consumer group of two members for one topic, of which one has a partition."""
    group = consumers(classic=(False, False)).modern
    assert group is not None
    first = group.current["m0"]
    nothing = first.value.replace(assigned_partitions=(), **changes)
    current = {"m0": first, "m1": first._replace(value=nothing)}
    return GroupEnd("g", NOW, modern=with_fields(group, current=current), counts=counts)


def back(name: str, seconds_ago: int) -> Restart:
    """A member that came back so long before the end."""
    time = UNOWNED.place.timestamp - seconds_ago * 1000
    return Restart(f"{name}#1", name, f"{name}#2", time - 5000, 1, time, 2, 2)


def flapping(who: str) -> Finding:
    rule = RULES["flapping-member"]
    return new_finding(
        "c", "g", rule, Sign(who, "", {"who": who, "since": 0}), UNOWNED.place.timestamp
    )


def rested(seconds: int, step: Step = UNOWNED, **known: Any) -> GroupEnd:
    return GroupEnd("g", step.place.timestamp + seconds * 1000, step, **known)


END_CASES: list[tuple[str, str, GroupEnd, Severity | None]] = [
    ("unassigned-for-long", "for longer than a rebalance", rested(301, counts={"t": 3}), ERROR),
    ("unassigned-for-long", "somebody had it", rested(301, least={"t": 3}), WARN),
    ("unassigned-for-long", "a follow-up may come", rested(300, counts={"t": 3}), None),
    ("unassigned-for-long", "all are assigned", rested(301, counts={"t": 2}), None),
    ("unassigned-for-long", "nobody subscribes to it", rested(301, counts={"u": 3}), None),
    ("unassigned-for-long", "nobody is there", rested(301, record(1), counts={"t": 3}), None),
    ("unassigned-for-long", "it was said already",
     rested(301, counts={"t": 3}, told=frozenset({("unassigned-partition", "t")})), None),
    ("members-restarted", "one of two", rested(1, restarts=[back("a", 60)]), NOTE),
    ("members-restarted", "a day ago", rested(1, restarts=[back("a", 86_500)]), None),
    ("members-restarted", "nobody came back", rested(1), None),
    ("members-restarted", "it flaps",
     rested(1, restarts=[back("a", 60)], findings=[flapping("a/10.0.0.1")]), None),
    ("members-restarted", "another one flaps",
     rested(1, restarts=[back("a", 60)], findings=[flapping("b/10.0.0.1")]), NOTE),
    ("partition-not-loadable", "a record that does not replay",
     GroupEnd("g", NOW, obstacle=Obstacle(Place("log", 7, 2, NOW), "R", "why", "ISSUE", "all")),
     CRITICAL),
    ("partition-not-loadable", "a classic group", rested(1), None),
    ("partition-not-loadable", "nothing", GroupEnd("g", NOW), None),
    ("idle-members", "two members for one partition", rested(1, IDLE), NOTE),
    ("idle-members", "the broker has no more", rested(1, IDLE, counts={"t": 1}), NOTE),
    ("idle-members", "the broker has more", rested(1, IDLE, counts={"t": 2}), None),
    ("idle-members", "an assignor of one's own",
     rested(1, record(1, member("a", ["t-0"]), member("b"), protocol="spares")), None),
    ("idle-members", "an assignment that cannot be read",
     rested(1, record(1, member("a", ["t-0"]), replace_bytes(member("b"), b"\0\0\0"))), None),
    ("idle-members", "how many u has is not known",
     rested(1, record(1, member("a", ["t-0"], metadata=T_AND_U),
                      member("b", metadata=T_AND_U))), None),
    ("idle-members", "a consumer group", by_the_broker({"t": 1}), NOTE),
    ("idle-members", "a consumer group with enough", by_the_broker({"t": 2}), None),
    ("idle-members", "a consumer group on its way",
     by_the_broker({"t": 1}, member_epoch=4), None),
    ("idle-members", "a consumer group, counts not known", by_the_broker({}), None),
    ("two-applications", "two topics", GroupEnd("g", NOW, APART, differ_since=NOW - 601_000), WARN),
    ("two-applications", "one topic", rested(700, record(1, member("a"), member("b"))), None),
    ("two-applications", "one member", rested(700, record(1, member("a"))), None),
    ("cannot-migrate", "healthy", GroupEnd("g", NOW, record(1, member("a", ALL))), None),
    ("cannot-migrate", "a wrong label",
     GroupEnd("g", NOW, record(1, member("a", ALL, metadata=V1_ON_V0))), NOTE),
    ("cannot-migrate", "no members", GroupEnd("g", NOW, record(1)), None),
    ("stuck-partition", "stopped", commits(commit(0, 1000), commit(1, 5000)), WARN),
    ("stuck-partition", "and is behind", commits(commit(0, 1000, end=60), commit(1, 5000)), ERROR),
    ("stuck-partition", "and a mark waits", commits(commit(0, 1000, end=51), commit(1, 5000)),
     NOTE),
    ("stuck-partition", "there is nothing to read",
     commits(commit(0, 1000, end=50), commit(1, 5000)), None),
    ("stuck-partition", "all stopped", commits(commit(0, 1000), commit(1, 1010)), None),
    ("stuck-partition", "never regular", commits(commit(0, 1000, 3), commit(1, 5000)), None),
    ("stuck-partition", "not assigned", commits(commit(7, 1000), commit(1, 5000)), None),
    ("stuck-rebalance", "for long", state("PreparingRebalance", 400_000), ERROR),
    ("stuck-rebalance", "at the moment", state("CompletingRebalance", 2000), NOTE),
    ("stuck-rebalance", "stable", state("Stable", 0), None),
    ("stuck-rebalance", "empty", state("Empty", 0), None),
    ("member-behind", "for long", consumers(member_epoch=4), WARN),
    ("member-behind", "within its timeout", consumers(member_epoch=4, epoch_s=30), None),
    ("member-behind", "up to date", consumers(), None),
    ("member-behind", "is leaving", consumers(member_epoch=-1), None),
    ("revocation-pending", "for long", consumers(pending=2), WARN),
    ("revocation-pending", "within its timeout", consumers(pending=2, current_s=30), None),
    ("revocation-pending", "nothing", consumers(), None),
    ("assignment-behind", "for long", consumers(target_epoch=4), ERROR),
    ("assignment-behind", "for a minute", consumers(target_epoch=4, epoch_s=60), None),
    ("assignment-behind", "no members", consumers(target_epoch=4, classic=()), None),
    ("target-not-reached", "for long", consumers(target=2), WARN),
    ("target-not-reached", "for a minute", consumers(target=2, current_s=60), None),
    ("target-not-reached", "reached", consumers(), None),
    ("mixed-group-types", "for hours", consumers(classic=(True, False)), NOTE),
    ("mixed-group-types", "for minutes", consumers(classic=(True, False), joined_s=600), None),
    ("mixed-group-types", "all new", consumers(classic=(False, False)), None),
    ("lag-stopped", "silent for an hour", lagging(9, silent_s=3600), ERROR),
    ("lag-stopped", "a mark of a transaction waits", lagging(1, silent_s=3600), NOTE),
    ("lag-stopped", "silent for a minute", lagging(9, silent_s=60), None),
    ("lag-stopped", "there is nothing to read", lagging(0, silent_s=3600), None),
    ("lag-stopped", "as silent as it was before",
     lagging(9, silent_s=3600, usual_gap_ms=2_000_000), None),
    ("lag-stalled", "for ten minutes", lagging(9, same_s=600), ERROR),
    ("lag-stalled", "for a minute", lagging(9, same_s=60), None),
    ("lag-stalled", "there is nothing to read", lagging(0, same_s=600), None),
    ("lag-stalled", "and does not commit any more", lagging(9, same_s=600, silent_s=400), None),
    ("lag-stalled", "what waits came this minute",
     lagging(9, same_s=600, end_before=50_000), None),
    ("lag-stopped", "what waits came this minute",
     lagging(9, silent_s=3600, end_before=50_000), None),
    ("lag-stopped", "some of what waits came this minute",
     lagging(9, silent_s=3600, end_before=50_001), ERROR),
    ("lag-falling-behind", "what waits came this minute",
     lagging(36_000, end_before=50_000), None),
    ("lag-falling-behind", "by an hour", lagging(36_000), WARN),
    ("lag-falling-behind", "by days", lagging(3_600_000), ERROR),
    ("lag-falling-behind", "by a minute", lagging(1_200), None),
    ("lag-falling-behind", "by less than came in a pause",
     lagging(36_000, usual_gap_ms=1_800_000), None),
    ("offset-rewound", "and reads again", lagging(0, rewound=(NOW, 90_000, 50)), WARN),
    ("offset-rewound", "and is back", lagging(0, rewound=(NOW - 9, 20_000, 50)), None),
    ("offset-rewound", "and is back, again and again",
     lagging(0, **often(40), rewound=(NOW - 200_000, 20_000, 50)), WARN),
    ("offset-rewound", "and is back for good",
     lagging(0, **often(40), rewound=(NOW - 900_000, 20_000, 50)), None),
    ("offset-rewound", "and is back each day",
     lagging(0, **often(7), rewound=(NOW - 200_000, 20_000, 50)), None),
    ("offset-rewound", "by few records", lagging(0, rewound=(NOW - 9, 50_009, 50_000)), None),
    ("client-setting", "offsets out of range",
     configured({"auto.offset.reset": "latest"}, committed_offset=1, start=40), WARN),
    ("client-setting", "and read again from the start",
     configured({"auto.offset.reset": "earliest"}, committed_offset=1, start=40), NOTE),
    ("client-setting", "the offsets had expired",
     configured({"auto.offset.reset": "earliest"}, committed_offset=100,
                rewound=(NOW - 9000, 500, 90), rewound_how="expired"), NOTE),
    ("client-setting", "nothing happened", configured({"auto.offset.reset": "latest"}), None),
    ("client-setting", "of another group",
     configured({"auto.offset.reset": "latest", "group.id": "h"}, committed_offset=1, start=40),
     None),
    ("offset-deleted", "expired", without(8), WARN),
    ("offset-deleted", "expired under members", without(0, age_s=500), WARN),
    ("offset-deleted", "by a tool", without(0, last_days=0.5), NOTE),
    ("offset-deleted", "this minute", without(8, age_s=59), None),
    ("offset-deleted", "the topic was made anew",
     without(8, topics={"t": TopicFacts(partitions=2, ends={1: 9})}), None),
    ("offset-deleted", "nothing", owned("t-1"), None),
    ("never-committed", "it was, and that was deleted", without(8), None),
    ("offset-skipped", "by a tool", lagging(0, skipped=(NOW - 9000, 100, 50_000)), WARN),
    ("offset-skipped", "after it was deleted",
     lagging(0, skipped=(NOW - 9000, 100, 50_000), skipped_how="deleted"), WARN),
    ("offset-skipped", "by few records", lagging(0, skipped=(NOW - 9000, 100, 105)), None),
    ("offset-skipped", "never", lagging(0), None),
    ("offset-skipped", "taken back",
     lagging(0, skipped=(NOW - 9000, 100, 500), rewound=(NOW - 8000, 500, 100)), None),
    ("offset-skipped", "taken back in part",
     lagging(0, skipped=(NOW - 9000, 100, 500), rewound=(NOW - 8000, 500, 300)), WARN),
    ("offset-skipped", "to where it had been",
     lagging(0, rewound=(NOW - 9000, 500, 100), skipped=(NOW - 8000, 100, 505)), None),
    ("offset-rewound", "what a tool had skipped",
     lagging(0, committed_offset=100, skipped=(NOW - 9000, 100, 500),
             rewound=(NOW - 8000, 505, 100)), None),
    ("offset-rewound", "more than a tool had skipped",
     lagging(0, committed_offset=50, skipped=(NOW - 9000, 100, 500),
             rewound=(NOW - 8000, 500, 50)), WARN),
    ("offset-out-of-range", "below the start", lagging(90_000, start=60_000), ERROR),
    ("offset-out-of-range", "beyond the end", lagging(-9, silent_s=90), ERROR),
    ("offset-out-of-range", "this minute, by what it has read since",
     lagging(-9, records_a_second=1.0), None),
    ("offset-out-of-range", "this minute, by far more",
     lagging(-900, records_a_second=1.0), WARN),
    ("offset-out-of-range", "ends were asked for before", lagging(-9, silent_s=9), None),
    ("offset-out-of-range", "at the start", lagging(9, start=50_000), None),
    ("leftover-commits", "of a topic", lagging(9, is_subscribed=False), NOTE),
    ("leftover-commits", "nobody knows", lagging(9), None),
    ("leftover-commits", "subscribed", lagging(9, is_subscribed=True), None),
    ("lag-stopped", "nobody subscribes any more",
     lagging(9, silent_s=3600, is_subscribed=False), None),
    ("lag-stalled", "a mark of a transaction", lagging(1, same_s=600), NOTE),
    ("lag-falling-behind", "more arrives than it reads",
     lagging(36_000, end_before=82_000), ERROR),
    ("lag-falling-behind", "one commit has no pace",
     lagging(36_000, commits=1, records_a_second=None), None),
    ("lag-falling-behind", "most of it was deleted", lagging(36_000, start=85_500), None),
    ("never-committed", "nobody knows whether it has records", owned("t-1"), NOTE),
    ("never-committed", "records arrive",
     owned("t-1", topics={"t": TopicFacts(partitions=2, ends={1: 90}, ends_before={1: 80})}), WARN),
    ("never-committed", "there are none",
     owned("t-1", topics={"t": TopicFacts(partitions=2, ends={1: 0})}), None),
    ("never-committed", "all were deleted",
     owned("t-1", topics={"t": TopicFacts(partitions=2, ends={1: 9}, starts={1: 9})}), None),
    ("never-committed", "all are committed", owned(), None),
    ("never-committed", "no other is regular", owned("t-1", commits=3), None),
    ("scheduled-consumer", "an hour in between",
     lagging(0, longest_gap_ms=3_600_000, pauses=5), NOTE),
    ("scheduled-consumer", "once", lagging(0, longest_gap_ms=3_600_000, pauses=1), None),
    ("scheduled-consumer", "always as long",
     lagging(0, longest_gap_ms=11_000, pauses=5), None),
    ("unreadable-record", "the last", refused(), ERROR),
    ("unreadable-record", "another came after it", refused(replaced=True), WARN),
    ("unreadable-record", "none", lagging(0), None),
    ("unreadable-record", "of commits neither", commits(commit(0, 1000)), None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "name", "end", "severity"),
    END_CASES,
    ids=named,
)
def test_a_rule_at_the_end(rule: str, name: str, end: GroupEnd, severity: Severity | None) -> None:
    asked = RULES[rule]
    assert isinstance(asked, EndRule)
    found = list(end_findings("test", end, [asked]))
    assert [one.severity for one in found] == ([] if severity is None else [severity])


def findings_at(name: str, end: GroupEnd) -> list[Finding]:
    rule = RULES[name]
    assert isinstance(rule, EndRule)
    return list(end_findings("c", end, [rule]))


@pytest.mark.parametrize(
    ("facts", "seconds"),
    [
        ({"end_before": 50_000 + 90_000 - 300 * 30}, 3000),  # 90,000 of 30 a second
        ({"end_before": 50_000 + 90_000 - 300 * 3}, 5000),  # it is not read for longer
        ({"rewound": (NOW - 700_000, 60_000, 40_000)}, 700),
        ({"rewound": (NOW - 700_000, 45_000, 40_000)}, 0),  # it is where it was
        ({}, 0),
    ],
)
def test_since_when_a_group_is_behind(facts: dict[str, Any], seconds: int) -> None:
    (finding,) = findings_at("lag-falling-behind", lagging(90_000, **facts))
    assert NOW - finding.first_seen == seconds * 1000
    assert ("if nothing more arrives" in finding.explanation) == ("end_before" not in facts)


@pytest.mark.parametrize(("rewinds", "is_always"), [(250, True), (8, False)])
def test_since_when_two_commit_one_partition(rewinds: int, is_always: bool) -> None:
    at = NOW - 9000
    end = lagging(0, rewound=(at, 500, 90), **often(rewinds) | {"lately_commits": 400})
    (finding,) = findings_at("offset-rewound", end)
    assert finding.first_seen == (end.commits[0].first if is_always else at)


@pytest.mark.parametrize("way", ["expired", "deleted", "reset", None])
def test_offsets_that_expired_are_the_cause_of_a_rewind(way: str | None) -> None:
    end = lagging(0, committed_offset=100, rewound=(NOW - 9000, 500, 90), rewound_how=way)
    (finding,) = findings_at("offset-rewound", end)
    assert finding.cause == ("offsets-expired" if way == "expired" else None)
    assert ("offsets.retention.minutes" in finding.next_action) == (way == "expired")


def test_one_commit_may_be_enough() -> None:
    asked = RULES["stuck-partition"].tuned(commits=1)
    assert isinstance(asked, EndRule)
    end = commits(commit(0, 1000, 1), commit(1, 5000, 1))
    assert [one.severity for one in end_findings("test", end, [asked])] == [WARN]


def test_without_the_brokers_states_a_rebalance_is_not_judged() -> None:
    end = state("PreparingRebalance", 400_000)
    blind = GroupEnd("g", NOW, end.step, state=end.state)
    asked = RULES["stuck-rebalance"]
    assert isinstance(asked, EndRule)
    assert not list(end_findings("test", blind, [asked]))


# -- rules about the fleet

START = datetime(2026, 1, 1, tzinfo=UTC)


def fleet(
    rebalances: Sequence[dict[str, Any]] = (),
    *,
    groups: int = 10,
    kind: str = "consumer",
) -> Fleet:
    current = [
        {"group_id": f"g{n}", "group_type": "classic", "protocol_type": kind, "source_partition": 3}
        for n in range(groups)
    ]
    return Fleet(
        pa.Table.from_pylist(current, TABLES["current"]),
        pa.Table.from_pylist(list(rebalances), TABLES["rebalances"]),
    )


def together(
    groups: int, seconds: float, quiet_ms: int = 3_600_000, cause: str = "leader-rejoined"
) -> list[dict[str, Any]]:
    """A rebalance of each of these groups, one so long after the other."""
    grown = {"topic": "t", "partition": 7, "from_member": None, "to_member": "m", "handover": None}
    return [
        {
            "source_partition": 3,
            "group_id": f"g{n}",
            "record_timestamp": START + timedelta(seconds=n * seconds),
            "since_previous_ms": quiet_ms,
            "cause": cause,
            "moves": [grown],
        }
        for n in range(groups)
    ]


def topic(*groups: dict[str, Any]) -> Fleet:
    """Groups of one partition of the offsets topic."""
    rows = [{"source_partition": 3, "group_type": "classic", "protocol_type": "connect"} | group
            for group in groups]  # fmt: skip
    return Fleet(pa.Table.from_pylist(rows, TABLES["current"]), TABLES["rebalances"].empty_table())


def consoles(count: int, name: str = "console-consumer-{}", **more: Any) -> Fleet:
    """Groups that a tool left, or one that is like them."""
    return topic(
        *({"group_id": name.format(17 * n), "state": "empty", "members": 0} | more
          for n in range(count))
    )  # fmt: skip


def filling(megabytes: int, share: float, records: int, keys: int) -> Fleet:
    """A group that has a share of a partition, and one that has the rest."""
    mine = int(megabytes * share * 1e6)
    return topic(
        {"group_id": "a", "records": records, "bytes": mine, "committed_partitions": keys},
        {"group_id": "b", "records": 9, "bytes": int(megabytes * 1e6) - mine,
         "committed_partitions": 9},
    )  # fmt: skip


FLEET_CASES: list[tuple[str, str, Fleet, int]] = [
    ("old-protocol", "one line for all", fleet(), 1),
    ("old-protocol", "no groups", fleet(groups=0), 0),
    ("old-protocol", "Connect", fleet(kind="connect"), 0),
    ("coordinator-moved", "eight of ten at once", fleet(together(8, 2)), 1),
    ("coordinator-moved", "across two minutes", fleet(together(8, 7)), 1),
    ("coordinator-moved", "eight of a hundred", fleet(together(8, 2), groups=100), 0),
    ("coordinator-moved", "all day", fleet(together(8, 3600)), 0),
    ("coordinator-moved", "busy groups", fleet(together(8, 2, quiet_ms=500)), 0),
    ("partitions-added", "one topic", fleet(together(4, 60, cause="metadata-changed")), 1),
    ("partitions-added", "no groups", fleet(), 0),
    ("groups-left-behind", "120 of the console", consoles(120), 1),
    ("groups-left-behind", "by uuid", consoles(40, "t-{:08x}-1111-2222-3333-444444444444"), 1),
    ("groups-left-behind", "a few", consoles(5), 0),
    (
        "groups-left-behind",
        "services, of which some are down",
        topic(
            *(
                {
                    "group_id": f"service-{n}",
                    "state": "empty" if n % 2 else "stable",
                    "members": 1 - n % 2,
                }
                for n in range(80)
            )
        ),
        0,
    ),
    ("groups-left-behind", "they have members", consoles(120, state="stable", members=1), 0),
    ("offsets-topic-share", "most of it", filling(90, 0.9, 10**6, 5), 1),
    (
        "offsets-topic-share",
        "a third",
        topic(*({"group_id": name, "records": 9, "bytes": 3 * 10**7} for name in "abc")),
        0,
    ),
    ("offsets-topic-share", "it is small", filling(3, 0.9, 10**6, 5), 0),
    ("compaction-behind", "nothing is compacted", filling(900, 0.9, 10**7, 50), 1),
    ("compaction-behind", "within a few segments", filling(250, 0.9, 10**6, 50), 0),
    ("compaction-behind", "all are the newest", filling(900, 0.9, 10**5, 10**5), 0),
    ("partitions-added", "joins", fleet(together(4, 60, cause="joined")), 0),
]


@pytest.mark.parametrize(
    ("rule", "name", "groups", "times"),
    FLEET_CASES,
    ids=named,
)
def test_a_rule_about_the_fleet(rule: str, name: str, groups: Fleet, times: int) -> None:
    asked = RULES[rule]
    assert isinstance(asked, FleetRule)
    signs: list[Sign] = list(asked.find(groups, asked.thresholds))
    assert len(signs) == times


def test_each_rule_has_a_case_for_it_and_two_against() -> None:
    told = [(case.rule, case.severity is not None) for case in CASES]
    told += [(rule, severity is not None) for rule, _, _, severity in END_CASES]
    told += [(rule, bool(times)) for rule, _, _, times in FLEET_CASES]
    for rule in RULES:
        assert told.count((rule, True)) >= 1, rule
        # "info" of a rule that warns elsewhere is a case against the warning.
        mild = sum(case.rule == rule and case.severity is NOTE for case in CASES)
        assert told.count((rule, False)) + mild >= 2, rule
