"""Lines of the Java clients: consumer (classic, KIP-848, share), Connect's workers, Streams.

Sources: AbstractCoordinator, ConsumerCoordinator, AbstractMembershipManager and their
neighbours in org.apache.kafka.clients.consumer.internals, 2.0 to 4.3; WorkerCoordinator and
DistributedHerder of Connect; StreamThread and StreamsPartitionAssignor of Streams.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .error_texts import error_of, name_error
from .event import LogEvent
from .family import Family, OriginFamily, events_of_row, logger_of
from .layouts import LogLine
from .rows import Row, Table
from .values import assignment_of, partitions_of

__all__ = ["Java", "JavaPositions", "JavaSettings", "SmallRye", "Spring", "Streams"]

_ORIGIN = re.compile(
    r"\[(?P<what>Consumer|ShareConsumer|Worker|AdminClient|Producer) "
    r"(?:instanceId=(?P<instance>.{0,400}?), )?clientId=(?P<client>.{0,400}?)"
    r"(?:, groupId=(?:null|(?P<group>.{0,400}?)))?\](?:\s|$)"
)


def _parts(values: dict[str, Any]) -> None:
    values["partitions"] = partitions_of(values["partitions"])


def _metadata(values: dict[str, Any]) -> None:
    """A broker that starts answers without the topics for a moment: nothing has changed."""
    if re.search(r" to \(version\d*: \{\w*[^}]*=\[\]", values.get("detail", "")):
        values["is_empty"] = True


def _assignment(values: dict[str, Any]) -> None:
    values["assignment"] = assignment_of(values["assignment"])


def _reason(values: dict[str, Any]) -> None:
    """The reason of a rejoin names the error that it comes from, if any."""
    error = error_of(values["reason"])
    if error:
        values["error"] = error


def _refused_offset(values: dict[str, Any]) -> None:
    name_error(values)
    partitions = partitions_of(values["topic_partition"])
    values["offsets"] = dict.fromkeys(partitions, int(values["offset"]))


def _auto_commit(values: dict[str, Any]) -> None:
    """Of CommitFailedException's texts: the member is out of the group, whichever error said so."""
    name_error(values)
    if _OUT.search(values["detail"]):
        values["is_out_of_group"] = True
    commits = _COMMIT.findall(values.pop("offsets", None) or "")
    if commits:
        values["offsets"] = {(topic, int(number)): int(at) for topic, number, at in commits}


_OUT = re.compile(r"is not part of an active group|group has already rebalanced and assigned")
_COMMIT = re.compile(r"([\w.-]+)-(\d{1,20})=OffsetAndMetadata\{offset=(\d{1,20})")

_GENERATION = (
    "Generation\\{generationId=<generation>, memberId='<member>', protocol='<protocol>'\\}"
)
_SENT = "Generation\\{generationId=<generation>, memberId='<member>', protocol=…\\}"

_GIVEN = Row(
    "given", "Notifying assignor about the new Assignment(partitions=\\[<partitions>\\]", _parts
)
_OFFSET_REFUSED = Row(
    "commit-refused",
    "Offset commit failed on partition <topic_partition> at offset <offset>: <detail>",
    _refused_offset,
)

