"""Layouts that single programs write, and texts that clients put into commits."""

from __future__ import annotations

import base64
import json
import struct

import cramjam
import pytest

from kproto.capture.frames.error_codes import ERROR_NAMES, error_name
from kproto.clients.consequences import facts, meaning_for_group
from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, message_class
from kproto.inspector import examine, recognise, report
from kproto.inspector.candidates import with_one_user_data
from kproto.inspector.committed import committed_metadata
from kproto.inspector.diagnose.lint import judge
from kproto.inspector.nested_bytes import Around, open_inside
from kproto.inspector.recognition import DOUBT, Recogniser
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
        ("TAEAAQE=", "Parallel Consumer's map of completed offsets, ByteArray", "+0, +2 to +3"),
        ("7gAo", None, None),
        ("+1/2024-05-03:08:02:33.123 app@host <0.12.0>", "brod's member", "app@host"),
        ("+1/'app@host-1'/<0.12.0>", "brod's member", "the next record (roundrobin_v2)"),
        ("app@host/<0.12.0>", "brod's member", "the last record"),
        (
            "2017-10-24:18:20:55.475670 'nodename@host-name' <0.18980.6>",
            "brod's member",
            "nodename@host-name",
        ),
        ("app@host and <0.12.0>", None, None),
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


def test_a_map_that_parallel_consumer_has_compressed() -> None:
    """A letter that names the encoding, and zstd: runs of 3 that are missing, 5 and 2 by turns."""
    packed = bytes(cramjam.zstd.compress(struct.pack(">iii", 3, 5, 200)))
    assert committed_metadata(base64.b64encode(b"p" + packed)) == (
        "Parallel Consumer's map of completed offsets, RunLengthV2Compressed",
        "committed offset +3 to +7",
    )
    large = bytes(cramjam.zstd.compress(bytes(1 << 20)))
    assert committed_metadata(base64.b64encode(b"a" + large)) is None


def test_what_processors_of_streams_keep_in_a_commit() -> None:
    """Version 2: the partition time, then a map of names and numbers (`ProcessorMetadata`)."""
    packed = b"\2" + struct.pack(">qii3sq", 1714723353123, 1, 3, b"key", 7)
    assert committed_metadata(base64.b64encode(packed)) == (
        "Kafka Streams' partition time",
        {"partitionTime": "2024-05-03T08:02:33.123Z", "processors": {"key": 7}},
    )
    assert committed_metadata(base64.b64encode(packed[:-1])) is None


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


@pytest.mark.parametrize("version", range(4))
def test_an_assignment_in_the_wrong_place(version: int) -> None:
    """In a member's metadata it is named, not read as a subscription that is damaged, or has user
    data in no known layout."""
    cls = message_class("JoinGroupRequest")
    protocol = cls.JoinGroupRequestProtocol  # type: ignore[attr-defined]
    data = ASSIGNMENT.to_bytes(version)
    message = cls(protocol_type="consumer", protocols=[protocol(name="range", metadata=data)])
    outer = examine(message.to_body(5), cls, body_version=5).decoded
    (opened,) = open_inside(outer, Around("consumer"))
    (read_alone,) = recognise(data, "metadata=").parts()
    assert opened.name == read_alone[0].decoded.message_class.NAME == "ConsumerProtocolAssignment"
    assert "in the wrong place" in opened.note
    assert opened.note == recognise(data, "metadata=").remark


def test_latin_1_written_as_utf_8_is_undone() -> None:
    data = bytes.fromhex(CLIENTS["franz-go"])
    found = recognise(data.decode("latin-1").encode())
    assert found.message is not None
    assert found.message.decoded.data == data
    assert "Latin-1" in found.remark


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_latin_1_of_an_empty_assignment_is_undone_behind_its_name(version: int) -> None:
    data = ConsumerProtocolAssignment(assigned_partitions=[], user_data=None).to_bytes(version)
    found = recognise(data.decode("latin-1").encode(), "assignment=")
    assert found.message is not None
    decoded = found.message.decoded
    assert (decoded.data, decoded.message_class) == (data, ConsumerProtocolAssignment)


@pytest.mark.parametrize("version", [0, 1, 3])
def test_escapes_of_backslashreplace_are_undone(version: int) -> None:
    data = ConsumerProtocolSubscription(topics=["größe"], user_data=None).to_bytes(version)
    text = data.decode("utf-8", "backslashreplace").encode()
    found = recognise(text)
    assert found.message is not None
    assert found.message.decoded.data == data
    assert "backslashreplace" in found.remark


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


