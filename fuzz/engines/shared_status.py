"""The status of a worker in shared memory: the worker writes it at every execution, its parent
reads it at will.

    executions  beats  size of the input  stop  longest execution  the input

The file outlives both: the input that a killed worker was busy with, and its progress, are still
there.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import NamedTuple

MAX_INPUT = 1 << 20
"""Bytes of the longest input that is kept."""

_FRONT = struct.Struct("<QQIId")
_BEGUN = struct.Struct("<QQI")  # the three that change at every execution
_INPUT_AT = _FRONT.size
_SIZE = _INPUT_AT + MAX_INPUT
_STOP_AT = 20
_SLOWEST = struct.Struct("<d")
_SLOWEST_AT = 24


class Seen(NamedTuple):
    """The progress that a shared status shows."""

    executions: int
    beats: int
    """Rises whenever the target is called, also while minimising; if it stands still the worker
    hangs.
    """
    slowest: float
    """Seconds of the longest execution that ended."""


class SharedStatus:
    """The shared status of one worker. The parent creates it with `create`; the worker opens it."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        if create:
            with path.open("wb") as file:
                file.truncate(_SIZE)
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)
        self._beats = 0

    def begin(self, data: bytes, executions: int) -> None:
        """Note that the target is called with this input, after so many executions began. For the
        worker.
        """
        self._beats += 1
        size = len(data)
        _BEGUN.pack_into(self._map, 0, executions, self._beats, size)
        if size <= MAX_INPUT:
            self._map[_INPUT_AT : _INPUT_AT + size] = data

    def slow(self, seconds: float) -> None:
        """Note the seconds of the longest execution. For the worker."""
        _SLOWEST.pack_into(self._map, _SLOWEST_AT, seconds)

    def stop(self) -> None:
        """Ask the worker to end. For the parent."""
        self._map[_STOP_AT] = 1

    @property
    def stopped(self) -> bool:
        """Whether the worker has been asked to end."""
        return self._map[_STOP_AT] == 1

    def seen(self) -> Seen:
        """Return the worker's progress. For the parent."""
        executions, beats, _, _, slowest = _FRONT.unpack_from(self._map)
        return Seen(executions, beats, slowest)

    def input(self) -> bytes:
        """Return the input that the worker is busy with. For the parent."""
        size = min(_FRONT.unpack_from(self._map)[2], MAX_INPUT)
        return self._map[_INPUT_AT : _INPUT_AT + size]

    def close(self) -> None:
        """Close the file, which stays."""
        self._map.close()
