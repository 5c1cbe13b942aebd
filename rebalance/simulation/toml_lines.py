"""The line of a TOML text at which a key stands, which the parser of the standard library forgets.

Good for files as people write them: tables under headers, a key at the beginning of a line. Where a
key is not found its table's header is given, and else the first line.
"""

from __future__ import annotations

import re
from collections import Counter

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=""")

Path = tuple[str | int, ...]


def line_of(text: str, path: Path) -> int:
    """The first line is 1. `path` is of keys, and indexes where a table is one of several."""
    places = _places(text)
    while path:
        if path in places:
            return places[path]
        path = path[:-1]
    return 1


def _places(text: str) -> dict[Path, int]:
    """Every key and header that begins a line, by its path."""
    places: dict[Path, int] = {}
    times: Counter[Path] = Counter()
    table: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = _split(header[2])
            if header[1] == "[[":
                times[table] += 1
                table = (*table, times[table] - 1)
            elif (table[:-1]) in times:
                table = (*table[:-1], times[table[:-1]] - 1, table[-1])
            places.setdefault(table, number)
        elif key:
            names = _split(key[1])
            for end in range(1, len(names) + 1):
                places.setdefault((*table, *names[:end]), number)
    return places


def _split(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
