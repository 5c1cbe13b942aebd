"""Memory by its address, for code that numba compiles.

`wireN` reads N bits of a message (big-endian), `loadN` and `storeN` an Arrow buffer (the machine's
own order). All take and give int64, an address too: numba makes a float of int64 and uint64.
Nothing here knows how long a buffer is; `machine` compares before each read of a message, and its
stores fit by construction (see `columns`).
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["load8", "load32", "load64", "store8", "store16", "store32", "store64"]
__all__ += ["wire8", "wire16", "wire32", "wire64"]

_SWAPPED = sys.byteorder == "little"


def _pointer(builder: Any, address: Any, bits: int) -> Any:
    return builder.inttoptr(address, ir.IntType(bits).as_pointer())


def _reader(name: str, bits: int, *, swapped: bool) -> Any:
    def typed(typingctx: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = builder.load(_pointer(builder, args[0], bits), align=1)
            if swapped:
                value = builder.bswap(value)
            return value if bits == 64 else builder.sext(value, ir.IntType(64))

        return types.int64(types.int64), generate

    typed.__name__ = typed.__qualname__ = name
    return intrinsic(typed)


def _writer(name: str, bits: int) -> Any:
    def typed(typingctx: Any, address: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            low = args[1] if bits == 64 else builder.trunc(args[1], ir.IntType(bits))
            builder.store(low, _pointer(builder, args[0], bits), align=1)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

    typed.__name__ = typed.__qualname__ = name
    return intrinsic(typed)


load8 = _reader("load8", 8, swapped=False)
load32 = _reader("load32", 32, swapped=False)
load64 = _reader("load64", 64, swapped=False)
wire8 = load8
wire16 = _reader("wire16", 16, swapped=_SWAPPED)
wire32 = _reader("wire32", 32, swapped=_SWAPPED)
wire64 = _reader("wire64", 64, swapped=_SWAPPED)
store8 = _writer("store8", 8)
store16 = _writer("store16", 16)
store32 = _writer("store32", 32)
store64 = _writer("store64", 64)
