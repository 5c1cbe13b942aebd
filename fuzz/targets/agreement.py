"""The decoders agree: the generated Python, the compiled core, the diagnostic reader and the
construct definition, and Apache Kafka's own classes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ...codec import DecodeError, EncodeError, Message, decode
from ...codec.messages.programs import PROGRAMS
from ...codec.read.diagnostic_reader import Cursor, kind_of
from ...codec.read.shape import shape_of
from ...codec.runtime.engine import CORE, WHY_NOT, bind
from ...codec.runtime.registry import layout_of
from ...codec.wire.primitives import ODD_BYTES, ODD_VALUE
from ..building import JavaUnavailable
from ..guarantees.cases import Case, write
from ..guarantees.properties import same_as_construct, same_as_diagnostic_reader
from ..guarantees.subjects import GENERATED
from ..mutators.messages import MESSAGES, Messages, ReadableMessages, Route, split
from ..oracles.java import JavaOracle
from . import Broken, Missing
from .reading import FAMILIES, PlainReadings, front


class DecoderAgreement:
    """The generated reader, the diagnostic reader and the construct definition agree: on the value
    and where it ends, or on the kind and the place of the error.
    """

    FORMS = {"": MESSAGES}

    @staticmethod
    def check(data: bytes) -> None:
        """Check an input with a head against guarantees G40 and G41."""
        route, payload = split(data)
        if route is not None:
            case = Case(route.cls.NAME, payload, route.body_version)
            same_as_diagnostic_reader(GENERATED, case)
            same_as_construct(GENERATED, case)


PlainRead = tuple[Any, int] | None
"""A message and where it ends; None if the reader leaves the bytes to another."""


class EngineAgreement:
    """The compiled core, the generated Python, the diagnostic reader and the construct definition
    agree: on the value and where it ends, on what is refused and where, and on what is written.

    The core and the generated Python leave to the diagnostic reader what they find odd. They never
    read what it refuses, nor another value than it.
    """

    FORMS = {"": MESSAGES}

    @staticmethod
    def require() -> None:
        """Raise `Missing` if the core is not installed."""
        if CORE is None:
            raise Missing(f"no compiled core: {WHY_NOT}")

    @staticmethod
    def check(data: bytes) -> None:
        """Check an input with a head in all of them."""
        route, payload = split(data)
        if route is None:
            return
        cls, version = route
        start = 0
        if version is None and cls.FRAMING.kind != "version32":
            start = cls.FRAMING.header_bytes
            label = int.from_bytes(payload[:start], "big", signed=True)
            version = cls.LATEST if cls.FRAMING.kind == "record-type" else min(label, cls.LATEST)
        elif version is None:
            version = int.from_bytes(payload[:4], "big", signed=True)
        if version in cls.VERSIONS:
            _compare(cls, version, payload, start)
        same_as_construct(GENERATED, Case(cls.NAME, payload, route.body_version))


def _compare(cls: type[Message], version: int, data: bytes, start: int) -> None:
    bind(cls)
    by_core: PlainRead = cls._plainly(version, data, start)
    by_python = _by_python(cls, version, data, start)
    cursor = Cursor(data, start, version)
    fault: DecodeError | None = None
    message: Any = None
    try:
        message = kind_of(layout_of(cls, version), cls, cls).read(cursor)
    except DecodeError as error:
        fault = error
    for name, read in (("the core", by_core), ("the generated reader", by_python)):
        if read is None:
            continue
        if fault is not None:
            raise Broken(f"{name} reads what is refused: {fault}")
        if repr(read) != repr((message, cursor.pos)):
            raise Broken(f"{name} reads {read!r:.300}, not {(message, cursor.pos)!r:.300}")
    if by_python is not None and by_core is None and not _is_other_text(cls, message):
        raise Broken(f"the core leaves {message!r:.300} to the diagnostic reader, Python does not")
    _compare_shape(cls, version, data, start, fault, cursor.pos)
    if message is not None:
        _compare_writers(cls, version, message)


def _is_other_text(cls: type[Message], message: Any) -> bool:
    """Whether there may be modified UTF-8 beyond ASCII, which the core leaves to others."""
    layouts = PROGRAMS[cls.__name__][1]
    modified = any(slot[1] == "modified-utf-8" for layout in layouts for slot in layout[2])
    return modified and "\\" in ascii(message)


def _by_python(cls: type[Message], version: int, data: bytes, start: int) -> PlainRead:
    try:
        return cls._codecs[version].read(data, start)
    except ODD_BYTES:
        return None


def _compare_shape(
    cls: type[Message], version: int, data: bytes, start: int, fault: DecodeError | None, end: int
) -> None:
    walked = shape_of(cls.__name__).end(version, data, start)
    read = (True, end) if fault is None else (False, fault.offset)
    if walked != read and (fault is None or fault.kind.value != "deviation"):
        raise Broken(f"the walk ends at {walked}, the diagnostic reader at {read}")


def _compare_writers(cls: type[Message], version: int, message: Message) -> None:
    parts: list[bytes] = []
    try:
        cls._codecs[version].write(message, parts)
        by_python: bytes | None = b"".join(parts)
    except ODD_VALUE:
        by_python = None
    try:
        by_core: bytes | None = message.to_body(version)
    except EncodeError:
        by_core = None
    if by_core != by_python:
        raise Broken(f"the core writes {by_core!r:.200}, Python {by_python!r:.200}")


# Those that Kafka has generated classes for; the rest is written by hand there.
_JAVA_NAMES = (*FAMILIES["consumer"], *FAMILIES["requests"], *FAMILIES["offsets-topic"])

_READINGS = PlainReadings()
_NOTHING: Any = ()  # what is not plain: taking it apart raises ValueError

_BATCH = 500
_LONGEST = 4096  # Kafka takes cubic time over elements of equal map keys

_Answer = tuple[int | None, bytes | None]
"""The number of bytes left unread, None if refused; the value as bytes, None if it cannot be
written.
"""


@cache
def _oracle() -> JavaOracle:
    try:
        return JavaOracle()
    except JavaUnavailable as reason:
        raise Missing(f"no Java: {reason}") from None


class JavaBatch:
    """Inputs that were taken, by what they are read as, and kproto's answers to them."""

    def __init__(self) -> None:
        self._asked: dict[Route, list[tuple[bytes, _Answer]]] = {}
        self._known = _oracle().names()

    def __call__(self, data: bytes) -> None:
        """Take an input; ask Java once there are enough of its kind."""
        route, payload = split(data)
        if route is None or len(payload) > _LONGEST:
            return
        batch = self._asked.get(route)
        if batch is None:
            if not self._comparable(route):
                return
            batch = self._asked[route] = []
        batch.append((payload, _answer(route, data)))
        if len(batch) >= _BATCH:
            self._compare(route, self._asked.pop(route))

    def finish(self) -> None:
        """Ask Java about all inputs that were taken. Raises `Broken` for the first that differs."""
        while self._asked:
            self._compare(*self._asked.popitem())

    def _comparable(self, route: Route) -> bool:
        versions = self._known.get(route.cls.NAME)
        if versions is None:
            return False
        if route.body_version is None:
            return route.cls.FRAMING.newer == "clamp"
        return versions[0] <= route.body_version <= versions[1]

    def _compare(self, route: Route, inputs: list[tuple[bytes, _Answer]]) -> None:
        name, version = route.cls.NAME, route.body_version
        payloads = [payload for payload, _ in inputs]
        digests = _oracle().digests(name, payloads, version=version)
        for (payload, (left, again)), java_left, java_again in zip(
            inputs, digests.left, digests.again, strict=True
        ):
            if left == java_left and again == java_again:
                continue
            if left == java_left and None in (again, java_again):
                continue  # one cannot write what both have read: a verdict on writing
            raise Broken(
                f"{name}: left and value are {left}, {_hex(again)}; "
                f"Java says {java_left}, {_hex(java_again)}",
                data=(name if version is None else f"{name} {version}").encode() + b"\n" + payload,
            )


