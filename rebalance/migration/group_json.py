"""Read a group from a line of JSON, as `kproto migrate` takes it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from .group import ClassicGroup, ClassicMember, GroupError, Protocol
from .settings import SettingError, read_settings


class _ProtocolLine(msgspec.Struct):
    name: str
    hex: str | UnsetType | None = UNSET


class _MemberLine(msgspec.Struct, rename="camel"):
    member_id: str | None = None
    instance_id: str | None = None
    protocols: list[_ProtocolLine] | None = None
    assignment_hex: str | UnsetType | None = UNSET


class _GroupLine(msgspec.Struct, rename="camel"):
    group: str
    protocol_type: str | None = None
    state: str | None = None
    selected: str | UnsetType | None = UNSET
    members: list[_MemberLine] | None = None
    topics: dict[str, int] | None = None
    settings: dict[str, Any] | None = None


_DECODER = msgspec.json.Decoder(_GroupLine)


def read_group(
    line: str | bytes,
    settings: Mapping[str, Any] = MappingProxyType({}),
    topics: Mapping[str, int] | None = None,
) -> ClassicGroup:
    """Return the group that a JSON object describes; keys that are not known are ignored.

    A key that is left out is not known; `settings` and `topics` count where the object has none.
    An `assignmentHex`, `hex` or `selected` of null or "" says that there is none. Raises GroupError
    with what is wrong and where.
    """
    try:
        told = _DECODER.decode(line)
        return ClassicGroup(
            told.group,
            told.protocol_type,
            told.state,
            _text(told.selected),
            None if told.members is None else tuple(map(_member, enumerate(told.members))),
            topics if told.topics is None else told.topics,
            read_settings({**settings, **(told.settings or {})}),
        )
    except (msgspec.DecodeError, SettingError) as error:
        raise GroupError(str(error)) from None
    except UnicodeDecodeError as error:
        raise GroupError(f"not UTF-8: {error.reason} at byte {error.start}") from None


def _member(numbered: tuple[int, _MemberLine]) -> ClassicMember:
    index, told = numbered
    where = f"$.members[{index}]"
    protocols = None
    if told.protocols is not None:
        protocols = tuple(
            Protocol(protocol.name, _bytes(protocol.hex, f"{where}.protocols[{place}].hex"))
            for place, protocol in enumerate(told.protocols)
        )
    return ClassicMember(
        f"member {index + 1}" if told.member_id is None else told.member_id,
        protocols,
        _bytes(told.assignment_hex, f"{where}.assignmentHex"),
        told.instance_id,
    )


def _text(told: str | UnsetType | None) -> str | None:
    return None if told is UNSET else told or ""


def _bytes(told: str | UnsetType | None, where: str) -> bytes | None:
    if told is UNSET:
        return None
    try:
        return bytes.fromhex(told or "")
    except ValueError:
        raise GroupError(f"no hexadecimal bytes - at `{where}`") from None
