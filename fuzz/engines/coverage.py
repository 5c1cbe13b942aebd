"""Which branches count: code is changed as it is imported, so that libFuzzer sees where it goes.

Each branch that counts costs a twentieth of a microsecond whenever it is passed, so a target says
which modules lead the search for inputs, and all others run as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, FunctionType, ModuleType
from typing import Any

Patch = Callable[[CodeType], CodeType]


class Instrumented(MetaPathFinder):
    """Finds the modules of some packages, whose code `patch` changes."""

    def __init__(self, modules: Sequence[str], patch: Patch) -> None:
        self._modules = tuple(modules)
        self._patch = patch

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As importlib asks; None for modules that do not count."""
        if not any(fullname == one or fullname.startswith(f"{one}.") for one in self._modules):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self._patch)
        return spec

    def install(self) -> None:
        """Before the modules are imported: those that are there already stay as they are."""
        sys.meta_path.insert(0, self)


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, patch: Patch) -> None:
        super().__init__(fullname, path)
        self._patch = patch

    def get_code(self, fullname: str) -> CodeType | None:
        code = super().get_code(fullname)
        return None if code is None else self._patch(code)


def traced(function: Callable[..., Any], patch: Patch) -> Callable[..., Any]:
    """A copy of a function whose branches count."""
    assert isinstance(function, FunctionType)
    code = patch(function.__code__)
    made = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made
