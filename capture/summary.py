"""Counts of what was read from a capture, and of what was skipped and why.

One `Summary` can be passed to any number of readers, so that a command that reads a folder prints
one summary of it.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Skip", "Summary"]


class Skip(NamedTuple):
    """Something that was skipped.

    `reason` is one of a fixed set of phrases, never text from the capture. `size` is the number of
    bytes, as far as it is known. `first` says where it happened first. `expected`: undamaged
    captures have it too, such as other protocols, or the end of a log that is being written.
    `refused`: it was read whole, and is none of what was looked for.
    """

    reason: str
    times: int
    size: int
    first: str
    expected: bool = False
    refused: bool = False

    def __str__(self) -> str:
        size = f", {_times('bytes', self.size)}" if self.size else ""
        return f"{self.reason} ({_times('times', self.times)}{size}; first: {self.first})"


class Summary:
    """The counts of one or more sources."""

    def __init__(self) -> None:
        self.read: dict[str, int] = {}
        """What was read, with its number: "frames", "records", "packets", …"""
        self.noted: dict[str, int] = {}
        """What is worth knowing though nothing was lost: "bytes sent again", …, with its number."""
        self._skipped: dict[str, Skip] = {}

    def count(self, noun: str, times: int = 1) -> None:
        """Add to the number of these that were read."""
        self.read[noun] = self.read.get(noun, 0) + times

    def note(self, noun: str, times: int = 1) -> None:
        """Add to the number of these that were seen, by which nothing was lost."""
        if times:
            self.noted[noun] = self.noted.get(noun, 0) + times

    def skip(
        self, reason: str, where: str, size: int = 0, *, expected: bool = False,
        refused: bool = False,
    ) -> None:  # fmt: skip
        """Add something that was skipped, at the place `where`."""
        old = self._skipped.get(reason, Skip(reason, 0, 0, where, expected, refused))
        self._skipped[reason] = old._replace(times=old.times + 1, size=old.size + size)

    @property
    def skipped(self) -> tuple[Skip, ...]:
        """What was skipped, one entry for each reason, in the order in which the reasons came
        up."""
        return tuple(self._skipped.values())

    @property
    def complete(self) -> bool:
        """Whether nothing was skipped."""
        return not self._skipped

    @property
    def damaged(self) -> bool:
        """Whether something was skipped that undamaged captures do not have."""
        return any(not (skip.expected or skip.refused) for skip in self._skipped.values())

    @property
    def refused(self) -> bool:
        """Whether something was read whole and refused for what it is."""
        return any(skip.refused for skip in self._skipped.values())

    def __str__(self) -> str:
        read = ", ".join(_times(noun, times) for noun, times in self.read.items()) or "nothing"
        if self.complete:
            text = f"{read} read, nothing skipped"
        else:
            skips = "; ".join(str(skip) for skip in self.skipped)
            text = f"{read} read; skipped: {skips}"
        noted = ", ".join(_times(noun, times) for noun, times in self.noted.items())
        return f"{text}; besides: {noted}" if noted else text


def _times(nouns: str, times: int) -> str:
    """`1 batch`, `2 batches`: `nouns` begins with a noun in the plural."""
    if times == 1:
        noun, space, rest = nouns.partition(" ")
        nouns = noun.removesuffix("es" if noun.endswith("ches") else "s") + space + rest
    return f"{times:,} {nouns}"
