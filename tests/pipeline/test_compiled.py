"""Compiled code is kept where it may be, and works where it may not be kept anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numba
import numpy as np
from kproto.pipeline.text import copy_bytes

source, target = np.arange(9, dtype=np.uint8), np.zeros(9, np.uint8)
copy_bytes(target.ctypes.data, source.ctypes.data, 9)
assert (source == target).all()
print(numba.config.CACHE_DIR, sum(copy_bytes.stats.cache_misses.values()))
"""


def run(**environment: str) -> tuple[str, int]:
    clean = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env=clean | environment,
    )
    *folder, misses = done.stdout.split()
    return "".join(folder), int(misses)


def test_a_folder_of_its_own_where_nothing_else_may_be_written() -> None:
    folder, misses = run(NUMBA_CACHE_LOCATOR_CLASSES="UserProvidedCacheLocator")
    assert "kproto-" in folder and misses == 1
    assert not Path(folder).exists()  # gone with the process


def test_a_chosen_folder_is_used_again(tmp_path: Path) -> None:
    assert run(NUMBA_CACHE_DIR=str(tmp_path)) == (str(tmp_path), 1)
    assert run(NUMBA_CACHE_DIR=str(tmp_path)) == (str(tmp_path), 0)
