"""Lines of brokers and Java clients, release by release, as Kafka's sources write them.

Each line has its program before it and, indented below it, the events that it proves; one that
proves nothing has none. Spellings differ between releases: each one that is documented is here.
"""

# ruff: noqa: E501  (lines of logs are as long as they are)

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator

import pytest

from kproto.capture.logs.reader import LogReader
from tests.capture.logs.recorded import read
from tests.capture.logs.test_client_rows import facts

SCALA = "[2026-11-25 23:33:01,181] INFO [GroupCoordinator 1]: {} (kafka.coordinator.group.GroupCoordinator)"
METADATA = "[2026-11-25 23:33:01,181] INFO [GroupMetadataManager brokerId=1] {} (kafka.coordinator.group.GroupMetadataManager)"
FENCED = "[2026-11-25 23:33:01,181] ERROR {} (kafka.coordinator.group.GroupMetadata)"
JAVA = "[2026-11-25 23:33:01,181] INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=2] {} (org.apache.kafka.coordinator.group.GroupMetadataManager)"
CONSUMER = "[2026-11-25 23:33:01,181] INFO [Consumer clientId=c, groupId=g] {} (org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)"
STATIC = "[2026-11-25 23:33:01,181] INFO [Consumer instanceId=i-1, clientId=c, groupId=g] {} (org.apache.kafka.clients.consumer.internals.AbstractCoordinator)"
WORKER = "[2026-11-25 23:33:01,181] INFO [Worker clientId=connect-1, groupId=g] {} (org.apache.kafka.connect.runtime.distributed.DistributedHerder:1)"
STREAMS = "[2026-11-25 23:33:01,181] INFO stream-thread {} (org.apache.kafka.streams.processor.internals.StreamThread)"
SPRING = "2026-11-25T23:33:01.181Z  INFO 7 --- [orders-app] [ntainer#0-0-C-1] o.s.k.l.KafkaMessageListenerContainer    : {}"
SHARE = "[2026-11-25 23:33:01,181] INFO [ShareConsumer clientId=c, groupId=g] {} (org.apache.kafka.clients.consumer.internals.ShareConsumerImpl)"

# -- brokers, groups whose members assign

