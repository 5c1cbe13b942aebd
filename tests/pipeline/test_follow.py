"""Following a topic, without Spark: batches of any size, a restart behind each, and the clock.

The truth is the audit of the whole at once. Real clients wrote the topic.
"""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kproto.codec import GroupMetadataKey, KprotoError
from kproto.pipeline.audit import RULES, GroupFold, Rule
from kproto.pipeline.groups.intake import Counts
from kproto.pipeline.groups.states import GroupState
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.record_table import RECORDS
from kproto.pipeline.streaming import group_follower as group_module
from kproto.pipeline.streaming.group_follower import FORGOTTEN, GroupFollower, Patience, Turn
from kproto.pipeline.streaming.memory import SHAPE, Keeper, Memory, NotReadable
from kproto.pipeline.streaming.position import Position
from kproto.pipeline.streaming.published import TABLES_FOLLOWED, FollowedBatch, Published
from kproto.pipeline.streaming.signals import (
    COMMITS,
    COUNTS,
    LOOK,
    QUARANTINE,
    RECORD,
    Signal,
    condensed,
)
from kproto.pipeline.tables.commits import CommitSummary
from kproto.pipeline.tables.packing import packed, unpacked
from kproto.pipeline.tables.publishing import Destination
from kproto.pipeline.tables.record_kinds import PLACE
from kproto.pipeline.tables.schemas import TABLES, VERSION
from tests.pipeline.audit_groups import assignment, subscription

SOURCE = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
OPTIONS = Options(cluster_id="c")
ENDS = {rule.id for rule in OPTIONS.end_rules}
FLEET = {rule.id for rule in OPTIONS.fleet_rules}
MINUTE = 60_000
NOW = 1_800_000_000_000


def signals(tables: Iterable[pa.Table]) -> list[Signal]:
    rows = [row for table in condensed(tables, OPTIONS) for row in table.to_pylist()]
    return [Signal(**{name: row[name] for name in Signal._fields}) for row in rows]


def of_topic(rows: int) -> Iterator[list[Signal]]:
    """The topic in batches of about so many records, each partition in its order."""
    for unit in units_of(str(SOURCE)):
        whole = pa.concat_tables(list(unit.tables("c")))
        for start in range(0, whole.num_rows, rows):
            yield signals([whole.slice(start, rows)])


def by_group(batch: Iterable[Signal]) -> dict[str, list[Signal]]:
    found: dict[str, list[Signal]] = defaultdict(list)
    for one in batch:
        if one.group_id is not None:
            found[one.group_id].append(one)
    return found


def saved(memory: Memory | None) -> Memory | None:
    """As a checkpoint gives it back."""
    if memory is None:
        return None
    rest = msgspec.msgpack.encode(msgspec.structs.replace(memory, folds=None))
    read = msgspec.msgpack.decode(rest, type=Memory)
    read.folds = memory.folds
    return read


