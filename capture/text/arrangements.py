r"""Other ways to divide a text: at marks, without what is around messages, with its lines joined.

People number lines, label them, quote them in mails, put them between prose and code fences, put
several messages on a line, and wrap lines anywhere. Nothing here decides: each way is a proposal,
which counts only if every message of it decodes.

The strings of JSON, and of Python's lists and dictionaries, are such parts, too. A string may be
bytes itself (`"\u0000\u0001"`), or text in which bytes are written: `"\\x00\\x01"`, `"b'\\x00'"`,
hex, base64, numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from ..chunks import Places, label
from ..forms.literals import quoted, string_content
from ..forms.numbered import begin_with_bytes
from ..forms.quoted_printable import MARK
from ..lines import lines

__all__ = [
    "Arrangement",
    "Part",
    "Value",
    "arrangements",
    "fronts",
    "indentation",
    "is_like_bytes",
    "quote_mark",
    "values",
    "without_markup",
]

_MAX_PARTS = 500
_LEAST_PART = 4  # characters
_NO_VALUES = ("null", "NULL", "None")
_CELL = 4  # characters of a byte of od -c, blanks in front

_QUOTE = re.compile(r"[ \t]*+(?:>[ \t]?)+")
# What is around messages: lines with letters that no hex has, or marks, and nothing like bytes.
_AROUND = re.compile(
    r"(?=[ \t]*+(?:```|~~~|===|\*\*\*|___|#|//|--|;|/\*|\*/)|[^\n]*?[g-zG-Z])[^\n]*+"
)
_LIKE_BYTES = re.compile(
    r"[0-9a-fA-F]{8}|(?:[0-9a-fA-F]{2}[ :,_-]){4}|(?:[0-9a-fA-F]{4} ){3}|0[xX][0-9a-fA-F]"
    r"|[\\\[{<%\"']|\A(?:[0-7]{7,16}+)?(?: {3}[!-~]| {4}|  \\.| [0-7]{3}){4}"
    rf"|A[AB][A-Za-z0-9+/_-]{{6}}|(?:-?[0-9]{{1,6}}[ ,]++){{4}}|\^@|M-\^|{MARK}"
    r"|\A(?=.*[0-9\])}])[\s0-9a-fA-FxX,\])};]++\Z"
)
_ONE_WORD = re.compile(r"[ \t]*+(?!--)[\w+/-]++={0,2}[ \t\r]*+", re.ASCII)
_MARKS = tuple(
    (form, re.compile(rf"[ \t]*+{mark}(?=\S)"))
    for form, mark in (
        ("numbered", r"[\[(#]*+[0-9]{1,9}(?:[\])]?[.:)\]]?[ \t]++|[\])]?[.:)\]][ \t]*+)"),
        ("numbered", r"[-*+\u2022][ \t]++"),
        ("log", r"[A-Za-z][\w .#/()-]{0,60}?[ \t]*+(?::=|=>|->|[:=])[ \t]*+"),
    )
)
_SEPARATORS = (
    re.compile(r"(?<=['\"])[ \t]++(?=[bB]?['\"])"),
    *map(
        re.compile,
        (r";[ \t]*+", r"(?:(?<![ \t])[ \t]++)?\|[ \t]*+", r"\t++", r",[ \t]*+", r"[ \t]++"),
    ),
)
# What grep and docker compose write in front of every row.
_FRONT = re.compile(r"(?=[^:|>]*[g-zG-Z])[^:|>]{1,80}+(?:[0-9]*+[:|>]|[ \t]++\|)")
_ENDS = tuple("]})>;")
_CLOSES = tuple(">)];}")
_LISTED = re.compile(r"(?<![\[({<])[\[({<]++([^\[\](){}<>\"'`]*+)(?=[\])}>])")
_NUMBERS = re.compile(r"[\s,]*+(?>(?:-?(?:0[xX])?[0-9a-fA-F]{1,3}(?:[\s,]++|\Z)){2,})")
_NO_DIGITS = re.compile(r"\(\s*+byte\s*+\)|(?<=[0-9a-fA-F])[ui]8\b")
_BESIDE_LISTS = re.compile(
    r"[0-9a-fA-F]{8}|(?:[0-9a-fA-F]{2}[ :,_-]){4}|0[xX][0-9a-fA-F]|[\\%]"
    r"|A[AB][A-Za-z0-9+/_-]{6}|(?:-?[0-9]{1,6}[ ,]++){4}"
)


# A list that is opened at the end of a line, with rows of numbers below, as Node prints long ones.
_LIST_OF_ROWS = re.compile(
    r"[\[({<][ \t]*+\r?\n[ \t>]*+"
    r"(?>(?:-?(?:0[xX])?[0-9a-fA-F]{1,3}(?:[ \t]*+,[ \t]*+|[ \t]*+\r?\n))+)"
)


class Part(NamedTuple):
    """A part of a text. `places` has line and column of each piece of it, by the line of the part
    and the column in it; blanks take the place of what was left out before it. `label` is the mark
    in front of the part."""

    text: str
    places: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    label: str = ""

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return line and column, in the text, of a place in the part."""
        at = bisect_right(self.places, (line, column), key=lambda piece: piece[0]) - 1
        (piece_line, piece_column), (text_line, text_column) = self.places[at]
        if line == piece_line:
            return text_line, text_column + column - piece_column
        return text_line + line - piece_line, column


