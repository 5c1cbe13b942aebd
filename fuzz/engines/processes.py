"""Child processes as their parent sees them: a worker, and the judge of a single input.

A process that dies, hangs or takes too much memory is a finding.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Timer

import msgspec

from ..calls import is_foreign
from ..conformance.process import memory_of
from ..findings import FindingKind, FuzzFinding
from ..targets import Missing
from .job import BROKEN, MAX_LOG, MISSING, Job, SharedStatus, WorkerProgress, environment

WORKER = (sys.executable, "-m", f"{__package__}.worker")
"""The command of a child process."""

_COVERAGE = re.compile(rb"cov: (\d+) ft: \d+ corp: (\d+)/")
_TAIL = 1 << 16
_LONG_LOG = 16 << 20  # of a client that writes something for many inputs
_FATAL = re.compile(r"^Fatal Python error: .+", re.MULTILINE)
_FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)', re.MULTILINE)
_GRACE = 60.0  # seconds until the first execution: a JVM may have to come first
_STOPPING = 5.0


class Worker:
    """A process that carries out one job."""

    def __init__(self, job: Job, path: Path, *, timeout: float, memory: int) -> None:
        self.job = job
        self._timeout = timeout
        self._memory = memory
        job.write(path)
        job.findings.unlink(missing_ok=True)
        self._status = SharedStatus(job.status, create=True)
        self._log = path.with_suffix(".log")
        self.began = self._moved = time.monotonic()
        self._beats = 0
        self._read = 0
        self._log.unlink(missing_ok=True)
        with self._log.open("ab") as log:  # it may be emptied while the process writes
            self._process = subprocess.Popen(
                [*WORKER, str(path)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment(),
                start_new_session=True,  # Ctrl-C is for the campaign, which asks the worker to end
            )

    @property
    def pid(self) -> int:
        """The process id of the worker."""
        return self._process.pid

    @property
    def progress(self) -> WorkerProgress:
        """What the shared status shows."""
        return self._status.progress()

    def coverage(self) -> tuple[int, int]:
        """Return branches reached and inputs kept, as libFuzzer last reported; zeros without it."""
        size = self._log.stat().st_size
        with self._log.open("rb") as log:
            log.seek(max(0, size - _TAIL))
            reports = _COVERAGE.findall(log.read())
        return (int(reports[-1][0]), int(reports[-1][1])) if reports else (0, 0)

    def findings(self) -> list[FuzzFinding]:
        """Return the findings that it has written since this was last called."""
        if not self.job.findings.exists():
            return []
        with self.job.findings.open("rb") as file:
            file.seek(self._read)
            lines = file.read()
        complete = lines[: lines.rfind(b"\n") + 1]  # the last may still be in the writing
        self._read += len(complete)
        return [msgspec.json.decode(line, type=FuzzFinding) for line in complete.splitlines()]

    def watch(self) -> FuzzFinding | None:
        """End it if it hangs or takes too much memory, and return that as a finding; None if it
        does not.
        """
        time_now, beats = time.monotonic(), self.progress.beats
        if beats != self._beats:
            self._beats, self._moved = beats, time_now
        allowed = self._timeout if beats else max(self._timeout, _GRACE)
        if time_now - self._moved > allowed:
            return self._killed(FindingKind.HANG, f"no end within {self._timeout:g} seconds")
        if self._log.stat().st_size > _LONG_LOG:
            os.truncate(self._log, 0)
        resident = self._resident()
        if resident > self._memory:
            return self._killed(FindingKind.MEMORY, f"{resident >> 20} MiB resident")
        return None

    def ended(self) -> bool:
        """Return whether the process has ended."""
        return self._process.poll() is not None

    def outcome(self) -> FuzzFinding | None:
        """Return the finding that the end of the process is; None if it ended in order."""
        status = self._process.returncode
        if status in (0, MISSING):
            return None
        text = self._log.read_bytes()[-_TAIL:].decode(errors="replace")
        return self._kept(died(self.job.target, self._status.input(), status, text))

    def missing(self) -> str:
        """Return why its target was left out; "" if it was not."""
        return self._last_line() if self._process.returncode == MISSING else ""

    def stop(self) -> None:
        """Ask it to end, and kill it if it does not."""
        self._status.stop()
        try:
            self._process.wait(_STOPPING)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kill the process at once."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the shared status."""
        self._status.close()

    def _killed(self, kind: FindingKind, message: str) -> FuzzFinding:
        self.kill()
        return self._kept(ended(self.job.target, self._status.input(), kind, message))

    def _kept(self, finding: FuzzFinding) -> FuzzFinding:
        return msgspec.structs.replace(
            finding, seed=self.job.seed, execution=self.progress.executions
        )

    def _last_line(self) -> str:
        text = self._log.read_bytes()[-2000:].decode(errors="replace")
        return next((line for line in reversed(text.splitlines()) if line.strip()), "")

    def _resident(self) -> int:
        """Return resident bytes; 0 if the platform does not say."""
        memory = memory_of([self._process.pid])
        return 0 if memory is None else memory.resident


