"""Bytes to messages and back: the public names of the codec.

>>> from kproto.codec import ConsumerProtocolSubscription, Policy, decode
>>> data = ConsumerProtocolSubscription(topics=["orders"], generation_id=7).to_bytes(version=2)
>>> data.hex()
'00020000000100066f7264657273ffffffff0000000000000007'
>>> seen = decode(data + b"more", ConsumerProtocolSubscription)
>>> seen.message.topics, seen.version, seen.remainder
(('orders',), 2, b'more')

Nothing is imported before it is used: the command starts fast because of that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .construct_schema import construct_for as construct_for
    from .definitions import compile_definition as compile_definition
    from .definitions import load_definitions as load_definitions
    from .dialect.framing import Framing as Framing
    from .dialect.versions import VersionRange as VersionRange
    from .errors import DecodeError as DecodeError
    from .errors import EncodeError as EncodeError
    from .errors import ErrorKind as ErrorKind
    from .errors import KprotoError as KprotoError
    from .errors import NoSuchMessage as NoSuchMessage
    from .errors import SchemaError as SchemaError
    from .messages import *  # noqa: F403
    from .messages import message_class as message_class
    from .read.decoding import KAFKA_RELEASE as KAFKA_RELEASE
    from .read.decoding import Decoded as Decoded
    from .read.decoding import Policy as Policy
    from .read.decoding import decode as decode
    from .read.deviations import CODES as CODES
    from .read.deviations import Deviation as Deviation
    from .read.diagnostic_reader import FieldNode as FieldNode
    from .runtime.engine import ENGINE as ENGINE
    from .runtime.message import Message as Message
    from .runtime.message import MessagePart as MessagePart
    from .runtime.message import RawTaggedField as RawTaggedField
    from .runtime.message import VersionedMessage as VersionedMessage
    from .runtime.registry import built_in_names as built_in_names
    from .runtime.registry import field_versions as field_versions
    from .typed_module import generate_module as generate_module

_HOME = {
    "CODES": "read.deviations",
    "DecodeError": "errors",
    "Decoded": "read.decoding",
    "Deviation": "read.deviations",
    "ENGINE": "runtime.engine",
    "EncodeError": "errors",
    "ErrorKind": "errors",
    "FieldNode": "read.diagnostic_reader",
    "Framing": "dialect.framing",
    "KAFKA_RELEASE": "read.decoding",
    "KprotoError": "errors",
    "NoSuchMessage": "errors",
    "Message": "runtime.message",
    "MessagePart": "runtime.message",
    "Policy": "read.decoding",
    "RawTaggedField": "runtime.message",
    "SchemaError": "errors",
    "VersionRange": "dialect.versions",
    "VersionedMessage": "runtime.message",
    "built_in_names": "runtime.registry",
    "compile_definition": "definitions",
    "construct_for": "construct_schema",
    "decode": "read.decoding",
    "field_versions": "runtime.registry",
    "generate_module": "typed_module",
    "load_definitions": "definitions",
    "message_class": "messages",
}


def __getattr__(name: str) -> Any:
    if name == "__all__":  # what `from kproto.codec import *` asks for
        return __dir__()
    home = import_module(f".{_HOME.get(name, 'messages')}", __name__)
    try:
        value = getattr(home, name)
    except AttributeError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from .messages import MODULES

    return sorted([*_HOME, *MODULES])
