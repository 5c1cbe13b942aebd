"""A storm's finding names its cause, with evidence and advice of its own.

Each drawn storm has one cause; the inputs of `tests/vectors/reports` are rebuilt from what people
reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.codec import (
    AssignmentInfo,
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerProtocolAssignment,
    GroupMetadataValue,
)
from kproto.history.causes import CAUSES
from kproto.inspector.shapes.story_shapes import RootCause, SourceLine
from kproto.pipeline.audit import (
    CommitSeen,
    GroupFold,
    MemberSeen,
    Place,
    Rule,
    Sign,
    Step,
    Window,
)
from kproto.pipeline.audit.classic_record import read_step
from kproto.pipeline.audit.epochs import EpochFold
from kproto.pipeline.audit.findings import Finding, NamedCause
from kproto.pipeline.audit.rules import RULES
from kproto.pipeline.audit.storm_causes import (
    COSTLY_RULES,
    stays_in,
    storm_cause,
    with_commits,
    with_logs,
)
from kproto.pipeline.audit.stretch import Stretch
from kproto.pipeline.audit.window import Departure, RecordChange
from kproto.tools.main import main

from .audit_groups import audited, member, record, subscription, written

REPORTS = Path(__file__).parents[1] / "vectors" / "reports"
NEVER = (1 << 63) - 1


def cause_of(steps: Sequence[Step]) -> NamedCause:
    """The cause that is named of these records, as of one stretch, however slow."""
    storm = RULES["rebalance-storm"].tuned(seconds=1e9)
    assert isinstance(storm, Rule)
    causes: list[NamedCause] = []

    def spy(window: Window, _: object) -> Iterator[Sign]:
        stretch = window.memory
        assert isinstance(stretch, Stretch)
        causes.append(storm_cause([*stretch.rounds], stretch.stays, window.step.members))
        yield from ()

    fold = GroupFold("test", "g", rules=[replace(storm, find=spy)])
    for step in steps:
        fold.observe(step)
    return causes[-1]


@st.composite
def companions(draw: st.DrawFn) -> tuple[MemberSeen, ...]:
    """Members that stay all the time, some of them none."""
    number = draw(st.integers(1, 30))
    return tuple(member(f"other-{n}", [f"t-{n + 1}"]) for n in range(number))


def coming_and_going(
    stays: Sequence[float], gaps: Sequence[float], others: tuple[MemberSeen, ...], timeout: int
) -> list[Step]:
    """A member that stays so many seconds each time, and is away for so many in between."""
    steps, now, generation = [record(1, *others, seconds=0)], 1.0, 1
    for number, (stay, gap) in enumerate(zip(stays, gaps, strict=True)):
        client = member(f"slow#{number}", ["t-0"], timeout=timeout)
        steps.append(record(generation + 1, *others, client, seconds=now))
        steps.append(record(generation + 2, *others, seconds=now + stay))
        now, generation = now + stay + gap, generation + 2
    return steps


@st.composite
def slow_polls(draw: st.DrawFn) -> list[Step]:
    limit = draw(st.integers(10, 600))
    times = draw(st.integers(5, 25))
    stays = [limit + draw(st.floats(0, 3)) for _ in range(times)]
    gaps = [draw(st.floats(0.5, limit)) for _ in range(times)]
    return coming_and_going(stays, gaps, draw(companions()), limit * 1000)


@st.composite
def crashes(draw: st.DrawFn) -> list[Step]:
    """The new process joins before the old one is declared dead."""
    others, times = draw(companions()), draw(st.integers(6, 40))
    every = draw(st.floats(1, 200))
    return [
        record(n + 1, *others, member(f"c#{n}", ["t-0"]), seconds=n * every) for n in range(times)
    ]


@st.composite
def quick_restarts(draw: st.DrawFn) -> list[Step]:
    """It leaves in order, sooner than its session would expire."""
    times = draw(st.integers(5, 25))
    stays = [draw(st.floats(1, 40)) for _ in range(times)]
    return coming_and_going(stays, [2.0] * times, draw(companions()), 300_000)


@st.composite
def expired_sessions(draw: st.DrawFn) -> list[Step]:
    times = draw(st.integers(5, 25))
    stays = [45 + draw(st.floats(1, 30)) + (n % 2) * 100 for n in range(times)]
    return coming_and_going(stays, [3.0] * times, draw(companions()), 300_000)


@st.composite
def flapping_topics(draw: st.DrawFn) -> list[Step]:
    """A topic's partitions come and go, or the topic does."""
    big, small = draw(st.sampled_from([(6, 3), (4, 1), (12, 11)]))
    number = draw(st.integers(6, 60))
    sizes = [big if n % 2 else small for n in range(number)]
    return [
        record(n + 1, member("a", [f"t-{p}" for p in range(size)]), seconds=n * 7)
        for n, size in enumerate(sizes)
    ]


