"""What a line of a log proves: one event of a group, in words that are the same for all sources."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from .layouts import Stamp

__all__ = ["LogEvent", "Side"]

Side: TypeAlias = Literal["broker", "client", "frames", "records"]


class LogEvent(NamedTuple):
    """An event that a line proves. `event` is a word of `history.group_story.TOLD_EVENTS`, or a
    sign that the rules of causes use. `side` is who wrote the line, `family` the program:
    "broker", "java", "librdkafka". Names that the line does not have are empty; a generation (or
    epoch) that it does not have is -1. `fields` has the rest: reason, error, partitions,
    assignment, protocol, leader, limit_ms, and what else a row names; with `is_incremental`,
    partitions are those that come to, or go from, what the member has."""

    event: str
    side: Side
    family: str
    line: int
    stamp: Stamp
    group: str = ""
    kind: str = ""
    member: str = ""
    client: str = ""
    instance: str = ""
    generation: int = -1
    fields: Mapping[str, Any] = MappingProxyType({})
    text: str = ""
    """The line, for evidence, without what stands around the message."""
