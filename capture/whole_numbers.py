"""Whole numbers as programs write them into text: of 20 digits at most, which hold 64 bits.

`int` refuses longer ones with the error that ends a command, and `isdigit` is true of a raised two,
of which `int` makes nothing.
"""

from __future__ import annotations

import re

__all__ = ["whole_number", "whole_numbers"]

_MOST_DIGITS = 20
_NUMBER = re.compile(rf"(?<!\d)\d{{1,{_MOST_DIGITS}}}(?!\d)")


def whole_number(text: str) -> int | None:
    """Return the number that a text is, None if it is something else."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def whole_numbers(text: str) -> list[int]:
    """Return the numbers that are written in a text, with anything between them."""
    return [int(number) for number in _NUMBER.findall(text)]
