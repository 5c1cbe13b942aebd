"""Lines of ruby-kafka, and of what stands on it: racecar to 1.0, Karafka to 1.4, Fluentd's input.

    [[billing] {orders: 0, 1}:] Joined group `billing` with member id `app-…`

The group, and what its member has, are in front of most lines; no line has a generation. A round
has a line for each topic that the member gets, and none for what it gives up. Heartbeats are sent
between records, so that a record which takes longer than a session ends it.

Sources: lib/kafka/consumer_group.rb and consumer.rb, 0.7 to 1.5.
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

__all__ = ["TABLE", "RubyKafka"]

TABLE = Table((
    Row("joins", "Joining group `<group>`"),
    Row("joined", "Joined group `<group>` with member id `<member>`"),
    Row("leader-elected", "Chosen as leader of group `<group>`"),
    Row("partitions-assigned", "Partitions assigned for `<topic>`: <numbers>"),
    Row("heartbeat-refused", "Error sending heartbeat: <detail>", name_error),
    Row("join-refused", "Failed to join group; resetting member id and retrying",
        error="UNKNOWN_MEMBER_ID"),
    Row("commit-refused", "Error committing offsets: <detail>", name_error),
    Row("leaves", "Leaving group `<group>`"),
    Row("coordinator-lost", "Failed to find coordinator for group `<group>`; retrying"),
    Row("coordinator-lost", "Group coordinator not available for group `<group>`"),
    Row("coordinator-lost", "Connection error while trying to join group `<group>`; retrying"),
    Row("", "Group rebalance in progress, re-joining..."),
    Row("", "Coordinator broker still loading, retrying"),
))  # fmt: skip
_TAG = re.compile(r"\[\[(?P<group>[^\]]{1,400})\] \{[^}]{0,20000}\}:\] ")
"""The group, in front of a message, with the partitions of its member."""


class RubyKafka(TextFamily):
    """Reads the lines of ruby-kafka."""

    name = "ruby-kafka"
    table = TABLE
    signs = table.signs

    def __init__(self) -> None:
        super().__init__()
        self._given: set[tuple[str, int]] = set()
        """What the lines of this round have told so far."""

    def part_events(self, line: LogLine) -> Iterable[LogEvent] | None:
        """Return what one line of a message proves; None where no row fits, or nothing says that
        it is of this program."""
        return super().part_events(line) if _TAG.search(line.text) else None

    def row_events(self, line: LogLine, row: Row, values: dict[str, Any]) -> Iterable[LogEvent]:
        """Return the events of a row with its values."""
        tag = _TAG.search(line.text)
        if tag is not None:
            values.setdefault("group", tag["group"])
        if row.event in ("joins", "joined"):
            self._given = set()
        elif row.event == "partitions-assigned":
            topic = values.pop("topic")
            numbers = whole_numbers(values.pop("numbers"))
            self._given |= {(topic, number) for number in numbers}
            values["partitions"] = tuple(sorted(self._given))
        elif row.event == "heartbeat-refused" and "error" not in values:
            row = Row("coordinator-lost", row.template)  # its connection has failed
        return super().row_events(line, row, values)
