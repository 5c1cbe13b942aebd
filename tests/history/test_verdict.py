"""The first sentence about a group names the culprit, or says that nothing is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.history.verdict import beside_causes
from kproto.inspector.shapes.story_shapes import GroupStory
from kproto.tools.main import main
from tests.capture.logs.recorded import logs, read, truth


def _story(scenario: str, part: str | tuple[str, ...] = "") -> GroupStory:
    files = {name: text for name, text in logs(scenario).items() if name.startswith(part)}
    (group,) = truth(scenario)["groups"][:1]
    told = tell([LogSource(name, read(text)) for name, text in files.items()])
    return next(story for story in told.groups if story.group == group)


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("slow-poll", ["c2 did not poll", "(4,000 ms)", "at least 9,", "6 of 11 rebalances"]),
        ("crash", ["Likely: c3 went silent"]),
        ("frozen-process", ["Likely: c3 learned only later", "2 of 4 rebalances"]),
        ("inconsistent-protocol", ["c3 was refused"]),
        ("unreadable-member-stops-leader", ["The leader, c1, cannot read"]),
        ("sarama-vs-java-protocol", ["c2 and another member were refused"]),
        ("librdkafka-cooperative", ["m2 did not poll", "(6,000 ms)", "at least 12,"]),
        ("static-restart-beyond", ["c2", "closed in order, without a LeaveGroup"]),
    ],
)
def test_who_makes_the_group_rebalance(scenario: str, words: list[str]) -> None:
    story = _story(scenario)
    for word in words:
        assert word in story.verdict
    assert any(story.verdict.endswith(cause.summary) for cause in story.causes[:2])


@pytest.mark.parametrize(
    ("scenario", "given", "missing"),
    [
        ("slow-poll", ("c1", "c3"), "c2, which was"),
        ("crash", ("c1", "c2"), "c3, which was"),
        ("polite-leave", ("c1",), "c2, c3, which were"),
        ("static-restart-within", ("c2",), "orders-1, orders-3, which were"),
        ("static-restart-within", ("c1", "c2", "c3"), ""),
        ("slow-poll", ("c1", "c3", "broker"), ""),
        ("polite-leave", ("c1", "c2", "c3"), ""),
    ],
)
def test_members_of_which_no_log_was_given(
    scenario: str, given: tuple[str, ...], missing: str
) -> None:
    """The cause may be in their logs."""
    verdict = _story(scenario, given).verdict
    if missing:
        assert verdict.endswith(f" No log was given of {missing} in the group.")
    else:
        assert "No log" not in verdict


@pytest.mark.parametrize(
    "scenario",
    ["normal-start", "polite-leave", "rolling-restart", "cooperative-scale-out",
     "topic-gets-partitions", "broker-restart"],
)  # fmt: skip
def test_nothing_wrong_is_an_answer(scenario: str) -> None:
    assert _story(scenario).verdict.startswith("Nothing is wrong")
    assert _story(scenario, "broker").verdict.startswith("Nothing wrong is shown here")


def test_what_the_sources_do_not_show_is_not_decided() -> None:
    assert _story("static-restart-within", "c").verdict.startswith("Not decided")
    assert _story("family-sarama", "m").verdict.startswith("Not decided")


def test_the_reason_of_a_client_is_the_cause_of_its_next_round() -> None:
    """c3's own log: "rebalance failed due to CoordinatorLoadInProgressException"."""
    (cause,) = _story("broker-restart", "c").rebalances[1].causes
    assert (cause.cause, cause.certain) == ("coordinator-restarted", False)
    assert cause.rivals == ("coordinator-moved",)


def test_connect_delays_are_told_in_numbers() -> None:
    (cause,) = [
        cause for cause in _story("connect-worker-killed").causes
        if cause.cause == "connect-delayed-rebalance"
    ]  # fmt: skip
    assert "for 8 s (scheduled.rebalance.max.delay.ms)" in cause.summary
    assert "nobody ran sink-1, source, source-0, for 8.1 s" in cause.summary


@pytest.mark.parametrize("scenario", ["streams-classic", "crash", "static-restart-beyond"])
def test_a_member_that_is_closed_without_leaving_looks_like_one_that_died(scenario: str) -> None:
    (cause,) = [c for c in _story(scenario, "broker").causes if c.cause == "process-died"]
    assert not cause.certain
    assert "member-left" in cause.rivals


def _told(*lines: str) -> GroupStory:
    (story,) = tell([LogSource("app.log", read("\n".join(lines)))]).groups
    return story


