"""The object that `--json` prints, against what Apache Kafka's own classes say."""

from __future__ import annotations

import json

from kproto.codec import Policy, message_class
from kproto.inspector import examine, report

from .samples import CAPTURES, CLIENTS, printed, vectors

KEYS = ["name", "version", "schemaVersion", "message", "remainder", "deviations", "error"]


def test_against_java() -> None:
    refused = 0
    for vector in vectors("consumer-protocol.jsonl"):
        data = bytes.fromhex(vector["hex"])
        made = printed(report(examine(data, message_class(vector["name"]))))
        assert [key for key in made if key not in ("opened", "fields")] == KEYS
        ends = [field["end"] for field in made.get("fields", [])]
        assert ends == sorted(ends)
        assert made["message"] is None or ends[-1] == len(data) - vector["left"]
        assert (made["error"] is None) == vector["accept"]
        if vector["accept"]:
            assert made["message"] == vector["json"]
            assert made["version"] == vector["version"]
            assert made["schemaVersion"] == vector["schema_version"]
            assert len(bytes.fromhex(made["remainder"])) == vector["left"]
        else:
            refused += 1
            assert made["message"] is None
    assert refused > 100


def test_error_and_deviation() -> None:
    made = printed(
        report(examine(CAPTURES["kafkajs"], message_class("ConsumerProtocolSubscription")))
    )
    assert made["error"] == {
        "kind": "truncated",
        "offset": 18,
        "path": "owned_partitions",
        "explanation": "int32 of 4 bytes, 0 left",
    }
    first = made["deviations"][0]
    assert list(first) == ["code", "class", "offset", "path", "count", "explanation"]
    assert (first["code"], first["class"], first["path"]) == ("KP040", "content", "version")


def test_unknown_tagged_fields_stand_beside() -> None:
    body = bytes.fromhex("00000007 02 05 02 abcd 09 00")
    made = printed(report(examine(body, message_class("ResponseHeader"), body_version=1)))
    assert made["message"] == {"correlationId": 7}
    assert [(tag["tag"], tag["data"]) for tag in made["unknownTaggedFields"]] == [
        (5, "abcd"),
        (9, ""),
    ]


def test_the_verdict_is_the_policys() -> None:
    """Kafka accepts a remainder; a strict reader does not, and still shows what it read."""
    data = bytes.fromhex(CLIENTS["Sarama 2.0"]) + b"\x01"
    cls = message_class("ConsumerProtocolSubscription")
    strict = printed(report(examine(data, cls, policy=Policy.STRICT)))
    assert strict["error"]["kind"] == "remainder"
    assert strict["message"] == printed(report(examine(data, cls)))["message"]
    lenient = examine(data[:9], cls, policy=Policy.LENIENT)
    assert not lenient.refused
    assert printed(report(lenient))["error"]["kind"] == "truncated"


def test_what_cannot_be_written_again_is_no_reason_to_fail() -> None:
    """Each invalid byte is U+FFFD, three bytes: the name is longer than a name can be."""
    data = bytes.fromhex("0000 00000001 7fff") + b"\xff" * 32767 + b"\xff\xff\xff\xff"
    made = printed(report(examine(data, message_class("ConsumerProtocolSubscription"))))
    assert made["error"] is None
    assert made["deviations"][0]["code"] == "KP002"
    assert json.dumps(made)
