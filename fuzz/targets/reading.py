"""Messages of every family, read under each policy, and written again.

`PlainReadings` are for the targets that run most often: valid messages are read by the engine
itself, with a separate walk whose branches count, since what `decode` returns besides a message
costs more than reading.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...codec import Decoded, DecodeError, EncodeError, FieldNode, Message, Policy, decode
from ...codec.messages.programs import PROGRAMS
from ...codec.runtime.engine import CORE, bind
from ...codec.runtime.registry import built_in_names
from ...codec.wire.primitives import ODD_BYTES, ODD_VALUE
from ..mutators.messages import ROUTES, Messages, ReadableMessages, Route, split
from . import Broken, Trace

_CONSUMER = ("ConsumerProtocolAssignment", "ConsumerProtocolSubscription")
_STREAMS = ("AssignmentInfo", "SubscriptionInfoData")
_ENDS = {
    "requests": ("Request", "Response", "RequestHeader", "ResponseHeader"),
    "offsets-topic": ("Key", "Value"),
    "user-data": ("UserData",),
}


def _families() -> dict[str, tuple[str, ...]]:
    names = built_in_names()
    families: dict[str, tuple[str, ...]] = {"consumer": _CONSUMER, "streams": _STREAMS}
    for family, ends in _ENDS.items():
        families[family] = tuple(name for name in names if name.endswith(ends))
    names_taken = {name for family in families.values() for name in family}
    families["connect"] = tuple(name for name in names if name not in names_taken)
    return families


FAMILIES = _families()
"""The names of each family; each built-in message is in one."""


Reader = Callable[[int, bytes, int], tuple[Any, int] | None]
Writer = Callable[[Any, int], bytes]

_LABEL = 2  # bytes

Plain = tuple[int, int, bytes, Reader, Writer, Callable[..., Any]]
"""How one version is read and written: the version, the offset of its fields, the bytes in front of
them; the engine's reader (`Message._plainly`) and writer (`Message.to_body`); and the walk over
data that can be read, from the start of the fields, with its branches counted: the core, or the
generated Python.

No named tuple: CPython unpacks those more slowly.
"""


def front(data: bytes) -> bytes:
    """Return the beginning of an input: its head, and what may be a version behind it."""
    return data[: data.find(b"\n") + 1 + _LABEL]


class PlainReadings(dict[bytes, Plain]):
    """Maps the front of an input to how it is read; raises LookupError if only the diagnostic
    reader can.
    """

    def __init__(self) -> None:
        self._trace: Trace = lambda function: function
        self._counted: dict[type[Message], dict[int, Callable[..., Any]]] = {}

    def prepare(self, trace: Trace) -> None:
        """Count branches from now on."""
        self._trace = trace
        self._counted.clear()
        self.clear()

    def __missing__(self, key: bytes) -> Plain:
        head, _, label = key.partition(b"\n")
        route = ROUTES[head]
        if route is None:
            raise LookupError
        cls, version = route
        if version is not None:  # a body: no version follows the head
            return self._plain(cls, version, len(head) + 1, b"")
        if cls.FRAMING.kind != "version" or len(label) < _LABEL:
            raise LookupError
        version = int.from_bytes(label, "big", signed=True)
        if version > cls.LATEST and cls.FRAMING.newer == "clamp":
            version = cls.LATEST
        label_read = version.to_bytes(_LABEL, "big", signed=True)
        plain = self[key] = self._plain(cls, version, len(key), label_read)
        return plain

    def _plain(self, cls: type[Message], version: int, start: int, label: bytes) -> Plain:
        if cls not in self._counted:  # all versions: what is made to count early costs less
            self._counted[cls] = self._counting(cls)
        bind(cls)
        return version, start, label, cls._plainly, cls.to_body, self._counted[cls][version]

    def _counting(self, cls: type[Message]) -> dict[int, Callable[..., Any]]:
        if CORE is None:
            return {version: self._trace(codec.read) for version, codec in cls._codecs.items()}
        count = self._trace(Walk(cls))
        return {version: partial(count, version) for version in cls._codecs}


class Walk:
    """The compiled core's walk over the messages of one class: `(version, data, start)`."""

    def __init__(self, cls: type[Message]) -> None:
        self._shape = CORE.Shape(*PROGRAMS[cls.__name__][:4])
        self.places: int = self._shape.places
        """How many counts it has."""

    def __call__(self, version: int, data: bytes, start: int) -> None:
        """Walk without counting."""

    def counting(self, counts: bytearray) -> Callable[[int, bytes, int], object]:
        """Return the walk that raises these counts."""
        return partial(self._shape.count, counts)


class Decode:
    """Any bytes give a value or a `DecodeError` under each policy, and what is reported about them
    is true.

    Nothing is lost (`to_bytes`, the remainder), the error says where reading stopped, every field
    and deviation lies within the bytes, and STRICT accepts nothing that KAFKA refuses or reads
    differently.
    """

    FORMS = {name: Messages(names) for name, names in FAMILIES.items()} | {
        "": Messages(built_in_names())
    }

    @staticmethod
    def check(data: bytes) -> None:
        """Check an input with a head."""
        route, payload = split(data)
        if route is None:
            return
        reading = _read(payload, route, Policy.LENIENT)
        if not isinstance(reading, Decoded):
            raise Broken(f"LENIENT refused: {reading}")
        _check_lenient(reading, payload)
        kafka = _read(payload, route, Policy.KAFKA)
        _check_same(reading, kafka)
        _check_put_back(reading, route)
        strict = _read(payload, route, Policy.STRICT)
        if isinstance(strict, Decoded):
            if reading.error is not None or strict.remainder:
                raise Broken(f"STRICT accepts what KAFKA does not: {reading.error}")
            _equal("the value under STRICT", strict.message, reading.message)


