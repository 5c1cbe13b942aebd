"""What a worker and its parent share: the job, the status, and the limits of the process.

The job is a JSON file, so that it can be repeated by hand:

    python -m kproto.fuzz.engines.worker OUT/run/round-trip-0.json

The status is in shared memory: the worker writes it at every execution, its parent reads it at
will.

    executions  beats  size of the input  stop  longest execution  the input

Its file outlives both: the input that a killed worker was busy with, and its progress, are still
there.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
from pathlib import Path
from typing import NamedTuple

import msgspec

REPLAY = "replay"
"""The engine that runs the known inputs of a target once, and looks for no others."""

MISSING = 69
"""The exit status of a process whose target lacks its judge; its log says why."""
BROKEN = 70
"""The exit status of the check of a single input that is a finding."""


class Job(msgspec.Struct, frozen=True):
    """The work of one worker, which ends after `runs` executions or `seconds`, whichever is given.

    `corpus` is where inputs that reach something new are kept; `seeds` is a folder of more inputs
    to begin with. `memory` is an address-space limit in bytes, 0 for none.
    """

    target: str
    engine: str
    seed: int
    corpus: Path
    seeds: Path
    status: Path
    findings: Path
    runs: int = 0
    seconds: float = 0.0
    memory: int = 0
    shared: bool = False  # other workers write to the same corpus

    def write(self, path: Path) -> None:
        """Write the job as a file."""
        path.write_bytes(msgspec.json.encode(self, enc_hook=str))

    @classmethod
    def read(cls, path: Path) -> Job:
        """Return the job of a file."""
        return msgspec.json.decode(path.read_bytes(), type=cls, dec_hook=_path)


def _path(kind: type[Path], text: str) -> Path:
    return kind(text)


MAX_INPUT = 1 << 20
"""Bytes of the longest input that is kept."""

_FRONT = struct.Struct("<QQIId")
_BEGUN = struct.Struct("<QQI")  # the three that change at every execution
_INPUT_AT = _FRONT.size
_SIZE = _INPUT_AT + MAX_INPUT
_STOP_AT = 20
_SLOWEST = struct.Struct("<d")
_SLOWEST_AT = 24


class WorkerProgress(NamedTuple):
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
    def is_stopping(self) -> bool:
        """Whether the worker has been asked to end."""
        return self._map[_STOP_AT] == 1

    def progress(self) -> WorkerProgress:
        """Return the worker's progress. For the parent."""
        executions, beats, _, _, slowest = _FRONT.unpack_from(self._map)
        return WorkerProgress(executions, beats, slowest)

    def input(self) -> bytes:
        """Return the input that the worker is busy with. For the parent."""
        size = min(_FRONT.unpack_from(self._map)[2], MAX_INPUT)
        return self._map[_INPUT_AT : _INPUT_AT + size]

    def close(self) -> None:
        """Close the file, which stays."""
        self._map.close()


def environment() -> dict[str, str]:
    """Return the environment of every child: sets and dicts are in the same order each time."""
    return os.environ | {"PYTHONHASHSEED": "0"}


MAX_LOG = 64 << 20
"""Bytes of output at which the process of a client that floods is ended."""


def limit_output() -> None:
    """End this process where a file that it writes, such as its log, gets longer than `MAX_LOG`."""
    try:
        import resource
    except ImportError:  # not on this platform
        return
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_LOG, MAX_LOG))


def limit_memory(memory: int) -> None:
    """Limit the address space of this process to so many bytes; 0 for no limit."""
    if not memory:
        return
    try:
        import resource
    except ImportError:  # not on this platform: the parent watches what is resident
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
