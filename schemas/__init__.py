"""The built-in message definitions: one JSON file a message, in Kafka's dialect.

A field is declared here and nowhere else; everything that knows a layout is made from these files.
"""

from __future__ import annotations

import os
from functools import cache

_FOLDER = os.path.dirname(__file__)  # noqa: PTH120 - pathlib would double what the command imports
_SUFFIX = ".json"


@cache
def names() -> tuple[str, ...]:
    """Return the names of all definitions, sorted."""
    files = os.listdir(_FOLDER)  # noqa: PTH208
    return tuple(sorted(f.removesuffix(_SUFFIX) for f in files if f.endswith(_SUFFIX)))


def text(name: str) -> str:
    """Return the definition of that name as it stands in its file. Raises KeyError if there is
    none.
    """
    if name not in names():
        raise KeyError(name)
    with open(f"{_FOLDER}/{name}{_SUFFIX}", encoding="utf-8") as file:  # noqa: PTH123
        return file.read()
