"""Values that stand on several lines of a short text, put together on the first of them.

Python's pprint writes a literal for each line, jq a value of a record, an assembler a row of bytes,
a loop a number, a mail breaks quoted-printable behind a `=`, and a terminal breaks long lines at
its width. Empty lines take the places of the others, so that the numbers of lines stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from ..forms.literals import quoted
from ..forms.quoted_printable import MARK

__all__ = ["unwrapped"]

_PIECE = "|".join(quoted(quote) for quote in "'\"")
_ENDS_IN_LITERAL = re.compile(rf"(?<![\w\\])[bB](?:{_PIECE})\Z")
_LITERAL = re.compile(rf"[\s>]*+[bB](?P<piece>{_PIECE})")
_NARROWEST = 60  # characters of a line that is broken
_MOST = 1000  # lines of a value
_MOST_BREAKS = 20  # line ends among the bytes of a message in quoted-printable
_MOST_WEIGHED = 4  # times the text: each line of a mail may be the first one of a message
_ITEM = r"(?:0[xX][0-9a-fA-F]{1,2}|0?[0-9a-fA-F]{2}[hH]|-?[0-9]{1,3})(?!\w)"
_BEHIND = r"(?P<behind>(?:[\"'`].*|,[ \t]*+[^\s\d-].*)?)[ \t,]*+\r?\Z"
# Rows of numbers, and how many there are at least.
_ROWS = (
    (
        re.compile(
            r"(?P<front>.*?)(?:\.byte|(?<![\w.])[dD][bB])[ \t]++"
            rf"(?P<items>{_ITEM}(?>(?:[ \t]*+,[ \t]*+{_ITEM})*)){_BEHIND}"
        ),
        2,
    ),
    (re.compile(rf"(?P<front>.*?)(?<![\w.,-])(?P<items>-?[0-9]{{1,3}}){_BEHIND}"), 10),
)
_MOST_ROWS = 1 << 15
_JSON = json.JSONDecoder()
_BRACE = re.compile(r"[ \t]*+\[?\{")  # of an object, perhaps the first of an array


def unwrapped(text: str, weigh: Callable[[str], int]) -> str:
    """Return the text with values on one line each; `weigh` says how well a message in a line
    decodes, 0 for none: lines are put together if that is more than in any of them."""
    lines = _with_records_on_lines(text).split("\n")
    mails = _Bounded(weigh, _MOST_WEIGHED * len(text))
    width = 0  # of the line above
    end = 0  # of the literals, and of the numbers, that were tried
    for number, line in enumerate(lines):
        if number >= end and (numbers := _rows_of_numbers(lines, number)):
            end = number + len(numbers)
            lines[number:end] = _listed(numbers, weigh)
            continue
        if MARK in line and mails.left > 0:
            joined, count = _of_a_mail(lines, number, mails)
            lines[number : number + count] = [joined, *[""] * (count - 1)]
            continue
        is_beginning, width = len(line) != width, len(line)
        joined, count = _literals(lines, number) if number >= end else (line, 1)
        end = max(end, number + count)
        if count == 1 and is_beginning:
            joined, count = _broken(lines, number)
        rows = lines[number : number + count]
        if count > 1 and (weight := weigh(joined)) and weight > max(map(weigh, rows)):
            lines[number : number + count] = [joined, *[""] * (count - 1)]
    return "\n".join(lines)


class _Bounded:
    """Weighs lines until their characters are more than a limit, and then finds nothing in them."""

    def __init__(self, weigh: Callable[[str], int], most: int) -> None:
        self._weigh = weigh
        self.left = most

    def __call__(self, line: str) -> int:
        self.left -= len(line)
        return self._weigh(line) if self.left > 0 else 0


def _of_a_mail(lines: list[str], number: int, weigh: Callable[[str], int]) -> tuple[str, int]:
    """A line of quoted-printable with those that it goes on on, and the number of lines: behind a
    `=` a line is broken, and other line ends are bytes, or the end of the message."""
    text, breaks = "", 0
    for count, row in enumerate(lines[number : number + _MOST], 1):
        text += row.rstrip() if count == 1 else row.strip()
        if text.endswith("="):
            text = text[:-1]
        elif weigh(text):
            return text, count
        elif breaks == _MOST_BREAKS:
            break
        else:
            text, breaks = f"{text}=0A", breaks + 1
    return lines[number], 1


def _rows_of_numbers(lines: list[str], number: int) -> list[re.Match[str]]:
    """The line and those behind it, where each is a row of bytes as an assembler has them, or a
    single number; none for any other line."""
    for pattern, fewest in _ROWS:
        rows: list[re.Match[str]] = []
        for at in range(number, min(len(lines), number + _MOST_ROWS)):  # islice begins at 0
            row = pattern.match(lines[at])
            if row is None or (rows and (row["front"].strip() or rows[-1]["behind"])):
                break
            rows.append(row)
        if len(rows) >= fewest:
            return rows
    return []


def _listed(rows: list[re.Match[str]], weigh: Callable[[str], int]) -> list[str]:
    """The rows, with their numbers as a list on the first of them, or on the second, if a message
    is in it: the number at the end of the first may be of a text."""
    for start in (0, 1):
        items = ", ".join(row["items"] for row in rows[start:])
        joined = f"{rows[start]['front']}[{items}]{rows[-1]['behind']}"
        if weigh(joined):
            above = [row.string for row in rows[:start]]
            return [*above, joined, *[""] * (len(rows) - start - 1)]
    return [row.string for row in rows]


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
