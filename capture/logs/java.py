"""Lines of the Java clients: consumer (classic, KIP-848, share), Connect's workers, Streams.

Sources: AbstractCoordinator, ConsumerCoordinator, AbstractMembershipManager and their
neighbours in org.apache.kafka.clients.consumer.internals, 2.0 to 4.3; WorkerCoordinator and
DistributedHerder of Connect; StreamThread and StreamsPartitionAssignor of Streams.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .event import LogEvent
from .family import Family, OriginFamily
from .layouts import LogLine
from .rows import Row, Table
from .values import assignment_of, partitions_of

__all__ = ["Java", "JavaSettings"]

_ORIGIN = re.compile(
    r"\[(?P<what>Consumer|ShareConsumer|Worker|AdminClient|Producer) "
    r"(?:instanceId=(?P<instance>.*?), )?clientId=(?P<client>.*?)(?:, groupId=(?P<group>.*?))?\] ?"
)


def _parts(values: dict[str, Any]) -> None:
    values["partitions"] = partitions_of(values["partitions"])


def _metadata(values: dict[str, Any]) -> None:
    """A broker that starts answers without the topics for a moment: nothing has changed."""
    if re.search(r" to \(version\d*: \{\w*[^}]*=\[\]", values.get("detail", "")):
        values["is_empty"] = True


def _assignment(values: dict[str, Any]) -> None:
    values["assignment"] = assignment_of(values["assignment"])


_GENERATION = (
    "Generation\\{generationId=<generation>, memberId='<member>', protocol='<protocol>'\\}"
)
_SENT = "Generation\\{generationId=<generation>, memberId='<member>', protocol=…\\}"

_CLASSIC = (
    Row("joins", "(Re-)joining group"),
    Row("joined", f"Successfully joined group with generation {_GENERATION}"),
    Row("joined-and-synced", "Successfully joined group with generation <generation>"),
    Row("leader-assigns", "Finished assignment for group[ <group>] at generation <generation>: "
        "<assignment>", _assignment),
    Row("assigned", f"Successfully synced group in generation {_GENERATION}"),
    Row("given", "Notifying assignor about the new Assignment(partitions=\\[<partitions>\\]",
        _parts),
    Row("partitions-assigned", "{Adding|Setting} newly assigned partitions[:] <partitions>",
        _parts),
    Row("partitions-revoked", "{Revoke|Revoking} previously assigned partitions[:] <partitions>",
        _parts),
    Row("partitions-lost", "Lost previously assigned partitions[:] <partitions>", _parts),
    Row("", "Giving away all assigned partitions as lost since generation"),
    Row("owned", "Updating assignment with"),
    Row("member-id-given", "Request joining group due to: need to re-join with the given "
        "member-id[: <member>]"),
    Row("", "Request joining group due to: consumer pro-actively leaving the group"),
    Row("heartbeat-refused", "Request joining group due to: group is already rebalancing",
        error="REBALANCE_IN_PROGRESS"),
    Row("metadata-changed", "Request joining group due to: cached metadata has changed[ from "
        "<detail>]", _metadata),
    Row("wants-to-join", "Request joining group due to: need to revoke partitions <partitions> as "
        "indicated by the current assignment and re-join", _parts,
        cause="cooperative-second-round"),
    Row("wants-to-join", "Request joining group due to: need to revoke partitions[ <detail>]",
        cause="cooperative-second-round"),
    Row("heartbeat-refused", "Request joining group due to: encountered <error> from HEARTBEAT "
        "response"),
    Row("join-refused", "Request joining group due to: encountered <error> from JOIN_GROUP "
        "response"),
    Row("sync-refused", "Request joining group due to: encountered <error> from SYNC_GROUP "
        "response"),
    Row("commit-refused", "Request joining group due to: encountered <error> from OFFSET_COMMIT "
        "response"),
    Row("wants-to-join", "Request joining group due to: triggered followup rebalance scheduled for "
        "0", cause="cooperative-second-round"),
    Row("wants-to-join", "Request joining group due to: triggered followup rebalance scheduled for "
        "<detail>", cause="probing-rebalance"),
    Row("unreadable-subscription", "Request joining group due to: rebalance failed due to "
        "'<detail>' ({SchemaException|BufferUnderflowException})"),
    Row("wants-to-join", "Request joining group due to: <reason>"),
    Row("heartbeat-refused", "Attempt to heartbeat failed since group is rebalancing",
        error="REBALANCE_IN_PROGRESS"),
    Row("heartbeat-refused", "Attempt to heartbeat failed for since member id <member> is not "
        "valid",
        error="UNKNOWN_MEMBER_ID"),
    Row("heartbeat-refused", "Attempt to heartbeat failed since generation <generation> is not "
        "current", error="ILLEGAL_GENERATION"),
    Row("heartbeat-refused", f"Attempt to heartbeat with {_SENT} and group instance id <detail> "
        "failed due to <error>, resetting generation"),
    Row("", "Attempt to heartbeat with stale Generation"),
    Row("leaves", "Member <member> sending LeaveGroup request to coordinator <host> (id: …) due to "
        "<reason>"),
    Row("leaves", "Sending LeaveGroup request to coordinator <host> (id: …)[ due to <reason>]"),
    Row("poll-timeout", "onsumer poll timeout has expired. This means"),
    Row("poll-timeout", "This member will leave the group because consumer poll timeout has "
        "expired"),
    Row("commit-refused", "Failing OffsetCommit request since the consumer is not part of an "
        "active "
        "group", error="UNKNOWN_MEMBER_ID"),
    Row("commit-refused", "OffsetCommit failed with " + _SENT + ": <detail>"),
    Row("commit-refused", "Offset commit failed on partition <topic_partition> at offset <offset>: "
        "<detail>"),
    Row("commit-refused", "{Asynchronous|Synchronous} auto-commit of offsets … failed: <detail>"),
    Row("commit-refused", "Offset commit with offsets … failed"),
    Row("member-fenced", "Caught fenced group.instance.id <detail> error in heartbeat thread",
        error="FENCED_INSTANCE_ID"),
    Row("member-fenced", "{JoinGroup|SyncGroup|OffsetCommit} failed: The group instance id "
        "<detail> "
        "has been fenced", error="FENCED_INSTANCE_ID"),
    Row("member-fenced", "Received fatal exception: group.instance.id gets fenced",
        error="FENCED_INSTANCE_ID"),
    Row("join-refused", "{JoinGroup failed|Attempt to join group failed} due to fatal error: The "
        "group member's supported protocols are incompatible", error="INCONSISTENT_GROUP_PROTOCOL"),
    Row("join-refused", "{JoinGroup failed|Attempt to join group failed} due to fatal error: "
        "<detail>"),
    Row("sync-refused", "SyncGroup failed: The group began another rebalance",
        error="REBALANCE_IN_PROGRESS"),
    Row("sync-refused", "SyncGroup failed: The coordinator is not aware of this member",
        error="UNKNOWN_MEMBER_ID"),
    Row("sync-refused", "SyncGroup failed: <detail>"),
    Row("join-refused", "JoinGroup failed: Coordinator <host> (id: …) is loading the group",
        error="COORDINATOR_LOAD_IN_PROGRESS"),
    Row("join-refused", "JoinGroup failed: <detail>"),
    Row("session-timed-out", "Group coordinator <host> (id: …) is unavailable or invalid due to "
        "cause: session timed out without receiving a heartbeat response"),
    Row("coordinator-lost", "Group coordinator <host> (id: …) is unavailable or invalid due to "
        "cause: <detail>. isDisconnected"),
    Row("coordinator-lost", "Group coordinator <host> (id: …) is unavailable or invalid"),
    Row("", "Discovered group coordinator"),
    Row("coordinator-lost", "onsumer has been disconnected from the group coordinator for "
        "<detail>"),
    Row("process-started", "Subscribed to {topic(s)|topics|pattern}: <topics>"),
    Row("", "Resetting generation"),
    *(Row("", text) for text in (
        "Resetting offset for", "Setting offset for", "Found no committed offset", "Cluster ID:",
        "Requesting disconnect from", "Client requested disconnect",
        "Resetting the last seen epoch", "Node … disconnected", "Error sending fetch request",
        "Cancelled in-flight", "Bootstrap broker", "Rebootstrapping", "Connection to node",
        "Seeking to", "Unsubscribed all topics", "Assigned to partition",
        "Join group failed with", "Error while fetching metadata", "Fetch position",
        "The following subscribed topics", "Fetch offset", "Subscribed to partition",
        "Committed offset", "Pausing partitions", "Resuming partitions",
        "Initializing the Kafka consumer", "Kafka consumer initialized",
        "Closing the Kafka consumer", "Kafka consumer has been closed", "Sending ", "Received ",
        "Enabling heartbeat thread", "Disabling heartbeat thread", "Heartbeat thread",
        "Joining group with current subscription", "Catching up to assignment",
        "Group coordinator lookup failed", "Coordinator discovery failed",
        "Marking partitions pending for revocation", "Cooperative rebalance triggered",
        "Broker coordinator is ", "Connect group member created",
        "LeaveGroup request returned successfully", "The event to update the new assignment",
        "The ConsumerRebalanceListener", "Auto-commit before reconciling",
        "The consumer rebalance protocol (KIP-848)", "The Streams rebalance protocol",
        "Ensuring group membership", "Finished starting connectors",
        "Starting connectors and tasks", "Handling completed but unresolved rebalance",
        "Completed ", "Skipped assignment for returning static leader", "Executing onJoin",
        "Performing assignment", "Using older server API", "Initialize connection", "Initiating",
    )),
)  # fmt: skip

_STATES = {"leaves": "LEAVING", "joins": "JOINING", "member-fenced": "FENCED"}
_ASSIGNED_BY_BROKER = (
    *(
        Row(event, f"Member <member> with epoch <generation> transitioned from <earlier_state> "
            f"to {state}.")
        for event, state in _STATES.items()
    ),
    Row("member-state", "Member <member> with epoch <generation> transitioned from <earlier_state> "
        "to <state>."),
    Row("", "Reconciling assignment with local epoch"),
    Row("poll-timeout", "Time between subsequent calls to poll() was longer than … exceeded "
        "approximately by <over_ms> ms. Member <member> will rejoin the group now"),
    Row("heartbeat-refused", "HeartbeatRequest failed because member <member> is unknown",
        error="UNKNOWN_MEMBER_ID"),
    Row("heartbeat-refused", "HeartbeatRequest failed due to {FENCED_MEMBER_EPOCH|… fenced …}",
        error="FENCED_MEMBER_EPOCH"),
    Row("join-refused", "HeartbeatRequest failed due to unreleased instance id <instance>",
        error="UNRELEASED_INSTANCE_ID"),
    Row("commit-refused", "OffsetCommit failed with <error>"),
    Row("commit-refused", "OffsetCommit failed for member <member> with stale member epoch error. "
        "Last epoch sent: <generation>", error="STALE_MEMBER_EPOCH"),
)  # fmt: skip

_CONNECT = (
    Row("rebalance-seen", "Rebalance started"),
    Row("connect-assigned", "Joined group[ at generation <generation>][ with protocol version "
        "<protocol>] and got assignment: Assignment\\{error=<code>, leader='<leader>', leaderUrl="
        "'<url>', offset=<offset>, <detail>\\}[ with rebalance delay: <delay>]"),
    Row("connect-behind", "Was selected to perform assignments, but do not have latest config "
        "found"),
    Row("connect-offsets-differ", "Current config state offset <offset> does not match group "
        "assignment <expected>. Forcing rebalance"),
    Row("", "Current config state offset <offset> is behind group assignment"),
    Row("config-changed", "Connector <connector> config updated"),
    Row("config-changed", "Tasks <connector> configs updated"),
    Row("coordinator-lost", "Broker coordinator was unreachable for <detail>"),
)  # fmt: skip


class Java(OriginFamily):
    """Apache Kafka's own clients."""

    name = "java"
    signs = (b"[Consumer ", b"[ShareConsumer ", b"[Worker ")
    origin = _ORIGIN
    table = Table((*_CONNECT, *_ASSIGNED_BY_BROKER, *_CLASSIC))


