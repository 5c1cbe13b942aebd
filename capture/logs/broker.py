"""Lines of brokers about groups: the Scala coordinator (0.9 to 3.9) and the Java one (3.7 on).

Sources: kafka.coordinator.group.GroupCoordinator and GroupMetadataManager, and
org.apache.kafka.coordinator.group.GroupMetadataManager of the releases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .event import LogEvent
from .family import OriginFamily, events_of_row
from .layouts import LogLine
from .rows import Row, Table
from .values import members_of

__all__ = ["Broker"]

_ORIGIN = re.compile(
    r"\[(?:GroupCoordinator|GroupMetadataManager)(?: (?:id=|brokerId=)?(?P<broker>\d{1,20}))?"
    r"(?: topic=\S{1,400} partition=(?P<partition>\d{1,20}))?\]:? "
)

_STATE = "{<state> state|state <status>}"


_ADDED = re.compile(r"^Adding new member (\S{37,})")


def _next(values: dict[str, Any]) -> None:
    """`old generation`: the rebalance leads to the next one. Brokers before 2.8 tell by its reason
    alone which member joins."""
    values["generation"] = values.pop("old") + 1
    added = _ADDED.match(values.get("reason") or "")
    if added is not None:
        values["joining"] = added[1]


def _members(values: dict[str, Any]) -> None:
    values["members"] = members_of(values["members"])


def _static(values: dict[str, Any]) -> None:
    """A static member's id is that of its instance and a UUID."""
    instance = values.get("instance")
    if instance in ("None", "null", "Optional.empty"):
        del values["instance"]
    elif instance is not None:
        values["instance"] = re.sub(r"^(?:Some|Optional)[(\[](.*)[)\]]$", r"\1", instance)


