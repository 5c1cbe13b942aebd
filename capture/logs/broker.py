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
    r"\[(?:GroupCoordinator|GroupMetadataManager)(?: (?:id=|brokerId=)?(?P<broker>\d+))?"
    r"(?: topic=\S+ partition=(?P<partition>\d+))?\]:? "
)

_STATE = "{<state> state|state <status>}"


def _next(values: dict[str, Any]) -> None:
    """`old generation`: the rebalance leads to the next one."""
    values["generation"] = values.pop("old") + 1


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
    Row("member-removed", "Pending member <member> in group <group> has been removed after session "
        "timeout expiration", cause="join-abandoned"),
    Row("rebalance-began", "Preparing to {rebalance|restabilize} group <group> [in state <state> ]"
        "with old generation <old>[ (__consumer_offsets-<partition>)][ (reason: <reason>)][.]",
        _next),
    Row("stabilized", "Stabilized group <group> generation <generation>"
        "[ (__consumer_offsets-<partition>)][ with <count> members]"),
    Row("leader-assigns", "Assignment received from leader[ <member>] for group <group> for "
        "generation <generation>[. The group has <count> members, <static> of which are static]"),
    Row("group-empty", "Group <group> with generation <generation> is now empty"),
    Row("group-empty", "Group <group> generation <generation> is dead and removed"),
    Row("member-removed", "Group <group> remove[d] dynamic members who haven't joined: "
        "[Set]{(|\\[}<members>{)|\\]}", _members, cause="rebalance-timeout"),
    Row("member-removed", "Member <member> in group <group> has failed, removing it from the group",
        cause="session-expired"),
    Row("leaves", "\\[Group <group>\\] Member <member> has left group through explicit "
        "`LeaveGroup` request[; client reason: <reason>]"),
    Row("leaves", "\\[Group <group>\\] Static member <member> with instance id <instance> has left "
        "group through explicit `LeaveGroup` request[; client reason: <reason>]"),
    Row("leaves", "Member MemberMetadata(memberId=<member>, groupInstanceId=<instance>, "
        "clientId=<client>, clientHost=/<host>, …) has left group <group> through explicit "
        "`LeaveGroup`[ request][; client reason: <reason>]", _static),
    Row("leaves", "Member\\[group.instance.id <instance>, member.id <member>\\] in group <group> "
        "has left, removing it from the group", _static),
    Row("leaves", "Member <member> in group <group> has left, removing it from the group"),
    Row("joins", "Static member with groupInstanceId=<instance> and unknown member id "
        "{joins|rejoins}"
        f" group <group> in {_STATE}. Replacing previously mapped member <earlier> with this "
        "groupInstanceId", replaces=True),
    Row("joins", "Static member with groupInstanceId=<instance> and unknown member id "
        "{joins|rejoins}"
        f" group <group> in {_STATE}. Created a new member id <member> …"),
    Row("joins", "Static {m|M}ember with unknown member id {joins|rejoins} group <group> in "
        f"{_STATE}. Created a new member id <member> for this member and add…"),
    Row("joins", "Adding new static member <instance> to group <group> with member id <member>",
        _static),
    Row("joins", "Static member <instance>[ of group <group>] with unknown member id rejoins, "
        "assigning new member id <member>, while old member[ id] <earlier> will be removed",
        _static, replaces=True),
    Row("", "Static member which joins during Stable stage and doesn't affect"),
    Row("member-fenced", "Request memberId=<member> for static member with groupInstanceId="
        "<instance> is fenced by {current|existing} memberId=<current> during operation "
        "<operation>"),
    Row("record-too-large", "Appending metadata message for group <group> generation <generation> "
        "failed due to …RecordTooLargeException…"),
    Row("left-out", "Setting empty assignments for members <members> of <group> for generation "
        "<generation>", _members),
    Row("group-loaded", "Loaded {classic|consumer|share|streams} group <group> with <count> "
        "members"),
    Row("group-loaded", "Loading group metadata for <group> with generation <generation>"),
    Row("member-loaded", "Loaded member MemberMetadata(memberId=<member>, groupInstanceId="
        "<instance>, clientId=<client>, clientHost=/<host>, sessionTimeoutMs=<session_ms>, "
        "rebalanceTimeoutMs=<rebalance_ms>, supportedProtocols=<protocols>) in group <group> with "
        "generation <generation>", _static),
    Row("group-unloaded", "\\[GroupId=<group>\\] Unloading group metadata for generation "
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
    )),
)  # fmt: skip