def test_error_codes_have_names_in_differences_and_in_user_data() -> None:
    cls = message_class("HeartbeatResponse")
    first, second = (
        examine(cls(error_code=code).to_body(1), cls, body_version=1) for code in (27, 25)
    )
    (difference,) = printed(diff_report(first, second))["differences"]
    names = [difference[side]["errorName"] for side in "ab"]
    assert names == ["REBALANCE_IN_PROGRESS", "UNKNOWN_MEMBER_ID"]
    streams = message_class("AssignmentInfo")
    data = streams(version=11, error_code=1).to_bytes(11)  # type: ignore[attr-defined]
    assignment = ConsumerProtocolAssignment(assigned_partitions=[], user_data=data)
    (inside,) = printed(report(examine(assignment.to_bytes(1), type(assignment))))["opened"]
    assert inside["errorNames"] == {"error_code": "INCOMPLETE_SOURCE_TOPIC_METADATA"}


def test_fields_have_the_codes_of_their_deviations() -> None:
    user_data = b"{}"
    cls = message_class("ConsumerProtocolSubscription")
    data = cls(topics=["b", "a", ""], user_data=user_data).to_bytes(0)  # type: ignore[attr-defined]
    fields = {field["path"]: field for field in printed(report(examine(data, cls)))["fields"]}
    assert fields["topics[2]"]["codes"] == ["KP044"]
    assert fields["topics[1]"]["codes"] == ["KP060"]
    assert fields["user_data"]["codes"] == ["KP073"]
    assert "codes" not in fields["topics[0]"]


def test_inside_of_a_message_there_are_fields_too() -> None:
    without = ASSIGNMENT.to_bytes(1)[:-4]
    line = printed(report(examine(group_with(b"", without))))
    (inside,) = line["opened"]
    assert [field["path"] for field in inside["fields"]] == [
        "version",
        "assigned_partitions[0].topic",
        "assigned_partitions[0].partitions",
    ]
    assert inside["error"]["path"] == "user_data"


def test_base64_of_anything_is_no_metadata() -> None:
    assert committed_metadata(base64.b64encode(bytes(20))) is None


def group_with(subscription: bytes, assignment: bytes) -> bytes:
    cls = message_class("GroupMetadataValue")
    member = cls.MemberMetadata(  # type: ignore[attr-defined]
        member_id="m", client_id="c", client_host="/h", session_timeout=1,
        subscription=subscription, assignment=assignment,
    )  # fmt: skip
    group = cls(protocol_type="consumer", generation=1, members=[member])
    return group.to_bytes(3)  # type: ignore[attr-defined, no-any-return]


def test_known_mistakes_are_named_inside_of_a_group() -> None:
    each = bytes.fromhex(
        "0000 00000002 0006 6f7264657273 00000002 00000000 00000001 00000000"
        "0005 7573657273 00000001 00000002 00000000"
    )
    without = ASSIGNMENT.to_bytes(1)[:-4]
    for assignment, words in ((each, "zilla"), (without, "@platformatic/kafka 1.33")):
        verdicts = list(judge(examine(group_with(b"", assignment)).decoded))
        findings = [finding for verdict in verdicts for finding in verdict.findings]
        assert [words in finding.explanation for finding in findings if finding.code == "KP080"]
        assert not any(finding.code == "KP044" for finding in findings)


def test_user_data_of_streams_that_is_newer_is_known_by_itself() -> None:
    newer = struct.pack(">ii", 13, 14) + bytes(range(16, 40))
    examined = examine(newer)
    assert examined.decoded.message_class.NAME == "SubscriptionInfoData"
    assert not examined.refused
    older = struct.pack(">ii", 13, 12) + bytes(range(16, 40))  # its member knows 13
    assert examine(older).decoded.message_class.NAME != "SubscriptionInfoData"


def test_what_consequences_say_of_other_readers() -> None:
    for code in ("KP012", "KP021", "KP044", "KP080"):
        text = meaning_for_group(code, "OffsetCommitValue")
        assert "broker" in text.lower() and "Sarama" not in text
        assert "Connect workers" in meaning_for_group(code, "ConnectProtocolMetadata")
        of_leaders = meaning_for_group(code, "ConsumerProtocolSubscription")
        assert of_leaders.endswith(facts()[code].group) and "member" not in of_leaders.split(":")[0]


# -- versions that are newer than those known

