"""The command on a terminal of its own."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from contextlib import suppress

import pytest

from .conftest import CAPTURES, COMMAND, ENVIRONMENT

if sys.platform == "win32":
    pytest.skip("there are no terminals to make here", allow_module_level=True)

import fcntl
import pty
import termios

JAVA = CAPTURES / "java-sticky.hex"
BROKEN = CAPTURES / "kafkajs.hex"


def on_terminal(*arguments: str, width: int = 140, status: int = 0, **environment: str) -> str:
    """What stands on a terminal of this width after the command; escapes included."""
    reader, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    shown = b""
    with (
        os.fdopen(reader, "rb", buffering=0) as screen,
        subprocess.Popen(
            [*COMMAND, *arguments], stdin=terminal, stdout=terminal, stderr=terminal,
            env=ENVIRONMENT | {"TERM": "xterm-256color", "PAGER": "cat"} | environment,
        ) as process,
    ):  # fmt: skip
        os.close(terminal)
        with suppress(OSError):  # Linux says so when the last writer has gone
            while chunk := screen.read(65536):
                shown += chunk
    assert process.returncode == status, shown
    assert b"Traceback" not in shown
    return shown.decode().replace("\r\n", "\n")


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_the_inspector() -> None:
    text = on_terminal("decode", str(JAVA))
    assert "\x1b[" in text
    first = re.compile(r"^ +0 +00 03 00 00 .* 0:2 +version +3$")
    assert any(map(first.search, plain(text).splitlines()))


@pytest.mark.parametrize("width", [60, 99, 100, 140, 200])
def test_it_is_as_wide_as_the_terminal(width: int) -> None:
    lines = plain(on_terminal("decode", str(JAVA), width=width)).splitlines()
    assert max(map(len, lines)) <= width
    beside = [line for line in lines if "00 03" in line and "version" in line]
    assert bool(beside) == (width >= 140)


def test_without_colour() -> None:
    assert "\x1b" not in on_terminal("decode", "--color", "never", str(JAVA))
    assert "38;5" not in on_terminal("decode", str(JAVA), NO_COLOR="1")
    assert "\x1b" not in on_terminal("decode", str(JAVA), TERM="dumb")


def test_with_sixteen_colours() -> None:
    """No field has the colours of a warning or of what failed; no two fields of a message that the
    palette has room for look the same; nothing quiet is grey."""
    text = on_terminal("decode", str(BROKEN), TERM="xterm", status=1)
    assert "38;5" not in text
    used = {
        int(code) for codes in re.findall(r"\x1b\[([0-9;]*)m", text) for code in codes.split(";")
    }
    bright_blue, bright_red, bright_magenta, magenta = 94, 91, 95, 35
    colours = used & {*range(30, 38), *range(90, 98)}
    assert colours == {bright_blue, bright_red, bright_magenta, magenta}
    names = "version|topics|user_data|generation_id|rack_id"
    looks: dict[str, str] = {}
    for look, name in re.findall(rf"\x1b\[([0-9;]*)m({names})\b", text):
        looks.setdefault(name, look)  # in the tree, which comes before sentences
    assert len(set(looks.values())) == len(looks) >= 3
    assert not {str(bright_red), str(bright_magenta)} & set(";".join(looks.values()).split(";"))
    assert 2 not in used  # dim, for which there is no contrast to spare
    assert re.search(rf"\x1b\[1;{bright_magenta}mKP\d\d\d", text)


def test_marks_of_a_comparison_are_explained_where_they_occur() -> None:
    """On a terminal alone: the text in a pipe is as it was."""
    without, with_data = "0000000000010003616263ffffffff", "00000000000100036162630000000107"
    longer = "00000000000200036162630003616264ffffffff"
    text = plain(on_terminal("diff", without, with_data, status=1))
    assert "≠ differs\n" in text and "alone" not in text
    text = plain(on_terminal("diff", without, longer, status=1))
    assert "+ in B alone" in text and "in A alone" not in text
    text = plain(on_terminal("diff", longer, without, status=1))
    assert "- in A alone" in text
    command = [*COMMAND, "diff", without, with_data]
    piped = subprocess.run(command, check=False, capture_output=True, env=ENVIRONMENT)
    assert b"differs\n" not in piped.stdout and b"1 difference" in piped.stdout


def test_an_error_is_said_once() -> None:
    text = plain(on_terminal("decode", str(BROKEN), status=1))
    assert text.count("at byte 18 in owned_partitions") == 1
    assert "[--]" in text


def test_nothing_to_read() -> None:
    """It does not wait for somebody to type bytes."""
    text = on_terminal("decode", status=2)
    assert text.startswith("kproto: nothing to read")
