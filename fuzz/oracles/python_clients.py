"""Oracles of the clients in Python: their own code, with its objects as Kafka's JSON form.

An oracle is a `Subject`: it answers with the client's verdict, value and remainder, so it can judge
and be judged. Whatever a client raises is its answer; `Refused.error` names it.
"""

from __future__ import annotations

import io
import re
import warnings
from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.metadata import version as installed
from typing import Any

from ...clients.reader_rules import RULES
from ...codec import ErrorKind
from ...extras import missing
from ..guarantees.cases import Case
from ..guarantees.subjects import measured
from ..subject import (
    CONSUMER_PROTOCOL,
    Cost,
    JsonObject,
    Read,
    ReadAnswer,
    Refused,
    Unsupported,
    WriteAnswer,
    Written,
)

BYTES = frozenset({"userData"})
"""The fields of type bytes, which are base64 in JSON."""


class ClientUnavailable(Exception):
    """The client is not installed; the message says how to get it."""


class ClientOracle(ABC):
    """A client: its name, the messages it knows, and its own code for reading and writing them."""

    client: str
    """The client's name in the package index."""
    names: tuple[str, ...]

    @property
    def release(self) -> str:
        """The installed version of the client."""
        return installed(self.client)

    @abstractmethod
    def read(self, name: str, data: bytes, version: int | None) -> Read | Unsupported:
        """Read bytes with the client's own code, raising whatever it raises."""

    @abstractmethod
    def write(self, name: str, version: int, value: JsonObject) -> bytes | Unsupported:
        """Write a value with the client's own code, raising whatever it raises."""

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes with the client (see `Subject`)."""
        if name not in self.names:
            return Unsupported(f"{self.client} has no {name}")
        try:
            return self.read(name, data, version)
        except Exception as error:  # noqa: BLE001  # whatever it throws is its answer
            return _refusal(error)

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value with the client (see `Subject`)."""
        if name not in self.names:
            return Unsupported(f"{self.client} has no {name}")
        try:
            data = self.write(name, version, value)
        except Exception as error:  # noqa: BLE001  # whatever it throws is its answer
            return _refusal(error)
        return data if isinstance(data, Unsupported) else Written(data)

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Return that the client has no API for it."""
        return Unsupported(f"{self.client} keeps nothing of what it does not know")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what reading with the client takes (see `Subject`)."""
        return measured(lambda: self.decode(name, data, version))


def _refusal(error: Exception) -> Refused:
    kind = type(error)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    return Refused(f"{name}: {error}", name)


