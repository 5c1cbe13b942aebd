"""Apache Kafka's classes and kproto agree: on the verdict, on what is left unread, and on the
value, compared as the bytes that both write for it.

Coverage is taken from a walk over what could be read, so that refused inputs add little to the
corpus, which stays one of messages that can be read. Crossing into Java costs more than judging a
message, so a campaign asks for hundreds of one kind at a time.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ...codec import DecodeError, EncodeError, decode
from ...codec.wire.primitives import ODD_BYTES
from ..guarantees.cases import write
from ..mutators.heads import Route, split
from ..mutators.messages import Messages, Readable
from ..oracles.java import JavaOracle, JavaUnavailable
from . import Broken, Missing
from .families import FAMILIES
from .plain_reading import Readings, front

__all__ = ["FORMS", "Batch", "check", "prepare", "require"]

# Those that Kafka has generated classes for; the rest is written by hand there.
_NAMES = (*FAMILIES["consumer"], *FAMILIES["requests"], *FAMILIES["offsets-topic"])
FORMS = {"": Messages(_NAMES), "consumer": Readable(FAMILIES["consumer"])}

_READINGS = Readings()
_NOTHING: Any = ()  # what is not plain: taking it apart raises ValueError
prepare = _READINGS.prepare

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


def require() -> None:
    """Raise `Missing` if Java, or Kafka for it, is not available."""
    _oracle()


def check(data: bytes) -> None:
    """Check an input with a head, in a batch of one."""
    batch = Batch()
    batch(data)
    batch.finish()


class Batch:
    """Inputs that were taken, by what they are read as, and kproto's answers to them."""

    def __init__(self) -> None:
        self._asked: dict[Route, list[tuple[bytes, _Answer]]] = {}
        self._known = _oracle().names()

    def __call__(self, data: bytes) -> None:
        """Take an input; ask Java once there are enough of its kind."""
        route, payload = split(data)
        if route is None or len(payload) > _LONGEST:
            return
        asked = self._asked.get(route)
        if asked is None:
            if not self._comparable(route):
                return
            asked = self._asked[route] = []
        asked.append((payload, _answer(route, data)))
        if len(asked) >= _BATCH:
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
        told = _oracle().digests(name, payloads, version=version)
        for (payload, (left, again)), java_left, java_again in zip(
            inputs, told.left, told.again, strict=True
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
        seen = decode(payload, route.cls, body_version=route.body_version)
    except DecodeError:
        return None, None
    assert seen.message is not None and seen.schema_version is not None
    left = len(seen.remainder)
    try:
        if route.body_version is None:
            return left, write(seen.message, seen.schema_version)
        return left, seen.message.to_body(seen.schema_version)
    except EncodeError:
        return left, None


def _hex(data: bytes | None) -> str:
    return "none" if data is None else f"{data.hex():.120}"
