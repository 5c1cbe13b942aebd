"""The newest records of a group in a file that `kproto group --save` writes: a JSON line about them
below the brokers' answers, and one for each record, whose columns are those of a table of records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ..capture.frames.json_lines import HISTORY_LINES
from ..capture.segments.records import LAST_TIME, BatchInfo, Record
from ..capture.segments.segment_files import OFFSETS_TOPIC
from ..inspector.shapes.group_shapes import SavedHistory, SavedRecord
from ..inspector.shapes.shape import iso_time, json_line, milliseconds
from .recent_records import RecentRecords, records_of

__all__ = ["histories_in", "history_in", "history_lines"]


def history_lines(recent: RecentRecords, group: str) -> Iterator[bytes]:
    """Yield the lines for the records of a group."""
    yield _line(
        SavedHistory(
            group, recent.partition, iso_time(recent.since), iso_time(recent.until),
            recent.is_whole, recent.problem, recent.cluster_id,
        )
    )  # fmt: skip
    for record in records_of(recent, group):
        time, value = record.timestamp, record.value
        has_time = time is not None and 0 <= time <= LAST_TIME
        yield _line(
            SavedRecord(
                group, recent.partition, record.offset,
                iso_time(time) if has_time and time is not None else None,
                (record.key or b"").hex(), None if value is None else value.hex(),
            )
        )  # fmt: skip


def history_in(lines: Iterable[bytes], group: str) -> RecentRecords | None:
    """Return the records of a group that a file has; None where it has none."""
    return histories_in(lines).get(group)


def histories_in(lines: Iterable[bytes]) -> dict[str, RecentRecords]:
    """Return the records that a file has, by their group. Of several histories of one the last
    counts."""
    histories: dict[str, SavedHistory] = {}
    records: dict[str, list[Record]] = {}
    beginning, of_record = HISTORY_LINES
    for line in lines:
        try:
            if line.startswith(beginning):
                item = msgspec.json.decode(line, type=SavedHistory)
                histories[item.history_of], records[item.history_of] = item, []
            elif line.startswith(of_record):
                row = msgspec.json.decode(line, type=SavedRecord)
                records.setdefault(row.record_of, []).append(_record(row))
        except ValueError:  # a line that was cut off, or that somebody wrote
            continue
    return {
        group: RecentRecords(
            history.partition,
            milliseconds(history.since),
            is_whole=history.whole,
            problem=history.problem,
            cluster_id=history.cluster,
            records=tuple(records[group]),
            until=milliseconds(history.until),
        )
        for group, history in histories.items()
    }


def _record(row: SavedRecord) -> Record:
    info = BatchInfo(OFFSETS_TOPIC, row.partition, 0, row.offset, False, False, -1, None)
    time = None if row.timestamp is None else milliseconds(row.timestamp)
    value = None if row.value is None else bytes.fromhex(row.value)
    return Record(info, row.offset, time, bytes.fromhex(row.key), value)


def _line(line: SavedHistory | SavedRecord) -> bytes:
    return json_line(line) + b"\n"
