"""Where the views go: a terminal, or a pipe or file.

On a terminal the bytes are shown in hex beside the fields, as wide as it is; elsewhere the fields
alone, without colour, 100 columns wide. `--color always` makes a terminal of anything. NO_COLOR
and FORCE_COLOR are honoured.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from rich.console import Console

WIDTH = 100


def is_terminal(color: str) -> bool:
    """Whether output is shown as on a terminal."""
    return color == "always" or sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def console(color: str) -> Console:
    """What views are printed on. Nothing in captured text is taken for markup."""
    terminal = is_terminal(color)
    coloured = terminal and color != "never"
    seen = sys.stdout.isatty()
    columns = os.environ.get("COLUMNS", "")
    return _Console(
        force_terminal=terminal,
        color_system=("auto" if seen else "256") if coloured else None,
        no_color=False if color == "always" else None,
        width=None if seen else int(columns) if terminal and columns.isdecimal() else WIDTH,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        safe_box=True,
    )


class _Console(Console):
    """One that leaves a closed pipe to `main`."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError
