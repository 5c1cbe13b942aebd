"""What rebalances did to the data, held to what applications were told (`unowned` of the truth)."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture import read_pcap
from kproto.capture.frames.frame import in_time
from kproto.history.capture_story import CaptureStory
from kproto.history.captured_groups import read_frames
from kproto.history.clocks import LogSource
from kproto.history.data_effects import PartitionGap, add_effects
from kproto.history.group_story import tell
from kproto.history.rebalances import rebalances_of
from kproto.history.timeline import make_timelines
from tests.capture.logs.recorded import SCENARIOS, logs, read, truth
from tests.history.test_story_of_logs import story_of
from tests.inspector.samples import VECTORS

_NAMED_MS = 300.0
"""A time without a reader that is not to be missed."""
_DISTANT_MS = 1_300.0
"""How far a line may be from what a callback says: a frozen process is told late."""
_WHOLE = [
    name for name in SCENARIOS
    if truth(name).get("unowned")
    and {client["family"] for client in truth(name)["clients"]} <= {"java"}
    and truth(name)["kind"] == "classic"
]  # fmt: skip


def _gaps(scenario: str, names: set[str] | None = None) -> list[PartitionGap]:
    (group,) = truth(scenario)["groups"]
    files = {name: text for name, text in logs(scenario).items() if names is None or name in names}
    timelines, _ = make_timelines([LogSource(name, read(text)) for name, text in files.items()])
    gaps = [
        gap for timeline in timelines if timeline.group == group
        for gap in add_effects(timeline, rebalances_of(timeline))[0]
    ]  # fmt: skip
    return [gap for gap in gaps if gap.end is not None]


def _unowned(scenario: str) -> dict[tuple[str, int], list[tuple[float, float]]]:
    times = defaultdict(list)
    for name, gaps in truth(scenario)["unowned"].items():
        topic, _, number = name.rpartition("-")
        for gap in gaps:
            began, ended = (datetime.fromisoformat(gap[key]).timestamp() for key in ("from", "to"))
            times[topic, int(number)].append((began * 1_000, ended * 1_000))
    return times


@pytest.mark.parametrize("scenario", _WHOLE)
def test_every_time_without_a_reader_is_told(scenario: str) -> None:
    gaps = _gaps(scenario)
    for part, times in _unowned(scenario).items():
        own = [gap for gap in gaps if gap.part == part]
        for began, ended in times:
            if ended - began > _NAMED_MS:
                assert any(
                    gap.start < ended and began < (gap.end or 0)
                    and gap.least - _DISTANT_MS < ended - began < gap.length + _DISTANT_MS
                    for gap in own
                ), (part, began, ended)  # fmt: skip


_GIVES_UP_EARLY = "consumer-group-848-librdkafka"
"""librdkafka gives partitions up while the application is busy, which is told when it polls."""


@pytest.mark.parametrize(
    "scenario",
    [name for name in SCENARIOS if truth(name).get("unowned") and name != _GIVES_UP_EARLY],
)
def test_no_time_without_a_reader_is_made_up(scenario: str) -> None:
    """Where the log of a member is not there, it may have had the partition: with each log alone,
    and without each. A member that stood still was told late that it had lost what it had: no more
    is said than that it may not have read since its last heartbeat."""
    unowned = _unowned(scenario)
    every = set(logs(scenario))
    for names in (*({name} for name in every), *(every - {name} for name in every)):
        for gap in _gaps(scenario, names):
            truly = sum(
                max(0.0, min(gap.end or 0, ended) - max(gap.start, began))
                for began, ended in unowned[gap.part]
            )
            assert gap.least - truly < _DISTANT_MS, (names, gap)


def _of_frames(scenario: str) -> list[PartitionGap]:
    source = LogSource("capture")
    path = VECTORS / "logs" / scenario / "capture.pcap.gz"
    story = CaptureStory()
    frames = read_pcap([str(path)], closed=story.close)
    captured = read_frames(source, in_time(story.topics.learning(frames)), story=story).rebalances
    timelines, _ = make_timelines([source])
    return [
        gap for timeline in timelines
        for gap in add_effects(timeline, rebalances_of(timeline, captured[timeline.group]))[0]
    ]  # fmt: skip


@pytest.mark.parametrize("scenario", [*_WHOLE, "consumer-group-848"])
def test_frames_tell_the_times_without_a_reader_or_their_bounds(scenario: str) -> None:
    """After a LeaveGroup, while members join again, and of a member that was killed. A member that
    stood still had its partitions until it was told otherwise, by its own callbacks."""
    gaps = _of_frames(scenario)
    for part, times in _unowned(scenario).items():
        for began, ended in times:
            if ended - began > _NAMED_MS and not any(
                gap.part == part and gap.start < ended and began < (gap.end or ended)
                and (gap.end is None or gap.least - _NAMED_MS < ended - began)
                and (gap.end is None or ended - began < gap.length + _NAMED_MS)
                for gap in gaps
            ):  # fmt: skip
                raise AssertionError((part, began, ended))
    for gap in gaps:
        truly = sum(
            max(0.0, min(gap.end or 0, ended) - max(gap.start, began))
            for began, ended in _unowned(scenario)[gap.part]
        )
        assert gap.least - truly < _NAMED_MS or scenario in _TOLD_LATE, gap


_TOLD_LATE = {
    "slow-poll", "forms", "broker-2.8.2-java-2.4.1", "broker-2.8.2-java-2.8.2",
    "broker-3.7.2-java-3.7.2", "broker-restart", "consumer-group-848",
}  # fmt: skip
"""Members whose poll limit passed have left, and their applications are told so at the next poll;
at the end of `broker-restart` the processes were killed."""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_broker_log_takes_no_time_without_a_reader_away(scenario: str) -> None:
    """The coordinator tells that a member left, in the place of the member's own line."""
    of_clients = {name for name in logs(scenario) if "broker" not in name}
    with_broker = _gaps(scenario)
    for gap in _gaps(scenario, of_clients):
        assert any(
            gap.part == other.part and abs(gap.length - other.length) < _NAMED_MS
            for other in with_broker
        ), gap


