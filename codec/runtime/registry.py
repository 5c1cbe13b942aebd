"""The built-in definitions, and the definition and layouts of each message class."""

from __future__ import annotations

from functools import cache, lru_cache

from ... import schemas
from ..dialect import spec
from ..dialect.framing import Framing
from ..dialect.layout import Layout, layout
from ..dialect.spec import Spec
from ..dialect.versions import VersionRange
from ..errors import NoSuchMessage
from .message import Message


def built_in_names() -> tuple[str, ...]:
    """Return the names of all built-in definitions, sorted."""
    return schemas.names()


def built_in_framing(name: str) -> Framing | None:
    """Return the framing of the built-in definition of that name; None if there is none."""
    return built_in_spec(name).framing if name in schemas.names() else None


@cache
def built_in_spec(name: str) -> Spec:
    """Return the built-in definition of that name. Raises NoSuchMessage if there is none."""
    if name not in schemas.names():
        raise NoSuchMessage(name, schemas.names())
    return spec.parse(schemas.text(name), source=f"{name}.json")


def spec_of(message_class: type[Message]) -> Spec:
    """Return the definition that a message class was made from."""
    own_spec: Spec | None = message_class._spec
    return own_spec if own_spec is not None else built_in_spec(message_class.NAME)


@lru_cache(maxsize=2048)  # bounded: classes made at run time come and go
def field_versions(message_class: type[Message], field: str) -> VersionRange:
    """Return the versions of a message that have one of its fields, named as in Python or in JSON.
    Raises KeyError where the message has no such field.

    >>> from kproto.codec import ConsumerProtocolSubscription
    >>> str(field_versions(ConsumerProtocolSubscription, "owned_partitions"))
    '1-3'
    """
    for declared in spec_of(message_class).fields:
        if field in (declared.snake, declared.camel):
            return declared.versions & message_class.VERSIONS
    raise KeyError(f"{message_class.NAME} has no field {field!r}")


@lru_cache(maxsize=2048)
def layout_of(message_class: type[Message], version: int) -> Layout:
    """Return the layout of one version. Raises KeyError where the class has no such version."""
    return layout(spec_of(message_class), version)
