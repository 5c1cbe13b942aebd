"""kafka-python: Kafka's JSON definitions, interpreted at run time."""

from __future__ import annotations

import io
import warnings
from typing import Any

from ..subject import JsonObject, Read, Unsupported
from .client import ClientOracle, ClientUnavailable, from_json, to_json

_STICKY = "StickyAssignorUserData"


class KafkaPython(ClientOracle):
    """The oracle of kafka-python. Raises `ClientUnavailable` if kafka-python 3 is not installed."""

    client = "kafka-python"
    names = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment", _STICKY)

    def __init__(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of how it finds its files
                # late: an extra
                from kafka.coordinator.assignors.sticky.user_data import StickyAssignorUserData
                from kafka.protocol.consumer import metadata
        except ImportError as error:
            raise ClientUnavailable("kafka-python 3 is not installed") from error
        self._classes: dict[str, Any] = {
            "ConsumerProtocolSubscription": metadata.ConsumerProtocolSubscription,
            "ConsumerProtocolAssignment": metadata.ConsumerProtocolAssignment,
            _STICKY: StickyAssignorUserData,
        }

    def read(self, name: str, data: bytes, version: int | None) -> Read | Unsupported:
        """Return the value as its assignors read it: under whatever version is in front, in user
        data too.
        """
        stream = io.BytesIO(data)
        seen = self._classes[name].decode(stream)
        value: JsonObject = to_json(_fields_of(seen))
        label = None if name == _STICKY else seen.version
        return Read(value, label, stream.read())

    def write(self, name: str, version: int, value: JsonObject) -> bytes | Unsupported:
        """Return the bytes as its assignors write them."""
        made = self._classes[name](version=version, **self._fields(name, value))
        return bytes(made.encode())

    def _fields(self, name: str, value: JsonObject) -> JsonObject:
        fields: JsonObject = from_json(value)
        part = self._classes[name].TopicPartition
        for key in ("owned_partitions", "assigned_partitions", "previous_assignment"):
            if fields.get(key) is not None:
                fields[key] = [part(**entry) for entry in fields[key]]
        return fields


def _fields_of(item: Any) -> Any:
    """Return the client's objects as mappings; its own `to_dict` turns bytes into text."""
    if isinstance(item, list):
        return [_fields_of(part) for part in item]
    if not hasattr(item, "_struct"):
        return item
    return {name: _fields_of(getattr(item, name)) for name in item._struct.fields}
