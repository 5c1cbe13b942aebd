"""Records of the offsets topic as JSON lines: `inspector.shapes.decoded.Record`.

Nearly all records of a log have no deviation, and are written without being read twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import UNSET

from ...capture.segments.offsets_topic import DecodedRecord, PlainRecord
from ...capture.segments.records import Record
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.runtime.message import VersionedMessage
from ..identification import verdict
from ..recognition import BoundedCache
from ..shapes import decoded as shapes
from ..shapes.shape import iso_time, json_line
from .clean_reports import CleanReports, raw_json
from .message_report import decoded_report, unread_report


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
        self._keys = BoundedCache[bytes]()
        self.reports = CleanReports()
        """Makes the reports on clean keys and values."""

    def line(self, record: Record) -> tuple[bytes, bool]:
        """Return the line, and whether a key or value was refused."""
        plain = self._plain(record)
        if plain is None:
            return self._deviating(record)
        value = None
        if plain.value is not None:
            version = plain.value_version or 0
            value = self.reports.message(plain.value, version, record.value or b"")
            if value is None:
                return self._deviating(record)
        data = record.key
        assert data is not None
        key = self._keys.get(data)
        if key is None:
            key = self._key(data, plain.key)
            self._keys.keep(data, len(data) + len(key), key)
        return _line(record, raw_json(key), value), False

    def _key(self, data: bytes, message: VersionedMessage) -> bytes:
        key = self.reports.message(message, message.LATEST, data)
        if key is None:
            decoded_key = decode(data, type(message), policy=Policy.LENIENT)
            key = decoded_report(decoded_key, None)
        return json_line(key)

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


def _noted(data: bytes | None, reason: str) -> shapes.Decoded | None:
    """The report on a part of a control record, which has no definition and is no error."""
    if data is None:
        return None
    report = unread_report(data, None, reason)
    report.error, report.note = None, reason
    return report
