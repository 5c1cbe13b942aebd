"""Smaller bytes that show the same: whole items first, then pieces, then simpler bytes.

Bounded by a number of tries, never by a clock, so that the same finding always shrinks to the same
bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..mutators.splices import Form, spliced

Shows = Callable[[bytes], bool]
"""Whether bytes show the same finding."""


def minimised(data: bytes, form: Form, shows: Shows, *, tries: int = 3000) -> bytes:
    """Return the smallest that was found; `data` itself where nothing smaller shows it."""
    left = tries
    while left > 0:
        for candidate in _candidates(data, form):
            left -= 1
            if left < 0:
                return data
            if shows(candidate):
                data = candidate
                break
        else:
            return data
    return data


def _candidates(data: bytes, form: Form) -> Iterator[bytes]:
    """Simpler bytes, the boldest first; each is shorter, or of smaller bytes."""
    head = form.head(data)
    size = len(data)
    shorter = [one for one in form.splices(data) if len(one.new) < one.end - one.start]
    shorter.sort(key=lambda one: len(one.new) - (one.end - one.start))
    for splice in shorter[:400]:
        if splice.start >= head:
            yield spliced(data, splice)
    piece = max(1, (size - head) // 2)
    while piece:
        for at in range(size - piece, head - 1, -piece):
            yield data[:at] + data[at + piece :]
        piece //= 2
    for at in range(head, size):
        for simple in (b"\0", b"\1", b"a"):
            if simple[0] < data[at]:
                yield data[:at] + simple + data[at + 1 :]