def followed(batches: Iterable[Sequence[Signal]]) -> dict[str, dict[str, Any]]:
    """The findings in the end, with a new process behind each batch."""
    memories: dict[str, Memory | None] = {}
    findings: dict[str, dict[str, Any]] = {}
    for batch in batches:
        follower = GroupFollower("log", copy.deepcopy(OPTIONS))
        for group_id, told in by_group(batch).items():
            mixed = told[1::2] + told[::2][::-1]  # Spark's shuffle keeps no order
            turn = follower.take(group_id, saved(memories.get(group_id)), mixed, 0)
            memories[group_id] = turn.memory
            if "findings" in turn.tables:
                findings |= {one["finding_id"]: one for one in turn.tables["findings"].to_pylist()}
    return findings


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The audit of the topic at once."""
    out = tmp_path_factory.mktemp("whole")
    run_audit(units_of(str(SOURCE)), Destination.new(str(out), replace=False), OPTIONS)
    return out


@pytest.mark.parametrize(
    "rows", [*(pytest.param(rows, marks=pytest.mark.slow) for rows in (1, 7)), 40, 100_000]
)
def test_batches_of_any_size_find_what_the_audit_finds(whole: Path, rows: int) -> None:
    wanted = {
        row["finding_id"]: row
        for row in pq.read_table(whole / "findings").to_pylist()
        if row["rule"] not in ENDS | FLEET
    }
    found = followed(of_topic(rows))
    for row in (*wanted.values(), *found.values()):  # a follower judges by the clock
        del row["judged_at"], row["age_seconds"]
    assert found.keys() == wanted.keys()
    for key, row in found.items():
        # The source is a file there and a broker's address here.
        for one in (row, wanted[key]):
            one["evidence"] = json.loads(one["evidence"])
            one["evidence"].pop("source", None)
        assert row == wanted[key]


def test_state_and_rebalances_are_those_of_the_audit(whole: Path) -> None:
    follower = GroupFollower("log", OPTIONS)
    batch = by_group(one for told in of_topic(100_000) for one in told)
    turns = [follower.take(group_id, None, told, 0) for group_id, told in batch.items()]
    for name, key, left_out in (
        ("rebalances", ("source_partition", "source_offset"), {"source"}),
        ("current", ("group_id",), {*PLACE, "findings", "severity", "score", "records", "bytes"}),
    ):
        order = [(column, "ascending") for column in key]
        columns = [column for column in TABLES[name].names if column not in left_out]
        tables = [turn.tables[name] for turn in turns if name in turn.tables]
        mine = pa.concat_tables(tables).sort_by(order).select(columns)
        wanted = pq.read_table(whole / name).sort_by(order).select(columns).to_pylist()
        groups = set(mine.column("group_id").to_pylist())
        assert groups
        # Who commits and no more is said when it is time to judge.
        assert mine.to_pylist() == [row for row in wanted if row["group_id"] in groups]


def test_the_last_record_is_the_last_of_the_log() -> None:
    follower = GroupFollower("log", OPTIONS)
    batch = by_group(one for told in of_topic(100_000) for one in told)
    for group_id, told in batch.items():
        turn = follower.take(group_id, None, told, 0)
        if "current" in turn.tables:
            (row,) = turn.tables["current"].to_pylist()
            assert row["source_offset"] == max(one.offset for one in told)


def test_every_record_is_condensed_or_counted(whole: Path) -> None:
    counts = Counts()
    for batch in of_topic(50):
        for one in batch:
            if one.kind == COUNTS:
                assert one.value is not None
                counts.add(msgspec.msgpack.decode(one.value, type=Counts))
    said = json.loads((whole / "manifest.json").read_text())["records"]
    assert counts.said() == said


def test_what_cannot_be_read_goes_to_quarantine() -> None:
    row = {"source": "log", "source_partition": 1, "source_offset": 9, "record_type": 2}
    key = GroupMetadataKey(group="g").to_bytes()
    table = pa.Table.from_pylist(
        [row | {"group_id": "g", "key": key, "value": b"\0\3\xff"}], RECORDS
    )
    found = signals([table])
    assert [one.kind for one in found] == [QUARANTINE, COUNTS]
    assert found[0].value is not None
    (refused,) = unpacked(found[0].value).to_pylist()
    assert (refused["source_offset"], refused["group_id"]) == (9, "g")
    with pytest.raises(KprotoError, match="no balance"):
        Counts(read=2, written=1).check()


# -- what silence tells


def group_value(generation: int, *, members: int = 2, at: int = NOW) -> bytes:
    from kproto.codec import GroupMetadataValue

    member = GroupMetadataValue.MemberMetadata
    return GroupMetadataValue(
        protocol_type="consumer",
        generation=generation,
        protocol="range",
        leader="m0",
        current_state_timestamp=at,
        members=[
            member(
                member_id=f"m{number}",
                group_instance_id=None,
                client_id=f"c{number}",
                client_host="/10.0.0.1",
                rebalance_timeout=300_000,
                session_timeout=45_000,
                subscription=subscription(),
                assignment=assignment([f"t-{number}"]),
            )
            for number in range(members)
        ],
    ).to_bytes()


def record(generation: int, offset: int, at: int = NOW, members: int = 2) -> Signal:
    key = GroupMetadataKey(group="g").to_bytes()
    value = group_value(generation, members=members, at=at)
    return Signal(RECORD, value, "g", at, 0, offset, 2, key)


def commits(partition: int, first: int, last: int, count: int) -> Signal:
    time = pa.timestamp("us", tz="UTC")
    row = {
        "cluster_id": "c", "group_id": "g", "topic": "t", "partition": partition,
        "committed_offset": count, "first": first * 1000, "last": last * 1000, "commits": count,
    }  # fmt: skip
    schema = CommitSummary().table().schema
    assert schema.field("first").type == time
    return Signal(COMMITS, packed(pa.Table.from_pylist([row], schema)), "g", last)


def rules_of(turn: Turn) -> dict[str, str]:
    """The rules of what was said, but for remarks, and the status of each."""
    rows = turn.tables["findings"].to_pylist() if "findings" in turn.tables else []
    return {row["rule"]: row["status"] for row in rows if row["severity"] != "info"}


def test_a_partition_that_stops_is_told_by_the_clock_and_ends_when_it_goes_on() -> None:
    follower = GroupFollower("log", OPTIONS)
    turn = follower.take("g", None, [record(1, 5)], NOW)
    assert turn.memory is not None
    assert turn.memory.due == NOW + MINUTE
    start = NOW + MINUTE
    both = [commits(0, start, start + 20 * MINUTE, 200), commits(1, start, start + MINUTE, 20)]
    turn = follower.take("g", saved(turn.memory), both, NOW)
    assert not turn.tables  # nobody looks at commits alone before it is time
    assert turn.memory is not None
    turn = follower.judge("g", turn.memory, start + 20 * MINUTE)
    assert rules_of(turn) == {"stuck-partition": "open"}
    first = turn.tables["findings"].to_pylist()
    turn = follower.judge("g", saved(turn.memory), start + 21 * MINUTE)  # type: ignore[arg-type]
    again = turn.tables["findings"].to_pylist()
    assert [one["first_seen"] for one in again] == [one["first_seen"] for one in first]
    turn = follower.take("g", turn.memory, [commits(1, start, start + 21 * MINUTE, 1)], NOW)
    assert turn.memory is not None
    turn = follower.judge("g", turn.memory, start + 22 * MINUTE)
    assert rules_of(turn) == {"stuck-partition": "over"}


def of_restarts() -> list[Signal]:
    """A member is restarted after as long as its poll limit."""
    return [
        record(1 + number, number, NOW + number // 2 * 310_000 + number % 2 * 5_000, 2 + number % 2)
        for number in range(20)
    ]


@pytest.mark.parametrize("is_busy", [True, False])
def test_commits_of_a_batch_decide_on_causes_before_the_clock_asks(is_busy: bool) -> None:
    """While commits go on or not."""
    busy = [commits(0, NOW, NOW + 3_100_000, 500)] if is_busy else []
    turn = GroupFollower("log", OPTIONS).take("g", None, [*of_restarts(), *busy], NOW)
    rows = turn.tables["findings"].to_pylist()
    causes = {row["rule"]: row["cause"] for row in rows if row["cause"] is not None}
    assert causes["flapping-member"] == ("crash-loop" if is_busy else "poll-timeout-exceeded")
    assert ("slow-poll" in causes) is not is_busy


def test_a_rebalance_that_never_completes_is_told_though_nothing_is_written() -> None:
    follower = GroupFollower("log", msgspec.structs.replace(OPTIONS, states={}))
    look = Signal(LOOK, b"preparing rebalancing", "g", NOW)
    turn = follower.take("g", None, [look], NOW)
    assert turn.memory is not None
    turn = follower.judge("g", turn.memory, NOW + MINUTE)
    assert rules_of(turn) == {}  # a minute is nothing
    assert turn.memory is not None
    turn = follower.judge("g", turn.memory, NOW + 6 * MINUTE)
    assert rules_of(turn) == {"stuck-rebalance": "open"}
    assert turn.memory is not None
    assert turn.memory.due == NOW + 7 * MINUTE  # while it rebalances nobody waits longer
    turn = follower.take("g", turn.memory, [Signal(LOOK, None, "g", NOW + 6 * MINUTE)], NOW)
    assert turn.memory is not None
    turn = follower.judge("g", turn.memory, NOW + 7 * MINUTE)
    assert turn.memory is None  # there is nothing else of that group
    assert rules_of(turn) == {"stuck-rebalance": "over"}


def test_a_group_at_rest_is_judged_more_and_more_seldom_and_forgotten_in_the_end() -> None:
    follower = GroupFollower("log", OPTIONS, Patience(MINUTE, 60 * MINUTE))
    turn = follower.take("g", None, [record(1, 5, members=0)], NOW)
    times = []
    known = NOW
    while turn.memory is not None:
        known = turn.memory.due
        times.append((known - NOW) // MINUTE)
        turn = follower.judge("g", turn.memory, known)
    assert times == [1, 2, 4, 8, 16, 32, 64]
    assert turn.tables[FORGOTTEN].to_pylist() == [{"group_id": "g"}]


def test_a_group_with_members_is_never_forgotten() -> None:
    follower = GroupFollower("log", OPTIONS, Patience(MINUTE, 60 * MINUTE))
    turn = follower.take("g", None, [record(1, 5)], NOW)
    assert turn.memory is not None
    turn = follower.judge("g", turn.memory, NOW + 600_000 * MINUTE)
    assert turn.memory is not None
    assert turn.memory.due == NOW + 600_001 * MINUTE  # there was news: the next look is soon
    turn = follower.judge("g", turn.memory, turn.memory.due)
    assert turn.memory is not None
    assert turn.memory.due == NOW + 600_061 * MINUTE


def test_nothing_is_judged_while_the_topic_is_caught_up_with() -> None:
    """Time is 0 until then: a group is due as soon as it is known."""
    turn = GroupFollower("log", OPTIONS).take("g", None, [record(1, 5)], 0)
    assert turn.memory is not None
    assert 0 < turn.memory.due <= MINUTE


def test_a_group_keeps_the_commits_of_so_many_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_module, "MAX_PARTITIONS", 3)
    told = [commits(number, NOW, NOW + number, 2) for number in range(40)]
    turn = GroupFollower("log", OPTIONS).take("g", None, told, 0)
    assert turn.memory is not None
    (kept,) = turn.memory.commits
    assert sorted(unpacked(kept).column("partition").to_pylist()) == [37, 38, 39]


# -- what is kept


def test_rules_are_those_of_the_process_that_goes_on() -> None:
    storm = RULES["rebalance-storm"]
    assert isinstance(storm, Rule)
    turn = GroupFollower("log", OPTIONS).take("g", None, [record(1, 5)], 0)
    assert turn.memory is not None
    assert turn.memory.folds is not None
    context = GroupFold("c", "g").context
    fold = Keeper([storm.tuned(generations=2)], context).opened(turn.memory.folds).fold
    assert fold is not None
    assert [rule.thresholds["generations"] for rule in fold.rules] == [2]
    assert fold.last is not None
    assert fold.last.generation == 1


@pytest.mark.parametrize(
    "data", [b"", b"abcdefgh", SHAPE + b"abc", SHAPE + b"x\x9c\x03\x00\x00\x00\x00\x01"]
)
def test_a_checkpoint_that_is_none_of_ours_is_one_clear_error(data: bytes) -> None:
    with pytest.raises(NotReadable, match="checkpoint"):
        Keeper([], GroupFold("c", "g").context).opened(data)


class Nasty:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("must not happen",)


def test_a_checkpoint_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    keeper = Keeper([], GroupFold("c", "g").context)
    data = keeper.packed(GroupState(fold=Nasty()))  # type: ignore[arg-type]
    with pytest.raises(NotReadable, match="print is nothing of ours"):
        keeper.opened(data)
    assert not capsys.readouterr().out


# -- what is published


def batch_of(number: int, turn: Turn, *, known: int = NOW, read: int = 1) -> FollowedBatch:
    return FollowedBatch(
        number, turn.tables, Counts(read=read, written=read), Position(next={}, known=known)
    )


def storm(follower: GroupFollower) -> Turn:
    """A group whose members come back again and again."""
    told = [
        one._replace(value=(one.value or b"").replace(b"m0", b"m%d" % (number % 10)))
        for number, one in ((n, record(n, n, NOW + n * 1000)) for n in range(1, 30))
    ]
    return follower.take("g", None, told, 0)


def test_a_repeated_batch_replaces_itself(tmp_path: Path) -> None:
    follower = GroupFollower("log", OPTIONS)
    batch = batch_of(3, storm(follower), read=29)
    out = Published(str(tmp_path), "broker:1", OPTIONS)
    words = [change.word for change in out.publish(batch, NOW + MINUTE)]
    assert words
    assert set(words) == {"new"}

    def there() -> dict[str, Any]:
        said = json.loads((tmp_path / "manifest.json").read_text())
        said.pop("published")
        rows = {name: pq.read_table(tmp_path / name).to_pylist() for name in TABLES_FOLLOWED}
        return {"manifest": said, "rows": rows}

    before = there()
    assert len(before["rows"]["rebalances"]) == 29
    for table in TABLES_FOLLOWED:  # of a batch that came no further
        pq.write_table(TABLES[table].empty_table(), tmp_path / table / "batch-000000000004.parquet")
    after_a_crash = Published(str(tmp_path), "broker:1", OPTIONS)
    assert there() == before
    assert len(list(tmp_path.rglob("*.parquet"))) == len(TABLES_FOLLOWED)
    assert after_a_crash.publish(batch, NOW + 2 * MINUTE) == []
    assert there() == before
    quiet = Turn(None, {})
    assert after_a_crash.publish(batch_of(4, quiet, read=2), NOW + 3 * MINUTE) == []
    assert there()["manifest"]["records"]["read"] == 31
    assert there()["rows"] == before["rows"]


def test_every_file_is_named_and_every_named_file_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kproto.pipeline.tables.publishing.MAX_SMALL", 3)
    out = Published(str(tmp_path), "broker:1", OPTIONS)
    follower = GroupFollower("log", OPTIONS)
    memory = None
    for number in range(9):
        turn = follower.take("g", memory, [record(number, number, NOW + number)], 0)
        memory = turn.memory
        out.publish(batch_of(number, turn), NOW)
        said = json.loads((tmp_path / "manifest.json").read_text())["tables"]
        assert said.keys() == set(TABLES_FOLLOWED)
        named = {one["file"] for files in said.values() for one in files}
        found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.parquet")}
        assert found == named
        assert len(said["rebalances"]) <= 4
        assert pq.read_table(tmp_path / "rebalances").num_rows == number + 1
    for name in TABLES_FOLLOWED:
        assert pq.read_table(tmp_path / name).schema.equals(TABLES[name])


def test_files_of_an_older_version_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Schemas grow: what such files lack is null in those that they are merged into."""
    monkeypatch.setattr("kproto.pipeline.tables.publishing.MAX_SMALL", 1)
    bad = pa.Table.from_pylist([{"data": b"x"}], TABLES["quarantine"])
    out = Published(str(tmp_path), "broker:1", OPTIONS)
    out.publish(batch_of(0, Turn(None, {"quarantine": bad})), NOW)
    (old,) = (tmp_path / "quarantine").iterdir()
    pq.write_table(bad.drop_columns(["key", "value"]), old)
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": 1}))
    again = Published(str(tmp_path), "broker:1", OPTIONS)
    for number in (1, 2):
        again.publish(batch_of(number, Turn(None, {"quarantine": bad})), NOW)
    read = pq.read_table(tmp_path / "quarantine")
    assert read.schema.equals(TABLES["quarantine"])
    assert read.column("data").to_pylist() == [b"x"] * 3
    assert json.loads(manifest.read_text())["version"] == VERSION


