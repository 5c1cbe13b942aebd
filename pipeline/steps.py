"""Steps for `DataFrame.transform`: f(arguments) -> (DataFrame -> DataFrame).

    table.transform(with_decoded(decode_subscription, "metadata"))
    table.transform(only_decoded(decode_subscription, "metadata", keep=["group_id"]))

Both decode the same. `with_decoded` leaves every other column as it is; `only_decoded` gives up
those that are not named, and is about half again as fast: nothing has to be joined to the rows on
Spark's side, and the fields come as columns of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql.types import StructType

from .functions import Decoder, check_decoder

__all__ = ["binary_column", "only_decoded", "with_decoded"]

DataFrameStep = Callable[[DataFrame], DataFrame]


def with_decoded(decoder: Decoder, column: str, into: str = "decoded") -> DataFrameStep:
    """Return a step that adds the decoded struct of the bytes in `column`, as the column `into`.
    The step raises TypeError if that column is not binary.
    """
    check_decoder(decoder)

    def step(table: DataFrame) -> DataFrame:
        return table.withColumn(into, decoder(binary_column(table, column)))

    return step


def only_decoded(
    decoder: Decoder,
    column: str,
    keep: Sequence[str] = (),
    *,
    fields: Sequence[str] | None = None,
) -> DataFrameStep:
    """Return a step that gives the columns to `keep`, then message, version, schema_version,
    bytes_left, error_kind and error_offset of the bytes in `column`; a null row has nulls, and no
    bytes left.

    Columns are named as in `select`. `fields` names the decoded columns to return, by default all;
    returning fewer is faster. Raises ValueError if `fields` names a column that is not decoded. The
    step raises it if a column to keep has the name of a decoded column that is returned, and
    TypeError if `column` is not binary.
    """
    check_decoder(decoder)
    added = decoder.fields(fields)

    def decode(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            *columns_kept, data = batch.columns  # by place: two may have one name
            structs = pa.RecordBatch.from_struct_array(decoder.decode(data))
            field_names = [field.name for field in added]
            columns = [*columns_kept, *map(structs.column, field_names)]
            names = [*batch.schema.names[:-1], *field_names]
            yield pa.RecordBatch.from_arrays(columns, names)

    def step(table: DataFrame) -> DataFrame:
        kept_fields = table.select(*keep).schema.fields
        twice = {field.name.lower() for field in kept_fields} & {field.name for field in added}
        if twice:
            raise ValueError(f"columns would be there twice: {', '.join(sorted(twice))}")
        chosen = table.select(*keep, binary_column(table, column).alias("__bytes"))
        return chosen.mapInArrow(decode, StructType([*kept_fields, *added]))

    return step


def binary_column(table: DataFrame, column: str) -> Column:
    """Return a column of bytes. Raises TypeError for one of another type."""
    chosen = table[column]
    kind = table.select(chosen).schema[0].dataType.simpleString()
    if kind != "binary":
        advice = f"; unhex({column}), or unbase64, makes bytes of text" if kind == "string" else ""
        raise TypeError(f"the column {column} is {kind}, and has to be binary{advice}")
    return chosen
