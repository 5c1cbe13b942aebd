"""Lag over a window of commits, consumers that run by the clock, and what is past by now."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import GroupMetadataKey, OffsetCommitKey, OffsetCommitValue
from kproto.pipeline.audit import END_RULES, RULES, CommitSeen, Finding, GroupEnd, end_findings
from kproto.pipeline.audit.commit_sum import DAY, PAUSE_MS, REWIND, STRETCH
from kproto.pipeline.groups.commit_sums import lag_table
from kproto.pipeline.groups.commits_seen import CommitsSeen
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.commits import CommitSummary
from kproto.pipeline.tables.publishing import Destination
from kproto.pipeline.tables.schemas import TABLES
from tests.pipeline.audit_groups import audited as folded
from tests.pipeline.audit_groups import commits_in, member, record
from tests.pipeline.test_audit_sizes import START, generation, write

MINUTE = 60_000
HOUR = 60 * MINUTE
LATE = tuple(rule for rule in END_RULES if rule.late)

Commits = Sequence[tuple[int, int | None]]
"""Times in milliseconds, and offsets; None deletes."""


def offsets(commits: Commits, partition: int = 0) -> pa.Table:
    rows = [
        {
            "cluster_id": "c",
            "group_id": "g",
            "topic": "t",
            "partition": partition,
            "committed_offset": offset,
            "commit_timestamp": time * 1000,
        }
        for time, offset in commits
    ]
    return pa.Table.from_pylist(rows, TABLES["offsets"])


histories = st.lists(
    st.tuples(
        st.sampled_from((1, 1000, 30_000, PAUSE_MS - 1, PAUSE_MS, HOUR)),
        st.none() | st.sampled_from((0, 5, 5, 5, 30, 31, 45, 1000)),
    ),
    min_size=1,
    max_size=30,
)


@given(histories, st.lists(st.integers(0, 30)))
def test_sums_are_what_the_commits_say_however_they_are_cut(
    steps: list[tuple[int, int | None]], cuts: list[int]
) -> None:
    time, commits = START, []
    for pause, offset in steps:
        time += pause
        commits.append((time, offset))
    summary = CommitSummary()
    places = sorted({0, *(min(cut, len(commits)) for cut in cuts), len(commits)})
    for start, end in pairwise(places):
        summary.add(commits_in(offsets(commits[start:end])))
        summary = CommitSummary([summary.table()])
    (row,) = summary.table().to_pylist()
    gaps = [later - earlier for (earlier, _), (later, _) in pairwise(commits)]
    known = [(time, offset) for time, offset in commits if offset is not None]
    steps_known = [(time, before, after) for (_, before), (time, after) in pairwise(known)]
    falls = [step for step in steps_known if step[1] - step[2] >= REWIND]
    same = 1
    while same < len(commits) and commits[-same - 1][1] == commits[-1][1]:
        same += 1
    offsets_known = [offset for _, offset in known]
    assert row["committed_offset"] == commits[-1][1]
    assert row["commits"] == len(known)
    assert row["highest_offset"] == max(offsets_known, default=None)
    assert row["longest_gap_ms"] == max(gaps, default=0)
    assert row["second_gap_ms"] == sorted([0, 0, *gaps])[-2]
    assert row["again"] == sum(before - after for _, before, after in falls)
    rises = [(after - before, time, before, after) for time, before, after in steps_known]
    rise = max((rise for rise in rises if rise[0] > 0), default=None)
    assert row["jump_to"] == (rise and rise[3])
    for at, where, length in (("recent", "before", STRETCH), ("day", "eve", DAY)):
        runs: list[tuple[int, int | None]] = []
        for time, offset in known:
            if not runs or runs[-1][0] * 1000 // length != time * 1000 // length:
                runs.append((time, offset))
        last, previous = ([*reversed(runs), None, None])[:2]
        assert row[f"{at}_offset"] == (last and last[1])
        assert row[f"{where}_offset"] == (previous and previous[1])
    if row["eve_at"] is not None:
        start = row["eve_at"].timestamp() * 1000
        assert row["eve_commits"] == sum(time >= start for time, _ in known)
        assert row["eve_rewinds"] == sum(time > start for time, _, _ in falls)
    assert row["pauses"] == sum(gap >= PAUSE_MS for gap in gaps)
    assert row["rewinds"] == len(falls)
    if falls:
        when, before, after = falls[-1]
        assert row["rewound_at"].timestamp() * 1000 == pytest.approx(when)
        assert (row["rewound_from"], row["rewound_to"]) == (before, after)
    if commits[-1][1] is not None:
        assert row["same_commits"] == same
        assert row["same_since"].timestamp() * 1000 == pytest.approx(commits[-same][0])


def seen(commits: Commits, end: int | None, partition: int = 0) -> CommitSeen:
    summary = CommitSummary()
    summary.add(commits_in(offsets(commits, partition)))
    facts = {
        "t": TopicFacts(partitions=partition + 1, ends={} if end is None else {partition: end})
    }
    options = Options(cluster_id="c", topics=facts)
    (commit,) = CommitsSeen(lag_table(summary.table(), {}, options)).of("g")
    return commit


def steady(hours: float = 2, rate: int = 10, begin: int = 0) -> list[tuple[int, int | None]]:
    """A commit every ten seconds."""
    return [
        (START + number * 10_000, begin + number * 10 * rate) for number in range(int(hours * 360))
    ]


def bursts(runs: int, pause: int = HOUR) -> list[tuple[int, int | None]]:
    """Two minutes of commits each time."""
    return [
        (START + run * pause + number * 5000, (run * 24 + number) * 100)
        for run in range(runs)
        for number in range(24)
    ]


def judged(commits: Commits, lag: int | None, after: int = 0, members: int = 2) -> dict[str, str]:
    last = commits[-1][1] or 0
    one = seen(commits, None if lag is None else last + lag)
    end = GroupEnd("g", commits[-1][0] + after, commits=[one], members=members,
                   inputs=frozenset({"history", "commits", "ends"}))  # fmt: skip
    found = {found.rule: found.severity.value for found in end_findings("c", end, LATE)}
    assert {found.rule for found in end_findings("c", end, LATE)} == set(found)
    return found


@pytest.mark.parametrize(
    ("commits", "lag", "after", "found"),
    [
        (steady(), 500, 5000, {}),
        (steady(), 0, 9 * HOUR, {}),  # nothing is written to the topic
        (steady(rate=100_000), 20_000_000, 0, {}),  # of three minutes
        (steady(), 20_000_000, 0, {"lag-falling-behind": "error"}),
        (steady(rate=100), 200_000, 0, {"lag-falling-behind": "warning"}),
        (steady(), 300, 2 * HOUR, {"lag-stopped": "error"}),
        (steady()[:1], 300, 2 * HOUR, {"lag-stopped": "error"}),
        (bursts(8), 3000, 40 * MINUTE, {"scheduled-consumer": "info"}),
        (bursts(8), 90_000, 9 * HOUR, {"scheduled-consumer": "info", "lag-stopped": "error"}),
        (bursts(8), 900_000, 30 * MINUTE,
         {"scheduled-consumer": "info", "lag-falling-behind": "error"}),
        (bursts(8), None, 9 * HOUR, {"scheduled-consumer": "info"}),
        ([*steady(), *((START + 2 * HOUR + n * 10_000, 71_900) for n in range(60))], 5,
         0, {"lag-stalled": "error"}),
        ([*steady(), (START + 2 * HOUR, 400)], 100, 0, {"offset-rewound": "warning"}),
        ([*steady(), (START + 2 * HOUR, 71_893)], 100, 0, {}),  # a few records: a rebalance
        ([(START, 900), (START + 9, 100), (START + 99, 901)], 0, 0, {}),  # it is back
    ],
)  # fmt: skip
def test_lag_is_judged_over_a_window(
    commits: Commits, lag: int | None, after: int, found: dict[str, str]
) -> None:
    assert judged(commits, lag, after) == found


@pytest.mark.parametrize(
    ("commits", "lag", "found"),
    [
        (steady()[:1], 300, "lag-stopped"),
        ([*steady(), *((START + 2 * HOUR + n * 10_000, 71_900) for n in range(60))], 5,
         "lag-stalled"),
        (steady(), 20_000_000, "lag-falling-behind"),
        ([*steady(), (START + 2 * HOUR, 400)], 0, "offset-rewound"),
        (bursts(8), 3000, "scheduled-consumer"),
    ],
)  # fmt: skip
def test_the_order_of_partitions_changes_nothing(commits: Commits, lag: int, found: str) -> None:
    """Sources bring them in different orders, where all are as far behind."""
    later = [(time + 700, offset) for time, offset in commits]
    end = (commits[-1][1] or 0) + lag
    partitions = [seen(commits, end), seen(later, end, 1), seen(later, end, 2)]
    now = later[-1][0] + (2 * HOUR if found == "lag-stopped" else 0)
    inputs = frozenset({"history", "commits", "ends"})
    first, *others = (
        list(end_findings("c", GroupEnd("g", now, commits=order, inputs=inputs), LATE))
        for order in permutations(partitions)
    )
    assert found in {each.rule for each in first}
    assert all(other == first for other in others)


@pytest.mark.parametrize(("arrived_before", "found"), [(0, set()), (1, {"lag-stopped"})])
def test_a_young_lag_is_none_for_the_rules_and_is_in_the_table(
    arrived_before: int, found: set[str]
) -> None:
    """As `kproto explain lag-stopped` and the page of the tables say."""
    commits = steady()
    last = commits[-1][1] or 0
    summary = CommitSummary()
    summary.add(commits_in(offsets(commits, 0)))
    facts = TopicFacts(partitions=1, ends={0: last + 600}, ends_before={0: last + arrived_before})
    table = lag_table(summary.table(), {}, Options(cluster_id="c", topics={"t": facts}))
    assert table.column("lag").to_pylist() == [600]
    end = GroupEnd("g", commits[-1][0] + HOUR, commits=[*CommitsSeen(table).of("g")], members=2,
                   inputs=frozenset({"history", "commits", "ends"}))  # fmt: skip
    assert {finding.rule for finding in end_findings("c", end, LATE)} == found


def test_a_group_without_members_is_a_warning() -> None:
    assert judged(steady(), 300, 2 * HOUR, members=0) == {"lag-stopped": "warning"}


def storm(*steps: tuple[float, int, Sequence[str]]) -> dict[str, Finding]:
    """Seconds, generation, members: a name up to a # is a client id."""
    return folded(
        *(record(number, *map(member, names), seconds=at) for at, number, names in steps),
        rules=(RULES["rebalance-storm"],),  # type: ignore[arg-type]
    )


