"""A message that was read and is written again reads as the same value, and is written the same
from then on; what STRICT accepts can always be written.

The target that runs most often, so coverage is taken from a walk over what could be read: refused
inputs add nothing to the corpus, which stays one of messages that can be read.
"""

from __future__ import annotations

from typing import Any

from ...codec import Decoded, DecodeError, EncodeError, Message, Policy, decode
from ...codec.runtime.registry import built_in_names
from ...codec.wire.primitives import ODD_BYTES, ODD_VALUE
from ..mutators.heads import Route, split
from ..mutators.messages import Readable
from . import Broken
from .families import FAMILIES
from .plain_reading import Readings, front

__all__ = ["FORMS", "check", "prepare"]

FORMS = {"": Readable(built_in_names()), "consumer": Readable(FAMILIES["consumer"])}


READINGS = Readings()
_NOTHING: Any = ()  # what is not plain: taking it apart raises ValueError
prepare = READINGS.prepare


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
        seen: Decoded[Any] = decode(payload, route.cls, body_version=route.body_version)
    except DecodeError:
        return
    version = seen.schema_version
    if version is None or seen.message is None:  # the head of a newer version: nothing to write
        return
    try:
        body = seen.message.to_body(version)
    except EncodeError as error:
        _check_no_conforming_writer(route, payload, error)
        return
    again = route.cls.from_body(body, version)
    if again != seen.message:
        _check_nan(again, seen.message, body)
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
