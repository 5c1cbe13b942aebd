"""Decode the records of the offsets topic by their record type.

A key begins with an int16 that is the API key of its definition; the value's definition has the
same API key. Nothing here raises for any bytes: why something could not be read is in `reason` or
in the `error` of key or value.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from msgspec import structs

from ...codec import (
    Decoded,
    KprotoError,
    Policy,
    VersionedMessage,
    built_in_names,
    decode,
    field_versions,
    message_class,
)
from ...codec.wire.primitives import ODD_BYTES, OddBytes
from ..chunks import Chunk, DumpedRecord
from .records import Record
from .segment_files import OFFSETS_TOPIC, topic_of
from .transactions import control_type

__all__ = [
    "DUMPED",
    "DecodedRecord",
    "PlainRecord",
    "RecordType",
    "WrittenRecord",
    "decode_record",
    "group_of",
    "is_internal",
    "plain_record",
    "record_types",
    "value_name",
    "written_items",
    "written_record",
]


class RecordType(NamedTuple):
    """A record type and its two message classes."""

    number: int
    key: type[VersionedMessage]
    value: type[VersionedMessage]


@cache
def record_types() -> Mapping[int, RecordType]:
    """Return the record types (the int16 a key begins with) with their classes, from the built-in
    definitions."""
    types = {}
    for name in built_in_names():
        if not name.endswith("Key"):
            continue
        key = message_class(name)
        if key.FRAMING.kind != "record-type" or key.API_KEY is None:
            continue
        value = message_class(f"{name.removesuffix('Key')}Value")
        assert issubclass(key, VersionedMessage) and issubclass(value, VersionedMessage)
        types[key.API_KEY] = RecordType(key.API_KEY, key, value)
    return types


def value_name(key: bytes, value: bytes) -> str:
    """Return the name of the message that a value is by the key of its record, "" where these are
    no key and value of a record of the offsets topic."""
    kind = record_types().get(int.from_bytes(key[:2], "big", signed=True))
    if kind is None:
        return ""
    for data, cls in ((key, kind.key), (value, kind.value)):
        decoded = decode(data, cls, policy=Policy.LENIENT)
        if not decoded.complete or decoded.remainder:
            return ""
    return kind.value.NAME


_INTERNAL = {
    "__cluster_metadata": "the metadata of a KRaft cluster",
    "__share_group_state": "the state of share groups",
    "__transaction_state": "the state of transactions",
    "__remote_log_metadata": "the metadata of tiered storage",
}
"""Topics of Kafka's own whose records are no offsets, and which begin with the same numbers."""


class WrittenRecord(NamedTuple):
    """The bytes of a record that a tool has decoded; `value` is None for a tombstone. `kind` has
    the classes of both, `remark` says what the tool did not print and is taken to be so."""

    kind: RecordType
    key: bytes
    value: bytes | None
    remark: str = ""


_PARTS = {
    "subscription": "ConsumerProtocolSubscription",
    "assignment": "ConsumerProtocolAssignment",
}
_ASSUMED = (
    "the tool does not print the version of the members' {}: it is taken to be the oldest with "
    "these fields"
)


def written_record(dumped: DumpedRecord) -> WrittenRecord | None:
    """Return the bytes of a record that a tool has decoded; None where it did not print all
    fields."""
    kind = record_types().get(dumped.key_type)
    if kind is None:
        return None
    try:
        key = kind.key.from_json(dumped.key, 0).to_bytes(0)
        if dumped.value is None or dumped.value_version is None:
            return WrittenRecord(kind, key, None)
        json, remark = _with_bytes_of_members(dumped.value)
        value = kind.value.from_json(json, dumped.value_version)
        return WrittenRecord(kind, key, value.to_bytes(dumped.value_version), remark)
    except (KprotoError, ValueError):
        return None


