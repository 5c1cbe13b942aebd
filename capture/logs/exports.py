"""Read logs as collectors export them: line by line, as a JSON document, as a table with commas."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

import msgspec

from .layouts import (
    TIME_KEYS,
    LogLine,
    Unwrapped,
    entry_of,
    messages_of,
    object_of,
    unwrap,
    unwrapped_lines,
    value_stamp,
)
from .spill import turned

__all__ = ["is_document", "is_table", "log_lines"]

MAX_DOCUMENT = 256 * 2**20
"""Characters of a JSON document, of which the lines are taken out as a whole."""
_LOOKED_AT = 2_000
"""Rows by which it is decided whether a table has the newest first."""
_MESSAGE_COLUMNS = {"line", "message", "msg", "log", "content", "_raw", "@message"}

Numbered: TypeAlias = tuple[int, Unwrapped]
"""A line, or an entry, with its number."""


def log_lines(lines: Iterable[tuple[int, str]]) -> Iterator[LogLine]:
    """Yield the messages of a log, which is read line by line, each with its number; a JSON
    document as a whole."""
    numbered = iter(lines)
    first = next(numbered, None)
    while first is not None and not first[1].strip():
        first = next(numbered, None)
    if first is None:
        return
    if is_document(first[1]):
        entries = _of_document(chain((first,), numbered))
    elif columns := _columns(first[1]):
        entries = _oldest_first(_of_table(columns, numbered))
    else:
        entries = unwrapped_lines(chain((first,), numbered))
    yield from messages_of(entries)


def is_document(first: str) -> bool:
    """Return whether the first line that is not blank is that of a JSON document over many lines,
    of an array of objects, or of an object in which others have the messages: an export of Loki."""
    head = first.lstrip("\ufeff").strip()
    if head in ("{", "[") or (head.startswith(("[{", '{"')) and not head.endswith("}")):
        return True
    if not head.startswith('{"') or object_of(head) is not None:
        return False
    try:
        return next(_entries(msgspec.json.decode(head)), None) is not None
    except (msgspec.DecodeError, RecursionError):
        return False


def is_table(first: str) -> bool:
    """Return whether a line is the header of a table with a column of messages."""
    return _columns(first) is not None


def _of_document(lines: Iterable[tuple[int, str]]) -> Iterator[Numbered]:
    """The entries of a JSON document, the oldest first; its lines as they are, if it is none."""
    kept, size = [], 0
    for number, line in lines:
        kept.append((number, line))
        size += len(line)
        if size > MAX_DOCUMENT:
            yield from unwrapped_lines(chain(kept, lines))
            return
    try:
        document = msgspec.json.decode("".join(line for _, line in kept))
    except (msgspec.DecodeError, RecursionError):
        yield from unwrapped_lines(kept)
        return
    yield from _oldest_first(enumerate(_entries(document), 1))


def _entries(document: object) -> Iterator[Unwrapped]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            entry = entry_of(value)
            if entry is not None:
                text, stamp, data = entry
                inner = unwrap(text)
                yield Unwrapped(inner.text, stamp or inner.collector, {**data, **inner.data})
            else:
                waiting += reversed(value.values())
        elif isinstance(value, list):
            if len(value) == 2 and all(isinstance(item, str) for item in value):
                yield unwrap(value[1])._replace(collector=value_stamp(value[0]))
            else:
                waiting += reversed(value)


_HEADER = re.compile(r'"?[\w@. -]{1,40}"?(?:,"?[\w@. -]{1,40}"?){1,40}')


class _Columns(NamedTuple):
    """Which columns of a table have the message and the time."""

    message: int
    time: int | None


def _columns(header: str) -> _Columns | None:
    """Return the columns of a table, if a line is the header of one."""
    header = header.lstrip("\ufeff").strip()
    if not _HEADER.fullmatch(header):
        return None
    cells = [cell.strip(' "').lower() for cell in header.split(",")]
    message = next((at for at, cell in enumerate(cells) if cell in _MESSAGE_COLUMNS), None)
    if message is None or len(cells) < 2:
        return None
    times = (at for at, cell in enumerate(cells) if cell in TIME_KEYS or cell == "@time")
    return _Columns(message, next(times, None))


def _of_table(columns: _Columns, lines: Iterator[tuple[int, str]]) -> Iterator[Numbered]:
    """Yield the rows of a table, each with the number of its first line. What is no row, because a
    quotation mark has no end, is read line by line."""
    row_lines: list[tuple[int, str]] = []

    def texts() -> Iterator[str]:
        for number, line in lines:
            row_lines.append((number, line))
            yield line

    rows = csv.reader(texts())
    while True:
        row_lines.clear()
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield from unwrapped_lines(row_lines)
            continue
        if len(cells) > columns.message:
            unwrapped = unwrap(cells[columns.message])
            time = columns.time
            stamp = None if time is None or len(cells) <= time else value_stamp(cells[time])
            yield row_lines[0][0], unwrapped._replace(collector=stamp or unwrapped.collector)


def _oldest_first(entries: Iterator[Numbered]) -> Iterator[Numbered]:
    """Turn the entries round where the newest comes first."""
    head = list(islice(entries, _LOOKED_AT))
    times = [
        entry.collector.milliseconds
        for _, entry in head
        if entry.collector is not None and entry.collector.milliseconds is not None
    ]
    everything = chain(head, entries)
    return turned(everything) if times and times[0] > times[-1] else everything
