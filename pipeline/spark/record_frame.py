"""Any DataFrame of the offsets topic, with the columns that an audit reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions

from ...capture.segments.records import LAST_TIME
from ..sources.record_table import NotRecords
from ..sources.tables.table_files import COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["FRAME_SOURCE", "record_frame"]

FRAME_SOURCE = "dataframe"
"""The source of records whose DataFrame does not say where they are from."""

_NEEDED = ("key", "value", "partition", "offset", "timestamp")
_NAMES = {**COLUMNS, "source": ("source",), "cluster_id": ("cluster_id",)}
_OURS = {theirs: ours for ours, names in _NAMES.items() for theirs in names}
_WHOLE = {"tinyint", "smallint", "int", "bigint"}
_TYPES: dict[str, dict[str, str]] = {
    "key": {"binary": "{}"},
    "value": {"binary": "{}"},
    "source_partition": dict.fromkeys(_WHOLE, "cast({} as bigint)"),
    "source_offset": dict.fromkeys(_WHOLE, "cast({} as bigint)"),
    "record_timestamp": {
        "timestamp": "{}",
        "timestamp_ntz": "cast({} as timestamp)",
        **dict.fromkeys(
            _WHOLE, f"case when {{0}} between 0 and {LAST_TIME} then timestamp_millis({{0}}) end"
        ),
    },
    "transactional": {"boolean": "{}"},
}
"""The types that a column may have, and what makes ours of each; others may have text alone."""
_TEXT = {"string": "{}"}


def record_frame(frame: DataFrame, columns: Mapping[str, str], cluster_id: str) -> DataFrame:
    """Return the records of a DataFrame under the names of `record_table`, with `topic` where there
    is one.

    `columns` has the names, or SQL expressions, of columns that are not named as in Spark's Kafka
    connector. Rows without a cluster are of `cluster_id`. Raises `NotRecords` for a column that is
    missing or of a wrong type.
    """
    expressions = _chosen(frame, columns)
    chosen = {ours: functions.expr(_typed(frame, ours, sql)) for ours, sql in expressions.items()}
    for name, default in (("cluster_id", cluster_id), ("source", FRAME_SOURCE)):
        value = functions.lit(default)
        chosen[name] = functions.coalesce(chosen.get(name, value), value)
    return frame.select(*(column.alias(name) for name, column in chosen.items()))


def _chosen(frame: DataFrame, columns: Mapping[str, str]) -> dict[str, str]:
    """Return an SQL expression for each of our names."""
    unknown = sorted(columns.keys() - _OURS.keys())
    if unknown:
        names = ", ".join(sorted(_OURS))
        raise NotRecords(f"columns: {unknown[0]!r} is no name of a column here; there are {names}")
    quoted_names = {name.lower(): _quoted(name) for name in frame.columns}
    expressions: dict[str, str] = {}
    for theirs, ours in _OURS.items():
        if theirs in columns:
            expressions[ours] = quoted_names.get(columns[theirs].lower(), columns[theirs])
        elif theirs in quoted_names:
            expressions.setdefault(ours, quoted_names[theirs])
    for name in _NEEDED:
        if _OURS[name] not in expressions:
            raise NotRecords(
                f"there is no column `{name}`: this table has {', '.join(frame.columns)}; "
                f'say which one it is, as in columns={{"{name}": "NAME"}}'
            )
    return expressions


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _typed(frame: DataFrame, ours: str, sql: str) -> str:
    """Return the expression with our type of the column. Raises `NotRecords`."""
    try:
        kind = frame.select(functions.expr(sql)).schema[0].dataType.simpleString()
    except PySparkException:
        raise NotRecords(
            f"there is no column {sql}: this table has {', '.join(frame.columns)}"
        ) from None
    allowed = _TYPES.get(ours, _TEXT)
    if kind not in allowed:
        advice = ""
        if kind == "string" and "binary" in allowed:
            advice = f'; columns={{"{ours}": "unhex({sql})"}}, or unbase64, makes bytes of text'
        type_names = " or ".join(sorted(allowed))
        raise NotRecords(f"the column {sql} is {kind}, and has to be {type_names}{advice}")
    return allowed[kind].format(f"({sql})")
