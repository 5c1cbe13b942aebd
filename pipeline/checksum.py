"""CRC-32C (Castagnoli), the checksum of record batches, eight bytes at a time: by the instruction
that x86 processors have for it since SSE 4.2, elsewhere from tables."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from .addresses import load8, load64, wire8, wire64
from .compiled import compiled

__all__ = ["crc32c", "from_tables"]

_POLYNOMIAL = 0x82F63B78


def _tables() -> Any:
    """Of one byte, and of that byte with one to seven zeros behind it."""
    tables = np.zeros((8, 256), np.int64)
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (_POLYNOMIAL if crc & 1 else 0)
        tables[0, byte] = crc
    for zeros in range(1, 8):
        before = tables[zeros - 1]
        tables[zeros] = before >> 8 ^ tables[0][before & 0xFF]
    return tables


_TABLES = _tables()


def _has_instruction() -> bool:
    """Whether code is compiled for the processor that it runs on, and that has it."""
    chosen = vars(config)["CPU_NAME"] or vars(config)["CPU_FEATURES"]
    ours = platform.machine().lower() in {"x86_64", "amd64"} and not chosen
    return ours and bool(binding.get_host_cpu_features().get("sse4.2"))


def _instruction(name: str, bits: int, word: int) -> Any:
    """The instruction as a function of the checksum so far and the next bytes."""

    def typed(typingctx: Any, crc: Any, data: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = [ir.IntType(bits), ir.IntType(word)]
            kind = ir.FunctionType(kinds[0], kinds)
            function = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
            given = [
                value if one.width == 64 else builder.trunc(value, one)
                for value, one in zip(args, kinds, strict=True)
            ]
            made = builder.call(function, given)
            return made if bits == 64 else builder.zext(made, ir.IntType(64))

        return types.int64(types.int64, types.int64), generate

    return intrinsic(typed)


_crc_of_8 = _instruction("llvm.x86.sse42.crc32.64.64", 64, 64)
_crc_of_1 = _instruction("llvm.x86.sse42.crc32.32.8", 32, 8)


@compiled
def _by_instruction(start: int, size: int) -> int:
    crc = 0xFFFFFFFF
    at, end = start, start + size
    while end - at >= 8:
        crc = _crc_of_8(crc, load64(at))
        at += 8
    while at < end:
        crc = _crc_of_1(crc, load8(at))
        at += 1
    return crc ^ 0xFFFFFFFF


@compiled
def from_tables(start: int, size: int) -> int:
    """The same without the instruction."""
    crc = 0xFFFFFFFF
    at, end = start, start + size
    while end - at >= 8:
        word = wire64(at)  # the first byte is the highest
        crc = (
            _TABLES[7, ((word >> 56) ^ crc) & 0xFF]
            ^ _TABLES[6, ((word >> 48) ^ (crc >> 8)) & 0xFF]
            ^ _TABLES[5, ((word >> 40) ^ (crc >> 16)) & 0xFF]
            ^ _TABLES[4, ((word >> 32) ^ (crc >> 24)) & 0xFF]
            ^ _TABLES[3, (word >> 24) & 0xFF]
            ^ _TABLES[2, (word >> 16) & 0xFF]
            ^ _TABLES[1, (word >> 8) & 0xFF]
            ^ _TABLES[0, word & 0xFF]
        )
        at += 8
    while at < end:
        crc = (crc >> 8) ^ _TABLES[0, (crc ^ wire8(at)) & 0xFF]
        at += 1
    return crc ^ 0xFFFFFFFF


crc32c = _by_instruction if _has_instruction() else from_tables
"""The checksum of so many bytes at an address."""
