"""Groups as other brokers store them, in bytes and JSON made by what their source says: see
docs/explanation/other-brokers.md."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from random import Random
from typing import Any

from .conftest import Run
from .printers import draw_named
from .test_one_entrance import either_status


def lines(stdout: bytes) -> list[Any]:
    return [json.loads(line) for line in stdout.splitlines()]


def string(text: str) -> bytes:
    return struct.pack(">h", len(text)) + text.encode()


def sized(data: bytes) -> bytes:
    return struct.pack(">i", len(data)) + data


def test_a_group_of_kafka_on_pulsar(kproto: Run, rng: Random) -> None:
    """GroupMetadataConstants.java: GROUP_METADATA_VALUE_SCHEMA_V1, behind the version."""
    # One group a run, of fresh bytes: nothing to shrink.
    subscription = draw_named(rng, "ConsumerProtocolSubscription")
    assignment = draw_named(rng, "ConsumerProtocolAssignment")
    member = b"".join((
        string("consumer-1"), string("client"), string("/10.0.0.5"),
        struct.pack(">ii", 300_000, 45_000), sized(subscription.data), sized(assignment.data),
    ))  # fmt: skip
    value = b"".join((
        struct.pack(">h", 1), string("consumer"), struct.pack(">i", 3), string("range"),
        string("consumer-1"), struct.pack(">i", 1), member,
    ))  # fmt: skip
    [line] = lines(kproto("decode", "--json", "--hex", value.hex()).stdout)
    assert (line["name"], line["version"], line["remainder"]) == ("GroupMetadataValue", 1, "")
    opened = {part["path"]: part["message"] for part in line["opened"]}
    assert opened["members[0].subscription"] == subscription.message.to_json(subscription.version)
    assert opened["members[0].assignment"] == assignment.message.to_json(assignment.version)
    [entry] = lines(kproto("decode", "--json", "--hex", (b"\0\2" + string("billing")).hex()).stdout)
    assert (entry["name"], entry["message"]) == ("GroupMetadataKey", {"group": "billing"})


def test_a_group_of_tansu(kproto: Run, rng: Random, tmp_path: Path) -> None:
    """GroupDetail of nisshi-storage/src/lib.rs, as serde_json writes it: bytes are numbers."""
    # One group a run, of fresh bytes: nothing to shrink.
    time = {"secs_since_epoch": 1_714_723_353, "nanos_since_epoch": 5}
    subscription = draw_named(rng, "ConsumerProtocolSubscription")
    assignment = draw_named(rng, "ConsumerProtocolAssignment")
    detail = {
        "session_timeout_ms": 45_000,
        "rebalance_timeout_ms": 300_000,
        "members": {
            "consumer-1": {
                "join_response": {
                    "member_id": "consumer-1",
                    "group_instance_id": None,
                    "metadata": list(subscription.data),
                },
                "last_contact": time,
            }
        },
        "generation_id": 3,
        "skip_assignment": False,
        "inception": time,
        "state": {
            "Formed": {
                "protocol_type": "consumer",
                "protocol_name": "range",
                "leader": "consumer-1",
                "assignments": {"consumer-1": list(assignment.data)},
            }
        },
    }
    path = tmp_path / "billing.json"
    for indent in (None, 2):
        path.write_text(json.dumps(detail, indent=indent), encoding="utf-8")
        shown = lines(kproto("decode", "--json", path).stdout)
        assert [(line["name"], line["message"]) for line in shown] == [
            (message.message.NAME, message.message.to_json(message.version))
            for message in (subscription, assignment)
        ]
        linted = lines(either_status(kproto, "lint", "--json", path).encode())
        assert {line["name"] for line in linted if not line["path"]} <= {
            line["name"] for line in shown
        }