BROKER_CLASSIC = {
    SCALA: r"""
Dynamic Member with unknown member id joins group g in Stable state. Created a new member id m-1 and request the member to rejoin with this id.
    joins | group=g | member=m-1
Dynamic member with unknown member id rejoins group g in Empty state. Created a new member id m-1 and requesting the member to rejoin with this id.
    joins | group=g | member=m-1
Dynamic Member with unknown member id joins group g in PreparingRebalance state. Created a new member id m-1 for this member and add to the group.
    joins | group=g | member=m-1
Dynamic member with unknown member id rejoins group g in PreparingRebalance state. Created a new member id m-1 for this member and add to the group.
    joins | group=g | member=m-1
Pending dynamic member with id m-1 joins group g in Stable state. Adding to the group now.
    joins | group=g | member=m-1
Dynamic Member with specific member id m-1 joins group g in Stable state. Adding to the group now.
    joins | group=g | member=m-1
Pending member m-1 in group g has been removed after session timeout expiration.
    member-removed | group=g | member=m-1 | cause=join-abandoned
Preparing to rebalance group g with old generation 4 (__consumer_offsets-12)
    rebalance-began | group=g | generation=5
Preparing to rebalance group g in state PreparingRebalance with old generation 4 (__consumer_offsets-12) (reason: Adding new member m-1 with group instanceid None)
    rebalance-began | group=g | generation=5 | reason=Adding new member m-1 with group instanceid None
Preparing to rebalance group g in state PreparingRebalance with old generation 4 (__consumer_offsets-12) (reason: removing member m-1 on heartbeat expiration)
    rebalance-began | group=g | generation=5 | reason=removing member m-1 on heartbeat expiration
Preparing to rebalance group a group with old generation in it, (really) with old generation 4 (__consumer_offsets-12)
    rebalance-began | group=a group with old generation in it, (really) | generation=5
Preparing to restabilize group g with old generation 4
    rebalance-began | group=g | generation=5
Stabilized group g generation 5 (__consumer_offsets-12)
    stabilized | group=g | generation=5
Stabilized group g generation 5 (__consumer_offsets-12) with 3 members
    stabilized | group=g | generation=5
Stabilized group g generation 5
    stabilized | group=g | generation=5
Assignment received from leader for group g for generation 5
    leader-assigns | group=g | generation=5
Assignment received from leader for group g for generation 5. The group has 3 members, 1 of which are static.
    leader-assigns | group=g | generation=5
Assignment received from leader m-1 for group g for generation 5. The group has 3 members, 1 of which are static.
    leader-assigns | group=g | member=m-1 | generation=5
Group g with generation 6 is now empty (__consumer_offsets-12)
    group-empty | group=g | generation=6
Group g generation 6 is dead and removed
    group-empty | group=g | generation=6
Group g removed dynamic members who haven't joined: Set(m-1, m-2)
    member-removed | group=g | member=m-1 | cause=rebalance-timeout
    member-removed | group=g | member=m-2 | cause=rebalance-timeout
Group g remove dynamic members who haven't joined: Set(m-1)
    member-removed | group=g | member=m-1 | cause=rebalance-timeout
Member m-1 in group g has failed, removing it from the group
    member-removed | group=g | member=m-1 | cause=session-expired
Member m-1 in group g has left, removing it from the group
    leaves | group=g | member=m-1
Pending member m-1 is leaving group g.
    member-removed | group=g | member=m-1 | cause=join-abandoned
Pending member with memberId=m-1 has left group g through explicit `LeaveGroup` request
    member-removed | group=g | member=m-1 | cause=join-abandoned
Group g removed dynamic members who haven't joined: HashSet(m-1, m-2)
    member-removed | group=g | member=m-1 | cause=rebalance-timeout
    member-removed | group=g | member=m-2 | cause=rebalance-timeout
Group g removed members who haven't sent their sync requests: Set(m-1)
    member-removed | group=g | member=m-1 | cause=sync-not-sent
Group g could not complete rebalance because no members rejoined
Group g is dead, skipping rebalance stage
Group leader [member.id: m-1, group.instance.id: Some(i-1)] failed to join before rebalance timeout, while new leader m-2 was elected.
Received notification of heartbeat expiration for member m-1 after group g had already been unloaded or deleted.
The following groups were deleted: g. A total of 6 offsets were removed.
Static member joins during Stable stage will not trigger rebalance.
Member[group.instance.id None, member.id m-1] in group g has left, removing it from the group
    leaves | group=g | member=m-1
Member[group.instance.id Some(i-1), member.id m-1] in group g has left, removing it from the group
    leaves | group=g | instance=i-1 | member=m-1
Member MemberMetadata(memberId=m-1, groupInstanceId=None, clientId=c, clientHost=/10.0.0.1, sessionTimeoutMs=6000, rebalanceTimeoutMs=60000, supportedProtocols=List(range)) has left group g through explicit `LeaveGroup` request
    leaves | group=g | client=c | member=m-1
Member MemberMetadata(memberId=m-1, groupInstanceId=Some(i-1), clientId=c, clientHost=/10.0.0.1, sessionTimeoutMs=6000, rebalanceTimeoutMs=60000, supportedProtocols=List(range, sticky)) has left group g through explicit `LeaveGroup`; client reason: member was removed by an admin: scaling (down)
    leaves | group=g | client=c | instance=i-1 | member=m-1 | reason=member was removed by an admin: scaling (down)
Static member with groupInstanceId=i-1 and unknown member id joins group g in Empty state. Created a new member id m-1 for this member and add to the group.
    joins | group=g | instance=i-1 | member=m-1
Static member with groupInstanceId=i-1 and unknown member id joins group g in Stable state. Replacing previously mapped member m-0 with this groupInstanceId.
    joins | group=g | instance=i-1
Static member Some(i-1) with unknown member id rejoins, assigning new member id m-1, while old member m-0 will be removed.
    joins | instance=i-1 | member=m-1
Static member Some(i-1) of group g with unknown member id rejoins, assigning new member id m-1, while old member id m-0 will be removed.
    joins | group=g | instance=i-1 | member=m-1
Adding new static member Some(i-1) to group g with member id m-1.
    joins | group=g | instance=i-1 | member=m-1
Static member which joins during Stable stage and doesn't affect selectProtocol will not trigger rebalance.
Static member which joins during Stable stage and doesn't affect the selected protocol will not trigger a rebalance.
Setting empty assignments for members Set(m-1, m-2) of g for generation 5
    left-out | group=g | member=m-1 | generation=5
    left-out | group=g | member=m-2 | generation=5
Elected as the group coordinator for partition 12 in epoch 7
    coordinator-elected
Resigned as the group coordinator for partition 12 in epoch Some(7)
    coordinator-resigned
Scheduling unloading of offsets and group metadata from __consumer_offsets-12
Group coordinator for partition 12 is being unloaded
""",
    METADATA: r"""
Loading group metadata for g with generation 5
    group-loaded | group=g | generation=5
Finished loading offsets and group metadata from __consumer_offsets-12 in 5 milliseconds, of which 1 milliseconds was spent in the scheduler.
Scheduling loading of offsets and group metadata from __consumer_offsets-12
Unloading group metadata for g with generation 5
    group-unloaded | group=g | generation=5
Removed 0 expired offsets in 0 milliseconds.
Group g transitioned to Dead in generation 6
""",
    FENCED: r"""
Loaded member MemberMetadata(memberId=m-1, groupInstanceId=Some(i-1), clientId=c, clientHost=/10.0.0.1, sessionTimeoutMs=6000, rebalanceTimeoutMs=60000, supportedProtocols=List(range)) in group g with generation 5.
    member-loaded | group=g | client=c | instance=i-1 | member=m-1 | generation=5
Static member MemberMetadata(memberId=m-1, groupInstanceId=Some(i-1), clientId=c, clientHost=/10.0.0.1, sessionTimeoutMs=6000, rebalanceTimeoutMs=60000, supportedProtocols=List(range)).groupInstanceId of group g loaded with member id m-1 at generation 5.
    member-loaded | group=g | client=c | instance=i-1 | member=m-1 | generation=5
Failed to parse Consumer Protocol consumer:range of group g. Consumer group coordinator is not aware of the subscribed topics.
    unreadable-subscription | group=g | protocol=consumer:range
given member.id m-1 is identified as a known static member i-1,but not matching the expected member.id m-2
    member-fenced | instance=i-1 | member=m-1
given member.id m-1 is identified as a known static member i-1, but not matching the expected member.id m-2 during sync-group, will respond with instance fenced error
    member-fenced | instance=i-1 | member=m-1
""",
    JAVA: r"""
[GroupId g] Dynamic member with unknown member id joins group g in Stable state. Created a new member id m-1 and requesting the member to rejoin with this id.
    joins | group=g | member=m-1
Dynamic member with unknown member id joins group g in state Stable. Created a new member id m-1 and added the member to the group.
    joins | group=g | member=m-1
Dynamic member with unknown member id joins group g in Stable state. Created a new member id m-1 and requesting the member to rejoin with this id.
    joins | group=g | member=m-1
Pending dynamic member with id m-1 joins group g in Stable state. Adding to the group now.
    joins | group=g | member=m-1
Preparing to rebalance group g in state PreparingRebalance with old generation 4 (reason: Adding new member m-1 with group instance id null; client reason: need to re-join with the given member-id: m-1).
    rebalance-began | group=g | generation=5 | reason=Adding new member m-1 with group instance id null; client reason: need to re-join with the given member-id: m-1
Preparing to rebalance group g in state PreparingRebalance with old generation 4 (reason: explicit `LeaveGroup` request for (m-1, m-2) members.).
    rebalance-began | group=g | generation=5 | reason=explicit `LeaveGroup` request for (m-1, m-2) members.
Stabilized group g generation 5 with 3 members.
    stabilized | group=g | generation=5
Assignment received from leader m-1 for group g for generation 5. The group has 3 members, 1 of which are static.
    leader-assigns | group=g | member=m-1 | generation=5
Group g with generation 6 is now empty.
    group-empty | group=g | generation=6
Group g removed dynamic members who haven't joined: [m-1, m-2].
    member-removed | group=g | member=m-1 | cause=rebalance-timeout
    member-removed | group=g | member=m-2 | cause=rebalance-timeout
Member m-1 in group g has failed, removing it from the group.
    member-removed | group=g | member=m-1 | cause=session-expired
[Group g] Member m-1 has left group through explicit `LeaveGroup` request; client reason: the consumer is being closed
    leaves | group=g | member=m-1 | reason=the consumer is being closed
[Group g] Static member m-1 with instance id i-1 has left group through explicit `LeaveGroup` request; client reason: member was removed by an admin
    leaves | group=g | instance=i-1 | member=m-1 | reason=member was removed by an admin
Static member with groupInstanceId=i-1 and unknown member id joins group g in Stable state. Replacing previously mapped member m-0 with this groupInstanceId.
    joins | group=g | instance=i-1
Static member with groupInstanceId=i-1 and unknown member id joins group g in Empty state. Created a new member id m-1 for this member and add to the group.
    joins | group=g | instance=i-1 | member=m-1
Request memberId=m-1 for static member with groupInstanceId=i-1 is fenced by current memberId=m-2 during operation heartbeat
    member-fenced | instance=i-1 | member=m-1
Request memberId=m-1 for static member with groupInstanceId=i-1 is fenced by existing memberId=m-2 during operation offset-commit
    member-fenced | instance=i-1 | member=m-1
Setting empty assignments for members [m-1, m-2] of g for generation 5.
    left-out | group=g | member=m-1 | generation=5
    left-out | group=g | member=m-2 | generation=5
Loaded classic group g with 3 members.
    group-loaded | group=g
Loaded consumer group g with 3 members.
    group-loaded | group=g
Loaded share group g with 3 members.
    group-loaded | group=g
Loaded streams group g with 3 members.
    group-loaded | group=g
[Group g] Dynamic Member m-1 has left group through explicit `LeaveGroup` request; client reason: the consumer is being closed
    leaves | group=g | member=m-1 | reason=the consumer is being closed
[Group g] Static Member m-1 with instance id i-1 has left group through explicit `LeaveGroup` request; client reason: not provided
    leaves | group=g | instance=i-1 | member=m-1 | reason=not provided
[GroupId g] Static member m-1 with instance id i-1 has left group through explicit `LeaveGroup` request; client reason: not provided
    leaves | group=g | instance=i-1 | member=m-1 | reason=not provided
[Group g] Pending member m-1 has left group through explicit `LeaveGroup` request; client reason: not provided
    member-removed | group=g | member=m-1 | reason=not provided | cause=join-abandoned
[GroupId=g] Unloaded group metadata for group epoch 5.
    group-unloaded | group=g | generation=5
[GroupId=g] Unloading group metadata for generation 5.
    group-unloaded | group=g | generation=5
Elected as the group coordinator for partition 12 in epoch 7
    coordinator-elected
Resigned as the group coordinator for partition 12 in epoch OptionalInt[7]
    coordinator-resigned
""",
}

