"""Read a log into events, whoever wrote it, with a count of the lines that nearly are some."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .broker import Broker
from .event import LogEvent
from .family import Family
from .java import Java, JavaSettings
from .layouts import LogLine, log_lines

__all__ = ["FAMILIES", "LogReader"]

FAMILIES: tuple[type[Family], ...] = (Broker, Java, JavaSettings)
"""The programs whose lines are known; the first one that knows a line has it."""

_LOGGER = re.compile(r"\s\((?:[a-z]\w*\.)+[\w$]+(?::\d+)?\)(?:\s\[[^\]]*\])?\s*$")


class LogReader:
    """Reads one log; `lines` and `events` are how many it has read so far."""

    def __init__(self) -> None:
        self.lines = 0
        self.events = 0
        self.families = tuple(family() for family in FAMILIES)

    def read(self, lines: Iterable[str]) -> Iterator[LogEvent]:
        """Yield the events in the order of the lines."""
        for line in log_lines(self._count(lines)):
            for event in self._events(line):
                self.events += 1
                yield event

    @property
    def unknown(self) -> dict[str, int]:
        """How many lines about groups no table has, by the program that wrote them."""
        return {family.name: family.unknown for family in self.families if family.unknown}

    def _count(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            self.lines += 1
            yield line

    def _events(self, line: LogLine) -> Iterable[LogEvent]:
        text = _LOGGER.sub("", line.text)
        for family in self.families:
            events = family.events(line, text)
            if events is not None:
                return events
        return ()
