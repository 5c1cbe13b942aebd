"""A record of the offsets topic, its key and value decoded.

The key says by its first two bytes which definition it follows, and with it the value's. Nothing
here raises for any bytes: what cannot be read is in `reason` or in the `error` of key or value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from ..codec import Decoded, Policy, VersionedMessage, decode
from ..codec.wire import ODD_BYTES, OddBytes
from .record_types import RecordType, record_types
from .records import Record
from .transactions import control_type

__all__ = ["DecodedRecord", "PlainRecord", "decode_record", "plain_record"]


class DecodedRecord(NamedTuple):
    """A record with what its key and value say.

    `value` is None for a tombstone, and where `reason` says why it could not be read; `key` only
    for the latter. `reason` is "" if there is nothing to say.
    """

    record: Record
    key: Decoded[Any] | None
    value: Decoded[Any] | None
    reason: str = ""


def decode_record(record: Record) -> DecodedRecord:
    """Decode the key by its record type, and the value by the definition that belongs to it."""
    if record.control:
        return DecodedRecord(record, None, None, f"a control record: {control_type(record.key)}")
    key = record.key
    if key is None or len(key) < 2:
        return DecodedRecord(record, None, None, "no record type in the key")
    number = int.from_bytes(key[:2], "big", signed=True)
    kind = record_types().get(number)
    if kind is None:
        return DecodedRecord(record, None, None, f"record type {number} is not known")
    decoded_key = decode(key, kind.key, policy=Policy.LENIENT)
    if record.value is None:
        return DecodedRecord(record, decoded_key, None)
    return DecodedRecord(
        record, decoded_key, decode(record.value, kind.value, policy=Policy.LENIENT)
    )


class PlainRecord(NamedTuple):
    """A record whose key and value were read at once, to their last byte; a tombstone has no
    `value_version`."""

    key: VersionedMessage
    value: VersionedMessage | None
    value_version: int | None


def plain_record(record: Record) -> PlainRecord | None:
    """The key and value alone, where they are of known types and versions, in plain encoding, and
    nothing follows them; None for all else, which `decode_record` is for. Deviations there can be.

    This is what nearly all records are, read at a third of the price: for logs by the million.
    """
    key, value = record.key, record.value
    if key is None or record.batch.control:
        return None
    try:
        kind, key_message = (_plain_key if len(key) <= _SHORT else _read_key)(key)
        if value is None:
            return PlainRecord(key_message, None, None)
        version = value[0] << 8 | value[1]
        value_read = kind.value._plainly(version, value, 2)
    except ODD_BYTES:
        return None
    if value_read is None or value_read[1] != len(value):
        return None
    return PlainRecord(key_message, value_read[0], version)


def _read_key(key: bytes) -> tuple[RecordType, VersionedMessage]:
    kind = record_types()[key[0] << 8 | key[1]]
    read = kind.key._plainly(kind.key.LATEST, key, 2)
    if read is None or read[1] != len(key):
        raise OddBytes
    return kind, read[0]


# A log has the same keys again and again; what is odd is not kept, for it is an exception.
_SHORT = 256
_plain_key = lru_cache(maxsize=4096)(_read_key)
