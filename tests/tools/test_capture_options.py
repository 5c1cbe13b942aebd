"""`kproto decode` on captures: rings of files, folders, gzip, filters, --definitions, TLS."""

from __future__ import annotations

import gzip
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import dpkt
import pytest

from tests.capture.wires import captured, ip_packet

from .conftest import CAPTURES, Run
from .test_captures import seen

KIP_848 = CAPTURES / "kip-848.pcap.gz"
PACKETS = [
    (when, bytes(data))
    for when, data in dpkt.pcap.Reader(BytesIO(gzip.decompress(KIP_848.read_bytes())))
]


def write(path: Path, packets: list[tuple[float, bytes]], *, keep: int = 65535) -> Path:
    with path.open("wb") as file:
        writer = dpkt.pcap.Writer(file, linktype=101, snaplen=keep)
        for when, data in packets:
            writer.writepkt(data[:keep], when)
    return path


def in_one_line(stderr: bytes) -> str:
    """All lines, as one."""
    return re.sub(r"\s+", " ", stderr.decode())


def without_source(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**line, "source": "", "packet": 0} for line in lines]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("whole") / "whole.pcap", PACKETS)


# -- several files


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_ring_is_one_capture_in_the_order_of_time(
    kproto: Run, whole: Path, tmp_path: Path, packed: bool
) -> None:
    """Files as `tcpdump -W 4 -C` leaves them: the oldest one is not the first by name, and
    connections go on from file to file."""
    step = len(PACKETS) // 4 + 1
    ring = tmp_path / "ring"
    ring.mkdir()
    for number in range(4):
        part = PACKETS[number * step : (number + 1) * step]
        file = write(ring / f"ring.pcap{(number + 2) % 4}", part)
        if packed:
            (ring / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
            file.unlink()
    expected = seen(kproto("decode", "--json", whole).stdout)
    folder = seen(kproto("decode", "--json", ring).stdout)
    named = seen(kproto("decode", "--json", *sorted(ring.iterdir())).stdout)
    assert without_source(folder) == without_source(expected)
    assert named == folder
    assert len({line["source"] for line in folder}) == 4
    numbers = [line["packet"] for line in folder if line["source"] == folder[0]["source"]]
    assert max(numbers) <= step
    text = kproto("decode", ring).stdout.decode()
    in_time = sorted(ring.iterdir(), key=lambda file: (int(file.name[9]) - 2) % 4)
    assert [text.count(f"/{file.name} ") for file in in_time] == [1, 1, 1, 1]


def test_captures_of_two_hosts_are_merged(kproto: Run, whole: Path, tmp_path: Path) -> None:
    """Each has every other connection: by their ports, which tell them apart here."""
    by_port: dict[bool, list[tuple[float, bytes]]] = {False: [], True: []}
    for when, data in PACKETS:
        ip = dpkt.ip.IP(data)
        by_port[(ip.data.sport ^ ip.data.dport) % 4 < 2].append((when, data))
    files = [write(tmp_path / f"{name}.pcap", part) for name, part in by_port.items()]
    assert all(by_port.values())
    told = kproto("decode", *files).stdout
    assert re.sub(rb" \[\d+\] +", b" ", told) and told.count(b"JoinGroup") == kproto(
        "decode", whole
    ).stdout.count(b"JoinGroup")


def test_other_files_of_a_folder_are_left_out(kproto: Run, whole: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("0001")
    (tmp_path / "empty").touch()
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "one.pcap").write_bytes(whole.read_bytes())
    assert len(seen(kproto("decode", "--json", tmp_path).stdout)) == len(
        seen(kproto("decode", "--json", whole).stdout)
    )


def test_a_file_that_ends_inside_a_packet(kproto: Run, whole: Path, tmp_path: Path) -> None:
    data = whole.read_bytes()
    for name, cut in (("plain.pcap", data[:-7]), ("packed.pcap.gz", gzip.compress(data)[:-900])):
        file = tmp_path / name
        file.write_bytes(cut)
        done = kproto("decode", "--json", file, status=3)
        assert len(seen(done.stdout)) > 1000
        assert "end of a capture that was cut short" in in_one_line(done.stderr)


# -- packets that were cut


def test_what_the_snap_length_has_left_is_shown(kproto: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "snap.pcap", PACKETS, keep=96)
    done = kproto("decode", file, status=3)
    text = re.sub(r"\s+", " ", done.stdout.decode())
    assert "✗ cannot be read: its packets were cut as they were captured" in text
    assert (
        "read before: group_id coop, session_timeout_ms 3000, rebalance_timeout_ms 300000" in text
    )
    assert re.search(
        r"part of a frame: its packets were cut .*? \(\d+ times,", in_one_line(done.stderr)
    )
    lines = seen(kproto("decode", "--json", file, status=3).stdout)
    cut = [line["body"] for line in lines if line["body"] and line["body"]["message"] is None]
    assert cut
    named = [body for body in cut if body["name"] is not None]
    assert all("snap length" in body["note"] and not body["deviations"] for body in named)
    assert any(body["read"].get("group_id") == "coop" for body in cut)
    hidden = kproto("decode", "--json", "--redact", file, status=3).stdout
    assert b'"coop"' not in hidden and b"consumer" in hidden


# -- filters


def test_a_group_a_client_and_a_topic(kproto: Run) -> None:
    lines = seen(kproto("decode", "--json", "--group", "modern", KIP_848).stdout)
    groups = {
        line["body"]["message"].get("groupId")
        for line in lines
        if line["direction"] == "request" and "OffsetFetch" not in line["body"]["name"]
        and "FindCoordinator" not in line["body"]["name"]
    }  # fmt: skip
    assert groups == {"modern"}
    asked = {(line["connection"], line["correlationId"]) for line in lines}
    assert all(
        (line["connection"], line["correlationId"]) in asked
        for line in lines if line["direction"] == "response"
    )  # fmt: skip
    mine = seen(kproto("decode", "--json", "--client", "librdkafka-1", KIP_848).stdout)
    assert {
        line["header"]["message"]["clientId"] for line in mine if line["direction"] == "request"
    } == {"librdkafka-1"}
    both = seen(
        kproto("decode", "--json", "--group", "modern", "--topic", "clicks", KIP_848).stdout
    )
    text = json.dumps(both)
    beats = [line for line in both if line["apiKey"] == 68 and line["direction"] == "response"]
    assert "clicks" in text and beats  # by the topic's id, which Metadata tells
    assert len(both) < len(lines)


def test_the_frames_of_one_group(kproto: Run) -> None:
    text = kproto("decode", "--group", "coop", KIP_848).stdout.decode()
    assert "group id coop;" in text and "modern" not in text
    assert kproto("decode", "--group", "coo*", KIP_848).stdout.decode() == text


def test_a_list_names_the_software_of_each_client(kproto: Run) -> None:
    text = in_one_line(kproto("decode", CAPTURES / "three-clients.pcap").stdout)
    assert re.findall(r"client software name (\S+); client software version (\S+)", text) == [
        ("confluent-kafka-python", "2.16.1-rdkafka-2.16.0"), ("kgo", "v1.22.2"),
        ("kafka-python", "3.0.12"),
    ]  # fmt: skip


def test_the_records_of_one_group(kproto: Run) -> None:
    topic = CAPTURES / "offsets-topic"
    every = kproto("decode", "--json", topic).stdout.splitlines()
    lines = kproto("decode", "--json", "--group", "java.roundrobin", topic).stdout.splitlines()
    assert lines == [line for line in every if b'"group":"java.roundrobin"' in line] and lines
    text = kproto("decode", "--group", "java.r*", topic).stdout.decode()
    assert "group java.roundrobin" in text and "kjs" not in text
    near = kproto("decode", "--group", "java.rundrobin", topic, status=2).stderr
    assert b"no group 'java.rundrobin'; did you mean 'java.roundrobin'" in near


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_choice_that_nothing_meets_is_said(kproto: Run, form: tuple[str, ...]) -> None:
    capture = CAPTURES / "three-clients.pcap"
    done = kproto("decode", *form, "--client", "nobody", "--topic", "nothing", capture)
    assert done.returncode == 0 and not done.stdout
    assert b"kproto: no frame was chosen by --client, --topic\n" in done.stderr
    done = kproto("decode", *form, "--group", "live.range", capture)
    assert done.stdout and b"chosen" not in done.stderr


def test_a_time(kproto: Run) -> None:
    whole = seen(kproto("decode", "--json", KIP_848).stdout)
    start, end = "2026-11-22T15:44:42.000Z", "2026-11-22T15:44:44.500Z"
    assert whole[0]["time"] < start < whole[-1]["time"]
    expected = [line for line in whole if start <= line["time"] <= end]
    for times in (
        ["--since", "2026-11-22T15:44:42", "--until", "2026-11-22T15:44:44.5"],
        ["--since", "2026-11-22T16:44:42+01:00", "--until", "2026-11-22T16:44:44.5+01:00"],
        ["--since", "15:44:42", "--until", "15:44:44.500"],
    ):
        assert seen(kproto("decode", "--json", *times, KIP_848).stdout) == expected


def test_hosts_are_told_on_demand(kproto: Run) -> None:
    assert b"127.0.0.1" not in kproto("decode", "--group", "modern", KIP_848).stdout
    text = in_one_line(kproto("decode", "--group", "modern", "--hosts", KIP_848).stdout)
    assert re.search(r"between 127\.0\.0\.1:\d+ > 127\.0\.0\.1:\d+ #\d+", text)
    hidden = kproto("decode", "--hosts", "--redact", KIP_848).stdout
    assert b"127.0.0.1" not in hidden and b"twin" not in hidden and b"between" in hidden


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--group", "g", "00010000000100016100000000"], "--group is for captures, not"),
        (["--since", "yesterday", CAPTURES / "loopback.pcap"], "'yesterday' is no time"),
        (["--until", "25:00", CAPTURES / "loopback.pcap"], "'25:00' is no time"),
        (["--client", "c", CAPTURES / "offsets-topic"], "--client is for packets and frames"),
        (["--definitions", ".", CAPTURES / "offsets-topic"], "--definitions is for packets"),
    ],
)  # fmt: skip
def test_wrong_use(kproto: Run, arguments: list[Any], line: str) -> None:
    assert line in in_one_line(kproto("decode", *arguments, status=2).stderr)


