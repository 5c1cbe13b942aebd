"""Scenarios in the words of single clients, after the formats of their lines: what is told of them,
and what stays open. No recording has them in these layouts."""

# ruff: noqa: E501  (lines of logs are as long as they are)

from __future__ import annotations

import pytest

from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.history.timeline import client_of, make_timelines
from kproto.inspector.shapes.story_shapes import GroupStory
from tests.capture.logs.recorded import logs, read

_ID = "5f2e1a7c-1111-4222-8333-94445555666"

LOGS = {
    "aiokafka does not poll": r"""
2026-11-25 10:00:00,101 INFO aiokafka.consumer.subscription_state Updating subscribed topics to: frozenset({'orders'})
2026-11-25 10:00:00,151 INFO aiokafka.consumer.group_coordinator Discovered coordinator 1 for group billing
2026-11-25 10:00:00,152 INFO aiokafka.consumer.group_coordinator Revoking previously assigned partitions set() for group billing
2026-11-25 10:00:00,153 INFO aiokafka.consumer.group_coordinator (Re-)joining group billing
2026-11-25 10:00:03,201 INFO aiokafka.consumer.group_coordinator Joined group 'billing' (generation 11) with member_id aio-1-5f2e1a7c-1111-4222-8333-944455556666
2026-11-25 10:00:03,202 INFO aiokafka.consumer.group_coordinator Elected group leader -- performing partition assignments using roundrobin
2026-11-25 10:00:03,251 INFO aiokafka.consumer.group_coordinator Successfully synced group billing with generation 11
2026-11-25 10:00:03,252 INFO aiokafka.consumer.group_coordinator Setting newly assigned partitions {TopicPartition(topic='orders', partition=0), TopicPartition(topic='orders', partition=1)} for group billing
2026-11-25 10:05:20,252 INFO aiokafka.consumer.group_coordinator LeaveGroup request succeeded
2026-11-25 10:05:21,252 ERROR aiokafka.consumer.group_coordinator OffsetCommit failed for group billing due to group error (UnknownMemberIdError), will rejoin
2026-11-25 10:05:21,352 INFO aiokafka.consumer.group_coordinator Revoking previously assigned partitions frozenset({TopicPartition(topic='orders', partition=0), TopicPartition(topic='orders', partition=1)}) for group billing
2026-11-25 10:05:21,353 INFO aiokafka.consumer.group_coordinator (Re-)joining group billing
2026-11-25 10:05:24,201 INFO aiokafka.consumer.group_coordinator Joined group 'billing' (generation 13) with member_id aio-1-6f2e1a7c-1111-4222-8333-944455556666
2026-11-25 10:05:24,251 INFO aiokafka.consumer.group_coordinator Successfully synced group billing with generation 13
2026-11-25 10:05:24,252 INFO aiokafka.consumer.group_coordinator Setting newly assigned partitions {TopicPartition(topic='orders', partition=0), TopicPartition(topic='orders', partition=1)} for group billing
""",
    "franz-go is removed": r"""
time=2026-11-25T10:00:00.101Z level=INFO msg="joining group" group=mail
time=2026-11-25T10:00:03.101Z level=INFO msg="joined, balancing group" group=mail member_id=fz-5f2e1a7c-1111-4222-8333-944455556666 instance_id=<nil> generation=4 balance_protocol=cooperative-sticky leader=true
time=2026-11-25T10:00:03.111Z level=INFO msg="balanced" plan="fz-5f2e1a7c-1111-4222-8333-944455556666{orders[0 1]}, fy-5f2e1a7c-1111-4222-8333-944455556667{orders[2]}"
time=2026-11-25T10:00:03.121Z level=INFO msg="syncing" group=mail protocol_type=consumer protocol=cooperative-sticky
time=2026-11-25T10:00:03.131Z level=INFO msg="synced" group=mail assigned="orders[0 1]"
time=2026-11-25T10:00:03.141Z level=INFO msg="new group session begun" group=mail added="orders[0 1]" lost=""
time=2026-11-25T10:03:03.141Z level=INFO msg="heartbeat errored" group=mail err="UNKNOWN_MEMBER_ID: The coordinator is not aware of this member."
time=2026-11-25T10:03:03.142Z level=INFO msg="injecting fake fetch with an error" err="unable to join group session: UNKNOWN_MEMBER_ID: The coordinator is not aware of this member."
time=2026-11-25T10:03:03.151Z level=INFO msg="joining group" group=mail
time=2026-11-25T10:03:06.101Z level=INFO msg=joined group=mail member_id=fz-6f2e1a7c-1111-4222-8333-944455556666 instance_id=<nil> generation=6 leader=false
time=2026-11-25T10:03:06.131Z level=INFO msg="synced" group=mail assigned="orders[0]"
time=2026-11-25T10:03:06.141Z level=INFO msg="new group session begun" group=mail added="orders[0]" lost=""
time=2026-11-25T10:08:06.141Z level=INFO msg="leaving group" group=mail member_id=fz-6f2e1a7c-1111-4222-8333-944455556666
""",
    "KafkaJS is removed, then refused": r"""
{"level":"INFO","timestamp":"2026-11-25T10:00:03.018Z","logger":"kafkajs","message":"[ConsumerGroup] Consumer has joined the group","groupId":"mail","memberId":"web-5f2e1a7c-1111-4222-8333-944455556666","leaderId":"web-5f2e1a7c-1111-4222-8333-944455556666","isLeader":true,"memberAssignment":{"orders":[0,1,2]},"groupProtocol":"RoundRobinAssigner","duration":3021}
{"level":"ERROR","timestamp":"2026-11-25T10:04:08.018Z","logger":"kafkajs","message":"[Connection] Response Heartbeat(key: 12, version: 3)","broker":"b:1","clientId":"web","error":"The coordinator is not aware of this member","correlationId":77,"size":10}
{"level":"ERROR","timestamp":"2026-11-25T10:04:08.019Z","logger":"kafkajs","message":"[Runner] The coordinator is not aware of this member, re-joining the group","groupId":"mail","memberId":"web-5f2e1a7c-1111-4222-8333-944455556666","error":"The coordinator is not aware of this member"}
{"level":"INFO","timestamp":"2026-11-25T10:04:11.018Z","logger":"kafkajs","message":"[ConsumerGroup] Consumer has joined the group","groupId":"mail","memberId":"web-6f2e1a7c-1111-4222-8333-944455556666","leaderId":"web-6f2e1a7c-1111-4222-8333-944455556666","isLeader":true,"memberAssignment":{"orders":[0,1,2]},"groupProtocol":"RoundRobinAssigner","duration":3021}
{"level":"ERROR","timestamp":"2026-11-25T10:06:11.018Z","logger":"kafkajs","message":"[Consumer] Crash: KafkaJSProtocolError: The group member's supported protocols are incompatible with those of existing members or first group member tried to join with empty protocol type or empty protocol list","groupId":"mail","stack":"KafkaJSProtocolError: x\n    at createErrorFromCode (/app/node_modules/kafkajs/src/protocol/error.js:581:10)"}
""",
    "librdkafka without debug": r"""
%4|1795600800.101|MAXPOLL|pay-7#consumer-1| [thrd:main]: Application maximum poll interval (300000ms) exceeded by 412ms (adjust max.poll.interval.ms for long-running message processing): leaving group
%4|1795601900.101|SESSTMOUT|pay-7#consumer-1| [thrd:main]: Consumer group session timed out (in join-state steady) after 45101 ms without a successful response from the group coordinator (broker 2, last error was Success): revoking assignment and rejoining group
%4|1795601901.101|COMMITFAIL|pay-7#consumer-1| [thrd:main]: Offset commit (unassigned partitions) failed for 2/2 partition(s) in join-state wait-unassign-call: Broker: Unknown member: orders[0]@12(Broker: Unknown member)
%3|1795602900.101|FATAL|pay-7#consumer-1| [thrd:main]: Fatal error: Broker: Static consumer fenced by other consumer with same group.instance.id: Static consumer fenced by other consumer with same group.instance.id
""",
    "Spring, a fenced static member": r"""
2026-11-25T10:00:00.101+01:00  INFO 7 --- [billing] [ntainer#0-0-C-1] o.a.k.c.c.internals.ConsumerCoordinator  : [Consumer instanceId=pay-1, clientId=billing-0, groupId=billing] (Re-)joining group
2026-11-25T10:00:03.101+01:00  INFO 7 --- [billing] [ntainer#0-0-C-1] o.a.k.c.c.internals.ConsumerCoordinator  : [Consumer instanceId=pay-1, clientId=billing-0, groupId=billing] Successfully joined group with generation Generation{generationId=3, memberId='pay-1-5f2e1a7c-1111-4222-8333-944455556666', protocol='range'}
2026-11-25T10:00:03.181+01:00  INFO 7 --- [billing] [ntainer#0-0-C-1] o.a.k.c.c.internals.ConsumerCoordinator  : [Consumer instanceId=pay-1, clientId=billing-0, groupId=billing] Successfully synced group in generation Generation{generationId=3, memberId='pay-1-5f2e1a7c-1111-4222-8333-944455556666', protocol='range'}
2026-11-25T10:00:03.191+01:00  INFO 7 --- [billing] [ntainer#0-0-C-1] k.c.c.i.ConsumerRebalanceListenerInvoker : [Consumer instanceId=pay-1, clientId=billing-0, groupId=billing] Adding newly assigned partitions: [orders-0, orders-1]
2026-11-25T10:00:03.192+01:00  INFO 7 --- [billing] [ntainer#0-0-C-1] o.s.k.l.KafkaMessageListenerContainer    : billing: partitions assigned: [orders-0, orders-1]
2026-11-25T10:07:03.191+01:00 ERROR 7 --- [billing] [ heartbeat-thread] o.a.k.c.c.internals.ConsumerCoordinator  : [Consumer instanceId=pay-1, clientId=billing-0, groupId=billing] Caught fenced group.instance.id Optional[pay-1] error in heartbeat thread
2026-11-25T10:07:03.391+01:00 ERROR 7 --- [billing] [ntainer#0-0-C-1] o.s.k.l.KafkaMessageListenerContainer    : Fatal consumer exception; stopping container

org.apache.kafka.common.errors.FencedInstanceIdException: The broker rejected this static consumer since another consumer with the same group.instance.id has registered with a different member.id.

2026-11-25T10:07:03.393+01:00  INFO 7 --- [billing] [ntainer#0-0-C-1] o.s.k.l.KafkaMessageListenerContainer    : billing: Consumer stopped
""",
    "Spring, no rights": r"""
2026-11-25 10:00:00.101 ERROR 7 --- [ntainer#0-0-C-1] o.a.k.c.c.internals.AbstractCoordinator  : [Consumer clientId=pay, groupId=pay-group] JoinGroup failed due to unexpected error: Group authorization failed.
2026-11-25 10:00:00.201 ERROR 7 --- [ntainer#0-0-C-1] o.a.k.c.c.internals.AbstractCoordinator  : [Consumer clientId=pay, groupId=pay-group] FindCoordinator request hit fatal exception
org.apache.kafka.common.errors.GroupAuthorizationException: Not authorized to access group: pay-group
2026-11-25 10:00:00.301 ERROR 7 --- [ntainer#0-0-C-1] o.s.k.l.KafkaMessageListenerContainer    : Authentication/Authorization Exception and no authExceptionRetryInterval set
org.apache.kafka.common.errors.GroupAuthorizationException: Not authorized to access group: pay-group
""",
    "kafka-python 2 in syslog": r"""
Nov 25 10:00:00 host1 app[77]: INFO:kafka.coordinator:(Re-)joining group mail
Nov 25 10:00:03 host1 app[77]: INFO:kafka.coordinator:Elected group leader -- performing partition assignments using range
Nov 25 10:00:03 host1 app[77]: INFO:kafka.coordinator:Successfully joined group mail with generation 7
Nov 25 10:00:03 host1 app[77]: INFO:kafka.consumer.subscription_state:Updated partition assignment: [TopicPartition(topic='orders', partition=0)]
Nov 25 10:00:03 host1 app[77]: INFO:kafka.coordinator.consumer:Setting newly assigned partitions {TopicPartition(topic='orders', partition=0)} for group mail
Nov 25 10:06:03 host1 app[77]: WARNING:kafka.coordinator:Heartbeat poll expired, leaving group
Nov 25 10:06:03 host1 app[77]: INFO:kafka.coordinator:Leaving consumer group (mail).
Nov 25 10:07:03 host1 app[77]: ERROR:kafka.coordinator.consumer:Offset commit failed: group membership out of date
Nov 25 10:07:03 host1 app[77]: INFO:kafka.coordinator:(Re-)joining group mail
Nov 25 10:07:06 host1 app[77]: INFO:kafka.coordinator:Successfully joined group mail with generation 9
""",
    "broker 1": r"""
2026-11-25 10:00:00,100 INFO [GroupCoordinator 1]: Dynamic member with unknown member id joins group team a: billing in Empty state. Created a new member id svc-1-5f2e1a7c-1111-4222-8333-944455556661 and requesting the member to rejoin with this id. (kafka.coordinator.group.GroupCoordinator) [data-plane-kafka-request-handler-3]
2026-11-25 10:00:00,120 INFO [GroupCoordinator 1]: Preparing to rebalance group team a: billing in state PreparingRebalance with old generation 0 (__consumer_offsets-7) (reason: Adding new member svc-1-5f2e1a7c-1111-4222-8333-944455556661 with group instance id None; client reason: need to re-join with the given member-id: svc-1-5f2e1a7c-1111-4222-8333-944455556661) (kafka.coordinator.group.GroupCoordinator) [data-plane-kafka-request-handler-4]
2026-11-25 10:00:03,121 INFO [GroupCoordinator 1]: Stabilized group team a: billing generation 1 (__consumer_offsets-7) with 1 members (kafka.coordinator.group.GroupCoordinator) [executor-Rebalance]
2026-11-25 10:00:03,151 INFO [GroupCoordinator 1]: Assignment received from leader svc-1-5f2e1a7c-1111-4222-8333-944455556661 for group team a: billing for generation 1. The group has 1 members, 0 of which are static. (kafka.coordinator.group.GroupCoordinator) [data-plane-kafka-request-handler-1]
2026-11-25 11:00:00,100 INFO [GroupCoordinator 1]: Resigned as the group coordinator for partition 7 in epoch OptionalInt[5] (kafka.coordinator.group.GroupCoordinator) [ReplicaStateMachine]
2026-11-25 11:00:00,110 INFO [GroupMetadataManager brokerId=1] Scheduling unloading of offsets and group metadata from __consumer_offsets-7 (kafka.coordinator.group.GroupMetadataManager) [x]
2026-11-25 11:00:00,120 INFO [GroupCoordinator 1]: Unloading group metadata for team a: billing with generation 1 (kafka.coordinator.group.GroupCoordinator) [group-metadata-manager-0]
""",
    "broker 2": r"""
2026-11-25 11:00:00,200 INFO [GroupCoordinator 2]: Elected as the group coordinator for partition 7 in epoch 6 (kafka.coordinator.group.GroupCoordinator) [x]
2026-11-25 11:00:00,300 INFO Loaded member MemberMetadata(memberId=svc-1-5f2e1a7c-1111-4222-8333-944455556661, groupInstanceId=None, clientId=svc-1, clientHost=/10.0.0.7, sessionTimeoutMs=45000, rebalanceTimeoutMs=300000, supportedProtocols=List(range, cooperative-sticky)) in group team a: billing with generation 1. (kafka.coordinator.group.GroupMetadata$) [group-metadata-manager-0]
2026-11-25 11:00:00,310 INFO [GroupCoordinator 2]: Loading group metadata for team a: billing with generation 1 (kafka.coordinator.group.GroupCoordinator) [group-metadata-manager-0]
2026-11-25 11:00:01,310 INFO [GroupCoordinator 2]: Preparing to rebalance group team a: billing in state PreparingRebalance with old generation 1 (__consumer_offsets-7) (reason: Leader svc-1-5f2e1a7c-1111-4222-8333-944455556661 re-joining group during Stable; client reason: rebalance failed due to CoordinatorLoadInProgressException) (kafka.coordinator.group.GroupCoordinator) [data-plane-kafka-request-handler-4]
2026-11-25 11:00:01,321 INFO [GroupCoordinator 2]: Stabilized group team a: billing generation 2 (__consumer_offsets-7) with 1 members (kafka.coordinator.group.GroupCoordinator) [executor-Rebalance]
2026-11-25 11:00:01,351 INFO [GroupCoordinator 2]: Assignment received from leader svc-1-5f2e1a7c-1111-4222-8333-944455556661 for group team a: billing for generation 2. The group has 1 members, 0 of which are static. (kafka.coordinator.group.GroupCoordinator) [data-plane-kafka-request-handler-1]
2026-11-25 11:20:01,351 INFO [GroupCoordinator 2]: Member svc-1-5f2e1a7c-1111-4222-8333-944455556661 in group team a: billing has failed, removing it from the group (kafka.coordinator.group.GroupCoordinator) [executor-Heartbeat]
2026-11-25 11:20:01,352 INFO [GroupCoordinator 2]: Preparing to rebalance group team a: billing in state PreparingRebalance with old generation 2 (__consumer_offsets-7) (reason: removing member svc-1-5f2e1a7c-1111-4222-8333-944455556661 on heartbeat expiration) (kafka.coordinator.group.GroupCoordinator) [executor-Heartbeat]
2026-11-25 11:20:01,353 INFO [GroupCoordinator 2]: Group team a: billing with generation 3 is now empty (__consumer_offsets-7) (kafka.coordinator.group.GroupCoordinator) [executor-Heartbeat]
""",
}


