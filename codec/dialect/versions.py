"""`VersionRange`: ranges of versions as message definitions write them ("0-3", "2+", "none")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from ..wire.primitives import whole
from .names import short_repr

HIGHEST = 32767  # versions are int16 on the wire; "2+" reaches up to here


class VersionRange(msgspec.Struct, frozen=True):
    """The versions from `lowest` to `highest`, both included; empty where `lowest > highest`.

    >>> VersionRange.parse("1-3") & VersionRange.parse("2+")
    VersionRange(lowest=2, highest=3)
    >>> str(VersionRange.parse("2+")), 5 in VersionRange.parse("2+")
    ('2+', True)
    """

    lowest: int
    highest: int

    NONE: ClassVar[VersionRange]

    @classmethod
    def parse(cls, text: str) -> VersionRange:
        """Return the range of "3", "1-4", "2+" or "none". Raises ValueError for anything else."""
        if text == "none":
            return cls.NONE
        low, dash, high = text.removesuffix("+").partition("-")
        if text.endswith("+"):
            if dash:
                raise ValueError(f"{text!r} is not a range of versions")
            return cls(_number(low, text), HIGHEST)
        lowest = _number(low, text)
        highest = _number(high, text) if dash else lowest
        if highest < lowest:
            raise ValueError(f"{text!r} ends before it begins")
        return cls(lowest, highest)

    def __contains__(self, version: int) -> bool:
        return self.lowest <= version <= self.highest

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.lowest, self.highest + 1))

    def __bool__(self) -> bool:
        return self.lowest <= self.highest

    def __and__(self, other: VersionRange) -> VersionRange:
        lowest, highest = max(self.lowest, other.lowest), min(self.highest, other.highest)
        return VersionRange(lowest, highest) if lowest <= highest else VersionRange.NONE

    def __str__(self) -> str:
        if not self:
            return "none"
        if self.highest == HIGHEST:
            return f"{self.lowest}+"
        return str(self.lowest) if self.lowest == self.highest else f"{self.lowest}-{self.highest}"


VersionRange.NONE = VersionRange(0, -1)


def as_version(version: Any, name: str = "version") -> int:
    """Return a version that a caller passed as the argument `name`, as an int.

    Any int32 is returned, whether or not there is such a version. Raises ValueError for what is no
    whole number, as "2", 2.0 and True.
    """
    number = whole(version)
    if number is None or not -(1 << 31) <= number < 1 << 31:
        raise ValueError(f"{name}: {short_repr(version)} is no version; versions are whole numbers")
    return number


def _number(digits: str, text: str) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5 and int(digits) <= HIGHEST):
        raise ValueError(f"{text!r} is not a range of versions")
    return int(digits)
