"""Signals: the rows of the stream, each for one group or for the batch.

A task reads its part of the topic and condenses it there. Records about groups stay as they are,
commits become sums, so that by far most records never leave the task. What Apache Kafka refuses
goes to quarantine, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ..groups.intake import Intake
from ..groups.options import Options
from ..tables.commits import CommitSummary, commits_of, offset_rows
from ..tables.packing import packed
from ..tables.record_kinds import COMMITS as COMMIT_TYPES
from ..tables.record_kinds import Kind
from .position import Position

__all__ = [
    "BATCH",
    "COMMITS",
    "COUNTS",
    "LOOK",
    "QUARANTINE",
    "RECORD",
    "SIGNALS",
    "Signal",
    "batch_signals",
    "condensed",
]

RECORD, COMMITS, LOOK = "record", "commits", "look"
QUARANTINE, COUNTS, BATCH, TIME = "quarantine", "counts", "batch", "time"

SIGNALS = pa.schema(
    [
        # Only the row that moves time on has it: others could be late, and would be left out.
        pa.field("known", pa.timestamp("us", tz="UTC")),
        pa.field("kind", pa.string()),
        pa.field("group_id", pa.string()),
        pa.field("partition", pa.int32()),
        pa.field("offset", pa.int64()),
        pa.field("timestamp", pa.int64()),
        pa.field("record_type", pa.int16()),
        pa.field("key", pa.binary()),
        pa.field("value", pa.binary()),
    ]
)


class Signal(NamedTuple):
    """A message to a group, or about the batch. `timestamp` is in milliseconds since 1970; for each
    number, -1 stands for none: nulls would make floats of them all.

    Of a RECORD all is there. Of COMMITS `value` has packed sums, of a LOOK the state since
    `timestamp`, None once the group is stable. Without a group: QUARANTINE (packed rows), COUNTS,
    BATCH (the position where it ends).
    """

    kind: str
    value: bytes | None
    group_id: str | None = None
    timestamp: int = -1
    partition: int = -1
    offset: int = -1
    record_type: int = -1
    key: bytes | None = None


def batch_signals(start: Position, end: Position) -> pa.Table:
    """Return the signals of a batch that come from no partition: the position where it ends, the
    states of groups that are rebalancing, and the time.
    """
    signals = [Signal(BATCH, msgspec.msgpack.encode(end))]
    for group_id in sorted(start.looks.keys() | end.looks.keys()):
        look = end.looks.get(group_id)
        if look is None:
            signals.append(Signal(LOOK, None, group_id, end.known))
        elif look != start.looks.get(group_id):
            signals.append(Signal(LOOK, look.state.encode(), group_id, look.since))
    table = _table(signals)
    if end.known == start.known:
        return table
    time = pa.Table.from_pylist([{"known": end.known * 1000, "kind": TIME}], SIGNALS)
    return pa.concat_tables([table, time])


def condensed(tables: Iterable[pa.Table], options: Options) -> Iterator[pa.Table]:
    """Yield the signals of records in the order of the log, then the sums of commits, then the
    counts. Raises `KprotoError` where a record is missing.
    """
    intake = Intake(options)
    commits = CommitSummary()
    for batch in intake.batches(tables):
        if batch.problems.num_rows:
            yield _table([Signal(QUARANTINE, packed(batch.problems))])
        for kind in batch.kinds:
            if not isinstance(kind, Kind):
                yield _table([Signal(QUARANTINE, packed(kind))])
            elif kind.type.number in COMMIT_TYPES:
                commits.add(commits_of(kind, offset_rows(kind)))
            else:
                yield _records(kind.rows)
    intake.counts.check()
    yield from _sums(commits.table())
    yield _table([Signal(COUNTS, msgspec.msgpack.encode(intake.counts))])


def _table(signals: Sequence[Signal]) -> pa.Table:
    return pa.Table.from_pylist([signal._asdict() for signal in signals], SIGNALS)


def _records(rows: pa.Table) -> pa.Table:
    times = pc.divide(rows.column("record_timestamp").cast(pa.int64()), 1000)
    columns = {
        "kind": pa.repeat(pa.scalar(RECORD), rows.num_rows),
        "group_id": rows.column("group_id"),
        "partition": pc.fill_null(rows.column("source_partition"), -1),
        "offset": rows.column("source_offset"),
        "timestamp": pc.fill_null(times, -1),
        "record_type": rows.column("record_type"),
        "key": rows.column("key"),
        "value": rows.column("value"),
    }
    return pa.table(
        [columns.get(field.name, pa.nulls(rows.num_rows, field.type)) for field in SIGNALS],
        schema=SIGNALS,
    )


def _sums(table: pa.Table) -> Iterator[pa.Table]:
    """Yield a table with one row a group."""
    table = table.sort_by("group_id")
    groups = table.column("group_id").to_pylist()
    start = 0
    signals = []
    for at in range(1, len(groups) + 1):
        if at < len(groups) and groups[at] == groups[start]:
            continue
        part = table.slice(start, at - start)
        latest = pc.max(part.column("last")).cast(pa.int64()).as_py()
        when = -1 if latest is None else latest // 1000
        signals.append(Signal(COMMITS, packed(part), groups[start], when))
        start = at
    yield _table(signals)
