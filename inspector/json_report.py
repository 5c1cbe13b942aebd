"""The JSON object of one decoded message, as `kproto decode --json` prints it."""

from __future__ import annotations

from typing import Any

from ..codec.deviations import Deviation
from ..codec.errors import DecodeError
from ..codec.json_form import to_json, unknown_tags_to_json
from ..codec.layout import HEAD
from .examined import Examined


def report(examined: Examined) -> dict[str, Any]:
    """Everything about one message.

    `message` is Kafka's JSON form at `schemaVersion`, null if the message was not read completely;
    `unknownTaggedFields`, which have no place in that form, stands beside it where there are any.
    """
    seen = examined.decoded
    version = seen.schema_version
    made: dict[str, Any] = {
        "name": seen.message_class.NAME,
        "version": seen.version,
        "schemaVersion": version,
        "message": None,
        "remainder": seen.remainder.hex(),
        "deviations": [_deviation(deviation) for deviation in seen.deviations],
        "error": None if examined.error is None else _error(examined.error),
    }
    if seen.message is not None:
        read_as = HEAD if version is None else version
        made["message"] = to_json(seen.message, read_as)
        tags = unknown_tags_to_json(seen.message, read_as)
        if tags:
            made["unknownTaggedFields"] = tags
    return made


def _deviation(deviation: Deviation) -> dict[str, Any]:
    return {
        "code": deviation.code,
        "class": deviation.class_,
        "offset": deviation.offset,
        "path": deviation.path,
        "count": deviation.count,
        "explanation": deviation.explanation,
    }


def _error(error: DecodeError) -> dict[str, Any]:
    return {
        "kind": error.kind.value,
        "offset": error.offset,
        "path": error.path,
        "explanation": error.reason,
    }
