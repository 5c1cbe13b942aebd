"""Rows of the table `deviations`: the deviations in the payloads of members."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
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
from ..columnar.arrays import column
from .fingerprints import member_fingerprints
from .schemas import TABLES, made

__all__ = ["deviation_rows"]

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
    wanted = members.select([*_COPIED, *(name for name, _, _ in _FIELDS)])
    consumers = wanted.filter(pc.equal(members.column("protocol_type"), "consumer"))
    schema = TABLES["deviations"]
    odd = _odd(column(consumers, "metadata"), column(consumers, "assignment"))
    where: list[int] = []
    found: list[dict[str, Any]] = []
    for name, field, message_class in _FIELDS:
        for number, data in zip(odd, column(consumers, name).take(odd).to_pylist(), strict=True):
            for said in _deviations(data, message_class) if data else ():
                where.append(number.as_py())
                found.append({"field": field, **said})
    if not found:
        return schema.empty_table()
    rows = consumers.select(_COPIED).take(pa.array(where))
    said = pa.Table.from_pylist(found, pa.schema(list(schema)[len(_COPIED) :]))
    columns = {name: column(rows, name) for name in _COPIED}
    return made("deviations", len(found), columns | {n: column(said, n) for n in said.column_names})


def _odd(subscriptions: pa.Array, assignments: pa.Array) -> pa.Array:
    """The members whose bytes are not quickly seen to be plain. Members say the same again and
    again, but for a claim and a generation, and those are as plain as what they claim."""
    said, _ = member_fingerprints(subscriptions, assignments)
    if said is None:
        return pa.array(range(len(subscriptions)), pa.int64())
    coded = said.dictionary_encode()
    codes = coded.indices.to_numpy()
    first = np.zeros(len(coded.dictionary), np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    ones = (column.take(pa.array(first)).to_pylist() for column in (subscriptions, assignments))
    plain = [
        _plain(bytes_, *payloads)
        for bytes_, *payloads in zip(coded.dictionary.to_pylist(), *ones, strict=True)
    ]
    return pa.array(np.flatnonzero(~np.array(plain, np.bool_)[codes]))


_KNOWN: set[bytes] = set()
"""Digests of what is plain: members say it in one table after another."""
_MOST_KNOWN = 1 << 18


def _plain(said: bytes, subscription: bytes, assignment: bytes) -> bool:
    """Return whether subscription and assignment are both plain. `said` are bytes that are equal
    for equivalent payloads, under which the answer is remembered.
    """
    digest = blake2b(said, digest_size=16).digest()
    if digest in _KNOWN:
        return True
    plain = (not subscription or is_plain(subscription, ConsumerProtocolSubscription)) and (
        not assignment or is_plain(assignment, ConsumerProtocolAssignment)
    )
    if plain:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN.add(digest)
    return plain


@lru_cache(maxsize=1 << 14)
def _deviations(data: bytes, message_class: type[VersionedMessage]) -> tuple[dict[str, Any], ...]:
    """Members of one group, and of its generations, are much alike."""
    return () if is_plain(data, message_class) else tuple(_said(data, message_class))


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


_NAME = re.compile(r"[A-Za-z0-9._-]{1,249}")


def _names(topics: Any) -> bool:
    return _ascend(topics) and all(map(_NAME.fullmatch, topics))


def _ascend(values: Any) -> bool:
    return all(low < high for low, high in pairwise(values))


def _numbers(values: Any) -> bool:
    return bool(values) and values[0] >= 0 and _ascend(values)


def _said(data: bytes, message_class: type[VersionedMessage]) -> Iterator[dict[str, Any]]:
    for deviation in decode(data, message_class, policy=Policy.LENIENT).deviations:
        yield {
            "code": deviation.code,
            "class": deviation.class_,
            "explanation": deviation.explanation,
            "offset": deviation.offset,
            "path": deviation.path,
            "count": deviation.count,
        }