def _flapping() -> str:
    """A leader without dates that sees a topic come and go."""
    lines = []
    for at in range(8):
        topics = ["{a=[partition=0], b=[partition=0]}", "{a=[partition=0]}"]
        earlier, later = topics if at % 2 else topics[::-1]
        generation = (
            f"Generation{{generationId={5 + at}, memberId='svc-1-{_ID}1', protocol='range'}}"
        )
        change = f"(version{at}: {earlier}) at the beginning of the rebalance to (version{at + 1}: {later})"
        messages = (
            f"Request joining group due to: cached metadata has changed from {change}",
            "(Re-)joining group",
            f"Successfully joined group with generation {generation}",
            f"Successfully synced group in generation {generation}",
        )
        lines += [
            f"10:{at:02}:00.{part}00 [main] INFO o.a.k.c.c.i.ConsumerCoordinator - "
            f"[Consumer clientId=svc-1, groupId=flap] {message}"
            for part, message in enumerate(messages)
        ]
    return "\n".join(lines)


def _story(*names: str, text: str = "") -> GroupStory:
    texts = [LOGS[name] for name in names] or [text]
    sources = [LogSource(f"{at}.log", read(text)) for at, text in enumerate(texts)]
    (story,) = tell(sources).groups
    return story


def _causes(story: GroupStory) -> dict[str, bool]:
    return {cause.cause: cause.certain for cause in story.causes}


