r"""Records of the offsets topic in the prints of Kafka's own tools, as bytes.

`kafka-dump-log --offsets-decoder` and the console consumer's formatters have decoded them: what
they print of a record is written again. The console consumer without a formatter prints key and
value with `Bytes.toString`, a tab between: `\x00\x02\x00\x07billing\t\x00\x03...`. It prints time,
partition and offset in front where it is asked to. A line of JSON may
have key and value as hex or base64, and so may an object of JSON on several lines; `kproto decode
--json --bytes` has their fields beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

import msgspec

from ..chunks import MAX_BYTES, DumpedGroup
from ..errors import CaptureError
from ..forms import dump_log
from ..forms.base64_text import decode
from ..forms.literals import ESCAPED
from .offsets_topic import record_types, written_record
from .records import BatchInfo, Record
from .redpanda import as_kafka_key

__all__ = [
    "WITHOUT_BYTES",
    "PrintedRecord",
    "PrintedRecords",
    "has_printed_records",
    "read_printed_records",
    "refuse_without_bytes",
    "with_objects_on_lines",
    "with_plain_bytes",
]

_Other = TypeVar("_Other")

_FILE = re.compile(r"Dumping (?:.*[/\\])?__consumer_offsets-(?P<partition>[0-9]{1,9})[/\\]")
_VALUES = "\\x00"


class PrintedRecord(NamedTuple):
    """A record. `value` is None for a tombstone. `missing` says what the tool did not print, so
    that there are no bytes; `key` is that of the record all the same, and `group` what it did print
    of a group; `remark` says what is taken to be so. `partition`, `offset` and `timestamp` are None
    where the text has none."""

    key: bytes
    value: bytes | None
    partition: int | None = None
    offset: int | None = None
    timestamp: int | None = None
    missing: str = ""
    group: DumpedGroup | None = None
    remark: str = ""


class PrintedRecords:
    """Reads the lines of a text in their order."""

    def __init__(self) -> None:
        self._partition: int | None = None

    def read(self, line: str, number: int = 1) -> PrintedRecord | None:
        """Return the record on a line; None for any other line. Raises CaptureError for a record
        that cannot be read."""
        if file := _FILE.match(line):
            self._partition = int(file["partition"])
            return None
        record: PrintedRecord | None
        if dump_log.is_record(line):
            record = _decoded(line, number)
        else:
            record = _escaped(line) or _of_json(line)
        if record is None:
            return None
        partitions = (record.partition, _property("Partition", line), self._partition)
        return record._replace(
            partition=next((number for number in partitions if number is not None), None),
            offset=record.offset if record.offset is not None else _property("Offset", line),
            timestamp=record.timestamp if record.timestamp is not None else _time(line),
        )


def read_printed_records(source: str, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records in the lines of a text, those alone whose bytes the tool has printed."""
    reader = PrintedRecords()
    for number, line in enumerate(lines, 1):
        for part in dump_log.apart(line.rstrip("\r\n")):
            try:
                record = reader.read(part, number)
            except CaptureError:
                continue
            if record is None or record.missing:
                continue
            offset = number if record.offset is None else record.offset
            batch = BatchInfo(source, record.partition, number, offset, False, False, -1, None)
            yield Record(batch, offset, record.timestamp, record.key, record.value)


_LONGEST_OBJECT = 64 << 20  # bytes; of a longer one the beginning is given, and a line more


def with_objects_on_lines(
    lines: Iterable[tuple[int, bytes | _Other]],
) -> Iterator[tuple[int, bytes | _Other]]:
    """Yield numbered lines, of which those of an object of JSON that is printed on several, as jq
    and Python do, are put together: it ends with a brace as far in as that with which it began.
    The brackets of an array around objects, or around nothing, are left out. What is no
    line is yielded as it is."""
    rows: list[bytes] = []
    first = size = 0
    for number, line in lines:
        if not isinstance(line, bytes):
            yield number, line
            continue
        bare = line.strip()
        if not rows and bare in (b"{", b"[{"):
            rows, first, size = [line.replace(b"[", b"")], number, 0
        elif not rows:
            if bare not in (b"[", b"]", b"[]"):
                yield number, line.rstrip().removesuffix(b",") if bare.endswith(b"},") else line
        else:
            if size <= _LONGEST_OBJECT:
                rows.append(line)
            size += len(line)
            if bare in (b"}", b"},", b"}]") and _inset(line) == _inset(rows[0]):
                yield first, b" ".join(rows).rstrip(b",] \t\r\n")
                rows = []
    if rows:
        yield first, b" ".join(rows)