_CLASSIC = (
    Row("joins",
        "Dynamic {m|M}ember with unknown member id {joins|rejoins} group <group> in "
        f"{_STATE}. Created a new member id <member> {{and request|for this member|and added}}…",
        is_first=True),
    Row("joins", f"Pending dynamic member with id <member> joins group <group> in {_STATE}. "
        "Adding to the group now"),
    Row("joins", "Dynamic Member with specific member id <member> joins group <group> in "
        f"{_STATE}. Adding to the group now"),
    Row("member-removed", "Pending member <member> in group <group> has been removed after "
        "session timeout expiration", cause="join-abandoned"),
    Row("rebalance-began", "Preparing to {rebalance|restabilize} group <group> [in state <state> "
        "]with old generation <old>[ (__consumer_offsets-<partition>)][ (reason: <reason>)][.]",
        _next),
    Row("stabilized", "Stabilized group <group> generation <generation>[ "
        "(__consumer_offsets-<partition>)][ with <count> members]"),
    Row("leader-assigns", "Assignment received from leader[ <member>] for group <group> for "
        "generation <generation>[. The group has <count> members, <static> of which are static]"),
    Row("group-empty", "Group <group> with generation <generation> is now empty"),
    Row("group-empty", "Group <group> generation <generation> is dead and removed"),
    Row("member-removed", "Group <group> remove[d] dynamic members who haven't joined: <members>",
        _members, cause="rebalance-timeout"),
    Row("member-removed", "Group <group> removed members who haven't sent their sync requests: "
        "<members>", _members, cause="sync-not-sent"),
    Row("member-removed", "Member <member> in group <group> has failed, removing it from the group",
        cause="session-expired"),
    Row("leaves", "\\[Group <group>\\] {Member|Dynamic Member|Dynamic member} <member> has left "
        "group through explicit `LeaveGroup` request[; client reason: <reason>]"),
    Row("leaves", "\\[{Group|GroupId} <group>\\] Static {m|M}ember <member> with instance id "
        "<instance> has left group through explicit `LeaveGroup` request[; client reason: "
        "<reason>]"),
    Row("member-removed", "\\[Group <group>\\] Pending member <member> has left group through "
        "explicit `LeaveGroup` request[; client reason: <reason>]", cause="join-abandoned"),
    Row("member-removed", "Pending member with memberId=<member> has left group <group> through "
        "explicit `LeaveGroup` request[; client reason: <reason>]", cause="join-abandoned"),
    Row("member-removed", "Pending member <member> is leaving group <group>",
        cause="join-abandoned"),
    Row("leaves", "Member MemberMetadata(memberId=<member>, groupInstanceId=<instance>, "
        "clientId=<client>, clientHost=/<host>, sessionTimeoutMs=…) has left group <group> through "
        "explicit `LeaveGroup`[ request][; client reason: <reason>]", _static),
    Row("leaves", "Member\\[group.instance.id <instance>, member.id <member>\\] in group <group> "
        "has left, removing it from the group", _static),
    Row("leaves", "Member <member> in group <group> has left, removing it from the group"),
    Row("joins", "Static member with groupInstanceId=<instance> and unknown member id "
        "{joins|rejoins}"
        f" group <group> in {_STATE}. Replacing previously mapped member <earlier> with this "
        "groupInstanceId", replaces=True),
    Row("joins", "Static member with groupInstanceId=<instance> and unknown member id "
        "{joins|rejoins}"
        f" group <group> in {_STATE}. Created a new member id <member> {{for this member|and}}…"),
    Row("joins", "Static {m|M}ember with unknown member id {joins|rejoins} group <group> in "
        f"{_STATE}. Created a new member id <member> for this member and add…"),
    Row("joins", "Adding new static member <instance> to group <group> with member id <member>",
        _static),
    Row("joins", "Static member <instance>[ of group <group>] with unknown member id rejoins, "
        "assigning new member id <member>, while old member[ id] <earlier> will be removed",
        _static, replaces=True),
    Row("", "Static member which joins during Stable stage and doesn't affect"),
    Row("member-fenced", "Request memberId=<member> for static member with "
        "groupInstanceId=<instance> is fenced by {current|existing} memberId=<current> during "
        "operation <operation>"),
    Row("record-too-large", "Appending metadata message for group <group> generation <generation> "
        "failed due to …RecordTooLargeException…"),
    Row("left-out", "Setting empty assignments for members <members> of <group> for generation "
        "<generation>", _members),
    Row("group-loaded", "Loaded {classic|generic|consumer|share|streams} group <group> with "
        "<count> members"),
    Row("group-loaded", "Loading group metadata for <group> with generation <generation>"),
    Row("group-unloaded", "\\[GroupId=<group>\\] Unloading group metadata for generation "
        "<generation>"),
    Row("group-unloaded", "\\[GroupId=<group>\\] Unloaded group metadata for group epoch "
        "<generation>"),
    Row("group-unloaded", "Unloading group metadata for <group> with generation <generation>"),
    Row("coordinator-elected", "Elected as the group coordinator for partition <partition> in "
        "epoch <epoch>"),
    Row("coordinator-resigned", "Resigned as the group coordinator for partition <partition> in "
        "epoch"),
    *(Row("", text) for text in (
        "Scheduling {loading|unloading} of", "Finished {loading|unloading} ",
        "Started {loading|unloading} ", "Ignored unloading metadata", "Generated … tombstone",
        "Generated … records in", "Removed … expired offsets",
        "Removed … offsets associated with deleted partitions",
        "Cannot complete join phase of group", "Committing offsets", "Replaying offset commit",
        "Starting up", "Startup complete", "Shutting down", "Shutdown complete",
        "Received notification of new leader", "Failed to write empty metadata",
        "Already loading offsets and group metadata", "Loaded … offsets and group metadata",
        "Failed to write a batch of ",
        "Loaded offsets and group metadata", "Not loading offsets", "Not removing offsets",
        "Attempted to load offsets and group metadata", "Failed to append ",
        "Group coordinator for partition ", "transitioned to Dead in generation ",
        "Appending metadata message for group ", "Failed to persist metadata for group ",
        "failed to join before rebalance timeout", "failed to join before the rebalance timeout",
        "could not complete rebalance because no members rejoined", "is dead, skipping rebalance",
        "was not found in ", "Received notification of heartbeat expiration for member ",
        "Received unexpected notification of sync expiration", "Static member joins during ",
        "The following groups were deleted", "The following offsets of the group ",
        "Attempt to add rejoining member ", "Sending empty assignment to member ",
        "Failed to invoke join callback", "is no longer a coordinator for the group",
        "has moved away from ", "has received offset commits from consumers as well as ",
        "Creating a simple consumer group", "Creating simple consumer group",
        "Unknown message key with version", "Unknown record type ", "with an unknown group type",
        " hit an unexpected exception", "Group coordinator is already ", "The coordinator … is ",
        "The state machine of the coordinator ", "Ignored loading metadata",
        "Ignoring loading metadata", "Cannot load coordinator ", "Failed to load metadata from ",
        "Closing coordinator runtime", "oordinator runtime closed", "is already shutting down",
        "Failed to write the UNCERTAIN barrier", "Freshly-loaded group ",
        "Unknown new share group state", "Unknown previous share group state",
        "Skipped the materialization of transactional offset commit",
    )),
)  # fmt: skip

