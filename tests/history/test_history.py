"""What a story says of groups where the captures at hand do not show it: waits that are not over,
fenced members, errors for single partitions; and that no frames in any order break it."""

from __future__ import annotations

import gzip
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

import dpkt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.capture import Frame, read_pcap
from kproto.capture.frames.frame import Closed, Connection
from kproto.codec.messages import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    JoinGroupRequest,
    MetadataResponse,
    OffsetCommitRequest,
    OffsetCommitResponse,
)
from kproto.history import groups, history
from kproto.history.capture_story import CaptureStory
from kproto.inspector.group_context import Surroundings
from tests.inspector.samples import VECTORS
from tests.inspector.test_views import rendered

from .test_capture_story import frame
from .told import story_of

CAPTURES = VECTORS / "captures"
WIDE = 2000
TOPIC = UUID("018f0000-0000-7000-8000-0000000000aa")


def until(name: str, packet: int, folder: Path) -> str:
    """The story of the first packets of a capture."""
    data = gzip.decompress((CAPTURES / f"{name}.pcap.gz").read_bytes())
    file = folder / "cut.pcap"
    with file.open("wb") as out:
        writer = dpkt.pcap.Writer(out, linktype=101)
        for number, (when, packet_data) in enumerate(dpkt.pcap.Reader(BytesIO(data)), 1):
            if number <= packet:
                writer.writepkt(packet_data, when)
    return story_of(file)


def told(frames: list[Frame], closed: Closed | None = None) -> str:
    story, surroundings = CaptureStory(), Surroundings()
    if closed is not None:
        story.close(closed)
    parts: list[Any] = []
    for each in frames:
        parts += story.closings(each.timestamp)
        parts.append(story.tell(each, surroundings.around(each)))
    parts.append(story.summary())
    return "".join(rendered(part, WIDE) for part in parts if part is not None)


def sent(message: Any, version: int, when: float, *, client: str = "c", number: int = 1) -> Frame:
    """A frame on a connection of its client."""
    connection = Connection(ord(client[-1]), f"{client}:1", "broker:9092")
    made = frame(message, version, client=client, number=number)
    return made._replace(connection=connection, timestamp=1_700_000_000_000 + when)


# -- what is not over when the capture ends


def test_a_rebalance_that_waits_names_whom_it_waits_for_and_until_when(tmp_path: Path) -> None:
    """kafka-python and Java have joined again, confluent-kafka has not, and aiokafka is gone."""
    lines = until("four-clients", 941, tmp_path).splitlines()
    (line,) = [line for line in lines if "not over when the capture ends" in line]
    waits = re.findall(r"waits for (\S+) \(", line)
    assert [name[:-5] for name in waits] == ["confluent-kafka-1", "aiokafka-1"]
    assert "its connection was closed at 15:44:04.729, without leaving, session timeout 3 s" in line
    assert "until 15:49:07.680 at the latest, if it began at 15:44:07.680" in line


def test_frames_without_times_are_given_none() -> None:
    join = JoinGroupRequest(group_id="g", member_id="m", protocol_type="consumer")
    (line,) = [
        line
        for line in told([frame(join, 5, client="m")]).splitlines()
        if "not over when the capture ends" in line
    ]
    assert line.split()[0] == "--:--:--.---" and "later" not in line


def test_partitions_that_were_not_given_up_yet(tmp_path: Path) -> None:
    (line,) = re.findall(r".*not over when the capture ends.*", until("kip-848", 758, tmp_path))
    assert "waits for twin-oYTJ" in line
    assert "to give up clicks 0-3, orders 5, as it was told at 15:44:38.824" in line
    assert "until 15:49:38.824 at the latest" in line


# -- members of a group whose broker assigns


def heartbeat(epoch: int, *, owns: range | None = None, when: float, **more: Any) -> Frame:
    partitions = None
    if owns is not None:
        kind = ConsumerGroupHeartbeatRequest.TopicPartitions
        partitions = [kind(topic_id=TOPIC, partitions=list(owns))]
    message = ConsumerGroupHeartbeatRequest(
        group_id="g", member_id="m" * 22, member_epoch=epoch, topic_partitions=partitions, **more
    )
    return sent_modern(message, when)


def answer(epoch: int, *, assigned: range | None = None, error: int = 0, when: float) -> Frame:
    given = None
    if assigned is not None:
        parts = ConsumerGroupHeartbeatResponse.TopicPartitions(
            topic_id=TOPIC, partitions=list(assigned)
        )
        given = ConsumerGroupHeartbeatResponse.Assignment(topic_partitions=[parts])
    message = ConsumerGroupHeartbeatResponse(
        error_code=error, member_id=None if error else "m" * 22, member_epoch=epoch,
        heartbeat_interval_ms=5000, assignment=given,
    )  # fmt: skip
    return sent_modern(message, when)


def sent_modern(message: Any, when: float) -> Frame:
    from kproto.capture import decode_request, decode_response

    body = message.to_body(1)
    connection = Connection(1, "a:1", "b:2")
    if isinstance(message, ConsumerGroupHeartbeatRequest):
        made = decode_request(bytes.fromhex("0044 0001 00000001 0001 63 00") + body, sized=False)
    else:
        made = decode_response(bytes.fromhex("00000001 00") + body, 68, 1, sized=False)
    assert made.body is not None and made.body.message is not None, made.reason
    return made._replace(connection=connection, timestamp=1_700_000_000_000 + when)


