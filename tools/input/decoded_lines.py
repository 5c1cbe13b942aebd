"""Encode lines of `kproto decode --json` to the bytes that they were decoded from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ...codec.errors import EncodeError
from ...codec.runtime.message import Message, MessagePart, RawTaggedField, VersionedMessage

_LABEL_BYTES = 2
_STEP = re.compile(r"(\w+)|\[([0-9]+)\]")


class Encoded(NamedTuple):
    """The bytes of a line, with their message class and version."""

    data: bytes
    message_class: type[Message]
    version: int


def is_decoded(obj: Any) -> bool:
    """Return whether an object is a line of `kproto decode --json`, and not a message itself."""
    return isinstance(obj, dict) and obj.keys() >= {"name", "schemaVersion", "message"}


def encoded(
    obj: dict[str, Any], find: Callable[[str], type[Message]], version: int | None
) -> Encoded:
    """Return the bytes of a decoded message, or with `version` those of that version.

    Raises EncodeError where the message was not read completely, or a value does not fit.
    """
    cls = find(str(obj["name"]))
    if not isinstance(obj["message"], dict):
        raise EncodeError("message", "null: the bytes were refused, or not read to their end")
    label, schema = obj.get("version"), obj["schemaVersion"]
    layout = schema if version is None else version
    if type(layout) is not int or layout not in cls.VERSIONS:
        raise EncodeError("", f"no version {layout}; {cls.NAME} has {cls.VERSIONS}")
    message = _with_tags(cls.from_json(obj["message"], layout), obj.get("unknownTaggedFields", ()))
    data = message.to_body(layout)
    if isinstance(message, VersionedMessage) and "body" not in obj:
        data = message.to_bytes(layout)
    if version is not None:
        return Encoded(data, cls, layout)
    if (
        "body" not in obj
        and cls.FRAMING.kind == "version"
        and type(label) is int
        and label != schema
    ):
        data = label.to_bytes(_LABEL_BYTES, "big", signed=True) + data[_LABEL_BYTES:]
    return Encoded(data + _hex(obj.get("remainder", "")), cls, layout)


def _hex(text: Any) -> bytes:
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        raise EncodeError("remainder", "no hex digits") from None


def _with_tags(message: Message, tags: Any) -> Message:
    """The message with its unknown tagged fields, which have no place in Kafka's JSON."""
    by_path: dict[str, list[RawTaggedField]] = {}
    try:
        for each in tags:
            tagged = RawTaggedField(tag=each["tag"], data=bytes.fromhex(each["data"]))
            by_path.setdefault(each["path"], []).append(tagged)
        for path, found in by_path.items():
            steps = [name or int(index) for name, index in _STEP.findall(path)]
            message = _replaced(message, iter(steps), tuple(found))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise EncodeError("unknownTaggedFields", f"not as they were decoded: {error}") from None
    return message


def _replaced(item: Any, steps: Iterator[str | int], tags: tuple[RawTaggedField, ...]) -> Any:
    step = next(steps, None)
    if step is None:
        assert isinstance(item, MessagePart)
        return item.replace(unknown_tagged_fields=tags)
    if isinstance(step, int):
        return (*item[:step], _replaced(item[step], steps, tags), *item[step + 1 :])
    return item.replace(**{step: _replaced(getattr(item, step), steps, tags)})
