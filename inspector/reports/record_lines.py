"""Records of the offsets topic as JSON lines.

    {"source", "partition", "offset", "timestamp", "key", "value"}

Key and value are as `decoded_report` makes them; value is null for a tombstone. A record of a
transaction has `transaction` besides: what became of it, or null where that is not known.

Nearly all records of a log have no deviation, and are written without being read twice. Members
write the same bytes many times, so what is inside of them is opened once and cached.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ...capture.segments.offsets_topic import DecodedRecord, PlainRecord
from ...capture.segments.records import Record
from ...codec.messages.consumer_protocol_assignment import ConsumerProtocolAssignment
from ...codec.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.runtime.message import VersionedMessage
from ..diagnose.clean_check import clean_check
from ..identification.identify import verdict
from ..open.opening import (
    ASSIGNMENT,
    METADATA,
    Around,
    Payload,
    carries,
    field_of_message,
    open_payload,
    payloads,
)
from .json_encoders import json_converter
from .json_report import decoded_report, json_line, opened_report, unread_report

KEPT = 16 << 20
"""Bytes that a cache holds: of JSON, and of the bytes that it was made of."""
_WORTH_KEEPING = 64 << 10

Report = dict[str, Any]

_REST = b',"remainder":"","deviations":[],"error":null'


class RecordLines:
    """A writer of the JSON lines of records.

    `plain` decodes a record, or returns None where `careful`, which uses the diagnostic reader, has
    to.
    """

    def __init__(
        self,
        plain: Callable[[Record], PlainRecord | None],
        careful: Callable[[Record], DecodedRecord],
        policy: Policy = Policy.KAFKA,
    ) -> None:
        self._plain = plain
        self._diagnostic = careful
        self._policy = policy
        self._keys = BoundedCache()
        self._inside = BoundedCache()
        self._batch: object = None
        self._place: tuple[str, int | None] | None = None
        self._front = self._back = b""

    def line(self, record: Record) -> tuple[bytes, bool]:
        """Return the line, and whether a key or value was refused."""
        plain = self._plain(record)
        if plain is None:
            return self._odd(record)
        data = record.key
        assert data is not None
        key = self._keys.get(data)
        if key is None:
            key = self._keys.keep(data, len(data), self._key(data, plain.key))
        value = b"null"
        if plain.value is not None:
            value = self._value(plain.value, plain.value_version or 0, record.value or b"")
            if not value:
                return self._odd(record)
        return self._whole(record, key, value), False

    def _whole(self, record: Record, key: bytes, value: bytes) -> bytes:
        if record.batch is not self._batch:
            self._turn_to(record)
        when = record.timestamp
        return b'%b,"offset":%d,"timestamp":%b,"key":%b,"value":%b%b' % (
            self._front,
            record.offset,
            b"null" if when is None else b"%d" % when,
            key,
            value,
            self._back,
        )

    def _turn_to(self, record: Record) -> None:
        """Write the parts of a line that all records of a batch share, and mostly the next
        batch's."""
        self._batch = record.batch
        self._back = b"}"
        if record.transactional:
            self._back = b',"transaction":%b}' % json_line(record.outcome)
        place = record.source, record.partition
        if place != self._place:
            front = json_line({"source": record.source, "partition": record.partition})
            self._place, self._front = place, front[:-1]

    def _key(self, data: bytes, message: VersionedMessage) -> bytes:
        version = message.LATEST
        writer = _writer(type(message), version)
        if writer.is_clean(message, data):
            return writer.text(message) + b"}"
        return json_line(decoded_report(decode(data, type(message), policy=Policy.LENIENT), None))

    def _value(self, message: VersionedMessage, version: int, data: bytes) -> bytes:
        """The JSON of a value; empty if it may have a deviation."""
        writer = _writer(type(message), version)
        if not writer.is_clean(message, data):
            return b""
        text = writer.text(message)
        if not writer.carries:
            return text + b"}"
        inside = [
            b'{"path":"%b",%b' % (path.encode(), opened)
            for path, kind, content, around, _ in payloads(message.NAME, message, field_of_message)
            if (opened := self.opened(kind, content, around))
        ]
        return b'%b,"opened":[%b]}' % (text, b",".join(inside)) if inside else text + b"}"

    def opened(self, kind: str, content: bytes, around: Around) -> bytes:
        """Return the JSON of what is inside a member's bytes, from behind its path on; empty if
        nothing is known to be inside."""
        place = content, kind, around
        said = self._inside.get(place)
        if said is None:
            said = _plainly(kind, content, around)
            if not said:
                opened = open_payload(Payload("", kind, content, around))
                said = b"" if opened is None else json_line(opened_report(opened))
                said = said.removeprefix(b'{"path":"",')
            self._inside.keep(place, len(content), said)
        return said

    def _odd(self, record: Record) -> tuple[bytes, bool]:
        read = self._diagnostic(record)
        if record.control:
            noted = (_noted(data, read.reason) for data in (record.key, record.value))
            return self._whole(record, *map(json_line, noted)), False
        key, key_refused = self._read(read.key, record.key, read.reason)
        value, value_refused = self._read(read.value, record.value, read.reason)
        refused = key_refused or value_refused
        return self._whole(record, json_line(key), json_line(value)), refused

    def _read(
        self, seen: Decoded[Any] | None, data: bytes | None, reason: str
    ) -> tuple[Report | None, bool]:
        if seen is not None:
            error, refused = verdict(seen, self._policy)
            return decoded_report(seen, error), refused
        if data is None:
            return None, bool(reason)
        kind = "unknown-record-type" if "record type" in reason else None
        return unread_report(data, kind, reason), True


