"""A finding in sentences, as a terminal shows it: since when, what, why, and what else it may be.

The findings of the audit, of `group` and of the list of groups are told in the same words.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

from .causes import CAUSES

__all__ = [
    "NOT_EXCLUDED",
    "FindingSentences",
    "clock_time",
    "duration_text",
    "finding_sentences",
    "short_ids",
    "since_text",
]

_UUID = re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
NOT_EXCLUDED = "; not excluded: "
"""A rule writes this before the causes that leave the same traces."""
_COSTS = "; its rebalances cost: "
_GUESS = re.compile(r"^probably [^:]+: ")
_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))


class FindingSentences(NamedTuple):
    """What a finding says: what happened, why, which causes leave the same traces, and what it
    cost; "" where nothing is known."""

    event: str
    why: str = ""
    rivals: str = ""
    costs: str = ""

    @property
    def text(self) -> str:
        """All sentences; the first one may begin with a name, and is as the rule writes it."""
        sentences = (self.why, self.rivals, self.costs)
        return " ".join(
            [f"{self.event}.", *(f"{part[0].upper()}{part[1:]}." for part in sentences if part)]
        )


def finding_sentences(
    explanation: str, cause: str | None, certainty: str | None
) -> FindingSentences:
    """Return the sentences of a finding, from its explanation as the rules write it.

    >>> text = "9 generations in 60 s; probable cause crash-loop: app starts again and again"
    >>> finding_sentences(text, "crash-loop", "likely").why
    'probably crash-loop (the same client starts again and again): app starts again and again'
    """
    rest, _, costs = explanation.partition(_COSTS)
    rest, _, rivals = rest.partition(NOT_EXCLUDED)
    costs = f"its rebalances cost: {costs}" if costs else ""
    event = rest if cause is None else _GUESS.sub("", rest)
    if cause is None or f"cause {cause}" not in rest:
        return FindingSentences(event, costs=costs)
    guess = "probable " if certainty == "likely" and cause != "unknown" else ""
    event, _, proof = event.partition(f"; {guess}cause {cause}")
    if cause == "unknown":
        possible = f"possible: {rivals}" if rivals else ""
        why = f"the cause is not known{proof}"
        return FindingSentences(event, why, possible, costs)
    head = "probably " if guess else "the cause is "
    why = f"{head}{cause} ({CAUSES[cause].what}){proof}"
    return FindingSentences(event, why, f"not excluded: {rivals}" if rivals else "", costs)


def short_ids(text: str) -> str:
    """Return a text with the ids in it cut short that clients make of random numbers.

    >>> short_ids("app-1-0f3c2d1e-1111-2222-3333-444455556666 left")
    'app-1-0f3c2d1e… left'
    """
    return _UUID.sub(r"\1…", text)


def clock_time(milliseconds: int, moment: int) -> str:
    """Return a time in UTC, with its day where that is not the day of the moment.

    >>> clock_time(1793541720000, 1793548800000), clock_time(1793448120000, 1793548800000)
    ('14:02 UTC', '2026-10-31 12:02 UTC')
    """
    time, now = (datetime.fromtimestamp(value / 1000, UTC) for value in (milliseconds, moment))
    day = "" if time.date() == now.date() else f"{time:%Y-%m-%d} "
    return f"{day}{time:%H:%M} UTC"


def duration_text(seconds: float) -> str:
    """Return a duration in its two largest units.

    >>> duration_text(12_000), duration_text(60), duration_text(0.4)
    ('3 h 20 min', '1 min', '0 s')
    """
    whole = int(seconds)
    for number, (size, unit) in enumerate(_UNITS):
        count, rest = divmod(whole, size)
        if count or size == 1:
            smaller = _UNITS[number + 1 : number + 2]
            more = "".join(f" {rest // part} {name}" for part, name in smaller if rest // part)
            return f"{count} {unit}{more}"
    raise AssertionError("the smallest unit is a second")


def since_text(
    first: int, last: int, moment: int, *, is_open: bool, today: int | None = None
) -> str:
    """Return since when something holds at a moment, or from when to when it did. Days are named
    that are not the moment's, or that of `today`.

    >>> since_text(1793541720000, 1793541720000, 1793548800000, is_open=True)
    'since 14:02 UTC (1 h 58 min)'
    """
    today = moment if today is None else today
    began = clock_time(first, today)
    if is_open and moment - first < 1000:
        return f"at {began}"
    if is_open:
        return f"since {began} ({duration_text((moment - first) / 1000)})"
    ended = clock_time(last, today)
    return f"at {began}, over now" if ended == began else f"from {began} to {ended}, over now"
