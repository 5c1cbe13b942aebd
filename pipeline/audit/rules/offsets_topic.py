"""The offsets topic itself: who fills it, whether it is compacted, and groups left behind.

Arrow is imported where a rule is asked: what a rule is, `kproto explain` says without it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ....wording import counted
from ..findings import Basis, Severity, Sign
from ..rule import Fleet, FleetRule

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FOLDED", "RULES", "left_behind"]

_MB = 1_000_000
_VARIES = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,}|\d+", re.IGNORECASE
)
_NAMED = 5
_IN_USE = 9  # times as many have to be empty as have members
_EMPTY = ("empty", "not known")
FOLDED = frozenset({
    "lag-stopped", "lag-stalled", "lag-falling-behind", "leftover-commits", "never-committed",
    "offset-rewound", "offset-skipped", "scheduled-consumer",
})  # fmt: skip
"""Rules whose findings about groups that were left behind are one finding for all of them."""


def left_behind(current: pa.Table, fewest: float) -> dict[str, list[str]]:
    """Return the empty groups by the pattern of their names, where so many have the same, and
    hardly any of that pattern has members: each run of a tool, or of a test, left one."""
    groups: dict[str, list[str]] = defaultdict(list)
    in_use: Counter[str] = Counter()
    names = ("group_id", "state", "members")
    for name, state, members in zip(
        *(current.column(column).to_pylist() for column in names), strict=True
    ):
        pattern = _VARIES.sub("*", name)
        if not members and state in _EMPTY and pattern != name:
            groups[pattern].append(name)
        elif members:
            in_use[pattern] += 1
    return {
        pattern: sorted(members)
        for pattern, members in sorted(groups.items())
        if len(members) >= max(fewest, 1, _IN_USE * in_use[pattern])
    }


def _since(fleet: Fleet) -> dict[str, int]:
    """Return since when each group is known, in milliseconds since 1970."""
    first_seen = fleet.current.column("first_seen").cast("int64").to_pylist()
    names = fleet.current.column("group_id").to_pylist()
    pairs = zip(names, first_seen, strict=True)
    return {name: moment // 1000 for name, moment in pairs if moment is not None and moment > 0}


def _evidence_since(since: Mapping[str, int], names: Iterable[str]) -> dict[str, int]:
    """Return since when there are any of these groups, as evidence; {} where that is not known."""
    moments = [since[name] for name in names if name in since]
    return {"since": min(moments)} if moments else {}


def _left_behind(fleet: Fleet, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    since = _since(fleet)
    for pattern, names in left_behind(fleet.current, thresholds["groups"]).items():
        yield Sign(
            pattern,
            f"{counted(len(names), 'group')} {pattern} without members: each run of a tool or of a "
            f"test left one ({', '.join(names[:_NAMED])}, …)",
            {
                "pattern": pattern,
                "groups": len(names),
                "names": names[:20],
                **_evidence_since(since, names),
            },
        )


def _by_partition(current: pa.Table) -> dict[int, list[tuple[str, int, int, int]]]:
    """Return the groups of each partition of the topic: name, records, bytes, and how many keys
    they have at least."""
    columns = ("source_partition", "group_id", "records", "bytes", "committed_partitions")
    partitions: dict[int, list[tuple[str, int, int, int]]] = defaultdict(list)
    for partition, name, records, size, committed in zip(
        *(current.column(column).to_pylist() for column in columns), strict=True
    ):
        if partition is not None and records:
            partitions[partition].append((name, records, size or 0, (committed or 0) + 1))
    return partitions


def _filled_by(fleet: Fleet, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    since = _since(fleet)
    for partition, groups in sorted(_by_partition(fleet.current).items()):
        size: int = sum(group[2] for group in groups)
        name, records, most, _ = max(groups, key=lambda group: group[2])
        if size < thresholds["megabytes"] * _MB or most < thresholds["share"] * size:
            continue
        yield Sign(
            f"{partition} {name}",
            f"the group {name} has {most / _MB:,.1f} of the {size / _MB:,.1f} MB in partition "
            f"{partition} of the offsets topic, in {counted(records, 'record')}: it commits often",
            {
                "source_partition": partition,
                "group": name,
                "records": records,
                "megabytes": round(most / _MB, 1),
                "megabytes_of_partition": round(size / _MB, 1),
                **_evidence_since(since, [name]),
            },
        )


def _not_compacted(fleet: Fleet, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    since = _since(fleet)
    for partition, groups in sorted(_by_partition(fleet.current).items()):
        records, size = sum(group[1] for group in groups), sum(group[2] for group in groups)
        keys = min(sum(group[3] for group in groups), records)
        live = size * keys / records
        superseded = size - live
        least = max(thresholds["megabytes"] * _MB, thresholds["times"] * live)
        if superseded < least:
            continue
        worst = max(groups, key=lambda group: group[2])
        yield Sign(
            str(partition),
            f"{superseded / _MB:,.0f} of {size / _MB:,.0f} MB in partition {partition} are records "
            f"that newer ones have replaced, most of the group {worst[0]}",
            {
                "source_partition": partition,
                "megabytes": round(size / _MB, 1),
                "megabytes_replaced": round(superseded / _MB, 1),
                "records": records,
                "keys_at_least": keys,
                "largest_group": worst[0],
                **_evidence_since(since, [group[0] for group in groups]),
            },
        )


RULES = (
    FleetRule(
        id="groups-left-behind",
        title="Many empty groups of one kind",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning=(
            "They cost the coordinator memory and every list its clarity, until their offsets "
            "expire."
        ),
        source="kafka-console-consumer without --group: console-consumer-NUMBER",
        predicate=(
            "`groups` or more groups without members have names that differ in numbers or uuids "
            "alone, and hardly any group of such a name has members. Findings about their lag and "
            "their offsets are left out in favour of this one."
        ),
        next_action=(
            "None where a tool made them: they go after offsets.retention.minutes. Give a "
            "program that makes them a group.id of its own."
        ),
        find=_left_behind,
        thresholds={"groups": 20},
    ),
    FleetRule(
        id="offsets-topic-share",
        is_of_changes=True,
        title="One group fills a partition of the offsets topic",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning="The coordinator of the partition, and whoever loads it, works mostly for this "
        "group.",
        source="measured: commits are 98 % or more of the records of this topic",
        predicate=(
            "A group has at least `share` of the bytes of a partition of the offsets topic that "
            "has `megabytes` or more."
        ),
        next_action=("Let the group commit less often (auto.commit.interval.ms), or in batches."),
        find=_filled_by,
        thresholds={"share": 0.5, "megabytes": 50},
    ),
    FleetRule(
        id="compaction-behind",
        is_of_changes=True,
        title="The offsets topic is not compacted",
        severity=Severity.WARNING,
        basis=Basis.INFERRED,
        meaning=(
            "The partition grows, and a broker that becomes its leader takes minutes to load it: "
            "its groups have no coordinator meanwhile."
        ),
        source="cleanup.policy=compact of __consumer_offsets; the log cleaner's thread may have "
        "died",
        predicate=(
            "More than `megabytes` of a partition's records have been replaced by newer ones, and "
            "`times` times what has not. Three segments of the default size are never so much."
        ),
        next_action=(
            "Look for the log cleaner in the broker's log and metrics "
            "(uncleanable-partitions-count, time-since-last-run-ms). Restart the broker where its "
            "thread has died (kproto's tests did not try it)."
        ),
        find=_not_compacted,
        thresholds={"megabytes": 300, "times": 3},
    ),
)
