"""The contract of an adapter: the form of its answers, and what to change where one has another.

`decode` in Python returns the fields, a `Read`, or an object of the keys that a reply in JSON lines
has: `version`, `value` and `remainder`. An answer of another form is a mistake of the adapter, not
of the client, and no guarantee is judged with it.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ..codec import message_class
from ..codec.dialect.spec import Field, Spec
from ..codec.dialect.versions import VersionRange
from ..codec.runtime.registry import built_in_names, spec_of
from .subject import Failed, Failure, Read, ReadAnswer, Refused, Unsupported

_BINARY = (bytes, bytearray, memoryview)
KEYS = ("version", "value", "remainder")
"""The keys of an answer that is an object, in Python and in JSON lines."""
_FORMS = (
    "return the fields as a dict, Read(value, version, remainder), or a dict of 'version', "
    "'value' and 'remainder'"
)


def answer_in_form(name: str, answer: object) -> ReadAnswer:
    """Return what a decoder in Python answered as an answer; a `Failed` says what to change."""
    if isinstance(answer, Refused | Unsupported | Failed):
        return answer
    reading = answer
    if isinstance(answer, Mapping) and _is_envelope(name, answer):
        more = sorted(set(map(str, answer)) - set(KEYS))
        if more:
            return _mistake(f"{more[0]!r} is next to 'value': put all fields into 'value'")
        reading = Read(answer["value"], answer.get("version"), answer.get("remainder"))
    elif isinstance(answer, Mapping):
        reading = Read(answer)  # type: ignore[arg-type]
    if not isinstance(reading, Read):
        return _mistake(f"decode returned {_brief(answer)}: {_FORMS}")
    mistake = mistake_in(name, reading)
    return reading if mistake is None else _mistake(mistake)


def _is_envelope(name: str, answer: Mapping[Any, Any]) -> bool:
    return "value" in answer and "value" not in _fields(name)


def _mistake(text: str) -> Failed:
    return Failed(Failure.ADAPTER, text)


def mistake_in(name: str, reading: Read) -> str | None:
    """Return what is wrong with the form of an answer, and what to change; None if nothing is."""
    value, version, remainder = reading
    if isinstance(value, Mapping):
        mistake = _mistake_around(version, remainder)
    elif isinstance(version, Mapping):
        mistake = "Read(version, value) has the two the wrong way round: Read(value, version)"
    else:
        mistake = f"the value is {_brief(value)}: it has to be a dict of the message's fields"
    if mistake is not None or name not in built_in_names():
        return mistake
    spec = spec_of(message_class(name))
    return next(_mistakes(value, spec.fields, spec, ""), None)


def _mistake_around(version: object, remainder: object) -> str | None:
    if version is not None and type(version) is not int:
        return f"the version is {_brief(version)}: give the number in the bytes, or None"
    if remainder is not None and not isinstance(remainder, _BINARY):
        return f"the remainder is {_brief(remainder)}: give the bytes that are left, or None"
    return None


def _mistakes(
    value: Mapping[Any, Any], fields: Sequence[Field], spec: Spec, path: str
) -> Iterator[str]:
    by_name = {field.camel: field for field in fields}
    for key, item in value.items():
        field = by_name.get(key)
        if field is None:
            yield _no_field(key, by_name, path)
        else:
            yield from _mistakes_in_field(item, field, spec, f"{path}{key}")
    if path:  # of an entry: there a field that every version has, and that is not shown
        lowest = min((field.versions.lowest for field in fields), default=0)
        highest = max((field.versions.highest for field in fields), default=0)
        for key, field in by_name.items():
            is_always_there = field.versions == VersionRange(lowest, highest) and not field.tagged
            if key not in value and is_always_there:
                yield f"{path[:-1]} has no {key!r}: show the whole entry"


def _no_field(key: object, by_name: Mapping[str, Field], path: str) -> str:
    names = ", ".join(by_name)
    if path == "" and key in KEYS:
        return f"{key!r} is no field: {_FORMS}"
    near = next((field.camel for field in by_name.values() if field.snake == key), None)
    meant = f"write {near!r}" if near else f"the fields are {names}"
    return f"{path}{key} is no field of it: {meant}"


def _mistakes_in_field(item: Any, field: Field, spec: Spec, path: str) -> Iterator[str]:
    if item is None:
        return  # whether null is allowed is for the guarantees
    kind = field.type.name
    if not field.type.array:
        yield from _mistakes_in_item(item, kind, spec, path)
    elif not isinstance(item, list | tuple):
        yield f"{path} is {_brief(item)}: it has to be a list"
    elif kind not in spec.structs and {*map(type, item)} <= _TYPES.get(kind, set()):
        return  # tens of thousands of partitions, looked at at once
    else:
        for number, element in enumerate(item):
            yield from _mistakes_in_item(element, kind, spec, f"{path}[{number}]")


_TYPES: dict[str, set[type]] = {"string": {str}, "int32": {int}}


def _mistakes_in_item(item: Any, kind: str, spec: Spec, path: str) -> Iterator[str]:
    if kind not in spec.structs:
        is_right, words = _RULES.get(kind, _NUMBER)
        if not is_right(item):
            yield f"{path} is {_brief(item)}: {words}{_slip(item) if kind == 'bytes' else ''}"
    elif isinstance(item, Mapping):
        yield from _mistakes(item, spec.structs[kind].fields, spec, f"{path}.")
    else:
        names = ", ".join(field.camel for field in spec.structs[kind].fields)
        yield f"{path} is {_brief(item)}: it has to be a dict of {names}"


def _slip(item: object) -> str:
    """Return what is wrong with a text that is nearly base64, as the end of a sentence; else ""."""
    text = str(item)
    for change, words in _SLIPS.items():
        if change(text) != text and _is_base64(change(text)):
            return f"; {words}"
    return ""


def _is_binary(item: object) -> bool:
    return isinstance(item, _BINARY) or (isinstance(item, str) and _is_base64(item))


def _is_text(item: object) -> bool:
    return item is None or isinstance(item, str)


def _is_number(item: object) -> bool:
    return item is None or (isinstance(item, int) and not isinstance(item, bool))


Rule = tuple[Callable[[object], bool], str]

_TEXT: Rule = (_is_text, "it has to be a text (str)")
_DATA: Rule = (_is_binary, "give bytes or their base64")
_NUMBER: Rule = (_is_number, "it has to be a whole number (int)")
_RULES: dict[str, Rule] = {
    "string": _TEXT,
    "uuid": _TEXT,
    "modified-utf-8": _TEXT,
    "utf-16": _TEXT,
    "bytes": _DATA,
    "records": _DATA,
    "bool": (lambda item: isinstance(item, bool), "it has to be True or False"),
    "float64": (lambda item: isinstance(item, int | float), "it has to be a number"),
}


_STANDARD = str.maketrans("-_", "+/")


def _padded(text: str) -> str:
    return text + "=" * (-len(text) % 4)


_SLIPS: dict[Callable[[str], str], str] = {
    lambda text: "".join(text.split()): "base64 is without line ends here",
    lambda text: text.translate(_STANDARD): "base64 is with + and / here, not - and _",
    _padded: "base64 is with = at its end here",
    lambda text: _padded(text.translate(_STANDARD)): "base64 is with + and /, and = at its end",
}
"""What makes base64 of a text that is nearly that, and what is wrong with it."""


def _is_base64(text: str) -> bool:
    try:
        b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


@cache
def _fields(name: str) -> frozenset[str]:
    if name not in built_in_names():
        return frozenset()
    return frozenset(field.camel for field in spec_of(message_class(name)).fields)


def _brief(value: object) -> str:
    return f"{value!r:.60} ({type(value).__name__})"
