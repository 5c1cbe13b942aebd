"""The command as a whole: help, version, and the ways to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from kproto.codec import ENGINE
from kproto.tools.main import COMMANDS, main

from .conftest import CAPTURES, COMMAND, ENVIRONMENT, Run

JAVA = CAPTURES / "java-sticky.hex"


def one_line(stderr: bytes) -> str:
    assert stderr.startswith(b"kproto: ")
    assert stderr.count(b"\n") == 1
    return stderr.decode()


def test_version(kproto: Run) -> None:
    line = kproto("--version").stdout.decode()
    known = "compiled core" if ENGINE == "core" else "Python engine: "
    assert line.startswith(f"kproto {version('kproto')} ({known}")
    assert line.count("\n") == 1


def test_the_engine_can_be_chosen(kproto: Run) -> None:
    done = kproto("--version", KPROTO_ENGINE="python")
    assert b"(Python engine: KPROTO_ENGINE=python)" in done.stdout


def test_an_engine_that_there_is_not_is_refused(kproto: Run) -> None:
    line = one_line(kproto("decode", "00", status=2, KPROTO_ENGINE="rust").stderr)
    assert "KPROTO_ENGINE is 'rust'; it can be core or python" in line


def test_help_names_every_command(kproto: Run) -> None:
    text = kproto("--help").stdout.decode()
    words = " ".join(text.split())
    for name, summary in COMMANDS.items():
        assert f"{name} {summary}" in words
    assert kproto().stdout.decode() == text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(kproto: Run, name: str) -> None:
    text = kproto(name, "--help").stdout.decode()
    assert text.startswith(f"usage: kproto {name}")
    options = [line for line in text.splitlines() if line.startswith("  -")]
    assert options
    assert "exit status" in text or name == "schemas"


@pytest.mark.parametrize(
    ("arguments", "about"),
    [
        (["nope"], "there is no command 'nope'"),
        (["--nope"], "--nope"),
        (["decode", "--nope"], "--nope"),
        (["decode", "--policy", "mild", "00"], "--policy"),
        (["decode", "--body", "x", "00"], "--body"),
        (["decode", "--hex", "--file", "00"], "--file"),
        (["decode", "--max-bytes", "much", "00"], "'much' is no size"),
        (["decode", "-", "-"], "standard input"),
        (["encode", "--version", "x"], "--version"),
        (["schemas", "a", "b"], "b"),
    ],
)
def test_wrong_use_is_one_line(kproto: Run, arguments: list[str], about: str) -> None:
    done = kproto(*arguments, status=2)
    assert about in one_line(done.stderr)
    assert not done.stdout


@pytest.mark.parametrize("arguments", [["decode", str(JAVA)], ["decode", "--json", str(JAVA)],
                                       ["schemas"], ["--help"], ["decode", "--help"]])  # fmt: skip
def test_a_closed_pipe(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=pipe, stderr=subprocess.PIPE, check=False,
            env=ENVIRONMENT,
        )  # fmt: skip
    assert done.stderr == b""
    assert done.returncode == 128 + signal.SIGPIPE


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")  # noqa: PTH110
@pytest.mark.parametrize("arguments", [["decode", str(JAVA)], ["decode", "--json", str(JAVA)],
                                       ["schemas"], ["--help"]])  # fmt: skip
def test_a_full_disk(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, check=False,
            env=ENVIRONMENT,
        )  # fmt: skip
    assert "cannot write the result: No space left" in one_line(done.stderr)
    assert done.returncode == 3


def test_a_file_of_the_installation_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is named, and not taken for the output."""
    gone = tmp_path / "clients.json"
    monkeypatch.setattr("kproto.tools.schemas.run", lambda _: gone.read_bytes())
    assert main(["schemas"]) == 3
    assert f"{gone}: No such file or directory" in capsys.readouterr().err


def test_no_output_at_all() -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, "decode", str(JAVA)]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False, env=ENVIRONMENT)
    assert "no output" in one_line(done.stderr)
    assert done.returncode == 3