@pytest.mark.parametrize(
    ("name", "causes"),
    [
        ("aiokafka does not poll", {"poll-timeout-exceeded": True, "commit-failed": True}),
        ("franz-go is removed", {"session-expired": False, "member-left": True}),
        ("KafkaJS is removed, then refused",
         {"no-common-assignor": True, "session-expired": False}),
        ("librdkafka without debug",
         {"poll-timeout-exceeded": True, "session-expired": False,
          "commit-failed": True, "instance-id-used-twice": False}),
        ("Spring, a fenced static member", {"instance-id-used-twice": False}),
        ("Spring, no rights", {}),
        ("kafka-python 2 in syslog", {"poll-timeout-exceeded": True, "commit-failed": True}),
    ],
)  # fmt: skip
def test_one_clients_log_tells_the_causes(name: str, causes: dict[str, bool]) -> None:
    assert _causes(_story(name)) == causes


def test_a_container_of_spring_tells_nothing_twice() -> None:
    events = [event.event for event in _story("Spring, a fenced static member").events]
    assert events.count("partitions-assigned") == 1


def test_who_may_not_join_is_named() -> None:
    assert "GROUP_AUTHORIZATION_FAILED" in _story("Spring, no rights").verdict


def test_a_coordinator_that_moves_is_not_restarted() -> None:
    story = _story("broker 2", "broker 1")
    causes = {part.generation: [cause.cause for cause in part.causes] for part in story.rebalances}
    assert causes == {1: ["member-joined"], 2: ["coordinator-moved"], 3: ["session-expired"]}
    assert _causes(story)["coordinator-moved"]


