"""The tables of an audit as tables of a session's catalog: Delta, Iceberg, or parquet in folders.

What is written, and where to, is Spark's: the catalogs of its settings, their formats and
credentials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql.pandas.types import from_arrow_schema

from ...codec import KprotoError
from ..tables.manifest import published_files
from ..tables.schemas import TABLES, VERSION
from .session import java_reason

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["SCHEMA_VERSION", "WriteMode", "check_catalog", "published_frames", "save_tables"]

SCHEMA_VERSION = "kproto.schema.version"
"""The property of a table that says which version of the schemas it was written with."""

WriteMode: TypeAlias = Literal["error", "append", "overwrite"]


def published_frames(spark: SparkSession, uri: str) -> dict[str, DataFrame]:
    """Return the tables of the audit that was published at `uri`. Raises `NoAudit` where none
    was."""
    frames = {}
    for name, files in published_files(uri).items():
        schema = from_arrow_schema(TABLES[name])
        reader = spark.read.schema(schema)
        frames[name] = reader.parquet(*files) if files else spark.createDataFrame([], schema)
    return frames


def save_tables(
    frames: Mapping[str, DataFrame],
    namespace: str,
    *,
    provider: str | None = None,
    mode: WriteMode = "error",
    partition_by: Sequence[str] = (),
) -> None:
    """Write each table as NAMESPACE.TABLE of the session's catalog.

    `namespace` is one that exists ("kafka", "lake.kafka"); `provider` is Spark's word for the
    format ("delta", "iceberg", "parquet"), None for the catalog's own. `mode` is what becomes of
    tables that exist: with "error" nothing is written if one does; rows are appended, and columns
    that are new are added where the format can do that; or the rows are replaced. `partition_by`
    are columns, used by the tables that have them.

    A table is written as a whole or not at all; the tables before it stay if one fails. Raises
    `KprotoError` for what Spark refuses, and for a column that no table has.
    """
    spark = next(iter(frames.values())).sparkSession
    check_catalog(spark, namespace, mode=mode, partition_by=partition_by)
    try:
        for name, frame in frames.items():
            writer = frame.write.mode(mode).option("mergeSchema", "true")
            columns = [column for column in partition_by if column in frame.columns]
            writer = writer.partitionBy(*columns) if columns else writer
            writer = writer.format(provider) if provider else writer
            writer.saveAsTable(f"{namespace}.{name}")
            properties = f"'{SCHEMA_VERSION}' = '{VERSION}'"
            spark.sql(f"ALTER TABLE {namespace}.{name} SET TBLPROPERTIES ({properties})")
    except (Py4JError, PySparkException) as error:
        raise KprotoError(
            f"Spark does not write to {namespace}: {java_reason(str(error))}"
        ) from None


def check_catalog(
    spark: SparkSession,
    namespace: str,
    *,
    mode: WriteMode = "error",
    partition_by: Sequence[str] = (),
) -> None:
    """Raise `KprotoError` for what `save_tables` would refuse: a namespace that does not exist, a
    table that does, a column that no table has."""
    unknown = set(partition_by).difference(*(schema.names for schema in TABLES.values()))
    if unknown:
        raise KprotoError(f"no table of an audit has a column {min(unknown)!r}")
    try:
        if not spark.catalog.databaseExists(namespace):
            raise KprotoError(
                f"there is no namespace {namespace} in the catalogs of Spark; "
                f"spark.sql('CREATE NAMESPACE {namespace}') makes one"
            )
        taken = [name for name in TABLES if spark.catalog.tableExists(f"{namespace}.{name}")]
    except (Py4JError, PySparkException) as error:
        raise KprotoError(
            f"Spark cannot look into {namespace}: {java_reason(str(error))}"
        ) from None
    if taken and mode == "error":
        raise KprotoError(f"there is a table {namespace}.{taken[0]}: append to it, or overwrite it")
