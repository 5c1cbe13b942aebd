"""Rows of the clients' tables: real lines, and what they prove."""

# ruff: noqa: E501  (lines of logs are as long as they are)

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

import pytest

from kproto.capture.logs.event import LogEvent
from kproto.capture.logs.reader import LogReader
from tests.capture.logs.recorded import FOLDER, read

LINES = FOLDER / "lines"
NAMES = sorted(path.stem for path in LINES.glob("*.log"))

_FIELDS = (
    "protocol", "is_leader", "leader", "error", "limit_ms", "over_ms", "silent_ms", "reason",
    "cause", "partitions", "assignment", "target", "given", "is_incremental", "release",
)  # fmt: skip


def spelled(partitions: Sequence[tuple[str, int]]) -> str:
    topics: dict[str, list[str]] = {}
    for topic, number in partitions:
        topics.setdefault(topic, []).append(str(number))
    return " ".join(f"{topic}:{','.join(numbers)}" for topic, numbers in topics.items()) or "-"


def value_of(name: str, value: Any) -> str:
    if name in ("partitions", "given"):
        return spelled(value)
    if name in ("assignment", "target"):
        shares: Mapping[str, Sequence[tuple[str, int]]] = value
        return "; ".join(f"{member[:5]} {spelled(shares[member])}" for member in sorted(shares))
    if name == "is_incremental":
        return "yes"
    return str(value)[:5] if name == "leader" else str(value)


def facts(event: LogEvent) -> str:
    """An event as the files `.events` have it."""
    names = {
        "group": event.group,
        "kind": event.kind,
        "client": event.client,
        "instance": event.instance,
        "member": event.member[:5],
        "generation": "" if event.generation == -1 else event.generation,
    }
    words = [str(event.line), event.event]
    words += [f"{name}={value}" for name, value in names.items() if value != ""]
    words += [f"{name}={value_of(name, event.fields[name])}"
              for name in _FIELDS if name in event.fields]  # fmt: skip
    return " | ".join(words)


@pytest.mark.parametrize("name", NAMES)
def test_real_lines_prove_what_is_written_beside_them(name: str) -> None:
    events = read((LINES / f"{name}.log").read_text())
    assert [facts(event) for event in events] == (LINES / f"{name}.events").read_text().splitlines()


def test_each_real_line_is_of_its_client() -> None:
    """The family of the events is that of the file's name, and no line is nearly known."""
    for name in NAMES:
        reader = LogReader()
        with (LINES / f"{name}.log").open("rb") as file:
            families = {event.family for event in reader.read(file)}
        assert len(families) == 1
        assert name.startswith(families.pop())
        assert reader.unknown == {}


# Lines that no run has made, as the sources write them: files and releases stand at the heads of
# the families' modules. The line, the event, and what it has besides.
FROM_SOURCE = {
    "librdkafka": r"""
%3|1795650120.456|CONSERR|m#consumer-1| [thrd:main]: JoinGroup failed: Broker: Inconsistent group protocol
    join-refused | client=m | error=INCONSISTENT_GROUP_PROTOCOL
%7|1795650120.456|GRPSYNC|m#consumer-1| [thrd:main]: Group "g": synchronization failed: Broker: Unknown member: rejoining
    sync-refused | group=g | client=m | error=UNKNOWN_MEMBER_ID
%7|1795650120.456|HEARTBEAT|m#consumer-1| [thrd:main]: Group "g" heartbeat error response in state up (join-state steady, 3 partition(s) assigned): Local: Broker transport failure
    coordinator-lost | group=g | client=m
%7|1795650120.456|HEARTBEAT|m#consumer-1| [thrd:main]: Group "g" heartbeat error response in state up (join state assigned, 3 partition(s) assigned): Broker: Specified group generation id is not valid
    heartbeat-refused | group=g | client=m | error=ILLEGAL_GENERATION
%7|1795650120.456|JOINGROUP|m#consumer-1| [thrd:main]: JoinGroup response: GenerationId 3, Protocol range, LeaderId m-1, my MemberId m-2, 2 members in group: (no error)
    joined | client=m | member=m-2 | generation=3 | protocol=range | is_leader=False | leader=m-1
%7|1795650120.456|JOINGROUP|m#consumer-1| [thrd:main]: JoinGroup response: GenerationId -1, Protocol , LeaderId , my MemberId , member metadata count 0: Broker: Unknown member
    join-refused | client=m | error=UNKNOWN_MEMBER_ID
2022-02-15 02:30:54,356 [1] INFO Billing.Program - Error occurred:Local: Maximum application poll interval (max.poll.interval.ms) exceeded
    poll-timeout
%7|1478546491.390|JOINGROUP|m#consumer-1| JoinGroup response: GenerationId 0, Protocol , LeaderId  (me), my MemberId , 0 members in group: Broker: Not coordinator for group
    join-refused | client=m | error=NOT_COORDINATOR
%7|1795650120.456|HEARTBEAT|m#consumer-1| [thrd:main]: Group "g" heartbeat error response in state up (join-state steady, 4 partition(s) assigned): Broker: Unknown member
    heartbeat-refused | group=g | client=m | error=UNKNOWN_MEMBER_ID
%7|1795650120.456|LEAVEGROUP|m#consumer-1| [thrd:main]: LeaveGroup response error in state up: Broker: Unknown member
    leave-refused | client=m | error=UNKNOWN_MEMBER_ID
%4|1795650120.456|COMMITFAIL|m#consumer-1| [thrd:main]: Offset commit (cgrp auto commit timer) failed for 2/2 partition(s) in join-state wait-unassign-call: Broker: Specified group generation id is not valid: a[0]@3(Broker: Specified group generation id is not valid)
    commit-refused | client=m | error=ILLEGAL_GENERATION | reason=cgrp auto commit timer
%7|1795650120.456|COMMIT|m#consumer-1| [thrd:main]: GroupCoordinator/1: OffsetCommit for 2 partition(s) in join-state steady: manual: returned: Broker: Group rebalance in progress
    commit-refused | client=m | error=REBALANCE_IN_PROGRESS | reason=manual
%7|1795650120.456|COMMIT|m#consumer-1| [thrd:main]: GroupCoordinator/1: OffsetCommit for 2 partition(s) in join-state steady: manual: returned: Success
%7|1795650120.456|MEMBERMETA|m#consumer-1| [thrd:main]: GroupCoordinator/1: Failed to parse MemberMetadata for "x-9": Local: Bad message format
    unreadable-subscription | client=m | member=x-9
%7|1795650120.456|CGRPCOORD|m#consumer-1| [thrd:main]: Group "g" changing coordinator 3 -> 2
    coordinator-changed | group=g | client=m
%7|1795650120.456|CGRPCOORD|m#consumer-1| [thrd:main]: Group "g" changing coordinator 3 -> -1
    coordinator-lost | group=g | client=m
%7|1795650120.456|COORD|m#consumer-1| [thrd:main]: Group "g": marking the coordinator (1) dead: Broker: Not coordinator: heartbeat
    coordinator-lost | group=g | client=m
%7|1795650120.456|HEARTBEAT|m#consumer-1| [thrd:main]: ConsumerGroupHeartbeat failed due to: Broker: The member epoch is fenced by the group coordinator: will rejoin the group
    heartbeat-refused | kind=consumer | client=m | error=FENCED_MEMBER_EPOCH
%7|1795650120.456|HEARTBEAT|m#consumer-1| [thrd:main]: Heartbeat failed due to coordinator (GroupCoordinator/1) no longer available: Broker: Not coordinator: re-querying for coordinator
    coordinator-lost | client=m
%0|1795650120.456|FATAL|m#consumer-1| [thrd:main]: Fatal error: Broker: The instance ID is still used by another member in the consumer group: ConsumerGroupHeartbeat fatal error: Broker: The instance ID is still used by another member in the consumer group
    join-refused | kind=consumer | client=m | error=UNRELEASED_INSTANCE_ID
%7|1795650120.456|REJOIN|m#consumer-1| [thrd:main]: Group "g" (re)joining in join-state steady with 3 assigned partition(s): Metadata for subscribed topic(s) has changed
    metadata-changed | group=g | client=m
""",
    "kcat": r"""
% Group g rebalanced (memberid rdkafka-1-2): assigned: a [0], a-b [1]
    partitions-assigned | group=g | member=rdkaf | partitions=a:0 a-b:1
% Group g rebalanced (memberid rdkafka-1-2): revoked: a [0]
    partitions-revoked | group=g | member=rdkaf | partitions=a:0
% Group g rebalanced: incremental assignment of 2 partition(s) (memberid rdkafka-1-2, COOPERATIVE rebalance protocol): a [0], a [2]
    partitions-assigned | group=g | member=rdkaf | partitions=a:0,2 | is_incremental=yes
% Group g rebalanced: incremental revoke of 1 partition(s) (memberid rdkafka-1-2, assignment lost, COOPERATIVE rebalance protocol): a [0]
    partitions-revoked | group=g | member=rdkaf | partitions=a:0 | is_incremental=yes
""",
    "sarama": r"""
[sarama] 2026/11/25 23:45:52 consumergroup/g loop check partition number goroutine find partitions in topics a changed from 6 to 9
    metadata-changed | group=g
[sarama] 2026/11/25 23:45:52 consumergroup/g: lost ownership of map[a:[0 1] b:[2]] due to kafka server: The provided member is not known in the current generation
    partitions-lost | group=g | error=UNKNOWN_MEMBER_ID | partitions=a:0,1 b:2
[sarama] 2026/11/25 23:45:52 JoinGroup failed: group instance id i-1 has been fenced
    member-fenced | instance=i-1 | error=FENCED_INSTANCE_ID
[sarama] 2026/11/25 23:45:52 client/coordinator coordinator for g is not available
    coordinator-lost | group=g
2026/11/25 23:45:52 Error from consumer: kafka server: The provider group protocol type is incompatible with the other members
    join-refused | error=INCONSISTENT_GROUP_PROTOCOL
2026/11/25 23:45:52 consume: kafka server: Consumer group The consumer group has reached its max size. already has the configured maximum number of members
    join-refused | error=GROUP_MAX_SIZE_REACHED
2026/11/25 23:45:52 consume: kafka server: The provided session timeout is outside the allowed range
    join-refused | error=INVALID_SESSION_TIMEOUT
2026/11/25 23:45:52 consume: kafka server: The broker rejected this static consumer since another consumer with the same group.instance.id has registered with a different member.id
    member-fenced | error=FENCED_INSTANCE_ID
[sarama] 2026/11/25 23:45:52 kafka server: The provided member is not known in the current generation
    error | error=UNKNOWN_MEMBER_ID
[sarama] 2026/11/25 23:45:52 kafka: error while consuming a/0: kafka server: The provided generation id is not the current generation
    error | error=ILLEGAL_GENERATION
[sarama] 2026/11/25 23:45:52 kafka server: A rebalance for the group is in progress. Please re-join the group
    error | error=REBALANCE_IN_PROGRESS
""",
    "kafka-go": r"""
2026/11/25 23:47:05 Partition changes found, reblancing group: g.
    metadata-changed | group=g
2026/11/25 23:47:05 leave group failed for group, g, and member, m-1: [25] Unknown Member ID: the member id is not in the current generation
    leave-refused | group=g | member=m-1 | error=UNKNOWN_MEMBER_ID
2026/11/25 23:47:05 Failed to join group g: [23] Inconsistent Group Protocol: the member provided a protocol type or set of protocols which is not compatible with the current group
    join-refused | group=g | error=INCONSISTENT_GROUP_PROTOCOL
2026/11/25 23:47:05 Unable to establish connection to consumer group coordinator for group g: dial tcp 127.0.0.1:9092: connect: connection refused
    coordinator-lost | group=g
2026/11/25 23:47:05 joinGroup succeeded for response, g.  generationID=7, memberID=m-1
    joined | group=g | member=m-1 | generation=7
""",
    "kafka-python": r"""
2026-11-25 23:44:22,332 ERROR kafka.coordinator LeaveGroup request failed: [Error 25] UnknownMemberIdError
    leave-refused | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 ERROR kafka.coordinator.consumer Cooperative assignment rejected: Coordinator leader sent an assignment that does not match subscription: a. Probably due to a deleted topic. Requesting re-join.
    wants-to-join | cause=metadata-changed
2026-11-25 23:44:22,332 WARNING kafka.coordinator.consumer Coordinator leader sent assignment that does not match subscription: a. Probably due to a deleted topic. Requesting Re-join
    wants-to-join | cause=metadata-changed
2026-11-25 23:44:22,332 ERROR kafka.coordinator Attempt to join group g failed due to group authorization error
    join-refused | group=g | error=GROUP_AUTHORIZATION_FAILED
2026-11-25 23:44:22,332 ERROR kafka.coordinator Unexpected error in join group response: [Error 81] GroupMaxSizeReachedError
    join-refused | error=GROUP_MAX_SIZE_REACHED
2026-11-25 23:44:22,332 ERROR kafka.coordinator JoinGroup for group g returned inconsistent protocol_type connect (expected consumer)
    join-refused | group=g | error=INCONSISTENT_GROUP_PROTOCOL
2026-11-25 23:44:22,332 ERROR kafka.coordinator SyncGroup for group g returned inconsistent protocol_type connect (expected consumer)
    sync-refused | group=g | error=INCONSISTENT_GROUP_PROTOCOL
2026-11-25 23:44:22,332 ERROR kafka.coordinator.consumer Not authorized to commit offsets for group g
    commit-refused | group=g | error=GROUP_AUTHORIZATION_FAILED
2026-11-25 23:44:22,332 ERROR kafka.coordinator.consumer Not authorized to commit to topics {'a'} for group g
    commit-refused | group=g | error=TOPIC_AUTHORIZATION_FAILED
2026-11-25 23:44:22,332 ERROR kafka.coordinator Heartbeat failed: Unhandled error: [Error 25] UnknownMemberIdError
    heartbeat-refused | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 ERROR kafka.coordinator Unexpected error from SyncGroup: [Error 22] IllegalGenerationError
    sync-refused | error=ILLEGAL_GENERATION
2026-11-25 23:44:22,332 ERROR kafka.coordinator.consumer User provided rebalance listener <app.Listener object at 0x7f> for group g failed on_partitions_assigned: boom
    error | group=g
2026-11-25 23:44:22,332 WARNING kafka.coordinator.heartbeat Heartbeat: local member_id was not recognized; this consumer needs to re-join
    heartbeat-refused | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 WARNING kafka.coordinator Heartbeat session expired, marking coordinator dead
    session-timed-out
2026-11-25 23:44:22,332 ERROR kafka.coordinator LeaveGroup request for group g failed with error: [Error 25] UnknownMemberIdError
    leave-refused | group=g | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 ERROR kafka.coordinator LeaveGroup request for member m-1 / group instance None failed with error: [Error 25] UnknownMemberIdError
    leave-refused | member=m-1 | reason=[Error 25] UnknownMemberIdError
2026-11-25 23:44:50,038 INFO kafka.coordinator.consumer Revoking previously assigned partitions {TopicPartition(topic='a', partition=2), TopicPartition(topic='a', partition=0)} for group g on close
    partitions-revoked | group=g | partitions=a:0,2
2026-11-25 23:44:22,332 INFO kafka.coordinator.consumer Cooperative pre-rebalance for group g: revoking {TopicPartition(topic='a', partition=1)} (no longer in subscription)
    partitions-revoked | group=g | partitions=a:1 | is_incremental=yes
2026-11-25 23:44:22,332 WARNING kafka.coordinator.consumer Rebalance listener L.on_partitions_revoked for group g took 12.500s. Sync listeners block the consumer event loop (including heartbeats) -- consider AsyncConsumerRebalanceListener or wrap blocking work in a worker thread.
    slow-callback | group=g
2026-11-25 23:44:22,332 INFO kafka.coordinator Attempt to join group g rejected since coordinator coordinator-1 is loading the group.
    join-refused | group=g | error=COORDINATOR_LOAD_IN_PROGRESS
2026-11-25 23:44:22,332 INFO kafka.coordinator Attempt to join group g failed due to unknown member id
    join-refused | group=g | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 ERROR kafka.coordinator Attempt to join group g failed due to fatal error: InconsistentGroupProtocolError
    join-refused | group=g | error=INCONSISTENT_GROUP_PROTOCOL
2026-11-25 23:44:22,332 INFO kafka.coordinator Attempt to join group g failed due to RebalanceInProgressError, which could indicate a replication timeout on the broker. Will retry.
    join-refused | group=g | error=REBALANCE_IN_PROGRESS
2026-11-25 23:44:22,332 INFO kafka.coordinator SyncGroup for group g failed due to coordinator rebalance
    sync-refused | group=g | error=REBALANCE_IN_PROGRESS
2026-11-25 23:44:22,332 ERROR kafka.coordinator SyncGroup for group g failed due to fenced id error: i-1
    member-fenced | group=g | instance=i-1 | error=FENCED_INSTANCE_ID
2026-11-25 23:44:22,332 INFO kafka.coordinator SyncGroup for group g failed due to [Error 22] IllegalGenerationError
    sync-refused | group=g | error=ILLEGAL_GENERATION
2026-11-25 23:44:22,332 ERROR kafka.coordinator.consumer OffsetCommit for group g failed due to fenced id error: i-1
    commit-refused | group=g | instance=i-1 | error=FENCED_INSTANCE_ID
2026-11-25 23:44:22,332 WARNING kafka.coordinator.consumer OffsetCommit for group g failed: [Error 25] UnknownMemberIdError: g
    commit-refused | group=g | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 ERROR kafka.coordinator.consumer Group g failed to commit partition TopicPartition(topic='a', partition=0) at offset OffsetAndMetadata(offset=3, metadata=''): InvalidGroupIdError
    commit-refused | group=g | error=INVALID_GROUP_ID
2026-11-25 23:44:22,332 WARNING kafka.coordinator.consumer Offset commit failed: group membership out of date This is likely to cause duplicate message delivery.
    commit-refused
2026-11-25 23:44:22,332 WARNING kafka.coordinator Heartbeat failed for group g: generation id is not  current.
    heartbeat-refused | group=g | error=ILLEGAL_GENERATION
2026-11-25 23:44:22,332 WARNING kafka.coordinator Heartbeat failed for group g: coordinator (node coordinator-1) is either not started or not valid
    coordinator-lost | group=g
2026-11-25 23:44:22,332 WARNING kafka.coordinator Marking the coordinator dead (node coordinator-1) for group g: Node Disconnected.
    coordinator-lost | group=g
2026-11-25 23:44:22,332 WARNING kafka.coordinator.consumer Auto offset commit failed for group g: [Error 27] RebalanceInProgressError
    commit-refused | group=g | error=REBALANCE_IN_PROGRESS
2017-04-08 13:01:04,838 MainThread INFO Revoking previously assigned partitions set([TopicPartition(topic=u'a', partition=2), TopicPartition(topic=u'a', partition=1)]) for group g
    partitions-revoked | group=g | partitions=a:1,2
2017-04-08 13:01:04,838 MainThread INFO Revoking previously assigned partitions set([]) for group g
2026-11-25 23:44:22,332 DEBUG kafka.coordinator.consumer Finished assignment for group g: {'m-1': ConsumerProtocolMemberAssignment(version=0, assignment=[(topic='a', partitions=[0, 2]), (topic='b', partitions=[1])], user_data=b''), 'm-2': ConsumerProtocolMemberAssignment(version=0, assignment=[], user_data=b'')}
    leader-assigns | group=g | assignment=m-1 a:0,2 b:1; m-2 -
""",
    "aiokafka": r"""
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator OffsetCommit failed for unauthorized topics {'a'}
    commit-refused | error=TOPIC_AUTHORIZATION_FAILED
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator Unexpected error in coordinator routine
    error
2026-11-25 23:44:22,332 WARNING aiokafka.consumer.group_coordinator Heartbeat failed: local member_id was not recognized; resetting and re-joining group
    heartbeat-refused | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator Heartbeat session expired - marking coordinator dead
    session-timed-out
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator LeaveGroup request failed: [Error 25] UnknownMemberIdError
    leave-refused | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 INFO aiokafka.consumer.group_coordinator Metadata for topic has changed from {'a': 6} to {'a': 9}.
    metadata-changed
2026-11-25 23:44:22,332 INFO aiokafka.consumer.group_coordinator Metadata for topic has changed from {} to {'a': 6}.
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator Attempt to join group failed due to fatal error: [Error 23] InconsistentGroupProtocolError
    join-refused | error=INCONSISTENT_GROUP_PROTOCOL
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator Unexpected error in join group 'g' response: [Error 81] GroupMaxSizeReachedError
    join-refused | group=g | error=GROUP_MAX_SIZE_REACHED
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator Unexpected error from SyncGroup: [Error -1] UnknownError
    sync-refused
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator OffsetCommit failed for group g on partition TopicPartition(topic='a', partition=0) with offset OffsetAndMetadata(offset=3, metadata=''): InvalidGroupIdError
    commit-refused | group=g | error=INVALID_GROUP_ID
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator OffsetCommit failed for group g - GroupAuthorizationFailedError
    commit-refused | group=g | error=GROUP_AUTHORIZATION_FAILED
2026-11-25 23:44:22,332 INFO aiokafka.consumer.group_coordinator OffsetCommit failed for group g because group is initializing (GroupLoadInProgressError), will retry
    commit-refused | group=g | error=COORDINATOR_LOAD_IN_PROGRESS
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator OffsetCommit failed before join, ignoring: [Error 25] UnknownMemberIdError: g
    commit-refused | error=UNKNOWN_MEMBER_ID
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator Failed to commit on finallization: [Error 22] IllegalGenerationError: g
    commit-refused | error=ILLEGAL_GENERATION
2026-11-25 23:44:22,332 WARNING aiokafka.consumer.group_coordinator Auto offset commit failed: [Error 27] RebalanceInProgressError: g
    commit-refused | error=REBALANCE_IN_PROGRESS
2026-11-25 23:44:22,332 WARNING aiokafka.consumer.group_coordinator Marking the coordinator dead (node 1)for group g.
    coordinator-lost | group=g
2026-11-25 23:44:22,332 ERROR aiokafka.consumer.group_coordinator Error sending HeartbeatRequest to node 1 [NodeNotReadyError: x] -- marking coordinator dead
2026-11-25 23:44:22,332 WARNING aiokafka.consumer.group_coordinator Heartbeat failed for group g: generation id is not  current.
    heartbeat-refused | group=g | error=ILLEGAL_GENERATION
""",
    "kafkajs": r"""
{"level":"ERROR","timestamp":"2026-11-25T23:48:18.046Z","logger":"kafkajs","message":"[Runner] The coordinator is not aware of this member, re-joining the group","groupId":"g","memberId":"m-1","error":"The coordinator is not aware of this member"}
    wants-to-join | group=g | member=m-1 | error=UNKNOWN_MEMBER_ID
{"level":"ERROR","timestamp":"2026-11-25T23:48:18.046Z","logger":"kafkajs","message":"[Connection] Response OffsetCommit(key: 8, version: 5)","broker":"b:9092","clientId":"m","error":"Specified group generation id is not valid","correlationId":7,"size":10}
    commit-refused | client=m | error=ILLEGAL_GENERATION
{"level":"ERROR","timestamp":"2026-11-25T23:48:18.046Z","logger":"kafkajs","message":"[Connection] Response SyncGroup(key: 14, version: 3)","broker":"b:9092","clientId":"m","error":"The group is rebalancing, so a rejoin is needed","correlationId":7,"size":10}
    sync-refused | client=m | error=REBALANCE_IN_PROGRESS
{"level":"ERROR","timestamp":"2026-11-25T23:48:18.046Z","logger":"kafkajs","message":"[Consumer] Crash: KafkaJSNumberOfRetriesExceeded: The coordinator is not aware of this member","groupId":"g","retryCount":5}
    error | group=g | error=UNKNOWN_MEMBER_ID
{"level":"info","message":"Consumer has joined the group","extra":{"groupId":"g","memberId":"m-1","leaderId":"m-1","isLeader":true,"memberAssignment":{"a":[0]},"groupProtocol":"RoundRobinAssigner"}}
    joined-and-synced | group=g | member=m-1 | protocol=RoundRobinAssigner | is_leader=True | leader=m-1 | partitions=a:0
[Nest] 12  - 11/25/2026, 11:42:28 PM     LOG [ServerKafka] INFO [ConsumerGroup] Consumer has joined the group {"timestamp":"2026-11-25T23:42:28.120Z","logger":"kafkajs","groupId":"g","memberId":"m-1","leaderId":"m-2","isLeader":false,"memberAssignment":{"a":[0]},"groupProtocol":"RoundRobinAssigner","duration":20}
    joined-and-synced | group=g | member=m-1 | protocol=RoundRobinAssigner | is_leader=False | leader=m-2 | partitions=a:0
""",
    "franz-go": r"""
[INFO] join returned UnknownMemberID, rejoining without a member id; group: g
    join-refused | group=g | error=UNKNOWN_MEMBER_ID
[INFO] joined as leader but unable to balance group due to KIP-345 limitations; group: g, member_id: m-1, instance_id: i-1, generation: 4, balance_protocol: range, leader: true
    joined | group=g | instance=i-1 | member=m-1 | generation=4 | protocol=range | is_leader=True
[ERROR] join and sync loop errored; group: g, err: INCONSISTENT_GROUP_PROTOCOL: The group member's supported protocols are incompatible with those of existing members., consecutive_errors: 1, backoff: 225ms
    join-refused | group=g | error=INCONSISTENT_GROUP_PROTOCOL
[ERROR] group manage loop errored; group: g, err: unable to dial: dial tcp: connection refused, consecutive_errors: 1, backoff: 225ms
    error | group=g
[WARN] sync group failed; group: g, err: UNKNOWN_MEMBER_ID: The coordinator is not aware of this member.
    sync-refused | group=g | error=UNKNOWN_MEMBER_ID
[INFO] sync failed with RebalanceInProgress, rejoining; group: g
    sync-refused | group=g | error=REBALANCE_IN_PROGRESS
[INFO] cooperative consumer calling onRevoke; group: g, lost: map[a:[0 1]], stage: 1
    partitions-revoked | group=g | partitions=a:0,1 | is_incremental=yes
[INFO] cooperative consumer revoking prior assigned partitions because leaving group; group: g, revoking: a[0 1], b[2]
    partitions-revoked | group=g | partitions=a:0,1 b:2
[INFO] consumer group heartbeat saw fenced member epoch, abandoning assignment and rejoining; group: g, member_id: x, generation: 3
    heartbeat-refused | group=g | kind=consumer | member=x | generation=3 | error=FENCED_MEMBER_EPOCH
[INFO] consumer group heartbeat error, abandoning assignment and rejoining; group: g, member_id: x, generation: 3, err: FENCED_MEMBER_EPOCH: The member epoch is fenced by the group coordinator.
    heartbeat-refused | group=g | kind=consumer | member=x | generation=3 | error=FENCED_MEMBER_EPOCH
[INFO] consumer group heartbeat error, abandoning assignment and rejoining with new member id; group: g, member_id: x, generation: 3, err: UNKNOWN_MEMBER_ID: The coordinator is not aware of this member.
    heartbeat-refused | group=g | kind=consumer | member=x | generation=3 | error=UNKNOWN_MEMBER_ID
[ERROR] UnreleasedInstanceID after 3 retries - static instance is held by another member; check for duplicate InstanceID config or an unclean peer shutdown; group: g, instance: i-1
    join-refused | group=g | kind=consumer | instance=i-1 | error=UNRELEASED_INSTANCE_ID
[ERROR] default commit failed; group: g, err: REBALANCE_IN_PROGRESS: The group is rebalancing, so a rejoin is needed.
    commit-refused | group=g | error=REBALANCE_IN_PROGRESS
[ERROR] in default commit: unable to commit offsets for topic partition; group: g, topic: a, partition: 0, error: ILLEGAL_GENERATION: Specified group generation id is not valid.
    commit-refused | group=g | error=ILLEGAL_GENERATION
[INFO] offset commit returned a fatal group member error, triggering rejoin; group: g, err: UNKNOWN_MEMBER_ID: The coordinator is not aware of this member.
    commit-refused | group=g | error=UNKNOWN_MEMBER_ID
""",
    "ruby-kafka": r"""
[[g] {a: 0, 1...}:] Error sending heartbeat: Kafka::UnknownMemberId
    heartbeat-refused | group=g | error=UNKNOWN_MEMBER_ID
[[g] {}:] Error sending heartbeat: Connection error EOFError: EOFError
    coordinator-lost | group=g
[[my-client] {}:] Failed to find coordinator for group `g`; retrying...
    coordinator-lost | group=g
[[g] {}:] Group coordinator not available for group `g`
    coordinator-lost | group=g
[[g] {}:] Connection error while trying to join group `g`; retrying...
    coordinator-lost | group=g
""",
    "brod": r"""
23:49:22.022 [info] Group member (g,coor=#PID<0.2.0>,cb=#PID<0.3.0>,generation=4): re-joining group, reason::rebalance_in_progress
    wants-to-join | group=g | generation=4 | error=REBALANCE_IN_PROGRESS
23:49:22.022 [info] Group member (g,coor=<0.2.0>,cb=<0.3.0>,generation=5): elected=true
    joined | group=g | generation=5 | is_leader=True
[info] group coordinator (groupId=g,memberId=foo@mypc/<0.276.0>-ef0b4e06-8e91-41d0-a1f0-d4b6db6cc99e,generation=75,pid=#PID<0.276.0>): re-joining group, reason::RebalanceInProgress
    wants-to-join | group=g | member=foo@m | generation=75 | error=REBALANCE_IN_PROGRESS
23:49:22.022 [info] Group member (g,coor=<0.2.0>,cb=<0.3.0>,generation=5): elected=false
    joined | group=g | generation=5 | is_leader=False
23:49:22.022 [info] Group member (g,coor=<0.2.0>,cb=<0.3.0>,generation=5): Leaving group, reason: shutdown
    leaves | group=g | generation=5 | reason=shutdown
23:49:22.022 [info] Group member (g,coor=<0.2.0>,cb=<0.3.0>,generation=undefined): failed to join group reason: {unknown_member_id}
    join-refused | group=g | error=UNKNOWN_MEMBER_ID
23:49:22.022 [error] Group member (g,coor=<0.2.0>,cb=<0.3.0>,generation=5): Static member was fenced by another member using the same group_instance_id; check for duplicate group member configuration. Retrying stabilization after 5 seconds.
    member-fenced | group=g | generation=5 | error=FENCED_INSTANCE_ID
""",
}


_READERS = {"kcat": "librdkafka"}


def cases() -> Iterator[tuple[str, str, list[str]]]:
    """Each line with the events that stand below it, indented."""
    for family, text in FROM_SOURCE.items():
        blocks = re.split(r"\n(?!    )", text.strip("\n"))
        for block in blocks:
            line, *events = block.split("\n")
            yield family, line, [event.strip() for event in events]


@pytest.mark.parametrize(("family", "line", "expected"), list(cases()))
def test_lines_of_the_sources(family: str, line: str, expected: list[str]) -> None:
    events = read(line + "\n")
    assert {event.family for event in events} <= {_READERS.get(family, family)}
    assert [facts(event).partition(" | ")[2] for event in events] == expected


BROD = """\
23:49:22.022 [info] Group member (g,coor=<0.2.0>,cb=<0.3.0>,generation=5):
assignments received:
  a:
    partition=0 begin_offset=5
    partition=2 begin_offset=undefined
  b:
    partition=1 begin_offset=0
23:49:27.022 [info] Group member (g,coor=<0.2.0>,cb=<0.3.0>,generation=5):
re-joining group, reason::rebalance_in_progress
"""


def test_the_line_of_a_member_of_brod_without_its_message_is_counted() -> None:
    lines = [line for line in BROD.splitlines(keepends=True) if "Group member" in line]
    reader = LogReader()
    assert not list(reader.read(BytesIO("".join(lines).encode())))
    assert reader.unknown == {"brod": len(lines)}
    whole = LogReader()
    assert list(whole.read(BytesIO(BROD.encode()))) and not whole.unknown


@pytest.mark.parametrize("text", [BROD, re.sub(r"(?m)^[\d:.]+ ", "", BROD)])
def test_brod_writes_its_messages_below_the_member(text: str) -> None:
    first, second = (1, 8) if text is BROD else (2, 9)
    assert [facts(event) for event in read(text)] == [
        f"{first} | assigned | group=g | generation=5 | partitions=a:0,2 b:1",
        f"{second} | wants-to-join | group=g | generation=5 | error=REBALANCE_IN_PROGRESS",
    ]


@pytest.mark.parametrize(("seconds", "count"), [(0.2, 1), (15.0, 2)])
def test_a_poll_timeout_is_told_once_and_the_next_one_again(seconds: float, count: int) -> None:
    """librdkafka logs it, and an application prints the error; the next one may have passed the
    limit by as many milliseconds."""
    text = (
        "MAXPOLL|c#consumer-1| [thrd:main]: Application maximum poll interval (6000ms) exceeded by "
        "97ms (adjust max.poll.interval.ms for long-running message processing): leaving group"
    )
    lines = [f"%4|{1_795_898_719.603 + later:.3f}|{text}\n" for later in (0, seconds)]
    events = [event.event for event in read("".join(lines))]
    assert events.count("poll-timeout") == count
