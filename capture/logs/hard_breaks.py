"""Lines that a terminal has broken at its width, put together: each piece but the last of a line is
exactly as wide as the terminal was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from .layouts import begins_message, read_time, unwrap

__all__ = ["break_width", "joined_lines"]

_WIDTHS = range(40, 400)
_LEAST = 2  # broken lines
_SHARE = 25  # of so many lines one is broken, at least
_LONGEST = 1 << 16  # characters of a line
_HEAD = 60  # characters in which a message has its time
_OF_TRACES = ("\t", "    at ", "Caused by")
"""What lines begin with that follow a message in a log as it was written."""


def break_width(lines: Sequence[str]) -> int:
    """Return the width at which the lines of a text were broken; 0 where they were not, and where
    a collector has put something around each line."""
    width = max(map(len, lines), default=0)
    if width not in _WIDTHS or unwrap(lines[0]).text != lines[0]:
        return 0
    has_times = _has_time(lines[0])
    broken, pieces = 0, 0
    continuations = 0  # what goes on behind a line that is shorter
    for line, following in pairwise(lines):
        goes_on = not _is_new(following, has_times)
        broken += len(line) == width
        pieces += goes_on and len(line) == width
        continuations += goes_on and len(line) < width
    is_broken = pieces >= max(_LEAST, len(lines) // _SHARE)
    return width if is_broken and pieces * 4 >= max(broken, pieces + continuations) * 3 else 0


def joined_lines(lines: Iterable[tuple[int, str]], width: int) -> Iterator[tuple[int, str]]:
    """Yield the lines as they were before they were broken at a width, each with the number of its
    first piece."""
    number, whole, last, has_times = 0, "", 0, False
    for place, line in lines:
        text = line.rstrip("\r\n")
        if number and last == width and len(whole) < _LONGEST and not _is_new(text, has_times):
            whole += text
        else:
            if number:
                yield number, whole
            number, whole = place, text
            has_times = has_times or _has_time(text)
        last = len(text)
    if number:
        yield number, whole


def _is_new(line: str, has_times: bool) -> bool:
    """Whether a line begins a message, or what follows one in a log as it was written."""
    if not line or line.startswith(_OF_TRACES):
        return True
    return begins_message(line) and (_has_time(line) or not has_times)


def _has_time(line: str) -> bool:
    return read_time(line, 0, _HEAD) is not None
