"""The audit of a stream of records, wherever they come from and wherever it runs.

`audited` is the one function: tables of records in, rows of the audit's tables out. In process it
is called directly (`run.in_process`); on Spark by each task, which writes files (`run.on_spark`) or
returns the rows (`run.on_frames`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa

from ...garbage import seldom_collected
from .group_audit import GroupAudit, Rows
from .intake import Batch, Counts, Intake
from .options import EVERY_GROUP, Options, Share

__all__ = ["audited", "audited_batches"]


def audited(
    tables: Iterable[pa.Table],
    options: Options,
    counts: Counts,
    share: Share = EVERY_GROUP,
    latest: Mapping[int, int] | None = None,
) -> Iterator[Rows]:
    """Yield rows of the tables of an audit, for records of a cluster.

    `tables` are those of `record_table`; a group's records are all there, in the order of the log.
    Records of other groups may be in between. `counts` is filled in, and complete at the end.
    `latest` is the latest time of each partition in milliseconds since 1970, where the records are
    not all of their partitions. Raises `KprotoError` where a record is missing.
    """
    intake = Intake(options, counts, share)
    return audited_batches(intake.batches(tables), intake, latest)


def audited_batches(
    batches: Iterable[Batch],
    intake: Intake,
    latest: Mapping[int, int] | None = None,
) -> Iterator[Rows]:
    """Yield the same for what `intake` has made of the tables."""
    audit = GroupAudit(intake.options)
    with seldom_collected():
        for batch in batches:
            yield "quarantine", batch.problems
            audit.groups.deletions(batch.wanted)
            audit.groups.load(batch.wanted)
            yield from audit.take(batch.kinds)
        for partition, time in (*intake.latest.items(), *(latest or {}).items()):
            audit.groups.at(time, partition)
        yield from audit.ended()
    intake.counts.check()