def test_topics_that_come_and_go_are_no_ordinary_change() -> None:
    story = _story(text=_flapping())
    assert _causes(story)["metadata-flapping"]
    assert story.causes[0].cause == "metadata-flapping"
    assert "to and fro" in story.verdict


# -- brokers before 2.8

_OLD = ("2.0.1", "2.2.2", "2.3.1")
_HAPPENED = {
    1: ("member-joined", "a"), 2: ("member-joined", "b"), 3: ("session-expired", "b"),
    4: ("member-joined", "b"), 5: ("member-left", "b"), 6: ("member-left", "a"),
}  # fmt: skip
"""b was killed after generation 2 and started again; then first b was closed, then a."""


@pytest.mark.parametrize("names", [("broker.log",), ("a.log", "b.log", "broker.log")])
@pytest.mark.parametrize("release", _OLD)
def test_an_old_broker_and_its_clients_tell_the_causes(
    release: str, names: tuple[str, ...]
) -> None:
    files = logs(f"old-broker-{release}")
    (story,) = tell([LogSource(name, read(files[name])) for name in names]).groups
    assert [part.generation for part in story.rebalances] == [*_HAPPENED]
    if release != "2.0.1" and names == ("broker.log",):
        joins = [event.member for event in story.events if event.event == "joins"]
        assert [client_of(member or "") for member in joins] == ["a", "b", "b"]
    for part in story.rebalances:
        (cause,) = part.causes
        is_stated = cause.cause != "unknown"
        if release == "2.0.1":  # it gives no reason: clients tell who came
            assert is_stated or len(names) == 1 or part.generation == 6
        if is_stated:
            assert (cause.cause, cause.client) == _HAPPENED[part.generation]
            assert cause.certain or (cause.cause == "member-left" and len(names) == 1)
        else:
            assert release == "2.0.1"


