"""Layouts that single programs write, and texts that clients put into commits."""

from __future__ import annotations

import base64
import json

import pytest

from kproto.capture.frames.error_codes import ERROR_NAMES, error_name
from kproto.codec import ConsumerProtocolAssignment, message_class
from kproto.inspector import examine, recognise, report
from kproto.inspector.committed import committed_metadata
from kproto.inspector.opening import Around, open_inside
from kproto.inspector.recognition import with_one_user_data
from kproto.inspector.views.diff_json import diff_report

from .samples import CLIENTS, printed

PART = ConsumerProtocolAssignment.TopicPartition
ASSIGNMENT = ConsumerProtocolAssignment(
    assigned_partitions=[PART(topic="orders", partitions=[0, 1])], user_data=None
)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("AQAAAY89efIj", "Kafka Streams' partition time", "2024-05-03T08:02:33.123Z"),
        ("AQ" + "AAAY89efI=", None, None),
        ("bAAo/w8=", "Parallel Consumer's map of completed offsets, BitSet", "+0 to +11"),
        ("bgACAAMAAQAB", "Parallel Consumer's map of completed offsets, RunLength", "+2 to +4, +6"),
        ("7gAo", "Parallel Consumer's map of completed offsets, ByteArrayCompressed", None),
        ("+1/2024-05-03:08:02:33.123 app@host <0.12.0>", "brod's member", "app@host"),
        ('{"topologyId":"t-1","taskId":3}', "Storm's JSON", "t-1"),
        ('{"a":1}', "JSON", "1"),
        ("{", None, None),
        ("committed by hand", None, None),
    ],
)
def test_metadata_of_a_commit(text: str, name: str | None, value: str | None) -> None:
    found = committed_metadata(text.encode())
    assert (found and found[0]) == name
    assert value is None or (found is not None and value in json.dumps(found[1]))


def test_a_commit_is_opened() -> None:
    cls = message_class("OffsetCommitValue")
    data = cls(offset=3, metadata="AQAAAY89efIj").to_bytes(3)  # type: ignore[attr-defined]
    (opened,) = printed(report(examine(data)))["opened"]
    assert (opened["path"], opened["name"]) == ("metadata", "Kafka Streams' partition time")


def test_user_data_after_every_topic() -> None:
    two = ConsumerProtocolAssignment(
        assigned_partitions=[
            PART(topic="orders", partitions=[0, 1]),
            PART(topic="users", partitions=[2]),
        ],
        user_data=b"",
    )
    data = bytes.fromhex(
        "0000 00000002 0006 6f7264657273 00000002 00000000 00000001 00000000"
        "0005 7573657273 00000001 00000002 00000000"
    )
    assert with_one_user_data(data) == two.to_bytes(0)
    assert "zilla" in recognise(data).remark
    assert with_one_user_data(two.to_bytes(0)) is None
    for end in range(len(data)):
        assert with_one_user_data(data[:end]) is None


def test_an_assignment_in_the_wrong_place() -> None:
    """In a member's metadata it is named, not read as a subscription that is damaged."""
    cls = message_class("JoinGroupRequest")
    protocol = cls.JoinGroupRequestProtocol  # type: ignore[attr-defined]
    message = cls(
        protocol_type="consumer",
        protocols=[protocol(name="range", metadata=ASSIGNMENT.to_bytes(1))],
    )
    outer = examine(message.to_body(5), cls, body_version=5).decoded
    (opened,) = open_inside(outer, Around("consumer"))
    assert opened.name == "ConsumerProtocolAssignment"
    assert "in the wrong place" in opened.note


def test_latin_1_written_as_utf_8_is_undone() -> None:
    data = bytes.fromhex(CLIENTS["franz-go"])
    found = recognise(data.decode("latin-1").encode())
    assert found.message is not None
    assert found.message.decoded.data == data
    assert "Latin-1" in found.remark


def test_what_was_read_as_text_is_said() -> None:
    data = bytes.fromhex(CLIENTS["franz-go"]).decode(errors="replace").encode()
    found = recognise(data).message
    assert found is not None
    assert not found.identified
    assert "read as text" in printed(report(found))["error"]["explanation"]


def test_a_field_behind_the_end_is_missing_not_added() -> None:
    data = bytes.fromhex(CLIENTS["franz-go"])
    cls = message_class("ConsumerProtocolSubscription")
    whole, cut = examine(data, cls), examine(data[:-6], cls)
    for sides in ((whole, cut), (cut, whole)):
        changes = {one.path: one.change for one in diff_report(*sides).differences or ()}
        assert changes["rack_id"] == "missing"
        assert "added" not in changes.values() or "topics" in changes


def test_error_codes_have_names() -> None:
    assert (error_name(79), error_name(16), error_name(-1)) == (
        "MEMBER_ID_REQUIRED", "NOT_COORDINATOR", "UNKNOWN_SERVER_ERROR",
    )  # fmt: skip
    assert set(ERROR_NAMES) == set(range(-1, 137))
    cls = message_class("HeartbeatResponse")
    made = printed(report(examine(cls(error_code=27).to_body(1), cls, body_version=1)))
    assert made["errorNames"] == {"error_code": "REBALANCE_IN_PROGRESS"}


def test_base64_of_anything_is_no_metadata() -> None:
    assert committed_metadata(base64.b64encode(bytes(20))) is None
