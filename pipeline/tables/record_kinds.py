"""Records of the offsets topic, by their types, keys and values decoded in columns.

What Apache Kafka refuses goes to quarantine; nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...capture.segments.offsets_topic import RecordType, record_types
from ...capture.segments.redpanda import as_kafka_key, as_kafka_value
from ..columnar import decode_column, decode_rows
from ..columnar.arrays import column, dictionary, same
from ..sources.record_table import MAX_SHOWN
from .schemas import empty, made

__all__ = [
    "COMMITS",
    "PLACE",
    "Kind",
    "places",
    "quarantined_problems",
    "read_kinds",
    "record_rows",
]

_GROUP = {
    type_.key.NAME: next(
        field for field in type_.key.__struct_fields__ if field.startswith("group")
    )
    for type_ in record_types().values()
}
"""The field of each key that names the group."""

_GROUP_METADATA = 2
COMMITS = (0, 1)
"""The record types of commits."""

_DECODED = ("key", "value", "group_id", "position")
"""Columns of records that are in their decoded keys and values, too, or that quarantine alone
needs."""

PLACE = ("cluster_id", "source", "source_partition", "source_offset", "record_timestamp")


class Kind(NamedTuple):
    """The records of one type in a table: `rows` as they are in `record_table`, and their keys and
    values as `columnar` decodes them; those that cannot be read are in `refused` alone. `keys` has
    each key once, `key_sizes` its bytes, and `codes` the number of each row's: most are commits of
    few partitions. `sizes` has the bytes of each value, null for a tombstone. The rows of commits
    have neither key, value, group nor position. Of a batch of few records there may be the rows
    alone (`of_rows`)."""

    type: RecordType
    rows: pa.Table
    keys: pa.StructArray
    key_sizes: pa.Array
    codes: pa.Array
    values: pa.StructArray
    sizes: pa.Array
    refused: pa.Table

    @classmethod
    def of_rows(cls, type_: RecordType, rows: pa.Table) -> Kind:
        """Return records of one type without the columns of their keys and values."""
        nothing = pa.nulls(0, pa.struct([]))
        no_numbers = pa.nulls(0, pa.int32())
        return cls(
            type_, rows, nothing, no_numbers, no_numbers, nothing, no_numbers, empty("quarantine")
        )

    @property
    def has_columns(self) -> bool:
        """Whether there are columns of keys and values."""
        return bool(self.keys.type.num_fields)

    @property
    def groups(self) -> pa.Array:
        """The group that each key names, a value a key."""
        return self.keys.field("message").field(_GROUP[self.type.key.NAME])

    def key(self, field: str) -> pa.Array:
        """Return a field of the keys, a value a row. Text is dictionary-encoded."""
        values = self.keys.field("message").field(field)
        if not pa.types.is_string(values.type):
            return values.take(self.codes)
        once = values.dictionary_encode()
        return dictionary(once.indices.take(self.codes), once.dictionary)

    def value(self, field: str) -> pa.Array:
        """Return a field of the values; null for tombstones."""
        return pc.struct_field(self.values, ["message", field])


def places(rows: pa.Table) -> dict[str, pa.Array]:
    """Return the columns that say where rows come from."""
    return {name: column(rows, name) for name in PLACE}


def quarantined_problems(rows: pa.Table) -> pa.Table:
    """Return what the source could not read: rows of `record_table` that have a problem."""
    data, is_record = column(rows, "value"), column(rows, "key").is_valid()
    return made(
        "quarantine",
        rows.num_rows,
        {
            **places(rows),
            "group_id": column(rows, "group_id"),
            "level": same("batch", rows.num_rows),
            "reason": column(rows, "problem"),
            "position": column(rows, "position"),
            "data": _hex_of(data),
            "key": _hex_of(column(rows, "key")),
            "value": _hex_of(pc.if_else(is_record, data, pa.scalar(None, pa.binary()))),
        },
    )


def read_kinds(rows: pa.Table) -> Iterator[Kind | pa.Table]:
    """Yield the records of a table type by type. Rows of `quarantine` for records of no known type
    come first. The records must not have problems.
    """
    types = column(rows, "record_type")
    types_known = record_types()
    numbers_present = pc.unique(types).to_pylist()
    if not types_known.keys() >= set(numbers_present):
        rows = _with_kafka_keys(rows)
        types = column(rows, "record_type")
        numbers_present = pc.unique(types).to_pylist()
    if not types_known.keys() >= set(numbers_present):
        strange = pc.invert(pc.is_in(types, value_set=pa.array(list(types_known), pa.int16())))
        yield _strangers(rows.filter(strange))
    rows = rows.drop_columns("problem")  # there is none
    keys = column(rows, "key").dictionary_encode()
    codes = pc.fill_null(keys.indices, -1).to_numpy().astype(np.intp)
    numbers = pc.fill_null(types, -1).to_numpy()
    for number in numbers_present:
        if number in types_known:
            yield _kind(rows, _Keys(keys.dictionary, codes), numbers == number, types_known[number])


class _Keys(NamedTuple):
    """Each key of a table once, and the number of each row's, -1 for none."""

    once: pa.Array
    codes: Any


