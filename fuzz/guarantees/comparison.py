"""Comparison of two values in Kafka's JSON form: where they differ.

There are two strengths. *Exactly*: every element in its place, null differs from empty. *In
meaning*: only what the protocol is about counts (which topics, which partitions of them, which
generation), not what honest clients' types lose: the order of topics and partitions, one topic's
partitions in one entry or in two, null or empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..subject import JsonObject

Json = Any


def difference(reference: JsonObject, answer: JsonObject, *, exactly: bool) -> str | None:
    """Return where a shown field is not as expected; None if none is.

    Only keys that both sides have are compared: a client shows what it knows.
    """
    if not exactly:
        reference, answer = _in_meaning(reference, answer)
    return next(_differences(reference, answer, ""), None)


def _in_meaning(reference: JsonObject, answer: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Return both values in their normal form, but "" as it was given where the other has more."""
    forms = meaning(reference), meaning(answer)
    for given, form, other in zip((reference, answer), forms, reversed(forms), strict=True):
        empty = [key for key, part in given.items() if part == ""]
        form.update({key: "" for key in empty if other.get(key) is not None})
    return forms


def meaning(value: JsonObject) -> JsonObject:
    """Return the value in a normal form, equal for values of the same meaning."""
    return {key: _field(key, part) for key, part in value.items()}


def with_single_replacements(value: JsonObject) -> JsonObject:
    """Return the value with one U+FFFD where several stand side by side: of the same wrong bytes
    Java makes one, JavaScript three, and Go one or three.
    """
    text = json.dumps(value, default=repr, ensure_ascii=False)
    single: JsonObject = json.loads(_REPLACEMENTS.sub("\ufffd", text))
    return single


_REPLACEMENTS = re.compile("(?:\ufffd)+")


def canonical(value: JsonObject) -> bool:
    """Return whether a value is already in that form, so that every writer gives the same bytes."""
    return meaning(value) == value


def _field(key: str, value: Json) -> Json:
    match value:
        case "":
            return None
        case int() if key == "generationId":
            return max(value, -1)  # Java: any value below 0 is no generation
        case [*items] if items and all(_is_entry(item) for item in items):
            return _merged(items)
        case [*items] if all(isinstance(item, str) for item in items):
            return sorted(set(items))
    return value


def _is_entry(item: Json) -> bool:
    """Return whether an item is a topic and partitions of it."""
    return (
        isinstance(item, Mapping)
        and item.keys() == {"topic", "partitions"}
        and isinstance(item["topic"], str)
        and isinstance(item["partitions"], list)
        and _types(item["partitions"]) <= {int, bool}
    )


def _types(items: list[Json]) -> set[type]:
    return set(map(type, items))


def _merged(entries: list[Json]) -> list[JsonObject]:
    """Return one entry per topic, without those that name no partition, sorted as Java writes
    them.
    """
    partitions_by_topic: dict[str, set[int]] = {}
    for entry in entries:
        partitions_by_topic.setdefault(entry["topic"], set()).update(entry["partitions"])
    return [
        {"topic": topic, "partitions": sorted(partitions)}
        for topic, partitions in sorted(partitions_by_topic.items())
        if partitions
    ]


def _differences(reference: Json, answer: Json, path: str) -> Iterator[str]:
    if isinstance(reference, Mapping) and isinstance(answer, Mapping):
        for key in [key for key in reference if key in answer]:
            yield from _differences(reference[key], answer[key], f"{path}.{key}".lstrip("."))
    elif isinstance(reference, list) and isinstance(answer, list) and len(reference) == len(answer):
        if reference == answer and _types(reference) == _types(answer) == {int}:
            return  # tens of thousands of partitions, compared at once
        for number, (item, answer_item) in enumerate(zip(reference, answer, strict=True)):
            yield from _differences(item, answer_item, f"{path}[{number}]")
    elif not is_same(reference, answer):
        yield f"{path} is {brief(answer)}, not {brief(reference)}"


def is_same(value: Json, second: Json) -> bool:
    """Return whether two values are equal and of one type: True is not 1, and 1.0 is not 1."""
    return type(value) is type(second) and bool(value == second)


def as_json(value: Json) -> str:
    """Return a value as JSON; what has no form there, such as bytes, as Python shows it."""
    text = json.dumps(value, default=repr, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def brief(value: Json) -> str:
    """Return a value as a short text of JSON."""
    text = as_json(value)
    size = len(value if isinstance(value, str) else text)
    return text if len(text) <= 80 else f"{text[:60]}... ({size} characters)"