def _read(payload: bytes, route: Route, policy: Policy) -> Decoded[Message] | DecodeError:
    try:
        return decode(payload, route.cls, policy=policy, body_version=route.body_version)
    except DecodeError as error:
        return error


def _check_lenient(reading: Decoded[Any], payload: bytes) -> None:
    read = len(payload) - len(reading.remainder)
    _equal("to_bytes()", reading.to_bytes(), payload)
    _equal("the end of the bytes", payload[read:], reading.remainder)
    _equal("complete", reading.complete, reading.message is not None)
    if reading.error is not None:
        _equal("where reading stopped", reading.error.offset, read)
        if not str(reading.error):
            raise Broken("an error without words")
    _check_tree(reading.fields, 0, len(payload))
    for deviation in reading.deviations:
        if not 0 <= deviation.offset <= len(payload) or deviation.count < 1:
            raise Broken(f"a deviation that is nowhere: {deviation}")


def _check_same(reading: Decoded[Any], kafka: Decoded[Any] | DecodeError) -> None:
    if isinstance(kafka, DecodeError):
        if reading.error is None:
            raise Broken(f"KAFKA refuses what LENIENT reads: {kafka}")
        kafka_error, lenient_error = (
            (kafka.kind, kafka.offset),
            (reading.error.kind, reading.error.offset),
        )
        _equal("the error under LENIENT", lenient_error, kafka_error)
    else:
        _equal("the error of what KAFKA reads", reading.error, None)
        _equal("the value under LENIENT", reading.message, kafka.message)


def _check_put_back(reading: Decoded[Any], route: Route) -> None:
    if reading.message is None or reading.schema_version is None:
        return
    try:
        data = reading.with_message(reading.message)
    except EncodeError:  # what no conforming writer writes
        return
    again = decode(data, route.cls, body_version=route.body_version)
    _equal("the version of what was put back", again.version, reading.version)
    _equal("the remainder of what was put back", again.remainder, reading.remainder)


def _check_tree(nodes: tuple[FieldNode, ...] | list[FieldNode], start: int, end: int) -> None:
    at = start
    for node in nodes:
        if not at <= node.start <= node.end <= end:
            raise Broken(f"{node.path} is at {node.start}-{node.end}, within {at}-{end}")
        _check_tree(node.children, node.start, node.end)
        at = node.end


def _equal(aspect: str, value: object, reference: object) -> None:
    # NaN is no reason: a value that differs from itself is written the same.
    if value != reference and repr(value) != repr(reference):
        raise Broken(f"{aspect} is {value!r:.200}, not {reference!r:.200}")


READINGS = PlainReadings()
_NOTHING: Any = ()  # what is not plain: taking it apart raises ValueError


class RoundTrip:
    """A message that was read and is written again reads as the same value, and is written the same
    from then on; what STRICT accepts can always be written.

    The target that runs most often, so coverage is taken from a walk over what could be read:
    refused inputs add nothing to the corpus, which stays one of messages that can be read.
    """

    FORMS = {
        "": ReadableMessages(built_in_names()),
        "consumer": ReadableMessages(FAMILIES["consumer"]),
    }
    prepare = READINGS.prepare

    @staticmethod
    def check(data: bytes) -> None:
        """Check an input with a head."""
        try:
            version, start, _, read, write, count = READINGS[front(data)]
            message, _ = read(version, data, start) or _NOTHING
            body = write(message, version)
            again, _ = read(version, body, 0) or _NOTHING
            count(data, start)
        except (*ODD_BYTES, *ODD_VALUE, EncodeError):
            _check_odd(data)
            return
        if again != message:
            _check_nan(again, message, body)


def _check_odd(data: bytes) -> None:
    """Check an input that only the diagnostic reader reads."""
    route, payload = split(data)
    if route is None:
        return
    try:
        reading: Decoded[Any] = decode(payload, route.cls, body_version=route.body_version)
    except DecodeError:
        return
    version = reading.schema_version
    if version is None or reading.message is None:  # the head of a newer version: nothing to write
        return
    try:
        body = reading.message.to_body(version)
    except EncodeError as error:
        _check_no_conforming_writer(route, payload, error)
        return
    again = route.cls.from_body(body, version)
    if again != reading.message:
        _check_nan(again, reading.message, body)
    if again.to_body(version) != body:
        raise Broken(f"written as {body.hex():.200}, and then otherwise")


def _check_nan(again: Message, message: Message, body: bytes) -> None:
    """Check that two values that differ are one that holds NaN, which differs from itself."""
    if repr(again) != repr(message):
        raise Broken(f"written as {body.hex():.200}, which reads as another value")


def _check_no_conforming_writer(route: Route, payload: bytes, error: EncodeError) -> None:
    """Check that STRICT refuses what cannot be written: Kafka reads tags in any order, and writes
    them in order.
    """
    try:
        decode(payload, route.cls, policy=Policy.STRICT, body_version=route.body_version)
    except DecodeError:
        return
    raise Broken(f"read under STRICT, and cannot be written: {error}")
