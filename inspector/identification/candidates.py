"""The built-in messages that are worth decoding for some bytes, found by their shapes.

A shape says how long each part of a message is, and can be walked without importing the message's
class. All messages are walked in milliseconds, and only a few are imported and decoded, so that
`kproto decode` starts fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from ...codec.dialect.framing import HEADER_BYTES
from ...codec.dialect.layout import HEAD
from ...codec.messages.programs import PROGRAMS
from ...codec.read.shape import shape_of

MOST_COMMON = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
"""The messages that people meet most often, which are tried first."""
MEMBERSHIP = frozenset({11, 12, 13, 14, 15, 68, 69, 76, 77, 88, 89})
"""API keys of requests that are about members. Bodies of other requests, of which a few bytes would
do for many, are identified in frames alone."""
_DOUBTFUL = 4  # messages of those that leave bytes over, and of those that fail

Ranked = list[tuple[int, str]]
Walk = tuple[bool, int | None]
"""Whether bytes fit a shape, and where they end; None where a walk over long bytes gave up."""


def candidate_names(data: bytes) -> list[str]:
    """Return the names of the messages that `data` may be, the most common ones first.

    Labelled messages that use every byte come first, among them those whose label is wrong for a
    body that is whole; then messages without a label that use every byte. Where there is no
    labelled one, the few that get furthest follow.
    """
    whole: list[str] = []
    unlabelled: list[str] = []
    left_over: Ranked = []
    failing: Ranked = []
    for name in dict.fromkeys([*MOST_COMMON, *PROGRAMS]):
        walked = _walked(data, name)
        ends = [end for fits, end in walked.walks if fits]
        furthest = max((end or len(data) for _, end in walked.walks), default=0)
        # A message whose walk gave up, because it is long, is taken to fit.
        if None in ends or len(data) in ends or (ends and walked.clamped):
            (whole if walked.labelled else unlabelled).append(name)
        elif walked.labelled and ends:
            left_over.append((furthest, name))
        elif walked.labelled and walked.walks:
            failing.append((furthest, name))
            if (True, len(data)) in walked.older:
                whole.append(name)
    return [*whole, *unlabelled, *([] if whole else _doubtful(left_over, failing))]


def _doubtful(left_over: Ranked, failing: Ranked) -> list[str]:
    names = [name for _, name in failing if name in MOST_COMMON]
    for ranked in (left_over, failing):
        furthest = sorted(ranked, key=itemgetter(0), reverse=True)
        names += [name for _, name in furthest[:_DOUBTFUL]]
    return list(dict.fromkeys(names))


def message_ends(data: bytes) -> set[int]:
    """Return the positions where a labelled message that begins with the first byte may end.

    The versions below its label are tried too: labels may be wrong.
    """
    found: set[int] = set()
    for name in PROGRAMS:
        walked = _walked(data, name)
        if walked.labelled:
            found.update(end for fits, end in (*walked.walks, *walked.older) if fits and end)
    return found


class _Walked(NamedTuple):
    """The walks over some bytes in the versions that a message's label allows.

    `clamped`: the label is above every known version, which explains bytes behind the known
    fields. `older`: the walks in the versions below the label.
    """

    labelled: bool
    clamped: bool
    walks: list[Walk]
    older: Iterator[Walk]


def _walked(data: bytes, name: str) -> _Walked:
    (kind, newer, api_key), _, versions, head, _ = PROGRAMS[name]
    walk = shape_of(name).end
    start = HEADER_BYTES[kind]
    layouts = {number: layout for number, layout, _ in versions}
    if kind == "none" and api_key is not None and api_key not in MEMBERSHIP:
        return _Walked(False, False, [], iter(()))
    if kind == "none":
        distinct = {layout: number for number, layout in layouts.items()}
        return _Walked(
            False, False, [walk(version, data, 0) for version in distinct.values()], iter(())
        )
    width = start or 4
    highest = max(layouts, default=-1)
    label = int.from_bytes(data[:width], "big", signed=True) if len(data) >= width else -1
    if kind == "record-type":
        label = highest if label == api_key else -1
    beyond = label > highest
    if label < 0 or (beyond and newer == "refuse"):
        return _Walked(True, False, [], iter(()))
    version = min(label, highest)
    if beyond and head is not None:
        version = head[0]
    walks = [walk(version, data, start)] if version == HEAD or version in layouts else []
    below = {layout: number for number, layout in layouts.items() if number < version}
    older = {number for layout, number in below.items() if layout != layouts.get(version)}
    return _Walked(
        True,
        beyond and newer == "clamp",
        walks,
        (walk(number, data, start) for number in sorted(older)),
    )
