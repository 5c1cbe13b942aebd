"""Handle Ctrl-C and SIGTERM at any moment with one line and the exit status that shells expect.

Python's KeyboardInterrupt may be raised in the middle of an import, of argparse or of a destructor,
where it is turned into another error, or lost. So while the command starts, and has nothing to
close, the process ends at once; while a sub-command runs, which may have files or processes to
close, KeyboardInterrupt is raised, though not in the middle of an import. Once all is written,
Ctrl-C comes too late. SIGTERM is handled while a sub-command runs; before and after, it ends the
process as it ends any other.

This module imports little: until it has run, Ctrl-C is handled by Python.
"""

from __future__ import annotations

# The module signal wraps this one, and takes milliseconds to import.
import _signal as signal  # type: ignore[import-not-found]
import os
import sys
import time

TYPE_CHECKING = False  # importing typing takes longer than all of this
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED: int = 128 + signal.SIGINT
TERMINATED: int = 128 + signal.SIGTERM
LAST_WORD = "interrupted"
_TERMINATED = "terminated"

_HAS_ALARM = hasattr(signal, "setitimer")  # not on Windows
_SOON, _LOST, _PATIENCE = 0.01, 1.0, 2.0  # seconds
_TOGETHER = 1.0  # seconds: `timeout` sends SIGTERM twice, to the program and to its group
_asked: list[int] = []


def end_at_once() -> None:
    """Make Ctrl-C end the process from now on, unless it is ignored (nohup)."""
    _replace(signal.default_int_handler, _end)


def ignore() -> None:
    """Make Ctrl-C have no effect from now on: the command is done, and Python is closing down."""
    _replace(_end, signal.SIG_IGN)


class Raised:
    """A context in which Ctrl-C raises KeyboardInterrupt again, and SIGTERM does, too.

    It is raised once no import is going on, for at most `_PATIENCE`, and again where it was lost:
    a function in C may drop any error. A second SIGTERM that comes later ends the process at once.
    """

    def __enter__(self) -> None:
        self._ours = _replace(_end, self._interrupted)
        self._process = os.getpid()
        self._terminated = 0.0
        # In a script's background (`kproto audit … &`) Ctrl-C is ignored, and SIGTERM is not.
        is_alone = self._ours or signal.getsignal(signal.SIGINT) == signal.SIG_IGN
        self._is_terminable = is_alone and _replace(
            signal.SIG_DFL, self._told_to_end, signal.SIGTERM
        )
        self._is_active = self._ours or self._is_terminable
        self._hook = sys.unraisablehook
        self._waits = 0
        if self._is_active:
            sys.unraisablehook = self._unraisable
            if _HAS_ALARM:
                self._before = signal.signal(signal.SIGALRM, self._again)

    def __exit__(self, *_: object) -> None:
        if self._is_active:
            _alarm(0)
            if _HAS_ALARM:
                signal.signal(signal.SIGALRM, self._before)
            if not _asked:  # else half-made objects are destroyed as the process ends
                sys.unraisablehook = self._hook
            _replace(self._interrupted, _end)
        if self._is_terminable and not self._terminated:
            _replace(self._told_to_end, signal.SIG_DFL, signal.SIGTERM)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        _asked.append(number)
        if _HAS_ALARM and self._waits * _SOON < _PATIENCE and _is_importing(frame):
            self._waits += 1
            _alarm(_SOON)
            return
        _alarm(_LOST)
        raise KeyboardInterrupt

    def _told_to_end(self, number: int, frame: FrameType | None) -> None:
        earlier, self._terminated = self._terminated, self._terminated or time.monotonic()
        if os.getpid() != self._process or (earlier and time.monotonic() - earlier > _TOGETHER):
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        elif not earlier:
            self._interrupted(number, frame)

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


def last_word() -> tuple[str, int]:
    """Return the line and the exit status of a command that was interrupted."""
    is_told = _asked[:1] == [signal.SIGTERM]
    return (_TERMINATED, TERMINATED) if is_told else (LAST_WORD, INTERRUPTED)


def handled() -> bool:
    """Note that the program goes on after Ctrl-C, as a pager does, or after SIGTERM, to print how
    it ended; return whether it was SIGTERM."""
    is_told = _asked[:1] == [signal.SIGTERM]
    _asked.clear()
    _alarm(0)
    return is_told


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _alarm(seconds: float) -> None:
    if _HAS_ALARM:
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _replace(handler: object, replacement: object, number: int = signal.SIGINT) -> bool:
    """Replace the handler `handler` by `replacement`; return whether that was done."""
    try:
        if signal.getsignal(number) != handler:
            return False
        signal.signal(number, replacement)
    except ValueError:  # not the main thread, which alone has handlers
        return False
    return True


def _end(number: int, frame: object) -> None:
    try:
        os.write(2, f"kproto: {LAST_WORD}\n".encode())
    finally:
        os._exit(INTERRUPTED)
