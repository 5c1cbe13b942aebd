"""Run `kproto codegen`: write or compare the modules of definitions."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..codec.dialect.names import snake
from ..codec.runtime.message import Message
from ..codec.runtime.registry import spec_of
from ..codec.typed_module import MARK, module_source
from ..wording import counted
from .input.message_types import load
from .output.failures import REFUSED, WRONG_USE, Failure, say, unreadable
from .output.written import unwritten, write_output


def run(arguments: Namespace) -> int:
    """Write the modules, or compare them; 1 where one differs."""
    modules = _modules(_chosen(_loaded(arguments.definitions), arguments.only))
    if arguments.out is None:
        return _print(modules, check=arguments.check)
    if arguments.check:
        return _compare(modules, arguments.out)
    _write(modules, arguments.out)
    return 0


def _loaded(paths: list[str]) -> dict[str, type[Message]]:
    classes: dict[str, type[Message]] = {}
    for path in paths:
        for name, cls in load(path, broken=REFUSED).items():
            if classes.setdefault(name, cls) is not cls:
                raise Failure(f"{path}: a second definition of {name}", REFUSED)
    return classes


def _chosen(loaded: dict[str, type[Message]], only: list[str]) -> list[type[Message]]:
    unknown = [name for name in only if name not in loaded]
    if unknown:
        names = f"; there are: {', '.join(loaded)}" if len(loaded) < 10 else ""
        raise Failure(f"there is no definition of {unknown[0]!r}{names}", WRONG_USE)
    return [cls for name, cls in loaded.items() if not only or name in only]


def _modules(classes: list[type[Message]]) -> dict[str, str]:
    """File name -> source."""
    modules: dict[str, str] = {}
    for cls in classes:
        file = f"{snake(cls.NAME)}.py"
        if file in modules:
            raise Failure(f"two messages would be {file}: choose with --only", WRONG_USE)
        modules[file] = module_source(spec_of(cls))
    return modules


def _print(modules: dict[str, str], *, check: bool) -> int:
    if check:
        raise Failure("--check compares the files of --out FOLDER", WRONG_USE)
    if len(modules) != 1:
        raise Failure(f"{len(modules)} messages: --out FOLDER gets a file each", WRONG_USE)
    print(*modules.values(), sep="", end="")
    return 0


def _compare(modules: dict[str, str], folder: Path) -> int:
    differing = [file for file, source in modules.items() if _text(folder / file) != source]
    for file in differing:
        print(folder / file)
    if differing:
        are = "is" if len(differing) == 1 else "are"
        say(f"{counted(len(differing), 'file')} {are} not as the definitions say")
    return REFUSED if differing else 0


def _write(modules: dict[str, str], folder: Path) -> None:
    for file in modules:
        current = _text(folder / file)
        if current and MARK not in current:
            raise Failure(f"{folder / file} was not written by kproto codegen: left as it is")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritten(error.filename, error) from None
    for file, source in modules.items():
        write_output(folder / file, source)
    say(f"{counted(len(modules), 'module')} written to {folder}")


def _text(file: Path) -> str:
    """The text of a file; none where there is no file."""
    try:
        return file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:
        raise unreadable(str(file), error) from None
