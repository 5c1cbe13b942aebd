"""Records of the offsets topic as JSON lines.

    {"source", "partition", "offset", "timestamp", "key", "value"}

Key and value are as `decoded_report` makes them; value is null for a tombstone. A record of a
transaction has `transaction` besides: what became of it, or null where that is not known.

Nearly all records of a log have nothing odd about them and are told without reading them twice;
what their members wrote is the same again and again, so that it is opened once, and kept for a
while.
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
from .json_encoders import flat_form
from .json_report import decoded_report, json_line, opened_report, unread_report

KEPT = 16 << 20
"""Bytes of JSON, and of what it was made of, that are kept for the next time."""
_WORTH_KEEPING = 64 << 10

Report = dict[str, Any]

_REST = b',"remainder":"","deviations":[],"error":null'


class RecordLines:
    """`plain` and `careful` decode a record: the former alone where there is nothing odd."""

    def __init__(
        self,
        plain: Callable[[Record], PlainRecord | None],
        careful: Callable[[Record], DecodedRecord],
        policy: Policy = Policy.KAFKA,
    ) -> None:
        self._plain = plain
        self._careful = careful
        self._policy = policy
        self._keys = Kept()
        self._inside = Kept()
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
        """What is the same for all records of a batch, and mostly of the next one too."""
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
        form = _form(type(message), version)
        if form.proof(message, data):
            return form.text(message) + b"}"
        return json_line(decoded_report(decode(data, type(message), policy=Policy.LENIENT), None))

    def _value(self, message: VersionedMessage, version: int, data: bytes) -> bytes:
        """Nothing if it may deviate."""
        form = _form(type(message), version)
        if not form.proof(message, data):
            return b""
        text = form.text(message)
        if not form.carries:
            return text + b"}"
        inside = [
            b'{"path":"%b",%b' % (path.encode(), opened)
            for path, kind, content, around, _ in payloads(message.NAME, message, field_of_message)
            if (opened := self.opened(kind, content, around))
        ]
        return b'%b,"opened":[%b]}' % (text, b",".join(inside)) if inside else text + b"}"

    def opened(self, kind: str, content: bytes, around: Around) -> bytes:
        """Return what is said of a member's bytes, behind the path; nothing if nothing is known to
        be inside."""
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
        read = self._careful(record)
        key, key_refused = self._read(read.key, record.key, read.reason)
        value, value_refused = self._read(read.value, record.value, read.reason)
        refused = (key_refused or value_refused) and not record.control
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


_CONSUMER_S: dict[str, type[VersionedMessage]] = {
    METADATA: ConsumerProtocolSubscription,
    ASSIGNMENT: ConsumerProtocolAssignment,
}


def _plainly(kind: str, content: bytes, around: Around) -> bytes:
    """What a consumer said or was given, without user data and without an oddity, as
    `opened_report` says it; nothing for all else."""
    cls = _CONSUMER_S.get(kind) if around.protocol_type == "consumer" else None
    if cls is None or len(content) < 2:
        return b""
    version = content[0] << 8 | content[1]
    read = cls._plainly(version, content, 2)
    if read is None:
        return b""
    message, end = read
    form = _form(cls, version)
    if end != len(content) or not form.proof(message, content):
        return b""
    return form.text_inside(message)


class _Form:
    """How a message of one class and version, which has nothing but its fields, is written."""

    def __init__(self, cls: type[VersionedMessage], version: int) -> None:
        self.proof = clean_check(cls, version)
        self.carries = carries(cls.NAME)
        self._convert = flat_form(cls, version)
        self._inside = b'"name":"%b","version":%d,"message":' % (cls.NAME.encode(), version)
        numbers = b'"version":%d,"schemaVersion":%d' % (version, version)
        self._front = b'{"name":"%b",%b,"message":' % (cls.NAME.encode(), numbers)

    def text(self, message: VersionedMessage) -> bytes:
        """As `decoded_report` says it, but for the bracket at the end."""
        return self._front + json_line(self._convert(message)) + _REST

    def text_inside(self, message: VersionedMessage) -> bytes:
        """As `opened_report` says it, behind the path."""
        said = json_line(self._convert(message))
        return self._inside + said + b',"deviations":[],"error":null,"opened":[]}'


_form = lru_cache(maxsize=2048)(_Form)


class Kept:
    """What was made of some bytes, the oldest forgotten when there is too much of it."""

    def __init__(self) -> None:
        self._made: dict[Any, tuple[bytes, int]] = {}
        self._size = 0

    def get(self, key: Any) -> bytes | None:
        found = self._made.get(key)
        return None if found is None else found[0]

    def keep(self, key: Any, size: int, made: bytes) -> bytes:
        size += len(made) + 512  # with what Python needs itself
        if size <= _WORTH_KEEPING:
            self._made[key] = made, size
            self._size += size
            while self._size > KEPT:
                self._size -= self._made.pop(next(iter(self._made)))[1]
        return made
