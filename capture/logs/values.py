"""Values inside of log lines: lists of partitions, assignments, lists of members."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["assignment_of", "members_of", "partitions_of", "topic_partitions_of"]

Parts = tuple[tuple[str, int], ...]
"""Topics with a partition each, sorted."""

_PARTITION = re.compile(r"([^\s,\[\](){}]+)-(\d+)(?=[\s,\])}]|$)")
_SHARE = re.compile(r"(?:^|, )([^,{}=]+)=Assignment\(partitions=\[([^\]]*)\]")
_PYTHON = re.compile(r"topic='([^']*)', partition=(\d+)")


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


def members_of(text: str) -> tuple[str, ...]:
    """Return the members of a list or set, as Java and Scala print it."""
    return tuple(member for member in text.strip("[]() .").split(", ") if member)
