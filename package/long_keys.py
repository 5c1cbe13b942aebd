"""Find dotted keys of TOML that are too long: memory grows with the square of their parts."""

from __future__ import annotations

import re

MOST_PARTS = 32
_STRING_OR_COMMENT = re.compile(
    r'''"""(?s:[^\\"]++|\\.|"(?!""))*+"""|\'\'\'(?s:.)*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*'''
)
_LONG_KEY = re.compile(rf"(?<![\w.-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{MOST_PARTS}}}")


def line_of_long_key(text: str) -> int | None:
    """Return the line of the first dotted key of more than `MOST_PARTS` parts; None if there is
    none."""
    plain = _STRING_OR_COMMENT.sub(lambda token: "_" + "\n" * token[0].count("\n"), text)
    key = _LONG_KEY.search(plain)
    return None if key is None else plain.count("\n", 0, key.start()) + 1