_CLASSIC = (
    Row("joins", "(Re-)joining group"),
    Row("joined", f"Successfully joined group with generation {_GENERATION}"),
    Row("joined-and-synced", "Successfully joined group with generation <generation>"),
    Row("leader-assigns", "Finished assignment for group[ <group>] at generation <generation>: "
        "<assignment>", _assignment),
    Row("assigned", f"Successfully synced group in generation {_GENERATION}"),
    _GIVEN,
    Row("partitions-assigned", "{Adding|Setting} newly assigned partitions[:] <partitions>",
        _parts),
    Row("partitions-revoked", "{Revoke|Revoking} previously assigned partitions[:] <partitions>",
        _parts),
    Row("partitions-lost", "Lost previously assigned partitions[:] <partitions>", _parts),
    Row("", "Giving away all assigned partitions as lost since generation"),
    Row("wants-to-join", "Need to revoke partitions <partitions> and re-join the group", _parts,
        cause="cooperative-second-round"),
    Row("metadata-changed", "Requesting to re-join the group and trigger rebalance since the "
        "assignment metadata has changed[ from <detail>]", _metadata),
    # By its application, or by a topic that its pattern now has.
    Row("wants-to-join", "Requesting to re-join the group and trigger rebalance since the "
        "<reason>", _reason),
    Row("wants-to-join", "We received an assignment <partitions> that doesn't match our current "
        "subscription", _parts),
    Row("owned", "Updating assignment with"),
    Row("member-id-given", "Request joining group due to: need to re-join with the given "
        "member-id[: <member>]"),
    Row("", "Request joining group due to: consumer pro-actively leaving the group"),
    Row("member-id-given", "Request joining group due to: rebalance failed due to '<detail>' "
        "(MemberIdRequiredException)"),
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
    Row("wants-to-join", "Request joining group due to: triggered followup rebalance scheduled "
        "for 0", cause="cooperative-second-round"),
    Row("wants-to-join", "Request joining group due to: triggered followup rebalance scheduled "
        "for <detail>", cause="probing-rebalance"),
    Row("unreadable-subscription", "Request joining group due to: rebalance failed due to "
        "'<detail>' ({SchemaException|BufferUnderflowException})"),
    Row("wants-to-join", "Request joining group due to: <reason>", _reason),
    Row("heartbeat-refused", "Attempt to heartbeat failed since group is rebalancing",
        error="REBALANCE_IN_PROGRESS"),
    Row("heartbeat-refused", "Attempt to heartbeat failed for since member id <member> is not "
        "valid",
        error="UNKNOWN_MEMBER_ID"),
    Row("heartbeat-refused", "Attempt to heartbeat failed since generation <generation> is not "
        "current", error="ILLEGAL_GENERATION"),
    Row("heartbeat-refused", "Attempt to heartbeat failed for since marked as dead by the "
        "coordinator"),
    Row("coordinator-lost", "Attempt to heartbeat failed since coordinator <detail> is either not "
        "started or not valid"),
    Row("heartbeat-refused", f"Attempt to heartbeat with {_SENT} and group instance id <detail> "
        "failed due to <error>, resetting generation"),
    Row("", "Attempt to heartbeat with stale Generation"),
    Row("leaves", "Member <member> sending LeaveGroup request to coordinator <host> (id: …) due "
        "to <reason>"),
    Row("leaves", "Member <member> sending LeaveGroup request to coordinator"),
    Row("leaves", "Sending LeaveGroup request to coordinator <host> (id: …)[ due to <reason>]"),
    Row("leave-refused", "LeaveGroup request [with … ]failed with error: <detail>", name_error),
    Row("poll-timeout", "onsumer poll timeout has expired. This means"),
    Row("poll-timeout", "This member will leave the group because consumer poll timeout has "
        "expired"),
    Row("commit-refused", "Failing OffsetCommit request since the consumer is not part of an "
        "active group", error="UNKNOWN_MEMBER_ID"),
    Row("commit-refused", "OffsetCommit failed with " + _SENT + " due to group instance id "
        "<detail> fenced", error="FENCED_INSTANCE_ID"),
    Row("commit-refused", "OffsetCommit failed with " + _SENT + ": <detail>", name_error),
    _OFFSET_REFUSED,
    Row("commit-refused", "{Asynchronous|Synchronous} auto-commit of offsets [<offsets> ]failed: "
        "<detail>", _auto_commit),
    # Of any failure: its trace tells whether the member was refused.
    Row("commit-refused", "Offset commit with offsets … failed…\n….CommitFailedException"),
    Row("", "Offset commit with offsets … failed"),
    Row("member-fenced", "Caught fenced group.instance.id <detail> error in heartbeat thread",
        error="FENCED_INSTANCE_ID"),
    Row("member-fenced", "{JoinGroup|SyncGroup|OffsetCommit} failed: The group instance id "
        "<detail> has been fenced", error="FENCED_INSTANCE_ID"),
    Row("member-fenced", "Received fatal exception: group.instance.id gets fenced",
        error="FENCED_INSTANCE_ID"),
    Row("member-fenced", "{Attempt to join group with generation|SyncGroup with} … failed because "
        "the group instance id <detail> has been fenced", error="FENCED_INSTANCE_ID"),
    # The answer that asks for a second JoinGroup: it is no refusal.
    Row("member-id-given", "Attempt to join group returned … error. Will set the member id as "
        "<member> and then rejoin", error="MEMBER_ID_REQUIRED"),
    Row("member-id-given", "JoinGroup failed due to non-fatal error: … Will set the member id as "
        "<member> and then rejoin", error="MEMBER_ID_REQUIRED"),
    Row("join-refused", "JoinGroup failed due to non-fatal error: <detail>", name_error),
    Row("join-refused", "{JoinGroup failed|Attempt to join group failed} due to {fatal "
        "error|unexpected error}: <detail>", name_error),
    Row("join-refused", "{JoinGroup failed|Attempt to join group failed} due to unsupported "
        "version error", error="UNSUPPORTED_VERSION"),
    Row("join-refused", "JoinGroup failed due to inconsistent Protocol Type",
        error="INCONSISTENT_GROUP_PROTOCOL"),
    Row("sync-refused", "SyncGroup failed due to inconsistent Protocol",
        error="INCONSISTENT_GROUP_PROTOCOL"),
    Row("join-refused", "Attempt to join group failed due to unknown member id",
        error="UNKNOWN_MEMBER_ID"),
    Row("join-refused", "Attempt to join group failed due to obsolete coordinator information: "
        "<detail>", name_error),
    Row("join-refused", "{Attempt to join group rejected since coordinator|JoinGroup failed: "
        "Coordinator} <host> (id: …) is loading the group", error="COORDINATOR_LOAD_IN_PROGRESS"),
    Row("join-refused", "JoinGroup failed: <detail>", name_error),
    Row("sync-refused", "SyncGroup failed{ because the|: The} group began another rebalance",
        error="REBALANCE_IN_PROGRESS"),
    Row("sync-refused", "SyncGroup {failed|with … failed}: <detail>", name_error),
    # The answer came too late: the member had lost its generation, or has it no more.
    Row("sync-refused", "Generation data was cleared by heartbeat thread … and state is now "
        "<state> before receiv{ing|ed} SyncGroup response"),
    Row("session-timed-out", "Group coordinator <host> (id: …) is unavailable or invalid due to "
        "cause: session timed out without receiving a heartbeat response"),
    Row("coordinator-lost", "Group coordinator <host> (id: …) is unavailable or invalid due to "
        "cause: <detail>.[ ]isDisconnected"),
    Row("coordinator-lost", "Group coordinator <host> (id: …) is unavailable or invalid"),
    Row("", "Discovered {group |}coordinator"),
    Row("coordinator-lost", "Marking the coordinator <detail> dead"),  # to 1.1
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
        "Starting connectors and tasks", "Starting connector ", "Starting task ",
        "ProducerId set to ", "Handling completed but unresolved rebalance",
        "Completed ", "Skipped assignment for returning static leader", "Executing onJoin",
        "Performing assignment", "Using older server API", "Initialize connection", "Initiating",
        "Generation data was cleared by heartbeat thread", "Rebalance failed.",
        "A group authorization error occurred in the heartbeat thread",
        "An authentication error occurred in the heartbeat thread",
        "Unexpected interrupt received in heartbeat thread", "FindCoordinator request ",
        "Close timed out with ", "Interrupted while waiting for consumer heartbeat thread",
        "still waiting to ensure active group", "The following not-subscribed topics are assigned",
        "User provided listener ", "With the COOPERATIVE protocol, owned partitions cannot be",
        "Ignoring the returned ", "Discarding error in OffsetsForLeaderEpoch",
        "Assigned partition … for non-subscribed topic", "Final assignment of partitions",
        "Support for using the empty group id", "claiming the same TopicPartition",
        "is assigned to multiple consumers", "is assigned to more than one consumer",
        "is assigned more partitions than the maximum", "should have … partitions, but got",
        "Expected partition '", "No more unfilled consumers", "Filled the last member up to",
        "Current number of members with more than the minQuota",
    )),
)  # fmt: skip

