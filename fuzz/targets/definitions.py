"""Definitions of messages: those that may follow today's, and any text in place of one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

from ...codec import (
    DecodeError,
    EncodeError,
    Message,
    SchemaError,
    VersionedMessage,
    compile_definition,
    construct_for,
    decode,
)
from ...codec.dialect.evolution import compare
from ...codec.runtime.registry import spec_of
from ..mutators.forms import DEFINITIONS
from ..mutators.messages import Messages, message_splices, split
from ..mutators.splices import Splice
from . import Broken
from .reading import FAMILIES

_MOST_STEPS = 5
_STEP = 2  # bytes: what is added; how
_KINDS = (
    "bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64", "uuid", "string",
    "bytes", "[]int32", "[]string", "[]bytes", "Struct", "[]Struct",
)  # fmt: skip
_NULLABLE = ("string", "bytes", "[]int32", "[]string", "[]bytes", "[]Struct")


class _Futures(Messages):
    """The form of inputs that are a head; a number of versions, and two bytes for each; a message
    of today.
    """

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying (see `Form`)."""
        route, payload = split(data)
        if route is None:
            return [Splice(0, self.head(data), b"ConsumerProtocolSubscription\n", "a subscription")]
        at = self.head(data)
        splices = [
            Splice(place, place + 1, bytes([value]), f"step {place - at} is {value}")
            for place in range(at, at + 1 + _plan_size(payload))
            for value in (*range(len(_KINDS)), 255)
        ]
        begins = 1 + _plan_size(payload)
        inner = message_splices(payload[begins:], *route)
        return splices + [splice.moved(at + begins) for splice in inner]

    def tokens(self) -> Iterable[bytes]:
        """Return the tokens of messages."""
        return (bytes([kind]) for kind in range(len(_KINDS)))


def _plan_size(payload: bytes) -> int:
    return (
        _STEP * min(payload[0] % (_MOST_STEPS + 1), (len(payload) - 1) // _STEP) if payload else 0
    )


class FutureDefinitions:
    """A definition that legally follows another breaks neither side: today's reader reads
    tomorrow's writer as far as it knows the fields and keeps the rest, and tomorrow's reader reads
    today's writer.
    """

    FORMS = {"": _Futures(FAMILIES["consumer"])}

    @staticmethod
    def check(data: bytes) -> None:
        """Check a head, a plan of versions, and a message."""
        route, payload = split(data)
        if route is None or route.cls.FRAMING.newer != "clamp" or not payload:
            return
        size = _plan_size(payload)
        old: Any = route.cls
        new: Any = successor(old, payload[1 : 1 + size])
        for change in compare(spec_of(old), spec_of(new)):
            if change.breaks:
                raise Broken(f"a legal successor breaks {change.rule}: {change.detail}")
        try:
            today = decode(payload[1 + size :], old)
        except DecodeError:
            return
        assert today.message is not None and today.version is not None
        if today.version <= old.LATEST:
            _check_new_reader(today.message, decode(today.data, new).message)
        try:
            data = _of_tomorrow(today.message, new).to_bytes()
        except EncodeError:
            return
        _check_old_reader(today.message, data, old)


def _check_old_reader(value: Message, data: bytes, old: type[VersionedMessage]) -> None:
    reading = decode(data, old)
    assert reading.message is not None
    if not _is_same(reading.message, value, old):
        raise Broken(f"today's reader makes {reading.message!r:.150} of {value!r:.150}")
    if reading.with_message(reading.message) != data:
        raise Broken("what was read from tomorrow and written back is not identical")


def _check_new_reader(value: Message, read: Any) -> None:
    if not _is_same(read, value, type(value)):
        raise Broken(f"tomorrow's reader makes {read!r:.150} of {value!r:.150}")


def _is_same(message: Message, second: Message, cls: type[Message]) -> bool:
    """Return whether today's fields are equal; structs of two definitions are of two classes."""
    return message.to_json(cls.LATEST) == second.to_json(cls.LATEST)


def _of_tomorrow(value: Message, new: type[VersionedMessage]) -> VersionedMessage:
    """Return the value with something in each field that today lacks."""
    message = new.from_json(value.to_json())
    more = {
        field.snake: _something(str(field.type), new)
        for field in spec_of(new).fields
        if field.name.startswith("More")
    }
    return message.replace(**more)


def _something(kind: str, new: type[Message]) -> Any:
    values = {
        "bool": True, "string": "later", "bytes": b"later", "uuid": UUID(int=7), "float64": 1.5,
    }  # fmt: skip
    base = kind.removeprefix("[]")
    value = getattr(new, base)() if base.startswith("Struct") else values.get(base, 7)
    return (value, value) if kind.startswith("[]") else value


@lru_cache(maxsize=256)
def successor(cls: type[Message], plan: bytes) -> type[Message]:
    """Return a class some versions ahead: each step of `plan` is a version with one more field."""
    definition = json.loads(spec_of(cls).text)
    lowest, highest = cls.VERSIONS.lowest, cls.VERSIONS.highest
    for at in range(0, len(plan), _STEP):
        highest += 1
        kind = _KINDS[plan[at] % len(_KINDS)].replace("Struct", f"Struct{highest}")
        field: dict[str, Any] = {"name": f"More{highest}", "type": kind, "ignorable": True}
        field["versions"] = f"{highest}+"
        if "Struct" in kind:
            field["fields"] = [{"name": "Inner", "type": "int32", "versions": f"{highest}+"}]
        if plan[at + 1] & 1 and _KINDS[plan[at] % len(_KINDS)] in _NULLABLE:
            field["nullableVersions"] = f"{highest}+"
        definition["fields"].append(field)
    definition["validVersions"] = f"{lowest}-{highest}"
    return compile_definition(definition)


_MOST_VERSIONS = 3


class HostileDefinitions:
    """Any text is a definition that works or a `SchemaError`: none of it is executed, and the class
    made of it writes and reads its own default message in every decoder.
    """

    FORMS = {"": DEFINITIONS}

    @staticmethod
    def check(data: bytes) -> None:
        """Check the text of a definition."""
        try:
            cls = compile_definition(data.decode("utf-8", "replace"))
        except SchemaError as error:
            if not error.rule:
                raise Broken("refused without a word") from None
            return
        versions = list(cls.VERSIONS)
        for version in {*versions[:_MOST_VERSIONS], *versions[-_MOST_VERSIONS:]}:
            _check_version(cls, version)


def _check_version(cls: type[Message], version: int) -> None:
    message = cls()
    if cls.FRAMING.kind == "version32":
        message = message.replace(version=version)
    try:
        body = message.to_body(version)
    except EncodeError:  # a default of null that this version does not allow
        return
    if cls.FRAMING.newer == "head":
        return
    again = cls.from_body(body, version)
    if again != message and repr(again) != repr(message):  # NaN differs from itself
        raise Broken(f"version {version}: the default message is read as {again!r:.150}")
    construct_for(cls, version).parse(body)
