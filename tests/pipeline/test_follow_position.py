"""How far a batch goes, what it passes over, and when time goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from kproto.cluster.records import BrokerError, PartitionRange
from kproto.pipeline.streaming import position
from kproto.pipeline.streaming.position import (
    TICK_MS,
    OnLost,
    Position,
    RebalancingGroup,
    Topic,
    advance,
    first,
    ranges,
)
from kproto.pipeline.streaming.signals import LOOK, TIME, batch_signals

NOW = 1_800_000_000_000


def topic(
    *ends: tuple[int, int],
    at: int = NOW,
    id_: str = "A",
    unstable: Mapping[str, RebalancingGroup] | None = None,
) -> Topic:
    there = [PartitionRange(number, *bound) for number, bound in enumerate(ends)]
    return Topic(at, id_, there, unstable)


def test_a_first_batch_begins_at_the_begin_and_takes_what_is_there() -> None:
    there = topic((3, 10), (0, 0))
    begin = first(there)
    end = advance(begin, there, None, OnLost.FAIL)
    assert ranges(begin, end) == [PartitionRange(0, 3, 10)]
    assert end.known == NOW
    assert Position.read(json.loads(json.dumps(end.said()))) == end


def test_a_limit_is_shared_and_time_stands_still_until_all_is_read() -> None:
    there = topic((0, 900), (0, 100), (0, 1), (5, 5))
    end = first(there)
    for behind in (902, 804, 706):
        start, end = end, advance(end, there, 100, OnLost.FAIL)
        assert end.behind == behind or sum(r.end - r.start for r in ranges(start, end)) <= 101
        assert end.known == 0
        assert len(ranges(start, end)) >= 2  # nobody waits for the one that has most
    batches = 0
    while end.behind:
        end = advance(end, there, 100, OnLost.FAIL)
        batches += 1
    assert batches <= 9
    assert end.next == {"0": 900, "1": 100, "2": 1, "3": 5}
    assert end.known == NOW


def test_nothing_new_is_no_batch_and_time_goes_on_now_and_then() -> None:
    there = topic((0, 5))
    end = advance(first(there), there, None, OnLost.FAIL)
    assert advance(end, there._replace(at=NOW + TICK_MS - 1), None, OnLost.FAIL) is end
    later = advance(end, there._replace(at=NOW + TICK_MS), None, OnLost.FAIL)
    assert later.known == NOW + TICK_MS
    assert not ranges(end, later)


@pytest.mark.parametrize(
    ("there", "reason"),
    [
        (topic((7, 9)), "read up to 5, and the broker has 7 to 9"),
        (topic((0, 3)), "read up to 5, and the broker has 0 to 3"),
        (topic((0, 50), id_="B"), "the topic was made anew"),
    ],
)
def test_a_loss_is_an_error_or_what_somebody_chose(there: Topic, reason: str) -> None:
    start = Position(next={"0": 5}, topic_id="A", known=NOW)
    with pytest.raises(BrokerError, match=f"{reason}.*--on-lost earliest"):
        advance(start, there, None, OnLost.FAIL)
    (bound,) = there.partitions
    for choice, begin in ((OnLost.EARLIEST, bound.start), (OnLost.LATEST, bound.end)):
        end = advance(start, there, None, choice)
        assert reason in end.lost[0]
        wanted = PartitionRange(0, begin, bound.end)
        assert ranges(start, end) == ([wanted] if begin < bound.end else [])
        assert end.topic_id == there.id
        after = advance(end, there, None, OnLost.FAIL)  # it is over, and said once
        assert after is end
        more = there._replace(partitions=[bound._replace(end=bound.end + 2)])
        following = advance(end, more, None, OnLost.FAIL)
        assert ranges(end, following) == [PartitionRange(0, bound.end, bound.end + 2)]
        assert not following.lost


def test_of_a_partition_that_was_empty_nothing_is_lost() -> None:
    start = Position(next={"0": 0, "1": 5}, topic_id="A")
    end = advance(start, topic((0, 2), (0, 9), id_="B"), None, OnLost.EARLIEST)
    assert ranges(start, end) == [PartitionRange(0, 0, 2), PartitionRange(1, 0, 9)]
    assert ["partition 1 was" in one for one in end.lost] == [True]


def test_a_partition_that_is_new_is_read_from_its_begin() -> None:
    start = Position(next={"0": 5}, topic_id="A")
    end = advance(start, topic((0, 5), (0, 4)), None, OnLost.FAIL)
    assert ranges(start, end) == [PartitionRange(1, 0, 4)]


def test_a_broker_that_tells_no_id_is_believed() -> None:
    start = Position(next={"0": 5}, topic_id="A")
    end = advance(start, topic((0, 6), id_=""), None, OnLost.FAIL)
    assert end.topic_id == "A"
    assert ranges(start, end) == [PartitionRange(0, 5, 6)]


def test_looks_come_to_groups_when_they_change_and_time_in_a_row_of_its_own() -> None:
    look = RebalancingGroup("preparing rebalancing", NOW - 5)
    there = topic((0, 0), unstable={"a": look, "b": look})
    start = first(there)
    end = advance(start, there, None, OnLost.FAIL)
    told = [row for row in batch_signals(start, end).to_pylist() if row["kind"] == LOOK]
    assert [(row["group_id"], row["timestamp"]) for row in told] == [("a", NOW - 5), ("b", NOW - 5)]
    stable = advance(end, there._replace(at=NOW + TICK_MS, unstable={"b": look}), 9, OnLost.FAIL)
    rows = batch_signals(end, stable).to_pylist()
    assert [(r["group_id"], r["value"]) for r in rows if r["kind"] == LOOK] == [("a", None)]
    # Only the row of time has a time that Spark could call late.
    assert [row["kind"] for row in rows if row["known"] is not None] == [TIME]
    nobody_asked = advance(end, topic((0, 1)), None, OnLost.FAIL)
    assert nobody_asked.looks == end.looks


def test_of_too_many_looks_the_oldest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "MAX_LOOKS", 2)
    looks = {name: RebalancingGroup("s", NOW - number) for number, name in enumerate("abcd")}
    there = topic((0, 0), unstable=looks)
    assert advance(first(there), there, None, OnLost.FAIL).looks.keys() == {"c", "d"}