# -- fresh logs: two members each on a broker 4.3.1, with steps that are known


def _fresh(client: str) -> GroupStory:
    files = {name: log for name, log in logs("fresh").items() if name.startswith(client)}
    (story,) = tell([LogSource(name, read(text)) for name, text in files.items()]).groups
    return story


def test_a_client_that_waits_for_its_fetch_did_not_stand_still() -> None:
    """kafka-go joins again when its fetch (MaxWait: 10 s) has ended; its session is of 6 s. b joined
    at 00:19:46, then both were restarted one after the other."""
    story = _fresh("kafka-go")
    assert "ended the heartbeats of a round" in story.verdict
    assert _causes(story) == {"session-expired": True, "member-joined": True, "member-left": True}


def test_topics_that_change_are_no_starts() -> None:
    """aiokafka subscribes to a pattern, and prints its topics anew; it was started once. b did not
    poll for 10 s, against a limit of 7 s."""
    causes = _causes(_fresh("aiokafka"))
    assert "crash-loop" not in causes
    assert causes["poll-timeout-exceeded"] is True


def test_a_leader_that_saw_new_partitions_rejoined_because_of_them() -> None:
    """Sarama's leader saw six partitions instead of four; its lines have no generation."""
    (cause,) = _fresh("sarama").rebalances[2].causes
    assert (cause.cause, cause.client) == ("metadata-changed", "sarama-a")
    assert "leader-rejoined" in cause.rivals


