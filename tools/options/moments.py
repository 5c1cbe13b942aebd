"""Moments of `--since` and `--until`, the same in every command: a time, or how long ago.

>>> moment("2026-11-21T08:29").at(0.0)
1795249740000.0
>>> moment("90 min ago").at(7_200_000.0), moment("08:29").at(90_000_000.0)
(1800000.0, 116940000.0)
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from datetime import UTC, datetime, time
from typing import NamedTuple

__all__ = ["Moment", "moment"]

_UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_BACK = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)\s*"
    r"(?:(?P<short>ms)|(?P<unit>[smhdw])(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?|eeks?)?)"
    r"(?:\s+(?:ago|back|before))?",
    re.IGNORECASE,
)
"""How long ago: `2h`, `90 min ago`, `2 hours back`."""
_DAY_MS = 86_400_000.0
_MOST_MS = 1e15
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Moment(NamedTuple):
    """A time as an option has it: `back_ms` before another one, at `of_day_ms` on its day, or
    `at_ms`; the times are in UTC where they name no zone."""

    text: str
    back_ms: float | None = None
    of_day_ms: float | None = None
    at_ms: float = 0.0

    def at(self, newest: float) -> float:
        """Return it in milliseconds since 1970; `newest` is that of what was read, or now."""
        if self.back_ms is not None:
            return newest - self.back_ms
        if self.of_day_ms is not None:
            return newest - newest % _DAY_MS + self.of_day_ms
        return self.at_ms


def moment(text: str) -> Moment:
    """Return the moment of a text: 2026-11-21T08:29, 08:29, 2h, 2 hours ago. Raises
    ArgumentTypeError.
    """
    stripped = text.strip()
    back = _BACK.fullmatch(stripped)
    try:
        if back is not None:
            length = float(back["number"]) * _UNITS_MS[(back["short"] or back["unit"]).lower()]
            if length < _MOST_MS:
                return Moment(text, back_ms=length)
        elif stripped[2:3] == ":":
            of_day = datetime.combine(_EPOCH.date(), time.fromisoformat(stripped))
            return Moment(text, of_day_ms=_milliseconds(of_day))
        else:
            return Moment(text, at_ms=_milliseconds(datetime.fromisoformat(stripped)))
    except (ValueError, OverflowError):
        pass
    raise ArgumentTypeError(f"{text!a} is no time such as 2026-11-21T08:29, 08:29, 2h, 2 hours ago")


def _milliseconds(when: datetime) -> float:
    in_utc = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return round((in_utc - _EPOCH).total_seconds() * 1_000_000) / 1_000
