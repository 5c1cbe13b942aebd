"""What Kafka's own tools print of the offsets topic.

`kafka-dump-log --offsets-decoder` prints a line a record, its key and payload as JSON:

    | offset: 1 CreateTime: 17952 keySize: 19 ... key: {"type":"2","data":{...}} payload: {...}

and the console consumer's formatters print `{"key":{...},"value":{...}}`. The tool has decoded the
record, so it becomes a `DumpedRecord`, without bytes. A member's subscription or assignment that
the tool could not decode is printed as base64, and becomes a chunk. A payload of `<DELETE>` is a
tombstone.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

from ..chunks import Chunk, Content, DumpedRecord, Tally, check_size
from ..errors import CaptureError
from ..form import Form, Signs
from ..lines import lines
from .base64_text import decode

__all__ = ["FORMS", "chunks", "is_record", "record"]

_NAME = "kafka-dump-log"
_HEAD = re.compile(r"\boffset: (-?[0-9]{1,19}) \w{1,40}: (-?[0-9]{1,19}) ")
# What kafka-dump-log prints in the place of a key that it does not know.
_UNREAD = re.compile(r" key: (Unknown record type [0-9-]{1,6}|Error) at offset ")
_JSON = json.JSONDecoder()
_MEMBER_FIELDS = ("subscription", "assignment")


def is_record(line: str) -> bool:
    """Return whether the line may be a record of one of these tools, by a cheap test."""
    return (
        (" payload: " in line and ' key: {"type"' in line)
        or ('{"key":{"' in line and '"value":' in line)
        or _UNREAD.search(line) is not None
    )


def record(line: str, number: int) -> DumpedRecord:
    """Return the record on a line. Raises CaptureError where it is cut short."""
    try:
        return _read(line, number)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CaptureError(
            f"a record of {_NAME} that cannot be read: {error}", line=number
        ) from None


def _read(line: str, number: int) -> DumpedRecord:
    if unread := _UNREAD.search(line):
        raise ValueError(unread[1])
    at = line.find(' key: {"type"')
    if at < 0:
        both_parts, _ = _JSON.raw_decode(line, line.index('{"key":{"'))
        return _record(both_parts["key"], both_parts["value"], number, None)
    key, end = _JSON.raw_decode(line, at + len(" key: "))
    if not line.startswith(" payload: ", end):
        raise ValueError("no payload follows the key")
    start = end + len(" payload: ")
    deleted = line.startswith("<DELETE>", start)
    value = None if deleted else _JSON.raw_decode(line, start)[0]
    return _record(key, value, number, _HEAD.search(line, 0, at + 1))


def _record(key: Any, value: Any, line: int, head: re.Match[str] | None) -> DumpedRecord:
    version = None
    if value is not None:
        version, value = int(value["version"]), value["data"]
    if not isinstance(key["data"], dict) or not isinstance(value, dict | None):
        raise ValueError("data is no object")
    return DumpedRecord(
        int(key["type"]), key["data"], version, value, line,
        int(head[1]) if head else None, int(head[2]) if head else None,
    )  # fmt: skip


def chunks(dumped: DumpedRecord, max_bytes: int) -> Iterator[Chunk]:
    """Yield the bytes that the tool left undecoded, labelled with their path in the record."""
    members = (dumped.value or {}).get("members")
    for at, member in enumerate(members if isinstance(members, list) else ()):
        for field in _MEMBER_FIELDS:
            text = member.get(field) if isinstance(member, dict) else None
            if isinstance(text, str) and text:
                try:
                    data = decode(text)
                except ValueError:
                    continue
                check_size(len(data), max_bytes, dumped.line)
                yield Chunk(data, _NAME, dumped.line, 1, f"members[{at}].{field}")


class _DumpLog(Form):
    """Records are found by `is_record`, since they are no bytes."""

    preference = 1000
    signs = Signs(dict.fromkeys((b'{"key":{"', b" payload: ", b" key: Unknown", b" key: Error")))

    def may_begin(self, line: str) -> bool:
        """Return False: a text with these records is read as a log, which has other lines too."""
        return False

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        members: list[Chunk] = []
        records: list[DumpedRecord] = []
        tally = Tally()
        for number, line in enumerate(lines(text), start=1):
            if not is_record(line):
                continue
            try:
                dumped = record(line, number)
                members.extend(chunks(dumped, max_bytes))
            except CaptureError as refusal:
                if refusal.too_large:
                    raise
                tally.add(refusal.problem, number)
            else:
                records.append(dumped)
        return Content(members, records=records, skipped=tuple(tally))

    def write(self, data: bytes) -> str:
        value = {
            "version": "3",
            "data": {"members": [{"subscription": base64.b64encode(data).decode()}]},
        }
        key = {"type": "2", "data": {"group": "g"}}
        parts = [json.dumps(part, separators=(",", ":")) for part in (key, value)]
        return f"| offset: 0 CreateTime: 0 keySize: 5 key: {parts[0]} payload: {parts[1]}"


FORMS: tuple[Form, ...] = (
    _DumpLog(_NAME, "kafka-dump-log --offsets-decoder; the console consumer's formatters"),
)