def test_a_rebalance_whose_end_is_not_there_is_told() -> None:
    story = _told(
        '%7|1647975767.928|HEARTBEAT|app#consumer-1| [thrd:main]: Group "g" heartbeat error '
        "response in state up (join-state steady, 1 partition(s) assigned): Broker: Group "
        "rebalance in progress"
    )
    assert story.verdict.startswith("Not decided: the group was rebalancing when app asked, once")


def test_a_coordinator_that_could_not_store_the_assignment_says_so() -> None:
    story = _told(
        "[2026-02-19 10:59:21,893] INFO [GroupCoordinator 3]: Preparing to rebalance group g in "
        "state PreparingRebalance with old generation 628 (__consumer_offsets-25) (reason: error "
        "when storing group assignment during SyncGroup (member: app-1)) "
        "(kafka.coordinator.group.GroupCoordinator)"
    )
    (cause,) = story.rebalances[0].causes
    assert (cause.cause, cause.certain) == ("group-record-too-large", False)
    assert "too few replicas in sync" in story.verdict


def test_a_worker_says_that_it_forces_a_rebalance() -> None:
    head = "[2026-09-17 23:10:50,660] INFO [Worker clientId=connect-1, groupId=g] "
    story = _told(
        f"{head}Current config state offset -1 does not match group assignment 1. Forcing "
        "rebalance. (org.apache.kafka.connect.runtime.distributed.DistributedHerder:2096)",
        f"{head}(Re-)joining group "
        "(org.apache.kafka.connect.runtime.distributed.WorkerCoordinator:611)",
        f"{head}Successfully joined group with generation Generation{{generationId=9, memberId="
        "'connect-1-614de94c-bf03-4a84-a129-ddc325327c47', protocol='sessioned'} "
        "(org.apache.kafka.connect.runtime.distributed.WorkerCoordinator:672)",
    )
    (cause,) = story.rebalances[0].causes
    assert (cause.cause, cause.rivals) == ("two-clusters-in-one-group", ("connect-config-behind",))


@pytest.mark.parametrize(
    "place",
    [", base-_handle_join_success-320", " [in /app/kafka/coordinator/base.py:320]",
     " (base.py:320)", ""],
)  # fmt: skip
def test_the_place_in_the_program_is_no_part_of_a_name(place: str) -> None:
    story = _told(
        f"2026-04-08 13:01:07,838 INFO kafka.coordinator (Re-)joining group orders{place}",
        "2026-04-08 13:01:07,840 INFO kafka.coordinator Setting newly assigned partitions "
        f"{{TopicPartition(topic='t', partition=3)}} for group orders{place}",
    )
    assert story.group == "orders"


def test_lines_of_librdkafka_that_name_no_group_are_of_the_group_of_their_client() -> None:
    head = "1524281233.078 RDKAFKA-7-{}: app#consumer-1: [thrd:main]: "
    story = _told(
        head.format("CGRPSTATE") + 'Group "g" changed state init -> wait-broker (v1, join-state '
        "init)",
        head.format("JOINGROUP") + "JoinGroup response: GenerationId 7, Protocol range, LeaderId "
        "app-1 (me), my MemberId app-1, 1 members in group: (no error)",
    )
    assert (story.group, story.rebalances[0].generation) == ("g", 7)


def test_what_librdkafka_prints_at_its_limit_is_not_the_whole_pause() -> None:
    """The application slept for 12 s; the line is printed 49 ms after the limit of 6 s. Without
    debug lines, the coordinator alone tells when the member came back."""
    files = logs("librdkafka-cooperative")
    (line,) = [text for text in files["m2.stderr.log"].splitlines() if "MAXPOLL" in text]
    story = _told(line)
    assert "more than 6,049 ms passed between two polls" in story.verdict
    (cause,) = story.causes
    assert "above the whole pause" in cause.next_step
    assert "6,049" not in cause.next_step
    broker = LogSource("broker.log", read(files["broker.log"]))
    (story, *_) = tell([broker, LogSource("m2.log", read(line))]).groups
    cause = next(cause for cause in story.causes if cause.cause == "poll-timeout-exceeded")
    passed = "up to about 12,003 ms passed from a poll until it asked to join the group again"
    assert passed in cause.summary
    assert cause.next_step.startswith("Raise max.poll.interval.ms above 12,003 ms with headroom")
    assert "max.poll.records" not in cause.next_step


def test_a_member_is_said_to_have_come_back_only_if_a_line_shows_it() -> None:
    head = "%4|1642580957.330|MAXPOLL|app#consumer-1| [thrd:main]: "
    left = (
        f"{head}Application maximum poll interval (300000ms) exceeded by 88ms (adjust "
        "max.poll.interval.ms for long-running message processing): leaving group"
    )
    joins = (
        '%7|1642580990.330|JOIN|app#consumer-1| [thrd:main]: broker:9092/1: Joining group "g" '
        'with 1 subscribed topic(s) and member id ""'
    )
    assert _told(left).verdict.endswith("; no line that kproto knows shows a return.")
    again = left.replace("1642580957", "1642581957")
    assert _told(left, joins, again).verdict.endswith("shows a return after the last time.")
    assert _told(joins.replace("1642580990", "1642580100"), left, joins).verdict.endswith(
        "it left the group and came back later."
    )


