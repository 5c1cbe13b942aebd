"""`kproto decode` on whole captures: packets, log segments, frames; and what hostile ones cost."""

from __future__ import annotations

import base64
import json
import re
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kproto.capture import Record, Summary, read_pcap, read_segments
from tests.capture.test_segments import batch, sealed
from tests.capture.wires import captured, heartbeats
from tests.schemas.captures import Frame
from tests.schemas.captures import frames as frames_of_file

from .conftest import CAPTURES, COMMAND, ENVIRONMENT, Run
from .test_main import one_line

SEGMENTS = CAPTURES / "offsets-topic"
COMPRESSED = CAPTURES / "offsets-topic-compressed"
PCAP = CAPTURES / "loopback.pcap"
FRAMES = CAPTURES / "frames.jsonl"
MESSAGE = ["name", "version", "schemaVersion", "message", "remainder", "deviations", "error"]
OPENED = ["path", "name", "version", "message", "deviations", "error", "opened"]


def seen(stdout: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stdout.splitlines()]


@cache
def decoded(path: Path) -> tuple[list[dict[str, Any]], str]:
    """What `kproto decode --json` says of a capture, on both streams."""
    done = subprocess.run(
        [*COMMAND, "decode", "--json", path], capture_output=True, check=True, env=ENVIRONMENT
    )
    return seen(done.stdout), one_line(done.stderr)