class JavaSettings(Family):
    """What Java clients print at their start: their settings, and their release."""

    name = "java"
    signs = (b"Config values:", b"Kafka version")

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        release = _VERSION.search(text)
        if release is not None:
            fields = {"release": release[1]}
            return (
                LogEvent("release", "client", self.name, line.number, line.stamp, fields=fields),
            )
        heading = _SETTINGS.search(text)
        if heading is None:
            return None
        settings = dict(_SETTING.findall(text, heading.end()))
        if not settings:
            return ()
        return (
            LogEvent(
                "settings",
                "client",
                self.name,
                line.number,
                line.stamp,
                group=_name(settings.get("group.id")),
                client=_name(settings.get("client.id")),
                instance=_name(settings.get("group.instance.id")),
                fields={"of": heading[1], "settings": settings},
                text=heading[0],
            ),
        )


_VERSION = re.compile(r"\bKafka version ?: (\d[\w.-]*)")
_SETTINGS = re.compile(
    r"\b(ConsumerConfig|ShareConsumerConfig|StreamsConfig|DistributedConfig) values:"
)
_SETTING = re.compile(r"^\s*([a-z][\w.]+) = (.*?)\s*$", re.MULTILINE)


def _name(value: str | None) -> str:
    return "" if value in (None, "null", "") else str(value)
