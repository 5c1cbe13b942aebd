"""Write the files that a command was asked for, and say why one cannot be written."""

from __future__ import annotations

import errno
import os

from ...files import write_file
from .failures import NOT_DONE, WRONG_USE, Failure

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})


def write_output(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole. Raises Failure, which names it."""
    try:
        write_file(path, content)
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        raise unwritten(path, error) from None


def unwritten(path: str | os.PathLike[str], error: OSError | ValueError) -> Failure:
    """Return the failure to write a file. A name that is none is wrong use; a full disk is not."""
    reason = getattr(error, "strerror", None) or error
    status = NOT_DONE if getattr(error, "errno", None) in _NO_ROOM else WRONG_USE
    return Failure(f"{os.fspath(path)!r} cannot be written: {reason}", status)
