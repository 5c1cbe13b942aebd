"""Read a file of `key=value` lines: Java's properties, which librdkafka's tools use too."""

from __future__ import annotations

import re

from ..errors import ConfigError

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_UNESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SEPARATOR = re.compile(r"(?<!\\)(?:\\\\)*([=:\s])")


def read_properties(text: str, where: str) -> dict[str, str]:
    """Return the settings of a properties file; of a key that is given twice, the last one.

    Raises ConfigError, which names the line and never its text.
    """
    values: dict[str, str] = {}
    for number, line in _logical_lines(text):
        separator = _SEPARATOR.search(line)
        if separator is None:
            raise ConfigError(f"{where}, line {number}: expected key=value")
        key, value = line[: separator.start(1)], line[separator.end(1) :].lstrip()
        if separator[1].isspace() and value[:1] in ("=", ":"):
            value = value[1:].lstrip()
        try:
            values[_unescaped(key)] = _unescaped(value)
        except ValueError:
            raise ConfigError(f"{where}, line {number}: expected four digits after \\u") from None
    return values


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """The lines without comments and blanks, with those joined that end in a backslash."""
    lines: list[tuple[int, str]] = []
    open_ = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.lstrip()
        if not open_ and (not line or line[0] in "#!"):
            continue
        ends = len(line) - len(line.rstrip("\\"))
        part = line[:-1] if ends % 2 else line
        if open_:
            first, rest = lines.pop()
            lines.append((first, rest + part))
        else:
            lines.append((number, part))
        open_ = bool(ends % 2)
    return lines


def _unescaped(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        escape = match[1]
        if escape[0] == "u":
            if len(escape) != 5:
                raise ValueError(escape)
            return chr(int(escape[1:], 16))
        return _ESCAPES.get(escape, escape)

    return _UNESCAPED.sub(replace, text)