class Arrangement(NamedTuple):
    """A way to divide a text: its parts, and the name of its form, "" for that of its parts. It is
    "log" where each line has a name in front. `inset` is added to all columns. `headings` are the
    rows that were left out, by their lines. `are_whole`: no part has more than one message.
    `is_sure`: what was left out are marks of a mail or a page, so that the text is to be read
    without them whether or not it decodes."""

    parts: list[Part]
    form: str = ""
    inset: int = 0
    headings: Mapping[int, str] = {}
    are_whole: bool = False
    is_sure: bool = False


def arrangements(text: str) -> Iterator[Arrangement]:
    """Yield ways to divide a text into parts, each of which is in some form."""
    rows = list(lines(text))
    quote = quote_mark(rows)
    inset = quote or indentation(rows)
    front = 0 if inset else _front(rows)
    for width in range(inset, max(inset - _CELL, 0), -1):  # od -c begins its rows with blanks
        inside = [row[width:] for row in rows]
        is_quote = width == quote > 0
        yield Arrangement([_part(inside, 0, len(inside))], inset=width, is_sure=is_quote)
    if inside := _fenced(rows):
        yield Arrangement([_part(inside, 0, len(inside))], is_sure=True)
    for width in (front, front + 1) if front else ():
        inside = [row[width:] for row in rows]
        name = label(next(row for row in rows if row.strip())[:front])
        yield Arrangement([_part(inside, 0, len(inside), name)], inset=width)
    if _LIST_OF_ROWS.search(text) is None:
        yield from _of_rows(rows, inset)
    elif parts := _listed(text):  # its rows are no messages of their own
        yield Arrangement(parts, are_whole=True)
    if counted := _counted(rows):
        yield Arrangement([_part(counted, 0, len(counted))])
    for width in fronts(rows):
        inside = ["" if _HUNK.match(row) else row[width:] for row in rows]
        yield Arrangement([_part(inside, 0, len(inside))], inset=width)
    plain = _plain(text)
    if plain not in ("", text):
        inside = list(lines(plain))
        yield Arrangement([_part(inside, 0, len(inside))])
        yield from arrangements(plain)


def _of_rows(rows: list[str], inset: int) -> Iterator[Arrangement]:
    """Yield ways to divide a text without the rows that are around messages."""
    bare = ["" if _is_around(row) else row[inset:] for row in rows]
    words = [
        "" if _is_around(row) and not _ONE_WORD.fullmatch(row) else row[inset:] for row in rows
    ]
    for inside in (bare, words) if words != bare else (bare,):
        if inside != rows:
            headings = {
                number: row
                for number, (row, kept_row) in enumerate(zip(rows, inside, strict=True), start=1)
                if row.strip() and not kept_row
            }
            yield Arrangement([_part(inside, 0, len(inside))], "", inset, headings)
    for arrangement in _divided(bare):
        yield arrangement._replace(inset=inset)


def quote_mark(rows: list[str]) -> int:
    """Return the length of the mark in front of each row of a quoted mail; 0 for no mark."""
    full = [row for row in rows if row.strip(" \t>")]
    match = _QUOTE.match(full[0]) if full else None
    if match is None or not all(row.startswith(match[0]) for row in full):
        return 0
    return match.end()


