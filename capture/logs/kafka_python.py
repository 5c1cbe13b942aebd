"""Lines of kafka-python, by Python's logging: logger `kafka.coordinator` and those below it.

Sources: kafka/coordinator/base.py, consumer.py and heartbeat.py, kafka/consumer/
subscription_state.py; 1.3, 1.4, 2.0, 2.3 and 3.0. Until 2.2 a join is told when it is synced, and
without the member's id. aiokafka began as a copy of this code, and has some of the lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..whole_numbers import whole_numbers
from .error_texts import name_error
from .event import LogEvent
from .family import TextFamily, logger_of
from .layouts import LogLine
from .rows import Row, Table
from .values import parts_of_numbers, topic_partitions_of

__all__ = ["SHARED_ROWS", "KafkaPython"]

_SHARE = re.compile(
    r"'([^']{0,400})': (?:<class '[^']{0,400}'>|\w{1,400})\(version=\d{1,9}, "
    r"(.{0,20000}?), user_data="
)
_TOPIC = re.compile(r"\((?:topic=)?'([^']*)', (?:partitions=)?\[([\d, ]*)\]\)")


def _partitions(values: dict[str, Any]) -> None:
    values["partitions"] = topic_partitions_of(values["partitions"])


def _assignment(values: dict[str, Any]) -> None:
    values["assignment"] = {
        member: parts_of_numbers(
            {topic: whole_numbers(numbers) for topic, numbers in _TOPIC.findall(topics)}
        )
        for member, topics in _SHARE.findall("'" + values["assignment"])
    }


def _cooperative(values: dict[str, Any]) -> None:
    del values["owned"]  # until now
    for name in ("given", "partitions", "revoked"):
        values[name] = topic_partitions_of(values[name])


_NOTHING = "{set()|set(\\[\\])|frozenset()|\\{\\}|\\[\\]}"

SHARED_ROWS = (
    Row("leave-refused", "LeaveGroup request failed: <detail>", name_error),
    Row("joins", "(Re-)joining group <group>"),
    Row("leader-elected", "Elected group leader -- performing partition assignments using "
        "<protocol>"),
    # Nothing to give up: printed at a first join, too.
    Row("", f"Revoking previously assigned partitions {_NOTHING} for group <group>"),
    Row("partitions-revoked", "Revoking previously assigned partitions <partitions> for group "
        "<group> on close", _partitions),
    Row("partitions-revoked", "Revoking previously assigned partitions <partitions> for group "
        "<group>", _partitions),
    Row("partitions-assigned", "Setting newly assigned partitions <partitions> for group <group>",
        _partitions),
    # By member: Java, whose members' names have no quotes, has "at generation" for the group.
    Row("leader-assigns", "Finished assignment for group <group>: \\{'<assignment>", _assignment),
    Row("heartbeat-refused", "Heartbeat failed for group <group> because it is rebalancing",
        error="REBALANCE_IN_PROGRESS"),
    Row("heartbeat-refused", "Heartbeat failed for group <group>: generation id is not [ ]current",
        error="ILLEGAL_GENERATION"),
    Row("coordinator-lost", "Heartbeat failed for group <group>: coordinator (node <node>) is "
        "either not started or not valid"),
    Row("commit-refused", "Auto offset commit failed for group <group>: <detail>", name_error),
    # What the application prints of a commit that the lines before it tell of.
    Row("error", "CommitFailedError: <detail>"),
    Row("process-started", "Updating subscribed topics to: <topics>"),
    Row("", "Unsubscribed all topics or patterns and assigned partitions"),
    Row("", "Discovered coordinator <node> for group <group>"),
    Row("", "Group Coordinator Request failed: "),
    Row("heartbeat-refused", "Heartbeat failed: <detail>", name_error),
    Row("sync-refused", "Unexpected error from SyncGroup: <detail>", name_error),
    Row("error", "User provided {subscription |rebalance |subscription rebalance |}listener "
        "<listener> for group <group> failed"),
    Row("", "OffsetFetchRequest -- unknown topic "),
    Row("", "Unknown error fetching offsets"),
)  # fmt: skip

_JOIN = "Attempt to join group <group> "
_SYNC = "SyncGroup for group <group> failed due to "

_ROWS = (
    Row("member-id-given", "Received member id <member> for group <group>; will retry join-group",
        error="MEMBER_ID_REQUIRED"),
    Row("joined", "Successfully joined group <group> \\<Generation <generation> (member_id: "
        "<member>, protocol: <protocol>)>"),
    Row("joined-and-synced", "Successfully joined group <group> with generation <generation>"),
    Row("heartbeat-refused", "Group <group> is rebalancing; rejoining",
        error="REBALANCE_IN_PROGRESS"),
    Row("heartbeat-refused", "Heartbeat: local member_id was not recognized; this consumer needs "
        "to re-join", error="UNKNOWN_MEMBER_ID"),
    Row("member-fenced", "Heartbeat failed for group <group> due to fenced id error: <instance>",
        error="FENCED_INSTANCE_ID"),
    Row("member-fenced", "Heartbeat thread caught fenced group_instance_id <instance> error",
        error="FENCED_INSTANCE_ID"),
    Row("poll-timeout", "Consumer poll timeout has expired. This means the time between subsequent "
        "calls to poll() was longer than the configured max_poll_interval_ms"),
    Row("poll-timeout", "Heartbeat poll expired, leaving group"),
    Row("session-timed-out", "Heartbeat session expired, marking coordinator dead"),
    Row("leaves", "Leaving consumer group <group> (member <member>)"),
    Row("leaves", "Leaving consumer group (<group>)"),
    Row("leave-refused", "LeaveGroup request for group <group> failed with error: <detail>",
        name_error),
    Row("leave-refused", "LeaveGroup request for member <member> / group instance <detail> failed "
        "with error: <reason>"),
    Row("", "LeaveGroup request for group <group> returned successfully"),
    Row("partitions-lost", "Group <group> lost membership; forcibly revoking <partitions>",
        _partitions),
    Row("partitions-assigned", "Cooperative rebalance complete for group <group>: owned=<owned>, "
        "assigned=<given>, revoked=<revoked>, added=<partitions>", _cooperative,
        is_incremental=True),
    Row("partitions-revoked", "Cooperative pre-rebalance for group <group>: revoking <partitions> "
        "(no longer in subscription)", _partitions, is_incremental=True),
    Row("wants-to-join", "Triggering follow-up rebalance for group <group> to complete cooperative "
        "move of <count> partition(s)", cause="cooperative-second-round"),
    Row("wants-to-join", "{Assignment|Cooperative assignment} rejected: <detail>. Probably due to "
        "a deleted topic. Requesting re-join", cause="metadata-changed"),
    Row("wants-to-join", ". Probably due to a deleted topic. Requesting Re-join",
        cause="metadata-changed"),
    Row("slow-callback", "Rebalance listener <listener> for group <group> took <seconds>s. Sync "
        "listeners block the consumer event loop"),
    Row("join-refused", _JOIN + "rejected since coordinator <node> is loading the group",
        error="COORDINATOR_LOAD_IN_PROGRESS"),
    Row("join-refused", _JOIN + "failed due to unknown member id", error="UNKNOWN_MEMBER_ID"),
    Row("join-refused", _JOIN + "failed due to {fatal error|obsolete coordinator information}: "
        "<detail>", name_error),
    Row("join-refused", _JOIN + "failed due to group authorization error",
        error="GROUP_AUTHORIZATION_FAILED"),
    Row("join-refused", "Unexpected error in join group response: <detail>", name_error),
    Row("join-refused", "JoinGroup for group <group> returned inconsistent protocol_type",
        error="INCONSISTENT_GROUP_PROTOCOL"),
    Row("sync-refused", "SyncGroup for group <group> returned inconsistent protocol_",
        error="INCONSISTENT_GROUP_PROTOCOL"),
    Row("join-refused", _JOIN + "failed due to RebalanceInProgressError",
        error="REBALANCE_IN_PROGRESS"),
    Row("sync-refused", _SYNC + "coordinator rebalance", error="REBALANCE_IN_PROGRESS"),
    Row("member-fenced", _SYNC + "fenced id error: <instance>", error="FENCED_INSTANCE_ID"),
    Row("sync-refused", _SYNC + "<detail>", name_error),
    Row("commit-refused", "Failing OffsetCommit request since the consumer is not part of an "
        "active group", error="UNKNOWN_MEMBER_ID"),
    Row("commit-refused", "OffsetCommit for group <group> failed due to fenced id error: "
        "<instance>",
        error="FENCED_INSTANCE_ID"),
    Row("commit-refused", "OffsetCommit for group <group> failed: <detail>", name_error),
    Row("commit-refused", "Group <group> failed to commit partition <topic_partition> at offset "
        "<detail>", name_error),
    Row("commit-refused", "ffset commit failed: group membership out of date"),
    # Whether it was refused, or not answered in time and maybe stored, the trace behind it names.
    Row("error", "ffset commit failed: This is likely to cause duplicate message delivery"),
    Row("commit-refused", "Offset commit failed: <detail>", name_error),
    Row("commit-refused", "Not authorized to commit offsets for group <group>",
        error="GROUP_AUTHORIZATION_FAILED"),
    Row("commit-refused", "Not authorized to commit to topics <detail> for group <group>",
        error="TOPIC_AUTHORIZATION_FAILED"),
    Row("coordinator-lost", "Marking the coordinator dead (node <node>) for group <group>: "
        "<detail>"),
    # Said by the lines before it.
    Row("", "Failed to join group <group>: …Error"),
    *(Row("", text) for text in (
        "Received successful heartbeat response", "Updated partition assignment",
        "Starting new heartbeat thread", "Stopping heartbeat thread",
        "Error sending … to node", "Group Coordinator lookup for group",
        "Coordinator for GROUP/", "No partition metadata for topic",
        "Group coordinator lookup for group", "Heartbeat thread ", "Subscribing to pattern: ",
        "subscription unchanged by change_subscription", "heartbeat_interval_ms is high relative",
        "group_id is None: disabling auto-commit", "does not support offset commits; disabling",
    )),
)  # fmt: skip

_FOREIGN = (
    "o.a.k.", "org.apache.kafka.", "AbstractCoordinator", "ConsumerCoordinator", "[Consumer ",
    "kafka.coordinator.group.", "kafka.coordinator.transaction.", "aiokafka",
)  # fmt: skip
"""Java's clients before 1.1 had neither an origin nor other words for some lines; loggers of a
broker begin as those of kafka-python do."""


class KafkaPython(TextFamily):
    """Reads the lines of kafka-python, of all releases."""

    name = "kafka-python"
    own = ("kafka.coordinator",)
    table = Table((*_ROWS, *SHARED_ROWS))
    signs = (*table.signs, b"kafka.coordinator")

    def is_foreign(self, line: LogLine) -> bool:
        """Return whether Java's client, a broker or aiokafka has written a line."""
        text = line.text + logger_of(line)
        return any(name in text for name in _FOREIGN)

    def row_events(self, line: LogLine, row: Row, values: dict[str, Any]) -> Iterable[LogEvent]:
        """Return the events of a row; a cooperative round gives and takes partitions at once."""
        revoked = values.pop("revoked", ())
        yield from super().row_events(line, row, values)
        if revoked:
            yield LogEvent(
                "partitions-revoked",
                self.side,
                self.name,
                line.number,
                line.stamp,
                group=values["group"],
                fields={"partitions": revoked, "is_incremental": True},
                text=line.text,
            )
