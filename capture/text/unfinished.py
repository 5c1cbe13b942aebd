r"""Lists, strings and base64 of which a line has the beginning: a log cuts long lines, and so do
columns, terminals and people.

`[0, 1, 0, 0, 0, 1, 0, 6, 111, 114 ... (truncated)`, `"\x00\x01\x00\x00...`, and base64 of a length
that no encoder makes: what is certainly there is read, and half an escape or number is left out.
Escapes without quotes are found here, too, whose end the text does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ..form import LEAST, LEAST_QUOTED, Hit, is_message_start
from ..forms.base64_text import decode
from ..forms.literals import DIALECTS, unescape
from ..forms.numbers import Listing, judged_list, numbers

__all__ = ["unfinished_values"]

_NUMBER = r"(?:0[xX][0-9a-fA-F]{1,2}|-?[0-9]{1,3}|[0-9a-fA-F]{1,2})"
_LIST = re.compile(
    rf"(?:[\[{{(]\s*+|(?<![\w.,:/-])|(?<=\w,))(?P<body>{_NUMBER}"
    rf"(?>(?:\s*+,\s*+{_NUMBER}(?!\w))+|(?:\s++{_NUMBER}(?!\w))+))(?P<end>\s*+,|\s++|)"
)
_WORD = re.compile(r"[\w-]+")
_BEHIND_ALL = ("", "'", '"', "`", ";", ")")
_LAST_NUMBER = re.compile(r"[,\s]*+[\w-]++\Z")
_ESCAPE = (
    r"\\{1,2}(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|[0-3][0-7]{2}|[0-7]{1,2}"
    r"|[abefnrtv\\'\"])"
)
_BEGINNING = re.compile(r"(?<!\\)(?P<quote>[\"'`]?)(?P<twice>\\?)(?=\\(?:x00|u0000|u\{0\}|000|0))")
_BODY = {quote: re.compile(rf"(?>(?:{_ESCAPE}|[^\\\n{quote}])*)") for quote in ("", '"', "'", "`")}
_ELLIPSIS = re.compile(r"\.\.\.|\u2026|\s?[\[<(](?:\.\.\.|\u2026)?\s?trunc")
_BASE64 = re.compile(r"(?<![\w+/=-])AA(?=[A-Z0-9]*+[a-z])[\w+/-]{18,}+={0,2}", re.ASCII)
_OF_LATIN_1 = re.compile(r"\\u00[89a-fA-F]")  # of languages whose characters are bytes
_REPLACED = re.compile(r"\\ufffd|\ufffd", re.IGNORECASE)
_GROUP = 4  # characters of base64, for three bytes
_LANGUAGES = ("go", "python", "javascript", "rust")


def unfinished_values(line: str) -> Iterator[Hit]:
    """Yield the bytes of values that a line has the beginning of."""
    end = 0
    hits = chain(_lists(line), _strings(line), _base64(line))
    for hit in sorted(hits, key=lambda hit: hit.start):
        if hit.start >= end and is_message_start(hit.data):
            yield hit
            end = hit.end


def _lists(line: str) -> Iterator[Hit]:
    for match in _LIST.finditer(line):
        body = match["body"]
        bodies = [body]
        if not match["end"]:  # the last number may have more digits, or not without a bracket
            *words, last = _WORD.findall(body)
            is_half = len(last) == 1 and all(len(word) > 1 for word in words)  # of a byte in hex
            is_bare = match[0][0] not in "[{(" and line[match.end() :][:1] in _BEHIND_ALL
            bodies = [_LAST_NUMBER.sub("", body), *bodies * (is_bare and not is_half)]
        data, *rivals = map(_of_numbers, bodies)
        if max(map(len, (data, *rivals))) >= LEAST:
            listing = Listing(*match.span(), data, None, "ints")
            for hit in judged_list(listing, marked=False):
                if hit.data:
                    yield hit._replace(rivals=tuple(filter(None, rivals)))


def _of_numbers(body: str) -> bytes:
    """The bytes of numbers: in hex, where one has letters, or where all have two digits."""
    content = numbers(body, octal=False)
    if content is not None:
        return content[0]
    words = body.replace(",", " ").split()
    if any(len(word) > len("ff") for word in words):
        return b""
    try:
        return bytes(int(word, 16) for word in words)
    except ValueError:
        return b""


def _strings(line: str) -> Iterator[Hit]:
    """The first string: it has no end, so that nothing is behind it."""
    match = _BEGINNING.search(line)
    if match is None:
        return
    twice, quote = match["twice"], match["quote"]
    body = _BODY['"' if twice else quote].match(line, match.start("twice"))
    assert body is not None  # it may be empty
    is_closed = line.startswith(("'", '"', "`", '\\"'), body.end())
    mark = _ELLIPSIS.search(body[0])
    text = body[0][: mark.start()] if mark else body[0]
    if twice:  # in a string of JSON
        text = text.replace("\\\\", "\\")
    if _REPLACED.search(text):
        return
    for name in _LANGUAGES:
        if name == "go" and _OF_LATIN_1.search(text) and "\\x" not in text:
            continue
        try:
            data = unescape(text, DIALECTS[name])
        except ValueError:
            continue
        if len(data) >= LEAST_QUOTED:
            cut = 0 if is_closed and not mark else None
            yield Hit(match.start(), len(line), data, name if quote else "escaped", cut)
        return


def _base64(line: str) -> Iterator[Hit]:
    for match in _BASE64.finditer(line):
        digits = match[0].rstrip("=")
        whole = digits[: len(digits) // _GROUP * _GROUP]
        try:
            data = decode(whole, url="-" in whole or "_" in whole)
        except ValueError:
            continue
        yield Hit(*match.span(), data, "base64", None)
