"""Cases: some bytes under the name of a message, and what is true of them.

Every guarantee is checked with cases, so whatever makes bytes (a vector, a strategy, a fuzzer)
serves all of them. What is true of a case comes from its maker, if that knows better (Kafka's
recorded answer, the value that a future writer wrote), else from kproto's decoder under policy
KAFKA.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ...codec import Decoded, ErrorKind, Message, Policy, VersionedMessage, decode, message_class
from ...codec.runtime.registry import built_in_names, layout_of
from ..subject import JsonObject

NESTED = {"ConnectProtocolMetadata": ("allocation", "ConnectProtocolAssignment")}
"""The bytes that Kafka's reader of a message opens at once, and the message in them: it refuses all
if it cannot read that one.
"""
CLAMPED = "clamp"
"""The framing of the consumer protocol: a newer version is read as the highest known one."""


class Recorded(NamedTuple):
    """What the maker of the bytes knows about them better than kproto does."""

    accept: bool
    value: JsonObject | None = None
    left: int | None = None
    """The number of bytes that a reader of the newest version leaves unread."""


class Truth(NamedTuple):
    """What is true of a case's bytes."""

    accept: bool
    """Whether Kafka accepts them."""
    version: int | None
    """The version label; None if the bytes end before it."""
    schema_version: int | None
    """The version that they are read as."""
    value: JsonObject
    """The fields of that version; {} if refused."""
    left: int
    """The number of bytes left unread; if refused, from where reading stopped."""
    clean: bool
    """Whether a conforming writer could have encoded them so."""
    error: ErrorKind | None
    """Why they are refused; None if they are not."""


@dataclass(frozen=True, eq=False)
class Case:
    """An input for a guarantee.

    `version` is that of a body with nothing in front, else None. `kind` is the sort of bytes
    ("valid", "cut", "future" ...), `origin` says where they are from, for a person. With `value`
    the case is about writing alone: `data` is empty, and `version` the one to write.
    """

    name: str
    data: bytes = b""
    version: int | None = None
    kind: str = "bytes"
    origin: str = ""
    recorded: Recorded | None = None
    value: JsonObject | None = None

    @cached_property
    def id(self) -> str:
        """Eight hex digits by which a person names the input; the same bytes have the same id."""
        told = (self.name, self.version, self.data.hex(), self.value)
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]

    @cached_property
    def message(self) -> type[Message]:
        """The class of the message."""
        return message_class(self.name)

    @cached_property
    def decoded(self) -> Decoded[Message]:
        """The bytes as kproto reads them under LENIENT, which never raises."""
        return decode(self.data, self.message, policy=Policy.LENIENT, body_version=self.version)

    @cached_property
    def truth(self) -> Truth:
        """What is true of the bytes."""
        seen = self.decoded
        told = self.recorded or Recorded(seen.complete and _opens(self.name, seen.message))
        value = told.value if told.value is not None else value_of(seen)
        return Truth(
            accept=told.accept,
            version=seen.version,
            schema_version=seen.schema_version,
            value=value,
            left=len(seen.remainder) if told.left is None else told.left,
            clean=not any(deviation.class_ == "encoding" for deviation in seen.deviations),
            error=None if seen.error is None else seen.error.kind,
        )

    @property
    def known(self) -> bool:
        """Whether the label is a version that the definition has."""
        version = self.truth.version
        return version is not None and version == self.truth.schema_version

    @property
    def clamped(self) -> bool:
        """Whether a newer version of the message is read as the highest known one."""
        return self.message.FRAMING.newer == CLAMPED

    @property
    def prefixed(self) -> bool:
        """Whether each version of the message begins with the one before, so that readers of any
        version can read it.
        """
        return self.message.FRAMING.newer in (CLAMPED, "accept")

    @property
    def labelled(self) -> bool:
        """Whether the bytes begin with a version, in two bytes."""
        return self.version is None and self.message.FRAMING.kind == "version"

    def readable_as(self, version: int) -> Decoded[Message] | None:
        """Return the bytes as read by a reader that knows nothing above `version`; None if it
        cannot.
        """
        if version not in self.message.VERSIONS:
            return None
        seen = decode(
            self.data,
            self.message,
            policy=Policy.LENIENT,
            reader_version=version,
            body_version=self.version,
        )
        return seen if seen.complete else None

    def relabelled(self, version: int) -> Case:
        """Return the same fields under another label."""
        label = version.to_bytes(2, "big", signed=True)
        return Case(self.name, label + self.data[2:], kind=self.kind, origin=self.origin)

    def __str__(self) -> str:
        body = "" if self.version is None else f" version {self.version}"
        shown = self.data.hex() if self.value is None else repr(self.value)
        return f"{self.name}{body} {shown if len(shown) <= 200 else shown[:180] + '...'}"


def known_names(names: Collection[str]) -> tuple[str, ...]:
    """Return the names, checked. Raises ValueError for a single text, for none, and for a name of
    no definition.
    """
    if isinstance(names, str) or not names:
        raise ValueError(f"{names!r} is not a list of message names, such as [{_SUCH_AS!r}]")
    unknown = [name for name in names if name not in built_in_names()]
    if unknown:
        raise ValueError(f"there is no message {unknown[0]!r}; `kproto schemas` lists them")
    return tuple(names)


_SUCH_AS = "ConsumerProtocolSubscription"


def _opens(name: str, message: Message | None) -> bool:
    """Return whether the message in these bytes can be read, too, if Kafka's reader opens one."""
    field, inner = NESTED.get(name, ("", ""))
    data = getattr(message, field, None)
    return data is None or decode(data, message_class(inner), policy=Policy.LENIENT).complete


def value_of(seen: Decoded[Message]) -> JsonObject:
    """Return the value in Kafka's JSON form, of the version that the bytes were read as."""
    if seen.message is None:
        return {}
    if seen.schema_version is None:  # only the head of a newer version could be read
        return {"version": seen.version, "latestSupportedVersion": _latest(seen.message)}
    return seen.message.to_json(seen.schema_version)


def _latest(message: Message) -> int:
    latest: int = getattr(message, "latest_supported_version", -1)
    return latest


def full_value(message: Message) -> JsonObject | None:
    """Return the value with the fields of all versions, absent ones at their defaults.

    None for messages whose newest version does not have all fields of older ones.
    """
    return message.to_json() if message.FRAMING.newer == CLAMPED else None


def write(message: Message, version: int) -> bytes:
    """Return the bytes of a message, with the version or record type in front if it has one."""
    if isinstance(message, VersionedMessage):
        return message.to_bytes(version)
    return message.to_body(version)


def first_versions(cls: type[Message]) -> dict[str, int]:
    """Return the first version of each field, by its name in JSON."""
    found: dict[str, int] = {}
    for version in cls.VERSIONS:
        layout = layout_of(cls, version)
        for slot in (*layout.slots, *layout.tagged):
            found.setdefault(slot.field.camel, version)
    return found
