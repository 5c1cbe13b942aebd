"""The plain case by the engine itself, and by a generated reader or writer that counts branches.

For the targets that run most often: what `decode` gives besides a message costs more than reading.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ...codec import Message
from ...codec.engine import bind
from ..mutators.heads import ROUTES
from . import Trace

Reader = Callable[[int, bytes, int], tuple[Any, int] | None]
Writer = Callable[[Any, int], bytes]

_LABEL = 2  # bytes

Plain = tuple[int, int, bytes, Reader, Writer, Callable[..., Any]]
"""How one version is read and written: the version, where its fields begin, what stands in front of
them; the engine's reader (`Message._plainly`) and writer (`Message.to_body`); and the generated
Python reader or writer with its branches counted, which raises `ODD_BYTES` or `ODD_VALUE`.

No named tuple: CPython takes those apart more slowly.
"""


def front(data: bytes) -> bytes:
    """Of an input: its head, and behind it what may be a version."""
    return data[: data.find(b"\n") + 1 + _LABEL]


class Readings(dict[bytes, Plain]):
    """Front of an input to how it is read; LookupError where that is not plain."""

    def __init__(self, *, counted: Literal["read", "write"]) -> None:
        self._which = counted
        self._trace: Trace = lambda function: function
        self._counted: dict[type[Message], dict[int, Callable[..., Any]]] = {}

    def prepare(self, trace: Trace) -> None:
        """From now on branches count."""
        self._trace = trace
        self._counted.clear()
        self.clear()

    def __missing__(self, key: bytes) -> Plain:
        head, _, label = key.partition(b"\n")
        route = ROUTES[head]
        if route is None:
            raise LookupError
        cls, version = route
        if version is not None:  # what follows is none, and may be anything
            return self._plain(cls, version, len(head) + 1, b"")
        if cls.FRAMING.kind != "version" or len(label) < _LABEL:
            raise LookupError
        version = int.from_bytes(label, "big", signed=True)
        if version > cls.LATEST and cls.FRAMING.newer == "clamp":
            version = cls.LATEST
        known = version.to_bytes(_LABEL, "big", signed=True)
        found = self[key] = self._plain(cls, version, len(key), known)
        return found

    def _plain(self, cls: type[Message], version: int, start: int, label: bytes) -> Plain:
        if cls not in self._counted:  # all versions: what is made to count early costs less
            self._counted[cls] = {
                one: self._trace(getattr(codec, self._which)) for one, codec in cls._codecs.items()
            }
        bind(cls)
        return version, start, label, cls._plainly, cls.to_body, self._counted[cls][version]
