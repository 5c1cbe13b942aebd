"""Writes `codec/messages/` from `schemas/`: `python -m kproto.codec.generate FOLDER [--check]`.

With `--check` nothing is written; exit status 1 says that what stands there differs.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import takewhile
from pathlib import Path

from ... import schemas
from ..dialect.names import snake
from ..dialect.programs import program
from ..runtime.registry import built_in_spec
from .docstrings import docstrings
from .module import source

INDEX_HEAD = '''"""The built-in messages, a module each, imported when used (see `generate`)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..runtime.message import Message
'''
PROGRAMS_HEAD = '''"""The layouts of every built-in message as plain rows (see `programs`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..dialect.programs import Program

PROGRAMS: dict[str, Program] = {
'''
INDEX_TAIL = '''

def message_class(name: str) -> type[Message]:
    """The built-in message class of that name. Raises KeyError if there is none."""
    module = import_module(f".{MODULES[name]}", __name__)
    found: type[Message] = getattr(module, name)
    return found


def __getattr__(name: str) -> type[Message]:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return message_class(name)
'''


def modules() -> dict[str, str]:
    """File name -> text of every generated module."""
    made = {}
    index = {}
    for name in schemas.names():
        module = snake(name)
        index[built_in_spec(name).class_name] = module
        spec = built_in_spec(name)
        docs = docstrings(spec, _head(schemas.text(name)))
        made[f"{module}.py"] = source(spec, f"schemas/{name}.json", docs)
    imports = [f"    from .{module} import {name} as {name}" for name, module in index.items()]
    table = [f"    {name!r}: {module!r}," for name, module in index.items()]
    made["programs.py"] = _programs()
    lines = [INDEX_HEAD + "\n".join(imports), "", "MODULES = {", *table, "}"]
    made["__init__.py"] = "\n".join(lines) + "\n" + INDEX_TAIL
    return {name: formatted(text) for name, text in made.items()}


def _head(text: str) -> str:
    """The comment that a definition begins with."""
    lines = takewhile(lambda line: line.startswith("//"), text.splitlines())
    return "\n".join(line.removeprefix("//").strip() for line in lines)


def _programs() -> str:
    """What reads the built-in messages, and tells them apart, without parsing a definition."""
    lines = [PROGRAMS_HEAD]
    for name in schemas.names():
        spec = built_in_spec(name)
        lines.append(f"{spec.class_name!r}: {program(spec)!r},")
    return "\n".join([*lines, "}"])


def formatted(text: str) -> str:
    """As ruff sorts and lays it out, so that what is generated reads like what is written."""
    for command in (_SORT, _FORMAT):
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        text = done.stdout
    return text


_SORT = ["ruff", "check", "--isolated", "--select=I", "--fix-only", "--line-length=100", "-"]
_FORMAT = ["ruff", "format", "--isolated", "--line-length=100", "-"]


def main(arguments: list[str]) -> int:
    """Write, or with `--check` compare."""
    folder = Path(arguments[0])
    made = modules()
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    if "--check" in arguments:
        differing = sorted(n for n in made.keys() | there.keys() if made.get(n) != there.get(n))
        for name in differing:
            print(f"{folder / name} is not what the definitions say; run `make generate`")
        return bool(differing)
    for name in there.keys() - made.keys():
        (folder / name).unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(made)} modules written to {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
