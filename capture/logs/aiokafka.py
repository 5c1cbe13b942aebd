"""Lines of aiokafka, by Python's logging: logger `aiokafka.consumer.group_coordinator`.

Sources: aiokafka/consumer/group_coordinator.py and subscription_state.py, 0.7 to 0.14. That the
poll interval was exceeded has no line of its own. A consumer leaves because of that, because it is
closed, or because its application unsubscribes. After a close nothing follows, and of subscriptions
there are lines; so a member that leaves and then gives its partitions up, to join again, did not
poll in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .error_texts import name_error
from .event import LogEvent
from .family import TextFamily, logger_of
from .kafka_python import SHARED_ROWS
from .layouts import LogLine
from .rows import Row, Table

__all__ = ["Aiokafka"]

_COMMIT = "OffsetCommit failed for group <group> "

_ROWS = (
    Row("joined", "Joined group '<group>' (generation <generation>) with member_id <member>"),
    Row("assigned", "Successfully synced group <group> with generation <generation>"),
    Row("heartbeat-refused", "Heartbeat failed: local member_id was not recognized; resetting and "
        "re-joining group", error="UNKNOWN_MEMBER_ID"),
    Row("session-timed-out", "Heartbeat session expired - marking coordinator dead"),
    Row("leaves", "LeaveGroup request succeeded"),
    # The first metadata that it gets, and those of topics that change.
    Row("", "Metadata for topic has changed from \\{\\} to"),
    Row("metadata-changed", "Metadata for topic has changed from <detail>"),
    Row("join-refused", "Attempt to join group failed due to fatal error: <detail>", name_error),
    Row("join-refused", "Unexpected error in join group '<group>' response: <detail>", name_error),
    Row("commit-refused", _COMMIT + "due to group error (<detail>), will rejoin", name_error),
    Row("commit-refused", _COMMIT + "on partition <detail>", name_error),
    Row("commit-refused", _COMMIT + "- <detail>", name_error),
    Row("commit-refused", _COMMIT + "{because|due to} <detail>", name_error),
    Row("commit-refused", "OffsetCommit failed for unauthorized topics <detail>",
        error="TOPIC_AUTHORIZATION_FAILED"),
    Row("commit-refused", "OffsetCommit failed before join, ignoring: <detail>", name_error),
    Row("commit-refused", "Failed to commit on finallization: <detail>", name_error),
    Row("commit-refused", "Auto offset commit failed: <detail>", name_error),
    Row("coordinator-lost", "Marking the coordinator dead (node <node>)for group <group>"),
    Row("error", "Unexpected error in coordinator routine"),
    # The line after it says the same.
    Row("", "Error sending <api> to node <node> \\["),
    Row("", "Heartbeat send request failed: "),
)  # fmt: skip


_OF_COMMITS = ("commit-refused", "coordinator-lost", "error")
_KAFKA_PYTHON = re.compile(r"\bkafka\.(?:coordinator|consumer)|\[Consumer |\bo\.a\.k\.")


class Aiokafka(TextFamily):
    """Reads the lines of aiokafka. Lines that kafka-python has, too, are its own where the
    logger's name says so, or the log has had lines that only aiokafka prints."""

    name = "aiokafka"
    own = ("aiokafka.consumer",)
    table = Table((*_ROWS, *SHARED_ROWS))
    signs = (*table.signs, b"aiokafka.consumer")
    only = Table(_ROWS)

    def __init__(self) -> None:
        super().__init__()
        self._has_written = False
        self._is_settled = False
        """Whether the member got partitions since its application last subscribed."""
        self._leave: LogEvent | None = None
        """Its leave, if it was settled, until something else may be why it joins again."""

    def part_events(self, line: LogLine) -> Iterable[LogEvent] | None:
        """Return what one line of a message proves; None where no row fits."""
        events = super().part_events(line)
        if "Unsubscribed all topics" in line.text:
            self._is_settled = False
            self._leave = None
        return None if events is None else self._with_poll_timeouts(events)

    def _with_poll_timeouts(self, events: Iterable[LogEvent]) -> Iterator[LogEvent]:
        for event in events:
            if event.event == "partitions-revoked" and self._leave is not None:
                if self.memory.has_one_member:
                    yield self._leave._replace(event="poll-timeout")
                self._leave = None
            elif event.event == "leaves":
                self._leave = event if self._is_settled else None
            elif event.event not in _OF_COMMITS:
                self._is_settled = event.event == "partitions-assigned"
                self._leave = None
            yield event

    def is_foreign(self, line: LogLine) -> bool:
        """Return whether kafka-python may have written a line."""
        text = line.text + logger_of(line)
        if "aiokafka" in text or self.only.match(line.text) is not None:
            self._has_written = True
            return False
        return not self._has_written or bool(_KAFKA_PYTHON.search(text))
