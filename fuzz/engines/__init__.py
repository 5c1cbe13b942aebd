"""What drives a target: atheris (libFuzzer), led by coverage; or Hypothesis, wherever that runs.

Each worker is a process of its own (`worker`), so that a hang, a blow-up or a crash ends one worker
and no campaign. What a worker does is on a `Board` that its parent sees at any moment, the input
that it is busy with included.
"""

from __future__ import annotations

from importlib.util import find_spec

ENGINES = ("atheris", "hypothesis")


def default_engine() -> str:
    """Return the best one on this machine. Raises `ImportError` where there is none."""
    for name in ENGINES:
        if find_spec(name) is not None:
            return name
    from ...extras import install_command

    raise ImportError(f"fuzzing takes atheris or hypothesis: {install_command('fuzz')}")
