"""Make captured text harmless: characters that act on a terminal, or hide in a line, are escaped.

A topic name in a capture is whatever its writer put there. An escape sequence could clear the
screen, a bidirectional override turn a name around, a zero-width character make two names look
alike. Control characters become their pictures (U+241B for escape), other invisible ones their
escapes (`\\u202e`); a backslash is doubled, so that an escape is never mistaken for text.
Credentials are hidden.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_QUOTED = {"\\": "\\\\", '"': '\\"'}
# Control, format, surrogate, private, unassigned; separators; combining marks.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs", "Mn", "Me"}
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and a symbol that print nothing


def escaped(text: str, *, ascii_only: bool = False) -> str:
    """Return `text` with every character visible, on one line, without quotes around it.

    >>> print(escaped("a\\x1b[31mb\\u202ec"))
    a\N{SYMBOL FOR ESCAPE}[31mb\\u202ec
    """
    if text.isascii() and text.isprintable() and "\\" not in text and '"' not in text:
        return text
    return "".join(_escaped(char, ascii_only) for char in text)


def prose(text: str) -> str:
    """Return `text` with every character visible, as a sentence: its quotes stay as they are.

    >>> print(prose('"range"\\x1b[31m'))
    "range"\N{SYMBOL FOR ESCAPE}[31m
    """
    return '"'.join(map(escaped, text.split('"')))


def cut(text: str, longest: int) -> str:
    """Return the text, cut to `longest` characters and three dots if it is longer.

    >>> cut("abc", 3), cut("abcd", 3)
    ('abc', 'abc...')
    """
    return text if len(text) <= longest else f"{text[:longest]}..."


def without_secrets(text: str) -> str:
    """Return a text with its credentials hidden: passwords, tokens, JAAS configurations, and those
    in URLs.

    >>> without_secrets('password="swordfish" at https://me:pass@host/')
    'password=[hidden] at https://me:[hidden]@host/'
    """
    folded = text.casefold()
    if not any(part in folded for part in _SECRET_PARTS):
        return text
    return _secrets().sub(lambda match: f"{match[1]}[hidden]", text)


_SECRET_PARTS = (
    "passw", "secret", "token", "apikey", "api.key", "api_key", "api-key", "jaas", "bearer", "://",
)  # fmt: skip
"""Texts of which each match of `_secrets` has one: most lines have none, which is found sooner."""


@cache
def _secrets() -> re.Pattern[str]:
    return re.compile(
        r"(?i)((?:password|passwd|secret|token|api[._-]?key|jaas\.config)\\?[\"']?\s*[=:]\s*|bearer\s+"
        r"|://[^/\s:@]+:(?=[^/\s@]*@))"
        r"(\\?\"[^\"]*\"|\\?'[^']*'|[^\s,;@]+)"
    )


def _escaped(char: str, ascii_only: bool) -> str:
    if char in _QUOTED:
        return _QUOTED[char]
    code = ord(char)
    if 0x20 <= code < 0x7F:
        return char
    if not ascii_only:
        if code in _PICTURES:
            return _PICTURES[code]
        if category(char) not in _UNSEEN and char not in _BLANK_LETTERS:
            return char
    return _escape(code)


def _escape(code: int) -> str:
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
