"""Which engine reads and writes messages: the compiled core, or generated Python.

The core (`native/`, built into `_core`) is used where it is installed. `KPROTO_ENGINE=python`
chooses Python, for tests and reports of bugs; `KPROTO_ENGINE=core` insists on the core. Both give
the same values and the same errors: whatever the core finds odd, the diagnostic reader reads again.

    bind(cls)   puts the core's functions in place of the methods of a message class
"""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..dialect.versions import as_version

if TYPE_CHECKING:
    from ..dialect.programs import Program
    from .message import Buffer, Message

ENGINES = ("core", "python")


def _load() -> tuple[Any, str]:
    """The compiled core, or None and why it is not there."""
    wanted = os.environ.get("KPROTO_ENGINE", "")
    if wanted and wanted not in ENGINES:
        raise ImportError(f"KPROTO_ENGINE is {wanted!r}; it can be {' or '.join(ENGINES)}")
    if wanted == "python":
        return None, "KPROTO_ENGINE=python"
    try:
        core = import_module("kproto.codec._core")
    except ImportError as error:
        if wanted == "core":
            raise
        if isinstance(error, ModuleNotFoundError):
            return None, "the compiled core was not built; an installation with cargo builds it"
        return None, f"the compiled core cannot be loaded: {error}"
    return core, ""


CORE, WHY_NOT = _load()
ENGINE = "python" if CORE is None else "core"
"""The engine in use: "core" or "python"."""


def bind(cls: type[Message]) -> None:
    """Have the core read and write a message class, where it can.

    The class gets a program made from its layouts, and the core's functions instead of its own
    methods. It keeps its own where there is no core, and where msgspec lays out instances in
    another way than the core expects.
    """
    owner: Any = next(base for base in cls.__mro__ if "_codecs" in vars(base))
    if owner._bound:
        return
    owner._bound = True
    if CORE is None:
        return
    try:
        owner._program = _program(owner)
    except ValueError:  # another layout in memory
        return
    names = ["from_body", "to_body"]
    if owner.FRAMING.kind != "none":
        names += ["from_bytes", "to_bytes"]
    functions = {name: getattr(owner._program, name)() for name in names}
    owner._functions = functions | {"_plainly": owner._program.read}
    for name, function in owner._functions.items():
        setattr(owner, name, function)


def _program(cls: type[Message]) -> Any:
    from ..wire.uuids import uuid_of
    from .message import Message, RawTaggedField, VersionedMessage

    front, layouts, versions, head, names = _rows(cls)
    inner = [getattr(cls, name) for name in names[1:]]
    fallback = {
        "from_bytes": lambda data: _read_again(cls, data, None),
        "from_body": lambda body, version: _read_again(cls, body, as_version(version)),
        "to_bytes": VersionedMessage._to_bytes,
        "to_body": Message._to_body,
    }
    raw = partial(RawTaggedField, tag=0, data=b"")
    return CORE.Program(front, layouts, versions, head, [cls, *inner], raw, uuid_of, fallback)


def _rows(cls: type[Message]) -> Program:
    if cls._spec is None:
        from ..messages.programs import PROGRAMS

        return PROGRAMS[cls.__name__]
    from ..dialect.programs import program

    return program(cls._spec)


def _read_again(cls: type[Message], data: Buffer, version: int | None) -> Message:
    from ..read.decoding import read
    from .message import as_bytes

    return read(cls, as_bytes(data), version)
