"""Lines of franz-go: `kgo.BasicLogger`, and slog, zap, zerolog, logrus by its plugins.

Sources: pkg/kgo/consumer_group.go, consumer_group_848.go, group_balancer.go, logger.go and
topics_and_partitions.go, 1.0 to 1.22. `join group failed` came in 1.20; until then only the loop
that ended says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from .error_texts import name_error
from .event import LogEvent
from .keyed import KeyedFamily
from .layouts import LogLine
from .rows import Row
from .values import Parts, go_assignment_of, go_partitions_of, parts_of_numbers

__all__ = ["FranzGo"]

_KEYS = {
    "group": "group", "member_id": "member", "instance_id": "instance", "instance": "instance",
    "generation": "generation", "balance_protocol": "protocol", "leader": "is_leader",
    "err": "detail", "error": "detail", "why": "reason", "plan": "assignment",
    "assigned": "partitions", "now_assigned": "partitions", "revoking": "partitions",
    "added": "added", "lost": "lost",
    # So that the value before them ends there.
    "id": "", "interests": "", "protocol_type": "", "protocol": "", "backoff": "",
    "consecutive_errors": "", "retries": "", "is848": "", "stage": "", "how": "", "input": "",
    "epoch": "", "topic": "", "partition": "", "unreleased_instance_retries": "",
}  # fmt: skip

_REVOKED = (
    "eager consumer revoking prior assigned partitions",
    "cooperative consumer revoking prior assigned partitions because leaving group",
)
_ERRORS_848 = (
    "consumer group heartbeat error, abandoning assignment and rejoining",
    "consumer group heartbeat error, abandoning assignment and rejoining with new member id",
)

# The whole message, the key that it has in any case, and what it proves.
_ROWS = (
    ("group", Row("joins", "joining group")),
    ("member_id", Row("member-id-given", "join returned MemberIDRequired, rejoining with "
        "response's MemberID", error="MEMBER_ID_REQUIRED")),
    ("group", Row("join-refused", "join returned UnknownMemberID, rejoining without a member id",
        error="UNKNOWN_MEMBER_ID")),
    ("generation", Row("joined", "joined, balancing group")),
    ("generation", Row("joined", "joined as leader but unable to balance group due to KIP-345 "
        "limitations")),
    ("generation", Row("joined", "joined")),
    ("plan", Row("leader-assigns", "balanced")),
    ("err", Row("join-refused", "join group failed")),
    ("err", Row("error", "join and sync loop errored")),
    ("err", Row("error", "group manage loop errored")),
    ("err", Row("sync-refused", "sync group failed")),
    ("group", Row("sync-refused", "sync failed with RebalanceInProgress, rejoining",
        error="REBALANCE_IN_PROGRESS")),
    ("assigned", Row("assigned", "synced")),
    # `added` comes to what it has; all of it where the assignor is eager.
    ("added", Row("partitions-assigned", "new group session begun", is_incremental=True)),
    ("lost", Row("partitions-revoked", "calling onRevoke at the end of a session",
        is_incremental=True)),
    ("lost", Row("partitions-revoked", "cooperative consumer calling onRevoke",
        is_incremental=True)),
    *(("revoking", Row("partitions-revoked", text)) for text in _REVOKED),
    ("err", Row("heartbeat-refused", "heartbeat errored")),
    ("why", Row("wants-to-join", "forced rejoin quitting heartbeat loop")),
    ("member_id", Row("leaves", "leaving group")),
    ("member_id", Row("leaves", "leaving next-gen group", kind="consumer")),
    ("group", Row("process-started", "beginning to manage the group lifecycle")),
    ("group", Row("process-started", "beginning to manage the next-gen group lifecycle",
        kind="consumer")),
    ("now_assigned", Row("is-given", "consumer group initial heartbeat received assignment",
        kind="consumer")),
    ("now_assigned", Row("is-given", "consumer group heartbeat detected an updated assignment; "
        "exited heartbeat loop to assign & reentering", kind="consumer")),
    ("member_id", Row("heartbeat-refused", "consumer group heartbeat saw fenced member epoch, "
        "abandoning assignment and rejoining", kind="consumer", error="FENCED_MEMBER_EPOCH")),
    *(("err", Row("heartbeat-refused", text, kind="consumer")) for text in _ERRORS_848),
    ("group", Row("join-refused", "UnreleasedInstanceID after 3 retries - static instance is held "
        "by another member; check for duplicate InstanceID config or an unclean peer shutdown",
        kind="consumer", error="UNRELEASED_INSTANCE_ID")),
    ("err", Row("commit-refused", "default commit failed")),
    ("error", Row("commit-refused", "in default commit: unable to commit offsets for topic "
        "partition")),
    ("err", Row("commit-refused", "offset commit returned a fatal group member error, triggering "
        "rejoin")),
)  # fmt: skip

_IN_FRONT = re.compile(r".*(?:\[(?:INFO|WARN|ERROR|DEBUG)\] |\t)", re.DOTALL)
_OF_JOINS = frozenset({"INCONSISTENT_GROUP_PROTOCOL", "GROUP_MAX_SIZE_REACHED",
                       "INVALID_SESSION_TIMEOUT"})  # fmt: skip
"""Errors that only a join is answered with."""

_ENDS = frozenset({"join and sync loop errored", "group manage loop errored"})


class FranzGo(KeyedFamily):
    """Reads the lines of franz-go, in any form."""

    name = "franz-go"
    keys = _KEYS
    signs = tuple(row.template.partition("&")[0].encode() for _, row in _ROWS)
    rows: ClassVar = {row.template: (key, row) for key, row in _ROWS}

    def __init__(self) -> None:
        super().__init__()
        self._error = ""
        self._is_forced = False

    def row_of(self, message: str, keys: Iterable[str]) -> tuple[Row, dict[str, Any]] | None:
        """Return the row of a whole message which has the key that proves it."""
        front = _IN_FRONT.match(message)
        entry = self.rows.get((message[front.end() :] if front else message).strip())
        if entry is None or entry[0] not in keys:
            return None
        return entry[1], dict(entry[1].fields)

    def convert(self, values: dict[str, Any]) -> None:
        """Turn the values of keys into those of events."""
        values["partitions"] = values.pop("added", values.pop("lost", values.get("partitions")))
        if values["partitions"] is None:
            del values["partitions"]
        else:
            values["partitions"] = _partitions(values["partitions"])
        if "assignment" in values:
            values["assignment"] = go_assignment_of(str(values["assignment"]))
        if "generation" in values:
            values["generation"] = _number(values["generation"])
        if "is_leader" in values:
            values["is_leader"] = str(values["is_leader"]) == "true" or values["is_leader"] is True
        for name in ("detail", "reason", "group", "member"):
            if name in values:
                values[name] = str(values[name])
        if values.get("instance") in ("<nil>", "", None, {}):  # as loggers print none
            values.pop("instance", None)
        name_error(values)

    def row_events(self, line: LogLine, row: Row, values: dict[str, Any]) -> Iterable[LogEvent]:
        """Return the events of a row. A rejoin of its own accord is printed as a heartbeat's error,
        too, and an error again when the loop ends."""
        error = values.get("error", "")
        if row.event == "heartbeat-refused":
            is_own = not error or self._is_forced
            self._is_forced = False
            if is_own:  # it stops by itself
                return ()
        self._is_forced = row.event == "wants-to-join"
        if row.template in _ENDS:
            is_repeated = error == self._error != ""
            self._error = ""
            if is_repeated:
                return ()
            row = Row("join-refused" if error in _OF_JOINS else row.event, row.template)
        else:
            self._error = error
        return super().row_events(line, row, values)


def _partitions(value: object) -> Parts:
    if not isinstance(value, dict):
        return go_partitions_of(str(value))
    return parts_of_numbers({
        topic: [number for number in numbers if isinstance(number, int)]
        for topic, numbers in value.items() if isinstance(numbers, list)
    })  # fmt: skip


def _number(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        return -1