@st.composite
def alone_again(draw: st.DrawFn) -> list[Step]:
    number, every = draw(st.integers(22, 80)), draw(st.floats(1, 40))
    return [record(n + 1, member("a", ["t-0"]), seconds=n * every) for n in range(number)]


@st.composite
def rejoining_leaders(draw: st.DrawFn) -> list[Step]:
    others, number = draw(companions()), draw(st.integers(22, 80))
    every = draw(st.floats(1, 40))
    return [record(n + 1, member("a", ["t-0"]), *others, seconds=n * every) for n in range(number)]


@st.composite
def unset_timeouts(draw: st.DrawFn) -> list[Step]:
    """Each join throws the others out: the coordinator waits for nobody."""
    number, size = draw(st.integers(12, 60)), draw(st.integers(2, 9))
    return [
        record(n + 1, _without_timeout(f"m{n % size}#{n}"), seconds=n * 3) for n in range(number)
    ]


def _without_timeout(name: str, version: int = 4) -> MemberSeen:
    """The member in a record of that version; version 0 has the session timeout alone."""
    value = GroupMetadataValue(
        protocol_type="consumer", generation=1, protocol="range", leader=name,
        members=[written(member(name, ["t-0"], timeout=-1))],
    )  # fmt: skip
    (seen,) = read_step(Place("log", 0, 0, 0), value.to_bytes(version=version)).members
    return seen


def streams_member(name: str, error: int = 0, planned: int = NEVER) -> MemberSeen:
    info = AssignmentInfo(
        version=11, commonly_supported_version=11, error_code=error, next_rebalance_ms=planned,
        active_tasks=(), standby_tasks=(), topics=(), partitions_by_host=(),
        standby_partitions_by_host=(),
    )  # fmt: skip
    given = ConsumerProtocolAssignment(assigned_partitions=(), user_data=info.to_bytes())
    plain = member(name)
    return MemberSeen(
        name, None, plain.client_id, plain.host, 300_000, 45_000, plain.metadata, given.to_bytes(1)
    )


@st.composite
def probing(draw: st.DrawFn) -> list[Step]:
    number, every = draw(st.integers(12, 60)), draw(st.integers(5, 600))
    size = draw(st.integers(1, 9))
    return [
        record(
            n + 1,
            *(
                streams_member(
                    f"s{m}",
                    planned=NEVER if m else 1_700_000_000_000 + (n + 1) * every * 1000,
                )
                for m in range(size)
            ),
            seconds=n * every,
            protocol="stream",
        )
        for n in range(number)
    ]


@st.composite
def missing_sources(draw: st.DrawFn) -> list[Step]:
    number, size = draw(st.integers(2, 40)), draw(st.integers(1, 9))
    return [
        record(n + 1, *(streams_member(f"s{m}#{n}", 1) for m in range(size)), seconds=n * 20,
               protocol="stream")
        for n in range(number)
    ]  # fmt: skip


def worker(name: str, offset: int, answer: int | None) -> MemberSeen:
    metadata = ConnectProtocolMetadata(url=f"http://{name}:8083/", config_offset=offset)
    assignment = b""
    if answer is not None:
        assignment = ConnectProtocolAssignment(
            error=0, leader="a", leader_url="http://a:8083/", config_offset=answer, assignment=(),
            revoked=(), delay=0,
        ).to_bytes(2)  # fmt: skip
    return MemberSeen(
        name, None, name, "/10.0.0.1", 60_000, 10_000, metadata.to_bytes(2), assignment
    )


@st.composite
def two_clusters(draw: st.DrawFn) -> list[Step]:
    """Neither reads the other's topic of configurations, whose end may rise meanwhile."""
    low, high = sorted(draw(st.lists(st.integers(0, 5000), min_size=2, max_size=2, unique=True)))
    number = draw(st.integers(4, 60))
    rises = draw(st.booleans())
    return [
        record(
            n + 1, worker("a", high + n * rises, high), worker("b", low, high), seconds=n,
            protocol="sessioned", kind="connect",
        )
        for n in range(number)
    ]  # fmt: skip


