"""One JSON object as one line of ASCII, for programs and harmless on a terminal."""

from __future__ import annotations

import re
from json import dumps
from typing import Any

import msgspec

_NOT_PLAIN = re.compile("[^\x00-\x7e]")
_encode = msgspec.json.encode


def json_line(made: Any) -> bytes:
    """`made` with everything beyond printable ASCII escaped; msgspec.Raw parts stand as they are.

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
