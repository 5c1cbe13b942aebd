"""Frames in a file of JSON lines, as proxies and test rigs write them.

    {"direction": "response", "apiKey": 11, "apiVersion": 5, "frameHex": "0000004c…"}

`frameHex` is the whole frame, with or without its size. `direction` is "request" where it is
missing; a response needs `apiKey` and `apiVersion`, since it has neither. `connection` (its number
or name) and `time` (ISO 8601, or milliseconds since 1970) are kept. The keys `frame_hex`,
`api_key`, `api_version`, `conn`, `timestamp` and `ts_ms` are read, too; others are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, BinaryIO

import msgspec

from ..summary import Summary
from .api_keys import Api
from .frame import Connection, Frame, decode_request, decode_response
from .splitter import MAX_FRAME

__all__ = ["HISTORY_LINES", "is_frame_line", "read_frame_lines"]

HISTORY_LINES = (b'{"historyOf":', b'{"recordOf":')
"""How lines begin beside frames that have the newest records of a group (`kproto group --save`)."""

_HISTORY = "lines of a group's records, which kproto group --from, story, migrate and audit read"

_NAMES = {
    "direction": ("direction",),
    "api_key": ("apiKey", "api_key"),
    "api_version": ("apiVersion", "api_version"),
    "frame": ("frameHex", "frame_hex"),
    "connection": ("connection", "conn"),
    "timestamp": ("time", "timestamp", "ts_ms"),
}
_LONGEST = 2 * MAX_FRAME + 10_000  # characters of a line


def is_frame_line(head: bytes) -> bool:
    """Return whether a file that begins with `head` holds frames in JSON lines."""
    start = head.lstrip()[:4096]
    return start.startswith(b"{") and any(f'"{name}"'.encode() in start for name in _NAMES["frame"])


def read_frame_lines(
    file: BinaryIO,
    source: str,
    summary: Summary,
    definitions: Mapping[int, Api] | None = None,
    *,
    history: Callable[[bytes], object] | None = None,
) -> Iterator[Frame]:
    """Yield the frames, in the order of the lines; lines that are no frame go to `summary`.

    `definitions` are the APIs whose bodies are decoded, by default those that are built in.
    `history` takes the lines of a group's records, which are no frames.
    """
    number = 0
    while line := file.readline(_LONGEST):
        number += 1
        if not line.strip():
            continue
        if line.startswith(HISTORY_LINES):
            if history is None:
                summary.note(_HISTORY)
            else:
                history(line)
            continue
        where = f"{source}, line {number:,}"
        try:
            frame = _frame(line, definitions)
        except ValueError as problem:
            summary.skip(str(problem), where, len(line))
            continue
        summary.count("frames")
        if frame.body is None and frame.header is not None and frame.header.complete:
            summary.note(f"frames of {frame.api}, not decoded")
        yield frame._replace(source=source)


def _frame(line: bytes, definitions: Mapping[int, Api] | None) -> Frame:
    """Raises ValueError with one of a few phrases."""
    try:
        line_object = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        raise ValueError("line that is no JSON") from None
    if not isinstance(line_object, dict):
        raise ValueError("line that is no JSON object")
    values = {name: _first(line_object, keys) for name, keys in _NAMES.items()}
    try:
        data = bytes.fromhex(values["frame"])
    except (TypeError, ValueError):
        raise ValueError("line without a frame in hex") from None
    if values["direction"] == "response":
        if not all(_is_int16(values[name]) for name in ("api_key", "api_version")):
            raise ValueError("response without the apiKey and apiVersion of its request")
        frame = decode_response(
            data, values["api_key"], values["api_version"], definitions=definitions
        )
    else:
        frame = decode_request(data, definitions=definitions)
    return frame._replace(
        connection=_connection(values["connection"]), timestamp=_milliseconds(values["timestamp"])
    )


def _first(line_object: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((line_object[key] for key in keys if key in line_object), None)


def _is_int16(value: Any) -> bool:
    return type(value) is int and -(1 << 15) <= value < 1 << 15


def _milliseconds(value: Any) -> float | None:
    """Return a time in milliseconds since 1970; text without a zone is in UTC."""
    if isinstance(value, str):
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            return None
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1000
    return value if type(value) in (int, float) and abs(value) < 1 << 53 else None


def _connection(value: Any) -> Connection | None:
    if type(value) is int and abs(value) < 1 << 53:
        return Connection(value, "", "")
    return Connection(0, value, "") if isinstance(value, str) else None
