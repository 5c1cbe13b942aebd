"""A measurement in a process of its own, which has no memory but what is measured."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

CostT = TypeVar("CostT")
_ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
"""As `kproto audit` sets it."""


def in_own_process(measure: Callable[[Path], CostT], folder: str, kind: type[CostT]) -> CostT:
    """Return what a function of a benchmark's module measures of a folder."""
    module = sys.modules[measure.__module__].__spec__
    assert module is not None
    program = "\n".join(
        (
            "import sys, msgspec, pathlib",
            f"from {module.name} import {measure.__name__} as measure",
            "cost = measure(pathlib.Path(sys.argv[1]))",
            "sys.stdout.buffer.write(msgspec.json.encode(cost))",
        )
    )
    said = subprocess.run(
        [sys.executable, "-c", program, folder],
        check=True,
        stdout=subprocess.PIPE,
        env=_ENVIRONMENT | os.environ,
    ).stdout
    return msgspec.json.decode(said, type=kind)
