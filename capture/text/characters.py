"""Messages that a program printed as the characters that their bytes are, with words around them.

`echo` puts a line end behind the bytes, and a log has words in front of them. A message begins with
a zero byte, which no word has, and ends where it decodes.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8

from ..chunks import CLEAN, Chunk, Judge, label
from ..lines import COLOUR

__all__ = ["among_words", "from_characters", "unescaped"]

_LONGEST = 1 << 16  # bytes
_MOST = 100  # messages
_LINE_ENDS = (b"\n", b"\r\n")
_WITHOUT_LINE_END = "the line end behind the message is left out"
_CHARSETS = ("latin-1", "cp1252")
_ESCAPE = re.compile(rb"\\x([89a-f][0-9a-f])")
_OF_WORDS = bytes(range(0x20, 0x7F)) + b"\t\r\n"


def among_words(data: bytes, judge: Judge) -> list[Chunk]:
    """Return the messages between words; none where they do not decode, or where the bytes are one
    message themselves."""
    if len(data) > _LONGEST or 0 not in data or _is_clean(data, judge):
        return []
    data = data.removeprefix(BOM_UTF8)
    for text in dict.fromkeys((unescaped(data), data)):
        if chunks := _messages(text, judge):
            return chunks
    for charset in _CHARSETS:
        plain = from_characters(data, charset)
        if plain is not None and (chunks := _messages(plain, judge)):
            return [chunk._replace(data=_to_utf8(chunk.data, charset)) for chunk in chunks]
    return []


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
        end = _end(rest, judge, is_alone=not start) if _are_words(words) else 0
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