DRAWN: list[tuple[str, Callable[[], st.SearchStrategy[list[Step]]]]] = [
    ("poll-timeout-exceeded", slow_polls),
    ("crash-loop", crashes),
    ("crash-loop", quick_restarts),
    ("session-expired", expired_sessions),
    ("metadata-flapping", flapping_topics),
    ("metadata-flapping", alone_again),
    ("leader-rejoined", rejoining_leaders),
    ("rebalance-timeout-unset", unset_timeouts),
    ("probing-rebalance", probing),
    ("source-topic-missing", missing_sources),
    ("two-clusters-in-one-group", two_clusters),
]


@pytest.mark.parametrize(("word", "storms"), DRAWN, ids=[storms.__name__ for _, storms in DRAWN])
@settings(max_examples=15)
@given(data=st.data())
def test_the_cause_of_a_drawn_storm(
    word: str, storms: Callable[[], st.SearchStrategy[list[Step]]], data: st.DataObject
) -> None:
    cause = cause_of(data.draw(storms()))
    assert cause.word == word
    assert cause.evidence
    assert CAUSES[word].advice


@pytest.mark.parametrize("times", [6, 64, 65, 200])
def test_stays_are_counted_beyond_those_that_are_kept(times: int) -> None:
    steps = coming_and_going([31.0] * times, [5.0] * times, (member("b"),), 30_000)
    assert cause_of(steps).text.startswith(f"{times} stays of slow/10.0.0.1 ended")
    steps = coming_and_going([31.0] * times, [5.0] * times, (member("b"),), 300_000)
    cause = cause_of(steps)
    assert cause.evidence["stays"] == times


@pytest.mark.parametrize(("records", "counted"), [(40, "39 of 39"), (200, "63 of the last 63")])
def test_what_is_counted_over_the_last_records_says_so(records: int, counted: str) -> None:
    steps = [record(n + 1, member("a", ["t-0"]), member("b"), seconds=n) for n in range(records)]
    assert f"in {counted} rebalances" in cause_of(steps).text


def test_workers_that_catch_up_are_one_cluster() -> None:
    """A worker is behind for a round or two whenever somebody changes a connector."""
    offsets = [(5, 5), (6, 5), (6, 6), (7, 6), (7, 7), (8, 7), (8, 8)]
    steps = [
        record(n + 1, worker("a", high, high), worker("b", low, high), seconds=n, kind="connect")
        for n, (high, low) in enumerate(offsets)
    ]
    assert cause_of(steps).word != "two-clusters-in-one-group"


def test_a_member_without_a_timeout_is_not_said_to_crash() -> None:
    steps = [record(n + 1, _without_timeout(f"m{n % 3}#{n}"), seconds=n * 30) for n in range(20)]
    finding = audited(*steps, rules=[RULES["flapping-member"]])["flapping-member"]  # type: ignore[list-item]
    assert (finding.cause, finding.certainty) == ("rebalance-timeout-unset", "certain")


@pytest.mark.parametrize(("version", "is_unset"), [(0, False), (1, True), (3, True), (4, True)])
def test_a_record_with_one_timeout_is_of_no_member_without_one(
    version: int, is_unset: bool
) -> None:
    seen = _without_timeout("a", version)
    assert (seen.has_no_rebalance_timeout, seen.rebalance_timeout) == (is_unset, 45_000)
    assert seen.assigned == {("t", 0)}


@pytest.mark.parametrize("rises", [True, False])
def test_connectors_that_are_created_one_by_one_are_no_storm(rises: bool) -> None:
    steps = [
        record(n + 1, worker("a", n * rises, n * rises), seconds=n * 10, kind="connect")
        for n in range(100)
    ]
    assert ("rebalance-storm" in audited(*steps)) == (not rises)


@st.composite
def polls_for_a_while(draw: st.DrawFn) -> list[Step]:
    """It polls for some seconds before it is slow: stays are longer than the limit, and may be of
    one length."""
    limit, times = draw(st.integers(5, 600)), draw(st.integers(5, 25))
    stay = limit * draw(st.floats(1.6, 9)) + 45
    return coming_and_going([stay] * times, [6.0] * times, draw(companions()), limit * 1000)


