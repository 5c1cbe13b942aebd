"""What rpk and kaf print of a group beside tables: a key and its value in each line.

rpk's keys are titles (`GROUP  orders`, `STATE  Stable`). Those of kaf end with a colon (`Group ID:
orders`, `State:  Stable`); below them are topics and members, each indented.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from .views import SHARES

__all__ = ["Kaf", "SheetLine", "read_summary_line"]

_RPK: Mapping[str, tuple[str, type[str] | type[int]]] = {
    "GROUP": ("group", str),
    "COORDINATOR": ("coordinator_id", int),
    "COORDINATOR-NODE": ("coordinator_id", int),
    "COORDINATOR-PARTITION": ("offsets_partition", str),
    "STATE": ("state", str),
    "BALANCER": ("assignor", str),
    "MEMBERS": ("members", int),
    "TOTAL-LAG": ("lag", int),
    "ERROR": ("error", str),
}
_RPK_LINE = re.compile(
    rf"\s*(?P<key>{'|'.join(_RPK)})(?:\s{{2,}}|\t)(?P<value>.*)|(?P<bare>BALANCER)"
)


def read_summary_line(line: str) -> dict[str, Any] | None:
    """Return the value in a line of rpk's summary of a group, None for any other line."""
    match = _RPK_LINE.fullmatch(line.rstrip())
    if match is None:
        return None
    if match["bare"]:  # of a group without members
        return {"assignor": ""}
    name, convert = _RPK[match["key"]]
    text = match["value"].strip() if convert is int else match["value"]
    if convert is int and not re.fullmatch(r"-?\d{1,19}", text):
        return None
    return {name: convert(text)}


class SheetLine(NamedTuple):
    """What a line of kaf is: `view` "state", "member" or "topic" begins a group, a member or a
    topic; "" goes on with it."""

    view: str
    values: Mapping[str, Any]


_KAF_KEYS = {"State": "state", "Protocol": "assignor", "Protocol Type": "protocol_type"}
_KAF_KEY = re.compile(
    r"(?P<key>Group ID|State|Protocol|Protocol Type|Offsets|Members):(?P<value>.*)"
)
_KAF_NAME = re.compile(r"\s+(?P<name>\S.*):")
_KAF_HOST = re.compile(r"\s+Host:\s+(?P<host>\S+)")
_KAF_SHARE = re.compile(r"\s+(?P<topic>\S+)\s+\[(?P<numbers>[\d ]*)\]")
_KAF_REST = re.compile(
    r"\s+(?:Assignments:|Topic\s+Partitions|-+(?:\s+-+)+|Total\s+-?\d+\s+-?\d+|Metadata:.*|"
    r"UUID:.*|UserEndpoint:.*)"
)


class Kaf:
    """Reads the lines of one `kaf group describe`."""

    def __init__(self) -> None:
        self._part = ""

    def read(self, line: str) -> SheetLine | None:
        """Return what a line is, None for one that kaf does not print."""
        text = line.rstrip()
        key = _KAF_KEY.fullmatch(text)
        if key is not None:
            return self._key(key["key"], key["value"].strip())
        if not self._part:
            return None
        if _KAF_REST.fullmatch(text):
            return SheetLine("", {})
        if self._part == "Offsets":
            name = _KAF_NAME.fullmatch(text)
            return None if name is None else SheetLine("topic", {"topic": name["name"]})
        if self._part == "Members":
            return _member_line(text)
        return None

    def _key(self, key: str, value: str) -> SheetLine | None:
        if key == "Group ID":
            self._part = key
            return SheetLine("state", {"group": value})
        if not self._part:
            return None
        self._part = key
        name = _KAF_KEYS.get(key)
        return SheetLine("", {name: value} if name else {})


def _member_line(text: str) -> SheetLine | None:
    host = _KAF_HOST.fullmatch(text)
    if host is not None:
        return SheetLine("", {"host": host["host"].removeprefix("/")})
    share = _KAF_SHARE.fullmatch(text)
    if share is not None:
        return SheetLine("", {"assigned": SHARES.convert(f"{share['topic']} [{share['numbers']}]")})
    name = _KAF_NAME.fullmatch(text)
    return None if name is None else SheetLine("member", {"client": name["name"]})
