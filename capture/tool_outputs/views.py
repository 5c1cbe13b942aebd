"""The tables that tools print of groups: one description for each tool and view.

A description has the columns in their order; a release prints a part of them, and `releases` says
which. What was printed by the real tool is in tests/vectors/tool_outputs; the rest was read in the
sources of the tools:

| tool | printed by the real tool | read in its source |
|---|---|---|
| kafka-consumer-groups | 2.0.1, 2.2.2, 2.3.1, 2.6.3, 2.8.2, 3.7.2, 3.9.1, 4.3.1 | 2.0 to 4.3 |
| kafka-groups, kafka-share-groups | 4.3.1 | 4.0 to 4.3 |
| kafka-streams-groups | 4.3.1 | before 4.2 |
| kaf | of April 2026 | |
| rpk | | 21.11 to 25.3 |
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..whole_numbers import whole_numbers

__all__ = ["VIEWS", "TableColumn", "ValueKind", "View"]

Shares = dict[str, tuple[int, ...]]
"""Partitions by topic."""


class ValueKind(NamedTuple):
    """What values of a column look like, and what they mean. "-" is a value that is not there."""

    pattern: str
    convert: Callable[[str], Any] = str
    has_blanks: bool = False
    """Whether a value may contain blanks, or be any text."""


def _coordinator(text: str) -> tuple[str, int | None]:
    place, _, rest = text.partition(" ")
    number = rest.strip(" ()")
    return place, int(number) if number else None


def _shares(text: str) -> Shares | None:
    """Return an assignment: `a:0,1;b:2` (4.0 on), `a(0,1), b(2)` (up to 3.7), `a [0 1]` (kaf).
    3.8 and 3.9 print no topics, `(0,1), (2)`: None stands for that."""
    shares = {
        match["topic"]: tuple(sorted(whole_numbers(match["numbers"])))
        for match in _SHARE.finditer(text)
    }
    return None if "" in shares else shares


_SHARE = re.compile(
    r"(?:^|;|,\s*)(?P<topic>[^\s:;,()\[\]]*)(?:(?P<sign>:)|\(|\s*\[)"
    r"(?P<numbers>\d+(?:[, ]\d+)*)(?(sign)|[)\]])"
)
_PARTITIONS = r"(?:[^\s:;,()\[\]]*(?::\d+(?:,\d+)*|\(\d+(?:,\d+)*\)))"


def _tasks(text: str) -> dict[str, Shares]:
    """Return Streams' tasks by what they are: `ACTIVE: 0:[0,2];1:[0]; TARGET-ACTIVE: 0:[0,2]; `."""
    tasks: dict[str, Shares] = {}
    for match in _TASK_LIST.finditer(text):
        title = match["title"].lower().replace("-", "_")
        tasks[title] = {
            subtopology: tuple(sorted(whole_numbers(numbers)))
            for subtopology, numbers in _TASK.findall(match["tasks"])
        }
    return tasks


_TASK_LIST = re.compile(
    r"(?P<title>(?:TARGET-)?(?:ACTIVE|STANDBY|WARMUP))(?:-TASKS)?:+(?P<tasks>[^A-Z]*)"
)
_TASK = re.compile(r"(?<![^\s;,:\[\]])([^\s;,:\[\]]++): ?\[++([\d, ]*)\]")

NAME = ValueKind(r".{1,250}?", has_blanks=True)
WORD = ValueKind(r"\S+")
STATE = ValueKind(r"[A-Za-z_]{4,}")
NUMBER = ValueKind(r"-?\d{1,20}", int)
HOST = ValueKind(r"/?\S+", lambda text: text.removeprefix("/"))
COORDINATOR = ValueKind(r"\S+:\d+ {1,2}\(-?\d{0,20}\)", _coordinator)
SHARES = ValueKind(rf"{_PARTITIONS}(?:(?:;|, ?){_PARTITIONS})*", _shares)
TASKS = ValueKind(r"(?:(?:TARGET-)?(?:ACTIVE|STANDBY|WARMUP):.*)?", _tasks)
FLAG = ValueKind(r"true|false", lambda text: text == "true")


