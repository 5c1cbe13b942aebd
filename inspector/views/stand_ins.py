"""Hide names in sentences: a name has the same stand-in in all of them, however it is escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ...codec.read.decoding import Decoded
from ...codec.read.diagnostic_reader import FieldNode
from ...escaping import escaped
from .redaction import Redaction

__all__ = ["NamesToHide", "hidden_evidence", "with_stand_ins", "without_names"]

_TOKEN = re.compile(r"\w+|\W")


class NamesToHide:
    """The names that sentences may have, each with what it names (`Redaction.name`)."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._kinds: dict[str, str] = {}

    def add(self, kind: str, names: Iterable[str | None]) -> None:
        """Add names of a kind. The kind that a name was first added with stays."""
        for name in names:
            if name:
                self._kinds.setdefault(name, kind)

    def add_texts(self, decoded: Decoded[Any]) -> None:
        """Add the texts in the fields of a message, of a refused one in those that were read."""
        if decoded.message is not None:
            self._add_values("", decoded.message)
        else:
            self._add_fields("", decoded.fields)

    def _add_values(self, field: str, value: Any) -> None:
        match value:
            case str():
                self.add(_HOSTS.get(field, field), [value])
            case tuple() | list():
                for item in value:
                    self._add_values(field, item)
            case msgspec.Struct():
                for name in value.__struct_fields__:
                    self._add_values(name, getattr(value, name))
            case _:
                pass

    def _add_fields(self, field: str, nodes: Iterable[FieldNode]) -> None:
        for node in nodes:
            name = field if node.name.startswith("[") else node.name
            self._add_values(name, node.value)
            self._add_fields(name, node.children)

    def stand_in(self, name: str, kind: str) -> str:
        """Return the stand-in of a name, which is added; a public name stays as it is."""
        self.add(kind, [name])
        return self._redaction.name(name, self._kinds.get(name, kind)).strip('"')

    def hiding(self) -> Callable[[str], str]:
        """Return a function that puts stand-ins for the names that were added so far."""
        stand_ins: dict[str, str] = {}
        for name in sorted(self._kinds, key=lambda name: (-len(name), name)):
            stand_in = self.stand_in(name, self._kinds[name])
            if stand_in != name and any(map(str.isalnum, name)):
                has_slash = self._kinds[name] == "host" and name.startswith("/")
                for spelling in _spellings(name):
                    slash = "/" if has_slash and spelling.startswith("/") else ""
                    stand_ins.setdefault(spelling, slash + stand_in)
        return with_stand_ins(stand_ins)


_HOSTS = {"client_host": "host"}
"""Fields that are called after something else than what they name."""
_HEX = ("hex", "value_hex", "valueHex")


def hidden_evidence(value: Any, hide: Callable[[str], str]) -> Any:
    """Return the evidence of a finding with what `hide` makes of its texts, and without bytes."""
    match value:
        case dict():
            return {
                hide(key): hidden_evidence(item, hide)
                for key, item in value.items()
                if key not in _HEX
            }
        case list() | tuple():
            return [hidden_evidence(item, hide) for item in value]
        case str():
            return hide(value)
        case _:
            return value


def _spellings(name: str) -> Iterator[str]:
    """A name as views, quotes, JSON and hosts without their slash have it."""
    yield name
    yield escaped(name)
    yield repr(name)[1:-1]
    yield ascii(name)[1:-1]
    yield json.dumps(name)[1:-1]
    if name.startswith("/") and len(name) > 1:
        yield name[1:]


def without_names(value: Any, hide: Callable[[str], str]) -> Any:
    """Return a value, such as a struct that is printed, with `hide` done to each text in it."""
    match value:
        case str():
            return hide(value)
        case tuple() | list() if not hasattr(value, "_fields"):
            return type(value)(without_names(item, hide) for item in value)
        case dict():
            return {without_names(key, hide): without_names(item, hide)
                    for key, item in value.items()}  # fmt: skip
        case msgspec.Struct():
            names = value.__struct_fields__
            fields = {name: without_names(getattr(value, name), hide) for name in names}
            return msgspec.structs.replace(value, **fields)
        case _:
            return value


def with_stand_ins(stand_ins: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that puts stand-ins for whole names, the longest that fits, in a time that
    does not grow with their number: names are looked up by their first word and their length."""
    lengths: dict[str, set[int]] = {}
    for name in stand_ins:
        token = _TOKEN.match(name)
        if token is not None:
            lengths.setdefault(token[0], set()).add(len(name))
    longest_first = {token: sorted(sizes, reverse=True) for token, sizes in lengths.items()}

    def end_of_name(text: str, start: int, token: str) -> int:
        """Return where a name that begins at `start` ends, -1 where none does. Words are whole."""
        for size in longest_first.get(token, ()):
            end = start + size
            if text[start:end] in stand_ins and not _is_in_word(text, end):
                return end
        return -1

    def replaced(text: str) -> str:
        parts = []
        copied = at = 0
        while (token := _TOKEN.search(text, at)) is not None:
            start, at = token.span()
            end = end_of_name(text, start, token[0])
            if end > 0:
                parts += [text[copied:start], stand_ins[text[start:end]]]
                copied = at = end
        return "".join([*parts, text[copied:]])

    return replaced


def _is_in_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and _is_word(text[at - 1]) and _is_word(text[at])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