@pytest.mark.parametrize("left_out", ["", "c1.log", "c3.log"])
def test_where_the_broker_assigns_no_downtime_is_too_long(left_out: str) -> None:
    """Since when a member was dead whose session ended, no line tells: after its last line."""
    gaps = _gaps("consumer-group-848", set(logs("consumer-group-848")) - {left_out})
    unowned = _unowned("consumer-group-848")
    for gap in gaps:
        assert any(
            gap.least - _NAMED_MS < ended - began < gap.length + _NAMED_MS
            for began, ended in unowned[gap.part]
        ), gap


def test_partitions_and_rebalances_have_their_times() -> None:
    """The member was killed; its session had to end before another one had its partitions."""
    story = story_of("crash", logs("crash"))
    assert story is not None
    (part,) = [part for part in story.downtimes if (part.topic, part.partition) == ("orders", 4)]
    assert 7_000 < part.longest_ms < 8_500
    assert part.times == 3
    (rebalance,) = [part for part in story.rebalances if part.generation == 3]
    silences = {effect.partition: effect.without_reader_ms for effect in rebalance.effects}
    assert silences[4] == part.longest_ms


_JOINED = """\
[2026-11-25 23:33:0{0},000] INFO [Consumer clientId={1}, groupId=g] Successfully joined group with \
generation Generation{{generationId={2}, memberId='{1}-1', protocol='range'}} (o.a.k.c.C)
[2026-11-25 23:33:0{0},005] INFO [Consumer clientId={1}, groupId=g] Successfully synced group in \
generation Generation{{generationId={2}, memberId='{1}-1', protocol='range'}} (o.a.k.c.C)
[2026-11-25 23:33:0{0},010] INFO [Consumer clientId={1}, groupId=g] Adding newly assigned \
partitions: [t-0] (o.a.k.c.C)
"""
_SET = (
    "[2026-11-25 23:33:0{0},020] INFO Setting offset for partition t-0 to the committed offset "
    "FetchPosition{{offset={1}, offsetEpoch=Optional.empty, currentLeader=x}} (o.a.k.c.C)\n"
)
_REFUSED = (
    "[2026-11-25 23:33:0{0},000] ERROR [Consumer clientId=a, groupId=g] Offset commit failed on "
    "partition t-0 at offset {1}: {2} (o.a.k.c.C)\n"
)


@pytest.mark.parametrize(
    ("error", "records"),
    [
        ("The coordinator is not aware of this member.", 70),
        ("The coordinator is loading and hence can't process requests.", None),
    ],
)
def test_records_after_a_refused_commit_are_read_twice(error: str, records: int | None) -> None:
    first = _JOINED.format(1, "a", 1) + _SET.format(1, 30) + _REFUSED.format(4, 100, error)
    second = _JOINED.format(3, "b", 2) + _SET.format(5, 30)
    sources = [LogSource("a.log", read(first)), LogSource("b.log", read(second))]
    (group,) = tell(sources).groups
    effects = [effect for part in group.rebalances for effect in part.effects]
    again = [effect for effect in effects if effect.committed_after is not None]
    assert [effect.records_again for effect in again] == [records]
    assert again[0].committed_after == 30


_AUTO = (
    "[2026-11-25 23:33:0{0},000] WARN [Consumer clientId=a, groupId=g] {1} auto-commit of offsets "
    "{{t-0=OffsetAndMetadata{{offset={2}, leaderEpoch=null, metadata=''}}}} failed: Offset commit "
    "cannot be completed since the consumer is not part of an active group for auto partition "
    "assignment; it is likely that the consumer was kicked out of the group. (o.a.k.c.C)\n"
)


@given(
    st.integers(0, 1000),
    st.integers(1, 1000),
    st.integers(0, 5000),
    st.sampled_from(["before", "after", "never"]),
    st.sampled_from(["Synchronous", "Asynchronous"]),
)
def test_a_refused_auto_commit_tells_what_is_read_twice(
    begin: int, records: int, progress: int, taken: str, how: str
) -> None:
    """The member read `records` behind the place where the next reader begins, whether that began
    before its commit was refused (and has progressed since), after it, or is not there."""
    first = _JOINED.format(1, "a", 1) + _SET.format(1, begin)
    first += _AUTO.format(6, how, begin + records)
    at = {"before": 3, "after": 7, "never": 3}[taken]
    second = _JOINED.format(at, "b", 2)
    if taken != "never":
        second += _SET.format(at, begin)
    if taken == "before" and progress:
        third = _REFUSED.format(9, begin + progress, "The coordinator is loading").replace(
            "clientId=a", "clientId=b"
        )
        second += third
    sources = [LogSource("a.log", read(first)), LogSource("b.log", read(second))]
    (group,) = tell(sources).groups
    again = [
        effect.records_again
        for part in group.rebalances
        for effect in part.effects
        if effect.records_again is not None
    ]
    assert again == [records]
