"""Messages too large to be taken apart field by field, which costs many times what reading costs.

Half a million empty strings fit into a megabyte, and each would be a node with a path. A group of
two thousand members is larger, and has far fewer parts: it is those that count.
"""

from __future__ import annotations

from typing import Any

from ...codec.read.decoding import Decoded
from ...codec.runtime.message import MessagePart

NEVER_LARGE = 1 << 20
"""Bytes up to which a message is taken apart, whatever is in it."""
MAX_PARTS = 200_000
"""Elements of arrays, in all, up to which a longer one is, if it was read completely."""

NOT_JUDGED = "too large to be searched for what deviates"


def is_large(seen: Decoded[Any]) -> bool:
    """Return whether `fields` and `deviations` of it are not to be asked for."""
    if len(seen.data) <= NEVER_LARGE:
        return False
    return seen.message is None or _parts(seen.message) > MAX_PARTS


def _parts(item: MessagePart) -> int:
    number = 0
    for name in item.__struct_fields__:
        value = getattr(item, name)
        if isinstance(value, tuple):
            number += len(value)
            if number > MAX_PARTS:
                break
            number += sum(_parts(one) for one in value if isinstance(one, MessagePart))
        elif isinstance(value, MessagePart):
            number += _parts(value)
    return number