def inside(made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for inner in made.get("opened", []):
        yield inner
        yield from inside(inner)


def at(message: Any, path: str) -> Any:
    """The value at a path, whose names are in snake_case, of a message's JSON form."""
    for name, number in re.findall(r"(\w+)|\[(\d+)\]", path):
        if number:
            message = message[int(number)]
        else:
            head, *rest = name.split("_")
            message = message[head + "".join(word.capitalize() for word in rest)]
    return message


def milliseconds(time: str) -> int:
    """A time of a JSON output since 1970."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


# -- records


@pytest.mark.parametrize("folder", [SEGMENTS, COMPRESSED], ids=["plain", "compressed"])
def test_every_record_of_a_folder(folder: Path) -> None:
    lines, said = decoded(folder)
    expected: list[Record] = list(read_segments([folder]))
    assert len(lines) == len(expected)
    for line, record in zip(lines, expected, strict=True):
        assert list(line) == ["source", "partition", "offset", "time", "key", "value"]
        assert line["source"] == record.source
        assert (line["partition"], line["offset"]) == (record.partition, record.offset)
        assert milliseconds(line["time"]) == record.timestamp
        assert (line["value"] is None) == (record.value is None)
        for part in filter(None, (line["key"], line["value"])):
            assert list(part)[:7] == MESSAGE
            assert (part["error"], part["remainder"]) == (None, "")
    assert f"{len(lines)} records read, nothing skipped" in said


@pytest.mark.parametrize("folder", [SEGMENTS, COMPRESSED], ids=["plain", "compressed"])
@pytest.mark.parametrize("option", ["--policy=strict", "--policy=kafka", "--redact"])
def test_both_engines_say_the_same(kproto: Run, folder: Path, option: str) -> None:
    arguments = ("decode", "--json", option, folder)
    made = kproto(*arguments, KPROTO_ENGINE="python")
    usual = kproto(*arguments)
    assert (usual.stdout, usual.stderr) == (made.stdout, made.stderr)
    assert usual.stdout


def test_what_is_inside_of_records_is_read_to_its_end() -> None:
    """But for what is broken as its client wrote it: a label of version 1 on a body of version 0,
    by kafka-go and KafkaJS."""
    names: Counter[str] = Counter()
    for line in decoded(SEGMENTS)[0]:
        value = line["value"]
        if value is None:
            continue
        for inner in value.get("opened", []):
            content = at(value["message"], inner["path"])
            assert base64.b64decode(content)
        for inner in inside(value):
            names[inner["name"]] += 1
            assert list(inner)[:7] == OPENED
            codes = {deviation["code"] for deviation in inner["deviations"]}
            if inner["error"] is not None:
                assert (inner["version"], inner["error"]["path"]) == (1, "owned_partitions")
                assert "KP040" in codes
            assert "KP021" not in codes  # bytes that are left over
        for member in (value["message"] or {}).get("members", []):
            paths = {inner["path"] for inner in value["opened"]}
            number = value["message"]["members"].index(member)
            for field in ("subscription", "assignment"):
                assert (f"members[{number}].{field}" in paths) == bool(member[field])
    assert names.keys() >= {
        "ConsumerProtocolSubscription",
        "ConsumerProtocolAssignment",
        "ConnectProtocolMetadata",
        "ConnectProtocolAssignment",
        "StickyAssignorUserData",
        "CooperativeStickyUserData",
        "SubscriptionInfoData",
        "AssignmentInfo",
        "text",
    }


def test_every_user_data_is_opened() -> None:
    for source in (SEGMENTS, COMPRESSED, FRAMES):
        for line in decoded(source)[0]:
            for part in (line.get("value"), line.get("body")):
                for inner in inside(part or {}):
                    data = (inner["message"] or {}) if isinstance(inner["message"], dict) else {}
                    if data.get("userData"):
                        assert [again["path"] for again in inner["opened"]] == ["user_data"]


def test_kafka_python_s_int16_is_said() -> None:
    notes = Counter(
        inner.get("note", "")
        for line in decoded(SEGMENTS)[0]
        for inner in inside(line["value"] or {})
        if inner["name"] == "StickyAssignorUserData"
    )
    assert len(notes) == 2
    assert any("kafka-python" in note for note in notes)


def test_a_file_and_standard_input(kproto: Run) -> None:
    file = SEGMENTS / "__consumer_offsets-1" / "00000000000000000000.log"
    lines = decoded(file)[0]
    piped = seen(kproto("decode", "--json", stdin=file.read_bytes()).stdout)
    assert {line["partition"] for line in lines} == {1}
    for line, other in zip(lines, piped, strict=True):
        assert other == line | {"source": "standard input", "partition": None}


def test_the_listing(kproto: Run) -> None:
    text = kproto("decode", SEGMENTS).stdout.decode()
    assert max(map(len, text.splitlines())) <= 100
    assert "GroupMetadata  group mixed.sticky" in text
    assert "says  subscription v1: topics orders, clicks" in text
    assert "StickyAssignorUserData v1: previous assignment" in text
    assert "tombstone" in text
    assert "\x1b" not in text


# -- frames


def test_every_frame_of_a_packet_capture() -> None:
    lines, said = decoded(PCAP)
    expected = list(read_pcap(PCAP, summary=Summary()))
    assert len(lines) == len(expected)
    times = [line["time"] for line in lines]
    assert times == sorted(times)
    keys = "source connection time direction apiKey apiVersion correlationId header body packet"
    for line in lines:
        assert list(line) == keys.split() + ["note"] * (line["body"] is None)
        assert line["header"]["error"] is None
        if line["body"] is None:
            assert "is not defined here" in line["note"]
        else:
            assert line["body"]["error"] is None and line["body"]["remainder"] == ""
    bodies = Counter(line["body"]["name"] for line in lines if line["body"])
    assert bodies == Counter(f.body.message_class.NAME for f in expected if f.body is not None)
    assert "1,432 frames read, nothing skipped" in said
    assert "542 frames of Fetch, not decoded" in said


def test_every_frame_of_json_lines() -> None:
    lines = decoded(FRAMES)[0]
    expected: list[Frame] = list(frames_of_file())
    assert len(lines) == len(expected)
    in_file = sorted(
        (json.loads(line) for line in FRAMES.read_text(encoding="utf-8").splitlines()),
        key=lambda said: said["ts_ms"],
    )
    for line, said in zip(lines, in_file, strict=True):
        assert (line["apiKey"], line["direction"]) == (said["api_key"], said["direction"])
        assert line["body"]["error"] is None and line["body"]["remainder"] == ""
        for inner in inside(line["body"]):
            assert inner["error"] is None or inner["error"]["path"] == "owned_partitions"


def test_synced_bytes_without_a_name_are_opened_by_what_was_said_before() -> None:
    """SyncGroup names no protocol before version 5."""
    opened: Counter[str] = Counter()
    for line in decoded(FRAMES)[0]:
        if line["apiKey"] == 14 and line["apiVersion"] < 5:
            for inner in inside(line["body"]):
                opened[inner["name"]] += 1
                assert "rivals" not in inner
    assert opened["ConsumerProtocolAssignment"] > 50
    assert opened["StickyAssignorUserData"] >= 2


def test_the_list_of_frames(kproto: Run) -> None:
    done = kproto("decode", PCAP)
    text = done.stdout.decode()
    assert max(map(len, text.splitlines())) <= 100
    lines = [
        "JoinGroup request 5  of confluent-kafka-2.16.1-range-2, connection",
        "group id live.range; session timeout ms 10000; rebalance timeout ms 300000",
        "range  subscription v3: topics clicks, orders",
        "JoinGroup response 5  to confluent-kafka-2.16.1-range-2, connection",
        "MEMBER_ID_REQUIRED",
        "SyncGroup request 3",
        "assignment v0: assigned partitions clicks 0-3, orders 0-11",
        "REBALANCE_IN_PROGRESS",
        "LeaveGroup request",
    ]
    place = 0
    for line in lines:
        place = text.index(line, place)
    assert b"what happened in 3 groups, and why: kproto story" in done.stderr


def test_frames_alone(kproto: Run) -> None:
    for line in FRAMES.read_text(encoding="utf-8").splitlines()[:60:14]:
        said = json.loads(line)
        if said["direction"] == "request":
            how = ["--as", "request"]
        else:
            how = ["--as", "response", "--api-key", str(said["api_key"]),
                   "--api-version", str(said["api_version"])]  # fmt: skip
        (whole,) = seen(kproto("decode", *how, said["frame_hex"], "--json").stdout)
        (bare,) = seen(kproto("decode", *how, said["frame_hex"][8:], "--json").stdout)
        assert whole == bare
        assert whole["correlationId"] == said["correlation_id"]
        assert whole["apiKey"] == said["api_key"]
        assert whole["body"]["error"] is None
        assert (whole["connection"], whole["time"]) == (None, None)


def test_a_frame_alone_in_the_inspector(kproto: Run) -> None:
    frame = json.loads(FRAMES.read_text(encoding="utf-8").partition("\n")[0])["frame_hex"]
    text = kproto("decode", "--as", "request", frame).stdout.decode()
    assert "RequestHeader version 1" in text
    assert "JoinGroupRequest version 5" in text
    assert "ConsumerProtocolSubscription v1" in text
    two = kproto("decode", "--as", "request", frame * 2, "--json").stdout
    assert len(seen(two)) == 2


def test_a_field_and_names_of_a_frame_alone(kproto: Run) -> None:
    said = json.loads(FRAMES.read_text(encoding="utf-8").partition("\n")[0])
    ask = ["decode", "--as", "request", said["frame_hex"]]
    (field,) = seen(kproto(*ask, "--json", "--field", "clientId").stdout)
    assert (field["name"], field["value"]) == ("RequestHeader", said["client"])
    assert b"group_id" in kproto(*ask, "--field", "group_id").stdout
    missing = kproto(*ask, "--json", "--field", "nowhere", status=1)
    assert not missing.stdout
    assert b"no field nowhere was read in this JoinGroupRequest" in missing.stderr
    hidden = kproto(*ask, "--json", "--redact").stdout
    assert said["client"].encode() not in hidden
    assert b"<client-1>" in hidden


def test_a_frame_that_is_refused_says_so(kproto: Run) -> None:
    how = ["--as", "response", "--api-version", "0", "--api-key", "12", "0000000c 00"]
    for more in ([], ["--json"]):
        done = kproto("decode", *how, *more, status=1)
        form, refused = done.stderr.splitlines()
        assert form == b"kproto: INPUT was read as hex; its messages could also end elsewhere"
        assert refused == (
            b"kproto: HeartbeatResponse refused: truncated at byte 0 in error_code: "
            b"int16 of 2 bytes, 1 left"
        )


@pytest.mark.parametrize("option", ["--body=0", "--reader-version=1", "--definitions=."])
def test_what_a_frame_says_itself(kproto: Run, option: str) -> None:
    done = kproto("decode", "--as", "request", option, "00", status=2)
    assert b"is for messages, and request is a frame" in done.stderr


def test_the_name_of_an_api(kproto: Run) -> None:
    how = ["--as", "response", "--api-version", "0", "--json", "0000000c 0000"]
    for name in ("12", "Heartbeat", "heartbeatresponse"):
        (line,) = seen(kproto("decode", *how, "--api-key", name).stdout)
        assert line["body"]["name"] == "HeartbeatResponse"


def test_redacted(kproto: Run) -> None:
    text = kproto("decode", PCAP, "--json", "--redact").stdout
    assert b"clicks" not in text
    assert len(seen(text)) == 1432


# -- what goes wrong


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (["--as", "response", "00"], 2, "--as response needs --api-key and --api-version"),
        (["--api-key", "3", "00"], 2, "go with --as response"),
        (["--as", "response", "--api-key", "Join", "--api-version", "1", "00"], 2, "no API key"),
        ([PCAP, "--as", "JoinGroupRequest"], 2, "--as is for single messages"),
        ([SEGMENTS, "--body", "1"], 2, "--body is for single messages"),
        ([CAPTURES.parent / "captures" / "no-such.pcap"], 2, "neither hex nor a file"),
    ],
)
def test_wrong_use(kproto: Run, arguments: list[str | Path], status: int, line: str) -> None:
    done = kproto("decode", *arguments, status=status)
    assert line in one_line(done.stderr)
    assert not done.stdout


def test_folders_without_segments(kproto: Run, tmp_path: Path) -> None:
    done = kproto("decode", tmp_path, status=2)
    assert "Is a directory without log segments" in one_line(done.stderr)


def test_one_bad_record_shows_all_others(kproto: Run, tmp_path: Path) -> None:
    """A value that Kafka refuses among others; a batch that is damaged; the end torn off."""
    good = next(read_segments([SEGMENTS]))
    assert good.key is not None and good.value is not None
    parts = [
        batch(0, [good.value, good.value[:9], good.value], keys=[good.key] * 3),
        batch(3, [good.value], keys=[good.key])[:-1] + b"\xff",
        batch(4, [good.value], keys=[b"\x7f\xff"]),
        batch(5, [good.value], keys=[good.key]),
        batch(6, [good.value], keys=[good.key])[:-7],
    ]
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(b"".join(parts))
    done = kproto("decode", file, "--json", status=3)
    lines = seen(done.stdout)
    assert [line["offset"] for line in lines] == [0, 1, 2, 4, 5]
    errors = [line["value"]["error"] and line["value"]["error"]["kind"] for line in lines]
    assert errors == [None, "truncated", None, "unknown-record-type", None]
    said = one_line(done.stderr)
    assert "5 records read; skipped: batch with a wrong checksum (1 time" in said
    assert "end of a segment inside a batch" in said and "2 of them refused" in said
    assert "refused" in kproto("decode", file, status=3).stdout.decode()


def test_a_torn_last_batch_is_what_a_living_log_has(kproto: Run, tmp_path: Path) -> None:
    data = (SEGMENTS / "__consumer_offsets-0" / "00000000000000000000.log").read_bytes()
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(data[:-9])
    done = kproto("decode", file, "--json")
    assert 320 <= len(seen(done.stdout)) < 327
    assert "end of a segment inside a batch" in one_line(done.stderr)


def test_a_file_that_cannot_be_read_among_others(kproto: Run, tmp_path: Path) -> None:
    (tmp_path / "00000000000000000000.log").symlink_to(tmp_path / "gone")
    data = (SEGMENTS / "__consumer_offsets-0" / "00000000000000000000.log").read_bytes()
    (tmp_path / "00000000000000000009.log").write_bytes(data)
    done = kproto("decode", tmp_path, "--json", status=3)
    assert len(seen(done.stdout)) == 327
    assert "segment that cannot be opened" in one_line(done.stderr)


def test_hostile_names_are_shown_never_obeyed(kproto: Run, tmp_path: Path) -> None:
    from kproto.codec import OffsetCommitKey, OffsetCommitValue

    hostile = "\x1b]0;x\x07\u202e[red]\r\n"
    key = OffsetCommitKey(group=hostile, topic=hostile, partition=1).to_bytes()
    value = OffsetCommitValue(metadata=hostile).to_bytes(3)
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(batch(0, [value], keys=[key]))
    for arguments in ([], ["--json"], ["--color", "always"]):
        text = kproto("decode", file, *arguments).stdout.decode()
        assert not {"\x07", "\u202e", "\r"} & set(text)
        assert "\x1b]" not in text


# -- what hostile captures cost

LIMIT = 260 << 20  # bytes of address space above what Python and its libraries take: see `bounded`


@pytest.fixture
def bounded(kproto: Run) -> Run:
    """The command, killed where it takes memory out of proportion."""
    import resource

    def run(*arguments: str | Path, status: int = 0, seconds: float = 600) -> Any:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))

        done = subprocess.run(
            [*COMMAND, *arguments],
            capture_output=True,
            check=False,
            timeout=seconds,
            env=ENVIRONMENT,
            preexec_fn=limit,
        )
        assert b"Traceback" not in done.stderr
        assert b"memory" not in done.stderr
        assert done.returncode == status, done.stderr
        return done

    return run


def test_billions_of_claimed_records(bounded: Run, tmp_path: Path) -> None:
    data = bytearray(batch(0, [b"\0\0"] * 3))
    data[57:61] = struct.pack(">i", 2**31 - 1)
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(sealed(bytes(data)) + batch(3, [None]))
    done = bounded("decode", file, "--json", status=3)
    assert [line["offset"] for line in seen(done.stdout)] == [0, 1, 2, 3]
    assert "rest of a batch whose records are damaged" in one_line(done.stderr)


def test_claims_inside_of_values(bounded: Run, tmp_path: Path) -> None:
    """A group of two billion members, and a member's subscription of as many topics."""
    from kproto.codec import GroupMetadataKey, GroupMetadataValue

    key = GroupMetadataKey(group="g").to_bytes()
    member = GroupMetadataValue.MemberMetadata(
        member_id="m", client_id="c", client_host="h", assignment=b"",
        subscription=bytes.fromhex("0003 7fffffff 0001 61"),
    )  # fmt: skip
    group: dict[str, Any] = {"protocol_type": "consumer", "protocol": "range", "leader": "m"}
    value = GroupMetadataValue(**group, members=[member] * 3).to_bytes(3)
    empty = GroupMetadataValue(**group).to_bytes(3)
    many = empty[:-4] + struct.pack(">i", 2**31 - 1)
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(batch(0, [many, value], keys=[key] * 2))
    first, second = seen(bounded("decode", file, "--json", status=1).stdout)
    assert first["value"]["error"]["kind"] == "count-exceeds-input"
    assert second["value"]["error"] is None
    assert [inner["error"]["kind"] for inner in second["value"]["opened"]] == [
        "count-exceeds-input"
    ] * 3


@pytest.mark.parametrize("codec", [1, 2, 3, 4], ids=["gzip", "snappy", "lz4", "zstd"])
def test_decompression_bombs(bounded: Run, tmp_path: Path, codec: int) -> None:
    """A value of 200 MB in a small batch: above the limit, and said so."""
    from tests.capture.test_segments import CODECS

    assert codec in CODECS.values()
    whole = batch(0, [bytes(200_000)], codec=0)
    import cramjam

    records = whole[61:] + bytes(200 << 20)
    packed = {
        1: lambda data: bytes(cramjam.gzip.compress(data, 9)),
        2: lambda data: bytes(cramjam.snappy.compress_raw(data)),
        3: lambda data: bytes(cramjam.lz4.compress(data)),
        4: lambda data: bytes(cramjam.zstd.compress(data)),
    }[codec](records)
    data = bytearray(whole[:61] + packed)
    data[8:12] = struct.pack(">i", len(data) - 12)
    data[22] |= codec
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(sealed(bytes(data)) + batch(1, [None]))
    done = bounded("decode", file, "--json", status=3)
    assert [line["offset"] for line in seen(done.stdout)] == [1]
    assert "larger than the limit once decompressed" in one_line(done.stderr)


def test_a_hundred_megabytes_of_log(bounded: Run, tmp_path: Path) -> None:
    """Streaming: what is held does not grow with the file. Most of it is noise here."""
    file = tmp_path / "00000000000000000000.log"
    good = batch(0, [None])
    with file.open("wb") as out:
        for _ in range(100):
            out.write(good)
            out.write(bytes(range(256)) * 4096)
    done = bounded("decode", file, "--json", status=3)
    assert len(seen(done.stdout)) >= 60
    assert "bytes in a segment that are no batch" in one_line(done.stderr)


def test_segments_of_tcp_that_overlap_and_run_in_circles(bounded: Run, tmp_path: Path) -> None:
    from tests.capture.wires import ip_packet, request

    stream = b"".join(request(number) for number in range(200))
    packets = heartbeats(2)
    for start in range(0, len(stream), 7):  # each byte several times, and backwards
        packets.append(ip_packet(stream[start : start + 60], 9_000_000 + start, ports=(5, 6)))
    for start in range(2**32 - 4000, 2**32 + 4000, 40):  # over the end of the numbers, and again
        packets.append(ip_packet(stream[:80], start, ports=(7, 8)))
        packets.append(ip_packet(stream[:80], start - 2**31, ports=(7, 8)))
    file = tmp_path / "circles.pcap"
    file.write_bytes(captured(packets).getvalue())
    done = bounded("decode", file, "--json", status=3)
    assert len(seen(done.stdout)) >= 4


def test_json_in_user_data_nested_without_end(bounded: Run, tmp_path: Path) -> None:
    from kproto.codec import ConsumerProtocolSubscription, JoinGroupRequest

    deep = b"[" * 100_000 + b"]" * 100_000
    message = ConsumerProtocolSubscription(topics=["t"], user_data=deep)
    protocol = JoinGroupRequest.JoinGroupRequestProtocol(name="x", metadata=message.to_bytes(0))
    body = JoinGroupRequest(group_id="g", protocol_type="consumer", protocols=[protocol])
    header = bytes.fromhex("000b 0005 00000001 0001 63")
    file = tmp_path / "frame.hex"
    file.write_text((header + body.to_body(5)).hex(), encoding="ascii")
    (line,) = seen(bounded("decode", "--as", "request", file, "--json").stdout)
    (inner,) = line["body"]["opened"]
    assert inner["opened"][0]["name"] == "text"
