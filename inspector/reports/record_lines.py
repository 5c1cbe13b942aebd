"""Records of the offsets topic as JSON lines: `inspector.shapes.decoded.Record`.

Nearly all records of a log have no deviation, and are written without being read twice. Members
write the same bytes many times, so what is inside of them is opened once and cached.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import UNSET, Raw

from ...capture.segments.offsets_topic import DecodedRecord, PlainRecord
from ...capture.segments.records import Record
from ...codec.json_form import json_converter
from ...codec.messages.consumer_protocol_assignment import ConsumerProtocolAssignment
from ...codec.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.runtime.message import VersionedMessage
from ..diagnose.clean_check import clean_check
from ..identification import verdict
from ..opening import (
    ASSIGNMENT,
    METADATA,
    Around,
    Payload,
    carries,
    field_of_message,
    open_payload,
    payloads,
)
from ..shapes import decoded as shapes
from ..shapes.shape import iso_time, json_line
from .message_report import decoded_report, opened_report, unread_report

KEPT = 16 << 20
"""Bytes that a cache holds: of JSON, and of the bytes that it was made of."""
_WORTH_KEEPING = 64 << 10


class RecordLines:
    """A writer of the JSON lines of records.

    `plain` decodes a record, or returns None where `careful`, which uses the diagnostic reader, has
    to. `with_fields` and `with_bytes` are as for `decoded_report`; for all records, `plain` has to
    return None.
    """

    def __init__(
        self,
        plain: Callable[[Record], PlainRecord | None],
        careful: Callable[[Record], DecodedRecord],
        policy: Policy = Policy.KAFKA,
        *,
        with_fields: bool = False,
        with_bytes: bool = False,
    ) -> None:
        self._report_of = partial(decoded_report, with_fields=with_fields, with_bytes=with_bytes)
        self._plain = plain
        self._diagnostic = careful
        self._policy = policy
        self._keys = BoundedCache()
        self._inside = BoundedCache()

    def line(self, record: Record) -> tuple[bytes, bool]:
        """Return the line, and whether a key or value was refused."""
        plain = self._plain(record)
        if plain is None:
            return self._deviating(record)
        value = None
        if plain.value is not None:
            value = self._value(plain.value, plain.value_version or 0, record.value or b"")
            if value is None:
                return self._deviating(record)
        data = record.key
        assert data is not None
        key = self._keys.get(data)
        if key is None:
            key = self._keys.keep(data, len(data), self._key(data, plain.key))
        return _line(record, _raw(key), value), False

    def _key(self, data: bytes, message: VersionedMessage) -> bytes:
        key = _clean_message(message, message.LATEST, data)
        if key is None:
            decoded_key = decode(data, type(message), policy=Policy.LENIENT)
            key = decoded_report(decoded_key, None)
        return json_line(key)

    def _value(self, message: VersionedMessage, version: int, data: bytes) -> shapes.Decoded | None:
        """The report on a value; None if it may have a deviation."""
        value = _clean_message(message, version, data)
        if value is not None and carries(message.NAME):
            value.opened = [
                _raw(b'{"path":"%b",%b' % (path.encode(), text))
                for path, kind, content, around, _ in payloads(
                    message.NAME, message, field_of_message
                )
                if (text := self.opened(kind, content, around))
            ]
        return value

    def opened(self, kind: str, content: bytes, around: Around) -> bytes:
        """Return the JSON of what is inside a member's bytes, from behind its path on; empty if
        nothing is known to be inside."""
        place = content, kind, around
        text = self._inside.get(place)
        if text is None:
            inside = _clean_inside(kind, content, around)
            if inside is None:
                opened = open_payload(Payload("", kind, content, around))
                inside = None if opened is None else opened_report(opened)
            text = b"" if inside is None else behind_path(inside)
            self._inside.keep(place, len(content), text)
        return text

    def _deviating(self, record: Record) -> tuple[bytes, bool]:
        decoded = self._diagnostic(record)
        if record.control:
            key, value = (_noted(data, decoded.reason) for data in (record.key, record.value))
            return _line(record, key, value), False
        key, key_refused = self._report(decoded.key, record.key, decoded.reason)
        value, value_refused = self._report(decoded.value, record.value, decoded.reason)
        return _line(record, key, value), key_refused or value_refused

    def _report(
        self, decoded: Decoded[Any] | None, data: bytes | None, reason: str
    ) -> tuple[shapes.Decoded | None, bool]:
        if decoded is not None:
            error, refused = verdict(decoded, self._policy)
            return self._report_of(decoded, error), refused
        if data is None:
            return None, bool(reason)
        kind = "unknown-record-type" if "record type" in reason else None
        return unread_report(data, kind, reason), True


def _line(record: Record, key: shapes.Decoded | None, value: shapes.Decoded | None) -> bytes:
    time = record.timestamp
    return json_line(
        shapes.Record(
            source=record.source,
            partition=record.partition,
            offset=record.offset,
            time=None if time is None or time == NO_TIME else iso_time(time),
            key=key,
            value=value,
            transaction=record.outcome if record.transactional else UNSET,
        )
    )


NO_TIME = -1
"""The timestamp of a record that has none."""


def _raw(text: bytes) -> Any:
    """JSON that is made already, in the place of an object."""
    return Raw(text)


def behind_path(inside: shapes.Inside) -> bytes:
    """Return the JSON of what is inside a field whose path is not known yet, from behind it on."""
    return json_line(inside).removeprefix(b'{"path":"",')


def _noted(data: bytes | None, reason: str) -> shapes.Decoded | None:
    """The report on a part of a control record, which has no definition and is no error."""
    if data is None:
        return None
    report = unread_report(data, None, reason)
    report.error, report.note = None, reason
    return report


_OF_CONSUMERS: dict[str, type[VersionedMessage]] = {
    METADATA: ConsumerProtocolSubscription,
    ASSIGNMENT: ConsumerProtocolAssignment,
}


def _clean_message(message: VersionedMessage, version: int, data: bytes) -> shapes.Decoded | None:
    """The report on a message without a deviation, as `decoded_report` has it; None for others."""
    cls = type(message)
    if not clean_check(cls, version)(message, data):
        return None
    return shapes.Decoded(
        name=cls.NAME,
        version=version,
        schema_version=version,
        message=json_converter(cls, version)(message),
        remainder="",
        deviations=[],
        error=None,
    )


def _clean_inside(kind: str, content: bytes, around: Around) -> shapes.Inside | None:
    """The report on a subscription or assignment without user data and without a deviation, as
    `opened_report` has it; None for any other bytes."""
    cls = _OF_CONSUMERS.get(kind) if around.protocol_type == "consumer" else None
    if cls is None or len(content) < 2:
        return None
    version = content[0] << 8 | content[1]
    read = cls._plainly(version, content, 2)
    if read is None:
        return None
    message, end = read
    if end != len(content) or not clean_check(cls, version)(message, content):
        return None
    return shapes.Inside(
        path="",
        name=cls.NAME,
        version=version,
        message=json_converter(cls, version)(message),
        deviations=[],
        error=None,
        opened=[],
    )


class BoundedCache:
    """A cache of the JSON of some bytes, which drops the oldest entries beyond `KEPT` bytes."""

    def __init__(self) -> None:
        self._texts: dict[Any, tuple[bytes, int]] = {}
        self.size = 0

    def get(self, key: Any) -> bytes | None:
        entry = self._texts.get(key)
        return None if entry is None else entry[0]

    def keep(self, key: Any, size: int, text: bytes) -> bytes:
        size += len(text) + 512  # with what Python needs itself
        if size <= _WORTH_KEEPING:
            self._texts[key] = text, size
            self.size += size
            while self.size > KEPT:
                self.size -= self._texts.pop(next(iter(self._texts)))[1]
        return text
