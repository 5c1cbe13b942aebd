"""JSON as Kafka writes its definitions: with `//` and `/* */` comments, and nothing else extra."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, NoReturn

MAX_CHARACTERS = 1 << 20  # thirty times Kafka's longest definition

# An unterminated string or comment matches to the end of the text, so that one pass is enough
# whatever the text is; `json` then reports what is missing.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def loads(text: str) -> Any:
    """Parse `text`. Raises ValueError, with line and column, for anything but one JSON value.

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


def _blank(match: re.Match[str]) -> str:
    token = match[0]
    return token if token.startswith('"') else re.sub(r"[^\n]", " ", token)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"key {twice!r:.80} stands twice in one object")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
