"""A decoder or an encoder under test, whoever wrote it: what it is asked, and what it may answer.

A subject is anything with these three methods: kproto's own readers, a function of a client
author's, a program behind the line protocol, a mutant. Values are in Kafka's JSON form (camelCase,
bytes as base64); a field that the subject does not show is left out.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""A message in Kafka's JSON form."""


class Read(NamedTuple):
    """The bytes were read."""

    value: JsonObject
    version: int | None = None
    """The version label that the bytes carry; None if the subject does not say."""
    remainder: bytes | None = None
    """What it left unread; None if it does not say."""


class Written(NamedTuple):
    """The value was written."""

    data: bytes


class Refused(NamedTuple):
    """It said no, in the way that it documents."""

    reason: str
    error: str | None = None
    """Which documented error: the name of an exception, say."""
    kind: str | None = None
    """Why, as a member of kproto's `ErrorKind`, if it knows those."""
    offset: int | None = None
    """Where reading stopped; None if it does not say."""


class Unsupported(NamedTuple):
    """It has no API for that, which breaks nothing."""

    what: str


class Failure(Enum):
    """How a subject can fail to answer at all."""

    CRASH = "crash"
    """It died, or let an error out that it does not document."""
    HANG = "hang"
    """No answer in time."""
    FLOOD = "flood"
    """More output than any answer can be."""
    MEMORY = "memory"
    """It took more memory than it may have."""
    LIE = "lie"
    """What came is no answer to the question: no JSON, another question's id, impossible bytes."""
    SKIPPED = "skipped"
    """It was not asked: it failed too often on inputs of this kind."""


class Failed(NamedTuple):
    """No answer."""

    how: Failure
    detail: str


ReadAnswer: TypeAlias = Read | Refused | Unsupported | Failed
WriteAnswer: TypeAlias = Written | Refused | Unsupported | Failed


class Cost(NamedTuple):
    """What an answer took."""

    seconds: float
    memory: int | None
    """Bytes that it took at the peak, beyond what was there before; None if that is not known."""


class Subject(Protocol):
    """What every guarantee can be asked of.

    `name` is that of a definition. `version` is given for bytes that have nothing in front and says
    what the fields are; else it is None, and the version or record type stands in the bytes.
    """

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes."""
        ...

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value, with what stands in front of it where something does."""
        ...

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back, with all that the reader did not know."""
        ...

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what `decode` takes for these bytes; None if that cannot be measured."""
        ...
