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

_WHOLE = 4 * 2**20
"""Characters of a JSON document, or of an entry of a longer one, that are read as a whole."""
_DEEPEST = 8
"""How deep the entries of a document are looked for."""
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
        rows = numbered if columns.has_header else chain((first,), numbered)
        entries = _oldest_first(_of_table(columns, rows))
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
    """Return whether a line is the header of a table with a column of messages, or a row of one
    without a header, whose cells stand in quotation marks."""
    return _columns(first) is not None


def _of_document(lines: Iterable[tuple[int, str]]) -> Iterator[Numbered]:
    """The entries of a JSON document, the oldest first; its lines as they are, if it is none. A
    long one is read entry by entry."""
    head: list[tuple[int, str]] = []
    size = 0
    rest = iter(lines)
    for number, line in rest:
        head.append((number, line))
        size += len(line)
        if size > _WHOLE:
            break
    everything = chain(head, rest)
    if size > _WHOLE:
        depth = _depth_of_entries(line for _, line in head)
        if depth:
            containers = _containers((line for _, line in everything), depth)
            yield from _oldest_first(enumerate(chain.from_iterable(map(_read, containers)), 1))
            return
    try:
        document = msgspec.json.decode("".join(line for _, line in head))
    except (msgspec.DecodeError, RecursionError):
        yield from unwrapped_lines(everything)
        return
    yield from _oldest_first(enumerate(_entries(document), 1))


_ESCAPES = r'[^"\\]*+(?>(?:\\.[^"\\]*+){0,1000})("?)'
"""A thousand at once: what a group repeats takes 80 bytes each time."""
_BRACKET = re.compile(rf'"{_ESCAPES}|[\[\]{{}}]', re.DOTALL)
"""A bracket, or a text of JSON, so that the brackets in it do not count."""
_MORE_TEXT = re.compile(_ESCAPES, re.DOTALL)


def _brackets(line: str) -> Iterator[tuple[str, int]]:
    """Yield the brackets of a line, and where each is. A text that nothing closes ends with the
    line: none of its quotes begins another."""
    end = 0
    while match := _BRACKET.search(line, end):
        end = match.end()
        if match[1] is None:
            yield match[0], end - 1
        is_open = match[1] == ""
        while is_open and line[end : end + 1] == "\\":
            more = _MORE_TEXT.match(line, end)
            if more is None or more.end() == end:  # a backslash is the last character
                return
            end, is_open = more.end(), not more[1]


def _containers(lines: Iterable[str], depth: int) -> Iterator[str]:
    """Yield the objects and arrays of a document that are at this depth."""
    level, size = 0, 0
    parts: list[str] | None = None
    for line in lines:
        start = 0
        for bracket, place in _brackets(line):
            if bracket in "[{":
                level += 1
                if level == depth:
                    parts, size, start = [], 0, place
            else:
                if level == depth and parts is not None:
                    yield "".join((*parts, line[start : place + 1]))
                    parts = None
                level -= 1
        if parts is not None:
            size += len(line) - start
            if size < _WHOLE:
                parts.append(line[start:])
            else:
                parts = None


def _depth_of_entries(lines: Iterable[str]) -> int:
    """Return how deep the entries of a document are, by its beginning; 0 where it has none."""
    head = list(lines)
    counts = [
        sum(bool(_read(text)) for text in islice(_containers(head, depth), _LOOKED_AT))
        for depth in range(1, _DEEPEST + 1)
    ]
    most = max(counts)
    return next((depth for depth, count in enumerate(counts, 1) if 2 * count >= most > 0), 0)


def _read(text: str) -> list[Unwrapped]:
    try:
        return list(_entries(msgspec.json.decode(text)))
    except (msgspec.DecodeError, RecursionError):
        return []


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


_ROW = re.compile(r'"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^"]{0,20}"(?:,"(?>(?:[^"]|"")*)"){1,40}')


class _Columns(NamedTuple):
    """Which columns of a table have the message and the time."""

    message: int
    time: int | None
    has_header: bool = True


def _columns(header: str) -> _Columns | None:
    """Return the columns of a table, if a line is the header of one, or its first row."""
    header = header.lstrip("\ufeff").strip()
    if _ROW.fullmatch(header):
        return _columns_of_row(header)
    if not _HEADER.fullmatch(header):
        return None
    cells = [cell.strip(' "').lower() for cell in header.split(",")]
    message = next((at for at, cell in enumerate(cells) if cell in _MESSAGE_COLUMNS), None)
    if message is None or len(cells) < 2:
        return None
    times = (at for at, cell in enumerate(cells) if cell in TIME_KEYS or cell == "@time")
    return _Columns(message, next(times, None))


def _columns_of_row(row: str) -> _Columns:
    """Return the columns of a table whose first row begins with a time: its message is the longest
    cell."""
    cells = next(csv.reader([row]))
    return _Columns(max(range(1, len(cells)), key=lambda at: len(cells[at])), 0, has_header=False)


def _of_table(columns: _Columns, lines: Iterable[tuple[int, str]]) -> Iterator[Numbered]:
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
