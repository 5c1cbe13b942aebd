"""Calls of a client's functions in this process: the place where one failed, and the end of those
that hang or flood.

A fault is told by its place in the client's own code: the function that failed and, if that is the
client's too, the one that called it. Of a hang it is the function whose loop does not end: what it
calls changes from one look to the next.

A timer of the process's own processor time looks now and then whether a call still goes on. Python
code is interrupted where it is; code in C is not, and the parent process ends that.
"""

from __future__ import annotations

import atexit
import io
import signal
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any

SECONDS = 2.0
"""Seconds of processor time after which a call is a hang; the first one, which may import, has
`_FIRST`.
"""
_FIRST = 10.0
_LOOK = 0.05  # seconds between two looks
_KNOWN_LOOKS = 2  # after so many a function is interrupted that has hung before
MAX_OUTPUT = 1 << 20
"""Characters that a call may write to standard output and standard error together."""
_PACKAGE = str(Path(__file__).parents[1])
_PYTHON = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
_INSTALLED = "site-packages"


class Hang(BaseException):
    """A call took longer than it may; no `except Exception` of the client's holds it up."""


class Flood(BaseException):
    """A call wrote more than any answer can be."""


class Calls:
    """The calls of a client, one after the other.

    `modules` are the names of the client's modules and packages, `adapter` is the module of the
    functions around it, whose places count only where there is no other.
    """

    def __init__(self, modules: tuple[str, ...], adapter: str) -> None:
        self._modules = modules
        self._adapter = adapter
        self._output = _Output()
        self._number = 0
        self._is_inside = False
        self._looked_at = 0
        self._looks = 0
        self._stack: list[FrameType] = []
        self._hanging: set[CodeType] = set()
        self._error: BaseException | None = None
        self._watch()

    def forget(self) -> None:
        """Forget the exception that ended the last call."""
        self._error = None

    @property
    def error(self) -> str:
        """The type of the exception that ended the last call; "" if none did."""
        return "" if self._error is None else type(self._error).__name__

    @property
    def place(self) -> str:
        """The place where that exception was raised; "" if none was."""
        error = self._error
        if error is None or isinstance(error, Hang):
            return "" if error is None else str(error)
        frames = list(walk_tb(error.__traceback__))
        own = self._own([frame for frame, _ in frames])
        lines = {id(frame): line for frame, line in frames}
        places = [_place(frame, lines[id(frame)]) for frame in own[-2:]]
        return " < ".join(dict.fromkeys(reversed(places)))

    def guard(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its calls watched; what it raises is raised again."""
        output = self._output

        @wraps(function)
        def guarded(*arguments: Any) -> Any:
            self._number += 1
            self._error = None
            stdout, stderr = sys.stdout, sys.stderr
            sys.stdout = sys.stderr = output
            self._is_inside = True
            try:
                return function(*arguments)
            except BaseException as error:
                self._is_inside = False
                self._error = error  # its place is looked up where it is asked for
                raise
            finally:
                self._is_inside = False
                sys.stdout, sys.stderr = stdout, stderr
                output.size = 0

        return guarded

    def _own(self, frames: list[FrameType]) -> list[FrameType]:
        """Return the frames of the client's code, outermost first; of the adapter, or of whatever
        is no part of Python and kproto, if there are none.
        """
        for is_own in (self._is_client, self._is_adapter, _is_foreign):
            own = [frame for frame in frames if is_own(frame)]
            if own:
                return own
        return []

    def _is_client(self, frame: FrameType) -> bool:
        name = frame.f_globals.get("__name__", "")
        return any(
            name == module or name.startswith(f"{module}.")
            for module in self._modules
            if module != self._adapter
        )

    def _is_adapter(self, frame: FrameType) -> bool:
        return bool(frame.f_globals.get("__name__", "") == self._adapter)

    # -- hangs

    def _watch(self) -> None:
        if not hasattr(signal, "setitimer"):
            return  # Windows: the parent process ends what hangs
        if threading.current_thread() is not threading.main_thread():
            return
        signal.signal(signal.SIGVTALRM, self._look)
        signal.siginterrupt(signal.SIGVTALRM, False)
        signal.setitimer(signal.ITIMER_VIRTUAL, _LOOK, _LOOK)
        atexit.register(signal.setitimer, signal.ITIMER_VIRTUAL, 0.0)  # its handler ends sooner

    def _look(self, signum: int, frame: FrameType | None) -> None:
        if not self._is_inside or frame is None:
            return
        stack = self._own(list(reversed(list(_outwards(frame)))))
        if self._looked_at != self._number:
            self._looked_at, self._looks, self._stack = self._number, 0, stack
            return
        self._looks += 1
        alive = set(map(id, stack))
        self._stack = [frame for frame in self._stack if id(frame) in alive]
        if not self._stack:
            return
        loop = self._stack[-1]
        is_known = self._looks >= _KNOWN_LOOKS and loop.f_code in self._hanging
        limit = _FIRST if self._number == 1 else SECONDS
        if is_known or self._looks * _LOOK >= limit:
            self._hanging.add(loop.f_code)
            self._looks = 0
            self._stack = []
            raise Hang(_place(loop))


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_foreign(frame: FrameType) -> bool:
    return is_foreign(frame.f_code.co_filename)


def is_foreign(file: str) -> bool:
    """Return whether a source file belongs neither to Python nor to kproto."""
    if file.startswith(("<", _PACKAGE)) or "/kproto/" in file:
        return False
    return _INSTALLED in file or not file.startswith(_PYTHON)


def _place(frame: FrameType, line: int | None = None) -> str:
    """Return a place in the code as a text, the same on every machine."""
    file = Path(frame.f_code.co_filename).name
    return f"{file}{'' if line is None else f':{line}'} {frame.f_code.co_name}"


class _Output(io.TextIOBase):
    """Takes what a call writes, and counts it."""

    size = 0

    def write(self, text: str) -> int:
        self.size += len(text)
        if self.size > MAX_OUTPUT:
            self.size = 0
            raise Flood(f"wrote more than {MAX_OUTPUT >> 20} MiB of output")
        return len(text)

    def writable(self) -> bool:
        return True
