"""How long the command and the compiled core take to start, in processes of their own.

All times are of the processor, as everywhere in this benchmark.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from contextlib import suppress
from functools import partial
from shutil import which

from kproto.codec import ENGINE

from .shapes import Subscription
from .timing import Call, Turn, timed

NOTHING = "python -c pass"
HELP = "kproto --help"
JSON = "kproto decode HEX --json"
INSPECTOR = "kproto decode HEX, on a terminal"
CORE = "import kproto.codec._core"

TERMINAL = {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}

# Without the core, the import of kproto.codec leaves that of the core to be timed.
IMPORT = """
import time, kproto.codec
start = time.process_time()
import kproto.codec._core
print(time.process_time() - start)
"""


class NotMeasured(Exception):
    """What is to be timed is not there, or does not do its work."""


def contestants(message: Subscription) -> tuple[dict[str, Turn], list[str]]:
    """What to time, and a line for each that is left out; each is checked once."""
    found = {NOTHING: _process(partial(_quiet, [sys.executable, "-c", "pass"]))}
    missing: list[str] = []
    for name, make in ((HELP, _help), (JSON, _json), (INSPECTOR, _inspector), (CORE, _core)):
        try:
            found[name] = make(message)
        except NotMeasured as reason:
            missing.append(f"{name} is left out: {reason}")
    return found, missing


def _process(call: Call) -> Turn:
    return timed([call], _processor_of_children)


def _processor_of_children() -> float:
    import resource  # there is none on Windows

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _help(_: Subscription) -> Turn:
    return _process(partial(_quiet, [_script(), "--help"]))


def _json(message: Subscription) -> Turn:
    command = [*_decode(message), "--json"]
    _check_json(command, message)
    return _process(partial(_quiet, command))


def _inspector(message: Subscription) -> Turn:
    command = _decode(message)
    _check_inspector(command)
    return _process(partial(on_terminal, command))


def _decode(message: Subscription) -> list[str]:
    return [_script(), "decode", message.to_bytes().hex()]


def _script() -> str:
    command = which("kproto", path=sysconfig.get_path("scripts"))
    if command is None:
        raise NotMeasured("the command kproto is not installed beside this Python")
    return command


def _core(_: Subscription) -> Turn:
    if ENGINE != "core":
        raise NotMeasured(f"{ENGINE} is the engine")
    return lambda rounds: sum(_import_core() for _ in range(rounds))


def _import_core() -> float:
    """The processor seconds of the import in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORT],
        env=os.environ | {"KPROTO_ENGINE": "python"},
        capture_output=True,
        check=True,
    )
    return float(done.stdout)


def _quiet(command: list[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def on_terminal(command: list[str]) -> bytes:
    """Run `command` with a terminal as its output; what it shows there."""
    import pty  # there is none on Windows

    reader, terminal = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with (
        os.fdopen(reader, "rb", buffering=0) as screen,
        subprocess.Popen(command, stdout=terminal, env=environment | TERMINAL) as process,
    ):
        os.close(terminal)
        shown = b""
        with suppress(OSError):  # Linux says so when the last writer has gone
            while chunk := screen.read(65536):
                shown += chunk
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return shown


def _check_json(command: list[str], message: Subscription) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise NotMeasured(f"it ends with {done.returncode}: {last}")
    read = json.loads(done.stdout)["message"]
    if tuple(read["topics"]) != message.topics or read["generationId"] != message.generation_id:
        raise NotMeasured("it shows another message")


def _check_inspector(command: list[str]) -> None:
    try:
        shown = on_terminal(command)
    except (ImportError, OSError, subprocess.CalledProcessError) as error:
        raise NotMeasured(str(error)) from error
    if b"\x1b[" not in shown:
        raise NotMeasured("it shows no colours")
