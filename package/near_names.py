"""Errors about a name that is not there: they list those that are near to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = ["no_such"]

_MOST = 5
_LIKENESS = 0.5


def no_such(what: str, names: Sequence[str], present: Iterable[str]) -> str:
    """Return what to say where no `what` has any of these names: the near ones that are there, else
    the first of all.

    >>> no_such("group", ["paymnets"], ["orders", "payments", "users"])
    "no group 'paymnets'; did you mean 'payments'?"
    >>> no_such("group", ["x"], ["payments", "orders"])
    "no group 'x'; there are: 'orders', 'payments'"
    >>> no_such("group", ["x"], [])
    "no group 'x'; there is none"
    """
    everything = sorted({name for name in present if name})
    near = [
        close for name in names for close in get_close_matches(name, everything, _MOST, _LIKENESS)
    ]
    head = f"no {what} {' or '.join(map(ascii, names))}"
    if near:
        return f"{head}; did you mean {' or '.join(map(ascii, dict.fromkeys(near)))}?"
    if not everything:
        return f"{head}; there is none"
    more = f" and {len(everything) - _MOST:,} more" if len(everything) > _MOST else ""
    return f"{head}; there are: {', '.join(map(ascii, everything[:_MOST]))}{more}"
