"""An adapter's process, its limits of time and memory, and how they are enforced: a line in, a line
out, and nothing that it does can block the run.

Its three streams are read and written as they become ready, its output is bounded, and the end of
its standard error is kept, since it tells why a process died. It leads a process group of its own,
which is killed as a whole.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from ..subject import Failure

try:
    import resource
except ImportError:  # Windows: no limits are set
    resource = None  # type: ignore[assignment]

_CHUNK = 1 << 16
_TAIL = 1 << 15  # of standard error, kept to tell why: panics come with long backtraces
_MAX_STDERR = 8 << 20  # of it during one question
_MAX_REPLY = 1 << 20  # beside what an honest reply to so long a question takes
_REPLY_FACTOR = 64
_WATCH = 0.05  # seconds between two looks at its memory
_STARVED = 10  # times the allowed seconds, at most, where it waits for a processor
_NO_REPLY = "no reply in time"
_LAST_WORDS = 1.5  # seconds that a dying process has to tell how it died


class Fell(Exception):
    """The adapter gave no reply, and its process cannot be used any more."""

    def __init__(self, how: Failure, detail: str) -> None:
        super().__init__(detail)
        self.how = how


class Late(Fell):
    """Output that belongs to the question before, which had its answer: this question did not cause
    it.
    """


class AdapterProcess:
    """A process of the command. Raises OSError if it cannot be started."""

    def __init__(
        self, command: Sequence[str], limits: ProcessLimits, *, bound_addresses: bool
    ) -> None:
        self._limits = limits
        self.bound_addresses = bound_addresses
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            preexec_fn=address_limit(limits.memory if bound_addresses else None),  # noqa: PLW1509
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin: IO[bytes] = self._process.stdin
        self._stdout: IO[bytes] = self._process.stdout
        self._stderr: IO[bytes] = self._process.stderr
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._stderr_open = True
        self._said = bytearray()
        self._tail = b""
        self.pids = [self._process.pid]

    def settle(self) -> None:
        """Note the processes to watch: those of its group, once it has answered."""
        self.pids = group_of(self._process.pid)

    @property
    def memory(self) -> ProcessMemory | None:
        """The memory of its processes now; None if it is not known."""
        return memory_of(self.pids)

    def clock(self) -> ProcessorClock:
        """Return the clock of its threads, from which on time can be told (`ProcessorClock`)."""
        return ProcessorClock(self.pids)

    def ask(self, line: bytes, seconds: float) -> tuple[bytes, bytes]:
        """Send one line and wait for one; return that line, and what came behind it. Raises
        `Fell`.
        """
        self._check_silence()
        return self._reply(_Waiting(self, line, seconds))

    def ask_first(self, line: bytes, seconds: float) -> tuple[bytes, bytes]:
        """Send the first line (see `ask`). What the program writes at its start may come before or
        after it, and is the reply in any case."""
        return self._reply(_Waiting(self, line, seconds))

    def wait(self, seconds: float) -> tuple[bytes, bytes]:
        """Go on waiting for a line that did not come in time (see `ask`). Raises `Fell`."""
        return self._reply(_Waiting(self, b"", seconds))

    def _reply(self, waiting: _Waiting) -> tuple[bytes, bytes]:
        while b"\n" not in self._said:
            waiting.step()
        reply, _, rest = bytes(self._said).partition(b"\n")
        self._said.clear()
        return reply, rest

    def ask_last(self, line: bytes, seconds: float) -> bytes:
        """Send one line, end its standard input, and return all that it writes then."""
        waiting = _Waiting(self, line, seconds, is_last=True)
        with suppress(Fell):
            while True:
                waiting.step()
        return bytes(self._said)

    def _check_silence(self) -> None:
        """Raise an error for output that came before the question."""
        with suppress(BlockingIOError):
            early = os.read(self._stdout.fileno(), _CHUNK)
            if early:
                why = f"output that nobody asked for: {_shown(early)}; answer each question once"
                raise Late(Failure.LIE, why)
            raise self._end_of_process("closed its output")

    def _end_of_process(self, end: str) -> Fell:
        """Return why the process has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS)
        self._drain_stderr()
        code = self._process.returncode
        if code is not None:
            end = f"died of {_signal(-code)}" if code < 0 else f"ended with exit status {code}"
        words = _telling(self._tail.decode("utf-8", "replace").strip().splitlines())
        quoted = f": {words[:300]}" if words and self._limits.quotes_errors else ""
        return Fell(_why(self._tail), end + quoted)

    def _drain_stderr(self) -> None:
        with suppress(OSError):  # BlockingIOError: nothing more for now
            for _ in range(64):
                self._keep(os.read(self._stderr.fileno(), _CHUNK))

    def _keep(self, words: bytes) -> None:
        self._tail = (self._tail + words)[-_TAIL:]

    def close(self) -> None:
        """Kill the process and all that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(OSError):
            self._process.kill()
        for stream in (self._stdin, self._stdout, self._stderr):
            with suppress(OSError):
                stream.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)


def _shown(output: bytes) -> str:
    """Return the beginning of some output, in quotes."""
    return repr(output[:60].decode("utf-8", "replace"))


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _telling(lines: list[str]) -> str:
    """Return the line of standard error that is worth showing: one that names an error, else the
    last. It is followed by the innermost place in a program that the lines name.
    """
    lines = [line for line in lines if not _RUNNERS.fullmatch(line)] or lines or [""]
    at = max((n for n, line in enumerate(lines) if _TELLING.search(line)), default=len(lines) - 1)
    text = lines[at].strip()
    panic = _RUST.search(text)
    if panic is not None and at + 1 < len(lines):
        return f"{lines[at + 1].strip()}, at {panic[1]}"
    before = [match for line in lines[:at] if (match := _PYTHON.match(line))]
    after = (match for line in lines[at + 1 :] if (match := _OTHERS.match(line)))
    place = next(after, None) if not before else before[-1]
    if place is None:
        return text
    return f"{text}, at {':'.join(part for part in place.groups() if part)}"


_TELLING = re.compile(
    r"^panic: |error\b|exception\b|panicked|memory|\bfault\b|assertion", re.IGNORECASE
)
_RUST = re.compile(r"panicked at (?:.*/)?([^/]+:\d+):\d+:$")
_PYTHON = re.compile(r'\s+File "(?:.*/)?([^/]+)", line (\d+)')
_OTHERS = re.compile(
    r"\t(?!.*/src/runtime/)(?:/.*/)?([^/]+\.go:\d+)"  # Go
    r"|\s+at (?!.*node:)(?:.*[/(])?([^/():]+:\d+)(?::\d+)?\)?$"  # Java, JavaScript
)
_RUNNERS = re.compile(r"exit status \d+")  # what `go run` says after the program's own last words
_NO_MEMORY = (
    b"memory allocation of",
    b"out of memory",
    b"OutOfMemory",
    b"MemoryError",
    b"bad_alloc",
)


def _why(stderr: bytes) -> Failure:
    return Failure.MEMORY if any(words in stderr for words in _NO_MEMORY) else Failure.CRASH


class _Waiting:
    """A question that waits for its reply."""

    def __init__(
        self, adapter: AdapterProcess, line: bytes, seconds: float, *, is_last: bool = False
    ) -> None:
        self._adapter = adapter
        self._is_last = is_last
        self._left = memoryview(line)
        self._seconds = seconds
        self._began = time.monotonic()
        self._deadline = self._began + seconds
        self._clock: ProcessorClock | None = None  # since the first look
        self._last_look = False
        self._max_reply = _MAX_REPLY + _REPLY_FACTOR * len(line)
        self._stderr_bytes = 0
        self._next_look = 0.0
        self._ready = selectors.DefaultSelector()
        if line:
            self._ready.register(adapter._stdin, selectors.EVENT_WRITE, self._write)
        self._ready.register(adapter._stdout, selectors.EVENT_READ, self._read)
        if adapter._stderr_open:
            self._ready.register(adapter._stderr, selectors.EVENT_READ, self._hear)

    def step(self) -> None:
        """Do whatever can be done now, or raise the reason to give up."""
        time_now = time.monotonic()
        if time_now >= self._deadline:
            self._deadline = self._extended()
        late = time_now >= self._deadline
        if late and self._last_look:
            raise Fell(Failure.HANG, self._silence())
        self._last_look = late  # this process may have been the slow one: the reply may be there
        if time_now >= self._next_look:
            self._next_look = time_now + _WATCH
            self._watch()
        wait = max(0.0, min(self._deadline - time_now, _WATCH))
        for key, _ in self._ready.select(wait):
            key.data()

    def _silence(self) -> str:
        said = bytes(self._adapter._said)
        return f"no reply in time, only {_shown(said)} without a line feed" if said else _NO_REPLY

    def _extended(self) -> float:
        """Return the deadline without the time in which the adapter waited for a processor: that
        is no fault of its own.
        """
        starved = 0.0 if self._clock is None else self._clock.passed().waited
        return self._began + self._seconds + min(starved, _STARVED * self._seconds)

    def _watch(self) -> None:
        adapter = self._adapter
        if self._clock is None and self._began + _WATCH <= time.monotonic():
            self._clock = adapter.clock()
        if adapter.bound_addresses:
            return
        memory = adapter.memory
        if memory is not None and memory.resident > adapter._limits.memory:
            raise Fell(Failure.MEMORY, f"{memory.resident >> 20} MiB resident")

    def _write(self) -> None:
        try:
            size = os.write(self._adapter._stdin.fileno(), self._left[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:
            self._read()  # it may have replied before it ended
            if b"\n" not in self._adapter._said:
                raise self._adapter._end_of_process("closed its input") from None
            size = len(self._left)
        self._left = self._left[size:]
        if not self._left:
            self._ready.unregister(self._adapter._stdin)
            if self._is_last:
                self._adapter._stdin.close()

    def _read(self) -> None:
        try:
            output = os.read(self._adapter._stdout.fileno(), _CHUNK)
        except BlockingIOError:  # it was read where the question could not be written
            return
        if not output:
            if b"\n" in self._adapter._said and not self._is_last:
                return  # it replied before it ended
            raise self._adapter._end_of_process("closed its output")
        self._adapter._said += output
        if len(self._adapter._said) > self._max_reply:
            raise Fell(Failure.FLOOD, f"more than {self._max_reply >> 10} KiB without a reply")

    def _hear(self) -> None:
        words = os.read(self._adapter._stderr.fileno(), _CHUNK)
        if not words:
            self._adapter._stderr_open = False
            self._ready.unregister(self._adapter._stderr)
        self._adapter._keep(words)
        self._stderr_bytes += len(words)
        if self._stderr_bytes > _MAX_STDERR:
            raise Fell(Failure.FLOOD, "floods its standard error")


_RESERVES_MORE = {"java", "node", "nodejs", "bun", "deno", "dotnet"}
"""Runtimes that reserve far more address space than they ever use: their resident memory is
watched.
"""

_GIB = 1 << 30


class ProcessLimits(NamedTuple):
    """The limits of one run."""

    reply_seconds: float = 2.0
    """Seconds for a reply; an adapter that takes longer hangs."""
    start_seconds: float = 10.0
    """Seconds for the reply to hello, in which a runtime starts."""
    run_seconds: float = 300.0
    """Seconds from the start of the run; it ends a few seconds later, whatever the adapter does."""
    memory: int = 2 * _GIB
    """Bytes of address space, or of resident memory if the address space cannot be bounded."""
    failures_of_a_kind: int = 3
    """Hangs, crashes and floods on one kind of input, after which the rest of that kind is
    skipped; 0 for no end.
    """
    quotes_errors: bool = True
    """Whether the end of what it wrote on standard error is told."""


def reserves_more(command: Sequence[str]) -> bool:
    """Return whether a program's address space says nothing about the memory that it uses. It may
    be started by another, which is named first.
    """
    return any(Path(word).name in _RESERVES_MORE for word in command)


def address_limit(memory: int | None) -> Callable[[], None]:
    """Return the function that the child calls between fork and exec: it bounds the address space
    and disables core dumps.
    """

    def apply() -> None:
        if resource is None:
            return
        with suppress(ValueError, OSError):  # a lower limit is there already, or there are none
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return apply


class ProcessMemory(NamedTuple):
    """The memory of a process in bytes, now and at its peaks."""

    resident: int
    resident_peak: int
    address_peak: int


_NOTHING = ProcessMemory(0, 0, 0)
_LINE = re.compile(r"^(VmPeak|VmHWM|VmRSS):\s+(\d+) kB$", re.MULTILINE)


def memory_of(pids: Sequence[int]) -> ProcessMemory | None:
    """Return the memory of these processes together; None if it is not known (not Linux)."""
    parts = [_memory(pid) for pid in pids]
    memories = [memory for memory in parts if memory is not None]
    return ProcessMemory(*map(sum, zip(*memories, strict=True))) if memories else None


def _memory(pid: int) -> ProcessMemory | None:
    with suppress(OSError):
        text = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
        sizes = {key: int(value) << 10 for key, value in _LINE.findall(text)}
        return ProcessMemory(sizes.get("VmRSS", 0), sizes.get("VmHWM", 0), sizes.get("VmPeak", 0))
    return None


class ProcessorTime(NamedTuple):
    """Seconds in which some processes had a processor, and waited for one."""

    used: float | None
    """By all of their threads together, and by children that have ended; None if not known."""
    waited: float
    """By the thread that waited longest."""


class ProcessorClock:
    """The time that some processes have had of the processors since the clock was made. It stands
    still where that is not known (not Linux).
    """

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = pids
        self._used = _used(pids)
        self._waited = _waited(pids)

    def passed(self) -> ProcessorTime:
        """Return the time since the start."""
        waited = (
            seconds - self._waited.get(thread, 0.0)
            for thread, seconds in _waited(self._pids).items()
        )
        end = _used(self._pids)
        used = None if end is None or self._used is None else end - self._used
        return ProcessorTime(used, max(waited, default=0.0))


def _used(pids: Sequence[int]) -> float | None:
    """Return the seconds that these processes have run, in ticks of the clock."""
    ticks = []
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2]
            ticks.append(sum(map(int, fields.split()[11:15])))  # utime, stime, cutime, cstime
    return sum(ticks) / _TICKS if ticks else None


_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100  # a second


def _waited(pids: Sequence[int]) -> dict[str, float]:
    """Return the seconds that each thread of these processes has waited for a processor."""
    seconds = {}
    for pid in pids:
        for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with suppress(OSError, ValueError, IndexError):
                seconds[file.parent.name] = int(file.read_text("ascii").split()[1]) / 1e9
    return seconds


def group_of(leader: int) -> list[int]:
    """Return the processes of a process group: an adapter may be a script that starts another."""
    pids = [leader]
    with suppress(OSError):
        names = [folder.name for folder in Path("/proc").iterdir()]
        candidates = {int(name) for name in names if name.isdecimal()} - {leader}
        pids += sorted(pid for pid in candidates if _process_group(pid) == leader)
    return pids


def _process_group(pid: int) -> int | None:
    with suppress(OSError):
        return os.getpgid(pid)
    return None