def test_what_containers_alone_tell_of_rebalances() -> None:
    head = "2025-04-09 17:{}  INFO 7 --- [ntainer#0-0-C-1] o.s.k.l.KafkaMessageListenerContainer : "
    story = _told(
        head.format("01:46.233") + "orders: partitions revoked: [orders-0, orders-1]",
        head.format("01:49.233") + "orders: partitions assigned: [orders-0]",
        head.format("11:46.233") + "orders: partitions revoked: [orders-0]",
        head.format("11:49.233") + "orders: partitions assigned: [orders-0, orders-1]",
    )
    assert story.verdict.startswith("Not decided: a member gave up partitions and got some, twice")
    story = _told(
        "2024-03-22 12:57:21,159 INFO [io.sma.rea.mes.kafka] (smallrye-kafka-consumer-thread-2) "
        "SRMSG18224: Executing consumer revoked re-balance listener for group 'orders'"
    )
    assert story.verdict.startswith("Not decided: a member gave up partitions, once")


@pytest.mark.parametrize(
    ("given", "is_idle"),
    [("set()", True), ("{TopicPartition(topic='clicks', partition=1)}", False)],
)
def test_a_member_that_was_given_nothing_is_named(given: str, is_idle: bool) -> None:
    """Lines of kafka-python 3, in a group with more members than partitions."""
    member = "cs-3-a90ddb69-42e7-4f38-a759-eaa49f69b363"
    text = (
        "2026-11-28 00:57:59,716 INFO kafka.coordinator (Re-)joining group clickstream\n"
        f"2026-11-28 00:57:59,768 INFO kafka.coordinator Received member id {member} for group "
        "clickstream; will retry join-group\n"
        "2026-11-28 00:57:59,769 INFO kafka.coordinator (Re-)joining group clickstream\n"
        "2026-11-28 00:58:01,792 INFO kafka.coordinator Successfully joined group clickstream "
        f"<Generation 1 (member_id: {member}, protocol: range)>\n"
        "2026-11-28 00:58:01,835 INFO kafka.coordinator.consumer Setting newly assigned "
        f"partitions {given} for group clickstream\n"
    )
    (story,) = tell([LogSource("cs-3.log", read(text))]).groups
    head = "cs-3 reads nothing: its last assignment has no partition. Nothing else wrong is shown"
    assert story.verdict.startswith(head if is_idle else "Nothing wrong is shown here")


_ORIGIN = "[GroupCoordinator id=1 topic=__consumer_offsets partition=3] "
_ENDS = {
    "closed": "[Group pay] Member {member} has left group through explicit `LeaveGroup` request; "
    "client reason: the consumer is being closed",
    "polls": "[Group pay] Member {member} has left group through explicit `LeaveGroup` request; "
    "client reason: consumer poll timeout has expired.",
    "expired": "Member {member} in group pay has failed, removing it from the group",
}
_JOINS = (
    "Pending dynamic member with id {member} joins group pay in Stable state. "
    "Adding to the group now."
)


def _as_log(lines: list[str]) -> list[str]:
    return [
        f"[2026-11-28 10:{at // 60:02}:{at % 60:02},000] INFO {_ORIGIN}{line} (x.Coordinator)"
        for at, line in enumerate(lines)
    ]


def _member(client: str, number: int) -> str:
    return f"{client}-0000000{number}-0000-4000-8000-000000000000"


@given(
    st.lists(st.sampled_from(sorted(_ENDS)), min_size=2, max_size=4),
    st.booleans(),
)
def test_a_rolling_restart_is_told_of_members_that_left_in_order_in_turn(
    ends: list[str], is_in_turn: bool
) -> None:
    clients = [f"c{number}" for number in range(len(ends))]
    lines = [_JOINS.format(member=_member(client, 1)) for client in clients]
    gone = [_ENDS[end].format(member=_member(client, 1))
            for client, end in zip(clients, ends, strict=True)]  # fmt: skip
    back = [_JOINS.format(member=_member(client, 2)) for client in clients]
    if is_in_turn:
        lines += [line for pair in zip(gone, back, strict=True) for line in pair]
    else:
        lines += gone + back
    words = {cause.cause for cause in _told(*_as_log(lines)).causes}
    in_order = ends.count("closed")
    is_told = is_in_turn and in_order >= 2 and in_order >= len(ends) - 1
    assert ("rolling-restart" in words) == is_told


