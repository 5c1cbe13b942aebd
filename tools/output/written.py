"""Write the files that a command was asked for, and say why one cannot be written."""

from __future__ import annotations

import os

from ...files import write_file
from .failures import Failure, status_of


def write_output(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole. Raises Failure, which names it."""
    try:
        write_file(path, content)
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        raise unwritten(path, error) from None


def unwritten(path: str | os.PathLike[str], error: OSError | ValueError) -> Failure:
    """Return the failure to write a file. A folder that does not exist is wrong use."""
    reason = getattr(error, "strerror", None) or error
    return Failure(f"{os.fspath(path)!r} cannot be written: {reason}", status_of(error))
