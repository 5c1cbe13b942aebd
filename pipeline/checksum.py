"""CRC-32C (Castagnoli), the checksum of record batches, eight bytes at a time from tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from .addresses import wire8, wire64
from .compiled import compiled

__all__ = ["crc32c"]

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


@compiled
def crc32c(start: int, size: int) -> int:
    """The checksum of so many bytes at an address."""
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
