"""Values on their way to the executors of Spark."""

from __future__ import annotations

from typing import Any

import msgspec

from .options import Options

__all__ = ["pickled", "portable"]


def pickled(value: Any) -> bytes:
    """Return the value as bytes. A user's rules, or units, may be defined in the program itself,
    and are pickled by value.
    """
    from pyspark import cloudpickle  # late: an optional dependency

    made: bytes = cloudpickle.dumps(value)  # type: ignore[no-untyped-call]
    return made


def portable(options: Options) -> Options:
    """Return the same options; mappings that are read only cannot be pickled."""
    return msgspec.structs.replace(
        options,
        topics=None if options.topics is None else dict(options.topics),
        states=None if options.states is None else dict(options.states),
        withheld=dict(options.withheld),
        clusters=tuple(map(portable, options.clusters)),
    )
