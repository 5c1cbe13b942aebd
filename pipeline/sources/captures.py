"""A capture, from its frames to tables of `RECORDS`: what members and their coordinator say to each
other tells what the coordinator writes into the offsets topic, so that the same audit reads both.

A record's offset is the number of the frame that made the coordinator write it. What cannot be
read becomes a row with a `problem`, its number in `position`; the account says the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from io import BufferedReader, RawIOBase
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import fs

from ...capture.frames.frame import Frame, in_time
from ...capture.frames.json_lines import is_frame_line, read_frame_lines
from ...capture.packets.pcap_files import is_packet_file
from ...capture.packets.reader import read_pcap
from ...capture.summary import Skip, Summary
from ...cluster.saved import Saved
from ...cluster.saved_facts import FACTS_ALONE, has_facts
from ...cluster.saved_history import histories_in
from ...codec import EncodeError
from ...history.records import CoordinatorRecord, RecordReader, UnreadableFrame
from ...wording import counted
from .places import everywhere, filesystem
from .record_table import (
    MAX_SHOWN,
    RECORDS,
    NotRecords,
    SourceColumns,
    key_says,
    microseconds,
    table_of,
)

__all__ = ["CaptureUnit", "Captured", "capture_units", "is_capture", "read_capture"]

_FULL = 16 << 20  # bytes of records that make a table
_HEAD = 4096
_NOT_IN_FRAMES = frozenset({"commits", "targets"})
_BUFFER = 1 << 16


class Captured(NamedTuple):
    """The result of reading a capture: tables of `RECORDS`, and an account of it in words."""

    tables: tuple[pa.Table, ...]
    account: str
    lacks: frozenset[str]
    """Inputs of rules that no frame has, or none that is decoded."""
    unjudged: tuple[tuple[str, str], ...] = ()
    """The groups of which answers of brokers tell, and no record; with their kind and state."""


class CaptureUnit(NamedTuple):
    """A whole capture: one unit, for any connection may carry any group.

    It is read when the unit is made; only what coordinators wrote is held.
    """

    source: str
    history: tuple[pa.Table, ...]
    size: int
    account: str
    lacks: frozenset[str]
    unjudged: tuple[tuple[str, str], ...] = ()

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield the records of the capture."""
        place = RECORDS.get_field_index("cluster_id")
        for rows in self.history:
            cluster_ids = pa.repeat(pa.scalar(cluster_id, pa.string()), rows.num_rows)
            yield rows.set_column(place, RECORDS.field(place), cluster_ids)


def capture_units(source: str) -> list[CaptureUnit]:
    """Return the one unit of a capture; none where the file is something else. Raises NotRecords
    where nothing in it can be audited, and OSError where it cannot be read.
    """
    store, path = filesystem(source)
    if has_facts(_head(store, path)):
        raise NotRecords(f"{source}: {FACTS_ALONE}")
    if not is_capture(store, path):
        return []
    tables, account, lacks, unjudged = read_capture(store, path)
    size = store.get_file_info(path).size
    return [CaptureUnit(everywhere(source), tables, size, account, lacks, unjudged)]


def is_capture(store: fs.FileSystem, path: str) -> bool:
    """Return whether a file has packets, or frames in JSON lines. Raises OSError."""
    return _reader(store, path) is not None


def read_capture(store: fs.FileSystem, path: str) -> Captured:
    """Return the records that a capture tells of. Raises NotRecords where it tells of none, and
    OSError.
    """
    read = _reader(store, path)
    assert read is not None
    frames, groups, broker = Summary(), Summary(), Saved()
    with _open(store, path) as file:
        stream = _Stream(file)
        items = read(BufferedReader(stream, _BUFFER), path, frames)
        if read is read_frame_lines:
            items = _heard(items, broker)
        told = _records(items, path, groups)
    record_count, unreadable = [*told.records, *told.described], told.unreadable
    if stream.torn:
        frames.skip(f"rest of a compressed file: {stream.torn}", path)
    rows = _rows(record_count, unreadable)
    account = _account(frames, groups, len(rows) - len(unreadable))
    if read is read_frame_lines and groups.read.get(_ENDS):
        account += _ENDS_UNUSED
    own_records = _saved_rows(store, path) if read is read_frame_lines else []
    if own_records:  # which tell more of their groups than answers do
        named = {row["group_id"] for row in own_records}
        rows = [*own_records, *(row for row in rows if row.get("group_id") not in named)]
        account += (
            f"; beside them {counted(len(own_records), 'record')} of {counted(len(named), 'group')}"
        )
    if not record_count and not own_records:
        raise NotRecords(
            f"{path}: no group is seen to be given anything here, so that there is nothing to "
            f"audit ({account}); `kproto decode` shows what there is"
        )
    unjudged = tuple(_unjudged(broker, {row.get("group_id") for row in rows}))
    rows += [_damage(skip) for skip in frames.skipped if not skip.expected]
    lacks = frozenset() if own_records else _NOT_IN_FRAMES | told.lacks
    return Captured(tuple(_tables(path, rows)), f"{path}: {account}", lacks, unjudged)


def _heard(frames: Iterator[Frame], broker: Saved) -> Iterator[Frame]:
    for frame in frames:
        broker.take(frame)
        yield frame


