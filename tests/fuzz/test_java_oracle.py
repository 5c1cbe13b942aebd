"""The Java oracle gives Kafka's answers: those that were taken down once, and to fresh questions.

The vectors were made with the same Kafka release by other means, so a reply that differs is a
fault of the oracle, of its batches or of the way it reads Java's answers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kproto.fuzz.oracles.java import JavaFailure, JavaOracle, JavaRefusal, JavaUnsupported

if TYPE_CHECKING:
    from collections.abc import Iterable

VECTORS = Path(__file__).parent.parent / "vectors"
SUBSCRIPTION = "ConsumerProtocolSubscription"

Line = dict[str, Any]


def lines(file: str) -> list[Line]:
    return [json.loads(line) for line in (VECTORS / file).read_text("utf-8").splitlines()]


def grouped(file: str, *keys: str) -> Iterable[tuple[tuple[Any, ...], list[Line], list[bytes]]]:
    """The lines of a file by the given keys, each group with its bytes."""
    groups = defaultdict(list)
    for line in lines(file):
        groups[tuple(line[key] for key in keys)].append(line)
    for group, members in groups.items():
        yield group, members, [bytes.fromhex(line["hex"]) for line in members]


def again(line: Line) -> str:
    """What Java writes for an accepted body: by default what it read."""
    read = bytes.fromhex(line["hex"])
    return str(line.get("again", read[: len(read) - line["left"]].hex()))


# Against the vectors


def test_consumer_protocol_verdicts_and_values(java_oracle: JavaOracle) -> None:
    for (name,), expected, payloads in grouped("consumer-protocol.jsonl", "name"):
        for line, verdict in zip(expected, java_oracle.deserialize(name, payloads), strict=True):
            said = {key: value for key, value in verdict._asdict().items() if value is not None}
            assert said == {key: line[key] for key in line if key not in ("name", "kind", "hex")}


def test_valid_bodies_are_read_and_written_again(java_oracle: JavaOracle) -> None:
    for (name, version), expected, bodies in grouped("group-messages.jsonl", "name", "version"):
        for line, reading in zip(expected, java_oracle.read(name, version, bodies), strict=True):
            body = bytes.fromhex(line["hex"])
            assert reading == (True, 0, len(body), line["json"], body, None)


def test_broken_bodies_are_judged_as_recorded(java_oracle: JavaOracle) -> None:
    file = "group-messages-broken.jsonl"
    for (name, version), expected, bodies in grouped(file, "name", "version"):
        readings = java_oracle.read(name, version, bodies)
        for line, body, reading in zip(expected, bodies, readings, strict=True):
            assert reading.accept == line["accept"]
            if reading.accept:
                assert (reading.left, reading.json) == (line["left"], line["json"])
                assert reading.end + line["left"] == len(body)
                assert reading.again is not None
                assert reading.again.hex() == again(line)
            else:
                assert (reading.left, reading.json, reading.again) == (None, None, None)
                assert reading.error


def test_json_is_written_as_the_recorded_bytes(java_oracle: JavaOracle) -> None:
    for (name, version), expected, bodies in grouped("group-messages.jsonl", "name", "version"):
        texts = [json.dumps(line["json"]) for line in expected]
        written = java_oracle.write(name, version, texts)
        assert written == [(body, None) for body in bodies]


def test_assignors_divide_as_recorded(java_oracle: JavaOracle) -> None:
    for line in lines("assignments.jsonl"):
        members = [
            (m["member_id"], bytes.fromhex(m["subscription"]), m["group_instance_id"])
            for m in line["members"]
        ]
        assigned = java_oracle.assign(line["assignor"], line["topics"], line["racks"], members)
        assert assigned == {
            member: [(topic, partition) for topic, partition in partitions]
            for member, partitions in line["assigned"].items()
        }


def test_digests_of_the_consumer_protocol_tell_values_apart(java_oracle: JavaOracle) -> None:
    for (name,), expected, payloads in grouped("consumer-protocol.jsonl", "name"):
        digests = java_oracle.digests(name, payloads)
        assert digests.left == [line.get("left") for line in expected]
        for line, written in zip(expected, digests.again, strict=True):
            if not line["accept"]:
                assert written is None
                continue
            assert written is not None
            # Under the version it was read as: the same bytes mean the same value, to Java too.
            (reread,) = java_oracle.deserialize(name, [written])
            assert reread.version == line["schema_version"]
            assert (reread.left, reread.json) == (0, line["json"])


def test_digests_of_bodies_are_what_reading_them_gives(java_oracle: JavaOracle) -> None:
    file = "group-messages-broken.jsonl"
    for (name, version), expected, bodies in grouped(file, "name", "version"):
        digests = java_oracle.digests(name, bodies, version=version)
        assert digests.left == [line.get("left") for line in expected]
        written = [None if data is None else data.hex() for data in digests.again]
        assert written == [again(line) if line["accept"] else None for line in expected]


# What the vectors do not hold


def test_every_definition_with_versions_has_a_class(java_oracle: JavaOracle) -> None:
    names = java_oracle.names()
    # Of 247 definitions in the jars, 8 have no versions left.
    assert len(names) == 239
    assert "LeaderAndIsrRequest" not in names
    assert names["JoinGroupRequest"] == (0, 9)
    assert names["RequestHeader"] == (1, 2)
    assert names["StreamsGroupTopologyValue"] == (0, 0)


def test_records_have_no_json_to_write_from(java_oracle: JavaOracle) -> None:
    assert "ProduceRequest" in java_oracle.with_records()
    assert "JoinGroupRequest" not in java_oracle.with_records()
    with pytest.raises(JavaUnsupported, match="ProduceRequest"):
        java_oracle.write("ProduceRequest", 9, ["{}"])


def test_a_value_that_java_cannot_write_again_is_still_accepted(java_oracle: JavaOracle) -> None:
    # Two unknown tags in descending order: read, kept, and refused by Java's own writer.
    body = bytes.fromhex("00000000 0000 02 0500 0400")
    (reading,) = java_oracle.read("HeartbeatResponse", 4, [body])
    assert (reading.accept, reading.left, reading.again) == (True, 0, None)
    assert reading.error == (
        "RuntimeException: Invalid raw tag field list: tag 4 comes after tag 5, "
        "but is not higher than it."
    )
    assert java_oracle.digests("HeartbeatResponse", [body], version=4) == ([0], [None])


def test_a_refusal_says_where_the_reader_stood(java_oracle: JavaOracle) -> None:
    # A group id of 5 bytes of which 2 are there: the length itself has been taken.
    (reading,) = java_oracle.read("HeartbeatRequest", 3, [bytes.fromhex("0005 6767")])
    assert (reading.accept, reading.end) == (False, 2)


def test_inputs_of_a_batch_do_not_see_each_other(java_oracle: JavaOracle) -> None:
    whole = bytes.fromhex("0000 00000001 000174 ffffffff")
    batch = [whole[:-1], whole, b"", whole + b"\xff", whole[:7], whole]
    alone = [java_oracle.deserialize(SUBSCRIPTION, [payload])[0] for payload in batch]
    assert [verdict.left for verdict in alone] == [None, 0, None, 1, None, 0]
    assert java_oracle.deserialize(SUBSCRIPTION, batch) == alone
    assert java_oracle.deserialize(SUBSCRIPTION, []) == []


def test_json_that_java_refuses(java_oracle: JavaOracle) -> None:
    full = '{"topics": [], "userData": null}'
    broken = ["", "{", "null", '{"topics": []}', '{"topics": {}, "userData": null}']
    first, *others, last = java_oracle.write(SUBSCRIPTION, 0, [full, *broken, full])
    assert first == last == (bytes.fromhex("00000000 ffffffff"), None)
    assert all(written.data is None and written.error for written in others)


def test_an_assignor_refuses_a_broken_subscription(java_oracle: JavaOracle) -> None:
    with pytest.raises(JavaRefusal, match="SchemaException"):
        java_oracle.assign("range", {"t": 1}, None, [("m", b"\x00", None)])


@pytest.mark.parametrize(
    ("name", "version", "complaint"),
    [
        ("NoSuchRequest", 0, "NoSuchRequest"),
        ("LeaderAndIsrRequest", 0, "LeaderAndIsrRequest"),
        ("HeartbeatRequest", 5, "0-4, not version 5"),
        ("RequestHeader", 0, "1-2, not version 0"),
        ("HeartbeatRequest", -1, "0-4, not version -1"),
    ],
)
def test_questions_kafka_has_no_code_for(
    java_oracle: JavaOracle, name: str, version: int, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        java_oracle.read(name, version, [b""])


def test_only_the_consumer_protocol_has_a_public_entry_point(java_oracle: JavaOracle) -> None:
    with pytest.raises(ValueError, match="HeartbeatRequest"):
        java_oracle.deserialize("HeartbeatRequest", [b""])


def test_an_unknown_assignor(java_oracle: JavaOracle) -> None:
    with pytest.raises(ValueError, match="stream-join"):
        java_oracle.assign("stream-join", {}, None, [])  # type: ignore[arg-type]


def test_a_forked_child_is_told(java_oracle: JavaOracle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(JavaFailure, match="fork"):
        java_oracle.deserialize(SUBSCRIPTION, [b""])


OUT_OF_MEMORY = """
import jpype
jpype.startJVM("-Xmx16m", convertStrings=False)

from kproto.fuzz.oracles.java import JavaFailure, JavaOracle
oracle = JavaOracle()
partitions = (1_000_000).to_bytes(4, "big") + bytes(4_000_000)
large = bytes.fromhex("00000001 000174") + partitions + bytes.fromhex("ffffffff")
try:
    print(oracle.digests("ConsumerProtocolAssignment", [bytes(8), large], version=0))
except JavaFailure as failure:
    print(failure)
print(oracle.digests("ConsumerProtocolAssignment", [bytes(8)], version=0))
"""


@pytest.mark.slow
@pytest.mark.usefixtures("java_oracle")
def test_running_out_of_memory_is_no_verdict() -> None:
    """In a JVM that somebody else started, with a heap too small for a million partitions."""
    command = [sys.executable, "-c", OUT_OF_MEMORY]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    failure, afterwards = done.stdout.splitlines()
    assert failure.startswith("OutOfMemoryError")
    assert "at input 1 of the batch" in failure
    assert afterwards == "Digests(left=[0], again=[b'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00'])"