class TableColumn(NamedTuple):
    """A column: its title, the name of its value, what its values look like."""

    title: str
    value: str
    kind: ValueKind = NAME
    releases: str = ""
    """Those that print it, "" for all."""
    is_always_filled: bool = True
    """Whether the tool prints "-" where it has no value, not blanks."""


class View(NamedTuple):
    """A table that a tool prints. `name` says what its rows are: offsets, members, state, list, or
    "" for rows that tell nothing of a group's present. `group_kind` is that of all its groups."""

    tool: str
    name: str
    columns: tuple[TableColumn, ...]
    group_kind: str = ""

    @property
    def required(self) -> frozenset[str]:
        """The titles that every release prints."""
        return frozenset(column.title for column in self.columns if not column.releases)


_GROUP = TableColumn("GROUP", "group")
_OLD_GROUP = TableColumn("GROUP", "group", releases="2.3 on")
_TOPIC = TableColumn("TOPIC", "topic")
_PARTITION = TableColumn("PARTITION", "partition", NUMBER)
_LEADER_EPOCH = TableColumn("LEADER-EPOCH", "leader_epoch", NUMBER, "4.0 on, --verbose")
_MEMBER = TableColumn("CONSUMER-ID", "member")
_HOST = TableColumn("HOST", "host", HOST)
_CLIENT = TableColumn("CLIENT-ID", "client")
_COUNT = TableColumn("#PARTITIONS", "partitions", NUMBER)
_COORDINATOR = TableColumn("COORDINATOR (ID)", "coordinator", COORDINATOR)
_STATE = TableColumn("STATE", "state", STATE)
_MEMBERS = TableColumn("#MEMBERS", "members", NUMBER)
_EPOCH = TableColumn("GROUP-EPOCH", "epoch", NUMBER, "4.0 on, --verbose")

_CONSUMER = "kafka-consumer-groups"
_SHARE_TOOL = "kafka-share-groups"
_STREAMS = "kafka-streams-groups"

