"""The version 2 subscription as somebody who knows construct would write it down.

Plain on purpose: it is a peer, not the project's reference (that is `construct_for`).
"""

from __future__ import annotations

from typing import Any

from construct import (
    Bytes,
    If,
    Int16sb,
    Int16ub,
    Int32sb,
    PascalString,
    PrefixedArray,
    Struct,
    this,
)

NAME = PascalString(Int16ub, "utf8")

SUBSCRIPTION: Any = Struct(
    "version" / Int16sb,
    "topics" / PrefixedArray(Int32sb, NAME),
    "user_data_size" / Int32sb,
    "user_data" / If(this.user_data_size >= 0, Bytes(this.user_data_size)),
    "owned_partitions"
    / PrefixedArray(
        Int32sb,
        Struct("topic" / NAME, "partitions" / PrefixedArray(Int32sb, Int32sb)),
    ),
    "generation_id" / Int32sb,
)
