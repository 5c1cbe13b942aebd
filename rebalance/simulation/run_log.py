"""The log of a run: every event in order, and every frame that was sent; and its clock, with the
queue of what is due at which time. Ties are settled by the order of insertion.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from msgspec import to_builtins

from ...codec.runtime.message import Message
from ...inspector.shapes.checks import Event
from ..assignments import Partition, shares_of


class LoggedEvent(NamedTuple):
    """A logged event. `detail` depends on `what`; partitions are sorted."""

    at_ms: float
    who: str
    """A member's name, "coordinator", or "operator"."""
    what: str
    partitions: tuple[Partition, ...] = ()
    detail: Mapping[str, Any] = {}

    def to_json(self) -> dict[str, Any]:
        """Return the event as a JSON object: an `Event`, and the keys of its detail."""
        event = Event(
            at_ms=round(self.at_ms, 3),
            actor=self.who,
            event=self.what,
            partitions=shares_of(self.partitions),
        )
        return {**to_builtins(event), **self.detail}


class SentFrame(NamedTuple):
    """A request or a response of the group APIs, as it went over a connection."""

    at_ms: float
    connection: str
    """The member's name and the connection's number: "a#1"."""
    client_id: str
    asks: bool
    api_version: int
    correlation_id: int
    message: Message


@dataclass
class Belief:
    """A time in which a member believes to own a partition."""

    partition: Partition
    member: str
    since_ms: float
    until_ms: float


class Sample(NamedTuple):
    """The progress at a moment."""

    at_ms: float
    processed: float
    """Records processed so far."""
    behind: float
    """Records that are produced and not yet processed."""
    partitions: int
    """How many partitions there are."""
    paused: int
    """How many of them no member can read from."""


@dataclass
class RunRecord:
    """The log of a run. Times are in milliseconds from the beginning."""

    events: list[LoggedEvent] = field(default_factory=list)
    frames: list[SentFrame] = field(default_factory=list)
    beliefs: list[Belief] = field(default_factory=list)
    blocked: list[tuple[str, float, float]] = field(default_factory=list)
    """Member, from, to: its processing side runs a callback, or the process is frozen."""
    samples: list[Sample] = field(default_factory=list)
    partitions: list[tuple[Partition, float]] = field(default_factory=list)
    """Every partition, and since when it exists."""
    violations: list[tuple[float, str, str]] = field(default_factory=list)
    """The time of each violation, the check that failed, and what was wrong."""
    begin_ms: float | None = None
    """When production began: the group had started. None if it never came to that."""
    shared: bool = False
    """Whether it is a share group, in which several members read one partition."""
    twice: float = 0.0
    """Records that were processed more than once."""
    end_ms: float = 0.0


MOST_CALLS = 1_000_000
"""The scheduled calls of one run. The largest built-in scenario makes a fiftieth of them."""
MOST_LOOKS = 100_000_000
"""The calls of one run times its partitions: most calls look at each."""


class RunTooLongError(ValueError):
    """A scenario asks for more calls than `MOST_CALLS` and `MOST_LOOKS` allow; the message says at
    what time."""


class Clock:
    """A clock in milliseconds that jumps from one scheduled call to the next."""

    def __init__(self) -> None:
        self.now = 0.0
        self._line: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._timers: dict[object, int] = {}

    def at(self, when: float, do: Callable[[], None]) -> int:
        """Schedule a call for a time; return the number that identifies it."""
        number = next(self._order)
        heapq.heappush(self._line, (max(when, self.now), number, do))
        return number

    def after(self, delay: float, do: Callable[[], None]) -> int:
        """Schedule a call after a delay in milliseconds; return the number that identifies it."""
        return self.at(self.now + delay, do)

    def timer(self, key: object, delay: float | None, do: Callable[[], None]) -> None:
        """Schedule a call under a key. Setting the key again replaces it, and None stops it."""
        if delay is None:
            self._timers.pop(key, None)
            return

        def ring() -> None:
            if self._timers.get(key) == number:
                del self._timers[key]
                do()

        number = self.after(delay, ring)
        self._timers[key] = number

    def stop_timers(self, belongs: Callable[[object], bool]) -> None:
        """Stop the timers whose keys satisfy a condition."""
        for key in [key for key in self._timers if belongs(key)]:
            del self._timers[key]

    def run(self, until: float, partitions: Callable[[], int]) -> None:
        """Make the calls that are due, up to a time; `partitions` returns how many there are now.
        Raises RunTooLongError."""
        calls = looks = 0
        while self._line and self._line[0][0] <= until:
            calls, looks = calls + 1, looks + partitions()
            if calls > MOST_CALLS or looks > MOST_LOOKS:
                raise RunTooLongError(
                    f"the run has made {calls - 1:,} calls after {self.now / 1000:,.0f} of "
                    f"{until / 1000:,.0f} seconds: shorten its duration, or take fewer members or "
                    "partitions"
                )
            self.now, _, do = heapq.heappop(self._line)
            do()
        self.now = until