def _with_ctrl_c() -> None:
    """What runs in the background has it switched off, and so have its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c() -> None:
    with subprocess.Popen(
        [*COMMAND, "decode", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        preexec_fn=_with_ctrl_c,  # noqa: PLW1509  # no thread is around
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"00" * 100_000)  # more than a pipe holds: it has begun to read
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        try:
            _, stderr = process.communicate(timeout=600)
        finally:
            process.kill()
    assert one_line(stderr) == "kproto: interrupted\n"
    assert process.returncode == 128 + signal.SIGINT


def test_the_command_can_be_called(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decode", "00", "--json"]) == 1
    assert capsys.readouterr().out.startswith('{"source":"')


INTERRUPTED_WHILE = """
import os, signal, sys
from {module} import {owner}
inner = {owner}.{method}
def interrupted(*given, **named):
    try:
        return inner(*given, **named)
    finally:
        os.kill(os.getpid(), signal.SIGINT)
{owner}.{method} = interrupted
from kproto.tools.main import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("module", "owner", "method"),
    [
        ("argparse", "ArgumentParser", "add_argument"),
        ("argparse", "ArgumentParser", "parse_known_args"),  # inside parse_intermixed_args
        ("argparse", "ArgumentParser", "parse_intermixed_args"),
        ("kproto.codec.read", "decoding.Decoded", "__init__"),
    ],
)
def test_ctrl_c_at_any_moment(module: str, owner: str, method: str) -> None:
    """argparse's own tidying up fails when it is interrupted: an AttributeError came of it."""
    code = INTERRUPTED_WHILE.format(module=module, owner=owner, method=method)
    code = code.replace("import decoding.Decoded", "import decoding")
    done = subprocess.run(
        [sys.executable, "-c", code, "decode", str(JAVA)],
        capture_output=True, check=False, timeout=600, env=ENVIRONMENT, preexec_fn=_with_ctrl_c,
    )  # fmt: skip
    assert one_line(done.stderr) == "kproto: interrupted\n"
    assert done.returncode == 128 + signal.SIGINT


def _interrupted_in(body: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run `kproto decode` with a body of its own, which presses Ctrl-C."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    code = (
        "import os, signal, sys, time\n"
        "from kproto.tools import decode\n"
        "def ctrl_c(): os.kill(os.getpid(), signal.SIGINT)\n"
        f"def run(arguments):\n{lines}    time.sleep(600)\n    return 0\n"
        "decode.run = run\n"
        "from kproto.tools.main import main\n"
        "sys.exit(main())\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code, "decode", "00"],
        capture_output=True, check=False, timeout=500, preexec_fn=_with_ctrl_c,
        env=ENVIRONMENT | {"PYTHONPATH": str(folder)},
    )  # fmt: skip


TURNED = (
    "class Field:\n    def __set_name__(self, owner, name): CTRL_C\nclass Owner: field = Field()"
)
LOST = {
    "a library drops it": "try: ctrl_c()\nexcept KeyboardInterrupt: pass",
    "a library raises another error": (
        "try: ctrl_c()\nexcept KeyboardInterrupt: raise RuntimeError from None"
    ),
    "Python raises another error": TURNED.replace("CTRL_C", "ctrl_c()"),
    "what is half made complains": (
        "class Half:\n    def __init__(self): ctrl_c(); self.all = 1\n"
        "    def __del__(self): self.all\nHalf()"
    ),
    "a destructor drops it": "class Made:\n    def __del__(self): ctrl_c()\nMade()",
}


@pytest.mark.parametrize("body", LOST.values(), ids=LOST)
def test_ctrl_c_is_never_lost(body: str, tmp_path: Path) -> None:
    done = _interrupted_in(body, tmp_path)
    assert one_line(done.stderr) == "kproto: interrupted\n"
    assert done.returncode == 128 + signal.SIGINT


def test_ctrl_c_in_the_middle_of_an_import(tmp_path: Path) -> None:
    """It waits for the end of the import, so that no module is half there."""
    (tmp_path / "interrupted.py").write_text(
        "import os, signal, sys\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "for _ in range(1000): pass\n"
        "sys.stdout.write('whole ')\n"
    )
    done = _interrupted_in("import interrupted", tmp_path)
    assert done.stdout == b"whole "
    assert one_line(done.stderr) == "kproto: interrupted\n"
    assert done.returncode == 128 + signal.SIGINT


def test_sigterm_leaves_no_half_written_file(tmp_path: Path) -> None:
    body = (
        f"from kproto.files import replacing\nwith replacing({str(tmp_path / 'page')!r}):\n"
        "    os.kill(os.getpid(), signal.SIGTERM)"
    )
    done = _interrupted_in(body, tmp_path)
    assert one_line(done.stderr) == "kproto: terminated\n"
    assert done.returncode == 128 + signal.SIGTERM
    assert not list(tmp_path.iterdir())


def test_ctrl_c_lets_what_is_open_be_closed(tmp_path: Path) -> None:
    body = "try: ctrl_c()\nfinally:\n    time.sleep(2.5)\n    sys.stdout.write('closed')"
    done = _interrupted_in(body, tmp_path)
    assert done.stdout == b"closed"
    assert done.returncode == 128 + signal.SIGINT
