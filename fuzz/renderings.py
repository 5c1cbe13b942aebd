"""Renderings: what programs print for a text or for bytes, such as hex or `b'orders'`, and adapters
answer by mistake in the place of the text itself, or of base64.

A rendering is told only from all values of a field together, each of which has to be another text
than the right one. So a client that shows some names wrong, as one that folds case or reads UTF-8
as Latin-1, is not taken for an adapter that renders them.
"""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

Shown = Sequence[tuple[str, bytes]]
"""Texts that an adapter gave for a field, each with the bytes that it is about."""


class Rendering(NamedTuple):
    """A form in which programs print bytes, or the text that they are."""

    words: str
    """What it is; {} stands for what is shown."""
    is_of: Callable[[str, bytes], bool]
    """Whether a text is the rendering of some bytes."""


def rendering_of(values: Shown, noun: str = "the text") -> str:
    """Return which rendering all these are of their texts or bytes, in words; "" if none is."""
    return _common(RENDERINGS, values, noun)


def rendering_of_base64(values: Shown) -> str:
    """Return which rendering all these are of bytes whose base64 they should be, in words; "" if
    none is.
    """
    direct = _common((_PLAIN, *RENDERINGS), values, "the bytes")
    if direct:
        return direct
    inner = [(_text_in_base64(text), data) for text, data in values]
    return _common(RENDERINGS, inner, "the bytes", "the base64 of {}")


def are_renderings_of_null(texts: Sequence[str]) -> bool:
    """Return whether all texts are what programs print for null."""
    return bool(texts) and all(text.strip("()<>[]").lower() in _NULLS for text in texts)


_NULLS = ("null", "none", "nil", "undefined", "optional.empty")


def _common(renderings: Iterable[Rendering], values: Shown, noun: str, around: str = "{}") -> str:
    for rendering in renderings if values else ():
        if all(rendering.is_of(text, data) for text, data in values):
            return around.format(rendering.words.format(noun))
    return ""


def _text_in_base64(text: str) -> str:
    """Return the ASCII text of which this is the base64; "" if it is of none."""
    with suppress(ValueError):
        return b64decode(text, validate=True).decode("ascii")
    return ""


def _is_hex(text: str, data: bytes) -> bool:
    digits = _HEX_MARKS.sub("", text)
    return (
        re.fullmatch(r"(?:[0-9A-Fa-f]{2})+", digits) is not None and bytes.fromhex(digits) == data
    )


_HEX_MARKS = re.compile(r"Buffer|(?:0|\\|&#|%)x|\\u00|U\+00|[\s<>\[\](){},;:%_.\\\"'-]")


def _is_base64(text: str, data: bytes) -> bool:
    characters = re.sub(r"[\s=]", "", text).translate(_URL_SAFE)
    return characters == urlsafe_b64encode(data).decode().rstrip("=")


_URL_SAFE = str.maketrans("+/", "-_")


def _is_base64_of_hex(text: str, data: bytes) -> bool:
    return _is_hex(_text_in_base64(text), data)


def _is_numbers(base: int) -> Callable[[str, bytes], bool]:
    """Return the rendering as the numbers of the bytes, signed or not, one after the other."""

    def is_of(text: str, data: bytes) -> bool:
        words = re.findall(r"-?\d+", text, re.ASCII)
        with suppress(ValueError):
            return [int(word, base) % 256 for word in words if len(word) <= _DIGITS] == list(data)
        return False

    return is_of


_DIGITS = 8  # of a byte, in binary


def _is_quoted(shown: str, data: bytes) -> bool:
    """Return whether a name stands in quotes or brackets, as in `b'a'` and `Some("a")`, or is a
    symbol, as in `:a`.
    """
    for text in (data.decode("utf-8", "replace"), repr(data)[2:-1]):
        front, _, end = shown.partition(text)
        if (front == ":" and not end) or (_FRONT.fullmatch(front) and _END.fullmatch(end)):
            return True
    return False


_FRONT = re.compile(r"(?:&?\w[\w.:]*|:)?[\\\"'`(\[{<]+(?:\w+(?:=|: ?))?[\\\"'`]*")
_END = re.compile(r"[\\\"'`)\]}>]+")


def _is_object(text: str, data: bytes) -> bool:
    return _OBJECT.fullmatch(text) is not None


_OBJECT = re.compile(
    r"\[*[A-Z]?[\w.$]*;?@[0-9a-f]+"  # Java
    r"|<[\w.: ]+ at 0x[0-9a-fA-F]+>"  # Python
    r"|#<[\w:]+.*>"  # Ruby
    r"|\[object \w+\]"  # JavaScript
    r"|&?(?:0x|\(0x)[0-9a-f]{6,16}\)?"  # Go and C
    r"|\w+\(0x[0-9a-f]+\)"  # Perl
    r"|\w+: 0x[0-9a-f]+"  # Lua
    r"|System\.[\w.]+(?:\[\])?|Array"  # C# and PHP
)


def _is_encoded(*charsets: str) -> Callable[[str, bytes], bool]:
    """Return the rendering as the text that these bytes are in another charset."""

    def is_of(text: str, data: bytes) -> bool:
        return any(data == encoded for encoded in _encodings(text, charsets))

    return is_of


def _encodings(text: str, charsets: Sequence[str]) -> Iterator[bytes]:
    for charset in charsets:
        with suppress(UnicodeEncodeError):
            yield text.encode(charset)


def _is_text_again(change: Callable[[str], str]) -> Callable[[str, bytes], bool]:
    """Return the rendering that a change of the shown text undoes."""
    return lambda text, data: change(text) == data.decode("utf-8", "replace")


def _is_wide(text: str, data: bytes) -> bool:
    characters = data.decode("utf-8", "replace")
    return text in ("\0".join((*characters, "")), "\0".join(("", *characters)))


def _is_text(text: str, data: bytes) -> bool:
    return data in _encodings(text, ("utf-8", "latin-1"))


_PLAIN = Rendering("{} as a text", _is_text)
RENDERINGS = (
    Rendering("the hex of {}", _is_hex),
    Rendering("the base64 of {}", _is_base64),
    Rendering("the base64 of the hex of {}", _is_base64_of_hex),
    Rendering("the numbers of the bytes of {}", _is_numbers(10)),
    Rendering("the octal numbers of the bytes of {}", _is_numbers(8)),
    Rendering("the bits of {}", _is_numbers(2)),
    Rendering("{} in quotes or brackets", _is_quoted),
    Rendering("the class or address of an object, not {}", _is_object),
    Rendering("{} with each letter in the other case", _is_text_again(str.swapcase)),
    Rendering("{} in reverse order", _is_text_again(lambda text: text[::-1])),
    Rendering("{} with a NUL beside each character", _is_wide),
    Rendering("{} read as UTF-16", _is_encoded("utf-16-le", "utf-16-be")),
    Rendering("{} read as EBCDIC", _is_encoded("cp037", "cp500")),
)