# -- brokers, groups whose broker assigns

BROKER_ASSIGNS = {
    JAVA: r"""
[GroupId g] Member m-1 joins the consumer group.
    joins | group=g | kind=consumer | member=m-1
[GroupId g] Member m-1 joins the consumer group using the consumer protocol.
    joins | group=g | kind=consumer | member=m-1 | protocol=consumer
[GroupId g] Member m-1 joins the consumer group using the classic protocol.
    joins | group=g | kind=consumer | member=m-1 | protocol=classic
[GroupId g] Member m-1 joins the share group using the share protocol.
    joins | group=g | kind=share | member=m-1 | protocol=share
[GroupId g] Static member m-1 with instance id i-1 joins the consumer group using the consumer protocol.
    joins | group=g | kind=consumer | instance=i-1 | member=m-1 | protocol=consumer
[GroupId g] Static member with instance id i-1 re-joins the consumer group using the consumer protocol. Created a new member m-2 to replace the existing member m-1.
    joins | group=g | kind=consumer | instance=i-1 | member=m-2 | protocol=consumer
[GroupId g] Static member with unknown member id and instance id i-1 re-joins the consumer group. Created a new member m-2 to replace the existing member m-1.
    joins | group=g | kind=consumer | instance=i-1 | member=m-2
[GroupId g] Static member m-1 with instance id i-1 re-joins the consumer group.
    joins | group=g | kind=consumer | instance=i-1 | member=m-1
[GroupId g] Dynamic member with unknown member id joins the consumer group. Created a new member id m-1 and requesting the member to rejoin with this id.
    joins | group=g | kind=consumer | member=m-1
[GroupId g][MemberId m-1] Static member m-1 with instance id i-1 joins the streams group.
    joins | group=g | kind=streams | instance=i-1 | member=m-1
[GroupId g][MemberId m-2] Static member with instance id i-1 re-joins the streams group using the streams protocol. Created a new member m-2 to replace the existing member m-1.
    joins | group=g | kind=streams | instance=i-1 | member=m-2 | protocol=streams
[GroupId g][MemberId m-1] Static member m-1 with instance id i-1 left the streams group.
    leaves | group=g | kind=streams | instance=i-1 | member=m-1
[GroupId g][MemberId m-1] Static member m-1 with instance id i-1 temporarily left the streams group.
    leaves | group=g | kind=streams | instance=i-1 | member=m-1
[GroupId g][MemberId m-1] Bumped streams group epoch to 7 with metadata hash 42 and validated topic epoch 3.
    epoch-bumped | group=g | kind=streams | generation=7
[GroupId g][MemberId m-1] Computed new metadata hash: 42.
    metadata-changed | group=g
[GroupId g][MemberId m-1] Member's new assignment state: epoch=7, previousEpoch=6, state=STABLE, assignedTasks=TasksTuple{} and tasksPendingRevocation=TasksTuple{}.
    epoch | group=g | kind=streams | member=m-1 | generation=7
[GroupId g] Streams member m-1 fenced from the group because the member session expired.
    member-fenced | group=g | member=m-1 | cause=session-expired
[GroupId g] Member m-1 fenced from the group because the classic member failed to join within the rebalance timeout.
    member-fenced | group=g | member=m-1 | cause=rebalance-timeout
[GroupId g] Member m-1 fenced from the group because the member failed to sync within timeout.
    member-fenced | group=g | member=m-1 | cause=sync-not-sent
[GroupId g] Computed new subscription metadata: {a=TopicMetadata(name=a, numPartitions=6)}.
    metadata-changed | group=g
[GroupId g] Computed a new target assignment for epoch 7: {m-1=Assignment(partitions={x=[0]})}.
    assignment-computed | group=g | generation=7
[GroupId g] Static Member m-1 with instance id i-1 left the consumer group.
    leaves | group=g | kind=consumer | instance=i-1 | member=m-1
[GroupId g] Static Member m-1 with instance id i-1 temporarily left the consumer group.
    leaves | group=g | kind=consumer | instance=i-1 | member=m-1
[GroupId g] Static member m-2 with instance id i-1 cannot join the group because the instance id is is owned by member m-1.
    join-refused | group=g | instance=i-1 | member=m-2 | error=UNRELEASED_INSTANCE_ID
[GroupId g] Member m-1 updated its subscribed regex to: a.*.
    subscription-changed | group=g | member=m-1
[GroupId g][MemberId m-1] Member joins the streams group.
    joins | group=g | kind=streams | member=m-1
[GroupId g] Bumped group epoch to 7 with metadata hash -42.
    epoch-bumped | group=g | generation=7
[GroupId g] Bumped group epoch to 7.
    epoch-bumped | group=g | generation=7
[GroupId g] Bumped streams group epoch to 7 with metadata hash 42.
    epoch-bumped | group=g | kind=streams | generation=7
[GroupId g] Computed new metadata hash: 42.
    metadata-changed | group=g
[GroupId g] Computed a new target assignment for epoch 7 with 'uniform' assignor in 1ms.
    assignment-computed | group=g | generation=7 | protocol=uniform
[GroupId g] Computed a new target assignment for epoch 7 with 'range' assignor in 1ms: {m-1=Assignment(partitions={x=[0]})}.
    assignment-computed | group=g | generation=7 | protocol=range
[GroupId g] Member m-1 new assignment state: epoch=7, previousEpoch=6, state=STABLE, assignedPartitions=[x-0] and revokedPartitions=[].
    epoch | group=g | member=m-1 | generation=7
[GroupId g] Member m-1 new assignment state: epoch=7, previousEpoch=6, state=UNREVOKED_PARTITIONS, assignedPartitions=[x-0] and revokedPartitions=[x-1].
    epoch | group=g | member=m-1 | generation=7
[GroupId g] Member m-1 new assignment state: epoch=7, previousEpoch=6, state=STABLE, assignedPartitions=[x-0].
    epoch | group=g | member=m-1 | generation=7
[GroupId g] Member m-1 transitioned from CurrentAssignment(memberEpoch=6, previousMemberEpoch=5, targetMemberEpoch=6, state=stable, assignedPartitions={}) to CurrentAssignment(memberEpoch=7, previousMemberEpoch=6, targetMemberEpoch=7, state=stable, assignedPartitions={x=[0]}).
    epoch | group=g | member=m-1 | generation=7
[GroupId g] Member m-1 left the consumer group.
    leaves | group=g | kind=consumer | member=m-1
[GroupId g] Member m-1 left the share group.
    leaves | group=g | kind=share | member=m-1
[GroupId g] Static member m-1 with instance id i-1 temporarily left the consumer group.
    leaves | group=g | kind=consumer | instance=i-1 | member=m-1
[GroupId g] Static member m-1 with instance id i-1 left the consumer group.
    leaves | group=g | kind=consumer | instance=i-1 | member=m-1
[GroupId g][MemberId m-1] Member left the streams group.
    leaves | group=g | kind=streams | member=m-1
[GroupId g] Member m-1 fenced from the group because the member session expired.
    member-fenced | group=g | member=m-1 | cause=session-expired
[GroupId g] Member m-1 fenced from the group because its session expired.
    member-fenced | group=g | member=m-1 | cause=session-expired
[GroupId g][MemberId m-1] Member fenced from the group because its session expired.
    member-fenced | group=g | kind=streams | member=m-1 | cause=session-expired
[GroupId g] Member m-1 fenced from the group because it failed to transition from epoch 6 within 5000ms.
    member-fenced | group=g | member=m-1 | limit_ms=5000 | cause=slow-revoke-callback
[GroupId g] Member m-1 fenced from the group because it failed to revoke partitions within 5000ms.
    member-fenced | group=g | member=m-1 | limit_ms=5000 | cause=slow-revoke-callback
[GroupId g] Static member m-2 with instance id i-1 cannot join the consumer group because the instance id is owned by member m-1.
    join-refused | group=g | kind=consumer | instance=i-1 | member=m-2 | error=UNRELEASED_INSTANCE_ID
[GroupId g] Static member m-2 with instance id i-1 cannot join the group because the instance id is owned by member m-1.
    join-refused | group=g | instance=i-1 | member=m-2 | error=UNRELEASED_INSTANCE_ID
[GroupId g] Static member m-2 with instance id i-1 is fenced by existing member m-1.
    member-fenced | group=g | instance=i-1 | member=m-2 | error=FENCED_INSTANCE_ID
[GroupId g] Member m-1 updated its subscribed topics to: [a, b].
    subscription-changed | group=g | member=m-1
[GroupId g] Converted the classic group to a consumer group.
    migration | group=g
[GroupId g] Converted the consumer group to a classic group.
    migration | group=g
Downgrade group g from consumer to classic for member leaving.
    migration | group=g
Cannot upgrade classic group g to consumer group because the online upgrade is disabled.
Cannot downgrade consumer group g to classic group because not all its members use the classic protocol.
""",
}