def _unjudged(broker: Saved, judged: Container[object]) -> Iterator[tuple[str, str]]:
    """Yield the groups that a broker listed or described, and of which there is no record, with
    their kind and state."""
    for name in broker.groups:
        if name not in judged:
            group = broker.describe(name, briefly=True)
            yield name, f"{group.kind}, {group.state}"
    for listed in broker.undescribed:
        if listed.group_id not in judged:
            yield listed.group_id, f"{listed.kind}, {listed.state}"


def _saved_rows(store: fs.FileSystem, path: str) -> list[dict[str, Any]]:
    """Return rows of the records that a file of `kproto group --save` has beside its frames."""
    with _open(store, path) as file:
        histories = histories_in(BufferedReader(_Stream(file), _BUFFER))
    return [
        {
            "source_partition": recent.partition,
            "source_offset": record.offset,
            "record_timestamp": microseconds(record.timestamp),
            "key": record.key,
            "value": record.value,
            **key_says(record.key),
        }
        for recent in histories.values()
        for record in recent.records
    ]


def _account(frames: Summary, groups: Summary, records: int) -> str:
    """Return an account of the frames in words. Those of other APIs are no loss, and not counted
    one by one.
    """
    total = frames.read.get("frames", 0)
    tell = "tells" if total == 1 else "tell"
    parts = [f"{counted(total, 'frame')} {tell} of {counted(records, 'record')}"]
    parts += [f"passed over: {skip}" for skip in (*frames.skipped, *groups.skipped)]
    parts += [f"{note}: {times:,}" for note, times in groups.noted.items()]
    return "; ".join(parts)


# -- reading


_Reader = Callable[[BufferedReader, str, Summary], Iterator[Frame]]


def _packets(file: BufferedReader, source: str, summary: Summary) -> Iterator[Frame]:
    return read_pcap(file, source=source, summary=summary)


def _reader(store: fs.FileSystem, path: str) -> _Reader | None:
    head = _head(store, path)
    if is_packet_file(head):
        return _packets
    return read_frame_lines if is_frame_line(head) else None


def _head(store: fs.FileSystem, path: str) -> bytes:
    with _open(store, path) as file:
        return BufferedReader(_Stream(file), _HEAD).read(_HEAD)


def _open(store: fs.FileSystem, path: str) -> Any:
    return store.open_input_stream(path)  # which decompresses by the name


class _Stream(RawIOBase):
    """A file that ends where it cannot be decompressed any further."""

    def __init__(self, file: Any) -> None:
        self.torn = ""
        """Why it ends before its end."""
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except OSError as error:
            if error.errno is not None:
                raise
            self.torn = str(error)
            return 0
        buffer[: len(data)] = data
        return len(data)


class _Told(NamedTuple):
    """What coordinators wrote; the records that descriptions of groups would be; and the frames of
    groups that cannot be read."""

    records: list[CoordinatorRecord]
    described: list[CoordinatorRecord]
    unreadable: list[UnreadableFrame]

    @property
    def lacks(self) -> frozenset[str]:
        """What rules may need and descriptions alone, one of each group, do not tell."""
        groups = {record.key for record in self.described}
        is_one_look = not self.records and len(groups) == len(self.described)
        return frozenset({"changes"} if is_one_look else ())


def _records(frames: Iterator[Frame], source: str, summary: Summary) -> _Told:
    """Return what frames tell of coordinators' records."""
    records: list[CoordinatorRecord] = []
    unreadable: list[UnreadableFrame] = []
    reader = RecordReader(source, summary)
    for item in reader.read(_counted_ends(in_time(frames), summary)):
        if isinstance(item, UnreadableFrame):
            unreadable.append(item)
        else:
            records.append(item)
    return _Told(records, [*reader.described()], unreadable)


def _counted_ends(frames: Iterator[Frame], summary: Summary) -> Iterator[Frame]:
    for frame in frames:
        if frame.api == "ListOffsets" and frame.direction == "response":
            summary.count(_ENDS)
        yield frame


_ENDS = "answers with ends of partitions"
_ENDS_UNUSED = (
    "; it has the ends of partitions, which the audit does not use: kproto group --from FILE "
    "shows the lag by them"
)


# -- rows


def _rows(
    records: list[CoordinatorRecord], unreadable: list[UnreadableFrame]
) -> list[dict[str, Any]]:
    """Return the records in the order of their frames, and then a problem for each frame without
    one.
    """
    rows = []
    for record in sorted(records, key=lambda record: record.number):
        try:
            rows.append(_row(record))
        except EncodeError as error:
            unreadable.append(
                UnreadableFrame(record.number, f"no record can say this: {error}", b"")
            )
    return rows + [
        {"problem": frame.reason, "position": frame.number, "value": frame.data[:MAX_SHOWN]}
        for frame in unreadable
    ]


def _row(record: CoordinatorRecord) -> dict[str, Any]:
    key = record.key.to_bytes()
    return {
        "source_offset": record.number,
        "record_timestamp": microseconds(record.time),
        "key": key,
        "value": None if record.value is None else record.value.to_bytes(),
        **key_says(key),
    }


def _damage(skip: Skip) -> dict[str, Any]:
    return {"problem": str(skip), "value": b""}


def _tables(source: str, rows: list[dict[str, Any]]) -> Iterator[pa.Table]:
    place = SourceColumns(None, source, None)
    part: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        part.append(row)
        size += len(row["value"] or b"")
        if size >= _FULL:
            yield table_of(place, part)
            part, size = [], 0
    if part:
        yield table_of(place, part)
