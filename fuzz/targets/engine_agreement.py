"""The compiled core, the generated Python, the diagnostic reader and the construct definition
agree: on the value and where it ends, on what is refused and where, and on what is written.

The core and the generated Python leave to the diagnostic reader what they find odd. They never read
what it refuses, nor another value than it.
"""

from __future__ import annotations

from typing import Any

from ...codec import DecodeError, EncodeError, Message
from ...codec.messages.programs import PROGRAMS
from ...codec.read.diagnostic_reader import Cursor, kind_of
from ...codec.runtime.engine import CORE, WHY_NOT, bind
from ...codec.runtime.registry import layout_of
from ...codec.wire.primitives import ODD_BYTES, ODD_VALUE
from ..guarantees.cases import Case
from ..guarantees.own_subjects import GENERATED
from ..guarantees.properties import same_as_construct
from ..mutators.heads import split
from ..mutators.messages import MESSAGES
from . import Broken, Missing

__all__ = ["FORMS", "check", "require"]

FORMS = {"": MESSAGES}

Read = tuple[Any, int] | None
"""A message and where it ends; None if the reader leaves the bytes to another."""


def require() -> None:
    """Raise `Missing` if the core is not installed."""
    if CORE is None:
        raise Missing(f"no compiled core: {WHY_NOT}")


def check(data: bytes) -> None:
    """Check an input with a head in all of them."""
    route, payload = split(data)
    if route is None:
        return
    cls, version = route
    start = 0
    if version is None and cls.FRAMING.kind != "version32":
        start = cls.FRAMING.header_bytes
        label = int.from_bytes(payload[:start], "big", signed=True)
        version = cls.LATEST if cls.FRAMING.kind == "record-type" else min(label, cls.LATEST)
    elif version is None:
        version = int.from_bytes(payload[:4], "big", signed=True)
    if version in cls.VERSIONS:
        _compare(cls, version, payload, start)
    same_as_construct(GENERATED, Case(cls.NAME, payload, route.body_version))


def _compare(cls: type[Message], version: int, data: bytes, start: int) -> None:
    bind(cls)
    by_core: Read = cls._plainly(version, data, start)
    by_python = _by_python(cls, version, data, start)
    cursor = Cursor(data, start, version)
    fault: DecodeError | None = None
    message: Any = None
    try:
        message = kind_of(layout_of(cls, version), cls, cls).read(cursor)
    except DecodeError as error:
        fault = error
    for name, read in (("the core", by_core), ("the generated reader", by_python)):
        if read is None:
            continue
        if fault is not None:
            raise Broken(f"{name} reads what is refused: {fault}")
        if repr(read) != repr((message, cursor.pos)):
            raise Broken(f"{name} reads {read!r:.300}, not {(message, cursor.pos)!r:.300}")
    if by_python is not None and by_core is None and not _is_other_text(cls, message):
        raise Broken(f"the core leaves {message!r:.300} to the diagnostic reader, Python does not")
    _compare_shape(cls, version, data, start, fault, cursor.pos)
    if message is not None:
        _compare_writers(cls, version, message)


def _is_other_text(cls: type[Message], message: Any) -> bool:
    """Whether there may be modified UTF-8 beyond ASCII, which the core leaves to others."""
    layouts = PROGRAMS[cls.__name__][1]
    modified = any(slot[1] == "modified-utf-8" for layout in layouts for slot in layout[2])
    return modified and "\\" in ascii(message)


def _by_python(cls: type[Message], version: int, data: bytes, start: int) -> Read:
    try:
        return cls._codecs[version].read(data, start)
    except ODD_BYTES:
        return None


def _compare_shape(
    cls: type[Message], version: int, data: bytes, start: int, fault: DecodeError | None, end: int
) -> None:
    walked = CORE.Shape(*PROGRAMS[cls.__name__][:4]).end(version, data, start)
    read = (True, end) if fault is None else (False, fault.offset)
    if walked != read and (fault is None or fault.kind.value != "deviation"):
        raise Broken(f"the walk ends at {walked}, the diagnostic reader at {read}")


def _compare_writers(cls: type[Message], version: int, message: Message) -> None:
    parts: list[bytes] = []
    try:
        cls._codecs[version].write(message, parts)
        by_python: bytes | None = b"".join(parts)
    except ODD_VALUE:
        by_python = None
    try:
        by_core: bytes | None = message.to_body(version)
    except EncodeError:
        by_core = None
    if by_core != by_python:
        raise Broken(f"the core writes {by_core!r:.200}, Python {by_python!r:.200}")
