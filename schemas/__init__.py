"""The built-in message definitions: one JSON file a message, in Kafka's dialect.

A field is declared here and nowhere else; everything that knows a layout is made from these files.
They are JSON with `//` and `/* */` comments, which `loads` and `comments` read.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import Any, NoReturn

_FOLDER = os.path.dirname(__file__)  # noqa: PTH120 - pathlib would double what the command imports
_SUFFIX = ".json"
MAX_CHARACTERS = 1 << 20  # thirty times Kafka's longest definition

# An unterminated string or comment matches up to the end of the text, so that one pass is enough
# for any text; `json` then reports what is missing.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


@cache
def names() -> tuple[str, ...]:
    """Return the names of all definitions, sorted."""
    files = os.listdir(_FOLDER)  # noqa: PTH208
    return tuple(sorted(f.removesuffix(_SUFFIX) for f in files if f.endswith(_SUFFIX)))


def text(name: str) -> str:
    """Return the definition of that name with its comments. Raises KeyError if there is none."""
    if name not in names():
        raise KeyError(name)
    with open(f"{_FOLDER}/{name}{_SUFFIX}", encoding="utf-8") as file:  # noqa: PTH123
        return file.read()


def loads(text: str) -> Any:
    """Return the one JSON value of `text`. Raises ValueError, with line and column, for other text.

    >>> loads('{"versions": "0+" /* all */} // done')
    {'versions': '0+'}
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"longer than {MAX_CHARACTERS} characters")
    bare = _STRING_OR_COMMENT.sub(_blank, text)
    try:
        return json.loads(bare, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def comments(text: str) -> list[str]:
    """Return the text of the `//` comments: each paragraph with its lines joined.

    >>> comments('{ // one\\n // two\\n "key": 1 } // "three"')
    ['one two', '"three"']
    """
    texts: list[str] = []
    end = 0
    for match in _STRING_OR_COMMENT.finditer(text):
        comment = match[0].removeprefix("//").strip()
        if match[0].startswith("//") and comment:
            goes_on = texts and text.count("\n", end, match.start()) == 1
            if goes_on and not text[end : match.start()].strip():
                texts[-1] += f" {comment}"
            else:
                texts.append(comment)
            end = match.end()
    return texts


def _blank(match: re.Match[str]) -> str:
    token = match[0]
    if token.startswith('"'):
        return token
    return "\n".join(" " * len(line) for line in token.split("\n"))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a dict; a key may occur twice with equal values, as in definitions of Kafka 3.9."""
    values = dict(pairs)
    if len(values) != len(pairs):
        for name, value in pairs:
            if not _equal(values[name], value):
                raise ValueError(f"key {name!r:.80} has two values in one object")
    return values


def _equal(first: Any, second: Any) -> bool:
    return first is second or (type(first) is type(second) and first == second)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
