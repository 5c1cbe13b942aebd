"""The pages for a client's author fit together: one client, with the adapter of each page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .pages import DOCS, ROOT, blocks

TUTORIAL = "docs/tutorials/your-own-client.md"
KPROTO = ("-c", "from kproto.tools.main import main; raise SystemExit(main())")
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--kproto-scope=required")
COMBINED = {
    TUTORIAL: ("test_guarantees.py", PYTEST),
    "docs/how-to/fuzz-your-decoder.md": (
        "my_adapter.py",
        (*KPROTO, "fuzz", "client", "my_adapter", "--runs", "500", "--seed", "1"),
    ),
    "README.md": ("test_mine.py", PYTEST),
}
"""The file of each page that imports the client, and the command that judges the client with it."""


def file_of(page: str, name: str) -> str:
    """Return the last block of a page that is this file, or that imports the client."""
    text = (ROOT / page).read_text("utf-8")
    found = [block.body for block in blocks(text) if block.file == name]
    found = found or re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return [body for body in found if name == "my_client.py" or "my_client" in body][-1]


def test_there_is_no_other_page_with_an_adapter_of_that_client() -> None:
    pages = (*DOCS.rglob("*.md"), ROOT / "README.md")
    using = {page for page in pages if "from my_client import" in page.read_text("utf-8")}
    assert using == {ROOT / page for page in COMBINED}


@pytest.mark.slow
@pytest.mark.parametrize("page", COMBINED)
def test_the_client_of_the_tutorial_passes(page: str, tmp_path: Path) -> None:
    name, words = COMBINED[page]
    (tmp_path / "my_client.py").write_text(file_of(TUTORIAL, "my_client.py"), "utf-8")
    (tmp_path / name).write_text(file_of(page, name), "utf-8")
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
