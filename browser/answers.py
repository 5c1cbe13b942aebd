"""Run command lines of kproto in a browser, one after the other, in one process.

`worker.js` calls `answer`. The command is the one of a terminal: the same options, files, messages
and exit statuses. What differs is what a browser lacks: another process, a network, a terminal.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

from ..tools.main import main

MOST = 16 << 20
"""Bytes of output that are passed on, in whole lines: more would only stop the tab."""
MOST_OF_A_LINE = 96 << 20
"""Bytes of the first line, which is the whole answer for one message of many megabytes."""
CRASHED = 70  # as sysexits.h calls an error inside of the program
MOST_EARLY = 1 << 18
"""Bytes of output that are passed on before the end."""
_BETWEEN_S = 0.4


class _Bounded(io.RawIOBase):
    """Keeps what is written; once that is too much, it is a pipe whose reader has gone. The first
    lines go to `show_early` now and then."""

    def __init__(self, show_early: Callable[[str], None] | None) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.is_full = False
        self._has_line = False
        self._show_early = show_early
        self._early = bytearray()
        self._due = time.monotonic() + _BETWEEN_S

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        part = bytes(data)
        self.is_full = self.is_full or self.size > (MOST if self._has_line else MOST_OF_A_LINE)
        if self.is_full:
            raise BrokenPipeError
        self._has_line = self._has_line or b"\n" in part
        self.parts.append(part)
        self.size += len(part)
        if self._show_early is not None:
            self._early += part if self.size <= MOST_EARLY else b""
            if self._early and time.monotonic() > self._due:
                self._pass_on(self._show_early)
        return len(part)

    def _pass_on(self, show_early: Callable[[str], None]) -> None:
        end = self._early.rfind(b"\n") + 1
        if end:
            show_early(self._early[:end].decode("utf-8", "replace"))
            del self._early[:end]
            self._due = time.monotonic() + _BETWEEN_S


def answer(
    words: list[str],
    folder: str,
    paste_path: str | None,
    show_early: Callable[[str], None] | None = None,
) -> tuple[int, str, str, bool]:
    """Run a command line in a folder and return its exit status, its output, its messages, and
    whether the output was cut short. `paste_path` is the file that is standard input; the first
    lines of a long answer go to `show_early` while the command runs."""
    output, messages = _Bounded(show_early), io.StringIO()
    printed = io.TextIOWrapper(io.BufferedWriter(output), encoding="utf-8")
    streams = sys.stdin, sys.stdout, sys.stderr
    os.chdir(folder)
    sys.stdin = _standard_input(paste_path)
    sys.stdout = printed
    sys.stderr = messages
    try:
        status = main(words)
        printed.flush()
    except BrokenPipeError:
        status = 141
    except Exception:  # noqa: BLE001  # the page shows what it was
        traceback.print_exc()
        status = CRASHED
    finally:
        sys.stdin.close()
        sys.stdin, sys.stdout, sys.stderr = streams
    with contextlib.suppress(BrokenPipeError):
        printed.close()  # what is left in its buffer goes nowhere
    text = b"".join(output.parts).decode("utf-8", "replace")
    text = text[: text.rfind("\n") + 1] if output.is_full else text
    return status, text, messages.getvalue(), output.is_full


def scenarios() -> dict[str, str]:
    """Return the text of each built-in scenario, by name."""
    from ..rebalance.simulation.scenarios.scenario_files import built_in_scenarios  # late: one view

    return dict(built_in_scenarios())


class _Paste(io.BufferedReader):
    """A paste: it is read like a pipe, and never waited for."""

    def fileno(self) -> int:
        raise io.UnsupportedOperation("fileno")


def _standard_input(paste_path: str | None) -> io.TextIOWrapper:
    raw: Any = io.FileIO(paste_path) if paste_path is not None else io.BytesIO()
    return io.TextIOWrapper(_Paste(raw) if paste_path is not None else raw, encoding="utf-8")
