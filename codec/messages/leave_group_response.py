"""LeaveGroupResponse, generated from schemas/LeaveGroupResponse.json; change that file and run `make generate`."""

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
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_string,
    read_string,
    write_array,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class LeaveGroupResponse(Message, frozen=True, kw_only=True, gc=False):
    """LeaveGroupResponse, versions 0-5.

    Whether the members could leave.

    Version 1 (KIP-124): the throttle time. Version 2 (KIP-219): throttling begins after the answer.
    Version 3 (KIP-345): one answer for each member. Version 4 (KIP-482): flexible.
    Version 5 (KIP-800): as version 4; the request changes.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds
            (KIP-124). Versions 1-5; default 0; other versions leave it out.
        error_code (int16): Why it failed; 0 if it did not. Versions 0-5; default 0.
        members ([]MemberResponse): The members that were to leave (KIP-345). Versions 3-5; default
            (); other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 4-5; default ().
    """

    NAME = "LeaveGroupResponse"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 13
    FRAMING = Framing("none", "refuse")

    class MemberResponse(MessagePart, frozen=True, kw_only=True, gc=False):
        """MemberResponse of LeaveGroupResponse, versions 3-5.

        The members that were to leave (KIP-345).

        Attributes:
            member_id (string): The member's id, as in the request. Versions 3-5; default ''.
            group_instance_id (string): The name of a static member; null if dynamic. Versions 3-5;
                may be null; default ''.
            error_code (int16): Why this member could not leave; 0 if it did. Versions 3-5; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 4-5; default ().
        """

        member_id: str = ""
        group_instance_id: str | None = ""
        error_code: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    members: tuple[LeaveGroupResponse.MemberResponse, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("members", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            members: Iterable[LeaveGroupResponse.MemberResponse] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            members: Iterable[LeaveGroupResponse.MemberResponse] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_MemberResponse = LeaveGroupResponse.MemberResponse


def _read_v0(data: bytes, pos: int) -> tuple[LeaveGroupResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return LeaveGroupResponse(error_code=error_code), pos


def _write_v0(message: LeaveGroupResponse, parts: list[bytes]) -> None:
    if message.members != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)


def _read_v1_2(data: bytes, pos: int) -> tuple[LeaveGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return LeaveGroupResponse(throttle_time_ms=throttle_time_ms, error_code=error_code), pos


def _write_v1_2(message: LeaveGroupResponse, parts: list[bytes]) -> None:
    if message.members != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)


def _read_member_response_v3(data: bytes, pos: int) -> tuple[_MemberResponse, int]:
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    return _MemberResponse(
        member_id=member_id, group_instance_id=group_instance_id, error_code=error_code
    ), pos


def _write_member_response_v3(item: _MemberResponse, parts: list[bytes]) -> None:
    if type(item) is not _MemberResponse:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_nullable_string(item.group_instance_id, parts)
    INT16.write(item.error_code, parts)


def _read_v3(data: bytes, pos: int) -> tuple[LeaveGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    members, pos = read_array(data, pos, _read_member_response_v3)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupResponse(
        throttle_time_ms=throttle_time_ms, error_code=error_code, members=members
    ), pos


def _write_v3(message: LeaveGroupResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_array(message.members, parts, _write_member_response_v3)


def _read_member_response_v4_5(data: bytes, pos: int) -> tuple[_MemberResponse, int]:
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _MemberResponse(
        member_id=member_id,
        group_instance_id=group_instance_id,
        error_code=error_code,
        unknown_tagged_fields=unknown,
    ), pos


def _write_member_response_v4_5(item: _MemberResponse, parts: list[bytes]) -> None:
    if type(item) is not _MemberResponse:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.group_instance_id, parts)
    INT16.write(item.error_code, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v4_5(data: bytes, pos: int) -> tuple[LeaveGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    members, pos = read_compact_array(data, pos, _read_member_response_v4_5)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        members=members,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v4_5(message: LeaveGroupResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_array(message.members, parts, _write_member_response_v4_5)
    write_unknown_tags(message.unknown_tagged_fields, parts)


LeaveGroupResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4_5, _write_v4_5),
    5: Codec(_read_v4_5, _write_v4_5),
}
