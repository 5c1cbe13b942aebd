"""Words of messages: numbers with their nouns, names that match, and near names for one that is
not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

__all__ = [
    "counted",
    "did_you_mean",
    "is_named",
    "like_names",
    "near_names",
    "no_such",
    "some_of",
    "times",
]

_MOST = 5
_LIKENESS = 0.5


def near_names(
    name: str, present: Iterable[str], most: int = 3, likeness: float = 0.6
) -> list[str]:
    """Return the names that are spelled like one that is not there, the nearest first.

    >>> near_names("crahs", ["crash", "join"])
    ['crash']
    """
    from difflib import get_close_matches  # late: only for an error

    return get_close_matches(name, list(present), most, likeness)


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
    near = [close for name in names for close in near_names(name, everything, _MOST, _LIKENESS)]
    head = f"no {what} {' or '.join(map(ascii, names))}"
    if near:
        return f"{head}; did you mean {' or '.join(map(ascii, dict.fromkeys(near)))}?"
    if not everything:
        return f"{head}; there is none"
    return f"{head}; there are: {some_of(list(map(ascii, everything)), _MOST)}"


def like_names(name: str, present: Iterable[str]) -> list[str]:
    """Return the names that are spelled like one that is not there, in any case, then those that
    have it inside; of each at most three.

    >>> like_names("subscription", ["ConsumerProtocolSubscription", "OffsetCommitKey"])
    ['ConsumerProtocolSubscription']
    """
    by_lower = {candidate.lower(): candidate for candidate in present}
    near = [by_lower[candidate] for candidate in near_names(name.lower(), by_lower, likeness=0.5)]
    inside = [by_lower[candidate] for candidate in by_lower if name and name.lower() in candidate]
    return [*near, *[candidate for candidate in inside if candidate not in near][:3]]


def did_you_mean(name: str, present: Iterable[str], *, lists_all: bool = True) -> str:
    """Return the end of a sentence about a name that is not there: the near ones, in any case, else
    all that there are.

    >>> did_you_mean("CRAHS", ["crash", "join"])
    "; did you mean 'crash'?"
    >>> did_you_mean("x", ["crash", "join"])
    '; there are: crash, join'
    """
    by_lower = {candidate.lower(): candidate for candidate in present}
    close = near_names(name.lower(), by_lower)
    if close:
        return f"; did you mean {' or '.join(ascii(by_lower[candidate]) for candidate in close)}?"
    return f"; there are: {', '.join(by_lower.values())}" if lists_all else ""


def is_named(name: str, patterns: Iterable[str]) -> bool:
    """Return whether a name is one of these, in which `*` stands for any text and `?` for one
    character; every name is, where there are none.

    >>> is_named("orders-eu", ["orders-*"]), is_named("orders", ["users"]), is_named("orders", [])
    (True, False, True)
    """
    patterns = tuple(patterns)
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, which is in the plural where it has to be.

    >>> counted(1, "group"), counted(1200, "group"), counted(0, "entry", "entries")
    ('1 group', '1,200 groups', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def times(number: int) -> str:
    """Return a number of times in words."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def some_of(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are.

    >>> some_of(["a", "b", "c"], 3), some_of(["a", "b", "c"], 1)
    ('a, b, c', 'a and 2 more')
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
