"""Topics subscribed by a regular expression (KIP-848): which expressions there are, and when a
coordinator resolves them.

A broker's expressions are RE2J's, which match in linear time. Here RE2 matches where it is
installed (the extra `re2`), and Python's `re` where it is not. So an expression has to mean the
same to all of them: what RE2J refuses is refused as the broker does (`InvalidExpressionError`), and
what Python cannot read, or reads otherwise, is not simulated (`ForeignExpressionError`). `re` takes
exponential time for some, such as `(a+)+$`: without RE2 only plain ones are simulated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from ....extras import install_command

_LARGEST_COUNT = 1_000
"""RE2J's limit of a repetition, and of repetitions inside of one another."""


class InvalidExpressionError(ValueError):
    """RE2J refuses the expression; a broker answers INVALID_REGULAR_EXPRESSION."""


class ForeignExpressionError(ValueError):
    """RE2J accepts the expression, but Python's `re` does not read it in the same way."""


_REPEAT = r"(?:[*+?]|\{\d+(?:,\d*)?\})"
_INVALID: Mapping[str, str] = {
    "a look-around": r"\(\?(?:<?[=!])",
    "a back reference": r"\\[1-9](?![0-7])|\(\?P=",
    "an atomic group, a condition or a comment": r"\(\?[>(#]",
    "a possessive or doubled repetition": rf"{_REPEAT}(?:\?|(?!\?)){_REPEAT}",
    "a flag that RE2 does not have": r"\(\?[ims-]*[aLux]",
    "a set without an end": r"\[(?!\^?\]?(?:\\.|[^\]\\])*\])",
    "an escape that RE2 does not have": r"\\[ceghijklmoquyCEGHIJKLMNORTUVXYZ]",
}
_FOREIGN: Mapping[str, str] = {
    "an escape of RE2 alone, or an octal one": r"\\[QpPz0-9]|\\x(?![0-9A-Fa-f]{2})",
    "the flag U": r"\(\?[ims-]*U",
    "flags that are not at the start, or none": r"(?!\A)\(\?[imsU-]*\)|\A\(\?(?:[ims]*-[ims]*)?\)",
    "a group whose name is not an identifier": r"\(\?P<(?![A-Za-z_]\w*>)",
    "a name of a group that Python writes as ?P<": r"\(\?<",
    "a repetition without a lower limit": r"\{,",
    "a repeated anchor or brace": rf"(?:[\^${{]|\\[bBA]){_REPEAT}",
    "a character outside of ASCII": r"[^\x00-\x7f]",
}
_FOREIGN_IN_SET = "in a set what Python reads otherwise"


def _alternatives(kinds: Mapping[str, str], prefix: str) -> str:
    return "|".join(f"(?P<{prefix}{at}>{shape})" for at, shape in enumerate(kinds.values()))


_TOKEN = re.compile(
    rf"{_alternatives(_INVALID, 'invalid')}|{_alternatives(_FOREIGN, 'foreign')}"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|\{(?P<least>\d+),?(?P<most>\d*)\}|\\.|(?s:.)"
)
_ODD_SET = re.compile(
    r"(?!\A)\[|--|&&|~~|\|\||\\[bBAzQEpP0-9]|\\[dswDSW]-|-\\[dswDSW]|\\x\{|[^\x00-\x7f]"
)


class Pattern(Protocol):
    """An expression that an engine has compiled."""

    def fullmatch(self, topic: str, /) -> object:
        """Return None if the topic does not match as a whole."""


@lru_cache(maxsize=1_000)
def compile_expression(expression: str) -> Pattern:
    """Return the expression in the form of an engine; a topic has to match as a whole.

    Raises InvalidExpressionError, ForeignExpressionError.
    """
    counts = 1
    for token in _TOKEN.finditer(expression):
        kind = token.lastgroup or ""
        if kind.startswith("invalid"):
            trait = [*_INVALID][int(kind.removeprefix("invalid"))]
            raise InvalidExpressionError(f"{expression!r} has {trait}: {token[0]!r}")
        if kind.startswith("foreign"):
            trait = [*_FOREIGN][int(kind.removeprefix("foreign"))]
            raise ForeignExpressionError(f"{expression!r} has {trait}: {token[0]!r}")
        if kind == "set" and _ODD_SET.search(token[0]):
            raise ForeignExpressionError(f"{expression!r} has {_FOREIGN_IN_SET}: {token[0]!r}")
        if token["least"]:
            count = max(int(token["least"]), int(token["most"] or 0))
            if count > _LARGEST_COUNT:
                raise InvalidExpressionError(
                    f"{expression!r} repeats over {_LARGEST_COUNT:,} times"
                )
            counts *= max(count, 1)
    if counts > _LARGEST_COUNT:
        raise ForeignExpressionError(
            f"{expression!r} has repetitions that together are over {_LARGEST_COUNT:,}"
        )
    try:
        pattern = re.compile(expression, re.ASCII)
    except re.error as error:
        raise InvalidExpressionError(f"{expression!r}: {error}") from None
    except (OverflowError, RecursionError):
        raise ForeignExpressionError(f"{expression[:40]!r}... is too large for Python") from None
    return pattern if _is_plain(expression) else _compile_in_re2(expression)


_PLAIN_LENGTH = 1_000
_REPEATS_OF_PLAIN = 2
_ITEM = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<repeat>[*+?]\??)|(?P<nested>[({])", re.DOTALL
)


def _is_plain(expression: str) -> bool:
    """Return whether `re` matches a topic in quadratic time at worst: there is no group and no
    counted repetition, and there are at most two others."""
    kinds = [item.lastgroup for item in _ITEM.finditer(expression)]
    is_flat = "nested" not in kinds and len(expression) <= _PLAIN_LENGTH
    return is_flat and kinds.count("repeat") <= _REPEATS_OF_PLAIN


def _compile_in_re2(expression: str) -> Pattern:
    re2 = _load_re2()
    if re2 is None:
        raise ForeignExpressionError(
            f"{expression!r} has groups, or more than {_REPEATS_OF_PLAIN} repetitions: "
            f"it is matched by RE2 alone, which is missing: {install_command('re2')}"
        )
    options = re2.Options()
    options.log_errors = False
    try:
        pattern: Pattern = re2.compile(expression, options)
    except re2.error as error:
        raise ForeignExpressionError(f"{expression!r}: {error}") from None
    return pattern


@cache
def _load_re2() -> Any:
    try:
        return import_module("re2")
    except ImportError:
        return None


class ResolvedExpression(NamedTuple):
    """An expression that members subscribe by, and the topics that matched it."""

    expression: str
    topics: tuple[str, ...]


def resolve(expression: str, topics: Iterable[str]) -> ResolvedExpression:
    """Return an expression with the topics that match it as a whole, in order."""
    matches = compile_expression(expression).fullmatch
    return ResolvedExpression(expression, tuple(sorted(filter(matches, topics))))
