"""The JSON object of one decoded message, as `kproto decode --json` prints it.

`message` has the bytes that members exchange in base64, as Kafka prints them; `opened` has what is
inside of them. A line of JSON is ASCII, so that it is harmless on a terminal.
"""

from __future__ import annotations

import re
from json import dumps
from typing import Any

import msgspec

from ...codec.dialect.layout import HEAD
from ...codec.errors import DecodeError
from ...codec.json_form import to_json, unknown_tags_to_json
from ...codec.read.decoding import Decoded
from ...codec.read.deviations import Deviation
from ...codec.runtime.message import Message
from ...codec.runtime.registry import layout_of
from ..identification.identify import Examined
from ..identification.resemblance import resembles_nothing
from ..open.opening import NOT_JUDGED, NOTHING, Around, Opened, is_large, open_inside
from ..open.user_data_deviations import all_deviations

_NOT_PLAIN = re.compile("[^\x00-\x7e]")
_encode = msgspec.json.encode


def json_line(made: Any) -> bytes:
    """Return `made` as JSON with everything beyond printable ASCII escaped, except in msgspec.Raw
    parts, which are copied.

    Half of a pair of surrogates, which some of Kafka's encodings can hold, is escaped as well.
    """
    try:
        line = _encode(made)
    except UnicodeEncodeError:
        line = dumps(made, separators=(",", ":"), default=_raw).encode()
    if line.isascii() and b"\x7f" not in line:
        return line
    return _NOT_PLAIN.sub(_escape, line.decode()).encode()


def _raw(part: Any) -> Any:
    return msgspec.json.decode(bytes(part))


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def report(examined: Examined, around: Around = NOTHING) -> dict[str, Any]:
    """Return the JSON object of one message and its verdict; see `decoded_report`, and for bytes
    that resemble no message `unread_report`."""
    if not examined.identified:
        data = examined.decoded.data
        return unread_report(data, None, resembles_nothing(data))
    return decoded_report(examined.decoded, examined.error, around)


def decoded_report(
    seen: Decoded[Any], error: DecodeError | None, around: Around = NOTHING
) -> dict[str, Any]:
    """Return the JSON object of one message; `error` is why it was refused.

    `message` is Kafka's JSON form at `schemaVersion`, null if the message was not read completely.
    There are also, where they are not empty, `unknownTaggedFields`, which have no place in that
    form, and `opened`, what is inside of fields of bytes; `note` says so where a message is too
    large to be searched for deviations.
    """
    opened = open_inside(seen, around)
    made: dict[str, Any] = {
        "name": seen.message_class.NAME,
        "version": seen.version,
        "schemaVersion": seen.schema_version,
        "message": None,
        "remainder": seen.remainder.hex(),
        "deviations": [_deviation(each) for each in all_deviations(seen, opened, around)],
        "error": None if error is None else _error(error),
    }
    if is_large(seen):
        made["note"] = NOT_JUDGED
    if seen.message is not None:
        made |= _message(seen, seen.message)
    if opened:
        made["opened"] = [opened_report(inner) for inner in opened]
    return made


def opened_report(inner: Opened) -> dict[str, Any]:
    """Return the JSON object of what is inside a field, and inside of that; offsets count from its
    own first byte.

    For bytes that are no message, `name` says what they are ("JSON", "text"), `version` is null and
    `message` is the text or the JSON value. `rivals` (the readings that fit as well) and `note`
    (what is odd about the chosen one) are there where they are not empty.
    """
    made: dict[str, Any] = {
        "path": inner.path,
        "name": inner.name,
        "version": inner.version,
        "message": inner.value,
        "deviations": [],
        "error": None,
        "opened": [opened_report(nested) for nested in inner.opened],
    }
    seen = inner.decoded
    if seen is not None:
        deviations = all_deviations(seen, inner.opened, inner.around)
        made["deviations"] = [_deviation(each) for each in deviations]
        made["error"] = None if seen.error is None else _error(seen.error)
        if seen.message is not None:
            made |= _message(seen, seen.message)
    if inner.rivals:
        made["rivals"] = list(inner.rivals)
    note = inner.note or (NOT_JUDGED if seen is not None and is_large(seen) else "")
    if note:
        made["note"] = note
    return made


def unread_report(data: bytes, kind: str | None, explanation: str) -> dict[str, Any]:
    """Return a JSON object with the same keys for bytes without a known definition; all of them
    are `remainder`.
    """
    error = {"kind": kind, "offset": 0, "path": "", "explanation": explanation}
    made = dict.fromkeys(("name", "version", "schemaVersion", "message"))
    return {**made, "remainder": data.hex(), "deviations": [], "error": error}


def _message(seen: Decoded[Any], message: Message) -> dict[str, Any]:
    version = HEAD if seen.schema_version is None else seen.schema_version
    flexible = layout_of(type(message), version).flexible
    tags = unknown_tags_to_json(message, version) if flexible else []
    made: dict[str, Any] = {"message": to_json(message, version)}
    return {**made, "unknownTaggedFields": tags} if tags else made


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
