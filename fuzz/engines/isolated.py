"""One input through one target in a process of its own, within a time and a memory limit.

An input that may hang or take all memory is judged from outside: for replaying, minimising, tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Timer

import msgspec

from ..findings.finding import Finding, Kind, of_exception
from ..targets import Missing, load, reserves
from .job import MISSING
from .worker import limit_memory

SECONDS = 10.0
"""Seconds that an input may take."""
MEMORY = 2 << 30
"""Bytes that an input may take."""
START = 120.0  # seconds until it is ready: a JVM may have to come first
_BROKEN = 70  # exit status: a finding is on standard output


def replay(target: str, data: bytes, *, seconds: float = SECONDS) -> None:
    """Raise AssertionError if the input still is a finding. The test that a finding becomes calls
    this.
    """
    found = judge(target, data, seconds=seconds)
    if found is not None:
        raise AssertionError(f"{found.title}\ninput: {data.hex()}")


def judge(
    target: str, data: bytes, *, seconds: float = SECONDS, memory: int = MEMORY
) -> Finding | None:
    """Return the finding that the input is; None if it is none.

    Raises `Missing` as `load` does, and if the target does not even begin.
    """
    command = [sys.executable, "-m", __name__, target, str(memory)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment()
    ) as process:
        assert process.stdout is not None
        starting = Timer(START, process.kill)
        starting.daemon = True
        starting.start()
        ready = process.stdout.read(1)  # what it took to start is not the input's
        starting.cancel()
        try:
            said, complaint = process.communicate(data, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return ended(target, data, Kind.HANG, f"no end within {seconds:g} seconds")
    status = process.returncode
    if status == _BROKEN:
        return msgspec.json.decode(said, type=Finding)
    last = "".join(complaint.decode(errors="replace").strip().splitlines()[-1:])
    why = f"ended with status {status}{': ' + last if last else ''}"
    if not ready:
        raise Missing(last if status == MISSING else f"it does not begin: {why}")
    return ended(target, data, Kind.CRASH, why) if status else None


def ended(target: str, data: bytes, kind: Kind, message: str) -> Finding:
    """Return a finding that was seen from outside: without an exception or a place."""
    return Finding(target, kind, kind.value, "", message, data, data)


def environment() -> dict[str, str]:
    """Return the environment of every child: sets and dicts are in the same order each time."""
    return os.environ | {"PYTHONHASHSEED": "0"}


def _main(target: str, memory: str) -> int:
    try:
        check = load(target).check
    except Missing as reason:
        print(reason, file=sys.stderr)  # noqa: T201  # `judge` reads it
        return MISSING
    if not reserves(target):
        limit_memory(int(memory))
    sys.stdout.write("\n")
    sys.stdout.flush()
    data = sys.stdin.buffer.read()
    try:
        check(data)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is a finding
        sys.stdout.buffer.write(msgspec.json.encode(of_exception(target, error, data)))
        sys.stdout.flush()
        return _BROKEN
    return 0


if __name__ == "__main__":
    raise SystemExit(_main(*sys.argv[1:]))
