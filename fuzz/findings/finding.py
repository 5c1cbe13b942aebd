"""A finding: which target, what happened, with which bytes."""

from __future__ import annotations

import hashlib
import traceback
from enum import Enum
from pathlib import PurePath

import msgspec

from ..targets import Broken


class Kind(Enum):
    """What an input made happen."""

    BROKEN = "broken"
    """The invariant does not hold."""
    ERROR = "error"
    """An error was raised that is not documented."""
    HANG = "hang"
    """The input took longer than it may."""
    MEMORY = "memory"
    """The input took more memory than it may."""
    CRASH = "crash"
    """The process died."""


class Finding(msgspec.Struct, frozen=True):
    """A finding of a target.

    `where` is the place in the code, `guarantee` the id if one was checked; two findings are the
    same if these, the target and the error's type are equal. `input` is the first that showed it,
    `minimal` the smallest; `seed` and `execution` say when it was found.
    """

    target: str
    kind: Kind
    error: str
    where: str
    message: str
    input: bytes
    minimal: bytes
    guarantee: str = ""
    seed: int = 0
    execution: int = 0

    @property
    def key(self) -> str:
        """Twelve hex digits, equal for the same finding in every campaign."""
        same = (self.target, self.kind.value, self.error, self.where, self.guarantee)
        return hashlib.sha256("\0".join(same).encode()).hexdigest()[:12]

    @property
    def title(self) -> str:
        """The finding in one line."""
        at = f" at {self.where}" if self.where else ""
        return f"{self.target}: {self.error}{at}: {self.message}"[:300]


def of_exception(target: str, error: Exception, data: bytes) -> Finding:
    """Return the finding for an exception that a target raised."""
    data = getattr(error, "data", None) or data
    kind = Kind.ERROR
    if isinstance(error, AssertionError):
        kind = Kind.BROKEN
    elif isinstance(error, MemoryError):
        kind = Kind.MEMORY
    name = "Broken" if isinstance(error, Broken) else type(error).__name__
    return Finding(
        target=target,
        kind=kind,
        error=name,
        where=_where(error),
        message=" ".join(str(error).split())[:1000],
        input=data,
        minimal=data,
        guarantee=getattr(error, "guarantee", ""),
    )


def _where(error: Exception) -> str:
    """Return the innermost place in a room, and the line of the target that led there.

    Functions and lines, not paths: the same on every machine.
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = []
    for frame in frames:
        path = PurePath(frame.filename)
        room = "/".join(path.parts[-3:]) if path.suffix == ".py" else path.name
        places.append((path.parent.name == "targets", f"{room}:{frame.lineno} {frame.name}"))
    target = [place for inside, place in places if inside][-1:]
    innermost = [place for _, place in places][-1:]
    return " < ".join(dict.fromkeys(innermost + target))