# Scala's GroupMetadata has no origin.
_WITHOUT_ORIGIN = Table((
    Row("member-fenced", "given member.id <member> is identified as a known static member "
        "<instance>,[ ]but not matching the expected member.id <current>[ during <operation>, will "
        "respond with instance fenced error]", _static),
    Row("member-loaded", "Loaded member MemberMetadata(memberId=<member>, groupInstanceId="
        "<instance>, clientId=<client>, clientHost=/<host>, sessionTimeoutMs=<session_ms>, "
        "rebalanceTimeoutMs=<rebalance_ms>, supportedProtocols=<protocols>) in group <group> with "
        "generation <generation>", _static),
    Row("member-loaded", "Static member MemberMetadata(…, groupInstanceId=<instance>, clientId="
        "<client>, clientHost=/<host>, …).groupInstanceId of group <group> loaded with member id "
        "<member> at generation <generation>", _static),
    # The coordinator parses subscriptions for its own use alone: whose it is, it does not say.
    Row("unreadable-subscription", "Failed to parse Consumer Protocol <protocol> of group <group>. "
        "Consumer group coordinator is not aware"),
))  # fmt: skip

_OF_GROUP = "\\[GroupId <group>\\][\\[MemberId <caller>\\]] "
_OF_STREAMS = "\\[GroupId <group>\\]\\[MemberId <member>\\] "
_BY_INSTANCE = "member <member> with instance id <instance> "


def _transition(values: dict[str, Any]) -> None:
    """Of 3.7: the member's state before and after, as the program prints objects."""
    epoch = re.search(r" to \w+\((?:.*?, )?memberEpoch=(-?\d{1,20})", values["detail"])
    if epoch is not None:
        values["generation"] = int(epoch[1])


def _of_streams(values: dict[str, Any]) -> None:
    values["kind"] = "streams"


