"""Numbers with their nouns."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, which is in the plural where it has to be.

    >>> counted(1, "group"), counted(1200, "group"), counted(0, "entry", "entries")
    ('1 group', '1,200 groups', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
