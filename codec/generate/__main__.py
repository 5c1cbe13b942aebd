"""Writes `codec/messages/` from `schemas/`: `python -m kproto.codec.generate FOLDER [--check]`.

With `--check` nothing is written; the exit status is 1 if the files there are not what would be.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

from ... import schemas
from ..dialect.layout import program
from ..dialect.names import snake
from ..runtime.registry import built_in_spec
from .docstrings import docstrings
from .module import source

INDEX_HEAD = '''"""The built-in messages: a generated module for each, imported when it is used."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import NoSuchMessage

if TYPE_CHECKING:
    from ..runtime.message import Message
'''
PROGRAMS_HEAD = '''"""The layouts of every built-in message as rows (see `dialect.layout`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..dialect.layout import Program

PROGRAMS: dict[str, Program] = {
'''
INDEX_TAIL = '''

@cache
def message_class(name: str) -> type[Message]:
    """Return the built-in message class of that name. Raises NoSuchMessage if there is none."""
    if name not in MODULES:
        raise NoSuchMessage(name, MODULES)
    cls: type[Message] = getattr(import_module(f".{MODULES[name]}", __name__), name)
    return cls


def __getattr__(name: str) -> type[Message]:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return message_class(name)
'''


def modules() -> dict[str, str]:
    """Return the text of every generated module by its file name."""
    sources = {}
    index = {}
    for name in schemas.names():
        module = snake(name)
        index[built_in_spec(name).class_name] = module
        spec = built_in_spec(name)
        docs = docstrings(spec, _head(schemas.text(name)))
        sources[f"{module}.py"] = source(spec, f"schemas/{name}.json", docs)
    imports = [f"    from .{module} import {name} as {name}" for name, module in index.items()]
    table = [f"    {name!r}: {module!r}," for name, module in index.items()]
    sources["programs.py"] = _programs()
    lines = [INDEX_HEAD + "\n".join(imports), "", "MODULES = {", *table, "}"]
    sources["__init__.py"] = "\n".join(lines) + "\n" + INDEX_TAIL
    return formatted(sources)


def _head(text: str) -> str:
    """Return the comment that a definition begins with."""
    lines = takewhile(lambda line: line.startswith("//"), text.splitlines())
    return "\n".join(line.removeprefix("//").strip() for line in lines)


def _programs() -> str:
    """Return the module with the rows of all built-in messages."""
    lines = [PROGRAMS_HEAD]
    for name in schemas.names():
        spec = built_in_spec(name)
        lines.append(f"{spec.class_name!r}: {program(spec)!r},")
    return "\n".join([*lines, "}"])


def formatted(sources: Mapping[str, str]) -> dict[str, str]:
    """Return modules, by file name, as ruff sorts and formats them."""
    with TemporaryDirectory() as folder:
        files = {name: Path(folder, name) for name in sources}
        for name, file in files.items():
            file.write_text(sources[name], encoding="utf-8")
        for command in (_SORT, _FORMAT):
            subprocess.run([*command, folder], capture_output=True, check=True)
        return {name: file.read_text(encoding="utf-8") for name, file in files.items()}


_RUFF = [sys.executable, "-m", "ruff"]  # that of the constraints
_OPTIONS = ["--isolated", "--no-cache", "--line-length=100"]
_SORT = [*_RUFF, "check", *_OPTIONS, "--select=I", "--fix-only"]
_FORMAT = [*_RUFF, "format", *_OPTIONS]


def main(arguments: list[str]) -> int:
    """Write the modules, or with `--check` compare them; return the exit status."""
    folder = Path(arguments[0])
    sources = modules()
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    if "--check" in arguments:
        differing = sorted(
            n for n in sources.keys() | files.keys() if sources.get(n) != files.get(n)
        )
        for name in differing:
            print(f"{folder / name} is not what the definitions say; run `make generate`")
        return bool(differing)
    for name in files.keys() - sources.keys():
        (folder / name).unlink()
    for name, text in sources.items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(sources)} modules written to {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
