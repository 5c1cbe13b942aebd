"""What Kafka's own tools print of the offsets topic.

`kafka-dump-log --offsets-decoder` prints a line a record, its key and payload as JSON:

    | offset: 1 CreateTime: 17952 keySize: 19 ... key: {"type":"2","data":{...}} payload: {...}

and the console consumer's formatters print `{"key":{...},"value":{...}}`, those of Kafka 4 without
a line end, so that a line has all records (`apart`), as an array of JSON has. The tool has decoded
the record, so it becomes a `DumpedRecord`, without bytes. A member's subscription or assignment
that the tool could not decode is printed as base64, and becomes a chunk. A payload of `<DELETE>` is
a tombstone.

Kafka 2 and 3 print texts, of which those of the console consumer have all fields of a commit:

    [billing,orders,0]::OffsetAndMetadata(offset=42, leaderEpoch=Optional[0], metadata=, ...)
    billing::GroupMetadata(groupId=billing, generation=1, protocolType=Some(consumer), ...)
    ... key: offset_commit::group=billing,partition=orders-0 payload: offset=42
    ... key: group_metadata::group=billing payload: protocolType=consumer,protocol=range,...

What such a text lacks of the record is in `DumpedRecord.missing`.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..chunks import Chunk, Content, DumpedGroup, DumpedMember, DumpedRecord, Tally, check_size
from ..errors import CaptureError
from ..form import Form, Signs
from ..lines import lines
from .base64_text import decode

__all__ = ["FORMS", "apart", "begins_with_record", "chunks", "is_record", "record"]

_NAME = "kafka-dump-log"
_HEAD = re.compile(r"\boffset: (-?[0-9]{1,19}) \w{1,40}: (-?[0-9]{1,19}) ")
# What kafka-dump-log prints in the place of a key that it does not know.
_UNREAD = re.compile(r" key: (Unknown record type [0-9-]{1,6}|Error) at offset ")
_APART = re.compile(r'(?<=\})\s*,?\s*(?=\{\s*"key"\s*:\s*\{\s*")')
_JSON = json.JSONDecoder()
_RECORD = re.compile(r'\{\s*+"key"\s*+:\s*+\{\s*+"')  # with blanks where another tool has read it
_MEMBER_FIELDS = ("subscription", "assignment")


# [group,topic,partition]::OffsetAndMetadata(...), of which Kafka 3 writes OptionalInt and Optional.
# Kafka up to 2.0 writes [OffsetMetadata[...],CommitTime ...,ExpirationTime ...] behind the colons.
_COMMIT_KEY = r"\[(?P<group>[^\[\]]*),(?P<topic>[\w.-]{1,249}),(?P<partition>[0-9]{1,9})\]::"
_COMMIT_BEGINS = re.compile(_COMMIT_KEY)
_BEGINNINGS = 20  # of a commit in a line: its metadata can be long
_COMMIT = re.compile(
    _COMMIT_KEY + r"(?:"
    r"OffsetAndMetadata\(offset=(?P<offset>[0-9]{1,19}),"
    r" leaderEpoch=Optional(?:Int)?(?:\[(?P<epoch>[0-9]{1,9})\]|\.empty),"
    r" metadata=(?P<metadata>.{0,16384}?), commitTimestamp(?:Ms)?=(?P<time>-?[0-9]{1,19}),"
    r" expireTimestamp(?:Ms)?=(?:Some\(|OptionalLong\[)?"
    r"(?P<expires>[0-9]{1,19}|None|OptionalLong\.empty)[)\],]{1,2}"
    r"|\[OffsetMetadata\[(?P<old_offset>[0-9]{1,19}),(?P<old_metadata>.{0,16384}?)\],"
    r"CommitTime (?P<old_time>-?[0-9]{1,19}),ExpirationTime (?P<old_expires>-?[0-9]{1,19})\]"
    r"|(?P<deleted>null|NULL|<DELETE>))"
)
_GROUP = re.compile(
    r"^(?P<group>[^\[\]\s]{1,249})::(?:GroupMetadata\(|(?P<deleted>null|NULL|<DELETE>)$)"
)
_OF_GROUP = re.compile(r"::(?:GroupMetadata\(|(?:null|NULL|<DELETE>)$)")
_DUMPED = re.compile(
    r" key: (?:offset_commit::group=(?P<committed>.{0,400}?)"
    r",partition=(?P<topic>.{0,249}?)-(?P<partition>[0-9]{1,9})"
    r"|group_metadata::group=(?P<group>.{0,400}?)) payload: (?P<payload>.*)$"
)
_MEMBER_BEGINS = "MemberMetadata(memberId="
# Groups that are atomic: what follows a name is looked for once, not again behind each other one.
_MEMBER = re.compile(
    r"(?>(?P<member>.*?), groupInstanceId=)(?:None|null|Optional\.empty"
    r"|(?:Some\(|Optional\[)?(?P<instance>[^(),\[\]]*?)[)\]]?), clientId="
    r"(?>(?P<client>.*?), clientHost=)(?>(?P<host>.*?), sessionTimeoutMs=)"
    r"(?>.*?supportedProtocols=)\w*[(\[](?P<protocols>[^)\]]*)[)\]]"
)
_STATES = {
    "state": re.compile(r"currentState=(\w+)"),
    "generation": re.compile(r"\bgeneration(?:Id)?=(-?[0-9]{1,10})\b"),
    "type": re.compile(r"protocolType=(?:Some\(|Optional\[)?(\w*)"),
    "protocol": re.compile(r"\bprotocol(?:Name)?=(?:Some\(|Optional\[)?([\w-]*)"),
}
_ASSIGNED = re.compile(r"(?:\{|, )(?P<member>[^={}\[\]]{1,400})=\[[^\[\]]*\]")
_OF_MEMBERS = (
    "the tool prints no bytes of members: kafka-dump-log --offsets-decoder of Kafka 4, or the log "
    "segments, have the group's record"
)
_OF_COMMIT = "the tool prints {}, and not the other fields of the value"


def _commit(line: str) -> re.Match[str] | None:
    beginnings = islice(_COMMIT_BEGINS.finditer(line), _BEGINNINGS)
    matches = (_COMMIT.match(line, beginning.start()) for beginning in beginnings)
    return next(filter(None, matches), None)


def is_record(line: str) -> bool:
    """Return whether the line may be a record of one of these tools, by a cheap test."""
    return (
        (" payload: " in line and ' key: {"type"' in line)
        or ('"key"' in line and '"value"' in line and _RECORD.search(line) is not None)
        or ("]::" in line and _commit(line) is not None)
        or (_OF_GROUP.search(line) is not None and _GROUP.match(line) is not None)
        or ("::group=" in line and _DUMPED.search(line) is not None)
        or _UNREAD.search(line) is not None
    )


def begins_with_record(text: str) -> bool:
    """Return whether a text may begin with a record, which JSON may have on several lines."""
    return _RECORD.match(text) is not None or is_record(text.partition("\n")[0])


def apart(line: str) -> list[str]:
    """Return the records of a line, each by itself; the line where it has at most one."""
    return _APART.split(line) if line.count('"key"') > 1 else [line]


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
        if (both := _RECORD.search(line)) is not None:
            parts, _ = _JSON.raw_decode(line, both.start())
            return _record(parts["key"], parts["value"], number, None)
        if (text := _of_text(line, number)) is not None:
            return text
        raise ValueError("there is no key")
    key, end = _JSON.raw_decode(line, at + len(" key: "))
    if not line.startswith(" payload: ", end):
        raise ValueError("no payload follows the key")
    start = end + len(" payload: ")
    deleted = line.startswith("<DELETE>", start)
    value = None if deleted else _JSON.raw_decode(line, start)[0]
    return _record(key, value, number, _HEAD.search(line, 0, at + 1))


def _of_text(line: str, number: int) -> DumpedRecord | None:
    """The record on a line that Kafka 2 or 3 printed; None for any other line."""
    head = _HEAD.search(line)
    if commit := _commit(line):
        key = {name: commit[name] for name in ("group", "topic")}
        version, value = _committed(commit)
        return DumpedRecord(
            1, key | {"partition": int(commit["partition"])}, version, value, number
        )
    if group := _GROUP.match(line):
        return _of_group(group["group"], "" if group["deleted"] else line, (number, None, None))
    dumped = _DUMPED.search(line)
    if dumped is None:
        return None
    places = (number, int(head[1]) if head else None, int(head[2]) if head else None)
    payload = dumped["payload"]
    is_deleted = payload.startswith("<DELETE>")
    if dumped["group"] is not None:
        return _of_group(dumped["group"], "" if is_deleted else payload, places)
    missing = "" if is_deleted else _OF_COMMIT.format(payload)
    key = {"group": dumped["committed"], "topic": dumped["topic"]}
    return DumpedRecord(
        1, key | {"partition": int(dumped["partition"])}, None, None, *places, missing
    )


def _of_group(name: str, text: str, places: tuple[int, int | None, int | None]) -> DumpedRecord:
    """The record of a group, of which a text has all but the bytes of its members; "" for a
    tombstone."""
    key = {"group": name}
    if not text:
        return DumpedRecord(2, key, None, None, *places)
    group = _group_in(text)
    return DumpedRecord(2, key, None, None, *places, f"{group}; {_OF_MEMBERS}", group)


def _group_in(text: str) -> DumpedGroup:
    values = {name: match[1] for name, of in _STATES.items() if (match := of.search(text))}
    members = tuple(
        DumpedMember(
            member["member"],
            member["instance"] or None,
            member["client"],
            member["host"],
            tuple(filter(None, re.split(r",\s*", member["protocols"]))),
        )
        for part in text.split(_MEMBER_BEGINS)[1:]
        if (member := _MEMBER.match(part))
    )
    if not members and "assignment={" in text:
        assigned = text[text.index("assignment={") + len("assignment=") :]
        members = tuple(
            DumpedMember(member["member"], None, "", "", ())
            for member in _ASSIGNED.finditer(assigned)
        )
    generation = values.get("generation")
    return DumpedGroup(
        values.get("state", ""),
        None if generation is None else int(generation),
        values.get("type", "").removeprefix("None"),
        values.get("protocol", "").removeprefix("None"),
        members,
    )


def _committed(commit: re.Match[str]) -> tuple[int | None, dict[str, Any] | None]:
    """The version and the value of a commit: version 1 has a time when it expires, version 3 an
    epoch; (None, None) for a tombstone."""
    if commit["deleted"]:
        return None, None
    if commit["old_offset"]:
        metadata = commit["old_metadata"]
        return 1, {
            "offset": int(commit["old_offset"]),
            "metadata": "" if metadata == "NO_METADATA" else metadata,
            "commitTimestamp": int(commit["old_time"]),
            "expireTimestamp": int(commit["old_expires"]),
        }
    value: dict[str, Any] = {
        "offset": int(commit["offset"]),
        "metadata": commit["metadata"],
        "commitTimestamp": int(commit["time"]),
    }
    if commit["expires"].isdecimal():
        return 1, value | {"expireTimestamp": int(commit["expires"])}
    return 3, value | {"leaderEpoch": -1 if commit["epoch"] is None else int(commit["epoch"])}


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
    signs = Signs(
        dict.fromkeys(
            (
                *(b'{"key":', b" payload: ", b" key: Unknown", b" key: Error"),
                *(
                    b"]::OffsetAndMetadata(",
                    b"]::[OffsetMetadata[",
                    b"::GroupMetadata(",
                    b"::null",
                    b"::NULL",
                ),
            )
        )
    )

    def may_begin(self, line: str) -> bool:
        """Return False: a text with these records is read as a log, which has other lines too."""
        return False

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        members: list[Chunk] = []
        records: list[DumpedRecord] = []
        tally = Tally()
        parts = (
            (number, part) for number, line in enumerate(lines(text), 1) for part in apart(line)
        )
        for number, part in parts:
            if not is_record(part):
                continue
            try:
                dumped = record(part, number)
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
