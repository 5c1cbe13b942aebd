"""Values inside of log lines: lists of partitions, assignments, lists of members."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..whole_numbers import whole_numbers

__all__ = [
    "Parts",
    "assignment_of",
    "go_assignment_of",
    "go_partitions_of",
    "members_of",
    "partitions_of",
    "parts_of_numbers",
    "topic_partitions_of",
]

Parts = tuple[tuple[str, int], ...]
"""Topics with a partition each, sorted."""

_PARTITION = re.compile(r"(?<![^\s,\[\](){}])([^\s,\[\](){}]+)-(\d{1,20})(?=[\s,\])}]|$)")
_SHARE = re.compile(r"(?:^|, )([^,{}=]+)=Assignment\(partitions=\[([^\]]*)\]")
_GO_TOPIC = re.compile(r"(?<![\w.-])([\w.-]++):?\[([\d ]*)\]")
_GO_SHARE = re.compile(r"(?:^|, )([^{}]*)\{([^{}]*)\}")
_COLLECTION = re.compile(r"(?:\w*\(|\[)(.*)[)\]]", re.DOTALL)
_PYTHON = re.compile(r"topic=u?'([^']*)', partition=(\d{1,20})")


def partitions_of(text: str) -> Parts:
    """Return the partitions of a list as Java prints it, `[orders-0, a-b-1]`, with or without
    brackets: a topic's name ends at the last hyphen."""
    return tuple(sorted((topic, int(number)) for topic, number in _PARTITION.findall(text)))


def topic_partitions_of(text: str) -> Parts:
    """Return the partitions of a list or a set as kafka-python prints it."""
    return tuple(sorted((topic, int(number)) for topic, number in _PYTHON.findall(text)))


def assignment_of(text: str) -> Mapping[str, Parts]:
    """Return what each member is given, of `{m-1=Assignment(partitions=[orders-0]), …}`."""
    inner = text.strip().removeprefix("{")
    return {member: partitions_of(parts) for member, parts in _SHARE.findall(inner)}


def parts_of_numbers(topics: Mapping[str, Iterable[int]]) -> Parts:
    """Return the partitions of topics with the numbers of theirs."""
    return tuple(sorted((topic, number) for topic, numbers in topics.items() for number in numbers))


def go_partitions_of(text: str) -> Parts:
    """Return the partitions of topics as Go's clients print them, `orders[0 1], a-b[2]` or
    `map[a-b:[2] orders:[0 1]]`."""
    return parts_of_numbers(
        {topic: whole_numbers(numbers) for topic, numbers in _GO_TOPIC.findall(text)}
    )


def go_assignment_of(text: str) -> Mapping[str, Parts]:
    """Return what each member is given, of `m-1{orders[0 1]}, m-2{}`."""
    return {member: go_partitions_of(topics) for member, topics in _GO_SHARE.findall(text)}


def members_of(text: str) -> tuple[str, ...]:
    """Return the members of a list or set, as Java and Scala print it: `[m-1, m-2]`,
    `HashSet(m-1, m-2)`."""
    inner = _COLLECTION.fullmatch(text.strip(" ."))
    return tuple(member for member in (inner[1] if inner else text).split(", ") if member)
