"""Values that stand on several lines of a short text, put together on the first of them.

Python's pprint writes a literal for each line, jq a value of a record, and a terminal or a mail
breaks long lines at its width. Empty lines take the places of the others, so that the numbers of
lines stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from ..forms.literals import quoted

__all__ = ["unwrapped"]

_PIECE = "|".join(quoted(quote) for quote in "'\"")
_ENDS_IN_LITERAL = re.compile(rf"(?<![\w\\])[bB](?:{_PIECE})\Z")
_LITERAL = re.compile(rf"[\s>]*+[bB](?P<piece>{_PIECE})")
_NARROWEST = 60  # characters of a line that is broken
_MOST = 1000  # lines of a value
_JSON = json.JSONDecoder()
_BRACE = re.compile(r"[ \t]*+\[?\{")  # of an object, perhaps the first of an array


def unwrapped(text: str, weigh: Callable[[str], int]) -> str:
    """Return the text with values on one line each; `weigh` says how well a message in a line
    decodes, 0 for none: lines are put together if that is more than in any of them."""
    lines = _with_records_on_lines(text).split("\n")
    width = 0  # of the line above
    end = 0  # of the literals that were tried
    for number, line in enumerate(lines):
        is_beginning, width = len(line) != width, len(line)
        joined, count = _literals(lines, number) if number >= end else (line, 1)
        end = max(end, number + count)
        if count == 1 and is_beginning:
            joined, count = _broken(lines, number)
        rows = lines[number : number + count]
        if count > 1 and (weight := weigh(joined)) and weight > max(map(weigh, rows)):
            lines[number : number + count] = [joined, *[""] * (count - 1)]
    return "\n".join(lines)


def _with_records_on_lines(text: str) -> str:
    """The text with each record of JSON on one line, alone or in an array."""
    if '"key"' not in text:
        return text
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _BRACE.match(line) and (record := _record(lines, number)):
            lines[number : number + len(record)] = record
    return "\n".join(lines)


def _record(lines: list[str], number: int) -> list[str]:
    """The lines of a record of JSON with all of it on the first of them; none where there is no
    such record, or where it is on one line."""
    if '"key"' not in "".join(lines[number : number + 2]) or number + 1 == len(lines):
        return []
    rest = "\n".join(lines[number : number + _MOST])
    try:
        value, end = _JSON.raw_decode(rest, rest.index("{"))
    except (ValueError, RecursionError):
        return []
    count = rest.count("\n", 0, end)
    is_all = not rest[end:].partition("\n")[0].strip(",] \t\r")
    return [json.dumps(value), *[""] * count] if count and is_all else []


def _literals(lines: list[str], number: int) -> tuple[str, int]:
    """A line that ends in a literal of Python's, with those that the next lines begin with, and the
    number of lines."""
    line, count = lines[number], 1
    while number + count < len(lines) and (ended := _ENDS_IN_LITERAL.search(line)):
        following = _LITERAL.match(lines[number + count])
        if following is None:
            break
        quote, piece = ended[0][1], following["piece"]
        body = piece[1:-1]
        if piece[0] != quote:
            body = re.sub(rf"(\\.)|{quote}", lambda match: match[1] or f"\\{match[0]}", body)
        rest = lines[number + count][following.end() :]
        line = f"{line[:-1]}{body}{quote}{rest}"
        count += 1
    return line, count


def _broken(lines: list[str], number: int) -> tuple[str, int]:
    """A line with those behind it, all of one width but the last, and the number of lines."""
    first = lines[number].rstrip("\r")
    width = len(first)
    front = first[: width - len(first.lstrip(" "))]
    pieces = [first]
    rows = lines[number + 1 : number + _MOST] if width >= _NARROWEST else []
    for row in rows:
        piece = row.rstrip("\r")
        if len(piece) > width or not piece.startswith(front):
            break
        pieces.append(piece[len(front) :])
        if len(piece) < width:
            break
    return "".join(pieces), len(pieces)
