"""Parquet read by Spark's workers themselves, where bytes need not cross from the JVM.

    counted = by_row_group(spark, "s3://bucket/table", summary, "group_id string, rows long")

Handing every byte to Python and every decoded column back is most of what decoding costs in Spark.
A function that turns a whole row group into a small table, or into a file of its own, saves that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs
from pyspark.sql.types import StructType

from .functions import check_decoder
from .sources.places import filesystem
from .steps import binary_column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from .functions import Decoder

__all__ = ["MANIFEST", "by_row_group", "decode_files", "decode_into"]

MANIFEST = "path string, rows long, bytes long"
"""A row for each file that `decode_into` has written."""

_ROWS = 8_192
"""Of a batch that is decoded, or on its way to Spark: what is made of it should still be in the
cache, and the memory of one batch serve for the next; larger blocks go back to the kernel."""

FromGroup = Callable[[pa.Table], pa.Table]


def by_row_group(
    spark: SparkSession,
    uri: str,
    function: FromGroup,
    schema: str | StructType,
    columns: Sequence[str] | None = None,
    *,
    dictionaries: Sequence[str] = (),
    tasks: int | None = None,
) -> DataFrame:
    """Yield the result of `function` for each row group of a parquet file, or of all files of a
    folder.

    `schema` is that of its tables, in Spark's words; `columns` are those to read, of which
    `dictionaries` come with each value once, as parquet mostly has them. There are as many `tasks`
    as Spark runs at a time: more even out row groups of different sizes, and each costs a twentieth
    of a second. A task that is done twice calls the function twice. Raises FileNotFoundError where
    there is no parquet file.

    A function that decodes is faster where it takes the table in batches of some thousand rows
    (`Table.to_batches`): what is made of one stays in the cache.
    """

    def batches_of(group: pa.Table) -> Iterator[pa.RecordBatch]:
        yield from function(group).to_batches(_ROWS)

    return _by_row_group(
        spark, uri, batches_of, schema, columns, dictionaries=dictionaries, tasks=tasks
    )


def _by_row_group(
    spark: SparkSession,
    uri: str,
    function: Callable[[pa.Table], Iterator[pa.RecordBatch]],
    schema: str | StructType,
    columns: Sequence[str] | None,
    *,
    dictionaries: Sequence[str] = (),
    tasks: int | None = None,
) -> DataFrame:
    groups = list(_row_groups(uri))
    column_names = None if columns is None else list(columns)
    dictionary_names = list(dictionaries)

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        store, _ = filesystem(uri)
        for batch in batches:
            for number in batch.column("id").to_pylist():
                path, row_group = groups[number]
                with store.open_input_file(path) as file:
                    parquet = pq.ParquetFile(file, read_dictionary=dictionary_names)
                    # By the one core that a task has.
                    group = parquet.read_row_group(row_group, column_names, use_threads=False)
                yield from function(group)

    return spark.range(0, len(groups), 1, tasks).mapInArrow(read, schema)


def decode_files(
    spark: SparkSession,
    uri: str,
    decoder: Decoder,
    column: str,
    keep: Sequence[str] = (),
    *,
    fields: Sequence[str] | None = None,
) -> DataFrame:
    """Return what `steps.only_decoded` gives for a column of parquet files, read by the workers."""
    check_decoder(decoder)
    added = decoder.fields(fields)
    names = [field.name for field in added]

    def decode(group: pa.Table) -> Iterator[pa.RecordBatch]:
        for batch in group.to_batches(_ROWS):
            yield _decoded_rows(batch, decoder, column, keep, names)

    table = spark.read.parquet(uri)
    binary_column(table, column)
    schema = StructType([*table.select(*keep).schema, *added])
    return _by_row_group(spark, uri, decode, schema, [*keep, column])


def decode_into(
    spark: SparkSession,
    uri: str,
    out: str,
    decoder: Decoder,
    column: str,
    keep: Sequence[str] = (),
    *,
    fields: Sequence[str] | None = None,
) -> DataFrame:
    """Decode a column of parquet files into parquet files in the folder `out`, and return rows of
    `MANIFEST`.

    The columns are those of `steps.only_decoded`. Files have names of their own, so that a task
    that is done twice leaves one that is in no manifest: what counts is what the manifest names.
    """
    check_decoder(decoder)
    store, folder = filesystem(out)
    names = [field.name for field in decoder.fields(fields)]
    store.create_dir(folder, recursive=True)

    def write(group: pa.Table) -> pa.Table:
        # In as few batches as there are: many small ones would take longer to write.
        batches = group.to_batches() or [pa.RecordBatch.from_pylist([], group.schema)]
        rows_out = pa.Table.from_batches(
            [_decoded_rows(batch, decoder, column, keep, names) for batch in batches]
        )
        path = str(PurePosixPath(folder, f"{uuid4().hex}.parquet"))
        target, _ = filesystem(out)
        pq.write_table(rows_out, path, filesystem=target, **_layout(rows_out.schema))
        size = target.get_file_info(path).size
        return pa.table({"path": [path], "rows": [rows_out.num_rows], "bytes": [size]})

    return by_row_group(spark, uri, write, MANIFEST, [*keep, column], dictionaries=keep)


def _decoded_rows(
    rows: pa.RecordBatch, decoder: Decoder, column: str, keep: Sequence[str], names: Sequence[str]
) -> pa.RecordBatch:
    """Return the rows with the columns to keep and the named ones of those decoded."""
    structs = pa.RecordBatch.from_struct_array(decoder.decode(rows.column(column)))
    # A row without bytes has no bytes left either: as columns of their own all may be null.
    fields = [structs.schema.field(name).with_nullable(True) for name in names]
    return pa.RecordBatch.from_arrays(
        [*map(rows.column, keep), *map(structs.column, names)],
        schema=pa.schema([*map(rows.schema.field, keep), *fields]),
    )


def _layout(schema: pa.Schema) -> dict[str, Any]:
    """How a file is written. Names come again and again, and are worth a dictionary; numbers are
    smaller without one. Nobody skips a row group for what is deep inside a message."""
    leaves = [leaf for field in schema for leaf in _leaves(field, field.name)]
    flat = set(schema.names)
    return {
        "compression": "zstd",
        "store_schema": False,  # dictionaries are how it was read, and nothing about the column
        "use_dictionary": [
            path for path, kind in leaves if path in flat or pa.types.is_string(kind)
        ],
        "write_statistics": [path for path, _ in leaves if path in flat],
    }


def _leaves(field: pa.Field, path: str) -> Iterator[tuple[str, pa.DataType]]:
    """The columns that parquet has for a field, by their paths there."""
    kind = field.type
    if pa.types.is_list(kind):
        yield from _leaves(kind.value_field, f"{path}.list.element")
    elif pa.types.is_struct(kind):
        for inner in kind.fields:
            yield from _leaves(inner, f"{path}.{inner.name}")
    else:
        yield path, kind


def _row_groups(uri: str) -> Iterator[tuple[str, int]]:
    """Yield each row group's file and number. Raises FileNotFoundError where there is no file."""
    store, path = filesystem(uri)
    info = store.get_file_info(path)
    if info.type == fs.FileType.File:
        files = [path]
    else:
        infos = store.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
        files = sorted(info.path for info in infos if info.path.endswith(".parquet"))
    if not files:
        raise FileNotFoundError(f"{uri}: no parquet file is here")
    for file in files:
        with store.open_input_file(file) as source:
            count = pq.ParquetFile(source).metadata.num_row_groups
        yield from ((file, number) for number in range(count))
