"""Messages that the definitions give: for each version one of defaults, and one with values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..codec import EncodeError, Message, message_class
from ..codec.counterexample import sample
from .guarantees.cases import write
from .mutators.messages import head_of


def defined(names: Iterable[str]) -> Iterator[bytes]:
    """Yield each message in each version: one with all fields at their defaults, one with a value
    in every field.
    """
    for cls in map(message_class, names):
        for version in cls.VERSIONS:
            for message in (cls(), sample(cls, version)):
                data = _encode(cls, message, version)
                if data is not None:
                    yield head_of(cls, version) + data


def _encode(cls: type[Message], message: Message, version: int) -> bytes | None:
    if cls.FRAMING.kind == "version32":
        message = message.replace(version=version)
    try:
        return write(message, version)
    except EncodeError:  # a version that wants other values
        return None