_ASSIGNED_BY_BROKER = (
    Row("joins", _OF_GROUP + "Member <member> joins the <kind> group[ using the <protocol> "
        "protocol]"),
    Row("joins", _OF_GROUP + "Static " + _BY_INSTANCE + "joins the <kind> group[ using the "
        "<protocol> protocol]"),
    Row("joins", _OF_GROUP + "Static member with {unknown member id and |}instance id <instance> "
        "re-joins the <kind> group[ using the <protocol> protocol]. Created a new member <member> "
        "to replace the existing member <earlier>", replaces=True),
    Row("joins", _OF_GROUP + "Static " + _BY_INSTANCE + "re-joins the <kind> group[ using the "
        "<protocol> protocol]", replaces=True),
    Row("joins", _OF_GROUP + "Dynamic member with unknown member id joins the <kind> group. "
        "Created a new member id <member> and requesting the member to rejoin", is_first=True),
    Row("joins", _OF_STREAMS + "Member joins the streams group", kind="streams"),
    Row("epoch-bumped", _OF_GROUP + "Bumped streams group epoch to <generation>[ with metadata "
        "hash <hash>]", kind="streams"),
    Row("epoch-bumped", _OF_GROUP + "Bumped streams group epoch to <generation>[ with metadata "
        "hash <hash>]", kind="streams"),
    Row("epoch-bumped", _OF_GROUP + "Bumped group epoch to <generation>[ with metadata hash "
        "<hash>]"),
    Row("metadata-changed", _OF_GROUP + "Computed [a ]new {metadata hash|subscription metadata}: "
        "…"),
    Row("assignment-computed", _OF_GROUP + "Computed a new target assignment for epoch "
        "<generation> with '<protocol>' assignor"),
    Row("assignment-computed", _OF_GROUP + "Computed a new target assignment for epoch "
        "<generation>: "),
    Row("epoch", _OF_GROUP + "Member <member> new assignment state: epoch=<generation>, "
        "previousEpoch=<previous>, state=<state>, assignedPartitions=<partition_ids>[ and "
        "revokedPartitions=<revoked_ids>]"),
    Row("epoch", _OF_STREAMS + "Member's new assignment state: epoch=<generation>, "
        "previousEpoch=<previous>, state=<state>, assignedTasks=<tasks> and "
        "tasksPendingRevocation=<revoked_tasks>", kind="streams"),
    Row("epoch", _OF_GROUP + "Member <member> transitioned from <detail>", _transition),
    Row("leaves", _OF_GROUP + "Member <member> left the <kind> group"),
    Row("leaves", _OF_STREAMS + "Member left the streams group", kind="streams"),
    Row("leaves", _OF_GROUP + "Static {m|M}ember <member> with instance id <instance> temporarily "
        "left the <kind> group", is_temporary=True),
    Row("leaves", _OF_GROUP + "Static {m|M}ember <member> with instance id <instance> left the "
        "<kind> group"),
    *(
        row
        for front, convert in (
            (_OF_GROUP + "{Member|Streams member} <member> ", None),
            (_OF_STREAMS + "Member ", _of_streams),
        )
        for row in (
            Row("member-fenced", front + "fenced from the group because {the member|its} session "
                "expired", convert, cause="session-expired"),
            Row("member-fenced", front + "fenced from the group because it failed to {transition "
                "from epoch <epoch>|revoke partitions} within <limit_ms>ms", convert,
                cause="slow-revoke-callback"),
            Row("member-fenced", front + "fenced from the group because the classic member failed "
                "to join within the rebalance timeout", convert, cause="rebalance-timeout"),
            Row("member-fenced", front + "fenced from the group because the member failed to sync "
                "within timeout", convert, cause="sync-not-sent"),
            Row("member-fenced", front + "fenced from the group because <reason>", convert),
        )
    ),
    Row("join-refused", _OF_GROUP + "Static " + _BY_INSTANCE + "cannot join the [<kind> ]group "
        "because the instance id is [is ]owned by member <current>",
        error="UNRELEASED_INSTANCE_ID"),
    Row("member-fenced", _OF_GROUP + "Static " + _BY_INSTANCE + "is fenced by existing member "
        "<current>", error="FENCED_INSTANCE_ID"),
    Row("subscription-changed", _OF_GROUP + "Member <member> updated its subscribed "
        "{topics|regex} to: <topics>"),
    Row("migration", _OF_GROUP + "Converted the classic group to a consumer group", to="consumer"),
    Row("migration", _OF_GROUP + "Converted the consumer group to a classic group", to="classic"),
    Row("migration", "Downgrade group <group> from consumer to classic for member leaving",
        to="classic"),
    *(Row("", text) for text in (
        "Cannot upgrade ", "Cannot downgrade ", "Cannot join the consumer group ",
        _OF_GROUP + "Committing ", _OF_GROUP + "Subscription metadata",
        _OF_GROUP + "Updated member",
        _OF_GROUP + "Member <member> updated its ", _OF_STREAMS + "Member updated its ",
        _OF_STREAMS + "Member joined with ", _OF_STREAMS + "Member initialized the topology",
        "Assignment configurations changed", "Configuring the topology",
        "Topic configuration failed for topology", "alid topic configuration found",
        "hutdown requested for the streams application", "Loaded member ",
        "regular expression", "Refreshing regular expressions", "topics to refresh",
        "Skipping delayed target assignment", "Ignoring rebalance timeout for ",
        "Group not found during initial rebalance", "The configured task assignor",
        "The refined assignment does not hand out", "Initializing topic ",
        "Requested topology description push",
        "Removing expired offset",
    )),
)  # fmt: skip


class Broker(OriginFamily):
    """A broker's coordinator. GroupMetadata of the Scala one (to 3.9) writes without an origin."""

    name = "broker"
    side = "broker"
    signs = (b"[GroupCoordinator", b"[GroupMetadataManager", *_WITHOUT_ORIGIN.signs)
    origin = _ORIGIN
    table = Table((*_CLASSIC, *_ASSIGNED_BY_BROKER))

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        entry = _WITHOUT_ORIGIN.match(text)
        if entry is None:
            return super().events(line, text)
        row, values = entry
        return tuple(events_of_row(self, line, text, row, values))