VIEWS: tuple[View, ...] = (
    View(_CONSUMER, "offsets", (
        _OLD_GROUP, _TOPIC, _PARTITION, _LEADER_EPOCH,
        TableColumn("CURRENT-OFFSET", "offset", NUMBER),
        TableColumn("LOG-END-OFFSET", "end", NUMBER),
        TableColumn("LAG", "lag", NUMBER), _MEMBER, _HOST, _CLIENT,
    )),
    View(_CONSUMER, "members", (
        _OLD_GROUP, _MEMBER,
        TableColumn("GROUP-INSTANCE-ID", "instance", NAME, "2.5 on, where a member has one",
               is_always_filled=False),
        _HOST, _CLIENT, _COUNT,
        TableColumn("ASSIGNMENT", "assigned", SHARES, "2.0 to 3.9, --verbose"),
        TableColumn("CURRENT-EPOCH", "epoch", NUMBER, "4.0 on, --verbose"),
        TableColumn("CURRENT-ASSIGNMENT", "assigned", SHARES, "4.0 on, --verbose"),
        TableColumn("TARGET-EPOCH", "target_epoch", NUMBER, "4.0 on, --verbose"),
        TableColumn("TARGET-ASSIGNMENT", "target", SHARES, "4.0 on, --verbose"),
        TableColumn("UPGRADED", "is_upgraded", FLAG,
                    "4.0 on, --verbose, while the group is converted"),
    )),
    View(_CONSUMER, "state", (
        _OLD_GROUP, _COORDINATOR,
        TableColumn("ASSIGNMENT-STRATEGY", "assignor", WORD, is_always_filled=False),
        _STATE, _EPOCH,
        TableColumn("TARGET-ASSIGNMENT-EPOCH", "assigned_epoch", NUMBER, "4.0 on, --verbose"),
        _MEMBERS,
    )),
    View(_CONSUMER, "list", (
        _GROUP, TableColumn("TYPE", "type", WORD, "3.8 on, --type"),
        TableColumn("STATE", "state", STATE, "2.6 on, --state"),
    )),
    View(_CONSUMER, "", (
        _OLD_GROUP, _TOPIC, _PARTITION, TableColumn("NEW-OFFSET", "offset", NUMBER),
    )),
    View(_CONSUMER, "", (_TOPIC, _PARTITION, TableColumn("STATUS", "status"))),
    View("kafka-groups", "list", (
        _GROUP, TableColumn("TYPE", "type", WORD),
        TableColumn("PROTOCOL", "protocol_type", WORD, is_always_filled=False),
    )),
    View(_SHARE_TOOL, "offsets", (
        _GROUP, _TOPIC, _PARTITION, _LEADER_EPOCH, TableColumn("START-OFFSET", "start", NUMBER),
        TableColumn("LAG", "lag", NUMBER, "4.2 on"),
    ), "share"),
    View(_SHARE_TOOL, "members", (
        _GROUP, _MEMBER, _HOST, _CLIENT, TableColumn("#PARTITIONS", "partitions", NUMBER, "4.1 on"),
        TableColumn("MEMBER-EPOCH", "epoch", NUMBER, "4.1 on, --verbose"),
        TableColumn("ASSIGNMENT", "assigned", SHARES, is_always_filled=False),
    ), "share"),
    View(_SHARE_TOOL, "state", (
        _GROUP, _COORDINATOR, _STATE, _EPOCH,
        TableColumn("ASSIGNMENT-EPOCH", "assigned_epoch", NUMBER, "4.1 on, --verbose"), _MEMBERS,
    ), "share"),
    View(_STREAMS, "offsets", (
        _GROUP, _TOPIC, _PARTITION,
        TableColumn("CURRENT-OFFSET", "offset", NUMBER, "4.2 on, --verbose"), _LEADER_EPOCH,
        TableColumn("LOG-END-OFFSET", "end", NUMBER, "4.2 on, --verbose"),
        TableColumn("OFFSET-LAG", "lag", NUMBER),
    ), "streams"),
    View(_STREAMS, "members", (
        _GROUP,
        TableColumn("TARGET-ASSIGNMENT-EPOCH", "target_epoch", NUMBER, "--verbose"),
        TableColumn("TOPOLOGY-EPOCH", "topology_epoch", NUMBER, "--verbose"),
        TableColumn("MEMBER", "member"),
        TableColumn("MEMBER-PROTOCOL", "protocol", WORD, "--verbose"),
        TableColumn("MEMBER-EPOCH", "epoch", NUMBER, "--verbose"),
        TableColumn("PROCESS", "process", WORD), _CLIENT,
        TableColumn("ASSIGNMENTS", "tasks", TASKS, "4.2 on", is_always_filled=False),
    ), "streams"),
    View(_STREAMS, "state", (
        _GROUP, _COORDINATOR, _STATE, _EPOCH,
        TableColumn("TARGET-ASSIGNMENT-EPOCH", "assigned_epoch", NUMBER, "--verbose"), _MEMBERS,
    ), "streams"),
    View("rpk", "offsets", (
        _TOPIC, _PARTITION, TableColumn("CURRENT-OFFSET", "offset", NUMBER),
        TableColumn("LOG-START-OFFSET", "start", NUMBER, "23.1 on"),
        TableColumn("LOG-END-OFFSET", "end", NUMBER), TableColumn("LAG", "lag", NUMBER),
        TableColumn("MEMBER-ID", "member", is_always_filled=False),
        TableColumn("INSTANCE-ID", "instance", NAME, "where a member has one",
                    is_always_filled=False),
        TableColumn("CLIENT-ID", "client", is_always_filled=False),
        TableColumn("HOST", "host", HOST, is_always_filled=False),
        TableColumn("ERROR", "error", NAME, "where there is one", is_always_filled=False),
    )),
    View("rpk", "", (_TOPIC, TableColumn("LAG", "lag", NUMBER))),
    View("rpk", "list", (
        TableColumn("BROKER", "coordinator_id", NUMBER), _GROUP,
        TableColumn("STATE", "state", STATE, "24.1 on", is_always_filled=False),
    )),
    View("kaf", "list", (
        TableColumn("NAME", "group"), TableColumn("STATE", "state", STATE),
        TableColumn("CONSUMERS", "members", NUMBER),
    )),
    View("kaf", "offsets", (
        TableColumn("Partition", "partition", NUMBER),
        TableColumn("Group Offset", "offset", NUMBER),
        TableColumn("High Watermark", "end", NUMBER), TableColumn("Lag", "lag", NUMBER),
        TableColumn("Metadata", "metadata", is_always_filled=False),
    )),
)  # fmt: skip
"""Every table, those of one tool together."""
