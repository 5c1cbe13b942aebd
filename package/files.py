"""Write files whole: the older one stays, or the new one is complete; read small ones to a bound.

What is written goes beside it first, and takes its place when it is complete. A full disk, an
error and a signal leave the older one as it was.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import BinaryIO

__all__ = ["read_bounded", "replacing", "write_file"]

MOST_READ = 100 << 20
_PART = 1 << 20


def read_bounded(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file that is not a source, such as a baseline. Raises OSError for
    more than 100 MiB: a device, or a link to one, has no end."""
    content = bytearray()
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123  # importing pathlib costs more
        while part := file.read(_PART):
            content += part
            if len(content) > MOST_READ:
                raise OSError(errno.EFBIG, "it has more than 100 MiB", os.fspath(path))
    return bytes(content)


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file, text in UTF-8. Raises OSError, whose `filename` is the path."""
    with replacing(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of `path` at the end of the block. A pipe or a device, and
    a file in a folder that cannot be written to, is written as it is. Raises OSError, whose
    `filename` is the path."""
    name = os.fspath(path)
    try:
        with _opened(os.path.realpath(name)) as file:
            yield file
    except OSError as error:
        error.filename, error.filename2 = name, None
        raise


@contextmanager
def _opened(place: str) -> Iterator[BinaryIO]:
    older = _about(place)
    if older is not None and not stat.S_ISREG(older.st_mode):
        with open(place, "wb") as file:  # noqa: PTH123  # importing pathlib costs more
            yield file
        return
    beside = os.path.join(os.path.dirname(place), f".kproto-{token_hex(8)}")  # noqa: PTH118, PTH120
    try:
        file = open(beside, "xb")  # noqa: PTH123, SIM115
    except PermissionError:
        if older is None:
            raise
        with open(place, "wb") as file:  # noqa: PTH123
            yield file
        return
    try:
        with file:
            yield file
            if older is not None:
                with suppress(OSError):
                    os.chmod(beside, stat.S_IMODE(older.st_mode))  # noqa: PTH101
        os.replace(beside, place)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)  # noqa: PTH108
        raise


def _about(place: str) -> os.stat_result | None:
    try:
        return os.stat(place)  # noqa: PTH116
    except OSError:
        return None
