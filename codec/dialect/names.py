"""Names, from the definition's spelling to Python's and JSON's. Kafka: MessageGenerator.java."""

from __future__ import annotations

import keyword
import re

_WORD_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def camel(name: str) -> str:
    """Return the JSON key of a field: `TopicId` becomes `topicId`.

    >>> camel("TopicId"), camel("partition")
    ('topicId', 'partition')
    """
    return name[0].lower() + name[1:]


def snake(name: str, reserved: frozenset[str] = frozenset()) -> str:
    """Return the Python name of a field; a keyword or a `reserved` name gets a trailing `_`.

    >>> snake("OwnedPartitions"), snake("from"), snake("ACLType")
    ('owned_partitions', 'from_', 'acl_type')
    """
    return _safe(_WORD_BREAK.sub("_", name).lower(), reserved)


def class_name(name: str, reserved: frozenset[str] = frozenset()) -> str:
    """Return the Python name of a message or struct: the definition's own, made safe."""
    return _safe(name, reserved)


def counted(number: int, noun: str) -> str:
    """`1 byte`, `2 bytes`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _safe(name: str, reserved: frozenset[str]) -> str:
    return f"{name}_" if keyword.iskeyword(name) or name in reserved else name
