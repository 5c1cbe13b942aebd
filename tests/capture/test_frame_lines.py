"""Frames in JSON lines: those of real clients, and lines that are none."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture import Frame, Summary, is_frame_line, read_frame_lines
from kproto.capture.frames.frame import in_time

from .wires import CAPTURES, request, response

FILE = CAPTURES / "frames.jsonl"


def read(*lines: Any) -> tuple[list[Frame], Summary]:
    summary = Summary()
    text = b"\n".join(one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines)
    return list(read_frame_lines(BytesIO(text), "test", summary)), summary


def test_frames_of_real_clients() -> None:
    summary = Summary()
    with FILE.open("rb") as file:
        frames = list(read_frame_lines(file, "frames.jsonl", summary))
    said = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    assert len(frames) == len(said) == summary.read["frames"]
    assert summary.complete and not summary.noted
    for frame, one in zip(frames, said, strict=True):
        assert frame.reason == ""
        assert frame.body is not None and frame.body.message is not None
        assert (frame.direction, frame.api_key) == (one["direction"], one["api_key"])
        assert (frame.api_version, frame.timestamp) == (one["api_version"], one["ts_ms"])
        assert frame.correlation_id == one["correlation_id"]
        assert frame.connection is not None and frame.connection.number == one["conn"]
        if frame.direction == "request":
            assert frame.header is not None and frame.header.message is not None
            assert frame.header.message.client_id == one["client"]


def test_names_in_camel_case() -> None:
    line = {
        "direction": "response",
        "connection": "b:1",
        "time": "2026-11-01T12:00:00.250Z",
        "apiKey": 12,
        "apiVersion": 0,
        "frameHex": response(7).hex(),
    }
    (frame,), _ = read(line)
    assert (frame.api, frame.correlation_id, frame.reason) == ("Heartbeat", 7, "")
    assert frame.timestamp == 1793534400250
    assert frame.connection is not None and frame.connection.client == "b:1"


@pytest.mark.parametrize(
    ("time", "timestamp"),
    [
        (1793534400250, 1793534400250),
        ("2026-11-01T13:00:00.250+01:00", 1793534400250),
        ("2026-11-01T12:00:00", 1793534400000),
        ("yesterday", None),
        (True, None),
        (1 << 60, None),
    ],
)
def test_a_time_is_text_or_milliseconds(time: Any, timestamp: float | None) -> None:
    (frame,), _ = read({"frameHex": request(1).hex(), "time": time})
    assert frame.timestamp == timestamp


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"hello", "line that is no JSON"),
        (b"[" * 100_000, "line that is no JSON"),
        (b"[1]", "line that is no JSON object"),
        ({}, "line without a frame in hex"),
        ({"frame_hex": "xx"}, "line without a frame in hex"),
        ({"frame_hex": 7}, "line without a frame in hex"),
        (
            {"frame_hex": "00", "direction": "response", "api_key": "11"},
            "response without the apiKey and apiVersion of its request",
        ),
        (
            {"frame_hex": "00", "direction": "response", "api_key": 1 << 40, "api_version": 1},
            "response without the apiKey and apiVersion of its request",
        ),
    ],
)
def test_a_bad_line_costs_itself_alone(line: Any, reason: str) -> None:
    good = {"frame_hex": request(1).hex()}
    frames, summary = read(good, line, good)
    assert len(frames) == 2
    assert [(skip.reason, skip.first) for skip in summary.skipped] == [(reason, "test, line 2")]
    assert summary.damaged


@given(
    st.dictionaries(
        st.sampled_from(["frameHex", "direction", "apiKey", "apiVersion", "connection", "time"]),
        st.one_of(
            st.none(),
            st.integers(),
            st.floats(),
            st.text(max_size=5),
            st.binary().map(bytes.hex),
            st.datetimes().map(str),
        ),
    )
)
def test_any_line(line: dict[str, Any]) -> None:
    read(line)


def test_told_by_the_first_bytes() -> None:
    assert is_frame_line(FILE.read_bytes()[:4096])
    assert not is_frame_line(b'{"topics": []}')
    assert not is_frame_line(b"0000")


def test_in_time() -> None:
    (frame,), _ = read({"frame_hex": request(1).hex()})
    times = [5.0, 3.0, None, 4.0, 1.0]
    frames = [frame._replace(timestamp=time, offset=at) for at, time in enumerate(times)]
    assert [one.offset for one in in_time(iter(frames))] == [4, 1, 2, 3, 0]
