"""ListGroupsResponse, generated from schemas/ListGroupsResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    OddBytes,
    OddValue,
    read_array,
    read_compact_array,
    read_compact_string,
    read_string,
    write_array,
    write_compact_array,
    write_compact_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ListGroupsResponse(Message, frozen=True, kw_only=True, gc=False):
    """ListGroupsResponse, versions 0-5.

    The groups that a broker coordinates.

    Version 1 (KIP-124): throttling. Version 2 (KIP-219): throttled after the answer, not before it.
    Version 3 (KIP-482): flexible. Version 4 (KIP-518): states. Version 5 (KIP-848): types.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 1-5; default 0; other versions leave it out.
        error_code (int16): Why groups are missing; 0 if none is. Versions 0-5; default 0.
        groups ([]ListedGroup): The groups that the broker coordinates. Versions 0-5; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-5; default ().
    """

    NAME = "ListGroupsResponse"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 16
    FRAMING = Framing("none", "refuse")

    class ListedGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """ListedGroup of ListGroupsResponse, versions 0-5.

        The groups that the broker coordinates.

        Attributes:
            group_id (string): The group's id. Versions 0-5; default ''.
            protocol_type (string): What the members use the group for: consumer, connect, or empty.
                Versions 0-5; default ''.
            group_state (string): The group's state, such as Stable (KIP-518). Versions 4-5; default
                ''; other versions leave it out.
            group_type (string): Classic, consumer, share or streams (KIP-848). Version 5; default '';
                other versions leave it out.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-5; default ().
        """

        group_id: str = ""
        protocol_type: str = ""
        group_state: str = ""
        group_type: str = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                group_id: str = ...,
                protocol_type: str = ...,
                group_state: str = ...,
                group_type: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                group_id: str = ...,
                protocol_type: str = ...,
                group_state: str = ...,
                group_type: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    groups: tuple[ListGroupsResponse.ListedGroup, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            groups: Iterable[ListGroupsResponse.ListedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            groups: Iterable[ListGroupsResponse.ListedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_ListedGroup = ListGroupsResponse.ListedGroup


def _read_listed_group_v0_2(data: bytes, pos: int) -> tuple[_ListedGroup, int]:
    group_id, pos = read_string(data, pos)
    protocol_type, pos = read_string(data, pos)
    return _ListedGroup(group_id=group_id, protocol_type=protocol_type), pos


def _write_listed_group_v0_2(item: _ListedGroup, parts: list[bytes]) -> None:
    if type(item) is not _ListedGroup:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.group_id, parts)
    write_string(item.protocol_type, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ListGroupsResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    groups, pos = read_array(data, pos, _read_listed_group_v0_2)
    if pos > len(data):
        raise OddBytes
    return ListGroupsResponse(error_code=error_code, groups=groups), pos


def _write_v0(message: ListGroupsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)
    write_array(message.groups, parts, _write_listed_group_v0_2)


def _read_v1_2(data: bytes, pos: int) -> tuple[ListGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    groups, pos = read_array(data, pos, _read_listed_group_v0_2)
    if pos > len(data):
        raise OddBytes
    return ListGroupsResponse(
        throttle_time_ms=throttle_time_ms, error_code=error_code, groups=groups
    ), pos


def _write_v1_2(message: ListGroupsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_array(message.groups, parts, _write_listed_group_v0_2)


def _read_listed_group_v3(data: bytes, pos: int) -> tuple[_ListedGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    protocol_type, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _ListedGroup(
        group_id=group_id, protocol_type=protocol_type, unknown_tagged_fields=unknown
    ), pos


def _write_listed_group_v3(item: _ListedGroup, parts: list[bytes]) -> None:
    if type(item) is not _ListedGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_string(item.protocol_type, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v3(data: bytes, pos: int) -> tuple[ListGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    groups, pos = read_compact_array(data, pos, _read_listed_group_v3)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListGroupsResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        groups=groups,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v3(message: ListGroupsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_array(message.groups, parts, _write_listed_group_v3)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_listed_group_v4(data: bytes, pos: int) -> tuple[_ListedGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    protocol_type, pos = read_compact_string(data, pos)
    group_state, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _ListedGroup(
        group_id=group_id,
        protocol_type=protocol_type,
        group_state=group_state,
        unknown_tagged_fields=unknown,
    ), pos


def _write_listed_group_v4(item: _ListedGroup, parts: list[bytes]) -> None:
    if type(item) is not _ListedGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_string(item.protocol_type, parts)
    write_compact_string(item.group_state, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v4(data: bytes, pos: int) -> tuple[ListGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    groups, pos = read_compact_array(data, pos, _read_listed_group_v4)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListGroupsResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        groups=groups,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v4(message: ListGroupsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_array(message.groups, parts, _write_listed_group_v4)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_listed_group_v5(data: bytes, pos: int) -> tuple[_ListedGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    protocol_type, pos = read_compact_string(data, pos)
    group_state, pos = read_compact_string(data, pos)
    group_type, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _ListedGroup(
        group_id=group_id,
        protocol_type=protocol_type,
        group_state=group_state,
        group_type=group_type,
        unknown_tagged_fields=unknown,
    ), pos


def _write_listed_group_v5(item: _ListedGroup, parts: list[bytes]) -> None:
    if type(item) is not _ListedGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_string(item.protocol_type, parts)
    write_compact_string(item.group_state, parts)
    write_compact_string(item.group_type, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v5(data: bytes, pos: int) -> tuple[ListGroupsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    groups, pos = read_compact_array(data, pos, _read_listed_group_v5)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListGroupsResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        groups=groups,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v5(message: ListGroupsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_array(message.groups, parts, _write_listed_group_v5)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ListGroupsResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
}