@given(polls_for_a_while())
def test_stays_beyond_the_poll_limit_do_not_tell_why_they_end(steps: list[Step]) -> None:
    cause = cause_of(steps)
    assert cause.word == "unknown"
    assert cause.rivals == ("poll-timeout-exceeded", "session-expired", "crash-loop")
    assert "kubectl" not in CAUSES["unknown"].advice


@given(st.integers(1_000, 44_000))
def test_a_members_own_session_timeout_is_told(shortest: int) -> None:
    """Another member of the group has a shorter one."""
    other = msgspec.structs.replace(member("b"), session_timeout=shortest)
    cause = cause_of(coming_and_going([60.0] * 9, [5.0] * 9, (other,), 10_000))
    assert cause.evidence["session_timeout_s"] == 45.0
    assert "the session timeout of 45 s" in cause.text


def deployments(members: int, rounds: int, every: int = 300) -> list[Step]:
    """Each member in turn is ended without closing its consumer; its session expires, or the new
    process has joined before."""
    names = [f"d{n}" for n in range(members)]
    alive = {name: member(f"{name}#0", ["t-0"]) for name in names}
    steps, generation = [record(1, *alive.values(), seconds=0)], 1
    for number in range(1, rounds + 1):
        for at, name in enumerate(names):
            alive[name] = member(f"{name}#{number}", ["t-0"])
            generation += 1
            steps.append(record(generation, *alive.values(), seconds=number * every + at * 8))
    return steps


def test_a_storm_is_since_it_was_as_fast_as_one() -> None:
    """The leader joined again by itself each minute, for an hour; then a member comes and goes."""
    steps, seconds = [], 0
    for number in range(1, 61):
        seconds += 59
        steps.append(record(number, member("a"), seconds=seconds))
    quiet = steps[-1].place.timestamp
    for number in range(61, 101):
        seconds += 5
        coming = [member(f"x#{number}")] if number % 2 else []
        steps.append(record(number, member("a"), *coming, seconds=seconds))
    told = audited(*steps)["rebalance-storm"]
    assert quiet - 600_000 <= told.first_seen <= quiet + 60_000
    assert told.explanation.startswith("99 generations in 1 h 1 min, as fast as a storm for ")


@pytest.mark.parametrize("members", [2, 3, 4])
def test_slow_polls_with_a_short_limit_are_no_deployment(members: int) -> None:
    """Members that leave every six seconds, each by its own clock, are back within two: one cause,
    one advice."""
    clock, moments = Random(members), []  # noqa: S311  # the same clocks every time
    for at in range(members):
        seconds = clock.random() * 4
        for number in range(40):
            moments.append((seconds, at, number, True))
            seconds += 6 + clock.random() * 0.4
            moments.append((seconds, at, number, False))
            seconds += 1.3 + clock.random()
    alive, steps = {"a": member("a", timeout=6_000)}, []
    for generation, (seconds, at, number, comes) in enumerate(sorted(moments), 1):
        name = f"m{at}"
        alive.pop(name, None)
        if comes:
            alive[name] = member(f"{name}#{number}", timeout=6_000)
        steps.append(record(generation, *alive.values(), seconds=seconds + 5))
    fold = GroupFold("test", "g")
    for step in steps:
        fold.observe(step)
    told = [each for each in with_commits(fold.findings(), []) if each.rule in COSTLY_RULES]
    assert {each.rule for each in told} >= {"rebalance-storm", "slow-poll"}
    assert {each.cause for each in told} == {"poll-timeout-exceeded"}
    assert {each.next_action for each in told} == {CAUSES["poll-timeout-exceeded"].advice}


@given(st.integers(2, 9), st.integers(6, 9))
def test_members_that_end_in_turn_may_be_of_a_deployment(members: int, rounds: int) -> None:
    found = audited(*deployments(members, rounds), rules=[RULES["flapping-member"]])  # type: ignore[list-item]
    (told,) = with_commits(found.values(), commits(1_000))
    assert "rolling-restart" in (told.cause, *told.rivals)
    assert "crash-loop" in (told.cause, *told.rivals)
    assert "close the consumer on SIGTERM" in told.next_action