class JavaAgreement:
    """Apache Kafka's classes and kproto agree: on the verdict, on what is left unread, and on the
    value, compared as the bytes that both write for it.

    Coverage is taken from a walk over what could be read, so that refused inputs add little to the
    corpus, which stays one of messages that can be read. Crossing into Java costs more than judging
    a message, so a campaign asks for hundreds of one kind at a time.
    """

    FORMS = {"": Messages(_JAVA_NAMES), "consumer": ReadableMessages(FAMILIES["consumer"])}
    prepare = _READINGS.prepare
    Batch = JavaBatch

    @staticmethod
    def require() -> None:
        """Raise `Missing` if Java, or Kafka for it, is not available."""
        _oracle()

    @staticmethod
    def check(data: bytes) -> None:
        """Check an input with a head, in a batch of one."""
        batch = JavaBatch()
        batch(data)
        batch.finish()


def _answer(route: Route, data: bytes) -> _Answer:
    try:
        version, start, label, read, write_body, count = _READINGS[front(data)]
        message, end = read(version, data, start) or _NOTHING
        body = write_body(message, version)
        count(data, start)
    except (*ODD_BYTES, EncodeError):
        return _diagnostic_answer(route, split(data)[1])
    return len(data) - end, label + body


def _diagnostic_answer(route: Route, payload: bytes) -> _Answer:
    try:
        reading = decode(payload, route.cls, body_version=route.body_version)
    except DecodeError:
        return None, None
    assert reading.message is not None and reading.schema_version is not None
    left = len(reading.remainder)
    try:
        if route.body_version is None:
            return left, write(reading.message, reading.schema_version)
        return left, reading.message.to_body(reading.schema_version)
    except EncodeError:
        return left, None


def _hex(data: bytes | None) -> str:
    return "none" if data is None else f"{data.hex():.120}"
