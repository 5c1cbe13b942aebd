"""A file in memory that a worker writes at every execution and its parent reads at will.

    executions  beats  size of the input  stop  longest execution  the input

It outlives both: what a killed worker was busy with, and how far it was, is still there.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import NamedTuple

MAX_INPUT = 1 << 20

_FRONT = struct.Struct("<QQIId")
_BEGUN = struct.Struct("<QQI")  # the three that change at every execution
_INPUT_AT = _FRONT.size
_SIZE = _INPUT_AT + MAX_INPUT
_STOP_AT = 20
_SLOWEST = struct.Struct("<d")
_SLOWEST_AT = 24


class Seen(NamedTuple):
    """What stands on a board."""

    executions: int
    beats: int
    """Rises whenever a target is called, for minimising too; one that stands still is a hang."""
    slowest: float
    """Seconds of the longest execution that ended."""


class Board:
    """One worker's board. `create` for the parent; the worker opens what is there."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        if create:
            with path.open("wb") as file:
                file.truncate(_SIZE)
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)
        self._beats = 0

    def begin(self, data: bytes, executions: int) -> None:
        """The worker: a target is called with this input, after so many executions began."""
        self._beats += 1
        size = len(data)
        _BEGUN.pack_into(self._map, 0, executions, self._beats, size)
        if size <= MAX_INPUT:
            self._map[_INPUT_AT : _INPUT_AT + size] = data

    def slow(self, seconds: float) -> None:
        """The worker: one execution took so long."""
        _SLOWEST.pack_into(self._map, _SLOWEST_AT, seconds)

    def stop(self) -> None:
        """The parent: the worker shall end."""
        self._map[_STOP_AT] = 1

    @property
    def stopped(self) -> bool:
        """Whether it shall."""
        return self._map[_STOP_AT] == 1

    def seen(self) -> Seen:
        """Return the parent: how far the worker is."""
        executions, beats, _, _, slowest = _FRONT.unpack_from(self._map)
        return Seen(executions, beats, slowest)

    def input(self) -> bytes:
        """Return the parent: what the worker is busy with."""
        size = min(_FRONT.unpack_from(self._map)[2], MAX_INPUT)
        return self._map[_INPUT_AT : _INPUT_AT + size]

    def close(self) -> None:
        """Let go of it; the file stays."""
        self._map.close()
