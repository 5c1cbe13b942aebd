"""Coverage: code is changed as it is imported, so that libFuzzer sees which branches it takes.

The changed code raises counters, one byte for each branch, where libFuzzer looks for them: a call
at every branch, as atheris makes it, takes longer than most branches do. atheris finds the branches
and moves the code behind them; the counting instructions are written here.

Each branch that counts costs a twentieth of a microsecond whenever it is passed, so a target says
which modules lead the search for inputs, and all others run as they are.
"""

from __future__ import annotations

import ctypes
import dis
import sys
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import pairwise
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from atheris import instrument_bytecode
from atheris.instrument_bytecode import Instruction, Instrumentor
from atheris.version_dependent import CONDITIONAL_JUMPS, ENDS_FUNCTION, UNCONDITIONAL_JUMPS

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
            number = copy(value)
            for name in self._number.__slots__:
                setattr(number, name, self.of(getattr(value, name)))
            return number
        if isinstance(value, dict) and any(isinstance(item, tuple) for item in value.values()):
            return {key: tuple(map(self.of, item)) for key, item in value.items()}
        return value

    def _function(self, function: FunctionType) -> FunctionType:
        names = function.__globals__
        space = self._globals.setdefault(id(names), dict(names))
        cells = function.__closure__ or ()
        closure = tuple(CellType(self.of(cell.cell_contents)) for cell in cells)
        code = self._patch(function.__code__)
        function_copy = FunctionType(code, space, function.__name__, function.__defaults__, closure)
        function_copy.__kwdefaults__ = function.__kwdefaults__
        for name in _names(function.__code__):
            if name in names:
                space[name] = self.of(names[name])
        return function_copy


def _room(function: FunctionType) -> str:
    return ".".join(function.__module__.split(".")[:2])


def _names(code: CodeType) -> Iterator[str]:
    """Yield every global that the code and the functions within it may use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


_SIZE = 256  # counts of one region; libFuzzer takes 4,096 regions
MORE = bytes([*range(1, 256), 255])
"""Maps a count to the next; 255 stays, so that a count never wraps to 0."""


class Region(bytearray):
    """Counts in one piece of memory that never moves."""

    def __hash__(self) -> int:  # type: ignore[override]  # code objects hash their constants
        return id(self)


class Counters:
    """All regions; those that are begun once libFuzzer runs are reported to it at once."""

    def __init__(self) -> None:
        self._regions: list[Region] = []
        self._used = _SIZE
        self._libfuzzer: ctypes.CDLL | None = None
        self._held: list[object] = []  # what libFuzzer looks at

    def region(self, size: int) -> Region:
        """Return a region of counts, for code that is not Python's."""
        region = Region(size)
        self._regions.insert(0, region)  # the last one is the one that is being filled
        if self._libfuzzer is not None:
            self._tell(self._libfuzzer, region)
        return region

    def take(self) -> tuple[Region, int]:
        """Return a count that is not in use: its region, and where in it."""
        if self._used == _SIZE:
            self._regions.append(Region(_SIZE))
            self._used = 0
            if self._libfuzzer is not None:
                self._tell(self._libfuzzer, self._regions[-1])
        self._used += 1
        return self._regions[-1], self._used - 1

    def begin(self, libfuzzer: str) -> None:
        """Report all regions to libFuzzer, which is in this file, and new ones from now on."""
        self._libfuzzer = ctypes.CDLL(libfuzzer)
        for region in self._regions:
            self._tell(self._libfuzzer, region)

    def _tell(self, libfuzzer: ctypes.CDLL, region: Region) -> None:
        """Report a region as compiled code does: where the counts are, and a table that gives each
        an address in the code, with flags.
        """
        size = len(region)
        counts = (ctypes.c_uint8 * size).from_buffer(region)
        places = (ctypes.c_size_t * (2 * size))()
        first = ctypes.addressof(counts)
        places[::2] = list(range(first, first + size))
        for name, table in (("8bit_counters", counts), ("pcs", places)):
            start = ctypes.addressof(table)
            end = start + ctypes.sizeof(table)
            libfuzzer[f"__sanitizer_cov_{name}_init"](ctypes.c_void_p(start), ctypes.c_void_p(end))
            self._held.append(table)


COUNTERS = Counters()
_STOPS = {*UNCONDITIONAL_JUMPS, *ENDS_FUNCTION, "RETURN_CONST"}  # CPython 3.12 and 3.13 have that
_ITEM = "BINARY_SUBSCR"  # CPython 3.14 has another: there atheris counts, by a call


class _Ordered(dict[Any, None]):
    """A set that is iterated in the order in which it was filled."""

    def add(self, item: Any) -> None:
        self[item] = None


class _Counting(Instrumentor):  # type: ignore[misc]  # atheris has no types
    def trace_control_flow(self) -> None:
        self._implied = set(_implied(self.instructions))
        super().trace_control_flow()

    def _insert_at(self, to_insert: list[Any], target: Any) -> None:
        if to_insert:
            super()._insert_at(to_insert, target)

    def _generate_trace_branch_invocation(self, copyfrom_instruction: Any) -> list[Any]:
        """Return the code for `region[at] = MORE[region[at]]`, in front of that instruction."""
        if copyfrom_instruction in self._implied:
            return []
        if _ITEM not in dis.opmap:
            call: list[Any] = super()._generate_trace_branch_invocation(copyfrom_instruction)
            return call
        more, region, at = map(self._get_const, (MORE, *COUNTERS.take()))
        load = dis.opmap["LOAD_CONST"]
        item, store = dis.opmap[_ITEM], dis.opmap["STORE_SUBSCR"]
        steps = (
            (load, more), (load, region), (load, at), (item, None), (item, None),
            (load, region), (load, at), (store, None),
        )  # fmt: skip
        return [Instruction(op, arg, copyfrom_instruction.positions) for op, arg in steps]


def _implied(instructions: list[Any]) -> Iterator[Any]:
    """Yield the instructions whose count others imply: the head of a loop, implied by its body and
    its end; what is behind a check that raises; where ways meet that were counted.
    """
    for previous, instruction in pairwise(instructions):
        if instruction.mnemonic == "FOR_ITER" or previous.mnemonic == "RAISE_VARARGS":
            yield instruction
        elif instruction.referers and previous.mnemonic not in CONDITIONAL_JUMPS:
            jumps = [jump.mnemonic for jump in instruction.referers]
            comes_down = previous.mnemonic not in _STOPS
            is_arm = not comes_down and any(jump in CONDITIONAL_JUMPS for jump in jumps)
            if not is_arm and not any("BACKWARD" in jump for jump in jumps):
                yield instruction


# atheris numbers the branches of a function in the order of a set, which is that of addresses: the
# same seed would go another way in the next process.
instrument_bytecode.set = _Ordered
instrument_bytecode.Instrumentor = _Counting


def counting_comparisons(code: CodeType) -> CodeType:
    """Return the same code with counters, whose comparisons are shown to libFuzzer besides."""
    patched: CodeType = instrument_bytecode.patch_code(code, trace_dataflow=True)
    return patched


def counting(code: CodeType) -> CodeType:
    """Return the same code, and all within, with counters."""
    patched: CodeType = instrument_bytecode.patch_code(code, trace_dataflow=False)
    return patched