_FENCE = re.compile(r"[ \t]*+(?:```|~~~)[\w-]*+[ \t\r]*+", re.ASCII)


def _fenced(rows: list[str]) -> list[str]:
    """The rows between the first and the last one, where these two are the marks of code; none for
    any other text."""
    full = [at for at, row in enumerate(rows) if row.strip()]
    fences = [at for at in full if _FENCE.fullmatch(rows[at])]
    if len(full) < 3 or fences != [full[0], full[-1]]:
        return []
    return [*[""] * (full[0] + 1), *rows[full[0] + 1 : full[-1]]]


def _front(rows: list[str]) -> int:
    """The length of the name in front of every row, 0 where there is none."""
    full = [row for row in rows if row.strip()]
    match = _FRONT.match(full[0]) if full else None
    return match.end() if match and all(row.startswith(match[0]) for row in full) else 0


# What programs and people put in front of every row: the mark of a diff, the number of the row, a
# time and a name.
_MOST_ROWS = 5000
_MOST_FRONTS = 8
_LONGEST_FRONT = 80  # characters
_HUNK = re.compile(r"diff --git |index [0-9a-f]+\.\.|---( |\Z)|\+\+\+( |\Z)|@@ .*@@|\\ No newline")
_ALIKE = str.maketrans(
    dict.fromkeys("0123456789 ", "9")
)  # numbers of rows and times differ in these
_FRONT_ENDS = frozenset(" \t>|:+-]")


def fronts(rows: list[str]) -> list[int]:
    """Return the lengths of what may be in front of every row, the longest first; of a single
    row, of what a diff or a dump begins with."""
    full = [row for row in rows if row.strip() and not _HUNK.match(row)]
    if not full or len(full) > _MOST_ROWS:
        return []
    if len(full) == 1 and full[0][0] not in "+-":
        offset, chat = _FIRST_OFFSET.search(full[0]), _IN_CHAT.match(full[0])
        return [offset.start()] if offset else [chat.end()] if chat else []
    alike = _beginning_of_all([row[:_LONGEST_FRONT].translate(_ALIKE) for row in full])
    row = full[0]
    ends = [
        at
        for at in range(1, min(alike + 1, len(row)))
        if row[at - 1] in _FRONT_ENDS and row[at] not in _FRONT_ENDS
    ]
    return ends[_MOST_FRONTS - 1 :: -1] if len(ends) >= _MOST_FRONTS else ends[::-1]


_IN_CHAT = re.compile(
    r"\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]?[ \t]++(?:<[^<>]{1,40}>|[\w.@-]{1,40}:)[ \t]++"
)
_FIRST_OFFSET = re.compile(r"(?<=[ \t])0{4,16}(?::|  )")


def _beginning_of_all(texts: list[str]) -> int:
    """The number of characters with which all texts begin."""
    first, last = min(texts), max(texts)
    pairs = enumerate(zip(first, last, strict=False))
    return next((at for at, (x, y) in pairs if x != y), min(len(first), len(last)))


_COUNT = re.compile(r"[ \t]*+\[([0-9]{1,9})\][ \t]++")


def _counted(rows: list[str]) -> list[str]:
    """The rows without the number of their first item, which R prints; none where the numbers do
    not count the items."""
    inside = []
    items = 1
    for row in filter(str.strip, rows):
        count = _COUNT.match(row)
        if count is None or int(count[1]) != items:
            return []
        inside.append(_blanked(row, count.end()))
        items += len(row[count.end() :].split())
    return inside


# Characters that programs put between bytes where people see none, or another one.
_UNSEEN = {
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"), ""),
    **dict.fromkeys(map(ord, "\u00a0\u2007\u202f\u3000"), " "),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"),
}
_MARKUP = re.compile(
    r"(?:```|~~~)(?:[a-z]{1,12}(?=[ \t]|\Z))?|</?(?:pre|code|br|p|div|span|td|tr)\b[^<>\n]{0,200}>"
    r"|\{(?:code|noformat|quote)(?::[^{}\n]{0,80})?\}"
    r"|^[0-9]{1,9}-element (?:Vector|Array)\{UInt8(?:, ?1)?\}:",  # of Julia
    re.MULTILINE,
)


