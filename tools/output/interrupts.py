"""Ctrl-C, at any moment: one line, and the status that shells know.

Python's KeyboardInterrupt may come in the middle of an import, of argparse or of a destructor,
whose own handling of it then fails with something else, or swallows it. So while the command
starts, when there is nothing yet to tidy up, the process ends on the spot; while a sub-command
runs, which may have files or processes to close, it is an exception as usual.

Little is imported here: until this has run, Ctrl-C is Python's.
"""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130  # 128 + SIGINT
LAST_WORD = "interrupted"


def end_at_once() -> None:
    """From now on Ctrl-C ends the process, unless somebody has decided otherwise (nohup)."""
    _replace(signal.default_int_handler, _end)


class Raised:
    """A context in which Ctrl-C is KeyboardInterrupt again."""

    def __enter__(self) -> None:
        self._ours = _replace(_end, signal.default_int_handler)

    def __exit__(self, *_: object) -> None:
        if self._ours:
            _replace(signal.default_int_handler, _end)


def _replace(before: object, now: object) -> bool:
    """Whether the handler was `before`, and is `now`."""
    try:
        if signal.getsignal(signal.SIGINT) != before:
            return False
        signal.signal(signal.SIGINT, now)  # type: ignore[arg-type]
    except ValueError:  # not the main thread, which alone has handlers
        return False
    return True


def _end(number: int, frame: object) -> None:
    try:
        os.write(2, f"kproto: {LAST_WORD}\n".encode())
    finally:
        os._exit(INTERRUPTED)