_STATES = {"leaves": "LEAVING", "joins": "JOINING", "member-fenced": "FENCED"}
_HEARTBEAT = "{HeartbeatRequest|GroupHeartbeat} failed "
_ASSIGNED_BY_BROKER = (
    *(
        Row(event, f"Member <member> with epoch <generation> transitioned from <earlier_state> "
            f"to {state}.")
        for event, state in _STATES.items()
    ),
    Row("member-state", "Member <member> with epoch <generation> transitioned from "
        "<earlier_state> to <state>."),
    Row("", "Reconciling assignment with local epoch"),
    Row("poll-timeout", "Time between subsequent calls to poll() was longer than … exceeded "
        "approximately by <over_ms> ms. Member <member> will rejoin the group now"),
    Row("heartbeat-refused", _HEARTBEAT + "because member <member> is unknown",
        error="UNKNOWN_MEMBER_ID"),
    Row("heartbeat-refused", _HEARTBEAT + "for member <member> because epoch <generation> is "
        "fenced",
        error="FENCED_MEMBER_EPOCH"),
    Row("coordinator-lost", _HEARTBEAT + "because the group coordinator <detail> is "
        "{incorrect|not available|still loading}. Will"),
    Row("join-refused", _HEARTBEAT + "due to unreleased instance id <instance>: ",
        error="UNRELEASED_INSTANCE_ID"),
    Row("join-refused", _HEARTBEAT + "due to the instance id <instance> was not released: ",
        error="UNRELEASED_INSTANCE_ID"),
    Row("member-fenced", _HEARTBEAT + "{due to fenced instance id <instance>|because instance id "
        "<named_instance> is fenced}: ", error="FENCED_INSTANCE_ID"),
    Row("error", _HEARTBEAT + "due to group authorization failure",
        error="GROUP_AUTHORIZATION_FAILED"),
    Row("heartbeat-refused", _HEARTBEAT + "{due to|because of} <error>{:|.} "),
    Row("error", _HEARTBEAT + "due to {unexpected error|error|fatal error}", name_error),
    Row("", _HEARTBEAT),
    Row("commit-refused", "OffsetCommit failed with <error>"),
    Row("commit-refused", "OffsetCommit failed for member <member> with stale member epoch error. "
        "Last epoch sent: <generation>", error="STALE_MEMBER_EPOCH"),
    Row("topics-missing", "Membership is in the following statuses: …MISSING_SOURCE_TOPICS"),
    *(Row("", text) for text in (
        "Auto-commit request before reconciling", "callback to release assignment",
        "transitioned to fatal state", "callback invocation failed while releasing assignment",
        " got fenced but it ", " was leaving the group with state ",
        "Heartbeat to leave group cannot be sent", "Leaving newly assigned partitions ",
        "response to the heartbeat to leave the group", "won't send leave group request",
        "No action taken to join the group", "Releasing assignment and leaving group",
        "Unsubscribing all topics or patterns", "Consumer triggered an unsubscribe event",
        "Operation not supported in new consumer group protocol", "OffsetFetch failed with ",
        "won't include member id and epoch", "is triggering callbacks to release assignment",
        "method completed with an error", "method completed successfully",
        "Group membership manager not present", "membership manager was not present",
        "No group instance ID found", "No group metadata found", "Non-member transitioned to ",
        "Interrupting reconciliation after partitions", "Auto-commit sync before rebalance",
        "Consumer attempted to leave the group", "The cluster does not support ",
        "Failed to commit offsets: ", "Assigned tasks with local",
        "Assigning active tasks ", "Revoking previously assigned active tasks",
        "callback to revoke task", "Revoking previously assigned and now lost",
        "Task revocation callback invocation failed", "Membership is in the following statuses",
        "transitioned to … state", "closed with REMAIN_IN_GROUP", "skipping leave heartbeat",
        "received GROUP_ID_NOT_FOUND",
    )),
)  # fmt: skip

