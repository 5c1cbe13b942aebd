"""The console that views are printed on: a terminal, a pipe or file, or a picture.

On a terminal the bytes are shown in hex next to the fields, in its width, and longer output goes
through the pager; elsewhere the fields alone, without colour, 100 columns wide. With
`--color always` any output is treated as a terminal. NO_COLOR and FORCE_COLOR are respected.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from shutil import get_terminal_size
from typing import NoReturn

from rich.console import Console

from .failures import REFUSED, WRONG_USE, Failure

WIDTH = 100
_HEIGHT = 25  # of no consequence here, but without one rich takes a dumb terminal's width for 80


@contextmanager
def screen(arguments: Namespace) -> Iterator[Console]:
    """Yield the console that the views of this call are printed on; when the block ends, they are
    where they are to go."""
    file = getattr(arguments, "svg", None) or getattr(arguments, "html", None)
    if file is not None:
        with _exported(file, svg=bool(arguments.svg)) as recorder:
            yield recorder
    else:
        with _paged(wanted=arguments.pager):
            yield console(arguments.color)


def _paged(*, wanted: bool) -> AbstractContextManager[None]:
    if not (wanted and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"):
        return nullcontext()
    from .pager import paged  # late: most output goes to no terminal

    return paged()


def shows_hex(arguments: Namespace) -> bool:
    """Return whether the bytes are shown in hex too: on a terminal, and in pictures."""
    exported = getattr(arguments, "svg", None) or getattr(arguments, "html", None)
    return bool(exported) or is_terminal(arguments.color)


@contextmanager
def _exported(file: str, *, svg: bool) -> Iterator[Console]:
    from ...inspector.views.export import Recorder, TooLong  # late: few calls ask for a picture

    recorder = Recorder()
    try:
        yield recorder
    except TooLong as error:
        raise Failure(f"too long for {file}: {error}; --field PATH shows a part", REFUSED) from None
    text = recorder.svg() if svg else recorder.html()
    try:
        with open(file, "w", encoding="utf-8") as picture:  # noqa: PTH123  # a path of the caller's
            picture.write(text)
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{file!r} cannot be written: {reason}", WRONG_USE) from None


def is_terminal(color: str) -> bool:
    """Return whether output is shown as on a terminal."""
    return color == "always" or sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def console(color: str) -> Console:
    """Return a console for views, which takes nothing in captured text for markup."""
    terminal = is_terminal(color)
    coloured = terminal and color != "never"
    seen = sys.stdout.isatty()
    return _Console(
        force_terminal=terminal,
        color_system=("auto" if seen else "256") if coloured else None,
        no_color=False if color == "always" else None,
        width=_width(seen=seen, terminal=terminal),
        height=_HEIGHT,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        safe_box=True,
    )


def _width(*, seen: bool, terminal: bool) -> int:
    columns = os.environ.get("COLUMNS", "")
    if terminal and columns.isdecimal() and int(columns):
        return int(columns)
    return get_terminal_size((80, _HEIGHT)).columns if seen else WIDTH


class _Console(Console):
    """A console that raises BrokenPipeError for a closed pipe, which `main` handles."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError
