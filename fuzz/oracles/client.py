"""The base of the Python clients' oracles: any of their objects as Kafka's JSON form.

An oracle is a `Subject`: it answers with the client's verdict, value and remainder, so it can judge
and be judged. Whatever a client raises is its answer; `Refused.error` names it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from collections.abc import Mapping
from importlib.metadata import version as installed
from typing import Any

from ..guarantees.functions import measured
from ..subject import Cost, JsonObject, Read, ReadAnswer, Refused, Unsupported, WriteAnswer, Written

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
            return _refused(error)

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value with the client (see `Subject`)."""
        if name not in self.names:
            return Unsupported(f"{self.client} has no {name}")
        try:
            data = self.write(name, version, value)
        except Exception as error:  # noqa: BLE001  # whatever it throws is its answer
            return _refused(error)
        return data if isinstance(data, Unsupported) else Written(data)

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Return that the client has no API for it."""
        return Unsupported(f"{self.client} keeps nothing of what it does not know")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what reading with the client takes (see `Subject`)."""
        return measured(lambda: self.decode(name, data, version))


def _refused(error: Exception) -> Refused:
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
