"""Which bytes an error is about: from its offset over the whole primitive that was refused."""

from __future__ import annotations

from collections.abc import Iterable

from ..codec.built_in import layout_of
from ..codec.careful import FieldNode
from ..codec.decoding import Decoded
from ..codec.errors import DecodeError, ErrorKind
from ..codec.framing import HEADER_BYTES
from ..codec.layout import Layout, Slot
from ..codec.message import Message
from ..codec.spec import FIXED_BYTES

_TO_THE_END = {ErrorKind.TRUNCATED, ErrorKind.REMAINDER}
_IN_FRONT = {ErrorKind.UNSUPPORTED_VERSION, ErrorKind.UNKNOWN_RECORD_TYPE}


def blamed(seen: Decoded[Message], error: DecodeError) -> tuple[int, int]:
    """Start and end of the bytes that `error` refuses; empty where bytes are missing at the end."""
    start = error.offset
    if error.kind in _TO_THE_END:
        return start, len(seen.data)
    if error.kind in _IN_FRONT:
        return start, start + (HEADER_BYTES[seen.message_class.FRAMING.kind] or 4)
    node = _node_at(seen.fields, error)
    return start, start + _prefix_width(seen, error) if node is None else node.end


def _node_at(nodes: Iterable[FieldNode], error: DecodeError) -> FieldNode | None:
    """What was read there, where the policy alone refuses it."""
    for node in nodes:
        if node.path == error.path and node.start == error.offset:
            return node
        if node.start <= error.offset < node.end:
            return _node_at(node.children, error)
    return None


def _prefix_width(seen: Decoded[Message], error: DecodeError) -> int:
    """The bytes of the length, count or marker that was refused."""
    slot = _slot_at(seen, error.path)
    element = error.path.endswith("]")
    if slot is not None and not slot.compact:
        if slot.field.type.array and not element:
            return 4
        return FIXED_BYTES.get(slot.base) or {"string": 2, "struct": 1}.get(slot.base, 4)
    return _varint_width(seen.data, error.offset)


def _slot_at(seen: Decoded[Message], path: str) -> Slot | None:
    if seen.schema_version is None:
        return None
    layout: Layout | None = layout_of(seen.message_class, seen.schema_version)
    slot = None
    for name in path.split("."):
        if layout is None:
            return None
        wanted = name.partition("[")[0]
        slots = (*layout.slots, *layout.tagged)
        slot = next((one for one in slots if one.field.snake == wanted), None)
        layout = slot.element if slot is not None else None
    return slot


def _varint_width(data: bytes, start: int) -> int:
    for width in range(1, 5):
        if data[start + width - 1 : start + width] < b"\x80":
            return width
    return 5
