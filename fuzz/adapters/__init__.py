"""Adapters to start from, one a language: programs that speak the line protocol of `kproto
conform`, with two calls (decode and encode) that their author fills in.

A folder beside this file has the files of a language. What is to be filled in is in a file of its
own; the rest needs no change.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ...files import write_file


class Adapter(NamedTuple):
    """An adapter of a language."""

    calls: str
    """The file to fill in."""
    start: str
    """The command that runs it, in its folder."""
    build: str = ""
    """The command that builds it, in its folder; "" where nothing is built."""
    folder: str = ""
    """The language whose files it has; "" for its own."""
    remark: str = ""
    """How the file to fill in comes to the client's code, where that needs a word."""


_REMARK = "{} says how your client is reached"
ADAPTERS = {
    "c": Adapter(
        "calls.c", "./adapter", "cc -O2 -o adapter adapter.c calls.c", remark=_REMARK.format("it")
    ),
    "go": Adapter(
        "calls.go", "./adapter", "go build -o adapter .", remark=_REMARK.format("go.mod")
    ),
    "java": Adapter(
        "Calls.java", "java -cp build Adapter", "javac -d build *.java", remark=_REMARK.format("it")
    ),
    "javascript": Adapter("calls.mjs", "node adapter.mjs", remark=_REMARK.format("it")),
    "python": Adapter("calls.py", "python3 adapter.py", remark=_REMARK.format("it")),
    "rust": Adapter(
        "src/calls.rs",
        "target/release/adapter",
        "cargo build --release",
        remark=_REMARK.format("Cargo.toml"),
    ),
    "typescript": Adapter(
        "calls.mjs",
        "node adapter.mjs",
        folder="javascript",
        remark="import there the JavaScript that tsc makes of your client",
    ),
}
"""The adapters by their languages."""


def write_adapter(language: str, folder: Path) -> list[str]:
    """Write an adapter into a folder, which is made; return the names of its files. Raises
    FileExistsError where one of them exists: nothing is written then.
    """
    source = Path(__file__).parent / (ADAPTERS[language].folder or language)
    files = {
        str(file.relative_to(source)): file.read_text("utf-8")
        for file in sorted(source.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }
    for name in files:
        if (folder / name).exists():
            raise FileExistsError(17, "it exists", str(folder / name))
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(folder / name, text)
    return list(files)
