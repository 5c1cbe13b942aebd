"""Frames: those of real clients, cut into pieces, with holes, and wrong."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.capture.frames.api_keys import API_NAMES, api_name, apis
from kproto.capture.frames.frame import Frame, decode_request, decode_response
from kproto.capture.frames.splitter import (
    AnyBoundary,
    Boundary,
    FrameSplitter,
    Lost,
    RawFrame,
    RequestBoundary,
    ResponseBoundary,
)
from kproto.capture.packets.conversation import Conversation
from kproto.capture.summary import Summary

from .wires import CAPTURES, request, response, sized

Row = dict[str, Any]
ROWS: list[Row] = [
    json.loads(line) for line in (CAPTURES / "frames.jsonl").read_text("utf-8").splitlines()
]


def frame_of(row: Row, data: bytes) -> Frame:
    if row["direction"] == "request":
        return decode_request(data)
    return decode_response(data, row["api_key"], row["api_version"])


def said_by(frame: Frame) -> tuple[str, int | None, int | None, int | None]:
    return frame.direction, frame.api_key, frame.api_version, frame.correlation_id


def said_in(row: Row) -> tuple[str, int, int, int]:
    return row["direction"], row["api_key"], row["api_version"], row["correlation_id"]


def test_every_frame_of_the_capture_is_what_the_proxy_wrote_down() -> None:
    assert len(ROWS) == 1466
    for row in ROWS:
        data = bytes.fromhex(row["frame_hex"])
        frame = frame_of(row, data)
        assert said_by(frame) == said_in(row)
        assert frame.header is not None and frame.body is not None
        assert frame.body.complete and not frame.body.remainder and not frame.reason
        assert data[: frame.body_start] + frame.body_data == data
        if row["direction"] == "request":
            assert frame.header.message is not None
            assert frame.header.message.client_id == row["client"]
        without_size = frame_of(row, data[4:])
        assert without_size.body is not None
        assert without_size.body.message == frame.body.message


@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_a_connection_cut_anywhere_gives_the_frames_of_the_capture(data: st.DataObject) -> None:
    connections = defaultdict(list)
    for row in ROWS:
        connections[row["conn"]].append(row)
    rows = connections[data.draw(st.sampled_from(sorted(connections)))]
    talk = Conversation(("a", "b"), 1, "test", summary := Summary(), opener=0)
    seen = []
    for row in rows:
        rest = bytes.fromhex(row["frame_hex"])
        while rest:
            size = data.draw(st.integers(1, len(rest)))
            side = 0 if row["direction"] == "request" else 1
            seen += talk.feed(side, [rest[:size]], (float(row["ts_ms"]), None, "test"))
            rest = rest[size:]
    seen += talk.close((None, None, "test"))
    assert [said_by(frame) for frame in seen] == [said_in(row) for row in rows]
    assert [frame.timestamp for frame in seen] == [row["ts_ms"] for row in rows]
    assert summary.complete


def test_api_names_are_those_of_the_definitions() -> None:
    assert len(API_NAMES) == 95
    for key, api in apis().items():
        assert f"{API_NAMES[key]}Request" == api.request.NAME
        assert f"{API_NAMES[key]}Response" == api.response.NAME
        assert key == api.response.API_KEY
    assert {11, 12, 13, 14, 15, 68, 69, 88, 89} <= set(apis())
    assert api_name(-1) == "API key -1"


def test_an_unknown_api_keeps_its_header_and_its_bytes() -> None:
    frame = decode_request(request(7, key=19, version=7, client="someone"))
    assert said_by(frame) == ("request", 19, 7, 7)
    assert frame.header is not None and frame.header.message is not None
    assert frame.header.message.client_id == "someone"
    assert frame.body is None and frame.api == "CreateTopics"
    assert frame.reason == "CreateTopics is not defined here"
    assert frame.body_data == bytes.fromhex("000167 00000001 00016d")


def test_a_version_that_is_not_known_is_said() -> None:
    # Heartbeat 99 is flexible, as 4 is: its header ends in a section of tagged fields.
    newer = decode_request(sized(bytes.fromhex("000c0063000000070000 00 1122")))
    assert newer.body is None and newer.body_data == b"\x11\x22"
    assert newer.reason == "version 99 of HeartbeatRequest is newer than the known 0-4"
    assert "newer" in decode_response(response(7), 12, 99).reason
    assert "not among" in decode_response(response(7), 12, -1).reason


@pytest.mark.parametrize("row", ROWS[:4] + ROWS[700:704], ids=range(8))
def test_a_frame_cut_anywhere_is_read_as_far_as_it_goes(row: Row) -> None:
    data = bytes.fromhex(row["frame_hex"])
    for length in range(len(data)):
        part = data[:length]
        if row["direction"] == "request":
            frame = decode_request(part, sized=True)
        else:
            frame = decode_response(part, row["api_key"], row["api_version"], sized=True)
        assert frame.reason
        assert frame.body is None or not frame.body.complete or frame.body.remainder == b""
        if length >= 12 and row["direction"] == "request":
            assert said_by(frame) == said_in(row)


@given(data=st.binary(max_size=200), key=st.integers(-5, 100), version=st.integers(-2, 70))
def test_no_bytes_raise(data: bytes, key: int, version: int) -> None:
    for sized_ in (True, False, None):
        decode_request(data, sized=sized_)
        decode_response(data, key, version, sized=sized_)


# -- the splitter

Piece = bytes | int
BOUNDARIES: dict[str, Boundary] = {
    "any": AnyBoundary(),
    "request": RequestBoundary(),
    "response": ResponseBoundary([1, 2, 3]),
}


def split(splitter: FrameSplitter, pieces: Sequence[Piece]) -> list[RawFrame | Lost]:
    found: list[RawFrame | Lost] = []
    for piece in pieces:
        found += splitter.gap(piece) if isinstance(piece, int) else splitter.feed(piece)
    return found + splitter.close()


def chunks(data: bytes, sizes: list[int]) -> list[bytes]:
    cut = []
    for size in sizes:
        cut.append(data[:size])
        data = data[size:]
    return [*cut, data]


@given(st.lists(st.binary(max_size=30), max_size=8), st.lists(st.integers(1, 40), max_size=30))
def test_frames_do_not_depend_on_how_the_stream_is_cut(
    bodies: list[bytes], sizes: list[int]
) -> None:
    frames = [sized(b"\0\0\0\1" + body) for body in bodies]
    found = split(FrameSplitter(), chunks(b"".join(frames), sizes))
    assert [frame.data for frame in found if isinstance(frame, RawFrame)] == frames
    assert not [lost for lost in found if isinstance(lost, Lost)]


PIECES = st.lists(
    st.one_of(
        st.binary(max_size=40),
        st.integers(1, 60),
        st.integers(1, 4).map(request),
        st.integers(1, 4).map(response),
        st.tuples(st.integers(1, 4).map(request), st.integers(1, 20)).map(lambda t: t[0][: t[1]]),
    ),
    max_size=25,
)


@pytest.mark.parametrize("boundary", BOUNDARIES, ids=str)
@pytest.mark.parametrize("synced", [True, False], ids=["synced", "unsynced"])
@given(pieces=PIECES)
def test_every_byte_is_in_one_frame_or_told_to_be_lost(
    boundary: str, synced: bool, pieces: list[Piece]
) -> None:
    splitter = FrameSplitter(BOUNDARIES[boundary], max_frame=500, max_held=64, synced=synced)
    found = split(splitter, pieces)
    position = 0
    whole = sum(piece if isinstance(piece, int) else len(piece) for piece in pieces)
    for each in found:
        assert each.offset == position
        # A frame that the stream's end cuts has its full size all the same.
        position = min(whole, position + each.size)
    assert position == whole
    for frame in found:
        if isinstance(frame, RawFrame):
            assert bool(frame.problem) == (len(frame.data) < frame.size)
            assert len(frame.data) <= max(64, 8)


def test_a_hole_inside_a_frame_costs_that_frame_alone() -> None:
    stream = [request(1), request(2), request(3)]
    size = len(stream[0])
    found = split(
        FrameSplitter(RequestBoundary()), [stream[0] + stream[1][:10], size - 10, stream[2]]
    )
    assert [type(each) for each in found] == [RawFrame] * 3
    assert [each.data for each in found if isinstance(each, RawFrame)] == [
        stream[0],
        stream[1][:10],
        stream[2],
    ]


def test_a_hole_over_a_boundary_is_searched_behind() -> None:
    junk = b"\0\0\0\x20 no frame begins here"
    pieces: list[Piece] = [request(1), 5000, junk + request(2)[:9], request(2)[9:] + request(3)]
    found = split(FrameSplitter(RequestBoundary()), pieces)
    assert [each.size for each in found] == [26, 5000 + len(junk), 26, 26]
    assert isinstance(found[1], Lost)
    answers = FrameSplitter(ResponseBoundary([8, 9]))
    found = split(answers, [response(7), 100, b"abcdefg" + response(8) + response(9)])
    assert [each.size for each in found] == [10, 107, 10, 10]


def test_what_a_frame_claims_is_not_allocated() -> None:
    splitter = FrameSplitter(max_frame=2**31, max_held=1000)
    splitter.feed((2**31 - 1).to_bytes(4, "big"))
    for _ in range(100):
        splitter.feed(bytes(1000))
    assert len(splitter.buffer) <= 1000
    [frame] = splitter.close()
    assert isinstance(frame, RawFrame) and len(frame.data) == 1000
    assert frame.problem == "larger than what is kept of a frame"


def test_credentials_are_not_decoded() -> None:
    """A SaslAuthenticate frame has a definition, and no body that a view could show."""
    password = b"\0alice\0hunter2"
    body = bytes.fromhex("0024 0001 00000007 0002") + b"me" + len(password).to_bytes(4, "big")
    frame = decode_request(body + password, sized=False)
    assert frame.api == "SaslAuthenticate" and frame.foreign and frame.body is None
    assert 36 not in apis() and 17 in apis()
