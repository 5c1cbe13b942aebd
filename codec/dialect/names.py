"""Names of fields: in definitions, in Python and in JSON (Kafka: MessageGenerator.java).

And how fields and values are named in an error message: by a path, and in short.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from typing import Any

Path = tuple[str | int, ...]
"""Where a value is in a message: names of fields, and indices of array elements."""

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


def path_text(path: Sequence[str | int]) -> str:
    """Return a path as error messages show it.

    >>> path_text(("owned_partitions", 3, "topic"))
    'owned_partitions[3].topic'
    """
    parts = (f"[{item}]" if isinstance(item, int) else f".{item}" for item in path)
    return "".join(parts).removeprefix(".")


def _safe(name: str, reserved: frozenset[str]) -> str:
    return f"{name}_" if keyword.iskeyword(name) or name in reserved else name


WIDTH = 60  # characters


def short_repr(value: Any) -> str:
    """Return the `repr` of `value`, cut to `WIDTH` characters.

    Python prints no integer of more than 4,300 digits, and no value that is nested too deeply: of
    these the type is named. Long text and bytes are cut before they are printed.

    >>> short_repr([1, "a"]), short_repr(10 ** 5000), len(short_repr("a" * 1000))
    ("[1, 'a']", 'a huge int', 60)
    """
    if isinstance(value, str | bytes | bytearray):
        value = value[:WIDTH]
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"a huge {type(value).__name__}"
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."
