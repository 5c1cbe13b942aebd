"""What `kproto decode`, `diff` and `lint` print of messages, frames and records."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, UnsetType, defstruct, field
from msgspec.structs import fields

from .shape import Hex, Shape, Time


class Deviation(Shape, kw_only=True):
    """A fact about the bytes."""

    code: Annotated[str, Meta(description="as `kproto explain` takes it")]
    class_: str = field(name="class")
    offset: Annotated[int, Meta(description="of the first one, from the message's first byte")]
    path: str
    count: Annotated[int, Meta(description="how often, in that array")]
    explanation: str


class Error(Shape, kw_only=True):
    """Where reading stopped, and why."""

    kind: Annotated[str | None, Meta(description="a value of `ErrorKind`")]
    offset: int
    path: str
    explanation: str


class FieldRead(Shape, kw_only=True, omit_defaults=True):
    """A field that was read, or at which reading stopped."""

    path: str
    type: str
    start: Annotated[int, Meta(description="of its first byte, its length included")]
    end: int
    value: Annotated[Any, Meta(description="in Kafka's JSON form; null where it was not read")]
    complete: Annotated[bool, Meta(description="false: the bytes end, or fail, inside of it")] = (
        True
    )
    codes: Annotated[list[str], Meta(description="of the deviations in it")] = []


class TaggedField(Shape, kw_only=True):
    """A tagged field that the definition does not have."""

    path: str
    tag: int
    data: Hex


class Inside(Shape, kw_only=True, omit_defaults=True):
    """A message inside a field of bytes; offsets count from its own first byte."""

    path: Annotated[str, Meta(description="the field that holds it")]
    name: Annotated[str, Meta(description="the message; or text, JSON, …")]
    version: int | None
    message: Any
    deviations: list[Deviation]
    error: Error | None
    opened: list[Inside]
    rivals: _Rivals = []
    note: _Note = ""
    unknown_tagged_fields: list[TaggedField] = []
    error_names: Annotated[
        dict[str, str], Meta(description="names of the error codes in it, by path")
    ] = {}
    fields: Annotated[
        list[FieldRead], Meta(description="what was read; not in lines of many messages")
    ] = []


_Name: TypeAlias = Annotated[str | None, Meta(description="null: no definition is known")]
_Version: TypeAlias = Annotated[int | None, Meta(description="the version field of the bytes")]
_SchemaVersion: TypeAlias = Annotated[
    int | None, Meta(description="the version that it was read as")
]
_Fields: TypeAlias = Annotated[
    dict[str, Any] | None, Meta(description="in Kafka's JSON form; null: not read to its end")
]
_Rivals: TypeAlias = Annotated[list[str], Meta(description="other messages that fit as well")]
_Note: TypeAlias = Annotated[
    str,
    Meta(description="how the bytes were changed to be read, or what is odd about them"),
]
_Remainder: TypeAlias = Annotated[Hex, Meta(description="hex, of what follows the last field")]


class Decoded(Shape, kw_only=True, omit_defaults=True):
    """A message that was read, whole or in part."""

    name: _Name
    version: _Version
    schema_version: _SchemaVersion
    message: _Fields
    remainder: _Remainder
    deviations: list[Deviation]
    error: Error | None
    unknown_tagged_fields: list[TaggedField] = []
    opened: list[Inside] = []
    rivals: _Rivals = []
    note: _Note = ""
    error_names: Annotated[
        dict[str, str], Meta(description="Kafka's names of the error codes in it, by path")
    ] = {}
    fields: Annotated[
        list[FieldRead], Meta(description="what was read, in the order of the bytes")
    ] = []
    hex: Annotated[Hex, Meta(description="with --bytes: those of the message")] = ""


class Body(Decoded, kw_only=True, omit_defaults=True):
    """The body of a frame."""

    read: Annotated[
        dict[str, Any], Meta(description="of one that is cut short: the fields, by path")
    ] = {}


class Input(Shape, kw_only=True, omit_defaults=True):
    """Where in the input something is."""

    source: Annotated[str, Meta(description="the file; INPUT for an argument")]
    line: Annotated[int | None, Meta(description="in that text, from 1")] = None
    column: int | None = None
    body_version: Annotated[
        int | None, Meta(description="with --body-version: the version of the fields")
    ] = None
    compression: Annotated[str, Meta(description="gzip or zstd, which was opened")] = ""
    other_forms: Annotated[list[str], Meta(description="forms that fit as well")] = []


Message = defstruct(
    "Message",
    [
        (
            of.name,
            of.type,
            field(default=of.default, default_factory=of.default_factory),  # type: ignore[call-overload]  # one of them is NODEFAULT
        )
        for shape in (Input, Decoded)
        for of in fields(shape)
    ],
    bases=(Shape,),
    kw_only=True,
    omit_defaults=True,
    namespace={
        "__doc__": "A line of `kproto decode --json` for a message of its own: its place, and a "
        "`Decoded`."
    },
)
"""The keys of `Input` and those of `Decoded`: a struct cannot have two bases."""


class Frame(Input, kw_only=True, omit_defaults=True):
    """A line of `kproto decode --json` for a frame of a packet capture."""

    connection: str | None
    time: Time | None
    direction: str
    api_key: int | None
    api_version: int | None
    correlation_id: int | None
    header: Decoded | None
    body: Annotated[Body | None, Meta(description="null: no definition for this API")]
    packet: Annotated[int | None, Meta(description="of `source`, from 1; null: of no packets")]
    note: Annotated[str, Meta(description="where body is null: why")] = ""
    guessed: Annotated[
        bool, Meta(description="a response alone, whose API and version are a guess")
    ] = False
    rivals: Annotated[list[str], Meta(description="of which APIs it may be as well")] = []


class Record(Shape, kw_only=True):
    """A line of `kproto decode --json` for a record of a log segment."""

    source: str
    partition: int | None
    offset: int
    time: Time | None
    key: Decoded | None
    value: Annotated[Decoded | None, Meta(description="null: a tombstone")]
    transaction: Annotated[
        str | UnsetType | None, Meta(description="of a transaction's record: what became of it")
    ] = UNSET


class Part(Shape, kw_only=True, omit_defaults=True):
    """What is on one side of a difference."""

    start: int
    end: int
    hex: Annotated[Hex | None, Meta(description="the bytes; null for what is no field")]
    value: Any
    error_name: Annotated[str, Meta(description="the name of an error code")] = ""


class Field(Input, kw_only=True, omit_defaults=True):
    """A line of `kproto decode --field PATH --json`."""

    name: str
    version: int | None
    path: str
    type: str
    start: int
    end: int
    hex: Hex
    value: Any
    codes: Annotated[list[str], Meta(description="of the deviations in it")]
    error_name: Annotated[str, Meta(description="the name of an error code")] = ""


class Side(Shape, kw_only=True):
    """One of the two messages."""

    name: Annotated[str | None, Meta(description="null where the bytes resemble no message")]
    version: int | None
    size: Annotated[int, Meta(description="in bytes")]
    error: Error | None


class Difference(Shape, kw_only=True):
    """A field that differs."""

    path: str
    change: Annotated[str, Meta(description="changed, added, removed, reordered; missing: unread")]
    a: Part | None
    b: Part | None


class Compared(Shape, kw_only=True, omit_defaults=True):
    """A line of `kproto diff --json`: a pair of messages."""

    place: Annotated[str, Meta(description="of the pair, where there are several")] = ""
    same: bool
    a: Side
    b: Side
    differences: Annotated[list[Difference] | None, Meta(description="null: too long")]


class LintFinding(Deviation, kw_only=True):
    """A deviation with its level."""

    level: Annotated[str, Meta(description="error, warning or note")]
    id: Annotated[str, Meta(description="the same for the same finding, for --baseline")]


class Reader(Shape, kw_only=True):
    """What a client would do with the bytes."""

    reader: str
    library: str
    release: str
    outcome: Annotated[str, Meta(description="what it does: reads it, refuses it, …")]
    answer: Annotated[str, Meta(description="its error, or what it reads instead")]
    nearest: Annotated[Hex | None, Meta(description="hex of the measured input")]
    exact: Annotated[bool, Meta(description="these very bytes were measured")]
    by_rules: Annotated[bool, Meta(description="the rules of the client's code say so")]
    differs: tuple[str, ...]
    question: Annotated[str, Meta(description="the command that would find out")]


class Linted(Shape, kw_only=True, omit_defaults=True):
    """A line of `kproto lint --json`: a message, and what was found in it."""

    source: str
    place: str
    path: str
    start: int
    name: str | None
    version: int | None
    findings: list[LintFinding]
    could_be: Annotated[
        tuple[str, ...], Meta(description="clients that could have written it")
    ] = ()
    ruled_out: Annotated[dict[str, str], Meta(description="clients, and why not")] = {}
    readers: list[Reader] = []
