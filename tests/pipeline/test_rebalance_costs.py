"""What rebalances did to the data, in histories drawn at random: against a reference that goes
through the log record by record, and against what simulated members really read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kproto.capture.segments.records import BatchInfo, Record
from kproto.codec import GroupMetadataKey, GroupMetadataValue, OffsetCommitKey, OffsetCommitValue
from kproto.history.clocks import LogSource
from kproto.pipeline.audit.commit_sum import STRETCH
from kproto.pipeline.groups.intake import Counts
from kproto.pipeline.groups.options import Options, TopicFacts
from kproto.pipeline.groups.partition import audited
from kproto.pipeline.groups.topic_story import TopicStory
from kproto.pipeline.sources.record_table import SourceColumns, key_says, table_of
from tests.pipeline.audit_groups import member, written

START = 1_700_000_000_000
NOWHERE = BatchInfo("topic", 0, 0, 0, False, False, -1, None)


class Commit(NamedTuple):
    """A commit of a partition; None deletes its offset."""

    partition: int
    offset: int | None


class Round(NamedTuple):
    """A record of the group: the members it has, among which partitions are divided."""

    generation: int
    members: tuple[str, ...]


class Entry(NamedTuple):
    """A record in the log, with its time in milliseconds since 1970."""

    time: int
    what: Commit | Round


class Log:
    """The log of the groups "g" (the one that is drawn) and "other" (that only commits)."""

    def __init__(self, protocol: str = "range", partitions: int = 3) -> None:
        self.protocol = protocol
        self.partitions = partitions
        self.entries: list[Entry] = []

    def __repr__(self) -> str:
        return f"<{self.protocol}, {self.partitions} partitions: {self.entries}>"

    def owners(self, round_: Round) -> list[str]:
        return [round_.members[n % len(round_.members)] for n in range(self.partitions)]

    def rows(self) -> Iterator[dict[str, Any]]:
        for offset, (time, what) in enumerate(self.entries):
            key, value = self._bytes(time, what)
            place = {"source_offset": offset, "record_timestamp": time * 1000}
            yield {**place, **key_says(key), "key": key, "value": value}

    def _bytes(self, time: int, what: Commit | Round) -> tuple[bytes, bytes | None]:
        if isinstance(what, Commit):
            key = OffsetCommitKey(group="g", topic="t", partition=what.partition).to_bytes()
            if what.offset is None:
                return key, None
            value = OffsetCommitValue(offset=what.offset, metadata="", commit_timestamp=time)
            return key, value.to_bytes()
        owners = self.owners(what) if what.members else []
        members = [
            written(member(name, [f"t-{n}" for n, owner in enumerate(owners) if owner == name]))
            for name in what.members
        ]
        state = GroupMetadataValue(
            protocol_type="consumer",
            generation=what.generation,
            protocol=self.protocol if members else None,
            leader=what.members[0] if members else None,
            current_state_timestamp=time,
            members=members,
        )
        return GroupMetadataKey(group="g").to_bytes(), state.to_bytes()

    def audited(self, cuts: Sequence[int] = (), **known: Any) -> dict[str, list[dict[str, Any]]]:
        """The rows of all tables, where batches are cut at these places."""
        rows = [*self.rows()]
        places = sorted({0, *(min(cut, len(rows)) for cut in cuts), len(rows)})
        batches = [table_of(SourceColumns("c", "log", 0), rows[a:b]) for a, b in pairwise(places)]
        tables: dict[str, list[pa.Table]] = {}
        for name, table in audited(batches, Options(cluster_id="c", **known), Counts()):
            tables.setdefault(name, []).append(table)
        return {
            name: [row for part in parts for row in part.to_pylist()]
            for name, parts in tables.items()
        }


# -- the reference


def _milliseconds(value: Any) -> Any:
    return None if value is None else round(value.timestamp() * 1000)


def _estimate(commits: Sequence[tuple[int, int]], until: int) -> int | None:
    """What was read and not committed: by the pace since the first commit of the last stretch."""
    runs: list[tuple[int, int]] = []
    for time, offset in commits:
        if not runs or runs[-1][0] * 1000 // STRETCH != time * 1000 // STRETCH:
            runs.append((time, offset))
    time, offset = commits[-1]
    for since, low in (*runs[::-1][:2],):
        if time > since:
            return round(max(offset - low, 0) / (time - since) * max(until - time, 0))
    return None


def costs_by_hand(log: Log) -> list[tuple[Any, ...]]:
    """Go through the log record by record."""
    commits: dict[int, list[tuple[int, int]]] = {}
    open_rounds: dict[int, list[tuple[int, Round]]] = {}
    last: Round | None = None
    costs: list[tuple[Any, ...]] = []
    for time, what in log.entries:
        if isinstance(what, Round):
            if last is not None and last.generation != what.generation:
                for partition in commits:
                    if _interrupts(log, last, what, partition):
                        open_rounds.setdefault(partition, []).append((time, what))
            last = what
        elif what.offset is not None:
            known = commits.setdefault(what.partition, [])
            rounds = open_rounds.pop(what.partition, [])
            if rounds:
                before, low = known[-1]
                rise = what.offset - low
                estimate = _estimate(known, rounds[0][0])
                costs.append(
                    (
                        rounds[-1][1].generation, rounds[-1][0], len(rounds), what.partition,
                        low, before, what.offset, time, max(-rise, 0),
                        None if estimate is None else min(estimate, max(rise, 0)),
                        None if rounds[-1][1].members else max(rise, 0),
                        time - before,
                    )
                )  # fmt: skip
            known.append((time, what.offset))
    return costs


def _interrupts(log: Log, last: Round, now: Round, partition: int) -> bool:
    if log.protocol != "cooperative-sticky" and now.members:
        return True
    owner, next_owner = (
        log.owners(round_)[partition] if round_.members else None for round_ in (last, now)
    )
    return owner != next_owner


def as_tuples(rows: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [
        (
            row["generation"], _milliseconds(row["rebalanced_at"]), row["rebalances"],
            row["partition"], row["committed_before"], _milliseconds(row["committed_before_at"]),
            row["committed_after"], _milliseconds(row["committed_after_at"]),
            row["records_again"], row["records_again_at_most"], row["records_skipped"],
            row["without_commit_ms"],
        )
        for row in rows
    ]  # fmt: skip


@st.composite
def logs(draw: st.DrawFn) -> Log:
    log = Log(draw(st.sampled_from(["range", "cooperative-sticky"])), draw(st.integers(1, 4)))
    time, generation = START, 1
    for _ in range(draw(st.integers(1, 40))):
        time += draw(st.sampled_from([0, 1, 900, 5000, 700_000]))
        if draw(st.integers(0, 2)):
            offset = draw(st.one_of(st.none(), st.integers(0, 10_000)))
            log.entries.append(
                Entry(time, Commit(draw(st.integers(0, log.partitions - 1)), offset))
            )
        else:
            generation += draw(st.sampled_from([0, 1, 1, 3]))
            members = ("a", "b", "c")[: draw(st.integers(0, 3))]
            log.entries.append(Entry(time, Round(generation, members)))
    return log


@settings(max_examples=60)
@given(logs(), st.lists(st.integers(0, 40), max_size=4))
def test_costs_are_what_the_log_says_however_it_is_cut(log: Log, cuts: list[int]) -> None:
    rows = log.audited(cuts).get("rebalance_costs", [])
    assert as_tuples(rows) == costs_by_hand(log)
    assert {row["group_id"] for row in rows} <= {"g"}


@settings(max_examples=10)
@given(logs())
def test_a_story_tells_what_the_audit_tells(log: Log) -> None:
    """Of groups with members, which give up everything in each round, and offsets that nobody
    deletes. Where no offset goes back, a story does not know how much is read twice."""
    log.protocol = "range"
    log.entries = [
        entry for entry in log.entries
        if (entry.what.offset is not None if isinstance(entry.what, Commit) else entry.what.members)
    ]  # fmt: skip
    topic = TopicStory()
    topic.read(LogSource("topic"), [
        Record(NOWHERE, row["source_offset"], row["record_timestamp"] // 1000, row["key"],
               row["value"])
        for row in log.rows()
    ])  # fmt: skip
    told = {
        (part.generation, effect.partition, effect.committed_before, effect.committed_after,
         effect.records_again, effect.records_skipped)
        for part in topic.rebalances.get("g", ()) for effect in part.effects
    }  # fmt: skip
    rows = log.audited().get("rebalance_costs", [])
    assert told == {
        (row["generation"], row["partition"], row["committed_before"], row["committed_after"],
         row["records_again"] or None, row["records_skipped"])
        for row in rows if row["committed_after"] is not None
    }  # fmt: skip


# -- members that really read


@settings(max_examples=15)
@given(
    pace=st.integers(1, 5000),
    interval=st.integers(20, 120),
    stays=st.lists(st.integers(1300, 2000), min_size=2, max_size=4),
    away=st.integers(1, 120),
    closes=st.booleans(),
)
@example(pace=100, interval=50, stays=[1333, 1331], away=10, closes=False)
def test_no_more_is_read_twice_than_is_estimated(
    pace: int, interval: int, stays: list[int], away: int, closes: bool
) -> None:
    """Members read at one pace for more than two stretches, and die; the next one begins at the
    last commit."""
    log = Log(partitions=1)
    time, committed, lost = START, 0, []
    for number, stay in enumerate(stays):
        log.entries.append(Entry(time, Round(number + 1, (f"m-{number}",))))
        for second in range(interval, stay + 1, interval):
            committed += interval * pace
            log.entries.append(Entry(time + second * 1000, Commit(0, committed)))
        rest = stay % interval
        time += stay * 1000
        if closes and rest:
            committed += rest * pace
            log.entries.append(Entry(time, Commit(0, committed)))
        lost.append(0 if closes else rest * pace)
        time += away * 1000
    rows = log.audited()["rebalance_costs"]
    for row in rows:
        assert row["records_again"] == 0
        estimate = row["records_again_at_most"]
        if estimate is not None and row["rebalances"] == 1:
            assert estimate >= lost[row["generation"] - 2] - 1
        assert row["without_commit_ms"] >= away * 1000
    assert all(row["records_skipped"] is None for row in rows)


# -- what a finding says


def storm(*, rewinds: int = 0, skips: int = 0) -> Log:
    """A group whose member joins and leaves every ten seconds, forty times; each generation commits
    twice, and begins so many records below what was committed before."""
    log = Log(partitions=2)
    offset, time = 10_000, START
    for generation in range(1, 41):
        time = START + generation * 10_000
        members = ("a", "b") if generation % 2 else ("a",)
        log.entries.append(Entry(time, Round(generation, members)))
        offset -= rewinds
        for second in (2000, 8000):
            for partition in range(2):
                log.entries.append(Entry(time + second, Commit(partition, offset)))
            offset += 600
        offset -= 600
    if skips:
        log.entries.append(Entry(time + 10_000, Round(41, ())))
        log.entries.append(Entry(time + 11_000, Commit(0, offset + skips)))
    return log


@settings(max_examples=10)
@given(st.integers(0, 5000), st.sampled_from([0, 100]), st.lists(st.integers(0, 200), max_size=3))
def test_a_storm_says_what_it_cost(rewinds: int, skips: int, cuts: list[int]) -> None:
    tables = storm(rewinds=rewinds, skips=skips).audited(cuts)
    (finding,) = [row for row in tables["findings"] if row["rule"] == "rebalance-storm"]
    evidence = json.loads(finding["evidence"])
    since = finding["first_seen"]
    rows = [row for row in tables["rebalance_costs"] if row["rebalanced_at"] >= since]
    totals = {
        "records_read_again": "records_again",
        "records_read_again_at_most": "records_again_at_most",
        "records_skipped": "records_skipped",
    }
    for name, column in totals.items():
        assert evidence[name] == sum(row[column] or 0 for row in rows)
    assert evidence["records_skipped"] == skips
    assert evidence["longest_without_commit_ms"] == max(row["without_commit_ms"] for row in rows)
    assert evidence["rebalances_with_cost"] == len({row["generation"] for row in rows})
    assert "estimate" in evidence["not_known"]
    for step in evidence["worst_rebalances"]:
        of_step = [row for row in rows if row["generation"] == step["generation"]]
        assert step["records_read_again"] == sum(row["records_again"] for row in of_step)
        assert step["partitions_in_all"] == len(of_step)
        assert {part["partition"] for part in step["partitions"]} <= {"t-0", "t-1"}
    if rewinds:
        assert f"{evidence['records_read_again']:,} record" in finding["explanation"]
    if most := evidence["records_read_again_at_most"]:
        most += evidence["records_read_again"]
        assert f"at most {most:,}" in finding["explanation"]
    assert "without a commit for" in finding["explanation"]


@pytest.mark.parametrize(("end", "rows"), [(11_500, 1), (10_000, 0)])
def test_a_partition_that_nobody_committed_since(end: int, rows: int) -> None:
    """It counts where records wait, until the end of what was read."""
    log = Log(partitions=1)
    log.entries = [
        Entry(START, Round(1, ("a",))),
        Entry(START + 5000, Commit(0, 9000)),
        Entry(START + 10_000, Commit(0, 10_000)),
        Entry(START + 15_000, Round(2, ("b",))),
        Entry(START + 75_000, Round(3, ("b", "c"))),
    ]
    tables = log.audited(topics={"t": TopicFacts(partitions=1, ends={0: end})})
    found = tables["rebalance_costs"]
    assert len(found) == rows
    for row in found:
        assert (row["committed_before"], row["committed_after"]) == (10_000, None)
        assert (row["rebalances"], row["generation"]) == (2, 3)
        assert row["without_commit_ms"] == 65_000
        assert row["records_again_at_most"] == 1000


def test_without_commits_nothing_is_known() -> None:
    log = storm()
    log.entries = [entry for entry in log.entries if isinstance(entry.what, Round)]
    (finding,) = [r for r in log.audited()["findings"] if r["rule"] == "rebalance-storm"]
    assert "no commits of this group" in json.loads(finding["evidence"])["not_known"]
