"""Any bytes give a value or a `DecodeError` under each policy, and what is reported about them is
true.

Nothing is lost (`to_bytes`, the remainder), the error says where reading stopped, every field and
deviation lies within the bytes, and STRICT accepts nothing that KAFKA refuses or reads differently.
"""

from __future__ import annotations

from typing import Any

from ...codec import Decoded, DecodeError, EncodeError, FieldNode, Message, Policy, decode
from ...codec.runtime.registry import built_in_names
from ..mutators.heads import Route, split
from ..mutators.messages import Messages
from . import Broken
from .families import FAMILIES

FORMS = {name: Messages(names) for name, names in FAMILIES.items()} | {
    "": Messages(built_in_names())
}


def check(data: bytes) -> None:
    """Check an input with a head."""
    route, payload = split(data)
    if route is None:
        return
    seen = _read(payload, route, Policy.LENIENT)
    if not isinstance(seen, Decoded):
        raise Broken(f"LENIENT refused: {seen}")
    _check_lenient(seen, payload)
    kafka = _read(payload, route, Policy.KAFKA)
    _check_same(seen, kafka)
    _check_put_back(seen, route)
    strict = _read(payload, route, Policy.STRICT)
    if isinstance(strict, Decoded):
        if seen.error is not None or strict.remainder:
            raise Broken(f"STRICT accepts what KAFKA does not: {seen.error}")
        _equal("the value under STRICT", strict.message, seen.message)


def _read(payload: bytes, route: Route, policy: Policy) -> Decoded[Message] | DecodeError:
    try:
        return decode(payload, route.cls, policy=policy, body_version=route.body_version)
    except DecodeError as error:
        return error


def _check_lenient(seen: Decoded[Any], payload: bytes) -> None:
    read = len(payload) - len(seen.remainder)
    _equal("to_bytes()", seen.to_bytes(), payload)
    _equal("the end of the bytes", payload[read:], seen.remainder)
    _equal("complete", seen.complete, seen.message is not None)
    if seen.error is not None:
        _equal("where reading stopped", seen.error.offset, read)
        if not str(seen.error):
            raise Broken("an error without words")
    _check_tree(seen.fields, 0, len(payload))
    for deviation in seen.deviations:
        if not 0 <= deviation.offset <= len(payload) or deviation.count < 1:
            raise Broken(f"a deviation that is nowhere: {deviation}")


def _check_same(seen: Decoded[Any], kafka: Decoded[Any] | DecodeError) -> None:
    if isinstance(kafka, DecodeError):
        if seen.error is None:
            raise Broken(f"KAFKA refuses what LENIENT reads: {kafka}")
        expected, other = (kafka.kind, kafka.offset), (seen.error.kind, seen.error.offset)
        _equal("the error under LENIENT", other, expected)
    else:
        _equal("the error of what KAFKA reads", seen.error, None)
        _equal("the value under LENIENT", seen.message, kafka.message)


def _check_put_back(seen: Decoded[Any], route: Route) -> None:
    if seen.message is None or seen.schema_version is None:
        return
    try:
        whole = seen.with_message(seen.message)
    except EncodeError:  # what no conforming writer writes
        return
    again = decode(whole, route.cls, body_version=route.body_version)
    _equal("the version of what was put back", again.version, seen.version)
    _equal("the remainder of what was put back", again.remainder, seen.remainder)


def _check_tree(nodes: tuple[FieldNode, ...] | list[FieldNode], start: int, end: int) -> None:
    at = start
    for node in nodes:
        if not at <= node.start <= node.end <= end:
            raise Broken(f"{node.path} stands at {node.start}-{node.end}, within {at}-{end}")
        _check_tree(node.children, node.start, node.end)
        at = node.end


def _equal(what: str, found: object, other: object) -> None:
    # NaN is no reason: a value that differs from itself is written the same.
    if found != other and repr(found) != repr(other):
        raise Broken(f"{what} is {found!r:.200}, not {other!r:.200}")
