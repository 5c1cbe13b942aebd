"""Completion, asked for as the shells ask, and in the shells themselves."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from kproto.codec import built_in_names
from kproto.tools.commands.completion import SCRIPTS
from kproto.tools.completion import SEPARATOR
from kproto.tools.main import COMMANDS

from .conftest import COMMAND, ENVIRONMENT, Run
from .test_main import one_line

if sys.platform == "win32":
    pytest.skip("there are no terminals to make here", allow_module_level=True)

import pty


def offered(kproto: Run, *words: str) -> list[str]:
    line = SEPARATOR.join(["kproto", *words])
    lines = kproto("completion", "candidates", line).stdout.decode().splitlines()
    return [each.partition("\t")[0] for each in lines]


def test_commands(kproto: Run) -> None:
    assert offered(kproto, "") == list(COMMANDS)
    assert offered(kproto, "enc") == ["encode"]
    assert offered(kproto, "--v") == ["--version"]
    assert offered(kproto, "nope", "") == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_every_command(kproto: Run, name: str) -> None:
    """The parser's own help is the measure: what it names can be completed."""
    text = kproto(name, "--help").stdout.decode().partition("options:")[2]
    starts = [line.split()[0] for line in text.splitlines() if line.startswith("  -")]
    named = {word.strip(",") for word in starts} - {"-h"} | {"--help"}
    assert named <= set(offered(kproto, name, "-"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["decode", "--policy", ""], ["kafka", "strict", "lenient"]),
        (["decode", "--policy", "st"], ["strict"]),
        (["decode", "--policy=st"], ["--policy=strict"]),
        (["decode", "--policy", "=", "st"], ["strict"]),  # as bash cuts it
        (["decode", "--as", "SyncGroupRe"], ["SyncGroupRequest", "SyncGroupResponse"]),
        (["encode", "x.json", "--as", "SyncGroupReq"], ["SyncGroupRequest"]),
        (["schemas", "--color", "never", "SyncGroupReq"], ["SyncGroupRequest"]),
        (["completion", ""], list(SCRIPTS)),
        (["simulate", "sta"], ["state-to-rebuild", "static-fenced", "static-trap"]),
        (["simulate", "--assignor", "coop"], ["cooperative-sticky"]),
        (["explain", "rebalance-st"], ["rebalance-storm"]),
        (["explain", "KP040"], ["KP040"]),
        (["lint", "--readers", "sara"], ["sarama", "sarama-1.40"]),
        (["conform", "--adapter", "kafkajs"], ["kafkajs", "kafkajs-1.16"]),
        (["conform", "--guarantee", "G01"], ["G01"]),
        (["decode", "--definitions", ""], []),  # files, which the shell knows
        (["decode", ""], []),
        (["schemas", "JoinGroupRequest", ""], []),
    ],
)
def test_values(kproto: Run, words: list[str], expected: list[str]) -> None:
    assert offered(kproto, *words) == expected


def test_every_message_and_form(kproto: Run) -> None:
    assert offered(kproto, "decode", "--as", "") == list(built_in_names())
    assert {"hex", "xxd", "raw"} <= set(offered(kproto, "decode", "--format", ""))


def test_wrong_use(kproto: Run) -> None:
    assert "invalid choice" in one_line(kproto("completion", "tcsh", status=2).stderr)
    assert kproto("completion", "candidates").stdout  # the commands


SHELLS = {
    "bash": (["--norc", "--noprofile", "-i"], 'eval "$(kproto completion bash)"\n'),
    "zsh": (
        ["-f", "-i"],
        'autoload -Uz compinit && compinit -D -u\neval "$(kproto completion zsh)"\n',
    ),
    "fish": (["--no-config", "-i"], "kproto completion fish | source\n"),
}


@pytest.fixture
def kproto_on_path(tmp_path: Path) -> Path:
    """A folder with the command in it, as an installation has it."""
    script = tmp_path / "kproto"
    python, *rest = COMMAND
    script.write_text(f"#!/bin/sh\nexec {python} {rest[0]} '{rest[1]}' \"$@\"\n", encoding="ascii")
    script.chmod(0o755)
    return tmp_path


def typed(shell: str, folder: Path, keys: str, wanted: str) -> str:
    """What an interactive shell, with a terminal of its own, writes after these keys."""
    arguments, setup = SHELLS[shell]
    path = f"{folder}{os.pathsep}{ENVIRONMENT['PATH']}"
    environment = ENVIRONMENT | {"PATH": path, "TERM": "xterm", "HOME": str(folder)}
    child, screen = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(shell, [shell, *arguments], environment)  # noqa: S606
    try:
        os.write(screen, f"{setup}echo rea''dy\n".encode())
        _until(screen, "ready")
        os.write(screen, keys.encode())
        return _until(screen, wanted)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(screen)


def _until(screen: int, wanted: str) -> str:
    """What is written until `wanted` stands there, or nothing more is to be expected."""
    shown, end = "", time.monotonic() + 300
    while wanted not in shown and time.monotonic() < end:
        if select.select([screen], [], [], 0.2)[0]:
            shown += _plain(os.read(screen, 65536).decode(errors="replace"))
    return shown


def _plain(text: str) -> str:
    return re.sub(
        r"\x1b(?:\[[0-9;?>]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[=>()][0B]?)", "", text
    )


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("kproto enc\t", "ode "),  # what stands there already need not be written again
        ("kproto decode --as SyncGroupReq\t", "uest "),
        ("kproto encode bro\t", "ken.hex"),
    ],
)
def test_in_the_shell(shell: str, keys: str, wanted: str, kproto_on_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    (kproto_on_path / "broken.hex").write_text("00", encoding="ascii")
    shown = typed(shell, kproto_on_path, keys, wanted)
    assert wanted in shown, shown
