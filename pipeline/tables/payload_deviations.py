"""Rows of the table `deviations`: what is odd about the bytes of members."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pyarrow as pa

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    KprotoError,
    Policy,
    VersionedMessage,
    decode,
)
from ..audit.repetition import besides_the_claim, claimed
from .arrays import column, made
from .schemas import TABLES

__all__ = ["deviation_rows"]

_FIELDS: tuple[tuple[str, str, type[VersionedMessage]], ...] = (
    ("metadata", "subscription", ConsumerProtocolSubscription),
    ("assignment", "assignment", ConsumerProtocolAssignment),
)
_MOST_CACHED = 1 << 12  # bytes
_COPIED = (
    "cluster_id", "source", "source_partition", "source_offset", "record_timestamp", "group_id",
    "incarnation", "generation", "member_id",
)  # fmt: skip


def deviation_rows(members: pa.Table) -> pa.Table:
    """The deviations in rows of the table `members`."""
    consumers = members.filter(pa.compute.equal(members.column("protocol_type"), "consumer"))
    schema = TABLES["deviations"]
    where: list[int] = []
    found: list[dict[str, Any]] = []
    assignments = column(consumers, "assignment").to_pylist()
    for name, field, message_class in _FIELDS:
        for number, data in enumerate(column(consumers, name).to_pylist()):
            if not data or (field == "subscription" and _repeats(data, assignments[number])):
                continue
            for said in _deviations(data, message_class):
                where.append(number)
                found.append({"field": field, **said})
    if not found:
        return schema.empty_table()
    rows = consumers.select(_COPIED).take(pa.array(where))
    said = pa.Table.from_pylist(found, pa.schema(list(schema)[len(_COPIED) :]))
    columns = {name: column(rows, name) for name in _COPIED}
    return made("deviations", len(found), columns | {n: column(said, n) for n in said.column_names})


def _repeats(metadata: bytes, assignment: bytes | None) -> bool:
    """Whether it is known to be plain but for a claim, which is the assignment, and a generation:
    what differs between the records of a cooperative member."""
    besides = besides_the_claim(metadata, assignment) if assignment else None
    if besides is None or len(metadata) + len(assignment or b"") > _MOST_CACHED:
        return False
    topics, rest = besides
    user_data = metadata[len(topics) : len(topics) + 4]
    return user_data != b"\0\0\0\0" and _is_plain(topics, rest, assignment or b"")


@lru_cache(maxsize=1 << 14)
def _is_plain(topics: bytes, rest: bytes, assignment: bytes) -> bool:
    """Of the subscription with that claim, without user data."""
    claim = claimed(assignment)
    generation = b"\0\0\0\1" if topics[1] > 1 else b""
    data = b"".join((topics, b"\xff\xff\xff\xff", claim, generation, rest))
    return is_plain(data, ConsumerProtocolSubscription)


@lru_cache(maxsize=1 << 14)
def _deviations(data: bytes, message_class: type[VersionedMessage]) -> tuple[dict[str, Any], ...]:
    """Members of one group, and of its generations, are much alike."""
    return () if is_plain(data, message_class) else tuple(_said(data, message_class))


def is_plain(data: bytes, message_class: type[VersionedMessage]) -> bool:
    """Whether bytes are quickly seen to have no deviation, as most have: what the encoder writes
    for their message, in ascending order, nothing empty. False says nothing."""
    try:
        message: Any = message_class.from_bytes(data)
        version = int.from_bytes(data[:2], "big")
        if version not in message_class.VERSIONS or message.to_bytes(version) != data:
            return False
    except KprotoError:
        return False
    if message_class is ConsumerProtocolSubscription:
        entries, topics = message.owned_partitions, message.topics
        if message.rack_id == "" or not topics or not _names(topics):
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
    for one in decode(data, message_class, policy=Policy.LENIENT).deviations:
        yield {
            "code": one.code,
            "class": one.class_,
            "explanation": one.explanation,
            "offset": one.offset,
            "path": one.path,
            "count": one.count,
        }
