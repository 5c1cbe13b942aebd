"""Rules about all groups together: events that affect many of them, and facts that hold for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ....wording import counted, some_of
from ..findings import Basis, Severity, Sign
from ..rule import Fleet, FleetRule, arrow_compute

if TYPE_CHECKING:
    import pyarrow as pa

_MINUTE_US = 60_000_000
_MOST_ROWS = 100_000


_NAMED = 5  # groups in one sentence


def _old_protocol(fleet: Fleet, _: Mapping[str, float]) -> Iterator[Sign]:
    pc = arrow_compute()
    rows = fleet.current
    classic = pc.and_(
        pc.equal(rows.column("group_type"), "classic"),
        pc.equal(rows.column("protocol_type"), "consumer"),
    )
    groups = rows.filter(classic)
    names = sorted(groups.column("group_id").to_pylist())
    count = len(names)
    since = pc.min(groups.column("first_seen").cast("int64")).as_py()
    if count:
        yield Sign(
            "",
            f"{counted(count, 'group')} of consumers {'uses' if count == 1 else 'use'} the classic "
            f"protocol: {some_of(names, _NAMED)}",
            {"groups": count, **({} if since is None else {"since": since // 1000})},
        )


def _coordinator_moved(fleet: Fleet, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    pc = arrow_compute()
    rows = fleet.rebalances
    # A group that is just beginning, or was busy before, says nothing about its coordinator.
    quiet = pc.greater_equal(rows.column("since_previous_ms"), thresholds["quiet"] * 1000)
    rows = rows.select(["source_partition", "record_timestamp", "group_id"])
    rows = rows.filter(pc.fill_null(quiet, False))
    homes = fleet.current.group_by("source_partition").aggregate([("group_id", "count")])
    groups_at = dict(zip(*(homes.column(n).to_pylist() for n in homes.column_names), strict=True))
    reported: set[tuple[int, int]] = set()
    for shift in (0, _MINUTE_US // 2):  # so that no minute is cut in two
        for partition, minute, count in _by_minute(rows, shift, thresholds["groups"]):
            many = max(thresholds["groups"], thresholds["share"] * groups_at.get(partition, 0))
            if count >= many and reported.isdisjoint(
                (partition, minute + near) for near in (-1, 0, 1)
            ):
                reported.add((partition, minute))
                yield Sign(
                    f"{partition} {minute}",
                    f"{count:,} of {groups_at.get(partition, 0):,} groups of offsets partition "
                    f"{partition} rebalanced within a minute: their coordinator moved",
                    {"source_partition": partition, "groups": count, "since": minute * 60_000},
                )


def _by_minute(rows: pa.Table, shift: int, least: float) -> Iterator[tuple[int, int, int]]:
    """Yield partition, minute, and how many groups rebalanced then, where they are at least
    `least`.
    """
    pc = arrow_compute()
    times = rows.column("record_timestamp").cast("int64")
    minutes = pc.divide(pc.add(times, shift), _MINUTE_US)
    counts = (
        rows.select(["source_partition", "group_id"])
        .append_column("minute", minutes)
        .group_by(["source_partition", "minute"])
        .aggregate([("group_id", "count_distinct")])
    )
    many = counts.filter(pc.greater_equal(counts.column("group_id_count_distinct"), least))
    names = ("source_partition", "minute", "group_id_count_distinct")
    yield from zip(*(many.drop_null().column(name).to_pylist() for name in names), strict=True)


def _partitions_added(fleet: Fleet, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    pc = arrow_compute()
    rows = fleet.rebalances
    added = pc.equal(rows.column("cause"), "metadata-changed")
    rows = rows.select(["group_id", "record_timestamp", "moves"]).filter(added)
    groups: dict[str, set[str]] = {}
    since: dict[str, int] = {}
    for row in rows.slice(0, _MOST_ROWS).to_pylist():
        when = int(row["record_timestamp"].timestamp() * 1000) if row["record_timestamp"] else 0
        for topic in {move["topic"] for move in row["moves"] or () if move["from_member"] is None}:
            groups.setdefault(topic, set()).add(row["group_id"])
            since[topic] = min(since.get(topic, when), when)
    for topic, names in sorted(groups.items()):
        if len(names) >= thresholds["groups"]:
            yield Sign(
                topic,
                f"{topic} got more partitions, and {counted(len(names), 'group')} rebalanced",
                {"topic": topic, "groups": sorted(names)[:20], "since": since[topic]},
            )


RULES = (
    FleetRule(
        id="old-protocol",
        title="Groups of the classic protocol",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning=(
            "Their members compute the assignment, and all of them stop meanwhile, or partitions "
            "change owners in two rebalances. From 4.0 on, brokers assign for clients that ask for "
            "it."
        ),
        source="KIP-848",
        predicate=(
            "There are groups with records of the classic protocol: one finding for the fleet."
        ),
        next_action="Nothing is urgent. Plan group.protocol=consumer where clients support it.",
        find=_old_protocol,
    ),
    FleetRule(
        id="coordinator-moved",
        is_of_changes=True,
        title="A coordinator moved",
        severity=Severity.INFO,
        basis=Basis.INFERRED,
        meaning=(
            "One broker restarted or failed, which all groups of its partition saw; no group is "
            "the cause."
        ),
        source="each partition of the offsets topic has one coordinator, its leader",
        predicate=(
            "Of the groups in one partition of the offsets topic, at least `groups` and `share` "
            "of all rebalance within a minute, each after `quiet` without a record."
        ),
        next_action="Compare with the times of broker restarts; the groups need no further look.",
        find=_coordinator_moved,
        thresholds={"groups": 5, "share": 0.5, "quiet": 60},
    ),
    FleetRule(
        id="partitions-added",
        is_of_changes=True,
        title="A topic got more partitions",
        severity=Severity.INFO,
        basis=Basis.INFERRED,
        meaning=(
            "Every group that reads the topic rebalances once, when its members notice the new "
            "partitions."
        ),
        source="metadata.max.age.ms",
        predicate=(
            "`groups` or more groups rebalance with the same members and topics, and assign "
            "partitions of one topic that are higher than any before."
        ),
        next_action=(
            "None, if that was intended; records with keys go to other partitions from now on."
        ),
        find=_partitions_added,
        thresholds={"groups": 1},
    ),
)
