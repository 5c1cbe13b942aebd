"""The parts of a page that views make: each with labels, by which a reader chooses what is shown,
and with a heading for the page's contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment

if TYPE_CHECKING:
    from ...pages.filters import Labels


class PartStart:
    """Begins a part, which ends where the next one begins. A terminal shows nothing of it.

    `labels` are those of `Filters`. A part with a `heading` is in the contents of the page.
    """

    def __init__(self, labels: Labels | None = None, heading: str = "") -> None:
        self.labels: Labels = labels or {}
        self.heading = heading

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield _Mark.of(self)


class _Mark(Segment):
    """A segment without a text, where a part begins."""

    start: PartStart

    @classmethod
    def of(cls, start: PartStart) -> _Mark:
        mark = cls("")
        mark.start = start
        return mark


class PagePart(NamedTuple):
    """A part, and what views printed in it."""

    start: PartStart
    segments: list[Segment]


def split_parts(segments: Iterable[Segment]) -> Iterator[PagePart]:
    """Return the parts of what views printed; what comes before the first has no labels."""
    part = PagePart(PartStart(), [])
    for segment in segments:
        if isinstance(segment, _Mark):
            if part.segments:
                yield part
            part = PagePart(segment.start, [])
        else:
            part.segments.append(segment)
    if part.segments:
        yield part