# -- Java consumers

_GENERATION = "Generation{generationId=5, memberId='m-1', protocol='range'}"
CONSUMER_CLASSIC = {
    CONSUMER: r"""
(Re-)joining group
    joins | group=g | client=c
Successfully joined group with generation 5
    joined-and-synced | group=g | client=c | generation=5
Successfully joined group with generation Generation{generationId=5, memberId='m-1', protocol='range'}
    joined | group=g | client=c | member=m-1 | generation=5 | protocol=range
Finished assignment for group at generation 5: {m-1=Assignment(partitions=[a-0, a-b-1]), m-2=Assignment(partitions=[])}
    leader-assigns | group=g | client=c | generation=5 | assignment=m-1 a:0 a-b:1; m-2 -
Finished assignment for group at generation 5: {m-1=Assignment(partitions=[a-0], userDataSize=12), i-1-2=Assignment(partitions=[a-1], userDataSize=12)}
    leader-assigns | group=g | client=c | generation=5 | assignment=i-1-2 a:1; m-1 a:0
Finished assignment for group g at generation 5: {m-1=Assignment(partitions=[a-0])}
    leader-assigns | group=g | client=c | generation=5 | assignment=m-1 a:0
Successfully synced group in generation Generation{generationId=5, memberId='m-1', protocol='range'}
    assigned | group=g | client=c | member=m-1 | generation=5 | protocol=range
Notifying assignor about the new Assignment(partitions=[a-0, a-1])
    given | group=g | client=c | partitions=a:0,1
Adding newly assigned partitions: [a-0, a-b-1]
    partitions-assigned | group=g | client=c | partitions=a:0 a-b:1
Adding newly assigned partitions: a-0, a-b-1
    partitions-assigned | group=g | client=c | partitions=a:0 a-b:1
Adding newly assigned partitions: []
    partitions-assigned | group=g | client=c | partitions=-
Setting newly assigned partitions [a-0, a-b-1]
    partitions-assigned | group=g | client=c | partitions=a:0 a-b:1
Setting newly assigned partitions: a-0
    partitions-assigned | group=g | client=c | partitions=a:0
Revoke previously assigned partitions [a-0, a-b-1]
    partitions-revoked | group=g | client=c | partitions=a:0 a-b:1
Revoke previously assigned partitions a-0, a-b-1
    partitions-revoked | group=g | client=c | partitions=a:0 a-b:1
Revoking previously assigned partitions [a-0]
    partitions-revoked | group=g | client=c | partitions=a:0
Lost previously assigned partitions [a-0]
    partitions-lost | group=g | client=c | partitions=a:0
Lost previously assigned partitions a-0, a-1
    partitions-lost | group=g | client=c | partitions=a:0,1
Giving away all assigned partitions as lost since generation has been reset,indicating that consumer is no longer part of the group
Giving away all assigned partitions as lost since generation/memberID has been reset,indicating that consumer is in old state or no longer part of the group
Request joining group due to: need to re-join with the given member-id: m-1
    member-id-given | group=g | client=c | member=m-1
Request joining group due to: group is already rebalancing
    heartbeat-refused | group=g | client=c | error=REBALANCE_IN_PROGRESS
Request joining group due to: cached metadata has changed from (version12: {a=[partition=0, replicas=1]}) at the beginning of the rebalance to (version14: {a=[partition=0, replicas=1], b=[partition=0, replicas=1]})
    metadata-changed | group=g | client=c
Request joining group due to: need to revoke partitions [a-0, a-1] as indicated by the current assignment and re-join
    wants-to-join | group=g | client=c | cause=cooperative-second-round | partitions=a:0,1
Request joining group due to: encountered UNKNOWN_MEMBER_ID from HEARTBEAT response
    heartbeat-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Request joining group due to: encountered UNKNOWN_MEMBER_ID from JOIN_GROUP response
    join-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Request joining group due to: encountered ILLEGAL_GENERATION from SYNC_GROUP response
    sync-refused | group=g | client=c | error=ILLEGAL_GENERATION
Request joining group due to: encountered UNKNOWN_MEMBER_ID from OFFSET_COMMIT response
    commit-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Request joining group due to: rebalance failed due to 'The group member needs to have a valid member id before actually entering a consumer group.' (MemberIdRequiredException)
    member-id-given | group=g | client=c
Request joining group due to: rebalance failed due to 'Error reading field 'version': java.nio.BufferUnderflowException' (SchemaException)
    unreadable-subscription | group=g | client=c
Request joining group due to: rebalance failed due to 'The group is rebalancing, so a rejoin is needed.' (RebalanceInProgressException)
    wants-to-join | group=g | client=c | error=REBALANCE_IN_PROGRESS | reason=rebalance failed due to 'The group is rebalancing, so a rejoin is needed.' (RebalanceInProgressException)
Request joining group due to: consumer pro-actively leaving the group
Request joining group due to: triggered followup rebalance scheduled for 0
    wants-to-join | group=g | client=c | cause=cooperative-second-round
Request joining group due to: triggered followup rebalance scheduled for 1795650120500
    wants-to-join | group=g | client=c | cause=probing-rebalance
Attempt to heartbeat failed since group is rebalancing
    heartbeat-refused | group=g | client=c | error=REBALANCE_IN_PROGRESS
Attempt to heartbeat failed for since member id m-1 is not valid.
    heartbeat-refused | group=g | client=c | member=m-1 | error=UNKNOWN_MEMBER_ID
Attempt to heartbeat failed since generation 5 is not current
    heartbeat-refused | group=g | client=c | generation=5 | error=ILLEGAL_GENERATION
Attempt to heartbeat with Generation{generationId=5, memberId='m-1', protocol='range'} and group instance id Optional.empty failed due to UNKNOWN_MEMBER_ID, resetting generation
    heartbeat-refused | group=g | client=c | member=m-1 | generation=5 | error=UNKNOWN_MEMBER_ID
Attempt to heartbeat with Generation{generationId=5, memberId='m-1', protocol='range'} and group instance id Optional[i-1] failed due to FENCED_INSTANCE_ID, resetting generation
    heartbeat-refused | group=g | client=c | member=m-1 | generation=5 | error=FENCED_INSTANCE_ID
Attempt to heartbeat with stale Generation{generationId=5, memberId='m-1', protocol='range'} and group instance id Optional.empty failed due to UNKNOWN_MEMBER_ID, ignoring the error
consumer poll timeout has expired. This means the time between subsequent calls to poll() was longer than the configured max.poll.interval.ms, which typically implies that the poll loop is spending too much time processing messages.
    poll-timeout | group=g | client=c
Consumer poll timeout has expired. This means the time between subsequent calls to poll() was longer than the configured max.poll.interval.ms
    poll-timeout | group=g | client=c
This member will leave the group because consumer poll timeout has expired. This means the time between subsequent calls to poll() was longer than the configured max.poll.interval.ms
    poll-timeout | group=g | client=c
Member m-1 sending LeaveGroup request to coordinator b:9092 (id: 2147483646 rack: null) due to the consumer is being closed
    leaves | group=g | client=c | member=m-1 | reason=the consumer is being closed
Member m-1 sending LeaveGroup request to coordinator b:9092 (id: 2147483646 rack: null isFenced: false) due to consumer poll timeout has expired.
    leaves | group=g | client=c | member=m-1 | reason=consumer poll timeout has expired.
Sending LeaveGroup request to coordinator b:9092 (id: 2147483646 rack: null)
    leaves | group=g | client=c
Failing OffsetCommit request since the consumer is not part of an active group
    commit-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Offset commit failed on partition a-0 at offset 17: The coordinator is not aware of this member.
    commit-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Offset commit failed on partition a-0 at offset 17: The request timed out.
    commit-refused | group=g | client=c
OffsetCommit failed with Generation{generationId=5, memberId='m-1', protocol='range'}: The coordinator is not aware of this member.
    commit-refused | group=g | client=c | member=m-1 | generation=5 | error=UNKNOWN_MEMBER_ID
OffsetCommit failed with Generation{generationId=5, memberId='m-1', protocol='range'}: Specified group generation id is not valid.
    commit-refused | group=g | client=c | member=m-1 | generation=5 | error=ILLEGAL_GENERATION
Asynchronous auto-commit of offsets {a-0=OffsetAndMetadata{offset=17, leaderEpoch=null, metadata=''}} failed: Commit cannot be completed since the group has already rebalanced and assigned the partitions to another member.
    commit-refused | group=g | client=c
Synchronous auto-commit of offsets {a-0=OffsetAndMetadata{offset=17, leaderEpoch=null, metadata=''}} failed: Offset commit cannot be completed since the consumer is not part of an active group for auto partition assignment; it is likely that the consumer was kicked out of the group.
    commit-refused | group=g | client=c
JoinGroup failed due to fatal error: The group member's supported protocols are incompatible with those of existing members or first group member tried to join with empty protocol type or empty protocol list.
    join-refused | group=g | client=c | error=INCONSISTENT_GROUP_PROTOCOL
Attempt to join group failed due to fatal error: The group member's supported protocols are incompatible with those of existing members or first group member tried to join with empty protocol type or empty protocol list.
    join-refused | group=g | client=c | error=INCONSISTENT_GROUP_PROTOCOL
JoinGroup failed due to fatal error: The consumer group has reached its max size.
    join-refused | group=g | client=c | error=GROUP_MAX_SIZE_REACHED
JoinGroup failed: The coordinator is not aware of this member. Need to re-join the group. Sent generation was Generation{generationId=5, memberId='m-1', protocol='range'}
    join-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
JoinGroup failed: Coordinator b:9092 (id: 2147483646 rack: null) is loading the group.
    join-refused | group=g | client=c | error=COORDINATOR_LOAD_IN_PROGRESS
Join group failed with org.apache.kafka.common.errors.MemberIdRequiredException: The group member needs to have a valid member id before actually entering a consumer group.
SyncGroup failed: The group began another rebalance. Need to re-join the group. Sent generation was Generation{generationId=5, memberId='m-1', protocol='range'}
    sync-refused | group=g | client=c | error=REBALANCE_IN_PROGRESS
SyncGroup failed: The coordinator is not aware of this member. Need to re-join the group. Sent generation was Generation{generationId=5, memberId='m-1', protocol='range'}
    sync-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Group coordinator b:9092 (id: 1042277815 rack: null) is unavailable or invalid, will attempt rediscovery
    coordinator-lost | group=g | client=c
Group coordinator b:9092 (id: 2147483646 rack: null) is unavailable or invalid due to cause: coordinator unavailable. isDisconnected: true. Rediscovery will be attempted.
    coordinator-lost | group=g | client=c
Group coordinator b:9092 (id: 2147483646 rack: null) is unavailable or invalid due to cause: session timed out without receiving a heartbeat response. isDisconnected: false. Rediscovery will be attempted.
    session-timed-out | group=g | client=c
Consumer has been disconnected from the group coordinator for 301000ms
    coordinator-lost | group=g | client=c
Discovered group coordinator b:9092 (id: 2147483646 rack: null)
Attempt to heartbeat failed since coordinator b:9092 (id: 2147483646 rack: null) is either not started or not valid.
    coordinator-lost | group=g | client=c
Attempt to join group failed due to unknown member id.
    join-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Attempt to join group rejected since coordinator b:9092 (id: 2147483646 rack: null) is loading the group.
    join-refused | group=g | client=c | error=COORDINATOR_LOAD_IN_PROGRESS
Attempt to join group failed due to obsolete coordinator information: This is not the correct coordinator.
    join-refused | group=g | client=c | error=NOT_COORDINATOR
Attempt to join group with generation Generation{generationId=5, memberId='m-1', protocol='range'} failed because the group instance id Optional[i-1] has been fenced by another instance
    member-fenced | group=g | client=c | error=FENCED_INSTANCE_ID
JoinGroup failed due to non-fatal error: REBALANCE_IN_PROGRESS, which could indicate a replication timeout on the broker. Will retry.
    join-refused | group=g | client=c | error=REBALANCE_IN_PROGRESS
JoinGroup failed due to unsupported version error. Please unset field group.instance.id and retry to see if the problem resolves
    join-refused | group=g | client=c | error=UNSUPPORTED_VERSION
SyncGroup failed because the group began another rebalance
    sync-refused | group=g | client=c | error=REBALANCE_IN_PROGRESS
SyncGroup with Generation{generationId=5, memberId='m-1', protocol='range'} failed: The coordinator is not aware of this member., would request re-join
    sync-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Generation data was cleared by heartbeat thread to Generation{generationId=-1, memberId='', protocol='null'} and state is now UNJOINED before receiving SyncGroup response, marking this rebalance as failed and retry
    sync-refused | group=g | client=c
LeaveGroup request with Generation{generationId=5, memberId='m-1', protocol='range'} failed with error: The coordinator is not aware of this member.
    leave-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
Need to revoke partitions [a-0] and re-join the group
    wants-to-join | group=g | client=c | cause=cooperative-second-round | partitions=a:0
Requesting to re-join the group and trigger rebalance since the assignment metadata has changed from (version12: {a=6}) to (version13: {a=12})
    metadata-changed | group=g | client=c
Requesting to re-join the group and trigger rebalance since the subscription has changed from [a] to [a, b]
    wants-to-join | group=g | client=c | reason=subscription has changed from [a] to [a, b]
Request joining group due to: subscription has changed from [a] at the beginning of the rebalance to [a, b]
    wants-to-join | group=g | client=c | reason=subscription has changed from [a] at the beginning of the rebalance to [a, b]
Asynchronous auto-commit of offsets failed: joinPrepare timeout. Will continue to join group
    commit-refused | group=g | client=c
Resetting generation and member id due to: encountered UNKNOWN_MEMBER_ID from HEARTBEAT response
Resetting generation due to: consumer pro-actively leaving the group
Skipped assignment for returning static leader at generation 5. The static leader will perform its assignment based on its existing state
Subscribed to topic(s): a, b
    process-started | group=g | client=c
Subscribed to pattern: 'a.*'
    process-started | group=g | client=c
""",
    STATIC: r"""
(Re-)joining group
    joins | group=g | client=c | instance=i-1
Caught fenced group.instance.id Optional[i-1] error in heartbeat thread
    member-fenced | group=g | client=c | instance=i-1 | error=FENCED_INSTANCE_ID
JoinGroup failed: The group instance id Optional[i-1] has been fenced by another instance. Sent generation was Generation{generationId=5, memberId='m-1', protocol='range'}
    member-fenced | group=g | client=c | instance=i-1 | error=FENCED_INSTANCE_ID
SyncGroup failed: The group instance id Optional[i-1] has been fenced by another instance. Sent generation was Generation{generationId=5, memberId='m-1', protocol='range'}
    member-fenced | group=g | client=c | instance=i-1 | error=FENCED_INSTANCE_ID
Received fatal exception: group.instance.id gets fenced
    member-fenced | group=g | client=c | instance=i-1 | error=FENCED_INSTANCE_ID
""",
}

