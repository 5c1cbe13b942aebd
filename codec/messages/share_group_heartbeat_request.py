"""ShareGroupHeartbeatRequest, generated from schemas/ShareGroupHeartbeatRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    OddBytes,
    read_compact_nullable_array,
    read_compact_nullable_string,
    read_compact_string,
    write_compact_nullable_array,
    write_compact_nullable_string,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ShareGroupHeartbeatRequest(Message, frozen=True, kw_only=True, gc=False):
    """ShareGroupHeartbeatRequest, versions 1.

    A member of a share group says that it lives, what it wants, and with its epoch what it knows
    (KIP-932).

    Version 0 was of an early release and is not read any more.

    Attributes:
        group_id (string): The group's id. Version 1; default ''.
        member_id (string): The member's id, which it has chosen itself. Version 1; default ''.
        member_epoch (int32): The epoch that the member has reached; 0 to join, -1 to leave. Version
            1; default 0.
        rack_id (string): The rack that the member runs in; null if not told or not changed. Version
            1; may be null; default None.
        subscribed_topic_names ([]string): The topics that it wants; null if not changed. Version 1;
            may be null; default None.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 1; default ().
    """

    NAME = "ShareGroupHeartbeatRequest"
    VERSIONS = VersionRange(1, 1)
    LATEST = 1
    API_KEY = 76
    FRAMING = Framing("none", "refuse")

    group_id: str = ""
    member_id: str = ""
    member_epoch: int = 0
    rack_id: str | None = None
    subscribed_topic_names: tuple[str, ...] | None = None
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("subscribed_topic_names", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            self.subscribed_topic_names is not None
            and type(self.subscribed_topic_names) is not tuple
        ) or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            member_epoch: int = ...,
            rack_id: str | None = ...,
            subscribed_topic_names: Iterable[str] | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            member_epoch: int = ...,
            rack_id: str | None = ...,
            subscribed_topic_names: Iterable[str] | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v1(data: bytes, pos: int) -> tuple[ShareGroupHeartbeatRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    member_id, pos = read_compact_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    rack_id, pos = read_compact_nullable_string(data, pos)
    subscribed_topic_names, pos = read_compact_nullable_array(data, pos, read_compact_string)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupHeartbeatRequest(
        group_id=group_id,
        member_id=member_id,
        member_epoch=member_epoch,
        rack_id=rack_id,
        subscribed_topic_names=subscribed_topic_names,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v1(message: ShareGroupHeartbeatRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    write_compact_string(message.member_id, parts)
    INT32.write(message.member_epoch, parts)
    write_compact_nullable_string(message.rack_id, parts)
    write_compact_nullable_array(message.subscribed_topic_names, parts, write_compact_string)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ShareGroupHeartbeatRequest._codecs = {
    1: Codec(_read_v1, _write_v1),
}
