"""kafka-python 2 as an adapter, in an environment of its own: nothing else is installed there."""

from __future__ import annotations

import json
import sys
from base64 import b64decode, b64encode
from importlib.metadata import version
from typing import Any

from kafka.coordinator.assignors.sticky.sticky_assignor import StickyAssignorUserDataV1
from kafka.coordinator.protocol import (
    ConsumerProtocolMemberAssignment_v0,
    ConsumerProtocolMemberMetadata_v0,
)

# By what Kafka calls a message: the client's class, and what Kafka calls that one's fields.
MESSAGES: dict[str, tuple[Any, dict[str, str]]] = {
    "ConsumerProtocolSubscription": (
        ConsumerProtocolMemberMetadata_v0,
        {"topics": "topics", "user_data": "userData"},
    ),
    "ConsumerProtocolAssignment": (
        ConsumerProtocolMemberAssignment_v0,
        {"assignment": "assignedPartitions", "user_data": "userData"},
    ),
    "StickyAssignorUserData": (
        StickyAssignorUserDataV1,
        {"previous_assignment": "previousAssignment", "generation": "generation"},
    ),
}
HELLO = {
    "ok": True,
    "protocol": 1,
    "client": "kafka-python",
    "release": version("kafka-python"),
    "names": list(MESSAGES),
    "ops": ["decode", "encode"],
}


def decode(name: str, data: bytes) -> dict[str, Any]:
    """Return the value that the client's class reads; it ignores the rest of the bytes."""
    kind, fields = MESSAGES[name]
    message = kind.decode(data)
    value = {key: to_json(getattr(message, field)) for field, key in fields.items()}
    label = {"version": message.version} if hasattr(message, "version") else {}
    return {"ok": True, "value": value, **label}


def encode(name: str, label: int, value: dict[str, Any]) -> dict[str, Any]:
    """Return the bytes that the client's class writes: of the one version that its assignors
    write.
    """
    kind, fields = MESSAGES[name]
    labelled = "version" in kind.SCHEMA.names
    if label != (0 if labelled else 1):
        requirement = "version 0 alone" if labelled else "version 1 alone"
        return {"ok": False, "unsupported": True, "error": f"writes {requirement}"}
    arguments = {field: from_json(key, value.get(key)) for field, key in fields.items()}
    if labelled:
        arguments["version"] = label
    message = kind(**arguments)  # it knows itself by a weak reference
    return {"ok": True, "hex": message.encode().hex()}


def to_json(value: Any) -> Any:
    """Return a client's value in Kafka's JSON form; its entries are pairs."""
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, tuple):
        return dict(zip(("topic", "partitions"), value, strict=True))
    return value


def from_json(name: str, value: Any) -> Any:
    """Return a value of the client from Kafka's JSON form."""
    if name == "userData":
        return None if value is None else b64decode(value)
    if isinstance(value, list):
        return [tuple(item.values()) if isinstance(item, dict) else item for item in value]
    return value


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a question; whatever the client raises is its answer."""
    try:
        if request["op"] == "hello":
            return HELLO
        if request["op"] == "decode":
            return decode(request["name"], bytes.fromhex(request["hex"]))
        if request["op"] == "encode":
            return encode(request["name"], request["version"], request["value"])
    except Exception as error:  # noqa: BLE001
        return {"ok": False, "error": f"{type(error).__name__}: {error}"}
    return {"ok": False, "unsupported": True, "error": "no such op"}


if __name__ == "__main__":
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps({"id": question["id"], **answer(question)}), flush=True)  # noqa: T201
