"""JSON with `//` and `/* */` comments, as Kafka writes its definitions."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

MAX_CHARACTERS = 1 << 20  # thirty times Kafka's longest definition

# An unterminated string or comment matches up to the end of the text, so that one pass is enough
# for any text; `json` then reports what is missing.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


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
    return token if token.startswith('"') else re.sub(r"[^\n]", " ", token)


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