GROUP_4 = (
    "000409636f6e73756d6572000000040672616e676504632d31000001a1fc89626b0204632d310002630a2f31302e302e"
    "302e3100000001000000021d00030000000100066f7264657273ffffffff00000000ffffffffffff0b00000000000000"
    "0000000000"
)
COMMIT_4 = "0004000000000000002affffffff01000001a1fc89626b00"
MEMBER_0 = "0000000009636c69656e742d310a2f31302e302e302e3102076f726465727300000493e00001000100"
NEWER = [
    pytest.param("GroupMetadataValue", GROUP_4, id="group"),
    pytest.param("OffsetCommitValue", COMMIT_4, id="commit"),
    pytest.param("ConsumerGroupMemberMetadataValue", MEMBER_0, id="member"),
]


@pytest.mark.parametrize("rest", ["", "00000007"], ids=["as it is", "with a field more"])
@pytest.mark.parametrize(("name", "text"), NEWER)
def test_a_record_of_a_newer_version(name: str, text: str, rest: str) -> None:
    """Apache Kafka 4.3.1's GroupCoordinatorRecordSerde refuses such versions with
    UnknownRecordVersionException, which ends the loading of the partition."""
    known = bytes.fromhex(text)
    newest = message_class(name).LATEST
    assert int.from_bytes(known[:2], "big") == newest
    data = (newest + 1).to_bytes(2, "big") + known[2:] + bytes.fromhex(rest)
    recognised = recognise(data)
    examined = recognised.message
    if rest and name == "OffsetCommitValue":  # without text, every byte has to be a field
        assert examined is None or name != examined.decoded.message_class.NAME
        return
    assert examined is not None
    assert examined.refused
    reading = examined.decoded
    about = reading.message_class.NAME, reading.version, reading.schema_version
    assert about == (name, newest + 1, newest)
    assert f"newer than the newest known one, {newest}" in recognised.remark
    assert "without a coordinator" in recognised.remark
    fields = {node.path: node.value for node in examined.decoded.fields[1:]}
    plain = {node.path: node.value for node in examine(known).decoded.fields[1:]}
    assert fields == plain
    assert [finding.code for finding in next(judge(examined.decoded)).findings] == ["KP081"]
    assert report(examined).fields[1:]


@pytest.mark.parametrize("label", ["", "payload", "value", '"metadata": '])
def test_a_message_without_text_is_no_record_of_a_newer_version(label: str) -> None:
    recognised = recognise(bytes.fromhex("000300000000ffffffff0000000000000038ffff"), label)
    assert recognised.message is not None
    assert recognised.message.decoded.message_class.NAME == "ConsumerProtocolSubscription"


@pytest.mark.parametrize("text", ["0000", "1234", "10feffff5656", "00000064"])
def test_a_few_bytes_are_no_message_for_sure(text: str) -> None:
    """What the tests of Go print as the numbers 0000 and 1234, and files of a few bytes."""
    recognised = recognise(bytes.fromhex(text))
    assert recognised.message is not None
    assert recognised.remark == report(recognised.message).note == DOUBT


@pytest.mark.parametrize("text", ["06082a8648ce3d040304", "68656c6c6f20776f726c6404d2"])
def test_user_data_of_streams_has_a_version_that_may_come(text: str) -> None:
    """The file of an object identifier, and a text: both begin with a number beyond int16."""
    assert recognise(bytes.fromhex(text)).parts()[0][0].identified is False


def test_a_response_without_text_in_a_source_is_doubted() -> None:
    data = bytes.fromhex("000000081000000f00000000")  # of golang.org/x/crypto/ssh
    assert recognise(data).remark == ""
    assert Recogniser().recognise(data, "c.Write([]byte{", is_inside=True).remark == DOUBT


@pytest.mark.parametrize("name", ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"])
def test_user_data_of_a_newer_version_of_streams(name: str) -> None:
    user_data = struct.pack(">ii", 13, 14) + bytes(range(40))
    cls = message_class(name)
    empty = cls.from_bytes(bytes.fromhex("000100000000ffffffff00000000"))  # type: ignore[attr-defined]
    outer = examine(empty.replace(user_data=user_data).to_bytes(version=1), cls).decoded
    (inside,) = open_inside(outer)
    assert inside.version == 13
    assert "newer than the newest known version" in inside.note
    assert "KIP-268" in inside.note
    assert not [finding.code for judged in judge(outer) for finding in judged.findings]
