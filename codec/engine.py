"""Which engine reads and writes messages: the compiled core, or generated Python.

The core (`native/`, built into `_core`) is used where it is installed. `KPROTO_ENGINE=python`
chooses Python, for tests and reports of bugs; `KPROTO_ENGINE=core` insists on the core. Both give
the same values and the same errors: whatever the core finds odd, the diagnostic reader reads again.

    bind(cls)   puts the core's functions in place of the methods of a message class
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .message import Message

ENGINES = ("core", "python")


def _load() -> tuple[Any, str]:
    """The compiled core, or None and why it is not there."""
    wanted = os.environ.get("KPROTO_ENGINE", "")
    if wanted and wanted not in ENGINES:
        raise ImportError(f"KPROTO_ENGINE is {wanted!r}; it can be {' or '.join(ENGINES)}")
    if wanted == "python":
        return None, "KPROTO_ENGINE=python"
    try:
        from . import _core
    except ImportError as error:
        if wanted == "core":
            raise
        return None, f"the compiled core cannot be loaded: {error}"
    return _core, ""


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
    owner._bound = True
    if CORE is None:
        return
    from .programs import program_of

    try:
        owner._program = program_of(owner)
    except ValueError:  # another layout in memory
        return
    names = ["from_body", "to_body"]
    if owner.FRAMING.kind != "none":
        names += ["from_bytes", "to_bytes"]
    for name in names:
        setattr(owner, name, getattr(owner._program, name)())
