"""The plain case by the generated readers and writers themselves, with their branches counted.

For the targets that run most often: what `decode` gives besides a message costs more than reading.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...codec import Message
from . import Trace

Reader = Callable[[bytes, int], tuple[Any, int]]
Writer = Callable[[Any, list[bytes]], None]

_readers: dict[type[Message], dict[int, Reader]] = {}
_writers: dict[type[Message], dict[int, Writer]] = {}
_tracing: list[Trace] = []


def prepare(trace: Trace) -> None:
    """From now on branches count."""
    _tracing[:] = [trace]
    _readers.clear()
    _writers.clear()


def readers(cls: type[Message]) -> dict[int, Reader]:
    """The reader of each version: data and offset to message and end; raises `ODD_BYTES`."""
    if cls not in _readers:
        trace = _trace()
        _readers[cls] = {version: trace(codec.read) for version, codec in cls._codecs.items()}
    return _readers[cls]


def writers(cls: type[Message]) -> dict[int, Writer]:
    """The writer of each version: message to a list of pieces; raises `ODD_VALUE`."""
    if cls not in _writers:
        trace = _trace()
        _writers[cls] = {version: trace(codec.write) for version, codec in cls._codecs.items()}
    return _writers[cls]


def _trace() -> Callable[[Any], Any]:
    return _tracing[0] if _tracing else lambda function: function


def labelled(cls: type[Message], payload: bytes) -> tuple[int, int]:
    """The version that plain bytes are read as, and where the fields begin; LookupError where no
    plain version stands in front."""
    if cls.FRAMING.kind == "version":
        version = payload[0] << 8 | payload[1]
        if version > cls.LATEST and cls.FRAMING.newer == "clamp" and version < 1 << 15:
            version = cls.LATEST
        return version, 2
    raise LookupError
