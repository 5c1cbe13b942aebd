"""Run `kproto codegen`: write or compare the modules of definitions."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ..codec.dialect.names import counted, snake
from ..codec.runtime.message import Message
from ..codec.runtime.registry import spec_of
from ..codec.typed_module import MARK, module_source
from .input.messages import load
from .output.failures import REFUSED, WRONG_USE, Failure, say


def run(arguments: Namespace) -> int:
    """Write the modules, or compare them; 1 where one differs."""
    made = _modules(_chosen(_loaded(arguments.definitions), arguments.only))
    if arguments.out is None:
        return _print(made, check=arguments.check)
    if arguments.check:
        return _compare(made, arguments.out)
    _write(made, arguments.out)
    return 0


def _loaded(paths: list[str]) -> dict[str, type[Message]]:
    found: dict[str, type[Message]] = {}
    for path in paths:
        for name, cls in load(path, broken=REFUSED).items():
            if found.setdefault(name, cls) is not cls:
                raise Failure(f"{path}: a second definition of {name}", REFUSED)
    return found


def _chosen(loaded: dict[str, type[Message]], only: list[str]) -> list[type[Message]]:
    unknown = [name for name in only if name not in loaded]
    if unknown:
        there = f"; there are: {', '.join(loaded)}" if len(loaded) < 10 else ""
        raise Failure(f"there is no definition of {unknown[0]!r}{there}", WRONG_USE)
    return [cls for name, cls in loaded.items() if not only or name in only]


def _modules(classes: list[type[Message]]) -> dict[str, str]:
    """File name -> source."""
    made: dict[str, str] = {}
    for cls in classes:
        file = f"{snake(cls.NAME)}.py"
        if file in made:
            raise Failure(f"two messages would be {file}: choose with --only", WRONG_USE)
        made[file] = module_source(spec_of(cls))
    return made


def _print(made: dict[str, str], *, check: bool) -> int:
    if check:
        raise Failure("--check compares the files of --out FOLDER", WRONG_USE)
    if len(made) != 1:
        raise Failure(f"{len(made)} messages: --out FOLDER gets a file each", WRONG_USE)
    print(*made.values(), sep="", end="")
    return 0


def _compare(made: dict[str, str], folder: Path) -> int:
    differing = [file for file, source in made.items() if _text(folder / file) != source]
    for file in differing:
        print(folder / file)
    if differing:
        are = "is" if len(differing) == 1 else "are"
        say(f"{counted(len(differing), 'file')} {are} not as the definitions say")
    return REFUSED if differing else 0


def _write(made: dict[str, str], folder: Path) -> None:
    for file in made:
        there = _text(folder / file)
        if there and MARK not in there:
            raise Failure(f"{folder / file} was not written by kproto codegen: left as it is")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, source in made.items():
            (folder / file).write_text(source, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}", WRONG_USE) from None
    say(f"{counted(len(made), 'module')} written to {folder}")


def _text(file: Path) -> str:
    """The text of a file; none where there is no file."""
    try:
        return file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:
        raise Failure(f"{file}: {getattr(error, 'strerror', None) or error}", WRONG_USE) from None
