"""One input through one target in a process of its own, within a time and a memory limit.

What may hang or eat the machine is judged from outside: replaying, making hangs small, tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Timer

from ..findings.finding import Finding, Kind, of_exception
from ..targets import Missing
from .job import MISSING

SECONDS = 10.0
MEMORY = 2 << 30
_START = 120.0  # seconds until it is ready: a JVM may have to come first
_BROKEN = 70  # exit status: a finding is on standard output


def replay(target: str, data: bytes, *, seconds: float = SECONDS) -> None:
    """Raise AssertionError where the input still is a finding. A ready test calls this."""
    found = judge(target, data, seconds=seconds)
    if found is not None:
        raise AssertionError(f"{found.title}\ninput: {data.hex()}")


def judge(
    target: str, data: bytes, *, seconds: float = SECONDS, memory: int = MEMORY
) -> Finding | None:
    """Return the finding that the input is; None if it is none.

    Raises `Missing` as `load` does, and where the target does not even begin.
    """
    import msgspec

    command = [sys.executable, "-m", __name__, target, str(memory)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment()
    ) as process:
        assert process.stdout is not None
        starting = Timer(_START, process.kill)
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
    """Return a finding that was seen from outside: no exception, no place."""
    return Finding(target, kind, kind.value, "", message, data, data)


def environment() -> dict[str, str]:
    """That of every child: sets and dicts are in the same order each time."""
    return os.environ | {"PYTHONHASHSEED": "0"}


def _main(target: str, memory: str) -> int:
    import msgspec

    from ..targets import load, reserves
    from .worker import _limit

    try:
        check = load(target).check
    except Missing as reason:
        print(reason, file=sys.stderr)  # noqa: T201  # `judge` reads it
        return MISSING
    if not reserves(target):
        _limit(int(memory))
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
