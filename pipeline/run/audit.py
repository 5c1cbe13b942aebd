"""An audit from its source to what is published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ...capture.segments.batches import TORN
from ...codec import KprotoError
from ...wording import is_named, no_such
from ..audit import RULES, AnyRule
from ..audit.changes import Changes
from ..groups.fleet import FLEET_COLUMNS, FLEET_ROWS, verdict
from ..groups.intake import Counts, no_record
from ..groups.options import Options
from ..sources.record_table import NotRecords
from ..sources.refused_unit import RefusedUnit
from ..sources.units import Unit, accounts, lacked
from ..tables.publishing import Destination
from ..tables.redaction import AuditRedaction
from ..tables.schemas import TABLES
from ..tables.writing import WrittenFile
from .in_process import UnitResult, in_process

__all__ = ["Audit", "NoSuchGroup", "Runner", "run_audit"]

Runner: TypeAlias = Callable[[Sequence[Unit], Destination, Options], Iterable[UnitResult]]
"""A function that audits units, in any process, and yields the results in any order."""

MakeTexts: TypeAlias = Callable[["Audit", str], Mapping[str, str]]
"""A function that returns the texts to publish beside the tables, by the names of their files; its
second argument is the folder of the staged tables."""


class NoSuchGroup(KprotoError):
    """Raised where the source has groups, and none of a name that was asked for."""


class Audit(NamedTuple):
    """The result of an audit.

    The tables `findings` and `current`, the worst first; the counts; the rules that lacked an
    input, with the inputs they lacked; the rules that were asked; the accounts of captures, if the
    source is one; the files of its tables; what became of the findings of a baseline; the first
    rows of `quarantine`, of what could not be read although it should be there; what was not used
    of the sources, in sentences; the groups that logs tell of; and the ids of the clusters.
    Tasks that ran twice, or were killed, may have left others in the same folders, which are no
    part of the audit.
    """

    findings: pa.Table
    current: pa.Table
    counts: Counts
    not_evaluated: dict[str, list[str]]
    rules: Mapping[str, AnyRule] = RULES
    accounts: Sequence[str] = ()
    files: Sequence[WrittenFile] = ()
    changes: Changes | None = None
    unread: pa.Table | None = None
    remarks: Sequence[str] = ()
    logged: frozenset[str] = frozenset()
    clusters: Sequence[str] = ()


def run_audit(
    units: Sequence[Unit],
    destination: Destination,
    options: Options,
    runner: Runner = in_process,
    make_texts: MakeTexts = lambda _, __: {},
    redaction: AuditRedaction | None = None,
) -> Audit:
    """Audit all units, publish the tables and return the audit, with a `redaction` all of it with
    stand-ins for names.

    Nothing is published where anything fails. Raises `KprotoError` for records that are missing,
    `NotRecords` where no record of the offsets topic can be read in all that is there, and OSError
    for what cannot be read or written.
    """
    options = _without(options, units)
    try:
        destination.stage()
        files: list[WrittenFile] = []
        counts = Counts()
        for result in runner(units, destination, options):
            files += result.files
            counts.add(result.counts)
        _check(counts, files)
        _check_source(counts, units, files, destination)
        audit, files = _with_verdict(files, destination, options, counts)
        if not any(getattr(unit, "lost_cluster", None) for unit in units):  # it may have the group
            _check_groups(counts, options, audit.current)
        unread = _unread(files, destination)
        audit = audit._replace(accounts=accounts(units), files=files, unread=unread)
        if redaction is not None:
            audit = _redacted(audit, destination, redaction)
        destination.publish(
            audit.files,
            _manifest_fields(audit),
            make_texts(audit, destination.staged_uri),
        )
        return audit
    finally:
        destination.discard()


def _without(options: Options, units: Sequence[Unit]) -> Options:
    """Return the options without inputs that the units of a cluster cannot have."""
    clusters = tuple(
        _without(cluster, [unit for unit in units if options.of(unit) is cluster])
        for cluster in options.clusters
    )
    return msgspec.structs.replace(options, lacks=options.lacks | lacked(units), clusters=clusters)


def _check(counts: Counts, files: Iterable[WrittenFile]) -> None:
    """Raise `KprotoError` where a record is missing, or there are more than were read."""
    counts.check()
    rows = sum(file.rows for file in files if file.table == "records")
    if rows != counts.written:
        raise KprotoError(
            f"{counts.written:,} records were written, and the files have {rows:,}: "
            "nothing is published"
        )


def _check_source(
    counts: Counts, units: Sequence[Unit], files: Sequence[WrittenFile], destination: Destination
) -> None:
    """Raise `NotRecords` where nothing can be read: a wrong place must not look like a fleet
    without problems. An empty source is fine, also beside one that was refused: nobody has used the
    topic yet.
    """
    refusals = sum(isinstance(getattr(unit, "unit", unit), RefusedUnit) for unit in units)
    if not counts.are_of_other_things or counts.damages + counts.read == refusals:
        return
    problems = destination.staged(files, "quarantine", ["source", "reason"])
    (first,) = problems.slice(0, 1).to_pylist()
    raise NotRecords(no_record(first["source"], first["reason"]))


def _unread(files: Iterable[WrittenFile], destination: Destination) -> pa.Table | None:
    """Return the first rows of `quarantine` that `Counts.unread` counts, or None."""
    parts: list[pa.Table] = []
    for file in files:
        if file.table == "quarantine" and sum(part.num_rows for part in parts) < _MOST_UNREAD:
            parts.append(destination.staged([file], "quarantine", list(_UNREAD), _COUNTED))
    rows = pa.concat_tables(parts).slice(0, _MOST_UNREAD) if parts else None
    return rows if rows is not None and rows.num_rows else None


_MOST_UNREAD = 1_000
"""Stretches and records, of those that could not be read, whose places an audit knows."""
_UNREAD = (
    "cluster_id",
    "source",
    "source_partition",
    "source_offset",
    "position",
    "level",
    "reason",
)
_COUNTED = (pc.field("reason") != TORN) & (pc.field("level") != "payload")
"""Of a member's bytes a finding tells, and to the end of a segment a broker may still write."""


