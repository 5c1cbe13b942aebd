"""Comparison of two values in Kafka's JSON form: where they differ.

There are two strengths. *Exactly*: every element in its place, null differs from empty. *In
meaning*: only what the protocol is about counts (which topics, which partitions of them, which
generation), not what honest clients' types lose: the order of topics and partitions, one topic's
partitions in one entry or in two, null or empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..subject import JsonObject

Json = Any


def difference(expected: JsonObject, shown: JsonObject, *, exactly: bool) -> str | None:
    """Return where a shown field is not as expected; None if none is.

    Only keys that both sides have are compared: a client shows what it knows.
    """
    if not exactly:
        expected, shown = meaning(expected), meaning(shown)
    return next(_differences(expected, shown, ""), None)


def meaning(value: JsonObject) -> JsonObject:
    """Return the value in a normal form, equal for values of the same meaning."""
    return {key: _field(key, part) for key, part in value.items()}


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
    found: dict[str, set[int]] = {}
    for entry in entries:
        found.setdefault(entry["topic"], set()).update(entry["partitions"])
    return [
        {"topic": topic, "partitions": sorted(partitions)}
        for topic, partitions in sorted(found.items())
        if partitions
    ]


def _differences(expected: Json, shown: Json, path: str) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(shown, Mapping):
        for key in [key for key in expected if key in shown]:
            yield from _differences(expected[key], shown[key], f"{path}.{key}".lstrip("."))
    elif isinstance(expected, list) and isinstance(shown, list) and len(expected) == len(shown):
        if expected == shown and _types(expected) == _types(shown) == {int}:
            return  # tens of thousands of partitions, compared at once
        for number, (wanted, other) in enumerate(zip(expected, shown, strict=True)):
            yield from _differences(wanted, other, f"{path}[{number}]")
    elif not same(expected, shown):
        yield f"{path} is {brief(shown)}, not {brief(expected)}"


def same(value: Json, other: Json) -> bool:
    """Return whether two values are equal and of one type: True is not 1, and 1.0 is not 1."""
    return type(value) is type(other) and bool(value == other)


def brief(value: Json) -> str:
    """Return a value as a short text."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:60]}... ({len(text)} characters)"
