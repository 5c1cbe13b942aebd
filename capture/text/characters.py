"""Messages that a program printed as the characters that their bytes are, with words around them.

`echo` puts a line end behind the bytes, and a log has words in front of them. A message begins with
a zero byte, which no word has, and ends where it decodes. Where none ends, the text may have the
beginning of one.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from html import unescape
from itertools import chain

from ..chunks import CLEAN, Chunk, Judge, label
from ..cuts import advice, doubtful_middle, without_mark
from ..forms.raw import size_in_front
from ..lines import COLOUR
from .arrangements import fronts, indentation, quote_mark
from .surroundings import CELL, undoubled

__all__ = ["among_words", "from_characters", "unescaped"]

_LONGEST = 1 << 16  # bytes
_MOST = 100  # messages
_MOST_ROWS = 500
_NARROWEST = 60  # characters of a line that is broken
_LINE_ENDS = (b"\n", b"\r\n")
_WITHOUT_LINE_END = "the line end behind the message is left out"
_WITHOUT_BREAKS = (
    "line ends are left out where a mail or a terminal may have broken a long line: they may be "
    "bytes of the message"
)
_MAY_DIFFER = (
    "not all of it decodes: a program that prints bytes as text may have changed or lost some; "
    "print them as hex where they come from"
)
_CHARSETS = ("latin-1", "cp1252")
_ESCAPE = re.compile(rb"\\x([89a-f][0-9a-f])")
_NAMED = re.compile(rb"&(?:#x?[0-9a-fA-F]{1,5}|amp|lt|gt|quot|apos);")
_CONTROLS = tuple(bytes((byte,)) for byte in range(9))
_OF_WORDS = bytes(range(0x20, 0x7F)) + b"\t\r\n"


def among_words(data: bytes, judge: Judge) -> list[Chunk]:
    """Return the messages between words; none where they do not decode, or where the bytes are one
    message themselves."""
    if len(data) > _LONGEST or 0 not in data or _is_clean(data, judge):
        return []
    data = _unquoted(data.removeprefix(BOM_UTF8))
    plain = dict.fromkeys((data, _of_page(data)))
    texts = dict.fromkeys(variant for text in plain for variant in _variants(text))
    carried = (text for carrier in plain for text in _carried(carrier) if text not in plain)
    rebuilt = (variant for text in carried for variant in _variants(text))
    for text, charset in chain(texts, rebuilt):
        if chunks := _messages(text, judge):
            if text.count(b"\n") < data.count(b"\n"):
                chunks = [chunk._replace(remark=_WITHOUT_BREAKS) for chunk in chunks]
            return [_as_in_text(chunk, charset) for chunk in chunks]
    beginnings = (_beginning(text, charset, judge) for text, charset in texts)
    return next(([chunk] for chunk in beginnings if chunk is not None), [])


def _variants(data: bytes) -> Iterator[tuple[bytes, str]]:
    """The bytes that a text may stand for, and the charset of the characters that they were taken
    for."""
    yield unescaped(data), ""
    yield data, ""
    mark = without_mark(data.decode("utf-8", "surrogateescape"))
    for charset in _CHARSETS:
        for text in dict.fromkeys((data, mark.encode("utf-8", "surrogateescape"))):
            plain = from_characters(text, charset)
            if plain is not None:
                yield plain, charset


def _of_page(data: bytes) -> bytes:
    """The bytes with characters in the place of their names in HTML."""
    if not _NAMED.search(data):
        return data
    return unescape(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _unquoted(data: bytes) -> bytes:
    """The bytes without the mark that a mail has put behind each line end."""
    if not data.lstrip().startswith(b">"):
        return data
    rows = data.decode("utf-8", "surrogateescape").split("\n")
    return "\n".join(_without_front(rows, quote_mark(rows))).encode("utf-8", "surrogateescape")


def _without_front(rows: list[str], width: int) -> list[str]:
    """The rows without so many characters at the beginning of each but the first."""
    return [rows[0], *(row[width:] for row in rows[1:])]


def _carried(data: bytes) -> Iterator[bytes]:
    """The bytes without what a table or a program has put into them at each line end, and without
    the line ends with which a mail or a terminal has broken long lines."""
    text = data.decode("utf-8", "surrogateescape")
    text = text.replace("\r\n", "\n")
    ways = [text, CELL.sub(undoubled, text)]
    rows = text.split("\n")
    if 1 < len(rows) <= _MOST_ROWS:
        widths = dict.fromkeys((0, indentation(rows), *fronts(rows)))
        inside = [_without_front(rows, width) for width in widths]
        ways += ["\n".join(lines) for lines in inside]
        ways += ["".join(_unbroken(lines)) for lines in inside]
    for way in ways:
        yield way.encode("utf-8", "surrogateescape")


def _unbroken(rows: list[str]) -> Iterator[str]:
    """The rows, with a line end behind those that are not as long as the longest: these are parts
    of a line that was broken at a width. In front of the first one there may be a name."""
    width = max(map(len, rows[1:]))
    for row in rows[:-1]:
        is_broken = len(row) >= width >= _NARROWEST
        yield row if is_broken else f"{row}\n"
    yield rows[-1]


def _as_in_text(chunk: Chunk, charset: str) -> Chunk:
    return chunk._replace(data=_to_utf8(chunk.data, charset)) if charset else chunk


def _beginning(data: bytes, charset: str, judge: Judge) -> Chunk | None:
    """The beginning of a message behind words, or in front of a mark that says that more is
    missing; None where there is no such thing, or where the bytes begin like no message."""
    start = data.find(0)
    if not _are_words(data[:start]):
        return None
    rest = data[start:]
    last = max(map(rest.rfind, _CONTROLS))
    line_end = rest.find(b"\n", last + 1)
    printed = (rest if line_end < 0 else rest[:line_end]).rstrip(b"\r\n")
    bare = without_mark(printed.decode("utf-8", "surrogateescape"))
    message = bare.encode("utf-8", "surrogateescape")
    if (not start and message == printed) or not judge.describe(message)[0]:
        return None
    chunk = _chunk(data, start, len(message))
    is_cut = message != printed
    remark = advice("", "", None) if is_cut else doubtful_middle(message) or _MAY_DIFFER
    return _as_in_text(chunk._replace(cut=None if is_cut else 0, remark=remark), charset)


def unescaped(data: bytes) -> bytes:
    """Return the bytes of which a program has escaped those that are no UTF-8, as backslashreplace
    of Python does."""
    return _ESCAPE.sub(lambda escape: bytes.fromhex(escape[1].decode()), data)


def from_characters(data: bytes, charset: str) -> bytes | None:
    """Return the bytes that a program took for characters of a charset and wrote as UTF-8; None
    where they are none."""
    try:
        return data.decode().encode(charset)
    except UnicodeError:
        return None


def _to_utf8(data: bytes, charset: str) -> bytes:
    return data.decode(charset).encode()


def _messages(data: bytes, judge: Judge) -> list[Chunk]:
    """The messages in bytes that are words besides; none where anything else is around them."""
    chunks: list[Chunk] = []
    at = 0
    while (start := data.find(0, at)) >= 0:
        words, rest = data[at:start], data[start:]
        are_words = _are_words(words)
        end = size_in_front(words, rest) if are_words else 0
        end = end or (_end(rest, judge, is_alone=not start) if are_words else 0)
        if not end or len(chunks) == _MOST:
            return []
        chunks.append(_chunk(data, start, end))
        at = start + end
    return chunks


def _end(data: bytes, judge: Judge, *, is_alone: bool) -> int:
    """Where the message ends that bytes begin with; 0 for none. Behind a message that is alone
    nothing is left out but a line end: more may be bytes of it. Words that are read as the end of a
    longer message are words."""
    ends = [
        end
        for end in sorted(judge.ends(data))
        if (data[end:] in _LINE_ENDS if is_alone else _may_follow(data[end:]))
        and _is_clean(data[:end], judge)
    ]
    return next((end for end in ends if 0 not in data[end : ends[-1]]), 0)


def _chunk(data: bytes, start: int, end: int) -> Chunk:
    front = data[:start].decode("utf-8", "replace")
    line = front.count("\n") + 1
    column = start - (front.rfind("\n") + 1) + 1
    name = label(front.rpartition("\n")[2])
    remark = "" if start else _WITHOUT_LINE_END
    return Chunk(data[start : start + end], "raw", line, column, name, remark=remark)


def _may_follow(data: bytes) -> bool:
    """Whether bytes are words up to the next message, and do not begin in the middle of one."""
    return _are_words(data.partition(b"\0")[0]) and not data[:1].isalnum()


def _are_words(data: bytes) -> bool:
    return not COLOUR.sub(b"", data).translate(None, _OF_WORDS)


def _is_clean(data: bytes, judge: Judge) -> bool:
    return 4 * judge.weigh(data) >= 3 * CLEAN * len(data)
