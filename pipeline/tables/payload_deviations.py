"""Rows of the table `deviations`: the deviations in the payloads of members."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    KprotoError,
    Policy,
    VersionedMessage,
    decode,
)
from ...inspector.diagnose.clean_check import is_plain_name
from ..audit.classic_record import CONSUMER
from ..columnar.arrays import column
from .fingerprints import member_fingerprints
from .schemas import TABLES, made

__all__ = ["KnownBytes", "deviation_rows"]

_FIELDS: tuple[tuple[str, str, type[VersionedMessage]], ...] = (
    ("metadata", "subscription", ConsumerProtocolSubscription),
    ("assignment", "assignment", ConsumerProtocolAssignment),
)
_COPIED = (
    "cluster_id", "source", "source_partition", "source_offset", "record_timestamp", "group_id",
    "incarnation", "generation", "member_id",
)  # fmt: skip


def deviation_rows(members: pa.Table) -> pa.Table:
    """Return rows of `deviations` for rows of the table `members`."""
    rows = _consumers(column(members, "protocol_type"))
    payloads = [_of_rows(column(members, name), rows) for name, _, _ in _FIELDS]
    odd = _odd(*payloads)
    where: list[int] = []
    deviations: list[dict[str, Any]] = []
    for (_, field, message_class), values in zip(_FIELDS, payloads, strict=True):
        for number, data in zip(rows[odd].tolist(), values.take(odd).to_pylist(), strict=True):
            for deviation in _deviations(data, message_class) if data else ():
                where.append(number)
                deviations.append({"field": field, **deviation})
    schema = TABLES["deviations"]
    if not deviations:
        return schema.empty_table()
    copied = members.select(_COPIED).take(pa.array(where))
    deviation = pa.Table.from_pylist(deviations, pa.schema(list(schema)[len(_COPIED) :]))
    columns = {name: column(copied, name) for name in _COPIED}
    return made(
        "deviations",
        len(deviations),
        columns | {n: column(deviation, n) for n in deviation.column_names},
    )


def _consumers(types: pa.Array) -> Any:
    """Return the numbers of the members that are consumers."""
    coded = types.dictionary_encode()
    is_consumer = pc.equal(coded.dictionary, CONSUMER).take(coded.indices)
    return np.flatnonzero(pc.fill_null(is_consumer, False).to_numpy(zero_copy_only=False))


def _of_rows(values: pa.Array, rows: Any) -> pa.Array:
    """Return the values of these rows, which are nearly always all."""
    return values if len(rows) == len(values) else values.take(pa.array(rows))


def _odd(subscriptions: pa.Array, assignments: pa.Array) -> Any:
    """The members whose bytes are not quickly seen to be plain. Members say the same again and
    again, but for a claim and a generation, and those are as plain as what they claim."""
    member_says, _ = member_fingerprints(subscriptions, assignments)
    if member_says is None:
        return np.arange(len(subscriptions))
    coded = member_says.dictionary_encode()
    once, codes = coded.dictionary.to_pylist(), coded.indices.to_numpy()
    unknown = np.array([n for n, bytes_ in enumerate(once) if bytes_ not in _PLAIN], np.int64)
    first = np.zeros(len(once), np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    payload_lists = (
        values.take(first[unknown]).to_pylist() for values in (subscriptions, assignments)
    )
    odd = np.zeros(len(once), np.bool_)
    for number, *payloads in zip(unknown.tolist(), *payload_lists, strict=True):
        if _are_plain(*payloads):
            _PLAIN.add(once[number])
        else:
            odd[number] = True
    return np.flatnonzero(odd[codes])


class KnownBytes:
    """A set of bytes that takes at most so many bytes of memory, about; beyond, it begins anew."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._known: set[bytes] = set()

    def __contains__(self, data: bytes) -> bool:
        return data in self._known

    def add(self, data: bytes) -> None:
        """Add bytes that are not known yet."""
        self._size += len(data) + _OVERHEAD
        if self._size > self._most:
            self._known.clear()
            self._size = len(data) + _OVERHEAD
        self._known.add(data)


_OVERHEAD = 100
"""What Python needs for an object of bytes in a set, about."""
_PLAIN = KnownBytes(1 << 25)
"""Fingerprints of members whose bytes are plain: they say the same in one table after another."""


def _are_plain(subscription: bytes, assignment: bytes) -> bool:
    return (not subscription or is_plain(subscription, ConsumerProtocolSubscription)) and (
        not assignment or is_plain(assignment, ConsumerProtocolAssignment)
    )


@lru_cache(maxsize=1 << 14)
def _deviations(data: bytes, message_class: type[VersionedMessage]) -> tuple[dict[str, Any], ...]:
    """Members of one group, and of its generations, are much alike."""
    return () if is_plain(data, message_class) else tuple(_rows_of(data, message_class))


def is_plain(data: bytes, message_class: type[VersionedMessage]) -> bool:
    """Return whether bytes are quickly seen to have no deviation, as most have: they are what the
    encoder writes for their message, with entries in ascending order and nothing empty. False
    proves nothing.
    """
    try:
        message: Any = message_class.from_bytes(data)
        version = int.from_bytes(data[:2], "big")
        if version not in message_class.VERSIONS or message.to_bytes(version) != data:
            return False
    except KprotoError:
        return False
    if message_class is ConsumerProtocolSubscription:
        entries, topics = message.owned_partitions, message.topics
        if message.rack_id == "" or message.generation_id < -1 or not topics or not _names(topics):
            return False
    else:
        entries = message.assigned_partitions
    return (
        message.user_data != b""
        and _names([entry.topic for entry in entries])
        and all(_numbers(entry.partitions) for entry in entries)
    )


def _names(topics: Any) -> bool:
    return _ascend(topics) and all(map(is_plain_name, topics))


def _ascend(values: Any) -> bool:
    return all(low < high for low, high in pairwise(values))


def _numbers(values: Any) -> bool:
    return bool(values) and values[0] >= 0 and _ascend(values)


def _rows_of(data: bytes, message_class: type[VersionedMessage]) -> Iterator[dict[str, Any]]:
    for deviation in decode(data, message_class, policy=Policy.LENIENT).deviations:
        yield {
            "code": deviation.code,
            "class": deviation.class_,
            "explanation": deviation.explanation,
            "offset": deviation.offset,
            "path": deviation.path,
            "count": deviation.count,
        }
