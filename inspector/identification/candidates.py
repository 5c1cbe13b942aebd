"""Which built-in messages are worth decoding for some bytes: told by shapes, in milliseconds.

Of all messages only a few are imported and decoded, or `kproto decode` would start slowly.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from ...codec.dialect.framing import HEADER_BYTES
from ...codec.dialect.layout import HEAD
from ...codec.messages.programs import PROGRAMS
from ...codec.read.shape import shape_of

MET_FIRST = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
MEMBERSHIP = frozenset({11, 12, 13, 14, 15, 68, 69, 76, 77, 88, 89})
"""API keys of requests that are about members. Bodies of other requests, of which a few bytes would
do for many, are identified in frames alone."""
_DOUBTFUL = 4  # of those that leave bytes over, and of those that fail

Ranked = list[tuple[int, str]]
Walk = tuple[bool, int | None]


def plausible(data: bytes) -> list[str]:
    """Names: all that are labelled and can use every byte, or whose label is wrong on a body that
    does, in the order of how often people meet them; all that are not labelled and can; without
    one of the former, of the others the few that come furthest."""
    whole: list[str] = []
    unlabelled: list[str] = []
    left_over: Ranked = []
    failing: Ranked = []
    for name in dict.fromkeys([*MET_FIRST, *PROGRAMS]):
        tried = _tried(data, name)
        ends = [end for fits, end in tried.walks if fits]
        furthest = max((end or len(data) for _, end in tried.walks), default=0)
        # What a walk gives up on, because it is long, is taken to fit.
        if None in ends or len(data) in ends or (ends and tried.clamped):
            (whole if tried.labelled else unlabelled).append(name)
        elif tried.labelled and ends:
            left_over.append((furthest, name))
        elif tried.labelled and tried.walks:
            failing.append((furthest, name))
            if (True, len(data)) in tried.older:
                whole.append(name)
    return [*whole, *unlabelled, *([] if whole else _doubtful(left_over, failing))]


def _doubtful(left_over: Ranked, failing: Ranked) -> list[str]:
    first = [name for _, name in failing if name in MET_FIRST]
    for ranked in (left_over, failing):
        furthest = sorted(ranked, key=itemgetter(0), reverse=True)
        first += [name for _, name in furthest[:_DOUBTFUL]]
    return list(dict.fromkeys(first))


def ends(data: bytes) -> set[int]:
    """Returns where a labelled message that begins with the first byte may end.

    The versions below its label are tried too: labels may be wrong.
    """
    found: set[int] = set()
    for name in PROGRAMS:
        tried = _tried(data, name)
        if tried.labelled:
            found.update(end for fits, end in (*tried.walks, *tried.older) if fits and end)
    return found


class _Tried(NamedTuple):
    """The walks that what stands in front of a message allows, as whether the bytes fit and where
    they end; `clamped`: its label is above every known version, and what follows the known fields
    is explained by that; `older`: walks as the versions below the label."""

    labelled: bool
    clamped: bool
    walks: list[Walk]
    older: Iterator[Walk]


def _tried(data: bytes, name: str) -> _Tried:
    (kind, newer, api_key), _, versions, head, _ = PROGRAMS[name]
    walk = shape_of(name).end
    start = HEADER_BYTES[kind]
    layouts = {number: layout for number, layout, _ in versions}
    if kind == "none" and api_key is not None and api_key not in MEMBERSHIP:
        return _Tried(False, False, [], iter(()))
    if kind == "none":
        distinct = {layout: number for number, layout in layouts.items()}
        return _Tried(False, False, [walk(one, data, 0) for one in distinct.values()], iter(()))
    width = start or 4
    highest = max(layouts, default=-1)
    label = int.from_bytes(data[:width], "big", signed=True) if len(data) >= width else -1
    if kind == "record-type":
        label = highest if label == api_key else -1
    beyond = label > highest
    if label < 0 or (beyond and newer == "refuse"):
        return _Tried(True, False, [], iter(()))
    version = min(label, highest)
    if beyond and head is not None:
        version = head[0]
    walks = [walk(version, data, start)] if version == HEAD or version in layouts else []
    below = {layout: one for one, layout in layouts.items() if one < version}
    older = {one for layout, one in below.items() if layout != layouts.get(version)}
    return _Tried(
        True, beyond and newer == "clamp", walks, (walk(one, data, start) for one in sorted(older))
    )