def _plain(text: str) -> str:
    """The text without markup, and with plain characters in the place of those that look like
    them."""
    return without_markup(text if text.isascii() else text.translate(_UNSEEN))


def without_markup(text: str) -> str:
    """Return a text without markup, in which names of characters in HTML are characters."""
    marked = _MARKUP.sub("", text)
    return unescape(marked) if marked != text and "&" in marked else marked


def indentation(rows: list[str]) -> int:
    """Return the number of blanks in front of every row that is not empty."""
    return min((len(row) - len(row.lstrip(" \t")) for row in rows if row.strip()), default=0)


def is_like_bytes(text: str) -> bool:
    """Return whether there may be bytes in a text, in any form."""
    return _LIKE_BYTES.search(text) is not None


def _is_around(row: str) -> bool:
    return _AROUND.match(row) is not None and not is_like_bytes(row)


def _divided(rows: list[str]) -> Iterator[Arrangement]:
    are_bytes = begin_with_bytes(rows)
    for form, mark in _MARKS:
        if are_bytes and form == "numbered":
            continue
        if parts := _marked(rows, mark):
            yield Arrangement(parts, form)
            if len(parts) < len(rows):
                yield Arrangement(_cut(rows, mark, 0), form)
                yield Arrangement(_cut(rows, mark, 1), form)
    for separator in _SEPARATORS:
        if parts := _separated(rows, separator):
            yield Arrangement(parts)
    if 1 < len(rows) <= _MAX_PARTS:
        yield Arrangement([_part(rows, at, at + 1) for at, row in enumerate(rows) if row.strip()])
    lines_joined = None if _has_offsets(rows) else _joined(rows)
    if lines_joined:
        yield Arrangement([lines_joined])
    if parts := _listed("\n".join(rows)):
        yield Arrangement(parts, are_whole=True)


def _part(rows: list[str], start: int, end: int, name: str = "") -> Part:
    return Part("\n".join(rows[start:end]), (((1, 1), (start + 1, 1)),), name)


def _blanked(row: str, end: int) -> str:
    return " " * end + row[end:]


def _marked(rows: list[str], mark: re.Pattern[str]) -> list[Part]:
    """The parts that begin with a mark; rows without one go on with the part above them."""
    bare = []
    starts = []
    names = []
    for at, row in enumerate(rows):
        match = mark.match(row)
        bare.append(_blanked(row, match.end()) if match else row)
        if match:
            starts.append(at)
            names.append(label(match[0]))
    if not starts or len(starts) > _MAX_PARTS or any(row.strip() for row in rows[: starts[0]]):
        return []
    ends = [*starts[1:], len(rows)]
    return [
        _part(bare, start, end, name) for start, end, name in zip(starts, ends, names, strict=True)
    ]


def _cut(rows: list[str], mark: re.Pattern[str], blanks: int) -> list[Part]:
    """The parts that begin behind a mark and so many blanks: in the rows of `od -An -c`, the blanks
    say which byte is where."""
    starts = [(at, match[0]) for at, row in enumerate(rows) if (match := mark.match(row))]
    ends = [at for at, _ in starts[1:]] + [len(rows)]
    parts = []
    for (start, front), end in zip(starts, ends, strict=True):
        cut = len(front.rstrip()) + blanks
        text = "\n".join([rows[start][cut:], *rows[start + 1 : end]])
        places = (((1, 1), (start + 1, cut + 1)), ((2, 1), (start + 2, 1)))
        parts.append(Part(text, places, label(front)))
    return parts


def _separated(rows: list[str], separator: re.Pattern[str]) -> list[Part]:
    """The parts of rows; none where nothing is separated, or too much."""
    parts: list[Part] = []
    several = False
    for number, row in enumerate(rows, start=1):
        if not row:
            continue
        start = len(row) - len(row.lstrip())
        ends = [(match.start(), match.end()) for match in separator.finditer(row, start)]
        for end, next_start in [*ends, (len(row), len(row))]:
            piece = row[start:end].rstrip()
            several = several or start > 0
            if piece and piece not in _NO_VALUES:
                if len(piece) < _LEAST_PART or len(parts) == _MAX_PARTS:
                    return []
                parts.append(Part(piece, (((1, 1), (number, start + 1)),)))
            start = next_start
    return parts if several else []