CONSUMER_848 = {
    CONSUMER: r"""
Member m-1 with epoch 0 transitioned from UNSUBSCRIBED to JOINING.
    joins | group=g | client=c | member=m-1 | generation=0
Member m-1 with epoch 7 transitioned from JOINING to RECONCILING.
    member-state | group=g | client=c | member=m-1 | generation=7
Member m-1 with epoch 7 transitioned from ACKNOWLEDGING to STABLE.
    member-state | group=g | client=c | member=m-1 | generation=7
Member m-1 with epoch 7 transitioned from STABLE to PREPARE_LEAVING.
    member-state | group=g | client=c | member=m-1 | generation=7
Member m-1 with epoch -1 transitioned from PREPARE_LEAVING to LEAVING.
    leaves | group=g | client=c | member=m-1
Member m-1 with epoch 7 transitioned from STABLE to FENCED.
    member-fenced | group=g | client=c | member=m-1 | generation=7
Member m-1 with epoch -1 transitioned from LEAVING to STALE.
    member-state | group=g | client=c | member=m-1
Member m-1 with epoch 0 transitioned from RECONCILING to FATAL.
    member-state | group=g | client=c | member=m-1 | generation=0
Consumer poll timeout has expired. This means the time between subsequent calls to poll() was longer than the configured max.poll.interval.ms, which typically implies that the poll loop is spending too much time processing messages.
    poll-timeout | group=g | client=c
Time between subsequent calls to poll() was longer than the configured max.poll.interval.ms, exceeded approximately by 2345 ms. Member m-1 will rejoin the group now.
    poll-timeout | group=g | client=c | member=m-1 | over_ms=2345
ConsumerGroupHeartbeatRequest failed because member m-1 is unknown. in 5ms: Member m-1 is not a member of group g.
    heartbeat-refused | group=g | client=c | member=m-1 | error=UNKNOWN_MEMBER_ID
ShareGroupHeartbeatRequest failed because member m-1 is unknown. in 5ms: Member m-1 is not a member of group g.
    heartbeat-refused | group=g | client=c | member=m-1 | error=UNKNOWN_MEMBER_ID
ConsumerGroupHeartbeatRequest failed for member m-1 because epoch 7 is fenced. in 5ms: The consumer group member has a smaller member epoch (6) than the one known by the group coordinator (7).
    heartbeat-refused | group=g | client=c | member=m-1 | generation=7 | error=FENCED_MEMBER_EPOCH
GroupHeartbeatRequest failed due to FENCED_MEMBER_EPOCH: The consumer group member has a smaller member epoch
    heartbeat-refused | group=g | client=c | error=FENCED_MEMBER_EPOCH
ConsumerGroupHeartbeatRequest failed because the group coordinator Optional[b:9092 (id: 2147483646 rack: null)] is incorrect. Will attempt to find the coordinator again and retry in 100ms: This is not the correct coordinator.
    coordinator-lost | group=g | client=c
ConsumerGroupHeartbeatRequest failed due to fenced instance id i-1: null. This is expected in the case that the member was removed from the group by an admin client, and another member joined using the same group instance id.
    member-fenced | group=g | client=c | instance=i-1 | error=FENCED_INSTANCE_ID
Member m-1 with epoch 7 transitioned to fatal state
ConsumerGroupHeartbeatRequest failed due to FENCED_MEMBER_EPOCH. in 5ms: The consumer group member has a smaller member epoch (6) than the one known by the group coordinator (7).
    heartbeat-refused | group=g | client=c | error=FENCED_MEMBER_EPOCH
ConsumerGroupHeartbeatRequest failed due to unreleased instance id i-1: Static member m-2 with instance id i-1 cannot join
    join-refused | group=g | client=c | instance=i-1 | error=UNRELEASED_INSTANCE_ID
OffsetCommit failed with UNKNOWN_MEMBER_ID
    commit-refused | group=g | client=c | error=UNKNOWN_MEMBER_ID
OffsetCommit failed for member m-1 with stale member epoch error. Last epoch sent: 7
    commit-refused | group=g | client=c | member=m-1 | generation=7 | error=STALE_MEMBER_EPOCH
""",
    SHARE: r"""
Member m-1 with epoch 0 transitioned from UNSUBSCRIBED to JOINING.
    joins | group=g | client=c | member=m-1 | generation=0
""",
}