# -- definitions


def test_definitions_of_other_apis(kproto: Run, tmp_path: Path) -> None:
    """CreateTopics, which is not built in; its layout is that of Kafka's protocol guide."""

    def field(name: str, type_: str, versions: str = "0+", **more: Any) -> dict[str, Any]:
        return {"name": name, "type": type_, "versions": versions, **more}

    common = {"apiKey": 19, "validVersions": "2-7", "flexibleVersions": "5+"}
    null = {"nullableVersions": "0+"}
    config = [field("Name", "string"), field("Value", "string", **null)]
    assignment = [field("PartitionIndex", "int32"), field("BrokerIds", "[]int32")]
    asks = [
        field("Topics", "[]CreatableTopic", fields=[
            field("Name", "string"), field("NumPartitions", "int32"),
            field("ReplicationFactor", "int16"),
            field("Assignments", "[]CreatableReplicaAssignment", fields=assignment),
            field("Configs", "[]CreatableTopicConfig", fields=config),
        ]),
        field("TimeoutMs", "int32"), field("ValidateOnly", "bool", "1+"),
    ]  # fmt: skip
    answered = [
        field("ThrottleTimeMs", "int32", "2+"),
        field("Topics", "[]CreatableTopicResult", fields=[
            field("Name", "string"), field("TopicId", "uuid", "7+"), field("ErrorCode", "int16"),
            field("ErrorMessage", "string", **null),
            field("TopicConfigErrorCode", "int16", "5+", tag=0, taggedVersions="5+"),
            field("NumPartitions", "int32", "5+"), field("ReplicationFactor", "int16", "5+"),
            field("Configs", "[]CreatableTopicConfigs", "5+", nullableVersions="5+", fields=[
                *config, field("ReadOnly", "bool"), field("ConfigSource", "int8"),
                field("IsSensitive", "bool"),
            ]),
        ]),
    ]  # fmt: skip
    for kind, fields in (("Request", asks), ("Response", answered)):
        text = json.dumps(
            {**common, "type": kind.lower(), "name": f"CreateTopics{kind}", "fields": fields}
        )
        (tmp_path / f"CreateTopics{kind}.json").write_text(text)
    done = kproto("decode", "--json", "--definitions", tmp_path, KIP_848)
    bodies = [line["body"] for line in seen(done.stdout) if line["apiKey"] == 19]
    assert [body["name"] for body in bodies] == ["CreateTopicsRequest", "CreateTopicsResponse"] * 2
    for body, (topic, partitions) in zip(
        bodies, [("orders", 6)] * 2 + [("clicks", 4)] * 2, strict=True
    ):
        assert (body["error"], body["remainder"]) == (None, "")
        (made,) = body["message"]["topics"]
        assert (made["name"], made["numPartitions"]) == (topic, partitions)
    assert "CreateTopics, not decoded" not in in_one_line(done.stderr)
    plain = seen(kproto("decode", "--json", KIP_848).stdout)
    assert all(line["body"] is None for line in plain if line["apiKey"] == 19)


# -- TLS


def test_tls_is_named_with_the_command_that_decrypts(kproto: Run, tmp_path: Path) -> None:
    hello = bytes.fromhex("16030100c8010000c40303") + bytes(200)
    packets = [
        ip_packet(b"", 1000, flags=2),
        ip_packet(b"", 5000, ports=(9092, 40000), flags=18, ack=1001),
        ip_packet(hello, 1001, ack=5001),
    ]
    file = tmp_path / "tls.pcap"
    file.write_bytes(captured(packets).getvalue())
    said = in_one_line(kproto("decode", file, status=1).stderr)
    assert "connection that is encrypted (TLS)" in said
    assert "tshark" in said and "tls.keylog_file" in said
