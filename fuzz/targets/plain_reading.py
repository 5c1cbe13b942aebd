"""Reading of valid messages by the engine itself, with a separate walk whose branches count.

For the targets that run most often: what `decode` returns besides a message costs more than
reading.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...codec import Message
from ...codec.messages.programs import PROGRAMS
from ...codec.runtime.engine import CORE, bind
from ..mutators.heads import ROUTES
from . import Trace

Reader = Callable[[int, bytes, int], tuple[Any, int] | None]
Writer = Callable[[Any, int], bytes]

_LABEL = 2  # bytes

Plain = tuple[int, int, bytes, Reader, Writer, Callable[..., Any]]
"""How one version is read and written: the version, the offset of its fields, the bytes in front of
them; the engine's reader (`Message._plainly`) and writer (`Message.to_body`); and the walk over
data that can be read, from the start of the fields, with its branches counted: the core, or the
generated Python.

No named tuple: CPython unpacks those more slowly.
"""


def front(data: bytes) -> bytes:
    """Return the beginning of an input: its head, and what may be a version behind it."""
    return data[: data.find(b"\n") + 1 + _LABEL]


class Readings(dict[bytes, Plain]):
    """Maps the front of an input to how it is read; raises LookupError if only the diagnostic
    reader can.
    """

    def __init__(self) -> None:
        self._trace: Trace = lambda function: function
        self._counted: dict[type[Message], dict[int, Callable[..., Any]]] = {}

    def prepare(self, trace: Trace) -> None:
        """Count branches from now on."""
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
            self._counted[cls] = self._counting(cls)
        bind(cls)
        return version, start, label, cls._plainly, cls.to_body, self._counted[cls][version]

    def _counting(self, cls: type[Message]) -> dict[int, Callable[..., Any]]:
        if CORE is None:
            return {version: self._trace(codec.read) for version, codec in cls._codecs.items()}
        count = self._trace(Walk(cls))
        return {version: partial(count, version) for version in cls._codecs}


class Walk:
    """The compiled core's walk over the messages of one class: `(version, data, start)`."""

    def __init__(self, cls: type[Message]) -> None:
        self._shape = CORE.Shape(*PROGRAMS[cls.__name__][:4])
        self.places: int = self._shape.places
        """How many counts it has."""

    def __call__(self, version: int, data: bytes, start: int) -> None:
        """Walk without counting."""

    def counting(self, counts: bytearray) -> Callable[[int, bytes, int], object]:
        """Return the walk that raises these counts."""
        return partial(self._shape.count, counts)