# -- Spring Kafka, Karafka and MirrorMaker, as they print by themselves


def _recorded(scenario: str, *names: str) -> dict[str, GroupStory]:
    files = logs(scenario)
    sources = [LogSource(name, read(files[name])) for name in names or files]
    return {story.group: story for story in tell(sources).groups}


_SLOW = {
    1: {("member-joined", "s1-0")}, 2: {("member-joined", "s2-0")},
    3: {("poll-timeout-exceeded", "s2-0")},
    4: {("member-joined", "s2-0"), ("poll-timeout-exceeded", "s1-0")},
    5: {("member-joined", "s1-0"), ("session-expired", "s2-0")},
    6: {("member-joined", "s2-0"), ("poll-timeout-exceeded", "s1-0")},
    7: {("member-joined", "s1-0"), ("poll-timeout-exceeded", "s2-0")},
    8: {("member-joined", "s2-0"), ("poll-timeout-exceeded", "s1-0")},
    9: {("poll-timeout-exceeded", "s2-0")},
}  # fmt: skip
"""Two listeners got records that take 12 s, against a limit of 7 s; s2 was killed in between."""


def test_karafka_does_not_poll() -> None:
    """Two processes whose records take 12 s, against a limit of 7 s; k2 was killed once, and both
    were ended in order. Their lines name no client, but the files are called after them; a poll
    that took too long is told twice, when librdkafka notices it and at the next poll."""
    story = _recorded("karafka")["shop"]
    causes = _causes(story)
    assert causes == {
        "poll-timeout-exceeded": True, "session-expired": True, "process-died": False,
        "commit-failed": True, "member-joined": True,
    }  # fmt: skip
    assert story.verdict.startswith("k1 and k2 did not poll within max.poll.interval.ms (7,000 ms)")
    left = [
        (cause.client, cause.certain)
        for rebalance in story.rebalances for cause in rebalance.causes
        if cause.cause == "poll-timeout-exceeded"
    ]  # fmt: skip
    assert left == [(client, False) for client in "k1 k2 k1 k2 k1 k1 k2 k1 k2".split()]
    (lost,) = [part for part in story.rebalances if part.causes[-1].cause == "session-expired"]
    assert (lost.generation, lost.causes[-1].client, lost.causes[-1].certain) == (7, "k2", True)


def test_karafkas_lines_alone() -> None:
    story = _recorded("karafka", "k1.log")["shop"]
    assert _causes(story) == {"poll-timeout-exceeded": True, "commit-failed": True}
    assert "7,000 ms), 4 times" in story.verdict
    events = [event.event for event in story.events]
    assert events.count("partitions-assigned") == events.count("partitions-revoked")


