r"""Records of the offsets topic in the prints of Kafka's own tools, as bytes.

`kafka-dump-log --offsets-decoder` and the console consumer's formatters have decoded them: what
they print of a record is written again. The console consumer without a formatter prints key and
value with `Bytes.toString`, a tab between: `\x00\x02\x00\x07billing\t\x00\x03...`. It prints time,
partition and offset in front where it is asked to.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..chunks import MAX_BYTES, DumpedGroup
from ..errors import CaptureError
from ..forms import dump_log
from ..forms.literals import ESCAPED
from .offsets_topic import record_types, written_record

__all__ = ["PrintedRecord", "PrintedRecords", "has_printed_records"]

_FILE = re.compile(r"Dumping (?:.*[/\\])?__consumer_offsets-(?P<partition>[0-9]{1,9})[/\\]")
_PROPERTIES = {
    "timestamp": re.compile(r"(?:^|\t)(?:CreateTime|LogAppendTime):([0-9]{1,19})\t"),
    "partition": re.compile(r"(?:^|\t)Partition:([0-9]{1,9})\t"),
    "offset": re.compile(r"(?:^|\t)Offset:([0-9]{1,19})\t"),
}
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
        is_decoded = dump_log.is_record(line)
        record = _decoded(line, number) if is_decoded else _escaped(line)
        if record is None:
            return None
        places = {
            name: int(match[1])
            for name, pattern in _PROPERTIES.items()
            if (match := pattern.search(line))
        }
        return record._replace(**{"partition": self._partition, **places})


def has_printed_records(head: bytes) -> bool:
    """Return whether a text that begins so has records that one of the tools has printed."""
    records = PrintedRecords()
    for line in head.decode("utf-8", "replace").splitlines():
        try:
            if records.read(line) is not None:
                return True
        except CaptureError:
            return True
    return False


def _decoded(line: str, number: int) -> PrintedRecord:
    dumped = dump_log.record(line, number)
    places = {"offset": dumped.offset, "timestamp": dumped.timestamp}
    written = written_record(dumped)
    if written is None:
        raise CaptureError("a record that lacks fields of its key or its value", line=number)
    return PrintedRecord(
        written.key, written.value, **places,
        missing=dumped.missing, group=dumped.group, remark=written.remark,
    )  # fmt: skip


def _escaped(line: str) -> PrintedRecord | None:
    if _VALUES not in line:
        return None
    try:
        chunks = ESCAPED.read(line, MAX_BYTES).chunks
    except CaptureError:
        return None
    if not chunks or chunks[0].label != "key":
        return None
    key = chunks[0].data
    if int.from_bytes(key[:2], "big") not in record_types():
        return None
    return PrintedRecord(key, chunks[1].data if len(chunks) > 1 else None)
