"""Names of groups and members, and ages, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...history.finding_sentences import duration_text

__all__ = [
    "NO_RECORDS",
    "age",
    "as_of",
    "group_label",
    "group_name",
    "member_names",
    "newest_record",
    "several_clusters",
]

NO_RECORDS = "there is no record: no group has joined or committed anything yet"

Row: TypeAlias = Mapping[str, Any]


def group_name(group_id: str | None, show: Callable[[str], str] = str) -> str:
    """Return the group's name to print: "(fleet)" for None, and two quotes for the empty name,
    under which a group may commit.
    """
    if group_id is None:
        return "(fleet)"
    return show(group_id) or '""'


def group_label(row: Row, *, clusters: bool, show: Callable[[str], str] = str) -> str:
    """Return the name of a row's group to print, behind that of its cluster where there are several
    `clusters`.
    """
    name = group_name(row["group_id"], show)
    return f"{show(row['cluster_id'] or '')} / {name}" if clusters else name


def several_clusters(rows: Iterable[Row]) -> bool:
    """Return whether rows are of more than one cluster."""
    return len({row["cluster_id"] for row in rows}) > 1


def age(row: Row) -> str:
    """Return for how long a finding has been there, in two units at most."""
    seconds = int(row["age_seconds"] or 0)
    for unit, size, smaller, least in _UNITS:
        if seconds >= size:
            count, rest = seconds // size, seconds % size // least
            return f"{count} {unit} {rest} {smaller}" if rest else f"{count} {unit}"
    return f"{seconds} s"


def newest_record(groups: pa.Table) -> datetime | None:
    """Return the time of the newest record of all groups of the table `current`; None where no
    record has a time."""
    columns = ("record_timestamp", "last_commit_timestamp")
    times = [pc.max(groups.column(name)).as_py() for name in columns]
    return max(filter(None, times), default=None)


def as_of(groups: pa.Table) -> str:
    """Return the time of the newest record and its age, where that is no time of now: of a backup,
    what is broken was so then. "" where it is now, or no record has a time."""
    newest = newest_record(groups)
    seconds = 0.0 if newest is None else (datetime.now(UTC) - newest).total_seconds()
    if newest is None or seconds < _FRESH_S:
        return ""
    return f"{newest:%Y-%m-%d %H:%M} UTC, its newest record, {duration_text(seconds)} ago"


_FRESH_S = 900.0
_UNITS = (("d", 86_400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1))


def member_names(records: Iterable[Sequence[Row]]) -> dict[str, str]:
    """Return a name for each member id of these records, each a list of rows of `members`.

    A dynamic member has another member id whenever it joins anew, so it goes by its client id, and
    keeps its name. Where two members of one record would have the same, as all have that go by
    their library's default, these get a longer one: with the host, then with the end of the member
    id too, which most clients make of a uuid, then with all of it. A name means one member in every
    record: who needs a longer one in one of them has it in all.
    """
    by_member = [{row["member_id"]: row for row in rows} for rows in records]
    members = {member_id: row for rows in by_member for member_id, row in rows.items()}
    shortest, *longer = _NAMES
    names = {member_id: shortest(row) for member_id, row in members.items()}
    for name_of in longer:
        shared = {
            name
            for rows in by_member
            for name, count in Counter(names[member_id] for member_id in rows).items()
            if count > 1
        }
        names |= {
            member_id: name_of(members[member_id])
            for member_id, name in names.items()
            if name in shared
        }
    return names


def _client(row: Row) -> str:
    name: str = row["group_instance_id"] or row["client_id"] or row["member_id"]
    return name


_NAMES: tuple[Callable[[Row], str], ...] = (
    _client,
    lambda row: f"{_client(row)} {row['client_host']}",
    lambda row: f"{_client(row)} {row['client_host']} …{row['member_id'][-8:]}",
    lambda row: f"{_client(row)} {row['client_host']} {row['member_id']}",
)
