"""Run `kproto encode`: write the bytes of messages from their JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from ..codec.errors import EncodeError
from ..codec.runtime.message import Message, MessagePart, RawTaggedField, VersionedMessage
from .commands.encode import FORMS
from .input import inputs
from .input.message_types import find, load
from .output.failures import REFUSED, WRONG_USE, Failure, say

_LABEL_BYTES = 2
_STEP = re.compile(r"(\w+)|\[([0-9]+)\]")


def run(arguments: Namespace) -> int:
    """Print the message in the form that is asked for."""
    loaded = load(arguments.definitions)
    name, source = _name_and_source(arguments.what, arguments.name)
    cls = None if name is None else find(name, loaded)
    if arguments.output == "raw" and sys.stdout.isatty():
        raise Failure("--output raw is for a file or a pipe, not for a terminal", WRONG_USE)
    if source is not None and _is_json_text(source):
        where, text = "the JSON", source.encode(errors="surrogateescape")
    else:
        where, text = inputs.read_file(source, inputs.MAX_BYTES)
    if not text.strip():
        raise Failure(f"{where} is empty: there is no JSON to encode", WRONG_USE)
    objects = list(_objects(where, text))
    if all(is_decoded(obj) for _, obj in objects):
        lookup = partial(find, loaded=loaded) if cls is None else lambda _: cls
        return _encode_lines(where, objects, lookup, arguments)
    if cls is None:
        example = """kproto encode ConsumerProtocolSubscription '{"topics": ["orders"]}'"""
        raise Failure(f"the message's name is missing, as in {example}", WRONG_USE)
    if len(objects) > 1:
        raise Failure(f"{where}: {len(objects)} JSON values; a message is one")
    _encode(cls, objects[0][1], arguments)
    return 0


def _name_and_source(words: list[str], name: str | None) -> tuple[str | None, str | None]:
    """Return the message's name and the JSON, or its file: in either order, and --as NAME is the
    name, too.
    """
    names = [word for word in words if name is None and _is_name(word)]
    sources = [word for word in words if word not in names]
    if len(names) > 1 or len(sources) > 1:
        line = "give one message's name, and one JSON object (in quotes) or one FILE"
        raise Failure(f"{line}: {' '.join(words)[:80]}", WRONG_USE)
    return next(iter(names), name), next(iter(sources), None)


def _is_name(word: str) -> bool:
    return bool(re.fullmatch("[A-Za-z][A-Za-z0-9]*", word)) and not os.path.isfile(word)  # noqa: PTH113  # importing pathlib costs more


def _is_json_text(word: str) -> bool:
    return word.lstrip().startswith(("{", "["))


def _encode_lines(
    where: str,
    objects: list[tuple[int, Any]],
    lookup: Callable[[str], type[Message]],
    arguments: Namespace,
) -> int:
    """Write each line that can be written; 1 if one could not."""
    status = 0
    for number, obj in objects:
        try:
            line = encode_line(obj, lookup, arguments.version)
        except EncodeError as error:
            at = f"{_as_in_json(error.path)}: " if error.path else ""
            say(f"{where}, line {number}: {obj['name']} refused: {at}{error.reason}")
            status = REFUSED
        else:
            FORMS[arguments.output](line.data, line.message_class, line.version)
    return status


def _encode(cls: type[Message], obj: Any, arguments: Namespace) -> None:
    version = _version(cls, obj) if arguments.version is None else arguments.version
    if version not in cls.VERSIONS and version == arguments.version:
        problem = f"{cls.NAME} has no version {version}; it has {cls.VERSIONS}"
        if version > cls.LATEST and cls.FRAMING.newer == "clamp":
            problem += ". Bytes of versions to come: kproto.fuzz.strategies.future_bytes, in Python"
        raise Failure(problem, WRONG_USE)
    try:
        data = _bytes(cls, obj, version)
    except EncodeError as error:
        at = f"{_as_in_json(error.path)}: " if error.path else ""
        raise Failure(f"{cls.NAME} refused: {at}{error.reason}") from None
    FORMS[arguments.output](data, cls, version)


def _version(cls: type[Message], obj: Any) -> int:
    """Where a message carries its version as a field (Streams), that one."""
    inside = obj.get("version") if isinstance(obj, dict) else None
    if cls.FRAMING.kind == "version32" and type(inside) is int:
        return inside
    return cls.LATEST


def _bytes(cls: type[Message], obj: Any, version: int) -> bytes:
    message = cls.from_json(obj, version)
    if isinstance(message, VersionedMessage):
        return message.to_bytes(version)
    return message.to_body(version)


def _as_in_json(path: str) -> str:
    """`owned_partitions[3].topic_id` as it is spelled in JSON."""
    return re.sub("_([a-z0-9]?)", lambda match: match[1].upper(), path)


def _objects(where: str, text: bytes) -> Iterator[tuple[int, Any]]:
    """The JSON of a file: one value over any number of lines, or one on each line."""
    try:
        yield 1, _parse(text)
    except ValueError as error:
        rows = [(at, row) for at, row in enumerate(text.splitlines(), 1) if row.strip()]
        try:
            lines = [(at, _parse(row)) for at, row in rows]
        except ValueError as second:
            of_line = len(rows) > 1 and _is_json(rows[0][1])
            raise Failure(f"{where} is not JSON: {second if of_line else error}") from None
        if not lines:
            raise Failure(f"{where} is not JSON: {error}") from None
        yield from lines


def _parse(text: bytes) -> Any:
    return json.loads(text, object_pairs_hook=_without_twins)


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that occurs twice would be lost silently."""
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {json.dumps(twin)} occurs twice in one object")
    return values


# -- lines of `kproto decode --json`


class Encoded(NamedTuple):
    """The bytes of a line, with their message class and version."""

    data: bytes
    message_class: type[Message]
    version: int


def is_decoded(obj: Any) -> bool:
    """Return whether an object is a line of `kproto decode --json`, and not a message itself."""
    return isinstance(obj, dict) and obj.keys() >= {"name", "schemaVersion", "message"}


def encode_line(
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
    fields_alone = "bodyVersion" in obj
    if isinstance(message, VersionedMessage) and not fields_alone:
        data = message.to_bytes(layout)
    if version is not None:
        return Encoded(data, cls, layout)
    if (
        not fields_alone
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
        for tag in tags:
            tagged = RawTaggedField(tag=tag["tag"], data=bytes.fromhex(tag["data"]))
            by_path.setdefault(tag["path"], []).append(tagged)
        for path, fields in by_path.items():
            steps = [name or int(index) for name, index in _STEP.findall(path)]
            message = _replaced(message, iter(steps), tuple(fields))
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
