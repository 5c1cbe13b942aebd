"""Take the values out of the rows of a table.

A header says where its columns begin. Where all values of a row begin there, names may contain
blanks. Rows that do not keep to the columns (a value was wider than its column, or blanks were lost
on the way) are read by what their values look like, if that can be done in one way only. A line
that was cut within its last column is not known to be.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from .views import STATE, VIEWS, TableColumn, ValueKind, View

__all__ = ["Cells", "Header", "read_header"]

_UNKNOWN = ValueKind(r".{0,250}?", has_blanks=True)
_UPPER_TITLE = r"#?[A-Z][A-Z0-9]*(?:-[A-Z0-9]*)*(?: \([A-Z]*\)?)?"
_TITLES = sorted({column.title for view in VIEWS for column in view.columns}, key=len, reverse=True)
_TITLE = re.compile(rf"(?:{'|'.join(map(re.escape, _TITLES))}|{_UPPER_TITLE})(?=[\s|]|$)")
_FIRST = frozenset(column.title for view in VIEWS for column in view.columns[:2])
_BEGINNINGS = tuple(sorted({title[:4] for title in _FIRST}))
_WIDE = re.compile(r"[\U00010000-\U0010ffff]")
_LONGEST_SHIFTED = 2_000
_BLANK = re.compile(r"\s")
_FILLER = "\0"  # follows a character that Java counts twice
_RULE = re.compile(r"[-=+:|\s]*-{3}[-=+:|\s]*$")


class Cells(NamedTuple):
    """The values of a row by name, without those that are "-"; a column that was cut off, or is
    doubtful because the line was cut within it, is in `cut_off`."""

    values: Mapping[str, Any]
    cut_off: tuple[str, ...] = ()


class Header(NamedTuple):
    """The header of a table: its columns with the places where they begin. `separator` is a tab or
    "|" where columns are separated by one; `is_cut` tells whether its end is missing. `group_kind`
    is that of all groups in it, "" where several tools print such a table."""

    view: View
    columns: tuple[TableColumn, ...]
    starts: tuple[int, ...]
    separator: str = ""
    is_cut: bool = False
    group_kind: str = ""

    def read(self, line: str, groups: Container[str] = ()) -> Cells | None:
        """Return the values of a row; None for a line that is none. `groups` are names of groups
        that the row may begin with."""
        if self.separator:
            return self._separated(line)
        line = line.expandtabs()
        is_java = self.view.tool.startswith("kafka-")
        counted = _WIDE.sub(lambda match: match[0] + _FILLER, line) if is_java else line
        row = _Aligned(self, counted)
        aligned = row if row.is_aligned else None
        if aligned is not None and not self.is_folded and aligned.may_end_here:
            return aligned.cells()
        if len(line) > _LONGEST_SHIFTED:  # its columns are where every way to divide it is tried
            return aligned.cells() if aligned is not None else None
        cells = _Shifted(self, line.strip()).cells(groups)
        return aligned.cells() if cells is None and aligned is not None else cells

    @property
    def is_folded(self) -> bool:
        """Whether there is one blank between all titles, as where blanks were lost on the way: the
        tools have wider columns."""
        pairs = zip(self.columns, self.starts, self.starts[1:], strict=False)
        return all(end - start == len(column.title) + 1 for column, start, end in pairs)

    def _separated(self, line: str) -> Cells | None:
        if self.separator not in line or _RULE.match(line):
            return None
        texts = [text.strip() for text in _split(line, self.separator)]
        if len(texts) > len(self.columns) and not any(texts[len(self.columns) :]):
            texts = texts[: len(self.columns)]
        if len(texts) > len(self.columns):
            return None
        return _cells(self, texts)


def _split(line: str, separator: str) -> list[str]:
    return (line.strip().strip("|") if separator == "|" else line).split(separator)


def read_header(line: str, tool: str = "") -> Header | None:
    """Return the header that a line is, None for any other line. `tool` is the one that was called,
    where that is known."""
    if not line.lstrip(" \t|").startswith(_BEGINNINGS):
        return None
    separator = "|" if line.lstrip().startswith("|") else "\t" if "\t" in line.strip() else ""
    if separator:
        titles = [text.strip() for text in _split(line, separator)]
        while titles and not titles[-1]:
            del titles[-1]
        places = tuple(range(len(titles)))
    else:
        titles, places = _titles_of(line.expandtabs())
    if len(titles) < 2 or titles[0] not in _FIRST:
        return None
    header = _best(titles, places, tool)
    return None if header is None else header._replace(separator=separator)


def _titles_of(line: str) -> tuple[list[str], tuple[int, ...]]:
    """Return the titles in a line that has nothing else, and where they begin."""
    titles: list[str] = []
    starts: list[int] = []
    at = len(line) - len(line.lstrip())
    line = line.rstrip()
    while at < len(line):
        match = _TITLE.match(line, at)
        if match is None:
            return [], ()
        titles.append(match[0])
        starts.append(at)
        at = match.end() + len(line[match.end() :]) - len(line[match.end() :].lstrip())
    return titles, tuple(starts)


def _best(titles: list[str], places: tuple[int, ...], tool: str) -> Header | None:
    """Return the header with the view that fits best: of all columns, then of the tool."""
    headers = [header for view in VIEWS if (header := _fit(view, titles, places)) is not None]
    if not headers:
        return None

    def misfit(header: Header) -> tuple[int, bool, bool]:
        unknown = sum(column.kind is _UNKNOWN for column in header.columns)
        return unknown, header.is_cut, bool(tool) and header.view.tool != tool

    best = min(headers, key=misfit)
    kinds = {header.view.group_kind for header in headers if misfit(header) == misfit(best)}
    return best._replace(group_kind=best.view.group_kind if len(kinds) == 1 else "")


def _fit(view: View, titles: list[str], places: tuple[int, ...]) -> Header | None:
    """Return the header as that of a view. A release may have columns that are not known; a line
    that was cut lacks the last ones, and the end of a title."""
    by_title = {column.title: column for column in view.columns}
    columns = [by_title.get(title) for title in titles]
    missing = view.required.difference(titles)
    rest = view.columns[_position(view, columns) + 1 :]
    begun = [column for column in rest if column.title.startswith(titles[-1])]
    is_cut = bool(missing) or (columns[-1] is None and bool(begun))
    if columns[-1] is None and begun:
        columns[-1] = begun[0]
        missing -= {begun[0].title}
    if missing and (not missing <= {column.title for column in rest} or len(titles) < 3):
        return None
    fields = [column for column in columns if column is not None]
    order = [view.columns.index(column) for column in fields]
    if len(fields) < 2 or order != sorted(order) or len(set(order)) < len(order):
        return None
    all_columns = tuple(
        column or TableColumn(title, f"column {title}", _UNKNOWN, is_always_filled=False)
        for title, column in zip(titles, columns, strict=True)
    )
    return Header(view, all_columns, places, is_cut=is_cut)


def _position(view: View, columns: list[TableColumn | None]) -> int:
    return max((view.columns.index(column) for column in columns if column is not None), default=-1)


def _value(column: TableColumn, text: str) -> tuple[bool, Any]:
    """Return whether a text can be a value of a column, and the value."""
    if text in ("", "-"):
        return bool(text) or not column.is_always_filled, None
    if not column.kind.has_blanks and re.fullmatch(column.kind.pattern, text) is None:
        return False, None
    return True, column.kind.convert(text)


def _cells(header: Header, texts: list[str], *, is_open: bool = False) -> Cells | None:
    """Return the values of a row, of which the last columns may be missing. `is_open`: the last
    text may have been cut."""
    columns = header.columns
    present = len(texts)
    while present and not texts[present - 1]:
        present -= 1
    cut_off = [column for column in columns[present:] if column.is_always_filled]
    if present and is_open and (cut_off or header.is_cut):
        present -= 1
        cut_off.insert(0, columns[present])
    if present < 2:
        return None
    values: dict[str, Any] = {}
    for column, text in zip(columns[:present], texts[:present], strict=True):
        fits, value = _value(column, text)
        if not fits:
            return None
        if value is not None:
            values[column.value] = value
    return Cells(MappingProxyType(values), tuple(column.value for column in cut_off))


class _Aligned(NamedTuple):
    """A row whose values begin below their titles."""

    header: Header
    line: str

    @property
    def is_aligned(self) -> bool:
        """Whether all values, as far as the line goes, begin below their titles."""
        line, starts = self.line, self.header.starts
        if any(start <= len(line) and line[start - 1 : start].strip() for start in starts[1:]):
            return False
        texts = [text.rstrip() for text in self._parts()]
        if line[: starts[0]].strip() or any(text[:1].isspace() for text in texts[1:]):
            return False
        present = max((at for at, text in enumerate(texts) if text), default=0)
        if texts[0][:1].isspace() and present < 2:
            return False
        return all(
            _value(column, text.replace(_FILLER, ""))[0]
            for column, text in zip(self.header.columns[:present], texts[:present], strict=True)
        )

    @property
    def may_end_here(self) -> bool:
        """Whether the last value may be the beginning of one of its column. A number below STATE is
        not: the column before, an assignor, was left out instead of blank."""
        texts = [text.strip() for text in self._parts()]
        last = max((at for at, text in enumerate(texts) if text), default=0)
        return not (texts[last].isdigit() and self.header.columns[last].kind is STATE)

    def cells(self) -> Cells | None:
        """Return the values, None where the line is too short."""
        texts = [text.replace(_FILLER, "").rstrip() for text in self._parts()]
        last = max((at for at, text in enumerate(texts) if text), default=0)
        ends = (*self.header.starts[1:], len(self.line) + 2)
        is_open = len(self.line) < ends[last] - 1 and (
            not self.line.endswith(" ") or self.header.columns[last].kind.has_blanks
        )
        return _cells(self.header, texts, is_open=is_open or last == len(texts) - 1)

    def _parts(self) -> Iterator[str]:
        starts = self.header.starts
        for start, end in zip(starts, (*starts[1:], len(self.line) + 1), strict=True):
            yield self.line[start : max(end - 1, start)]


class _Shifted(NamedTuple):
    """A row whose values do not begin below their titles."""

    header: Header
    line: str

    def cells(self, groups: Container[str]) -> Cells | None:
        if not self.line:
            return None
        full_row, rest_of_row = _patterns(self.header.columns)
        for group in self._first_of(groups):
            match = rest_of_row.fullmatch(self.line[len(group) :].strip())
            if match is not None:
                return _cells(self.header, [group, *(text or "" for text in match.groups())])
        match = full_row.fullmatch(self.line)
        if match is not None:
            return _cells(self.header, [text or "" for text in match.groups()])
        texts = re.split(r"\s{2,}", self.line)
        return _cells(self.header, texts) if len(texts) == len(self.header.columns) else None

    def _first_of(self, groups: Container[str]) -> Iterator[str]:
        """Yield those of the groups that the row begins with, the longest first: of many groups few
        are asked for, as the list of a cluster is a row for each of its groups."""
        if self.header.columns[0].value == "group":
            ends = [match.start() for match in _BLANK.finditer(self.line)]
            names = (self.line[:end] for end in reversed(ends))
            yield from (name for name in names if name in groups)


@lru_cache(maxsize=256)
def _patterns(columns: tuple[TableColumn, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what rows without blanks in names look like: the whole row, and all but its first
    column."""
    return _row_pattern(columns), _row_pattern(columns[1:])


def _row_pattern(columns: tuple[TableColumn, ...]) -> re.Pattern[str]:
    parts: list[str] = []
    for column in columns:
        pattern = r"\S+" if column.kind.has_blanks else column.kind.pattern
        part = (r"\s+" if parts else "") + f"({pattern}|-)"
        parts.append(part if column.is_always_filled or not parts else f"(?:{part})?")
    return re.compile("".join(parts))