_CONNECT = (
    Row("rebalance-seen", "Rebalance started"),
    Row("connect-assigned", "Joined group[ at generation <generation>][ with protocol version "
        "<protocol>] and got assignment: Assignment\\{error=<code>, leader='<leader>', "
        "leaderUrl='<url>', offset=<offset>, <detail>\\}[ with rebalance delay: <delay>]"),
    Row("connect-behind", "Was selected to perform assignments, but do not have latest config "
        "found"),
    Row("connect-offsets-differ", "Current config state offset <offset> does not match group "
        "assignment <expected>. Forcing rebalance"),
    Row("", "Current config state offset <offset> is behind group assignment"),
    Row("poll-timeout", "worker poll timeout has expired"),
    *(Row("", text) for text in (
        "Finished flushing status backing store", "Finished stopping tasks in preparation",
        "Handling task config update by stopping tasks", "Revoking current running assignment",
        "Stopping connectors and tasks", "able to resume work after last rebalance",
        "Join group completed, but assignment failed", "Unable to claim write privileges",
        "Failed to write to config topic as leader", "The protocol used by this Connect cluster",
    )),
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


_STREAMS = Table((
    Row("topics-missing", "source topics are missing/unknown: <detail>"),
    Row("topics-missing", "Received error code INCOMPLETE_SOURCE_TOPIC_METADATA"),
    # The coordinator, or its members, say so too: at once, where tasks go from one to another.
    Row("wants-to-join", "Requesting followup rebalance be scheduled immediately by <scheduled> "
        "due to tasks changing ownership", cause="cooperative-second-round"),
    Row("wants-to-join", "Requesting followup rebalance be scheduled …to probe for caught-up"),
    Row("error", "Detected that the thread is being fenced. This implies that this thread missed "
        "a rebalance", reason="the thread missed a rebalance and dropped out of its group"),
))  # fmt: skip
_THREAD = re.compile(r"stream-thread \[(?P<client>[^\]]+?)(?:-consumer)?\] ")


class Streams(Family):
    """The threads of Kafka Streams, of which each has a consumer; that one's lines are Java's."""

    name = "java"
    signs = _STREAMS.signs

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        thread = _THREAD.search(text)
        entry = None if thread is None else _STREAMS.match(text, thread.end())
        if thread is None or entry is None:
            return None
        row, values = entry
        values["client"] = f"{thread['client']}-consumer"
        return tuple(events_of_row(self, line, text[thread.start() :], row, values))


_SPRING = Table((
    Row("partitions-assigned", " <group>: partitions assigned: \\[<partitions>\\]", _parts),
    Row("partitions-revoked", " <group>: partitions revoked: \\[<partitions>\\]", _parts),
    Row("partitions-lost", " <group>: partitions lost: \\[<partitions>\\]", _parts),
))  # fmt: skip
_CONTAINER = re.compile(
    r"(?<![\w.])(?:org\.springframework|o\.s|o\.springframework)\.[\w.]*\w+[ :-]+"
)


class Spring(Family):
    """The listener containers of Spring for Apache Kafka: what their consumer was told, with the
    group alone. Where the consumer prints it, too, its lines have more."""

    name = "spring"
    signs = (b": partitions assigned: [", b": partitions revoked: [", b": partitions lost: [")

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        if "springframework" in logger_of(line):  # in JSON the text does not begin with it
            text = f"o.s.kafka {text}"
        container = _CONTAINER.search(text)
        entry = None if container is None else _SPRING.match(text, container.end() - 1)
        if container is None or entry is None:
            return None
        row, values = entry
        return tuple(events_of_row(self, line, text[container.end() :], row, values))


_SMALLRYE = Table((
    Row("partitions-revoked", "SRMSG18224: Executing consumer revoked re-balance listener for "
        "group '<group>'"),
    Row("partitions-assigned", "SRMSG18223: Executing consumer assigned re-balance listener for "
        "group '<group>'"),
    Row("error", "SRMSG18221: Unable to execute consumer assigned re-balance listener for group "
        "'<group>'. <detail>"),
    Row("error", "SRMSG18222: Unable to execute consumer revoked re-balance listener for group "
        "'<group>'"),
    *(Row("", f"SRMSG182{code}: ") for code in (20, 25, 26)),
))  # fmt: skip


class SmallRye(Family):
    """The Kafka connector of SmallRye and Quarkus: when its consumer's listeners were called, with
    the group alone."""

    name = "smallrye"
    signs = (b"SRMSG182",)

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        start = text.find("SRMSG182")
        if start < 0:
            return None
        entry = _SMALLRYE.match(text, start)
        if entry is None:
            return ()
        row, values = entry
        return tuple(events_of_row(self, line, text[start:], row, values))


class JavaPositions(Family):
    """Where Java consumers begin to read: later releases print these lines without their origin."""

    name = "java"
    signs = (b"etting offset for partition ",)

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        place = _POSITION.search(text)
        if place is None:
            return None
        origin = _ORIGIN.search(text, 0, place.start())
        names = origin.groupdict() if origin is not None else {}
        fields = {"offsets": {(place["topic"], int(place["partition"])): int(place["offset"])}}
        return (
            LogEvent(
                "position", "client", self.name, line.number, line.stamp,
                group=names.get("group") or "", client=names.get("client") or "",
                instance=names.get("instance") or "",
                fields={**fields, "is_reset": place["reset"] is not None}, text=place[0],
            ),
        )  # fmt: skip


_POSITION = re.compile(
    r"(?:(?P<reset>Resetting)|Setting) offset for partition "
    r"(?P<topic>\S{1,400})-(?P<partition>\d{1,20}) to "
    r"(?:the committed offset|position|offset) (?:FetchPosition\{offset=)?(?P<offset>\d{1,20})"
)


_UNNAMED = Table((_OFFSET_REFUSED, _GIVEN))


class JavaUnnamed(Family):
    """Messages of Java consumers that somebody has copied without their origin."""

    name = "java"
    signs = (b"Offset commit failed on partition ", b"Notifying assignor about the new ")

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        starts = (text.find(sign.decode()) for sign in self.signs)
        start = next((start for start in starts if start >= 0), -1)
        entry = None if start < 0 else _UNNAMED.match(text, start)
        if entry is None:
            return None
        row, values = entry
        return tuple(events_of_row(self, line, text[start:], row, values))


class JavaSettings(Family):
    """What Java clients print at their start: their settings, and their release."""

    name = "java"
    signs = (b"Config values:", b"Kafka version", b"App info kafka.consumer for ")

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        release = _VERSION.search(text)
        if release is not None:
            fields = {"release": release[1]}
            return (
                LogEvent("release", "client", self.name, line.number, line.stamp, fields=fields),
            )
        closed = _CLOSED.search(text)
        if closed is not None:
            return (
                LogEvent(
                    "closed", "client", self.name, line.number, line.stamp, client=closed[1],
                    text=closed[0],
                ),
            )  # fmt: skip
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
_CLOSED = re.compile(r"\bApp info kafka\.consumer for (.{1,400}?) unregistered")
_SETTINGS = re.compile(
    r"\b(ConsumerConfig|ShareConsumerConfig|StreamsConfig|DistributedConfig) values:"
)
_SETTING = re.compile(r"^\s*([a-z][\w.]+) = (.*?)\s*$", re.MULTILINE)


def _name(value: str | None) -> str:
    return "" if value in (None, "null", "") else str(value)
