"""Read classic groups from SOURCE: JSON lines, log segments of the offsets topic, captured frames
(a conversation, or a broker's descriptions), outputs of tools, or the bytes of one member."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ...capture import decode_record
from ...capture.compression import HEAD, compression, unpacked
from ...capture.errors import CaptureError
from ...capture.forms.dump_log import apart
from ...capture.forms.raw import to_text
from ...capture.segments.printed_records import (
    PrintedRecords,
    has_printed_records,
    refuse_without_bytes,
    with_objects_on_lines,
)
from ...capture.summary import Summary
from ...capture.tool_outputs import has_tool_output, read_tool_outputs
from ...cluster.migration import judged_by
from ...cluster.saved import Saved
from ...cluster.saved_facts import FACTS_ALONE, has_facts
from ...cluster.saved_history import histories_in
from ...cluster.tool_outputs import ToolSnapshots
from ...codec import (
    ConsumerGroupMetadataKey,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    ShareGroupMetadataKey,
    StreamsGroupMetadataKey,
)
from ...history.records import RecordReader, UnreadableFrame
from ...inspector.identification import identify
from ...inspector.recognition import Recogniser
from ...pipeline.audit.modern import kind_of
from ...pipeline.group_diagnosis import GroupTrails, RecordedMembers, recorded_groups
from ...rebalance.migration import (
    ClassicGroup,
    ClassicMember,
    Emptied,
    GroupError,
    LastMembers,
    Protocol,
    Settings,
    from_record,
    judge,
    members_of_distinct_ids,
    read_group,
)
from ...wording import counted
from ..output.failures import NOT_DONE, WRONG_USE, Failure, say
from ..output.progress import Progress
from .capture_files import SEGMENTS, Capture, find_capture
from .captures import CaptureOptions, read_items
from .inputs import MAX_BYTES, begins_as_log, is_text, messages, read_file

if TYPE_CHECKING:
    from ...capture.chunks import DumpedGroup
    from ...capture.frames.frame import Frame
    from ...capture.segments.records import Record

_HEAD = 1 << 16
_PARQUET = b"PAR1"
_AUDITED = "kproto audit reads it; give its records as JSON lines, or the segments that they are of"
_NO_SOURCE = (
    "has no group in it: it is neither JSON lines with a group each, nor records of the offsets "
    "topic, a capture, or what a tool has printed of groups. `kproto help migrate` says what "
    "SOURCE may be; kproto decode tells what is in a text"
)
_ANY = "selected"
"""The protocol that a subscription alone is taken for."""

_CLASSIC = {"classic", "connect"}

Offered = dict[tuple[str, str], tuple[Protocol, ...]]
"""All protocols that each member (group id, member id) listed when it joined."""


class Known(NamedTuple):
    """What is known of groups whose source does not tell it. `with_members` takes a group that is
    empty as it was before, while its members left. `settings_by_name` are as the options give them.
    Readers add to `moved` the groups that are no classic ones any more, with their kind."""

    settings: Settings
    settings_by_name: Mapping[str, str]
    topics: Mapping[str, int] | None
    with_members: bool
    moved: dict[str, str]


def read_groups(source: str | None, defaults: Known, summary: Summary) -> Iterator[ClassicGroup]:
    """Yield the groups of a source. Raises Failure where it cannot be read, or a line is wrong."""
    if source is not None and is_text(source, None, None):
        yield _of_bytes(source, defaults)
        return
    capture = find_capture(source, None, None, MAX_BYTES)
    if capture is None:
        where, data = read_file(source, MAX_BYTES)
        _, data = unpacked(data, MAX_BYTES)
        if not data.strip():
            raise Failure(f"{where} is empty: there is no group in it", WRONG_USE)
        if name := compression(data[:HEAD]):
            line = f"{where} is compressed with {name}, and damaged or too large inside"
            raise Failure(line, NOT_DONE)
        if data.startswith(_PARQUET):
            raise Failure(f"{where} is parquet: {_AUDITED}", WRONG_USE)
        if has_tool_output(data):
            yield from _of_tools(data, defaults)
        elif has_printed_records(data[:_HEAD]):
            yield from _of_printed(where, data, defaults, summary)
        elif not data.lstrip().startswith(b"{") and source and begins_as_log(source):
            story = f"kproto story {source} tells what happened in the group"
            raise Failure(f"{where} is a log, and has no bytes of members: {story}", WRONG_USE)
        else:
            _refuse_without_bytes(where, data[:_HEAD])
            yield from _of_lines(where, data, defaults, summary)
        return
    yield from _of_capture(capture, defaults, summary)


def _refuse_without_bytes(where: str, head: bytes) -> None:
    if has_facts(head):
        raise Failure(f"{where}: {FACTS_ALONE}", WRONG_USE)
    try:
        refuse_without_bytes(head)
    except CaptureError as error:
        raise Failure(f"{where}: {error}", WRONG_USE) from None


# -- outputs of tools


def _of_tools(data: bytes, defaults: Known) -> Iterator[ClassicGroup]:
    """Yield the groups in outputs of tools, which have no bytes of their members."""
    snapshots = ToolSnapshots(read_tool_outputs(data))
    for name in snapshots.groups:
        group = snapshots.describe(name)
        if group.state == "Dead":
            continue
        if group.kind in ("consumer", "share", "streams"):
            defaults.moved[name] = group.kind
            continue
        members = members_of_distinct_ids(
            ClassicMember(member.member_id, None, None, member.instance_id, member.client_id)
            for member in group.members
        )
        is_known = bool(members) or (group.kind == "classic" and group.state == "Empty")
        yield ClassicGroup(
            name,
            group.protocol_type or ("connect" if group.kind == "connect" else "consumer"),
            group.state or None,
            group.protocol or None,
            members if is_known else None,
            defaults.topics,
            defaults.settings,
        )


# -- records that tools have printed


def _of_printed(
    where: str, data: bytes, defaults: Known, summary: Summary
) -> Iterator[ClassicGroup]:
    """Yield the groups in records that Kafka's tools have printed. Of a group that was printed
    without the bytes of its members, only the rest is known."""
    printed, recogniser = PrintedRecords(), Recogniser()
    facts: list[tuple[object, object]] = []
    without_bytes: dict[str, DumpedGroup] = {}
    lines = enumerate(to_text(data).encode("utf-8", "surrogateescape").splitlines(), 1)
    numbered = ((number, to_text(line)) for number, line in with_objects_on_lines(lines))
    for number, part in ((number, part) for number, line in numbered for part in apart(line)):
        try:
            record = printed.read(part, number)
        except CaptureError as error:
            summary.skip(f"record: {error.problem}", f"{where}, line {number:,}", len(part))
            continue
        if record is None:
            continue
        summary.count("records")
        key = _message(record.key, "key", recogniser)
        if not isinstance(key, GroupMetadataKey):
            continue
        name = key.group
        without_bytes.pop(name, None)
        if record.group is not None:
            without_bytes[name] = record.group
            summary.skip(f"bytes of members: {record.missing}", f"{where}, line {number:,}")
        facts.append((key, _message(record.value, "value", recogniser)))
    recorded = _records_of_groups(facts, defaults)
    known = {name: told for name, told in recorded.items() if name not in without_bytes}
    yield from _of_records_of_groups(known, defaults, {})
    for name, group in without_bytes.items():
        members = members_of_distinct_ids(
            ClassicMember(member.member_id, None, None, member.instance_id, member.client_id)
            for member in group.members
        )
        yield ClassicGroup(
            name, group.protocol_type or "consumer", group.state or None, group.protocol or None,
            members or None, defaults.topics, defaults.settings,
        )  # fmt: skip


def _message(data: bytes | None, part: str, recogniser: Recogniser) -> object:
    """The message of a record's part, in whatever layout its broker stores it; None for none."""
    examined = None if data is None else recogniser.recognise(data, part).message
    return None if examined is None else examined.decoded.message


