"""Lines of brod and of what stands on it, such as broadway_kafka.

Source: src/brod_group_coordinator.erl, 2.3 to 4.4 (before 3.3 with another origin): the member in
one line, its message in the next ones. The generation is that of the member at that time: of a
rejoin, the one that ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..whole_numbers import whole_number
from .error_texts import name_error
from .event import LogEvent
from .family import Family, events_of_row
from .layouts import LogLine
from .rows import Row, Table
from .values import Parts

__all__ = ["TABLE", "Brod"]

_ORIGIN = re.compile(
    r"(?:Group member \((?P<group>.{0,400}?),\s?coor=\S{1,400}?,\s?cb=\S{1,400}?,"
    r"\s?generation=(?P<generation>\w+)"
    r"|group coordinator \(groupId=(?P<older>.{0,400}?),memberId=(?P<member>.{0,400}?),"
    r"generation=(?P<number>\d{1,20}),pid=\S{1,100}?)\):\s*"
)
_TOPIC = re.compile(r"^\s+(\S+):$")
_PARTITION = re.compile(r"^\s+partition=(\d{1,20}) ")


def _partitions(text: str) -> Parts:
    topic = ""
    partitions = []
    for line in text.splitlines():
        if match := _TOPIC.match(line):
            topic = match[1]
        elif match := _PARTITION.match(line):
            partitions.append((topic, int(match[1])))
    return tuple(sorted(partitions))


TABLE = Table((
    Row("wants-to-join", "re-joining group, reason:<detail>", name_error),
    Row("joined", "elected=true", is_leader=True),
    Row("joined", "elected=false", is_leader=False),
    Row("assigned", "assignments received:"),
    Row("leaves", "eaving group, reason: <reason>"),
    Row("join-refused", "failed to join group reason: <detail>", name_error),
    Row("member-fenced", "Static member was fenced by another member using the same "
        "group_instance_id", error="FENCED_INSTANCE_ID"),
))  # fmt: skip


class Brod(Family):
    """Reads the lines of brod, and of what stands on it."""

    name = "brod"
    signs = (b"Group member (", b"group coordinator (groupId=")

    def __init__(self) -> None:
        super().__init__()
        self._origin: re.Match[str] | None = None

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        match = _ORIGIN.search(text)
        origin = match or self._origin
        self._origin = None
        if origin is None:
            return None
        message = text if match is None else text[match.end() :]
        if not message.strip():  # it is known when its message has come
            self._origin = match
            self.note_unknown(line, text)
            return ()
        entry = TABLE.match(" ".join(message.split()))
        if entry is None:
            return None if match is None else ()
        if match is None:
            self.unknown -= 1
            del self.examples[self.unknown :]
        row, values = entry
        values["group"] = origin["group"] or origin["older"]
        values["member"] = origin["member"] or ""
        generation = origin["generation"] or origin["number"]
        if (number := whole_number(generation)) is not None:
            values["generation"] = number
        if row.event == "assigned":
            values["partitions"] = _partitions(message)
        return tuple(events_of_row(self, line, origin[0] + message, row, values))