def to_json(value: Any) -> Any:
    """Return a client's values as JSON: camelCase keys, bytes as base64, sequences as lists."""
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, Mapping):
        return {camel(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return value


def from_json(value: Any, key: str = "") -> Any:
    """Return a JSON value with snake_case keys, and bytes decoded."""
    if key in BYTES and value is not None:
        return b64decode(value)
    if isinstance(value, Mapping):
        return {snake(name): from_json(item, name) for name, item in value.items()}
    return [from_json(item) for item in value] if isinstance(value, list) else value


def camel(name: str) -> str:
    """Return a name in camelCase: `owned_partitions` as `ownedPartitions`."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def snake(name: str) -> str:
    """Return a name in snake_case: `ownedPartitions` as `owned_partitions`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Aiokafka(ClientOracle):
    """The oracle of aiokafka, which kproto depends on for the record batches of log segments."""

    client = "aiokafka"
    names = CONSUMER_PROTOCOL

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
            message = self._subscription.decode(stream)
            value = {"topics": message.subscription}
        else:
            message = self._assignment.decode(stream)
            value = {"assignedPartitions": _aiokafka_entries(message.assignment)}
        value["userData"] = to_json(message.user_data)
        return Read(value, message.version, stream.read())

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
        pairs = entries and [(entry["topic"], entry["partitions"]) for entry in entries]
        return bytes(self._assignment(version, pairs, fields["user_data"]).encode())


def _aiokafka_entries(pairs: Any) -> Any:
    if pairs is None:
        return None
    return [{"topic": topic, "partitions": partitions} for topic, partitions in pairs]


_STICKY = "StickyAssignorUserData"


class KafkaPython(ClientOracle):
    """The oracle of kafka-python. Raises `ClientUnavailable` if kafka-python 3 is not installed."""

    client = "kafka-python"
    names = (*CONSUMER_PROTOCOL, _STICKY)

    def __init__(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of how it finds its files
                # late: an extra
                from kafka.coordinator.assignors.sticky.user_data import StickyAssignorUserData
                from kafka.protocol.consumer import metadata
        except ImportError as error:
            raise ClientUnavailable(missing("it", "kafka-python 3", "clients")) from error
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
        message = self._classes[name].decode(stream)
        value: JsonObject = to_json(_kafka_python_fields(message))
        label = None if name == _STICKY else message.version
        return Read(value, label, stream.read())

    def write(self, name: str, version: int, value: JsonObject) -> bytes | Unsupported:
        """Return the bytes as its assignors write them."""
        message = self._classes[name](version=version, **self._fields(name, value))
        return bytes(message.encode())

    def _fields(self, name: str, value: JsonObject) -> JsonObject:
        fields: JsonObject = from_json(value)
        part = self._classes[name].TopicPartition
        for key in ("owned_partitions", "assigned_partitions", "previous_assignment"):
            if fields.get(key) is not None:
                fields[key] = [part(**entry) for entry in fields[key]]
        return fields


def _kafka_python_fields(item: Any) -> Any:
    """Return the client's objects as mappings; its own `to_dict` turns bytes into text."""
    if isinstance(item, list):
        return [_kafka_python_fields(part) for part in item]
    if not hasattr(item, "_struct"):
        return item
    return {name: _kafka_python_fields(getattr(item, name)) for name in item._struct.fields}


_FATAL = (ErrorKind.COUNT_EXCEEDS_INPUT, ErrorKind.NEGATIVE_LENGTH, ErrorKind.NULL_NOT_ALLOWED)
_LABEL = 2  # bytes of the version in front, which is the caller's to read


class Kio(ClientOracle):
    """The oracle of kio. Raises `ClientUnavailable` if kio is not installed.

    kio reserves memory by the count in the bytes, 16 GiB for a count of 2^31 - 1, and aborts if
    there is not as much. `bounded`, as it is in one process with others, it is not asked about
    counts that exceed the input; behind the line protocol it is. There the version in front is
    read as its caller would: by kio's reader, then by the class of that version, if there is one.
    """

    client = "kio"
    names = CONSUMER_PROTOCOL

    def __init__(self, *, bounded: bool = True) -> None:
        self._bounded = bounded
        try:
            serial: Any = import_module("kio.serial")
        except ImportError as error:
            raise ClientUnavailable(missing("it", "kio", "clients")) from error
        self._classes = {
            (name, version): getattr(import_module(f"kio.schema.{snake(name)}.v{version}"), name)
            for name in self.names
            for version in RULES["kio"].labels
        }
        self._label: Any = import_module("kio.serial.readers").read_int16
        self._readers = {key: serial.entity_reader(cls) for key, cls in self._classes.items()}
        self._writers = {key: serial.entity_writer(cls) for key, cls in self._classes.items()}

    def read(self, name: str, data: bytes, version: int | None) -> Read | Unsupported:
        """Return the value; the version in front selects the class, and there is no class for
        unknown ones.
        """
        if not self._bounded:
            label, _ = self._label(data, 0)
            import_module(f"kio.schema.{snake(name)}.v{label}")
        label = int.from_bytes(data[:_LABEL], "big", signed=True)
        if len(data) < _LABEL or (name, label) not in self._readers:
            return Unsupported("kio reads nothing in front, and has no class of that version")
        if self._bounded and Case(name, data).truth.error in _FATAL:
            return Unsupported("kio may end this process over that count")
        value, size = self._readers[name, label](data, _LABEL)
        return Read(_kio_to_json(value), label, data[_LABEL + size :])

    def write(self, name: str, version: int, value: JsonObject) -> bytes | Unsupported:
        """Return the body as kio writes it, with the version in front."""
        if (name, version) not in self._writers:
            return Unsupported("kio has no class of that version")
        stream = io.BytesIO(version.to_bytes(_LABEL, "big", signed=True))
        stream.seek(_LABEL)
        cls = self._classes[name, version]
        module = import_module(f"{cls.__module__}")
        fields_of_message = from_json(value)
        for key in ("owned_partitions", "assigned_partitions"):
            if fields_of_message.get(key) is not None:
                fields_of_message[key] = tuple(
                    module.TopicPartition(
                        topic=entry["topic"], partitions=tuple(entry["partitions"])
                    )
                    for entry in fields_of_message[key]
                )
        if fields_of_message.get("topics") is not None:
            fields_of_message["topics"] = tuple(fields_of_message["topics"])
        self._writers[name, version](stream, cls(**fields_of_message))
        return stream.getvalue()


def _kio_to_json(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
        return {camel(name): _kio_to_json(getattr(value, name)) for name in names}
    return [_kio_to_json(item) for item in value] if isinstance(value, tuple) else to_json(value)


ORACLES: dict[str, Callable[[], ClientOracle]] = {
    "aiokafka": Aiokafka,
    "kafka-python": KafkaPython,
    "kio": Kio,
}
"""The Python clients that can be asked; each raises `ClientUnavailable` if it is missing."""
