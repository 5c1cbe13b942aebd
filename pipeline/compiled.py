"""Compiling with numba, and where the machine code is kept for the next process.

numba keeps it beside the source, where it may write there, else in the user's cache folder;
`NUMBA_CACHE_DIR` chooses another. A worker of a cluster often may write to neither: there a folder
of its own is made in the folder for temporary files. It is not shared: what a cache holds is run.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

import numba

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile at the first call, without the interpreter's lock and its checks, and keep it."""
    try:
        return _compiled(function)
    except RuntimeError:  # no cache locator: nowhere to write
        folder = tempfile.mkdtemp(prefix="kproto-")  # readable by its owner alone
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        vars(numba.config)["CACHE_DIR"] = folder
        return _compiled(function)


def _compiled(function: F) -> F:
    made: F = numba.njit(function, cache=True, nogil=True, boundscheck=False, error_model="numpy")
    return made
