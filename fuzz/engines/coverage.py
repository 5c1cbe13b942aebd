"""Coverage: code is changed as it is imported, so that libFuzzer sees which branches it takes.

Each branch that counts costs a twentieth of a microsecond whenever it is passed, so a target says
which modules lead the search for inputs, and all others run as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

Patch = Callable[[CodeType], CodeType]
"""Returns code with counters."""


class Instrumented(MetaPathFinder):
    """Finds the modules of some packages and changes their code with `patch`."""

    def __init__(self, modules: Sequence[str], patch: Patch) -> None:
        self._modules = tuple(modules)
        self._patch = patch

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec that importlib asks for; None for modules that do not count."""
        if not any(
            fullname == module or fullname.startswith(f"{module}.") for module in self._modules
        ):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self._patch)
        return spec

    def install(self) -> None:
        """Install the finder, before the modules are imported: those that are imported already stay
        as they are.
        """
        sys.meta_path.insert(0, self)


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, patch: Patch) -> None:
        super().__init__(fullname, path)
        self._patch = patch

    def get_code(self, fullname: str) -> CodeType | None:
        code = super().get_code(fullname)
        return None if code is None else self._patch(code)


def traced(function: Callable[..., Any], patch: Patch) -> Callable[..., Any]:
    """Return a copy of a function whose branches count, with copies of the room's functions that it
    calls. The copies belong to this one, so that readers that share functions count apart.
    """
    assert isinstance(function, FunctionType)
    copied: Callable[..., Any] = _Copies(function, patch).of(function)
    return copied


class _Copies:
    """Copies of functions of one room, and of what holds such functions."""

    def __init__(self, function: FunctionType, patch: Patch) -> None:
        from ...codec.wire.primitives import Number  # late: it may be what is measured

        self._number = Number
        self._room = _room(function)
        self._patch = patch
        self._made: dict[int, Any] = {}  # by the id of what was copied, which outlives this
        self._globals: dict[int, dict[str, Any]] = {}

    def of(self, value: Any) -> Any:
        """Return the copy of a function, or of numbers and tables that hold some; all else as it
        is.
        """
        if id(value) not in self._made:
            self._made[id(value)] = value  # as long as its own parts are copied
            self._made[id(value)] = self._copy(value)
        return self._made[id(value)]

    def _copy(self, value: Any) -> Any:
        if isinstance(value, FunctionType) and _room(value) == self._room:
            return self._function(value)
        if isinstance(value, self._number):
            made = copy(value)
            for name in self._number.__slots__:
                setattr(made, name, self.of(getattr(value, name)))
            return made
        if isinstance(value, dict) and any(isinstance(item, tuple) for item in value.values()):
            return {key: tuple(map(self.of, item)) for key, item in value.items()}
        return value

    def _function(self, function: FunctionType) -> FunctionType:
        known = function.__globals__
        space = self._globals.setdefault(id(known), dict(known))
        cells = function.__closure__ or ()
        closure = tuple(CellType(self.of(cell.cell_contents)) for cell in cells)
        code = self._patch(function.__code__)
        made = FunctionType(code, space, function.__name__, function.__defaults__, closure)
        made.__kwdefaults__ = function.__kwdefaults__
        for name in _names(function.__code__):
            if name in known:
                space[name] = self.of(known[name])
        return made


def _room(function: FunctionType) -> str:
    return ".".join(function.__module__.split(".")[:2])


def _names(code: CodeType) -> Iterator[str]:
    """Yield every global that the code and the functions within it may use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
