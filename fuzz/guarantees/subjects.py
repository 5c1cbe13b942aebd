"""Subjects in this process: a client author's own functions, and kproto's decoders.

    subject_of(my_decode, errors=MyError)

`decode(name, data)` returns the value as a mapping, or a `Read` with version and remainder; for
messages without a version in front (requests, sticky user data) it is given their version too,
`decode(name, data, version)`, and a decoder that does not take one is not asked about those.
`encode(name, version, value)` returns bytes. Values are in Kafka's JSON form, except that bytes may
be bytes. `errors` are the documented refusals, NotImplementedError says that there is no API for
the question, and any other exception is a fault. The cost of a call is measured in this process.

kproto has the generated, the diagnostic and the construct reader. Each of the three finds the
fields by itself; the version or record type in front is read by `decode` for all.
"""

from __future__ import annotations

import io
import time
import tracemalloc
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from functools import lru_cache
from inspect import signature
from typing import Any, TypeAlias

from ...codec import (
    Decoded,
    DecodeError,
    EncodeError,
    ErrorKind,
    Message,
    MessagePart,
    Policy,
    construct_for,
    decode,
    message_class,
)
from ...codec.construct_schema import ConstructRefused
from ...codec.dialect.layout import Layout
from ...codec.read.diagnostic_reader import Cursor, kind_of
from ...codec.runtime.registry import built_in_names, layout_of
from ..contract import answer_in_form
from ..subject import (
    CONSUMER_PROTOCOL,
    Cost,
    Failed,
    Failure,
    JsonObject,
    Read,
    ReadAnswer,
    Refused,
    Subject,
    Unsupported,
    WriteAnswer,
    Written,
)
from .cases import CLAMPED, known_names, value_of, write

try:
    import resource
except ImportError:  # Windows: what Python itself allocates is measured all the same
    resource = None  # type: ignore[assignment]


def measured(call: Callable[[], object]) -> Cost:
    """Return seconds, and bytes at the peak: of Python's allocator, or of the process if it grew by
    more.

    The process's own peak includes what extensions in C or Rust take, but only if it is a new one.
    """
    outside = _resident_peak()
    already = tracemalloc.is_tracing()
    if not already:
        tracemalloc.start(1)
    tracemalloc.reset_peak()
    allocated = tracemalloc.get_traced_memory()[0]
    start = time.perf_counter()
    try:
        call()
    finally:
        seconds = time.perf_counter() - start
        peak = tracemalloc.get_traced_memory()[1]
        if not already:
            tracemalloc.stop()
    return Cost(seconds, max(peak - allocated, _resident_peak() - outside))


def _resident_peak() -> int:
    if resource is None:
        return 0
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024


Decode: TypeAlias = Callable[..., "Read | Mapping[str, Any]"]
Encode: TypeAlias = Callable[[str, int, JsonObject], bytes]
Errors: TypeAlias = "type[Exception] | tuple[type[Exception], ...]"


def subject_of(
    decode: Decode | None = None,
    encode: Encode | None = None,
    *,
    errors: Errors = ValueError,
    names: Collection[str] = CONSUMER_PROTOCOL,
) -> Subject:
    """Return a subject of a decoder, an encoder, or both, for the messages of these names.

    Raises ValueError for names of no message, TypeError for objects that are no functions or no
    errors.
    """
    if not all(_is_error(error) for error in _classes(errors)):
        raise TypeError(f"the errors are {errors!r}, not a class of exceptions or a tuple of such")
    if decode is not None and not (_takes(decode, 2) or _takes(decode, 3)):
        raise TypeError("a decoder takes (name, data) or (name, data, version)")
    if encode is not None and not _takes(encode, 3):
        raise TypeError("an encoder takes (name, version, value)")
    return _Functions(decode, encode, errors, frozenset(known_names(names)))


def _classes(errors: Errors) -> tuple[type[Exception], ...]:
    return errors if isinstance(errors, tuple) else (errors,)


def _is_error(candidate: object) -> bool:
    return isinstance(candidate, type) and issubclass(candidate, BaseException)


def _takes(function: Callable[..., Any], count: int, *, unsaid: bool = True) -> bool:
    """Return whether a function can be called with so many arguments; `unsaid` for one in C that
    does not say.
    """
    try:
        signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return unsaid
    return True


class _Functions:
    def __init__(
        self,
        decode: Decode | None,
        encode: Encode | None,
        errors: Errors,
        names: frozenset[str],
    ) -> None:
        self._decode = decode
        self._encode = encode
        self._errors = errors
        self._names = names
        self._takes_version = decode is not None and _takes(decode, 3, unsaid=False)
        self._wants_version = decode is not None and not _takes(decode, 2)

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes with the decoder (see `Subject`)."""
        if self._decode is None or name not in self._names:
            return Unsupported(f"no decoder of {name}")
        function = self._decode
        more = () if version is None and not self._wants_version else (version,)
        if more and not self._takes_version:
            return Unsupported("a decoder that takes no version")
        answer = answer_in_form(name, self._call(lambda: function(name, data, *more)))
        return answer._replace(value=_plain(answer.value)) if isinstance(answer, Read) else answer

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value with the encoder (see `Subject`)."""
        if self._encode is None or name not in self._names:
            return Unsupported(f"no encoder of {name}")
        function = self._encode
        own = deepcopy(value)  # the author may change it
        answer = self._call(lambda: function(name, version, own))
        if isinstance(answer, bytes | bytearray | memoryview):
            return Written(bytes(answer))
        if isinstance(answer, Refused | Unsupported | Failed):
            return answer
        text = f"encode returned {answer!r:.60} ({type(answer).__name__}): return bytes"
        return Failed(Failure.ADAPTER, text)

    def _call(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except self._errors as error:
            return Refused(f"{type(error).__name__}: {error}", _documented(error, self._errors))
        except NotImplementedError as error:
            return Unsupported(str(error))
        except MemoryError as error:
            return Failed(Failure.MEMORY, f"MemoryError: {error}")
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever else gets out is the finding
            return Failed(Failure.CRASH, f"{type(error).__name__}: {error}")

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Return that there is no API for it."""
        return Unsupported("functions that read or write")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what reading with the decoder takes (see `Subject`)."""
        return measured(lambda: self.decode(name, data, version))


def _documented(error: Exception, errors: Errors) -> str:
    """Return the documented error that an exception is: a subclass counts as its base."""
    return next(
        error_class.__name__ for error_class in _classes(errors) if isinstance(error, error_class)
    )


def _plain(value: Any) -> Any:
    """Return a value with bytes as base64 and sequences as lists."""
    if isinstance(value, bytes | bytearray | memoryview):
        return b64encode(value).decode()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


_UNKNOWN = "kproto has no definition of that name"


def refusal_of(error: DecodeError | EncodeError) -> Refused:
    """Return an error of kproto's as an answer."""
    if isinstance(error, DecodeError):
        return Refused(str(error), "DecodeError", error.kind.value, error.offset)
    return Refused(str(error), "EncodeError")


class Generated:
    """The library as a subject: `decode` under policy KAFKA, and `to_bytes`.

    With `reader_version` it reads as a member that knows nothing newer.
    """

    def __init__(self, reader_version: int | None = None) -> None:
        self.reader_version = reader_version

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes (see `Subject`); a clamped message shows the fields of every version that it
        knows.
        """
        if name not in built_in_names():
            return Unsupported(_UNKNOWN)
        try:
            reading = self._read(name, data, version)
        except DecodeError as error:
            return refusal_of(error)
        return Read(self._value(reading), reading.version, reading.remainder)

    def _read(self, name: str, data: bytes, version: int | None) -> Decoded[Message]:
        cls = message_class(name)
        reader = self.reader_version if cls.FRAMING.newer == CLAMPED else None
        return decode(data, cls, reader_version=reader, body_version=version)

    def _value(self, reading: Decoded[Message]) -> JsonObject:
        if reading.message is None or reading.message.FRAMING.newer != CLAMPED:
            return value_of(reading)
        return reading.message.to_json(self.reader_version)

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value (see `Subject`)."""
        if name not in built_in_names():
            return Unsupported(_UNKNOWN)
        cls = message_class(name)
        try:
            return Written(write(cls.from_json(value, version), version))
        except EncodeError as error:
            return refusal_of(error)

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back (see `Subject`)."""
        if name not in built_in_names():
            return Unsupported(_UNKNOWN)
        try:
            reading = self._read(name, data, version)
            if reading.message is None or reading.schema_version is None:
                return Unsupported("only the head of a newer version could be read")
            return Written(reading.with_message(reading.message))
        except (DecodeError, EncodeError) as error:
            return refusal_of(error)

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what reading takes (see `Subject`)."""
        return measured(lambda: self.decode(name, data, version))


Reader = Callable[[type[Message], int, bytes, int], tuple[Message, int]]
"""Reads fields: from class, version, bytes and their offset to the message and where it ends."""


class FieldsReader:
    """One of the other two readers, behind the same front; they do not write."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes (see `Subject`), with the fields of the version that was read."""
        if name not in built_in_names():
            return Unsupported(_UNKNOWN)
        cls = message_class(name)
        front = decode(data, cls, policy=Policy.LENIENT, body_version=version)
        version_field, read_as = front.version, front.schema_version
        if front.error is not None and front.error.kind is ErrorKind.UNSUPPORTED_VERSION:
            return refusal_of(front.error)
        if read_as is None or version_field is None:
            if front.error is None:
                return Unsupported("a head alone")
            return refusal_of(front.error)
        start = 0 if version is not None else cls.FRAMING.header_bytes
        return self._fields(cls, data, version_field, read_as, start)

    def _fields(
        self, cls: type[Message], data: bytes, version_field: int, read_as: int, start: int
    ) -> Read | Refused:
        try:
            message, end = self._reader(cls, read_as, data, start)
        except DecodeError as error:
            return refusal_of(error)
        except ConstructRefused as error:
            return Refused(str(error), None, error.kind.value, error.offset + start)
        return Read(message.to_json(read_as), version_field, data[end:])

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Return that there is no API for it."""
        return Unsupported("a reader alone")

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Return that there is no API for it."""
        return Unsupported("a reader alone")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return what reading takes (see `Subject`)."""
        return measured(lambda: self.decode(name, data, version))


def _by_diagnostic_reader(
    cls: type[Message], version: int, data: bytes, start: int
) -> tuple[Message, int]:
    cursor = Cursor(data, start, version)
    message: Message = kind_of(layout_of(cls, version), cls, cls).read(cursor)
    return message, cursor.pos


def _by_construct(cls: type[Message], version: int, data: bytes, start: int) -> tuple[Message, int]:
    stream = io.BytesIO(data[start:])
    value = _construct(cls, version).parse_stream(stream)
    return message_of(cls, version, value), start + stream.tell()


@lru_cache(maxsize=1024)
def _construct(cls: type[Message], version: int) -> Any:
    return construct_for(cls, version)


def message_of(cls: type[Message], version: int, value: Mapping[str, Any]) -> Message:
    """Return the message that construct parsed into a Container."""
    message = _part(cls, cls, layout_of(cls, version), value)
    assert isinstance(message, Message)
    return message


def _part(
    cls: type[Message], part: type[MessagePart], layout: Layout, value: Mapping[str, Any]
) -> MessagePart:
    """Return a message, or a struct of it, from what construct parsed."""
    fields: dict[str, Any] = {}
    for slot in (*layout.slots, *layout.tagged):
        item = value[slot.field.snake]
        if slot.element is not None and item is not None:
            assert slot.element.struct is not None
            inner = getattr(cls, slot.element.struct.class_name)
            if slot.field.type.array:
                item = tuple(_part(cls, inner, slot.element, part) for part in item)
            else:
                item = _part(cls, inner, slot.element, item)
        fields[slot.field.snake] = item
    return part(**fields)


GENERATED: Subject = Generated()
DIAGNOSTIC: Subject = FieldsReader(_by_diagnostic_reader)
CONSTRUCT: Subject = FieldsReader(_by_construct)
