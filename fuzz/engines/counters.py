"""Counts of branches, one byte each, where libFuzzer looks for them.

The code that is counted raises them itself: a call at every branch, as atheris makes it, takes
longer than what most branches do.
"""

from __future__ import annotations

import ctypes

_SIZE = 256  # counts of one region; libFuzzer takes 4,096 regions
MORE = bytes([*range(1, 256), 255])
"""A count to the next; a branch that is passed ever so often does not come round to 0."""


class Region(bytearray):
    """Counts that lie together, and never move."""

    def __hash__(self) -> int:  # type: ignore[override]  # code objects hash their constants
        return id(self)


class Counters:
    """All regions; those that are begun once libFuzzer runs are known to it at once."""

    def __init__(self) -> None:
        self._regions: list[Region] = []
        self._used = _SIZE
        self._libfuzzer: ctypes.CDLL | None = None
        self._held: list[object] = []  # what libFuzzer looks at

    def region(self, size: int) -> Region:
        """Counts that lie together, for code that is not Python's."""
        made = Region(size)
        self._regions.insert(0, made)  # the last one is the one that is being filled
        if self._libfuzzer is not None:
            self._tell(self._libfuzzer, made)
        return made

    def take(self) -> tuple[Region, int]:
        """A count that nobody has: its region, and where in it."""
        if self._used == _SIZE:
            self._regions.append(Region(_SIZE))
            self._used = 0
            if self._libfuzzer is not None:
                self._tell(self._libfuzzer, self._regions[-1])
        self._used += 1
        return self._regions[-1], self._used - 1

    def begin(self, libfuzzer: str) -> None:
        """The library that is told of them: a file."""
        self._libfuzzer = ctypes.CDLL(libfuzzer)
        for region in self._regions:
            self._tell(self._libfuzzer, region)

    def _tell(self, libfuzzer: ctypes.CDLL, region: Region) -> None:
        """As code does that a compiler made count: where the counts are, and what for each stands
        in as its address in the code, with flags."""
        size = len(region)
        counts = (ctypes.c_uint8 * size).from_buffer(region)
        places = (ctypes.c_size_t * (2 * size))()
        first = ctypes.addressof(counts)
        places[::2] = list(range(first, first + size))
        for name, table in (("8bit_counters", counts), ("pcs", places)):
            start = ctypes.addressof(table)
            end = start + ctypes.sizeof(table)
            libfuzzer[f"__sanitizer_cov_{name}_init"](ctypes.c_void_p(start), ctypes.c_void_p(end))
            self._held.append(table)