# -- JSON lines


_SHOWN = 5  # lines that are no group


def _of_lines(where: str, data: bytes, defaults: Known, summary: Summary) -> Iterator[ClassicGroup]:
    if not re.search(rb"^[ \t]*\{", data, re.MULTILINE):
        raise Failure(f"{where} {_NO_SOURCE}", WRONG_USE)
    wrong = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield read_group(line, defaults.settings_by_name, defaults.topics)
        except GroupError as error:
            wrong += 1
            if wrong <= _SHOWN:
                say(f"{where}, line {number:,}: {error}")
            summary.skip(
                "lines that are no group", f"{where}, line {number:,}", len(line), refused=True
            )
    if wrong > _SHOWN:
        more = counted(wrong - _SHOWN, "more line that is", "more lines that are")
        say(f"{where}: {more} no group")


# -- records and frames


def _of_capture(capture: Capture, defaults: Known, summary: Summary) -> Iterator[ClassicGroup]:
    saved_lines: list[bytes] = []
    how = CaptureOptions(history=saved_lines.append)
    items: Any = read_items(capture, summary, Progress(), how)
    offered: Offered = {}
    if capture.kind == SEGMENTS:
        trails = GroupTrails()
        told = _records_of_groups(_of_records(_taken(items, trails)), defaults)
        recorded = trails.recorded()
        for group in _of_records_of_groups(told, defaults, offered):
            yield with_recorded(group, recorded)
        return

    broker = Saved()
    heard = _heard(items, broker)
    told = _records_of_groups(_of_frames(heard, capture.source, summary, offered), defaults)
    groups = list(_of_records_of_groups(told, defaults, offered))
    yield from groups
    names = {group.group_id for group in groups}
    recorded = _saved_records(saved_lines)
    for group in groups_of_answers(broker, defaults):
        if group.group_id not in names:
            yield with_recorded(group, recorded)