def test_a_storm_under_new_names_each_time() -> None:
    steps = []
    for number in range(12):
        steps.append((number * 40, 2 * number + 1, ["a", "b", "c"]))
        steps.append((number * 40 + 20, 2 * number + 2, ["a", "b", "c", f"pod-{number}"]))
    found = storm(*steps)["rebalance-storm"]
    assert "each with a new client id" in found.explanation


def test_a_storm_of_which_the_steps_were_compacted_away() -> None:
    found = storm((0, 1, ["a", "b", "c"]), (7200, 700, ["d", "e", "f"]))["rebalance-storm"]
    assert "699 generations in 2 h" in found.explanation


def test_a_storm_in_which_nobody_comes_or_goes() -> None:
    found = storm(*((number * 9, number + 1, ["a", "b"]) for number in range(60)))
    assert found["rebalance-storm"].status == "open"


def test_what_is_no_storm() -> None:
    deploy, names = [], [f"old-{number}" for number in range(6)]
    for number in range(6):
        names = names[1:]
        deploy.append((number * 60.0, 2 * number + 1, list(names)))
        names = [*names, f"new-{number}"]
        deploy.append((number * 60 + 30.0, 2 * number + 2, list(names)))
    scaling = [(n * 20.0, n + 1, [f"m-{k}" for k in range(n + 1)]) for n in range(25)]
    weeks = [(0.0, 1, ["a", "b"]), (30 * 86_400.0, 900, ["a", "b"])]
    for steps in (deploy, scaling, weeks):
        assert not storm(*steps), steps


