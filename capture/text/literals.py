r"""Read quoted strings with escapes, as source code writes bytes and as programs print them.

The languages agree on `\x41` and `\n` and differ in the rest: C reads every hex digit
that follows `\x`; Go's `\u00ff` and its characters beyond ASCII are UTF-8, while in
Java, JavaScript and Python such a character is the byte of its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import CaptureError

__all__ = ["DIALECTS", "Dialect", "Literal", "find", "quoted", "unescape"]


class Dialect(NamedTuple):
    """How a language writes bytes in quotes.

    `hex` matches its hexadecimal escape and `others` the other escapes, both without the
    backslash. `lenient`: a backslash before any other character means that character.
    `charset` is the encoding of unescaped characters and of `\\u` escapes.
    `joins`: literals that follow each other are one.
    """

    name: str
    quotes: str
    prefix: str
    hex: str
    others: str
    charset: str
    lenient: bool = False
    joins: bool = False

    @property
    def escapes(self) -> str:
        return f"{self.hex}|{self.others}"


_HEX = "x[0-9a-fA-F]{2}"
_OCTAL = "[0-3][0-7]{2}|[0-7]{1,2}"
_WIDE = "u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}"

DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("python", "'\"", "[bB]?", _HEX, rf"{_OCTAL}|[abfnrtv\\'\"\n]|{_WIDE}", "latin-1",
                joins=True),
        Dialect("java", '"', "", "u+[0-9a-fA-F]{4}", rf"{_OCTAL}|[bfnrts\\'\"]", "latin-1"),
        Dialect("go", '"', "", _HEX, rf"[0-3][0-7]{{2}}|[abfnrtv\\\"']|{_WIDE}", "utf-8"),
        Dialect("c", '"', "(?:u8)?", "x[0-9a-fA-F]{1,2}(?![0-9a-fA-F])",
                rf"{_OCTAL}|[abfnrtve?\\'\"\n]", "utf-8", joins=True),
        Dialect("javascript", "'\"`", "", rf"{_HEX}|u[0-9a-fA-F]{{4}}|u\{{[0-9a-fA-F]{{1,6}}\}}",
                r"0(?![0-9])|[bfnrtv\n]", "latin-1", lenient=True),
        Dialect("rust", '"', "b?", _HEX, r"[0nrt\\'\"\n]|u\{[0-9a-fA-F]{1,6}\}", "utf-8"),
        Dialect("escaped", "", "", _HEX, rf"{_OCTAL}|[abfnrtve\\'\"]", "utf-8"),
    )
}  # fmt: skip

_NAMED = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "e": "\x1b", "s": " ",
}  # fmt: skip


class Literal(NamedTuple):
    """A literal in a text: its span, its bytes, and whether it is marked as bytes."""

    start: int
    end: int
    data: bytes
    marked: bool


def unescape(body: str, dialect: Dialect) -> bytes:
    """Return the bytes of a literal's content. Raises ValueError for content that has none."""
    if "\ufffd" in body:
        raise ValueError("U+FFFD stands where a program lost bytes")
    try:
        return _unescape(body, dialect)
    except UnicodeEncodeError as error:
        character = ord(error.object[error.start])
        raise ValueError(f"the character U+{character:04X} is no byte") from None


def _unescape(body: str, dialect: Dialect) -> bytes:
    if "\\" not in body:
        return _encode(body, dialect)
    common = rf"\\(?:{dialect.hex}|[0-3][0-7]{{2}}|[bfnrt\\'\"])"
    if dialect.hex.startswith("x") and dialect.name != "rust" and "\\u" not in body and (
        "\\" not in re.sub(common, "", body)
    ):  # fmt: skip
        # Python reads all these escapes in the same way, and its own code is fast.
        # C's short escapes are made long; the `x` behind an escaped backslash is a letter.
        short = re.sub(
            r"(\\\\)|\\x([0-9a-fA-F])(?![0-9a-fA-F])",
            lambda match: match[1] or rf"\x0{match[2]}",
            body,
        )
        return _encode(short, dialect).decode("unicode_escape").encode("latin-1")
    known = re.compile(dialect.escapes)
    out = bytearray()
    after = 0
    for match in re.finditer(rf"\\({dialect.escapes}|(?s:.)|\Z)", body):
        out += _encode(body[after : match.start()], dialect)
        out += _unescaped(match[1], dialect, known=known.fullmatch(match[1]) is not None)
        after = match.end()
    return bytes(out + _encode(body[after:], dialect))


def _encode(text: str, dialect: Dialect) -> bytes:
    return text.encode(dialect.charset, "surrogateescape")


def _unescaped(escape: str, dialect: Dialect, *, known: bool) -> bytes:
    """The bytes of one escape, without its backslash."""
    if not known:
        if not dialect.lenient or escape in ("x", "u", ""):
            raise ValueError(f"\\{escape} is no escape of {dialect.name}" + _hint(escape, dialect))
        return _encode(escape, dialect)
    if escape == "\n":
        return b""
    if escape[0] in "01234567":
        return bytes((int(escape, 8),))
    if escape[0] == "x":
        return bytes((int(escape[1:], 16),))
    if escape[0] in "uU":
        number = int(escape.lstrip("uU").strip("{}"), 16)
        if number > 0x10FFFF:
            raise ValueError(f"\\{escape} is no character")
        return chr(number).encode(dialect.charset)
    return _NAMED.get(escape, escape).encode()


def _hint(escape: str, dialect: Dialect) -> str:
    if escape == "x" and dialect.name == "c":
        return r": C reads all hex digits behind \x as one number, so split the literal there"
    return ""


def quoted(quote: str, group: str = "?:") -> str:
    """Return a pattern of a string in these quotes, on one line, which never backtracks."""
    return rf"{quote}({group}[^{quote}\\\n]*+(?>(?:\\(?s:.)[^{quote}\\\n]*+)*)){quote}"


def pattern(dialect: Dialect) -> re.Pattern[str]:
    """Return a pattern of a dialect's literals; those that the language joins are one match."""
    single = "|".join(quoted(quote) for quote in dialect.quotes)
    join = r"(?>(?:[ \t]*+(?>(?:\\?\r?\n[ \t]+|\\\r?\n)?)"
    more = rf"{join}{dialect.prefix}(?:{single}))*)" if dialect.joins else ""
    return re.compile(rf"(?<![\w\\]){dialect.prefix}(?:{single}){more}")


def find(text: str, dialect: Dialect) -> Iterator[Literal]:
    """Yield all literals of a dialect in a text. Raises CaptureError for one that cannot be
    read."""
    inner = re.compile("|".join(quoted(quote, "") for quote in dialect.quotes))
    position = 0
    wanted = pattern(dialect)
    while match := wanted.search(text, position):
        marked = match[0][0] in "bB"
        try:
            data = b"".join(
                unescape(found[found.lastindex or 0], dialect) for found in inner.finditer(match[0])
            )
        except ValueError as error:
            raise CaptureError(f"{error}", line=text.count("\n", 0, match.start()) + 1) from None
        yield Literal(match.start(), match.end(), data, marked)
        position = match.end()