def _listed(text: str) -> list[Part]:
    """The lists of numbers, whatever words are in front of them; none where anything else may be
    bytes."""
    bare = _NO_DIGITS.sub(lambda match: " " * len(match[0]), text)
    parts: list[Part] = []
    rest: list[str] = []
    end = line = start = 0
    for match in _LISTED.finditer(bare):
        if _NUMBERS.fullmatch(match[1]) is None:
            continue
        rest.append(bare[end : match.start()])
        line += bare.count("\n", end, match.start(1))
        start = bare.rfind("\n", 0, match.start(1)) + 1
        name = label(text[max(start, end) : match.start(1)])
        end = match.start(1)
        parts.append(Part(match[1], (((1, 1), (line + 1, end - start + 1)),), name))
        line += match[1].count("\n")
        end = match.end()
        if len(parts) > _MAX_PARTS:
            return []
    rest.append(bare[end:])
    return [] if any(map(_BESIDE_LISTS.search, rest)) else parts


_FIRST_ROW = re.compile(r"[ \t]*+(?:0x)?(0{4,16})(?=h?:?[ \t])")
_SECOND_ROW = re.compile(r"[ \t]*+(?:0x)?(0+(?:8|1[06]|[234]0|32))(?=h?:?[ \t])")


def _has_offsets(rows: list[str]) -> bool:
    """Whether two rows of a dump follow each other, which are no parts of a line."""
    pairs = (
        (_FIRST_ROW.match(row), _SECOND_ROW.match(next_row)) for row, next_row in pairwise(rows)
    )
    return any(first and second and len(first[1]) == len(second[1]) for first, second in pairs)


def _joined(rows: list[str]) -> Part | None:
    """The text with its lines joined, except where a list, a literal or a paragraph ends."""
    text: list[str] = []
    places: list[tuple[tuple[int, int], tuple[int, int]]] = []
    line, column = 1, 1
    for number, (row, below) in enumerate(pairwise([*rows, ""]), start=1):
        bare = row.rstrip("\r")
        ended = bare.rstrip().endswith(_ENDS) and not below.startswith(_CLOSES)
        end = "\n" if not bare.strip() or ended else ""
        places.append(((line, column), (number, 1)))
        text += (bare, end)
        line, column = (line + 1, 1) if end else (line, column + len(bare))
    return Part("".join(text), tuple(places)) if len(places) > 1 else None


# -- values of JSON

_MAX_VALUES = 2000
_KEYS = 4
_STRINGS = "|".join(quoted(quote) for quote in "\"'")
# pprint parts bytes of Python over several lines.
_MARKED = rf"[bB](?:{_STRINGS})"
_TOKEN = re.compile(
    rf"\s*+(?:(?P<string>{_MARKED}(?>(?:\s++{_MARKED})*)|{_STRINGS})(?P<key>\s*+:)?"
    r"|(?P<numbers>\[(?>(?:\s*+-?[0-9]{1,3}\s*+,)+)\s*+-?[0-9]{1,3}\s*+\])"
    r"|(?:null|true|false|None|True|False|-?[0-9][0-9.eE+-]*+)(?=\s*+(?:[,\]}):]|\Z))|[\[\]{}(),:])"
)


class Value(NamedTuple):
    """A value: the text that it is written as, what a string contains, and its place.

    `content` is empty for a list of numbers, and for a string that cannot be read. `keys` are the
    last keys of objects before the value, at most so many as tell what a `data` is of.
    """

    text: str
    content: str
    line: int
    column: int
    keys: str = ""


def values(text: str) -> list[Value]:
    """Return the strings and the lists of numbers in a text; none where it has anything else, or
    more of them than people paste. The keys of objects are no values."""
    contents: list[Value] = []
    keys: deque[str] = deque(maxlen=_KEYS)
    places = Places(text)
    end = len(text.rstrip())
    at = 0
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None or len(contents) == _MAX_VALUES:
            return []
        at = token.end()
        kind = "string" if token["string"] else "numbers"
        if token["key"]:
            keys.append(token["string"][1:-1])
        if token[kind] and not token["key"]:
            content = string_content(token["string"]) if token["string"] else ""
            place = places.at(token.start(kind))
            contents.append(Value(token[kind], content, *place, " ".join(keys)))
    return contents