def _commit_rows(rows: pa.Table, mask: pa.Array, count: int) -> pa.Table:
    """Return the `count` rows that the mask selects, filtered column by column: a table's own
    filter counts the rows first, and takes twice as long.
    """
    names = [name for name in rows.column_names if name not in _DECODED]
    columns = [_filtered(column(rows, name), mask, count) for name in names]
    return pa.Table.from_arrays(columns, schema=pa.schema([rows.field(name) for name in names]))


def _filtered(values: pa.Array, mask: pa.Array, count: int) -> pa.Array:
    """Return the `count` values that the mask selects. Where all are the same nothing is copied."""
    once = pa.types.is_dictionary(values.type) and len(values.dictionary) == 1
    if values.null_count == len(values) or (once and not values.null_count):
        return values.slice(0, count)
    return values.filter(mask)


def _group_rows(rows: pa.Table, numbers: Any) -> pa.Table:
    """Return the rows with these numbers, which are few: a filter copies their large values in
    three times as long. Keys and groups are written out, which Python is slow to make of coded
    ones."""
    rows = rows.take(pa.array(numbers))
    for name, kind in (("key", pa.binary()), ("group_id", pa.string())):
        values = column(rows, name).cast(kind)
        rows = rows.set_column(rows.schema.get_field_index(name), name, values)
    return rows


def record_rows(kind: Kind) -> pa.Table:
    """Return rows of the table `records`."""
    rows = kind.rows
    return made(
        "records",
        rows.num_rows,
        {
            **places(rows),
            "record_type": column(rows, "record_type"),
            "record_kind": same(kind.type.value.NAME, rows.num_rows),
            "group_id": kind.key(_GROUP[kind.type.key.NAME]),
            "tombstone": kind.sizes.is_null(),
            "version": kind.values.field("version"),
            "key_size": kind.key_sizes.take(kind.codes),
            "value_size": kind.sizes,
            "transactional": column(rows, "transactional"),
            "outcome": column(rows, "outcome"),
        },
    )


def _strangers(rows: pa.Table) -> pa.Table:
    types = column(rows, "record_type").cast(pa.string())
    reasons = pc.binary_join_element_wise("record type", types, "is not known", " ")
    return made(
        "quarantine",
        rows.num_rows,
        {
            **places(rows),
            "level": same("record", rows.num_rows),
            "field": same("key", rows.num_rows),
            "reason": pc.fill_null(reasons, "no record type in the key"),
            "position": column(rows, "position"),
            "data": _hex_of(column(rows, "key")),
            **_all_columns(rows),
        },
    )


def _kind(rows: pa.Table, keys: _Keys, selected: Any, type_: RecordType) -> Kind:
    """Return the records that a mask of numpy's selects. `keys` are those of all rows."""
    numbers, mask = np.flatnonzero(selected), pa.array(selected)
    once, codes = _of_type(keys, numbers)
    keys_decoded = decode_column(once, type_.key)
    value = column(rows, "value")
    values = decode_rows(value, numbers.astype(np.int32), type_.value)
    sizes = pc.binary_length(value).filter(mask)
    is_commit = type_.number in COMMITS
    mine = _commit_rows(rows, mask, len(numbers)) if is_commit else _group_rows(rows, numbers)
    key_sizes = pc.binary_length(once)
    if _all_read(keys_decoded) and _all_read(values):
        return Kind(type_, mine, keys_decoded, key_sizes, codes, values, sizes, empty("quarantine"))
    if type_.number == _GROUP_METADATA and (mended := _with_kafka_values(rows, mask, values)):
        return _kind(mended, keys, selected, type_)
    complete = rows.filter(mask)
    bad_key = keys_decoded.field("error_kind").is_valid().take(codes)
    bad_value = values.field("error_kind").is_valid()
    bad = pc.or_(bad_key, bad_value)
    only_value = pc.and_(bad_value, pc.invert(bad_key))
    quarantine = pa.concat_tables(
        [
            _refusals(complete.filter(bad_key), "key", keys_decoded.take(codes.filter(bad_key))),
            _refusals(complete.filter(only_value), "value", values.filter(only_value)),
        ]
    )
    good = pc.invert(bad)
    return Kind(
        type_,
        mine.filter(good),
        keys_decoded,
        key_sizes,
        codes.filter(good),
        values.filter(good),
        sizes.filter(good),
        quarantine,
    )