def test_what_is_over_of_a_forgotten_group_leaves_the_tables(tmp_path: Path) -> None:
    follower = GroupFollower("log", OPTIONS, Patience(MINUTE, 5 * MINUTE))
    out = Published(str(tmp_path), "broker:1", OPTIONS)
    turn = storm(follower)
    out.publish(batch_of(0, turn), NOW)
    assert out.audit.current.num_rows == 1
    assert turn.memory is not None
    turn = follower.take("g", turn.memory, [record(30, 30, NOW + MINUTE, members=0)], NOW)
    out.publish(batch_of(1, turn), NOW)
    assert turn.memory is not None
    last = follower.judge("g", turn.memory, NOW + 60 * MINUTE)
    assert {change.word for change in out.publish(batch_of(2, last), NOW)} == {"over"}
    assert out.audit.current.num_rows == 0
    assert set(out.audit.findings.column("group_id").to_pylist()) <= {None}


def test_a_finding_that_later_commits_refute_is_over_and_leaves_the_tables(
    tmp_path: Path,
) -> None:
    """Slow polls, until commits show that members were restarted; the audit of all at once has no
    slow polls."""
    records, busy = of_restarts(), [commits(0, NOW, NOW + 3_100_000, 500)]
    follower = GroupFollower("log", OPTIONS)
    turn = follower.take("g", None, records, NOW)
    out = Published(str(tmp_path), "broker:1", OPTIONS)
    out.publish(batch_of(0, turn), NOW)

    def rules(published: Published) -> set[str]:
        return set(published.audit.findings.column("rule").to_pylist()) - FLEET

    assert "slow-poll" in rules(out)
    assert turn.memory is not None
    turn = follower.take("g", turn.memory, busy, NOW)
    assert turn.memory is not None
    changes = out.publish(batch_of(1, follower.judge("g", turn.memory, NOW + 3_200_000)), NOW)
    words = {change.finding["rule"]: change.word for change in changes}
    assert words["slow-poll"] == "over"
    at_once = GroupFollower("log", OPTIONS).take("g", None, [*records, *busy], NOW)
    assert rules(out) - ENDS == set(at_once.tables["findings"].column("rule").to_pylist())
    assert rules(Published(str(tmp_path), "broker:1", OPTIONS)) == rules(out)


def test_a_place_that_holds_something_else_is_refused(tmp_path: Path, whole: Path) -> None:
    with pytest.raises(KprotoError, match="not followed: choose another place"):
        Published(str(whole), "broker:1", OPTIONS)
    Published(str(tmp_path), "broker:1", OPTIONS).publish(batch_of(0, Turn(None, {})), NOW)
    with pytest.raises(KprotoError, match="follows broker:1"):
        Published(str(tmp_path), "broker:2", OPTIONS)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(KprotoError, match="cannot be read"):
        Published(str(tmp_path), "broker:1", OPTIONS)