def _inset(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _property(name: str, line: str) -> int | None:
    """What the console consumer prints in front of key and value."""
    match = re.search(rf"(?:^|\t){name}:([0-9]{{1,19}})\t", line)
    return None if match is None else int(match[1])


def _time(line: str) -> int | None:
    times = (_property(name, line) for name in ("CreateTime", "LogAppendTime"))
    return next((time for time in times if time is not None), None)


def has_printed_records(head: bytes) -> bool:
    """Return whether a text that begins so has records that one of the tools has printed."""
    records = PrintedRecords()
    for _, row in with_objects_on_lines(enumerate(head.splitlines(), 1)):
        line = row.decode("utf-8", "replace")
        try:
            if records.read(line) is not None:
                return True
        except CaptureError:
            return True
    return False


def _decoded(line: str, number: int) -> PrintedRecord:
    dumped = dump_log.record(line, number)
    written = written_record(dumped)
    if written is None:
        raise CaptureError("a record that lacks fields of its key or its value", line=number)
    return PrintedRecord(
        written.key,
        written.value,
        None,
        dumped.offset,
        dumped.timestamp,
        dumped.missing,
        dumped.group,
        written.remark,
    )


def _escaped(line: str) -> PrintedRecord | None:
    if _VALUES not in line:
        return None
    try:
        chunks = ESCAPED.read(line, MAX_BYTES).chunks
    except CaptureError:
        return None
    if not chunks or chunks[0].label != "key" or not _is_key(chunks[0].data):
        return None
    return PrintedRecord(chunks[0].data, chunks[1].data if len(chunks) > 1 else None)


_PLACES = (
    ("source_partition", "partition"),
    ("source_offset", "offset"),
    ("record_timestamp", "timestamp"),
)
"""The names of a record's partition, offset and time, as an audit writes and reads them."""


def _of_json(line: str) -> PrintedRecord | None:
    """The record in a line of JSON with key and value in hex or base64, as an audit reads it."""
    if not line.startswith("{") or '"key"' not in line or '"value"' not in line:
        return None
    try:
        row = with_plain_bytes(msgspec.json.decode(line))
        key = _bytes_of(row["key"])
        value = None if row["value"] is None else _bytes_of(row["value"])
    except (ValueError, KeyError, TypeError, CaptureError):
        return None
    if not _is_key(key):
        return None
    partition, offset, timestamp = (
        next((row[name] for name in names if isinstance(row.get(name), int)), None)
        for names in _PLACES
    )
    return PrintedRecord(key, value, partition, offset, timestamp)


def with_plain_bytes(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as tables have it, where it is a line of `kproto decode --json --bytes`, which
    has the bytes of key and value in hex, beside their fields. Any other is returned as it is."""
    key: Any = row.get("key")
    value: Any = row.get("value")
    if not (_has_hex(key) and (value is None or _has_hex(value))):
        return row
    return row | {
        "key": key["hex"],
        "value": None if value is None else value["hex"],
        "timestamp": _milliseconds(row.get("time")),
        "transactional": "transaction" in row,
        "outcome": row.get("transaction"),
    }


WITHOUT_BYTES = (
    "keys and values are decoded here, without their bytes: `kproto decode --json --bytes` prints "
    "these too; or give the log segments themselves"
)


def refuse_without_bytes(head: bytes) -> None:
    """Raise CaptureError where a text begins with a record as `kproto decode --json` prints it
    without --bytes."""
    try:
        row = msgspec.json.decode(head.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return
    key = row.get("key") if isinstance(row, dict) else None
    if isinstance(key, dict) and "message" in key and not _has_hex(key):
        raise CaptureError(WITHOUT_BYTES)


def _has_hex(message: Any) -> bool:
    return isinstance(message, dict) and isinstance(message.get("hex"), str)


def _milliseconds(text: Any) -> Any:
    """A time of ISO 8601 since 1970; what is none, as it is."""
    try:
        since = datetime.fromisoformat(text) - datetime(1970, 1, 1, tzinfo=UTC)
    except (TypeError, ValueError):
        return text
    return since // timedelta(milliseconds=1)


def _bytes_of(text: str) -> bytes:
    """The bytes of a text of hex, or of base64. Raises ValueError for any other."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return decode(text)


def _is_key(data: bytes) -> bool:
    """Whether bytes begin with a record type, also behind the size that Redpanda has written."""
    key = as_kafka_key(data) or data
    return int.from_bytes(key[:2], "big") in record_types()