def _noted(data: bytes | None, reason: str) -> Report | None:
    """The report on a part of a control record, which has no definition and is no error."""
    if data is None:
        return None
    return unread_report(data, None, reason) | {"error": None, "note": reason}


_OF_CONSUMERS: dict[str, type[VersionedMessage]] = {
    METADATA: ConsumerProtocolSubscription,
    ASSIGNMENT: ConsumerProtocolAssignment,
}


def _plainly(kind: str, content: bytes, around: Around) -> bytes:
    """The JSON of a subscription or assignment without user data and without a deviation, as
    `opened_report` has it; empty for any other bytes."""
    cls = _OF_CONSUMERS.get(kind) if around.protocol_type == "consumer" else None
    if cls is None or len(content) < 2:
        return b""
    version = content[0] << 8 | content[1]
    read = cls._plainly(version, content, 2)
    if read is None:
        return b""
    message, end = read
    writer = _writer(cls, version)
    if end != len(content) or not writer.is_clean(message, content):
        return b""
    return writer.text_inside(message)


class _MessageWriter:
    """A writer of messages of one class and version that have no deviation."""

    def __init__(self, cls: type[VersionedMessage], version: int) -> None:
        self.is_clean = clean_check(cls, version)
        self.carries = carries(cls.NAME)
        self._convert = json_converter(cls, version)
        self._inside = b'"name":"%b","version":%d,"message":' % (cls.NAME.encode(), version)
        numbers = b'"version":%d,"schemaVersion":%d' % (version, version)
        self._front = b'{"name":"%b",%b,"message":' % (cls.NAME.encode(), numbers)

    def text(self, message: VersionedMessage) -> bytes:
        """Return the JSON object of `decoded_report`, without the closing bracket."""
        return self._front + json_line(self._convert(message)) + _REST

    def text_inside(self, message: VersionedMessage) -> bytes:
        """Return the JSON object of `opened_report`, from behind its path on."""
        said = json_line(self._convert(message))
        return self._inside + said + b',"deviations":[],"error":null,"opened":[]}'


_writer = lru_cache(maxsize=2048)(_MessageWriter)


class BoundedCache:
    """A cache of what was made of some bytes, which drops the oldest entries beyond `KEPT`
    bytes."""

    def __init__(self) -> None:
        self._made: dict[Any, tuple[bytes, int]] = {}
        self.size = 0

    def get(self, key: Any) -> bytes | None:
        found = self._made.get(key)
        return None if found is None else found[0]

    def keep(self, key: Any, size: int, made: bytes) -> bytes:
        size += len(made) + 512  # with what Python needs itself
        if size <= _WORTH_KEEPING:
            self._made[key] = made, size
            self.size += size
            while self.size > KEPT:
                self.size -= self._made.pop(next(iter(self._made)))[1]
        return made