CONNECT = {
    WORKER: r"""
Rebalance started
    rebalance-seen | group=g | client=connect-1
(Re-)joining group
    joins | group=g | client=connect-1
Joined group at generation 5 with protocol version 2 and got assignment: Assignment{error=0, leader='w-1', leaderUrl='http://10.0.0.1:8083/', offset=12, connectorIds=[x], taskIds=[x-0, x-1], revokedConnectorIds=[], revokedTaskIds=[], delay=0} with rebalance delay: 0
    connect-assigned | group=g | client=connect-1 | generation=5 | protocol=2 | leader=w-1
Joined group at generation 5 and got assignment: Assignment{error=0, leader='w-1', leaderUrl='http://10.0.0.1:8083/', offset=12, connectorIds=[x], taskIds=[x-0]}
    connect-assigned | group=g | client=connect-1 | generation=5 | leader=w-1
Joined group and got assignment: Assignment{error=0, leader='w-1', leaderUrl='http://10.0.0.1:8083/', offset=12, connectorIds=[x], taskIds=[x-0]}
    connect-assigned | group=g | client=connect-1 | leader=w-1
Current config state offset 5 does not match group assignment 9. Forcing rebalance.
    connect-offsets-differ | group=g | client=connect-1
Current config state offset 5 is behind group assignment 9, reading to end of config log
Connector x config updated
    config-changed | group=g | client=connect-1
Tasks [x-0, x-1] configs updated
    config-changed | group=g | client=connect-1
Was selected to perform assignments, but do not have latest config found in sync request. Returning an empty configuration to trigger re-sync.
    connect-behind | group=g | client=connect-1
Broker coordinator was unreachable for 3000ms. Revoking previous assignment Assignment{error=0} to avoid running tasks while not being a member the group
    coordinator-lost | group=g | client=connect-1
""",
}

