"""Adapters: a user's functions around a client; a mistake of theirs is no fault of the client.

`kproto fuzz client my_adapter` takes a module with `decode(name, data)`, `encode(name, version,
value)` or both, and any of

    ERRORS = DecodeError                        the documented errors (ValueError)
    NAMES = ["ConsumerProtocolSubscription"]    the messages (subscription and assignment)
    COVERED = ["my_client.protocol"]            modules whose branches lead the search
                                                (the adapter, and all that it imports)
    RECOMMENDED = True                          the recommended guarantees, too
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from traceback import StackSummary, extract_tb
from typing import Any, NamedTuple

from .subject import CONSUMER_PROTOCOL, Failed, Failure

_MISTAKES = (TypeError, AttributeError, NameError, KeyError, ImportError)
"""The errors of programming mistakes; code in C raises other errors for odd input."""


_MOST_FILES = 200  # of a client that are searched for constants


def separate_mistakes(
    function: Callable[..., Any], errors: Any, file: Path, *more: str
) -> Callable[..., Any]:
    """Return the function, with an undocumented error that begins in the adapter's own file as a
    `Failed` answer.

    The adapter is `file` and every file of one of the names in `more`. A client that is written in
    the same file cannot be distinguished from its adapter.
    """

    @wraps(function)
    def guarded(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except errors:
            raise
        except _MISTAKES as error:
            place = _own_place(extract_tb(error.__traceback__), file, more)
            if place is None:
                raise
            return Failed(Failure.ADAPTER, f"{type(error).__name__}: {error}, {place}")

    return guarded


def _own_place(stack: StackSummary, file: Path, names: tuple[str, ...]) -> str | None:
    """Return where the error began if that is in the adapter; None if it is not."""
    last = stack[-1]
    path = Path(last.filename)
    if path.name in names or path == file:
        return f"{path.name} line {last.lineno}"
    return None


class AdapterSource(NamedTuple):
    """The settings of an adapter, read from its source: to import it would import the client before
    the branches of the client can be counted.
    """

    module: str
    file: Path
    names: tuple[str, ...]
    covered: tuple[str, ...]
    recommended: bool

    @property
    def files(self) -> list[Path]:
        """The source files of the modules that are covered, without those of C and Rust."""
        files = []
        for module in self.covered:
            with suppress(ValueError):
                file = _file(module)
                is_package = file.name == "__init__.py"
                files += sorted(file.parent.rglob("*.py")) if is_package else [file]
        return files[:_MOST_FILES]


def read_adapter(module: str) -> AdapterSource:
    """Return the settings of a module in the current directory or on Python's path.

    Raises ValueError if there is no such module, or if a setting is not a list of texts.
    """
    file = _file(module)
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError) as error:
        raise ValueError(f"{file}: {error}") from None
    literals = _literals(tree)
    return AdapterSource(
        module=module,
        file=file,
        names=_texts(literals, "NAMES", file) or CONSUMER_PROTOCOL,
        covered=_texts(literals, "COVERED", file) or (module, *sorted(_imported(tree, module))),
        recommended=literals.get("RECOMMENDED") is True,
    )


def _file(module: str) -> Path:
    if not all(map(str.isidentifier, module.split("."))):
        raise ValueError(f"{module!r} is not the name of a module, such as my_adapter")
    path: list[str] | None = [str(Path.cwd()), *sys.path]
    spec: ModuleSpec | None = None
    for depth in range(1, module.count(".") + 2):
        spec = PathFinder.find_spec(".".join(module.split(".")[:depth]), path)
        path = None if spec is None else spec.submodule_search_locations
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise ValueError(f"there is no module {module} in Python here")
    return Path(spec.origin)


def _literals(tree: ast.Module) -> dict[str, Any]:
    """Return the literals that are assigned to names, at the top of a module."""
    literals = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                literals[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                literals[node.targets[0].id] = None
    return literals


def _texts(literals: dict[str, Any], key: str, file: Path) -> tuple[str, ...]:
    value = literals.get(key, ())
    if isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
        return tuple(value)
    raise ValueError(f"{file}: {key} is not a list of texts, written out")


def _imported(tree: ast.Module, module: str) -> set[str]:
    """Return the packages that a module imports, but those of Python and kproto."""
    tops = {name.partition(".")[0] for name in _modules(tree, module)}
    return tops - sys.stdlib_module_names - {"kproto", module}


def _modules(tree: ast.Module, module: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield module if node.level else node.module or ""