def _with_bytes_of_members(value: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The value of a group with base64 in the place of subscriptions and assignments that
    kafka-dump-log has decoded, and a remark if there are such."""
    members = value.get("members")
    if not isinstance(members, list):
        return value, ""
    decoded = {
        name
        for member in members
        if isinstance(member, dict)
        for name in _PARTS
        if isinstance(member.get(name), dict)
    }
    if not decoded:
        return value, ""
    written = [
        member | {name: _base64_of(member[name], name) for name in decoded if name in member}
        for member in members
    ]
    names = " and ".join(name for name in _PARTS if name in decoded)
    return value | {"members": written}, _ASSUMED.format(names)


def _base64_of(part: Any, name: str) -> Any:
    if not isinstance(part, dict):
        return part
    cls = message_class(_PARTS[name])
    assert issubclass(cls, VersionedMessage)
    try:
        version = max(field_versions(cls, field).lowest for field in part)
    except KeyError as error:
        raise ValueError(str(error)) from None
    return b64encode(cls.from_json(part, version).to_bytes(version)).decode("ascii")


@lru_cache(maxsize=64)
def other_topic(source: str) -> str:
    """Return what the records of a segment are, where its folder is that of another topic; "" if it
    is the offsets topic's, or does not tell."""
    topic = topic_of(source)
    if topic in (None, OFFSETS_TOPIC):
        return ""
    about = _INTERNAL.get(topic or "")
    return f"a record of {topic}: {about}" if about else "a record of another topic, by its folder"


@lru_cache(maxsize=64)
def is_internal(source: str) -> bool:
    """Return whether a segment is of another topic of Kafka's own."""
    return topic_of(source) in _INTERNAL


class DecodedRecord(NamedTuple):
    """A record with its decoded key and value.

    `reason` says why they could not be read, and both are None then; otherwise it is "". `value` is
    also None for a tombstone.
    """

    record: Record
    key: Decoded[Any] | None
    value: Decoded[Any] | None
    reason: str = ""


def decode_record(record: Record) -> DecodedRecord:
    """Decode the key by its record type, and the value by the definition that belongs to it."""
    if record.control:
        return DecodedRecord(record, None, None, f"a control record: {control_type(record.key)}")
    topic_remark = other_topic(record.source)
    if topic_remark and is_internal(record.source):
        return DecodedRecord(record, None, None, topic_remark)
    suffix = f"; {topic_remark}" if topic_remark else ""
    key = record.key
    if key is None or len(key) < 2:
        return DecodedRecord(record, None, None, f"no record type in the key{suffix}")
    number = int.from_bytes(key[:2], "big", signed=True)
    kind = record_types().get(number)
    if kind is None:
        return DecodedRecord(record, None, None, f"record type {number} is not known{suffix}")
    decoded_key = decode(key, kind.key, policy=Policy.LENIENT)
    if record.value is None:
        return DecodedRecord(record, decoded_key, None)
    value = decode(record.value, kind.value, policy=Policy.LENIENT)
    return DecodedRecord(record, decoded_key, value.as_newest_known or value)


def group_of(record: Record) -> str:
    """Return the group that a record is about, "" where its key names none."""
    key = decode_record(structs.replace(record, value=None)).key
    message = key.message if key is not None else None
    name = getattr(message, "group", None) or getattr(message, "group_id", None)
    return name or ""


class PlainRecord(NamedTuple):
    """The messages of a record whose key and value were read to their last byte; a tombstone has
    neither `value` nor `value_version`."""

    key: VersionedMessage
    value: VersionedMessage | None
    value_version: int | None


def plain_record(record: Record) -> PlainRecord | None:
    """Return the key and value, where they are of known types and versions, in plain encoding, and
    nothing follows them; None for any other record, which `decode_record` decodes. The messages may
    have deviations.

    Nearly all records are like this, and take a third of the time that `decode_record` takes.
    """
    key, value = record.key, record.value
    if key is None or record.batch.control or is_internal(record.source):
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


# A log repeats its keys. Keys in another encoding raise, and are not cached.
_SHORT = 256
_plain_key = lru_cache(maxsize=4096)(_read_key)


_TOMBSTONE = "its value is null: a tombstone"
DUMPED = "kafka-dump-log"
"""The form of the bytes of records that a tool has decoded."""


def written_items(items: Iterable[Chunk | DumpedRecord]) -> Iterator[Chunk | DumpedRecord]:
    """Yield what was read in a text, in the order of its lines, with the bytes of key and value in
    the place of a record that a tool has decoded, and of the parts that it has not. A record that
    lacks fields stays."""
    line = 0
    for item in items:
        if not isinstance(item, DumpedRecord):
            if item.format != DUMPED or item.line != line:
                yield item
            continue
        written = written_record(item)
        if written is None:
            yield item
            continue
        remark = (item.missing or _TOMBSTONE) if written.value is None else ""
        key, value = (cls.NAME for cls in (written.kind.key, written.kind.value))
        place = (DUMPED, item.line, 1)
        yield Chunk(written.key, *place, "key", remark=remark, context=key)
        if written.value is not None:
            line = item.line
            yield Chunk(written.value, *place, "value", remark=written.remark, context=value)
