"""The limits of a testee's time and memory, and how they are enforced."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_RESERVES_MORE = {"java", "node", "nodejs", "bun", "deno", "dotnet"}
"""Runtimes that reserve far more address space than they ever use: their resident memory is
watched.
"""

_GIB = 1 << 30


class Limits(NamedTuple):
    """The limits of one run."""

    reply_seconds: float = 2.0
    """Seconds for a reply; a testee that takes longer hangs."""
    start_seconds: float = 10.0
    """Seconds for the reply to hello, in which a runtime starts."""
    run_seconds: float = 60.0
    """Seconds from the start of the run; it ends a few seconds later, whatever the testee does."""
    memory: int = 2 * _GIB
    """Bytes of address space, or of resident memory if the address space cannot be bounded."""
    failures_of_a_kind: int = 3
    """Hangs, crashes and floods on one kind of input, after which the rest of that kind is
    skipped; 0 for no end.
    """


def reserves_more(command: Sequence[str]) -> bool:
    """Return whether a program's address space says nothing about the memory that it uses. It may
    be started by another, which is named first.
    """
    return any(Path(word).name in _RESERVES_MORE for word in command)


def address_limit(memory: int | None) -> Callable[[], None]:
    """Return the function that the child calls between fork and exec: it bounds the address space
    and disables core dumps.
    """

    def apply() -> None:
        import resource  # late: not on Windows

        with suppress(ValueError, OSError):  # a lower limit is there already, or there are none
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return apply


class Memory(NamedTuple):
    """The memory of a process in bytes, now and at its peaks."""

    resident: int
    resident_peak: int
    address_peak: int


_NOTHING = Memory(0, 0, 0)
_LINE = re.compile(r"^(VmPeak|VmHWM|VmRSS):\s+(\d+) kB$", re.MULTILINE)


def memory_of(pids: Sequence[int]) -> Memory | None:
    """Return the memory of these processes together; None if it is not known (not Linux)."""
    found = [_memory(pid) for pid in pids]
    known = [memory for memory in found if memory is not None]
    return Memory(*map(sum, zip(*known, strict=True))) if known else None


def _memory(pid: int) -> Memory | None:
    with suppress(OSError):
        text = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
        sizes = {key: int(value) << 10 for key, value in _LINE.findall(text)}
        return Memory(sizes.get("VmRSS", 0), sizes.get("VmHWM", 0), sizes.get("VmPeak", 0))
    return None


def waited(pids: Sequence[int]) -> float:
    """Return the seconds that the thread of these processes which waited longest has waited for a
    processor; 0 if that is not known (not Linux).
    """
    most = 0
    for pid in pids:
        for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with suppress(OSError, ValueError, IndexError):
                most = max(most, int(file.read_text("ascii").split()[1]))
    return most / 1e9


def group_of(leader: int) -> list[int]:
    """Return the processes of a process group: a testee may be a script that starts another."""
    found = [leader]
    with suppress(OSError):
        names = [folder.name for folder in Path("/proc").iterdir()]
        others = {int(name) for name in names if name.isdecimal()} - {leader}
        found += sorted(pid for pid in others if _process_group(pid) == leader)
    return found


def _process_group(pid: int) -> int | None:
    with suppress(OSError):
        return os.getpgid(pid)
    return None
