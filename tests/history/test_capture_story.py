"""What a person sees of whole captures: the story of packets, the list of records.

Golden files at fixed widths; `KPROTO_WRITE_GOLDEN=1` writes them anew.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from rich.cells import cell_len

from kproto.capture import (
    Frame,
    Record,
    decode_record,
    decode_request,
    decode_response,
    read_frame_lines,
    read_pcap,
    read_segments,
)
from kproto.capture.segments.records import BatchInfo
from kproto.capture.summary import Summary
from kproto.codec import HeartbeatResponse, JoinGroupRequest, JoinGroupResponse, Policy
from kproto.history import calls as module
from kproto.history.capture_story import CaptureStory
from kproto.inspector.group_context import Surroundings
from kproto.inspector.views.record_view import RecordView
from kproto.inspector.views.summary_line import moment, runs
from tests.inspector.samples import VECTORS
from tests.inspector.test_views import compare, rendered

CHAPTERS = 60


@cache
def packets() -> list[Frame]:
    return list(read_pcap(VECTORS / "captures" / "loopback.pcap", source="loopback.pcap"))


@cache
def lines() -> list[Frame]:
    with (VECTORS / "captures" / "frames.jsonl").open("rb") as file:
        return list(read_frame_lines(file, "frames.jsonl", Summary()))


@cache
def records() -> list[Record]:
    return list(read_segments([VECTORS / "captures" / "offsets-topic"]))


def told(frames: list[Frame], *, full: bool = False) -> list[Any]:
    story, surroundings = CaptureStory(full=full), Surroundings()
    chapters = [story.tell(frame, surroundings.around(frame)) for frame in frames]
    return [chapter for chapter in chapters if chapter is not None]


@cache
def told_of_packets() -> list[Any]:
    return told(packets())


@cache
def told_of_lines() -> list[Any]:
    return told(lines())


def printed(chapters: list[Any], width: int, encoding: str = "utf-8") -> str:
    return "".join(rendered(chapter, width, encoding) for chapter in chapters)


@pytest.mark.parametrize("width", [60, 100, 140])
def test_the_story_of_a_packet_capture(width: int) -> None:
    compare(f"story-{width}", printed(told_of_packets()[:CHAPTERS], width))


def test_the_story_where_only_ascii_can_be_written() -> None:
    text = printed(told_of_packets(), 80, "ascii")
    assert text.isascii()


@pytest.mark.parametrize("width", [40, 60, 79, 100, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    views = [*told_of_packets()[:100], *told_of_lines()[:100], *map(view, records()[:100])]
    for line in printed(views, width).splitlines():
        assert cell_len(line) <= width


def test_every_group_frame_is_told_or_counted() -> None:
    story, surroundings = CaptureStory(), Surroundings()
    chapters = [story.tell(frame, surroundings.around(frame)) for frame in packets()]
    shown = sum(chapter is not None for chapter in chapters)
    ours = sum(not frame.foreign for frame in packets())
    assert shown + sum(story.untold.values()) == ours
    assert story.untold.keys() == {
        "Heartbeat", "SyncGroup", "LeaveGroup", "ConsumerGroupHeartbeat",
        "StreamsGroupHeartbeat", "ApiVersions", "FindCoordinator", "InitProducerId",
        "ListGroups", "ListOffsets", "Metadata", "OffsetCommit", "OffsetFetch",
    }  # fmt: skip


def test_every_client_joins_and_is_answered() -> None:
    text = printed(told_of_lines(), 200)
    joins = [
        frame for frame in lines() if frame.api == "JoinGroup" and frame.direction != "response"
    ]
    assert len(re.findall(r" joins.*\(JoinGroup", text)) == len(joins)
    for word in ("leads, by", "follows", "assigns in generation", "gets assignment", "is told"):
        assert word in text
    assert "ConnectProtocolMetadata v2" in text
    assert "SubscriptionInfoData v11" in text
    assert "kafka-python 3" in text


def view(record: Record) -> RecordView:
    return RecordView(record, decode_record(record), refused=False)


@pytest.mark.parametrize("width", [60, 100])
def test_the_list_of_records(width: int) -> None:
    kinds: dict[int, int] = {}
    chosen = []
    for record in records():
        assert record.key is not None
        kinds[record.key[1]] = kinds.get(record.key[1], 0) + 1
        if kinds[record.key[1]] in (1, 7, 30, 100, 200, 300):
            chosen.append(view(record))
    compare(f"records-{width}", printed(chosen, width))


def test_what_is_odd_about_records_is_said() -> None:
    batch = BatchInfo("made", 3, 0, 0, False, False, -1, None)
    good = records()[0]
    assert good.key is not None and good.value is not None
    text = printed(
        [
            view(Record(batch, 1, 2, b"\0\x63", b"x")),
            view(Record(batch._replace(control=True), 2, 2, b"\0\0\0\1", b"x")),
            view(Record(batch._replace(outcome="aborted"), 3, -1, good.key, None)),
            RecordView(
                (cut := Record(batch, 4, 1 << 62, good.key, good.value[:9])),
                decode_record(cut),
                refused=True,
            ),
        ],
        100,
    )
    assert "record type 99 is not known" in text
    assert "a control record: commit" in text
    assert "tombstone  transaction aborted" in text
    assert "✗ GroupMetadataValue: truncated" in text and "refused" in text


# -- single frames


def frame(message: Any, version: int, *, client: str = "c", number: int = 1) -> Frame:
    body = message.to_body(version)
    name = client.encode()
    if type(message).__name__.endswith("Request"):
        head = message.API_KEY.to_bytes(2, "big") + version.to_bytes(2, "big")
        head += number.to_bytes(4, "big") + len(name).to_bytes(2, "big") + name
        flexible = b"\0" if version >= 6 else b""
        return decode_request(head + flexible + body)
    flexible = b"\0" if version >= 6 else b""
    return decode_response(
        number.to_bytes(4, "big") + flexible + body, message.API_KEY, version, sized=False
    )


def test_errors_have_names() -> None:
    frames = [frame(HeartbeatResponse(error_code=code), 3) for code in (22, 999)]
    text = printed(told(frames), 100)
    assert "is told ILLEGAL_GENERATION (Heartbeat)" in text
    assert "is told error 999 (Heartbeat)" in text


def test_hostile_names_are_shown() -> None:
    evil = "\x1b[2J\u202e[red]"
    join = JoinGroupRequest(
        group_id=evil,
        protocol_type=evil,
        protocols=[JoinGroupRequest.JoinGroupRequestProtocol(name=evil, metadata=b"\xff")],
    )
    text = printed(told([frame(join, 5, client=evil)]), 100)
    assert "\x1b" not in text and "\u202e" not in text
    assert "[red]" in text


def test_a_body_that_cannot_be_read_is_told() -> None:
    whole = frame(JoinGroupResponse(protocol_name="range", leader="m", member_id="m"), 5)
    cut = decode_response(whole.data[:-3], 11, 5, sized=False)
    (chapter,) = told([cut])
    assert chapter.refused(Policy.KAFKA)
    assert "JoinGroup response cannot be read: truncated" in printed([chapter], 100)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_REMEMBERED", 5)
    story = CaptureStory()
    one = frame(JoinGroupRequest(group_id="g"), 5)
    for number in range(50):
        story.tell(one._replace(correlation_id=number), Surroundings().around(one))
    assert len(story.calls) == 5


def test_runs_and_moments() -> None:
    assert list(runs([0, 1, 2, 7, 9, 10])) == ["0-2", "7", "9-10"]
    assert list(runs([])) == []
    assert moment(1_700_000_000_123) == "2023-11-14 22:13:20.123"
    assert moment(-1) == "" and moment(1 << 62) == str(1 << 62)
