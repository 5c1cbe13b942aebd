"""The options of the data source `kproto.offsets`, and the rows that they select."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from ..sources.record_table import RECORDS

__all__ = [
    "KINDS",
    "SERVERS",
    "Condition",
    "Options",
    "checked_names",
    "select",
]

KINDS: dict[str, tuple[int, ...]] = {
    "commits": (0, 1),
    "classic": (2,),
    "consumer": (*range(3, 9), 16),
    "share": tuple(range(10, 16)),
    "streams": tuple(range(17, 24)),
}
"""The kinds of records, and the record types of each."""

SERVERS = "kafka.bootstrap.servers"
SPLIT_BYTES = 64 << 20
_MOST_ROWS = 1 << 16  # of one Arrow batch
_MOST_BYTES = 32 << 20


class Condition(NamedTuple):
    """A condition on rows: `compare` of a column and a value."""

    column: str
    compare: Callable[[Any, Any], Any]
    value: Any

    def holds(self, table: pa.Table) -> Any:
        """Return true or false for each row; null where it cannot be told."""
        return self.compare(table.column(self.column), self.value)


def _is_in(column: Any, values: Any) -> Any:
    return pc.is_in(column, value_set=values)


class Options(NamedTuple):
    """The options of the data source, read and checked."""

    path: str | None
    client: tuple[tuple[str, str], ...]  # librdkafka's settings
    conditions: tuple[Condition, ...]
    cluster_id: str | None
    split_bytes: int
    max_records: int | None = None  # of one batch of a stream

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Options:
        """Return the options that a user gave. Raises ValueError where they do not fit together."""
        path = given.get("path")
        client = tuple(
            (name.removeprefix("kafka."), value)
            for name, value in given.items()
            if name.startswith("kafka.")
        )
        if (path is None) == (given.get(SERVERS) is None):
            raise ValueError(f"kproto.offsets reads a path or {SERVERS}: give one of the two")
        return cls(
            path,
            client,
            _conditions(given),
            given.get("cluster_id"),
            _number(given, "split_bytes", "bytes") or SPLIT_BYTES,
            _number(given, "max_records", "offsets"),
        )


def _conditions(given: Mapping[str, str]) -> tuple[Condition, ...]:
    made = []
    if "groups" in given:
        groups = pa.array(_words(given, "groups"), pa.string())
        made.append(Condition("group_id", _is_in, groups))
    if "records" in given:
        kinds = _words(given, "records")
        unknown = sorted(set(kinds) - set(KINDS))
        if unknown:
            known = ", ".join(KINDS)
            raise ValueError(f"records: {', '.join(unknown)} is none of {known}")
        types = [number for kind in kinds for number in KINDS[kind]]
        made.append(Condition("record_type", _is_in, pa.array(types, pa.int16())))
    return tuple(made)


def _number(given: Mapping[str, str], name: str, what: str) -> int | None:
    text = given.get(name)
    if text is not None and (not text.isdecimal() or int(text) < 1):
        raise ValueError(f"{name}: {text!r} is no number of {what}")
    return None if text is None else int(text)


def _words(given: Mapping[str, str], name: str) -> list[str]:
    words = [word.strip() for word in given[name].split(",") if word.strip()]
    if not words:
        raise ValueError(f"{name}: {given[name]!r} names none; without the option all are read")
    return words


_NAMES = ("path", "groups", "records", "cluster_id", "split_bytes", "max_records")


def checked_names(options: Mapping[str, str]) -> dict[str, str]:
    """Return the options by their names in lower case, which Spark does not tell apart. Raises
    ValueError for unknown names.
    """
    found = {name.lower(): value for name, value in options.items()}
    unknown = sorted(name for name in found if name not in _NAMES and name[:6] != "kafka.")
    if unknown:
        raise ValueError(f"kproto.offsets has no option {', '.join(unknown)}")
    return found


def select(tables: Iterable[pa.Table], asked: Sequence[Condition]) -> Iterator[pa.RecordBatch]:
    """Yield the rows that fulfil all conditions, in batches of bounded rows and bytes.

    What could not be read is told, whatever the options `groups` and `records` leave out.
    """
    for table in tables:
        if asked:
            kept = reduce(pc.and_kleene, [condition.holds(table) for condition in asked])
            kept = pc.or_kleene(kept, table.column("problem").is_valid())
            yield from batches(table.filter(kept))
        else:
            yield from batches(table)


_SPARK_SCHEMA = to_arrow_schema(from_arrow_schema(RECORDS), timezone="UTC")


def batches(table: pa.Table) -> Iterator[pa.RecordBatch]:
    """Yield a table in batches of bounded rows and bytes, in the schema that Spark expects."""
    for batch in table.cast(_SPARK_SCHEMA).to_batches(max_chunksize=_MOST_ROWS):
        yield from _halved(batch)


def _halved(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    rows = batch.num_rows
    if rows > 1 and batch.nbytes > _MOST_BYTES:
        yield from _halved(batch.slice(0, rows // 2))
        yield from _halved(batch.slice(rows // 2))
    elif rows:
        yield batch
