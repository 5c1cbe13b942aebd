"""What frames show as events: compared with the frames themselves, and with the words that all
events and causes have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from kproto.capture import Frame, read_pcap
from kproto.capture.frames.frame import in_time
from kproto.codec.messages import JoinGroupRequest
from kproto.history.calls import Call, Calls
from kproto.history.events import CAUSE_VERBS, EVENTS, Event
from kproto.history.frame_events import events_of, joiner_fields
from kproto.history.history import History
from tests.inspector.samples import VECTORS

CAPTURES = sorted((VECTORS / "captures").glob("*.pcap*"))


def shown(frames: Iterator[Frame]) -> Iterator[tuple[Frame, Event]]:
    calls = Calls()
    for frame in frames:
        for event in events_of(calls.take(frame), frame):
            yield frame, event


@pytest.fixture(params=CAPTURES, ids=lambda path: path.name)
def events(request: pytest.FixtureRequest) -> list[tuple[Frame, Event]]:
    return list(shown(in_time(read_pcap([str(request.param)]))))


def test_each_event_is_of_a_kind_that_is_listed(events: list[tuple[Frame, Event]]) -> None:
    assert {event.kind for _, event in events} <= EVENTS.keys()


def test_events_of_a_classic_group_are_what_its_frames_are(
    events: list[tuple[Frame, Event]],
) -> None:
    """By the fields of the frames alone, without the readers of events."""
    kinds = Counter(event.kind for frame, event in events if "GroupHeartbeat" not in frame.api)
    frames = {id(frame): frame for frame, _ in events}.values()
    bodies = [(frame.api, frame.direction, frame.body.message) for frame in frames if frame.body]
    answers = [(api, message) for api, side, message in bodies if side == "response" and message]
    assert kinds["joins"] == sum((api, side) == ("JoinGroup", "request") for api, side, _ in bodies)
    for api, good, bad in (
        ("JoinGroup", "joined", "join-refused"),
        ("SyncGroup", "assigned", "sync-refused"),
    ):
        errors = [message.error_code for answered, message in answers if answered == api]
        assert kinds[good] == errors.count(0)
        assert kinds[bad] == len(errors) - errors.count(0)
    heartbeats = [message.error_code for api, message in answers if api == "Heartbeat"]
    assert kinds["heartbeat-refused"] == len(heartbeats) - heartbeats.count(0)


def test_a_rebalance_has_causes_that_are_listed(events: list[tuple[Frame, Event]]) -> None:
    history = History()
    for _, event in events:
        history.take(event)
    causes = [
        cause
        for group in history.groups.values()
        for rebalance in group.rebalances
        for cause in rebalance.causes
    ]
    assert causes and {cause.word for cause in causes} <= CAUSE_VERBS.keys()
    assert all(cause.member is not None or cause.evidence for cause in causes)


def test_a_generation_has_what_its_leader_was_told_and_gave() -> None:
    """In the third generation the three clients get together, as the captures' README says."""
    history = History()
    stored = []
    for _, event in shown(in_time(read_pcap([str(VECTORS / "captures" / "three-clients.pcap")]))):
        change = history.take(event)
        group = history.groups[event.group]
        if change.record_cause is not None and group.current is not None:
            stored.append(group.current)
    assert stored[-1].number == 3 and len(stored[-1].members) == 3
    assert all(generation.shares.keys() <= generation.members.keys() for generation in stored)
    assert all(generation.leader in generation.members for generation in stored)


@pytest.mark.parametrize(("version", "timeout"), [(0, 30_000), (1, -1), (9, -1)])
def test_the_rebalance_timeout_of_an_old_join(version: int, timeout: int) -> None:
    """Version 0 has none: brokers take the session timeout, and it is not one that is not set."""
    request = JoinGroupRequest(session_timeout_ms=30_000, rebalance_timeout_ms=-1)
    call = Call(api="JoinGroup", version=version, request=request)
    assert joiner_fields(call)["rebalance_ms"] == timeout