@given(st.integers(2, 9), st.integers(6, 9), st.integers(150, 250))
def test_a_deployment_is_one_finding_and_no_crash_loop(
    members: int, rounds: int, every: int
) -> None:
    """Restarts that are sooner than any poll limit, of one member after the other."""
    steps = deployments(members, rounds, every)
    fold = GroupFold("test", "g", rules=[RULES["flapping-member"]])  # type: ignore[list-item]
    for step in steps:
        fold.observe(step)
    findings = list(fold.findings())
    assert len(findings) == members
    (told,) = with_commits(findings, [])
    assert (told.cause, told.certainty) == ("rolling-restart", "likely")
    assert told.rivals[0] == "crash-loop"
    assert told.finding_id not in {finding.finding_id for finding in findings}
    assert told.first_seen == min(finding.first_seen for finding in findings)
    assert " joined in turn, " in told.explanation
    assert "kubectl describe pod" in told.next_action  # if no deployment is behind it


def leaving_and_returning(
    members: int, rounds: int, away: float, apart: float, limit: int
) -> list[Step]:
    """Members that leave when their poll limit has passed and come back after so many seconds as
    new members; each leaves so long after the one before."""
    names = [f"d{n}" for n in range(members)]
    alive = {name: member(f"{name}#0", ["t-0"], timeout=limit * 1000) for name in names}
    every = limit + 20 + away
    events = sorted(
        (number * every + at * apart + back * away, name, number * back)
        for number in range(1, rounds + 1)
        for at, name in enumerate(names)
        for back in (0, 1)
    )
    steps = [record(1, *alive.values(), seconds=0)]
    for generation, (seconds, name, number) in enumerate(events, 2):
        if number:
            alive[name] = member(f"{name}#{number}", ["t-0"], timeout=limit * 1000)
        else:
            del alive[name]
        steps.append(record(generation, *alive.values(), seconds=seconds))
    return steps


_OF_POLL_LIMIT = [RULES["rebalance-storm"], RULES["flapping-member"], RULES["slow-poll"]]


@settings(max_examples=20)
@given(st.integers(2, 5), st.integers(6, 8), st.floats(1, 10), st.floats(11, 40))
def test_restarts_one_by_one_after_the_poll_limit_are_a_deployment(
    members: int, rounds: int, away: float, apart: float
) -> None:
    """As of three consumers of librdkafka that were closed and started again every 5 minutes, 10
    seconds apart and 2 seconds away."""
    steps = leaving_and_returning(members, rounds, away, apart, 300)
    assert cause_of(steps).word == "rolling-restart"
    found = audited(*steps, rules=_OF_POLL_LIMIT)  # type: ignore[arg-type]
    assert found.keys() >= {"flapping-member", "slow-poll"}
    for longest, is_slow in ((None, True), (5_000, False), (300_000, True)):
        seen = [] if longest is None else commits(longest)
        told = list(with_commits(found.values(), seen))
        assert {each.cause for each in told} == {"rolling-restart"}
        assert all(("poll-timeout-exceeded" in each.rivals) is is_slow for each in told)
        assert all("close the consumer on SIGTERM" in each.next_action for each in told)


@settings(max_examples=20)
@given(st.integers(2, 5), st.integers(6, 8), st.floats(20, 200), st.floats(0, 9))
def test_polls_of_all_members_that_are_slow_at_once_are_no_deployment(
    members: int, rounds: int, away: float, apart: float
) -> None:
    """What all of them wait for is slow: the next one leaves before the first is back."""
    cause = cause_of(leaving_and_returning(members, rounds, away, apart, 300))
    assert cause.word == "poll-timeout-exceeded"


@given(st.integers(6, 9))
def test_one_member_that_ends_alone_is_no_deployment(rounds: int) -> None:
    steps = coming_and_going([60.0] * rounds, [5.0] * rounds, (member("b"), member("c")), 10_000)
    found = audited(*steps, rules=[RULES["flapping-member"]])  # type: ignore[list-item]
    (told,) = with_commits(found.values(), commits(1_000))
    assert "rolling-restart" not in told.rivals
    assert "SIGTERM" not in told.next_action


@given(quick_restarts())
def test_stays_within_the_poll_limit_exclude_it(steps: list[Step]) -> None:
    assert "poll-timeout-exceeded" not in cause_of(steps).rivals


