"""Read a log into events, whoever wrote it, with a count of the lines that nearly are some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BufferedReader, RawIOBase, TextIOWrapper
from typing import BinaryIO

from .aiokafka import Aiokafka
from .around import Around
from .brod import Brod
from .broker import Broker
from .candidates import MAX_LINE, Readable, candidate_lines, growing_lines
from .dms import Dms
from .event import LogEvent
from .exports import is_document, is_table, log_lines
from .family import Family, without_logger
from .franz_go import FranzGo
from .hard_breaks import break_width, joined_lines
from .java import Java, JavaPositions, JavaSettings, JavaUnnamed, SmallRye, Spring, Streams
from .kafka_go import KafkaGo
from .kafka_python import KafkaPython
from .kafkajs import KafkaJS
from .layouts import LogLine
from .librdkafka import Librdkafka
from .ruby_kafka import RubyKafka
from .sarama import Sarama
from .time_order import in_time

__all__ = ["FAMILIES", "LogReader"]

FAMILIES: tuple[type[Family], ...] = (
    Broker, JavaPositions, Java, JavaUnnamed, JavaSettings, Streams, Spring, SmallRye, Dms,
    Librdkafka, Sarama, KafkaJS, Aiokafka, KafkaPython, KafkaGo, FranzGo, RubyKafka, Brod, Around,
)  # fmt: skip
"""The programs whose lines are known; the first one that knows a line has it."""

SIGNS = tuple(sign for family in FAMILIES for sign in family.signs)


class LogReader:
    """Reads one log; `events` is how many it has read so far."""

    def __init__(self) -> None:
        self.events = 0
        self.is_empty = False
        self.is_binary = False
        """Whether what was read is no text."""
        self.is_known = False
        """Whether some line is of a program that is known, though it may tell of no group."""
        self.families = tuple(family() for family in FAMILIES)

    def read(self, file: Readable, *, in_order: bool = True) -> Iterator[LogEvent]:
        """Yield the events of a binary file in the order of its lines' times; where none is asked
        for, as they come: to put all lines in order, the file has to be read to its end."""
        head = _Head(file)
        first = head.first_line
        self.is_empty, self.is_binary = head.is_empty, head.is_binary
        if head.is_binary:
            return
        width = head.width
        if width or head.is_wide or head.is_typeset or is_document(first) or is_table(first):
            encoding = "utf-16" if head.is_wide else "utf-8"
            text = TextIOWrapper(BufferedReader(head), encoding, "backslashreplace", newline="\n")
            plain = (line.translate(_PLAIN) for line in text) if head.is_typeset else text
            lines: Iterable[tuple[int, str]] = enumerate(plain, 1)
            lines = joined_lines(lines, width) if width else lines
        else:
            lines = candidate_lines(head, SIGNS)
        lines_of_log = log_lines(lines)
        yield from self._read(in_time(lines_of_log) if in_order else lines_of_log)

    def follow(self, file: BinaryIO, *, is_pipe: bool) -> Iterator[LogEvent]:
        """Yield the events of a log that grows, each within a second of its line."""
        yield from self._read(log_lines(growing_lines(file, is_pipe=is_pipe)))

    def _read(self, lines: Iterable[LogLine]) -> Iterator[LogEvent]:
        for line in lines:
            for event in self._events(line):
                self.events += 1
                yield event

    @property
    def unknown(self) -> dict[str, int]:
        """How many lines about groups no table has, by the program that wrote them."""
        return {family.name: family.unknown for family in self.families if family.unknown}

    def _events(self, line: LogLine) -> Iterable[LogEvent]:
        if len(line.text) > MAX_LINE:  # out of a document or a table
            line = line._replace(text=line.text[:MAX_LINE])
        text = without_logger(line.text)
        for family in self.families:
            events = family.events(line, text)
            if events is not None:
                self.is_known = True
                return events
        return ()


_PEEK = 2**16
_MOST_LINES = 1000  # that are looked at
_PLAIN = str.maketrans({"\xa0": " ", "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'"})
"""What programs that show or send texts make of blanks and quotation marks."""
_CONTROLS = bytes({*range(32)} - {*b"\t\n\r\f\x1b"})


class _Head(RawIOBase):
    """A file of which the first line that is not blank was looked at."""

    def __init__(self, file: Readable) -> None:
        self._file = file
        self._head = file.read(_PEEK)
        self.is_empty = not self._head
        self.is_wide = self._head[:2] in (b"\xff\xfe", b"\xfe\xff")
        """Whether it is in UTF-16, as PowerShell writes it."""
        text = self._head.decode("utf-8", "backslashreplace")
        self.is_typeset = not _PLAIN.keys().isdisjoint(map(ord, text))
        """Whether something has set it: what is known of lines has plain blanks and quotes."""
        self.first_line = next((line for line in text.splitlines() if line.strip()), "")
        self.width = 0 if self.is_wide else break_width(text.split("\n")[:_MOST_LINES])
        """Where a terminal has broken the lines; 0: nowhere."""
        controls = len(self._head) - len(self._head.translate(None, _CONTROLS))
        is_text = self.is_wide or controls * 20 <= len(self._head)
        self.is_binary = not is_text and not any(sign in self._head for sign in SIGNS)
        """Whether many of its first bytes are no text, and no program has written any of them. GELF
        ends a record with a zero; a file that a machine left as it went down has blocks of them."""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        if self._head:
            data, self._head = self._head, b""
            return data
        return self._file.read(size)

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        size = len(buffer)
        data = self.read(size)
        if len(data) > size:
            data, self._head = data[:size], data[size:]
        buffer[: len(data)] = data
        return len(data)
