"""Frames as JSON objects and in the story: whatever the bytes are, something is said of them."""

from __future__ import annotations

import json
import tracemalloc
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture import Frame, Summary, decode_request, decode_response, read_frame_lines
from kproto.codec import (
    ConsumerProtocolSubscription,
    GroupMetadataValue,
    JoinGroupResponse,
    Policy,
    decode,
)
from kproto.history.capture_story import CaptureStory
from kproto.inspector import nested_bytes as large
from kproto.inspector import open_inside
from kproto.inspector.diagnose.clean_check import clean_check
from kproto.inspector.group_context import MAX_CONNECTIONS, Surroundings
from kproto.inspector.identification import examine
from kproto.inspector.nested_bytes import NOTHING, is_large
from kproto.inspector.reports.clean_reports import CleanReports
from kproto.inspector.reports.frame_lines import FrameLines
from kproto.inspector.reports.frame_report import frame_report, is_refused
from kproto.inspector.reports.message_report import decoded_report, error_names, report
from kproto.inspector.shapes.shape import json_line

from ..codec.strategies import Given, bodies, built_in_classes, run_time_classes
from .samples import VECTORS, printed
from .test_views import rendered


@cache
def captured() -> list[Frame]:
    with (VECTORS / "captures" / "frames.jsonl").open("rb") as file:
        return list(read_frame_lines(file, "frames.jsonl", Summary()))


LINES = {policy: FrameLines(policy) for policy in Policy}
"""They remember the frames of all tests."""


def everything(frame: Frame) -> dict[str, Any]:
    """Said in every way; gives the JSON object."""
    around = Surroundings().around(frame)
    for policy in Policy:
        shape, refused = frame_report(frame, around, policy)
        for _ in ("first", "again"):
            assert LINES[policy].line(frame, around) == (json_line(shape), refused)
        assert refused == is_refused(frame, policy)
        assert not (refused and policy is Policy.LENIENT and frame.body is not None)
    chapter = CaptureStory().tell(frame, around)
    if chapter is not None:
        assert "\x1b" not in rendered(chapter, 80)
    line = json_line(frame_report(frame, around)[0])
    assert line.isascii() and b"\n" not in line
    said: dict[str, Any] = json.loads(line)
    unread = said["body"] or said
    assert unread.get("message") or unread.get("error") or unread["note"]
    assert "note" not in said or said["body"] is None
    return said


@given(st.binary(max_size=200))
def test_any_request(data: bytes) -> None:
    everything(decode_request(data))


@given(
    st.binary(max_size=200), st.sampled_from([8, 11, 14, 15, 16, 68, 88, 999]), st.integers(-1, 12)
)
def test_any_response(data: bytes, key: int, version: int) -> None:
    everything(decode_response(data, key, version))


@given(st.deferred(lambda: st.sampled_from(captured())), st.data())
def test_damaged_frames(frame: Frame, data: st.DataObject) -> None:
    changed = bytearray(frame.data)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(4, len(changed) - 1))
        changed[place] = data.draw(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]))
    if frame.direction == "request":
        everything(decode_request(bytes(changed), sized=True))
    else:
        assert frame.api_key is not None and frame.api_version is not None
        everything(decode_response(bytes(changed), frame.api_key, frame.api_version, sized=True))


def test_the_correlation_id_alone_is_new() -> None:
    lines = FrameLines()
    for frame in captured()[::7]:
        line, refused = lines.line(frame, NOTHING)
        data = bytearray(frame.data)
        place = 8 if frame.direction == "request" else 4
        data[place : place + 4] = b"\xff\xff\xff\x85"
        if frame.direction == "request":
            other = decode_request(bytes(data), sized=True)
        else:
            assert frame.api_key is not None and frame.api_version is not None
            other = decode_response(bytes(data), frame.api_key, frame.api_version, sized=True)
        other = other._replace(
            source=frame.source, connection=frame.connection, timestamp=frame.timestamp,
            packet=frame.packet, reason=frame.reason,
        )  # fmt: skip
        assert lines.line(other, NOTHING) == (json_line(frame_report(other, NOTHING)[0]), refused)
        assert line != lines.line(other, NOTHING)[0]


