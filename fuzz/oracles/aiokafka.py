"""aiokafka: the layout of version 0, written by hand, under whatever version label."""

from __future__ import annotations

import io
from typing import Any

from ..subject import JsonObject, Read, Unsupported
from .client import ClientOracle, from_json, to_json


class Aiokafka(ClientOracle):
    """The oracle of aiokafka, which kproto depends on for the record batches of log segments."""

    client = "aiokafka"
    names = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")

    def __init__(self) -> None:
        from aiokafka.coordinator import protocol  # late: it imports the whole client

        self._subscription: Any = protocol.ConsumerProtocolMemberMetadata
        self._assignment: Any = protocol.ConsumerProtocolMemberAssignment

    def read(self, name: str, data: bytes, version: int | None) -> Read | Unsupported:
        """Return topics, assigned partitions and user data: aiokafka knows those, of any
        version.
        """
        stream = io.BytesIO(data)
        value: JsonObject
        if name == "ConsumerProtocolSubscription":
            seen = self._subscription.decode(stream)
            value = {"topics": seen.subscription}
        else:
            seen = self._assignment.decode(stream)
            value = {"assignedPartitions": _entries(seen.assignment)}
        value["userData"] = to_json(seen.user_data)
        return Read(value, seen.version, stream.read())

    def write(self, name: str, version: int, value: JsonObject) -> bytes | Unsupported:
        """Return the bytes; aiokafka writes version 0 alone."""
        if version != 0:
            return Unsupported("aiokafka writes version 0 alone")
        fields = from_json(value)
        if name == "ConsumerProtocolSubscription":
            return bytes(
                self._subscription(version, fields["topics"], fields["user_data"]).encode()
            )
        entries = fields["assigned_partitions"]
        assigned = entries and [(entry["topic"], entry["partitions"]) for entry in entries]
        return bytes(self._assignment(version, assigned, fields["user_data"]).encode())


def _entries(found: Any) -> Any:
    if found is None:
        return None
    return [{"topic": topic, "partitions": partitions} for topic, partitions in found]