@pytest.mark.parametrize(
    ("client", "latest_s", "is_of_it"),
    [("slow", 10_000, True), ("other", 10_000, False), ("slow", -10_000, False)],
)
def test_a_line_of_the_log_decides(client: str, latest_s: int, is_of_it: bool) -> None:
    """Where it is about that member, and was written since."""
    steps = coming_and_going([60.0] * 9, [5.0] * 9, (member("b"),), 10_000)
    finding = audited(*steps, rules=[RULES["flapping-member"]])["flapping-member"]  # type: ignore[list-item]
    line = SourceLine("app.log", 7)
    logged = RootCause(
        "poll-timeout-exceeded", True, (), f"{client} did not poll.", "Poll.", (line,)
    )
    latest = finding.first_seen + latest_s * 1000
    (told,) = with_commits(with_logs([finding], [logged], latest), commits(1_000))
    if is_of_it:
        assert (told.cause, told.certainty, told.rivals) == ("poll-timeout-exceeded", "certain", [])
        assert told.next_action == "Poll."
        assert told.evidence["lines"] == ["app.log:7"]
        assert "cause poll-timeout-exceeded: slow did not poll" in told.explanation
    else:  # commits went on: no poll was slow
        assert told.cause == "crash-loop"


def commits(longest_gap: float) -> list[CommitSeen]:
    start = 1_700_000_000_000
    return [
        CommitSeen("t", 0, 500, start, start + 10_000_000, 100, longest_gap_ms=int(longest_gap))
    ]


@given(st.integers(30, 600), st.integers(6, 20))
def test_restarts_after_the_poll_limit_are_no_slow_polls_where_commits_go_on(
    limit: int, times: int
) -> None:
    """A container that is restarted so often stays as long as max.poll.interval.ms."""
    steps = coming_and_going([limit + 1.0] * times, [5.0] * times, (member("b"),), limit * 1000)
    found = audited(*steps, rules=[RULES["slow-poll"], RULES["flapping-member"]])  # type: ignore[list-item]
    assert found["slow-poll"].cause == "poll-timeout-exceeded"
    assert "crash-loop" in found["slow-poll"].rivals
    busy = {each.rule: each for each in with_commits(found.values(), commits(5_000))}
    assert "slow-poll" not in busy
    assert {each.cause for each in busy.values()} <= {"crash-loop"}
    for each in busy.values():  # a session expires without a slow poll
        assert (each.certainty, each.rivals) == ("likely", ["session-expired"])
    silent = {each.rule for each in with_commits(found.values(), commits(limit * 1000))}
    assert silent == found.keys()


@settings(max_examples=20)
@given(st.integers(60, 100_000), st.integers(11, 30))
def test_the_stay_that_a_storm_begins_with_counts(quiet_s: int, times: int) -> None:
    """The first of them comes after the group was at rest; each stays ten seconds."""
    others = (member("b"),)
    steps = [record(1, *others, seconds=-quiet_s - 6000)]
    steps += coming_and_going([10.0] * times, [5.0] * times, others, 300_000)[1:]
    storm = audited(*steps, rules=[RULES["rebalance-storm"]])["rebalance-storm"]  # type: ignore[list-item]
    assert storm.evidence["stays"] == times


@given(st.sampled_from([(6, 3), (4, 1), (12, 11)]), st.integers(6, 60))
def test_partitions_that_come_and_go_are_in_the_records(sizes: tuple[int, int], times: int) -> None:
    steps = [
        record(n + 1, member("a", [f"t-{p}" for p in range(sizes[n % 2])])) for n in range(times)
    ]
    cause = cause_of(steps)
    assert (cause.word, cause.certainty, cause.rivals) == ("metadata-flapping", "certain", ())
    first, then = cause.evidence["first"], cause.evidence["then"]
    assert (first, then) == tuple(f"{size} of t" for size in sizes)


def storm_of_epochs(records: Sequence[tuple[Any, Any]]) -> Finding | None:
    """What the rule says of a group whose broker assigns, with a record a second."""
    fold = EpochFold(GroupFold("test", "g", rules=[RULES["rebalance-storm"]]))  # type: ignore[list-item]
    for number, (key, value) in enumerate(records):
        fold.observe(Place("log", 0, number, 1_700_000_000_000 + number * 1000), key, value)
    return next(iter(fold.fold.findings()), None)


