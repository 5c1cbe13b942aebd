"""Keep most of a long log in temporary files, while its lines are brought into order."""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import IO, Any, TypeVar

__all__ = ["RUN", "in_file", "turned"]

RUN = 20_000
"""Items that are kept in memory at once."""
_PART = 500
"""Items that are read from a file at once."""

Item = TypeVar("Item")


def turned(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items from the last one to the first. Those of a long log wait in a file."""
    rest = iter(items)
    run = list(islice(rest, RUN))
    following = list(islice(rest, _PART))
    if not following:
        yield from reversed(run)
        return
    places: list[int] = []
    with TemporaryFile() as file:
        places.extend(_write(file, part) for part in _parts(iter((*run, *following))))
        del run, following
        places.extend(_write(file, part) for part in _parts(rest))
        for place in reversed(places):
            file.seek(place)
            yield from reversed(_read(file))


def in_file(items: Iterable[Item], files: ExitStack) -> Iterator[Item]:
    """Write items into a temporary file, which `files` closes, and return what reads them back."""
    file = files.enter_context(TemporaryFile())  # noqa: SIM115  (the stack closes it)
    for part in _parts(iter(items)):
        _write(file, part)
    file.seek(0)
    return _from_file(file)


def _from_file(file: IO[bytes]) -> Iterator[Any]:
    while True:
        try:
            yield from _read(file)
        except EOFError:
            return


def _parts(items: Iterator[Item]) -> Iterator[list[Item]]:
    while part := list(islice(items, _PART)):
        yield part


def _frozen(mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(mapping)


class _Pickler(pickle.Pickler):
    """Writes mappings that cannot be changed, too."""

    dispatch_table = copyreg.dispatch_table | {
        MappingProxyType: lambda mapping: (_frozen, (dict(mapping),))
    }


def _write(file: IO[bytes], part: list[Any]) -> int:
    """Write a part of the items, and return its place."""
    place = file.tell()
    _Pickler(file).dump(part)
    return place


def _read(file: IO[bytes]) -> list[Any]:
    part: list[Any] = pickle.load(file)  # noqa: S301  (written above)
    return part
