"""Subjects: decoders and encoders under test, the questions they are asked and the answers they may
give.

A subject is any object with the methods of `Subject`: kproto's own readers, a client author's
functions, a program behind the line protocol, a mutant. Values are in Kafka's JSON form (camelCase,
bytes as base64); a field that the subject does not show is left out.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

JsonObject: TypeAlias = dict[str, Any]
"""A message in Kafka's JSON form."""

CONSUMER_PROTOCOL = SUBSCRIPTION, ASSIGNMENT = (
    "ConsumerProtocolSubscription",
    "ConsumerProtocolAssignment",
)
"""The messages that members of a classic group exchange, by the names of their definitions."""


class Read(NamedTuple):
    """The answer to bytes that were read."""

    value: JsonObject
    version: int | None = None
    """The version that the bytes carry; None if the subject does not say."""
    remainder: bytes | None = None
    """The bytes that it left unread; None if the subject does not say."""


class Written(NamedTuple):
    """The answer to a value that was written."""

    data: bytes


class Refused(NamedTuple):
    """The answer to bytes or a value that the subject refused, in the way that it documents."""

    reason: str
    error: str | None = None
    """The documented error, for example the name of an exception."""
    kind: str | None = None
    """The reason as a member of kproto's `ErrorKind`, if the subject knows those."""
    offset: int | None = None
    """The byte at which reading stopped; None if the subject does not say."""


class Unsupported(NamedTuple):
    """The answer of a subject that has no API for the question; it breaks no guarantee."""

    reason: str
    is_claimed: bool = True
    """Whether the subject says all the same that it knows the message and the operation."""


class Failure(Enum):
    """How a subject fails to answer at all."""

    CRASH = "crash"
    """The subject died, or raised an error that it does not document."""
    HANG = "hang"
    """The subject did not answer in time."""
    FLOOD = "flood"
    """The subject wrote more output than any answer can be."""
    MEMORY = "memory"
    """The subject took more memory than it may have."""
    LIE = "lie"
    """The output is no answer to the question: no JSON, another question's id, impossible bytes."""
    ADAPTER = "adapter"
    """The function around the subject failed, not the subject itself."""
    SKIPPED = "skipped"
    """The subject was not asked: it failed too often on inputs of this kind, or time was up."""


class Failed(NamedTuple):
    """The subject gave no answer."""

    how: Failure
    detail: str


ReadAnswer: TypeAlias = Read | Refused | Unsupported | Failed
WriteAnswer: TypeAlias = Written | Refused | Unsupported | Failed


class Cost(NamedTuple):
    """The time and memory that an answer took."""

    seconds: float
    memory: int | None
    """Bytes at the peak, beyond what was in use before; None if that is not known."""


class Subject(Protocol):
    """A decoder or encoder that guarantees can be checked on.

    `name` is that of a definition. `version` is given for bytes without a version or record type in
    front and says which version they are; else it is None.
    """

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes, and return the value or the refusal."""
        ...

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value, with the version or record type in front if the message has one."""
        ...

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back, with everything in them that the reader did not know."""
        ...

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what `decode` takes for these bytes; None if that cannot be measured."""
        ...


A = TypeVar("A")


class Wrapped:
    """A subject around another one, whose answers pass through `note`."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes (see `Subject`)."""
        return self.note(self.subject.decode(name, data, version))

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value (see `Subject`)."""
        return self.note(self.subject.encode(name, version, value))

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back (see `Subject`)."""
        return self.note(self.subject.rewrite(name, data, version))

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return the cost of reading bytes (see `Subject`)."""
        return self.subject.cost(name, data, version)

    def note(self, answer: A) -> A:
        """Return an answer, after what there is to note of it."""
        return answer
