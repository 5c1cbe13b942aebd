"""Handle Ctrl-C at any moment with one line and the exit status that shells expect.

Python's KeyboardInterrupt may be raised in the middle of an import, of argparse or of a destructor,
where it is turned into another error, or lost. So while the command starts, and has nothing to
close, the process ends at once; while a sub-command runs, which may have files or processes to
close, KeyboardInterrupt is raised, though not in the middle of an import. Once all is written,
Ctrl-C comes too late.

This module imports little: until it has run, Ctrl-C is handled by Python.
"""

from __future__ import annotations

# The module signal wraps this one, and takes milliseconds to import.
import _signal as signal  # type: ignore[import-not-found]
import os
import sys

TYPE_CHECKING = False  # importing typing takes longer than all of this
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130  # 128 + SIGINT
LAST_WORD = "interrupted"

_HAS_ALARM = hasattr(signal, "setitimer")  # not on Windows
_SOON, _LOST, _PATIENCE = 0.01, 1.0, 2.0  # seconds
_asked: list[int] = []


def end_at_once() -> None:
    """Make Ctrl-C end the process from now on, unless it is ignored (nohup)."""
    _replace(signal.default_int_handler, _end)


def ignore() -> None:
    """Make Ctrl-C have no effect from now on: the command is done, and Python is closing down."""
    _replace(_end, signal.SIG_IGN)


class Raised:
    """A context in which Ctrl-C raises KeyboardInterrupt again.

    It is raised once no import is going on, for at most `_PATIENCE`, and again where it was lost:
    a function in C may drop any error.
    """

    def __enter__(self) -> None:
        self._ours = _replace(_end, self._interrupted)
        self._hook = sys.unraisablehook
        self._waits = 0
        if self._ours:
            sys.unraisablehook = self._unraisable
            if _HAS_ALARM:
                self._before = signal.signal(signal.SIGALRM, self._again)

    def __exit__(self, *_: object) -> None:
        if self._ours:
            _alarm(0)
            if _HAS_ALARM:
                signal.signal(signal.SIGALRM, self._before)
            if not _asked:  # else half-made objects are destroyed as the process ends
                sys.unraisablehook = self._hook
            _replace(self._interrupted, _end)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        _asked.append(number)
        if _HAS_ALARM and self._waits * _SOON < _PATIENCE and _is_importing(frame):
            self._waits += 1
            _alarm(_SOON)
            return
        _alarm(_LOST)
        raise KeyboardInterrupt

    def _again(self, number: int, frame: FrameType | None) -> None:
        if not _asked:
            return
        if isinstance(sys.exc_info()[1], KeyboardInterrupt):  # not lost: something is being closed
            _alarm(_LOST)
        else:
            self._interrupted(number, frame)

    def _unraisable(self, hook_arguments: sys.UnraisableHookArgs) -> None:
        """Have a KeyboardInterrupt raised again that a destructor or a callback of the import lost.
        What half-made objects complain of after an interrupt is not worth a word."""
        if hook_arguments.exc_type is KeyboardInterrupt and _HAS_ALARM:
            _alarm(_SOON)
        elif hook_arguments.exc_type is KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
        elif not _asked:
            self._hook(hook_arguments)


def was_asked() -> bool:
    """Return whether somebody has pressed Ctrl-C since `Raised` began, and nothing handled it."""
    return bool(_asked)


def handled() -> None:
    """Note that the program goes on after Ctrl-C, as a pager does."""
    _asked.clear()
    _alarm(0)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _alarm(seconds: float) -> None:
    if _HAS_ALARM:
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _replace(handler: object, replacement: object) -> bool:
    """Replace the handler `handler` by `replacement`; return whether that was done."""
    try:
        if signal.getsignal(signal.SIGINT) != handler:
            return False
        signal.signal(signal.SIGINT, replacement)
    except ValueError:  # not the main thread, which alone has handlers
        return False
    return True


def _end(number: int, frame: object) -> None:
    try:
        os.write(2, f"kproto: {LAST_WORD}\n".encode())
    finally:
        os._exit(INTERRUPTED)