def with_recorded(group: ClassicGroup, recorded: Mapping[str, RecordedMembers]) -> ClassicGroup:
    """Return the group with what its records tell of its members."""
    members = recorded.get(group.group_id)
    if members is None:
        return group
    away = members.beside(group.members).away if group.members else {}
    return replace(group, unrest=members.unrest, away=away)


def _saved_records(lines: Iterable[bytes]) -> dict[str, RecordedMembers]:
    """Return what the records that a file has beside its frames tell of members, by group."""
    histories = histories_in(lines)
    return {
        name: recorded
        for recent in histories.values()
        for name, recorded in recorded_groups([recent], histories, recent.until).items()
    }


def _of_records_of_groups(
    told: Mapping[str, LastMembers], defaults: Known, offered: Offered
) -> Iterator[ClassicGroup]:
    for group_id, records in told.items():
        last = records.last
        if last is not None and (last.members or not defaults.with_members):
            group = _of_value(group_id, last, defaults, offered)
            yield group if group.members else replace(group, last_selected=records.last_protocol)
        elif defaults.with_members and records.shutdown and group_id not in defaults.moved:
            yield _before_it_was_empty(group_id, records, defaults, offered)


def _before_it_was_empty(
    group_id: str, records: LastMembers, defaults: Known, offered: Offered
) -> ClassicGroup:
    """Return the group as it was before members began to leave; if it could have moved then and
    not later, when another member led, as it was later."""
    groups = [(value, _of_value(group_id, value, defaults, offered)) for value in records.shutdown]
    blocked = (told for told in groups if judge(told[1]).verdict == "blocked")
    value, group = next(blocked, groups[0])
    last = records.last
    state, since = ("Dead", None) if last is None else ("Empty", _known_time(last))
    return replace(group, emptied=Emptied(state, since, _known_time(value)))


def _of_value(
    group_id: str, value: GroupMetadataValue, defaults: Known, offered: Offered
) -> ClassicGroup:
    group = from_record(group_id, value, defaults.settings, defaults.topics)
    members = None if group.members is None else tuple(_with_all(group, offered))
    return replace(group, members=members)


def _known_time(value: GroupMetadataValue) -> int | None:
    return value.current_state_timestamp if value.current_state_timestamp >= 0 else None


