"""The limits by which bytes are taken for a frame, a request or a newer record."""

from __future__ import annotations

import struct

import pytest

from kproto.codec import message_class
from kproto.inspector.candidates import is_vague, newer_record
from kproto.inspector.recognition import frame_end, may_be_request


@pytest.mark.parametrize(
    ("size", "length", "end"),
    [
        (6, 10, 10),  # the shortest frame: a correlation id and an error code
        (5, 9, None),
        (6, 9, None),  # the frame is longer than the bytes
        (6, 40, 10),
    ],
)
def test_a_frame_ends_within_the_bytes(size: int, length: int, end: int | None) -> None:
    data = size.to_bytes(4, "big") + bytes(length - 4)
    assert frame_end(data) == end


@pytest.mark.parametrize(
    ("key", "version", "client_id", "is_likely"),
    [
        (11, 5, b"a client", True),
        (11, 5, b"", True),
        (11, 5, b"~", True),
        (11, 5, b"\x1f", False),
        (11, 5, b"\x7f", False),
        (0, 0, b"a", True),
        (127, 63, b"a", True),
        (128, 5, b"a", False),
        (11, 64, b"a", False),
        (-1, 5, b"a", False),
        (11, -1, b"a", False),
    ],
)
def test_a_request_header_is_likely(
    key: int, version: int, client_id: bytes, is_likely: bool
) -> None:
    header = struct.pack(">hhih", key, version, 7, len(client_id)) + client_id
    assert may_be_request(header, 0) == is_likely
    assert may_be_request(b"\0\0" + header, 2) == is_likely
    assert not may_be_request(header, 1 + len(client_id))


@pytest.mark.parametrize(("length", "is_likely"), [(-1, True), (-2, False), (1, False)])
def test_a_request_header_without_a_client_id(length: int, is_likely: bool) -> None:
    assert may_be_request(struct.pack(">hhih", 11, 5, 7, length), 0) == is_likely


@pytest.mark.parametrize(("ahead", "is_likely"), [(0, False), (1, True), (32, True), (33, False)])
def test_a_record_may_be_newer_by_so_many_versions(ahead: int, is_likely: bool) -> None:
    cls = message_class("OffsetCommitValue")
    message = cls(offset=3, metadata="a text that is long enough to be one")
    data = (cls.LATEST + ahead).to_bytes(2, "big") + message.to_body(cls.LATEST)
    assert (newer_record(data, {"OffsetCommitValue"}) is not None) == is_likely


@pytest.mark.parametrize(("number", "says_little"), [(9, False), (10, True)])
def test_a_name_of_many_messages_says_little(number: int, says_little: bool) -> None:
    assert is_vague([f"Message{index}" for index in range(number)]) is says_little
