"""Partitions of the offsets topic that a broker cannot load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....history.causes import CAUSES
from ..findings import Basis, NamedCause, Severity, Sign
from ..group_end import GroupEnd
from ..rule import EndRule


def _not_loadable(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    obstacle = end.obstacle
    if obstacle is None:
        return
    place = obstacle.place
    partition = place.known_partition
    where = "its partition" if partition is None else f"partition {partition}"
    yield Sign(
        "",
        f"offset {place.offset} ({obstacle.record}) cannot be replayed ({obstacle.reason}): a "
        f"broker that loads {where} fails, and every group of it has no coordinator "
        f"(NOT_COORDINATOR). {obstacle.issue}: {obstacle.releases}",
        {
            "source": place.source,
            "source_partition": partition,
            "source_offset": place.offset,
            "record": obstacle.record,
            "issue": obstacle.issue,
            "releases": obstacle.releases,
            "since": place.timestamp if place.timestamp >= 0 else end.now,
        },
        Severity.WARNING if obstacle.is_mended else None,
        cause=NamedCause(
            "offsets-partition-not-loadable",
            "likely" if obstacle.is_mended else "certain",
            "",
        ),
    )


RULES = (
    EndRule(
        id="partition-not-loadable",
        is_of_changes=True,
        title="A partition of the offsets topic cannot be loaded",
        severity=Severity.CRITICAL,
        basis=Basis.OBSERVED,
        meaning=(
            "The broker that leads the partition goes on until it restarts or another takes over: "
            "then none of the groups of the partition can join, commit or fetch offsets."
        ),
        source="KAFKA-21117, KAFKA-20254, KAFKA-19862; GroupMetadataManager.replay",
        predicate=(
            "The records of a group do not replay: one of a consumer, share or Streams group "
            "follows that of a classic group without the tombstone in between, or, for "
            "Streams, behind the group's commits; or a partition is assigned to a member while "
            "another one still has it. A warning where newer releases load it."
        ),
        next_action=CAUSES["offsets-partition-not-loadable"].advice,
        find=_not_loadable,
    ),
)
