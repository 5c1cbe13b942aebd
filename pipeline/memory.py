"""What is free goes back to the system."""

from __future__ import annotations

import ctypes
import platform
from functools import cache

__all__ = ["large_blocks_go_back"]

_M_MMAP_THRESHOLD = -3  # of malloc.h
_LARGE = 1 << 21


@cache
def large_blocks_go_back() -> None:
    """From now on large blocks are not taken from the heap, where the C library is glibc's.

    The columns of a batch are made at the size that they could have at most, and shrunk. glibc puts
    such blocks into its heap once it has seen some, up to 32 MB, and what stays between them keeps
    the rest: a process that audits partitions would grow to half as much again.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)