KAFKA_STREAMS = {
    STREAMS: r"""
[app-StreamThread-1-consumer] Requesting followup rebalance be scheduled immediately by m-1 due to tasks changing ownership.
    wants-to-join | client=app-StreamThread-1-consumer | cause=cooperative-second-round
[app-StreamThread-1-consumer] Requesting followup rebalance be scheduled by m-1 for 1795650120500 to probe for caught-up replica tasks.
    wants-to-join | client=app-StreamThread-1-consumer
[app-StreamThread-1] Detected that the thread is being fenced. This implies that this thread missed a rebalance and dropped out of the consumer group. Will close out all assigned tasks and rejoin the consumer group.
    error | client=app-StreamThread-1-consumer | reason=the thread missed a rebalance and dropped out of its group
[app-StreamThread-1] State transition from RUNNING to PARTITIONS_REVOKED
[app-StreamThread-1] task [0_1] Suspended from RUNNING
""",
}

SPRING_CONTAINERS = {
    SPRING: r"""
orders: partitions assigned: [a-0, a-b-1]
    partitions-assigned | group=orders | partitions=a:0 a-b:1
orders app: partitions revoked: [a-0]
    partitions-revoked | group=orders app | partitions=a:0
orders: partitions lost: []
    partitions-lost | group=orders | partitions=-
orders: Consumer stopped
""",
}

