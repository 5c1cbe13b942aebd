"""Handle Ctrl-C at any moment with one line and the exit status that shells expect.

Python's KeyboardInterrupt may be raised in the middle of an import, of argparse or of a destructor,
where it is turned into another error, or lost. So while the command starts, and has nothing to
close, the process ends at once; while a sub-command runs, which may have files or processes to
close, KeyboardInterrupt is raised as usual. Once all is written, Ctrl-C comes too late.

This module imports little: until it has run, Ctrl-C is handled by Python.
"""

from __future__ import annotations

# The module signal wraps this one, and takes milliseconds to import.
import _signal as signal  # type: ignore[import-not-found]
import os
import sys

INTERRUPTED = 130  # 128 + SIGINT
LAST_WORD = "interrupted"


def end_at_once() -> None:
    """Make Ctrl-C end the process from now on, unless it is ignored (nohup)."""
    _replace(signal.default_int_handler, _end)


def ignore() -> None:
    """Make Ctrl-C have no effect from now on: the command is done, and Python is closing down."""
    _replace(_end, signal.SIG_IGN)


class Raised:
    """A context in which Ctrl-C raises KeyboardInterrupt again."""

    def __enter__(self) -> None:
        self._ours = _replace(_end, signal.default_int_handler)
        self._hook = sys.unraisablehook
        if self._ours:
            sys.unraisablehook = self._unraisable

    def __exit__(self, *_: object) -> None:
        if self._ours:
            sys.unraisablehook = self._hook
            _replace(signal.default_int_handler, _end)

    def _unraisable(self, lost: sys.UnraisableHookArgs) -> None:
        """Raise a KeyboardInterrupt again that a destructor or a callback of the import lost."""
        if lost.exc_type is KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
        else:
            self._hook(lost)


def _replace(before: object, now: object) -> bool:
    """Replace the handler `before` by `now`; return whether that was done."""
    try:
        if signal.getsignal(signal.SIGINT) != before:
            return False
        signal.signal(signal.SIGINT, now)
    except ValueError:  # not the main thread, which alone has handlers
        return False
    return True


def _end(number: int, frame: object) -> None:
    try:
        os.write(2, f"kproto: {LAST_WORD}\n".encode())
    finally:
        os._exit(INTERRUPTED)
