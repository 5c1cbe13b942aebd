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

__all__ = ["VIEWS", "Column", "Kind", "View"]

Shares = dict[str, tuple[int, ...]]
"""Partitions by topic."""


class Kind(NamedTuple):
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
        match["topic"]: tuple(sorted(map(int, re.findall(r"\d+", match["numbers"]))))
        for match in _SHARE.finditer(text)
    }
    return None if "" in shares else shares


_SHARE = re.compile(
    r"(?:^|;|,\s+)(?P<topic>[^\s:;,()\[\]]*)(?:(?P<sign>:)|\(|\s*\[)"
    r"(?P<numbers>\d+(?:[, ]\d+)*)(?(sign)|[)\]])"
)
_PARTITIONS = r"(?:[^\s:;,()\[\]]*(?::\d+(?:,\d+)*|\(\d+(?:,\d+)*\)))"


def _tasks(text: str) -> dict[str, Shares]:
    """Return Streams' tasks by what they are: `ACTIVE: 0:[0,2];1:[0]; TARGET-ACTIVE: 0:[0,2]; `."""
    tasks: dict[str, Shares] = {}
    for match in _TASK_LIST.finditer(text):
        title = match["title"].lower().replace("-", "_")
        tasks[title] = {
            subtopology: tuple(sorted(map(int, re.findall(r"\d+", numbers))))
            for subtopology, numbers in _TASK.findall(match["tasks"])
        }
    return tasks


_TASK_LIST = re.compile(
    r"(?P<title>(?:TARGET-)?(?:ACTIVE|STANDBY|WARMUP))(?:-TASKS)?:+(?P<tasks>[^A-Z]*)"
)
_TASK = re.compile(r"([^\s;,:\[\]]+): ?\[+([\d, ]*)\]")

NAME = Kind(r".+?", has_blanks=True)
WORD = Kind(r"\S+")
STATE = Kind(r"[A-Za-z_]{4,}")
NUMBER = Kind(r"-?\d+", int)
HOST = Kind(r"/?\S+", lambda text: text.removeprefix("/"))
COORDINATOR = Kind(r"\S+:\d+ {1,2}\(-?\d*\)", _coordinator)
SHARES = Kind(rf"{_PARTITIONS}(?:(?:;|, ){_PARTITIONS})*", _shares)
TASKS = Kind(r"(?:(?:TARGET-)?(?:ACTIVE|STANDBY|WARMUP):.*)?", _tasks)
FLAG = Kind(r"true|false", lambda text: text == "true")


class Column(NamedTuple):
    """A column: its title, the name of its value, what its values look like."""

    title: str
    value: str
    kind: Kind = NAME
    releases: str = ""
    """Those that print it, "" for all."""
    is_always_filled: bool = True
    """Whether the tool prints "-" where it has no value, not blanks."""


class View(NamedTuple):
    """A table that a tool prints. `name` says what its rows are: offsets, members, state, list, or
    "" for rows that tell nothing of a group's present. `group_kind` is that of all its groups."""

    tool: str
    name: str
    columns: tuple[Column, ...]
    group_kind: str = ""

    @property
    def required(self) -> frozenset[str]:
        """The titles that every release prints."""
        return frozenset(column.title for column in self.columns if not column.releases)


_GROUP = Column("GROUP", "group")
_OLD_GROUP = Column("GROUP", "group", releases="2.3 on")
_TOPIC = Column("TOPIC", "topic")
_PARTITION = Column("PARTITION", "partition", NUMBER)
_LEADER_EPOCH = Column("LEADER-EPOCH", "leader_epoch", NUMBER, "4.0 on, --verbose")
_MEMBER = Column("CONSUMER-ID", "member")
_HOST = Column("HOST", "host", HOST)
_CLIENT = Column("CLIENT-ID", "client")
_COUNT = Column("#PARTITIONS", "partitions", NUMBER)
_COORDINATOR = Column("COORDINATOR (ID)", "coordinator", COORDINATOR)
_STATE = Column("STATE", "state", STATE)
_MEMBERS = Column("#MEMBERS", "members", NUMBER)
_EPOCH = Column("GROUP-EPOCH", "epoch", NUMBER, "4.0 on, --verbose")

_CONSUMER = "kafka-consumer-groups"
_SHARE_TOOL = "kafka-share-groups"
_STREAMS = "kafka-streams-groups"