def epoch(number: int, metadata_hash: int = 0) -> tuple[Any, Any]:
    value = ConsumerGroupMetadataValue(epoch=number, metadata_hash=metadata_hash)
    return ConsumerGroupMetadataKey(group_id="g"), value


def subscribes(name: str, topic: str) -> tuple[Any, Any]:
    value = ConsumerGroupMemberMetadataValue(
        instance_id=None, rack_id=None, client_id=name, client_host="/h",
        subscribed_topic_names=[topic], subscribed_topic_regex=None,
        rebalance_timeout_ms=60_000, server_assignor=None,
    )  # fmt: skip
    return ConsumerGroupMemberMetadataKey(group_id="g", member_id=name), value


@settings(max_examples=10)
@given(st.integers(40, 80))
def test_what_the_broker_sees_of_topics_goes_to_and_fro(epochs: int) -> None:
    records = [subscribes("a", "t"), *(epoch(n, 17 + n % 2) for n in range(1, epochs))]
    storm = storm_of_epochs(records)
    assert storm is not None
    assert (storm.cause, storm.certainty) == ("metadata-flapping", "certain")
    assert {storm.evidence["first"], storm.evidence["then"]} == {"hash: 17", "hash: 18"}


@pytest.mark.parametrize("is_first", [True, False])
@settings(max_examples=10)
@given(times=st.integers(40, 80))
def test_a_member_that_subscribes_to_other_topics_for_the_first_time_is_no_storm(
    times: int, is_first: bool
) -> None:
    """All members do that once, where an application changes."""
    names = [f"m{number}" for number in range(times)]
    records = [*(subscribes(name, "t") for name in names), epoch(1)]
    for number in range(times):
        name, topic = (names[number], "u") if is_first else ("m0", "ut"[number % 2])
        records += [subscribes(name, topic), epoch(number + 2)]
    storm = storm_of_epochs(records)
    assert (storm is None) == is_first
    if storm is not None:
        assert (storm.cause, storm.certainty) == ("subscription-changed", "certain")


def test_a_subscription_that_goes_to_and_fro() -> None:
    steps = [
        record(n + 1, member("a", ["t-0"], metadata=subscription(["t", "u"][: 1 + n % 2])),
               seconds=n)
        for n in range(20)
    ]  # fmt: skip
    cause = cause_of(steps)
    assert (cause.word, cause.certainty) == ("metadata-flapping", "likely")
    assert cause.evidence["changes"] == 19


def test_a_topic_that_grows_does_not_go_to_and_fro() -> None:
    steps = [record(n, member("a", [f"t-{p}" for p in range(n)])) for n in range(1, 9)]
    cause = cause_of(steps)
    assert (cause.word, cause.certainty) == ("metadata-changed", "certain")


@pytest.mark.parametrize(("after", "counts"), [(-1, False), (0, True), (1, True)])
def test_a_stay_counts_that_began_with_the_stretch_or_later(after: int, counts: bool) -> None:
    left, step = member("a"), record(1, seconds=60)
    since = step.place.timestamp - 9000
    change = RecordChange(step, None, 1, 0, departures=[Departure(left, since + after)])
    assert bool([*stays_in(change, since)]) == counts


def findings_of(report: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """The findings of the command, as it writes them."""
    main(["audit", str(REPORTS / report), "--out", str(folder / "out"), "--json"])
    written = (folder / "out" / "findings.json").read_text()
    assert capsys.readouterr().out == written
    findings: list[Any] = json.loads(written)["findings"]
    return findings


def test_one_member_that_rejoins_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ClickHouse#33433: nobody came or went, so nobody crashed and no poll was slow."""
    (storm,) = [
        each
        for each in findings_of("clickhouse.jsonl.gz", tmp_path, capsys)
        if each["code"] == "rebalance-storm"
    ]
    assert (storm["cause"], storm["certainty"]) == ("metadata-flapping", "likely")
    assert "leader-rejoined" in storm["rivals"]
    assert "nobody came or went" in storm["explanation"]
    assert storm["nextAction"] == CAUSES["metadata-flapping"].advice
    main(["audit", str(REPORTS / "clickhouse.jsonl.gz"), "--out", str(tmp_path / "again")])
    text = " ".join(capsys.readouterr().out.split())
    assert "Probably metadata-flapping" in text
    assert "First: Find out why topics or partitions come and go" in text