def _with_kafka_keys(rows: pa.Table) -> pa.Table:
    """Return the rows with the keys of old tombstones of Redpanda as Kafka writes them."""
    keys = column(rows, "key").to_pylist()
    numbers, groups = column(rows, "record_type").to_pylist(), column(rows, "group_id").to_pylist()
    kinds = record_types()
    for place, (key, number) in enumerate(zip(keys, numbers, strict=True)):
        kafka_key = as_kafka_key(key) if key is not None and number not in kinds else None
        if kafka_key is not None and kafka_key[1] in kinds:
            keys[place], numbers[place] = kafka_key, kafka_key[1]
            message = kinds[kafka_key[1]].key.from_bytes(kafka_key)
            groups[place] = getattr(message, _GROUP[type(message).NAME])
    for name, values in (("key", keys), ("record_type", numbers), ("group_id", groups)):
        field = rows.schema.field(name)
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        made_column = pa.array(values, kind)
        if pa.types.is_dictionary(field.type):
            made_column = made_column.dictionary_encode().cast(field.type)
        rows = rows.set_column(rows.schema.get_field_index(name), field, made_column)
    return rows


def _with_kafka_values(rows: pa.Table, mask: pa.Array, values: pa.StructArray) -> pa.Table | None:
    """Return the rows with the values of Redpanda's groups in Kafka's layout; None where none of
    those that cannot be read is one."""
    numbers = np.flatnonzero(mask.to_numpy(zero_copy_only=False))
    bad = numbers[values.field("error_kind").is_valid().to_numpy(zero_copy_only=False)]
    bytes_of_rows = column(rows, "value")
    mended = {
        int(number): kafka_value
        for number in bad
        if (value := bytes_of_rows[int(number)].as_py()) is not None
        and (kafka_value := as_kafka_value(value)) is not None
    }
    if not mended:
        return None
    pairs = enumerate(bytes_of_rows.to_pylist())
    replaced = pa.array([mended.get(number, value) for number, value in pairs], pa.binary())
    place = rows.schema.get_field_index("value")
    field = rows.schema.field("value")
    return rows.set_column(place, field, replaced.cast(field.type))


def _all_read(columns: pa.StructArray) -> bool:
    return bool(columns.field("error_kind").null_count == len(columns))


def _of_type(keys: _Keys, rows: Any) -> tuple[pa.Array, pa.Array]:
    """Return the keys of the rows with these numbers, each once, and the number of each row's. No
    row of another type has any of them.
    """
    codes = keys.codes[rows]
    used = np.zeros(len(keys.once), np.bool_)
    used[codes] = True
    numbers = (np.cumsum(used) - 1).astype(np.int32)
    return keys.once.filter(pa.array(used)), pa.array(numbers.take(codes))


def _refusals(rows: pa.Table, field: str, columns: pa.StructArray) -> pa.Table:
    return made(
        "quarantine",
        rows.num_rows,
        {
            **places(rows),
            "group_id": column(rows, "group_id"),
            "level": same("record", rows.num_rows),
            "field": same(field, rows.num_rows),
            "reason": columns.field("error_kind"),
            "error_offset": columns.field("error_offset"),
            "position": column(rows, "position"),
            "data": _hex_of(column(rows, field)),
            **_all_columns(rows),
        },
    )


def _all_columns(rows: pa.Table) -> dict[str, pa.Array]:
    """Return key and value of refused records: the half that can be read is in no other table
    then.
    """
    return {name: _hex_of(column(rows, name)) for name in ("key", "value")}


def _hex_of(data: pa.Array) -> pa.Array:
    return pc.binary_slice(data.cast(pa.binary()), 0, MAX_SHOWN)
