"""A subject in a process of its own: a crash or a hang there does not end this process.

The process is forked, so that functions, closures and what they have imported are there as they
are. It answers one question after the other; where it dies, hangs or floods its standard error,
that is the answer, and the next question goes to a fresh one.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import pickle
import re
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

from .conformance.process import ProcessorClock, address_limit
from .subject import Cost, Failed, Failure, JsonObject, ReadAnswer, Subject, WriteAnswer

_LOOK = 0.05  # seconds between two looks at its standard error and the time
_STARVED = 10  # times the allowed seconds, at most, where it waits for a processor
_LAST_WORDS = 1.5  # seconds that a dying process has to end
_MAX_STDERR = 8 << 20
_HANGS_OF_A_KIND = 3
_PAGE = 4096
_FATAL = "Fatal Python error: "  # the first line of what Python says of its own death
_REASON = re.compile(r"memory|panicked|assert|bad_alloc", re.IGNORECASE)
_NO_MEMORY = re.compile(r"memory allocation|MemoryError|out of memory|bad_alloc|annot allocate")

Question = tuple[Any, ...]


class Limits(NamedTuple):
    """The limits of one answer."""

    seconds: float = 2.0
    memory: int = 2 << 30
    """Bytes of address space, beyond what this process has where the other begins."""


class Past:
    """What is known of earlier processes of the same subject: a hang is not waited for twice."""

    def __init__(self) -> None:
        self.failed: dict[str, Failed] = {}
        """The failure by the question."""
        self.hangs: Counter[str] = Counter()
        """The number of hangs and floods by the kind of input."""


class OwnProcess:
    """A subject that answers from a forked process; `close` ends it.

    `kind` is that of the inputs which come next: after three hangs on one kind the rest of it is
    not asked. Raises OSError where a process cannot be forked.
    """

    def __init__(self, subject: Subject, limits: Limits, past: Past | None = None) -> None:
        if not hasattr(os, "fork"):
            raise OSError("this platform cannot fork a process")
        self._subject = subject
        self._limits = limits
        self._past = past or Past()
        self._child: _Child | None = None
        self.kind = ""

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes there (see `Subject`)."""
        answer: ReadAnswer = self._ask("decode", name, data, version)
        return answer

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value there (see `Subject`)."""
        answer: WriteAnswer = self._ask("encode", name, version, value)
        return answer

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back there (see `Subject`)."""
        answer: WriteAnswer = self._ask("rewrite", name, data, version)
        return answer

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return the cost of reading bytes, measured there (see `Subject`)."""
        answer: Cost | Failed | None = self._ask("cost", name, data, version)
        return None if isinstance(answer, Failed) else answer

    def _ask(self, *question: Any) -> Any:
        key = repr(question)
        if key in self._past.failed:
            return self._past.failed[key]
        if self._past.hangs[self.kind] >= _HANGS_OF_A_KIND:
            text = f"given up after {_HANGS_OF_A_KIND} hangs on inputs of their kind"
            return Failed(Failure.SKIPPED, text)
        child = self._child = self._child or _Child(self._subject, self._limits)
        try:
            return child.ask(question)
        except _Ended as ended:
            self.close()
            failure = self._past.failed[key] = Failed(ended.how, str(ended))
            self._past.hangs[self.kind] += ended.how in (Failure.HANG, Failure.FLOOD)
            return failure

    def close(self) -> None:
        """End the process; the next question begins another."""
        if self._child is not None:
            self._child.close()
            self._child = None


class _Ended(Exception):
    """The process gave no answer and is of no use any more; the text says why."""

    def __init__(self, how: Failure, detail: str) -> None:
        super().__init__(detail)
        self.how = how


class _Child:
    """The forked process."""

    def __init__(self, subject: Subject, limits: Limits) -> None:
        self._seconds = limits.seconds
        self._stderr = Path(tempfile.mkstemp(prefix="kproto-")[1])
        context = multiprocessing.get_context("fork")
        self._pipe, child_end = context.Pipe()
        arguments = (subject, child_end, self._pipe, limits.memory, self._stderr)
        self._process: BaseProcess = context.Process(target=_serve, args=arguments, daemon=True)
        with warnings.catch_warnings():
            # Of threads that the other process does not have: it runs the subject alone.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        child_end.close()

    def ask(self, question: Question) -> Any:
        """Return the answer to a question. Raises `_Ended`."""
        try:
            self._pipe.send_bytes(pickle.dumps(question))
            self._wait()
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError):
            raise self._death() from None
        return pickle.loads(answer)  # noqa: S301  # of the user's own code, forked from this process

    def _wait(self) -> None:
        """Wait for the answer; time in which the process waits for a processor does not count."""
        began = time.monotonic()
        clock = ProcessorClock([self._process.pid or 0])
        while not self._pipe.poll(_LOOK):
            if self._stderr.stat().st_size > _MAX_STDERR:
                raise _Ended(Failure.FLOOD, "floods its standard error")
            late = time.monotonic() - began - self._seconds
            most = _STARVED * self._seconds
            if late > 0 and late > min(clock.passed().waited, most) and not self._pipe.poll():
                raise _Ended(Failure.HANG, f"no answer within {self._seconds:g} seconds")

    def _death(self) -> _Ended:
        self._process.join(_LAST_WORDS)
        code = self._process.exitcode
        how = "closed its output" if code is None else f"ended with exit status {code}"
        if code is not None and code < 0:
            how = f"died of {signal.Signals(-code).name}"
        words = _telling(self._stderr.read_text("utf-8", "replace").strip().splitlines())
        why = Failure.MEMORY if _NO_MEMORY.search(words) else Failure.CRASH
        return _Ended(why, f"{how}: {words}" if words else how)

    def close(self) -> None:
        """Kill the process and all that it started."""
        with suppress(OSError):
            os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self._pipe.close()
        self._stderr.unlink(missing_ok=True)


def _telling(lines: list[str]) -> str:
    """Return what is worth showing of the last words: the reason, and where Python was."""
    fatal = next((at for at, line in enumerate(lines) if line.startswith(_FATAL)), len(lines))
    reasons = [line.strip() for line in lines[:fatal] if line.strip()]
    reasons = [line for line in reasons if _REASON.search(line)][:1] or reasons[-1:]
    frames = [line.strip() for line in lines[fatal:] if line.lstrip().startswith("File ")][:1]
    return "; ".join(reasons + [line.strip() for line in lines[fatal : fatal + 1]] + frames)[:300]


def _serve(
    subject: Subject, pipe: Connection, parent_end: Connection, memory: int, stderr: Path
) -> None:
    """Answer questions until the other end is closed."""
    os.setsid()  # Ctrl-C is for the tests
    parent_end.close()
    words = stderr.open("wb", buffering=0)
    os.dup2(words.fileno(), 2)
    sys.stderr = os.fdopen(2, "w", errors="replace", closefd=False)
    faulthandler.enable(words)  # not where the tests' own reports go
    _limit(memory)
    ask: dict[str, Callable[..., Any]] = {
        "decode": subject.decode,
        "encode": subject.encode,
        "rewrite": subject.rewrite,
        "cost": subject.cost,
    }
    while True:
        try:
            op, *arguments = pickle.loads(pipe.recv_bytes())  # noqa: S301
        except (EOFError, OSError):
            os._exit(0)
        answer = ask[op](*arguments)
        try:
            reply = pickle.dumps(answer)
        except Exception as error:  # noqa: BLE001  # whatever a client's values raise
            reply = pickle.dumps(Failed(Failure.LIE, f"an answer that is no JSON: {error}"))
        pipe.send_bytes(reply)


def _limit(memory: int) -> None:
    with suppress(ImportError, OSError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        address_limit(pages * _PAGE + memory)()