def _heard(frames: Iterable[Frame], broker: Saved) -> Iterator[Frame]:
    for frame in frames:
        broker.take(frame)
        yield frame


def groups_of_answers(broker: Saved, defaults: Known) -> Iterator[ClassicGroup]:
    """Yield what a broker says of its classic groups, as `kproto group --save` keeps it."""
    for name in broker.groups:
        described = broker.describe(name, briefly=True)
        if described.kind in _CLASSIC:
            group = judged_by(described, defaults.settings_by_name)
            yield replace(group, topics=defaults.topics) if group.topics is None else group
        else:
            defaults.moved[name] = described.kind
    for listed in broker.undescribed:
        if listed.kind in _CLASSIC:
            yield ClassicGroup(
                listed.group_id,
                listed.protocol_type,
                listed.state or None,
                topics=defaults.topics,
                settings=defaults.settings,
            )
        else:
            defaults.moved[listed.group_id] = listed.kind


def _with_all(group: ClassicGroup, offered: Offered) -> Iterator[ClassicMember]:
    for member in group.members or ():
        listed = offered.get((group.group_id, member.member_id))
        yield member if listed is None else replace(member, protocols=listed)


def _records_of_groups(
    facts: Iterable[tuple[object, object]], defaults: Known
) -> dict[str, LastMembers]:
    """Return what the records of each group tell."""
    told: dict[str, LastMembers] = {}
    for key, value in facts:
        if isinstance(key, GroupMetadataKey):
            records = told.setdefault(key.group, LastMembers())
            records.take(value if isinstance(value, GroupMetadataValue) else None)
        else:
            _note_moved(key, value, defaults)
    return told


def _note_moved(key: object, value: object, defaults: Known) -> None:
    """Note a group whose broker divides it, as its last record has it."""
    if isinstance(key, ConsumerGroupMetadataKey | ShareGroupMetadataKey | StreamsGroupMetadataKey):
        defaults.moved.pop(key.group_id, None)
        if value is not None:
            defaults.moved[key.group_id] = kind_of(key.NAME) or ""


def _taken(records: Iterable[Record], trails: GroupTrails) -> Iterator[Record]:
    for record in records:
        trails.take(record)
        yield record


def _of_records(records: Iterable[Record]) -> Iterator[tuple[object, object]]:
    for record in records:
        decoded_record = decode_record(record)
        if decoded_record.key is not None:
            yield (
                decoded_record.key.message,
                None if decoded_record.value is None else decoded_record.value.message,
            )


def _of_frames(
    frames: Iterable[Frame], source: str, summary: Summary, offered: Offered
) -> Iterator[tuple[object, object]]:
    """What members and their coordinator say becomes the coordinator's records, as in the audit."""
    reader = RecordReader(source, summary)
    for item in reader.read(frames):
        if isinstance(item, UnreadableFrame):
            summary.skip(f"unreadable frame: {item.reason}", f"{source}, frame {item.number:,}")
        else:
            yield item.key, item.value
    for member, protocols in reader.offered.items():
        offered[member] = tuple(Protocol(*protocol) for protocol in protocols.items())


# -- the bytes of a member


def _of_bytes(text: str, defaults: Known) -> ClassicGroup:
    """Return a group of one member of which a subscription or an assignment is known."""
    messages_data = [message.data for message in messages(text, None, None, MAX_BYTES)]
    members = tuple(
        ClassicMember(f"member-{number}", *_parts(data))
        for number, data in enumerate(messages_data, 1)
    )
    return ClassicGroup(
        "(bytes)", "consumer", "Stable", _ANY, members, defaults.topics, defaults.settings
    )


def _parts(data: bytes) -> tuple[tuple[Protocol, ...] | None, bytes | None]:
    """Return the bytes as a subscription or as an assignment, whichever is more likely."""
    names = [candidate.name for candidate in identify(data)]
    members = (ConsumerProtocolSubscription.NAME, ConsumerProtocolAssignment.NAME)
    if next((name for name in names if name in members), "") == ConsumerProtocolAssignment.NAME:
        return None, data
    return (Protocol(_ANY, data),), None
