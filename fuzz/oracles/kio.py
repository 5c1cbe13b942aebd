"""kio: generated classes, one per version, and a reader in Rust, without the version in front."""

from __future__ import annotations

import io
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from ...clients.reader_rules import RULES
from ...codec import ErrorKind
from ..guarantees.cases import Case
from ..subject import JsonObject, Read, Unsupported
from .client import ClientOracle, ClientUnavailable, camel, from_json, snake, to_json

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
    names = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")

    def __init__(self, *, bounded: bool = True) -> None:
        self._bounded = bounded
        try:
            serial: Any = import_module("kio.serial")
        except ImportError as error:
            raise ClientUnavailable("kio is not installed: pip install kio") from error
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
        return Read(_to_json(value), label, data[_LABEL + size :])

    def write(self, name: str, version: int, value: JsonObject) -> bytes | Unsupported:
        """Return the body as kio writes it, with the version in front."""
        if (name, version) not in self._writers:
            return Unsupported("kio has no class of that version")
        stream = io.BytesIO(version.to_bytes(_LABEL, "big", signed=True))
        stream.seek(_LABEL)
        cls = self._classes[name, version]
        module = import_module(f"{cls.__module__}")
        made = from_json(value)
        for key in ("owned_partitions", "assigned_partitions"):
            if made.get(key) is not None:
                made[key] = tuple(
                    module.TopicPartition(
                        topic=entry["topic"], partitions=tuple(entry["partitions"])
                    )
                    for entry in made[key]
                )
        if made.get("topics") is not None:
            made["topics"] = tuple(made["topics"])
        self._writers[name, version](stream, cls(**made))
        return stream.getvalue()


def _to_json(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
        return {camel(name): _to_json(getattr(value, name)) for name in names}
    return [_to_json(item) for item in value] if isinstance(value, tuple) else to_json(value)
