"""Which engine reads and writes messages: the compiled core, or generated Python.

The core (`native/`, built into `_core`) is used where it is installed. `KPROTO_ENGINE=python`
chooses Python, for tests and bug reports; `KPROTO_ENGINE=core` fails without the core. Both engines
return the same values and raise the same errors: what the core does not read or write itself, it
leaves to the same Python functions (`_program`).
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .. import runtime
from ..dialect.versions import as_version
from ..wire.primitives import uuid_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..dialect.layout import Program

ENGINES = ("core", "python")


def load() -> tuple[Any, str]:
    """Return the compiled core and ""; or None, and why it is not there."""
    engine_name = os.environ.get("KPROTO_ENGINE", "")
    if engine_name and engine_name not in ENGINES:
        raise ImportError(f"KPROTO_ENGINE is {engine_name!r}; it can be {' or '.join(ENGINES)}")
    if engine_name == "python":
        return None, "KPROTO_ENGINE=python"
    try:
        core = import_module("kproto.codec._core")
    except ImportError as error:
        if engine_name == "core":
            raise
        if isinstance(error, ModuleNotFoundError):
            return (
                None,
                "the core was not built; an installation with cargo 1.88 or newer builds it",
            )
        return None, f"the compiled core cannot be loaded: {error}"
    return core, ""


CORE, WHY_NOT = load()
ENGINE = "python" if CORE is None else "core"
"""The engine in use: "core" or "python"."""


def bind(cls: type[Any]) -> None:
    """Put the core's functions in place of the methods of a message class.

    The core gets a program made from the layouts of the class. The class keeps its own methods
    where there is no core, and where msgspec lays out instances in another way than the core
    expects.
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


def function_of(cls: type[Any], name: str) -> Callable[..., Any] | None:
    """Return the core's function for a method of a message class; None where Python is in use.

    Only a method that was looked up before `bind` asks: afterwards the core's are in its place.
    """
    if not cls._bound:
        bind(cls)
    function: Callable[..., Any] | None = cls._functions.get(name)
    return function


def _program(cls: type[Any]) -> Any:
    """Return the core's program for a message class, with what the core falls back on."""
    front, layouts, versions, head, names = _rows(cls)
    inner = [getattr(cls, name) for name in names[1:]]
    fallback = {
        "from_bytes": lambda data: runtime.read(cls, data, None),
        "from_body": lambda body, version: runtime.read(cls, body, as_version(version)),
        "to_bytes": getattr(cls, "_to_bytes", None),  # only a class with a version field has it
        "to_body": cls._to_body,
    }
    parts = [cls, *inner]
    return CORE.Program(front, layouts, versions, head, parts, cls._raw_field, uuid_of, fallback)


def _rows(cls: type[Any]) -> Program:
    if cls._spec is None:
        return runtime.PROGRAMS[cls.__name__]
    from ..dialect.layout import program  # late: built-in messages need none

    return program(cls._spec)
