"""How long the command takes as a whole process, beside a Python that does nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from contextlib import suppress
from functools import partial
from shutil import which

from .shapes import Subscription
from .timing import Call

NOTHING = "python -c pass"
JSON = "kproto decode HEX --json"
INSPECTOR = "kproto decode HEX, on a terminal"

TERMINAL = {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}


class NotMeasured(Exception):
    """The command does not do here what is to be timed."""


def contestants(message: Subscription) -> dict[str, list[Call]]:
    """The processes to time, each checked once. Raises NotMeasured."""
    command = which("kproto", path=sysconfig.get_path("scripts"))
    if command is None:
        raise NotMeasured("the command kproto is not installed beside this Python")
    decode = [command, "decode", message.to_bytes().hex()]
    _check_json([*decode, "--json"], message)
    _check_inspector(decode)
    return {
        NOTHING: [partial(_quiet, [sys.executable, "-c", "pass"])],
        JSON: [partial(_quiet, [*decode, "--json"])],
        INSPECTOR: [partial(on_terminal, decode)],
    }


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
        raise NotMeasured(f"{JSON} ends with {done.returncode}: {last}")
    read = json.loads(done.stdout)["message"]
    if tuple(read["topics"]) != message.topics or read["generationId"] != message.generation_id:
        raise NotMeasured(f"{JSON} shows another message")


def _check_inspector(command: list[str]) -> None:
    try:
        shown = on_terminal(command)
    except (ImportError, OSError, subprocess.CalledProcessError) as error:
        raise NotMeasured(f"{INSPECTOR}: {error}") from error
    if b"\x1b[" not in shown:
        raise NotMeasured(f"{INSPECTOR} shows no colours")