VIEWS: tuple[View, ...] = (
    View(_CONSUMER, "offsets", (
        _OLD_GROUP, _TOPIC, _PARTITION, _LEADER_EPOCH,
        Column("CURRENT-OFFSET", "offset", NUMBER), Column("LOG-END-OFFSET", "end", NUMBER),
        Column("LAG", "lag", NUMBER), _MEMBER, _HOST, _CLIENT,
    )),
    View(_CONSUMER, "members", (
        _OLD_GROUP, _MEMBER,
        Column("GROUP-INSTANCE-ID", "instance", NAME, "2.5 on, where a member has one",
               is_always_filled=False),
        _HOST, _CLIENT, _COUNT,
        Column("ASSIGNMENT", "assigned", SHARES, "2.0 to 3.9, --verbose"),
        Column("CURRENT-EPOCH", "epoch", NUMBER, "4.0 on, --verbose"),
        Column("CURRENT-ASSIGNMENT", "assigned", SHARES, "4.0 on, --verbose"),
        Column("TARGET-EPOCH", "target_epoch", NUMBER, "4.0 on, --verbose"),
        Column("TARGET-ASSIGNMENT", "target", SHARES, "4.0 on, --verbose"),
        Column("UPGRADED", "is_upgraded", FLAG, "4.0 on, --verbose, while the group is converted"),
    )),
    View(_CONSUMER, "state", (
        _OLD_GROUP, _COORDINATOR,
        Column("ASSIGNMENT-STRATEGY", "assignor", WORD, is_always_filled=False),
        _STATE, _EPOCH,
        Column("TARGET-ASSIGNMENT-EPOCH", "assigned_epoch", NUMBER, "4.0 on, --verbose"),
        _MEMBERS,
    )),
    View(_CONSUMER, "list", (
        _GROUP, Column("TYPE", "type", WORD, "3.8 on, --type"),
        Column("STATE", "state", STATE, "2.6 on, --state"),
    )),
    View(_CONSUMER, "", (
        _OLD_GROUP, _TOPIC, _PARTITION, Column("NEW-OFFSET", "offset", NUMBER),
    )),
    View(_CONSUMER, "", (_TOPIC, _PARTITION, Column("STATUS", "status"))),
    View("kafka-groups", "list", (
        _GROUP, Column("TYPE", "type", WORD),
        Column("PROTOCOL", "protocol_type", WORD, is_always_filled=False),
    )),
    View(_SHARE_TOOL, "offsets", (
        _GROUP, _TOPIC, _PARTITION, _LEADER_EPOCH, Column("START-OFFSET", "start", NUMBER),
        Column("LAG", "lag", NUMBER, "4.2 on"),
    ), "share"),
    View(_SHARE_TOOL, "members", (
        _GROUP, _MEMBER, _HOST, _CLIENT, Column("#PARTITIONS", "partitions", NUMBER, "4.1 on"),
        Column("MEMBER-EPOCH", "epoch", NUMBER, "4.1 on, --verbose"),
        Column("ASSIGNMENT", "assigned", SHARES, is_always_filled=False),
    ), "share"),
    View(_SHARE_TOOL, "state", (
        _GROUP, _COORDINATOR, _STATE, _EPOCH,
        Column("ASSIGNMENT-EPOCH", "assigned_epoch", NUMBER, "4.1 on, --verbose"), _MEMBERS,
    ), "share"),
    View(_STREAMS, "offsets", (
        _GROUP, _TOPIC, _PARTITION,
        Column("CURRENT-OFFSET", "offset", NUMBER, "4.2 on, --verbose"), _LEADER_EPOCH,
        Column("LOG-END-OFFSET", "end", NUMBER, "4.2 on, --verbose"),
        Column("OFFSET-LAG", "lag", NUMBER),
    ), "streams"),
    View(_STREAMS, "members", (
        _GROUP,
        Column("TARGET-ASSIGNMENT-EPOCH", "target_epoch", NUMBER, "--verbose"),
        Column("TOPOLOGY-EPOCH", "topology_epoch", NUMBER, "--verbose"),
        Column("MEMBER", "member"),
        Column("MEMBER-PROTOCOL", "protocol", WORD, "--verbose"),
        Column("MEMBER-EPOCH", "epoch", NUMBER, "--verbose"),
        Column("PROCESS", "process", WORD), _CLIENT,
        Column("ASSIGNMENTS", "tasks", TASKS, "4.2 on", is_always_filled=False),
    ), "streams"),
    View(_STREAMS, "state", (
        _GROUP, _COORDINATOR, _STATE, _EPOCH,
        Column("TARGET-ASSIGNMENT-EPOCH", "assigned_epoch", NUMBER, "--verbose"), _MEMBERS,
    ), "streams"),
    View("rpk", "offsets", (
        _TOPIC, _PARTITION, Column("CURRENT-OFFSET", "offset", NUMBER),
        Column("LOG-START-OFFSET", "start", NUMBER, "23.1 on"),
        Column("LOG-END-OFFSET", "end", NUMBER), Column("LAG", "lag", NUMBER),
        Column("MEMBER-ID", "member", is_always_filled=False),
        Column("INSTANCE-ID", "instance", NAME, "where a member has one", is_always_filled=False),
        Column("CLIENT-ID", "client", is_always_filled=False),
        Column("HOST", "host", HOST, is_always_filled=False),
        Column("ERROR", "error", NAME, "where there is one", is_always_filled=False),
    )),
    View("rpk", "", (_TOPIC, Column("LAG", "lag", NUMBER))),
    View("rpk", "list", (
        Column("BROKER", "coordinator_id", NUMBER), _GROUP,
        Column("STATE", "state", STATE, "24.1 on", is_always_filled=False),
    )),
    View("kaf", "list", (
        Column("NAME", "group"), Column("STATE", "state", STATE),
        Column("CONSUMERS", "members", NUMBER),
    )),
    View("kaf", "offsets", (
        Column("Partition", "partition", NUMBER), Column("Group Offset", "offset", NUMBER),
        Column("High Watermark", "end", NUMBER), Column("Lag", "lag", NUMBER),
        Column("Metadata", "metadata", is_always_filled=False),
    )),
)  # fmt: skip
"""Every table, those of one tool together."""
