"""How every object is spelled that a command prints as JSON, and the one writer of JSON lines.

Keys are in camelCase. A time is ISO 8601 in UTC with milliseconds, bytes are lower-case hex; only
inside `message` Kafka's own JSON form has base64. `group`, `member`, `client` and `instance` are
ids; the software that a client is of is its `library` and `release`. A line is ASCII, and so
harmless on a terminal.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from json import dumps
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

Hex: TypeAlias = Annotated[
    str, Meta(pattern="^(([0-9a-f]{2})*|<.+>)$", description="hex; with --redact a placeholder")
]
Time: TypeAlias = Annotated[
    str, Meta(pattern=r"^[+-]?\d{4,9}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", description="UTC")
]
Shares: TypeAlias = dict[str, tuple[int, ...]]
"""Partition numbers by topic; of a Streams member, by subtopology."""
_Kind = TypeVar("_Kind")


class Shape(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """An object whose keys are all named in its class."""


class FrozenShape(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """A `Shape` that does not change: an object that the program works with, too."""


def camel_key(name: str) -> str:
    """Return the JSON key of a name in snake_case.

    >>> camel_key("owned_partitions")
    'ownedPartitions'
    """
    first, *others = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


if TYPE_CHECKING:  # a shape is made of plain bytes and floats, and turns them into these
    HexBytes: TypeAlias = bytes
    UnixTime: TypeAlias = float
else:

    class HexBytes(bytes):
        """Bytes in a shape that the program works with; hex in JSON."""

    class UnixTime(float):
        """A time in a shape that the program works with, in seconds since 1970; ISO in JSON."""


def _to_json(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else iso_time(value * 1000)


def of_json(line: bytes, kind: type[_Kind]) -> _Kind:
    """Return the shape that a line has, as `json_line` writes it. Raises ValueError."""
    return msgspec.json.decode(line, type=kind, dec_hook=_of_json)


def _of_json(kind: type, value: Any) -> Any:
    return kind(bytes.fromhex(value) if kind is HexBytes else milliseconds(value) / 1000)


def schema_of_type(kind: type) -> dict[str, Any]:
    """Return the JSON Schema of `HexBytes` or `UnixTime`."""
    return msgspec.json.schema(Hex if kind is HexBytes else Time)


# -- JSON lines

_NOT_PRINTABLE = re.compile("[^\x00-\x7e]")
_encode = msgspec.json.Encoder(enc_hook=_to_json).encode


def json_line(value: Any) -> bytes:
    """Return a value as JSON with everything beyond printable ASCII escaped, except in msgspec.Raw
    parts, which are copied.

    Half of a pair of surrogates, which some of Kafka's encodings can hold, is escaped as well.
    """
    try:
        line = _encode(value)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value, builtin_types=(msgspec.Raw,), enc_hook=_to_json)
        line = dumps(plain, separators=(",", ":"), default=_of_raw).encode()
    if line.isascii() and b"\x7f" not in line:
        return line
    return _NOT_PRINTABLE.sub(_escape, line.decode()).encode()


def json_text(value: Any) -> str:
    """Return a value as `json_line` does, over many lines with an indentation of one."""
    return msgspec.json.format(json_line(value), indent=1).decode() + "\n"


def _of_raw(part: Any) -> Any:
    return msgspec.json.decode(bytes(part))


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


# -- times

_DAY = 86_400


def iso_time(milliseconds: float) -> str:
    """Return a time since 1970 as the JSON outputs have it, in any year.

    >>> iso_time(1793534400000)
    '2026-11-01T12:00:00.000Z'
    """
    seconds, rest = divmod(int(milliseconds // 1), 1000)
    return f"{_second(seconds)}.{rest:03}Z"


def milliseconds(time: str) -> int:
    """Return a time of the JSON outputs in milliseconds since 1970.

    >>> milliseconds("2026-11-01T12:00:00.000Z")
    1793534400000
    """
    return round(datetime.fromisoformat(time).timestamp() * 1000)


@lru_cache(maxsize=256)  # records that follow each other are of the same second, or of the next
def _second(seconds: int) -> str:
    """Date and time of a second since 1970; beyond the years 0 to 9999 with a sign, as ISO 8601
    has it.

    A calendar of 400 years that begin in March, so that a leap day is the last day of a year.
    """
    days, second = divmod(seconds, _DAY)
    minute, second = divmod(second, 60)
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += 400 * era + (month >= 10)
    sign = "-" if year < 0 else "+" if year > 9_999 else ""
    date = f"{sign}{abs(year):04}-{(month + 2) % 12 + 1:02}-{day + 1:02}"
    return f"{date}T{minute // 60:02}:{minute % 60:02}:{second:02}"