SECONDS = 10.0
"""Seconds that an input may take."""
MEMORY = 2 << 30
"""Bytes that an input may take."""
START = 120.0  # seconds until it is ready: a JVM may have to come first


def replay(target: str, data: bytes, *, seconds: float = SECONDS) -> None:
    """Raise AssertionError if the input still is a finding. The test that a finding becomes calls
    this.
    """
    for finding in judge(target, data, seconds=seconds):
        raise AssertionError(f"{finding.title}\ninput: {data.hex()}")


def judge(
    target: str, data: bytes, *, seconds: float = SECONDS, memory: int = MEMORY
) -> list[FuzzFinding]:
    """Return the findings that the input is.

    Raises `Missing` as `load` does, and if the target does not even begin.
    """
    command = [*WORKER, target, str(memory)]
    pipe = subprocess.PIPE
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=errors, env=environment()
        ) as process,
    ):
        assert process.stdout is not None
        starting = Timer(START, process.kill)
        starting.daemon = True
        starting.start()
        ready = process.stdout.read(1)  # what it took to start is not the input's
        starting.cancel()
        try:
            output, _ = process.communicate(data, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return [ended(target, data, FindingKind.HANG, f"no end within {seconds:g} seconds")]
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - _TAIL))
        complaint = errors.read().decode(errors="replace")
    status = process.returncode
    if status == BROKEN:
        return msgspec.json.decode(output, type=list[FuzzFinding])
    death = died(target, data, status, complaint)
    if not ready:
        last = "".join(complaint.strip().splitlines()[-1:])
        raise Missing(last if status == MISSING else f"it does not begin: {death.message}")
    return [death] if status else []


def died(target: str, data: bytes, status: int, text: str) -> FuzzFinding:
    """Return the finding that the death of a process is. `text` is the end of what it wrote: of a
    crash Python writes there which functions it was in.
    """
    if status == -getattr(signal, "SIGXFSZ", 0):
        return ended(target, data, FindingKind.FLOOD, f"wrote {MAX_LOG >> 20} MiB of output")
    fatal = _FATAL.search(text)
    lines = [line for line in text.splitlines() if line.strip()]
    words = fatal[0] if fatal else "".join(lines[-1:])
    message = f"ended with status {status}{': ' + words if words else ''}"
    adapter = f"{target.rpartition('.')[2].removeprefix('client-')}.py"
    frames = [
        f"{Path(file).name}:{line} {function}"
        for file, line, function in _FRAME.findall(text[fatal.start() :] if fatal else "")
        if is_foreign(file)
    ]
    own = [frame for frame in frames if not frame.startswith(f"{adapter}:")] or frames
    finding = ended(target, data, FindingKind.CRASH, message)
    return msgspec.structs.replace(finding, where=" < ".join(dict.fromkeys(own[:2])))


def ended(target: str, data: bytes, kind: FindingKind, message: str) -> FuzzFinding:
    """Return a finding that was seen from outside: without an exception or a place."""
    return FuzzFinding(target, kind, kind.value, "", message, data, data)
