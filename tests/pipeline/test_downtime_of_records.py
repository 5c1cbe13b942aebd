"""The offsets topic beside logs: what the story says of the time that nobody read a partition."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest

from kproto.capture.segments.records import BatchInfo, Record
from kproto.codec import GroupMetadataKey, GroupMetadataValue
from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.history.group_story_view import downtime_text
from kproto.inspector.shapes.story_shapes import GroupStory
from kproto.pipeline.audit.members import MemberSeen
from kproto.pipeline.groups.topic_story import TopicStory
from tests.capture.logs.recorded import read
from tests.pipeline.audit_groups import member, written

_NOWHERE = BatchInfo("topic", 0, 0, 0, False, False, -1, None)
_START = 1_795_924_800_000  # 2026-11-29T04:00:00Z
_OLD, _NEW = (f"r2-{number:08}-0000-4000-8000-000000000000" for number in range(2))
_R1 = "r1-00000000-0000-4000-8000-000000000001"


def _r1(*parts: int) -> MemberSeen:
    return member(_R1, [f"t-{part}" for part in parts], client="r1")


def _r2(name: str, *parts: int) -> MemberSeen:
    return member(name, [f"t-{part}" for part in parts], client="r2")


def _story(
    generations: Sequence[tuple[float, Sequence[MemberSeen]]],
    protocol: str = "cooperative-sticky",
    *,
    is_one: bool = False,
    **logs: str,
) -> GroupStory:
    """The story of records, each with its time in seconds, and of logs; of one generation, or of
    one each."""
    topic, source, offsets = TopicStory(), LogSource("topic"), count()
    topic.read(source, [
        Record(
            _NOWHERE, next(offsets), _START + int(seconds * 1_000),
            GroupMetadataKey(group="g").to_bytes(),
            GroupMetadataValue(
                protocol_type="consumer", generation=1 if is_one else generation,
                protocol=protocol, leader=members[0].member_id, current_state_timestamp=_START,
                members=[written(one) for one in members],
            ).to_bytes(version=3),
        )
        for generation, (seconds, members) in enumerate(generations, 1)
    ])  # fmt: skip
    sources = [source, *(LogSource(f"{name}.log", read(text)) for name, text in logs.items())]
    (group,) = tell(sources, captured=topic.rebalances).groups
    return group


def _times(group: GroupStory) -> dict[int, tuple[int, int, int]]:
    return {part.partition: (part.at_least_ms, part.total_ms, part.times)
            for part in group.downtimes}  # fmt: skip


_BROKER = "[2026-11-29 04:0{0},{1:03}] INFO [GroupCoordinator 1]: {2} (kafka.coordinator.group)\n"
_KILLED = [(0.0, [_r1(0), _r2(_OLD, 1)]), (60.0, [_r1(0), _r2(_NEW, 1)])]


def test_a_killed_member_sent_no_heartbeat_for_its_session() -> None:
    """Its record has the session of 45 s; the coordinator removed it 10 ms before the record of the
    next generation."""
    failed = f"Member {_OLD} in group g has failed, removing it from the group."
    group = _story(_KILLED, broker=_BROKER.format("0:59", 990, failed))
    assert _times(group) == {1: (10, 45_010, 1)}
    assert not group.uncounted


@pytest.mark.parametrize("new", [_r1(0, 1), _r1(0)])
def test_a_member_that_went_without_a_word_is_not_counted(new: MemberSeen) -> None:
    """Whether another member has its partition then, or a new process of its client."""
    others = [_r2(_NEW, 1)] if len(new.assigned) == 1 else []
    group = _story([_KILLED[0], (60.0, [new, *others])])
    assert not group.downtimes
    assert [(each.client, each.why, each.times) for each in group.uncounted] == [("r2", "gone", 1)]
    assert "Not counted: 1 time that r2 left or died" in downtime_text((), group.uncounted)


def test_a_leave_in_the_log_of_the_coordinator_begins_the_time_without_a_reader() -> None:
    left = (
        f"[Group g] Member {_OLD} has left group through explicit `LeaveGroup` request; client "
        "reason: not provided"
    )
    group = _story(
        [(0.0, [_r1(0), _r2(_OLD, 1)]), (24.125, [_r1(0, 1)])],
        broker=_BROKER.format("0:23", 909, left),
    )
    assert _times(group) == {1: (216, 216, 1)}
    assert not group.uncounted


def test_eager_members_whose_logs_are_missing_are_not_counted() -> None:
    group = _story([(0.0, [_r1(0, 1)]), (9.0, [_r1(0), _r2(_NEW, 1)])], "range")
    assert [(each.client, each.why) for each in group.uncounted] == [("r1", "rejoined")]


def test_members_do_not_join_again_where_a_static_one_is_replaced() -> None:
    """The coordinator writes the same generation with the new member id."""
    records = [(0.0, [_r1(0), _r2(_OLD, 1)]), (9.0, [_r1(0), _r2(_NEW, 1)])]
    group = _story(records, "range", is_one=True)
    assert [(each.client, each.why) for each in group.uncounted] == [("r2", "gone")]


def test_members_of_one_client_id_are_told_apart() -> None:
    """The one that is removed had a partition, and the other one keeps its own."""
    failed = f"Member {_OLD} in group g has failed, removing it from the group."
    records = [(0.0, [_r2(_OLD, 1), _r2(_NEW, 0)]), (60.0, [_r2(_NEW, 0, 1)])]
    group = _story(records, broker=_BROKER.format("0:59", 990, failed))
    assert _times(group) == {1: (10, 45_010, 1)}


def test_a_record_does_not_shorten_what_the_lines_of_a_member_say() -> None:
    """The coordinator writes the record before the member has its answer."""
    line = "[2026-11-29 04:00:0{0}] INFO [Consumer clientId=r1, groupId=g] {1} (o.a.k.c.C)\n"
    joined = (
        "Successfully joined group with generation Generation{{generationId={0}, memberId='{1}', "
        "protocol='range'}}"
    )
    own = "".join((
        line.format("0,000", joined.format(1, _R1)),
        line.format("0,010", "Adding newly assigned partitions: [t-0, t-1]"),
        line.format("8,390", "Revoke previously assigned partitions [t-0, t-1]"),
        line.format("8,395", "(Re-)joining group"),
        line.format("8,402", joined.format(2, _R1)),
        line.format("8,422", "Adding newly assigned partitions: [t-0]"),
    ))  # fmt: skip
    records = [(0.005, [_r1(0, 1)]), (8.406, [_r1(0), _r2(_NEW, 1)])]
    assert _times(_story(records, "range", r1=own))[0] == (32, 32, 1)
