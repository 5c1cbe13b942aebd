"""The groups of clients that lines of logs name, by the groups' records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ..audit.group_state import CLASSIC
from ..columnar.arrays import column, exploded
from ..sources.broker import one_session
from ..sources.units import Unit
from ..tables.record_kinds import COMMITS, Kind, read_kinds

__all__ = ["clients_of_groups"]

_MOST_SEARCHED = 100
"""Clients that are searched for in bytes, before records are decoded."""


def clients_of_groups(
    units: Iterable[Unit], cluster_id: str, clients: Sequence[str]
) -> dict[str, set[str]]:
    """Return which of these clients each group has had, by all records of the units. Raises OSError
    where a unit cannot be read."""
    groups: dict[str, set[str]] = {}
    wanted = set(clients)
    with one_session():
        for unit in units:
            for table in unit.tables(cluster_id):
                for kind in read_kinds(_with_clients(table, clients)):
                    for group, client in _members(kind) if isinstance(kind, Kind) else ():
                        if client in wanted:
                            groups.setdefault(group, set()).add(client)
    return groups


def _with_clients(rows: pa.Table, clients: Sequence[str]) -> pa.Table:
    """Return the records of groups that may have one of these clients."""
    types = pc.is_in(column(rows, "record_type"), value_set=pa.array(COMMITS, pa.int16()))
    rows = rows.filter(pc.and_(column(rows, "problem").is_null(), pc.invert(types)))
    if len(clients) > _MOST_SEARCHED:
        return rows
    pattern = "|".join(map(re.escape, clients))
    values = column(rows, "value").cast(pa.binary())
    return rows.filter(pc.fill_null(pc.match_substring_regex(values, pattern), False))


def _members(kind: Kind) -> Iterator[tuple[str, str]]:
    """Yield group and client of each member that a record has."""
    if kind.type.number == CLASSIC:
        parents, members = exploded(kind.value("members"))
        groups, clients = kind.key("group").take(parents), members.field("client_id")
    elif kind.type.key.NAME.endswith("MemberMetadataKey"):
        groups, clients = kind.key("group_id"), kind.value("client_id")
    else:
        return
    yield from zip(groups.to_pylist(), clients.to_pylist(), strict=True)