_FENCED = Row(
    "member-fenced",
    "given member.id <member> is identified as a known static member <instance>,[ ]but not "
    "matching "
    "the expected member.id <current>[ during <operation>, will respond with instance fenced "
    "error]",
    _static,
)

_OF_GROUP = "\\[GroupId <group>\\] "
_ASSIGNED_BY_BROKER = (
    Row("joins", _OF_GROUP + "Member <member> joins the <kind> group[ using the "
        "<protocol> protocol]"),
    Row("joins", _OF_GROUP + "Static member <member> with instance id <instance> joins the "
        "{consumer|share} group[ using the <protocol> protocol]"),
    Row("joins", _OF_GROUP + "Static member with instance id <instance> re-joins the consumer group"
        "[ using the <protocol> protocol]. Created a new member <member> to replace the existing "
        "member <earlier>", replaces=True),
    Row("joins", "\\[GroupId <group>\\]\\[MemberId <member>\\] Member joins the streams group",
        kind="streams"),
    Row("epoch-bumped", _OF_GROUP + "Bumped [streams ]group epoch to <generation>[ with metadata "
        "hash <hash>]"),
    Row("metadata-changed", _OF_GROUP + "Computed [a ]new metadata hash"),
    Row("assignment-computed", _OF_GROUP + "Computed a new target assignment for epoch "
        "<generation> with '<protocol>' assignor in <detail>"),
    Row("epoch", _OF_GROUP + "Member <member> new assignment state: epoch=<generation>, "
        "previousEpoch=<previous>, state=<state>, assignedPartitions=<partition_ids>"
        "[ and revokedPartitions=<revoked_ids>]"),
    Row("epoch", _OF_GROUP + "Member <member> transitioned from <detail>"),
    Row("leaves", _OF_GROUP + "Member <member> left the {consumer|share|streams} group"),
    Row("leaves", "\\[GroupId <group>\\]\\[MemberId <member>\\] Member left the streams group",
        kind="streams"),
    Row("leaves", _OF_GROUP + "Static member <member> with instance id <instance> temporarily left "
        "the consumer group", is_temporary=True),
    Row("leaves", _OF_GROUP + "Static member <member> with instance id <instance> left the "
        "consumer "
        "group"),
    Row("member-fenced", _OF_GROUP + "Member <member> fenced from the group because "
        "{the member|its} session expired", cause="session-expired"),
    Row("member-fenced", "\\[GroupId <group>\\]\\[MemberId <member>\\] Member fenced from the "
        "group "
        "because its session expired", cause="session-expired", kind="streams"),
    Row("member-fenced", _OF_GROUP + "Member <member> fenced from the group because it failed to "
        "{transition from epoch <epoch>|revoke partitions} within <limit_ms>ms",
        cause="slow-revoke-callback"),
    Row("join-refused", _OF_GROUP + "Static member <member> with instance id <instance> cannot "
        "join "
        "the [consumer ]group because the instance id is owned by member <current>",
        error="UNRELEASED_INSTANCE_ID"),
    Row("member-fenced", _OF_GROUP + "Static member <member> with instance id <instance> is fenced "
        "by existing member <current>", error="FENCED_INSTANCE_ID"),
    Row("subscription-changed", _OF_GROUP + "Member <member> updated its subscribed topics to: "
        "<topics>"),
    Row("migration", _OF_GROUP + "Converted the classic group to a consumer group", to="consumer"),
    Row("migration", "Downgrade group <group> from consumer to classic for member leaving",
        to="classic"),
    Row("", "Cannot {upgrade|downgrade}"),
    Row("", _OF_GROUP + "Committing offsets"),
    Row("", _OF_GROUP + "{Subscription metadata|Updated member|Member … updated its}"),
)  # fmt: skip


class Broker(OriginFamily):
    """A broker's coordinator. GroupMetadata of the Scala one (to 3.9) writes without an origin."""

    name = "broker"
    side = "broker"
    signs = (b"[GroupCoordinator", b"[GroupMetadataManager", b"is identified as a known static")
    origin = _ORIGIN
    table = Table((*_CLASSIC, *_ASSIGNED_BY_BROKER))

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        if _FENCED.literal in text:
            values = _FENCED.values(text)
            if values is not None:
                return tuple(events_of_row(self, line, text, _FENCED, values))
        return super().events(line, text)