def test_a_fenced_member_loses_what_it_had() -> None:
    frames = [
        heartbeat(0, when=0, subscribed_topic_names=["t"], owns=range(0)),
        answer(3, assigned=range(4), when=1),
        heartbeat(3, owns=range(4), when=2),
        answer(3, when=3),
        heartbeat(3, when=5000),
        answer(0, error=110, when=5001),
        heartbeat(0, when=5002, subscribed_topic_names=["t"], owns=range(0)),
        answer(5, assigned=range(4), when=7001),
    ]
    text = told(frames)
    assert "c-mmmm is told FENCED_MEMBER_EPOCH (ConsumerGroupHeartbeat), and loses topic " in text
    assert "no member here owned anything  from 22:13:25.001 to 22:13:27.001 (2 s)" in text
    assert text.count("c-mmmm joins (ConsumerGroupHeartbeat 1, member epoch 0)") == 2


def test_a_topic_has_its_name_as_soon_as_metadata_tells_it() -> None:
    topic = MetadataResponse.MetadataResponseTopic(name="orders", topic_id=TOPIC)
    names = sent(MetadataResponse(topics=[topic]), 12, 0)
    body = names._replace(api_key=3)
    frames = [
        heartbeat(0, when=1, subscribed_topic_names=["orders"]),
        answer(1, assigned=range(2), when=2),
    ]
    assert "gets topic AY8AAAAAcACAAAAAAAAAqg 0-1" in told(frames)
    from kproto.capture import decode_response

    data = bytes.fromhex("00000001 00") + MetadataResponse(topics=[topic]).to_body(12)
    named = decode_response(data, 3, 12, sized=False)
    assert body.api == "Metadata" and "gets orders 0-1" in told([named, *frames])


# -- errors for single partitions


def test_a_commit_that_is_refused_for_a_partition() -> None:
    topic = OffsetCommitRequest.OffsetCommitRequestTopic(name="orders")
    asked = OffsetCommitRequest(group_id="g", member_id="m-1", topics=[topic])
    part = OffsetCommitResponse.OffsetCommitResponsePartition
    refused = OffsetCommitResponse.OffsetCommitResponseTopic(
        name="orders",
        partitions=[part(partition_index=3, error_code=25), part(partition_index=4, error_code=0)],
    )
    text = told([sent(asked, 5, 0), sent(OffsetCommitResponse(topics=[refused]), 5, 1)])
    assert "is told UNKNOWN_MEMBER_ID for orders 3 (OffsetCommit)" in text
    assert "orders 4" not in text


# -- bounds, and frames in any order


def test_groups_members_and_causes_that_are_remembered_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(groups, "MAX_MEMBERS", 5)
    monkeypatch.setattr(history, "MAX_GROUPS", 3)
    monkeypatch.setattr(history, "MAX_CONNECTIONS", 4)
    story = CaptureStory()
    for number in range(200):
        request = JoinGroupRequest(group_id=f"g{number % 7}", member_id=f"m-{number}")
        story.tell(
            sent(request, 5, number, number=number), Surroundings().around(sent(request, 5, 0))
        )
    known = story.history
    assert len(known.groups) == 3 and len(known.users) <= 4
    assert all(len(group.members) <= 5 for group in known.groups.values())
    assert all(
        len(group.rebalance.causes) <= groups.MAX_CAUSES
        for group in known.groups.values() if group.rebalance
    )  # fmt: skip


def test_parts_that_are_remembered_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_PARTS", 10)
    frames = read_pcap([str(CAPTURES / f"{name}.pcap.gz") for name in ("four-clients", "kip-848")])
    story, surroundings = CaptureStory(), Surroundings()
    for each in frames:
        story.tell(each, surroundings.around(each))
    known = story.history
    assert known.parts == sum(group.ownership.size for group in known.groups.values())
    assert known.parts <= 10 or len(known.groups) == 1


@cache
def captured() -> list[Frame]:
    return [
        frame
        for name in ("four-clients", "kip-848", "share-and-streams")
        for frame in read_pcap([str(CAPTURES / f"{name}.pcap.gz")])
        if not frame.foreign and frame.api not in ("Heartbeat", "ApiVersions")
    ]


RUNS = 64  # of the frames: what is drawn is which of them there are, in which order


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(RUNS)), st.integers(0, RUNS), st.booleans(), st.booleans())
def test_frames_in_any_order_have_a_story(
    runs: list[int], kept: int, in_order: bool, scattered: bool
) -> None:
    """Runs of frames that followed each other, or of every 64th; the others are missing."""
    runs = sorted(runs[:kept]) if in_order else runs[:kept]
    every = captured()
    length = -(-len(every) // RUNS)
    frames = [
        frame
        for run in runs
        for frame in (every[run::RUNS] if scattered else every[run * length : (run + 1) * length])
    ]
    story, surroundings = CaptureStory(), Surroundings()
    chapters: list[Any] = []
    for number, each in enumerate(frames):
        if number % 50 == 0 and each.connection is not None:
            story.close(Closed(each.connection, each.timestamp, bool(number % 100), False))
        chapters += story.closings(each.timestamp)
        chapters.append(story.tell(each, surroundings.around(each)))
    chapters += [*story.closings(), story.summary()]
    for chapter in chapters[-50:]:
        if chapter is not None:
            rendered(chapter, 100)