def test_ruby_kafka_sends_no_heartbeat_while_it_handles_a_record() -> None:
    """Records take 9 s, against a session of 6 s; r2 was killed once, while its session ran out
    because of a record, too."""
    story = _recorded("ruby-kafka")["rubies"]
    assert {
        part.generation: {(cause.cause, cause.client) for cause in part.causes}
        for part in story.rebalances
    } == {
        1: {("member-joined", "r1")},
        2: {("member-joined", "r2")},
        3: {("session-expired", "r1"), ("session-expired", "r2")},
        4: {("member-joined", "r2")},
        5: {("member-joined", "r1")},
        6: {("session-expired", "r1"), ("session-expired", "r2")},
        7: {("member-joined", "r1")},
        8: {("member-joined", "r2"), ("session-expired", "r1")},
        9: {("member-joined", "r1"), ("session-expired", "r2")},
        10: {("member-joined", "r2"), ("session-expired", "r1")},
        11: {("member-left", "r2")},
    }
    assert all(cause.certain for part in story.rebalances for cause in part.causes)
    assert "ruby-kafka sends heartbeats between messages" in story.verdict
    causes = _causes(story)
    assert causes["session-expired"] and not causes["process-stood-still"]
    assert "poll-timeout-exceeded" not in causes


@pytest.mark.parametrize("name", ["r1.log", "r2.log"])
def test_ruby_kafkas_own_log_does_not_tell_why_it_was_removed(name: str) -> None:
    story = _recorded("ruby-kafka", name)["rubies"]
    assert _causes(story)["commit-failed"]
    assert not any(cause.certain for cause in story.causes if cause.cause == "session-expired")


def test_spring_kafka_tells_a_storm_by_slow_polls() -> None:
    story = _recorded("spring-kafka")["spring-orders"]
    assert {
        part.generation: {(cause.cause, cause.client) for cause in part.causes}
        for part in story.rebalances
    } == _SLOW
    assert all(cause.certain for part in story.rebalances for cause in part.causes)
    assert "(7,000 ms)" in story.verdict
    assert "at least 12," in story.verdict


@pytest.mark.parametrize("name", ["s1.log", "s2.log"])
def test_one_application_of_spring_tells_its_own_polls(name: str) -> None:
    story = _recorded("spring-kafka", name)["spring-orders"]
    client = name.replace(".log", "-0")
    for part in story.rebalances:
        for cause in part.causes:
            if cause.certain:
                assert (cause.cause, cause.client) in _SLOW[part.generation]
    slow = [cause for cause in story.causes if cause.cause == "poll-timeout-exceeded"]
    assert [cause.certain for cause in slow] == [True]
    assert client in slow[0].summary


@pytest.mark.parametrize("names", [(), ("m1.log",)])
def test_mirror_maker_changes_its_own_configuration(names: tuple[str, ...]) -> None:
    """It creates three connectors for each direction and gives them tasks, one after the other."""
    stories = _recorded("mirror-maker", *names)
    for group, client in (("a-mm2", "a->b"), ("b-mm2", "b->a")):
        story = stories[group]
        assert story.kind == "connect"
        for part in story.rebalances[1:5]:
            (cause,) = part.causes
            assert (cause.cause, cause.client) == ("connect-config-changed", client)
            assert cause.certain


def test_a_coordinator_alone_does_not_know_why_a_worker_rejoins() -> None:
    story = _recorded("mirror-maker", "broker.log")["a-mm2"]
    (cause,) = story.rebalances[1].causes
    assert not cause.certain
    assert {"connect-config-changed", "connect-delayed-rebalance"} <= {cause.cause, *cause.rivals}
    assert story.verdict.startswith("Not decided")


def test_every_rebalance_of_connect_has_its_cause() -> None:
    """Connectors were created and got tasks; then a worker was killed and came back after its tasks
    had been given to the other one."""
    story = _recorded("connect-worker-killed")["connect-cluster"]
    causes = [{cause.cause for cause in part.causes if cause.certain} for part in story.rebalances]
    assert causes == [
        {"member-joined"}, {"member-joined"}, *[{"connect-config-changed"}] * 2, set(),
        {"connect-config-changed"}, {"session-expired"}, {"connect-delayed-rebalance"},
        {"member-joined"}, {"cooperative-second-round"}, {"member-left"},
    ]  # fmt: skip


