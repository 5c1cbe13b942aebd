"""Bytes to messages and back: the library's face.

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
    from .built_in import built_in_names as built_in_names
    from .careful import FieldNode as FieldNode
    from .declare import construct_for as construct_for
    from .decoding import KAFKA_RELEASE as KAFKA_RELEASE
    from .decoding import Decoded as Decoded
    from .decoding import Policy as Policy
    from .decoding import decode as decode
    from .definitions import compile_definition as compile_definition
    from .definitions import load_definitions as load_definitions
    from .deviations import CODES as CODES
    from .deviations import Deviation as Deviation
    from .engine import ENGINE as ENGINE
    from .errors import DecodeError as DecodeError
    from .errors import EncodeError as EncodeError
    from .errors import ErrorKind as ErrorKind
    from .errors import KprotoError as KprotoError
    from .errors import SchemaError as SchemaError
    from .framing import Framing as Framing
    from .message import Message as Message
    from .message import MessagePart as MessagePart
    from .message import RawTaggedField as RawTaggedField
    from .message import VersionedMessage as VersionedMessage
    from .messages import *  # noqa: F403
    from .messages import message_class as message_class
    from .versions import VersionRange as VersionRange

_HOME = {
    "CODES": "deviations",
    "DecodeError": "errors",
    "Decoded": "decoding",
    "Deviation": "deviations",
    "ENGINE": "engine",
    "EncodeError": "errors",
    "ErrorKind": "errors",
    "FieldNode": "careful",
    "Framing": "framing",
    "KAFKA_RELEASE": "decoding",
    "KprotoError": "errors",
    "Message": "message",
    "MessagePart": "message",
    "Policy": "decoding",
    "RawTaggedField": "message",
    "SchemaError": "errors",
    "VersionRange": "versions",
    "VersionedMessage": "message",
    "built_in_names": "built_in",
    "compile_definition": "definitions",
    "construct_for": "declare",
    "decode": "decoding",
    "load_definitions": "definitions",
    "message_class": "messages",
}


def __getattr__(name: str) -> Any:
    if name == "__all__":  # what `from kproto.codec import *` asks for
        return __dir__()
    home = import_module(f".{_HOME.get(name, 'messages')}", __name__)
    try:
        found = getattr(home, name)
    except AttributeError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    from .messages import MODULES

    return sorted([*_HOME, *MODULES])
