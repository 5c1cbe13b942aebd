"""The engines that drive a target: atheris (libFuzzer), led by coverage; or Hypothesis, on any
platform.

Each worker is a process of its own (`worker`), so that a hang, a memory blow-up or a crash ends one
worker and no campaign. A worker writes what it does, with the input at hand, into a `SharedStatus`
that its parent reads at any moment.
"""

from __future__ import annotations

from importlib.util import find_spec

from ...extras import install_command

ENGINES = ("atheris", "hypothesis")
"""The engines, the best one first."""


def default_engine() -> str:
    """Return the best engine on this machine. Raises `ImportError` if there is none."""
    for name in ENGINES:
        if find_spec(name) is not None:
            return name
    raise ImportError(f"fuzzing takes atheris or hypothesis: {install_command('fuzz')}")
