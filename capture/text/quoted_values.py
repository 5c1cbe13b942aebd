r"""Find the values in JSON, in JSON lines, and in Python's lists and dictionaries.

A string may be bytes itself (`"\u0000\u0001"`), or text in which bytes are written:
`"\\x00\\x01"`, `"b'\\x00'"`, hex, base64, numbers.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from ..chunks import Places
from ..forms.literals import DIALECTS, quoted, unescape

__all__ = ["Value", "character_places", "string_content", "values"]

_MAX_VALUES = 2000
_STRINGS = "|".join(quoted(quote) for quote in "\"'")
_TOKEN = re.compile(
    rf"\s*+(?:(?P<string>{_STRINGS})(?P<key>\s*+:)?"
    r"|(?P<numbers>\[(?>(?:\s*+-?[0-9]{1,3}\s*+,)+)\s*+-?[0-9]{1,3}\s*+\])"
    r"|(?:null|true|false|None|True|False|-?[0-9][0-9.eE+-]*+)(?=\s*+(?:[,\]}):]|\Z))|[\[\]{}(),:])"
)

_CHARACTER = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-3][0-7]{2}|(?s:.))|[^\\]")


class Value(NamedTuple):
    """A value: the text that it is written as, what a string contains, and its place.

    `content` is empty for a list of numbers, and for a string that cannot be read.
    """

    text: str
    content: str
    line: int
    column: int


def values(text: str) -> list[Value]:
    """Return the strings and the lists of numbers in a text; none where it has anything else, or
    more of them than people paste. The keys of objects are no values."""
    contents: list[Value] = []
    places = Places(text)
    end = len(text.rstrip())
    at = 0
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None or len(contents) == _MAX_VALUES:
            return []
        at = token.end()
        kind = "string" if token["string"] else "numbers"
        if token[kind] and not token["key"]:
            content = string_content(token["string"]) if token["string"] else ""
            contents.append(Value(token[kind], content, *places.at(token.start(kind))))
    return contents


def string_content(string: str) -> str:
    """Return the characters of a string as JSON writes it, or else as Python does; none of one
    that cannot be read."""
    try:
        content = json.loads(string, strict=False)
    except ValueError:
        try:
            content = unescape(string[1:-1], DIALECTS["python"]).decode("latin-1")
        except ValueError:
            return ""
    return content if _is_text(content) else ""


def character_places(string: str) -> list[int]:
    """Return the places, in a string with its quotes, of the characters that it contains, and of
    the closing quote."""
    return [character.start() for character in _CHARACTER.finditer(string, 1)]


def _is_text(content: str) -> bool:
    """Whether a text has no half of a surrogate pair, which no reader expects."""
    return not re.search("[\ud800-\udfff]", content)
