"""LeaveGroupRequest, generated from schemas/LeaveGroupRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
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


class LeaveGroupRequest(Message, frozen=True, kw_only=True, gc=False):
    """LeaveGroupRequest, versions 0-5.

    A member says goodbye, so that nobody has to wait for its session to end. Static members do not
    send it when they stop: they are expected back.

    Versions 1 and 2 (KIP-124, KIP-219): as version 0; the answer changes.
    Version 3 (KIP-345): several members at once, by which an operator removes static ones.
    Version 4 (KIP-482): flexible. Version 5 (KIP-800): why they leave.

    Attributes:
        group_id (string): The group's id. Versions 0-5; default ''.
        member_id (string): The member that leaves. Versions 0-2; default ''; other versions cannot
            hold it.
        members ([]MemberIdentity): The members that leave (KIP-345). Versions 3-5; default (); other
            versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 4-5; default ().
    """

    NAME = "LeaveGroupRequest"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 13
    FRAMING = Framing("none", "refuse")

    class MemberIdentity(MessagePart, frozen=True, kw_only=True, gc=False):
        """MemberIdentity of LeaveGroupRequest, versions 3-5.

        The members that leave (KIP-345).

        Attributes:
            member_id (string): The member's id; empty where the instance id alone names it. Versions
                3-5; default ''.
            group_instance_id (string): The name of a static member; null if dynamic. Versions 3-5;
                may be null; default None.
            reason (string): Why it leaves, for the broker's log (KIP-800). Version 5; may be null;
                default None; other versions leave it out.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 4-5; default ().
        """

        member_id: str = ""
        group_instance_id: str | None = None
        reason: str | None = None
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
                reason: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                reason: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    member_id: str = ""
    members: tuple[LeaveGroupRequest.MemberIdentity, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("members", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            members: Iterable[LeaveGroupRequest.MemberIdentity] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            members: Iterable[LeaveGroupRequest.MemberIdentity] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_MemberIdentity = LeaveGroupRequest.MemberIdentity


def _read_v0_2(data: bytes, pos: int) -> tuple[LeaveGroupRequest, int]:
    group_id, pos = read_string(data, pos)
    member_id, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupRequest(group_id=group_id, member_id=member_id), pos


def _write_v0_2(message: LeaveGroupRequest, parts: list[bytes]) -> None:
    if message.members != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    write_string(message.member_id, parts)


def _read_member_identity_v3(data: bytes, pos: int) -> tuple[_MemberIdentity, int]:
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    return _MemberIdentity(member_id=member_id, group_instance_id=group_instance_id), pos


def _write_member_identity_v3(item: _MemberIdentity, parts: list[bytes]) -> None:
    if type(item) is not _MemberIdentity:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.member_id, parts)
    write_nullable_string(item.group_instance_id, parts)


def _read_v3(data: bytes, pos: int) -> tuple[LeaveGroupRequest, int]:
    group_id, pos = read_string(data, pos)
    members, pos = read_array(data, pos, _read_member_identity_v3)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupRequest(group_id=group_id, members=members), pos


def _write_v3(message: LeaveGroupRequest, parts: list[bytes]) -> None:
    if message.member_id != "":
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    write_array(message.members, parts, _write_member_identity_v3)


def _read_member_identity_v4(data: bytes, pos: int) -> tuple[_MemberIdentity, int]:
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _MemberIdentity(
        member_id=member_id, group_instance_id=group_instance_id, unknown_tagged_fields=unknown
    ), pos


def _write_member_identity_v4(item: _MemberIdentity, parts: list[bytes]) -> None:
    if type(item) is not _MemberIdentity:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.group_instance_id, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v4(data: bytes, pos: int) -> tuple[LeaveGroupRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_member_identity_v4)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupRequest(group_id=group_id, members=members, unknown_tagged_fields=unknown), pos


def _write_v4(message: LeaveGroupRequest, parts: list[bytes]) -> None:
    if message.member_id != "":
        raise OddValue
    write_compact_string(message.group_id, parts)
    write_compact_array(message.members, parts, _write_member_identity_v4)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_member_identity_v5(data: bytes, pos: int) -> tuple[_MemberIdentity, int]:
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    reason, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _MemberIdentity(
        member_id=member_id,
        group_instance_id=group_instance_id,
        reason=reason,
        unknown_tagged_fields=unknown,
    ), pos


def _write_member_identity_v5(item: _MemberIdentity, parts: list[bytes]) -> None:
    if type(item) is not _MemberIdentity:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.group_instance_id, parts)
    write_compact_nullable_string(item.reason, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v5(data: bytes, pos: int) -> tuple[LeaveGroupRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_member_identity_v5)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return LeaveGroupRequest(group_id=group_id, members=members, unknown_tagged_fields=unknown), pos


def _write_v5(message: LeaveGroupRequest, parts: list[bytes]) -> None:
    if message.member_id != "":
        raise OddValue
    write_compact_string(message.group_id, parts)
    write_compact_array(message.members, parts, _write_member_identity_v5)
    write_unknown_tags(message.unknown_tagged_fields, parts)


LeaveGroupRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
}
