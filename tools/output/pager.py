"""Output that is longer than the terminal goes through the person's pager, as in git.

The pager is $PAGER, or `less`; with an empty $PAGER or `cat` there is none. Output is coloured and
as wide as without a pager. Remarks on standard error go through it too, or they would be painted
over.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from shutil import which
from subprocess import Popen

from . import interrupts
from .terminal import PagedOutput

# As git sets them: colours pass, what fits is printed and done, and nothing is wiped at the end.
_ENVIRONMENT = {"LESS": "FRX", "LV": "-c"}


@contextmanager
def paged() -> Iterator[None]:
    """Run the block with its output sent through the pager, and wait until the person has left it.

    Standard output is a terminal. A pager that is left early ends the block without an error.
    """
    command = _pager()
    if not command:
        yield
        return

    try:
        pager = subprocess.Popen(
            command, stdin=subprocess.PIPE, env=_ENVIRONMENT | dict(os.environ)
        )
    except OSError:  # no such program: then without
        yield
        return
    assert pager.stdin is not None
    pipe = PagedOutput(pager.stdin)
    try:
        with suppress(BrokenPipeError), pipe.redirected():
            yield
    finally:
        with suppress(OSError):  # it has gone already
            pipe.close()
        _wait(pager)


def _pager() -> list[str]:
    """The words of the pager's command; empty where there is no pager."""
    try:
        words = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:  # a quotation without its end
        return []
    path = words and words != ["cat"] and which(words[0])
    return [path, *words[1:]] if path else []


def _wait(pager: object) -> None:
    """Wait until the person has left the pager, which handles Ctrl-C itself."""
    assert isinstance(pager, Popen)
    while True:
        try:
            pager.wait()
            return
        except KeyboardInterrupt:
            interrupts.handled()