SMALLRYE = {
    "[2024-03-22 12:57:21,159] INFO [io.sma.rea.mes.kafka] (smallrye-kafka-consumer-thread-2) {}": r"""
SRMSG18224: Executing consumer revoked re-balance listener for group 'orders'
    partitions-revoked | group=orders
SRMSG18223: Executing consumer assigned re-balance listener for group 'orders'
    partitions-assigned | group=orders
SRMSG18226: Executed consumer revoked re-balance listener for group 'orders'
""",
}

_TABLES = {
    "spring": SPRING_CONTAINERS,
    "smallrye": SMALLRYE,
    "streams": KAFKA_STREAMS,
    "broker, classic": BROKER_CLASSIC,
    "broker, assigning": BROKER_ASSIGNS,
    "consumer, classic": CONSUMER_CLASSIC,
    "consumer, KIP-848": CONSUMER_848,
    "connect": CONNECT,
}


def documented() -> Iterator[tuple[str, list[str]]]:
    """Each line with the events that stand below it, indented."""
    for table in _TABLES.values():
        for program, text in table.items():
            for block in re.split(r"\n(?!    )", text.strip("\n")):
                message, *events = block.split("\n")
                yield program.replace("{}", message), [event.strip() for event in events]


LINES = list(documented())


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_proves_what_its_source_says(line: str, expected: list[str]) -> None:
    reader_events = read(line + "\n")
    assert [facts(event).partition(" | ")[2] for event in reader_events] == expected


def test_no_documented_line_is_unknown() -> None:
    reader = LogReader()
    list(reader.read(io.BytesIO("\n".join(line for line, _ in LINES).encode())))
    assert reader.unknown == {}, [family.examples for family in reader.families if family.unknown]


def test_a_consumer_without_a_group_is_in_none() -> None:
    """A client that assigns itself its partitions, as MirrorMaker's and Streams' restore ones do."""
    line = CONSUMER.replace("groupId=g", "groupId=null").replace("{}", "Subscribed to topic(s): a")
    (event,) = read(line + "\n")
    assert event.group == ""


def test_spring_in_json_is_known_by_its_logger() -> None:
    record = {"@timestamp": "2026-11-25T23:33:01.181Z", "message": "g: partitions assigned: [a-0]"}
    logger = "org.springframework.kafka.listener.KafkaMessageListenerContainer"
    (event,) = read(json.dumps(record | {"logger_name": logger}))
    assert (event.group, event.fields["partitions"]) == ("g", (("a", 0),))
    assert read(json.dumps(record)) == []
