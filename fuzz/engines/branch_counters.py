"""Counters of branches, one byte each, where libFuzzer looks for them.

The counted code raises them itself: a call at every branch, as atheris makes it, takes longer than
what most branches do. atheris finds the branches and moves the code behind them; the counting
instructions are written here.
"""

from __future__ import annotations

import ctypes
import dis
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType
from typing import Any

from atheris import instrument_bytecode
from atheris.instrument_bytecode import Instruction, Instrumentor
from atheris.version_dependent import CONDITIONAL_JUMPS, ENDS_FUNCTION, UNCONDITIONAL_JUMPS

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
        made = Region(size)
        self._regions.insert(0, made)  # the last one is the one that is being filled
        if self._libfuzzer is not None:
            self._tell(self._libfuzzer, made)
        return made

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
            called: list[Any] = super()._generate_trace_branch_invocation(copyfrom_instruction)
            return called
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
    for before, instruction in pairwise(instructions):
        if instruction.mnemonic == "FOR_ITER" or before.mnemonic == "RAISE_VARARGS":
            yield instruction
        elif instruction.referers and before.mnemonic not in CONDITIONAL_JUMPS:
            jumps = [jump.mnemonic for jump in instruction.referers]
            comes_down = before.mnemonic not in _STOPS
            is_arm = not comes_down and any(jump in CONDITIONAL_JUMPS for jump in jumps)
            if not is_arm and not any("BACKWARD" in jump for jump in jumps):
                yield instruction


# atheris numbers the branches of a function in the order of a set, which is that of addresses: the
# same seed would go another way in the next process.
instrument_bytecode.set = _Ordered
instrument_bytecode.Instrumentor = _Counting


def counting(code: CodeType) -> CodeType:
    """Return the same code, and all within, with counters."""
    patched: CodeType = instrument_bytecode.patch_code(code, trace_dataflow=False)
    return patched
