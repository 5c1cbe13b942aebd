"""HeartbeatRequest, generated from schemas/HeartbeatRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    OddBytes,
    OddValue,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_string,
    read_string,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class HeartbeatRequest(Message, frozen=True, kw_only=True, gc=False):
    """HeartbeatRequest, versions 0-4.

    Sent every heartbeat.interval.ms, so that the broker knows that the member lives; the answer
    tells whether a rebalance is under way. Java sends it from a thread of its own: it says nothing
    about whether the application still polls.

    Versions 1 and 2 (KIP-124, KIP-219): as version 0; the answer changes.
    Version 3 (KIP-345): static membership. Version 4 (KIP-482): flexible.

    Attributes:
        group_id (string): The group's id. Versions 0-4; default ''.
        generation_id (int32): The generation that the member believes in. Versions 0-4; default 0.
        member_id (string): The member's id. Versions 0-4; default ''.
        group_instance_id (string): The name of a static member; null if dynamic (KIP-345). Versions
            3-4; may be null; default None; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 4; default ().
    """

    NAME = "HeartbeatRequest"
    VERSIONS = VersionRange(0, 4)
    LATEST = 4
    API_KEY = 12
    FRAMING = Framing("none", "refuse")

    group_id: str = ""
    generation_id: int = 0
    member_id: str = ""
    group_instance_id: str | None = None
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
            generation_id: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            generation_id: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_2(data: bytes, pos: int) -> tuple[HeartbeatRequest, int]:
    group_id, pos = read_string(data, pos)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return HeartbeatRequest(
        group_id=group_id, generation_id=generation_id, member_id=member_id
    ), pos


def _write_v0_2(message: HeartbeatRequest, parts: list[bytes]) -> None:
    if message.group_instance_id is not None:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.generation_id, parts)
    write_string(message.member_id, parts)


def _read_v3(data: bytes, pos: int) -> tuple[HeartbeatRequest, int]:
    group_id, pos = read_string(data, pos)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_string(data, pos)
    group_instance_id, pos = read_nullable_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return HeartbeatRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
    ), pos


def _write_v3(message: HeartbeatRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    INT32.write(message.generation_id, parts)
    write_string(message.member_id, parts)
    write_nullable_string(message.group_instance_id, parts)


def _read_v4(data: bytes, pos: int) -> tuple[HeartbeatRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    member_id, pos = read_compact_string(data, pos)
    group_instance_id, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return HeartbeatRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v4(message: HeartbeatRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    INT32.write(message.generation_id, parts)
    write_compact_string(message.member_id, parts)
    write_compact_nullable_string(message.group_instance_id, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


HeartbeatRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
}