@pytest.mark.parametrize(("rounds", "left_out", "text"), [
    (1, 0, "once each, one after the other: probably a rolling restart."),
    (2, 0, "twice each, one after the other: probably 2 rolling restarts."),
    (9, 0, "9 times each, one after the other: probably 9 rolling restarts."),
    (3, 1, "at least twice each, one after the other: probably 2 rolling restarts."),
])  # fmt: skip
def test_each_rolling_restart_is_told_of_a_broker(rounds: int, left_out: int, text: str) -> None:
    """librdkafka states no reason when it is closed."""
    ended = _ENDS["closed"].replace("the consumer is being closed", "not provided")
    lines = [_JOINS.format(member=_member(client, 0)) for client in "abc"]
    for number in range(rounds):
        for client in "abc":
            lines.append(ended.format(member=_member(client, number)))
            lines.append(_JOINS.format(member=_member(client, number + 1)))
    story = _told(*_as_log(lines[: len(lines) - 2 * left_out]))
    (restart,) = [cause for cause in story.causes if cause.cause == "rolling-restart"]
    assert restart.summary == f"a, b and c left by LeaveGroup and came back as new members {text}"
    assert "session-expired" not in restart.rivals
    assert "poll-timeout-exceeded" in restart.rivals
    assert "LeaveGroup" in story.verdict


@pytest.mark.parametrize("witness", ["broker.log.gz", "c?.log.gz", "capture.pcap.gz"])
def test_a_rolling_restart_is_told_by_each_witness_alone(
    witness: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(__file__).parents[1] / "vectors" / "logs" / "rolling-restart"
    assert main(["story", *map(str, sorted(folder.glob(witness))), "--json"]) == 0
    (group,) = json.loads(capsys.readouterr().out)["groups"]
    (restart,) = [cause for cause in group["causes"] if cause["cause"] == "rolling-restart"]
    assert restart["summary"] == (
        "c1, c2 and c3 left by LeaveGroup and came back as new members once each, one after the "
        "other: probably a rolling restart."
    )


@pytest.mark.parametrize(("reason", "is_rolling"), [
    ("the consumer is being closed", True),
    ("consumer poll timeout has expired.", False),
])  # fmt: skip
def test_slow_polls_one_after_the_other_are_no_rolling_restart(
    reason: str, is_rolling: bool
) -> None:
    """By the clients' own lines, in one log."""
    joined = "Successfully joined group with generation Generation{{generationId={}, memberId='{}'"
    left = "Member {} sending LeaveGroup request to coordinator b:9092 (id: 2 rack: null) due to {}"
    lines = [(client, joined.format(1, _member(client, 0))) for client in "abc"]
    for at, client in enumerate("abc"):
        lines.append((client, left.format(_member(client, 0), reason)))
        lines.append((client, joined.format(3 + 2 * at, _member(client, 1))))
    story = _told(*(
        f"[2026-11-28 10:00:{2 * at:02},000] INFO [Consumer clientId={client}, groupId=g] {line}"
        + ", protocol='range'} (x.ConsumerCoordinator)" * ("joined" in line)
        for at, (client, line) in enumerate(lines)
    ))  # fmt: skip
    assert ("rolling-restart" in {cause.cause for cause in story.causes}) == is_rolling


def test_who_has_nothing_is_told_beside_what_is_wrong() -> None:
    """kafka-python 3.0.12, three members on two partitions, of which two stood still in turn."""
    lines = [
        (
            "2026-11-28 12:13:29,834 INFO kafka.coordinator Successfully joined group pay "
            "<Generation 2 "
            f"(member_id: {_member('c', 1)}, protocol: range)>"
        ),
        (
            "2026-11-28 12:13:29,900 INFO kafka.coordinator.consumer Setting newly assigned "
            "partitions "
            "set() for group pay"
        ),
        (
            "2026-11-28 12:13:41,303 INFO kafka.coordinator OffsetCommit for group pay failed: "
            "[Error 25] UnknownMemberIdError: pay"
        ),
    ]
    story = _told(*lines)
    assert story.causes
    assert "reads nothing: its last assignment has no partition." in story.verdict


def test_a_verdict_that_its_causes_say_is_not_said_twice() -> None:
    causes = ["a and b joined: each start of a member is a rebalance."]
    told = f"Nothing wrong is shown here, 3 rebalances: {causes[0]}"
    assert beside_causes(told, causes) == ""
    assert beside_causes(f"c reads nothing: none. {told}", causes) == "c reads nothing: none."
    assert beside_causes("Not decided: x.", causes) == "Not decided: x."
