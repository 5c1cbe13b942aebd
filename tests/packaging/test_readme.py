"""What README shows is what happens."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
CONSOLE = re.findall(r"^\$ (kproto .*)\n((?:(?!\$ |```).*\n)+)", README, re.MULTILINE)
KPROTO = [sys.executable, "-c", "from kproto.tools.main import main; raise SystemExit(main())"]

CLIENT = """
from kproto.codec import ConsumerProtocolSubscription, DecodeError

def decode_subscription(data):
    return ConsumerProtocolSubscription.from_bytes(data).to_json(3)
"""


@pytest.mark.parametrize("text", [text for text in PYTHON if "my_client" not in text])
def test_python(text: str) -> None:
    exec(compile(text, "README.md", "exec"), {})  # noqa: S102


def test_there_is_something_to_compare() -> None:
    assert CONSOLE


@pytest.mark.parametrize(("command", "shown"), CONSOLE)
def test_command(command: str, shown: str) -> None:
    done = subprocess.run(
        [*KPROTO, *shlex.split(command)[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == shown


@pytest.mark.slow
def test_a_clients_tests(tmp_path: Path) -> None:
    """The lines for a client's author run, and a guarantee that does not hold fails."""
    [text] = [text for text in PYTHON if "my_client" in text]
    (tmp_path / "my_client.py").write_text(CLIENT, encoding="utf-8")
    (tmp_path / "test_mine.py").write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--kproto-scope=required",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
