"""What the page answers is what the command prints: status, output and messages, on the same files.

The inputs are those of the tree, of every kind. The command runs on this machine, with the engine
that it has; the page runs the same modules on Pyodide, with the Python engine.
"""

from __future__ import annotations

import base64
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from kproto.tools.main import main
from tests.browser.conftest import ROOT, type_text
from tests.browser.devtools import Browser
from tests.browser.firefox import Firefox

# The command leaves it to the end of its process to close some files.
pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

VECTORS = ROOT / "tests" / "vectors"
GOLDEN = sorted(
    path for path in (ROOT / "tests" / "capture" / "golden").rglob("*") if path.is_file()
)
CAPTURES = sorted(path for path in (VECTORS / "captures").iterdir() if path.is_file())
RUNNING = VECTORS / "running-groups"
SEGMENTS = sorted(
    [*(VECTORS / "captures").glob("offsets-topic*/**/*.log"), *RUNNING.glob("*/*/*.log")]
)
LOGS = sorted(path for path in (VECTORS / "logs").rglob("*") if path.suffix in {".gz", ".log"})
OUTPUTS = sorted(path for path in (VECTORS / "tool_outputs").rglob("*") if path.is_file())

DECODE = ["decode", "--json", "--bytes"]
LINT = ["lint", "--json", "--readers", "all"]
STORY = ["story", "--json"]


def command(words: list[str], paste: bytes | None) -> tuple[int, str, str]:
    """What the command does here: status, output, messages."""
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(paste or b"")))
    sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.stderr = io.StringIO()
    try:
        status = main(words)
        sys.stdout.flush()
        output = sys.stdout.buffer.getvalue().decode()
        return status, output, sys.stderr.getvalue()
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


def asked(
    page: Browser | Firefox, words: list[str], files: dict[str, bytes], paste: str | None
) -> Any:
    """What the page's worker answers."""
    inputs = [
        f"{{name: {json.dumps(name)}, data: new Blob([Uint8Array.from(atob("
        f"'{base64.b64encode(data).decode()}'), (char) => char.charCodeAt(0))])}}"
        for name, data in files.items()
    ]
    question = (
        f"{{words: {json.dumps(words)}, files: [{', '.join(inputs)}], paste: {json.dumps(paste)}}}"
    )
    answer = page.run(
        f"kproto.run({question}).then(({{status, output, messages}}) => [status, output, messages])"
    )
    return tuple(answer)


def compare(page: Browser | Firefox, words: list[str], path: Path, where: Path) -> None:
    data = path.read_bytes()
    (where / path.name).write_bytes(data)
    os.chdir(where)
    line = [*words, f"./{path.name}"]
    assert asked(page, line, {path.name: data}, None) == command(line, None)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_of_every_spelling_of_bytes(page: Browser, folder: Path, path: Path) -> None:
    compare(page, DECODE, path, folder)
    compare(page, LINT, path, folder)


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.name)
def test_of_captures(page: Browser, folder: Path, path: Path) -> None:
    compare(page, DECODE, path, folder)
    compare(page, STORY, path, folder)


@pytest.mark.parametrize("path", SEGMENTS, ids=lambda path: f"{path.parts[-3]}-{path.parent.name}")
def test_of_segments(page: Browser, folder: Path, path: Path) -> None:
    compare(page, DECODE, path, folder)
    compare(page, STORY, path, folder)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_of_logs(page: Browser, folder: Path, path: Path) -> None:
    compare(page, STORY, path, folder)


@pytest.mark.parametrize("path", OUTPUTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_of_the_outputs_of_tools(page: Browser, folder: Path, path: Path) -> None:
    compare(page, STORY, path, folder)


PASTES = {
    "hex": "00010000000100066f7264657273ffffffff",
    "base64": "AAEAAAABAAZvcmRlcnP/////",
    "a Go literal": "[]byte{0x0, 0x1, 0x0, 0x0, 0x0, 0x1, 0x0, 0x1, 0x61, 0xff, 0xff, 0xff, 0xff}",
    "no bytes": "nothing of that kind",
    "markup": "<img src=x onerror=alert(1)>",
    "two messages": "metadata=00010000000100066f7264657273ffffffff\n"
    "metadata=00000000000100066f7264657273ffffffff\n",
}


@pytest.mark.parametrize("paste", PASTES.values(), ids=PASTES)
def test_of_what_is_typed(page: Browser, folder: Path, paste: str) -> None:
    compare_typed(page, paste)


def compare_typed(page: Browser | Firefox, paste: str) -> None:
    """Type it into the field, and compare by the command lines that the page shows."""
    type_text(page, paste)
    fields = "[words, answer.status, answer.output, answer.messages]"
    runs = page.run(f"kproto.runs().map(({{words, answer}}) => {fields})")
    decoded = [run for run in runs if run[0][0] == "decode"]
    assert decoded
    for words, *answer in decoded:
        assert tuple(answer) == command(words, paste.encode())