def test_two_mirror_makers_share_their_groups() -> None:
    """m2 comes, is killed, comes back; then m1 and m2 are ended. Both have the same client ids."""
    stories = _recorded("mirror-makers")
    for group, client, first in (("a-mm2", "a->b", 5), ("b-mm2", "b->a", 6)):
        story = stories[group]
        assert story.kind == "connect"
        causes = {
            part.generation: {(cause.cause, cause.client, cause.certain) for cause in part.causes}
            for part in story.rebalances
        }
        words = {generation: {word for word, *_ in listed} for generation, listed in causes.items()}
        assert {name for listed in causes.values() for _, name, _ in listed} == {client}
        assert all(certain for listed in causes.values() for *_, certain in listed)
        assert {generation: words[generation] for generation in words if generation >= first} == {
            first: {"member-joined"},
            first + 1: {"cooperative-second-round"},
            first + 2: {"connect-config-changed"},
            first + 3: {"session-expired"},
            first + 4: {"member-joined"},
            first + 5: {"member-left"},
            first + 6: {"connect-config-changed"},
            first + 7: {"member-left"},
        }
        told = _causes(story)
        assert told["session-expired"] and told["connect-delayed-rebalance"]
        assert not told["process-died"]
        assert not {"coordinator-restarted", "crash-loop"} & told.keys()


_MEMBER = "svc-1-5f2e1a7c-1111-4222-8333-944455556661"
_ROUNDS = """\
[2020-03-01 10:00:00,000] INFO [GroupCoordinator 1]: Preparing to rebalance group g in state \
PreparingRebalance with old generation 1 (__consumer_offsets-3) (reason: {reason}) \
(kafka.coordinator.group.GroupCoordinator)
[2020-03-01 10:00:00,100] INFO [GroupCoordinator 1]: Stabilized group g generation 2 \
(__consumer_offsets-3) (kafka.coordinator.group.GroupCoordinator)
"""


@pytest.mark.parametrize(
    "end", ["", " during Stable", " during Stable; client reason: rebalance enforced by user"]
)
def test_a_member_whose_metadata_changes(end: str) -> None:
    """Brokers from 2.2 to 2.5 print no state, and say the same of the leader."""
    text = _ROUNDS.format(reason=f"Updating metadata for member {_MEMBER}{end}")
    (story,) = tell([LogSource("broker.log", read(text))]).groups
    ((cause,),) = (part.causes for part in story.rebalances)
    assert cause.client == "svc-1"
    assert not cause.certain
    assert "subscription-changed" in {cause.cause, *cause.rivals}


_NEVER_CAME = f"""\
Dynamic member with unknown member id joins group g in Stable state. Created a new member id \
{_MEMBER.replace("svc-1", "svc-2")} and request the member to rejoin with this id.
Member {_MEMBER} in group g has failed, removing it from the group
Preparing to rebalance group g in state PreparingRebalance with old generation 1 \
(__consumer_offsets-1) (reason: removing member {_MEMBER} on heartbeat expiration)
Group g with generation 2 is now empty (__consumer_offsets-1)
Pending member {_MEMBER.replace("svc-1", "svc-2")} in group g has been removed after session \
timeout expiration.
"""
"""As a broker 3.1.2 prints it."""


def test_a_member_that_never_comes_with_its_id_begins_no_rebalance() -> None:
    text = "".join(
        f"[2024-03-01 10:00:0{at},000] INFO [GroupCoordinator 1]: {line} (x.Y)\n"
        for at, line in enumerate(_NEVER_CAME.splitlines())
    )
    (story,) = tell([LogSource("broker.log", read(text))]).groups
    ((cause,),) = (part.causes for part in story.rebalances)
    assert (cause.cause, cause.client) == ("session-expired", "svc-1")


def test_every_line_of_a_log_that_names_no_client_is_of_the_only_one() -> None:
    broker = (
        f"[2024-03-01 10:00:00,000] INFO [GroupCoordinator 1]: Member {_MEMBER} in group g has "
        "failed, removing it from the group (x.Y)\n"
    )
    own = "".join(
        f"2024-03-01 10:00:0{at},000 WARNING aiokafka.consumer.group_coordinator Heartbeat failed "
        "for group g because it is rebalancing\n"
        for at in range(1, 4)
    )
    sources = [LogSource("broker.log", read(broker)), LogSource("app.log", read(own))]
    (timeline,), _ = make_timelines(sources)
    refused = [fact.client for fact in timeline.facts if fact.event == "heartbeat-refused"]
    assert refused == ["svc-1"] * 3
