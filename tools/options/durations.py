"""Times on the command line: 90, 90s, 10m, 2h."""

from __future__ import annotations

from argparse import ArgumentTypeError

_SECONDS = {"s": 1, "m": 60, "h": 3600}


def duration(text: str) -> float:
    """Return the seconds of a time such as 90, 90s, 10m, 2h. Raises ArgumentTypeError."""
    number, unit = (text[:-1], text[-1]) if text[-1:].lower() in _SECONDS else (text, "s")
    try:
        value = float(number) * _SECONDS[unit.lower()]
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise ArgumentTypeError(f"{text!r} is not a time such as 90, 90s, 10m, 2h")
    return value