def _check_groups(counts: Counts, options: Options, current: pa.Table) -> None:
    """Raise `NoSuchGroup` for a name, or a pattern, of no group in a source that has groups: a
    group that was misspelt must not look well."""
    present = current.column("group_id").to_pylist()
    missing = [
        name for name in options.groups if not any(is_named(group, [name]) for group in present)
    ]
    of_settings = {
        settings.group for of_cluster in options.each for settings in of_cluster.client_settings
    }
    if of_settings and of_settings.isdisjoint(present):
        missing += sorted(of_settings)
    names = {*counts.others, *present}.union(
        *(of_cluster.logs or () for of_cluster in options.each)
    )
    if missing and names:
        raise NoSuchGroup(no_such("group", missing, names))


def _redacted(audit: Audit, destination: Destination, redaction: AuditRedaction) -> Audit:
    """Return the audit with stand-ins for names, its files written anew."""
    files = redaction.redacted_files(audit.files, destination)
    return audit._replace(
        findings=redaction.redacted_table(audit.findings),
        current=redaction.redacted_table(audit.current),
        unread=None if audit.unread is None else redaction.redacted_table(audit.unread),
        accounts=redaction.redacted_lines(audit.accounts),
        remarks=redaction.redacted_lines(audit.remarks),
        logged=frozenset(redaction.redacted_groups(audit.logged)),
        clusters=redaction.redacted_lines(audit.clusters),
        files=files,
    )


def _manifest_fields(audit: Audit) -> dict[str, Any]:
    counts = audit.counts
    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "cluster_id": ", ".join(audit.clusters),
        "clusters": list(audit.clusters),
        "records": counts.said(),
        "not_evaluated": audit.not_evaluated,
        "captures": list(audit.accounts),
        "remarks": list(audit.remarks),
    }


def _with_verdict(
    files: Sequence[WrittenFile], destination: Destination, options: Options, counts: Counts
) -> tuple[Audit, list[WrittenFile]]:
    """Return the audit with the findings about all groups together, and the files of every
    table.
    """
    staged = {
        table: destination.staged(files, table, columns, FLEET_ROWS.get(table))
        for table, columns in FLEET_COLUMNS.items()
    }
    fleet_verdict = verdict(staged, options, counts)
    published = [file for file in files if file.table not in fleet_verdict.tables]
    with destination.writer() as writer:
        for table, rows in fleet_verdict.tables.items():
            writer.write(table, rows)
        tables_with_rows = {file.table for file in (*published, *writer.written())}
        for table in TABLES:
            if table not in tables_with_rows:
                writer.write_empty(table)
        published += writer.written()
    rules = {rule.id: rule for rule in options.rules}
    tables = fleet_verdict.tables
    logged = frozenset(group for cluster in options.each for group in cluster.logs or ())
    audit = Audit(
        tables["findings"],
        tables["current"],
        counts,
        fleet_verdict.not_evaluated,
        rules,
        remarks=options.remarks,
        logged=logged,
        clusters=[cluster.cluster_id for cluster in options.each],
    )
    return audit, published