@given(
    bodies(run_time_classes() | built_in_classes().filter(lambda cls: cls.FRAMING.kind == "none"))
)
def test_a_clean_body_has_nothing_to_tell(drawn: tuple[Given, bytes]) -> None:
    """In definitions of strangers, too, whose fields have the names of ours."""
    (cls, version, message), damaged = drawn
    for data in (message.to_body(version), damaged):
        plain = cls._plainly(version, data, 0)
        if plain is None or plain[1] != len(data) or not clean_check(cls, version)(plain[0], data):
            continue
        body = decode(data, cls, body_version=version)
        assert (body.deviations, error_names(body)) == ((), {})
        report_ = CleanReports().message(plain[0], version, data)
        assert report_ is not None
        assert json_line(report_) == json_line(decoded_report(body, None))


def test_policies() -> None:
    """A byte more than there should be: Kafka takes it, a strict reader does not."""
    frame = decode_response(b"\0\0\0\7" + b"\0\0" + b"\1", 12, 0, sized=False)
    assert not frame_report(frame, NOTHING)[1]
    made, refused = frame_report(frame, NOTHING, Policy.STRICT)
    assert refused and printed(made)["body"]["error"]["kind"] == "remainder"


def test_bodies_of_other_apis_are_null_and_say_why() -> None:
    frame = decode_request(bytes.fromhex("0013 0000 00000001 0001 63"), sized=False)  # CreateTopics
    made = everything(frame)
    assert made["body"] is None and made["header"]["error"] is None
    assert "CreateTopics" in made["note"] and "defined" in made["note"]
    assert not is_refused(frame, Policy.STRICT)


def test_a_version_that_is_not_known_is_refused() -> None:
    frame = decode_request(
        bytes.fromhex("000c 0063 00000001 0001 63 00 0102"), sized=False
    )  # Heartbeat 99
    made = everything(frame)
    assert is_refused(frame, Policy.KAFKA)
    assert "newer than" in made["body"]["error"]["explanation"]
    assert made["body"]["remainder"] == "0102"


def test_conversations_remembered_are_bounded() -> None:
    surroundings = Surroundings()
    join = next(frame for frame in captured() if frame.api == "JoinGroup")
    for number in range(MAX_CONNECTIONS + 10):
        surroundings.around(join._replace(connection=None, source=str(number)))
        assert join.connection is not None
        connection = join.connection._replace(number=number)
        surroundings.around(join._replace(connection=connection))
    assert len(surroundings.known) == MAX_CONNECTIONS


# -- what is large


def test_a_large_group_is_opened_member_by_member() -> None:
    metadata = ConsumerProtocolSubscription(topics=["orders"] * 200).to_bytes(3)
    members = [
        JoinGroupResponse.JoinGroupResponseMember(member_id=f"m-{number}", metadata=metadata)
        for number in range(1000)
    ]
    message = JoinGroupResponse(protocol_type="consumer", protocol_name="range", members=members)
    seen = decode(message.to_body(9), JoinGroupResponse, body_version=9)
    assert len(seen.data) > 1 << 20 and not is_large(seen)
    assert len(open_inside(seen)) == 1000


@pytest.mark.parametrize("cut", [0, 3])
def test_millions_of_parts_are_not_taken_apart(cut: int) -> None:
    """550,000 empty names: as a tree they would take hundreds of megabytes."""
    data = bytes.fromhex("0000") + (550_000).to_bytes(4, "big") + bytes(1_100_000)
    data = (data + b"\xff\xff\xff\xff")[: -cut or None]
    tracemalloc.start()
    made = printed(report(examine(data, ConsumerProtocolSubscription)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20
    assert "too large" in made["note"] and made["deviations"] == []
    assert (made["error"] is None) == (cut == 0)


def test_what_is_inside_of_a_large_message_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part is judged by its own size."""
    monkeypatch.setattr(large, "NEVER_LARGE", 1000)
    monkeypatch.setattr(large, "MAX_PARTS", 100)
    small = ConsumerProtocolSubscription(topics=["t"]).to_bytes(0)
    members = [
        GroupMetadataValue.MemberMetadata(
            member_id="m", client_id="c", client_host="h", subscription=small, assignment=b""
        )
    ] * 101
    value = GroupMetadataValue(protocol_type="consumer", protocol="range", members=members)
    seen = decode(value.to_bytes(3), GroupMetadataValue)
    assert is_large(seen)
    assert [one.path for one in open_inside(seen)] == [
        f"members[{number}].subscription" for number in range(101)
    ]
    assert not is_large(decode(value.replace(members=members[1:]).to_bytes(3), GroupMetadataValue))
