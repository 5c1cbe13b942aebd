"""Lines of kafka-go: `kafka.Reader` and `kafka.ConsumerGroup` with a Logger and an ErrorLogger.

Sources: consumergroup.go and reader.go, 0.3.5 to 0.4.51; reader.go of 0.2. What stands in front of
a message is up to the application's logger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..whole_numbers import whole_numbers
from .error_texts import name_error
from .event import LogEvent
from .family import TextFamily
from .layouts import LogLine
from .rows import Row, Table
from .values import Parts, parts_of_numbers

__all__ = ["KafkaGo"]

_OFFSETS = re.compile(r"topic:(\S+) partition:(\d{1,20})\}(?::(-?\d{1,20}))?")
_SHARE = re.compile(r"assigned member/topic/partitions (.{1,400})/([^/]{1,400})/\[([\d ]*)\]")


def _offsets(values: dict[str, Any]) -> None:
    partitions = _OFFSETS.findall(values["partitions"])
    values["partitions"] = tuple(sorted((topic, int(number)) for topic, number, _ in partitions))
    values["offsets"] = {
        (topic, int(number)): int(offset)
        for topic, number, offset in partitions if offset.isdigit()
    }  # fmt: skip


_ROWS = (
    Row("joined", "joined group <group> as member <member> in generation <generation>"),
    # Printed again, by what has called the lines before; the only one in 0.2.
    Row("joined", "Joined group <group> as member <member> in generation <generation>"),
    Row("joined", "joinGroup succeeded for response, <group>. [ ]generationID=<generation>, "
        "memberID=<member>"),
    Row("leader-elected", "selected as leader for group, <group>"),
    Row("", "using '<protocol>' balancer to assign group, <group>"),
    Row("", "found member: <member>/\\[\\]byte"),
    Row("", "found topic/partition: <topic>/<partition>"),
    Row("", "assigned member/topic/partitions <detail>"),
    Row("assigned", "sync group finished for group, <group>"),
    Row("", "received empty assignments for group, <group> as member"),
    Row("partitions-assigned", "subscribed to topics and partitions: map\\[<partitions>\\]",
        _offsets),
    Row("metadata-changed", "Partition changes found, {rebalancing|reblancing} group: <group>"),
    Row("leaves", "Leaving group <group>, member <member>"),
    Row("leave-refused", "leave group failed for group, <group>, and member, <member>: <detail>",
        name_error),
    Row("join-refused", "Failed to join group <group>: <detail>", name_error),
    Row("sync-refused", "Failed to sync group <group>: <detail>", name_error),
    Row("coordinator-lost", "Unable to establish connection to consumer group coordinator for "
        "group <group>: <detail>"),
    Row("heartbeats-stopped", "stopped heartbeat for group <group>"),
    Row("process-started", "entering loop for consumer group, <group>"),
    *(Row("", text) for text in (
        "Syncing <count> assignments for generation", "started heartbeat for group",
        "{started|stopped} commit for group", "{started|stopped} partition watcher for group",
        "committed offsets for group", "Failed to fetch offsets for group",
    )),
)  # fmt: skip

_MAX_SHARES = 100_000
"""Shares of one plan that are remembered."""


class KafkaGo(TextFamily):
    """Reads the lines of kafka-go. The leader's plan has a line for each share of a topic, and is
    complete before the leader's join is."""

    name = "kafka-go"
    table = Table(_ROWS)
    signs = table.signs

    def __init__(self) -> None:
        super().__init__()
        self._plan: dict[str, dict[str, tuple[int, ...]]] | None = None
        self._protocol = ""
        self._partitions: set[tuple[str, int]] = set()
        """Those that the leader divides."""
        self._joined: tuple[str, str, int] | None = None

    def row_events(self, line: LogLine, row: Row, values: dict[str, Any]) -> Iterable[LogEvent]:
        """Return the events of a row: one for the several lines of one join, and the leader's plan
        behind it."""
        if "-" not in values.get("member", "-"):
            return ()  # a member's id is the client's, a hyphen and a UUID
        if row.event == "leader-elected":
            self._plan = {}
            self._partitions = set()
        elif "partition" in values:
            self._partitions.add((values["topic"], int(values["partition"])))
            return ()
        elif self._plan is not None:
            self._note_share(line.text, values)
        if row.event != "joined":
            return super().row_events(line, row, values)
        join = (values["group"], values["member"], values["generation"])
        events: list[LogEvent] = []
        if join != self._joined:
            self._joined = join
            self._plan = None
            events += super().row_events(line, row, values)
        if self._plan is not None and "joinGroup succeeded" in line.text:
            events.append(self._plan_event(line, values))
        return events

    def _note_share(self, text: str, values: dict[str, Any]) -> None:
        if self._plan is None or len(self._plan) > _MAX_SHARES:
            return
        share = _SHARE.search(text)
        if share is not None:
            numbers = tuple(whole_numbers(share[3]))
            self._plan.setdefault(share[1], {})[share[2]] = numbers
        elif "protocol" in values:
            self._protocol = values["protocol"]
        elif "found member: " in text:
            self._plan.setdefault(values["member"], {})

    def _plan_event(self, line: LogLine, values: dict[str, Any]) -> LogEvent:
        plan: dict[str, Parts] = {
            member: parts_of_numbers(topics) for member, topics in (self._plan or {}).items()
        }
        self._plan = None
        given = [part for parts in plan.values() for part in parts]
        is_whole = sorted(given) == sorted(self._partitions) and bool(plan)
        fields = {"assignment": plan} if is_whole else {}
        return LogEvent(
            "leader-assigns",
            self.side,
            self.name,
            line.number,
            line.stamp,
            group=values["group"],
            member=values["member"],
            generation=values["generation"],
            fields={**fields, "protocol": self._protocol},
            text=line.text,
        )
