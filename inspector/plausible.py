"""Which built-in messages are worth decoding for some bytes: told by shapes, in milliseconds.

Of all messages only a few are imported and decoded, or `kproto decode` would start slowly.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from ..codec.framing import HEADER_BYTES
from ..codec.messages.shapes import SHAPES
from ..codec.shape import Shape
from .skim import Skimmed

_MET_FIRST = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
_DOUBTFUL = 4  # of those that leave bytes over, and of those that fail

Ranked = list[tuple[int, str]]


def plausible(data: bytes) -> list[str]:
    """Names: all that are labelled and can use every byte, or whose label is wrong on a body that
    does, in the order of how often people meet them; all that are not labelled and can; without
    one of the former, of the others the few that come furthest."""
    whole: list[str] = []
    unlabelled: list[str] = []
    left_over: Ranked = []
    failing: Ranked = []
    for name in dict.fromkeys([*_MET_FIRST, *SHAPES]):
        tried = _tried(data, name)
        ends = [one.end for one in tried.walks if one.fits]
        furthest = max((one.end or len(data) for one in tried.walks), default=0)
        # What a walk gives up on, because it is long, is taken to fit.
        if None in ends or len(data) in ends or (ends and tried.clamped):
            (whole if tried.labelled else unlabelled).append(name)
        elif tried.labelled and ends:
            left_over.append((furthest, name))
        elif tried.labelled and tried.walks:
            failing.append((furthest, name))
            if any(one.fits and one.end == len(data) for one in tried.older):
                whole.append(name)
    return [*whole, *unlabelled, *([] if whole else _doubtful(left_over, failing))]


def _doubtful(left_over: Ranked, failing: Ranked) -> list[str]:
    first = [name for _, name in failing if name in _MET_FIRST]
    for ranked in (left_over, failing):
        furthest = sorted(ranked, key=itemgetter(0), reverse=True)
        first += [name for _, name in furthest[:_DOUBTFUL]]
    return list(dict.fromkeys(first))


class _Tried(NamedTuple):
    """The walks that what stands in front of a message allows; `clamped`: its label is above every
    known version, and what follows the known fields is explained by that; `older`: walks as the
    versions below the label."""

    labelled: bool
    clamped: bool
    walks: list[Skimmed]
    older: Iterator[Skimmed]


def _tried(data: bytes, name: str) -> _Tried:
    (kind, newer, api_key), shapes = SHAPES[name]
    start = HEADER_BYTES[kind]
    if kind == "none":
        return _Tried(False, False, [Skimmed(data, 0, shape) for _, _, shape in shapes], iter(()))
    width = start or 4
    highest = shapes[-1][1] if shapes else -1
    label = int.from_bytes(data[:width], "big", signed=True) if len(data) >= width else -1
    if kind == "record-type":
        label = highest if label == api_key else -1
    beyond = label > highest
    if label < 0 or (beyond and newer == "refuse"):
        return _Tried(True, False, [], iter(()))
    version = min(label, highest)
    fitting: list[Shape] = [shape for low, high, shape in shapes if low <= version <= high]
    if beyond and newer == "head":
        fitting = [(8,)]  # version and latestSupportedVersion
    older = (Skimmed(data, start, shape) for _, high, shape in shapes if high < version)
    walks = [Skimmed(data, start, shape) for shape in fitting]
    return _Tried(True, beyond and newer == "clamp", walks, older)