def audited(folder: Path, records: Sequence[tuple[bytes, bytes | None]], ends: int) -> Audit:
    """A record a minute."""
    topics = {"t": TopicFacts(partitions=1, ends={0: ends})}
    destination = Destination.new(str(folder / "out"), replace=False)
    options = Options(cluster_id="c", topics=topics)
    return run_audit(units_of(str(write(folder / "in", records))), destination, options)


def test_a_storm_is_over_when_it_has_not_been_for_long(tmp_path: Path) -> None:
    """No record says so: the group is silent, and others go on."""
    key = GroupMetadataKey(group="g").to_bytes()
    commit = OffsetCommitKey(group="other", topic="t", partition=0).to_bytes()
    stormy = [(key, generation(number * 30, 1)) for number in range(1, 11)]
    later = [
        (commit, OffsetCommitValue(offset=n, metadata="", commit_timestamp=START).to_bytes())
        for n in range(30)
    ]
    for rest, status in (([], "open"), (later, "over")):
        audit = audited(tmp_path / status, [*stormy, *rest], 0)
        found = {row["rule"]: row for row in audit.findings.to_pylist()}["rebalance-storm"]
        assert found["status"] == status
        assert found["judged_at"].timestamp() * 1000 == START + (9 + len(rest)) * MINUTE
        age = found["judged_at"] - found["first_seen"]
        assert found["age_seconds"] == age.total_seconds() > 0


def test_who_is_far_behind_is_ranked_first(tmp_path: Path) -> None:
    key = OffsetCommitKey(group="slow", topic="t", partition=0).to_bytes()
    records = [
        (
            key,
            OffsetCommitValue(
                offset=n * 60, metadata="", commit_timestamp=START + n * MINUTE
            ).to_bytes(),
        )
        for n in range(20)
    ]
    records.insert(5, (GroupMetadataKey(group="well").to_bytes(), generation(1)))
    audit = audited(tmp_path, records, 20_000_000)
    first, other = audit.current.to_pylist()
    assert (first["group_id"], first["severity"]) == ("slow", "error")
    assert first["lag"] == 20_000_000 - 19 * 60
    assert (other["group_id"], other["score"]) == ("well", 0)


@pytest.mark.parametrize("later", [False, True])
def test_a_group_value_that_is_cut_short_is_a_finding(tmp_path: Path, later: bool) -> None:
    key = GroupMetadataKey(group="g").to_bytes()
    other = GroupMetadataKey(group="other").to_bytes()
    records = [(key, generation(1)[:-9]), (key if later else other, generation(2))]
    audit = audited(tmp_path, records, 0)
    (found,) = (row for row in audit.findings.to_pylist() if row["rule"] == "unreadable-record")
    assert found["group_id"] == "g"
    assert found["severity"] == ("warning" if later else "error")
    (row,) = (row for row in audit.current.to_pylist() if row["group_id"] == "g")
    assert row["state"] == ("stable" if later else "not known")
