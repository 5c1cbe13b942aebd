"""Errors of consumer groups by name and by what clients print: `errors.toml`, a page each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

__all__ = ["ErrorPage", "error_pages", "errors_in"]


class ErrorPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an error means. `texts` are what lines that show it contain; `apart` says how to tell
    its `causes` apart, `first` is the command to begin with."""

    name: str
    title: str
    texts: tuple[str, ...]
    what: str
    group: str
    apart: str
    first: str
    causes: tuple[str, ...]


@lru_cache(maxsize=1)
def error_pages() -> Mapping[str, ErrorPage]:
    """Return the pages by the names of the errors.

    >>> error_pages()["UNKNOWN_MEMBER_ID"].title
    'the coordinator does not know this member any more'
    """
    table = tomllib.loads(files(__package__).joinpath("errors.toml").read_text("utf-8"))
    return {page.name: page for page in msgspec.convert(table["error"], list[ErrorPage])}


_CODE = re.compile(r"\berr(?:or)?[ _]?(?:code)?[^\w-]{0,4}(-?\d{1,3})\b", re.IGNORECASE)
"""A code alone, as `error code: 27` and `[Error 27]` have it."""


def _is_in(sign: str, text: str) -> bool:
    """Whether a text has a sign, in which … stands for one word or less."""
    if _WORD not in sign:
        return sign in text
    return re.search(r"\S*".join(map(re.escape, sign.split(_WORD))), text) is not None


_WORD = "…"


def errors_in(text: str, codes: Mapping[int, str] = MappingProxyType({})) -> list[ErrorPage]:
    """Return the errors that a text shows, the one with the longest text in it first. Numbers are
    named by `codes`."""
    names = [codes.get(int(number), "") for number in _CODE.findall(text)]
    lower = " ".join((text, *names)).lower()
    lengths = {
        name: max(
            (len(sign) for sign in (name, *page.texts) if _is_in(sign.lower(), lower)), default=0
        )
        for name, page in error_pages().items()
    }  # fmt: skip
    names_by_length = sorted(
        (name for name in lengths if lengths[name]), key=lambda name: -lengths[name]
    )
    return [error_pages()[name] for name in names_by_length]
