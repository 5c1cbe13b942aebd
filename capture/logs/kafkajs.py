"""Lines of KafkaJS: JSON by its own logger, or what winston, pino and Nest make of it.

Sources: src/consumer/consumerGroup.js, runner.js and index.js, src/network/connection.js and
src/loggers/index.js, 1.15 to 2.2. At INFO a join has no generation, and a leave only the consumer's
stop; DEBUG has both. KafkaJS prints none of its settings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...codec import ConsumerProtocolAssignment, KprotoError, decode
from .error_texts import name_error
from .event import LogEvent
from .keyed import KeyedFamily
from .layouts import LogLine
from .rows import Row, Table
from .values import Parts, parts_of_numbers

__all__ = ["KafkaJS"]

_KEYS = {
    "groupId": "group", "memberId": "member", "clientId": "client", "generationId": "generation",
    "leaderId": "leader", "isLeader": "is_leader", "groupProtocol": "protocol",
    "memberAssignment": "partitions", "assignment": "assignment", "duration": "took_ms",
    "error": "detail", "data": "data", "correlationId": "request",
}  # fmt: skip

_ROWS = (
    Row("joined-and-synced", "Consumer has joined the group"),
    Row("leader-elected", "Chosen as group leader"),
    Row("leader-assigns", "Group assignment"),
    Row("assigned", "Received assignment"),
    # What the member was told by a heartbeat or a commit.
    Row("wants-to-join", "The group is rebalancing, re-joining", error="REBALANCE_IN_PROGRESS"),
    Row("wants-to-join", "The coordinator is not aware of this member, re-joining the group",
        error="UNKNOWN_MEMBER_ID"),
    Row("metadata-changed", "Topic has been updated, resync group"),
    Row("join-refused", "Crash: <crash>: The group member's supported protocols are incompatible",
        error="INCONSISTENT_GROUP_PROTOCOL"),
    Row("error", "Crash: <crash>: <detail>", name_error),
    Row("process-started", "\\[Consumer\\] Starting"),
    Row("closed", "\\[Consumer\\] Stopped"),
    Row("joins", "\\[Connection\\] Request JoinGroup(key: "),
    Row("leaves", "\\[Connection\\] Request LeaveGroup(key: "),
    Row("joined", "\\[Connection\\] Response JoinGroup(key: "),
    Row("sync-refused", "\\[Connection\\] Response SyncGroup(key: "),
    Row("heartbeat-refused", "\\[Connection\\] Response Heartbeat(key: "),
    Row("commit-refused", "\\[Connection\\] Response OffsetCommit(key: "),
    Row("leave-refused", "\\[Connection\\] Response LeaveGroup(key: "),
)  # fmt: skip

_OF_ANSWERS = frozenset({"sync-refused", "heartbeat-refused", "commit-refused", "leave-refused"})
_NAMES = ("kafkajs", "[Consumer] ", "[ConsumerGroup] ", "[Runner] ", "[Connection] ")


class KafkaJS(KeyedFamily):
    """Reads the lines of KafkaJS, at all levels."""

    name = "kafkajs"
    keys = _KEYS
    table = Table(_ROWS)
    signs = table.signs

    def __init__(self) -> None:
        super().__init__()
        self._answer: tuple[str, object, object] | None = None
        self._told: dict[str, set[str]] = {}  # of the parts of a join, at DEBUG, by member

    def is_foreign(self, line: LogLine) -> bool:
        """Return whether a line has neither KafkaJS's name, nor a part's, nor its keys."""
        names = line.text + str(line.data.get("logger", ""))
        return not any(name in names for name in _NAMES) and "memberId" not in str(line.data)

    def convert(self, values: dict[str, Any]) -> None:
        """Turn the values of keys into those of events."""
        data = values.pop("data", None)
        if isinstance(data, dict):
            names = ((name, key) for key, name in _KEYS.items() if key in data and name != "data")
            values.update((name, data[key]) for name, key in names if name != "partitions")
        if not isinstance(values.get("generation"), int):
            values.pop("generation", None)
        if "partitions" in values:
            values["partitions"] = _partitions(values["partitions"])
        if "assignment" in values:
            values["assignment"] = _assignment(values["assignment"])
        for name in ("group", "member", "client", "detail"):
            if name in values:
                values[name] = str(values[name] or "")
        if values.get("leader") and values.get("member"):
            values["is_leader"] = values["leader"] == values["member"]
        name_error(values)

    def row_events(self, line: LogLine, row: Row, values: dict[str, Any]) -> Iterable[LogEvent]:
        """Return the events of a row. At DEBUG an error's answer is printed twice."""
        request = values.pop("request", None)
        if "Response " in row.template:
            answer = (row.template, values.get("client"), request)
            is_repeated = request is not None and answer == self._answer
            self._answer = answer
            if is_repeated or ("detail" not in values and row.event in _OF_ANSWERS):
                return ()
            if "detail" in values and row.event == "joined":
                is_first = values.get("error") == "MEMBER_ID_REQUIRED"
                row = Row("member-id-given" if is_first else "join-refused", row.template)
        told = self._told.setdefault(values.get("member", ""), set())
        if row.event == "joined-and-synced" and "joined" in told:
            row = Row("" if "assigned" in told else "assigned", row.template)
            told.clear()
        elif row.event in ("joined", "assigned"):
            told.add(row.event)
        return super().row_events(line, row, values)


def _partitions(value: object) -> Parts:
    if not isinstance(value, dict):
        return ()
    return parts_of_numbers({
        topic: [number for number in numbers if isinstance(number, int)]
        for topic, numbers in value.items() if isinstance(numbers, list)
    })  # fmt: skip


def _assignment(value: object) -> dict[str, Parts]:
    shares = value if isinstance(value, list) else []
    return {
        str(share.get("memberId", "")): _partitions_of_bytes(share.get("memberAssignment"))
        for share in shares if isinstance(share, dict)
    }  # fmt: skip


def _partitions_of_bytes(value: object) -> Parts:
    """Return the partitions of an assignment's bytes, as Node prints a buffer in JSON."""
    numbers = value.get("data") if isinstance(value, dict) else None
    try:
        message = decode(bytes(numbers or ()), ConsumerProtocolAssignment).message
    except (KprotoError, TypeError, ValueError):
        return ()
    if message is None:
        return ()
    return parts_of_numbers({
        entry.topic: entry.partitions for entry in message.assigned_partitions
    })  # fmt: skip
