"""What a capture held, what was passed over, and why: nothing is dropped silently.

One `Summary` can be handed to any number of readers, so that a command that reads a folder
ends with one account of it.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Skip", "Summary"]


class Skip(NamedTuple):
    """Something that was passed over.

    `reason` is one of a fixed set of phrases, never text out of the capture. `size` is the number
    of bytes as far as it is known. `first` says where it happened first. `expected` are things that
    a sound capture holds as well: other protocols, a log's end that is still being written.
    """

    reason: str
    times: int
    size: int
    first: str
    expected: bool = False

    def __str__(self) -> str:
        size = f", {_times('bytes', self.size)}" if self.size else ""
        return f"{self.reason} ({_times('times', self.times)}{size}; first: {self.first})"


class Summary:
    """The account of one or more sources. Counting costs a dictionary's entry for each reason."""

    def __init__(self) -> None:
        self.read: dict[str, int] = {}
        """What was read: "frames", "records", "packets", … to their number."""
        self.noted: dict[str, int] = {}
        """What is worth knowing and lost nothing: "bytes sent again", "requests unanswered", …"""
        self._skipped: dict[str, Skip] = {}

    def count(self, what: str, times: int = 1) -> None:
        """So many more of `what` were read."""
        self.read[what] = self.read.get(what, 0) + times

    def note(self, what: str, times: int = 1) -> None:
        """So many more of `what` were seen; nothing was lost by it."""
        if times:
            self.noted[what] = self.noted.get(what, 0) + times

    def skip(self, reason: str, where: str, size: int = 0, *, expected: bool = False) -> None:
        """Something was passed over."""
        old = self._skipped.get(reason, Skip(reason, 0, 0, where, expected))
        self._skipped[reason] = old._replace(times=old.times + 1, size=old.size + size)

    @property
    def skipped(self) -> tuple[Skip, ...]:
        """What was passed over, one entry a reason, in the order of the first of each."""
        return tuple(self._skipped.values())

    @property
    def complete(self) -> bool:
        """Whether nothing was passed over."""
        return not self._skipped

    @property
    def damaged(self) -> bool:
        """Whether something was passed over that a sound capture does not hold."""
        return any(not skip.expected for skip in self._skipped.values())

    def __str__(self) -> str:
        read = ", ".join(_times(what, times) for what, times in self.read.items()) or "nothing"
        if self.complete:
            said = f"{read} read, nothing skipped"
        else:
            skips = "; ".join(str(skip) for skip in self.skipped)
            said = f"{read} read; skipped: {skips}"
        noted = ", ".join(_times(what, times) for what, times in self.noted.items())
        return f"{said}; besides: {noted}" if noted else said


def _times(what: str, times: int) -> str:
    """`1 batch`, `2 batches`: what is counted begins with its noun, in the plural."""
    if times == 1:
        noun, space, rest = what.partition(" ")
        what = noun.removesuffix("es" if noun.endswith("ches") else "s") + space + rest
    return f"{times:,} {what}"
