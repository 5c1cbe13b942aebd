"""Code made to count its branches: atheris finds where, and moves what is behind; what is put there
is ours."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType
from typing import Any

from atheris import instrument_bytecode
from atheris.instrument_bytecode import Instruction, Instrumentor
from atheris.version_dependent import CONDITIONAL_JUMPS, ENDS_FUNCTION, UNCONDITIONAL_JUMPS

from .counters import MORE, Counters

COUNTERS = Counters()
_STOPS = {*UNCONDITIONAL_JUMPS, *ENDS_FUNCTION, "RETURN_CONST"}  # CPython 3.12 and 3.13 have that
_ITEM = "BINARY_SUBSCR"  # CPython 3.14 has another: there atheris counts, by a call


class _Ordered(dict[Any, None]):
    """A set that is gone through in the order in which it was filled."""

    def add(self, one: Any) -> None:
        self[one] = None


class _Counting(Instrumentor):  # type: ignore[misc]  # atheris has no types
    def trace_control_flow(self) -> None:
        self._implied = set(_implied(self.instructions))
        super().trace_control_flow()

    def _insert_at(self, to_insert: list[Any], target: Any) -> None:
        if to_insert:
            super()._insert_at(to_insert, target)

    def _generate_trace_branch_invocation(self, copyfrom_instruction: Any) -> list[Any]:
        """`region[at] = MORE[region[at]]`, in front of that instruction."""
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
    """Where a count would say what others do: the head of a loop, which its body and its end say;
    what is behind a check that raises; where ways meet that were counted."""
    for before, one in pairwise(instructions):
        if one.mnemonic == "FOR_ITER" or before.mnemonic == "RAISE_VARARGS":
            yield one
        elif one.referers and before.mnemonic not in CONDITIONAL_JUMPS:
            jumps = [jump.mnemonic for jump in one.referers]
            comes_down = before.mnemonic not in _STOPS
            is_arm = not comes_down and any(jump in CONDITIONAL_JUMPS for jump in jumps)
            if not is_arm and not any("BACKWARD" in jump for jump in jumps):
                yield one


# atheris numbers the branches of a function in the order of a set, which is that of addresses: the
# same seed would go another way in the next process.
instrument_bytecode.set = _Ordered
instrument_bytecode.Instrumentor = _Counting


def counting(code: CodeType) -> CodeType:
    """The same code and all within, counting."""
    patched: CodeType = instrument_bytecode.patch_code(code, trace_dataflow=False)
    return patched
