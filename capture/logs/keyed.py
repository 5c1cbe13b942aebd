"""Messages with keys and values, in the forms in which loggers print them: JSON; a text with an
object behind it, `joined {"generation": 3}`; `msg=joined generation=3`; franz-go's own form,
`joined; generation: 3`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from .event import LogEvent
from .family import TextFamily
from .layouts import LogLine
from .rows import Row

__all__ = ["KeyedFamily"]

_MESSAGE = re.compile(r'\bmsg=(?:"((?:[^"\\]|\\.)*)"|(\S*))')
_VALUE = re.compile(r'(?:^|\s)([\w.]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))')
_ESCAPE = re.compile(r"\\(.)")
_WRAPPED = ("extra", "context", "meta", "metadata", "fields", "ctx")
"""Keys under which wrappers of loggers put those of the message."""


class KeyedFamily(TextFamily):
    """A program whose messages have keys. `keys` are the names of its keys, and what they are "
        "called
    in events. Rows are those of messages; the values of keys are there before a row converts."""

    keys: Mapping[str, str]

    def __init__(self) -> None:
        super().__init__()
        names = "|".join(map(re.escape, self.keys))
        self._first_key = re.compile(rf"; (?=(?:{names}): )")
        self._next_key = re.compile(rf"(?:^|, )({names}): ")

    def part_events(self, line: LogLine) -> Iterable[LogEvent] | None:
        """Return what one line of a message proves; None where no row fits."""
        message, keys = self._message(line)
        entry = self.row_of(message, keys)
        if entry is None:
            return None
        row, values = entry
        values_of_keys = {
            self.keys[key]: value for key, value in keys.items() if self.keys.get(key)
        }
        values = values_of_keys | values
        self.convert(values)
        return self.row_events(line, row, values)

    def row_of(self, message: str, keys: Iterable[str]) -> tuple[Row, dict[str, Any]] | None:
        """Return the row of a message with these keys, and its values."""
        return self.table.match(message)

    def convert(self, values: dict[str, Any]) -> None:
        """Turn the values of keys into those of events."""

    def _message(self, line: LogLine) -> tuple[str, Mapping[str, Any]]:
        """Return a message without its keys, and the keys."""
        keys = _unwrapped(line.data)
        message = _MESSAGE.search(line.text)
        if message is not None:
            pairs = {
                key: _text(quoted, bare)
                for key, quoted, bare in _VALUE.findall(line.text, message.end())
            }
            return _text(*message.groups("")), keys | pairs
        first = self._first_key.search(line.text)
        if first is not None:
            _, *parts = self._next_key.split(line.text[first.end() :])
            return line.text[: first.start()], keys | dict(zip(*[iter(parts)] * 2, strict=True))
        return _without_object(line.text, keys)


def _without_object(text: str, keys: dict[str, Any]) -> tuple[str, Mapping[str, Any]]:
    start = text.find("{")
    if start == -1 or not text.rstrip().endswith("}"):
        return text, keys
    try:
        inner = msgspec.json.decode(text[start:])
    except (msgspec.DecodeError, RecursionError):
        return text, keys
    if not isinstance(inner, dict):
        return text, keys
    return text[:start].rstrip(), keys | _unwrapped(inner)


def _unwrapped(data: Mapping[str, Any]) -> dict[str, Any]:
    keys = dict(data)
    for name in _WRAPPED:
        inner = data.get(name)
        if isinstance(inner, dict):
            keys |= inner
    return keys


def _text(quoted: str, bare: str) -> str:
    return _ESCAPE.sub(r"\1", quoted) if quoted else bare
