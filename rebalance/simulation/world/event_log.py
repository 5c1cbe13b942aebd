"""What a run leaves behind: everything that happened, in order, and every frame that was sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ....codec.runtime.message import Message
from ...assignments import Partition

NOBODY = ""


class Happening(NamedTuple):
    """One thing. What there is to say depends on `what`; partitions are sorted."""

    at_ms: float
    who: str
    """A member's name, "coordinator", or "operator"."""
    what: str
    partitions: tuple[Partition, ...] = ()
    detail: Mapping[str, Any] = {}

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        made: dict[str, Any] = {"atMs": round(self.at_ms, 3), "who": self.who, "what": self.what}
        if self.partitions:
            made["partitions"] = [f"{topic}-{number}" for topic, number in self.partitions]
        return made | dict(self.detail)


class SentFrame(NamedTuple):
    """A request or a response of the group APIs, as it went over a connection."""

    at_ms: float
    connection: str
    """Member and number: "a#1"."""
    client_id: str
    asks: bool
    api_version: int
    correlation_id: int
    message: Message


@dataclass
class Belief:
    """Who believes to own a partition, from when to when."""

    partition: Partition
    member: str
    since_ms: float
    until_ms: float


class Sample(NamedTuple):
    """How things stand at a moment."""

    at_ms: float
    processed: float
    """Records so far."""
    behind: float
    """Records that are produced and not yet processed."""
    partitions: int
    """How many there are."""
    paused: int
    """How many of them nobody can read from."""


@dataclass
class Record:
    """All of it. Times are in milliseconds from the beginning."""

    happenings: list[Happening] = field(default_factory=list)
    frames: list[SentFrame] = field(default_factory=list)
    beliefs: list[Belief] = field(default_factory=list)
    blocked: list[tuple[str, float, float]] = field(default_factory=list)
    """Member, from, to: its processing side runs a callback, or it is frozen."""
    samples: list[Sample] = field(default_factory=list)
    partitions: list[tuple[Partition, float]] = field(default_factory=list)
    """Every partition, and since when it exists."""
    violations: list[tuple[float, str, str]] = field(default_factory=list)
    """When, which check, what."""
    twice: float = 0.0
    """Records that were processed more than once."""
    end_ms: float = 0.0

    def note(self, happening: Happening) -> None:
        """Add one."""
        self.happenings.append(happening)
